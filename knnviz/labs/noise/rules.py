"""The rules of NoiseLab: robust kNN with flip rates that are known or estimated."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from knnviz import noise
from knnviz.labs.old_engine import Choice, Component, Input, Int, stage
from knnviz.labs.old_parts.robust_rules import three_thresholds
from knnviz.labs.old_parts.sizes import LARGEST_SLIDER_K
from knnviz.labs.old_parts.sources import problem_named
from knnviz.labs.old_parts.training_data import LabelFlips, TrainingData
from knnviz.neighbors import NeighborTable
from knnviz.noise import Rates
from knnviz.profiles import VoteProfile
from knnviz.rules import Robust
from knnviz.views.vote_curve import ThresholdLine

FROM_K_NOISE, FROM_K, KNOWN = RATES = ("estimated from k'", "estimated from k - 1", "known")

#: Largest k, and largest k'.
LARGEST_K, LARGEST_K_NOISE = 800, 400

#: Neighbors of training points that are looked up, each point itself included: enough for all k', or for all k - 1.
TABLE_SIZES = (LARGEST_K_NOISE + 1, LARGEST_K + 1)


class RobustRules(Component):
    """Robust kNN between two classes: k, known or estimated flip rates, and their estimates from k' neighbors."""

    data: TrainingData = Input()
    noise: LabelFlips = Input()

    k = Int(51, min=1, max=LARGEST_K).tag(
        label="neighbors", symbol="k", group="Rules", tip="Number of neighbors that vote", at_most="n"
    )
    rates = Choice(FROM_K_NOISE, RATES).tag(
        label="flip rates", tip="Flip rates by which robust kNN moves its threshold"
    )
    k_noise = Int(100, min=1, max=LARGEST_K_NOISE).tag(
        label="neighbors for the noise",
        symbol="k'",
        tip="Number of other neighbors that smooth a training label",
        below="n",
        when={"rates": (FROM_K_NOISE, KNOWN)},
    )
    variant = Choice("threshold", ("threshold", "gao")).tag(
        label="variant", tip="Decide by the moved threshold, or by the printed correction; they differ on ties only"
    )

    def slider_range(self, name: str, feasible: tuple[Any, ...], values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The slider of k is short while k is small, so that small k are easy to set."""
        is_short = name == "k" and values["k"] <= LARGEST_SLIDER_K
        return (feasible[0], min(feasible[1], LARGEST_SLIDER_K)) if is_short else feasible

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """At the start and for a new problem, a k' of n or more becomes n / 4.

        Labels smoothed over nearly all points are nearly equal.
        """
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
    def has_large_k(self) -> bool:
        return self.k > LARGEST_SLIDER_K

    @property
    def k_axis_end(self) -> int:
        return LARGEST_K if self.has_large_k else LARGEST_SLIDER_K

    @stage(compare_values=True)
    def k_max(self) -> int:
        return min(self.k_axis_end, self.data.n)

    @stage(compare_values=True)
    def k_noise_in_use(self) -> int:
        """k' as set, or k - 1."""
        return max(self.k - 1, 1) if self.rates == FROM_K else self.k_noise

    @stage(compare_values=True)
    def table_size(self) -> int:
        return min(next(size for size in TABLE_SIZES if size > self.k_noise_in_use), self.data.n)

    @stage(background=True, large=True)
    def growing_table(self) -> Iterator[NeighborTable]:
        """Neighbors of each training point: first as many as k' needs, then ``table_size``."""
        index, size, values = self.data.index, self.table_size, self.lab.values
        # Not from ``k_noise_in_use``, which would restart this stage: the second table serves other k', too.
        k_noise = max(values["k"] - 1, 1) if values["rates"] == FROM_K else values["k_noise"]
        for k_max in sorted({min(k_noise + 1, size), size}):
            yield NeighborTable.build(index, None, k_max)

    @stage(compare_values=True)
    def needs_more_neighbors(self) -> bool:
        return self.growing_table.k_max <= self.k_noise_in_use

    @stage(large=True)
    def table(self) -> NeighborTable:
        """Neighbors of each training point, at least k' + 1."""
        if self.needs_more_neighbors:
            return NeighborTable.build(self.data.index, None, self.k_noise_in_use + 1)
        return self.growing_table

    @stage(large=True)
    def training_votes(self) -> VoteProfile:
        return VoteProfile.count(self.table, self.noise.labels, 2)

    @stage
    def class_1_counts(self) -> np.ndarray:
        """How many (n,) of the k' + 1 labels that smooth each training label, itself included, are of class 1."""
        return noise.smoothed(self.training_votes, self.noise.labels, self.k_noise_in_use)

    @stage
    def smoothed(self) -> np.ndarray:
        """The smoothed labels (n,)."""
        return self.class_1_counts / (self.k_noise_in_use + 1)

    @stage(compare_values=True)
    def estimated_rates(self) -> Rates:
        return Rates.from_votes(self.class_1_counts, self.k_noise_in_use)

    @stage
    def known(self) -> Robust:
        return Robust((self.noise.p0, self.noise.p1), variant=self.variant)

    @stage
    def estimated(self) -> Robust:
        return Robust(self.estimated_rates, variant=self.variant)

    @property
    def robust(self) -> Robust:
        return self.known if self.rates == KNOWN else self.estimated

    @stage
    def thresholds(self) -> tuple[ThresholdLine, ...]:
        return three_thresholds(self.known.threshold, self.estimated_rates.threshold)
