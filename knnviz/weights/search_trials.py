"""Searches for weights on many samples: the weights found, and their scores on new points."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from knnviz import checks
from knnviz.neighbors import NeighborTable, SpatialIndex
from knnviz.problems import Problem, Sample
from knnviz.profiles import VoteProfile
from knnviz.repeats import check_sweep, nan_mean, nan_standard_error
from knnviz.weights.scorer import SCORES, WeightScorer
from knnviz.weights.search import Accept, Base, Order, Score, SearchResult, greedy_search, grid_search, neighbors_rule
from knnviz.weights.simplex import simplex_grid
from knnviz.weights.validation import Validation, largest_k, validation_set

#: How weights are chosen.
WAYS = ("unweighted", "greedy", "grid")

#: Scores that judge a trial: the one that the searches maximize, at their own points; macro and micro F1 on new points.
CRITERIA = ("searched", "macro", "micro")

#: Cells along each coordinate that stand for new points, by dimension.
CELLS = {1: 4000, 2: 100}


@dataclass(frozen=True)
class SearchOptions:
    """How weights are searched for: a greedy search and a grid with the same score.

    ``start``, ``step``, ``n_steps``, ``order``, ``accept`` and ``base`` are those of ``greedy_search``, ``grid_parts``
    is the m of ``simplex_grid``, ``scoring`` one of ``weights.SCORES``, and ``validation`` that of ``validation_set``.

    Examples
    --------
    >>> from knnviz.weights import SearchOptions
    >>> options = SearchOptions(start=(0.3, 0.3, 0.4), grid_parts=2)
    >>> options.grid.tolist()
    [[0.0, 0.0, 1.0], [0.0, 0.5, 0.5], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]
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

    def greedy_search(self, score: Score) -> SearchResult:
        options = {name: getattr(self, name) for name in ("step", "n_steps", "order", "accept", "base")}
        return greedy_search(score, self.start, **options)

    def check(self) -> None:
        """Raise ValueError for options of the searches that are out of range, before any data are seen."""
        if self.scoring not in SCORES:
            raise ValueError(f"scoring must be one of {', '.join(SCORES)}, got {self.scoring!r}")
        checks.check_int("n_steps", self.n_steps, 0)
        replace(self, n_steps=0).greedy_search(lambda q: np.zeros(len(q)))
        checks.check_int("grid_parts", self.grid_parts, 1)
        _ = self.grid

    @cached_property
    def grid(self) -> np.ndarray:
        return simplex_grid(len(self.start), self.grid_parts)


@dataclass(frozen=True, eq=False)
class Trials:
    """Weights that searches found on fresh samples, and their scores; NaN where a trial is not done yet.

    ``values`` (J,) are sample sizes n or numbers of neighbors k, as ``over`` says. ``q`` (repeats, J, ways, C) are the
    weights, where the three ways are "unweighted", "greedy" and "grid". ``scores`` (repeats, J, ways, 3) are the score
    that the searches maximize, and macro and micro F1 on new points.
    """

    over: Literal["n", "k"]
    values: np.ndarray
    q: np.ndarray
    scores: np.ndarray

    def mean(self, scored: str) -> np.ndarray:
        """Mean (ways, J) of "searched", "macro" or "micro" over the trials; NaN where none is done."""
        return nan_mean(self._of(scored)).T

    def standard_error(self, scored: str) -> np.ndarray:
        """Standard error (ways, J) of that mean; NaN where fewer than two trials are done."""
        return nan_standard_error(self._of(scored)).T

    def difference(self, scored: str, first: str = "grid", second: str = "greedy") -> tuple[np.ndarray, np.ndarray]:
        """Mean (J,) of the score of one way minus that of another on the same samples, and its standard error (J,)."""
        found = self._of(scored)
        differences = found[:, :, _way(first)] - found[:, :, _way(second)]
        return nan_mean(differences), nan_standard_error(differences)

    def distance(self, first: str = "grid", second: str = "greedy") -> tuple[np.ndarray, np.ndarray]:
        """Euclidean distance (J,) between the mean weights of two ways, and its jackknife standard error (J,)."""
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
        return int(np.isfinite(self.scores[:, :, 0, 0]).sum())

    @property
    def pieces(self) -> int:
        """All trials, done or not."""
        return self.scores.shape[0] * self.scores.shape[1]

    def _of(self, scored: str) -> np.ndarray:
        checks.check_choice("scored", scored, CRITERIA)
        return self.scores[..., CRITERIA.index(scored)]


def _way(name: str) -> int:
    checks.check_choice("a way", name, WAYS)
    return WAYS.index(name)


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
) -> Iterator[Trials]:
    """Run searches on fresh samples, and yield all results after each trial; closing the generator ends the work.

    Errors are raised by the call, before the first trial. Source: Khim et al., section 6, Figures 3 and 4.

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
        Over n alone: the number of neighbors, or a function of n that gives it, ``neighbors_rule`` by default.
    repeats : int
        Number of samples, each drawn with the seed (seed, n, repeat), so that trials over k share samples.
    seed : int
        Not negative.
    n_cells : int, optional
        Cells along a coordinate that stand for new points: 4000 on a line by default, 100 in the plane.

    Examples
    --------
    >>> from knnviz.problems import ramp
    >>> from knnviz.weights import SearchOptions, trials
    >>> *_, last = trials(ramp(), SearchOptions((0.5, 0.5)), over={"n": [50, 100]}, repeats=2, n_cells=100)
    >>> last.done, last.q.shape
    (4, (2, 2, 3, 2))
    >>> last.mean("macro").round(2).tolist()
    [[0.71, 0.74], [0.7, 0.73], [0.7, 0.73]]
    """
    if problem.eta is None:
        raise ValueError(f"trials draw fresh samples, which needs a known eta, and {problem.name} has none")
    options.check()
    if len(options.start) != problem.n_classes:
        raise ValueError(f"start must hold {problem.n_classes} weights, got {len(options.start)}")
    axis, sizes, ks = _axes(over, n, k, options.validation)
    repeats, seed = checks.check_int("repeats", repeats, 1), checks.check_int("seed", seed, 0)
    measure, eta = problem.cells(CELLS[problem.dimension] if n_cells is None else n_cells)
    return _run(problem, options, (measure.points, eta, measure.weights), axis, sizes, ks, repeats, seed)


def _axes(
    over: Mapping[Literal["n", "k"], Sequence[int]],
    n: int | None,
    k: int | Callable[[int], int] | None,
    validation: Validation,
) -> tuple[Literal["n", "k"], list[int], list[int]]:
    """Whether trials run over n or over k, and the sample size and the neighbors of each."""
    axis, values = check_sweep(over, k, n)
    k = neighbors_rule if k is None else k
    sizes = [checks.check_int("n", size, 2) for size in (values if axis == "n" else [n] * len(values))]
    ks = [k(size) if callable(k) else k for size in sizes] if axis == "n" else values
    for size, each in zip(sizes, ks, strict=True):
        most = largest_k(size, validation)
        if checks.check_int("k", each, 1) > most:
            raise ValueError(f"k must be at most {most} of n = {size}, the points that may vote, got {each}")
    return axis, sizes, ks


def _run(
    problem: Problem,
    options: SearchOptions,
    cells: tuple[np.ndarray, ...],
    axis: Literal["n", "k"],
    sizes: list[int],
    ks: list[int],
    repeats: int,
    seed: int,
) -> Iterator[Trials]:
    values = np.array(sizes if axis == "n" else ks)
    q = np.full((repeats, len(values), len(WAYS), problem.n_classes), np.nan)
    scores = np.full((*q.shape[:3], len(CRITERIA)), np.nan)
    for run in range(repeats):
        for j, (size, k) in enumerate(zip(sizes, ks, strict=True)):
            sample = problem.sample(size, np.random.default_rng([seed, size, run]))
            q[run, j], scores[run, j] = trial(sample, k, options, *cells)
            yield Trials(axis, values, q.copy(), scores.copy())


def trial(
    sample: Sample, k: int, options: SearchOptions, points: np.ndarray, eta: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Weights (ways, C) that the searches find on one sample, and their scores (ways, 3).

    New points are cells at ``points`` (m, d) with eta (m, C) and masses ``weights`` (m,). A tie goes to the smallest
    class, of two classes as well. Raises ValueError for shapes that do not fit each other and for a k beyond the points
    that may vote. Source: Khim et al., section 6.

    Examples
    --------
    >>> from knnviz.problems import ramp
    >>> from knnviz.weights import SearchOptions, trial
    >>> cells, eta = ramp().cells(100)
    >>> q, scores = trial(ramp().sample(100, 0), 9, SearchOptions((0.5, 0.5)), cells.points, eta, cells.weights)
    >>> q.round(2).tolist(), scores[:, 1].round(2).tolist()
    ([[0.5, 0.5], [0.61, 0.39], [0.56, 0.44]], [0.75, 0.71, 0.71])
    """
    n_classes = len(options.start)
    codes, votes = validation_set(sample.X, sample.y, n_classes, k, options.validation)
    searched = WeightScorer.of(votes.at(k) / k, codes, scoring=options.scoring)
    found = np.array(
        [np.full(n_classes, 1 / n_classes), options.greedy_search(searched).q, grid_search(searched, options.grid).q]
    )
    table = NeighborTable.build(SpatialIndex(sample.X), points, k)
    fractions = VoteProfile.count(table, sample.y, n_classes).at(k) / k
    macro = WeightScorer.of(fractions, eta, weights=weights)
    micro = replace(macro, scoring="f1_micro")
    return found, np.stack([searched(found), macro(found), micro(found)], axis=1)
