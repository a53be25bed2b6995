"""What a page is sent by a lab, what it reads out of a recording, and where two frames differ."""

import base64
import json
import re
import zlib
from itertools import pairwise

import numpy as np

from knnviz.labs.engine.frames import Frames, message

#: What differs in a recording, or in a lab with a past: the ends of controls, and what is not of
#: the state.
OF_ITS_OWN = {"id", "limits", "message", "number", "ask", "applied", "controls", "stops"}


def read(recording):
    """Index and buffers of a recording, from what its page is given."""
    script = recording.script("name")
    sizes, packed = re.fullmatch(r'knnviz\.take\("name",(\[.*?\]),"(.*)"\);\n', script).groups()
    data = base64.b64decode(packed)
    ends = np.cumsum([0, *json.loads(sizes)])
    index, *buffers = [zlib.decompress(data[a:b]) for a, b in pairwise(ends)]
    index = json.loads(index)
    return index, [buffers[buffer][:size] for buffer, size in index["views"]]


def axis(index, name):
    """The recorded values of a parameter."""
    positions = index["axes"][name]
    return [each if isinstance(each, str) else each[1] for each in positions]


def frame(index, buffers, **values):
    """The first state with some values, and its layers with data; None without a frame."""
    entries = index["entries"]
    for numbers in index["frames"]:
        state = {name: entries[number] for name, number in numbers["state"].items()}
        if values.items() <= state["values"].items():
            layers = {name: entries[number] for name, number in numbers["layers"].items()}
            return filled(state | {"layers": layers}, buffers)
    return None


def filled(part, buffers):
    """A part of a frame with its data in place of their numbers."""
    found = {}
    for name, each in part.items():
        if name == "data":
            found[name] = buffers[each]
        elif isinstance(each, dict):
            found[name] = filled(each, buffers)
        else:
            found[name] = each
    return found


def live(lab):
    """What the lab's widget sends to a page that appears."""
    lab.background.wait(lambda: lab.picture)
    frames = Frames(lab)
    frames.next()
    return whole(frames)


def whole(frames):
    """All that a page which appears is sent, with the data of its layers."""
    return filled(*message(frames.whole()))


def as_a_page_reads(whole):
    """The parts of a frame and its layers by name, where NaN is no number."""
    parts = whole | whole["layers"] | {"layers": sorted(whole["layers"])}
    text = json.dumps(parts, default=lambda data: data.hex())
    return json.loads(text, parse_constant=str)


def differ(one, other):
    """Names of layers, and of what else a frame holds, that are not the same in two frames."""
    one = as_a_page_reads(one)
    other = as_a_page_reads(other)
    names = (one.keys() | other.keys()) - OF_ITS_OWN
    return {name for name in names if one.get(name) != other.get(name)}


def same_picture(lab, other):
    """Labs with the same values show the same, once all is computed."""
    assert lab.readout() == other.readout()
    assert differ(live(lab), live(other)) == set()
