"""A sample, its bags and the process that makes them, and how often a bag holds each label."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.bags import BagDraws, BagProcess
from knnviz.labs.old_engine import Choice, Component, Float, Input, Int, stage
from knnviz.labs.old_parts.bag_choices import KINDS
from knnviz.labs.old_parts.neighborhoods import Cells, QueryPoint
from knnviz.labs.old_parts.sizes import COARSE_MAP_CELLS, QUERY_CELLS
from knnviz.labs.old_parts.sources import Field, field
from knnviz.labs.old_parts.training_data import TrainingData
from knnviz.problems import Sample
from knnviz.profiles import BallProfile

#: The worked example: its name, and the bags of the nearest neighbors of x = 0 in order; farther points repeat them.
EXAMPLE = "worked example"
EXAMPLE_LABELS = "ab-a-ac-b-ab-a-ac-ab-a-ab-ac-a"
EXAMPLE_BAGS = np.array([[label in bag for label in "abc"] for bag in EXAMPLE_LABELS.split("-")])

#: The intervals of the line in which the points with these bags lie, and all other points.
NEAR, FAR = (0.03, 0.6), (0.65, 1.0)

PROBLEMS = (
    *("three gaussians", "five gaussians", "moons", "thirds", "contested line", "five pieces", "waves"),
    *("fractions 50 49 1", "fractions 40 30 30", EXAMPLE, "iris", "wine", "digits 0 to 4"),
)

#: How the probability that a wrong label joins a bag varies over the points.
EVEN, BY_CLUSTER, _ = SPREADS = ("even", "by cluster", "crowded left")

#: In "crowded left" the left part of the box, by its fraction, and the probabilities there that the second label and
#: that another one joins a bag.
CROWDED, OFTEN, SELDOM = 0.3, 0.9, 0.1

#: Cells a side whose centers are clustered, by dimension.
CLUSTER_CELLS = {1: 2000, 2: 60}

#: Cells a side around which balls are integrated, by dimension: in the plane fewer than usual, since labels are many.
BALL_CELLS = {1: 1000, 2: 100}

#: Label frequencies that differ by less tie.
TIE_TOL = 1e-9


class BagSample(TrainingData):
    """A sample of a problem; the worked example has points of its own."""

    problem = Choice(PROBLEMS[0], PROBLEMS).tag(label="problem", group="Data", tip="Where the points come from")
    n = Int(1000, min=50, max=8000, step=50).tag(label="sample size", symbol="n", tip="Number of training points")

    fixed_sizes: Mapping[str, int] = {EXAMPLE: 100}

    @property
    def has_eta(self) -> bool:
        return self.chosen_problem.eta is not None

    @stage
    def sample(self) -> Sample:
        if self.problem != EXAMPLE:
            return self.source.sample(self.n, self.seed)
        x = np.append(np.linspace(*NEAR, len(EXAMPLE_BAGS)), np.linspace(*FAR, self.n - len(EXAMPLE_BAGS)))
        return Sample(x[:, None], np.zeros(self.n, int), None, np.zeros(self.n))


class Bags(Component):
    """The bags of a sample, and the process that they are drawn from."""

    data: BagSample = Input()

    bag_noise = Float(0.2, min=0, max=1).tag(
        label="bag noise", symbol="nu", group="Bags", tip="Probability that the label of a bag is replaced or removed"
    )
    kind = Choice("confusion", KINDS).tag(
        label="noise", tip="The label becomes one of all, or another one; or the true label leaves its bag"
    )
    inclusion = Float(0.4, min=0, max=0.95).tag(
        label="inclusion",
        symbol="a",
        tip="Largest probability that a wrong label joins a bag; a crowded left has its own",
    )
    spread = Choice(EVEN, SPREADS).tag(
        label="joining",
        tip="One probability for all; one for each label in each of five clusters; or the second label crowds the left",
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        return {*self.parameters, "n"} if values["problem"] == EXAMPLE else set()

    @stage
    def clustered_process(self) -> BagProcess:
        """The process with probabilities by label and cluster, uniform on [0, 1], before ``inclusion`` scales them."""
        data = self.data
        n_classes = data.chosen_problem.n_classes
        if not data.has_eta:
            return BagProcess.clustered(data.source.X_train, n_classes, data.seed, largest=1)
        measure = field(data.problem, CLUSTER_CELLS[data.chosen_problem.dimension]).measure
        return BagProcess.clustered(measure.points, n_classes, data.seed, largest=1, weights=measure.weights)

    @stage
    def noiseless_process(self) -> BagProcess:
        """The process without bag noise; it has the probabilities that wrong labels join a bag."""
        if self.spread == BY_CLUSTER:
            return replace(self.clustered_process, inclusion=self.inclusion * self.clustered_process.inclusion)
        n_classes = self.data.chosen_problem.n_classes
        even = BagProcess.even_inclusion(n_classes, self.inclusion)
        if self.spread == EVEN:
            return even
        crowded = np.full((n_classes, n_classes), SELDOM)
        crowded[:, 1] = OFTEN
        (low, high), *others = self.data.chosen_problem.box
        across = low + (high - low) * CROWDED * np.array([0.5, 1.5])
        centers = [[x, *map(np.mean, others)] for x in across]
        return BagProcess(np.stack([crowded, even.inclusion[0]]), centers=np.array(centers))

    @stage
    def process(self) -> BagProcess:
        return replace(self.noiseless_process, bag_noise=self.bag_noise, kind=KINDS[self.kind])

    @stage
    def draws(self) -> BagDraws:
        (stream,) = np.random.SeedSequence(self.data.seed).spawn(1)
        return BagDraws.draw(self.data.n, self.data.chosen_problem.n_classes, stream)

    @stage
    def labels(self) -> np.ndarray:
        """The bags (n, C) bool, in the place of labels (n,) of other labs."""
        if self.data.problem == EXAMPLE:
            return EXAMPLE_BAGS[np.arange(self.data.n) % len(EXAMPLE_BAGS)]
        return self.process.draw(self.data.sample.X, self.data.sample.y, self.draws)

    @stage
    def mean_size(self) -> float:
        return float(self.labels.sum(axis=1).mean())

    def frequency(self, cells: Field) -> np.ndarray:
        """P(label in bag | x) (m, C) at the cells of a known distribution; the worked example has one for all cells."""
        if self.data.problem == EXAMPLE:
            return np.tile(EXAMPLE_BAGS.mean(axis=0), (len(cells.eta), 1))
        return self.process.frequency(cells.grid.points, cells.eta)


class BagFrequencies(Component):
    """How often bags hold each label in the true distribution: at the cells of the map, and in balls."""

    data: BagSample = Input()
    bags: Bags = Input()
    cells: Cells = Input()
    query: QueryPoint = Input()

    @stage
    def at_cells(self) -> np.ndarray:
        return self.bags.frequency(self.cells.field)

    @stage
    def misaligned_cells(self) -> np.ndarray:
        """Cells (m,) bool at which the labels in most bags are not the most probable ones."""
        return (most_frequent(self.at_cells) != most_frequent(self.cells.field.eta)).any(axis=1)

    @stage(background=True, large=True)
    def balls(self) -> Iterator[tuple[int, BallProfile]]:
        """Cells a side, and label frequencies in the balls around the cells; for fewer cells first."""
        name, dimension, masses = self.data.problem, self.data.chosen_problem.dimension, self.cells.ball_masses
        sides = sorted({COARSE_MAP_CELLS[dimension], BALL_CELLS[dimension]})
        for side, frequency in [(side, self.bags.frequency(field(name, side))) for side in sides]:
            kept = [mass for mass in masses if mass * len(frequency) >= 1]
            yield side, BallProfile.integrate(field(name, side).measure, frequency, masses=kept)

    @stage
    def around_x(self) -> BallProfile:
        """Label frequencies in the balls around x of mass up to k_max / n."""
        cells = field(self.data.problem, QUERY_CELLS[self.data.chosen_problem.dimension])
        steps = np.unique(np.geomspace(1, self.query.k_max, 60).round())
        return BallProfile.integrate(cells.measure, self.bags.frequency(cells), self.query.x[None], steps / self.data.n)


def most_frequent(frequency: np.ndarray) -> np.ndarray:
    """Which labels (m, C) bool have the largest frequency (m, C); several if they tie."""
    return frequency >= frequency.max(axis=1, keepdims=True) - TIE_TOL
