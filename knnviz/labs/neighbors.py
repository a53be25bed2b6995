"""NeighborLab: the vote of the k nearest neighbors, on clean or noisy labels."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from knnviz import problems, risk
from knnviz.corruption import LabelNoise
from knnviz.labs.lab import Lab
from knnviz.labs.parameters import Choice, Float, Int
from knnviz.labs.stages import stage
from knnviz.neighbors import NeighborTable, Places
from knnviz.problems import Grid, Sample
from knnviz.profiles import VoteProfile
from knnviz.rules import Vote
from knnviz.views import map as map_view
from knnviz.views import votes as votes_view
from knnviz.views.layers import Layer, Panel, Picture

SOURCES: dict[str, Callable[[], map_view.Source]] = {
    "checkerboard": problems.checkerboard,
    "wave2d": problems.wave2d,
    "moons": problems.moons,
    "spirals": problems.spirals,
    "breast cancer": problems.breast_cancer,
}

#: Cells a side of the map.
RESOLUTION = 200

#: Largest k.
MOST_NEIGHBORS = 200

SIZE = (900, 540)
MAP_PLACE = (66, 40, 376, 376)
VOTES_PLACE = (532, 40, 350, 376)

#: Where in the box the query point starts.
START = {"x1": 0.3, "x2": 0.6}


class NeighborLab(Lab):
    """The Map and the Vote curve of plain k nearest neighbors; labels may be noisy."""

    title = "k nearest neighbors"
    number_names: Mapping[str, str] = {
        "risk": "risk",
        "bayes_risk": "Bayes risk",
        "held_out_risk": "held-out risk",
        "votes": "votes at x",
        "decision": "decision at x",
        "flipped": "labels flipped",
    }

    problem = Choice("checkerboard", SOURCES).tag(label="problem", group="Data", tip="Where the points come from")
    n = Int(2000, min=50, max=8000, step=50).tag(label="sample size", symbol="n", tip="Number of training points")
    seed = Int(0, min=0, max=2**32 - 1, typed=True).tag(label="seed", tip="Another seed draws another sample")
    p0 = Float(0.0, min=0, max=0.95).tag(
        label="flip rate of class 0", symbol="p0", group="Label noise", tip="Chance that a label of class 0 flips"
    )
    p1 = Float(0.0, min=0, max=0.95).tag(
        label="flip rate of class 1", symbol="p1", tip="Chance that a label of class 1 flips"
    )
    k = Int(25, min=1, max=MOST_NEIGHBORS).tag(
        label="neighbors", symbol="k", group="Rule", tip="Number of neighbors that vote"
    )
    x1 = Float(START["x1"], min=0, max=1, typed=True).tag(
        label="point", symbol="x1", group="Query: click the map, or type", tip="First coordinate of x"
    )
    x2 = Float(START["x2"], min=0, max=1, typed=True).tag(label="point", symbol="x2", tip="Second coordinate of x")

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Buttons: a new sample, and back to the start."""
        return [("New sample", "Draw the points again with the next seed", self.new_sample), *super().actions()]

    def new_sample(self) -> Any:
        """Draw another sample: the next seed."""
        return self.set(seed=self.seed + 1)

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the map is the query point, one on the vote curve a number of neighbors."""
        if panel == "map":
            box = known(self.values["problem"]).box
            return {name: within(round(at, 3), side) for name, at, side in zip(START, (x, y), box, strict=True)}
        return {"k": within(round(x), (1, min(MOST_NEIGHBORS, self.values["n"])))}

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, Any]:
        """Limits of n and x follow the problem."""
        low, high = super().limits(name, values)
        source = known(values["problem"])
        if name == "n":
            return low, min(high, source.max_size or high)
        if name in START:
            return source.box[list(START).index(name)]
        return low, high

    def adapt(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """After a change of problem n moves into its limits, k below n, and x to its starting place in the box."""
        if values["problem"] == self.values["problem"]:
            return []
        box = known(values["problem"]).box
        for (name, share), (low, high) in zip(START.items(), box, strict=True):
            if name not in given:
                values[name] = round(low + share * (high - low), 3)
        return [note for name in ("n", "k") if name not in given for note in self._nearest(name, values)]

    def _nearest(self, name: str, values: dict[str, Any]) -> list[str]:
        """Move a value to the nearest allowed one, and say so."""
        low, high = self.limits(name, values)
        before = values[name]
        values[name] = within(before, (low, min(high, values["n"]) if name == "k" else high))
        title = self.parameters()[name].title
        return (
            [] if values[name] == before else [f"{title} moved from {before} to {values[name]}, the nearest allowed."]
        )

    def validate(self, values: Mapping[str, Any]) -> None:
        """Flip rates stay together below 1, k within n."""
        LabelNoise(values["p0"], values["p1"])
        if values["k"] > values["n"]:
            raise ValueError(f"neighbors k must not exceed sample size n, got {values['k']} and {values['n']}")

    @stage
    def plane(self) -> map_view.Source:
        """The problem as far as the seed does not matter: its box, classes and eta."""
        return known(self.problem)

    @stage
    def source(self) -> map_view.Source:
        """The problem, with data split by the seed."""
        return self.plane.with_seed(self.seed)

    @stage
    def sample(self) -> Sample:
        """The training points."""
        return self.source.sample(self.n, self.seed)

    @stage
    def cells(self) -> Grid:
        """The cells of the map."""
        return self.plane.grid(RESOLUTION)

    @stage
    def weights(self) -> np.ndarray:
        """Mass of each cell."""
        return self.plane.measure(RESOLUTION).weights

    @stage
    def eta(self) -> np.ndarray | None:
        """Class probabilities at the cells, where they are known."""
        return None if self.plane.eta is None else self.plane.eta(self.cells.points)

    @stage
    def bayes_risk(self) -> float:
        """R* of a known problem."""
        return self.plane.bayes_risk()

    @stage
    def places(self) -> Places:
        """The training points, prepared for queries."""
        return Places.of(self.sample.X)

    def _table(self, queries: np.ndarray, distances: bool = False) -> NeighborTable:
        return NeighborTable.build(self.places, queries, min(MOST_NEIGHBORS, self.n), distances=distances)

    @stage
    def cell_table(self) -> NeighborTable:
        """Neighbors of the cells."""
        return self._table(self.cells.points)

    @stage
    def test_table(self) -> NeighborTable:
        """Neighbors of the points held out."""
        return self._table(self.source.X_test)

    @stage
    def x_table(self) -> NeighborTable:
        """Neighbors of the query point."""
        return self._table(np.array([[self.x1, self.x2]]), distances=True)

    @stage
    def observed(self) -> np.ndarray:
        """Labels as a learner sees them."""
        return LabelNoise(self.p0, self.p1).flip(self.sample.y, self.sample.v)

    @stage
    def cell_votes(self) -> VoteProfile:
        """Votes around the cells."""
        return VoteProfile.count(self.cell_table, self.observed, self.plane.n_classes)

    @stage
    def test_votes(self) -> VoteProfile:
        """Votes around the points held out."""
        return VoteProfile.count(self.test_table, self.observed, self.plane.n_classes)

    @stage
    def x_votes(self) -> VoteProfile:
        """Votes around the query point."""
        return VoteProfile.count(self.x_table, self.observed, self.plane.n_classes)

    @stage
    def labels(self) -> np.ndarray:
        """Decisions at the cells."""
        return Vote().predict(self.cell_votes, self.k)

    @stage
    def decision(self) -> str:
        """Decision at the query point, by name."""
        return self.plane.class_names[Vote().predict(self.x_votes, self.k)[0]]

    @stage
    def risks(self) -> dict[str, float]:
        """Exact risk beside the Bayes risk where eta is known, else the risk on points held out."""
        if self.eta is None:
            return {"held_out_risk": risk.held_out(Vote().predict(self.test_votes, self.k), self.source.y_test)}
        return {"risk": risk.exact(self.labels, self.eta, self.weights), "bayes_risk": self.bayes_risk}

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out."""
        votes = tuple(int(count) for count in self.x_votes.counts[0, self.k - 1])
        flipped = int(np.sum(self.observed != self.sample.y))
        return {**self.risks, "votes": votes, "decision": self.decision, "flipped": flipped}

    @stage
    def region_layer(self) -> Layer:
        """The map's regions."""
        return map_view.regions(self.plane, self.labels)

    @stage
    def point_layer(self) -> Layer:
        """The map's points."""
        return map_view.points(self.plane, self.sample, self.observed)

    @stage
    def boundary_layer(self) -> Layer:
        """The map's Bayes boundary."""
        return map_view.bayes_boundary(self.plane)

    @stage
    def ball_layer(self) -> Layer:
        """The ball around x that reaches its k-th neighbor."""
        return map_view.ball(np.array([self.x1, self.x2]), self.x_table.distances[0, self.k - 1])

    @stage
    def query_layer(self) -> Layer:
        """The query point."""
        return map_view.query(np.array([self.x1, self.x2]))

    @stage
    def curve_layers(self) -> tuple[Layer, ...]:
        """The vote curve and the cut through it."""
        counts = self.x_votes.counts[0]
        return *votes_view.curves(counts, self.plane.class_names), votes_view.threshold(0.5, MOST_NEIGHBORS)

    @stage
    def reading_layers(self) -> tuple[Layer, ...]:
        """The line at k and what it reads."""
        return votes_view.at_k(self.k), votes_view.reading(
            self.x_votes.counts[0], self.k, self.decision, MOST_NEIGHBORS
        )

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """Map and vote curve, side by side."""
        stack = self.region_layer, self.point_layer, self.boundary_layer, self.ball_layer, self.query_layer
        return (
            Panel(map_view.axes(self.plane, MAP_PLACE), stack),
            Panel(votes_view.axes(MOST_NEIGHBORS, VOTES_PLACE), (*self.curve_layers, *self.reading_layers)),
        )

    @stage
    def picture(self) -> Picture:
        """Both panels, and what they show in words."""
        return Picture(self.panels, SIZE, self.alt)

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        read = "; ".join(f"{name} {text}" for name, text in self.shown_numbers().items())
        x, counts = np.array([self.x1, self.x2]), self.x_votes.counts[0]
        votes = votes_view.describe(x, counts, self.k, self.plane.class_names, self.decision)
        return f"{map_view.describe(self.plane, self.labels, self.observed)} {votes} {read}."


def within(value: float, limits: tuple[float, float]) -> float:
    """The place nearest to a value within limits: where a hand that left the panel points to."""
    return min(max(value, limits[0]), limits[1])


@cache
def known(name: str) -> map_view.Source:
    """A source by name, made once."""
    return SOURCES[name]()
