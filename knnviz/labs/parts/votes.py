"""The vote curve: the fraction of each class among the k nearest neighbors of x, over k."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from knnviz.labs.engine import Memo, Panel
from knnviz.labs.parts import plane
from knnviz.labs.parts.data import Data
from knnviz.labs.parts.plane import Query
from knnviz.noise import LabelNoise
from knnviz.profiles import BallProfile, VoteProfile
from knnviz.views import marks, vote_curve
from knnviz.views.layers import Layer, Lines
from knnviz.views.marks import Level


def log_spaced(low: float, high: float, count: int) -> np.ndarray:
    """At most ``count`` whole numbers from low to high, evenly spaced on a log axis."""
    numbers = np.geomspace(low, high, count).round()
    return np.unique(numbers.astype(np.int64))


def votes_panel(
    memo: Memo,
    data: Data,
    x: Query,
    k: int,
    k_end: int,
    decision: str,
    thresholds: Sequence[Level],
    noise: LabelNoise | None,
    layout: vote_curve.TextLayout,
    only_class_1: bool = False,
) -> Panel:
    """Fractions in the sample, and in the true distribution after label noise, of all classes or of
    class 1.

    ``k_end`` is the largest k on the axis.
    """
    source = data.problem
    n = len(data.sample)
    names = source.class_names
    counts = x.votes.counts[0]
    first = int(only_class_1)
    balls = None
    if source.eta is not None:
        balls = memo(plane.balls_at, source, x.x, x.table.k_max, n)
    drawn = (balls, thresholds, noise, first)
    layers = list(memo(votes_layers, x.votes, k_end, n, *drawn))
    # Where only the curve of class 1 is drawn, its votes are counted.
    decided = max(names.index(decision), first)
    align = "left" if 2 * k <= k_end else "right"
    text = vote_curve.vote_text(counts[k - 1], decided, decision, k, align, layout)
    axes = vote_curve.axes(k_end)
    layers += [vote_curve.at_k(k), text, marks.grip(k, axes)]
    says = vote_curve.describe(x.x, counts[k - 1], k, names, decision)
    if only_class_1:
        axes = replace(axes, ylabel=f"fraction for {names[1]}")
        says = f"{says} Curves are of {names[1]}."
    return Panel(axes, layers, lambda at: {"k": at.x}, says)


def votes_layers(
    votes: VoteProfile,
    k_end: int,
    n: int,
    balls: BallProfile | None,
    thresholds: Sequence[Level],
    noise: LabelNoise | None,
    first: int,
) -> list[Layer]:
    """The layers that k does not move: curves of the classes from ``first`` on, and thresholds."""
    expected: list[Lines] = []
    if balls is not None:
        frequency = balls.frequency[:, 0].astype(float)
        if noise is not None:
            frequency = noise.corrupt(frequency)
        expected = vote_curve.population(balls.masses, frequency, n, first)

    voted = vote_curve.curves(votes.counts[0], "votes", first)
    # The labels of curves stand at the right end.
    levels = [marks.level_line(each, (0, k_end + 1), 1 - each.end) for each in thresholds]
    return [*vote_curve.named_apart(expected, voted), *levels]
