"""A memo of one lab: what its recipe computed last time is not computed again."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from types import BuiltinFunctionType, MethodType
from typing import Any, TypeVar

import numpy as np

Value = TypeVar("Value")

#: Most calls with values to come that a recipe makes between two moves.
MAX_BEGUN = 100

#: Types whose values are keys as they are; no two of different types are equal.
PLAIN = frozenset((str, int, bytes, type(None)))


@dataclass(eq=False)
class Call:
    """A function, what it is given, its newest value, and an iterator over the values still to
    come, if any are.

    What is given is kept, so that no other object gets its id. ``steps`` counts the values so far.
    A ``slow`` call is a stream; ``failure`` is the error that ended it early.
    """

    given: tuple[Any, ...]
    value: Any
    more: Iterator[Any] | None = None
    slow: bool = False
    steps: int = 0
    failure: BaseException | None = None

    def __post_init__(self) -> None:
        self.function = origin(self.given[0])


class Memo:
    """Calls functions, and keeps the values of the calls of each that the recipe made last.

    A call is made again exactly if something that it is given is new. Numbers, texts, and tuples,
    dicts and frozen dataclasses of these are compared by value, arrays, functions and other objects
    by identity.
    """

    def __init__(self, background: Any) -> None:
        self.background = background
        self.calls: dict[Any, Call] = {}
        self.before: dict[Any, Call] = {}
        #: How many calls with values to come were made since values moved.
        self.begun = 0

    def __call__(self, function: Callable[..., Value], *arguments: Any, **named: Any) -> Value:
        """function(*arguments, **named)."""
        given = function, arguments, named
        key = key_of(given)
        call = self.calls.get(key)
        if call is None:
            call = self.before.get(key) or Call(given, function(*arguments, **named))
            self.calls[key] = call
        return call.value

    def refine(
        self, function: Callable[..., Value], steps: Sequence[Any], *arguments: Any
    ) -> Value:
        """function(step, *arguments) for the last step, such as a fine grid; on a page first for
        those before it.
        """

        def make(given: tuple[Any, ...]) -> Call:
            wanted = steps if self.background.has_page else steps[-1:]
            values = (function(step, *arguments) for step in wanted)
            return Call(given, next(values), values if len(wanted) > 1 else None)

        return self._value((function, tuple(steps), arguments), make)

    def stream(
        self, function: Callable[..., Iterator[Value]], *arguments: Any, **named: Any
    ) -> Value | None:
        """The newest value of a generator that takes long, at first None; for each value the recipe
        runs again.
        """

        def make(given: tuple[Any, ...]) -> Call:
            return Call(given, None, function(*arguments, **named), slow=True)

        return self._value((function, arguments, named), make)

    def _value(self, given: tuple[Any, ...], make: Callable[..., Call]) -> Any:
        key = key_of(given)
        if key not in self.calls:
            if key not in self.before:
                self._count(given[0])
            self.calls[key] = self.before.get(key) or make(given)
            if self.calls[key].more:
                self.background.begin()
        return self.calls[key].value

    def _count(self, function: Any) -> None:
        """Count a call with values to come; RuntimeError if each run of the recipe makes it anew,
        without end.
        """
        self.begun += 1
        if self.begun > MAX_BEGUN:
            name = function.__qualname__
            raise RuntimeError(
                f"each run of the recipe calls {name} anew: what it is given must not change by "
                "itself"
            )

    def run_again(self) -> None:
        """Begin another run of the recipe; of each function the last calls are kept, also if this
        run makes none.
        """
        called = {call.function for call in self.calls.values()}
        before = {}
        for key, call in self.before.items():
            if call.function not in called:
                before[key] = call
        self.before = before | self.calls
        self.calls = {}

    @property
    def holds(self) -> bool:
        """Whether it holds more than streams, which a lab that is released keeps."""
        return not all(call.slow for call in self.calls.values())

    def forget(self, which: Callable[[Call], bool]) -> None:
        """Drop some calls."""
        self.before = {key: call for key, call in self.before.items() if not which(call)}
        self.calls = {key: call for key, call in self.calls.items() if not which(call)}


def origin(function: Any) -> Any:
    """What a function was made of, the same for one that is made anew: its code, or the type of an
    object.
    """
    function = getattr(function, "func", function)
    function = getattr(function, "__func__", function)
    if isinstance(function, type | BuiltinFunctionType | np.ufunc):
        return function
    return getattr(function, "__code__", type(function))


def key_of(value: Any) -> Any:
    """Equal for what a memo takes for the same."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is tuple or kind is list:
        return (kind, *map(key_of, value))
    if kind is dict:
        return (kind, *[(key_of(name), key_of(each)) for name, each in value.items()])
    if kind is MethodType:
        return key_of(value.__self__), value.__func__
    return comparison(kind)(value)  # type: ignore[arg-type]


@cache
def comparison(kind: type) -> Callable[[Any], Any]:
    """What the values of a type are compared by: type and bits, items, fields, identity, or value.

    The type counts, since 1, 1.0 and True are equal, but not the same to a function; of floats also
    the sign of zero.
    """
    if issubclass(kind, float):
        return lambda value: (kind, value.hex())
    if issubclass(kind, tuple):
        return lambda value: (kind, *map(key_of, value))
    if is_dataclass(kind) and kind.__dataclass_params__.eq:  # type: ignore[attr-defined]
        names = [field.name for field in fields(kind)]
        return lambda value: (kind, *[key_of(getattr(value, name)) for name in names])
    by_identity = issubclass(kind, type) or kind.__hash__ in (None, object.__hash__)
    return lambda value: (kind, id(value) if by_identity else value)
