"""What a page is sent by a lab, what it reads out of a recording, and where two frames differ."""

import base64
import json
import re
import zlib
from itertools import pairwise, product

import numpy as np

from knnviz.labs.engine.frames import Frames

#: What differs in a recording, or in a lab with a past: the ends of controls, and what is not of
#: the state.
OF_ITS_OWN = {"limits", "message", "number", "ask", "applied", "controls", "stops"}


def read(recording):
    """Index and buffers of a recording, from what its page is given."""
    script = recording.script("name")
    sizes, packed = re.fullmatch(r'knnviz\.take\("name",(\[.*?\]),"(.*)"\);\n', script).groups()
    ends = np.cumsum([0, *json.loads(sizes)])
    data = base64.b64decode(packed)
    index, *buffers = [zlib.decompress(data[a:b]) for a, b in pairwise(ends)]
    index = json.loads(index)
    return index, [buffers[buffer][:size] for buffer, size in index["views"]]


def frame(index, buffers, *combination):
    """The state at a combination of values, and its layers with their data; None where there is no
    frame.
    """
    at = list(product(*[values for _, values in index["axes"]])).index(combination)
    if index["frames"][at] is None:
        return None
    entries = dict(index["frames"][at])
    layers = {
        name: filled(index["layers"][each], buffers) for name, each in entries.pop("layers").items()
    }
    return {name: index["entries"][each] for name, each in entries.items()} | {"layers": layers}


def filled(part, buffers):
    """A part of a frame with its data in place of their numbers."""
    return {
        name: buffers[each]
        if name == "data"
        else filled(each, buffers)
        if isinstance(each, dict)
        else each
        for name, each in part.items()
    }


def live(lab):
    """What the lab's widget sends to a page that appears."""
    lab.background.wait(lambda: lab.picture)
    frames = Frames(lab)
    frames.next()
    return frames.whole()


def differ(one, other):
    """Names of layers, and of what else a frame holds, that are not the same in two frames."""
    parts = [each | each["layers"] | {"layers": sorted(each["layers"])} for each in (one, other)]
    # As a page reads it: 1 and 1.0 are the same; NaN is no number.
    texts = [json.dumps(each, default=lambda data: data.hex()) for each in parts]
    one, other = (json.loads(text, parse_constant=str) for text in texts)
    return {
        name
        for name in (one.keys() | other.keys()) - OF_ITS_OWN
        if one.get(name) != other.get(name)
    }


def same_picture(lab, other):
    """Labs with the same values show the same, once all is computed."""
    assert lab.readout() == other.readout()
    assert differ(live(lab), live(other)) == set()
