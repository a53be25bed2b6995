"""Good calls of names: the arguments of each are found by the names of its parameters."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, isfunction, signature
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

import numpy as np

Call = Callable[..., Any]

#: What calls each name, good values of its arguments, and those of them for which fewer values are
#: bad.
Calls = dict[str, tuple[Any, ...]]


def calls(
    named: dict[str, Call],
    values: dict[str, Any],
    own: dict[str, dict[str, Any]],
    loose: dict[str, Iterable[str]],
) -> Calls:
    """Calls with the value of each parameter that has one in a table or in the signature; ``own``
    are those of single names.
    """
    found: Calls = {}
    for name, call in named.items():
        known = values | own.get(name, {})
        given = {}
        for each in signature(call).parameters.values():
            told = known[each.name] if each.name in known else told_by(each)
            if told is not None:
                given[each.name] = told
        found[name] = (call, given, *loose.get(name, ()))
    return found


def told_by(parameter: Parameter) -> Any:
    """The good value that a signature tells: the last of several choices, a switch that is turned,
    or numbers by default; None if it tells none.
    """
    for kind in (parameter.annotation, *get_args(parameter.annotation)):
        if get_origin(kind) is Literal:
            return get_args(kind)[-1]
    if isinstance(parameter.default, bool):
        return not parameter.default
    numbers = np.ravel(parameter.default)
    if len(numbers) and numbers.dtype.kind in "if":
        return parameter.default
    return None


def then(make: Call, use: Call) -> Call:
    """What is made is used; the parameters are those of what makes it."""

    @wraps(make)
    def call(*given: Any, **named: Any) -> Any:
        return use(make(*given, **named))

    return call


def functions(room: ModuleType) -> dict[str, Call]:
    """The public functions of a room that take anything."""
    found = {}
    for name in getattr(room, "__all__", list(vars(room))):
        each = getattr(room, name)
        is_own = isfunction(each) and each.__module__.startswith(room.__name__)
        if is_own and name[0] != "_" and signature(each).parameters:
            found[f"{room.__name__.removeprefix('knnviz.')}.{name}"] = each
    return found
