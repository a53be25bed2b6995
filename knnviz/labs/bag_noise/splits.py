"""Splits of data whose labels come in bags, and what rules did on them, kept for the next move of a slider."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from math import ceil
from time import monotonic
from typing import Any, NamedTuple, Self

import numpy as np

from knnviz.bag_comparison import HELD_OUT, Comparison, Outcome, Preparation, Rule, Split, outcome, vote_errors
from knnviz.bounds import errandonea
from knnviz.corruption.bag_process import Kind
from knnviz.labs.engine import Choice, Component, Float, Int, Seed, stage
from knnviz.labs.parts.bag_choices import KINDS
from knnviz.labs.parts.buttons import Button, stop
from knnviz.neighbors import NeighborTable
from knnviz.problems.bundled import BUNDLED

#: Values of nu, and the most neighbors that are looked up.
NOISES = tuple(round(0.1 * j, 1) for j in range(9))
LAST = NOISES[-1]
MOST = 200

#: Data by the name on a control: their name in the library, and whether columns are brought to one scale.
DATA = {"digits": ("digits", False), "wine": ("wine", True), "breast cancer": ("breast_cancer", True)}

PREPARATIONS = ("vision", "raw")


class Where(NamedTuple):
    """A split: of which data, made ready how, and its place in the stream of a seed."""

    data: str
    preparation: Preparation
    seed: int
    number: int


class Bagging(NamedTuple):
    """How bags come about: the largest probability of a wrong label, and what noise does."""

    inclusion: float
    kind: Kind


class Bagged(NamedTuple):
    """A split with its bags (n, C) at each noise, their mean sizes (J,), and the fraction of clusters aligned (J,)."""

    split: Split
    bags: tuple[np.ndarray, ...]
    sizes: np.ndarray
    aligned: np.ndarray


@cache
def points(data: str) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, d) of data by name, and their classes (n,)."""
    bunch = BUNDLED[DATA[data][0]].load()
    return bunch.data, bunch.target


def training_size(data: str) -> int:
    rows = len(points(data)[1])
    return rows - ceil(HELD_OUT * rows)


def classes(data: str) -> int:
    return int(points(data)[1].max()) + 1


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
        data, preparation, seed, number = self.where
        stream = np.random.SeedSequence(seed, spawn_key=(number,))
        (X, y), k_max, standardize = points(data), min(MOST, training_size(data)), DATA[data][1]
        made = Split.of(X, y, stream, k_max=k_max, preparation=preparation, largest=1.0, standardize=standardize)
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
    aligned = [replace(split.process, bag_noise=noise).aligned().mean() for noise in NOISES]
    return Bagged(split, bags, sizes, np.array(aligned))


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


class Splits(Component):
    """Splits of data by their seed, whose labels come in bags."""

    data = Choice("digits", DATA).tag(
        label="data", group="Data", tip="A fifth of the points is held out in each split; errors are counted there"
    )
    preparation = Choice(PREPARATIONS[0], PREPARATIONS).tag(
        label="preparation",
        tip="vision: as the paper has it for images; raw: pixels as they are, other columns with mean 0 and variance 1",
    )
    splits = Int(5, min=1, max=20).tag(label="splits", tip="Each with clusters, probabilities and bags of its own")
    seed = Seed().tag(tip="Of all splits, clusters, probabilities and bags")
    inclusion = Float(0.8, min=0, max=0.95, step=0.05).tag(
        label="largest inclusion",
        symbol="a",
        group="Bags",
        tip="In each of five clusters a label adds every other one with a probability of its own, uniform on [0, a]",
    )
    kind = Choice("confusion", KINDS).tag(
        label="noise",
        tip="With probability nu the bag is made of a label drawn from all, of another label, or loses the true one",
    )
    bag_noise = Float(0.3, min=0, max=LAST, step=0.1, digits=1).tag(
        label="bag noise", symbol="nu", tip="Where numbers are read; curves show all nu"
    )

    def actions(self) -> list[Button]:
        lab = self.lab
        tip = "Draw splits, clusters and bags again with the next seed"
        return [("New splits", tip, lambda: lab.set(seed=lab.seed + 1)), stop(lab)]

    def validate(self, values: Mapping[str, Any]) -> None:
        if values["bag_noise"] not in NOISES:
            raise ValueError(f"bag noise nu must be one of 0, 0.1, 0.2 and so on to {LAST}, got {values['bag_noise']}")

    @stage
    def wheres(self) -> list[Where]:
        return [Where(self.data, self.preparation, self.seed, number) for number in range(self.splits)]

    @stage
    def bagging(self) -> Bagging:
        return Bagging(self.inclusion, KINDS[self.kind])

    @stage(compare_values=True)
    def n_classes(self) -> int:
        return classes(self.data)

    @stage(compare_values=True)
    def largest_noise(self) -> float:
        return errandonea.largest_noise(self.n_classes, *self.bagging)
