"""The panels: the simplex of eta, M as a table, fractions at eta, what follows in words, and the bags at eta."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.labs.learnability.process import (
    BAG_NAMES,
    ETA_NAMES,
    LABEL_NAMES,
    SAME_BAGS,
    SWAPPED,
    ChosenProcess,
    Findings,
)
from knnviz.labs.old_engine import Input, Panel, stage, within
from knnviz.labs.old_parts.bars import bars, ticks
from knnviz.labs.old_parts.class_weights import GRID_STEPS, ROUNDING
from knnviz.labs.old_parts.text_panel import TextPanel
from knnviz.learnability import (
    best,
    cooccurrence,
    frequency,
    indistinguishable_etas,
    largest_score_polygon,
    least_theta,
    same_best_labels,
)
from knnviz.learnability.conditions import SCORE_TOL
from knnviz.views import landscape, marks, style, triangle
from knnviz.views.entries import category_axes
from knnviz.views.layers import Annotations, Axes, Extent, Fill, Layer, Lines, Points, Raster
from knnviz.weights import to_simplex

#: Limits of the axes over the segment, with room for a marker at an end.
LIMITS = (-0.03, 1.03)

#: Possible upper ends of the axis of bags.
TOPS = (0.25, 0.5, 0.75, 1.03)

#: Width of all bars of a label or bag together, and of the colored part of each.
GROUP_WIDTH, FILLED = 0.8, 0.94

#: Font sizes and decimals in the table of M, on a screen and in a lecture hall.
NUMBER_SIZES, DECIMALS = (14.0, 12.0), (3, 2)

#: Number of cells of the segment of two labels, and their extent.
CELLS, SEGMENT_EXTENT = 200, (0.0, 1.0, 0.0, 1.0)

#: Half the height of a cell of the triangle of three labels, half as wide as high; and the extent of all cells.
HALF_CELL = 0.5 / landscape.GRID_STEPS
TRIANGLE_EXTENT = (-HALF_CELL / 2, 1 + HALF_CELL / 2, -HALF_CELL, 1 + HALF_CELL)

#: Color of the other world.
OTHER_COLOR = style.CLASS_COLORS[4]

#: Shades of a probability, from 0 to 1 in tenths; ink is readable on all.
SHADES = tuple(style.tint(style.CLASS_COLORS[5], depth) for depth in np.linspace(0, 0.9, 11))


class Simplex(Panel):
    """The best label of each eta, where counting errs, and two eta with the same bags, on a triangle or a segment."""

    process: ChosenProcess = Input()
    findings: Findings = Input()

    def axes(self) -> Axes:
        title = "Where counting errs"
        if self.process.n_classes == 3:
            return Axes("simplex", title, "", "", triangle.X_LIMITS, triangle.Y_LIMITS, bare=True)
        ticks = 0.0, 0.2, 0.4, 0.6, 0.8, 1.0
        return Axes("simplex", title, "P(y = 0 | x)", "fraction", LIMITS, LIMITS, xticks=ticks, yticks=(0.0, 0.5, 1.0))

    def layers(self) -> Iterator[Layer]:
        draw, matrix, found = self.draw, self.process.matrix, self.findings
        yield draw(regions, self.process.n_classes)
        yield draw(counting_errs, matrix)
        if self.process.n_classes == 2:
            yield draw(frequency_lines, matrix)
        else:
            yield draw(triangle.grid_lines)
            yield draw(triangle.sides)
            yield draw(triangle.corners, LABEL_NAMES)
            yield draw(borders, matrix)
        yield draw(same_bags, matrix)
        yield draw(misaligned_eta, found.misaligned_eta)
        if found.other is not None:
            yield draw(other_eta, found.other.eta, self.process.eta)
        yield draw(handle, self.process.eta, found.other and found.other.eta)

    def alt_text(self) -> str:
        n_classes, model = self.process.n_classes, self.process.model
        return f"Bags of {n_classes} labels, {model}, at P(y | x) = {vector_text(self.process.eta)}."

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        at = list(triangle.weights_at(x, y)) if self.process.n_classes == 3 else [x, 1 - x]
        return dict(zip(ETA_NAMES, to_simplex(at, GRID_STEPS).round(12).tolist(), strict=False))


class Table(Panel):
    """M as a table of numbers."""

    process: ChosenProcess = Input()

    def axes(self) -> Axes:
        bags, labels = BAG_NAMES[: len(self.process.matrix)][::-1], tuple(map(str, range(self.process.n_classes)))
        axes = Axes("process", "Process M", "true label", "bag", (0, len(labels)), (0, len(bags)))
        xticks, yticks = (tuple(at + 0.5 for at in range(len(names))) for names in (labels, bags))
        return replace(axes, xticks=xticks, xnames=labels, yticks=yticks, ynames=bags)

    def layers(self) -> Iterator[Layer]:
        matrix, on_projector = self.process.matrix, self.lab.on_projector
        yield self.draw(table, matrix, NUMBER_SIZES[on_projector], DECIMALS[on_projector])
        yield self.draw(column_frame, int(self.process.column[-1]), len(matrix))

    def alt_text(self) -> str:
        names = [name if name == "∅" else f"{{{name}}}" for name in BAG_NAMES]
        columns = (
            ", ".join(f"{name} {value:.3g}" for name, value in zip(names, column, strict=False) if value)
            for column in self.process.matrix.T
        )
        return f"Bags {'; '.join(f'if label {c} is true: {column}' for c, column in enumerate(columns))}."

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"column": f"label {int(within(np.floor(x), (0, self.process.n_classes - 1)))}"}


class LabelBars(Panel):
    """eta_y and P(S_y | x) side by side, with eta in the other world and fractions of the sample."""

    findings: Findings = Input()

    def axes(self) -> Axes:
        names = tuple(map(str, range(self.findings.process.n_classes)))
        axes = category_axes("fractions", "Fractions at η", "fraction", names)
        return replace(axes, xlabel="label", ylim=(0, 1.03), legend_columns=1)

    def layers(self) -> Iterator[Layer]:
        draw, here, other, sample = self.draw, self.findings.process.world, self.findings.other, self.findings.sample
        width, colors = GROUP_WIDTH / 2, style.palette(self.findings.process.n_classes)
        pale = tuple(style.tint(color, 0.45) for color in colors)
        yield draw(bars, "truth", here.eta, -width / 2, FILLED * width, pale, "P(y | x)")
        yield draw(bars, "frequency", here.frequency, width / 2, FILLED * width, colors, "P(in bag)")
        if other is not None:
            yield draw(ticks, "other_truth", "other world", other.eta, -width / 2, width, OTHER_COLOR)
        if sample.frequency is not None:
            yield draw(ticks, "sample_frequency", "in the sample", sample.frequency, width / 2, width)

    def alt_text(self) -> str:
        pairs = zip(self.findings.process.world.eta, self.findings.process.world.frequency, strict=True)
        by_label = (f"label {c}: {eta:.3g} and {frequency:.3g}" for c, (eta, frequency) in enumerate(pairs))
        return f"P(y | x) and how often a bag holds y: {'; '.join(by_label)}."


class Conclusions(TextPanel):
    """What follows from the bags, with a tick or a cross before each line."""

    title = "What follows"
    font_sizes = (15.0, 12.0)

    findings: Findings = Input()

    def conclusions(self) -> Iterator[tuple[str, bool]]:
        """Each line, and whether it has a tick."""
        found, here, n_classes = self.findings, self.findings.process.world, self.findings.process.n_classes
        full_rank = found.rank == n_classes
        yield f"rank {found.rank} of {n_classes}: η {'' if full_rank else 'not '}identifiable", full_rank
        wrong_at = found.misaligned_eta
        where = "aligned at every η" if wrong_at is None else f"not aligned at η = {vector_text(wrong_at)}"
        yield where, wrong_at is None
        cost = "" if found.theta <= SCORE_TOL else f", costs {found.theta:.3g}"
        labels = f"best {best_labels(here.eta, '/')}, in most bags {best_labels(here.frequency, '/')}"
        yield f"here: {labels}{cost}", bool(same_best_labels(here.frequency, here.eta))
        if found.decoded is None:
            yield "least squares not unique", False
        else:
            source = "least squares gives" if found.sample.bag_fractions is None else "the sample gives"
            yield f"{source} {vector_text(found.decoded)}", bool(best(here.eta)[found.decoded.argmax()])
        if found.other is not None:
            same_best = bool(same_best_labels(found.other.eta, here.eta))
            yield f"same bags, other world: best {best_labels(found.other.eta)}", same_best
        elif found.beside == SWAPPED:
            yield "nothing to swap here", True
        elif found.beside == SAME_BAGS:
            yield "no other η has these bags", True

    @stage
    def lines(self) -> tuple[tuple[str, str], ...]:
        return tuple((f"{'✓' if ticked else '✗'} {text}", style.INK) for text, ticked in self.conclusions())


class BagBars(Panel):
    """The distribution of bags in this world and in the other one, and their fractions in the sample."""

    findings: Findings = Input()

    def axes(self) -> Axes:
        bags, sampled = self.findings.process.world.bag_distribution, self.findings.sample.bag_fractions
        tallest = max(bags.max(), 0.0 if sampled is None else sampled.max())
        top = next((top for top in TOPS if tallest <= 0.97 * top), TOPS[-1])
        axes = category_axes("bags", "Bags at η", "fraction", BAG_NAMES[: len(bags)])
        return replace(axes, xlabel="labels in the bag", ylim=(0, top), yticks=())

    def layers(self) -> Iterator[Layer]:
        draw, other, color = self.draw, self.findings.other, (style.CLASS_COLORS[5],)
        bags, sampled = self.findings.process.world.bag_distribution, self.findings.sample.bag_fractions
        width, left = (GROUP_WIDTH, 0.0) if other is None else (GROUP_WIDTH / 2, -GROUP_WIDTH / 4)
        yield draw(bars, "distribution", bags, left, FILLED * width, color, "this world" if other else "")
        if other is not None:
            others = other.bag_distribution
            yield draw(bars, "other_distribution", others, -left, FILLED * width, (OTHER_COLOR,), "other world")
        if sampled is not None:
            yield draw(ticks, "drawn", "in the sample", sampled, left, width)


def vector_text(values: np.ndarray) -> str:
    return f"({', '.join(f'{value:.3g}' for value in np.round(values, 3) + 0.0)})"


def best_labels(scores: np.ndarray, separator: str = " or ") -> str:
    return separator.join(map(str, np.flatnonzero(best(scores))))


def eta_at_cells(n_classes: int) -> np.ndarray:
    """The eta (m, C) at the cells of the segment or of the triangle."""
    if n_classes == 3:
        return landscape.GRID
    first = (np.arange(CELLS) + 0.5) / CELLS
    return np.stack([first, 1 - first], axis=1)


def cells(values: np.ndarray, n_classes: int, outside: int | bool) -> tuple[np.ndarray, Extent]:
    """Values (m,) at ``eta_at_cells`` as rows and columns, with one value outside the triangle, and their extent."""
    if n_classes == 2:
        return values[None], SEGMENT_EXTENT
    index = landscape.grid_index(landscape.GRID_STEPS)
    return np.where(index >= 0, values[index], outside), TRIANGLE_EXTENT


def regions(n_classes: int) -> Raster:
    codes, extent = cells(eta_at_cells(n_classes).argmax(axis=1), n_classes, n_classes)
    palette = (*style.region_palette(n_classes), landscape.TRANSPARENT)
    labels = tuple(f"best: {c}" for c in range(n_classes))
    return Raster(name="regions", codes=codes.astype(np.uint8), palette=palette, extent=extent, labels=labels)


def counting_errs(process: np.ndarray) -> Fill:
    n_classes, eta = process.shape[1], eta_at_cells(process.shape[1])
    wrong, extent = cells(least_theta(frequency(process, eta), eta) > SCORE_TOL, n_classes, False)
    return Fill(name="misled", label="counting errs", cells=wrong, extent=extent, hatch="\\")


def borders(process: np.ndarray) -> Lines:
    """Borders in the triangle between eta with different labels in most bags, for M (8, 3)."""
    polygons, borders = [largest_score_polygon(cooccurrence(process), label) for label in range(3)], {}
    for polygon in polygons:
        for ends in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            on_side_of_triangle = (np.maximum(*ends) < ROUNDING).any()
            if not on_side_of_triangle:
                # Two polygons share a border, and dashes drawn twice would make a solid line.
                borders[frozenset(tuple((end.round(9) + 0.0).tolist()) for end in ends)] = ends
    separate = [np.stack([*ends, np.full(3, np.nan)]) for ends in borders.values()]
    x, y = triangle.positions(np.concatenate([*separate, np.empty((0, 3))])).T
    return Lines(name="borders", label="counting changes", x=x, y=y, width=2.5, dash=(7, 4))


def frequency_lines(process: np.ndarray) -> list[Lines]:
    """P(S_y | x) of two labels over the segment, for M (4, 2)."""
    return [
        Lines(name=f"held{y}", label=f"P(bag holds {y})", x=(0, 1), y=row[::-1], color=style.class_color(y), width=3.0)
        for y, row in enumerate(cooccurrence(process))
    ]


def position(eta: np.ndarray) -> tuple[float, float]:
    """Position of an eta (C,) in the triangle, or on the segment, there at the height of handles."""
    if len(eta) == 2:
        return float(eta[0]), marks.HANDLE_HEIGHT
    x, y = triangle.positions(eta)
    return float(x), float(y)


def handle(eta: np.ndarray, other: np.ndarray | None = None) -> tuple[Layer, ...]:
    """eta (C,) as a cross to drag, on the segment with a line; its name is on the side away from the ``other`` eta."""
    x, y = position(eta)
    spoken = ", ".join(f"label {c} {fraction:.3g}" for c, fraction in enumerate(eta))
    on_left = len(eta) == 2 and x > 0.5 if other is None else position(other)[0] >= x
    cross = Annotations(name="eta", x=x, y=y, texts=("η",), size=18, cross=18, align="right" if on_left else "left")
    line = (marks.vertical_line(x, 1.0, "at_eta", None, style.INK),) if len(eta) == 2 else ()
    return *line, replace(cross, handles=("P(y | x)",), spoken=(spoken,))


def other_eta(eta: np.ndarray, here: np.ndarray) -> Annotations:
    """eta (C,) of the other world, its name on the side away from the eta ``here``."""
    x, y = position(eta)
    align = "right" if x < position(here)[0] else "left"
    return Annotations(name="other_eta", x=x, y=y, texts=("η′",), color=OTHER_COLOR, size=18, cross=14, align=align)


def same_bags(process: np.ndarray) -> tuple[Lines, Points]:
    """Two eta that the bags of M (2^C, C) cannot tell apart, joined; nothing if there are none."""
    x, y = np.array([position(eta) for eta in indistinguishable_etas(process) or ()]).reshape(-1, 2).T
    dots = marks.dot(x, y, "pair", "the same bags", style.INK, 1, 15.0)
    return Lines(name="pair_line", x=x, y=y, width=2.0, dash=(2, 4)), dots


def misaligned_eta(eta: np.ndarray | None) -> Points:
    x, y = np.array([] if eta is None else [position(eta)]).reshape(-1, 2).T
    return marks.dot(x, y, "witness", "not aligned here", style.CLASS_COLORS[7], 3, 11.0)


def table(process: np.ndarray, size: float, decimals: int) -> tuple[Raster, Annotations]:
    """M (2^C, C) as numbers with so many ``decimals``, on shades."""
    n_bags, n_classes = process.shape
    codes = np.ceil(process[::-1] * 10 - 1e-9).clip(0, 10).astype(np.uint8)
    shade = Raster(name="probabilities", codes=codes, palette=SHADES, extent=(0.0, n_classes, 0.0, n_bags))
    rows, columns = np.indices(process.shape).reshape(2, -1)
    x, y = columns + 0.5, n_bags - 0.5 - rows
    texts = tuple(entry_text(probability, decimals) for probability in process.ravel())
    return shade, Annotations(name="numbers", x=x, y=y, texts=texts, size=size, halo=0.0, align="middle")


def column_frame(label: int, n_bags: int) -> Lines:
    left, right, low, high = label + 0.03, label + 0.97, 0.03, n_bags - 0.03
    return Lines(name="column", x=(left, right, right, left, left), y=(low, low, high, high, low), width=2.5)


def entry_text(probability: float, decimals: int) -> str:
    """A probability in the table: a dot for 0, and "≈0" or "≈1" for one that is only rounded to it."""
    text = f"{probability:.{decimals}f}".strip("0").rstrip(".") or "0"
    if text in ("0", "1") and abs(probability - int(text)) > SCORE_TOL:
        return f"≈{text}"
    return "·" if text == "0" else text
