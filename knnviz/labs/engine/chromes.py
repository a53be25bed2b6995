"""What stands around the layers of a panel, as transparent pictures that are drawn once."""

import threading
from collections import OrderedDict
from dataclasses import replace

from knnviz.views import static
from knnviz.views.layers import Panel
from knnviz.views.room import room

#: Chromes by sheet size, scale and frame, the last ones used last, and how many of them are kept.
CHROMES: OrderedDict[tuple, static.Chrome] = OrderedDict()
CHROMES_LOCK, MOST_CHROMES = threading.Lock(), 60

#: CSS pixels above and below a chrome, in case letters take more than their room.
SPARE = 20

#: Device pixels to a CSS pixel at which a chrome is sharp.
DENSITY = 2


def drawn_chrome(panel: Panel, width: int, scale: float) -> static.Chrome:
    """The chrome of a panel on a sheet so wide; a panel that only moves down the sheet is not drawn again."""
    left, top, wide, high = panel.axes.rectangle
    around = room(panel)
    raised = replace(panel, axes=replace(panel.axes, rectangle=(left, around.top + SPARE, wide, high)))
    png, box = _cached(raised, (width, around.top + high + around.bottom + 2 * SPARE), scale)
    return static.Chrome(png, (box[0], box[1] + top - around.top - SPARE, *box[2:]))


def _cached(panel: Panel, size: tuple[int, int], scale: float) -> static.Chrome:
    key = size, scale, panel.frame
    with CHROMES_LOCK:
        if key in CHROMES:
            CHROMES.move_to_end(key)
            return CHROMES[key]
    drawn = static.chrome(panel, size, ratio=DENSITY * scale)
    with CHROMES_LOCK:
        CHROMES[key] = drawn
        if len(CHROMES) > MOST_CHROMES:
            CHROMES.popitem(last=False)
    return drawn
