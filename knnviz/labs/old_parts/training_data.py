"""A sample of a problem from the menu, label noise, and the distribution if it is known."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from knnviz import risk
from knnviz.labs.old_engine import DECIMALS, Choice, Component, Float, Input, Int, Seed, default_limits, stage, within
from knnviz.labs.old_parts.buttons import Button, new_sample
from knnviz.labs.old_parts.sizes import TRUTH_PREVIEW
from knnviz.labs.old_parts.sources import (
    BAG_SOURCES,
    OWN_SOURCES,
    SOURCES,
    Source,
    Truth,
    check_rows,
    problem_named,
    register,
    truth,
)
from knnviz.neighbors import SpatialIndex
from knnviz.noise import LabelNoise
from knnviz.problems import Dataset, Sample, from_spec
from knnviz.problems.base import FINE_GRID
from knnviz.views.layers import Lines

#: On their sliders, the sum of two flip rates is at most 1 minus this.
RATE_STEP = 0.01


class TrainingData(Component):
    """A sample of a problem: its points and their true labels, before any noise.

    ``problem`` is the name in the menu and ``chosen_problem`` the object of that name. ``source`` differs from it only
    for a data set, which the seed splits into training and test points.
    """

    problem = Choice("checkerboard", SOURCES).tag(label="problem", group="Data", tip="Where the points come from")
    n = Int(2000, min=50, max=8000, step=50).tag(label="sample size", symbol="n", tip="Number of training points")
    seed = Seed().tag(tip="Another seed draws another sample")

    #: Menu name of the reader's own problem or data set.
    own_source: str | None = None

    #: Sample sizes of problems for which n is fixed, by name.
    fixed_sizes: Mapping[str, int] = {}

    def add_source(self, source: Source) -> dict[str, Any]:
        """Put the reader's own source into the menu, and return the values that choose it.

        ValueError for anything else, such as an array, and for too many rows.
        """
        if not isinstance(source, Source):
            kind = type(source).__name__
            raise ValueError(f"data must be a problem, or a data set that problems.from_data(X, y) makes, got {kind}")
        if isinstance(source, Dataset):
            check_rows(len(source.table.y))
        self.own_source = register(source, OWN_SOURCES, SOURCES | BAG_SOURCES)
        return {"problem": self.own_source}

    def scene_extras(self) -> dict[str, Any]:
        """A description of the reader's own data, if the lab shows them."""
        own = OWN_SOURCES.get(self.lab.values["problem"])
        return {} if own is None else {"data": own.spec()}

    @staticmethod
    def source_of_scene(spec: Mapping[str, Any], data: Source | None) -> Source:
        """The source that ``spec`` describes by name, parameters and checksum: made from it, or the reader's ``data``.

        Raises ValueError for other data than described, and without data if the description is not enough.
        """
        source = from_spec(spec) if data is None else data
        if source.spec() != spec:
            raise ValueError(f"this scene is on {source_text(spec)}, but data is {source_text(source.spec())}")
        return source

    def actions(self) -> list[Button]:
        return [new_sample(self.lab)]

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """n is at most the size of the training part of a data set; the menu includes the reader's own source."""
        limits = default_limits(self.parameters[name])
        if name == "problem" and self.own_source:
            return (*limits, self.own_source)
        if name == "n" and values["problem"] in self.fixed_sizes:
            size = self.fixed_sizes[values["problem"]]
            return size, size
        max_size = problem_named(values["problem"]).max_size if name == "n" else None
        if max_size:
            return min(limits[0], max(1, max_size // 2)), min(limits[1], max_size)
        return limits

    def _neutral_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """With more than two classes, the values without effect of parameters that need two classes."""
        if problem_named(values["problem"]).n_classes == 2:
            return {}
        tags = {name: each.metadata for name, each in self.lab.parameters.items()}
        return {name: each["neutral"] for name, each in tags.items() if "neutral" in each}

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        return set(self._neutral_values(values))

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """At the start and after a change of problem, move n and what it bounds into range; then set neutral values."""
        lab = self.lab
        if values["problem"] == lab.values["problem"] and lab.has_started:
            return []
        notes: list[str] = []
        if "n" not in changes:
            notes += lab.move_and_note("n", within(values["n"], self.limits("n", values)), values)
        for name in lab.declared.tagged_at_most("n"):
            if name not in changes:
                notes += lab.move_and_note(name, within(values[name], lab.feasible_range(name, values)), values)
        for name, neutral in self._neutral_values(values).items():
            if name not in changes:
                notes += lab.move_and_note(name, neutral, values)
        return notes

    def validate(self, values: Mapping[str, Any]) -> None:
        for name, neutral in self._neutral_values(values).items():
            if values[name] != neutral:
                title = self.lab.parameters[name].title
                raise ValueError(f"{title} needs two classes; with more it stays at {neutral:g}, got {values[name]:g}")

    @stage
    def chosen_problem(self) -> Source:
        """The problem or data set of that name; it does not depend on the seed."""
        return problem_named(self.problem)

    @stage
    def source(self) -> Source:
        """``chosen_problem``, with the seed that splits a data set into training and test points."""
        return self.chosen_problem.with_seed(self.seed)

    @stage
    def sample(self) -> Sample:
        return self.source.sample(self.n, self.seed)

    @stage
    def labels(self) -> np.ndarray:
        return self.sample.y

    @stage
    def index(self) -> SpatialIndex:
        return SpatialIndex(self.sample.X)

    @stage(background=True, large=True)
    def truth(self) -> Iterator[Truth]:
        """The known distribution, first on few cells."""
        name, dimension = self.problem, self.chosen_problem.dimension
        for resolution in (TRUTH_PREVIEW[dimension], FINE_GRID[dimension]):
            yield truth(name, resolution)

    @stage
    def bayes_boundary(self) -> Lines | None:
        """The Bayes boundary, or None on a line; it stays when ``truth``, a large value, is released."""
        return self.truth.boundary

    @stage(compare_values=True)
    def bayes_risk(self) -> float | None:
        """The Bayes risk; None for a data set."""
        return self.truth.bayes_risk


class LabelFlips(Component):
    """Class-conditional label noise: each label of a sample flips with a probability that depends on its class."""

    data: TrainingData = Input()

    p0 = Float(0.0, min=0, max=0.95).tag(
        label="flip rate of class 0",
        symbol="p0",
        group="Label noise",
        tip="Probability that a label of class 0 flips",
        neutral=0.0,
    )
    p1 = Float(0.0, min=0, max=0.95).tag(
        label="flip rate of class 1", symbol="p1", tip="Probability that a label of class 1 flips", neutral=0.0
    )

    def slider_range(self, name: str, feasible: tuple[Any, ...], values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The sum of both flip rates stays below 1."""
        low, high = feasible
        largest = round(1 - values["p1" if name == "p0" else "p0"] - RATE_STEP, DECIMALS)
        return low, max(values[name], min(high, largest))

    def validate(self, values: Mapping[str, Any]) -> None:
        LabelNoise(values["p0"], values["p1"])

    @stage
    def model(self) -> LabelNoise | None:
        return LabelNoise(self.p0, self.p1) if self.data.chosen_problem.n_classes == 2 else None

    @stage
    def labels(self) -> np.ndarray:
        """The noisy labels: one flips if its uniform number in ``sample.v`` is below the flip rate."""
        sample, model = self.data.sample, self.model
        return sample.y if model is None else model.flip(sample.y, sample.v)

    @stage(large=True)
    def risk_limits(self) -> risk.Limits:
        """Limits of risks as n and k grow, for two classes and a known distribution; methods take the label noise."""
        return risk.Limits.from_eta(self.data.truth.eta, self.data.truth.measure.weights)

    @stage
    def flipped(self) -> int:
        return int(np.sum(self.labels != self.data.sample.y))


def source_text(spec: Mapping[str, Any]) -> str:
    """A source in an error message: its name, parameters and checksum."""
    checksum = f", checksum {spec['checksum']}" if "checksum" in spec else ""
    return f"{spec['name']!r} with {spec['parameters']}{checksum}"
