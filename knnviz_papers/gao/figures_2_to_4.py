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

from knnviz import risk
from knnviz.neighbors import NeighborTable, among
from knnviz.noise import LabelNoise
from knnviz.problems import bundled
from knnviz.profiles import VoteProfile
from knnviz.rules import Robust, Vote
from knnviz_papers.gao.protocol import (
    FLIP_RATES,
    FOLDS,
    POSITIVE,
    Binary,
    binary,
    neighbor_table,
    rows_to_train,
)
from knnviz_papers.gao.tables import SETS
from knnviz_papers.simulate import Tables, mean_and_error

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
    return _figure(lambda n: [Case(n, k, 50) for k in ks], names, trials, seed, progress)


def gao_figure_3(
    names: Sequence[str] = SETS,
    noise_neighbors: Sequence[int] = NOISE_NEIGHBORS,
    trials: int = 40,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Figure 3 on real sets: accuracy against k', the ``noise_neighbors``; k is held fixed, and kNN
    has no k'.
    """
    return _figure(
        lambda n: [Case(n, 25, k_noise) for k_noise in noise_neighbors],
        names,
        trials,
        seed,
        progress,
    )


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
        sizes = [round(each * n) for each in fractions]
        return [Case(size, isqrt(size) | 1, 2 * (isqrt(size) | 1)) for size in sizes]

    return _figure(plan, names, trials, seed, progress)


def _figure(
    plan: Callable[[int], list[Case]], names: Sequence[str], trials: int, seed: int, progress: bool
) -> Tables:
    """A row for each set, setting of noise and case; ``plan`` gives the cases from the number of
    training rows.
    """
    rows = []
    for name in tqdm(names, "sets", disable=not progress):
        # The table has all features; "pca" is about the picture of a map.
        data = binary(bundled(name, "pca").table, seed, POSITIVE.get(name, ()))
        cases = plan(rows_to_train(len(data.y)))
        table = neighbor_table(data, [max(max(k, k_noise) for _, k, k_noise in cases)])
        streams = (np.random.default_rng([seed, trial]) for trial in range(trials))
        found = np.array([_accuracies(data, table, cases, rng) for rng in streams])
        rows += [
            {"data": name, "p1": p1, "p0": p0, "n": n, "k": k, "k_noise": k_noise}
            | mean_and_error("rknn", found[:, i, j, 1])
            | mean_and_error("knn", found[:, i, j, 0])
            for j, (p0, p1) in enumerate(FLIP_RATES)
            for i, (n, k, k_noise) in enumerate(cases)
        ]
    return {"accuracy": rows}


def _accuracies(
    data: Binary, table: NeighborTable, cases: list[Case], rng: np.random.Generator
) -> np.ndarray:
    """Accuracies (cases, settings, 2) of kNN and RkNN on one test fold of clean labels."""
    test, *others = np.array_split(rng.permutation(len(data.y)), FOLDS)
    v = rng.random(len(data.y))
    found = []
    for n, k, k_noise in cases:
        train = np.sort(np.concatenate(others)[:n])
        trained = among(table, data.X, train, train, k_noise + 1)
        queries = among(table, data.X, train, test, k)
        for rates in FLIP_RATES:
            observed = LabelNoise(*rates).flip(data.y, v)[train]
            robust = Robust(k_noise=k_noise, variant="gao").fit(trained, observed, k, 2)
            votes = VoteProfile.count(queries, observed, 2)
            found.append(
                [
                    1 - risk.held_out(rule.predict(votes, k), data.y[test])
                    for rule in (Vote(), robust)
                ]
            )
    return np.reshape(found, (len(cases), len(FLIP_RATES), 2))
