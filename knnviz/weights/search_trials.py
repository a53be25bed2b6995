"""Searches for weights on many samples: where candidates are scored, the weights found, and scores
on new points.

Candidates are scored at training points, with or without their own labels, or at points held out of
training. New points are the cells of the problem's distribution.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np

from knnviz import checks, kernels
from knnviz.neighbors import NeighborTable
from knnviz.problems import Problem, Sample
from knnviz.profiles import VoteProfile
from knnviz.repeats import check_sweep, nan_mean, nan_standard_error
from knnviz.weights.scorer import SCORES, WeightScorer
from knnviz.weights.search import (
    Accept,
    Base,
    Order,
    Score,
    SearchResult,
    check_climb,
    greedy_search,
    grid_search,
    neighbors_rule,
)
from knnviz.weights.simplex import grid_size, simplex_grid

#: All training points, each among its own neighbors or not (leave-one-out, loo); or points held out
#: of training.
Validation = Literal["resubstitution", "loo", "holdout"]

#: One point in ``PART`` is held out.
PART = 4

#: How weights are chosen.
WAYS = ("unweighted", "greedy", "grid")

#: Scores that judge a trial: the one that the searches maximize, at their own points; macro and
#: micro F1 on new points.
CRITERIA = ("searched", "macro", "micro")

#: Cells along each coordinate that stand for new points, by dimension.
CELLS = {1: 4000, 2: 100}


class ValidationSet(NamedTuple):
    """Points at which candidate weights are scored: class codes (m,), and a ``VoteProfile`` of
    their neighbors.
    """

    codes: np.ndarray
    votes: VoteProfile


def largest_k(n: int, validation: Validation) -> int:
    """The largest k: how many of n training points may vote at a point that is scored."""
    checks.check_choice("validation", validation, get_args(Validation))
    n = checks.check_int("n", n, 1)
    return {"resubstitution": n, "loo": n - 1, "holdout": n - n // PART}[validation]


def validation_set(
    X: np.ndarray, y: np.ndarray, n_classes: int, k_max: int, validation: Validation
) -> ValidationSet:
    """Class codes, and votes of up to ``k_max`` neighbors, at the points where candidate weights
    are scored.

    "resubstitution" is optimistic, the others are not. Source: Khim et al., section 6, with
    "resubstitution" for synthetic data and held-out points for real data.

    Parameters
    ----------
    X, y : (n, d) and (n,) arrays
        Training points and their class codes; sorted ones must be shuffled first for "holdout".
    n_classes : int
        C, at least 2.
    k_max : int
        At most ``largest_k(n, validation)``.
    validation : "resubstitution", "loo" or "holdout"
        "resubstitution": at all training points from their k nearest, themselves included. "loo":
        from the k nearest others. "holdout": at the last quarter of 4 points or more, from the
        first three quarters.

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.weights import validation_set
    >>> X, y = np.array([[0.0], [1.0], [3.0]]), np.array([0, 0, 1])
    >>> validation_set(X, y, n_classes=2, k_max=1, validation="resubstitution").votes.at(1).tolist()
    [[1, 0], [1, 0], [0, 1]]
    >>> validation_set(X, y, n_classes=2, k_max=1, validation="loo").votes.at(1).tolist()
    [[1, 0], [1, 0], [1, 0]]
    """
    checks.check_choice("validation", validation, get_args(Validation))
    X = checks.check_points("X", X)
    checks.require(
        validation != "holdout" or len(X) >= PART,
        f"a holdout needs at least {PART} points, got {len(X)}",
    )
    y = checks.check_codes("y", y, len(X), checks.check_n_classes(n_classes))
    most = largest_k(len(X), validation)
    k_max = checks.check_int("k_max", k_max, 1, most)
    if validation == "holdout":
        table = NeighborTable.build(X[:most], X[most:], k_max)
        return ValidationSet(y[most:], VoteProfile.count(table, y[:most], n_classes))
    table = NeighborTable.build(X, None, k_max, exclude_self=validation == "loo")
    return ValidationSet(y, VoteProfile.count(table, y, n_classes))


@dataclass(frozen=True)
class SearchOptions:
    """How weights are searched for: a greedy search and a grid with the same score.

    ``start``, ``step``, ``n_steps``, ``order``, ``accept`` and ``base`` are those of
    ``greedy_search``, ``grid_parts`` the parts of ``simplex_grid``, ``scoring`` one of
    ``weights.SCORES``, and ``validation`` that of ``validation_set``.

    Examples
    --------
    >>> from knnviz.weights import SearchOptions
    >>> options = SearchOptions(start=(0.3, 0.3, 0.4), grid_parts=2)
    >>> options.grid[:3].tolist()
    [[0.0, 0.0, 1.0], [0.0, 0.5, 0.5], [0.0, 1.0, 0.0]]
    """

    start: tuple[float, ...]
    step: float = 0.01
    n_steps: int = 20
    order: Order = "coordinate"
    accept: Accept = ">="
    base: Base = "previous"
    grid_parts: int = 100
    scoring: str = "f1_macro"
    validation: Validation = "resubstitution"

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "start", tuple(checks.check_class_weights(self.start, name="start").tolist())
        )
        check_climb(self.step, self.n_steps, self.order, self.accept, self.base)
        grid_size(len(self.start), checks.check_int("grid_parts", self.grid_parts, 1))
        checks.check_choice("scoring", self.scoring, tuple(SCORES))
        checks.check_choice("validation", self.validation, get_args(Validation))

    def greedy_search(self, score: Score) -> SearchResult:
        options = {
            name: getattr(self, name) for name in ("step", "n_steps", "order", "accept", "base")
        }
        return greedy_search(score, self.start, **options)

    @cached_property
    def grid(self) -> np.ndarray:
        return simplex_grid(len(self.start), self.grid_parts)


@dataclass(frozen=True, eq=False)
class Trials:
    """Weights that searches found on fresh samples, and their scores; NaN where a trial or a way is
    not done.

    ``values`` (J,) are sample sizes n or numbers of neighbors k, as ``over`` says. ``q`` (repeats,
    J, ways, C) are the weights, where the three ``WAYS`` are "unweighted", "greedy" and "grid".
    ``scores`` (repeats, J, ways, 3) are those of ``CRITERIA``: "searched", the score that the
    searches maximize, and "macro" and "micro" F1 on new points.
    """

    over: Literal["n", "k"]
    values: np.ndarray
    q: np.ndarray
    scores: np.ndarray

    def mean(self, criterion: str) -> np.ndarray:
        """Mean (ways, J) of a criterion over the trials; NaN where none is done."""
        return nan_mean(self._scores(criterion)).T

    def standard_error(self, criterion: str) -> np.ndarray:
        """Standard error (ways, J) of that mean; NaN where fewer than two trials are done."""
        return nan_standard_error(self._scores(criterion)).T

    def difference(
        self, criterion: str, first: str = "grid", second: str = "greedy"
    ) -> tuple[np.ndarray, np.ndarray]:
        """Mean (J,) of the score of one way minus that of another on the same samples, and its
        standard error (J,).
        """
        scores = self._scores(criterion)
        differences = scores[:, :, _way(first)] - scores[:, :, _way(second)]
        return nan_mean(differences), nan_standard_error(differences)

    def distance(
        self, first: str = "grid", second: str = "greedy"
    ) -> tuple[np.ndarray, np.ndarray]:
        """Euclidean distance (J,) between the mean weights of two ways, and its jackknife standard
        error (J,).
        """
        differences = self.q[:, :, _way(first)] - self.q[:, :, _way(second)]
        done = np.isfinite(differences[:, :, 0]).sum(axis=0)
        total = np.nansum(differences, axis=0)
        others = np.where(done > 1, done - 1, np.nan)
        leave_one_out = np.linalg.norm((total - differences) / others[:, None], axis=2)
        spread = np.nansum((leave_one_out - nan_mean(leave_one_out)) ** 2, axis=0)
        distance = np.linalg.norm(total / np.where(done > 0, done, np.nan)[:, None], axis=1)
        return distance, np.sqrt(spread * others / done.clip(1))

    @property
    def done(self) -> int:
        """Finished trials."""
        return int(np.isfinite(self.scores).any(axis=(2, 3)).sum())

    @property
    def pieces(self) -> int:
        """All trials, done or not."""
        return self.scores.shape[0] * self.scores.shape[1]

    def _scores(self, criterion: str) -> np.ndarray:
        checks.check_choice("criterion", criterion, CRITERIA)
        return self.scores[..., CRITERIA.index(criterion)]


def _way(way: str) -> int:
    """Index of one of ``WAYS``, or ValueError."""
    checks.check_choice("way", way, WAYS)
    return WAYS.index(way)


def trials(
    problem: Problem,
    options: SearchOptions,
    *,
    over: Mapping[Literal["n", "k"], Sequence[int]],
    n: int | None = None,
    k: int | Callable[[int], int] | None = None,
    repeats: int = 50,
    seed: int = 0,
    n_cells: int | None = None,
    ways: Sequence[str] = WAYS,
) -> Iterator[Trials]:
    """Run searches on fresh samples, and yield all results after each trial; closing the generator
    ends the work.

    Arguments are checked by the call, before the first trial. Source: Khim et al., section 6,
    Figures 3 and 4.

    Parameters
    ----------
    problem : Problem
        Of known eta, with as many classes as ``options.start`` has weights.
    options : SearchOptions
        How weights are searched for.
    over : {"n": values} or {"k": values}
        Different sample sizes, or different numbers of neighbors at one sample size ``n``.
    n : int, optional
        Over k alone: the sample size.
    k : int or callable, optional
        Over n alone: the number of neighbors, or a function of n that gives it; by default the
        smaller of ``neighbors_rule`` and ``largest_k``.
    repeats : int
        Number of samples, each drawn with the seed (seed, n, repeat), so that trials over k share
        samples.
    seed : int
        Not negative.
    n_cells : int, optional
        Cells along a coordinate that stand for new points: 4000 on a line by default, 100 in the
        plane.
    ways : sequence of str
        Those of ``WAYS`` that are tried, in their order; of the others all is NaN.

    Examples
    --------
    >>> from knnviz.problems import ramp
    >>> from knnviz.weights import SearchOptions, trials
    >>> *_, last = trials(
    ...     ramp(), SearchOptions((0.5, 0.5)), over={"n": [50, 100]}, repeats=2, n_cells=100
    ... )
    >>> last.done, last.q.shape
    (4, (2, 2, 3, 2))
    >>> last.mean("macro").round(2).tolist()
    [[0.71, 0.74], [0.7, 0.73], [0.7, 0.73]]
    """
    n_classes = problem.n_classes
    checks.require(
        problem.eta is not None,
        f"trials draw fresh samples, which needs a known eta, and {problem.name} has none",
    )
    checks.require(
        len(options.start) == n_classes,
        f"start must hold {n_classes} weights, got {len(options.start)}",
    )
    axis, values = check_sweep(over, k, n)
    least = PART if options.validation == "holdout" else 2
    sizes = [
        checks.check_int("n", size, least)
        for size in (values if axis == "n" else [n] * len(values))
    ]
    if axis == "k":
        ks = values
    elif k is None:
        ks = [min(neighbors_rule(size), largest_k(size, options.validation)) for size in sizes]
    else:
        ks = [k(size) if callable(k) else k for size in sizes]
    for size, each in zip(sizes, ks, strict=True):
        checks.check_int(f"k at n = {size}", each, 1, largest_k(size, options.validation))
    repeats = checks.check_int("repeats", repeats, 1)
    seed = checks.check_int("seed", seed, 0)
    tried = [_way(way) for way in ways]
    measure, eta = problem.cells(CELLS[problem.dimension] if n_cells is None else n_cells)
    q = np.full((repeats, len(values), len(WAYS), n_classes), np.nan)
    scores = np.full((*q.shape[:3], len(CRITERIA)), np.nan)

    def run() -> Iterator[Trials]:
        for repeat in range(repeats):
            for j, (size, k) in enumerate(zip(sizes, ks, strict=True)):
                sample = problem.sample(size, np.random.default_rng([seed, size, repeat]))
                found = search_trial(sample, k, options, measure.points, eta, measure.weights, ways)
                q[repeat, j, tried], scores[repeat, j, tried] = found
                yield Trials(axis, np.array(values), q.copy(), scores.copy())

    return run()


def search_trial(
    sample: Sample,
    k: int,
    options: SearchOptions,
    points: np.ndarray,
    eta: np.ndarray,
    weights: np.ndarray,
    ways: Sequence[str] = WAYS,
) -> tuple[np.ndarray, np.ndarray]:
    """Weights (ways, C) that the searches find on one sample, and their scores (ways, 3).

    New points are cells at ``points`` (m, d) with eta (m, C) and masses ``weights`` (m,). A tie
    goes to the smallest class, of two classes as well. Source: Khim et al., section 6.
    """
    for way in ways:
        checks.check_choice("way", way, WAYS)
    n_classes = len(options.start)
    points = checks.check_points("points", points, sample.X.shape[1])
    codes, votes = validation_set(sample.X, sample.y, n_classes, k, options.validation)
    searched = WeightScorer.from_fractions(votes.at(k) / k, codes, scoring=options.scoring)
    search = {
        "unweighted": lambda: np.full(n_classes, 1 / n_classes),
        "greedy": lambda: options.greedy_search(searched).q,
        "grid": lambda: grid_search(searched, options.grid).q,
    }
    found = np.array([search[way]() for way in ways])
    fractions = _votes(sample, points, k, n_classes) / k
    macro = WeightScorer.from_fractions(fractions, eta, weights=weights)
    micro = replace(macro, scoring="f1_micro")
    return found, np.stack([searched(found), macro(found), micro(found)], axis=1)


def _votes(sample: Sample, points: np.ndarray, k: int, n_classes: int) -> np.ndarray:
    """Votes (m, C) of each class at points (m, d); on a line they are counted in windows, without a
    table.
    """
    X = sample.X
    m = len(points)
    if X.shape[1] > 1:
        return VoteProfile.count(NeighborTable.build(X, points, k), sample.y, n_classes).at(k)
    order = np.argsort(X[:, 0])
    votes = np.empty((n_classes, 1, m), np.int64)
    for c, of_class in enumerate(votes):
        is_class = (sample.y[order] == c).astype(np.uint8)
        kernels.votes_on_line(
            X[order, 0], order, is_class, np.array([len(X)]), points[:, 0], k, of_class
        )
    return votes[:, 0].T
