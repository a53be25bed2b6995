"""Class-weighted nearest neighbors that search for their weights, as a scikit-learn estimator."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import KW_ONLY
from numbers import Real
from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np
from numpy.random import RandomState
from numpy.typing import ArrayLike
from sklearn.metrics import check_scoring, get_scorer_names
from sklearn.model_selection import train_test_split

from knnviz import checks
from knnviz.estimators.base import TrainingData, check_neighbors, estimator, n_rule_classes
from knnviz.estimators.weighted import (
    ClassWeightedKNeighborsClassifier,
    WeightedVoteClassifier,
    reaches_threshold,
    read_class_weights,
)
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.weights import (
    MOST_POINTS,
    SCORES,
    Accept,
    Base,
    Order,
    Score,
    SearchResult,
    Validation,
    WeightScorer,
    greedy_search,
    grid_search,
    simplex_grid,
)

#: Ways to validate, each with what the error for n_neighbors calls the points that may vote.
VALIDATIONS = {"loo": "other points", "holdout": "points not held out", "resubstitution": "points"}

#: A scorer as scikit-learn has them: of a classifier, points (m, d) and their labels (m,).
Scorer = Callable[[Any, np.ndarray, np.ndarray], float]


class ScoredPoints(NamedTuple):
    """Where candidate weights are scored: points X (m, d), codes (m,) of their labels, and votes of their neighbors."""

    X: np.ndarray
    codes: np.ndarray
    profile: VoteProfile


@estimator
class TunedClassWeightKNeighborsClassifier(WeightedVoteClassifier):
    """Class-weighted kNN whose weights ``fit`` searches for: those with the highest score among many candidates.

    Votes are counted once for all candidates. With the weights found, it predicts as
    ``ClassWeightedKNeighborsClassifier`` does, from all training points.

    Source: Khim, Xu & Singh, section 6 and Algorithms 1 to 3.

    Parameters
    ----------
    scoring : str or callable
        The name of a score of scikit-learn, or a scorer of (classifier, X, y), which may call ``predict`` and
        ``predict_proba`` at that X alone. "f1_macro", "f1_micro", "accuracy", "balanced_accuracy" and
        "matthews_corrcoef" are fast. Macro F1 and balanced accuracy are means over all C classes, with 0 / 0 as 0;
        scikit-learn's leave out a class that does not occur.
    search : "greedy" or "grid"
        "greedy": ``n_steps`` steps, each to the best of the weights that differ by ``step`` at one class. "grid": the
        first best of all weights a / ``grid_parts`` on the simplex: 5151 for three classes in 100 parts, and too many
        for ten.
    validation : "loo", "holdout" or "resubstitution"
        Where candidates are scored. "loo" (leave one out): at every training point, from the k nearest of the others.
        "holdout": at a part of each class, from neighbors among the other points. "resubstitution": at every training
        point, which counts among its own neighbors, as in the paper on synthetic data. This is optimistic,
        most of all for small k: with k = 1 and distinct points F1 is 1 under any weights above 0.
    start : None, "balanced", dict, Series or sequence of C floats
        Where a greedy search begins, as ``class_weight`` of ``ClassWeightedKNeighborsClassifier``. A search with short
        steps ends near it, so "balanced" is often better where classes are rare.
    step : float
        For search="greedy": what is added to one weight or subtracted from it, on the simplex; in (0, 1].
    n_steps : int
        For search="greedy": T, at least 0, the number of steps, all of which are taken.
    order, accept, base
        For search="greedy": whether a step tries its candidates class by class ("coordinate") or all upward, then all
        downward ("sign"); whether one of equal score is accepted (">=") or not (">"); whether candidates vary the
        weights at the start of the step ("previous") or the best so far ("running"). By default, as in the paper,
        weights drift where the score is flat; with accept=">" they stay there.
    grid_parts : int
        For search="grid", at least 1; ``fit`` raises ValueError for more than 2,000,000 weights.
    holdout_size : float
        In (0, 1): the fraction of the points that is held out.
    random_state : int, RandomState or None
        Draws the points held out; with None others at each fit.

    Attributes
    ----------
    class_weight_ : (C,) array
        q, the weights found, in the order of ``classes_`` and on the simplex.
    best_score_ : float
        Their score, the highest of many and so no estimate of what new points will give.
    history_ : (T + 1, C) array
        Weights at the start of a greedy search and after each step; for a grid only those found.
    scores_ : (T + 1,) array
        Their scores.

    Examples
    --------
    >>> from knnviz.estimators import TunedClassWeightKNeighborsClassifier
    >>> from knnviz.problems import rare
    >>> sample = rare().sample(1000, seed=0)
    >>> model = TunedClassWeightKNeighborsClassifier(n_neighbors=25, search="grid").fit(sample.X, sample.y)
    >>> model.class_weight_.round(2).tolist(), round(model.best_score_, 3)
    ([0.17, 0.83], 0.703)
    """

    _: KW_ONLY
    scoring: str | Scorer = "f1_macro"
    search: Literal["greedy", "grid"] = "greedy"
    validation: Validation = "loo"
    start: Literal["balanced"] | Mapping[Hashable, float] | Sequence[float] | None = None
    step: float = 0.01
    n_steps: int = 20
    order: Order = "coordinate"
    accept: Accept = ">="
    base: Base = "previous"
    grid_parts: int = 100
    holdout_size: float = 0.25
    random_state: int | RandomState | None = 0

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Keep the training points X (n, d) and their labels y (n,), and search for the weights of the classes.

        Only the parameters that the search and the validation read are checked. Raises ValueError also for n_neighbors
        beyond the points that are left to vote, a class of a single point that would have to be split, and a scorer
        that gives no finite number.
        """
        checks.check_int("n_neighbors", self.n_neighbors, 1)
        self._check_choices()
        train = self._train(X, y, min_samples=2)
        search = self._search(train)
        found = search(self._score(train.classes, self._scored_points(train)))
        self._set_weights(found.q)
        self._keep(train)
        self.history_, self.scores_, self.best_score_ = found.history, found.scores, found.score
        return self

    def _check_choices(self) -> None:
        # Checked before the neighbors are found, which takes long.
        checks.check_choice("search", self.search, ("greedy", "grid"))
        checks.check_choice("validation", self.validation, tuple(VALIDATIONS))
        known = self.scoring in get_scorer_names() if isinstance(self.scoring, str) else callable(self.scoring)
        if not known:
            raise ValueError(
                f"scoring must be a name of scikit-learn's or a scorer of (classifier, X, y), got {self.scoring!r}"
            )

    def _search(self, train: TrainingData) -> Callable[[Score], SearchResult]:
        if self.search == "grid":
            grid = self._grid(len(train.classes))
            return lambda score: grid_search(score, grid)
        start = read_class_weights("start", self.start, train.classes, train.codes)
        checks.check_positive("step", self.step, 1)
        checks.check_int("n_steps", self.n_steps, 0)
        for name, choices in (("order", Order), ("accept", Accept), ("base", Base)):
            checks.check_choice(name, getattr(self, name), get_args(choices))
        options = {name: getattr(self, name) for name in ("step", "n_steps", "order", "accept", "base")}
        return lambda score: greedy_search(score, start, **options)

    def _grid(self, n_classes: int) -> np.ndarray:
        parts = checks.check_int("grid_parts", self.grid_parts, 1)
        if n_classes == 1:
            return np.ones((1, 1))
        number = math.comb(parts + n_classes - 1, n_classes - 1)
        if number > MOST_POINTS:
            raise ValueError(
                f"a grid for {n_classes} classes may have {MOST_POINTS} weights, got {number} of grid_parts = {parts}: "
                "take fewer, or search='greedy'"
            )
        return simplex_grid(n_classes, parts)

    def _scored_points(self, train: TrainingData) -> ScoredPoints:
        X, leave_one_out = train.search_index.X, self.validation == "loo"
        index, queries = train.search_index, None
        voting = scored = np.arange(len(train.codes))
        if self.validation == "holdout":
            voting, scored = self._split(train.codes)
            index, queries = self._build_index(X[voting]), X[scored]
        k = check_neighbors(self.n_neighbors, len(voting) - leave_one_out, VALIDATIONS[self.validation])
        table = NeighborTable.build(index, queries, k, exclude_self=leave_one_out)
        profile = VoteProfile.count(table, train.codes[voting], n_rule_classes(train.classes))
        return ScoredPoints(X[scored], train.codes[scored], profile)

    def _split(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Indices of points that vote and that are held out, both ascending, since ties go by the order of points."""
        size = checks.check_real("holdout_size", self.holdout_size, 0, 1)
        if not 0 < size < 1:
            raise ValueError(f"holdout_size must lie strictly between 0 and 1, got {size:g}")
        parts = train_test_split(
            np.arange(len(codes)), test_size=float(size), random_state=self.random_state, stratify=codes
        )
        return np.sort(parts[0]), np.sort(parts[1])

    def _score(self, classes: np.ndarray, scored: ScoredPoints) -> Score:
        """Scores (J,) of weights (J, C), from votes that are counted once."""
        candidate = Candidate(self.n_neighbors, mode=self.mode, tie_tol=self.tie_tol)._at(classes, scored)
        scoring = self.scoring
        if not isinstance(scoring, str) or scoring not in SCORES:
            return _by_scorer(check_scoring(self, scoring), candidate, scored.X, classes[scored.codes])
        votes = candidate._counts(scored.profile)
        if len(classes) == 1:
            all_right = np.array([[float(len(votes))]])
            return lambda rows: SCORES[scoring](all_right, all_right, all_right[0]).repeat(len(rows))
        if len(classes) == 2:
            return _by_threshold(votes, scored.codes, scoring, self.tie_tol)
        fractions = votes / votes.sum(axis=1, keepdims=True)
        return WeightScorer.from_fractions(fractions, scored.codes, scoring=scoring, tie_tol=self.tie_tol)


class Candidate(ClassWeightedKNeighborsClassifier):
    """The classifier that a scorer gets: with candidate weights, at points whose votes are counted already."""

    _scored: ScoredPoints | None = None

    def _at(self, classes: np.ndarray, scored: ScoredPoints) -> Self:
        """Itself, for these points, with equal weights at first."""
        self._set_weights(np.ones(len(classes)))
        self.classes_, self._scored = classes, scored
        return self

    def _votes(self, X: ArrayLike) -> VoteProfile:
        if self._scored is None or X is not self._scored.X:
            raise ValueError("a scorer may ask for predictions at the X that it is given, and at no other points")
        return self._scored.profile


def _by_scorer(scorer: Scorer, candidate: Candidate, X: np.ndarray, y: np.ndarray) -> Score:
    """Scores by any scorer, of one candidate after the other."""

    def score(q: np.ndarray) -> float:
        candidate._set_weights(q)
        found = scorer(candidate, X, y)
        if not isinstance(found, Real) or not np.isfinite(found):
            raise ValueError(f"scoring must give a finite number, got {found!r} for the weights {q.tolist()}")
        return float(found)

    return lambda rows: np.array([score(q) for q in rows])


def _by_threshold(votes: np.ndarray, codes: np.ndarray, scoring: str, tie_tol: float) -> Score:
    """Scores of two classes, whose weights are a threshold, from votes (m, 2) and codes (m,)."""
    distinct, inverse = np.unique(votes, axis=0, return_inverse=True)
    # Numbers of points of each class with each of the distinct votes.
    points = np.array([np.bincount(inverse.ravel(), codes == c, len(distinct)) for c in range(2)])

    def score(rows: np.ndarray) -> np.ndarray:
        is_one = np.array([reaches_threshold(q, tie_tol, distinct) for q in rows])
        predicted = np.stack([~is_one @ points.sum(axis=0), is_one @ points.sum(axis=0)], axis=1)
        hits = np.stack([~is_one @ points[0], is_one @ points[1]], axis=1)
        return SCORES[scoring](predicted, hits, points.sum(axis=1))

    return score
