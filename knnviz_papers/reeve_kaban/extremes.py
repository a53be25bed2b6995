"""Theorem 4.2: extremes of smoothed labels as estimates of the noise, against k."""

from collections.abc import Sequence

import numpy as np

from knnviz.bounds.reeve_kaban import theorem_4_2
from knnviz.problems import Sample
from knnviz_papers.reeve_kaban.comparison import (
    DELTA,
    NOISE,
    PLATEAU,
    SHARP_CONSTANT,
    SMOOTHNESS,
    SMOOTHNESS_CONSTANT,
    NoisySample,
    estimates,
)
from knnviz_papers.simulate import Row, Tables, means_and_errors, over_samples, quantile_and_error


def reeve_maximum(
    n: int = 2000,
    ks: Sequence[int] = (10, 25, 50, 100, 200, 400, 800),
    repeats: int = 200,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Estimates of p0 and p1 against k on the plateau, their errors, and the bound of Theorem 4.2.

    With few neighbors the variance of votes pushes maximum and minimum apart, with many smoothing
    pulls them together: both estimates err to one side, and the threshold, which depends on their
    difference, errs less.

    Table "estimates", a row for each k: mean estimates of p0, p1 and theta, mean absolute errors of
    p1 and of theta, the 95 % quantiles of these, and the bound with L = 3 and, "bound_sharp", with
    the smallest L that eta_corr has.
    """

    def all_estimates(sample: Sample) -> list[list[float]]:
        seen = NoisySample.from_sample(sample)
        return [estimates(seen.robust(k)) for k in ks]

    found = over_samples(all_estimates, PLATEAU, n, repeats, seed, progress)
    rows = []
    for j, k in enumerate(ks):
        rows.append(_errors_and_bounds(k, n, found[:, j]))
    return {"estimates": rows}


def _errors_and_bounds(k: int, n: int, found: np.ndarray) -> Row:
    """A row from the estimates (repeats, 3) at one k."""
    row: Row = {"n": n, "k": k}
    row |= means_and_errors(found, ("p0_hat", "p1_hat", "theta_hat"))

    theta = (1 + NOISE.p0 - NOISE.p1) / 2
    errors = abs(found[:, 1:] - [NOISE.p1, theta])
    row |= means_and_errors(errors, ("p1_error", "theta_error"))
    row |= quantile_and_error("p1_error_95", errors[:, 0], 0.95)
    row |= quantile_and_error("theta_error_95", errors[:, 1], 0.95)

    for name, L in (("bound", SMOOTHNESS_CONSTANT), ("bound_sharp", SHARP_CONSTANT)):
        bound = theorem_4_2(k, n, DELTA, smoothness=SMOOTHNESS, smoothness_constant=L, any_k=True)
        row[name] = bound.vote + bound.bias
    return row
