"""BandLab: how far confusion entries may be off for all weights at once, and what a theorem promises of eta-hat."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from knnviz import regions, weights
from knnviz.bounds import khim
from knnviz.labs.engine.parameters import Choice, Float, within
from knnviz.labs.engine.scenes import Preset
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.sources import Field, field
from knnviz.labs.sheets import Sheet
from knnviz.labs.simplex import SimplexLab
from knnviz.labs.uniform import PROBLEM, UniformLab
from knnviz.regions import ErrorBand
from knnviz.rules import Weighted
from knnviz.views import bands as band_view
from knnviz.views import marks, style
from knnviz.views.layers import Axes, Layer, Panel

#: The class that the band is drawn for.
CLASSES = ("class 0", "class 1", "class 2")

#: Steps of the grid that holds the weights which cover q, and none: then q covers itself, weakly.
STEPS: Mapping[str, int | None] = {"none": None, "1/20": 20, "1/50": 50, "1/100": 100, "1/200": 200}

#: Where epsilon comes from.
ORIGINS = ("as set", "observed U", "Theorem 3")

#: How the reach r of the band is taken.
REACHES = ("as printed", "tight")

#: Cells over which the mass of the band is summed.
FINE = 8000

#: Places on the axis of epsilon, and where the axis of the band's mass ends.
EPSILONS, TOP = np.geomspace(*band_view.EPSILONS, 81), 1.05

#: Scores that differ by less are tied.
TIE = 1e-12

SCREEN = Sheet(
    (920, 690),
    more={"band": (66, 40, 400, 420), "errors": (540, 40, 366, 190), "uniform": (540, 402, 366, 176)},
    legend={"legend_left": 8},
)
PROJECTOR = Sheet(
    (667, 560),
    more={"band": (64, 36, 262, 270), "errors": (400, 36, 254, 128), "uniform": (400, 330, 254, 116)},
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 48},
)

FIGURE_2, THEOREM_3 = "Khim et al., Figure 2", "Khim et al., Theorem 3"


class Pair(NamedTuple):
    """Weights (C,) that favor a class more and less than those in use, and what is to be said of them."""

    more: np.ndarray
    less: np.ndarray
    note: str = ""


class BandLab(SimplexLab, UniformLab):
    """The band of a class, its mass over epsilon, and the uniform error with its bound, from which epsilon may come."""

    title = "error bands"
    sheets = (SCREEN, PROJECTOR)
    number_names: Mapping[str, str] = {
        "weights": "weights q",
        "epsilon": "epsilon",
        "tne": "tne",
        "fne": "fne",
        "floor": "mass at epsilon 0",
        "more": "q'",
        "less": "q''",
        "uniform_error": "observed U",
        "bound": "bound on U",
        "promised": "Theorem 3 says",
        "best_k": "k of least bound",
        "least_bound": "least bound",
        "needed": "n for this epsilon",
        "ball_margin_three": "Delta, 3 classes",
        "ball_margin": "Delta, C classes",
        "note": "note",
    }

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
        label="epsilon is", tip="A number of one's own; what this sample shows; or what the theorem promises of it"
    )
    epsilon = Float(0.1, min=0, max=1, step=0.001, digits=3).tag(
        label="uniform error", symbol="epsilon", tip="How far eta-hat may be off, at any point and for any class"
    )

    order = (
        *("q0", "q1", "q2", "c", "cover", "reach", "epsilon_source", "epsilon"),
        *("n", "k", "seed", "delta", "d", "classes"),
    )

    presets = (
        Preset("Figure 2 as captioned", FIGURE_2, {}),
        Preset("Figure 2 as computed", "Khim et al., tne and fne printed with Figure 2", {"epsilon": 0.05}),
        Preset("Without a cover", "Khim et al., Theorem 5 with q' = q'' = q", {"cover": "none", "epsilon": 0.01}),
        Preset("A small epsilon", "Khim et al., Theorem 5", {"epsilon": 0.001}),
        Preset("A large epsilon", "Khim et al., Theorem 5", {"epsilon": 0.3}),
        Preset("A light class", "Khim et al., section 4", {"q0": 0.06, "q1": 0.54, "q2": 0.4}),
        Preset("The other classes", FIGURE_2, {"c": CLASSES[2], "reach": REACHES[1]}),
        Preset("What a sample shows", THEOREM_3, {"epsilon_source": ORIGINS[1], "n": 100_000, "k": 2000}),
        Preset("A thousand points", THEOREM_3, {"epsilon_source": ORIGINS[2]}),
        Preset("A hundred thousand", THEOREM_3, {"epsilon_source": ORIGINS[2], "n": 100_000, "k": 280}),
        Preset("A thousand classes", "Khim et al., Theorems 1 and 3", {"n": 1_000_000, "k": 1400, "classes": 1000}),
        Preset("Two dimensions", "Khim et al., Corollary 3", {"n": 1_000_000, "k": 1400, "d": 2}),
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """What does nothing: epsilon where it is found."""
        return super().hidden(values) | ({"epsilon"} if values["epsilon_source"] != ORIGINS[0] else set())

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the mass of the band is an epsilon of one's own, one on the uniform error a k."""
        if panel == "errors":
            return {"epsilon": within(float(f"{x:.3g}"), band_view.EPSILONS), "epsilon_source": ORIGINS[0]}
        return {"k": self.nearest_k(x)} if panel == "uniform" else super().pick(panel, x, y, mark, index)

    @stage
    def code(self) -> int:
        """The class, as a code."""
        return CLASSES.index(self.c)

    @stage(compare_values=True)
    def used(self) -> float:
        """Epsilon: as set, as observed, or as promised, where nothing that is promised is more than 1."""
        if self.epsilon_source == ORIGINS[0]:
            return self.epsilon
        if self.epsilon_source == ORIGINS[1]:
            return self.observed_error
        return 1.0 if self.promise.vacuous else self.promise.value

    @stage
    def weight_array(self) -> np.ndarray:
        """q as an array (C,)."""
        return np.array(self.q)

    @property
    def class_names(self) -> tuple[str, ...]:
        """What the classes are called."""
        return CLASSES

    @stage
    def pair(self) -> Pair:
        """Weights around q."""
        q, c, m = self.weight_array, self.code, STEPS[self.cover]
        if m is None or q[c] == 0:
            return Pair(q, q)
        found = weights.cover(q, m, c)
        if found is None or found[1, c] <= 0:
            return Pair(q, q, f"no weights on the grid of step {self.cover} cover q, so q' = q'' = q here")
        return Pair(*found)

    @stage
    def bare_pair(self) -> Pair:
        """q itself on both sides."""
        return Pair(self.weight_array, self.weight_array)

    @stage
    def cut(self) -> np.ndarray:
        """What eta of the class must reach at the drawn cells for q to decide for it."""
        return self.band_of(self.field.eta, 0.0, self.bare_pair).lower

    @stage
    def fine(self) -> Field:
        """Cells over which the mass of the band is summed."""
        return field(PROBLEM, FINE)

    @property
    def tight(self) -> bool:
        """Whether the reach is the smaller one."""
        return self.reach == REACHES[1]

    def band_of(self, eta: np.ndarray, epsilon: float, pair: Pair, tight: bool = False) -> ErrorBand:
        """The band at points of eta (m, C), at epsilon 0 the same for every reach; without weight it holds all."""
        if pair.less[self.code] == 0:
            far = np.full(len(eta), np.inf)
            return ErrorBand(-far, far, np.ones(len(eta), bool))
        return regions.error_band(eta, epsilon, pair.more, pair.less, self.code, tight=tight)

    @stage
    def band(self) -> ErrorBand:
        """The band at the cells that are drawn."""
        return self.band_of(self.field.eta, self.used, self.pair, self.tight)

    def since(self, eta: np.ndarray, pair: Pair) -> np.ndarray:
        """From which epsilon on points of eta (m, C) are in the band, (m,): its edges move in proportion to epsilon."""
        own, (low, high) = eta[:, self.code], (self.band_of(eta, at, pair, self.tight) for at in (0.0, 1.0))
        if np.isinf(low.upper[0]):
            return np.zeros(len(own))
        below = (low.lower - own) / (low.lower - high.lower)
        return np.maximum(np.maximum(below, (own - low.upper) / (high.upper - low.upper)), 0)

    @stage
    def starts(self) -> np.ndarray:
        """From which epsilon on the fine cells are in the band."""
        return self.since(self.fine.eta, self.pair)

    @stage
    def bare_starts(self) -> np.ndarray:
        """The same for q' = q'' = q."""
        return self.since(self.fine.eta, self.bare_pair)

    @stage
    def mass(self) -> tuple[float, float]:
        """tne and fne at the epsilon in use."""
        tne, fne = masses(np.array([self.used]), self.starts, self.fine.eta[:, self.code])
        return float(tne[0]), float(fne[0])

    @stage
    def floor(self) -> float:
        """What the band holds at epsilon 0, because q' and q'' are not q."""
        return sum(self.band_of(self.fine.eta, 0.0, self.pair).errors(self.fine.eta, self.code))

    @stage
    def labels(self) -> np.ndarray:
        """What q decides at the cells that are drawn, where eta is known."""
        return Weighted(self.q).decide(self.field.eta)

    @stage
    def needed(self) -> float | str:
        """The n from which on Theorem 3, at its best k, promises the epsilon in use."""
        return self.least_size(self.used)

    @stage
    def margins(self) -> dict[str, float]:
        """Delta of Theorem 1 for three classes and for more, with the same largest weight."""
        names = {"ball_margin_three": 3, "ball_margin": self.classes}
        heaviest = self.weight_array.max()
        return {
            name: khim.theorem_1(self.n, self.k, self.delta, np.full(count, heaviest)).margin
            for name, count in names.items()
        }

    @stage
    def note(self) -> str:
        """What is to be said of the state."""
        silent = self.epsilon_source == ORIGINS[2] and self.promise.vacuous
        said = (
            (f"{self.c} has no weight, so nothing is promised of it", self.q[self.code] == 0),
            (self.pair.note, self.pair.note),
            ("Theorem 3 says nothing here, and no U exceeds 1", silent),
            ("d moves the bound alone: the sample stays on the line", self.d > 1),
        )
        return "; ".join(text for text, is_so in said if is_so)

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out."""
        tne, fne = self.mass
        pair = {name: tuple(round(float(each), 6) for each in getattr(self.pair, name)) for name in ("more", "less")}
        band = {"epsilon": self.used, "tne": tne, "fne": fne, "floor": self.floor, **pair}
        notes = {"note": self.note} if self.note else {}
        return {"weights": self.q, **band, **self.uniform_numbers, "needed": self.needed, **self.margins, **notes}

    @stage
    def band_layers(self) -> tuple[Layer, ...]:
        """The band, what is in it, and the decisions."""
        return tuple(band_view.layers(self.centers, self.field.eta, self.cut, self.band, self.labels, self.code))

    @stage
    def mass_layers(self) -> tuple[Layer, ...]:
        """The mass of the band over epsilon, and what remains of it at 0; beside that without a cover."""
        own = self.fine.eta[:, self.code]
        bare = np.sum(masses(EPSILONS, self.bare_starts, own), axis=0)
        floor = band_view.level(self.floor, "floor", "at epsilon 0")
        return (
            *band_view.errors(EPSILONS, *masses(EPSILONS, self.starts, own)),
            band_view.uncovered(EPSILONS, bare),
            floor,
        )

    @stage
    def source_layers(self) -> tuple[Layer, ...]:
        """Where on the axis of epsilon the sample and the theorem are."""
        looks = (("observed", "observed U", (9, 3, 2, 3)), ("promised", "Theorem 3", (7, 3)))
        values = self.observed_error, self.promise.value
        return tuple(
            marks.upright(value, TOP, name, label, style.MUTED, dash)
            for value, (name, label, dash) in zip(values, looks, strict=True)
        )

    @stage
    def epsilon_layers(self) -> tuple[Layer, ...]:
        """The epsilon in use, at the edge of the panel where it is smaller than all on the axis."""
        at, height = max(self.used, band_view.EPSILONS[0]), sum(self.mass)
        spoken = f"epsilon = {self.used:.3g}, mass of the band {height:.3f}"
        return *marks.handle(at, band_view.EPSILONS, TOP, "ε", spoken), marks.dot(at, height)

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """The band to the left, its mass and the uniform error to the right."""
        errors = *self.mass_layers, *self.source_layers, *self.epsilon_layers
        uniform = *self.bound_layers, *self.error_layers, *self.k_layers
        return tuple(map(Panel, self.axes, (self.band_layers, errors, uniform)))

    @stage
    def axes(self) -> tuple[Axes, ...]:
        """The frames of the panels."""
        sheet = self.sheet
        frames = (
            band_view.axes(sheet.more["band"], self.code),
            band_view.error_axes(sheet.more["errors"], TOP),
            self.uniform_axes(sheet.more["uniform"]),
        )
        return sheet.framed(frames)

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        shares = np.bincount(self.labels, minlength=len(CLASSES)) / len(self.labels)
        words = band_view.describe(self.code, self.used, self.band.inside, shares)
        return f"{words} {self.uniform_words} {self.numbers_text()}."


def masses(epsilons: np.ndarray, starts: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """tne and fne (J,) at epsilons (J,), ascending, of equal cells that are in the band from ``starts`` (m,) on.

    ``own`` (m,) is eta of the class there.
    """
    size, first = len(epsilons), np.searchsorted(epsilons, starts - TIE)
    tne, fne = (np.cumsum(np.bincount(first, part, size + 1)[:size]) / len(own) for part in (1 - own, own))
    return tne, fne
