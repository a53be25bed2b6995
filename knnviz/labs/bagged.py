"""What labs on bags of labels share: a sample, the process behind its bags, and how often a bag holds each label."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.corruption import BagDraws, BagProcess
from knnviz.labs.engine.parameters import Choice, Float, Int
from knnviz.labs.engine.stages import stage
from knnviz.labs.maps import MapLab
from knnviz.labs.parts.sizes import COARSE, POPULATION
from knnviz.labs.parts.sources import Field, field
from knnviz.problems import Sample
from knnviz.profiles import BallProfile

#: The bags of the worked walk, in the order of the neighbors of x = 0; more points repeat them.
WALK = "ab-a-ac-b-ab-a-ac-ab-a-ab-ac-a"
WORKED = np.array([[label in bag for label in "abc"] for bag in WALK.split("-")])
EXAMPLE = "worked example"

#: Where on the line those bags stand, and all others.
NEAR, FAR = (0.03, 0.6), (0.65, 1.0)

PROBLEMS = (
    *("three gaussians", "five gaussians", "moons", "thirds", "contested line", "five pieces", "waves"),
    *("shares 50 49 1", "shares 40 30 30", EXAMPLE, "iris", "wine", "digits 0 to 4"),
)

#: How the label of a bag may be wrong, and how others join it.
KINDS = {"confusion": "confusion", "another label": "other", "removal": "removal"}
SPREADS = ("even", "by cluster", "crowded left")

#: Where the crowded part of the box ends, and the chances there: of the second label, and of all others.
CROWDED, OFTEN, SELDOM = 0.3, 0.9, 0.1

#: Cells a side among which clusters are looked for, by dimension.
CLUSTERED = {1: 2000, 2: 60}

#: Cells a side among which balls are integrated, by dimension: each class takes as long as one label does elsewhere.
BALLS = {1: 1000, 2: 100}

#: Label frequencies that differ by less tie.
TIE = 1e-9


class BagLab(MapLab):
    """A sample of a problem whose labels come in bags."""

    problem = Choice(PROBLEMS[0], PROBLEMS).tag(label="problem", group="Data", tip="Where the points come from")
    n = Int(1000, min=50, max=8000, step=50).tag(label="sample size", symbol="n", tip="Number of training points")
    bag_noise = Float(0.2, min=0, max=1).tag(
        label="bag noise", symbol="nu", group="Bags", tip="Chance that the label of a bag is wrong, or removed"
    )
    kind = Choice("confusion", KINDS).tag(
        label="noise", tip="The label becomes one of all, or another one; or the true label leaves its bag"
    )
    inclusion = Float(0.4, min=0, max=0.95).tag(
        label="inclusion", symbol="a", tip="Largest chance that a wrong label joins a bag"
    )
    spread = Choice(SPREADS[0], SPREADS).tag(
        label="joining",
        tip="One chance for all; one for each label in each of five clusters; or label 2 crowds the left",
    )

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The worked example has as many points as it was worked on."""
        return (100, 100) if name == "n" and values["problem"] == EXAMPLE else super().limits(name, values)

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """The worked example has its own bags."""
        own = {"bag_noise", "kind", "inclusion", "spread", "n"} if values["problem"] == EXAMPLE else set()
        return super().hidden(values) | own

    @stage
    def sample(self) -> Sample:
        """The training points; of the worked example one after the other."""
        if self.problem != EXAMPLE:
            return super().sample
        # Room for the bags that are worked on; all others are farther.
        x = np.append(np.linspace(*NEAR, len(WORKED)), np.linspace(*FAR, self.n - len(WORKED)))
        return Sample(x[:, None], np.zeros(self.n, int), None, np.zeros(self.n))

    @stage
    def clusters(self) -> BagProcess:
        """Five clusters with chances up to 1."""
        plane, n_classes = self.source, self.plane.n_classes
        if plane.eta is None:
            return BagProcess.clustered(plane.X_train, n_classes, self.seed, largest=1)
        measure = field(self.problem, CLUSTERED[plane.dimension]).measure
        return BagProcess.clustered(measure.points, n_classes, self.seed, largest=1, weights=measure.weights)

    @stage
    def joining(self) -> BagProcess:
        """How wrong labels join bags, without noise."""
        n_classes, inclusion = self.plane.n_classes, self.inclusion
        if self.spread == SPREADS[1]:
            return replace(self.clusters, inclusion=inclusion * self.clusters.inclusion)
        even = BagProcess.even(n_classes, inclusion)
        if self.spread == SPREADS[0]:
            return even
        crowded = np.full((n_classes, n_classes), SELDOM)
        crowded[:, 1] = OFTEN
        middle = np.array([(low + high) / 2 for low, high in self.plane.box])
        low, high = self.plane.box[0]
        centers = np.tile(middle, (2, 1))
        centers[:, 0] = low + (high - low) * CROWDED * np.array([0.5, 1.5])
        return BagProcess(np.stack([crowded, even.inclusion[0]]), centers=centers)

    @stage
    def process(self) -> BagProcess:
        """Where bags come from."""
        return replace(self.joining, bag_noise=self.bag_noise, kind=KINDS[self.kind])

    @stage
    def draws(self) -> BagDraws:
        """The uniforms behind the bags."""
        (stream,) = np.random.SeedSequence(self.seed).spawn(1)
        return BagDraws.of(self.n, self.plane.n_classes, stream)

    @stage
    def bags(self) -> np.ndarray:
        """Bags (n, C) of the training points."""
        if self.problem == EXAMPLE:
            return WORKED[np.arange(self.n) % len(WORKED)]
        return self.process.draw(self.sample.X, self.sample.y, self.draws)

    def bag_frequency(self, cells: Field) -> np.ndarray:
        """P(S_y | x) (m, C) at the cells of a known distribution; of the worked example the shares of its bags."""
        if self.problem == EXAMPLE:
            return np.tile(WORKED.mean(axis=0), (len(cells.eta), 1))
        return self.process.frequency(cells.grid.points, cells.eta)

    @stage
    def frequency(self) -> np.ndarray:
        """P(S_y | x) at the cells of the map."""
        return self.bag_frequency(self.field)

    @stage
    def misaligned(self) -> np.ndarray:
        """Cells (m,) at which the label in most bags is not the likeliest one."""
        return (tops(self.frequency) != tops(self.field.eta)).any(axis=1)

    @stage(background=True)
    def bag_balls(self) -> Iterator[tuple[int, BallProfile]]:
        """Cells a side, and how often bags in the balls around the cells hold each label: of a coarse map first."""
        name, dimension, masses = self.problem, self.plane.dimension, self.ball_masses
        found = {side: self.bag_frequency(field(name, side)) for side in sorted({COARSE[dimension], BALLS[dimension]})}
        for resolution, frequency in found.items():
            kept = [mass for mass in masses if mass * len(frequency) >= 1]
            yield resolution, BallProfile.integrate(field(name, resolution).measure, frequency, masses=kept)

    @stage
    def x_ball(self) -> BallProfile:
        """How often bags in the balls around x hold each label, in the true distribution."""
        cells = field(self.problem, POPULATION[self.plane.dimension])
        steps = np.unique(np.geomspace(1, self.k_max, 60).round())
        return BallProfile.integrate(cells.measure, self.bag_frequency(cells), self.x[None], steps / self.n)

    @stage
    def mean_bag_size(self) -> float:
        """Labels in a bag of the sample, in the mean."""
        return float(self.bags.sum(axis=1).mean())


def tops(frequency: np.ndarray) -> np.ndarray:
    """Which labels have the largest frequency (m, C) bool, those that tie with it included."""
    return frequency >= frequency.max(axis=1, keepdims=True) - TIE
