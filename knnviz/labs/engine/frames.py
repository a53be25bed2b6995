"""Frames: messages to the pages of a lab, each with what has changed since the one before."""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache, lru_cache
from typing import Any
from uuid import uuid4

import numpy as np

from knnviz.labs.engine.memo import Memo
from knnviz.labs.engine.parameters import ByName
from knnviz.labs.engine.steps import progress
from knnviz.views.labels import labelled
from knnviz.views.layers import Axes, Layer, Panel, Picture
from knnviz.views.margins import legend_offset, margins
from knnviz.views.ticks import ticks

#: How many numbers of the readout are large unless a lab opens on some of them.
LARGE_NUMBERS = 2

#: Most letters of the number that stands for a finished step.
LONGEST_KEY = 9

#: Types of arrays that pages are sent as others.
PAGE_TYPES = {"float64": "float32", "bool": "uint8"}


class Frames:
    """The numbered frames of one lab.

    A frame has a ``number``; ``ask``, whether pages are to acknowledge that they have drawn it;
    ``applied``, the number of the last message from each page; the parts of the state that changed;
    and the ``layers`` that changed. A page that has missed a frame requests the whole state.
    """

    def __init__(self, lab: Any) -> None:
        self.lab = lab
        self.id = uuid4().hex
        self.number = 0
        self.applied: dict[str, int] = {}
        self.state: dict[str, Any] = {}
        self.layers: dict[str, Layer] = {}
        self.presets = {preset.name: lab.preset_values(preset.name) for preset in lab.presets}

    def next(self) -> dict[str, Any]:
        """What has changed since the last frame; the last picture stays if the new one cannot be
        drawn.
        """
        state, layers = self.current()
        changed = {
            name: value
            for name, value in state.items()
            if name not in self.state or self.state[name] != value
        }
        drawn = {
            name: layer for name, layer in layers.items() if not same(self.layers.get(name), layer)
        }

        self.state = self.state | changed
        self.layers = layers or self.layers
        self.number += bool(changed or drawn)
        return self._frame(changed, drawn)

    def whole(self) -> dict[str, Any]:
        """The whole state as of the last frame, the controls, and the lab's id, for a new page."""
        known = {"controls": self.controls(), "id": self.id}
        return self._frame(self.state, self.layers) | known

    def _frame(self, state: ByName, layers: Mapping[str, Layer]) -> dict[str, Any]:
        return {
            "number": self.number,
            "ask": bool(self.lab.background.unfinished()),
            "applied": dict(self.applied),
            "layers": layers,
            **state,
        }

    def current(self) -> tuple[dict[str, Any], dict[str, Layer]]:
        """The state of the lab, and its layers by name; no layers if the picture cannot be
        drawn.
        """
        lab = self.lab
        state: dict[str, Any] = {}
        layers: dict[str, Layer] = {}
        try:
            state, layers = panels_and_layers(lab.memo, lab.picture)
            numbers = lab.shown_numbers()
            chosen = lab.first_numbers
            state["large"] = LARGE_NUMBERS if chosen is None else len({*chosen} & {*numbers})
            # "drawn" are the values that the picture shows; they stay if the next ones cannot be
            # shown.
            state |= {
                "drawn": lab.values,
                "numbers": [[name, text] for name, text in numbers.items()],
                "preview": bool(lab.background.unfinished(slow=False)),
                "steps": progress(lab),
            }
            for failure in lab.background.failures()[:1]:
                lab.message = f"Something went wrong: {failure}."
        except KeyboardInterrupt:
            lab.message = (
                "The computation was interrupted: the picture is that of the last setting."
            )
        except Exception as problem:
            lab.message = f"This setting cannot be shown: {problem}."
        return state | self._settings(), layers

    def _settings(self) -> dict[str, Any]:
        lab = self.lab
        matching = (name for name, values in self.presets.items() if values == lab.values)
        return {
            "values": lab.values,
            "limits": lab.setting.positions,
            "hidden": sorted(lab.setting.hidden),
            "reasons": lab.setting.reasons,
            "pace": lab.setting.paces,
            "preset": next(matching, None),
            "projector": lab.projector,
            "message": lab.message,
            "stops": lab.stop_count,
        }

    def controls(self) -> dict[str, Any]:
        """What never changes on a page: title, presets, buttons, and the description of each
        control.
        """
        lab = self.lab
        presets = [[preset.name, preset.source] for preset in lab.presets]
        actions = [[text, tip] for text, tip, _ in lab.actions()]
        steps = []
        for i, step in enumerate(lab.steps, start=1):
            # A single digit would look like the number of a step.
            short = [text for text in step.check.values() if 1 < len(text) <= LONGEST_KEY]
            told = {name: getattr(step, name) for name in ("do", "see", "ghost", "explains")}
            steps.append(told | {"key": next(iter(short), str(i)), "values": step.setting.values})
        parameters = [
            each.control(lab.values) | {"group": lab.headings[name]}
            for name, each in lab.parameters.items()
        ]
        return {
            "title": lab.title,
            "first": lab.first_controls,
            "chosen": lab.first_numbers is not None,
            "presets": presets,
            "actions": actions,
            "parameters": parameters,
            "steps": steps,
        }


def panels_and_layers(memo: Memo, picture: Picture) -> tuple[dict[str, Any], dict[str, Layer]]:
    """The sheet (its size, and its panels) and the alternative text, as state; layers by name."""
    panels: list[dict[str, Any]] = []
    layers: dict[str, Layer] = {}
    for panel in picture.panels:
        own = memo(layers_of, panel)
        panels.append(memo(panel_state, panel) | {"layers": list(own)})
        layers |= own
    sheet = {"size": list(picture.size), "panels": panels}
    return {"sheet": sheet, "alt": picture.alt}, layers


def layers_of(panel: Panel) -> dict[str, Layer]:
    """The layers of a panel, with its labels, by their names."""
    return {layer_id(panel, layer.name): layer for layer in labelled(panel)}


def layer_id(panel: Panel, layer: str) -> str:
    """A name that no other layer of the picture has."""
    return f"layer_{panel.axes.name}_{layer}"


def panel_state(panel: Panel) -> dict[str, Any]:
    """The axes and the legend of a panel, the entries that are not in it, and how far all
    of it reaches on the sheet, as JSON values.
    """
    (left, top, width, height) = panel.axes.rectangle
    around = margins(panel)
    box = {
        "left": left - around.left,
        "top": top - around.top,
        "right": left + width + around.right,
        "bottom": top + height + around.bottom,
    }
    legend = [entry._asdict() for entry in panel.legend]
    every = [entry for layer in panel.layers for entry in layer.legend]
    unkeyed = [entry._asdict() for entry in every if entry not in panel.legend]
    return axes_state(panel.axes) | {"legend": legend, "unkeyed": unkeyed, "box": box}


@lru_cache(200)
def axes_state(axes: Axes) -> dict[str, Any]:
    """The axes of a panel, as JSON values: all but their legend."""
    more = {"ticks": [each._asdict() for each in ticks(axes)]}
    return {**vars(axes), **more, "legend_offset": legend_offset(axes)}


def same(one: Any, other: Any) -> bool:
    """Whether two layers look the same, so that pages need not be sent the second."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        if one.dtype != other.dtype or one.shape != other.shape:
            return False
        return as_sent(one).tobytes() == as_sent(other).tobytes()
    if isinstance(one, Layer):
        values = vars(one)
        others = vars(other)
        names = field_names(type(one))  # type: ignore[arg-type]
        return all(same(values[name], others[name]) for name in names)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def as_sent(values: np.ndarray) -> np.ndarray:
    """An array in the type that pages draw."""
    return values.astype(PAGE_TYPES.get(values.dtype.name, values.dtype), copy=False)


@cache
def field_names(kind: Any) -> tuple[str, ...]:
    """The fields of a kind of layer that pages draw."""
    return tuple(field.name for field in fields(kind) if field.name != "at")


def compact(value: Any) -> str:
    """A value as JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def message(frame: ByName) -> tuple[dict[str, Any], list[memoryview]]:
    """A frame as JSON values, its arrays with the numbers of buffers, and the buffers."""
    buffers: list[memoryview] = []

    def number(data: memoryview) -> int:
        buffers.append(data)
        return len(buffers) - 1

    layers = {name: pack(layer, number) for name, layer in frame["layers"].items()}
    return {**frame, "layers": layers}, buffers


def pack(layer: Layer, number: Callable[[memoryview], int]) -> dict[str, Any]:
    """A layer as a dictionary of JSON values; the data of an array is the number of its buffer."""
    kind = type(layer)
    values = vars(layer)
    packed: dict[str, Any] = {"kind": kind.__name__}
    for name in field_names(kind):  # type: ignore[arg-type]
        value = values[name]
        if isinstance(value, np.ndarray):
            plain = as_sent(value)
            # Flat, since an empty array of several dimensions cannot be cast.
            flat = np.ascontiguousarray(plain).reshape(-1)
            data = number(flat.data.cast("B"))
            value = {"dtype": plain.dtype.name, "shape": value.shape, "data": data}
        packed[name] = value
    return packed
