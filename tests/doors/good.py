"""Good calls of names: the arguments of each are found by the names of its parameters."""

from functools import wraps
from inspect import isfunction, signature
from typing import Literal, get_args, get_origin

import numpy as np


def calls(named, values, own, loose):
    """What calls each name, good values of its arguments, and those of them for which fewer values
    are bad.

    A parameter has the value of a table or the one that the signature tells; ``own`` are values of
    single names.
    """
    found = {}
    for name, call in named.items():
        known = values | own.get(name, {})
        given = {}
        for each in signature(call).parameters.values():
            told = known[each.name] if each.name in known else told_by(each)
            if told is not None:
                given[each.name] = told
        found[name] = (call, given, *loose.get(name, ()))
    return found


def told_by(parameter):
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


def then(make, use):
    """What is made is used; the parameters are those of what makes it."""

    @wraps(make)
    def call(*given, **named):
        return use(make(*given, **named))

    return call


def functions(room):
    """The public functions of a room that take anything."""
    found = {}
    for name in getattr(room, "__all__", list(vars(room))):
        each = getattr(room, name)
        is_own = isfunction(each) and each.__module__.startswith(room.__name__)
        if is_own and name[0] != "_" and signature(each).parameters:
            found[f"{room.__name__.removeprefix('knnviz.')}.{name}"] = each
    return found
