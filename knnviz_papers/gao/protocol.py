"""How Gao et al. compare RkNN with other rules on data sets: their section 6.2, as far as it is
stated.

Features are scaled to [-1, 1] over the whole set. Of more than two classes, half, chosen at random,
become class 1; of an odd number, the smaller half. In a trial the rows are split at random into
four folds, of which one is tested; labels of the others flip, and cross-validation on four folds of
them picks k and k'. RkNN is the printed one, the variant "gao".

The text has 40 runs, yet the printed means look like those of 10 test folds of ceil(n / 4) rows: so
a trial tests one. The text does not say whether folds are scored on noisy labels: ``scoring`` is
"noisy", which a learner can do, or "clean", which only a simulation can. Where several k, or k and
k', score alike, the smallest k is taken, then the smallest k'.
"""

import math
from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple, Self

import numpy as np

from knnviz import noise
from knnviz.neighbors import NeighborTable
from knnviz.noise import LabelNoise, Rates
from knnviz.problems.data import LabeledTable
from knnviz.profiles import VoteProfile
from knnviz.rules import Robust, Rule, Vote
from knnviz_papers.gao.rivals import RIVALS, TrainingPart, accuracies

Scoring = Literal["noisy", "clean"]

#: Flip rates (p0, p1) of the paper, whose tables print (p1, p0).
FLIP_RATES: Sequence[tuple[float, float]] = ((0.2, 0.1), (0.1, 0.3), (0.4, 0.4))

#: Classes of bundled sets that become class 1, where these are not the second of two: of the tumors
#: the benign ones, as scikit-learn codes them, although they are class 0 in the labs.
POSITIVE = {"breast_cancer": ("benign",)}

#: What k and k' are picked from.
NEIGHBORS = tuple(range(5, 101, 5))

FOLDS = 4

#: Fraction of the rows that is in the training part of an inner fold.
INNER_FRACTION = (1 - 1 / FOLDS) ** 2


class Binary(NamedTuple):
    """Features X (n, d) in [-1, 1] and classes y (n,) of 0 and 1; ``ones`` and ``zeros`` name what
    became which.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    ones: str
    zeros: str


class Runs(NamedTuple):
    """What each run gave under each setting of noise.

    ``accuracy`` (settings, runs, columns) on clean labels is that of RkNN, kNN and the rivals, in
    the order of ``rivals.columns``, ``rates`` (settings, runs, 2) are RkNN's estimates of p0 and
    p1, ``picked`` (settings, runs, 3) are kNN's k, and RkNN's k and k'. One trial is one run.
    """

    accuracy: np.ndarray
    rates: np.ndarray
    picked: np.ndarray

    @classmethod
    def together(cls, runs: Sequence["Runs"]) -> Self:
        """Several runs as one."""
        parts = zip(*runs, strict=True)
        return cls(*(np.concatenate(part, axis=1) for part in parts))


def binary(table: LabeledTable, seed: int = 0, positive: Collection[str] = ()) -> Binary:
    """A whole table of two classes or more as the protocol reads it; a column that does not vary is
    0.

    Rows are shuffled by ``seed``, since equal distances are compared by row, and rows of a file may
    be sorted by class. ``positive`` are the names of the classes that become class 1. Without any,
    these are the second of two, or half of three or more, drawn by ``seed``. Raises ValueError for
    names that are no classes, and where they are all.
    """
    low = table.X.min(axis=0)
    high = table.X.max(axis=0)
    varies = high > low
    spread = np.where(varies, high - low, 1)
    scaled = 2 * (table.X - low) / spread - 1
    X = np.where(varies, scaled, 0)

    positive_codes = _ones(table, seed, positive)
    y = np.isin(table.y, positive_codes).astype(np.uint8)
    ones = [table.class_names[c] for c in positive_codes]
    zeros = [name for c, name in enumerate(table.class_names) if c not in positive_codes]

    order = np.random.default_rng(seed).permutation(len(X))
    names = (" + ".join(each) for each in (ones, zeros))
    return Binary(table.name, X[order], y[order], *names)


def neighbor_table(
    data: Binary, neighbors: Sequence[int] = NEIGHBORS, *, progress: bool = False
) -> NeighborTable:
    """The neighbors of all rows, so many that each trial finds those of its folds among them.

    The inner training parts of a trial are a random fraction f of the rows. So of w neighbors f w
    are kept on average, with a standard deviation of at most sqrt(w) / 2. The width leaves a margin
    of six standard deviations.
    """
    most = 1 + max(neighbors)
    f = INNER_FRACTION
    root = 3 + math.sqrt(9 + 4 * f * most)
    width = math.ceil(root**2 / (2 * f) ** 2)
    width = min(width, len(data.X))
    return NeighborTable.build(data.X, None, width, progress=progress)


def _ones(table: LabeledTable, seed: int, positive: Collection[str]) -> list[int]:
    names = table.class_names
    classes = len(names)
    if not positive and classes == 2:
        return [1]
    if not positive:
        drawn = np.random.default_rng(seed).permutation(classes)
        return sorted(drawn[: classes // 2])
    unknown = [name for name in positive if name not in names]
    if unknown:
        raise ValueError(f"there is no class {unknown[0]!r}; the classes are {', '.join(names)}")
    if len(set(positive)) == classes:
        raise ValueError("all classes are positive")
    return [c for c, name in enumerate(names) if name in positive]


def rows_to_train(n: int) -> int:
    """How many of n rows are left where the largest of the folds is held out."""
    return n * (FOLDS - 1) // FOLDS


def among(
    table: NeighborTable, X: np.ndarray, members: np.ndarray, rows: np.ndarray, k: int
) -> NeighborTable:
    """The k nearest of points ``rows`` among points ``members``, both indices of X (n, d), as a
    table of its own.

    ``table`` holds the neighbors of each point of X among all of X. ``members`` ascend: indices of
    the result are positions among them. Rows of ``table`` with fewer than k members are searched
    anew.
    """
    position = np.full(len(X), -1, np.int32)
    position[members] = np.arange(len(members))
    found = position[table.indices[rows]]
    is_member = found >= 0
    place = is_member.cumsum(axis=1, dtype=np.int32)
    complete = place[:, -1] >= k
    is_near = is_member & (place <= k) & complete[:, None]
    indices = np.empty((len(rows), k), np.int32)
    indices[complete] = found[is_near].reshape(-1, k)
    if not complete.all():
        found_anew = NeighborTable.build(X[members], X[rows[~complete]], k)
        indices[~complete] = found_anew.indices
    return NeighborTable(indices, len(members))


def run_trial(
    data: Binary,
    table: NeighborTable,
    trial: int,
    *,
    scoring: Scoring = "noisy",
    neighbors: Sequence[int] = NEIGHBORS,
    rivals: Sequence[str] = tuple(RIVALS),
    flip_rates: Sequence[tuple[float, float]] = FLIP_RATES,
    seed: int = 0,
) -> Runs:
    """One trial: split, flip, pick k and k' by cross-validation, and test RkNN, kNN and ``rivals``
    on clean labels.

    ``table`` is that of ``neighbor_table``. Splits and flips of each trial have a stream of their
    own. Inner folds are scored on the labels that ``scoring`` names. k and k' are picked from
    ``neighbors``, as far as the inner training parts have so many rows; a set with too few is
    refused.

    Source: Gao et al., section 6.2.
    """
    rng = np.random.default_rng([seed, trial])
    order = rng.permutation(len(data.y))
    test, *others = np.array_split(order, FOLDS)
    train = np.concatenate(others)
    v = rng.random(len(data.y))
    ks = _feasible(neighbors, len(train), data.name)

    def tables(train: np.ndarray, queries: np.ndarray) -> tuple[NeighborTable, NeighborTable]:
        """The nearest of rows to train on, ascending, and of queries, both among the former."""
        of_train = among(table, data.X, train, train, 1 + max(ks))
        return of_train, among(table, data.X, train, queries, max(ks))

    ascending = np.sort(train)
    trained, queries = tables(ascending, test)
    truth = data.y[test]
    inner = []
    for fold in np.array_split(train, FOLDS):
        rest = np.setdiff1d(train, fold)
        inner.append((rest, fold, tables(rest, fold)))

    parts = []
    accuracy = []
    estimates = []
    picked = []
    for rates in flip_rates:
        observed = LabelNoise(*rates).flip(data.y, v)
        scored = observed if scoring == "noisy" else data.y
        errors = np.zeros((1 + len(ks), len(ks)))
        for rest, fold, nearest in inner:
            counts = grid_errors(*nearest, observed[rest], scored[fold], ks)
            errors += counts / len(fold)
        k_vote, k, k_noise = _best(errors, ks)
        picked.append([k_vote, k, k_noise])

        labels = observed[ascending]
        rule = Robust(k_noise=k_noise, variant="gao")
        robust = rule.fit(trained, labels, k, 2)
        estimated = robust.noise_rates
        assert isinstance(estimated, Rates)
        estimates.append([float(each) for each in estimated])

        votes = VoteProfile.build(queries, labels, 2)
        predicted = robust.predict(votes, k), Vote().predict(votes, k_vote)
        accuracy.append([1 - np.mean(each != truth) for each in predicted])

        # Here train stays unsorted, so that the rivals have the inner folds of RkNN.
        seen = data.X[train], observed[train], scored[train]
        parts.append(TrainingPart(*seen, rates, estimated.as_flip_rates))

    of_rivals = accuracies(rivals, parts, data.y[train], data.X[test], truth, FOLDS)
    every = np.concatenate([accuracy, of_rivals], axis=1)
    found = (np.array(each)[:, None] for each in (every, estimates, picked))
    return Runs(*found)


def grid_errors(
    train: NeighborTable,
    queries: NeighborTable,
    observed: np.ndarray,
    scored: np.ndarray,
    ks: Sequence[int],
) -> np.ndarray:
    """Error counts (1 + len(ks), len(ks)): row 0 is kNN, row 1 + i is RkNN with k' = ks[i]; columns
    are k.

    ``train`` holds the neighbors of the training points among themselves, ``queries`` those of m
    queries among them; ``observed`` (n,) are the labels of the training points, ``scored`` (m,)
    those that the queries are scored on.
    """
    with_own = [k + 1 for k in ks]
    training_votes = VoteProfile.build(train, observed, 2, with_own)
    rules: list[Rule] = [Vote()]
    for k_noise in ks:
        estimated = noise.estimate(training_votes, observed, k_noise)
        rules.append(Robust(estimated, variant="gao"))

    votes = VoteProfile.build(queries, observed, 2, ks)
    wrong = [[rule.predict(votes, k) != scored for k in ks] for rule in rules]
    return np.sum(wrong, axis=-1)


def _best(errors: np.ndarray, ks: Sequence[int]) -> tuple[int, int, int]:
    """kNN's k, and RkNN's k and k'; of equal least errors, laid out as in ``grid_errors``, the
    smallest k, then k'.
    """
    # Rounded, since sums of the same errors may differ in their last digit.
    vote, *robust = np.round(errors, 9)
    best = int(np.transpose(robust).argmin())
    k, k_noise = divmod(best, len(ks))
    k_vote = int(vote.argmin())
    return ks[k_vote], ks[k], ks[k_noise]


def _feasible(neighbors: Sequence[int], n: int, name: str) -> list[int]:
    """Those of ``neighbors`` that the inner training parts of n rows can have."""
    inner = rows_to_train(n)
    feasible = [k for k in neighbors if k < inner]
    if not feasible:
        raise ValueError(
            f"{name} has too few rows: inner training parts of {inner} cannot have "
            f"{min(neighbors)} others"
        )
    return feasible
