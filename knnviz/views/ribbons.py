"""Ribbons from bars to bars: each is as wide as what one bar gives to another, whose parts are
stacked at both ends.
"""

from typing import NamedTuple

import numpy as np

from knnviz.views.layers import Band

#: Width of a bar, and opacity of ribbons.
WIDTH = 0.04
OPACITY = 0.4

#: How far along its way a ribbon has come, from the far end of one bar to that of the other, and
#: a gap; how far across; and what is within the bars.
ALONG = np.array([0, *np.linspace(0, 1, 25), 1, np.nan])
ACROSS = ALONG**2 * (3 - 2 * ALONG)
IN_BARS = np.isin(ALONG, (0, 1))


class Side(NamedTuple):
    """Where ribbons begin or end: x, and the lower ends (n,) of the bars there."""

    x: float
    bases: np.ndarray


def spread(most: np.ndarray, total: float) -> np.ndarray:
    """Lower ends (n,) of bars that grow as high as ``most`` (n,), the first on top, with equal gaps
    in a total height.
    """
    gap = (total - most.sum()) / len(most)
    return total - np.cumsum(most + gap) + gap / 2


def ribbons(
    name: str, amounts: np.ndarray, source: Side, target: Side, palette: tuple[str, ...]
) -> list[Band]:
    """What each of n bars gives to each of m others, amounts (m, n), in the color of the giver: its
    ribbons, then its bar with the parts that it has of the others.
    """
    way = target.x - source.x
    x = source.x + way * ALONG
    x[0] -= np.sign(way) * WIDTH
    x[-2] += np.sign(way) * WIDTH
    starts = _tops(source.bases, amounts.T).T
    ends = _tops(target.bases, amounts)
    bands = []
    for code, color in enumerate(palette):
        start = starts[:, [code]]
        upper = start + (ends[:, [code]] - start) * ACROSS
        for kind, opacity, drawn in (("ribbons", OPACITY, True), ("bars", 1.0, IN_BARS)):
            tops = np.where(drawn, upper, np.nan)
            lower = tops - amounts[:, [code]]
            both = np.tile(x, len(amounts)), lower.ravel(), tops.ravel()
            bands.append(Band(f"{name}_{kind}{code}", *both, color=color, opacity=opacity))
    return bands


def _tops(bases: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """Upper ends of the parts (n, m) of bars, the first on top."""
    heights = parts.sum(axis=1, keepdims=True)
    return bases[:, None] + heights - np.cumsum(parts, axis=1) + parts
