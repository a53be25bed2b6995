"""The rules of NoiseLab: kNN, and robust kNN with flip rates that are known or estimated."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from knnviz import noise
from knnviz.labs.engine import Choice, Component, Input, Int, stage
from knnviz.labs.parts.robust_rules import three_thresholds
from knnviz.labs.parts.sizes import MOST_NEIGHBORS
from knnviz.labs.parts.sources import problem_named
from knnviz.labs.parts.training_data import LabelFlips, TrainingData
from knnviz.neighbors import NeighborTable
from knnviz.noise import Rates
from knnviz.profiles import VoteProfile
from knnviz.rules import Robust
from knnviz.views.vote_curve import ThresholdLine

RATES = ("estimated from k'", "estimated from k - 1", "known")
FARTHEST, FARTHEST_NOISE = 800, 400

#: Neighbors of training points that are looked up: enough for every k', or for every k.
REACHES = (FARTHEST_NOISE + 1, FARTHEST + 1)


class RobustRules(Component):
    """Robust kNN between two classes: k, where the flip rates come from, and the estimates from k' neighbors."""

    data: TrainingData = Input()
    noise: LabelFlips = Input()

    k = Int(51, min=1, max=FARTHEST).tag(
        label="neighbors", symbol="k", group="Rules", tip="Number of neighbors that vote", at_most="n"
    )
    rates = Choice(RATES[0], RATES).tag(label="flip rates", tip="Flip rates by which robust kNN moves its threshold")
    k_noise = Int(100, min=1, max=FARTHEST_NOISE).tag(
        label="neighbors for the noise",
        symbol="k'",
        tip="Number of other neighbors that smooth a training label",
        below="n",
        when={"rates": (RATES[0], RATES[2])},
    )
    variant = Choice("threshold", ("threshold", "gao")).tag(
        label="variant", tip="Decide by the moved threshold, or by the printed correction; they differ on ties only"
    )

    def slider_range(self, name: str, feasible: tuple[Any, ...], values: Mapping[str, Any]) -> tuple[Any, ...]:
        short = name == "k" and values["k"] <= MOST_NEIGHBORS
        return (feasible[0], min(feasible[1], MOST_NEIGHBORS)) if short else feasible

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """With a new problem k' beyond n goes to n / 4: with nearly all points every smoothed label is the same."""
        changed = not self.lab.has_started or values["problem"] != self.lab.values["problem"]
        before, n = values["k_noise"], values["n"]
        if not changed or "k_noise" in changes or before < n:
            return []
        values["k_noise"] = max(n // 4, 1)
        return [f"{self.parameters['k_noise'].title} moved from {before} to {values['k_noise']}, a quarter of n."]

    def validate(self, values: Mapping[str, Any]) -> None:
        source = problem_named(values["problem"])
        if source.n_classes != 2:
            raise ValueError(f"label noise needs two classes, but {source.name} has {source.n_classes}")

    @stage(compare_values=True)
    def far(self) -> bool:
        return self.k > MOST_NEIGHBORS

    @property
    def k_axis_end(self) -> int:
        return FARTHEST if self.far else MOST_NEIGHBORS

    @stage(compare_values=True)
    def k_max(self) -> int:
        return min(self.k_axis_end, self.data.n)

    @stage(compare_values=True)
    def smoothed_over(self) -> int:
        """k', how many other neighbors smooth a training label."""
        return max(self.k - 1, 1) if self.rates == RATES[1] else self.k_noise

    @stage(compare_values=True)
    def reach(self) -> int:
        return min(next(reach for reach in REACHES if reach > self.smoothed_over), self.data.n)

    @stage(background=True, large=True)
    def reaching(self) -> Iterator[NeighborTable]:
        """Neighbors of each training point: as many as k' needs at once, soon enough for any k'."""
        index, reach, values = self.data.index, self.reach, self.lab.values
        # Not by the stage: the first table need not follow k', since the second one holds them all.
        least = max(values["k"] - 1, 1) if values["rates"] == RATES[1] else values["k_noise"]
        for each in sorted({min(least + 1, reach), reach}):
            yield NeighborTable.build(index, None, each)

    @stage(compare_values=True)
    def is_short(self) -> bool:
        return self.reaching.k_max <= self.smoothed_over

    @stage(large=True)
    def table(self) -> NeighborTable:
        """Neighbors of each training point, enough for k' in any case."""
        return NeighborTable.build(self.data.index, None, self.smoothed_over + 1) if self.is_short else self.reaching

    @stage(large=True)
    def training_votes(self) -> VoteProfile:
        return VoteProfile.count(self.table, self.noise.labels, 2)

    @stage
    def ones(self) -> np.ndarray:
        return noise.smoothed(self.training_votes, self.noise.labels, self.smoothed_over)

    @stage
    def smoothed(self) -> np.ndarray:
        return self.ones / (self.smoothed_over + 1)

    @stage(compare_values=True)
    def estimated_rates(self) -> Rates:
        return Rates.read(self.ones, self.smoothed_over)

    @stage
    def known(self) -> Robust:
        return Robust((self.noise.p0, self.noise.p1), variant=self.variant)

    @stage
    def estimated(self) -> Robust:
        return Robust(self.estimated_rates, variant=self.variant)

    @property
    def robust(self) -> Robust:
        return self.known if self.rates == RATES[2] else self.estimated

    @stage
    def thresholds(self) -> tuple[ThresholdLine, ...]:
        return three_thresholds(self.known.threshold, self.estimated_rates.threshold)
