"""The profile at x: the fractions of the classes among the k nearest neighbors, over k, and what
balls around x are expected to hold.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from knnviz.labs.engine import Click, Memo, Panel
from knnviz.labs.parts import plane
from knnviz.labs.parts.plane import LARGEST_K, Voting
from knnviz.noise import LabelNoise
from knnviz.profiles import BallProfile, VoteProfile
from knnviz.views import marks
from knnviz.views import profile as profile_view
from knnviz.views.layers import Layer, Lines, Place
from knnviz.views.marks import Level

#: Beyond the largest mass that is marked the axis goes on by this.
BEYOND = 1.25


class Marked(NamedTuple):
    """Balls up to a mass, in which the majority must be clear by a margin; without a margin the
    advantage.
    """

    mass: float
    margin: float | None = None


def log_spaced(low: float, high: float, count: int) -> np.ndarray:
    """At most ``count`` whole numbers from low to high, evenly spaced on a log axis."""
    numbers = np.geomspace(low, high, count).round()
    return np.unique(numbers.astype(np.int64))


def profile_panel(
    memo: Memo,
    voting: Voting,
    decision: str,
    thresholds: Sequence[Level],
    noise: LabelNoise | None,
    marked: Marked | None,
    pull: Callable[[float], dict[str, Any]] | None,
) -> Panel:
    """Votes, and what is expected of them after label noise; of two classes the fractions of class
    1.

    The axis is one of masses if balls are ``marked``. ``pull`` returns what to set if the first of
    the thresholds is pulled.
    """
    source = voting.data.problem
    n = len(voting.data.sample)
    x = voting.x
    k = voting.k
    names = source.class_names
    counts = x.votes.counts[0]
    first = profile_view.first_drawn(len(names))
    unit = 1
    k_end = LARGEST_K
    if marked:
        unit = n
        k_end = min(max(k_end, round(BEYOND * marked.mass * n)), n)
    what = names[1] if first else "each class"
    axes = profile_view.axes(k_end, f"fraction of {what}")
    if marked:
        axes = replace(axes, xlabel="mass of the ball", xlim=(0, k_end / n))

    balls = None
    if source.eta is not None:
        reach = (k_end, n, None, (marked.mass,)) if marked else (x.table.k_max, n)
        balls = memo(plane.balls_at, source, x.x, *reach)
    layers = list(memo(layers_below, x.votes, axes.xlim, unit, n, balls, thresholds, noise))
    if marked and balls is not None and first:
        # The first threshold is the one that weights move.
        of_balls = memo(on_balls, balls, noise, thresholds[0].value, *marked)
        layers = [*of_balls, *layers]

    # Where only the curve of class 1 is drawn, its votes are counted.
    decided = max(names.index(decision), first)
    at = k / unit
    voted = counts[k - 1]
    side, away = ("left", k_end) if 2 * k <= k_end else ("right", -k_end)
    beside = k + away // 8
    drawn = counts[min(beside, len(counts)) - 1]
    text = profile_view.vote_text(voted, drawn, decided, decision, at, side)
    layers += [*profile_view.at_k(at, voted / k), text, marks.grip(at, axes)]
    grip = None
    if pull:
        grip = profile_view.pulled(thresholds[0].value, axes)
        layers.append(grip)

    def click(at: Click) -> dict[str, Any]:
        if pull and grip and at.mark == grip.name:
            return pull(at.y)
        return {"k": at.x * unit}

    says = profile_view.describe(x.x, voted, k, names, decision)
    if first:
        says = f"{says} Curves are of {names[1]}."
    return Panel(axes, layers, click, says)


def noisy(frequency: np.ndarray, noise: LabelNoise | None) -> np.ndarray:
    """Frequencies (J, C) of classes after label noise."""
    clean = frequency.astype(float)
    return clean if noise is None else noise.corrupt(clean)


def layers_below(
    votes: VoteProfile,
    xlim: tuple[float, float],
    unit: int,
    n: int,
    balls: BallProfile | None,
    thresholds: Sequence[Level],
    noise: LabelNoise | None,
) -> list[Layer]:
    """The layers that k does not move: what is expected, votes, and thresholds."""
    true: list[Lines] = []
    if balls is not None:
        frequency = noisy(balls.frequency[:, 0], noise)
        true = profile_view.expected(balls.masses * n / unit, frequency)
    voted = profile_view.votes(votes.counts[0], unit)
    named = [marks.named_along(each, 1) for each in (*true, *voted)]
    return [*named, *[marks.level_line(each, xlim) for each in thresholds]]


def on_balls(
    balls: BallProfile,
    noise: LabelNoise | None,
    threshold: float,
    mass: float,
    margin: float | None,
) -> list[Layer]:
    """Of two classes the band around the threshold that balls up to a mass must stay out of, and
    where they do not; or without a margin the advantage.
    """
    kept = balls.masses <= mass * (1 + 1e-9)
    masses = balls.masses[kept]
    frequency = noisy(balls.frequency[kept, 0], noise)[:, 1]
    if margin is not None:
        ends = (threshold - margin, threshold + margin)
        # Its name stands where the curve does not begin.
        at = Place(0.0, ends[0], "below") if frequency[0] > threshold else Place(0.0, ends[1])
        band = profile_view.band("margin", "± Delta", (0.0, mass), *ends, at=at)
        return [band, profile_view.unclear(masses, frequency, threshold, margin)]
    lowest = balls.lowest_frequency[kept, 0].astype(float)
    # The largest fraction of class 1 is 1 minus the smallest of class 0.
    of_1 = lowest[:, 1] if frequency[0] >= 0.5 else 1 - lowest[:, 0]
    worst = noisy(np.stack([1 - of_1, of_1], axis=1), noise)[:, 1]
    return [profile_view.advantage(masses, worst)]
