"""Good calls of names: the arguments of each are found by the names of its parameters."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import isfunction, signature
from types import ModuleType
from typing import Any

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
    """Calls with the value of each parameter that has one; ``own`` are those of single names."""
    found: Calls = {}
    for name, call in named.items():
        known = values | own.get(name, {})
        given = {each: known[each] for each in signature(call).parameters if each in known}
        found[name] = (call, given, *loose.get(name, ()))
    return found


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
