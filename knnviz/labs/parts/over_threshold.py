"""A threshold on the fraction of class 1 that a hand pulls: on a line of votes, and along curves
over all thresholds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from knnviz.labs.engine import Click, Panel
from knnviz.profiles import Votes
from knnviz.views import marks
from knnviz.views.layers import Annotations, Axes, Layer, Lines
from knnviz.weights import Thresholds

#: Where curves over the threshold are drawn, the limits of its axis, and its ticks.
STEPS = np.arange(1001) / 1000
LIMITS = (-0.02, 1.02)
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

#: The color of the threshold, and how far along a line its grip stands, clear of the names of
#: curves and of x.
COLOR = "#009E73"
GRIP = 0.82

#: How far up a panel over the threshold its grip stands.
GRIP_HEIGHT = 0.04


class Pulled(NamedTuple):
    """A threshold: its parameter, how a picture calls it, its value, and its decimals."""

    parameter: str
    symbol: str
    value: float
    decimals: int

    def to(self, value: float) -> dict[str, float]:
        """What a hand sets that pulls it to another value."""
        return {self.parameter: round(value, self.decimals)}

    def handle(self, x: float, y: float, align: str, pulls: str) -> Annotations:
        """A cross that is dragged to another threshold, along x or y."""
        text = self.symbol
        named = (text, f"threshold {text}", f"{text} = {self.value:g}", align, pulls)
        return marks.draggable("threshold", x, y, *named, size=17, cross=18, color=COLOR)


def of_votes(
    votes: Votes, k: int, truth: np.ndarray, weights: np.ndarray | None = None
) -> Thresholds:
    """Entries of kNN at all thresholds; ``truth`` holds classes of at least these points, or eta
    (m, 2).
    """
    ones = votes.at(k)[:, 1]
    of_class_1 = truth
    if truth.ndim == 2:
        of_class_1 = truth[:, 1]
    return Thresholds.from_votes(of_class_1[: len(ones)], ones, k, weights=weights)


def with_handle(panel: Panel, pulled: Pulled, part: float = GRIP) -> Panel:
    """A line with a handle on its layer "theta", at a ``part`` of the way along it; where a click
    moves nothing else it moves the threshold, too.
    """
    low, high = panel.axes.xlim
    grip = pulled.handle(low + part * (high - low), pulled.value, "right", "y")

    def click(at: Click) -> Mapping[str, float]:
        if panel.click is None or at.mark == grip.name:
            return pulled.to(at.y)
        return panel.click(at)

    # The handle names the threshold.
    kept = [replace(each, at="in words") if each.name == "theta" else each for each in panel.layers]
    return replace(panel, layers=(*kept, grip), click=click)


def over_threshold(axes: Axes, layers: Sequence[Layer], pulled: Pulled, says: str = "") -> Panel:
    """A panel over the threshold with a line there, which can be dragged."""
    low, top = axes.ylim
    x = pulled.value
    at_t = Lines("at_t", x, axes.ylim, label=pulled.symbol, at="in words", color=COLOR)
    align = "left" if x <= 0.5 else "right"
    grip = pulled.handle(x, low + GRIP_HEIGHT * (top - low), align, "x")
    return Panel(axes, [at_t, *layers, grip], lambda at: pulled.to(at.x), says)
