"""Bags as a matrix: the simplex of P(y | x), shares and bags at one eta, and the matrix as a table of numbers."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from knnviz.learnability import every_bag
from knnviz.learnability.conditions import TIE
from knnviz.views import landscape, marks, style, triangle
from knnviz.views.layers import Axes, Bars, Fill, Layer, Lines, Marks, Place, Points, Raster, single

#: Cells of the segment, and what it covers.
CELLS, SEGMENT = 200, (0.0, 1.0, 0.0, 1.0)

#: Limits of its panel: what stands at an end shows whole.
ROOM = (-0.03, 1.03)

#: The triangle's raster has its weights in the middle of its cells.
HALF = 0.5 / landscape.PARTS
TRIANGLE = (-HALF / 2, 1 + HALF / 2, -HALF, 1 + HALF)

#: Colours of the bags of this world and of the one beside it.
OURS, OTHERS = style.CLASS_COLORS[5], style.CLASS_COLORS[4]

#: Width of all bars of a label or bag.
GROUP = 0.8

#: How far above its position a centered text stands, in CSS pixels.
ABOVE = 13

#: Shares below this are none.
ROUNDING = 1e-9

#: Shades of a chance, from none to certain, in tenths; ink is readable on all.
SHADES = tuple(style.tint(style.CLASS_COLORS[5], share) for share in np.linspace(0, 0.9, 11))


def etas(n_classes: int) -> np.ndarray:
    """The eta (m, C) that are coloured: those of the segment's cells or of the triangle's."""
    if n_classes == 3:
        return landscape.GRID
    first = (np.arange(CELLS) + 0.5) / CELLS
    return np.stack([first, 1 - first], axis=1)


def cells(values: np.ndarray, n_classes: int, nothing: int | bool) -> np.ndarray:
    """Values (m,) of these eta as rows and columns, with ``nothing`` outside the triangle."""
    if n_classes == 2:
        return values[None]
    return np.where(landscape.SHOWN >= 0, values[landscape.SHOWN], nothing)


def extent(n_classes: int) -> tuple[float, float, float, float]:
    """What the cells cover."""
    return SEGMENT if n_classes == 2 else TRIANGLE


def axes(n_classes: int, rectangle: Place) -> Axes:
    """The triangle without a frame, or the segment with shares over it."""
    if n_classes == 3:
        return replace(triangle.axes(rectangle), name="simplex", title="Where counting errs")
    title, names = "Where counting errs", ("P(y = 0 | x)", "share")
    look = {"xticks": (0.0, 0.2, 0.4, 0.6, 0.8, 1.0), "yticks": (0.0, 0.5, 1.0)}
    return Axes("simplex", title, *names, ROOM, ROOM, rectangle, **look)


def regions(best: np.ndarray, n_classes: int) -> Raster:
    """Which label is the best (m,) at each eta."""
    codes = cells(best.astype(np.uint8), n_classes, n_classes).astype(np.uint8)
    palette = (*style.region_palette(n_classes), landscape.NOTHING)
    labels = tuple(f"best: {c}" for c in range(n_classes))
    return Raster(name="regions", codes=codes, palette=palette, extent=extent(n_classes), labels=labels)


def misled(wrong: np.ndarray, n_classes: int) -> Fill:
    """Where counting picks another label (m,) bool."""
    held = cells(wrong, n_classes, False)
    return Fill(name="misled", label="counting errs", cells=held, extent=extent(n_classes), hatch="\\")


def frame() -> tuple[Layer, ...]:
    """The net of the triangle, its sides and its corners."""
    return triangle.net(), triangle.sides(), *triangle.corners(tuple(f"label {c}" for c in range(3)))


def borders(parts: Sequence[np.ndarray]) -> Lines:
    """Where the label in most bags changes: between the parts (v, 3) of the triangle where each is first."""
    inner = {}
    for ends in (ends for part in parts for ends in zip(part, np.roll(part, -1, axis=0), strict=True)):
        along_a_side = (np.maximum(*ends) < ROUNDING).any()
        if not along_a_side:
            # Two parts have it in common, and dashes drawn twice would make a whole line.
            inner[frozenset(tuple((end.round(9) + 0.0).tolist()) for end in ends)] = ends
    gaps = [np.stack([*ends, np.full(3, np.nan)]) for ends in inner.values()]
    x, y = triangle.places(np.concatenate([*gaps, np.empty((0, 3))])).astype(np.float32).T
    return Lines(name="borders", label="counting changes", x=x, y=y, width=2.5, dash=(7, 4))


def held_lines(together: np.ndarray) -> list[Lines]:
    """P(S_y | x) of two labels over the segment: from the second column of C (2, 2) to the first."""
    ends = np.array([0, 1], np.float32)
    each = ({"label": f"P(bag holds {y})", "y": together[y, ::-1].astype(np.float32)} for y in range(2))
    return [Lines(name=f"held{y}", x=ends, color=style.class_color(y), width=3.0, **one) for y, one in enumerate(each)]


def spot(eta: np.ndarray) -> tuple[float, float]:
    """Where an eta (C,) stands: on the triangle, or on the segment, there at a height that handles have."""
    if len(eta) == 2:
        return float(eta[0]), marks.GRIP
    x, y = triangle.places(eta)
    return float(x), float(y)


def handle(eta: np.ndarray, beside: np.ndarray | None = None) -> tuple[Layer, ...]:
    """eta (C,) as a cross to drag, on the segment with a line; its name is away from ``beside``, another world's."""
    x, y = spot(eta)
    each = ", ".join(f"label {c} {share:.3g}" for c, share in enumerate(eta))
    crowded = len(eta) == 2 and x > 0.5 if beside is None else spot(beside)[0] >= x
    align = "right" if crowded else "left"
    look = {"texts": ("η",), "size": 18, "cross": 18, "handles": ("P(y | x)",), "spoken": (each,), "align": align}
    line = (marks.upright(x, 1.0, "at_eta", None, style.INK),) if len(eta) == 2 else ()
    return *line, Marks(name="eta", x=single(x), y=single(y), **look)


def eta_at(x: float, y: float, n_classes: int) -> np.ndarray:
    """The eta (C,) that stands at a place; some shares are negative outside the simplex."""
    return triangle.weights_at(x, y) if n_classes == 3 else np.array([x, 1 - x])


def other_eta(eta: np.ndarray, beside: np.ndarray) -> Marks:
    """eta (C,) of the world beside this one, its name on the side that is away from the ``beside`` of this world."""
    (x, y), (here, _) = spot(eta), spot(beside)
    look = {"texts": ("η′",), "size": 18, "cross": 14, "color": OTHERS, "align": "right" if x < here else "left"}
    return Marks(name="other_eta", x=single(x), y=single(y), **look)


def pair(ends: tuple[np.ndarray, np.ndarray] | None, label: str) -> tuple[Lines, Points]:
    """Two eta that bags cannot tell apart, joined; nothing if there are none."""
    at = np.array([spot(each) for each in ends or ()], np.float32).reshape(-1, 2)
    x, y = at.T
    dots = marks.dot(x, y, "pair", label if ends else None, style.INK, 1, 15.0)
    return Lines(name="pair_line", x=x, y=y, width=2.0, dash=(2, 4)), dots


def witness(eta: np.ndarray | None) -> Points:
    """An eta at which the process is not aligned; no point if there is none."""
    x, y = np.array([] if eta is None else [spot(eta)], np.float32).reshape(-1, 2).T
    return marks.dot(x, y, "witness", None if eta is None else "not aligned here", style.CLASS_COLORS[7], 3, 11.0)


def share_axes(n_classes: int, rectangle: Place) -> Axes:
    """Axes over the labels."""
    ticks, names = tuple(map(float, range(n_classes))), tuple(map(str, range(n_classes)))
    look = {"xticks": ticks, "xnames": names, "yticks": (0.0, 0.5, 1.0), "columns": 1}
    return Axes("shares", "Shares at η", "label", "share", (-0.5, n_classes - 0.5), (0, 1.03), rectangle, **look)


def shares(eta: np.ndarray, held: np.ndarray) -> tuple[Bars, Bars]:
    """P(y | x) (C,) in pale bars to the left, P(S_y | x) (C,) in full ones to the right."""
    labels, width = np.arange(len(eta)), GROUP / 2
    codes, pale = labels.astype(np.uint8), tuple(style.tint(color, 0.45) for color in style.palette(len(eta)))
    left, right = ((labels + side * width / 2).astype(np.float32) for side in (-1, 1))
    look = {"codes": codes, "width": 0.94 * width}
    return (
        Bars(name="truth", x=left, heights=eta.astype(np.float32), palette=pale, labels=("P(y | x)",), **look),
        Bars(
            name="held",
            x=right,
            heights=held.astype(np.float32),
            palette=style.palette(len(eta)),
            labels=("P(in bag)",),
            **look,
        ),
    )


def ticks(name: str, label: str, x: np.ndarray, heights: np.ndarray, width: float, color: str = style.INK) -> Lines:
    """Short level lines at x, heights (n,)."""
    across = list(chain.from_iterable((at - width / 2, at + width / 2, np.nan) for at in x))
    up = np.repeat(heights, 3).astype(np.float32)
    return Lines(name=name, label=label, x=np.array(across, np.float32), y=up, width=3.0, color=color)


def beside_truth(eta: np.ndarray) -> Lines:
    """P(y | x) (C,) of the world beside this one, across the bars of the truth."""
    return ticks("beside_truth", "other world", np.arange(len(eta)) - GROUP / 4, eta, GROUP / 2, OTHERS)


def seen(name: str, shown: np.ndarray) -> Lines:
    """Shares (r,) in a sample, across the right bars of labels."""
    return ticks(name, "in the sample", np.arange(len(shown)) + GROUP / 4, shown, GROUP / 2)


def bag_names(n_classes: int) -> tuple[str, ...]:
    """The bags as a reader writes them, the empty one first."""
    return tuple("".join(map(str, np.flatnonzero(bag))) or "∅" for bag in every_bag(n_classes))


def bag_axes(n_classes: int, top: float, rectangle: Place) -> Axes:
    """Axes over the bags."""
    names = bag_names(n_classes)
    limits, look = (-0.5, len(names) - 0.5), {"xticks": tuple(map(float, range(len(names)))), "xnames": names}
    return Axes("bags", "Bags at η", "labels in the bag", "share", limits, (0, top), rectangle, **look)


def law(bags: np.ndarray, other: np.ndarray | None) -> list[Bars]:
    """Shares of the bags (2^C,): of this world, and to the right of it of the one beside."""
    at, worlds = np.arange(len(bags)), [("law", bags, OURS, "this world")]
    if other is not None:
        worlds.append(("beside_law", other, OTHERS, "other world"))
    width, none = GROUP / len(worlds), np.zeros(len(bags), np.uint8)
    look = {"codes": none, "width": 0.94 * width}
    drawn = []
    for side, (name, heights, color, label) in zip((-0.5, 0.5) if other is not None else (0,), worlds, strict=True):
        where = {"x": (at + side * width).astype(np.float32), "heights": heights.astype(np.float32)}
        labels = (label,) if other is not None else ()
        drawn.append(Bars(name=name, palette=(color,), labels=labels, **where, **look))
    return drawn


def drawn_bags(shown: np.ndarray, worlds: int) -> Lines:
    """Shares of the bags (2^C,) in a sample, across the bars of this world."""
    width = GROUP / worlds
    return ticks("drawn", "in the sample", np.arange(len(shown)) - (worlds - 1) * width / 2, shown, width)


def table_axes(n_classes: int, rectangle: Place) -> Axes:
    """A row for each bag, the empty one on top, a column for each true label."""
    names = bag_names(n_classes)
    rows = tuple(len(names) - 0.5 - row for row in range(len(names)))
    ticks, labels = tuple(c + 0.5 for c in range(n_classes)), tuple(map(str, range(n_classes)))
    look = {"xticks": ticks, "xnames": labels, "yticks": rows[::-1], "ynames": names[::-1]}
    return Axes("process", "Process M", "true label", "bag", (0, n_classes), (0, len(names)), rectangle, **look)


def table(process: np.ndarray, column: int, size: float, digits: int, high: float) -> tuple[Layer, ...]:
    """M (2^C, C) as numbers on shades, with so many digits, and the column that is edited in a frame.

    ``high`` is the height of the panel in CSS pixels: numbers stand in the middle of their cells.
    """
    bags, n_classes = process.shape
    codes = np.ceil(process[::-1] * 10 - 1e-9).clip(0, 10).astype(np.uint8)
    shade = Raster(name="chances", codes=codes, palette=SHADES, extent=(0.0, float(n_classes), 0.0, float(bags)))
    rows, columns = np.indices(process.shape)
    x, y = (columns + 0.5).ravel().astype(np.float32), (bags - 0.5 - rows).ravel().astype(np.float32)
    texts = tuple(short(chance, digits) for chance in process.ravel())
    y -= np.float32(ABOVE * bags / high)
    numbers = Marks(name="numbers", x=x, y=y, texts=texts, size=size, halo=0.0, align="center")
    left, right = column + 0.03, column + 0.97
    frame = np.array([[left, 0.03], [right, 0.03], [right, bags - 0.03], [left, bags - 0.03], [left, 0.03]], np.float32)
    return shade, Lines(name="column", x=frame[:, 0], y=frame[:, 1], width=2.5), numbers


def short(chance: float, digits: int) -> str:
    """A chance in a table, as short as can be: a dot for none, and about 0 or 1 for what only rounding makes so."""
    text = f"{chance:.{digits}f}".strip("0").rstrip(".") or "0"
    if text in ("0", "1") and abs(chance - int(text)) > TIE:
        return f"≈{text}"
    return "·" if text == "0" else text


def describe_table(process: np.ndarray) -> str:
    """M (2^C, C) in words and numbers: the bags that occur, label by label."""
    names = [name if name == "∅" else f"{{{name}}}" for name in bag_names(process.shape[1])]
    columns = (
        ", ".join(f"{name} {chance:.3g}" for name, chance in zip(names, column, strict=True) if chance)
        for column in process.T
    )
    return "Bags " + "; ".join(f"if label {c} is true: {column}" for c, column in enumerate(columns)) + "."


def describe(eta: np.ndarray, held: np.ndarray) -> str:
    """P(y | x) and P(S_y | x) in words and numbers."""
    each = (f"label {c}: {eta[c]:.3g} and {held[c]:.3g}" for c in range(len(eta)))
    return f"P(y | x) and how often a bag holds y: {'; '.join(each)}."
