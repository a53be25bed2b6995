"""Recordings: the frames of a lab at all combinations of some values, for pages without Python.

A page shows them with ``replay.js`` and the JavaScript of live labs.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from html import escape
from itertools import islice, product
from math import prod
from typing import Any

import numpy as np

from knnviz.labs.engine.frames import Frames, compact, pack
from knnviz.labs.engine.parameters import ByName, Seed
from knnviz.labs.engine.widget import HERE, MODULE, STYLE
from knnviz.views.ticks import round_numbers

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

#: Unless values are named: most combinations, halved for each number among the controls, since
#: pictures that many numbers change are seldom alike; about the most values of a number, also of
#: one that plays.
COMBINATIONS = 2000
MOST = 50
PLAYED = 120

#: Numbers whose range is wider than this ratio are recorded at about equal ratios.
WIDE = 30

#: The sentence under a recorded lab.
RECORDED = "A recording: what is grey needs Python."


@dataclass(frozen=True)
class Recording:
    """The frames of a lab, in the form that ``replay.js`` reads.

    ``index`` has the ``axes``, by parameter the options, or the numbers each with its text;
    ``controls``, as a live lab describes them; ``frames``, of which the first is that at the start,
    each with the parts of its ``state``, its ``layers`` and the places of the ``marks`` that a hand
    can move, by name: the numbers of ``entries``, which are all different. The data of a layer is
    the number of one of the ``views``: which of the ``buffers``, each compressed by itself, and how
    many of its first bytes.
    """

    index: ByName
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


class Recorder:
    """Records a lab at some of its settings."""

    def __init__(self, lab: Any) -> None:
        self.lab = lab
        self.start = lab.values
        self.frames = Frames(lab)
        #: What was recorded, by all values of the lab.
        self.recorded: dict[tuple[Any, ...], Any] = {}
        #: Items, as JSON or bytes, by number.
        self.entries: dict[str, int] = {}
        self.arrays: dict[bytes, int] = {}

    def take(self, changes: ByName) -> None:
        """Record the lab with some values beside those at the start; ValueError if it refuses them,
        or cannot show them.
        """
        self.lab.commit(self.start)
        self.lab.commit(changes)
        key = tuple(self.lab.values.values())
        if key in self.recorded or not changes.items() <= self.lab.values.items():
            return
        self.lab.background.wait(lambda: self.lab.picture)
        state, layers = self.frames.current()
        packed = {name: pack(layer, self._array) for name, layer in layers.items()}
        state["message"] = RECORDED
        self.recorded[key] = {
            "state": self._numbers(state),
            "layers": self._numbers(packed),
            "marks": self._numbers(marks_of(layers)),
        }

    def _array(self, data: memoryview) -> int:
        return number_in(self.arrays, bytes(data))

    def _numbers(self, items: ByName) -> dict[str, int]:
        """The numbers of items among all entries."""
        return {name: number_in(self.entries, json.dumps(item)) for name, item in items.items()}

    def recording(self, names: Iterable[str]) -> Recording:
        """What was recorded, of which a page moves the parameters of these names."""
        axes = {name: self._axis(name) for name in names}
        views, buffers = without_prefixes(list(self.arrays))
        index = {
            "axes": axes,
            "controls": self._controls(axes),
            "frames": list(self.recorded.values()),
            "entries": list(map(json.loads, self.entries)),
            "views": views,
        }
        return Recording(index, tuple(map(zlib.compress, buffers)))

    def _axis(self, name: str) -> list[Any]:
        """The recorded positions of a control."""
        at = list(self.lab.values).index(name)
        found = {values[at] for values in self.recorded}
        parameter = self.lab.parameters[name]
        if parameter.kind == "menu":
            return [each for each in parameter.ends if each in found]
        return [[parameter.text(each), each] for each in sorted(found)]

    def _controls(self, axes: ByName) -> dict[str, Any]:
        """The controls of a live lab: recorded ones have steps over their values, the others are
        ``still``.
        """
        controls = self.frames.controls()
        for each in controls["parameters"]:
            if each["name"] not in axes:
                each["still"] = True
            elif each["kind"] != "menu":
                each["kind"] = "steps"
        actions = [each for each in controls["actions"] if each[0] != "Stop"]
        answered = ["Reset", "All controls"] + ["New sample"] * ("seed" in axes)
        return controls | {"recorded": answered, "actions": actions}


def number_in(table: dict[Any, int], item: Any) -> int:
    """The number of an item in a table of different items, to which it is added if it is new."""
    return table.setdefault(item, len(table))


def marks_of(layers: ByName) -> dict[str, Any]:
    """By the name of a layer with handles the places of its marks along the axes that they move
    on.
    """
    held = {name: layer for name, layer in layers.items() if getattr(layer, "handles", ())}
    return {
        name: {axis: getattr(layer, axis).tolist() for axis in layer.pulls}
        for name, layer in held.items()
    }


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


def record(lab: Any, axes: Mapping[str, list[Any]]) -> Recording:
    """The frames of a lab at all combinations of values that go together, and at its steps."""
    # What many values have in common is computed least often where these change first.
    names = sorted(axes, key=lambda name: len(axes[name]))
    with detached(lab):
        recorder = Recorder(lab)
        recorder.take({})
        for combination in product(*[axes[name] for name in names]):
            with suppress(ValueError):
                recorder.take(dict(zip(names, combination, strict=True)))
        for step in lab.steps:
            recorder.take(step.setting.values)
        return recorder.recording(axes)


def axes_of(lab: Any, values: Mapping[str, Iterable[Any]]) -> dict[str, list[Any]]:
    """The values to record: named ones, or round ones of the controls that a lab opens on, of which
    each number in turn gets more while they are not too many; and those at the start and at steps.

    ValueError for values that are refused, for none, and for too many combinations.
    """
    if values:
        axes = {name: with_steps(lab, name, some) for name, some in values.items()}
        if prod(map(len, axes.values())) > MAX_FRAMES:
            raise ValueError(f"a recording holds at most {MAX_FRAMES:,} frames: name fewer values")
        return axes
    if not lab.first_controls:
        raise ValueError("name the values to record, or open the lab on some controls")
    numbers = [name for name in lab.first_controls if lab.parameters[name].kind != "menu"]
    most = COMBINATIONS / 2 ** len(numbers)
    axes = {name: with_steps(lab, name, round_values(lab, name, 2)) for name in lab.first_controls}
    for count, name in product(range(3, MOST + 1), numbers):
        finer = axes | {name: with_steps(lab, name, round_values(lab, name, count))}
        if prod(map(len, finer.values())) <= most:
            axes = finer
    return axes


def with_steps(lab: Any, name: str, values: Iterable[Any]) -> list[Any]:
    """Values of a parameter, with those at the start and at steps; ValueError for one that is
    refused.
    """
    if name not in lab.parameters:
        raise ValueError(lab.unknown_parameter(name))
    parameter = lab.parameters[name]
    ends = parameter.ends
    if parameter.kind != "menu":
        # Also those that go only with other values of others.
        now = lab.setting.ends[name]
        ends = min(ends[0], now[0]), max(ends[1], now[1])
    checked = {parameter.check(each, ends) for each in islice(values, MAX_FRAMES + 1)}
    of_steps = {step.setting.values[name] for step in lab.steps}
    return sorted(checked | of_steps | {lab.values[name]})


def round_values(lab: Any, name: str, count: int) -> Sequence[Any]:
    """All options of a menu; of a number all steps of its control, or about ``count`` round ones
    with both ends; most steps of a player, and the first seeds.
    """
    parameter = lab.parameters[name]
    ends = lab.setting.ends[name]
    if parameter.kind == "menu":
        return ends
    if parameter.play:
        count = PLAYED
    (low, high) = ends
    steps = parameter.steps(low, high)
    if len(steps) <= count or isinstance(parameter, Seed):
        return steps[:count]
    if not parameter.digits and high > WIDE * low > 0:
        wanted = [float(f"{each:.1g}") for each in np.geomspace(low, high, count)]
    else:
        wanted = [*round_numbers(low, high, count - 1, fewest=1)]
    return [low, *[parameter.nearest(each, ends) for each in wanted], high]


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
