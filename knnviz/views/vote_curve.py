"""The Vote curve: the fraction of each class as the ball around x grows."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from knnviz.views import style
from knnviz.views.layers import Annotations, Axes, Lines


class Setting(NamedTuple):
    """How the text of the votes is set: heights clear of the threshold at 1/2, and its lines relative to them.

    A line is long if it has more than ``long`` letters; ``sizes`` are those of short and of long lines, and ``room`` is
    the largest product of the size and the letters of a line.
    """

    heights: tuple[float, ...]
    lines: tuple[float, ...]
    long: int
    sizes: tuple[float, float]
    room: float


class ThresholdLine(NamedTuple):
    """A decision threshold on the fraction of class 1, and how it is drawn."""

    fraction: float
    name: str = "theta"
    label: str | None = "threshold"
    color: str = style.MUTED
    dash: tuple[float, ...] = (3, 3)


ONE_LINE = Setting((0.07, 0.16, 0.25, 0.34, 0.66, 0.75, 0.84, 0.93), lines=(0.0,), long=18, sizes=(14, 12), room=260)

#: For a narrow panel.
TWO_LINES = Setting((0.11, 0.23, 0.34, 0.66, 0.77, 0.89), lines=(0.07, -0.07), long=12, sizes=(13, 11), room=156)


def axes(k_max: int, log: bool = False) -> Axes:
    """Axes over the number of neighbors and the fraction of their votes."""
    limits = (0.9, 1.15 * k_max) if log else (0, k_max + 1)
    return Axes("votes", "Votes around x", "neighbors k", "fraction of votes", limits, (-0.03, 1.03), log=log)


def curve_at(ks: np.ndarray, fractions: np.ndarray, code: int, label: str | None) -> Lines:
    """Fractions (J,) of one class among the nearest, at ks (J,)."""
    return Lines(name=f"curve{code}", label=label, x=ks, y=fractions, color=style.class_color(code), width=2.5)


def curves(counts: np.ndarray, class_names: tuple[str, ...]) -> list[Lines]:
    """Fraction of each class among the j + 1 nearest, from counts (k_max, C)."""
    ks = np.arange(1, len(counts) + 1)
    return [curve_at(ks, counts[:, code] / ks, code, f"votes, {name}") for code, name in enumerate(class_names)]


def population(masses: np.ndarray, frequency: np.ndarray, n: int) -> list[Lines]:
    """Fraction of each class in the true distribution, frequency (J, C), in the ball of mass k / n; dashed, behind."""
    # All of them are dashed, so that one entry of the legend is enough.
    labels = ["true frequency", *[None] * (frequency.shape[1] - 1)]
    x = masses * n
    return [
        Lines(name=f"population{c}", label=labels[c], x=x, y=y, color=style.class_color(c), width=1.5, dash=(7, 4))
        for c, y in enumerate(frequency.T)
    ]


def threshold_line(line: ThresholdLine, ends: tuple[float, float]) -> Lines:
    """A threshold across a panel, from end to end."""
    return Lines(name=line.name, label=line.label, x=ends, y=line.fraction, color=line.color, dash=line.dash)


def at_k(k: int) -> Lines:
    """The chosen number of neighbors."""
    return Lines(name="at_k", x=k, y=(-0.03, 1.03))


def vote_text(
    counts: np.ndarray,
    k: int,
    decision: str,
    k_max: int,
    setting: Setting = ONE_LINE,
    thresholds: Sequence[ThresholdLine] = (),
) -> Annotations:
    """The votes at k as a text, from counts (n, C), where axes up to k_max have most room, clear of thresholds."""
    left, reach = k <= k_max / 2, k_max // 2
    beside = slice(k - 1, k + reach) if left else slice(max(k - 1 - reach, 0), k)
    fractions = (counts / np.arange(1, len(counts) + 1)[:, None])[beside]
    taken = np.append(fractions, [threshold.fraction for threshold in thresholds])
    at, align = (k + 0.01 * k_max, "left") if left else (k - 0.01 * k_max, "right")
    return words(counts[k - 1], decision, at, align, taken, setting)


def words(
    votes: np.ndarray, decision: str, at: float, align: str, taken: np.ndarray, setting: Setting = ONE_LINE
) -> Annotations:
    """Votes (C,) and the decision, beside a point of the axis of k, as far from the ``taken`` heights as possible."""
    height = max(setting.heights, key=lambda y: abs(taken - y).min())
    parts = " : ".join(str(count) for count in votes), f"→ {decision}"
    texts = parts if len(setting.lines) > 1 else (" ".join(parts),)
    longest = max(map(len, texts))
    size = min(setting.sizes[longest > setting.long], setting.room / longest)
    heights = height + np.array(setting.lines)
    return Annotations(name="value_label", x=at, y=heights, texts=texts, align=align, size=size)


def describe(x: np.ndarray, votes: np.ndarray, k: int, class_names: tuple[str, ...], decision: str) -> str:
    """The votes (C,) at k in words."""
    point = ", ".join(f"{value:.3g}" for value in x)
    counts = ", ".join(f"{count} for {name}" for count, name in zip(votes, class_names, strict=True))
    voters = "the nearest neighbor" if k == 1 else f"the {k} nearest neighbors"
    return f"Votes of {voters} of x = ({point}): {counts}; the rule decides for {decision}."
