"""Theorem 4.1 and Lemma 4.1 at a point: how far a fraction of votes is off, in its two parts, beside the bounds."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from knnviz import checks
from knnviz.bounds.reeve_kaban import lemma_4_1, theorem_4_1
from knnviz.problems import Sample, plateau
from knnviz_papers.reeve_kaban.comparison import DELTA, P0, P1, SMOOTHNESS, NoisyProblem
from knnviz_papers.reeve_kaban.extremes import SMOOTHNESS_CONSTANTS
from knnviz_papers.simulate import Row, Tables, over_samples, quantile_and_error

#: What is measured: |e - f|, |e - e~|, |e~ - f| and the largest |f(X_q) - f|, as in ``reeve_pointwise``.
ERRORS = ("error", "vote", "smooth", "farthest")

#: Fixed points where f = eta_corr rises to one side only, and where it is constant.
POINTS = (0.0, 0.55)


def reeve_pointwise(
    n: int = 2000,
    ks: Sequence[int] = (18, 50, 100, 200, 400, 800),
    repeats: int = 20_000,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Errors of the fraction of votes at a point of the plateau, beside the bounds of Theorem 4.1 and Lemma 4.1.

    The points are 0, where all neighbors lie on one side, 0.55 in the middle of the plateau, and the first training
    point of each sample. e is the fraction of votes, f is eta_corr, e~ the mean of f over the neighbors; L = 0.9 is the
    smallest that f has.

    Tables: "errors", a row for each point and k: quantiles, which at most delta = 0.05 of the samples exceed, of the
    error |e - f|, of its "vote" and its "smooth" part, and of the "farthest" of all |f(X_q) - f| with q <= k. Then the
    bounds: the vote term, the smoothness term, which is that of Lemma 4.1 as well, and their sum.

    Source: Reeve & Kaban, Theorem 4.1 and Lemma 4.1.
    """
    for k in ks:
        checks.check_k(k, n)
    noisy_problem = NoisyProblem.of(plateau(P0, P1))
    work = partial(_errors, noisy_problem, ks=np.array(ks))
    found = over_samples(work, noisy_problem.problem, n, repeats, seed, progress)
    names = [*(f"x = {x:g}" for x in POINTS), "training point"]
    cells = ((j, i) for j in range(len(names)) for i in range(len(ks)))
    return {"errors": [{"point": names[j]} | _errors_and_bounds(n, ks[i], found[:, j, i]) for j, i in cells]}


def _errors(noisy_problem: NoisyProblem, sample: Sample, ks: np.ndarray) -> np.ndarray:
    """Errors (points, J, 4) on one sample: the fixed points, then its first."""
    f = noisy_problem.noise.corrupt(noisy_problem.problem.eta(sample.X))[:, 1]
    labels = noisy_problem.noise.flip(sample.y, sample.v)
    centers = np.array([*POINTS, sample.X[0, 0]])
    truth = noisy_problem.noise.corrupt(noisy_problem.problem.eta(centers[:, None]))[:, 1]
    return np.array(
        [_errors_at(abs(sample.X[:, 0] - x), labels, f, true, ks) for x, true in zip(centers, truth, strict=True)]
    )


def _errors_at(distances: np.ndarray, labels: np.ndarray, f: np.ndarray, true: float, ks: np.ndarray) -> np.ndarray:
    order = np.argsort(distances, kind="stable")[: ks.max()]
    votes, smoothed = (np.cumsum(each[order])[ks - 1] / ks for each in (labels, f))
    farthest = np.maximum.accumulate(abs(f[order] - true))[ks - 1]
    errors = np.stack([abs(votes - true), abs(votes - smoothed), abs(smoothed - true), farthest], axis=1)
    # Where f is constant some are 0 but for rounding, which is not the same on every machine.
    return errors.round(12)


def _errors_and_bounds(n: int, k: int, found: np.ndarray) -> Row:
    """A row from the errors (repeats, 4) at one point and k."""
    smooth = {"smoothness": SMOOTHNESS, "smoothness_constant": SMOOTHNESS_CONSTANTS[1]}
    bound, lemma = (statement(n, k, DELTA, **smooth) for statement in (theorem_4_1, lemma_4_1))
    row: Row = {"n": n, "k": k}
    for name, values in zip(ERRORS, found.T, strict=True):
        row |= quantile_and_error(name, values, 1 - DELTA)
    return row | {"vote_bound": bound.vote, "smooth_bound": lemma.value, "bound": bound.value}
