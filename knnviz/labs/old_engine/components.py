"""Components: parameters, stages and constraints on values under one name; labs are put together from them."""

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, Self

from knnviz.labs.old_engine.parameters import Number, Parameter
from knnviz.labs.old_engine.stages import CacheEntry, Reference, stage


def Input(*default: Any) -> Any:
    """What a component reads, as a keyword argument in the body of the lab: a value, another component, or a stage.

    Stages and parameters are those of the lab, or of another component as in ``labels=data.labels``. An input without a
    default is required.
    """
    return InputSlot(*default)


class InputSlot:
    """The descriptor that ``Input`` puts into the class of a component."""

    def __init__(self, *default: Any) -> None:
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, component: Any, owner: type | None = None) -> Any:
        if component is None:
            return self
        holder, member = component.bindings[self.name]
        return member.__get__(holder, type(holder))


class ComponentProperty(property):
    """A property of a component; in the body of a lab it can be an input of another component, as a stage can."""

    def __get__(self, component: Any, owner: type | None = None) -> Any:
        if component is not None and component.lab is None:
            return Reference(component, self)
        return super().__get__(component, owner)


class Component:
    """Inputs, parameters, stages and hooks, declared in the body of a lab; each lab of that class has its own copy.

    A keyword argument with the name of a parameter replaces it by another one, which keeps the tags, or changes its
    default. Raises TypeError for inputs that are missing or unknown.
    """

    lab: Any = None
    name: str = ""

    #: Entries of its own stages.
    cache: dict[stage, CacheEntry]

    #: Inputs that are stages, properties or parameters: the holder from which each is read, and the descriptor.
    bindings: dict[str, tuple[Any, Any]]

    def __init__(self, **arguments: Any) -> None:
        inputs = {name: each.default for name, each in members(type(self)).items() if isinstance(each, InputSlot)}
        parameters = {name: each for name, each in members(type(self)).items() if isinstance(each, Parameter)}
        missing = [name for name, default in inputs.items() if not default and name not in arguments]
        unknown = sorted(arguments.keys() - inputs.keys() - parameters.keys())
        if missing or unknown:
            problems = [f"lacks {', '.join(missing)}"] if missing else []
            problems += [f"knows no {', '.join(unknown)}"] if unknown else []
            raise TypeError(f"{type(self).__name__} {' and '.join(problems)}; its inputs are {', '.join(inputs)}")
        self.inputs = {name: arguments.get(name, *default) for name, default in inputs.items()}
        self.parameters = {name: redeclared(each, arguments.get(name, each)) for name, each in parameters.items()}
        for name, parameter in self.parameters.items():
            parameter.name = name

    def __init_subclass__(cls) -> None:
        for name, each in list(vars(cls).items()):
            if isinstance(each, Parameter):
                each.name = name
            elif isinstance(each, property):
                setattr(cls, name, ComponentProperty(each.fget, doc=each.__doc__))

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, holder: Any, owner: type | None = None) -> Any:
        return self if holder is None else holder.components[self.name]

    def bind(self, lab: Any) -> Self:
        """A copy of the component for one lab; ``connect`` is called once all components are bound."""
        bound = copy(self)
        bound.lab, bound.cache = lab, {}
        return bound

    def connect(self) -> None:
        """Let each input read what the body of the lab names."""
        self.bindings = {}
        for name, each in self.inputs.items():
            if isinstance(each, Component):
                vars(self)[name] = self.lab.components[each.name]
            elif isinstance(each, Reference):
                self.bindings[name] = self.lab.components[each.component.name], each.member
            elif isinstance(each, stage | property | Parameter):
                self.bindings[name] = self.lab, each
            else:
                vars(self)[name] = each

    # Hooks, which a lab calls. The defaults change nothing.

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """Lowest and highest value of a parameter of this component, or the options of a choice; others are refused."""
        return default_limits(self.parameters[name])

    def feasible_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The part of ``limits`` that goes together with other values, tags ``at_most`` and ``below`` aside."""
        return self.limits(name, values)

    def slider_range(self, name: str, feasible: tuple[Any, ...], values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The part of the ``feasible`` range that the slider of a parameter of this component shows."""
        return feasible

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """Parameters without effect for these values, besides those whose tag ``when`` says so."""
        return set()

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """Adjust ``values`` to the ``changes`` that the reader made, and return sentences about it for the reader.

        Meanwhile ``lab.values`` are the values before.
        """
        return []

    def validate(self, values: Mapping[str, Any]) -> None:
        """Raise ValueError, in one sentence, if the values do not go together."""

    def round_moved(self, moved: Mapping[str, Any]) -> Mapping[str, Any]:
        """Values of moved controls, as a page sends them; a component may round its own."""
        return moved

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Buttons of the lab that belong to this component: text, tooltip, action."""
        return []

    def scene_extras(self) -> dict[str, Any]:
        """What a scene holds of this component besides its parameters."""
        return {}

    @property
    def is_preview(self) -> bool:
        """Whether finer numbers are being computed."""
        return False


def redeclared(parameter: Parameter, declaration: Any) -> Parameter:
    """The parameter that a component has after a ``declaration`` in a lab: another parameter, or a default."""
    if isinstance(declaration, Parameter):
        declaration.metadata = parameter.metadata | declaration.metadata
        return declaration
    other = copy(parameter)
    other.default_value = declaration
    return other


def members(kind: type) -> dict[str, Any]:
    """All that a class and its bases declare, in the order of declaration."""
    return {name: each for base in reversed(kind.__mro__) for name, each in vars(base).items()}


def default_limits(parameter: Any) -> tuple[Any, ...]:
    """Limits of a parameter as it was declared."""
    return (parameter.min, parameter.max) if isinstance(parameter, Number) else parameter.options
