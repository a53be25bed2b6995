"""The panels: the simplex, M as a table, fractions at eta, what follows in words, and the bags at eta."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from knnviz.labs.engine import Input, Panel, stage, within
from knnviz.labs.learnability.process import BAGS, BESIDE, ETAS, LABELS, BagProcess, BagSample, Findings
from knnviz.labs.parts.class_weights import GRID_STEPS, ROUNDING
from knnviz.labs.parts.text_panel import TextPanel
from knnviz.learnability import aligned, best, confusable, cooccurrence, frequency, least_theta, where_first
from knnviz.learnability.conditions import TIE_TOL
from knnviz.views import landscape, marks, style, triangle
from knnviz.views.layers import Annotations, Axes, Bars, Extent, Fill, Layer, Lines, Points, Raster
from knnviz.weights import to_simplex

#: Limits of the segment: what stands at an end shows whole.
ROOM = (-0.03, 1.03)

#: Where the axis of bags may end.
TOPS = (0.25, 0.5, 0.75, 1.03)

#: Width of all bars of a label or bag.
GROUP = 0.8

#: Sizes of letters in the table of M, decimals there, and sizes in the verdicts: on a screen and in a lecture hall.
NUMBERS, DECIMALS = (14.0, 12.0), (3, 2)

#: Cells of the segment, and what it covers.
CELLS, SEGMENT = 200, (0.0, 1.0, 0.0, 1.0)

#: The triangle's raster has its weights in the middle of its cells.
HALF = 0.5 / landscape.PARTS
TRIANGLE = (-HALF / 2, 1 + HALF / 2, -HALF, 1 + HALF)

OTHER = style.CLASS_COLORS[4]

#: Shades of a probability, from 0 to 1 in tenths; ink is readable on all.
SHADES = tuple(style.tint(style.CLASS_COLORS[5], depth) for depth in np.linspace(0, 0.9, 11))


class Simplex(Panel):
    """Which label is best, where counting errs, eta that bags cannot tell apart; eta can be dragged."""

    process: BagProcess = Input()
    findings: Findings = Input()

    def axes(self) -> Axes:
        title = "Where counting errs"
        if self.process.n_classes == 3:
            return Axes("simplex", title, "", "", triangle.ACROSS, triangle.UP, bare=True)
        ticks = 0.0, 0.2, 0.4, 0.6, 0.8, 1.0
        return Axes("simplex", title, "P(y = 0 | x)", "fraction", ROOM, ROOM, xticks=ticks, yticks=(0.0, 0.5, 1.0))

    def layers(self) -> Iterator[Layer]:
        draw, matrix, found = self.draw, self.process.matrix, self.findings
        yield draw(regions, self.process.n_classes)
        yield draw(misled, matrix)
        if self.process.n_classes == 2:
            yield draw(held_lines, matrix)
        else:
            yield draw(triangle.net)
            yield draw(triangle.sides)
            yield draw(triangle.corners, LABELS)
            yield draw(borders, matrix)
        yield draw(same_bags, matrix)
        yield draw(witness, found.counterexample)
        if found.other is not None:
            yield draw(other_eta, found.other.eta, self.process.eta)
        yield draw(handle, self.process.eta, found.other and found.other.eta)

    def alt_text(self) -> str:
        n_classes, model = self.process.n_classes, self.process.model
        return f"Bags of {n_classes} labels, {model}, at P(y | x) = {written(self.process.eta)}."

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        at = list(triangle.weights_at(x, y)) if self.process.n_classes == 3 else [x, 1 - x]
        return dict(zip(ETAS, to_simplex(at, GRID_STEPS).round(12).tolist(), strict=False))


class Table(Panel):
    """M as a table of numbers."""

    process: BagProcess = Input()

    def axes(self) -> Axes:
        names, labels = BAGS[: len(self.process.matrix)][::-1], tuple(map(str, range(self.process.n_classes)))
        across, up = (tuple(at + 0.5 for at in range(len(each))) for each in (labels, names))
        look: dict[str, Any] = {"xticks": across, "xnames": labels, "yticks": up, "ynames": names}
        return Axes("process", "Process M", "true label", "bag", (0, len(labels)), (0, len(names)), **look)

    def layers(self) -> Iterator[Layer]:
        matrix, on_projector = self.process.matrix, self.lab.on_projector
        yield self.draw(table, matrix, NUMBERS[on_projector], DECIMALS[on_projector])
        yield self.draw(column_frame, int(self.process.column[-1]), len(matrix))

    def alt_text(self) -> str:
        names = [name if name == "∅" else f"{{{name}}}" for name in BAGS]
        columns = (
            ", ".join(f"{name} {value:.3g}" for name, value in zip(names, column, strict=False) if value)
            for column in self.process.matrix.T
        )
        return f"Bags {'; '.join(f'if label {c} is true: {column}' for c, column in enumerate(columns))}."

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"column": f"label {int(within(np.floor(x), (0, self.process.n_classes - 1)))}"}


class LabelBars(Panel):
    """P(y | x) and P(S_y | x) side by side, with those of the other world and of the sample."""

    process: BagProcess = Input()
    sample: BagSample = Input()
    findings: Findings = Input()

    def axes(self) -> Axes:
        names = tuple(map(str, range(self.process.n_classes)))
        look: dict[str, Any] = categories(names) | {"yticks": (0.0, 0.5, 1.0), "legend_columns": 1}
        return Axes("fractions", "Fractions at η", "label", "fraction", ylim=(0, 1.03), **look)

    def layers(self) -> Iterator[Layer]:
        draw, here, other, sample = self.draw, self.process.world, self.findings.other, self.sample
        width, colors = GROUP / 2, style.palette(self.process.n_classes)
        pale = tuple(style.tint(color, 0.45) for color in colors)
        yield draw(bars, "truth", here.eta, -width / 2, width, pale, "P(y | x)")
        yield draw(bars, "held", here.held, width / 2, width, colors, "P(in bag)")
        if other is not None:
            yield draw(ticks, "beside_truth", "other world", other.eta, -width / 2, width, OTHER)
        if sample.held is not None:
            yield draw(ticks, "sample_held", "in the sample", sample.held, width / 2, width)

    def alt_text(self) -> str:
        pairs = zip(self.process.world.eta, self.process.world.held, strict=True)
        each = (f"label {c}: {eta:.3g} and {held:.3g}" for c, (eta, held) in enumerate(pairs))
        return f"P(y | x) and how often a bag holds y: {'; '.join(each)}."


class Conclusions(TextPanel):
    """What follows, with a tick before what is good news."""

    title, sizes = "What follows", (15.0, 12.0)

    process: BagProcess = Input()
    sample: BagSample = Input()
    findings: Findings = Input()

    def conclusions(self) -> Iterator[tuple[str, bool]]:
        found, here, n_classes = self.findings, self.process.world, self.process.n_classes
        full_rank = found.rank == n_classes
        yield f"rank {found.rank} of {n_classes}: η {'' if full_rank else 'not '}identifiable", full_rank
        where = found.counterexample
        yield "aligned at every η" if where is None else f"not aligned at η = {written(where)}", where is None
        cost = "" if found.theta <= TIE_TOL else f", costs {found.theta:.3g}"
        label_sets = f"best {firsts(here.eta, '/')}, in most bags {firsts(here.held, '/')}"
        yield f"here: {label_sets}{cost}", bool(aligned(here.held, here.eta))
        if found.decoded is None:
            yield "least squares not unique", False
        else:
            source = "least squares gives" if self.sample.bags is None else "the sample gives"
            yield f"{source} {written(found.decoded)}", bool(best(here.eta)[found.decoded.argmax()])
        if found.other is not None:
            same_best = bool(aligned(found.other.eta, here.eta))
            yield f"same bags, other world: best {firsts(found.other.eta)}", same_best
        elif found.beside != BESIDE[0]:
            yield "nothing to swap here" if found.beside == BESIDE[1] else "no other η has these bags", True

    @stage
    def lines(self) -> tuple[tuple[str, str], ...]:
        return tuple((f"{'✓' if good else '✗'} {text}", style.INK) for text, good in self.conclusions())


class BagBars(Panel):
    """Bags of this world, of the one beside it, and of the sample."""

    process: BagProcess = Input()
    sample: BagSample = Input()
    findings: Findings = Input()

    def axes(self) -> Axes:
        bags, sampled = self.process.world.bags, self.sample.bags
        tallest = max(bags.max(), 0.0 if sampled is None else sampled.max())
        top = next((top for top in TOPS if tallest <= 0.97 * top), TOPS[-1])
        names = BAGS[: len(bags)]
        return Axes("bags", "Bags at η", "labels in the bag", "fraction", ylim=(0, top), **categories(names))

    def layers(self) -> Iterator[Layer]:
        draw, other, color = self.draw, self.findings.other, (style.CLASS_COLORS[5],)
        width, left = (GROUP, 0.0) if other is None else (GROUP / 2, -GROUP / 4)
        yield draw(bars, "distribution", self.process.world.bags, left, width, color, "this world" if other else "")
        if other is not None:
            yield draw(bars, "beside_law", other.bags, -left, width, (OTHER,), "other world")
        if self.sample.bags is not None:
            yield draw(ticks, "drawn", "in the sample", self.sample.bags, left, width)


def categories(names: tuple[str, ...]) -> dict[str, Any]:
    """An axis x of names, as ``Axes`` takes it: bars stand at 0, 1, 2, ..."""
    return {"xlim": (-0.5, len(names) - 0.5), "xticks": tuple(map(float, range(len(names)))), "xnames": names}


def written(values: np.ndarray) -> str:
    return f"({', '.join(f'{value:.3g}' for value in np.round(values, 3) + 0.0)})"


def firsts(scores: np.ndarray, between: str = " or ") -> str:
    return between.join(map(str, np.flatnonzero(best(scores))))


def etas(n_classes: int) -> np.ndarray:
    """The eta (m, C) that are colored: those of the segment's cells or of the triangle's."""
    if n_classes == 3:
        return landscape.GRID
    first = (np.arange(CELLS) + 0.5) / CELLS
    return np.stack([first, 1 - first], axis=1)


def cells(values: np.ndarray, n_classes: int, outside: int | bool) -> tuple[np.ndarray, Extent]:
    """Values (m,) of these eta as rows and columns, with another value outside the triangle, and what they cover."""
    if n_classes == 2:
        return values[None], SEGMENT
    return np.where(landscape.SHOWN >= 0, values[landscape.SHOWN], outside), TRIANGLE


def regions(n_classes: int) -> Raster:
    codes, extent = cells(etas(n_classes).argmax(axis=1), n_classes, n_classes)
    palette = (*style.region_palette(n_classes), landscape.NOTHING)
    labels = tuple(f"best: {c}" for c in range(n_classes))
    return Raster(name="regions", codes=codes.astype(np.uint8), palette=palette, extent=extent, labels=labels)


def misled(process: np.ndarray) -> Fill:
    n_classes = process.shape[1]
    wrong, extent = cells(least_theta(frequency(process, etas(n_classes)), etas(n_classes)) > TIE_TOL, n_classes, False)
    return Fill(name="misled", label="counting errs", cells=wrong, extent=extent, hatch="\\")


def borders(process: np.ndarray) -> Lines:
    """Where in the triangle the label in most bags changes, for M (8, 3)."""
    parts, inner = [where_first(cooccurrence(process), label) for label in range(3)], {}
    for ends in (ends for part in parts for ends in zip(part, np.roll(part, -1, axis=0), strict=True)):
        along_a_side = (np.maximum(*ends) < ROUNDING).any()
        if not along_a_side:
            # Two parts have it in common, and dashes drawn twice would make a whole line.
            inner[frozenset(tuple((end.round(9) + 0.0).tolist()) for end in ends)] = ends
    gaps = [np.stack([*ends, np.full(3, np.nan)]) for ends in inner.values()]
    x, y = triangle.positions(np.concatenate([*gaps, np.empty((0, 3))])).T
    return Lines(name="borders", label="counting changes", x=x, y=y, width=2.5, dash=(7, 4))


def held_lines(process: np.ndarray) -> list[Lines]:
    """P(S_y | x) of two labels over the segment, for M (4, 2): from the second column of C to the first."""
    return [
        Lines(name=f"held{y}", label=f"P(bag holds {y})", x=(0, 1), y=row[::-1], color=style.class_color(y), width=3.0)
        for y, row in enumerate(cooccurrence(process))
    ]


def spot(eta: np.ndarray) -> tuple[float, float]:
    """Where an eta (C,) stands: on the triangle, or on the segment, there at a height that handles have."""
    if len(eta) == 2:
        return float(eta[0]), marks.GRIP
    x, y = triangle.positions(eta)
    return float(x), float(y)


def handle(eta: np.ndarray, beside: np.ndarray | None = None) -> tuple[Layer, ...]:
    """eta (C,) as a cross to drag, on the segment with a line; its name is away from ``beside``, another world's."""
    x, y = spot(eta)
    each = ", ".join(f"label {c} {fraction:.3g}" for c, fraction in enumerate(eta))
    crowded = len(eta) == 2 and x > 0.5 if beside is None else spot(beside)[0] >= x
    look: dict[str, Any] = {"size": 18, "cross": 18, "handles": ("P(y | x)",), "spoken": (each,)}
    line = (marks.upright(x, 1.0, "at_eta", None, style.INK),) if len(eta) == 2 else ()
    return *line, Annotations(name="eta", x=x, y=y, texts=("η",), align="right" if crowded else "left", **look)


def other_eta(eta: np.ndarray, beside: np.ndarray) -> Annotations:
    """eta (C,) of the world beside this one, its name on the side that is away from the ``beside`` of this world."""
    (x, y), (here, _) = spot(eta), spot(beside)
    align = "right" if x < here else "left"
    return Annotations(name="other_eta", x=x, y=y, texts=("η′",), color=OTHER, size=18, cross=14, align=align)


def same_bags(process: np.ndarray) -> tuple[Lines, Points]:
    """Two eta that bags of M (2^C, C) cannot tell apart, joined; nothing if there are none."""
    x, y = np.array([spot(each) for each in confusable(process) or ()]).reshape(-1, 2).T
    dots = marks.dot(x, y, "pair", "the same bags", style.INK, 1, 15.0)
    return Lines(name="pair_line", x=x, y=y, width=2.0, dash=(2, 4)), dots


def witness(eta: np.ndarray | None) -> Points:
    x, y = np.array([] if eta is None else [spot(eta)]).reshape(-1, 2).T
    return marks.dot(x, y, "witness", "not aligned here", style.CLASS_COLORS[7], 3, 11.0)


def bars(name: str, heights: np.ndarray, offset: float, width: float, palette: tuple[str, ...], label: str) -> Bars:
    at = np.arange(len(heights))
    look: dict[str, Any] = {"palette": palette, "labels": (label,) if label else (), "width": 0.94 * width}
    return Bars(name=name, x=at + offset, heights=heights, codes=(at % len(palette)).astype(np.uint8), **look)


def ticks(name: str, label: str, heights: np.ndarray, offset: float, width: float, color: str = style.INK) -> Lines:
    middles = np.arange(len(heights)) + offset
    x = np.stack([middles - width / 2, middles + width / 2, np.full(len(heights), np.nan)], axis=1).ravel()
    return Lines(name=name, label=label, x=x, y=np.repeat(heights, 3), width=3.0, color=color)


def table(process: np.ndarray, size: float, digits: int) -> tuple[Raster, Annotations]:
    """M (2^C, C) as numbers on shades, with so many digits."""
    n_bags, n_classes = process.shape
    codes = np.ceil(process[::-1] * 10 - 1e-9).clip(0, 10).astype(np.uint8)
    shade = Raster(name="probabilities", codes=codes, palette=SHADES, extent=(0.0, n_classes, 0.0, n_bags))
    rows, columns = np.indices(process.shape).reshape(2, -1)
    x, y = columns + 0.5, n_bags - 0.5 - rows
    texts = tuple(short(probability, digits) for probability in process.ravel())
    return shade, Annotations(name="numbers", x=x, y=y, texts=texts, size=size, halo=0.0, align="middle")


def column_frame(label: int, n_bags: int) -> Lines:
    left, right, low, high = label + 0.03, label + 0.97, 0.03, n_bags - 0.03
    return Lines(name="column", x=(left, right, right, left, left), y=(low, low, high, high, low), width=2.5)


def short(probability: float, digits: int) -> str:
    """A probability in a table: a dot for 0, and about 0 or 1 for what only rounding makes so."""
    text = f"{probability:.{digits}f}".strip("0").rstrip(".") or "0"
    if text in ("0", "1") and abs(probability - int(text)) > TIE_TOL:
        return f"≈{text}"
    return "·" if text == "0" else text
