"""Bars of classes beside each other, and ticks across them."""

import numpy as np

from knnviz.views import style
from knnviz.views.layers import Bars, Lines
from knnviz.views.marks import segments


def bars(
    name: str, heights: np.ndarray, offset: float, width: float, palette: tuple[str, ...], label: str = ""
) -> Bars:
    """Bars of heights (n,), their middles ``offset`` to the right of 0, 1, 2, ...; the colors repeat."""
    at = np.arange(len(heights))
    codes, labels = (at % len(palette)).astype(np.uint8), (label,) if label else ()
    return Bars(name=name, x=at + offset, heights=heights, codes=codes, width=width, palette=palette, labels=labels)


def ticks(name: str, label: str, heights: np.ndarray, offset: float, width: float, color: str = style.INK) -> Lines:
    """Horizontal ticks at heights (n,), placed as the bars of the same ``offset``."""
    middles = np.arange(len(heights)) + offset
    x = segments(middles - width / 2, middles + width / 2)
    return Lines(name=name, label=label, x=x, y=np.repeat(heights, 3), width=3.0, color=color)
