"""Recordings: the frames of a lab at all combinations of some values, for pages without Python.

A page shows them with ``replay.js`` and the JavaScript of live labs.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from itertools import chain, islice, product
from math import prod
from typing import Any

from knnviz.labs.engine.frames import Frames, pack
from knnviz.labs.engine.recorded_values import (
    FRAMES,
    inputs_of_curves,
    move,
    recorded_values,
    values_of_steps,
)
from knnviz.labs.engine.widget import HERE, MODULE, STYLE

#: The script that shows recordings on a page; not a module, which a page in a local folder cannot
#: load.
REPLAY = (HERE / "replay.js").read_text("utf-8")
REPLAYER = f"const knnviz = (() => {{\n{MODULE}{REPLAY}return {{ take }};\n}})();\n"

#: A page with one recorded lab.
PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<style>{style}</style>
<div data-recording="lab"></div>
<script>{replayer}{recording}</script>
</html>
"""

#: Most frames of a recording.
MAX_FRAMES = 10_000

#: About the longest script, in bytes, unless values are named: a page may have seven labs.
MAX_BYTES = 1_000_000

#: The sentence under a recorded lab.
RECORDED = "A recording: what is grey needs Python."


@dataclass(frozen=True)
class Recording:
    """The frames of a lab, in the form that ``replay.js`` reads.

    ``index`` has the ``axes``, each a parameter and its values; ``start``, the index of the first
    combination to show among all, the last axis fastest; ``controls``, as a live lab describes
    them; the different ``entries`` of the state and ``layers``; and ``frames``, each with the
    numbers of its entries and layers by name, None where the lab refuses the values. The data of a
    layer is the number of one of the ``views``: which of the ``buffers``, each compressed by
    itself, and how many of its first bytes.
    """

    index: Mapping[str, Any]
    buffers: tuple[bytes, ...]

    def script(self, name: str) -> str:
        """A script that passes the recording to its page under a name; a page can load it without a
        server.
        """
        parts = [zlib.compress(compact(self.index).encode()), *self.buffers]
        sizes = compact([len(part) for part in parts])
        text = base64.b64encode(b"".join(parts)).decode()
        return f'knnviz.take({json.dumps(name)},{sizes},"{text}");\n'

    def page(self) -> str:
        """A page with the recorded lab alone, in one file."""
        title = escape(self.index["controls"]["title"])
        script = self.script("lab")
        return PAGE.format(title=title, style=STYLE, replayer=REPLAYER, recording=script)


def compact(value: Any) -> str:
    """A value as JSON without spaces."""
    return json.dumps(value, separators=(",", ":"))


def number_in(table: dict[Any, int], item: Any) -> int:
    """The number of an item in a table of different items, to which it is added if it is new."""
    return table.setdefault(item, len(table))


class Recorder:
    """Records a lab at all combinations of the ``values`` of some parameters, and at its steps."""

    def __init__(self, lab: Any, values: Mapping[str, list[Any]]) -> None:
        self.lab = lab
        self.start = lab.values
        self.moved = values
        #: Values by parameter: those given, and those of steps, to which only the step leads.
        self.axes = dict(values) | values_of_steps(lab, values)
        targets = [setting.values for setting in lab.step_settings]
        self.steps = {tuple([each[name] for name in self.axes]) for each in targets}
        self.frames = Frames(lab)
        self.slow = inputs_of_curves(lab)
        #: Items, as JSON or bytes, by number.
        self.entries: dict[str, int] = {}
        self.layers: dict[str, int] = {}
        self.buffers: dict[bytes, int] = {}

    def recording(self) -> Recording:
        grid = list(product(*self.axes.values()))
        wanted = [values for values in grid if values in self.steps or not self._is_beside(values)]
        states: dict[tuple[Any, ...], Any] = dict.fromkeys(grid)
        for values in sorted(wanted, key=self._sort_key):
            states[values] = self._state(values)

        self.axes = self._axes_with_frames(states)
        grid = list(product(*self.axes.values()))
        views, buffers = without_prefixes(list(self.buffers))
        axes = [[name, values] for name, values in self.axes.items()]
        controls = self._controls()
        frames = [self._frame(values, states) for values in grid]
        index = {
            "axes": axes,
            "start": grid.index(self._start()),
            "controls": controls,
            "frames": frames,
            "entries": list(map(json.loads, self.entries)),
            "layers": list(map(json.loads, self.layers)),
            "views": views,
        }
        return Recording(index, tuple(map(zlib.compress, buffers)))

    def _start(self) -> tuple[Any, ...]:
        """The values of the axes at the start."""
        return tuple([self.start[name] for name in self.axes])

    def _axes_with_frames(self, states: Mapping[tuple[Any, ...], Any]) -> dict[str, list[Any]]:
        """The axes without the values of which there is no frame; those at the start stay."""
        kept = [values for values, state in states.items() if state is not None]
        kept.append(self._start())
        with_frame = dict(zip(self.axes, map(set, zip(*kept, strict=True)), strict=True))
        axes = {}
        for name, values in self.axes.items():
            axes[name] = [each for each in values if each in with_frame[name]]
        return axes

    def _sort_key(self, values: tuple[Any, ...]) -> list[int]:
        """The order of recording: inputs of streams change least often, then the last axis: the
        first is cheapest.
        """
        value_of = dict(zip(self.axes, values, strict=True))
        last_first = list(self.axes)[::-1]
        names = sorted(last_first, key=lambda name: name not in self.slow)
        return [self.axes[name].index(value_of[name]) for name in names]

    def _state(self, values: tuple[Any, ...]) -> dict[str, Any] | None:
        """The state, and the numbers of its layers; None if the lab refuses these values or cannot
        show them.
        """
        wanted = dict(zip(self.axes, values, strict=True))
        self.lab.commit(self.start)
        try:
            self.lab.commit(wanted)
            self.lab.background.wait(lambda: self.lab.picture)
        except ValueError:
            return None
        state, layers = self.frames.current()
        is_there = all(self.lab.values[name] == value for name, value in wanted.items())
        if "sheet" not in state or not is_there:
            return None
        numbers = {}
        for name, layer in layers.items():
            text = json.dumps(self._numbered(pack(layer)))
            numbers[name] = number_in(self.layers, text)
        return state | {"message": RECORDED, "layers": numbers}

    def _is_beside(self, values: tuple[Any, ...]) -> bool:
        """Whether only a step leads there."""
        for name, value in zip(self.axes, values, strict=True):
            if value not in self.moved.get(name, [self.start[name]]):
                return True
        return False

    def _numbered(self, value: Any) -> Any:
        """A packed layer, or a part of it, with the number of a buffer in place of its data."""
        if isinstance(value, memoryview):
            return number_in(self.buffers, bytes(value))
        if isinstance(value, dict):
            return {name: self._numbered(each) for name, each in value.items()}
        return value

    def _frame(
        self, values: tuple[Any, ...], states: Mapping[tuple[Any, ...], Any]
    ) -> dict[str, Any] | None:
        if states[values] is None:
            return None
        state = dict(states[values])
        limits = {name: self._positions(name, values, states) for name in self.axes}
        state["limits"] = state["limits"] | limits
        frame = {"layers": state.pop("layers")}
        for name, each in state.items():
            frame[name] = number_in(self.entries, json.dumps(each))
        return frame

    def _positions(
        self, name: str, values: tuple[Any, ...], states: Mapping[tuple[Any, ...], Any]
    ) -> list[Any]:
        """Positions of a recorded control: values of a number that have a frame while the other
        axes stay.

        A menu has all its options, and a page follows one to the closest frame; so it is where only
        a step leads.
        """
        parameter = self.lab.parameters[name]
        found = self.axes[name]
        if parameter.kind == "menu":
            return found
        if not self._is_beside(values):
            axis = list(self.axes).index(name)
            line = {each: (*values[:axis], each, *values[axis + 1 :]) for each in found}
            found = [each for each, place in line.items() if states[place] is not None]
        return [[parameter.text(each), each] for each in found]

    def _controls(self) -> dict[str, Any]:
        """The controls of a live lab: recorded ones have steps over their values, the others are
        ``still``.
        """
        controls = self.frames.controls()
        for each in controls["parameters"]:
            if each["name"] not in self.axes.keys() & self.moved.keys():
                each["still"] = True
            elif each["kind"] != "menu":
                each["kind"] = "steps"
        actions = [each for each in controls["actions"] if each[0] != "Stop"]
        return controls | {"recorded": True, "actions": actions}


def record(lab: Any, values: Mapping[str, Iterable[Any]]) -> Recording:
    """The frames of a lab at all combinations of some values of its parameters, and at its steps.

    ValueError for too many combinations, and for a step that is not found there.
    """
    axes = {name: ordered(lab, name, some) for name, some in values.items()}
    if prod(map(len, axes.values())) > MAX_FRAMES:
        raise ValueError(f"a recording holds at most {MAX_FRAMES:,} frames: name fewer values")
    with detached(lab):
        recording = Recorder(lab, axes).recording()

    entries = recording.index["entries"]
    seen = [entries[frame["steps"]] for frame in recording.index["frames"] if frame]
    for at, step in enumerate(lab.steps):
        if not any(progress[at][0] for progress in seen):
            title = type(lab).__name__
            raise ValueError(f"the recording of {title} has no frame of the step {step.do!r}")
    return recording


@contextmanager
def detached(lab: Any) -> Iterator[None]:
    """Within the block no page shows the lab; afterwards the lab is as it was."""
    while True:
        # Not under the lock, which background work needs.
        lab.background.wait(lambda: lab.picture)
        with lab.lock:
            # A page may have moved the lab in between.
            if lab.background.works:
                continue
            view = lab.view
            before = lab.values
            lab.view = None
            try:
                yield
            finally:
                lab.commit(before)
                lab.view = view
            return


def record_on_page(lab: Any) -> Recording:
    """A recording of the controls that a lab opens on, in about as many frames as fit on a page."""
    with detached(lab):
        values = recorded_values(lab)
        arrays = array_sizes(lab, values)
        frames = float(FRAMES)
        while script_size(arrays, values) > MAX_BYTES and frames > 1:
            frames *= 0.8
            values = recorded_values(lab, frames)
        return record(lab, values)


def array_sizes(lab: Any, values: Mapping[str, list[Any]]) -> list[tuple[int, set[str]]]:
    """The compressed size of each array of a lab's layers, and the parameters that change it when
    they are moved.

    Of the sizes at the start and after a move of each parameter the largest counts.
    """
    before = lab.values
    frames = Frames(lab)
    moved = {}
    start = arrays_of(frames)
    for name, others in values.items():
        move(lab, name, others)
        moved[name] = arrays_of(frames)
        lab.commit(before)
    every = (start, *moved.values())
    found = []
    for key in dict.fromkeys(chain(*every)):
        size = max(len(zlib.compress(arrays.get(key, b""))) for arrays in every)
        inputs = {name for name, arrays in moved.items() if arrays.get(key) != start.get(key)}
        found.append((size, inputs))
    return found


def arrays_of(frames: Frames) -> dict[tuple[str, str], bytes]:
    """The data of all arrays, by layer and field."""
    frames.lab.background.wait(lambda: frames.lab.picture)
    _, layers = frames.current()
    arrays = {}
    for name, layer in layers.items():
        for field, packed in pack(layer).items():
            data = packed["data"] if isinstance(packed, dict) else packed
            if isinstance(data, memoryview):
                arrays[name, field] = bytes(data)
    return arrays


def script_size(arrays: list[tuple[int, set[str]]], values: Mapping[str, list[Any]]) -> float:
    """About how many bytes a script has: in base 64, a buffer per array and combination of values
    that change it.
    """
    total = 0
    for size, inputs in arrays:
        total += size * prod(len(values[name]) for name in inputs & values.keys())
    return total * 4 / 3


def without_prefixes(parts: list[bytes]) -> tuple[list[tuple[int, int]], list[bytes]]:
    """Each part as (number of a buffer, how many of its first bytes), and the buffers: parts that
    begin no other part.

    So a sample that grows is stored once. In sorted order, all that begin with a part follow it
    directly.
    """
    views = [(0, 0)] * len(parts)
    buffers = list[bytes]()
    numbers = sorted(range(len(parts)), key=parts.__getitem__, reverse=True)
    for i in numbers:
        if not buffers or not buffers[-1].startswith(parts[i]):
            buffers.append(parts[i])
        views[i] = len(buffers) - 1, len(parts[i])
    return views, buffers


def ordered(lab: Any, name: str, values: Iterable[Any]) -> list[Any]:
    """Values of a parameter and its current one, in the order of the control; ValueError for one
    that is refused.
    """
    if name not in lab.parameters:
        raise ValueError(lab.unknown_parameter(name))
    parameter = lab.parameters[name]
    ends = possible(lab, name)
    different = {parameter.check(each, ends) for each in islice(values, MAX_FRAMES + 1)}
    different.add(lab.values[name])
    if parameter.kind == "menu":
        return [each for each in ends if each in different]
    return sorted(different)


def possible(lab: Any, name: str) -> tuple[Any, ...]:
    """Options or ends of a parameter, also those that go only with other values of others."""
    always: tuple[Any, ...] = lab.parameters[name].ends
    if lab.parameters[name].kind == "menu":
        return always
    now = lab.setting.ends[name]
    return min(always[0], now[0]), max(always[1], now[1])
