"""Neighbors and votes at any points, at the cells of the map, and at the query point x."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from knnviz.labs.old_engine import Component, Float, Input, stage, within
from knnviz.labs.old_parts.sizes import COARSE_MAP_CELLS, LARGEST_MASS, MAP_CELLS, MASS_STEP, QUERY_CELLS, SMALL_MASSES
from knnviz.labs.old_parts.sources import Field, field, problem_named
from knnviz.labs.old_parts.training_data import TrainingData
from knnviz.neighbors import NeighborTable
from knnviz.profiles import BallProfile, VoteProfile

#: Where the query point starts, as fractions of the sides of the box.
START_FRACTIONS = {"x1": 0.3, "x2": 0.6}


class Votes(Component):
    """The nearest neighbors of some points, and their votes."""

    data: TrainingData = Input()
    labels: np.ndarray = Input()
    k_max: int = Input()
    #: Returns the points (m, d), or None for the training points, each its own nearest neighbor.
    queries: Callable[[TrainingData], np.ndarray | None] = Input()

    @stage
    def table(self) -> NeighborTable:
        return NeighborTable.build(self.data.index, self.queries(self.data), self.k_max)

    @stage
    def profile(self) -> VoteProfile:
        return VoteProfile.count(self.table, self.labels, self.data.chosen_problem.n_classes)


class Cells(Component):
    """The cells of the map, their neighbors and votes, and the balls around them; first for a coarse map."""

    data: TrainingData = Input()
    labels: np.ndarray = Input()
    k_max: int = Input()
    #: Ball masses that are values of parameters.
    masses: tuple[float, ...] = Input(())
    #: Whether the full map in the plane has half the cells per side, enough for smooth regions, as with a large k.
    half_resolution: bool = Input(False)

    @property
    def is_preview(self) -> bool:
        return self.resolution < self.finest

    @stage(compare_values=True)
    def finest(self) -> int:
        """Cells per side of the full map."""
        dimension = self.data.chosen_problem.dimension
        return MAP_CELLS[dimension] // 2 if dimension == 2 and self.half_resolution else MAP_CELLS[dimension]

    @stage(background=True, large=True)
    def tables(self) -> Iterator[tuple[int, NeighborTable]]:
        """Cells per side, and the neighbors of the cells."""
        problem, index, k_max = self.data.chosen_problem, self.data.index, self.k_max
        for resolution in sorted({COARSE_MAP_CELLS[problem.dimension], self.finest}):
            yield resolution, NeighborTable.build(index, problem.grid(resolution).points, k_max)

    @stage(compare_values=True)
    def resolution(self) -> int:
        return self.tables[0]

    @stage
    def field(self) -> Field:
        return field(self.data.problem, self.resolution)

    @stage(large=True)
    def votes(self) -> VoteProfile:
        return VoteProfile.count(self.tables[1], self.labels, self.data.chosen_problem.n_classes)

    @stage(compare_values=True)
    def ball_masses(self) -> tuple[float, ...]:
        """Masses of the balls: a few small ones, the steps of the sliders, and the values of parameters."""
        steps = np.arange(MASS_STEP, LARGEST_MASS + MASS_STEP / 2, MASS_STEP).round(6)
        return tuple(sorted({*SMALL_MASSES, *steps.tolist(), *self.masses}))

    @stage(background=True, large=True)
    def balls(self) -> Iterator[tuple[int, BallProfile]]:
        """Cells per side, and the balls around the cells; balls of less than a cell on average are left out."""
        name, dimension, masses = self.data.problem, self.data.chosen_problem.dimension, self.ball_masses
        for resolution in sorted({COARSE_MAP_CELLS[dimension], MAP_CELLS[dimension]}):
            cells = field(name, resolution)
            resolved = [mass for mass in masses if mass * len(cells.eta) >= 1]
            yield resolution, BallProfile.integrate(cells.measure, cells.eta, masses=resolved)


class PickedPoint(Component):
    """A point x in the box of a problem, chosen by a click or typed."""

    data: TrainingData = Input()

    #: Where x starts, as fractions of the sides of the box.
    start_fractions = START_FRACTIONS

    x1 = Float(START_FRACTIONS["x1"], min=0, max=1, text_box=True).tag(
        label="point", symbol="x1", group="Query: click the map, or type", tip="First coordinate of x"
    )
    x2 = Float(START_FRACTIONS["x2"], min=0, max=1, text_box=True).tag(
        label="point", symbol="x2", tip="Second coordinate of x"
    )

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        box = problem_named(values["problem"]).box
        if name == "x1":
            return box[0]
        return box[1] if len(box) == 2 else (0.0, 1.0)

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        return {"x2"} if problem_named(values["problem"]).dimension == 1 else set()

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """Move x to its start after a change of problem."""
        if values["problem"] != self.lab.values["problem"]:
            for name in self.start_fractions.keys() - changes.keys():
                low, high = self.limits(name, values)
                values[name] = round(low + self.start_fractions[name] * (high - low), 3)
        return []

    def at(self, *point: float) -> dict[str, float]:
        """The parameters for a point that was clicked."""
        sides = zip(self.start_fractions, point, self.data.chosen_problem.box, strict=False)
        return {name: within(round(coordinate, 3), side) for name, coordinate, side in sides}

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
        """The balls around x with masses from 1 / n to k_max / n, where 1 to k_max training points are expected."""
        cells = field(self.data.problem, QUERY_CELLS[self.data.chosen_problem.dimension])
        steps = np.unique(np.geomspace(1, self.k_max, 60).round())
        return BallProfile.integrate(cells.measure, cells.eta, self.x[None], steps / self.data.n)
