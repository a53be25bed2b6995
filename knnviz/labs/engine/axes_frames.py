"""Axes frames: the axes, labels and legend of a panel as a transparent picture, drawn once and cached."""

import threading
from collections import OrderedDict
from dataclasses import replace

from knnviz.views import static
from knnviz.views.layers import Panel
from knnviz.views.margins import margins

#: Axes frames by canvas size, scale, and axes with legend (``frame_key``), least recently used first; how many.
AXES_FRAMES: OrderedDict[tuple, static.AxesFrame] = OrderedDict()
AXES_FRAMES_LOCK, MAX_AXES_FRAMES = threading.Lock(), 60

#: CSS pixels added above and below an axes frame, in case letters need more than ``margins`` reserves.
MARGIN = 20

#: Device pixels per CSS pixel at which an axes frame is sharp.
DENSITY = 2


def drawn_axes_frame(panel: Panel, width: int, scale: float) -> static.AxesFrame:
    """The axes frame of a panel on a sheet of some width. It is drawn at the top, and moved to where the panel is."""
    left, top, wide, high = panel.axes.rectangle
    around = margins(panel)
    at_top = replace(panel, axes=replace(panel.axes, rectangle=(left, around.top + MARGIN, wide, high)))
    png, box = _cached(at_top, (width, around.top + high + around.bottom + 2 * MARGIN), scale)
    return static.AxesFrame(png, (box[0], box[1] + top - around.top - MARGIN, *box[2:]))


def _cached(panel: Panel, size: tuple[int, int], scale: float) -> static.AxesFrame:
    key = size, scale, panel.frame_key
    with AXES_FRAMES_LOCK:
        if key in AXES_FRAMES:
            AXES_FRAMES.move_to_end(key)
            return AXES_FRAMES[key]
    drawn = static.axes_frame(panel, size, pixel_ratio=DENSITY * scale)
    with AXES_FRAMES_LOCK:
        AXES_FRAMES[key] = drawn
        if len(AXES_FRAMES) > MAX_AXES_FRAMES:
            AXES_FRAMES.popitem(last=False)
    return drawn
