"""Class-conditional label noise of two classes: a label flips with a probability that depends on
its class.
"""

from typing import Any

import numpy as np

from knnviz.labs.engine import DECIMALS, ByName, Float, Panel, Range
from knnviz.labs.parts.sources import named
from knnviz.noise import LabelNoise
from knnviz.views import bars, style
from knnviz.views.bars import Part
from knnviz.views.layers import Axes, Lines, Place

#: The sum of two flip rates is at most 1 minus this.
RATE_STEP = 0.01

P0 = Float(
    "p0", 0.0, 0, 0.95, "flip rate of class 0 *p0*", "Probability that a label of class 0 flips"
)
P1 = Float(
    "p1", 0.0, 0, 0.95, "flip rate of class 1 *p1*", "Probability that a label of class 1 flips"
)
PARAMETERS = ("Label noise", P0, P1)


def ranges(values: ByName) -> dict[str, Any]:
    """The sum of both flip rates is below 1; with more than two classes both are 0."""
    if named(values["problem"]).n_classes > 2:
        return dict.fromkeys(("p0", "p1"), Range((0.0, 0.0), "label noise needs two classes"))
    return sum_below_1(values)


def sum_below_1(values: ByName) -> dict[str, Any]:
    """Ranges of two flip rates whose sum is below 1."""
    return {"p0": beside(values["p1"]), "p1": beside(values["p0"])}


def beside(rate: float) -> Range:
    """A flip rate whose sum with another one is below 1."""
    largest = round(1 - rate - RATE_STEP, DECIMALS)
    return Range((0.0, min(0.95, largest)), "p0 + p1 must be below 1")


def labels_at_x(problem: Any, x: np.ndarray, noise: LabelNoise | None) -> dict[str, int] | None:
    """How many of 100 labels at x are of class 1 before and after the flips, if that is known."""
    if problem.eta is None or noise is None:
        return None
    eta = problem.eta(x[None])
    found = {}
    for when, fractions in (("true", eta), ("after flips", noise.corrupt(eta))):
        found[when] = round(100 * float(fractions[0, 1]))
    return found


def flips_panel(problem: Any, x: np.ndarray, noise: LabelNoise) -> Panel:
    """Two bars: the fractions of the labels at x before and after the flips. Flipped ones have the
    color of the observed class, with an outline in that of the true one.
    """
    of_0, of_1 = problem.eta(x[None])[0].tolist()
    blue, orange = style.palette(2)

    def part(fraction: float, color: str, outline: str = "") -> Part:
        labels = 100 * fraction
        return Part(labels, color, f"{labels:.0f}", outline)

    before = (part(of_1, orange), part(of_0, blue))
    after = (
        part((1 - noise.p1) * of_1, orange),
        part(noise.p0 * of_0, orange, blue),
        part(noise.p1 * of_1, blue, orange),
        part((1 - noise.p0) * of_0, blue),
    )
    names = ("true labels", "after flips")
    axes = Axes(
        "flips", "Of 100 labels at x", "", "", (0, 100), (-0.6, 1.6), yticks=(1, 0), ynames=names
    )
    between = Place(50, 0.5, "middle")
    half = Lines(
        "half", 50, axes.ylim, label="one half", at=between, color=style.MUTED, dash=(3, 3)
    )
    left = after[0].length + after[1].length
    says = f"Of 100 labels at x, {before[0].text} are of {problem.class_names[1]}, "
    says += f"and {left:.0f} after the flips."
    return Panel(axes, [half, *bars.lengths("labels", (before, after), 100)], says=says)
