"""The Extremes: smoothed labels, each a mean over neighbors of a training point; their smallest,
largest, midrange.
"""

import numpy as np

from knnviz.views import profile, style
from knnviz.views.layers import Axes, Lines, Raster
from knnviz.views.marks import Level, level_line

#: Bins over [0, 1], and cells along the longest bar.
BINS = 40
CELLS_ACROSS = 60

#: Dash of the midrange.
MIDRANGE_DASH = (12, 3)

#: Where the axis of counts ends, the longest bar being 1: beyond it thresholds have their names.
END = 1.4

#: From how far off the ends of the axis on a name stands outside of the extremes.
NEAR_END = 0.1


def axes() -> Axes:
    """Axes over counts relative to the largest; the axis of fractions is that of the profile."""
    limits = (0, END), profile.Y_LIMITS
    return Axes(
        "extremes",
        "Smoothed labels",
        "points, longest bar = 1",
        "smoothed label",
        *limits,
        xticks=(0, 0.5, 1),
    )


def bars(fractions: np.ndarray) -> np.ndarray:
    """The bar of each of some fractions, from 0 on."""
    return np.minimum(fractions * BINS, BINS - 1).astype(int)


def histogram(fractions: np.ndarray, lit: int | None = None, color: str = style.INK) -> Raster:
    """A histogram of fractions (n,), with bars from the left, of which one may be ``lit`` in a
    color.
    """
    counts = np.bincount(bars(fractions), minlength=BINS)
    lengths = CELLS_ACROSS * counts / counts.max()
    filled = np.arange(CELLS_ACROSS) < lengths[:, None]
    codes = filled.astype(np.uint8)
    if lit is not None:
        codes[lit] *= 2
    palette = "#FFFFFF00", style.tint(style.MUTED, 0.6), color
    box = (0.0, 1.0, 0.0, 1.0)
    return Raster("histogram", codes, box, palette=palette)


def levels(fractions: np.ndarray, color: str) -> list[Lines]:
    """The smallest and the largest fraction, and their midrange."""
    low = fractions.min()
    high = fractions.max()
    lines = (
        Level(low, "lowest", "min", (), color, "center" if low < NEAR_END else "below"),
        Level(high, "highest", "max", (), color, "below" if high > 1 - NEAR_END else "center"),
        Level((low + high) / 2, "midrange", "midrange", MIDRANGE_DASH, color, "middle"),
    )
    return [level_line(each, (0, END), 0) for each in lines]


def describe(fractions: np.ndarray, k_noise: int) -> str:
    """The extremes and their midrange in words."""
    low = fractions.min()
    high = fractions.max()
    middle = (low + high) / 2
    labels = f"Labels smoothed over k' = {k_noise} neighbors"
    return f"{labels} lie in {low:.3f} to {high:.3f}, midrange {middle:.3f}."
