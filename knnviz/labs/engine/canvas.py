"""The browser painter's kernel side: layers and chrome as synced traits, picks back in data coordinates."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from knnviz.views import static
from knnviz.views.layers import Layer, Panel, Picture
from knnviz.views.room import room

HERE = Path(__file__).parent

#: Chromes by sheet size, scale and frame, the last ones used last, and how many of them are kept.
CHROMES: OrderedDict[tuple, static.Chrome] = OrderedDict()
CHROMES_LOCK, MOST_CHROMES = threading.Lock(), 60

#: CSS pixels above and below a chrome, in case letters take more than their room.
SPARE = 20

#: Device pixels to a CSS pixel at which a chrome is sharp.
DENSITY = 2


class Canvas(anywidget.AnyWidget):
    """Draws a picture in the browser.

    Each layer is a trait of its own, so that only layers that changed are sent. ``picked`` is the place that the reader
    clicked or moved to: panel, x, y, the mark that was moved (or None) with its index, and a running number.
    ``answered`` is the number of the newest frame that a page has drawn.
    """

    _esm = (HERE / "painters.js").read_text() + (HERE / "canvas.js").read_text()
    _css = (HERE / "canvas.css").read_text()

    scene = traitlets.Dict().tag(sync=True)
    frame = traitlets.Dict().tag(sync=True)
    picked = traitlets.Dict().tag(sync=True)
    answered = traitlets.Int(0).tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self._taken = 0

    def show(self, picture: Picture, state: Mapping[str, Any]) -> None:
        """Send what changed of a picture, in one message; chrome is drawn again only if a text or a limit changed."""
        slots = {slot(panel, layer): layer for panel in picture.panels for layer in panel.layers}
        self._make_room(slots, {chrome_slot(panel): panel for panel in picture.panels})
        changed = [name for name, layer in slots.items() if getattr(self, name) is not layer]
        said, number = {"alt": picture.alt, "state": dict(state)}, self.frame.get("number", 0)
        with self.hold_sync():
            for name in changed:
                self.set_trait(name, slots[name])
            self._show_chrome(picture)
            if changed or self.frame != {**said, "number": number}:
                self.frame = {**said, "number": number + 1}

    def _make_room(self, slots: Mapping[str, Layer], chromes: Mapping[str, Panel]) -> None:
        """Traits for layers and chromes that have none yet."""
        wanted = {name: traitlets.Any().tag(sync=True, to_json=pack) for name in slots}
        wanted |= {name: traitlets.Bytes().tag(sync=True) for name in chromes}
        missing = {name: trait for name, trait in wanted.items() if not self.has_trait(name)}
        if missing:
            self.add_traits(**missing)

    def _show_chrome(self, picture: Picture) -> None:
        panels = []
        for panel in picture.panels:
            drawn = drawn_chrome(panel, picture.size[0], picture.scale)
            self.set_trait(chrome_slot(panel), drawn.png)
            panels.append(outline(panel) | {"chrome": list(drawn.box)})
        self.scene = {"size": list(picture.size), "panels": panels}

    @property
    def drawn(self) -> bool:
        """Whether a page has drawn the newest frame."""
        return self.answered >= self.frame.get("number", 0)

    @property
    def has_pick(self) -> bool:
        """Whether a place was picked that nobody has taken yet."""
        return self.picked.get("number", 0) != self._taken

    def take_pick(self) -> dict[str, Any] | None:
        """The place picked since the last call, as panel, x, y, mark and index; None if there is no new one."""
        if not self.has_pick:
            return None
        self._taken = self.picked["number"]
        return {key: self.picked[key] for key in ("panel", "x", "y", "mark", "index")}


def drawn_chrome(panel: Panel, width: int, scale: float) -> static.Chrome:
    """The chrome of a panel on a sheet so wide; a panel that only moves down the sheet is not drawn again."""
    left, top, wide, high = panel.axes.rectangle
    around = room(panel)
    raised = replace(panel, axes=replace(panel.axes, rectangle=(left, around.top + SPARE, wide, high)))
    png, (x, y, *size) = _kept(raised, (width, around.top + high + around.bottom + 2 * SPARE), scale)
    return static.Chrome(png, (x, y + top - around.top - SPARE, *size))


def _kept(panel: Panel, size: tuple[int, int], scale: float) -> static.Chrome:
    """A chrome as it was drawn last, or anew."""
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


def chrome_slot(panel: Panel) -> str:
    """Name of the trait that carries the chrome of a panel."""
    return f"chrome_{panel.axes.name}"


def slot(panel: Panel, layer: Layer) -> str:
    """Name of the trait that carries a layer."""
    return f"layer_{panel.axes.name}_{layer.name}"


def outline(panel: Panel) -> dict[str, Any]:
    """Where a panel stands, its limits, and the layers in it, as JSON."""
    axes = panel.axes
    return {
        "name": axes.name,
        "rectangle": list(axes.rectangle),
        "xlim": list(axes.xlim),
        "ylim": list(axes.ylim),
        "log": axes.log,
        "layers": [slot(panel, layer) for layer in panel.layers],
    }


def pack(layer: Layer | None, _widget: Any = None) -> Any:
    """A layer as a dictionary of JSON values and raw buffers."""
    if layer is None:
        return None
    packed = {field.name: _packed(getattr(layer, field.name)) for field in fields(layer)}
    return {"kind": type(layer).__name__, **packed}


def _packed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        plain = value.view(np.uint8) if value.dtype == bool else value
        return {
            "dtype": plain.dtype.name,
            "shape": value.shape,
            # Flat, since an empty view of several axes cannot be cast.
            "data": memoryview(np.ascontiguousarray(plain).reshape(-1)).cast("B"),
        }
    if isinstance(value, tuple) and value and isinstance(value[0], np.ndarray):
        return [each.tolist() for each in value]
    return value
