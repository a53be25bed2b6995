"""Extremes of smoothed labels as estimates of the noise: bias against k, and errors where eta stays inside (0, 1)."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from tqdm import tqdm

from knnviz import noise
from knnviz.bounds import closed_forms
from knnviz.problems import Sample, plateau, ramp
from knnviz.problems.base import FINE_GRID
from knnviz.risk import Limits
from knnviz_papers.reeve_kaban.comparison import (
    COLUMNS,
    DELTA,
    P0,
    P1,
    SMOOTHNESS,
    SMOOTHNESS_CONSTANT,
    NoisyProblem,
    ObservedSample,
    compare,
    estimates,
    theorem_k,
)
from knnviz_papers.simulate import (
    Row,
    Tables,
    mean_and_error,
    means_and_errors,
    over_samples,
    quantile_and_error,
    title,
)

#: Constants L of eta_corr: that of eta as elsewhere, and the smallest there is, the contrast times that of eta.
SMOOTHNESS_CONSTANTS = SMOOTHNESS_CONSTANT, (1 - P0 - P1) * closed_forms.plateau(P0, P1).smoothness_constant

#: Fraction of the errors below the quantile.
QUANTILE = 0.95


def reeve_maximum(
    n: int = 2000,
    ks: Sequence[int] = (10, 25, 50, 100, 200, 400, 800),
    repeats: int = 200,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Estimates of p0 and p1 against k on the plateau, their errors, and the bound of Theorem 4.2.

    With few neighbors the variance of votes pushes maximum and minimum apart, with many smoothing pulls them together:
    both estimates err to one side, and the threshold, which depends on their difference, errs less. ``ks`` neighbors,
    from 2 to n, smooth labels; all use the same samples.

    Tables: "estimates", a row for each k: mean estimates of p0, p1 and theta, mean absolute errors of p1 and of theta,
    the 95 % quantiles of these, and the bound at delta = 0.05 with L = 3 and, "bound_sharp", with the smallest L that
    eta_corr has.

    Source: Reeve & Kaban, Theorem 4.2.
    """
    noisy_problem = NoisyProblem.of(plateau(P0, P1))
    work = partial(_estimates, noisy_problem, ks=ks)
    found = over_samples(work, noisy_problem.problem, n, repeats, seed, progress)
    return {"estimates": [_errors_and_bounds(n, k, each) for k, each in zip(ks, found.swapaxes(0, 1), strict=True)]}


def _estimates(noisy_problem: NoisyProblem, sample: Sample, ks: Sequence[int]) -> list[list[float]]:
    seen = ObservedSample.of(noisy_problem, sample)
    return [estimates(seen.robust(k)) for k in ks]


def _errors_and_bounds(n: int, k: int, found: np.ndarray) -> Row:
    """A row from the estimates (repeats, 3) at one k."""
    errors = abs(found[:, 1:] - [P1, (1 + P0 - P1) / 2])
    row = {"n": n, "k": k} | means_and_errors(found, ("p0_hat", "p1_hat", "theta_hat"))
    row |= means_and_errors(errors, ("p1_error", "theta_error"))
    for name, values in zip(("p1_error_95", "theta_error_95"), errors.T, strict=True):
        row |= quantile_and_error(name, values, QUANTILE)
    bounds = (sum(noise.extremum_error(n, k, DELTA, SMOOTHNESS, constant)) for constant in SMOOTHNESS_CONSTANTS)
    return row | dict(zip(("bound", "bound_sharp"), bounds, strict=True))


def reeve_range(
    ranges: Sequence[tuple[float, float]] = ((0.0, 1.0), (0.2, 0.8), (0.0, 0.8), (0.3, 1.0), (0.0, 0.6), (0.55, 0.95)),
    n: int = 64_000,
    repeats: int = 40,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Algorithm 2 where eta rises from a to b, not from 0 to 1: its threshold on eta is (a + b) / 2, wherever 1/2 is.

    ``ranges`` are pairs 0 <= a < b <= 1; k is that of the theorem.

    Tables: "ranges", a row for each: the true theta and (a + b) / 2; risks of the three rules and the estimates,
    theta-hat also in units of eta, as ``eta_threshold``; limits of plain kNN and of Algorithm 2, and the Bayes risk.

    Source: Reeve & Kaban, section 2, on what happens without its Assumption 2.
    """
    rows = []
    for low, high in tqdm(ranges, "reeve_range", disable=not progress):
        rows.append(_range_row(NoisyProblem.of(ramp(low, high)), n, repeats, seed))
    return {"ranges": rows}


def _range_row(noisy_problem: NoisyProblem, n: int, repeats: int, seed: int) -> Row:
    problem, k, rates = noisy_problem.problem, theorem_k(n), noisy_problem.noise
    middle = (problem.parameters["low"] + problem.parameters["high"]) / 2
    found = over_samples(partial(compare, noisy_problem, ks=[k]), problem, n, repeats, seed)[:, 0]
    row = {"problem": title(problem), "n": n, "k": k, "theta": (1 + rates.p0 - rates.p1) / 2, "middle": middle}
    row |= means_and_errors(found, COLUMNS)
    row |= mean_and_error("eta_threshold", (found[:, -1] - rates.p0) / rates.contrast)
    measure, eta = problem.cells(FINE_GRID[1])
    limits = Limits.of(eta, measure.weights)
    row |= {"vote_limit": limits.vote(rates), "robust_limit": limits.vote(rates, rates.p0 + rates.contrast * middle)}
    return row | {"bayes_risk": problem.bayes_risk()}
