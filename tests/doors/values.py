"""What people hand to a name in place of a good value: the same in another form, odd ones, and what
is none.
"""

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


def others(good, alone):
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


def other_numbers(good):
    """In place of a number."""
    swapped = ">i8" if isinstance(good, int) else ">f8"
    single = np.float32(good)
    odd = (*ODD_NUMBERS, True, None, Decimal("0.5"))
    by_due = {
        "same": {
            "numpy's number": np.asarray(good)[()],
            "big-endian": np.asarray(good).astype(swapped)[()],
        },
        "same or refused": {"a fraction": Fraction(good)},
        "any": {repr(each): each for each in odd},
        "not silent": {"NaN": nan},
        "refused": {"text": "3", "date": DAY, "complex": 1j, "list": [good, [good]], "dict": {}},
    }
    by_due["same or refused" if float(single) == good else "any"]["single precision"] = single
    yield from each_of(by_due)


def other_arrays(good, alone):
    """In place of an array."""
    fixed = good.copy()
    fixed.setflags(write=False)
    mask = put(np.zeros(good.shape, bool), True)
    same = {
        "big-endian": good.astype(good.dtype.newbyteorder(">")),
        "objects": good.astype(object),
        "by columns": np.asfortranarray(good),
        "every second": np.repeat(good, 2, axis=0)[::2],
        "of a subclass": good.view(np.ma.MaskedArray),
        "read-only": fixed,
    }
    anything = {"None": None}
    refused = {
        "one masked": np.ma.MaskedArray(good, mask),
        "dates": np.full(good.shape, DAY),
        "text": good.astype(str),
        "text among objects": put(good.astype(object), "3"),
        "complex": good + 1j,
        "a column more deep": good[..., None],
        "ragged": [*good.tolist(), [1, 2, [3]]],
        "a number": 3,
    }
    shorter = anything if alone else refused
    shorter |= {"a row less": good[:-1], "no rows": good[:0]}
    if good.dtype.kind == "f":
        half = good.astype(np.float16)
        if (half == good).all():
            same["half precision"] = half
        refused |= {"one NaN": put(good, nan), "one infinite": put(good, inf)}
        anything |= {"one below 0": put(good, -1.0), "one large": put(good, 1e300)}
    else:
        same["of 16 bits"] = good.astype(np.int16)
        codes = good.astype(np.int64)
        refused |= {f"code {code}": put(codes, code) for code in (-1, 256, 2**40)}
        refused["halves"] = good + 0.5
    if good.ndim == 2:
        anything["a column less"] = good[:, :-1]
        refused["flat"] = good.ravel()
    listed = {"a list": good.tolist()}
    yield from each_of(
        {"same": same, "same or refused": listed, "any": anything, "refused": refused}
    )


def each_of(by_due):
    for due, values in by_due.items():
        for what, value in values.items():
            yield Given(what, value, due)


def put(array, value):
    """A copy with another last entry."""
    copy = array.copy()
    copy.flat[-1] = value
    return copy
