"""The Bound: what a theorem promises, over the neighbors term by term, or over the sample size."""

import numpy as np

from knnviz.views import style
from knnviz.views.layers import Axes, Band, Lines, Place

#: What the bound can be drawn over.
LABELS = {"k": "neighbors k", "n": "sample size n"}

#: Colours of the two terms, and how much of what is behind them they hide.
COLORS, OPAQUE = ("#CC79A7", "#56B4E9"), 0.45

#: Where the axis ends: no higher value promises anything.
TOP = 1.5


def axes(over: str, limit: tuple[float, float], rectangle: Place) -> Axes:
    """Axes over the neighbors k or the sample size n, and the terms or the whole of a bound."""
    name = "sum of terms" if over == "k" else "bound on excess"
    return Axes("bound", "Bound", LABELS[over], name, limit, (0, TOP), rectangle, log=True)


def terms(ks: np.ndarray, vote: np.ndarray, smoothness: np.ndarray) -> tuple[Band, Band, Lines]:
    """Two terms (J,) at ks (J,), one on top of the other, and their sum."""
    x, first, both = (each.astype(np.float32) for each in (ks, vote, vote + smoothness))
    below = Band(name="vote", label="vote term", x=x, lower=0 * first, upper=first, color=COLORS[0], opacity=0.45)
    above = Band(
        name="smoothness", label="smoothness term", x=x, lower=first, upper=both, color=COLORS[1], opacity=0.45
    )
    return below, above, Lines(name="sum", label="sum", x=x, y=both, width=2.5)


def whole(sizes: np.ndarray, bound: np.ndarray, name: str, label: str, dash: tuple[float, ...] = ()) -> Lines:
    """A bound (J,) on the excess risk at sample sizes (J,)."""
    x, y = sizes.astype(np.float32), bound.astype(np.float32)
    return Lines(name=name, label=label, x=x, y=y, width=2.5, dash=dash)


def at(place: float, name: str, label: str, color: str = style.INK, dash: tuple[float, ...] = ()) -> Lines:
    """A place on the axis, from bottom to top."""
    x, y = np.full(2, place, np.float32), np.array([0, TOP], np.float32)
    return Lines(name=name, label=label, x=x, y=y, color=color, dash=dash)


def below(height: float, limit: tuple[float, float], label: str) -> Lines:
    """The height below which a bound says something."""
    x, y = np.array(limit, np.float32), np.full(2, height, np.float32)
    return Lines(name="useful", label=label, x=x, y=y, color=style.MUTED, dash=(3, 3))


def describe_terms(k: int, vote: float, smoothness: float, useful: float) -> str:
    """Both terms at k, and the sum below which the bound says something, in words and numbers."""
    terms = f"vote term {vote:.3f} and smoothness term {smoothness:.3f} at k = {k}"
    return f"Bound over k: {terms}; it says something where their sum is below {useful:.4f}."


def describe_whole(sizes: np.ndarray, bound: np.ndarray) -> str:
    """A bound (J,) at the ends of sample sizes (J,), and from where on it is below 1, in words and numbers."""
    ends = ", ".join(f"{bound[j]:.3g} at n = {sizes[j]:.3g}" for j in (0, -1))
    below = np.flatnonzero(bound < 1)
    since = f"below 1 from n = {sizes[below[0]]:.3g} on" if len(below) else "never below 1"
    return f"Bound over n, along k_n: {ends}; {since}."
