"""What the body of a lab declares: its parameters, its components, and the rules that tags and components make."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from knnviz.labs.engine.components import Component, default_limits, members
from knnviz.labs.engine.parameters import Parameter

#: Rules about one parameter, answered by the component that brings it in; and those that every component may answer.
OF_ONE = ("limits", "feasible_range", "slider_range")
OF_ALL = ("hidden", "coerce", "validate", "by_hand", "actions", "scene_extras", "is_preview")

#: By how much a parameter stays below another one, for the tags that say so.
GAPS = {"at_most": 0, "below": 1}


@dataclass(frozen=True)
class Declarations:
    """The declarations of one class of labs.

    ``answers`` holds the names of components by rule: for a rule about one parameter by its name, else as a list.
    ``bounds`` are pairs of parameters, the smaller first, with the gap between them; ``conditions`` are those under
    which a parameter has an effect, by other parameters.
    """

    parameters: Mapping[str, Any]
    components: Mapping[str, Any]
    limits: Mapping[str, tuple[Any, ...]]
    bounds: Sequence[tuple[str, str, int]]
    conditions: Mapping[str, Mapping[str, Sequence[Any]]]
    answers: Mapping[str, Any]

    @classmethod
    def of(cls, lab: Any, base: type) -> Self:
        """Those of a class of labs; TypeError for names that two components share, or that the ``base`` of labs has."""
        found = members(lab)
        owners: dict[str, str] = {}
        parameters: dict[str, Any] = {}
        components = {name: each for name, each in found.items() if isinstance(each, Component)}
        for name, each in found.items():
            if isinstance(each, Component):
                owners |= dict.fromkeys(each.parameters, name)
                parameters |= {key: shared(lab, key, parameters, given) for key, given in each.parameters.items()}
            elif isinstance(each, Parameter) and name not in owners:
                parameters[name] = each
        reserved = {*dir(base), *base.__annotations__}
        if taken := [name for name in (*components, *parameters) if name in reserved]:
            raise TypeError(f"{lab.__name__} declares {taken[0]!r}, but every lab has something of this name")
        parameters = {name: parameters[name] for name in dict.fromkeys((*lab.order, *parameters))}
        tags = {name: each.metadata for name, each in parameters.items()}
        return cls(
            parameters,
            components,
            {name: default_limits(each) for name, each in parameters.items()},
            [(name, each[tag], gap) for name, each in tags.items() for tag, gap in GAPS.items() if tag in each],
            {name: each["when"] for name, each in tags.items() if "when" in each},
            dict(answers(components, owners)),
        )

    def is_off(self, name: str, values: Mapping[str, Any]) -> bool:
        return name in self.conditions and any(values[key] not in asked for key, asked in self.conditions[name].items())

    def bounded_by(self, name: str) -> list[str]:
        """Parameters whose tag ``at_most`` names this one."""
        return [small for small, large, gap in self.bounds if large == name and not gap]


def answers(components: Mapping[str, Component], owners: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Each rule with the components that answer it in their own way."""
    for rule in OF_ONE:
        yield rule, {name: owner for name, owner in owners.items() if is_own(components[owner], rule)}
    for rule in OF_ALL:
        yield rule, [name for name, each in components.items() if is_own(each, rule)]


def is_own(component: Component, rule: str) -> bool:
    return getattr(type(component), rule) is not getattr(Component, rule)


def shared(lab: type, name: str, parameters: Mapping[str, Parameter], given: Parameter) -> Parameter:
    """A parameter that a component brings in; TypeError if another component has one of this name."""
    if parameters.get(name, given) is not given:
        raise TypeError(f"two components of {lab.__name__} have a parameter {name!r}: give one of them to the other")
    return given
