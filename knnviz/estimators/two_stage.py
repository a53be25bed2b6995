"""Nearest neighbors on labels bought in two rounds, as a scikit-learn estimator."""

import warnings
from dataclasses import KW_ONLY
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from knnviz import checks, regions
from knnviz.active import FROM_R, ROUND1, Scheme, hard_at, hard_region, region_voters
from knnviz.active.scheme import check_stages
from knnviz.active.voting import LabeledPoints, Voters, majority, two_stage_votes
from knnviz.estimators.base import NeighborsClassifier, TwoClassMixin, check_neighbors, estimator
from knnviz.neighbors import NeighborTable, SpatialIndex
from knnviz.profiles import VoteProfile
from knnviz.regions import AugmentedRegion


@estimator
class TwoStageKNeighborsClassifier(TwoClassMixin, NeighborsClassifier):
    """kNN on labels of two rounds: where the vote of the first is close to 1/2, only labels drawn there vote.

    A query is in the hard region H if, of its nearest points of the first round, the fraction of class 1 is closer to
    1/2 than 2 Delta + Delta~. Delta bounds how far a vote at one point is from its expectation, and Delta~, in
    proportion to ``c0``, allows for votes at all points together. In H the k nearest of the points with
    ``region_voters_`` vote, elsewhere the k nearest of all but the targeted ones; if they are fewer than k, all of them
    vote. Class 0 and class 1 are the labels in sorted order; distances are Euclidean.

    Source: Rittler & Chaudhuri, the modified classifier.

    Parameters
    ----------
    voters : "strict" or "inclusive"
        Which points vote in H: those of stage ``FROM_R``; if "inclusive" also all others in H+, which is H enlarged by
        balls.
    hard_neighbors : int, optional
        Neighbors of the first round that decide whether a query is in H; by default n_neighbors.
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

    Examples
    --------
    >>> from knnviz import active, estimators, problems
    >>> sample = active.two_stage_sample(problems.linear(), n=1000, m=200, k_hard=200, passive_fraction=0, rng=0)
    >>> model = estimators.TwoStageKNeighborsClassifier(n_neighbors=51, hard_neighbors=200)
    >>> model = model.fit(sample.X, sample.y, sample.stage, sample.first.region)
    >>> model.hard([[0.1], [0.6]]).tolist(), model.predict([[0.1], [0.6]]).tolist()
    ([False, True], [0, 1])
    """

    n_neighbors: int = 25
    _: KW_ONLY
    voters: Voters = "strict"
    hard_neighbors: int | None = None
    delta: float = 0.1
    c0: float = 0.0
    c_plus: float = 0.25

    def fit(
        self, X: ArrayLike, y: ArrayLike, stage: ArrayLike | None = None, augmented: AugmentedRegion | None = None
    ) -> Self:
        """Keep the points X (n, d) of both rounds and their labels y (n,), and find H and the points that vote in it.

        Raises ValueError for more than two classes, for a ``stage`` or an ``augmented`` that do not fit the points, and
        for hard_neighbors, or without it n_neighbors, beyond the points of the first round.

        Parameters
        ----------
        stage : (n,) array, optional
            ``ROUND1``, ``FROM_P`` or ``FROM_R`` of ``knnviz.active``: first round, passive or targeted draw of the
            second. By default there was no second round: then all points vote everywhere, as in kNN.
        augmented : AugmentedRegion, optional
            H+ of the scheme that bought the labels. By default balls around the labeled points in H.
        """
        name = "n_neighbors" if self.hard_neighbors is None else "hard_neighbors"
        checks.check_int("n_neighbors", self.n_neighbors, 1)
        k_hard = checks.check_int(name, getattr(self, name), 1)
        # Scikit-learn's checks expect its own message for a single point.
        train = self._train(X, y, min_samples=min(k_hard, 2))
        points, codes = train.search_index.X, train.codes
        n, dimension = points.shape
        stages = check_stages(stage, n)
        y_first = codes[stages == ROUND1]
        check_neighbors(k_hard, len(y_first), "points of the first round", name)
        scheme = Scheme(k_hard, 0, self.delta, self.c0, self.c_plus)
        width, k_plus = scheme.width(len(y_first), dimension), scheme.k_plus(len(y_first), dimension)
        first = SpatialIndex.of(points[stages == ROUND1])
        if augmented is None:
            augmented = hard_region(first, y_first, points, k_hard, width, k_plus)[2]
        hard_voters = region_voters(stages, _check_region(augmented, dimension).contains(points), self.voters)
        # Without a second round the first one votes in H as well.
        hard_voters = np.ones(n, bool) if stage is None else hard_voters
        passive = stages != FROM_R
        all_first = len(y_first) == passive.sum()
        # Equal voters are one object, whose neighbors are searched for once.
        elsewhere = LabeledPoints(first, y_first) if all_first else LabeledPoints.of(points, codes, passive)
        same = np.array_equal(hard_voters, passive)
        in_hard = elsewhere if same else LabeledPoints.of(points, codes, hard_voters)
        self._keep(train)
        self._first, self._in_hard, self._elsewhere = (first, y_first), in_hard, elsewhere
        self.hard_neighbors_, self.width_ = k_hard, width
        self.augmented_, self.region_voters_ = augmented, hard_voters
        return self

    def hard(self, X: ArrayLike) -> np.ndarray:
        """Which of X (m, d) lie in H, (m,) bool, by the vote of the first round there."""
        return self._hard(self._queries(X))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d): class 1 iff at least half of the votes are for it.

        A tie gives class 1; so does, with a RuntimeWarning, a query without votes.
        """
        votes = self._counts(X)
        return self.classes_[majority(votes) if len(self.classes_) == 2 else np.zeros(len(votes), int)]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Fractions (m, 2) of the votes at X (m, d), in the order of ``classes_``: 0 and 1 where there are no votes."""
        votes = self._counts(X)
        if len(self.classes_) == 1:
            return np.ones((len(votes), 1))
        votes[votes.sum(axis=1) == 0] = 0, 1
        return votes / votes.sum(axis=1, keepdims=True)

    def _hard(self, queries: np.ndarray) -> np.ndarray:
        return hard_at(*self._first, queries, self.hard_neighbors_, self.width_)

    def _counts(self, X: ArrayLike) -> np.ndarray:
        queries, k = self._queries(X), check_neighbors(self.n_neighbors, self.n_samples_fit_)
        votes = self._votes_at(queries, k)
        # Only H can be without votes; the warning points to the caller of ``predict``.
        if not votes.any(axis=1).all():
            answer = f"{self.classes_[-1]} is predicted there"
            warnings.warn(f"nobody votes in the hard region: {answer}", RuntimeWarning, stacklevel=3)
        return votes

    def _votes_at(self, queries: np.ndarray, k: int) -> np.ndarray:
        """Votes (m, 2) int of the k nearest of those that vote at each query."""
        first, y_first = self._first
        if self._in_hard is self._elsewhere:
            return self._elsewhere.votes(queries, k)
        if self._elsewhere.search_index is not first:
            return two_stage_votes(self._in_hard, self._elsewhere, queries, self._hard(queries), k)
        # One table has the neighbors that decide whether a query is in H, and those that vote elsewhere.
        ks = k_hard, k_elsewhere = [self.hard_neighbors_, min(k, len(y_first))]
        profile = VoteProfile.count(NeighborTable.build(first, queries, max(ks)), y_first, 2, ks)
        votes, hard = profile.at(k_elsewhere).astype(int), regions.hard(profile, k_hard, self.width_)
        votes[hard] = self._in_hard.votes(queries[hard], k)
        return votes


def _check_region(augmented: AugmentedRegion, dimension: int) -> AugmentedRegion:
    if not isinstance(augmented, AugmentedRegion):
        raise ValueError(f"augmented must be an AugmentedRegion, got {type(augmented).__name__}")
    if augmented.centers.shape[1] != dimension:
        raise ValueError(f"augmented lies in dimension {augmented.centers.shape[1]}, the points in {dimension}")
    return augmented
