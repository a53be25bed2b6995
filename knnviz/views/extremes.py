"""The Extremes: smoothed labels, each a mean over neighbors of a training point; their smallest,
largest, midrange.
"""

import numpy as np

from knnviz.views import style
from knnviz.views.layers import Axes, Lines, Raster
from knnviz.views.marks import Level, level_line

#: Bins over [0, 1], and cells along the longest bar.
BINS = 40
CELLS_ACROSS = 60

#: Dash of the midrange.
MIDRANGE_DASH = (12, 3)

#: Where the axis of counts ends, the longest bar being 1, with room for names.
END = 1.7

#: Limits of fractions, with room for the names of the extremes outside of them.
Y_LIMITS = (-0.1, 1.1)


def axes() -> Axes:
    """Axes over counts relative to the largest, without ticks, and fractions."""
    return Axes(
        "extremes",
        "Smoothed labels",
        "number of points",
        "smoothed label",
        (0, END),
        Y_LIMITS,
        xticks=(0.0,),
        xnames=("",),
        yticks=(0, 0.5, 1),
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
    codes = (np.arange(CELLS_ACROSS) < lengths[:, None]).astype(np.uint8)
    if lit is not None:
        codes[lit] *= 2
    palette = "#FFFFFF00", style.tint(style.MUTED, 0.6), color
    return Raster("histogram", codes, (0, 1, 0, 1), palette=palette)


def levels(fractions: np.ndarray, color: str) -> list[Lines]:
    """The smallest and the largest fraction, and their midrange."""
    low = fractions.min()
    high = fractions.max()
    ends = (0, END)
    return [
        level_line(Level(low, "lowest", "min", (), color, "below"), ends, 0),
        level_line(Level(high, "highest", "max", (), color), ends, 0),
        level_line(Level((low + high) / 2, "midrange", "midrange", MIDRANGE_DASH, color), ends),
    ]


def describe(fractions: np.ndarray, k_noise: int) -> str:
    """The extremes and their midrange in words."""
    low = fractions.min()
    high = fractions.max()
    middle = (low + high) / 2
    labels = f"Labels smoothed over k' = {k_noise} neighbors"
    return f"{labels} lie in {low:.3f} to {high:.3f}, midrange {middle:.3f}."
