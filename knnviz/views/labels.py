"""The labels of layers that stand at a place in their panel, beside what a hand takes hold of."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.views.layers import Annotations, Axes, Layer, Panel, Place
from knnviz.views.margins import text_width
from knnviz.views.marks import naming

#: By a text's alignment: how much of its width lies left of its position, and CSS pixels from the
#: position to it.
ALIGNED = {
    "left": (0, 13, 0),
    "right": (1, -13, 0),
    "center": (0.5, 0, 11),
    "below": (0.5, 0, -11),
    "middle": (0.5, 0, 0),
}

#: CSS pixels from the rim of the axes to a text, and up from its middle in multiples of its size.
RIM = 3
HALF_HEIGHT = 0.6

#: CSS pixels from a mark to the rim of its grip.
GRIP = 12.5


def labelled(panel: Panel) -> tuple[Layer, ...]:
    """The layers, and above them all labels that have a place."""
    grips = [layer for layer in panel.layers if getattr(layer, "handles", ())]
    labels = list(filter(None, map(named, panel.layers)))
    for i, label in enumerate(labels):
        others = [*labels[:i], *labels[i + 1 :]]
        labels[i] = beside(grips, others, label, panel.axes)
    return *panel.layers, *labels


def named(layer: Any) -> Annotations | None:
    """The label of a layer at its place, if it has one and draws anything; of several the first."""
    if not (isinstance(layer.at, Place) and layer.legend):
        return None
    entry = layer.legend[0]
    return naming(f"{layer.name}_name", layer.at, entry.label, entry.color)


def beside(
    grips: Sequence[Annotations], others: Sequence[Annotations], label: Annotations, axes: Axes
) -> Annotations:
    """A label to the left or right of a grip that would cover it, and of its text, where the axes
    and other labels leave room.
    """
    _, _, width, height = axes.rectangle
    forth, back = (np.log, np.exp) if axes.log else (np.asarray, np.asarray)
    ends = forth(axes.xlim)

    def spot(layer: Annotations) -> tuple[float, ...]:
        x = np.interp(forth(layer.x[0]), ends, (0, width))
        y = np.interp(layer.y[0], axes.ylim, (0, height))
        return x, y, *written(layer, layer.texts[0], (x, y), (width, height))

    for grip in grips:
        x, y, first, last, _ = spot(grip)
        _, _, left, right, middle = spot(label)
        long = right - left
        starts = min(first, x - GRIP) - RIM - long, max(last, x + GRIP) + RIM
        if abs(middle - y) < GRIP + label.size / 2 and starts[0] < left < starts[1]:
            near = [each for each in map(spot, others) if abs(each[-1] - middle) < label.size]
            free = [
                start
                for start in starts
                if RIM <= start <= width - RIM - long
                and all(start + long <= each[2] or each[3] <= start for each in near)
            ]
            start = min(free, key=lambda start: abs(start - left), default=left)
            before, across, _ = ALIGNED[label.align]
            at = start - across + before * long
            label = replace(label, x=back(np.interp(at, (0, width), ends)))
    return label


def written(layer: Annotations, text: str, at: Any, size: Any) -> tuple[float, float, float]:
    """Both ends of a text and its middle, within axes of a width and height; its position is ``at``
    x and y from their lower left corner.
    """
    x, y = at
    width, height = size
    before, across, up = ALIGNED[layer.align]
    long = layer.size * text_width(text, bold=True)
    rim = RIM + HALF_HEIGHT * layer.size
    left = max(min(x + across - before * long, width - RIM - long), RIM)
    return left, left + long, max(min(y + up, height - rim), rim)
