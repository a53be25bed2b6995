"""The vote curve: the fraction of each class among the k nearest neighbors of x, over k."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from knnviz.labs.engine import Memo, Panel
from knnviz.labs.parts.plane import Query
from knnviz.labs.parts.sources import Source
from knnviz.noise import LabelNoise
from knnviz.profiles import BallProfile, VoteProfile
from knnviz.views import vote_curve
from knnviz.views.layers import Layer
from knnviz.views.vote_curve import ThresholdLine


def log_spaced(low: float, high: float, count: int) -> np.ndarray:
    """At most ``count`` whole numbers from low to high, evenly spaced on a log axis."""
    return np.unique(np.geomspace(low, high, count).round().astype(np.int64))


def votes_panel(
    memo: Memo,
    source: Source,
    n: int,
    x: Query,
    k: int,
    k_end: int,
    decision: str,
    balls: BallProfile | None,
    thresholds: Sequence[ThresholdLine],
    noise: LabelNoise | None,
    layout: vote_curve.TextLayout,
    only_class_1: bool = False,
) -> Panel:
    """Fractions in the sample, and in the true distribution after label noise, of all classes or of
    class 1.

    ``k_end`` is the largest k on the axis.
    """
    counts = x.votes.counts[0]
    first = int(only_class_1)
    layers = list(
        memo(votes_layers, source.class_names, n, x.votes, k_end, balls, thresholds, noise, first)
    )
    # Where only the curve of class 1 is drawn, its votes are counted.
    decided = max(source.class_names.index(decision), first)
    layers += [
        vote_curve.at_k(k),
        vote_curve.vote_text(counts, k, decided, decision, k_end, layout, thresholds),
    ]
    axes = replace(vote_curve.axes(k_end), legend_columns=2 - first)
    says = vote_curve.describe(x.x, counts[k - 1], k, source.class_names, decision)
    return Panel(axes, layers, lambda at: {"k": at.x}, says)


def votes_layers(
    class_names: tuple[str, ...],
    n: int,
    votes: VoteProfile,
    k_end: int,
    balls: BallProfile | None,
    thresholds: Sequence[ThresholdLine],
    noise: LabelNoise | None,
    first: int,
) -> list[Layer]:
    """The layers that k does not move: curves of the classes from ``first`` on, and thresholds."""
    layers: list[Layer] = []
    if balls is not None:
        true = balls.frequency[:, :, 0].astype(float)
        curves = vote_curve.population(
            balls.masses, true if noise is None else noise.corrupt(true), n
        )
        # The first of all curves has the entry in the legend.
        layers += [replace(curves[first], label=curves[0].label), *curves[first + 1 :]]
    # Classes have the colors of the map.
    curves = vote_curve.curves(votes.counts[0], class_names)
    names = [curves[1].label] if first else ["votes", *[None] * (len(curves) - 1)]
    layers += [replace(each, label=name) for each, name in zip(curves[first:], names, strict=True)]
    return [*layers, *[vote_curve.threshold_line(each, (0, k_end + 1)) for each in thresholds]]
