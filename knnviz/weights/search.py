"""Searches for the class weights with the highest score: greedy (hill climbing) or over a grid."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Any, Literal, get_args

import numpy as np

from knnviz.checks import (
    Weights,
    check_choice,
    check_class_weights,
    check_int,
    check_points,
    check_real,
    require,
)

#: Scores (J,) of weights (J, C); a single number raises ValueError.
Score = Callable[[np.ndarray], np.ndarray | float]

#: The order in which a step tries its candidates: class by class up and down, or all classes up,
#: then all down.
Order = Literal["coordinate", "sign"]

#: Which candidates replace the best so far: those at least as good, or better ones only.
Accept = Literal[">=", ">"]

#: What the candidates of a step start from: where the step began, or the best so far.
Base = Literal["previous", "running"]

#: The options of a climb, by name.
CLIMB = ("step", "n_steps", "order", "accept", "base")

#: Largest rounding error of 5 n^(1/3).
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search found: weights ``q`` (C,) and their ``score``.

    ``history`` (T + 1, C) and ``scores`` (T + 1,) are the weights before the first step and after
    each; for a search over a grid they hold its result alone.
    """

    q: np.ndarray
    score: float
    history: np.ndarray
    scores: np.ndarray


def greedy_search(
    score: Score,
    start: Weights,
    *,
    step: float = 0.01,
    n_steps: int = 20,
    order: Order = "coordinate",
    accept: Accept = ">=",
    base: Base = "previous",
) -> SearchResult:
    """Hill climbing: each step adds to one weight or subtracts from it, whichever gives the highest
    score.

    Source: Khim et al., Algorithm 1.

    Parameters
    ----------
    score : callable
        Finite scores (J,) of weights (J, C), such as a ``weights.WeightScorer``. Equal decisions
        must have equal scores, so that a plateau is one.
    start : sequence (C,)
        Weights to begin with, not negative and not all 0; divided by their sum.
    step : float
        gamma in (0, 1]: candidates are q + gamma e_c and q - gamma e_c, clipped at 0 and divided by
        their sum.
    n_steps : int
        T, at least 0. All of them are taken.
    order : "coordinate" or "sign"
        "coordinate": candidates class by class, up and then down. "sign": all up, then all down.
        With accept=">=" the last of equally good candidates wins.
    accept : ">=" or ">"
        ">=": a candidate that is as good as the best so far replaces it, so that a search can cross
        a plateau. ">": only a better one does.
    base : "previous" or "running"
        "previous": all candidates of a step start from the weights before it. "running": each
        starts from the best so far.
    """
    q = check_class_weights(start, name="start")
    q = q / q.sum()
    check_climb(step, n_steps, order, accept, base)
    moves = moves_of(float(step), len(q), order)
    # Moves that start from the same weights.
    groups = moves[None] if base == "previous" else moves[:, None]

    best = float(_scores(score, q[None])[0])
    history = [q]
    scores = [best]
    while len(history) <= n_steps:
        for group in groups:
            q, best = _climb(score, q, best, group, accept)
        repeats = 1
        if q is history[-1]:
            # If no candidate was accepted, none will be in the steps that remain.
            repeats = n_steps + 1 - len(history)
        history += [q] * repeats
        scores += [best] * repeats
    return SearchResult(q, best, np.array(history), np.array(scores))


def check_climb(step: float, n_steps: int, order: Order, accept: Accept, base: Base) -> None:
    """Raise ValueError for options that ``greedy_search`` does not take."""
    check_real("step", step, 0, 1)
    require(step > 0, f"step must be above 0 and at most 1, got {step:g}")
    check_int("n_steps", n_steps, 0)
    check_choice("order", order, get_args(Order))
    check_choice("accept", accept, get_args(Accept))
    check_choice("base", base, get_args(Base))


def climb_options(owner: Any) -> dict[str, Any]:
    """The options of ``greedy_search`` that an object has as attributes."""
    return {name: getattr(owner, name) for name in CLIMB}


def grid_search(score: Score, grid: np.ndarray) -> SearchResult:
    """The first weights of a grid (J, C) with the highest score; ``score`` as in ``greedy_search``.

    ``weights.simplex_grid`` makes a grid. Raises ValueError for one without rows, and for a score
    that is not finite. Source: Khim et al., Algorithms 2 and 3, which are the same.

    Examples
    --------
    >>> from knnviz.weights import WeightScorer, grid_search, simplex_grid
    >>> labels, fractions = [0, 1, 1, 1], [[0.8, 0.2], [0.6, 0.4], [0.4, 0.6], [0.3, 0.7]]
    >>> score = WeightScorer.from_fractions(labels, fractions, scoring="accuracy")
    >>> found = grid_search(score, simplex_grid(2, 10))
    >>> found.q.tolist(), found.score
    ([0.2, 0.8], 1.0)
    """
    grid = check_points("grid", grid)
    scores = _scores(score, grid)
    best = int(np.argmax(scores))
    highest = float(scores[best])
    return SearchResult(grid[best], highest, grid[[best]], scores[[best]])


def neighbors_rule(n: int) -> int:
    """k = min(n, 5 n^(1/3)), rounded up; raises ValueError for n below 1.

    A number that is whole up to rounding errors counts as whole: 50 for n = 1000, where int(5 *
    1000 ** (1 / 3)) is 49. Source: Khim et al., section 6, which does not say how it rounds.

    Examples
    --------
    >>> from knnviz.weights import neighbors_rule
    >>> [neighbors_rule(n) for n in (10, 100, 1000)]
    [10, 24, 50]
    """
    n = check_int("n", n, 1)
    k = 5 * n ** (1 / 3)
    return min(n, ceil(k - ROUNDING))


def _scores(score: Score, q: np.ndarray) -> np.ndarray:
    found = np.asarray(score(q))
    one_each = found.shape == (len(q),)
    if not one_each or not np.isfinite(found).all():
        raise ValueError(
            f"score must give a finite number for each of {len(q)} weights, got {found}"
        )
    return found


def moves_of(step: float, n_classes: int, order: Order) -> np.ndarray:
    """What each candidate of a step adds to the weights (C,), (2 C, C), in their order."""
    up = step * np.eye(n_classes)
    if order == "sign":
        return np.concatenate([up, -up])
    pairs = np.stack([up, -up], axis=1)
    return pairs.reshape(-1, n_classes)


def moved(q: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """Weights q (C,) after each of the moves (J, C), clipped at 0 and on the simplex; q itself
    where all would be 0.
    """
    candidates = np.maximum(q + moves, 0)
    candidates[~candidates.any(axis=1)] = q
    return candidates / candidates.sum(axis=1, keepdims=True)


def _climb(
    score: Score, q: np.ndarray, best: float, moves: np.ndarray, accept: Accept
) -> tuple[np.ndarray, float]:
    """The best of weights q (C,) after each of the moves (J, C), and its score; q itself if none is
    accepted.
    """
    candidates = moved(q, moves)
    scores = _scores(score, candidates)
    highest = float(scores.max())
    if highest < best or (accept == ">" and highest == best):
        return q, best
    # An equal candidate replaces the one before only if that is accepted.
    tied = np.flatnonzero(scores == highest)
    chosen = tied[-1] if accept == ">=" else tied[0]
    return candidates[chosen], highest
