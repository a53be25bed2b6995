"""The Risk curve: the risk over k or n."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Band, Layer, Lines

#: How many standard errors a band reaches to each side of a mean.
STANDARD_ERRORS = 2

#: How far above the Bayes risk, rounded down to a multiple of 0.05, the axis reaches at least.
HEADROOM = 0.2


def limits(bayes_risk: float | None, highest: float) -> tuple[float, float]:
    """Limits of the risk axis, round numbers around the Bayes risk and the highest risk that is
    drawn; they stay while that is low. Without a Bayes risk the axis begins at 0.
    """
    # A risk that is computed on a grid may fall a little short of a multiple of 0.05.
    base = np.floor(20 * (bayes_risk or 0) + 0.01) / 20
    top = np.ceil(20 * highest + 0.4) / 20
    return round(max(base - 0.05, 0.0), 2), round(max(base + HEADROOM, top), 2)


#: The layer that says how much of a curve is computed.
PROGRESS = "progress"

#: Labels of the x axis by parameter.
LABELS = {"k": "neighbors k", "k'": "neighbors for the noise k'", "n": "sample size n"}


def axes(
    over: str, xlim: tuple[float, float], ylim: tuple[float, float], ylabel: str = "risk"
) -> Axes:
    """Axes over a parameter of ``LABELS``, on a logarithmic scale."""
    return Axes("risk", "Risk", LABELS[over], ylabel, xlim, ylim, log=True)


def curve(
    values: np.ndarray,
    mean: np.ndarray,
    error: np.ndarray,
    label: str,
    name: str = "mean",
    color: str = style.INK,
) -> tuple[Band, Lines]:
    """Mean (J,) over samples with a band of two standard errors (J,) to each side; NaN where it is
    unknown.
    """
    known = ~np.isnan(mean)
    x = values[known]
    y = mean[known]
    line = marks.curve(name, label, x, y, color)

    # A single sample has no standard error; its band has no width.
    half = STANDARD_ERRORS * np.nan_to_num(error[known])
    low = y - half
    high = y + half
    label = f"± {STANDARD_ERRORS} s.e."
    band = Band(f"{name}_band", x, low, high, label=label, color=color)
    return band, line


def areas(x: np.ndarray, least: Any, mean: np.ndarray) -> list[Band]:
    """What is below the Bayes risk, and, darker, from there to mean risks (J,) over x."""
    return [
        Band("least", x, 0, least, opacity=0.16),
        Band("excess", x, least, mean, label="excess risk", at="in words", opacity=0.6),
    ]


def label_one_band(layers: Iterable[Layer]) -> tuple[Layer, ...]:
    """The layers, where only the first band has an entry in the legend."""
    every = list(layers)
    first = next((layer for layer in every if isinstance(layer, Band)), None)
    return tuple(
        replace(layer, label=None) if isinstance(layer, Band) and layer is not first else layer
        for layer in every
    )


def progress(done: int, total: int, at: tuple[float, float]) -> Annotations:
    """How much of a curve is computed, as a text; empty once it is complete."""
    text = "" if done == total else f"{done} of {total} done"
    return Annotations(PROGRESS, *at, (text,), color=style.MUTED, align="right")
