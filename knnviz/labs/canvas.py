"""The browser painter's kernel side: layers and chrome as synced traits, picks back in data coordinates."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from knnviz.views import static
from knnviz.views.layers import Layer, Panel, Picture

HERE = Path(__file__).parent


class Canvas(anywidget.AnyWidget):
    """Draws a picture in the browser.

    Each layer is a trait of its own, so that only layers that changed are sent. ``picked`` is the place that the reader
    clicked or moved to: panel, x, y, the mark that was moved (or None) with its index, and a running number.
    ``answered`` is the number of the newest frame that a page has drawn.
    """

    _esm = (HERE / "painters.js").read_text() + (HERE / "canvas.js").read_text()
    _css = (HERE / "canvas.css").read_text()

    scene = traitlets.Dict().tag(sync=True)
    chrome = traitlets.Bytes().tag(sync=True)
    frame = traitlets.Dict().tag(sync=True)
    picked = traitlets.Dict().tag(sync=True)
    answered = traitlets.Int(0).tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self._frame_key: Any = None
        self._taken = 0

    def show(self, picture: Picture, state: Mapping[str, Any]) -> None:
        """Send what changed of a picture, in one message; chrome is drawn again only if a text or a limit changed."""
        slots = {slot(panel, layer): layer for panel in picture.panels for layer in panel.layers}
        missing = [name for name in slots if not self.has_trait(name)]
        if missing:
            self.add_traits(**{name: traitlets.Any().tag(sync=True, to_json=pack) for name in missing})
        changed = [name for name, layer in slots.items() if getattr(self, name) is not layer]
        said, number = {"alt": picture.alt, "state": dict(state)}, self.frame.get("number", 0)
        with self.hold_sync():
            for name in changed:
                self.set_trait(name, slots[name])
            self._show_chrome(picture)
            if changed or self.frame != {**said, "number": number}:
                self.frame = {**said, "number": number + 1}

    def _show_chrome(self, picture: Picture) -> None:
        if picture.frame != self._frame_key:
            self._frame_key = picture.frame
            self.chrome = static.chrome(picture)
            self.scene = {"size": list(picture.size), "panels": [outline(panel) for panel in picture.panels]}

    @property
    def drawn(self) -> bool:
        """Whether a page has drawn the newest frame."""
        return self.answered >= self.frame.get("number", 0)

    def take_pick(self) -> dict[str, Any] | None:
        """The place picked since the last call, as panel, x, y, mark and index; None if there is no new one."""
        number = self.picked.get("number", 0)
        if number == self._taken:
            return None
        self._taken = number
        return {key: self.picked[key] for key in ("panel", "x", "y", "mark", "index")}


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
            "data": memoryview(np.ascontiguousarray(plain)).cast("B"),
        }
    if isinstance(value, tuple) and value and isinstance(value[0], np.ndarray):
        return [each.tolist() for each in value]
    return value
