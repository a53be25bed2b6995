"""Whether a problem on a line meets the assumptions of Theorem 4.3, and with which constants.

Problems must have two classes and lie on a line, where mu has a density; others, and data, raise ValueError.
"""

from collections.abc import Callable
from functools import lru_cache
from math import inf

import numpy as np

from knnviz import checks
from knnviz.bounds.distribution_checks import check_line, check_two_classes
from knnviz.bounds.near_zero import masses_near_zero, split_at_zero
from knnviz.problems import Problem
from knnviz.profiles.balls import TIE_TOL

#: Cells by default. Numbers with many divisors, so that simple fractions are edges of cells.
SMOOTHNESS_CELLS, MARGIN_CELLS = 360, 2520

#: Halvings of a cell before eta's step over it is computed, and then before it is again: tells a jump from a slope.
STEEP_HALVINGS, MARGIN_HALVINGS = (10, 10), (4, 16)

#: Factor by which a cell's ratio, step / mass^alpha or mass / step^beta, must grow over the later halvings to count as
#: unbounded: where eta bends, a bounded one grows a little.
STEEP_GROWTH, MARGIN_GROWTH = 1.01, 2

#: How many of the steepest cells are halved at most, and the least step of eta over one, as a fraction of the largest.
MOST_CELLS, LEAST_STEP = 8, 0.25

#: Margin up to which the mass shows how flat eta is where cells cannot be halved often enough.
NEAR_HALF = 1e-6


def least_smoothness_constant(problem: Problem, smoothness: float, resolution: int = SMOOTHNESS_CELLS) -> float:
    """Smallest L with ``|eta(x0) - eta(x1)| <= L mu(B)^alpha`` for the open ball B around x0 that ends at x1.

    The largest ratio over pairs of edges of cells with mass between them: a lower bound, which is exact if the worst
    pair is one of them. Infinite where the ratio grows without limit as points come together: at a jump, or where eta
    is too steep for this alpha. For alpha > 1 that is wherever eta is not constant, as its slope on the mass scale
    would have to be 0. To decide this, the steepest cells are halved 20 times, and the ratio must have grown over the
    last ten; a slope that is all in a thousandth of a cell counts as a jump. 0 if eta is constant. The work grows with
    the square of the resolution.

    Source: Reeve & Kaban, Assumption 3, on the support of mu.

    Examples
    --------
    >>> from knnviz.bounds.reeve_kaban import least_smoothness_constant
    >>> from knnviz.problems import plateau
    >>> round(least_smoothness_constant(plateau(0.1, 0.3), smoothness=1), 3)
    1.5
    """
    alpha, _ = checks.check_smoothness(smoothness, 1)
    edges, values, weights = _on_edges(problem, resolution)
    steps = np.where(weights > 0, abs(np.diff(values)), 0)
    if (alpha > 1 and steps.max() > TIE_TOL) or _steepens(problem, edges, steps, alpha):
        return inf
    inside = np.concatenate([weights, [0]]) + np.concatenate([[0], weights]) > 0
    cumulative = np.concatenate([[0], np.cumsum(weights)])
    i, j, before, after = _pairs(resolution)
    mass = np.minimum(cumulative[j] - cumulative[before], cumulative[after] - cumulative[i])
    compared = inside[i] & inside[j] & (mass > TIE_TOL)
    return float((abs(values[i] - values[j])[compared] / mass[compared] ** alpha).max(initial=0))


def _steepens(problem: Problem, edges: np.ndarray, steps: np.ndarray, alpha: float) -> bool:
    """Whether a step over one of the steepest cells, divided by its mass^alpha, keeps growing as the cell is halved."""
    steepest = np.argsort(steps)[-MOST_CELLS:]
    steepest = steepest[steps[steepest] >= LEAST_STEP * steps.max()]
    low, high = edges[steepest], edges[steepest + 1]
    before, after, _ = _halve(
        problem, low, high, STEEP_HALVINGS, keeps_left=lambda a, middle, b: abs(middle - a) >= abs(b - middle)
    )
    grows = after * 2 ** (STEEP_HALVINGS[1] * alpha) > STEEP_GROWTH * before
    return bool(((after > TIE_TOL) & grows).any())


@lru_cache(maxsize=4)
def _pairs(resolution: int) -> tuple[np.ndarray, ...]:
    """Pairs of edges i < j, and where on the other side the ball around i that ends at j ends, and that around j."""
    i, j = np.triu_indices(resolution + 1, 1)
    return i, j, np.maximum(2 * i - j, 0), np.minimum(2 * j - i, resolution)


def least_margin_constant(problem: Problem, margin_exponent: float, resolution: int = MARGIN_CELLS) -> float:
    """Smallest M >= 1 with ``mu(0 < |eta - 1/2| < t) <= M t^beta`` for all t > 0.

    eta is taken as linear in each cell, unless halving the cell shows a jump over 1/2. The error is about the mass of a
    cell for each end of a stretch where eta is constant. Infinite where eta passes through 1/2 too flatly for this
    beta: with a slope for beta > 1, with slope 0 for beta = 1. That is tested by halving its cell, down to steps of
    1e-12, or else by the masses at margins from 1e-12 to 1e-6. A beta that is too large by less than 0.1, or by less
    than a sixteenth of the largest that holds, may go undetected. eta within 1e-12 of 1/2 counts as 1/2: where that
    holds over many cells, as for ``problems.power(10)``, M can be too small and a larger beta can go undetected.

    Source: Reeve & Kaban, Assumption 4.

    Examples
    --------
    For eta = x the mass of ``|eta - 1/2| < t`` is 2 t: M = 2 at beta = 1, and there is none at beta = 2.

    >>> from knnviz.bounds.reeve_kaban import least_margin_constant
    >>> from knnviz.problems import ramp
    >>> [round(least_margin_constant(ramp(), margin_exponent=beta), 3) for beta in (1, 2)]
    [2.0, inf]
    """
    beta = float(checks.check_real("margin exponent beta", margin_exponent, 0, 100))
    edges, values, weights = _on_edges(problem, resolution)
    a, b = values[:-1], values[1:]
    meets = (weights > 0) & (a * b <= 0) & (a != b)
    low, high = edges[:-1][meets], edges[1:][meets]
    before, after, halvings = _halve(problem, low, high, MARGIN_HALVINGS, _towards_zero, TIE_TOL)
    stopped = halvings < MARGIN_HALVINGS[1]
    jumps = (after > before / 2) & ~stopped
    if ((before**beta > MARGIN_GROWTH * 2.0**halvings * after**beta) & ~jumps).any():
        return inf
    jumping = np.zeros(len(weights), bool)
    jumping[meets] = jumps
    parts = split_at_zero(a, b, weights, jumping)
    # A line through 1/2 replaces a steeper curve there if beta > 1: only the ends of its cell count.
    least = np.maximum(abs(a), abs(b))[meets & ~jumping].max(initial=0) if beta > 1 else 0
    t, mass = masses_near_zero(*parts)
    counted = (t > TIE_TOL) & (t >= least)
    ratios, near = mass[counted] / t[counted] ** beta, t[counted] <= NEAR_HALF
    if stopped.any() and near.any() and ratios[near][0] > MARGIN_GROWTH * ratios[near][-1]:
        return inf
    return float(ratios.max(initial=1))


def _towards_zero(a: np.ndarray, middle: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Whether the left half of a cell is the one in which a value meets 0 and leaves it."""
    return np.where(middle == 0, a != 0, np.sign(middle) != np.sign(a))


def _on_edges(problem: Problem, resolution: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges (cells + 1,) of cells on a line, eta - 1/2 there, 0 if within ``TIE_TOL``, and the cells' masses."""
    check_two_classes(problem)
    check_line(problem)
    weights = problem.measure(resolution).weights
    edges = np.linspace(*problem.box[0], resolution + 1)
    values = _from_half(problem, edges)
    return edges, np.where(abs(values) <= TIE_TOL, 0, values), weights


def _from_half(problem: Problem, x: np.ndarray) -> np.ndarray:
    """eta - 1/2 (m,) at positions x (m,)."""
    return problem.eta(x[:, None])[:, 1] - 0.5


def _halve(
    problem: Problem,
    low: np.ndarray,
    high: np.ndarray,
    times: tuple[int, int],
    keeps_left: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray],
    least_step: float = -1.0,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """By how much eta differs between the ends of cells after ``times[0]`` halvings, and after ``times[1]`` more.

    ``keeps_left`` chooses the half that is kept, from the values at the left end, in the middle and at the right end. A
    cell is halved only if the difference over the kept half exceeds ``least_step``; the third array counts the later
    halvings.
    """
    a, b = _from_half(problem, low), _from_half(problem, high)
    halvings = np.zeros(len(low), int)
    for halving in range(sum(times)):
        if halving == times[0]:
            before = abs(b - a)
        middle = (low + high) / 2
        value = _from_half(problem, middle)
        left = keeps_left(a, value, b)
        halved = np.where(left, abs(value - a), abs(b - value)) > least_step
        low, high = np.where(halved & ~left, middle, low), np.where(halved & left, middle, high)
        a, b = np.where(halved & ~left, value, a), np.where(halved & left, value, b)
        halvings += halved & (halving >= times[0])
    return before, abs(b - a), halvings
