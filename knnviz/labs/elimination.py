"""EliminationLab: a ball grows through bags of labels, strikes labels out, and stops when one is left."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import regions
from knnviz.labs.bagged import BALLS, EXAMPLE
from knnviz.labs.engine.parameters import Choice, Float, Int, within
from knnviz.labs.engine.scenes import Preset
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.sizes import LARGEST_MASS, MASS_STEP
from knnviz.labs.parts.sources import field, known
from knnviz.labs.sheets import Sheet, SheetLab
from knnviz.labs.stopping import CONSTANTS, LARGEST, VOTERS, StoppingLab
from knnviz.rules import Scan, Trace
from knnviz.views import elimination as view
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import sets as set_view
from knnviz.views import votes as votes_view
from knnviz.views.layers import Layer, Panel

#: What the map shows.
SHOWN = ("decisions", "stopping k", "undecided", "advantage", "misaligned")
KNOWN_ONLY = ("advantage", "misaligned")

#: Milliseconds that Play stays at a step.
PACE = 120

SCREEN = Sheet(
    (960, 660),
    map=(66, 40, 400, 400),
    votes=(556, 40, 388, 250),
    more={"told": (556, 440, 388, 208)},
    legend={"legend_left": 8},
    most_points=220,
)
PROJECTOR = Sheet(
    (667, 560),
    map=(64, 36, 262, 262),
    votes=(400, 36, 254, 170),
    more={"told": (345, 346, 315, 206)},
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 40},
    most_points=90,
)

#: Sizes of pies and of those in the ball while they are few, and of the letters of what is told on either sheet.
PIE, IN_BALL, FEW, TOLD = 11.0, 15.0, 50, (14.0, 12.0)

NOTE = "Errandonea et al."
QUIET = {"bag_noise": 0.0, "inclusion": 0.0}
LONG = {"n": 5000, "max_neighbors": 5000, "k": 5000, "x1": 0.5}


class EliminationLab(StoppingLab, SheetLab):
    """Map or Line of PL A-kNN, the walk of the ball around x, and what A-kNN and a plain vote say there."""

    title = "bags of labels, and a ball that knows when to stop"
    sheets = (SCREEN, PROJECTOR)
    number_names: Mapping[str, str] = {
        "decision": "PL A-kNN at x",
        "stop_k": "stops at k",
        "survivors": "labels left",
        "aknn_decision": "A-kNN at x",
        "aknn_stop_k": "A-kNN stops at k",
        "vote_decision": "10-NN at x",
        "risk": "risk of PL A-kNN",
        "aknn_risk": "of A-kNN",
        "vote_risk": "of 10-NN",
        "limit": "limit of PL A-kNN",
        "bayes_risk": "Bayes risk",
        "mean_stop_k": "mean stopping k",
        "undecided": "undecided",
        "misaligned_mass": "misaligned mass",
        "mean_bag_size": "labels in a bag",
        "threshold": "constant of the band",
        "advantage": "advantage at x",
    }

    k = Int(100, min=1, max=LARGEST[1]).tag(
        label="ball",
        symbol="k",
        group="The ball around x",
        tip="How many neighbors the ball around x has taken in",
        play="pace",
    )
    overlay = Choice(SHOWN[0], SHOWN).tag(label="show", group="Map", tip="What the map or line is coloured by")
    mass_cap = Float(0.25, min=MASS_STEP, max=LARGEST_MASS, step=MASS_STEP, digits=3).tag(
        label="largest mass", symbol="A", tip="Largest ball mass that the advantage considers"
    )

    order = (
        *("k", "c1", "max_neighbors", "fallback", "overlay", "mass_cap", "bag_noise", "kind", "inclusion", "spread"),
        *("problem", "n", "seed", "delta", "constants", "x1", "x2"),
    )

    presets = (
        Preset("Worked walk", NOTE, {"problem": EXAMPLE, "n": 100, "max_neighbors": 12, "k": 12, "x1": 0.0}),
        Preset("Q1: three shares", f"{NOTE}, appendix B.2", {"problem": "shares 50 49 1", "seed": 6} | QUIET | LONG),
        Preset("Q2: three shares", f"{NOTE}, appendix B.2", {"problem": "shares 40 30 30", "seed": 5} | QUIET | LONG),
        Preset(
            "A crowded third",
            f"{NOTE}, Theorem 3.5",
            {"problem": "contested line", "n": 4000, "max_neighbors": 2000, "k": 2000, "x1": 0.15}
            | {"bag_noise": 0.0, "spread": "crowded left"},
        ),
        Preset("Proof constants", f"{NOTE}, Theorem 3.2", {"constants": CONSTANTS[1]}),
        Preset("Five classes", NOTE, {"problem": "five gaussians", "n": 4000, "max_neighbors": 400, "k": 400}),
        Preset("Digits", f"{NOTE}, section 4", {"problem": "digits 0 to 4", "n": 600, "spread": "by cluster"}),
    )

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """T, and k with it, go as far as the dimension allows."""
        if name in ("k", "max_neighbors"):
            return self.parameters()[name].min, LARGEST[known(values["problem"]).dimension]
        return super().limits(name, values)

    def feasible_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """k goes up to T and n; n is free, since T follows it by itself."""
        if name == "k":
            return 1, min(values["max_neighbors"], values["n"])
        return self.limits(name, values)

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """T moves into its limits; k stays at the end, or before it."""
        notes = super().coerce(values, given)
        low, high = self.limits("max_neighbors", values)
        if "max_neighbors" not in given:
            notes += self.move("max_neighbors", within(values["max_neighbors"], (low, high)), values)
        if "k" not in given:
            end = min(values["max_neighbors"], values["n"])
            at_end = self.values["k"] == min(self.values["max_neighbors"], self.values["n"])
            values["k"] = end if at_end else min(self.values["k"], end)
            notes = [note for note in notes if not note.startswith(self.parameters()["k"].title)]
        if "overlay" not in given and known(values["problem"]).eta is None and values["overlay"] in KNOWN_ONLY:
            notes += self.move("overlay", SHOWN[0], values)
        return notes

    def validate(self, values: Mapping[str, Any]) -> None:
        """k stays within T as well, and what needs a known distribution is not there for data."""
        super().validate(values)
        if values["k"] > values["max_neighbors"]:
            raise ValueError(f"ball k must not exceed largest k T, got {values['k']} and {values['max_neighbors']}")
        source = known(values["problem"])
        if source.eta is None and values["overlay"] in KNOWN_ONLY:
            raise ValueError(f"{values['overlay']} needs a known distribution, but {source.name} is data")

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """A without the advantage, c1 where the proof sets it."""
        hidden = super().hidden(values) | (set() if values["overlay"] == "advantage" else {"mass_cap"})
        return hidden | (set() if values["constants"] == CONSTANTS[0] else {"c1"})

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the walk is a number of neighbors."""
        if panel == "ball":
            return {"k": int(within(round(x), self.feasible_range("k", self.values)))}
        return super().pick(panel, x, y, mark, index)

    def pace(self, value: int) -> tuple[int, bool]:
        """Milliseconds that Play stays at a step, and whether it may pass over the next ones."""
        return PACE, True

    @property
    def is_preview(self) -> bool:
        """Whether the map is still the coarse one."""
        shown = self.overlay == "advantage" and self.bag_balls[0] < BALLS[self.plane.dimension]
        return super().is_preview or shown

    @stage
    def labels(self) -> np.ndarray:
        """Decisions at the cells."""
        return self.scan.labels

    @stage
    def walk(self) -> Trace:
        """The walk of the ball around x."""
        return self.rule.trace(self.x_table, self.bags, self.plane.n_classes)

    @stage
    def other_walk(self) -> Scan:
        """Where A-kNN stops at x."""
        return self._scan(self.other, self.x_table)

    @stage
    def asks(self) -> np.ndarray:
        """The share (T,) that A-kNN asks of one label."""
        ks = np.arange(1, self.most + 1)
        n_classes = self.plane.n_classes
        return 1 / n_classes + self.other.threshold(self.n, n_classes) / np.sqrt(ks)

    @stage
    def x_vote(self) -> int:
        """The plain vote at x."""
        return int(self._vote(self.x_table)[0])

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out."""
        walk, other, names = self.walk, self.other_walk, self.plane.class_names
        left = " ".join(names[c] for c in np.flatnonzero(walk.fell == 0))
        found = {
            "decision": names[walk.label],
            "stop_k": walk.stop_k,
            "decided": walk.decided,
            "survivors": left,
            "aknn_decision": names[other.labels[0]],
            "aknn_stop_k": int(other.stop_k[0]),
            "vote_decision": names[self.x_vote],
        }
        weights = self.field.measure.weights if self.field.measure else np.full(len(self.labels), 1 / len(self.labels))
        found |= {"risk": self.own_risk, "aknn_risk": self.other_risk, "vote_risk": self.vote_risk}
        found |= self.limits_of_risks | {
            "mean_stop_k": float(weights @ self.scan.stop_k),
            "undecided": float(weights[~self.scan.decided].sum()),
            "mean_bag_size": self.mean_bag_size,
            "threshold": self.rule.threshold(self.n, self.plane.n_classes),
        }
        return found | ({"advantage": self.advantage_at_x} if self.overlay == "advantage" else {})

    @property
    def asked_masses(self) -> tuple[float, ...]:
        """The ball mass A."""
        return (self.mass_cap,)

    @stage
    def advantages(self) -> np.ndarray:
        """The advantage of the cells."""
        return regions.advantage(self.bag_balls[1], self.mass_cap)

    @stage
    def advantage_at_x(self) -> float:
        """The advantage at x."""
        cells = field(self.problem, self.bag_balls[0])
        return float(self.advantages[((cells.grid.points - self.x) ** 2).sum(axis=1).argmin()])

    @stage
    def region_layer(self) -> Layer:
        """What the map is coloured by."""
        if self.overlay == "advantage":
            return set_view.advantage(self.plane, self.advantages)
        if self.overlay == "stopping k":
            return set_view.shaded(self.plane, self.scan.stop_k, view.STEPS, "stopping k")
        return self.view.regions(self.plane, self.labels)

    @stage
    def set_layers(self) -> tuple[Layer, ...]:
        """The set on show."""
        if self.overlay == "undecided":
            return (set_view.region(self.plane, ~self.scan.decided, "undecided", "undecided"),)
        if self.overlay == "misaligned":
            return (set_view.region(self.plane, self.misaligned, "misaligned", "misaligned", hatch="\\"),)
        return ()

    @stage
    def most_pies(self) -> int:
        """Pies drawn at most: few on a line, so that they stand side by side."""
        return self.sheet.most_points // (3 if self.plane.dimension == 1 else 1)

    @stage
    def bag_layers(self) -> tuple[Layer, ...]:
        """Bags as pies: the first of the sample, and larger the nearest of x."""
        sample, bags, most = self.sample, self.bags, self.most_pies
        near = self.x_table.indices[0, : min(self.k, most)]
        pies = ((slice(0, most), "bags", PIE), (near, "voters", IN_BALL if self.k <= FEW else PIE))
        drawn = (
            view.pies(self.plane, sample.X[rows], sample.y[rows], bags[rows], name, size) for rows, name, size in pies
        )
        return *drawn, view.classes(self.plane)

    @stage
    def line_layers(self) -> tuple[Layer, ...]:
        """On a line eta, and how often a bag holds each label."""
        if self.plane.dimension == 2:
            return (self.truth.boundary,)
        x = self.field.grid.points[:, 0]
        shares = line_view.curves(x, self.frequency, "held", "P(in bag)", width=1.5)
        return *line_view.eta_curves(x, self.field.eta), *shares

    @stage
    def query_layers(self) -> tuple[Layer, ...]:
        """x, and the ball around it."""
        radius = self.x_table.distances[0, self.k - 1]
        place = self.x if self.plane.dimension == 2 else self.x[0]
        return replace(self.view.ball(place, radius), label=None), self.query_layer

    @stage
    def population_layers(self) -> tuple[Layer, ...]:
        """What the shares would be in the true distribution."""
        if self.plane.eta is None or self.problem == EXAMPLE:
            return ()
        shares = self.x_ball.frequency[:, :, 0].astype(float)
        return tuple(votes_view.population(self.x_ball.masses, shares, self.n))

    @stage
    def stops(self) -> dict[str, int | None]:
        """Where each rule stops at x; None if it looks beyond T, or is undecided there."""
        other, walk, voters = self.other_walk, self.walk, min(VOTERS, self.n)
        ends = (
            voters if voters <= self.most else None,
            int(other.stop_k[0]) if other.decided[0] else None,
            walk.stop_k if walk.decided else None,
        )
        return dict(zip(view.STOPS, ends, strict=True))

    @stage
    def walk_layers(self) -> tuple[Layer, ...]:
        """Shares of the labels as far as the ball has grown, what they must hold, and who falls and stops."""
        walk, k = self.walk, self.k
        shares = view.shares(walk, k)
        asked = view.asked(walk, k), view.stands_out(self.asks, k)
        stops, marks = view.stops(self.stops, k), (view.heads(walk, k), *view.falls(walk, k))
        return *shares, *asked, *stops, *marks, *view.at_k(k, self.most)

    @stage
    def said(self) -> list[str]:
        """Who says what at x, as far as the ball has grown."""
        names, k, walk, other = self.plane.class_names, self.k, self.walk, self.other_walk
        mine = f"PL A-kNN: {left_at(walk, k)} labels alive at k = {k}"
        if k >= walk.stop_k:
            how = f"alone from k = {walk.stop_k}" if walk.decided else f"undecided at T = {walk.stop_k}"
            mine = f"PL A-kNN: {names[walk.label]}, {how}"
        stop = int(other.stop_k[0])
        how = f"at k = {stop}" if other.decided[0] else f"undecided at T = {stop}"
        others = f"A-kNN: {names[other.labels[0]]}, {how}" if k >= stop else "A-kNN: goes on"
        voters = self.stops["10-NN"]
        plain = f"10-NN: {names[self.x_vote]}" if voters is not None and k >= voters else "10-NN: not there yet"
        return [mine, others, plain if voters is not None else "10-NN: looks beyond T"]

    @stage
    def fallen(self) -> list[tuple[int, str]]:
        """Labels struck out so far, the first one first, and what is said of them."""
        names, walk = self.plane.class_names, self.walk
        gone = [int(c) for c in np.argsort(walk.fell, kind="stable") if 0 < walk.fell[c] <= self.k]
        return [(c, f"{names[c]} falls at k = {walk.fell[c]}") for c in gone]

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """The map or line, the ball, and who says what."""
        stack = self.region_layer, *self.set_layers, *self.line_layers, *self.bag_layers, *self.query_layers
        walk = *self.population_layers, *self.walk_layers
        told = view.told(self.said, self.fallen, self.plane.n_classes, self.sheet.more["told"], TOLD[self.projected])
        frames = self.view.axes(self.plane, self.sheet.map), view.axes(self.most, self.sheet.votes), told[0]
        return tuple(map(Panel, self.sheet.framed(frames), (stack, walk, told[1])))

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        drawn = map_view.describe(self.plane, self.labels, self.sample.y, self.most_pies)
        walk = view.describe(self.walk, self.k, self.plane.class_names)
        told = ". ".join([*self.said, *(text for _, text in self.fallen)])
        return f"{drawn} Shown: {self.overlay}. {walk} {told}. {self.numbers_text()}."


def left_at(walk: Trace, k: int) -> int:
    """How many labels are alive once the ball has k neighbors."""
    return int(((walk.fell == 0) | (walk.fell > k)).sum())
