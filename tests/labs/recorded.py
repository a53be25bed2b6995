"""What a page reads out of a recording, and what a live lab sends, in the same form."""

import base64
import json
import re
import zlib
from itertools import pairwise, product

import numpy as np

from knnviz.labs.engine.frames import Frames

#: What differs in a recording: the ends of its controls, the sentence under it, and what orders the frames.
OF_ITS_OWN = {"limits", "message", "number", "ask", "applied", "controls"}


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
    """The state at a combination of values, and its layers with their data; None where there is no frame."""
    at = list(product(*[values for _, values in index["axes"]])).index(combination)
    if index["frames"][at] is None:
        return None
    entries = dict(index["frames"][at])
    layers = {name: filled(index["layers"][each], buffers) for name, each in entries.pop("layers").items()}
    return {name: index["entries"][each] for name, each in entries.items()} | {"layers": layers}


def filled(part, buffers):
    """A packed layer with its data in place of their numbers."""
    return {
        name: buffers[each] if name == "data" else filled(each, buffers) if isinstance(each, dict) else each
        for name, each in part.items()
    }


def live(lab):
    """What the lab's widget sends to a page that appears, as a page takes it."""
    lab.background.wait(lambda: lab.picture)
    frames = Frames(lab)
    frames.next()
    whole = frames.whole()
    layers = {
        name: {part: plain(each) for part, each in packed.items()} for name, packed in whole.pop("layers").items()
    }
    return json.loads(json.dumps(whole)) | {"layers": layers}


def plain(part):
    if isinstance(part, memoryview):
        return bytes(part)
    if isinstance(part, dict):
        return {name: plain(each) for name, each in part.items()}
    return json.loads(json.dumps(part))


def differ(shown, expected):
    """Names of what a recorded frame has otherwise than a live one."""
    names = (shown.keys() | expected.keys()) - OF_ITS_OWN
    return {name for name in names if shown.get(name) != expected.get(name)}
