"""Class-weighted nearest neighbors, with weights that are given or searched for."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import ArrayLike
from sklearn.metrics import check_scoring
from sklearn.model_selection import train_test_split
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.class_weight import compute_class_weight

from knnviz.checks import check_class_weights, check_k, require
from knnviz.estimators.base import COUNT, Constraints, Indexed, MetricClassifier
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.rules import Weighted
from knnviz.weights import SCORES, WeightScorer, greedy_search, grid_search, simplex_grid
from knnviz.weights.search import Accept, Base, Order, Score, climb_options
from knnviz.weights.search_trials import Validation

#: What may stand for class weights, and what scikit-learn checks of it.
ClassWeights = Literal["balanced"] | Mapping[Hashable, float] | Sequence[float] | None
CLASS_WEIGHTS = [StrOptions({"balanced"}), Mapping, "array-like", None]

#: A scorer as scikit-learn has them: of a classifier, points (m, d) and their labels (m,).
Scorer = Callable[[Any, np.ndarray, np.ndarray], float]


@dataclass(eq=False, repr=False)
class WeightedClassifier(MetricClassifier):
    """Base of the classifiers by a weighted vote."""

    _parameter_constraints: ClassVar[Constraints] = {
        "n_neighbors": [COUNT],
        "tie_tol": [Interval(Real, 0, 1, closed="both")],
    }

    n_neighbors: int = 5
    _: KW_ONLY
    mode: Literal["index", "closed_ball"] = "index"
    tie_tol: float = 1e-12

    def _set_weights(self, weights: np.ndarray) -> None:
        # Rules need two classes.
        padded = weights if len(weights) > 1 else np.append(weights, 0)
        self._rule = Weighted(padded, self.mode, self.tie_tol)
        self.class_weight_ = weights

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d): with three or more classes the smallest of those that tie for
        the largest score.

        With two classes a tie gives class 1, even if rounding makes the other number of
        ``predict_proba`` the larger one: it is predicted iff its fraction reaches
        q_0 / (q_0 + q_1). Where no vote is for a class with a weight above 0, all scores tie at 0.
        """
        fractions = self._fractions(X)
        rule = self._rule
        if len(self.classes_) == 2:
            # In reverse order, where class 1 is the smallest of a tie.
            reverse = Weighted(rule.q[::-1], tie_tol=rule.tie_tol)
            codes = 1 - reverse.decide(fractions[:, ::-1])
        else:
            codes = rule.decide(fractions)
        return self.classes_[codes]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Weighted fractions (m, C) of X (m, d), q_c fraction_c over their sum, in the order of
        ``classes_``.

        As with ``class_weight`` elsewhere in scikit-learn, they estimate the probabilities of the
        classes if each occurred q_c times as often, not those in the data (for these, leave the
        weights out); ``predict`` gives the class of the largest one, except on a tie. Where all
        scores are 0 they are 1 / C each.
        """
        fractions = self._fractions(X)
        n_classes = len(self.classes_)
        # Relative weights, so that no sum of large ones overflows.
        relative = self.class_weight_ / self.class_weight_.max()
        scores = relative * fractions[:, :n_classes]
        total = scores.sum(axis=1, keepdims=True)
        equal = np.full(scores.shape, 1 / n_classes)
        return np.divide(scores, total, out=equal, where=total > 0)

    def _fractions(self, X: ArrayLike) -> np.ndarray:
        """Fractions (m, C) of the votes of the k nearest of X (m, d), or of all in closed balls."""
        profile = self._votes(X)
        at = profile.at if self._rule.mode == "index" else profile.closed
        votes = at(profile.k_max)
        return votes / votes.sum(axis=1, keepdims=True)


@dataclass(eq=False, repr=False)
class ClassWeightedKNeighborsClassifier(WeightedClassifier):
    """Class-weighted kNN: the label c whose weight times fraction, q_c fraction_c, is largest among
    the k nearest.

    Parameters
    ----------
    n_neighbors : int
        k, the neighbors that vote, at most n. It may be changed without a new fit.
    algorithm : "auto", "ball_tree", "brute" or "kd_tree"
        How neighbors under other metrics are searched for; Euclidean neighbors have a search of
        their own.
    metric : str or callable
        A distance of two points by scikit-learn's name, without further parameters (not
        "mahalanobis", "seuclidean" or "precomputed"), or a function of two points.
    p : float
        Exponent of the Minkowski distance, from 1 to infinity; 2 is the Euclidean.
    n_jobs : int, optional
        Threads of scikit-learn's search; Euclidean neighbors use all processors.
    mode : "index" or "closed_ball"
        Which points vote: the k nearest, of points at one distance those of smaller index; or all
        that are no farther than the k-th nearest, with fractions of their number.
    tie_tol : float
        In [0, 1]. Scores q_c fraction_c tie with the largest one if they fall short of it by at
        most ``tie_tol`` times the largest weight.
    class_weight : None, "balanced", dict, Series or sequence of C floats
        q, of which only the ratios count: finite, none negative, not all 0. None: equal weights,
        the unweighted vote. "balanced": n / (C * the number of points of the class). A dict, or a
        pandas Series by its index: weights by label, 1 for a training label that is missing. If one
        is missing, any label that no training point has is refused, as it may be misspelled; else
        it is ignored, as it may be rare and absent from a fold. A sequence of numbers: weights in
        the order of ``classes_``.

    Attributes
    ----------
    class_weight_ : (C,) array
        q, in the order of ``classes_`` and on the scale in which the weights were given.
    classes_ : (C,) array
        The labels, sorted.
    n_samples_fit_ : int
        n, the number of training points.
    n_features_in_ : int
        d, the number of columns of X.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    References
    ----------
    Khim, Xu & Singh, section 2.

    Examples
    --------
    >>> from knnviz.estimators import ClassWeightedKNeighborsClassifier
    >>> model = ClassWeightedKNeighborsClassifier(n_neighbors=4, class_weight={1: 5})
    >>> model = model.fit([[0], [1], [2], [3]], [0, 0, 0, 1])
    >>> model.predict([[1]]).tolist(), model.predict_proba([[1]]).round(4).tolist()
    ([1], [[0.375, 0.625]])
    """

    _parameter_constraints: ClassVar[Constraints] = {"class_weight": CLASS_WEIGHTS}

    _: KW_ONLY
    class_weight: ClassWeights = None

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Store points X (n, d) and their labels y (n,), and find the weights of the classes."""
        self._validate_params()
        points = self._index_points(X, y)
        _, classes, codes = points
        weights = read_class_weights("class_weight", self.class_weight, classes, codes)
        self._set_weights(weights)
        self._store(points)
        return self


def read_class_weights(
    name: str, weights: Any, classes: np.ndarray, codes: np.ndarray
) -> np.ndarray:
    """Class weights (C,) from anything that ``class_weight`` may be; a refusal calls it ``name``.

    ``classes`` (C,) are the labels, ``codes`` (n,) those of the training points.
    """
    if hasattr(weights, "to_dict"):
        if not weights.index.is_unique:
            raise ValueError(f"{name} must name each label once, got {weights.index.tolist()}")
        weights = weights.to_dict()
    if weights is None or isinstance(weights, str | Mapping):
        by_label = dict(weights) if isinstance(weights, Mapping) else weights
        weights = compute_class_weight(by_label, classes=classes, y=classes[codes])
    return check_class_weights(weights, len(classes), name)


@dataclass(eq=False, repr=False)
class TunedClassWeightKNeighborsClassifier(WeightedClassifier):
    """Class-weighted kNN whose weights ``fit`` searches for: those with the highest score among
    many candidates.

    Votes are counted once for all candidates. With the weights found, it predicts as
    ``ClassWeightedKNeighborsClassifier`` does, from all training points.

    Parameters
    ----------
    n_neighbors : int
        k, the neighbors that vote, at most the points left to vote. It may be changed without a new
        fit; the weights then stay.
    algorithm : "auto", "ball_tree", "brute" or "kd_tree"
        How neighbors under other metrics are searched for; Euclidean neighbors have a search of
        their own.
    metric : str or callable
        A distance of two points by scikit-learn's name, without further parameters (not
        "mahalanobis", "seuclidean" or "precomputed"), or a function of two points.
    p : float
        Exponent of the Minkowski distance, from 1 to infinity; 2 is the Euclidean.
    n_jobs : int, optional
        Threads of scikit-learn's search; Euclidean neighbors use all processors.
    mode : "index" or "closed_ball"
        Which points vote: the k nearest, of points at one distance those of smaller index; or all
        that are no farther than the k-th nearest, with fractions of their number.
    tie_tol : float
        In [0, 1]. Scores q_c fraction_c tie with the largest one if they fall short of it by at
        most ``tie_tol`` times the largest weight.
    scoring : str or callable
        The name of a score of scikit-learn, or a scorer of (classifier, X, y), which may call
        ``predict`` and ``predict_proba`` at that X alone. "f1_macro", "f1_micro", "accuracy",
        "balanced_accuracy" and "matthews_corrcoef" are fast. Macro F1 and balanced accuracy are
        means over all C classes, with 0 / 0 as 0; scikit-learn's leave out a class that does not
        occur.
    search : "greedy" or "grid"
        "greedy": ``n_steps`` steps, each to the best of the weights that differ by ``step`` at one
        class. "grid": the first best of all weights a / ``grid_parts`` on the simplex: 5151 for
        three classes in 100 parts, and too many for ten.
    validation : "loo", "holdout" or "resubstitution"
        Where candidates are scored. "loo" (leave one out): at every training point, from the k
        nearest of the others. "holdout": at a part of each class, from neighbors among the other
        points. "resubstitution": at every training point, which counts among its own neighbors, as
        in the paper on synthetic data. This is optimistic, most of all for small k: with k = 1 and
        distinct points F1 is 1 under any weights above 0.
    start : None, "balanced", dict, Series or sequence of C floats
        Where a greedy search begins, as ``class_weight`` of ``ClassWeightedKNeighborsClassifier``.
        A search with short steps ends near it, so "balanced" is often better where classes are
        rare.
    step : float
        For search="greedy": what is added to one weight or subtracted from it, on the simplex; in
        (0, 1].
    n_steps : int
        For search="greedy": T, at least 0, the number of steps, all of which are taken.
    order : "coordinate" or "sign"
        For search="greedy": whether a step tries its candidates class by class, as in the paper, or
        all upward, then all downward.
    accept : ">=" or ">"
        For search="greedy": whether a candidate of equal score is accepted. With ">=", as in the
        paper, weights drift where the score is flat.
    base : "previous" or "running"
        For search="greedy": whether candidates vary the weights at the start of the step, as in the
        paper, or the best so far.
    grid_parts : int
        For search="grid", at least 1; more than 2,000,000 weights are refused.
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
    classes_ : (C,) array
        The labels, sorted.
    n_samples_fit_ : int
        n, the number of training points.
    n_features_in_ : int
        d, the number of columns of X.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    References
    ----------
    Khim, Xu & Singh, section 6 and Algorithms 1 to 3.

    Examples
    --------
    >>> from knnviz.estimators import TunedClassWeightKNeighborsClassifier
    >>> from knnviz.problems import rare
    >>> sample = rare().sample(1000, seed=0)
    >>> model = TunedClassWeightKNeighborsClassifier(n_neighbors=25, search="grid").fit(
    ...     sample.X, sample.y
    ... )
    >>> model.class_weight_.round(2).tolist(), round(model.best_score_, 3)
    ([0.17, 0.83], 0.703)
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "scoring": [str, callable],
        "start": CLASS_WEIGHTS,
        "step": [Interval(Real, 0, 1, closed="right")],
        "n_steps": [Interval(Integral, 0, None, closed="left")],
        "grid_parts": [COUNT],
        "holdout_size": [Interval(Real, 0, 1, closed="neither")],
        "random_state": ["random_state"],
    }

    _: KW_ONLY
    scoring: str | Scorer = "f1_macro"
    search: Literal["greedy", "grid"] = "greedy"
    validation: Validation = "loo"
    start: ClassWeights = None
    step: float = 0.01
    n_steps: int = 20
    order: Order = "coordinate"
    accept: Accept = ">="
    base: Base = "previous"
    grid_parts: int = 100
    holdout_size: float = 0.25
    random_state: int | RandomState | None = 0

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Store points X (n, d) and labels y (n,), and search for the weights of the classes.

        Raises ValueError also for a class of a single point that would have to be split, and for a
        scorer that gives no finite number.
        """
        self._validate_params()
        points = self._index_points(X, y, min_samples=2)
        _, classes, codes = points
        # Checked before the neighbors are found, which takes long.
        start = read_class_weights("start", self.start, classes, codes)
        if self.search == "greedy":
            found = greedy_search(self._score(points), start, **climb_options(self))
        else:
            grid = np.ones((1, 1))
            if len(classes) > 1:
                grid = simplex_grid(len(classes), self.grid_parts)
            found = grid_search(self._score(points), grid)

        self._set_weights(found.q)
        self._store(points)
        self.history_ = found.history
        self.scores_ = found.scores
        self.best_score_ = found.score
        return self

    def _score(self, points: Indexed) -> Score:
        """Scores (J,) of weights (J, C), from votes that are counted once."""
        index, classes, codes = points
        X = index.X
        queries = None
        leave_one_out = self.validation == "loo"
        voting = scored = np.arange(len(codes))
        if self.validation == "holdout":
            size = float(self.holdout_size)
            state = self.random_state
            parts = train_test_split(voting, stratify=codes, test_size=size, random_state=state)
            # Sorted, since ties go by the order of points.
            voting, scored = map(np.sort, parts)
            index = self._build_index(X[voting])
            queries = X[scored]

        n_classes = len(classes)
        n = len(voting) - leave_one_out
        k = self.n_neighbors
        check_k(k, n, "points left to vote", "n_neighbors")
        table = NeighborTable.build(index, queries, k, exclude_self=leave_one_out)
        profile = VoteProfile.build(table, codes[voting], max(2, n_classes))
        candidate = Candidate(k, mode=self.mode, tie_tol=self.tie_tol)
        candidate._set_weights(np.ones(n_classes))

        truth = codes[scored]
        is_fast = isinstance(self.scoring, str) and self.scoring in SCORES
        asked = X[scored]
        candidate._scored = (asked, profile)
        if n_classes == 1 or not is_fast:
            candidate.classes_ = classes
            scorer = check_scoring(self, self.scoring)
            return _by_scorer(scorer, candidate, classes[truth])
        fractions = candidate._fractions(asked)
        options: dict[str, Any] = {"scoring": self.scoring, "tie_tol": self.tie_tol}
        if n_classes > 2:
            return WeightScorer.from_fractions(truth, fractions, **options)
        # In reverse order: of two classes that tie, ``predict`` has the second.
        score = WeightScorer.from_fractions(1 - truth, fractions[:, ::-1], **options)
        return lambda q: score(q[:, ::-1])


class Candidate(WeightedClassifier):
    """The classifier that a scorer gets: with candidate weights, at points whose votes are counted
    already.
    """

    _scored: tuple[np.ndarray, VoteProfile]

    def _votes(self, X: ArrayLike) -> VoteProfile:
        points, profile = self._scored
        text = "a scorer may ask for predictions at the X that it is given, and at no other points"
        require(X is points, text)
        return profile


def _by_scorer(scorer: Scorer, candidate: Candidate, y: np.ndarray) -> Score:
    """Scores by any scorer, one candidate after the other, at its points with labels y (m,)."""
    points, _ = candidate._scored

    def score(rows: np.ndarray) -> np.ndarray:
        scores: list[float] = []
        for q in rows:
            candidate._set_weights(q)
            found = scorer(candidate, points, y)
            if not isinstance(found, Real) or not np.isfinite(found):
                got = f"got {found!r} for the weights {q.tolist()}"
                raise ValueError(f"scoring must give a finite number, {got}")
            scores.append(float(found))
        return np.array(scores)

    return score
