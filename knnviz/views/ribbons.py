"""Ribbons from bars to bars: each is as wide as what one bar gives to another, whose parts are
stacked at both ends.
"""

from typing import NamedTuple

import numpy as np

from knnviz.views.layers import Band

#: Width of a bar, opacity of ribbons, and how far along its way a ribbon has come at each step.
WIDTH = 0.04
OPACITY = 0.4
WAY = np.linspace(0, 1, 25)
EASED = WAY**2 * (3 - 2 * WAY)


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
    turn = np.sign(target.x - source.x)
    starts = _tops(source.bases, amounts.T).T
    ends = _tops(target.bases, amounts)
    m = len(amounts)
    on_the_way = np.tile(source.x + (target.x - source.x) * WAY, (m, 1))
    across = turn * WIDTH * np.arange(2)
    at_target = np.tile(target.x + across, (m, 1))
    at_source = np.tile(source.x - across, (m, 1))
    bands = []
    for code, color in enumerate(palette):
        begin = starts[:, [code]]
        end = ends[:, [code]]
        width = amounts[:, [code]]
        paths = begin + (end - begin) * EASED
        bands.append(_band(f"{name}_ribbons{code}", on_the_way, paths, width, color, OPACITY))
        x = np.concatenate([at_source, at_target])
        tops = np.tile(np.concatenate([begin, end]), 2)
        bands.append(_band(f"{name}_bars{code}", x, tops, np.tile(width, (2, 1)), color, 1.0))
    return bands


def _tops(bases: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """Upper ends of the parts (n, m) of bars, the first on top."""
    heights = parts.sum(axis=1, keepdims=True)
    return bases[:, None] + heights - np.cumsum(parts, axis=1) + parts


def _band(
    name: str, x: np.ndarray, upper: np.ndarray, width: np.ndarray, color: str, opacity: float
) -> Band:
    """Pieces (m, points), each apart from the next, of widths (m, 1)."""
    x, upper, lower = (
        np.pad(each, ((0, 0), (0, 1)), constant_values=np.nan).ravel()
        for each in (x, upper, upper - width)
    )
    return Band(name, x, lower, upper, color=color, opacity=opacity)
