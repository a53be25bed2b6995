"""What people hand to a name in place of a good value: the same in another form, odd ones, and what
is none.
"""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np


class Given(NamedTuple):
    """A value in place of a good one, and what is due.

    "same": the answer of the good value. "same or refused". "any": an answer or a refusal.
    "refused". "not silent": a refusal, or an answer that is or has NaN.
    """

    what: str
    value: Any
    due: str


DAY = np.datetime64("2024-02-29")

ODD_NUMBERS = (0, 1, -1, 2.5, -0.0, 1e-300, 1e300, 2**63, -(2**70), inf, -inf)


def others(good: Any, alone: bool) -> Iterator[Given]:
    """Values in place of a good one; ``alone`` where no other argument has as many rows."""
    if isinstance(good, np.ndarray):
        yield from other_arrays(good, alone)
    elif isinstance(good, bool):
        yield Given("numpy's truth value", np.bool_(good), "same or refused")
    elif isinstance(good, int | float):
        yield from other_numbers(good)
    elif isinstance(good, str):
        yield Given("another text", "no such thing", "refused")
        yield Given("a number", 3, "refused")
    elif isinstance(good, tuple) and all(isinstance(each, int | float) for each in good):
        array = np.array(good)
        yield Given("an array", array, "same")
        yield from other_arrays(array, alone)


def other_numbers(good: float) -> Iterator[Given]:
    """In place of a number."""
    yield Given("numpy's number", np.asarray(good)[()], "same")
    if np.float32(good) == good:
        yield Given("single precision", np.float32(good), "same or refused")
    yield Given("a fraction", Fraction(good), "same or refused")
    swapped = ">i8" if isinstance(good, int) else ">f8"
    yield Given("big-endian", np.asarray(good).astype(swapped)[()], "same")
    for odd in (*ODD_NUMBERS, True, None, Decimal("0.5")):
        yield Given(repr(odd), odd, "any")
    yield Given("NaN", nan, "not silent")
    yield Given("text", "3", "refused")
    yield Given("date", DAY, "refused")
    yield Given("complex", 1j, "refused")
    yield Given("list", [good, [good]], "refused")
    yield Given("dict", {}, "refused")


def other_arrays(good: np.ndarray, alone: bool) -> Iterator[Given]:
    """In place of an array."""
    yield Given("big-endian", good.astype(good.dtype.newbyteorder(">")), "same")
    yield Given("objects", good.astype(object), "same")
    yield Given("a list", good.tolist(), "same or refused")
    yield Given("by columns", np.asfortranarray(good), "same")
    yield Given("every second", np.repeat(good, 2, axis=0)[::2], "same")
    yield Given("of a subclass", good.view(np.ma.MaskedArray), "same")
    fixed = good.copy()
    fixed.setflags(write=False)
    yield Given("read-only", fixed, "same")

    if good.dtype.kind == "f":
        half = good.astype(np.float16)
        if (half == good).all():
            yield Given("half precision", half, "same")
        yield Given("one NaN", put(good, nan), "refused")
        yield Given("one infinite", put(good, inf), "refused")
        yield Given("one below 0", put(good, -1.0), "any")
        yield Given("one large", put(good, 1e300), "any")
    else:
        yield Given("of 16 bits", good.astype(np.int16), "same")
        codes = good.astype(np.int64)
        for code in (-1, 256, 2**40):
            yield Given(f"code {code}", put(codes, code), "refused")
        yield Given("halves", good + 0.5, "refused")

    mask = put(np.zeros(good.shape, bool), True)
    yield Given("one masked", np.ma.MaskedArray(good, mask), "refused")
    yield Given("dates", np.full(good.shape, DAY), "refused")
    yield Given("text", good.astype(str), "refused")
    yield Given("text among objects", put(good.astype(object), "3"), "refused")
    yield Given("complex", good + 1j, "refused")

    yield Given("a column more deep", good[..., None], "refused")
    shorter = "any" if alone else "refused"
    yield Given("a row less", good[:-1], shorter)
    yield Given("no rows", good[:0], shorter)
    yield Given("ragged", [*good.tolist(), [1, 2, [3]]], "refused")
    yield Given("a number", 3, "refused")
    yield Given("None", None, "any")
    if good.ndim == 2:
        yield Given("a column less", good[:, :-1], "any")
        yield Given("flat", good.ravel(), "refused")


def put(array: np.ndarray, value: Any) -> np.ndarray:
    """A copy with another last entry."""
    copy = array.copy()
    copy.flat[-1] = value
    return copy
