"""Votes of several samples: along a line, and at one x, where their errors make a triangle."""

from typing import Any

import numpy as np

from knnviz.views import line as line_view
from knnviz.views import marks, profile, style
from knnviz.views.layers import Axes, Layer, Lines, Place

#: How many samples have a curve of their own.
CURVES = 5

#: At x: limits of fractions, and room across for 20 dots and the triangle on the same scale.
LIMITS = (-0.08, 1.08)

#: Dots beside each other are ``PITCH`` apart, and fractions so near each other that they share a
#: row of ``ROW``; the triangle stands right of the dots.
PITCH = 0.032
ROW = 0.04
TRIANGLE = 0.62


def along(cells: np.ndarray, eta: np.ndarray, x: np.ndarray, fractions: np.ndarray) -> list[Layer]:
    """Over x (j,) the fractions of class 1 in samples (s, j): a few of them, their mean with a band
    of one standard deviation to either side, and over cells (m,) eta (m, 2).
    """
    mean = fractions.mean(axis=0)
    deviation = fractions.std(axis=0)
    few = np.pad(fractions[:CURVES], ((0, 0), (0, 1)), constant_values=np.nan)
    across = np.tile(np.append(x, np.nan), len(few))
    ends = (mean - deviation, mean + deviation)
    return [
        profile.band("deviation", "± standard deviation", x, *ends, at="in words", opacity=0.2),
        Lines(
            "samples",
            across,
            few.ravel(),
            label=f"{len(few)} samples",
            at="in words",
            color=style.MUTED,
            width=0.8,
        ),
        *line_view.eta_curves(cells, eta),
        marks.named_along(marks.curve("mean", "mean", x, mean), 0),
    ]


def dots(fractions: np.ndarray, predicted: np.ndarray, threshold: float) -> Layer:
    """A dot for each sample, in the color of the class that it predicts (s,): in rows of nearly
    equal fractions (s,), none of them on both sides of the threshold.
    """
    rows = np.floor((fractions - threshold) / ROW)
    x = PITCH * (marks.ranks_within(rows) + 1)
    return marks.of_classes("dots", x, threshold + ROW * (rows + 0.5), predicted, size=7, halo=0.5)


def errors(eta: float, mean: float, deviation: float) -> list[Layer]:
    """A right triangle: from eta up or down to the mean is the bias, from there to the right the
    standard deviation, and the hypotenuse the root mean square error.
    """
    start = TRIANGLE
    end = start + deviation
    middle = (eta + mean) / 2
    outside = "center" if mean > eta else "below"

    def side(name: str, x: Any, y: Any, *at: Any, **look: Any) -> Layer:
        return Lines(f"side_{name}", x, y, label=name, at=Place(*at), **look)

    return [
        side("bias", start, (eta, mean), start, middle, "right", width=3),
        side("deviation", (start, end), mean, (start + end) / 2, mean, outside, width=3),
        side("error", (start, end), (eta, mean), end, middle, "left", dash=(4, 3)),
    ]


def axes(title: str, of: str) -> Axes:
    """Axes of fractions of class 1, whose units are as long across as up if they are square."""
    return Axes(
        "spread",
        title,
        "",
        f"votes for {of}",
        (0, 1.16),
        LIMITS,
        xticks=(0.0,),
        xnames=("",),
        yticks=line_view.Y_TICKS,
    )
