"""What labs on a sample of a problem share: data, neighbors, votes, balls; and noise on the labels."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np

from knnviz.corruption import LabelNoise
from knnviz.labs.engine.lab import Lab
from knnviz.labs.engine.parameters import Choice, Float, Int, within
from knnviz.labs.engine.scenes import scene_values
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.neighborhoods import START
from knnviz.labs.parts.sizes import (
    COARSE,
    FULL,
    LARGEST_MASS,
    MASS_STEP,
    MOST_NEIGHBORS,
    POPULATION,
    ROUGH,
    SMALL_MASSES,
)
from knnviz.labs.parts.sources import SOURCES, Field, Source, Truth, field, known, take_in, truth
from knnviz.labs.parts.training_data import told
from knnviz.neighbors import NeighborTable, Places
from knnviz.problems import Sample, from_spec
from knnviz.problems.base import FINE
from knnviz.profiles import BallProfile, VoteProfile


class SampleLab(Lab):
    """A sample of a problem, the neighbors of the cells of its map, and a query point x."""

    problem = Choice("checkerboard", SOURCES).tag(label="problem", group="Data", tip="Where the points come from")
    n = Int(2000, min=50, max=8000, step=50).tag(label="sample size", symbol="n", tip="Number of training points")
    seed = Int(0, min=0, max=2**32 - 1, typed=True).tag(label="seed", tip="Another seed draws another sample")
    k = Int(25, min=1, max=MOST_NEIGHBORS).tag(
        label="neighbors", symbol="k", group="Rule", tip="Number of neighbors that vote"
    )
    x1 = Float(START["x1"], min=0, max=1, typed=True).tag(
        label="point", symbol="x1", group="Query: click the map, or type", tip="First coordinate of x"
    )
    x2 = Float(START["x2"], min=0, max=1, typed=True).tag(label="point", symbol="x2", tip="Second coordinate of x")

    #: What is only there for two classes, and its value without effect.
    for_two_classes: Mapping[str, Any] = {}

    #: Name of a source of the reader's own, which stands in the menu beside the others.
    own: str | None = None

    def __init__(self, data: Source | None = None, **values: Any) -> None:
        if data is not None:
            self.own = take_in(data)
            values = {"problem": self.own} | values
        super().__init__(**values)

    @classmethod
    def from_scene(cls, text: str, data: Source | None = None) -> Self:
        """As ``Lab.from_scene``; a scene on data of the reader's own needs these ``data``, the very same."""
        values = scene_values(text, cls.__name__)
        spec = values.pop("data", None)
        if spec is None:
            return cls(**values)
        source = from_spec(spec) if data is None else data
        if source.spec() != spec:
            raise ValueError(f"this scene is on {told(spec)}, but data is {told(source.spec())}")
        return cls(source, **{name: value for name, value in values.items() if name != "problem"})

    def scene_extras(self) -> dict[str, Any]:
        """What the reader's own data are, if the lab is on them."""
        return {"data": known(self.own).spec()} if self.values["problem"] == self.own else {}

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """Limits of n and x follow the problem; to the problems there are a reader's own are added."""
        if name == "problem":
            return (*super().limits(name, values), *([self.own] if self.own else []))
        if isinstance(self.parameters()[name], Choice):
            return super().limits(name, values)
        low, high = super().limits(name, values)
        source = known(values["problem"])
        if name == "n":
            most = source.max_size or high
            return min(low, max(1, most // 2)), min(high, most)
        if name in START:
            box = source.box
            return box[list(START).index(name)] if name == "x1" or len(box) == 2 else (0.0, 1.0)
        return low, high

    @property
    def is_preview(self) -> bool:
        """Whether the map is still the coarse one."""
        return self.resolution < self.finest

    def feasible_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """As ``limits``, and within what the other values leave: k up to n, n from k."""
        low, high = self.limits(name, values)
        if name == "k":
            return low, min(high, values["n"])
        return (max(low, values["k"]), high) if name == "n" else (low, high)

    def slider_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """As ``feasible_range`` for numbers; n begins at the first of its steps that is."""
        if isinstance(self.parameters()[name], Choice):
            return super().slider_range(name, values)
        low, high = self.feasible_range(name, values)
        if name == "n":
            least, step = self.limits(name, values)[0], self.parameters()[name].step
            low = min(least + step * math.ceil((low - least) / step), values[name])
        return low, high

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """Parameters that do nothing for these values."""
        source = known(values["problem"])
        return set(self.for_two_classes if source.n_classes > 2 else ()) | ({"x2"} if source.dimension == 1 else set())

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """After a change of problem n moves into its limits, k below n, and x to its starting place in the box."""
        if values["problem"] == self.values["problem"]:
            return []
        source = known(values["problem"])
        for name, share in START.items():
            if name not in given:
                low, high = self.limits(name, values)
                values[name] = round(low + share * (high - low), 3)
        notes = [note for name in ("n", "k") if name not in given for note in self._nearest(name, values)]
        if source.n_classes > 2:
            notes += [note for name in self.for_two_classes if name not in given for note in self._clear(name, values)]
        return notes

    def _nearest(self, name: str, values: dict[str, Any]) -> list[str]:
        """Move a value to the nearest allowed one, and say so; others follow n."""
        limits = self.limits(name, values) if name == "n" else self.feasible_range(name, values)
        return self.move(name, within(values[name], limits), values)

    def _clear(self, name: str, values: dict[str, Any]) -> list[str]:
        """Move a value that only two classes know to where it has no effect, and say so."""
        return self.move(name, self.for_two_classes[name], values)

    def validate(self, values: Mapping[str, Any]) -> None:
        """k stays within n, and what only two classes know without effect where there are more."""
        enough(values["k"], values["n"])
        if known(values["problem"]).n_classes > 2:
            for name, neutral in self.for_two_classes.items():
                if values[name] != neutral:
                    title = self.parameters()[name].title
                    raise ValueError(
                        f"{title} needs two classes; with more it stays at {neutral:g}, got {values[name]:g}"
                    )

    @stage
    def plane(self) -> Source:
        """The problem as far as the seed does not matter: its box, classes and eta."""
        return known(self.problem)

    @stage
    def source(self) -> Source:
        """The problem, with data split by the seed."""
        return self.plane.with_seed(self.seed)

    @stage
    def sample(self) -> Sample:
        """The training points."""
        return self.source.sample(self.n, self.seed)

    @stage
    def observed(self) -> np.ndarray:
        """Labels as a learner sees them."""
        return self.sample.y

    @stage
    def x(self) -> np.ndarray:
        """The query point (d,)."""
        return np.array([self.x1, self.x2] if self.plane.dimension == 2 else [self.x1])

    @stage
    def places(self) -> Places:
        """The training points, prepared for queries."""
        return Places.of(self.sample.X)

    @stage(compare_values=True)
    def k_max(self) -> int:
        """Neighbors that are looked up."""
        return min(MOST_NEIGHBORS, self.n)

    @stage(compare_values=True)
    def finest(self) -> int:
        """Cells a side of the full map."""
        return FULL[self.plane.dimension]

    @stage(background=True)
    def mapped(self) -> Iterator[tuple[int, NeighborTable]]:
        """Cells a side of the map, and the neighbors of its cells: of a coarse map first."""
        plane, places, k_max = self.plane, self.places, self.k_max
        for resolution in sorted({COARSE[plane.dimension], self.finest}):
            yield resolution, NeighborTable.build(places, plane.grid(resolution).points, k_max)

    @stage(compare_values=True)
    def resolution(self) -> int:
        """Cells a side of the map."""
        return self.mapped[0]

    @stage
    def field(self) -> Field:
        """The cells of the map, with what is known of them."""
        return field(self.problem, self.resolution)

    @stage
    def test_table(self) -> NeighborTable:
        """Neighbors of the points held out."""
        return NeighborTable.build(self.places, self.source.X_test, self.k_max)

    @stage
    def training_table(self) -> NeighborTable:
        """Neighbors of the training points, each its own first one."""
        return NeighborTable.build(self.places, None, self.k_max)

    @stage
    def x_table(self) -> NeighborTable:
        """Neighbors of the query point."""
        return NeighborTable.build(self.places, self.x[None], self.k_max, distances=True)

    @stage
    def cell_votes(self) -> VoteProfile:
        """Votes around the cells."""
        return VoteProfile.count(self.mapped[1], self.observed, self.plane.n_classes)

    @stage
    def test_votes(self) -> VoteProfile:
        """Votes around the points held out."""
        return VoteProfile.count(self.test_table, self.observed, self.plane.n_classes)

    @stage
    def training_votes(self) -> VoteProfile:
        """Votes around the training points."""
        return VoteProfile.count(self.training_table, self.observed, self.plane.n_classes)

    @stage
    def x_votes(self) -> VoteProfile:
        """Votes around the query point."""
        return VoteProfile.count(self.x_table, self.observed, self.plane.n_classes)

    @stage(background=True)
    def truth(self) -> Iterator[Truth]:
        """eta on cells of its own, the Bayes risk and the Bayes boundary: on few cells at first."""
        name, dimension = self.problem, self.plane.dimension
        for resolution in (ROUGH[dimension], FINE[dimension]):
            yield truth(name, resolution)

    @stage(compare_values=True)
    def bayes_risk(self) -> float | None:
        """R* of a known problem."""
        return self.truth.bayes_risk

    @stage(compare_values=True)
    def ball_masses(self) -> tuple[float, ...]:
        """Masses that the balls are kept at: those of the sliders' steps, and those set from Python."""
        steps = np.arange(MASS_STEP, LARGEST_MASS + MASS_STEP / 2, MASS_STEP).round(6)
        return tuple(sorted({*SMALL_MASSES, *steps.tolist(), *self.asked_masses}))

    @property
    def asked_masses(self) -> tuple[float, ...]:
        """Ball masses that parameters ask for."""
        return ()

    @stage(background=True)
    def balls(self) -> Iterator[tuple[int, BallProfile]]:
        """Cells a side, and the balls around the cells in the true distribution: of a coarse map first."""
        name, dimension, masses = self.problem, self.plane.dimension, self.ball_masses
        for resolution in sorted({COARSE[dimension], FULL[dimension]}):
            cells = field(name, resolution)
            kept = [mass for mass in masses if mass * len(cells.eta) >= 1]
            yield resolution, BallProfile.integrate(cells.measure, cells.eta, masses=kept)

    @stage
    def x_ball(self) -> BallProfile:
        """The balls around x in the true distribution that hold up to k_max / n of the mass."""
        cells = field(self.problem, POPULATION[self.plane.dimension])
        steps = np.unique(np.geomspace(1, self.k_max, 60).round())
        return BallProfile.integrate(cells.measure, cells.eta, self.x[None], steps / self.n)


class GroundLab(SampleLab):
    """A sample of a problem, with noise on its labels, and a query point x."""

    p0 = Float(0.0, min=0, max=0.95).tag(
        label="flip rate of class 0", symbol="p0", group="Label noise", tip="Chance that a label of class 0 flips"
    )
    p1 = Float(0.0, min=0, max=0.95).tag(
        label="flip rate of class 1", symbol="p1", tip="Chance that a label of class 1 flips"
    )

    order = ("problem", "n", "seed", "p0", "p1", "k", "x1", "x2")
    for_two_classes: Mapping[str, Any] = {"p0": 0.0, "p1": 0.0}

    def validate(self, values: Mapping[str, Any]) -> None:
        """Flip rates stay together below 1, besides what a sample asks for."""
        LabelNoise(values["p0"], values["p1"])
        super().validate(values)

    @stage
    def noise(self) -> LabelNoise:
        """What happens to their labels."""
        return LabelNoise(self.p0, self.p1)

    @stage
    def observed(self) -> np.ndarray:
        """Labels as a learner sees them."""
        return self.noise.flip(self.sample.y, self.sample.v) if self.plane.n_classes == 2 else self.sample.y


def enough(k: int, n: int) -> None:
    """Raise ValueError unless there are points for k neighbors."""
    if k > n:
        raise ValueError(f"neighbors k must not exceed sample size n, got {k} and {n}")
