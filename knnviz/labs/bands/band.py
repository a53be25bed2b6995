"""The band of a class, in which its decisions may turn if eta-hat is off by epsilon; its mass; and their panels."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from knnviz import regions, weights
from knnviz.labs.bands.uniform import PROBLEM, UniformError
from knnviz.labs.engine.components import Component, Input
from knnviz.labs.engine.panels import Panel
from knnviz.labs.engine.parameters import Choice, Float, within
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.sources import Field, field
from knnviz.regions import ErrorBand
from knnviz.rules import Weighted
from knnviz.views import marks, risk, style
from knnviz.views.layers import Axes, Band, Layer, Lines, Raster

CLASSES = ("class 0", "class 1", "class 2")

#: Steps of the grid that holds the weights which cover q, and none: then q covers itself, weakly.
STEPS: Mapping[str, int | None] = {"none": None, "1/20": 20, "1/50": 50, "1/100": 100, "1/200": 200}

ORIGINS = ("as set", "observed U", "Theorem 3")
REACHES = ("as printed", "tight")

#: Cells over which the mass of the band is summed.
FINE = 8000

#: Scores that differ by less are tied.
TIE = 1e-12

#: Colors of what the band holds: points of other classes, and of the class; how much of what is behind the areas hide.
TNE, FNE, OPAQUE = "#7F5539", "#6A3D9A", 0.4

#: The axis of probabilities, with room below for the strip of decisions, which stands between two heights.
HEIGHTS, STRIP = (-0.13, 1.02), (-0.13, -0.05)

#: Curves that leave the panel are drawn up to here.
FARTHEST = (-1.0, 2.0)

#: Ends of the axis of epsilon, of its panel with room for a handle, and of the axis of masses.
EPSILONS, ERROR_ENDS, TOP = (0.001, 1.0), (0.00085, 1.2), 1.05

DRAWN = np.geomspace(*EPSILONS, 81)


class Pair(NamedTuple):
    """Weights (C,) that favor a class more and less than those in use, and what is to be said of them."""

    more: Sequence[float]
    less: Sequence[float]
    note: str = ""


class ClassBand(Component):
    """The band of a class under weights q, at cells that are drawn and at fine ones over which its mass is summed."""

    q: tuple[float, ...] = Input()
    error: UniformError = Input()

    c = Choice(CLASSES[0], CLASSES).tag(
        label="class", symbol="c", group="Band", tip="The class whose decisions the band is about"
    )
    cover = Choice("1/100", STEPS).tag(
        label="cover, step", tip="q' and q'' are the nearest weights around q on a grid of this step; or q itself"
    )
    reach = Choice(REACHES[0], REACHES).tag(
        label="reach r", tip="1 + the largest weight over that of the class; or of the other weights, which is enough"
    )
    epsilon_source = Choice(ORIGINS[0], ORIGINS).tag(
        label="epsilon is", tip="A number of your own; the error in this sample; or the theorem's bound on it"
    )
    epsilon = Float(0.1, min=0, max=1, step=0.001, digits=3).tag(
        label="uniform error",
        symbol="epsilon",
        tip="How far eta-hat may be off, at any point and for any class",
        when={"epsilon_source": ORIGINS[:1]},
    )

    @property
    def cells(self) -> Field:
        return self.error.cells

    @stage
    def fine(self) -> Field:
        return field(PROBLEM, FINE)

    @property
    def code(self) -> int:
        return CLASSES.index(self.c)

    @stage(compare_values=True)
    def used(self) -> float:
        """Epsilon: as set, as observed, or as the bound has it, which is never more than 1."""
        if self.epsilon_source == ORIGINS[0]:
            return self.epsilon
        if self.epsilon_source == ORIGINS[1]:
            return self.error.observed
        return 1.0 if self.error.bound.vacuous else self.error.bound.value

    @stage
    def bare(self) -> Pair:
        return Pair(self.q, self.q)

    @stage
    def pair(self) -> Pair:
        c, m = self.code, STEPS[self.cover]
        if m is None or self.q[c] == 0:
            return self.bare
        found = weights.cover(self.q, m, c)
        if found is None or found[1, c] <= 0:
            note = f"no weights on the grid of step {self.cover} cover q, so q' = q'' = q here"
            return self.bare._replace(note=note)
        return Pair(*found.tolist())

    def around(self, eta: np.ndarray, epsilon: float, pair: Pair) -> ErrorBand:
        """The band at points of eta (m, C); without weight it holds all."""
        if pair.less[self.code] == 0:
            far = np.full(len(eta), np.inf)
            return ErrorBand(-far, far, np.ones(len(eta), bool))
        return regions.error_band(eta, epsilon, pair.more, pair.less, self.code, tight=self.reach == REACHES[1])

    @stage
    def edges(self) -> ErrorBand:
        return self.around(self.cells.eta, self.used, self.pair)

    @stage
    def threshold(self) -> np.ndarray:
        """What eta of the class must reach there for q to decide for it."""
        return self.around(self.cells.eta, 0.0, self.bare).lower

    @stage
    def decisions(self) -> np.ndarray:
        return Weighted(self.q).decide(self.cells.eta)

    @stage
    def class_eta(self) -> np.ndarray:
        return self.fine.eta[:, self.code]

    def since(self, pair: Pair) -> np.ndarray:
        """From which epsilon on fine cells (m,) are in the band: its edges move in proportion to epsilon."""
        low, high = (self.around(self.fine.eta, epsilon, pair) for epsilon in (0.0, 1.0))
        if np.isinf(low.upper[0]):
            return np.zeros(len(self.class_eta))
        below = (low.lower - self.class_eta) / (low.lower - high.lower)
        above = (self.class_eta - low.upper) / (high.upper - low.upper)
        return np.maximum(np.maximum(below, above), 0)

    @stage
    def starts(self) -> np.ndarray:
        return self.since(self.pair)

    @stage
    def bare_starts(self) -> np.ndarray:
        return self.since(self.bare)

    @stage
    def mass(self) -> tuple[float, float]:
        tne, fne = masses(np.array([self.used]), self.starts, self.class_eta)
        return float(tne[0]), float(fne[0])

    @stage
    def floor(self) -> float:
        """What the band holds at epsilon 0, because q' and q'' are not q."""
        return float(np.sum(masses(np.zeros(1), self.starts, self.class_eta)))

    @stage
    def numbers(self) -> dict[str, Any]:
        (tne, fne), pair = self.mass, self.pair
        around = {name: tuple(np.round(getattr(pair, name), 6).tolist()) for name in ("more", "less")}
        return {"epsilon": self.used, "tne": tne, "fne": fne, "floor": self.floor, **around}


class BandPanel(Panel):
    """eta of the class with the band around its threshold, and what lies in it."""

    band: ClassBand = Input()

    def axes(self) -> Axes:
        ticks = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
        return Axes("band", f"Band of {self.band.c}", "x", "probability", (0, 1), HEIGHTS, yticks=ticks)

    def layers(self) -> Iterator[Layer]:
        draw, band, cells = self.draw, self.band, self.band.cells
        yield draw(areas, cells, band.edges, band.code)
        yield draw(curves, cells, band.threshold, band.edges, band.code)
        yield draw(strip, band.decisions)

    def alt_text(self) -> str:
        band, inside = self.band, self.band.edges.inside
        edges = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(int))) / len(inside)
        stretches = ", ".join(f"{low:.3f} to {high:.3f}" for low, high in edges.reshape(-1, 2))
        fractions = np.bincount(band.decisions, minlength=len(CLASSES)) / len(band.decisions)
        decided = ", ".join(f"{fraction:.1%} for {name}" for fraction, name in zip(fractions, CLASSES, strict=True))
        return (
            f"Band of {band.c} at epsilon = {band.used:.4g}: eta is inside on {inside.mean():.1%} of the line"
            f"{f' ({stretches})' if stretches else ''}. Decisions: {decided}."
        )


class MassPanel(Panel):
    """The mass of the band over epsilon, which can be dragged."""

    band: ClassBand = Input()

    def axes(self) -> Axes:
        return Axes("errors", "Mass of the band", "epsilon", "tne + fne", ERROR_ENDS, (0, TOP), log=True)

    def layers(self) -> Iterator[Layer]:
        draw, band = self.draw, self.band
        yield draw(errors, band.starts, band.bare_starts, band.class_eta, band.floor)
        yield draw(marks.upright, band.error.observed, TOP, "observed", "observed U", style.MUTED, (9, 3, 2, 3))
        yield draw(marks.upright, band.error.bound.value, TOP, "promised", "Theorem 3", style.MUTED, (7, 3))
        # At the edge of the panel where it is smaller than all on the axis.
        at, height = max(band.used, EPSILONS[0]), sum(band.mass)
        spoken = f"epsilon = {band.used:.3g}, mass of the band {height:.3f}"
        yield draw(marks.handle, at, EPSILONS, TOP, "ε", spoken)
        yield draw(marks.dot, at, height)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"epsilon": within(float(f"{x:.3g}"), EPSILONS), "epsilon_source": ORIGINS[0]}


def masses(epsilons: np.ndarray, starts: np.ndarray, eta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """tne and fne (J,) at ascending epsilons (J,): cells of eta (m,) are in the band from ``starts`` on."""
    size, first = len(epsilons), np.searchsorted(epsilons, starts - TIE)
    tne, fne = (np.cumsum(np.bincount(first, part, size + 1)[:size]) / len(eta) for part in (1 - eta, eta))
    return tne, fne


def areas(cells: Field, band: ErrorBand, c: int) -> tuple[Band, Band]:
    """Where eta of class c is in the band: the area below it is fne, the area above it tne."""
    x, y = cells.grid.points[:, 0], np.where(band.inside, cells.eta[:, c], np.nan)
    return (
        Band(name="fne", label=f"fne: class {c}", x=x, lower=0 * y, upper=y, color=FNE, opacity=OPAQUE),
        Band(name="tne", label="tne: other classes", x=x, lower=y, upper=1 + 0 * y, color=TNE, opacity=OPAQUE),
    )


def curves(cells: Field, threshold: np.ndarray, edges: ErrorBand, c: int) -> list[Lines]:
    each: tuple[tuple[str, str, np.ndarray, str, float, tuple[float, ...]], ...] = (
        ("threshold", f"threshold t of class {c}", threshold, style.MUTED, 1.2, ()),
        ("upper", "upper edge t'' + ε r''", edges.upper, style.INK, 2.0, (7, 3)),
        ("lower", "lower edge t' - ε r'", edges.lower, style.INK, 2.0, (2, 3)),
        ("eta", f"eta of class {c}", cells.eta[:, c], style.class_color(c), 3.0, ()),
    )
    x = cells.grid.points[:, 0]
    return [
        Lines(name=name, label=label, x=x, y=y.clip(*FARTHEST), color=color, width=width, dash=dash)
        for name, label, y, color, width, dash in each
    ]


def strip(decisions: np.ndarray) -> Raster:
    codes, palette = decisions[None].astype(np.uint8), style.palette(len(CLASSES))
    labels = tuple(f"decision: {name}" for name in CLASSES)
    return Raster(name="decisions", codes=codes, palette=palette, labels=labels, extent=(0.0, 1.0, *STRIP))


def errors(starts: np.ndarray, bare: np.ndarray, eta: np.ndarray, floor: float) -> tuple[Layer, ...]:
    """fne over epsilon and tne on top of it, as for ``masses``; their sum for q' = q'' = q, and what is there at 0."""
    tne, fne = masses(DRAWN, starts, eta)
    uncovered = np.sum(masses(DRAWN, bare, eta), axis=0)
    return (
        Band(name="fne", label="fne", x=DRAWN, lower=0, upper=fne, color=FNE, opacity=OPAQUE),
        Band(name="tne", label="tne", x=DRAWN, lower=fne, upper=fne + tne, color=TNE, opacity=OPAQUE),
        Lines(name="uncovered", label="q' = q'' = q", x=DRAWN, y=uncovered, dash=(7, 3)),
        risk.level(floor, EPSILONS, "floor", "at epsilon 0", (2, 3), style.MUTED),
    )
