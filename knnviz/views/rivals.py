"""The Rivals: decision regions of competing rules side by side, each in a square box under its name and risk."""

from collections.abc import Mapping, Sequence

import numpy as np

from knnviz.views import map as map_view
from knnviz.views import style
from knnviz.views.layers import Annotations, Axes, Lines, Raster

#: Boxes in a row, whose sides are 1; the gap between two; the room above each for its name and risk; and the margin
#: around all boxes, for their frames.
COLUMNS, GAP, HEADER, MARGIN = 4, 0.08, 0.34, 0.01

#: Heights of the middle of a name and of a risk above their box.
NAME_HEIGHT, RISK_HEIGHT = 0.22, 0.08

#: The outline of a box, from its lower left corner.
OUTLINE = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0], [np.nan, np.nan]])


def aspect(n_boxes: int) -> float:
    """Height of the panel as a fraction of its width."""
    width, height = _size(n_boxes)
    return (height + 2 * MARGIN) / (width + 2 * MARGIN)


def axes(title: str, n_boxes: int) -> Axes:
    width, height = _size(n_boxes)
    xlim, ylim = (-MARGIN, width + MARGIN), (-MARGIN, height + MARGIN)
    return Axes("rivals", title, "", "", xlim, ylim, bare=True, legend_columns=3)


def _size(n_boxes: int) -> tuple[float, float]:
    return COLUMNS * (1 + GAP) - GAP, -(-n_boxes // COLUMNS) * (1 + HEADER)


def corners(n_boxes: int) -> np.ndarray:
    """Lower left corners (n_boxes, 2) of the boxes, row by row from the top."""
    row, column = np.divmod(np.arange(n_boxes), COLUMNS)
    return np.stack([column * (1 + GAP), (row.max() - row) * (1 + HEADER)], axis=1)


def frames(n_boxes: int) -> Lines:
    x, y = _in_each(OUTLINE, n_boxes)
    return Lines(name="frames", x=x, y=y, color=style.MUTED, width=1.0)


def boundaries(source: map_view.Source, bayes: Lines, n_boxes: int) -> Lines:
    """The Bayes boundary, thin, in each box."""
    low, high = np.array(source.box).T
    x, y = _in_each((np.stack([bayes.x, bayes.y], axis=1) - low) / (high - low), n_boxes)
    return Lines(name="bayes", label=bayes.label, x=x, y=y, width=1.5, dash=(4, 3))


def _in_each(points: np.ndarray, n_boxes: int) -> np.ndarray:
    """Points (n, 2) of the unit square, repeated in each box, as x and y (2, n_boxes * n)."""
    return (corners(n_boxes)[:, None] + points).reshape(-1, 2).T


def regions(source: map_view.Source, labels: np.ndarray, box: int, n_boxes: int) -> Raster:
    """Class codes (r * r,) that a rule predicts at the cells of a grid, in one of the boxes."""
    left, bottom = corners(n_boxes)[box].tolist()
    codes = map_view.square(labels, "labels").astype(np.uint8)
    return Raster(
        name=f"regions{box}",
        codes=codes,
        palette=style.region_palette(source.n_classes),
        extent=(left, left + 1, bottom, bottom + 1),
        # All boxes have the same classes: those of the first one stand in the legend.
        labels=() if box else tuple(source.class_names),
        outline=style.MUTED,
    )


def names(texts: Sequence[str]) -> Annotations:
    return _above("names", texts, NAME_HEIGHT, 15.0)


def risks(texts: Sequence[str]) -> Annotations:
    return _above("risks", texts, RISK_HEIGHT, 14.0)


def _above(name: str, texts: Sequence[str], height: float, size: float) -> Annotations:
    x, y = (corners(len(texts)) + [0.5, 1 + height]).T
    return Annotations(name=name, x=x, y=y, texts=tuple(texts), size=size, align="middle")


def notes(texts: Mapping[int, str], n_boxes: int) -> Annotations:
    """Texts in the middle of empty boxes, by the index of the box."""
    x, y = (corners(n_boxes)[list(texts)] + 0.5).T
    return Annotations(name="notes", x=x, y=y, texts=tuple(texts.values()), color=style.MUTED, align="middle")


def sentence(text: str, n_boxes: int) -> Annotations:
    """A sentence instead of all boxes."""
    width, height = _size(n_boxes)
    return Annotations(name="sentence", x=width / 2, y=height / 2, texts=(text,), align="middle")
