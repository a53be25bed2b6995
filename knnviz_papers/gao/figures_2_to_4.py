"""Figures 2 to 4 of Gao et al. on real sets: accuracy of RkNN, and of kNN beside it, over k, k' and
the sample size.

The figures name neither their four sets nor what is held fixed. Ours are the sets of ``tables``;
RkNN is the printed one. Figure 2 holds k' at 50, in the paper's range of good ones, and Figure 3
holds k at 25. In Figure 4 both grow with n, as consistency requires: k is the square root of n, and
k' = 2k. So k is at least 10 and k' at least 20 from 100 rows on. All k are odd: a tie gives class
1, so that curves through odd and even k would zigzag.

A trial splits and flips as one of ``protocol.run_trial`` with the same seed, and tests the same
fold. Its k and k' are given, so that nothing is picked. Errors are those over trials; trials share
the rows of a set.

Table of each run: "accuracy" on clean test labels: means of RkNN and of kNN for each set, setting
of noise and point.
"""

from collections.abc import Callable, Sequence
from math import isqrt
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from knnviz.neighbors import NeighborTable
from knnviz.noise import LabelNoise
from knnviz.problems import bundled
from knnviz.profiles import VoteProfile
from knnviz.rules import Robust, Vote
from knnviz_papers.gao.protocol import (
    FLIP_RATES,
    FOLDS,
    POSITIVE,
    Binary,
    among,
    binary,
    neighbor_table,
    rows_to_train,
)
from knnviz_papers.gao.tables import SETS
from knnviz_papers.simulate import Row, Tables, mean_and_error

#: Values of k and of k'; the paper's are multiples of 5 up to 100.
KS = (1, 5, 9, 11, 15, 25, 35, 45, 55, 65, 75, 85, 95)
NOISE_NEIGHBORS = (1, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100)
FRACTIONS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


class Case(NamedTuple):
    """A point of a curve: training rows n, k and k'."""

    n: int
    k: int
    k_noise: int


def gao_figure_2(
    names: Sequence[str] = SETS,
    ks: Sequence[int] = KS,
    trials: int = 40,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Figure 2 on real sets: accuracy against k; k' is held fixed."""

    def plan(n: int) -> list[Case]:
        return [Case(n, k, 50) for k in ks]

    return _figure(plan, names, trials, seed, progress)


def gao_figure_3(
    names: Sequence[str] = SETS,
    noise_neighbors: Sequence[int] = NOISE_NEIGHBORS,
    trials: int = 40,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Figure 3 on real sets: accuracy against k', which kNN does not have; k is held fixed."""

    def plan(n: int) -> list[Case]:
        return [Case(n, 25, k_noise) for k_noise in noise_neighbors]

    return _figure(plan, names, trials, seed, progress)


def gao_figure_4(
    names: Sequence[str] = SETS,
    fractions: Sequence[float] = FRACTIONS,
    trials: int = 40,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Figure 4 on real sets: accuracy against the number of training rows, the first in the random
    order of a trial.

    ``fractions`` are those of the training rows. k is the whole part of the square root of their
    number, or the odd number above it, and k' = 2k.
    """

    def plan(n: int) -> list[Case]:
        cases = []
        for fraction in fractions:
            size = round(fraction * n)
            k = isqrt(size) | 1
            cases.append(Case(size, k, 2 * k))
        return cases

    return _figure(plan, names, trials, seed, progress)


def _figure(
    plan: Callable[[int], list[Case]], names: Sequence[str], trials: int, seed: int, progress: bool
) -> Tables:
    """A row for each set, setting of noise and case of ``plan``, given how many rows train."""
    rows = []
    for name in tqdm(names, "sets", disable=not progress):
        # The table has all features; "pca" is about the picture of a map.
        table = bundled(name, "pca").table
        data = binary(table, seed, POSITIVE.get(name, ()))
        cases = plan(rows_to_train(len(data.y)))
        most = max(max(k, k_noise) for _, k, k_noise in cases)
        nearest = neighbor_table(data, [most])
        streams = (np.random.default_rng([seed, trial]) for trial in range(trials))
        found = np.array([_accuracies(data, nearest, cases, rng) for rng in streams])
        for j, (p0, p1) in enumerate(FLIP_RATES):
            for i, case in enumerate(cases):
                row: Row = {"data": name, "p1": p1, "p0": p0}
                row |= case._asdict()
                row |= mean_and_error("rknn", found[:, i, j, 1])
                row |= mean_and_error("knn", found[:, i, j, 0])
                rows.append(row)
    return {"accuracy": rows}


def _accuracies(
    data: Binary, table: NeighborTable, cases: list[Case], rng: np.random.Generator
) -> np.ndarray:
    """Accuracies (cases, settings, 2) of kNN and RkNN on one test fold of clean labels."""
    order = rng.permutation(len(data.y))
    test, *others = np.array_split(order, FOLDS)
    v = rng.random(len(data.y))
    truth = data.y[test]
    found = []
    for n, k, k_noise in cases:
        train = np.sort(np.concatenate(others)[:n])
        trained = among(table, data.X, train, train, k_noise + 1)
        queries = among(table, data.X, train, test, k)
        for rates in FLIP_RATES:
            observed = LabelNoise(*rates).flip(data.y, v)[train]
            rule = Robust(k_noise=k_noise, variant="gao")
            robust = rule.fit(trained, observed, k, 2)
            votes = VoteProfile.build(queries, observed, 2)
            predicted = Vote().predict(votes, k), robust.predict(votes, k)
            found.append([1 - np.mean(each != truth) for each in predicted])
    return np.reshape(found, (len(cases), len(FLIP_RATES), 2))
