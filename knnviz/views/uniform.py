"""The Uniform error: a bound term by term over the neighbors, beside what a sample shows."""

from math import ceil, log10
from typing import NamedTuple

import numpy as np

from knnviz.views.layers import Axes, Band, Lines, Place


class Term(NamedTuple):
    """A term of the bound, and how it looks."""

    name: str
    label: str
    color: str


#: What a bound on the uniform error adds up, lowest first.
TERMS = (
    Term("bias", "bias", "#56B4E9"),
    Term("vote", "1/√k", "#CC79A7"),
    Term("union", "union over x", "#E69F00"),
)
OPAQUE = 0.5

#: Colour of where the bound is smallest.
BEST = "#6A3D9A"

#: Where the axis may end, and by how much more than the least bound it goes up at least.
TOPS, ROOM = (0.15, 0.3, 0.75, 1.5), 1.5


def top(least: float) -> float:
    """Where the axis ends, so that it shows the least bound unless that is far above 1."""
    return next((end for end in TOPS if end >= ROOM * least), TOPS[-1])


def axes(n: int, end: float, rectangle: Place) -> Axes:
    """Axes over the neighbors k, up to the power of ten that holds n, and the uniform error, up to ``end``."""
    limits = (0.9, 1.15 * 10 ** ceil(log10(n))), (0, end)
    return Axes("uniform", "Uniform error", "neighbors k", "largest error", *limits, rectangle, columns=3, log=True)


def stacked(ks: np.ndarray, terms: np.ndarray) -> list[Band]:
    """Terms (3, J) of the bound at ks (J,), one on top of the other."""
    x, heights = ks.astype(np.float32), np.concatenate([np.zeros((1, len(ks))), np.cumsum(terms, axis=0)])
    sides = zip(TERMS, heights[:-1].astype(np.float32), heights[1:].astype(np.float32), strict=True)
    return [
        Band(name=term.name, label=term.label, x=x, lower=low, upper=high, color=term.color, opacity=OPAQUE)
        for term, low, high in sides
    ]


def observed(ks: np.ndarray, errors: np.ndarray) -> Lines:
    """The uniform errors (J,) of a sample at ks (J,)."""
    x, y = ks.astype(np.float32), errors.astype(np.float32)
    return Lines(name="observed", label="observed U", x=x, y=y, width=2.5)


def describe(k: int, terms: np.ndarray, error: float, best: int, least: float) -> str:
    """Terms (3,) of the bound at k, the error that a sample has there, and where the bound is smallest, in words."""
    named = ", ".join(f"{term.label} {value:.3f}" for term, value in zip(TERMS, terms, strict=True))
    return (
        f"Uniform error at k = {k}: the bound is {terms.sum():.3f} ({named}), the sample's own error {error:.3f}. "
        f"The bound is smallest, {least:.3f}, at k = {best}."
    )
