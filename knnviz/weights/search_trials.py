"""Searches for weights on many samples: where candidates are scored, the weights found, and scores
on new points.

Candidates are scored at training points, with or without their own labels, or at points held out of
training. New points are the cells of the problem's distribution.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np

from knnviz.checks import (
    check_choice,
    check_class_weights,
    check_codes,
    check_int,
    check_ints,
    check_points,
)
from knnviz.means import nan_mean, nan_standard_error, ratio
from knnviz.neighbors import NeighborTable, Windows
from knnviz.problems import Measure, Problem, Sample
from knnviz.profiles import VoteProfile, WindowProfile
from knnviz.weights.scorer import SCORES, WeightScorer
from knnviz.weights.search import (
    Accept,
    Base,
    Order,
    Score,
    SearchResult,
    check_climb,
    climb_options,
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
    check_choice("validation", validation, get_args(Validation))
    n = check_int("n", n, 1)
    if validation == "holdout":
        return n - n // PART
    if validation == "loo":
        return n - 1
    return n


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
    X = check_points("X", X)
    if validation == "holdout" and len(X) < PART:
        raise ValueError(f"a holdout needs at least {PART} points, got {len(X)}")
    y = check_codes("y", y, len(X), n_classes)
    most = largest_k(len(X), validation)
    voting = y
    if validation == "holdout":
        voting = y[:most]
        y = y[most:]
        table = NeighborTable.build(X[:most], X[most:], k_max)
    else:
        table = NeighborTable.build(X, None, k_max, exclude_self=validation == "loo")
    return ValidationSet(y, VoteProfile.build(table, voting, n_classes))


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
        start = check_class_weights(self.start, name="start")
        object.__setattr__(self, "start", tuple(start.tolist()))
        check_climb(**climb_options(self))
        parts = check_int("grid_parts", self.grid_parts, 1)
        grid_size(len(self.start), parts)
        check_choice("scoring", self.scoring, tuple(SCORES))
        check_choice("validation", self.validation, get_args(Validation))

    def greedy_search(self, score: Score) -> SearchResult:
        return greedy_search(score, self.start, **climb_options(self))

    @cached_property
    def grid(self) -> np.ndarray:
        return simplex_grid(len(self.start), self.grid_parts)


@dataclass(frozen=True, eq=False)
class Trials:
    """Weights that searches found on fresh samples, and their scores; NaN where a trial is not yet
    done.

    ``sizes`` (J,) are those of the samples. ``q`` (repeats, J, ways, C) are the weights, where the
    three ``WAYS`` are "unweighted", "greedy" and "grid". ``scores`` (repeats, J, ways, 3) are those
    of ``CRITERIA``: "searched", the score that the searches maximize, and "macro" and "micro" F1 on
    new points.
    """

    sizes: np.ndarray
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
        """Mean (J,) of one way's score minus another's on each sample, and its standard error."""
        scores = self._scores(criterion)
        differences = scores[:, :, _way(first)] - scores[:, :, _way(second)]
        return nan_mean(differences), nan_standard_error(differences)

    def distance(self) -> tuple[np.ndarray, np.ndarray]:
        """Euclidean distance (J,) between the mean weights of the grid and of the greedy search,
        and its jackknife standard error (J,).
        """
        differences = self.q[:, :, _way("grid")] - self.q[:, :, _way("greedy")]
        mean = nan_mean(differences)
        distance = np.linalg.norm(mean, axis=1)

        done = np.isfinite(differences[:, :, 0]).sum(axis=0)
        others = np.where(done > 1, done - 1, np.nan)
        means_of_others = mean + (mean - differences) / others[:, None]
        leave_one_out = np.linalg.norm(means_of_others, axis=2)
        return distance, others * nan_standard_error(leave_one_out)

    @property
    def done(self) -> int:
        """Finished trials."""
        return int(np.isfinite(self.scores).any(axis=(2, 3)).sum())

    @property
    def pieces(self) -> int:
        """All trials, done or not."""
        return self.scores.shape[0] * self.scores.shape[1]

    def _scores(self, criterion: str) -> np.ndarray:
        check_choice("criterion", criterion, CRITERIA)
        return self.scores[..., CRITERIA.index(criterion)]


def _way(way: str) -> int:
    """Index of one of ``WAYS``, or ValueError."""
    check_choice("way", way, WAYS)
    return WAYS.index(way)


def trials(
    problem: Problem,
    options: SearchOptions,
    sizes: Sequence[int],
    *,
    repeats: int = 50,
    seed: int = 0,
    n_cells: int | None = None,
) -> Iterator[Trials]:
    """Run searches on fresh samples, and yield all results after each trial; closing the generator
    ends the work.

    Of each sample as many neighbors vote as ``neighbors_rule`` says, or ``largest_k`` if that is
    fewer. Arguments are checked by the call, before the first trial. Source: Khim et al., section
    6, Figures 3 and 4.

    Parameters
    ----------
    problem : Problem
        Of known eta, with as many classes as ``options.start`` has weights.
    options : SearchOptions
        How weights are searched for.
    sizes : sequence of int
        Sample sizes n.
    repeats : int
        Number of samples of each size, drawn with the seed (seed, n, repeat).
    seed : int
        Not negative.
    n_cells : int, optional
        Cells along a coordinate that stand for new points: 4000 on a line by default, 100 in the
        plane.

    Examples
    --------
    >>> from knnviz.problems import ramp
    >>> from knnviz.weights import SearchOptions, trials
    >>> *_, last = trials(ramp(), SearchOptions((0.5, 0.5)), [50, 100], repeats=2, n_cells=100)
    >>> last.done, last.q.shape
    (4, (2, 2, 3, 2))
    >>> last.mean("macro").round(2).tolist()
    [[0.71, 0.74], [0.7, 0.73], [0.7, 0.73]]
    """
    n_classes = problem.n_classes
    if problem.eta is None:
        name = problem.name
        raise ValueError(f"trials draw fresh samples, which needs a known eta, and {name} has none")
    given = len(options.start)
    if given != n_classes:
        raise ValueError(f"start must hold {n_classes} weights, got {given}")
    validation = options.validation
    sizes = check_ints("sizes", sizes, PART if validation == "holdout" else 2)
    repeats = check_int("repeats", repeats, 1)
    seed = check_int("seed", seed, 0)

    if n_cells is None:
        n_cells = CELLS[problem.dimension]
    new_points = problem.cells(n_cells)
    shape = (repeats, len(sizes), len(WAYS))
    q = np.full((*shape, n_classes), np.nan)
    scores = np.full((*shape, len(CRITERIA)), np.nan)

    def run() -> Iterator[Trials]:
        for repeat in range(repeats):
            for j, n in enumerate(sizes):
                sample = problem.sample(n, np.random.default_rng([seed, n, repeat]))
                k = min(neighbors_rule(n), largest_k(n, validation))
                found = search_trial(sample, k, options, *new_points)
                q[repeat, j], scores[repeat, j] = found
                yield Trials(np.array(sizes), q.copy(), scores.copy())

    return run()


def search_trial(
    sample: Sample,
    k: int,
    options: SearchOptions,
    measure: Measure,
    eta: np.ndarray,
    ways: Sequence[str] = WAYS,
) -> tuple[np.ndarray, np.ndarray]:
    """Weights (ways, C) that the searches find on one sample, and their scores (ways, 3).

    New points are those of a measure with eta (m, C). A tie goes to the smallest class, of two
    classes as well. Source: Khim et al., section 6.
    """
    n_classes = len(options.start)
    codes, votes = validation_set(sample.X, sample.y, n_classes, k, options.validation)
    searched = WeightScorer.from_fractions(codes, votes.at(k) / k, scoring=options.scoring)
    found = np.array([_found_by(way, options, searched) for way in ways])

    if measure.points.shape[1] == 1:
        windows = Windows.from_points(sample.X)
        profile = WindowProfile.build(windows, sample.y, n_classes)
        new_votes = profile.at_points(measure.points[:, 0], k)
    else:
        table = NeighborTable.build(sample.X, measure.points, k)
        new_votes = VoteProfile.build(table, sample.y, n_classes).at(k)
    macro = WeightScorer.from_fractions(eta, new_votes / k, weights=measure.weights)
    micro = replace(macro, scoring="f1_micro")
    scores = [searched(found), macro(found), micro(found)]
    return found, np.stack(scores, axis=1)


def balanced(totals: np.ndarray) -> np.ndarray:
    """Weights (C,) inverse to the totals of classes (C,), 0 where there are none."""
    q = ratio(np.ones(len(totals)), totals)
    return q / q.sum()


def _found_by(way: str, options: SearchOptions, score: WeightScorer) -> np.ndarray:
    """The weights (C,) that one of ``WAYS`` chooses, or "balanced" ones."""
    if way == "greedy":
        return options.greedy_search(score).q
    if way == "grid":
        return grid_search(score, options.grid).q
    if way == "balanced":
        return balanced(score.class_totals)
    n_classes = len(options.start)
    return np.full(n_classes, 1 / n_classes)
