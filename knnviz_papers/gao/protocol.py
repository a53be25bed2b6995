"""How Gao et al. compare RkNN with other rules on data sets: their section 6.2, as far as it is stated.

Features are scaled to [-1, 1] over the whole set. Of more than two classes, half, chosen at random, become class 1; of
an odd number, the smaller half. In a trial the rows are split at random into four folds, of which one or more are
tested; labels of the others flip, and cross-validation on four folds of them picks k and k'.

The text has 40 runs, yet the printed means look like those of 10 test folds of ceil(n / 4) rows: so a trial tests
one. The text does not say whether folds are scored on noisy labels: ``scoring`` is "noisy", which a learner can do, or
"clean", which only a simulation can. Where several k, or k and k', score alike, the smallest k is taken, then the
smallest k'.
"""

import math
from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

import numpy as np

from knnviz import checks, risk
from knnviz.corruption import LabelNoise
from knnviz.neighbors import NeighborTable, among
from knnviz.noise import Rates
from knnviz.problems.data import Table
from knnviz.profiles import VoteProfile
from knnviz.rules import Robust, Vote
from knnviz_papers.gao.draws import Variant
from knnviz_papers.gao.grid import grid_errors
from knnviz_papers.gao.rivals import RIVALS, TrainingPart, accuracies

Scoring = Literal["noisy", "clean"]

#: Flip rates (p0, p1); the paper's tables print (p1, p0).
FLIP_RATES = ((0.2, 0.1), (0.1, 0.3), (0.4, 0.4))

#: What k and k' are picked from.
NEIGHBORS = tuple(range(5, 101, 5))

FOLDS = 4

#: Fraction of the rows that is in the training part of an inner fold.
INNER_FRACTION = (1 - 1 / FOLDS) ** 2


class Binary(NamedTuple):
    """Features X (n, d) in [-1, 1] and classes y (n,) of 0 and 1; ``ones`` and ``zeros`` name what became which."""

    name: str
    X: np.ndarray
    y: np.ndarray
    ones: str
    zeros: str


class Runs(NamedTuple):
    """What each run, a test fold of a trial, gave under each setting of noise.

    ``accuracy`` (settings, runs, columns) on clean labels is that of RkNN, kNN and the rivals, in the order of
    ``rivals.columns``, ``rates`` (settings, runs, 2) are RkNN's estimates of p0 and p1, ``picked`` (settings, runs, 3)
    are kNN's k, and RkNN's k and k'.
    """

    accuracy: np.ndarray
    rates: np.ndarray
    picked: np.ndarray


def binary(table: Table, seed: int = 0, positive: Collection[str] = ()) -> Binary:
    """A whole table of two classes or more as the protocol reads it; a column that does not vary is 0.

    Rows are shuffled by ``seed``, since equal distances are compared by row, and rows of a file may be sorted by class.
    ``positive`` are the names of the classes that become class 1. Without any, these are the second of two, or half of
    three or more, drawn by ``seed``. Raises ValueError for names that are no classes, and where they are all.
    """
    low, high = table.X.min(axis=0), table.X.max(axis=0)
    spread = np.where(high > low, high - low, 1)
    X = np.where(high > low, 2 * (table.X - low) / spread - 1, 0)
    ones = _ones(table, seed, positive)
    zeros = [c for c in range(len(table.class_names)) if c not in ones]
    names = (" + ".join(table.class_names[c] for c in classes) for classes in (ones, zeros))
    order = np.random.default_rng(seed).permutation(len(X))
    return Binary(table.name, X[order], np.isin(table.y, ones).astype(np.uint8)[order], *names)


def neighbor_table(data: Binary, neighbors: Sequence[int] = NEIGHBORS, *, progress: bool = False) -> NeighborTable:
    """The neighbors of all rows, so many that each trial finds those of its folds among them.

    The inner training parts of a trial are a random fraction f of the rows. So of w neighbors f w are kept on average,
    with a standard deviation of at most sqrt(w) / 2. The width leaves a margin of six standard deviations.
    """
    most, f = 1 + max(neighbors), INNER_FRACTION
    width = math.ceil((3 + math.sqrt(9 + 4 * f * most)) ** 2 / (2 * f) ** 2)
    return NeighborTable.build(data.X, None, min(width, len(data.X)), progress=progress)


def _ones(table: Table, seed: int, positive: Collection[str]) -> list[int]:
    classes = len(table.class_names)
    if not positive:
        return [1] if classes == 2 else sorted(np.random.default_rng(seed).permutation(classes)[: classes // 2])
    unknown = [name for name in positive if name not in table.class_names]
    if unknown:
        raise ValueError(f"there is no class {unknown[0]!r}; the classes are {', '.join(table.class_names)}")
    if len(set(positive)) == classes:
        raise ValueError("all classes are positive")
    return [c for c, name in enumerate(table.class_names) if name in positive]


def rows_to_train(n: int) -> int:
    """How many of n rows are left where the largest of the folds is held out."""
    return n * (FOLDS - 1) // FOLDS


def run_trial(
    data: Binary,
    table: NeighborTable,
    trial: int,
    *,
    test_folds: int = 1,
    scoring: Scoring = "noisy",
    neighbors: Sequence[int] = NEIGHBORS,
    rivals: Sequence[str] = tuple(RIVALS),
    variant: Variant = "gao",
    seed: int = 0,
) -> Runs:
    """One trial: split, flip, pick k and k' by cross-validation, and test RkNN, kNN and ``rivals`` on clean labels.

    ``table`` is that of ``neighbor_table``. Splits and flips of each trial have a stream of their own. ``test_folds``
    of the four folds are tested, a run each; inner folds are scored on the labels that ``scoring`` names. k and k' are
    picked from ``neighbors``, as far as the inner training parts have so many rows; a set with too few is refused.

    Source: Gao et al., section 6.2.
    """
    checks.check_int("test_folds", test_folds, 1, FOLDS)
    checks.check_choice("scoring", scoring, ("noisy", "clean"))
    rng = np.random.default_rng([seed, trial])
    folds = np.array_split(rng.permutation(len(data.y)), FOLDS)
    v, runs = rng.random(len(data.y)), []
    observed = [LabelNoise(*rates).flip(data.y, v) for rates in FLIP_RATES]
    scored = observed if scoring == "noisy" else [data.y] * len(observed)
    noisy = NoisyData(data.X, table, observed)
    for i, test in enumerate(folds[:test_folds]):
        train = np.concatenate(folds[:i] + folds[i + 1 :])
        feasible = _feasible(neighbors, len(train), data.name)
        picked = _pick(noisy, train, scored, feasible, variant)
        # Elsewhere train stays unsorted, so that the rivals have the inner folds of RkNN.
        accuracy, estimates, numbers = _test(noisy, np.sort(train), picked, test, data.y[test])
        parts = [
            TrainingPart(data.X[train], labels[train], each[train], rates, found.as_flip_rates)
            for labels, each, rates, found in zip(observed, scored, FLIP_RATES, estimates, strict=True)
        ]
        rival_accuracy = accuracies(rivals, parts, data.y[train], data.X[test], data.y[test], FOLDS)
        runs.append((np.concatenate([accuracy, rival_accuracy], axis=1), np.array(estimates, float), numbers))
    return Runs(*(np.stack(each, axis=1) for each in zip(*runs, strict=True)))


def _feasible(neighbors: Sequence[int], n: int, name: str) -> list[int]:
    """Those of ``neighbors`` that the inner training parts of n rows can have."""
    inner = rows_to_train(n)
    feasible = [k for k in neighbors if k < inner]
    if not feasible:
        raise ValueError(
            f"{name} has too few rows: inner training parts of {inner} cannot have {min(neighbors)} others"
        )
    return feasible


class NoisyData(NamedTuple):
    """Points (n, d), their neighbors among themselves, and their labels (n,) under each setting of noise."""

    X: np.ndarray
    table: NeighborTable
    observed: list[np.ndarray]

    def split(self, train: np.ndarray, test: np.ndarray, needed: int, k: int) -> tuple[NeighborTable, NeighborTable]:
        """The ``needed`` nearest of rows to train on, ascending, and k of rows to test, both among the former."""
        return among(self.table, self.X, train, train, needed), among(self.table, self.X, train, test, k)


class Picked(NamedTuple):
    """The best k of kNN, and RkNN with the best k' and k."""

    k_vote: int
    robust: Robust
    k_robust: int


def _pick(
    noisy: NoisyData, train: np.ndarray, scored: list[np.ndarray], ks: list[int], variant: Variant
) -> list[Picked]:
    """What cross-validation picks from ``ks`` under each setting of noise."""
    errors = np.zeros(())
    for fold in np.array_split(train, FOLDS):
        others = np.setdiff1d(train, fold)
        tables, draws = noisy.split(others, fold, 1 + max(ks), max(ks)), zip(noisy.observed, scored, strict=True)
        found = [grid_errors(*tables, labels[others], each[fold], ks, variant) for labels, each in draws]
        errors = errors + np.stack(found) / len(fold)
    # Rounded, since sums of the same errors may differ in their last digit.
    return [_best(risks, ks, variant) for risks in np.round(errors, 9)]


def _best(risks: np.ndarray, ks: list[int], variant: Variant) -> Picked:
    """Of equal least risks the smallest k, then k'; ``risks`` (1 + k', k) are those of ``grid_errors``."""
    k, k_noise = np.unravel_index(risks[1:].T.argmin(), risks[1:].T.shape)
    return Picked(ks[risks[0].argmin()], Robust(k_noise=ks[k_noise], variant=variant), ks[k])


def _test(
    noisy: NoisyData, train: np.ndarray, picked: list[Picked], test: np.ndarray, y_test: np.ndarray
) -> tuple[np.ndarray, list[Rates], np.ndarray]:
    """Accuracies (settings, 2) of RkNN and kNN as picked, estimated rates, and k, k and k' (settings, 3)."""
    needed = max(robust.neighbors_needed(k) for _, robust, k in picked)
    trained, queries = noisy.split(train, test, needed, max(max(k_vote, k) for k_vote, _, k in picked))
    accuracy, rates, numbers = [], [], []
    for observed, (k_vote, robust, k) in zip(noisy.observed, picked, strict=True):
        labels = observed[train]
        votes, fitted = VoteProfile.count(queries, labels, 2), robust.fit(trained, labels, k, 2)
        assert isinstance(fitted.noise_rates, Rates)
        found = fitted.predict(votes, k), Vote().predict(votes, k_vote)
        accuracy.append([1 - risk.held_out(each, y_test) for each in found])
        rates.append(fitted.noise_rates)
        numbers.append([k_vote, k, robust.k_noise])
    return np.array(accuracy), rates, np.array(numbers)
