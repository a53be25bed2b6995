"""A key press on its way to the pixel, hop by hop: stamps in the page and in the kernel, which
share a clock.
"""

import statistics
from itertools import pairwise

from rows import Row

#: Before any script of a page: note when a key is pressed, a message sent, the last one come before
#: another picture, a canvas drawn on. A mark that follows the hand is drawn at once, but the values
#: of the picture stay.
PAGE = """
const now = () => performance.timeOrigin + performance.now();
let came, drawing;
const { send } = WebSocket.prototype, { getContext } = HTMLCanvasElement.prototype;
WebSocket.prototype.send = function (data) {
  if (window.stamps) window.stamps.sent ??= now();
  return send.call(this, data);
};
const handler = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
const set = function (take) {
  handler.set.call(this, take && ((event) => {
    [came, drawing] = [now(), undefined];
    return take.call(this, event);
  }));
};
Object.defineProperty(WebSocket.prototype, "onmessage", { ...handler, set });
HTMLCanvasElement.prototype.getContext = function (...kind) {
  drawing ??= now();
  return getContext.apply(this, kind);
};
const other = ({ target, attributeName, oldValue }) =>
  target.getAttribute(attributeName) !== oldValue;
new MutationObserver((changes) => {
  if (!window.stamps || !changes.some(other)) return;
  window.stamps = { came, drawing, drawn: now(), ...window.stamps };
}).observe(document, {
  subtree: true, attributeOldValue: true, attributeFilter: ["data-state", "data-shown"] });
const begin = ({ timeStamp }) => (window.stamps = { pressed: performance.timeOrigin + timeStamp });
window.addEventListener("keydown", begin, { capture: true });
"""

#: In the kernel: when functions begin and end, the first time since the stamps were read.
KERNEL = """
import json, time
stamps = {}
def stamped(owner, name):
    function = getattr(owner, name)
    def timed(*given, **named):
        stamps.setdefault(f"{name} begins", 1000 * time.time())
        found = function(*given, **named)
        stamps.setdefault(f"{name} ends", 1000 * time.time())
        return found
    setattr(owner, name, timed)
"""

#: The functions of a lab and its widget, and of the widget of an empty round trip, that are
#: stamped.
OURS = """
from knnviz.labs.engine import frames
lab.view.on_msg(lab.view._receive, remove=True)
stamped(frames, "panels_and_layers")
for name in ("current", "_frame"):
    stamped(frames.Frames, name)
for name in ("_receive", "_send_frame"):
    stamped(type(lab.view), name)
lab.view.on_msg(lab.view._receive)
"""
EMPTY = """
for name in ("_receive", "_send_frame"):
    stamped(Echo, name)
"""

#: The stamps in their order, each with the hop that ends there.
HOPS = {
    "pressed": "",
    "sent": "browser: event to message",
    "_receive begins": "websocket, server and kernel: to the widget",
    "current begins": "kernel: take the values",
    "panels_and_layers begins": "kernel: recipe",
    "_frame begins": "kernel: diff",
    "_send_frame begins": "kernel: pack",
    "_send_frame ends": "kernel: hand over",
    "came": "kernel, server and websocket: to the page",
    "drawing": "browser: decode, controls and numbers",
    "drawn": "browser: draw",
    "shown": "browser: until the next frame",
}


def rows(ours: list[dict[str, float]], empty: list[dict[str, float]]) -> list[Row]:
    """The median of each hop in milliseconds beside that of an empty round trip, which has fewer of
    them.
    """
    others = medians(empty)
    return [
        Row(f"hop, {hop}", length, peer=others.get(hop), peer_name="empty")
        for hop, length in medians(ours).items()
    ]


def medians(presses: list[dict[str, float]]) -> dict[str, float]:
    """Median length of each hop between stamps that presses have."""
    found = {}
    for begin, end in pairwise(HOPS):
        both = [each for each in presses if {begin, end} <= each.keys()]
        if both:
            found[HOPS[end]] = statistics.median(each[end] - each[begin] for each in both)
    return found
