"""Nearest neighbors on labels bought in two rounds."""

import warnings
from dataclasses import KW_ONLY, dataclass
from numbers import Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils._param_validation import Interval

from knnviz.active import ROUND1, FirstRound, Scheme
from knnviz.active.scheme import LARGEST_CONSTANT, STAGES
from knnviz.active.voting import (
    TwoStageVotes,
    VoterKind,
    majority,
    region_voters,
    two_round_voters,
)
from knnviz.checks import check_k, check_whole_numbers, require, shown
from knnviz.estimators.base import COUNT, Constraints, NeighborsClassifier
from knnviz.problems import Measure
from knnviz.regions import AugmentedRegion


@dataclass(eq=False, repr=False)
class TwoStageKNeighborsClassifier(NeighborsClassifier):
    """kNN on labels of two rounds: where the vote of the first is close to 1/2, only labels drawn
    there vote.

    The second round draws points at random (passive draws, stage ``FROM_P``) or only in H+, which
    is H enlarged by balls (targeted draws, stage ``FROM_R``); the first round has stage ``ROUND1``,
    see ``knnviz.active``. A query is in the hard region H if, of its nearest points of the first
    round, the fraction of class 1 is closer to 1/2 than 2 Delta + Delta~. Delta bounds how far a
    vote at one point is from its expectation, and Delta~, in proportion to ``c0``, allows for votes
    at all points together. In H the k nearest of the points with ``region_voters_`` vote, elsewhere
    the k nearest points of all but targeted draws; if they are fewer than k, all of them vote.
    Class 0 and class 1 are the labels in sorted order; distances are Euclidean.

    Parameters
    ----------
    n_neighbors : int
        k, the neighbors that vote: at most n, and at most the first round's points if
        ``hard_neighbors`` is None. It may be changed without a new fit; H then stays.
    voters : "strict" or "inclusive"
        Which points vote in H: those of stage ``FROM_R``; if "inclusive" also all others in H+.
    hard_neighbors : int, optional
        Neighbors of the first round that decide whether a query is in H, at most the number of
        points of the first round; by default n_neighbors.
    delta : float
        Failure probability, strictly between 0 and 1: the smaller, the larger H.
    c0 : float
        At least 0; the larger, the larger Delta~.
    c_plus : float
        At least 0; the larger, the larger the balls of H+, unless H+ is given to ``fit``.

    Attributes
    ----------
    hard_neighbors_ : int
        Neighbors that decide whether a query is in H.
    width_ : float
        2 Delta + Delta~; above 1/2 every query is in H.
    augmented_ : AugmentedRegion
        H+, as it was given to ``fit``, or as balls around the labeled points in H.
    region_voters_ : (n,) bool array
        Which training points vote in H.
    classes_ : (2,) array
        The labels that code 0 and code 1 stand for; one if the training labels were all the same.
    n_samples_fit_ : int
        n, the number of training points.
    n_features_in_ : int
        d, the number of columns of X.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    References
    ----------
    Rittler & Chaudhuri, the modified classifier.

    Examples
    --------
    >>> from knnviz import active, estimators, problems
    >>> scheme = active.Scheme(k_hard=200, passive_fraction=0)
    >>> sample = active.two_stage_sample(problems.linear(), n=1000, m=200, scheme=scheme)
    >>> model = estimators.TwoStageKNeighborsClassifier(n_neighbors=51, hard_neighbors=200)
    >>> model = model.fit(sample.X, sample.y, sample.stage, sample.first.region)
    >>> model.hard([[0.1], [0.6]]).tolist(), model.predict([[0.1], [0.6]]).tolist()
    ([False, True], [0, 1])
    """

    _binary = True
    _parameter_constraints: ClassVar[Constraints] = {
        "n_neighbors": [COUNT],
        "hard_neighbors": [COUNT, None],
        "delta": [Interval(Real, 0, 1, closed="neither")],
        "c0": [Interval(Real, 0, LARGEST_CONSTANT, closed="both")],
        "c_plus": [Interval(Real, 0, LARGEST_CONSTANT, closed="both")],
    }

    n_neighbors: int = 5
    _: KW_ONLY
    voters: VoterKind = "strict"
    hard_neighbors: int | None = None
    delta: float = 0.1
    c0: float = 0.0
    c_plus: float = 0.25

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        stage: ArrayLike | None = None,
        augmented: AugmentedRegion | None = None,
    ) -> Self:
        """Store the points X (n, d) of both rounds and their labels y (n,), and find H and the
        points that vote in it.

        Parameters
        ----------
        X : (n, d) array
            Points of both rounds, in any order.
        y : (n,) array
            Their labels.
        stage : (n,) array, optional
            ``ROUND1``, ``FROM_P`` or ``FROM_R`` of ``knnviz.active``: first round, passive or
            targeted draw of the second. By default there was no second round: then all points vote
            everywhere, as in kNN.
        augmented : AugmentedRegion, optional
            H+ of the scheme that bought the labels. By default balls around the labeled points in
            H.
        """
        self._validate_params()
        name = "n_neighbors" if self.hard_neighbors is None else "hard_neighbors"
        k_hard = getattr(self, name)
        scheme = Scheme(k_hard, 0, self.delta, self.c0, self.c_plus)
        # Scikit-learn's checks expect its own message for a single point.
        indexed = self._index_points(X, y, min_samples=min(k_hard, 2))
        points = indexed.search_index.X
        codes = indexed.observed
        n, d = points.shape
        stages = _read_stages(stage, n)
        in_first = stages == ROUND1
        n_first = int(np.count_nonzero(in_first))
        check_k(k_hard, n_first, "points of the first round", name)
        if augmented is not None and not isinstance(augmented, AugmentedRegion):
            got = shown(augmented)
            raise ValueError(f"augmented must be None or an AugmentedRegion, got {got}")

        measure = Measure(points, np.full(n, 1 / n))
        first = FirstRound.build(scheme, points[in_first], codes[in_first], measure)
        region = first.region if augmented is None else augmented
        dimension = region.centers.shape[1]
        require(dimension == d, f"augmented must be of dimension {d}, got {dimension}")

        # Without a second round all points vote everywhere.
        kind: VoterKind = "inclusive"
        in_augmented = np.ones(n, bool)
        if stage is not None:
            kind = self.voters
            in_augmented = region.contains(points)

        self._store(indexed)
        self._first = first
        self._voters = two_round_voters(points, codes, stages, in_augmented, kind)
        self.hard_neighbors_ = k_hard
        self.width_ = first.width
        self.augmented_ = region
        self.region_voters_ = region_voters(stages, in_augmented, kind)
        return self

    def hard(self, X: ArrayLike) -> np.ndarray:
        """Which of X (m, d) lie in H, (m,) bool, by the vote of the first round there."""
        queries = self._queries(X)
        return self._first.hard_at(queries)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d): class 1 iff at least half of the votes are for it.

        A tie gives class 1; so does, with a RuntimeWarning, a query without votes.
        """
        votes = self._counts(X)
        codes = majority(votes)
        if len(self.classes_) == 1:
            codes[:] = 0
        return self.classes_[codes]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Fractions (m, 2) of the votes at X (m, d), in the order of ``classes_``: 0 and 1 where
        there are no votes.
        """
        votes = self._counts(X)
        if len(self.classes_) == 1:
            return np.ones((len(votes), 1))
        votes[votes.sum(axis=1) == 0] = 0, 1
        return votes / votes.sum(axis=1, keepdims=True)

    def _counts(self, X: ArrayLike) -> np.ndarray:
        """Votes (m, 2) int of the k nearest of those that vote at each query."""
        queries = self._queries(X)
        k = self.n_neighbors
        n = self.n_samples_fit_
        check_k(k, n, name="n_neighbors")
        is_hard = self._first.hard_at(queries)
        counted = TwoStageVotes(*self._voters, queries, is_hard)
        votes = counted.votes(k, [n])[0]
        # Only H can be without votes; the warning points to the caller of ``predict``.
        if not votes.any(axis=1).all():
            answer = f"{self.classes_[-1]} is predicted there"
            text = f"no training point votes in the hard region: {answer}"
            warnings.warn(text, RuntimeWarning, stacklevel=3)
        return votes


def _read_stages(stage: ArrayLike | None, n: int) -> np.ndarray:
    """Stages (n,), by default all of the first round; or ValueError."""
    if stage is None:
        return np.full(n, ROUND1)
    stages = check_whole_numbers("stage", stage)
    if stages.shape != (n,) or not np.isin(stages, STAGES).all():
        got = f"got {np.unique(stages)[:5]} in shape {stages.shape}"
        raise ValueError(
            f"stage must hold ROUND1 = 0, FROM_P = 1 or FROM_R = 2 for each of {n} points, {got}"
        )
    return stages
