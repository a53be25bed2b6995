"""The Vote curve: the fraction of each class as the ball around x grows."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from knnviz.views import style
from knnviz.views.layers import Annotations, Axes, Lines
from knnviz.views.marks import named_along


class TextLayout(NamedTuple):
    """How the text of the votes is set: the heights of its lines relative to its own, the size of
    its letters, and the width that it has at most, in multiples of the width of a letter.
    """

    line_offsets: tuple[float, ...]
    size: float
    max_width: float


ONE_LINE = TextLayout((0.0,), 14.0, 260.0)

#: For a narrow panel.
TWO_LINES = TextLayout((0.06, -0.07), 13.0, 156.0)

#: Heights of the text where the votes are below a part of all, and above it.
TEXT_HEIGHTS = (0.9, 0.66)
HIGH_VOTES = 0.75

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
    first has the label of all.
    """
    look["for_all"] = fractions.shape[1] - first > 1
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
    votes: np.ndarray,
    decided: int,
    decision: str,
    at: float,
    align: str,
    layout: TextLayout = ONE_LINE,
) -> Annotations:
    """The votes (C,) for a class, and its name, at k = ``at``, where their curve is not."""
    is_high = votes[decided] > HIGH_VOTES * votes.sum()
    y = TEXT_HEIGHTS[int(is_high)] + np.array(layout.line_offsets)

    texts: tuple[str, ...] = f"{votes[decided]} of {votes.sum()}", f"→ {decision}"
    if len(y) == 1:
        texts = (" ".join(texts),)
    size = min(layout.size, layout.max_width / max(map(len, texts)))
    return Annotations(name="value_label", x=at, y=y, texts=texts, align=align, size=size)


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
