"""Theorem 4.1 and Lemma 4.1 at a point: the error of a fraction of votes, in its two parts."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from knnviz.bounds.reeve_kaban import lemma_4_1, theorem_4_1
from knnviz.problems import Sample
from knnviz_papers.reeve_kaban.comparison import DELTA, NOISE, PLATEAU, SHARP_CONSTANT, SMOOTHNESS
from knnviz_papers.simulate import Row, Tables, over_samples, quantile_and_error

#: What is measured: |e - f|, |e - e~|, |e~ - f| and the largest |f(X_q) - f|, as in
#: ``reeve_pointwise``.
ERRORS = ("error", "vote", "smooth", "farthest")

#: Fixed points where f = eta_corr rises to one side only, and where it is constant; then a point of
#: the sample.
POINTS = {"x = 0": 0.0, "x = 0.55": 0.55, "training point": None}


def reeve_pointwise(
    n: int = 2000,
    ks: Sequence[int] = (18, 50, 100, 200, 400, 800),
    repeats: int = 20_000,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Errors of the fraction of votes at a point of the plateau, beside the bounds of Theorem 4.1
    and Lemma 4.1.

    e is the fraction of votes, f is eta_corr, e~ the mean of f over the neighbors. The training
    point is the first of each sample.

    Table "errors", a row for each point and k: quantiles, which at most delta = 0.05 of the samples
    exceed, of the error |e - f|, of its "vote" and its "smooth" part, and of the "farthest" of all
    |f(X_q) - f| with q <= k. Then the bounds: the vote term, the smoothness term, which is that of
    Lemma 4.1 as well, and their sum.
    """
    work = partial(errors_at_points, ks=np.array(ks))
    found = over_samples(work, PLATEAU, n, repeats, seed, progress)
    rows = []
    for j, point in enumerate(POINTS):
        for i, k in enumerate(ks):
            at_k = _errors_and_bounds(k, n, found[:, j, i])
            rows.append({"point": point} | at_k)
    return {"errors": rows}


def errors_at_points(sample: Sample, ks: np.ndarray) -> np.ndarray:
    """The four errors (points, J, 4) on one sample."""
    labels = NOISE.flip(sample.y, sample.v)
    f = NOISE.corrupt(PLATEAU.eta(sample.X))[:, 1]
    found = []
    for x in POINTS.values():
        center = sample.X[:1]
        if x is not None:
            center = np.array([[x]])
        (true,) = NOISE.corrupt(PLATEAU.eta(center))[:, 1]
        distances = abs(sample.X - center)[:, 0]
        order = np.argsort(distances, kind="stable")
        nearest = order[: ks.max()]
        f_nearest = f[nearest]
        votes = np.cumsum(labels[nearest])[ks - 1] / ks
        smoothed = np.cumsum(f_nearest)[ks - 1] / ks

        error = abs(votes - true)
        vote = abs(votes - smoothed)
        smooth = abs(smoothed - true)
        farthest = np.maximum.accumulate(abs(f_nearest - true))[ks - 1]
        found.append(np.stack([error, vote, smooth, farthest], axis=1))
    # Where f is constant some are 0 but for rounding, which is not the same on every machine.
    return np.round(found, 12)


def _errors_and_bounds(k: int, n: int, found: np.ndarray) -> Row:
    """A row from the errors (repeats, 4) at one point and k."""
    row: Row = {"n": n, "k": k}
    for name, values in zip(ERRORS, found.T, strict=True):
        row |= quantile_and_error(name, values, 1 - DELTA)

    smooth = {"smoothness": SMOOTHNESS, "smoothness_constant": SHARP_CONSTANT}
    bound = theorem_4_1(k, n, DELTA, **smooth)
    row["vote_bound"] = bound.vote
    row["smooth_bound"] = lemma_4_1(k, n, DELTA, **smooth)
    row["bound"] = sum(bound)
    return row
