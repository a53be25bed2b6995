"""What the body of a lab declares: its parameters, its components, and the constraints in the tags of parameters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from knnviz.labs.old_engine.components import Component, members
from knnviz.labs.old_engine.parameters import Parameter

#: The smallest gap to the parameter that a tag names.
GAPS = {"at_most": 0, "below": 1}


@dataclass(frozen=True)
class Declarations:
    """The declarations of one class of labs.

    ``owners`` names the component that declares a parameter; there is none for those of the lab itself. ``bounds`` are
    (smaller parameter, larger parameter, smallest gap between them). ``conditions`` are the values of other parameters
    under which a parameter has an effect.
    """

    parameters: Mapping[str, Any]
    components: Mapping[str, Any]
    owners: Mapping[str, str]
    bounds: Sequence[tuple[str, str, int]]
    conditions: Mapping[str, Mapping[str, Sequence[Any]]]

    @classmethod
    def of(cls, lab: Any, base: type) -> Self:
        """Those of a class of labs; TypeError for names that two components share, or that the ``base`` of labs has."""
        components = {name: each for name, each in members(lab).items() if isinstance(each, Component)}
        parameters, owners = all_parameters(lab)
        reserved = {*dir(base), *base.__annotations__}
        if taken := [name for name in (*components, *parameters) if name in reserved]:
            raise TypeError(f"{lab.__name__} declares {taken[0]!r}, but every lab has something of this name")
        parameters = {name: parameters[name] for name in dict.fromkeys((*lab.order, *parameters))}
        tags = {name: each.metadata for name, each in parameters.items()}
        return cls(
            parameters,
            components,
            owners,
            [(name, each[tag], gap) for name, each in tags.items() for tag, gap in GAPS.items() if tag in each],
            {name: each["when"] for name, each in tags.items() if "when" in each},
        )

    def is_off(self, name: str, values: Mapping[str, Any]) -> bool:
        """Whether a parameter has no effect by its tag ``when``."""
        conditions = self.conditions.get(name, {})
        return any(values[other] not in allowed for other, allowed in conditions.items())

    def tagged_at_most(self, name: str) -> list[str]:
        """Parameters whose tag ``at_most`` names this one."""
        return [small for small, large, gap in self.bounds if large == name and not gap]


def all_parameters(lab: type) -> tuple[dict[str, Any], dict[str, str]]:
    """The parameters of a lab and its components by name, and the names of the components that declare them."""
    parameters: dict[str, Any] = {}
    owners: dict[str, str] = {}
    for name, each in members(lab).items():
        if isinstance(each, Parameter) and name not in owners:
            parameters[name] = each
        for key, parameter in each.parameters.items() if isinstance(each, Component) else ():
            if parameters.get(key, parameter) is not parameter:
                raise TypeError(
                    f"two components of {lab.__name__} have a parameter {key!r}: give one of them to the other"
                )
            parameters[key], owners[key] = parameter, name
    return parameters, owners
