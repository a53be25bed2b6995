"""Chromes: the axes, labels and legend of a panel as a transparent picture, drawn once and cached."""

import threading
from collections import OrderedDict
from dataclasses import replace

from knnviz.views import static
from knnviz.views.layers import Panel
from knnviz.views.margins import margins

#: Chromes by sheet size, scale and ``chrome_key``, the least recently used first, and how many are kept.
CHROMES: OrderedDict[tuple, static.Chrome] = OrderedDict()
CHROMES_LOCK, MAX_CHROMES = threading.Lock(), 60

#: CSS pixels added above and below a chrome, in case letters need more than ``margins`` reserves.
MARGIN = 20

#: Device pixels per CSS pixel at which a chrome is sharp.
DENSITY = 2


def drawn_chrome(panel: Panel, width: int, scale: float) -> static.Chrome:
    """The chrome of a panel on a sheet of some width. It is drawn at the top, and moved to where the panel is."""
    left, top, wide, high = panel.axes.rectangle
    around = margins(panel)
    at_top = replace(panel, axes=replace(panel.axes, rectangle=(left, around.top + MARGIN, wide, high)))
    png, box = _cached(at_top, (width, around.top + high + around.bottom + 2 * MARGIN), scale)
    return static.Chrome(png, (box[0], box[1] + top - around.top - MARGIN, *box[2:]))


def _cached(panel: Panel, size: tuple[int, int], scale: float) -> static.Chrome:
    key = size, scale, panel.chrome_key
    with CHROMES_LOCK:
        if key in CHROMES:
            CHROMES.move_to_end(key)
            return CHROMES[key]
    drawn = static.chrome(panel, size, pixel_ratio=DENSITY * scale)
    with CHROMES_LOCK:
        CHROMES[key] = drawn
        if len(CHROMES) > MAX_CHROMES:
            CHROMES.popitem(last=False)
    return drawn
