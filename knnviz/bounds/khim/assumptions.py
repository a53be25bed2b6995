"""The constants with which a problem on a line meets the assumptions: smoothness, margin, Lipschitz.

Source: Khim et al., section 3. Problems must lie on a line, where mu has a density; others, and data, raise ValueError.
"""

from math import inf

import numpy as np

from knnviz import checks
from knnviz.bounds.arithmetic import power
from knnviz.bounds.distribution_checks import check_line
from knnviz.bounds.near_zero import masses_near_zero, split_at_zero
from knnviz.problems import Problem
from knnviz.profiles.balls import TIE_TOL, Weights, check_class_weights

#: Cells by default: of a search over all balls, whose work grows with their square, and of one along the line.
BALL_CELLS, LINE_CELLS = 1000, 20_000


def least_smoothness_constants(problem: Problem, smoothness: float, resolution: int = BALL_CELLS) -> np.ndarray:
    """Smallest L (C,) for each class with abs(eta_c(x) - eta_c(B)) <= L mu(B)^alpha for closed balls B around x.

    The largest ratio over edges x of cells and balls that end at edges, with eta integrated at the centers of cells: it
    nears the constant as the resolution grows, not always from below; where there is none, as at a jump, it grows
    without limit. The theorems take the largest of them.

    Source: Khim et al., section 3.1.1.

    Examples
    --------
    >>> from knnviz.bounds.khim import least_smoothness_constants
    >>> from knnviz.problems import linear
    >>> least_smoothness_constants(linear(s=1), smoothness=1, resolution=100).round(4).tolist()
    [0.5, 0.5]
    """
    alpha, _ = checks.check_smoothness(smoothness, 1)
    check_line(problem)
    measure, eta = problem.cells(resolution)
    cumulative = np.concatenate([[0], np.cumsum(measure.weights)])
    totals = np.concatenate([np.zeros((1, problem.n_classes)), np.cumsum(measure.weights[:, None] * eta, axis=0)])
    at_edges = problem.eta(np.linspace(*problem.box[0], resolution + 1)[:, None])
    centers, worst = np.arange(resolution + 1), np.zeros(problem.n_classes)
    for cells in range(1, resolution + 1):
        low, high = np.maximum(centers - cells, 0), np.minimum(centers + cells, resolution)
        mass = cumulative[high] - cumulative[low]
        has_mass = mass > TIE_TOL
        differences = abs(at_edges - (totals[high] - totals[low]) / np.where(has_mass, mass, 1)[:, None])
        worst = np.maximum(worst, (differences[has_mass] / mass[has_mass, None] ** alpha).max(axis=0, initial=0))
    return worst


def least_margin_constant(problem: Problem, margin_exponent: float, q: Weights, resolution: int = LINE_CELLS) -> float:
    """Smallest M with P(Delta_q(X) <= t) <= M t^beta for all t > 0, with Delta_q on the scale of the weights.

    Delta_q is taken as linear in each cell. Infinite where classes tie on a stretch, unless beta is 0: then M is 1 for
    any problem. For a beta that the problem does not allow, M grows without limit with the resolution.

    Source: Khim et al., section 3.1.2, the weighted margin condition.

    Examples
    --------
    >>> from knnviz.bounds.khim import least_margin_constant
    >>> from knnviz.problems import linear
    >>> round(least_margin_constant(linear(s=1), margin_exponent=1, q=[1, 1]), 4)
    1.0
    >>> round(least_margin_constant(linear(s=1), margin_exponent=1, q=[2, 2]), 4)
    0.5
    """
    q = _check_weights(problem, q)
    weights, _, gaps = _gaps_on_cells(problem, q / q.max(), resolution)
    return _least_constant(gaps, weights, margin_exponent, float(q.max()))


def least_conditional_margin_constants(
    problem: Problem, margin_exponent: float, q: Weights, resolution: int = LINE_CELLS
) -> np.ndarray:
    """Smallest M (C,) of each class with P(Delta_q(X) <= t given Y = c) <= M t^beta for all t > 0.

    Proposition 1 takes the largest of them; 0 for a class that never occurs.

    Source: Khim et al., Assumption 1.

    Examples
    --------
    >>> from knnviz.bounds.khim import least_conditional_margin_constants
    >>> from knnviz.problems import linear
    >>> least_conditional_margin_constants(linear(s=1), margin_exponent=1, q=[1, 1]).round(4).tolist()
    [1.0, 1.0]
    """
    q = _check_weights(problem, q)
    weights, eta, gaps = _gaps_on_cells(problem, q / q.max(), resolution)
    joint, scale = weights * eta.T, float(q.max())
    return np.array(
        [_least_constant(gaps, mass / mass.sum(), margin_exponent, scale) if mass.any() else 0.0 for mass in joint]
    )


def least_lipschitz_constants(problem: Problem, resolution: int = LINE_CELLS) -> np.ndarray:
    """Largest slope (C,) of each eta_c, between the ends of cells: at most the constant, and near it on fine cells.

    For Theorem 3 with alpha = 1, which takes the largest.

    Source: Khim et al., Assumption 2.

    Examples
    --------
    >>> from knnviz.bounds.khim import least_lipschitz_constants
    >>> from knnviz.problems import linear
    >>> least_lipschitz_constants(linear(s=0.8)).round(4).tolist()
    [0.8, 0.8]
    """
    check_line(problem)
    edges = np.linspace(*problem.box[0], checks.check_int("resolution", resolution, 1) + 1)
    return abs(np.diff(problem.eta(edges[:, None]), axis=0)).max(axis=0) / (edges[1] - edges[0])


def _check_weights(problem: Problem, q: Weights) -> np.ndarray:
    check_line(problem)
    q = check_class_weights(q)
    if len(q) != problem.n_classes:
        raise ValueError(f"q must hold a weight for each of {problem.n_classes} classes, got {len(q)}")
    return q


def _gaps_on_cells(
    problem: Problem, q: np.ndarray, resolution: int
) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Masses of cells, eta (cells, C) in them, and Delta_q at both ends, of opposite signs where the leader changes.

    The largest of the weights q (C,) must be 1: then rounding is small whatever their scale was.
    """
    measure, eta = problem.cells(resolution)
    scores = problem.eta(np.linspace(*problem.box[0], resolution + 1)[:, None]) * q
    leader, ranked = scores.argmax(axis=1), np.sort(scores, axis=1)
    gap = ranked[:, -1] - ranked[:, -2]
    gap[gap <= TIE_TOL] = 0
    return measure.weights, eta, (gap[:-1], np.where(leader[:-1] == leader[1:], gap[1:], -gap[1:]))


def _least_constant(
    gaps: tuple[np.ndarray, np.ndarray], masses: np.ndarray, margin_exponent: float, scale: float
) -> float:
    """Smallest M for cells of some masses (cells,), with Delta_q / ``scale`` at both ends of each."""
    beta = float(checks.check_real("margin exponent beta", margin_exponent, 0, 100))
    if beta == 0:
        return 1.0
    a, b = gaps
    if masses[(a == 0) & (b == 0)].sum() > 0:
        return inf
    t, mass = masses_near_zero(*split_at_zero(a, b, masses, jumps=np.zeros(len(a), bool)))
    positive = t > 0
    return float((mass[positive] / t[positive] ** beta).max(initial=0)) * power(scale, -beta)
