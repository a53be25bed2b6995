"""The least constants of the assumptions of Khim, Xu & Singh, searched on problems on a line."""

from math import inf

import numpy as np

from knnviz import checks
from knnviz.bounds.arithmetic import masses_near_zero, power
from knnviz.checks import TIE_TOL, Weights
from knnviz.problems import Problem

#: Cells along a line by default.
LINE_CELLS = 20_000


def least_smoothness_constants(
    problem: Problem, smoothness: float, n_cells: int = 1000
) -> np.ndarray:
    """Smallest L (C,) for each class on a line with abs(eta_c(x) - eta_c(B)) <= L mu(B)^alpha; Khim
    et al., 3.1.1.

    The largest ratio over edges x of cells and balls that end at edges, with eta integrated at the
    centers of cells: it nears the constant as ``n_cells`` grows, not always from below, and at a
    jump it grows without limit.
    """
    measure, eta = problem.cells(n_cells)
    cumulative = np.append(0, np.cumsum(measure.weights))
    joint = np.cumsum(measure.weights[:, None] * eta, axis=0)
    totals = np.concatenate([np.zeros((1, problem.n_classes)), joint])
    edges = np.linspace(*problem.box[0], n_cells + 1)
    at_edges = problem.eta(edges[:, None])
    centers = np.arange(n_cells + 1)
    worst = np.zeros(problem.n_classes)
    for cells in range(1, n_cells + 1):
        low = np.maximum(centers - cells, 0)
        high = np.minimum(centers + cells, n_cells)
        mass = cumulative[high] - cumulative[low]
        has_mass = mass > TIE_TOL
        divisors = np.where(has_mass, mass, 1)[:, None]
        averages = (totals[high] - totals[low]) / divisors
        differences = abs(at_edges - averages)
        ratios = differences[has_mass] / mass[has_mass, None] ** smoothness
        worst = np.maximum(worst, ratios.max(axis=0, initial=0))
    return worst


def least_margin_constant(
    problem: Problem, margin_exponent: float, q: Weights, n_cells: int = LINE_CELLS
) -> float:
    """Smallest M on a line with P(Delta_q(X) <= t) <= M t^beta for all t > 0; Khim et al., section
    3.1.2.

    Delta_q is taken as linear in each cell. Infinite where classes tie on a stretch, unless beta is
    0: then M is 1. For a beta that the problem does not allow, M grows without limit with
    ``n_cells``.
    """
    masses, _, gaps = _gaps_on_cells(problem, q, n_cells)
    return _least_constant(gaps, masses, margin_exponent, float(max(q)))


def least_conditional_margin_constants(
    problem: Problem, margin_exponent: float, q: Weights, n_cells: int = LINE_CELLS
) -> np.ndarray:
    """Smallest M (C,) of each class with P(Delta_q(X) <= t given Y = c) <= M t^beta, 0 for a class
    that never occurs.

    Proposition 1 takes the largest of them. Khim et al., Assumption 1.
    """
    masses, eta, gaps = _gaps_on_cells(problem, q, n_cells)
    q_max = float(max(q))
    constants = np.zeros(problem.n_classes)
    for c, mass in enumerate(masses * eta.T):
        if mass.any():
            given_class = mass / mass.sum()
            constants[c] = _least_constant(gaps, given_class, margin_exponent, q_max)
    return constants


def _gaps_on_cells(
    problem: Problem, q: Weights, n_cells: int
) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Masses of cells, eta (cells, C) there, and Delta_q / q_max at both ends, of opposite signs
    where f*_q changes.
    """
    weights = checks.check_class_weights(q, problem.n_classes)
    measure, eta = problem.cells(n_cells)
    edges = np.linspace(*problem.box[0], n_cells + 1)
    scores = problem.eta(edges[:, None]) * (weights / weights.max())
    leader = scores.argmax(axis=1)
    ranked = np.sort(scores, axis=1)
    gap = ranked[:, -1] - ranked[:, -2]
    gap[gap <= TIE_TOL] = 0
    stays = leader[:-1] == leader[1:]
    at_high = np.where(stays, gap[1:], -gap[1:])
    return measure.weights, eta, (gap[:-1], at_high)


def _least_constant(
    gaps: tuple[np.ndarray, np.ndarray], masses: np.ndarray, beta: float, q_max: float
) -> float:
    """Smallest M for cells of some masses (cells,), with Delta_q / q_max at both ends of each."""
    if beta == 0:
        return 1.0
    a, b = gaps
    tied = (a == 0) & (b == 0)
    if masses[tied].sum() > 0:
        return inf
    t, mass = masses_near_zero(*split_at_zero(a, b, masses))
    counted = t > 0
    ratios = mass[counted] / t[counted] ** beta
    return float(ratios.max(initial=0)) * power(q_max, -beta)


def split_at_zero(a: np.ndarray, b: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, ...]:
    """Split cells where the value changes sign: least and largest abs(value) of each part, and its
    mass.

    The value runs from ``a`` to ``b`` in a cell of mass ``weights``, all (cells,). A cell is split
    where the value is 0.
    """
    crosses = a * b < 0
    beyond = b[crosses]
    starts = np.append(a, 0 * beyond)
    ends = np.append(b * ~crosses, beyond)
    low, high = np.sort(abs(np.array([starts, ends])), axis=0)

    fraction = np.divide(a, a - b, out=np.ones(len(a)), where=crosses)
    rest = (1 - fraction) * weights
    return low, high, np.append(fraction * weights, rest[crosses])
