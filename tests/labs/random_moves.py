"""What tests do to any lab: move its controls as a page does, read what it draws, and wait; and the
votes that they compare.
"""

import json
import time
import zlib
from itertools import pairwise
from threading import RLock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from recorded import filled, whole

from knnviz import NeighborTable, VoteProfile


class Page:
    """What a page knows of a lab from the frames that it is sent, and what it sends."""

    def __init__(self, lab):
        self.widget = lab.widget
        self.seq = 0
        self.frames = []
        self.state = whole(self.widget.frames)
        self.widget.send = self._receive
        self.draws = False
        self.sending = RLock()
        self.base = None
        self.ahead = {}

    def _receive(self, frame, buffers):
        if "ahead" in frame:
            self._keep(frame, *buffers)
            return
        frame = filled(frame, buffers)
        assert frame["number"] - self.state["number"] in (0, 1), "no frame is missing"
        self.frames.append(frame)
        self.state |= frame | {"layers": self.state["layers"] | frame["layers"]}
        if self.draws and frame["ask"]:
            self.widget._receive(self.widget, {"page": "twin", "drawn": frame["number"]})

    def _keep(self, frame, packed=None):
        """Keep a frame that comes ahead, or what those to come differ from."""
        assert frame["ahead"]["base"] == self.widget.ahead.number()
        if packed is None:
            self.base = dict(self.state)
            self.ahead = {}
            return
        data = zlib.decompress(packed)
        ends = np.cumsum([0, *frame["sizes"]])
        content, *buffers = [data[a:b] for a, b in pairwise(ends)]
        self.ahead[frame["value"]] = filled(json.loads(content), buffers)

    def take(self, name):
        """A hand takes a control; once all frames have come, those ahead by value."""
        self.widget._receive(self.widget, {"page": "twin", "hand": name})
        until(lambda: self.widget.ahead.thread is None)
        return self.ahead

    def step(self, *step):
        self.steps(step)

    def steps(self, *steps):
        """Steps in one message."""
        # Observers wait for background work, so that a message is not sent under the lock.
        with self.sending:
            self.seq += 1
            message = {"page": "twin", "seq": self.seq, "steps": list(steps)}
            self.widget._receive(self.widget, message)
            assert self.state["applied"]["twin"] == self.seq

    def move(self, **values: Any):
        for name, value in values.items():
            self.step("move", {name: value})

    message = property(lambda self: self.state["message"])
    values = property(lambda self: self.state["values"])
    drawn = property(lambda self: self.state["drawn"])
    number = property(lambda self: self.state["number"])

    @property
    def shown(self):
        """What it shows: layers that are gone are not on the sheet."""
        all_layers = self.state["layers"]
        drawn = {}
        for panel in self.state["sheet"]["panels"]:
            for name in panel["layers"]:
                drawn[name] = all_layers[name]
        return self.state | {"layers": drawn}


PAGES = WeakKeyDictionary()


def page(lab):
    if lab not in PAGES or PAGES[lab].widget is not lab.view:
        # Jobs that begin meanwhile wait, as they do while a lab is displayed.
        with lab.lock:
            PAGES[lab] = Page(lab)
    return PAGES[lab]


def random_value(lab, name, rng):
    """A position of a control, not too large on a slider."""
    parameter = lab.parameters[name]
    ends = lab.setting.ends[name]
    if parameter.kind == "menu":
        return rng.choice(ends).item()
    low, high = ends
    if parameter.kind in ("slider", "number"):
        high = max(low, min(high, 400))
    return rng.choice(parameter.steps(low, high)).item()


def near(lab, name):
    """A few positions of a control beside its value, which is not among them."""
    parameter = lab.parameters[name]
    ends = lab.setting.ends[name]
    value = lab.values[name]
    if parameter.kind == "menu":
        return [each for each in ends if each != value]
    others = [each for each in parameter.steps(*ends) if each != value]
    return sorted(others, key=lambda each: abs(each - value))[:3]


def layers(lab, *panels):
    """Layers by name: of some panels, or of all that are drawn."""
    found = {}
    for name in panels or lab.on_show():
        for layer in lab.panel(name).layers:
            found[layer.name] = layer
    return found


def inside(lab):
    """All values are within their ranges."""
    for name, ends in lab.setting.ends.items():
        value = lab.values[name]
        assert lab.parameters[name].check(value, ends) == value


def votes_of(X, labels, points, k, n_classes=2):
    """Votes of the k nearest at points; without points, of the others at each of X."""
    return VoteProfile.build(NeighborTable.build(X, points, k), labels, n_classes)


def corners(axes):
    """The lower left and the upper right corner, where a log axis has logarithms."""
    x = np.log(axes.xlim) if axes.log else axes.xlim
    return np.transpose([x, axes.ylim])


def point_at(axes, share):
    """A place in data coordinates."""
    low, high = corners(axes)
    x, y = (low + share * (high - low)).tolist()
    return (np.exp(x).item() if axes.log else x), y


def press(lab, text):
    return next(action for name, _, action in lab.actions() if name == text)()


def visible(lab, *kinds):
    """Parameters on show, of all kinds or of some."""
    hidden = lab.setting.hidden
    names = [name for name in lab.parameters if name not in hidden]
    if kinds:
        names = [name for name in names if lab.parameters[name].kind in kinds]
    return names


def sliders(lab):
    """Those of two values last."""
    return sorted(visible(lab, "slider", "steps"), key=lambda name: len(near(lab, name)) < 2)


def until(there, seconds=20):
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.01)
