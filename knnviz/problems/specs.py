"""Problems and data from their specs: name and parameters, as ``spec`` gives them."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from knnviz.problems import named, piecewise
from knnviz.problems.base import Problem
from knnviz.problems.binary import one_against_rest
from knnviz.problems.bundled import BUNDLED, bundled
from knnviz.problems.data import Dataset

#: The named problems, by name.
NAMED = {
    make.__name__: make
    for make in (
        named.bump,
        named.checkerboard,
        piecewise.constant,
        piecewise.contested,
        named.gaussians,
        named.jump,
        named.levels,
        named.linear,
        named.logistic,
        named.moons,
        one_against_rest,
        named.plateau,
        named.power,
        named.ramp,
        named.rare,
        piecewise.segments,
        named.spirals,
        named.terrace,
        named.wave2d,
        named.waves,
    )
}


def from_spec(spec: Mapping[str, Any]) -> Problem | Dataset:
    """The problem or bundled data set of a spec, as ``source.spec()`` gives it or JSON keeps it.

    Raises ValueError for an unknown name, for parameters that do not fit, and for a spec of a reader's own data.

    Examples
    --------
    >>> from knnviz.problems import from_spec, jump
    >>> spec = jump(0.2).spec()
    >>> spec
    {'name': 'jump', 'parameters': {'a': 0.2}}
    >>> from_spec(spec).name
    'jump'
    """
    name, parameters = (spec.get("name"), spec.get("parameters", {})) if isinstance(spec, Mapping) else (None, None)
    if not isinstance(name, str) or not isinstance(parameters, Mapping):
        raise ValueError(f"a spec must hold a name and parameters, got {spec!r}")
    parameters = dict(parameters)
    if "checksum" in spec:
        return _data(name, parameters, spec["checksum"])
    if "points" in parameters:
        return _made(name, Problem.from_atoms, parameters | {"name": name})
    if isinstance(parameters.get("problem"), Mapping):
        parameters["problem"] = from_spec(parameters["problem"])
    if name not in NAMED:
        raise ValueError(f"there is no problem {name!r}; there are {', '.join(NAMED)}")
    return _made(name, NAMED[name], parameters)


def _data(name: str, parameters: dict[str, Any], checksum: str) -> Dataset:
    if name in BUNDLED:
        dataset = _made(name, bundled, parameters | {"name": name})
        if dataset.table.checksum == checksum:
            return dataset
    raise ValueError(f"{name!r} is data of your own (checksum {checksum}): make it by from_data")


def _made(name: str, make: Callable[..., Any], parameters: dict[str, Any]) -> Any:
    try:
        signature(make).bind(**parameters)
    except TypeError as error:
        raise ValueError(f"the parameters of {name!r} do not fit: {error}") from None
    return make(**parameters)
