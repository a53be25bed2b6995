"""What the body of a lab declares: its parameters, its components, and the rules that tags and components make."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from knnviz.labs.engine.components import Component, default_limits, members
from knnviz.labs.engine.parameters import Parameter

#: Methods of a component that a lab calls for a parameter of it; and those that a lab calls on all of its components.
OF_ONE = ("limits", "feasible_range", "slider_range")
OF_ALL = ("hidden", "coerce", "validate", "round_moved", "actions", "scene_extras", "is_preview")

#: By how much a parameter stays below another one, for the tags that say so.
GAPS = {"at_most": 0, "below": 1}


@dataclass(frozen=True)
class Declarations:
    """The declarations of one class of labs.

    ``answers`` has the names of the components that override each rule: by parameter, or as a list.
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
            {name: default_limits(each) for name, each in parameters.items()},
            [(name, each[tag], gap) for name, each in tags.items() for tag, gap in GAPS.items() if tag in each],
            {name: each["when"] for name, each in tags.items() if "when" in each},
            dict(answers(components, owners)),
        )

    def is_off(self, name: str, values: Mapping[str, Any]) -> bool:
        return name in self.conditions and any(values[key] not in asked for key, asked in self.conditions[name].items())

    def tagged_at_most(self, name: str) -> list[str]:
        """Parameters whose tag ``at_most`` names this one."""
        return [small for small, large, gap in self.bounds if large == name and not gap]


def answers(components: Mapping[str, Component], owners: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Each rule with the components that override it."""
    for rule in OF_ONE:
        yield rule, {name: owner for name, owner in owners.items() if overrides(components[owner], rule)}
    for rule in OF_ALL:
        yield rule, [name for name, each in components.items() if overrides(each, rule)]


def overrides(component: Component, rule: str) -> bool:
    return getattr(type(component), rule) is not getattr(Component, rule)


def all_parameters(lab: type) -> tuple[dict[str, Any], dict[str, str]]:
    """The parameters of a lab and its components by name, and the names of the components that bring them in."""
    parameters: dict[str, Any] = {}
    owners: dict[str, str] = {}
    for name, each in members(lab).items():
        if isinstance(each, Parameter) and name not in owners:
            parameters[name] = each
        for key, given in each.parameters.items() if isinstance(each, Component) else ():
            if parameters.get(key, given) is not given:
                raise TypeError(
                    f"two components of {lab.__name__} have a parameter {key!r}: give one of them to the other"
                )
            parameters[key], owners[key] = given, name
    return parameters, owners
