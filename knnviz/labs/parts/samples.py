"""The votes of many fresh samples on a line: how far their mean is from eta, and they from it."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from knnviz.labs.engine import Panel
from knnviz.labs.parts.plane import balls_at, clicked
from knnviz.labs.parts.sources import Field
from knnviz.neighbors import Windows
from knnviz.noise import LabelNoise
from knnviz.profiles import WindowProfile
from knnviz.rules import Threshold
from knnviz.views import line as line_view
from knnviz.views import marks, style
from knnviz.views import risk as risk_view
from knnviz.views import samples as view
from knnviz.views.layers import Lines
from knnviz.views.marks import Level

#: Along the line votes are drawn at every so many cells.
EVERY = 5

#: The least upper end of the axis of squared errors.
TOP = 0.2


class Spread(NamedTuple):
    """Fractions of class 1 among the k nearest in samples, at cells of the line (s, m) and at x
    (s,), the classes that they predict there (s,), eta at x, and the ``numbers``: how many samples
    do not predict the likelier class, and of their distances from eta the mean, the standard
    deviation and the root mean square.
    """

    along: np.ndarray
    at_x: np.ndarray
    predicted: np.ndarray
    eta: float
    numbers: dict[str, Any]


def votes(source: Any, n: int, seed: int, noise: LabelNoise, repeats: int) -> list[WindowProfile]:
    """The votes in fresh samples of n points."""
    found = []
    for rng in np.random.default_rng(seed).spawn(repeats):
        sample = source.sample(n, rng)
        windows = Windows.from_points(sample.X)
        found.append(WindowProfile.build(windows, noise.flip(sample.y, sample.v), 2))
    return found


def spread(
    source: Any,
    cells: Field,
    profiles: list[WindowProfile],
    x: np.ndarray,
    k: int,
    threshold: float,
) -> Spread:
    queries = np.append(cells.grid.points[::EVERY, 0], x)
    ones = np.stack([each.at_points(queries, k)[:, 1] for each in profiles])
    fractions = ones / k
    eta = float(source.eta(x[None])[0, 1])
    predicted = ones[:, -1] >= Threshold(threshold).min_votes(k)
    at_x = fractions[:, -1]
    bias = float(at_x.mean()) - eta
    deviation = float(at_x.std())
    wrong = (predicted != (eta >= threshold)).sum()
    numbers = {
        "wrong at x": f"{wrong} of {len(at_x)}",
        "bias": bias,
        "deviation": deviation,
        "error": float(np.hypot(bias, deviation)),
    }
    return Spread(fractions[:, :-1], at_x, predicted, eta, numbers)


def terms(
    source: Any, noise: LabelNoise, x: np.ndarray, k_max: int, n: int
) -> tuple[np.ndarray, np.ndarray]:
    """Some k (J,), and the squared bias and the variance of votes from the ball at x in which k of
    n points are expected (2, J).
    """
    balls = balls_at(source, x, k_max, n)
    ks = balls.masses[1:] * n
    mean = noise.corrupt(balls.frequency[1:, 0].astype(float))[:, 1]
    bias = mean - source.eta(x[None])[0, 1]
    return ks, np.array([bias**2, mean * (1 - mean) / ks])


def terms_panel(ks: np.ndarray, found: np.ndarray, k: int) -> Panel:
    """Squared bias, variance, and their sum over k."""
    both = found.sum(axis=0)
    top = max(TOP, 1.1 * float(both.max()))
    axes = risk_view.axes("k", (0.9, 1.1 * ks[-1]), (0, top), "squared error")
    axes = replace(axes, name="terms", title="Squared error at x")
    layers = [
        marks.curve("squares", "squared bias", ks, found[0]),
        marks.curve("variance", "variance", ks, found[1], style.MUTED),
        marks.curve("sum", "sum", ks, both, dash=(4, 3)),
        Lines("at_k", k, axes.ylim, width=1.2),
        marks.grip(k, axes),
    ]
    return Panel(axes, layers, lambda at: {"k": at.x})


def along_panel(source: Any, cells: Field, x: np.ndarray, found: Spread, level: Level) -> Panel:
    """The line with the votes of all samples."""
    along = cells.grid.points[:, 0]
    bias = Lines("bias", x[0], (found.eta, found.at_x.mean()), width=3)
    layers = [*view.along(along, cells.eta, along[::EVERY], found.along), bias]
    half = marks.level_line(level, source.box[0])
    axes = replace(
        line_view.axes(source),
        title="Votes of many samples",
        ylim=view.LIMITS,
        yticks=line_view.Y_TICKS,
        ynames=(),
    )
    says = f"Votes of {len(found.at_x)} samples. Curves are of class 1."
    return Panel(axes, [half, *layers, line_view.query(source, x[0])], clicked, says)


def spread_panel(source: Any, found: Spread, level: Level) -> Panel:
    """At x a dot for each sample, those on the wrong side counted, and their errors."""
    count = f"{found.numbers['wrong at x']} samples wrong"
    axes = view.axes(f"At x: {count}", source.class_names[1])
    mean = float(found.at_x.mean())
    layers = [
        marks.level_line(level, axes.xlim),
        view.dots(found.at_x, found.predicted, level.value),
        *view.errors(found.eta, mean, found.numbers["deviation"]),
    ]
    says = f"At x {count}: eta is {found.eta:.2f}, and the mean of the votes {mean:.2f}."
    return Panel(axes, layers, None, says)
