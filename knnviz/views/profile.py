"""The profile at x: what a ball around x holds as it grows.

Across is how many neighbors are in the ball, or its mass; up is the fraction of class 1, or of each
of several classes. Votes are solid, and what balls are expected to hold is dashed. Every function
takes arrays and returns layers.
"""

from typing import Any

import numpy as np

from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Band, Layer, Lines, Place

#: Heights of the text where the votes are below a part of all, and above it: among the curves of
#: all classes, and above or below the only one; those of its lines from there, apart on a small
#: panel too; its width at most in multiples of that of a letter, and the largest size of letters.
TEXT_HEIGHTS = ((0.92, 0.66), (0.92, 0.17))
HIGH_VOTES = (0.75, 0.65)
LINE_OFFSETS = np.array([0.045, -0.045])
TEXT_WIDTH = 156.0
TEXT_SIZE = 13.0

#: Limits of fractions.
Y_LIMITS = (-0.03, 1.03)

#: Where a threshold is pulled, as a fraction of the axis.
PULLED_AT = 0.32


def axes(end: float, ylabel: str, log: bool = False) -> Axes:
    """Axes over neighbors up to an end."""
    xlim = (0.9, 1.15 * end) if log else (0, end + 1)
    return Axes("votes", "The ball around x", "neighbors k", ylabel, xlim, Y_LIMITS, log=log)


def first_drawn(n_classes: int) -> int:
    """The first class that is drawn: of two classes only class 1."""
    return int(n_classes == 2)


def votes(counts: np.ndarray, unit: float = 1) -> list[Lines]:
    """Fractions of the classes among the k nearest, from counts (k_max, C), over k / ``unit``."""
    ks = np.arange(1, len(counts) + 1)
    return by_class(ks / unit, counts / ks[:, None], "curve", "votes", width=2.5)


def expected(x: np.ndarray, frequency: np.ndarray) -> list[Lines]:
    """The true curve: the fractions (J, C) that balls are expected to hold, over x (J,)."""
    return by_class(x, frequency, "expected", "expected", width=1.5, dash=(7, 4))


def by_class(
    x: np.ndarray,
    fractions: np.ndarray,
    name: str,
    label: str | None,
    **look: Any,
) -> list[Lines]:
    """Fractions (m, C) over x (m,) in the colors of the classes; the first has the label of all."""
    n_classes = fractions.shape[1]
    look["for_all"] = n_classes > 2
    lines = []
    for code in range(first_drawn(n_classes), n_classes):
        look |= {"label": label, "color": style.class_color(code)}
        lines.append(Lines(f"{name}{code}", x, fractions[:, code], **look))
        label = None
    return lines


def band(name: str, label: str, x: Any, lower: Any, upper: Any, **look: Any) -> Band:
    """A band of fractions over x, such as 1/2 ± Delta, or one that narrows with k."""
    low = np.clip(lower, *Y_LIMITS)
    high = np.clip(upper, *Y_LIMITS)
    return Band(name, x, low, high, label=label, **{"opacity": 0.13} | look)


def unclear(x: np.ndarray, fraction: np.ndarray, threshold: float, margin: float) -> Lines:
    """The stretches of a true curve (J,) of class 1 over x (J,) that do not clear a threshold by
    the margin, on the side on which the curve begins.
    """
    lead = (fraction - threshold) * np.sign(fraction[0] - threshold)
    y = np.where(lead < margin, fraction, np.nan)
    line = marks.curve("unclear", "no clear majority", x, y, style.MUTED, width=9.0)
    return marks.named_along(line, 1, "left")


def advantage(masses: np.ndarray, worst: np.ndarray) -> Band:
    """The advantage as a box on 1/2: its base is the mass p and its height half of the lead gamma
    at which p gamma^2 is largest.

    ``worst`` (J,) is the fraction of class 1 that is farthest to the wrong side in any ball up to
    each of the ``masses`` (J,), of which the first is 0: the center decides which side is wrong.
    """
    is_1 = int(worst[0] >= 0.5)
    sign = 2 * is_1 - 1
    height = np.maximum(sign * (worst - 0.5), 0)
    best = (masses * height**2).argmax()
    far = 0.5 + sign * height[best]
    ends = sorted((0.5, far))
    at = Place(masses[best] / 2, sum(ends) / 2, "middle")
    color = style.class_color(is_1)
    x = 0.0, masses[best]
    return Band("advantage", x, *ends, label="advantage", color=color, at=at)


def at_k(x: float, fractions: np.ndarray) -> list[Layer]:
    """A vertical line at the present k, and on it the fractions (C,) of the classes."""
    n_classes = len(fractions)
    codes = np.arange(first_drawn(n_classes), n_classes)
    line = Lines("at_k", x, Y_LIMITS, width=1.2)
    y = fractions[codes]
    return [line, marks.of_classes("fractions_at_k", x, y, codes, n_classes, size=9.0)]


def pulled(threshold: float, axes: Axes) -> Annotations:
    """What pulls a threshold up and down, right of its name."""
    low, high = axes.xlim
    x = low + PULLED_AT * (high - low)
    spoken = f"{threshold:.3g}"
    return marks.draggable("threshold", x, threshold, "", "threshold", spoken, pulls="y")


def vote_text(
    votes: np.ndarray,
    beside: np.ndarray,
    decided: int,
    decision: str,
    at: float,
    align: str,
) -> Annotations:
    """The votes (C,) for a class, and the name of the one that is predicted, beside the line
    ``at`` k, where curves are not; those ``beside`` it (C,) tell.
    """
    first = first_drawn(len(votes))
    is_high = beside[decided] > HIGH_VOTES[first] * beside.sum()
    y = TEXT_HEIGHTS[first][int(is_high)] + LINE_OFFSETS
    k = votes.sum()
    texts = f"{votes[decided]} of {k}", f"→ {decision}"
    size = min(TEXT_SIZE, TEXT_WIDTH / max(map(len, texts)))
    return Annotations("value_label", at, y, texts, align=align, size=size)


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
