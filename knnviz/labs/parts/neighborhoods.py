"""Neighbors and votes around points: around any queries, around the cells of the map, and around the query point x."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from knnviz.labs.engine import Component, Float, Input, stage, within
from knnviz.labs.parts.sizes import AROUND_X, COARSE, FULL, LARGEST_MASS, MASS_STEP, SMALL_MASSES
from knnviz.labs.parts.sources import Field, field, problem_named
from knnviz.labs.parts.training_data import TrainingData
from knnviz.neighbors import NeighborTable
from knnviz.profiles import BallProfile, VoteProfile

#: Where the query point starts, in fractions of the sides of the box.
START_FRACTIONS = {"x1": 0.3, "x2": 0.6}


class Votes(Component):
    """Neighbors of points, and their votes."""

    data: TrainingData = Input()
    labels: np.ndarray = Input()
    k_max: int = Input()
    #: Returns the points (m, d); None stands for the training points, each its own nearest neighbor.
    queries: Callable[[TrainingData], np.ndarray | None] = Input()

    @stage
    def table(self) -> NeighborTable:
        return NeighborTable.build(self.data.index, self.queries(self.data), self.k_max)

    @stage
    def profile(self) -> VoteProfile:
        return VoteProfile.count(self.table, self.labels, self.data.chosen_problem.n_classes)


class Cells(Component):
    """The cells of the map: their neighbors and votes, and the balls around them; on a coarse map first."""

    data: TrainingData = Input()
    labels: np.ndarray = Input()
    k_max: int = Input()
    #: Ball masses that parameters have.
    masses: tuple[float, ...] = Input(())
    #: Whether the full map has half the cells a side in the plane: enough where k is large and regions are smooth.
    half_resolution: bool = Input(False)

    @property
    def is_preview(self) -> bool:
        return self.resolution < self.finest

    @stage(compare_values=True)
    def finest(self) -> int:
        """Cells a side of the full map."""
        dimension = self.data.chosen_problem.dimension
        return FULL[dimension] // 2 if dimension == 2 and self.half_resolution else FULL[dimension]

    @stage(background=True, large=True)
    def tables(self) -> Iterator[tuple[int, NeighborTable]]:
        """Cells a side, and the neighbors of the cells."""
        problem, index, k_max = self.data.chosen_problem, self.data.index, self.k_max
        for resolution in sorted({COARSE[problem.dimension], self.finest}):
            yield resolution, NeighborTable.build(index, problem.grid(resolution).points, k_max)

    @stage(compare_values=True)
    def resolution(self) -> int:
        return self.tables[0]

    @stage
    def field(self) -> Field:
        """The cells, with their probabilities and eta if these are known."""
        return field(self.data.problem, self.resolution)

    @stage(large=True)
    def votes(self) -> VoteProfile:
        return VoteProfile.count(self.tables[1], self.labels, self.data.chosen_problem.n_classes)

    @stage(compare_values=True)
    def ball_masses(self) -> tuple[float, ...]:
        """Masses of the balls that are kept: the steps of the sliders, and the masses that parameters have."""
        steps = np.arange(MASS_STEP, LARGEST_MASS + MASS_STEP / 2, MASS_STEP).round(6)
        return tuple(sorted({*SMALL_MASSES, *steps.tolist(), *self.masses}))

    @stage(background=True, large=True)
    def balls(self) -> Iterator[tuple[int, BallProfile]]:
        """Cells a side, and the balls around the cells: on a coarse map first."""
        name, dimension, masses = self.data.problem, self.data.chosen_problem.dimension, self.ball_masses
        for resolution in sorted({COARSE[dimension], FULL[dimension]}):
            cells = field(name, resolution)
            kept = [mass for mass in masses if mass * len(cells.eta) >= 1]
            yield resolution, BallProfile.integrate(cells.measure, cells.eta, masses=kept)


class PickedPoint(Component):
    """A point x of the box of a problem."""

    data: TrainingData = Input()

    #: Where it starts, in fractions of the sides of the box.
    start_fractions = START_FRACTIONS

    x1 = Float(START_FRACTIONS["x1"], min=0, max=1, text_box=True).tag(
        label="point", symbol="x1", group="Query: click the map, or type", tip="First coordinate of x"
    )
    x2 = Float(START_FRACTIONS["x2"], min=0, max=1, text_box=True).tag(
        label="point", symbol="x2", tip="Second coordinate of x"
    )

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        box = problem_named(values["problem"]).box
        return box[0] if name == "x1" else box[1] if len(box) == 2 else (0.0, 1.0)

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        return {"x2"} if problem_named(values["problem"]).dimension == 1 else set()

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """After a change of problem x goes to where it starts."""
        if values["problem"] != self.lab.values["problem"]:
            for name in self.start_fractions.keys() - given.keys():
                low, high = self.limits(name, values)
                values[name] = round(low + self.start_fractions[name] * (high - low), 3)
        return []

    def at(self, *point: float) -> dict[str, float]:
        """The parameters of a point that was picked."""
        sides = zip(self.start_fractions, point, self.data.chosen_problem.box, strict=False)
        return {name: within(round(at, 3), side) for name, at, side in sides}

    @stage
    def x(self) -> np.ndarray:
        return np.array([self.x1, self.x2] if self.data.chosen_problem.dimension == 2 else [self.x1])


class QueryPoint(PickedPoint):
    """The query point x, its neighbors and their votes, and the balls around it."""

    labels: np.ndarray = Input()
    k_max: int = Input()

    @stage
    def table(self) -> NeighborTable:
        return NeighborTable.build(self.data.index, self.x[None], self.k_max, distances=True)

    @stage
    def votes(self) -> VoteProfile:
        return VoteProfile.count(self.table, self.labels, self.data.chosen_problem.n_classes)

    @stage
    def balls(self) -> BallProfile:
        """The balls around x of masses 1 / n to k_max / n, in which about 1 to k_max training points lie."""
        cells = field(self.data.problem, AROUND_X[self.data.chosen_problem.dimension])
        steps = np.unique(np.geomspace(1, self.k_max, 60).round())
        return BallProfile.integrate(cells.measure, cells.eta, self.x[None], steps / self.data.n)
