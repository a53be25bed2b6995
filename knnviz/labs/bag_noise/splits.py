"""Splits of data with bags, and errors of rules on them, cached for the next move of a slider."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from time import monotonic
from typing import NamedTuple, Self

import numpy as np

from knnviz.bags import BagProcess, Kind
from knnviz.learnability.comparison import (
    BagComparison,
    BagRule,
    BagSplit,
    Preparation,
    RuleOutcome,
    bag_vote_errors,
    n_train,
    rule_outcome,
)
from knnviz.neighbors import NeighborTable
from knnviz.problems import BagTable

#: Values of the bag noise nu, the largest of them, and the largest T.
NOISES = tuple(round(0.1 * j, 1) for j in range(9))
LARGEST_NU = NOISES[-1]
LARGEST_T = 200

#: Data by their name in the menu: their name in scikit-learn, and whether columns are standardized.
DATA = {"digits": ("digits", False), "wine": ("wine", True), "breast cancer": ("breast_cancer", True)}

#: Readers' own bags, by their names in the menu.
OWN_BAGS: dict[str, BagTable] = {}

#: Preparations, and the least number of training points for each.
PREPARATIONS: dict[Preparation, int] = {"vision": 51, "tabular": 101, "raw": 1}

#: k of the plain vote.
VOTE_K = 10


class SplitKey(NamedTuple):
    """What determines a split: data, preparation, seed, and the number of the split under this seed."""

    problem: str
    preparation: Preparation
    seed: int
    number: int


class BagSettings(NamedTuple):
    """The largest probability that a wrong label joins a bag, unless bags are a reader's own; and the kind of noise."""

    inclusion: float
    kind: Kind


class BaggedSplit(NamedTuple):
    """A split with its bags (n, C) at each nu, their mean sizes (J,), and the fraction (J,) of aligned clusters.

    The fraction is NaN for a reader's own bags, of which it is unknown.
    """

    split: BagSplit
    bags: tuple[np.ndarray, ...]
    sizes: np.ndarray
    aligned: np.ndarray


@cache
def points(problem: str) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, d) and classes (n,) of data by name."""
    if problem in OWN_BAGS:
        return OWN_BAGS[problem].X, OWN_BAGS[problem].y
    from sklearn import datasets

    return getattr(datasets, f"load_{DATA[problem][0]}")(return_X_y=True)


def training_size(problem: str) -> int:
    return n_train(len(points(problem)[1]))


def class_count(problem: str) -> int:
    return OWN_BAGS[problem].n_classes if problem in OWN_BAGS else int(points(problem)[1].max()) + 1


class CachedSplit:
    """A split that is computed on first use."""

    def __init__(self, key: SplitKey) -> None:
        self.key = key

    @property
    def is_ready(self) -> bool:
        return "split" in vars(self)

    @cached_property
    def split(self) -> BagSplit:
        """The split, with neighbors of the points held out; inclusions go up to 1, ``bagged_split`` scales them."""
        problem, preparation, seed, number = self.key
        X, y = points(problem)
        own = OWN_BAGS.get(problem)
        split = BagSplit.draw(
            X,
            y,
            np.random.SeedSequence(seed, spawn_key=(number,)),
            bags=None if own is None else own.S,
            largest=1.0,
            # Not before the paper's pipeline for tables.
            standardize=preparation != "tabular" and (own is not None or DATA[problem][1]),
            k_max=min(LARGEST_T, training_size(problem)),
            preparation=preparation,
        )
        # Without the points among which neighbors were found: these take as much memory as the rest of the split.
        return replace(split, table=NeighborTable(split.table.indices, split.table.n))


@lru_cache(maxsize=48)
def cached_split(key: SplitKey) -> CachedSplit:
    return CachedSplit(key)


@lru_cache(maxsize=64)
def bagged_split(key: SplitKey, settings: BagSettings) -> BaggedSplit:
    split = cached_split(key).split.with_process(*settings)
    bags = tuple(split.bags(noise) for noise in NOISES)
    sizes = np.array([at_noise.sum(axis=1).mean() for at_noise in bags])
    aligned = np.full(len(NOISES), np.nan)
    if isinstance(split.process, BagProcess):
        aligned[:] = [replace(split.process, bag_noise=noise).true_label_leads().mean() for noise in NOISES]
    return BaggedSplit(split, bags, sizes, aligned)


@lru_cache(maxsize=256)
def plain_vote_errors(key: SplitKey, settings: BagSettings, k_max: int) -> np.ndarray:
    """Errors (J, k_max) of the plain vote of the k nearest bags at each nu."""
    data = bagged_split(key, settings)
    return np.stack([bag_vote_errors(data.split, bags, k_max) for bags in data.bags])


@lru_cache(maxsize=4096)
def outcomes(key: SplitKey, settings: BagSettings, rule: BagRule) -> tuple[RuleOutcome, ...]:
    """What a rule does on the points held out at each nu: predictions, error, mean stopping k, decided fraction."""
    data = bagged_split(key, settings)
    return tuple(rule_outcome(data.split, bags, rule) for bags in data.bags)


@dataclass(frozen=True, eq=False)
class Run:
    """Errors of rules on splits, NaN on those not done; ``sizes`` and ``aligned`` (splits, J) of ``BaggedSplit``."""

    split_keys: tuple[SplitKey, ...]
    settings: BagSettings
    rules: Mapping[str, BagRule]
    comparison: BagComparison
    sizes: np.ndarray
    aligned: np.ndarray

    @classmethod
    def unknown(
        cls, split_keys: Iterable[SplitKey], settings: BagSettings, rules: Mapping[str, BagRule], k_max: int
    ) -> Self:
        split_keys = tuple(split_keys)
        comparison = BagComparison.empty(NOISES, rules, len(split_keys), k_max)
        unknown = np.full((len(split_keys), len(NOISES)), np.nan)
        return cls(split_keys, settings, rules, comparison, unknown, unknown.copy())

    def fill(self, index: int) -> None:
        """Compute the errors on one split."""
        key, settings, k_max = self.split_keys[index], self.settings, self.comparison.vote_errors.shape[2]
        by_rule = [outcomes(key, settings, rule) for rule in self.rules.values()]
        for j, errors in enumerate(plain_vote_errors(key, settings, k_max)):
            self.comparison.store(index, j, errors, [of_rule[j] for of_rule in by_rule])
        _, _, self.sizes[index], self.aligned[index] = bagged_split(key, settings)

    def copy(self) -> Self:
        """A copy that later splits do not change."""
        return replace(self, comparison=self.comparison.copy(), sizes=self.sizes.copy(), aligned=self.aligned.copy())

    @property
    def done(self) -> int:
        return int(np.isfinite(self.sizes[:, 0]).sum())

    @property
    def total(self) -> int:
        return len(self.split_keys)

    @property
    def progress(self) -> str:
        return f"{self.done} of {self.total}"

    def stream(self, pause: float, wait_for_first: bool = False) -> Iterator[Self]:
        """Fill in split after split; yield copies each ``pause`` seconds, before a split that is not cached, and last.

        If ``wait_for_first``, none comes before the first split is done.
        """
        sent, has_news = monotonic(), not wait_for_first
        for index, key in enumerate(self.split_keys):
            if has_news and not cached_split(key).is_ready:
                yield self.copy()
                sent = monotonic()
            self.fill(index)
            has_news = True
            if monotonic() - sent > pause:
                yield self.copy()
                sent, has_news = monotonic(), False
        if has_news:
            yield self.copy()
