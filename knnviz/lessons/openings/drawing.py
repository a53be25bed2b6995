"""What opening pictures share: a page in inches, scans, maps of tumors, and points of two
classes.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from knnviz.views import static, style

#: Pixels of a page of the notebook for an inch of a picture: it fills the first screen.
SCALE = 120

#: Width and height of a page in inches, and the height of its head lines.
WIDTH = 9.6
HEIGHT = 4.0
HEAD = 3.7

#: Names of the classes of tumors, and markers of any two; colors of words about each, and of all
#: other words.
NAMES = ("benign", "malignant")
MARKERS = "os"
WORD_COLORS = (style.class_color(0), "#B34700", style.INK)

#: Axes of a map of tumors, with limits in standard deviations, and cells along a side of it.
PLANE: dict[str, Any] = {
    "xlim": (-2.2, 4.2),
    "ylim": (-2.3, 3.7),
    "xlabel": "radius of the cell nuclei →",
    "ylabel": "texture →",
    "xticks": [],
    "yticks": [],
}
CELLS = 320


class Page(static.NotebookFigure):
    """A figure with ``paper``, axes in inches all over it, and with head lines from their left ends
    on.
    """

    def __init__(self, *heads: tuple[float, str]) -> None:
        super().__init__((WIDTH, HEIGHT), SCALE)
        self.paper = self.part(0, 0, WIDTH, HEIGHT, aspect="equal", zorder=1)
        self.paper.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
        self.paper.axis("off")
        for left, head in heads:
            self.write(left, HEAD, head, 16)

    def part(
        self, left: float, bottom: float, width: float, height: float, **settings: Any
    ) -> Axes:
        """Axes on a part of the page."""
        rectangle = (left / WIDTH, bottom / HEIGHT, width / WIDTH, height / HEIGHT)
        return self.add_axes(rectangle, **settings)

    def write(self, x: float, y: float, words: str, size: float = 15, **look: Any) -> None:
        self.paper.text(x, y, words, fontsize=size, **look)

    def scan(
        self,
        pixels: np.ndarray,
        left: float,
        bottom: float,
        side: float,
        below: str = "",
        code: int = 2,
    ) -> None:
        """A scan (64,) of 8 x 8 pixels; words below it have a color of ``WORD_COLORS``."""
        box = (left, left + side, bottom, bottom + side)
        self.paper.imshow(pixels.reshape(8, 8), cmap="gray_r", extent=box)
        corner = (left, bottom)
        frame = Rectangle(corner, side, side, fill=False, edgecolor=style.MUTED, linewidth=0.8)
        self.paper.add_patch(frame)
        color = WORD_COLORS[code]
        self.write(left + side / 2, bottom - 0.08, below, 16, color=color, ha="center", va="top")

    def plane(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Axes of a map of tumors."""
        return self.part(left, bottom, width, height, **PLANE)


#: What an opening draws: its page, and the same in words.
Drawn = tuple[Page, str]


def dots(ax: Axes, points: np.ndarray, classes: np.ndarray, size: float, **look: Any) -> None:
    """Points (n, 2) in the colors and with the markers of their classes (n,), 0 or 1."""
    look = {"linewidth": 0} | look
    for code, marker in enumerate(MARKERS):
        x, y = points[classes == code].T
        ax.scatter(x, y, size, marker=marker, color=style.class_color(code), **look)


def shade(
    ax: Axes, codes_at: Callable[[np.ndarray], np.ndarray], colors: Sequence[str]
) -> tuple[np.ndarray, ...]:
    """Color a map by the codes of its points (m, 2); give the sides of its cells, and their
    codes.
    """
    x = np.linspace(*ax.get_xlim(), CELLS)
    y = np.linspace(*ax.get_ylim(), CELLS)
    cells = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    codes = codes_at(cells).reshape(CELLS, CELLS)
    between = np.arange(len(colors) + 1) - 0.5
    ax.contourf(x, y, codes, levels=between, colors=colors)
    return x, y, codes


def name_classes(ax: Axes, *positions: tuple[float, float]) -> None:
    """Write the names of the classes of tumors at two positions."""
    for (x, y), name, color in zip(positions, NAMES, WORD_COLORS, strict=False):
        ax.text(x, y, name, fontsize=16, color=color)
