"""Splits of data whose labels come in bags, and what rules did on them, kept for the next move of a slider."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from time import monotonic
from typing import Any, NamedTuple, Self

import numpy as np

from knnviz.bag_comparison import Comparison, Outcome, Preparation, Rule, Split, outcome, training_rows, vote_errors
from knnviz.corruption.bag_process import BagProcess, Kind
from knnviz.neighbors import NeighborTable
from knnviz.problems.bags import BagTable
from knnviz.problems.bundled import BUNDLED

#: Values of nu, and the most neighbors that are looked up.
NOISES = tuple(round(0.1 * j, 1) for j in range(9))
LAST = NOISES[-1]
MOST = 200

#: Data by the name on a control: their name in the library, and whether columns are brought to one scale.
DATA = {"digits": ("digits", False), "wine": ("wine", True), "breast cancer": ("breast_cancer", True)}

#: Bags of readers' own, by their names in the menu.
OWN_BAGS: dict[str, BagTable] = {}

#: Preparations, and how many training points each needs at least.
PREPARATIONS: dict[Preparation, int] = {"vision": 51, "tabular": 101, "raw": 1}

#: Votes of the plain rule.
PLAIN = 10


class Where(NamedTuple):
    """A split: of which data, made ready how, and its place in the stream of a seed."""

    problem: str
    preparation: Preparation
    seed: int
    number: int


class Bagging(NamedTuple):
    """How bags come about: the largest probability of a wrong label, unless bags are given, and what noise does."""

    inclusion: float
    kind: Kind


class Bagged(NamedTuple):
    """A split with its bags (n, C) at each noise, their mean sizes (J,), and the fraction of clusters aligned (J,).

    Of given bags that is not known, and NaN.
    """

    split: Split
    bags: tuple[np.ndarray, ...]
    sizes: np.ndarray
    aligned: np.ndarray


@cache
def points(problem: str) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, d) of data by name, and their classes (n,)."""
    if problem in OWN_BAGS:
        return OWN_BAGS[problem].X, OWN_BAGS[problem].y
    bunch = BUNDLED[DATA[problem][0]].load()
    return bunch.data, bunch.target


def training_size(problem: str) -> int:
    return training_rows(len(points(problem)[1]))


def classes(problem: str) -> int:
    return OWN_BAGS[problem].n_classes if problem in OWN_BAGS else int(points(problem)[1].max()) + 1


def standardized(where: Where) -> bool:
    """Whether columns are brought to one scale: not before the pipeline that the paper has for tables."""
    return where.preparation != "tabular" and (where.problem in OWN_BAGS or DATA[where.problem][1])


class KeptSplit:
    """A split that is made when first asked for."""

    def __init__(self, where: Where) -> None:
        self.where = where

    @property
    def ready(self) -> bool:
        return "split" in vars(self)

    @cached_property
    def split(self) -> Split:
        """The split, with the neighbors of the points held out; wrong labels join with probabilities up to 1."""
        problem, preparation, seed, number = self.where
        stream = np.random.SeedSequence(seed, spawn_key=(number,))
        (X, y), bags = points(problem), OWN_BAGS[problem].S if problem in OWN_BAGS else None
        neighbors: dict[str, Any] = {"k_max": min(MOST, training_size(problem)), "preparation": preparation}
        made = Split.of(X, y, stream, bags=bags, largest=1.0, standardize=standardized(self.where), **neighbors)
        # Without the points that the neighbors were found among, which take as much room as all the rest.
        return replace(made, table=NeighborTable(made.table.indices, made.table.n))


@lru_cache(maxsize=48)
def kept_split(where: Where) -> KeptSplit:
    return KeptSplit(where)


@lru_cache(maxsize=64)
def bagged(where: Where, bagging: Bagging) -> Bagged:
    split = kept_split(where).split.scaled(*bagging)
    bags = tuple(split.bags(noise) for noise in NOISES)
    sizes = np.array([each.sum(axis=1).mean() for each in bags])
    aligned = np.full(len(NOISES), np.nan)
    if isinstance(split.process, BagProcess):
        aligned[:] = [replace(split.process, bag_noise=noise).aligned().mean() for noise in NOISES]
    return Bagged(split, bags, sizes, aligned)


@lru_cache(maxsize=256)
def votes(where: Where, bagging: Bagging, most: int) -> np.ndarray:
    """Errors (J, most) of the plain vote of the k nearest bags at each noise."""
    found = bagged(where, bagging)
    return np.stack([vote_errors(found.split, bags, most) for bags in found.bags])


@lru_cache(maxsize=4096)
def outcomes(where: Where, bagging: Bagging, rule: Rule) -> tuple[Outcome, ...]:
    found = bagged(where, bagging)
    return tuple(outcome(found.split, bags, rule) for bags in found.bags)


@dataclass(frozen=True, eq=False)
class Run:
    """How rules did on split after split, as far as it is known, by the bags that they read.

    ``sizes`` and ``aligned`` (splits, J) are the mean size of a bag, and the fraction of clusters in which the true
    label is in more bags than any other, whichever label it is; NaN where nothing is known.
    """

    wheres: tuple[Where, ...]
    bagging: Bagging
    rules: Mapping[str, Rule]
    comparison: Comparison
    sizes: np.ndarray
    aligned: np.ndarray

    @classmethod
    def unknown(cls, wheres: Iterable[Where], bagging: Bagging, rules: Mapping[str, Rule], most: int) -> Self:
        wheres = tuple(wheres)
        nothing = (np.full((len(wheres), len(NOISES)), np.nan) for _ in range(2))
        return cls(wheres, bagging, rules, Comparison.unknown(NOISES, rules, len(wheres), most), *nothing)

    def ready(self, index: int) -> bool:
        return kept_split(self.wheres[index]).ready

    def fill(self, index: int) -> None:
        where, bagging, most = self.wheres[index], self.bagging, self.comparison.by_k.shape[2]
        found = [outcomes(where, bagging, rule) for rule in self.rules.values()]
        for j, errors in enumerate(votes(where, bagging, most)):
            self.comparison.note(index, j, errors, [each[j] for each in found])
        self.sizes[index], self.aligned[index] = bagged(where, bagging)[2:]

    def copy(self) -> Self:
        """A copy that later splits do not change."""
        return replace(self, comparison=self.comparison.copy(), sizes=self.sizes.copy(), aligned=self.aligned.copy())

    @property
    def done(self) -> int:
        return int(np.isfinite(self.sizes[:, 0]).sum())

    @property
    def pieces(self) -> int:
        return len(self.wheres)

    @property
    def progress(self) -> str:
        return f"{self.done} of {self.pieces}"

    def stream(self, pause: float, eager: bool = False) -> Iterator[Self]:
        """What is known every ``pause`` seconds and before each long split; at once, unless ``eager`` for the first."""
        sent, news = monotonic(), not eager
        for index in range(len(self.wheres)):
            if news and not self.ready(index):
                yield self.copy()
                sent = monotonic()
            self.fill(index)
            news = True
            if monotonic() - sent > pause:
                yield self.copy()
                sent, news = monotonic(), False
        if news:
            yield self.copy()
