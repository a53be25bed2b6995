"""The band of a class, its mass, and their panels."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from knnviz import regions, weights
from knnviz.labs.bands.uniform import PROBLEM, UniformError
from knnviz.labs.old_engine import Choice, Component, Float, Input, Panel, stage, within
from knnviz.labs.old_parts.sources import Field, field
from knnviz.regions import ErrorBand
from knnviz.rules import Weighted
from knnviz.views import marks, risk, style
from knnviz.views.layers import Axes, Band, Layer, Lines, Raster, runs

CLASSES = ("class 0", "class 1", "class 2")

#: Steps from 0 to 1 of the grid from which the cover q', q'' is chosen, by option; for none both are q.
COVER_STEPS: Mapping[str, int | None] = {"none": None, "1/20": 20, "1/50": 50, "1/100": 100, "1/200": 200}

AS_SET, OBSERVED, GUARANTEED = EPSILON_SOURCES = ("as set", "observed U", "Theorem 3")
PRINTED, TIGHT = WIDTH_FACTORS = ("as printed", "tight")

#: Number of cells over which the mass of the band is summed.
FINE_GRID = 8000

#: Epsilons that differ by less are equal.
TIE_TOL = 1e-12

#: Colors of tne and of fne, and the opacity of both.
TNE_COLOR, FNE_COLOR, OPACITY = "#7F5539", "#6A3D9A", 0.4

#: Limits of the axis of probabilities, and of the strip of decisions below 0.
HEIGHTS, STRIP = (-0.13, 1.02), (-0.13, -0.05)

#: Curves are clipped to this range, beyond the panel.
CLIP_RANGE = (-1.0, 2.0)

#: Limits of a dragged epsilon and of its axis, which leaves room for a handle, and the upper end of the axis of masses.
EPSILON_LIMITS, EPSILON_AXIS, TOP = (0.001, 1.0), (0.00085, 1.2), 1.05

#: The epsilons at which masses are drawn.
DRAWN_EPSILONS = np.geomspace(*EPSILON_LIMITS, 81)


class WeightPair(NamedTuple):
    """The weights (C,) q' (``more``) and q'' (``less``), and a note for the readout."""

    more: Sequence[float]
    less: Sequence[float]
    note: str = ""


class ClassBand(Component):
    """The band of a class under weights q, at the cells drawn and at fine cells, over which its mass is summed."""

    q: tuple[float, ...] = Input()
    uniform_error: UniformError = Input()

    #: The class whose decisions the band is about.
    c = Choice(CLASSES[0], CLASSES).tag(
        label="class", symbol="c", group="Band", tip="The band is where decisions for or against this class may change"
    )
    cover = Choice("1/100", COVER_STEPS).tag(
        label="cover's grid step",
        tip="q' and q'', on a grid of this step, favor the class slightly more and less than q does; none: both are q",
    )
    width_factor = Choice(PRINTED, WIDTH_FACTORS).tag(
        label="width factor r",
        tip="How far an edge moves per epsilon: 1 + largest weight / weight of c; tight: largest of the others",
    )
    epsilon_source = Choice(AS_SET, EPSILON_SOURCES).tag(
        label="epsilon is",
        tip="Epsilon is the number you set, the error U observed in this sample, or Theorem 3's bound on U",
    )
    epsilon = Float(0.1, min=0, max=1, step=0.001, digits=3).tag(
        label="uniform error",
        symbol="epsilon",
        tip="Largest error of eta-hat, over all points and classes",
        when={"epsilon_source": (AS_SET,)},
    )

    @property
    def cells(self) -> Field:
        """The cells of the line: their grid, measure and eta (m, C)."""
        return self.uniform_error.cells

    @stage
    def fine_cells(self) -> Field:
        return field(PROBLEM, FINE_GRID)

    @property
    def class_index(self) -> int:
        return CLASSES.index(self.c)

    @stage(compare_values=True)
    def epsilon_in_use(self) -> float:
        """Epsilon as set, as observed in the sample, or as the bound guarantees it, at most 1."""
        if self.epsilon_source == AS_SET:
            return self.epsilon
        if self.epsilon_source == OBSERVED:
            return self.uniform_error.observed
        return self.uniform_error.guaranteed

    @stage
    def trivial_pair(self) -> WeightPair:
        """Without a cover: q' = q'' = q."""
        return WeightPair(self.q, self.q)

    @stage
    def pair(self) -> WeightPair:
        c, steps = self.class_index, COVER_STEPS[self.cover]
        if steps is None or self.q[c] == 0:
            return self.trivial_pair
        found = weights.cover(self.q, steps, c)
        if found is None or found[1, c] <= 0:
            note = f"no weights on the grid of step {self.cover} cover q, so q' = q'' = q here"
            return self.trivial_pair._replace(note=note)
        return WeightPair(*found.tolist())

    def band_at(self, eta: np.ndarray, epsilon: float, pair: WeightPair) -> ErrorBand:
        """The band at points of eta (m, C); of a class without weight it holds all points."""
        if pair.less[self.class_index] == 0:
            far = np.full(len(eta), np.inf)
            return ErrorBand(-far, far, np.ones(len(eta), bool))
        return regions.error_band(
            eta, epsilon, pair.more, pair.less, self.class_index, tight=self.width_factor == TIGHT
        )

    @stage
    def drawn_band(self) -> ErrorBand:
        """The band at the cells drawn."""
        return self.band_at(self.cells.eta, self.epsilon_in_use, self.pair)

    @stage
    def threshold(self) -> np.ndarray:
        """The threshold of the class under q, at the cells drawn."""
        return self.band_at(self.cells.eta, 0.0, self.trivial_pair).lower

    @stage
    def decisions(self) -> np.ndarray:
        return Weighted(self.q).decide(self.cells.eta)

    @stage
    def class_eta(self) -> np.ndarray:
        """eta (m,) of the class at the fine cells."""
        return self.fine_cells.eta[:, self.class_index]

    def entry_epsilons_of(self, pair: WeightPair) -> np.ndarray:
        """Smallest epsilon at which each fine cell (m,) is in the band, whose edges are linear in epsilon."""
        at_0, at_1 = (self.band_at(self.fine_cells.eta, epsilon, pair) for epsilon in (0.0, 1.0))
        if np.isinf(at_0.upper[0]):
            return np.zeros(len(self.class_eta))
        below = (at_0.lower - self.class_eta) / (at_0.lower - at_1.lower)
        above = (self.class_eta - at_0.upper) / (at_1.upper - at_0.upper)
        return np.maximum(np.maximum(below, above), 0)

    @stage
    def entry_epsilons(self) -> np.ndarray:
        return self.entry_epsilons_of(self.pair)

    @stage
    def trivial_entry_epsilons(self) -> np.ndarray:
        return self.entry_epsilons_of(self.trivial_pair)

    @stage
    def mass(self) -> tuple[float, float]:
        """tne and fne."""
        tne, fne = masses(np.array([self.epsilon_in_use]), self.entry_epsilons, self.class_eta)
        return float(tne[0]), float(fne[0])

    @stage
    def mass_at_zero(self) -> float:
        """Mass of the band at epsilon 0, between the thresholds of q' and q''."""
        return float(np.sum(masses(np.zeros(1), self.entry_epsilons, self.class_eta)))

    @stage
    def numbers(self) -> dict[str, Any]:
        (tne, fne), pair = self.mass, self.pair
        cover = {name: tuple(np.round(getattr(pair, name), 6).tolist()) for name in ("more", "less")}
        return {"epsilon": self.epsilon_in_use, "tne": tne, "fne": fne, "mass_at_zero": self.mass_at_zero, **cover}


class BandPanel(Panel):
    """eta of the class, the band around its threshold, and the mass inside."""

    band: ClassBand = Input()

    def axes(self) -> Axes:
        ticks = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
        return Axes("band_panel", f"Band of {self.band.c}", "x", "probability", (0, 1), HEIGHTS, yticks=ticks)

    def layers(self) -> Iterator[Layer]:
        draw, band, cells = self.draw, self.band, self.band.cells
        yield draw(areas, cells, band.drawn_band, band.class_index)
        yield draw(curves, cells, band.threshold, band.drawn_band, band.class_index)
        yield draw(strip, band.decisions)

    def alt_text(self) -> str:
        band, inside = self.band, self.band.drawn_band.inside
        intervals = runs(inside[None])[:, 1:] / len(inside)
        stretches = ", ".join(f"{low:.3f} to {high:.3f}" for low, high in intervals)
        fractions = np.bincount(band.decisions, minlength=len(CLASSES)) / len(band.decisions)
        decided = ", ".join(f"{fraction:.1%} for {name}" for fraction, name in zip(fractions, CLASSES, strict=True))
        return (
            f"Band of {band.c} at epsilon = {band.epsilon_in_use:.4g}: eta is inside on {inside.mean():.1%} of the line"
            f"{f' ({stretches})' if stretches else ''}. Decisions: {decided}."
        )


class MassPanel(Panel):
    """The mass of the band over epsilon, which can be dragged."""

    band: ClassBand = Input()

    def axes(self) -> Axes:
        return Axes("mass_panel", "Mass of the band", "epsilon", "mass, tne + fne", EPSILON_AXIS, (0, TOP), log=True)

    def layers(self) -> Iterator[Layer]:
        draw, band = self.draw, self.band
        yield draw(mass_curves, band.entry_epsilons, band.trivial_entry_epsilons, band.class_eta, band.mass_at_zero)
        yield draw(
            marks.vertical_line, band.uniform_error.observed, TOP, "observed", "observed U", style.MUTED, (9, 3, 2, 3)
        )
        yield draw(marks.vertical_line, band.uniform_error.bound.value, TOP, "bound", "Theorem 3", style.MUTED, (7, 3))
        # At the edge of the panel where it is smaller than all on the axis.
        at, height = max(band.epsilon_in_use, EPSILON_LIMITS[0]), sum(band.mass)
        spoken = f"epsilon = {band.epsilon_in_use:.3g}, mass of the band {height:.3f}"
        yield draw(marks.handle, at, EPSILON_LIMITS, TOP, "ε", spoken)
        yield draw(marks.dot, at, height)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"epsilon": within(float(f"{x:.3g}"), EPSILON_LIMITS), "epsilon_source": AS_SET}


def masses(epsilons: np.ndarray, entry_epsilons: np.ndarray, eta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """tne and fne (J,) at ascending epsilons (J,), where cells of eta (m,) enter the band at ``entry_epsilons``."""
    size, first = len(epsilons), np.searchsorted(epsilons, entry_epsilons - TIE_TOL)
    tne, fne = (np.cumsum(np.bincount(first, mass, size + 1)[:size]) / len(eta) for mass in (1 - eta, eta))
    return tne, fne


def areas(cells: Field, band: ErrorBand, c: int) -> tuple[Band, Band]:
    """Areas where eta of class c is in the band: fne below the curve of eta, tne above it."""
    x, y = cells.grid.points[:, 0], np.where(band.inside, cells.eta[:, c], np.nan)
    return (
        Band(name="fne", label=f"fne: class {c}", x=x, lower=0 * y, upper=y, color=FNE_COLOR, opacity=OPACITY),
        Band(name="tne", label="tne: other classes", x=x, lower=y, upper=1 + 0 * y, color=TNE_COLOR, opacity=OPACITY),
    )


def curves(cells: Field, threshold: np.ndarray, edges: ErrorBand, c: int) -> list[Lines]:
    def curve(y: np.ndarray, **line_style: Any) -> Lines:
        return Lines(x=cells.grid.points[:, 0], y=y.clip(*CLIP_RANGE), **line_style)

    return [
        curve(threshold, name="threshold", label=f"threshold t of class {c}", color=style.MUTED, width=1.2),
        curve(edges.upper, name="upper", label="upper edge t'' + ε r''", dash=(7, 3)),
        curve(edges.lower, name="lower", label="lower edge t' - ε r'", dash=(2, 3)),
        curve(cells.eta[:, c], name="eta", label=f"eta of class {c}", color=style.class_color(c), width=3.0),
    ]


def strip(decisions: np.ndarray) -> Raster:
    codes, palette = decisions[None].astype(np.uint8), style.palette(len(CLASSES))
    labels = tuple(f"decision: {name}" for name in CLASSES)
    return Raster(name="decisions", codes=codes, palette=palette, labels=labels, extent=(0.0, 1.0, *STRIP))


def mass_curves(entry_epsilons: np.ndarray, trivial: np.ndarray, eta: np.ndarray, at_zero: float) -> tuple[Layer, ...]:
    """fne over epsilon with tne on top, as from ``masses``; their sum for q' = q'' = q; and the mass at epsilon 0."""
    x = DRAWN_EPSILONS
    tne, fne = masses(x, entry_epsilons, eta)
    uncovered = np.sum(masses(x, trivial, eta), axis=0)
    return (
        Band(name="fne", label="fne: the class", x=x, lower=0, upper=fne, color=FNE_COLOR, opacity=OPACITY),
        Band(name="tne", label="tne: other classes", x=x, lower=fne, upper=fne + tne, color=TNE_COLOR, opacity=OPACITY),
        Lines(name="uncovered", label="q' = q'' = q", x=x, y=uncovered, dash=(7, 3)),
        risk.level(at_zero, EPSILON_LIMITS, "at_zero", "at epsilon 0", (2, 3), style.MUTED),
    )
