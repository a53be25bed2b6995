"""The ball around x as it grows through bags: shares of the labels, who is struck out, and who stops where."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from knnviz.problems import Dataset, Problem
from knnviz.rules import Trace
from knnviz.views import line as line_view
from knnviz.views import marks, style
from knnviz.views.layers import Axes, Glyphs, Layer, Lines, Marks, Place, Points, single

#: From how many neighbors on the axis is logarithmic.
LOG_FROM = 40

#: How each stop is drawn: its name, its dash and its width, so that all are seen where they coincide.
STOPS = {"10-NN": ((2, 4), 5.0), "A-kNN stops": ((9, 5), 3.0), "PL A-kNN stops": ((), 1.4)}

#: How high the handle of k stands.
GRIP = 0.95

#: Where stopping k goes from one shade to the next.
STEPS = (10, 25, 50, 100, 250)


def axes(most: int, rectangle: Place) -> Axes:
    """Axes over the neighbors up to ``most`` and the share of their bags."""
    log = most >= LOG_FROM
    limits = (0.9, 1.15 * most) if log else (0, most + 1)
    title, *names = "The ball around x", "neighbors k", "share of the bags"
    return Axes("ball", title, *names, limits, (-0.03, 1.03), rectangle, log=log)


def pies(source: Problem | Dataset, X: np.ndarray, y: np.ndarray, bags: np.ndarray, name: str, size: float) -> Glyphs:
    """Bags (n, C) at their points X (n, d): on a line in rows by true class y (n,)."""
    up = X[:, 1] if source.dimension == 2 else line_view.heights(source.n_classes)[y]
    across = X[:, 0].astype(np.float32)
    look = {"palette": style.palette(source.n_classes), "size": size}
    return Glyphs(name=name, x=across, y=np.asarray(up, np.float32), bags=bags, **look)


def classes(source: Problem | Dataset) -> Glyphs:
    """No bags: what the colours stand for, for the legend of a map."""
    none = np.empty(0, np.float32)
    look = {"palette": style.palette(source.n_classes), "labels": source.class_names}
    return Glyphs(name="classes", x=none, y=none, bags=np.empty((0, source.n_classes), bool), **look)


def shares(walk: Trace, k: int) -> list[Lines]:
    """The share of each label among the bags up to k: thick while it is alive, thin once it is struck out."""
    lines = []
    for c, fell in enumerate(walk.fell):
        alive = min(fell, k) if fell else k
        lines.append(_share(walk, 1, alive, c, f"alive{c}", 3.0))
        lines.append(_share(walk, alive, k, c, f"struck{c}", 1.2))
    return lines


def _share(walk: Trace, first: int, last: int, c: int, name: str, width: float) -> Lines:
    """The share of label c from one k to another."""
    ks = np.arange(first, last + 1)
    heights = walk.counts[first - 1 : last, c] / ks
    x, y = ks.astype(np.float32), heights.astype(np.float32)
    return Lines(name=name, x=x, y=y, color=style.class_color(c), width=width)


def heads(walk: Trace, k: int) -> Points:
    """Where the share of each label is at k."""
    n_classes = len(walk.fell)
    return Points(
        name="heads",
        x=np.full(n_classes, k, np.float32),
        y=(walk.counts[k - 1] / k).astype(np.float32),
        codes=np.arange(n_classes, dtype=np.uint8),
        ringed=np.zeros(n_classes, bool),
        palette=style.palette(n_classes),
        markers=style.markers(n_classes),
        size=9.0,
    )


def asked(walk: Trace, k: int) -> Lines:
    """What a label must hold to stay, up to k or where the ball stops: the first one alive less the band."""
    last = min(k, walk.stop_k)
    ks = np.arange(1, last + 1)
    first = np.where(walk.alive[:last], walk.counts[:last], 0).max(axis=1) / ks
    return _line("asked", "leader - Delta(k)", ks, first - walk.band[:last], (5, 3))


def stands_out(needed: np.ndarray, k: int) -> Lines:
    """What A-kNN asks of one label (T,), up to k."""
    ks = np.arange(1, min(k, len(needed)) + 1)
    return _line("stands_out", "A-kNN asks", ks, needed[: len(ks)], (1, 3))


def _line(name: str, label: str, ks: np.ndarray, heights: np.ndarray, dash: tuple[float, ...]) -> Lines:
    """A line over k; what lies off the axis is cut."""
    inside = (heights > -0.03) & (heights < 1.03)
    y = np.where(inside, heights, np.nan).astype(np.float32)
    return Lines(name=name, label=label, x=ks.astype(np.float32), y=y, width=2, dash=dash)


def falls(walk: Trace, k: int) -> list[Marks]:
    """A cross where each label is struck out, once k is there."""
    marks = []
    for c, fell in enumerate(walk.fell):
        gone = 0 < fell <= k
        x = single(fell if gone else np.nan)
        y = single(walk.counts[fell - 1, c] / fell if gone else np.nan)
        marks.append(Marks(name=f"fall{c}", x=x, y=y, texts=("",), color=style.class_color(c), cross=15))
    return marks


def stops(at: Mapping[str, int | None], k: int) -> list[Lines]:
    """Where each rule stops, as upright lines, once k is there."""
    lines = []
    for name, (dash, width) in STOPS.items():
        there = at[name]
        known = there is not None and there <= k
        x = np.full(2 * known, there or 0, np.float32)
        y = np.array([-0.03, 1.03][: 2 * known], np.float32)
        look = {"width": width, "dash": dash, "color": style.MUTED}
        lines.append(Lines(name=name, label=name if known else None, x=x, y=y, **look))
    return lines


def at_k(k: int, most: int) -> tuple[Lines, Marks]:
    """How far the ball has grown, as a line with a handle."""
    ends = np.array([-0.03, GRIP], np.float32)
    line = Lines(name="at_k", x=np.full(2, k, np.float32), y=ends, width=1.2)
    align = "left" if 2 * k < most else "right"
    look = {"cross": 12, "handles": ("neighbors k",), "spoken": (f"k = {k}",), "align": align}
    return line, Marks(name="k", x=single(k), y=single(GRIP), texts=("k",), **look)


def told(
    said: Sequence[str], fallen: Sequence[tuple[int, str]], n_classes: int, place: Place, size: float
) -> tuple[Axes, tuple[Layer, ...]]:
    """Who says what, and below it who fell, one label a line: a cross in the colour of the label, the words in ink."""
    count = len(said) + n_classes
    lines = [*said, *(text for _, text in fallen)]
    axes, words = marks.told("told", "Who says what at x", _inked(lines, count), place, size)
    crosses = []
    for row in range(n_classes):
        there = row < len(fallen)
        x, y = single(0.0 if there else np.nan), single(count - len(said) - row - 0.5)
        color = style.class_color(fallen[row][0]) if there else style.INK
        crosses.append(Marks(name=f"gone{row}", x=x, y=y, texts=("",), color=color, cross=13))
    # Room at the left, so that a cross is whole.
    return replace(axes, xlim=(-0.03, 1)), (*words, *crosses)


def _inked(lines: Sequence[str], count: int) -> list[tuple[str, str]]:
    """Lines of text in ink, and empty ones up to a count."""
    return [(text, style.INK) for text in (*lines, *[""] * (count - len(lines)))]


def describe(walk: Trace, k: int, class_names: Sequence[str]) -> str:
    """The shares of the labels at k and who has been struck out, in words and numbers."""
    held = ", ".join(f"{name} in {count}" for name, count in zip(class_names, walk.counts[k - 1], strict=True))
    gone = [f"{name} at {fell}" for name, fell in zip(class_names, walk.fell, strict=True) if 0 < fell <= k]
    struck = f"struck out: {', '.join(gone)}" if gone else "nobody struck out"
    return f"Of the {k} nearest bags {held}; {struck}."
