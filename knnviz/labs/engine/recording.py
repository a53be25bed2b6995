"""Recordings: the frames of a lab over values of a few parameters, for pages without Python.

A page replays them with the lab's own module (``replay.js``): it computes nothing, and shows what was recorded.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from html import escape
from itertools import islice, product
from math import prod
from typing import Any

from knnviz.labs.engine.frames import Frames, pack
from knnviz.labs.engine.parameters import Choice
from knnviz.labs.engine.recorded_values import FRAMES, recorded_values, streamed
from knnviz.labs.engine.widget import HERE, MODULE, STYLE

#: What replays recordings on a page, as a classic script: a page in a folder cannot load modules.
REPLAYER = f"const knnviz = (() => {{\n{MODULE}{(HERE / 'replay.js').read_text()}return {{ take }};\n}})();\n"

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

#: How many frames a recording holds at most.
LONGEST = 10_000

#: About how long a script may be, in bytes, where values are not named: a page may have seven labs.
MOST = 1_500_000

#: The sentence under a recorded lab.
RECORDED = "A recording: what is grey needs Python."


@dataclass(frozen=True)
class Recording:
    """The frames of a lab, as a page takes them.

    ``index`` has the ``axes``, each a parameter and its values; the ``start``, a place in the grid of all combinations,
    the last axis fastest; ``controls``, those of a live lab; ``entries`` of the state and ``layers``, each once; and
    ``frames``, each the numbers of its entries and layers by name, None where values do not go together. The data of a
    layer are the number of one of the ``views``: which of the ``buffers``, each packed by itself, and how many of its
    first bytes.
    """

    index: Mapping[str, Any]
    buffers: tuple[bytes, ...]

    def script(self, name: str) -> str:
        """A script that hands the recording to its page under a name; a page loads it without a server, too."""
        parts = [zlib.compress(json.dumps(self.index, separators=(",", ":")).encode()), *self.buffers]
        sizes = json.dumps([len(part) for part in parts], separators=(",", ":"))
        return f'knnviz.take({json.dumps(name)},{sizes},"{base64.b64encode(b"".join(parts)).decode()}");\n'

    def page(self) -> str:
        """A page of its own, complete in one file."""
        title = escape(self.index["controls"]["title"])
        return PAGE.format(title=title, style=STYLE, replayer=REPLAYER, recording=self.script("lab"))


class Table:
    """Things in the order in which they came, each once."""

    def __init__(self) -> None:
        self.places: dict[Any, int] = {}

    def place(self, thing: Any) -> int:
        """Where it stands."""
        return self.places.setdefault(thing, len(self.places))


class Recorder:
    """Moves a lab over a grid, and keeps what its frames are made of."""

    def __init__(self, lab: Any, axes: Mapping[str, list[Any]]) -> None:
        self.lab, self.axes, self.start = lab, axes, lab.values
        self.frames, self.slow = Frames(lab), streamed(lab)
        self.entries, self.layers, self.buffers = Table(), Table(), Table()

    def recording(self) -> Recording:
        """Frames at all combinations."""
        places = list(product(*self.axes.values()))
        states = {place: self._state(place) for place in sorted(places, key=self._turn)}
        views, buffers = without_prefixes(list(self.buffers.places))
        index = {
            "axes": [[name, values] for name, values in self.axes.items()],
            "start": places.index(tuple([self.start[name] for name in self.axes])),
            "controls": self._controls(),
            "frames": [self._frame(place, states) for place in places],
            "entries": [json.loads(each) for each in self.entries.places],
            "layers": [json.loads(each) for each in self.layers.places],
            "views": views,
        }
        return Recording(index, tuple([zlib.compress(each) for each in buffers]))

    def _turn(self, place: tuple[Any, ...]) -> list[int]:
        """When a place is recorded: what streams moves slowest, then the last axis, since the first one is cheapest."""
        turns = [(name not in self.slow, -i, self.axes[name].index(place[i])) for i, name in enumerate(self.axes)]
        return [index for *_, index in sorted(turns)]

    def _state(self, place: tuple[Any, ...]) -> dict[str, Any] | None:
        """The state there, and its layers by name; None if the lab refuses these values or cannot show them."""
        wanted = dict(zip(self.axes, place, strict=True))
        self.lab.set(**self.start)
        try:
            self.lab.set(**wanted)
        except ValueError:
            return None
        state, layers = self.frames.current()
        if "scene" not in state or any(self.lab.values[name] != value for name, value in wanted.items()):
            return None
        return state | {"message": RECORDED, "layers": {name: self._layer(each) for name, each in layers.items()}}

    def _layer(self, layer: Any) -> int:
        packed = {name: self._kept(each) for name, each in pack(layer).items()}
        return self.layers.place(json.dumps(packed))

    def _kept(self, value: Any) -> Any:
        """A part of a packed layer, its data replaced by the number of a buffer."""
        if isinstance(value, memoryview):
            return self.buffers.place(bytes(value))
        if isinstance(value, dict):
            return {name: self._kept(each) for name, each in value.items()}
        return value

    def _frame(self, place: tuple[Any, ...], states: Mapping[tuple[Any, ...], Any]) -> dict[str, Any] | None:
        if states[place] is None:
            return None
        state = dict(states[place])
        layers = state.pop("layers")
        limits = {name: self._positions(name, place, states) for name in self.axes}
        state["limits"] = state["limits"] | limits
        return {"layers": layers, **{name: self.entries.place(json.dumps(each)) for name, each in state.items()}}

    def _positions(self, name: str, place: tuple[Any, ...], states: Mapping[tuple[Any, ...], Any]) -> list[Any]:
        """Positions of a recorded control: the values with a frame, the other axes as they are."""
        at, parameter = list(self.axes).index(name), self.lab.parameters()[name]
        there = [each for each in self.axes[name] if states[(*place[:at], each, *place[at + 1 :])] is not None]
        return there if isinstance(parameter, Choice) else [[parameter.text(each), each] for each in there]

    def _controls(self) -> dict[str, Any]:
        """The controls of a live lab: those that were recorded go over their values, the others are ``still``."""
        controls = self.frames.controls()
        for each in controls["parameters"]:
            if each["name"] not in self.axes:
                each["still"] = True
            elif each["kind"] != "menu":
                each["kind"] = "steps"
        actions = [each for each in controls["actions"] if each[0] != "Stop"]
        return controls | {"recorded": True, "actions": actions}


def record(lab: Any, values: Mapping[str, Iterable[Any]]) -> Recording:
    """The frames of a lab over all combinations of some values of its parameters; the lab ends as it was.

    ValueError for too many of them.
    """
    axes = {name: ordered(lab, name, given) for name, given in values.items()}
    if prod(map(len, axes.values())) > LONGEST:
        raise ValueError(f"a recording holds at most {LONGEST:,} frames: name fewer values")
    with off_stage(lab):
        return Recorder(lab, axes).recording()


@contextmanager
def off_stage(lab: Any) -> Iterator[None]:
    """While a lab is recorded, no page sees it; at the end it is as it was."""
    with lab.lock:
        lab.background.wait_until_idle(lambda: lab.picture)
        view, before, lab.view = lab.view, lab.values, None
        try:
            yield
        finally:
            lab.set(**before)
            lab.view = view


def record_on_page(lab: Any, text: str = "") -> Recording:
    """A recording of the controls that a lab opens on, about as fine as fits on a page.

    Values that the ``text`` around it names are among the recorded ones.
    """
    with off_stage(lab):
        values = recorded_values(lab, FRAMES, text)
        weights, frames = sizes(lab, values), float(FRAMES)
        while weight(weights, values) > MOST and frames > 1:
            frames *= 0.8
            values = recorded_values(lab, frames, text)
        return record(lab, values)


def sizes(lab: Any, values: Mapping[str, list[Any]]) -> list[tuple[int, set[str]]]:
    """The packed size of each array of a lab's layers, and the parameters that change it, found by one move of each."""
    before, frames = lab.values, Frames(lab)
    arrays = arrays_of(frames)
    changing: dict[tuple[str, str], set[str]] = {key: set() for key in arrays}
    for name, others in values.items():
        with suppress(ValueError):
            lab.set(**{name: next(each for each in reversed(others) if each != before[name])})
        now = arrays_of(frames)
        for key, data in arrays.items():
            if now.get(key) != data:
                changing[key].add(name)
        lab.set(**before)
    return [(len(zlib.compress(data)), changing[key]) for key, data in arrays.items()]


def arrays_of(frames: Frames) -> dict[tuple[str, str], bytes]:
    """The data of all layers, by layer and field."""
    packed = {name: pack(layer) for name, layer in frames.current()[1].items()}
    fields = {(name, field): each for name, layer in packed.items() for field, each in layer.items()}
    data = {key: each["data"] if isinstance(each, dict) else each for key, each in fields.items()}
    return {key: bytes(each) for key, each in data.items() if isinstance(each, memoryview)}


def weight(arrays: list[tuple[int, set[str]]], values: Mapping[str, list[Any]]) -> float:
    """About how long a script is, from the sizes of its arrays: a buffer for each combination that changes an array."""
    return sum(size * prod(len(values[name]) for name in names & values.keys()) for size, names in arrays) * 4 / 3


def without_prefixes(parts: list[bytes]) -> tuple[list[tuple[int, int]], list[bytes]]:
    """Where each part begins another one, and how long it is: a sample that grows is kept once; and the others.

    In sorted order, the last one that a part begins comes after it, with nothing else in between.
    """
    views, kept = [(0, 0)] * len(parts), list[bytes]()
    for at in sorted(range(len(parts)), key=parts.__getitem__, reverse=True):
        if not kept or not kept[-1].startswith(parts[at]):
            kept.append(parts[at])
        views[at] = len(kept) - 1, len(parts[at])
    return views, kept


def ordered(lab: Any, name: str, given: Iterable[Any]) -> list[Any]:
    """Values of a parameter in the order of its control, with that at hand; ValueError for one that it cannot have."""
    known = lab.parameters()
    if name not in known:
        raise ValueError(lab.unknown_parameter(name))
    parameter, limits = known[name], lab.limits(name, lab.values)
    different = {parameter.validate(each, limits) for each in islice(given, LONGEST + 1)} | {lab.values[name]}
    return [each for each in limits if each in different] if isinstance(parameter, Choice) else sorted(different)
