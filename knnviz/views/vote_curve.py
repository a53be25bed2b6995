"""The Vote curve: the fraction of each class as the ball around x grows."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from knnviz.views import style
from knnviz.views.layers import Annotations, Axes, Lines
from knnviz.views.marks import Level, named_along


class TextLayout(NamedTuple):
    """Where the text of the votes may stand, and its font size.

    ``line_offsets`` are the heights of its lines relative to one of the ``heights``. The font size
    is the second of ``sizes`` if a line has more than ``long`` letters, else the first. It is at
    most ``max_width`` divided by the number of letters.
    """

    heights: tuple[float, ...]
    line_offsets: tuple[float, ...]
    long: int
    sizes: tuple[float, float]
    max_width: float


ONE_LINE = TextLayout(
    heights=(0.07, 0.16, 0.25, 0.34, 0.66, 0.75, 0.84, 0.93),
    line_offsets=(0.0,),
    long=18,
    sizes=(14, 12),
    max_width=260,
)

#: For a narrow panel. All heights keep clear of the threshold at 1/2.
TWO_LINES = TextLayout(
    heights=(0.11, 0.23, 0.34, 0.66, 0.77, 0.89),
    line_offsets=(0.07, -0.07),
    long=12,
    sizes=(13, 11),
    max_width=156,
)


#: Limits of the fraction of votes.
Y_LIMITS = (-0.03, 1.03)


def axes(k_max: int, log: bool = False) -> Axes:
    """Axes over the number of neighbors and the fraction of their votes."""
    xlim: tuple[float, float] = (0, k_max + 1)
    if log:
        xlim = (0.9, 1.15 * k_max)
    title = "Votes around x"
    return Axes("votes", title, "neighbors k", "fraction of votes", xlim, Y_LIMITS, log=log)


def curves(counts: np.ndarray, label: str, first: int = 0) -> list[Lines]:
    """The fractions of the classes among the k nearest, over k, from counts (k_max, C)."""
    ks = np.arange(1, len(counts) + 1)
    return by_class(ks, counts / ks[:, None], "curve", label, first, width=2.5)


def population(masses: np.ndarray, frequency: np.ndarray, n: int, first: int = 0) -> list[Lines]:
    """The expected fractions (J, C) of the classes in balls of probability ``masses`` (J,) = k / n,
    over k; dashed.
    """
    look: Any = {"width": 1.5, "dash": (7, 4)}
    return by_class(masses * n, frequency, "population", "expected", first, **look)


def named_apart(one: Sequence[Lines], other: Sequence[Lines]) -> list[Lines]:
    """Lines of two kinds whose labels stand at the ends of the first ones, above the higher and
    below the lower.
    """
    aligns = ("center", "below")
    if one and other and one[0].y[-1] < other[0].y[-1]:
        aligns = ("below", "center")
    named = []
    for lines, align in zip((one, other), aligns, strict=True):
        named += [named_along(each, 1, align) for each in lines[:1]]
        named += lines[1:]
    return named


def by_class(
    x: np.ndarray,
    fractions: np.ndarray,
    name: str,
    label: str | None,
    first: int = 0,
    **look: Any,
) -> list[Lines]:
    """Fractions (m, C) over x (m,) of the classes from the ``first`` on, in their colors; the
    first has the label.
    """
    lines = []
    for code in range(first, fractions.shape[1]):
        color = style.class_color(code)
        entry = label if code == first else None
        y = fractions[:, code]
        lines.append(Lines(name=f"{name}{code}", label=entry, x=x, y=y, color=color, **look))
    return lines


def at_k(k: int) -> Lines:
    """A vertical line at k."""
    return Lines(name="at_k", x=k, y=Y_LIMITS)


def vote_text(
    counts: np.ndarray,
    k: int,
    decided: int,
    decision: str,
    k_max: int,
    layout: TextLayout = ONE_LINE,
    thresholds: Sequence[Level] = (),
) -> Annotations:
    """A text with the votes for the predicted class, on the side of k with more room.

    ``counts`` (J, C) are the votes of each class among the k nearest; ``decision`` is the name of
    the class ``decided``. The text keeps away from curves and thresholds.
    """
    half = k_max // 2
    if k <= k_max / 2:
        align = "left"
        at = k + 0.01 * k_max
        beside = slice(k - 1, k + half)
    else:
        align = "right"
        at = k - 0.01 * k_max
        beside = slice(max(k - 1 - half, 0), k)
    ks = np.arange(1, len(counts) + 1)
    fractions = (counts / ks[:, None])[beside]
    avoided = np.append(fractions, [threshold.value for threshold in thresholds])
    return text_at(counts[k - 1], decided, decision, at, align, avoided, layout)


def text_at(
    votes: np.ndarray,
    decided: int,
    decision: str,
    at: float,
    align: str,
    avoided: np.ndarray,
    layout: TextLayout = ONE_LINE,
) -> Annotations:
    """The votes (C,) for a class, and its name, at k = ``at``, far from what is ``avoided``."""
    height = max(layout.heights, key=lambda y: abs(avoided - y).min())
    heights = height + np.array(layout.line_offsets)

    texts: tuple[str, ...] = f"{votes[decided]} of {votes.sum()}", f"→ {decision}"
    if len(heights) == 1:
        texts = (" ".join(texts),)
    longest = max(map(len, texts))
    size, smaller = layout.sizes
    if longest > layout.long:
        size = smaller
    size = min(size, layout.max_width / longest)
    return Annotations(name="value_label", x=at, y=heights, texts=texts, align=align, size=size)


def describe(
    x: np.ndarray, votes: np.ndarray, k: int, class_names: tuple[str, ...], decision: str
) -> str:
    """Votes (C,) and the decision in words."""
    point = ", ".join(f"{value:.3g}" for value in x)
    both = zip(votes, class_names, strict=True)
    counts = ", ".join(f"{count} for {name}" for count, name in both)
    voters = f"the {k} nearest neighbors"
    if k == 1:
        voters = "the nearest neighbor"
    return f"Votes of {voters} of x = ({point}): {counts}; the rule predicts {decision}."
