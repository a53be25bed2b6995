"""Nearest neighbors that vote on labels bought in two rounds, as a scikit-learn estimator."""

import warnings
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from knnviz import checks
from knnviz.active import FROM_R, ROUND1, hard_at, region_voters
from knnviz.active.scheme import tags
from knnviz.active.voting import Group, Voters, majority, two_stage_votes
from knnviz.bounds import rittler
from knnviz.estimators.base import NeighborsClassifier, within
from knnviz.regions import AugmentedRegion


class TwoStageKNeighborsClassifier(NeighborsClassifier):
    """kNN after two rounds of labels: where the first round leaves the vote hard, those drawn from there decide.

    A query is in the hard region H if, of its nearest points of the first round, the fraction of class 1 is closer to
    1/2 than 2 Delta + Delta~. There the k nearest of the region's voters decide, elsewhere the k nearest of all labels
    that were drawn plainly. Class 0 and class 1 are the labels in sorted order; distances are Euclidean, neighbors
    sorted by (distance, index).

    Parameters
    ----------
    n_neighbors : int
        k, the neighbors that vote, at most n; a group of voters that has fewer votes as a whole. Like scikit-learn's it
        may be set anew without a new fit; what is hard then stays as it is.
    voters : "strict" or "inclusive"
        Who votes in H: points tagged ``FROM_R``, or all labeled points that lie in H+.
    hard_neighbors : int, optional
        Neighbors of the first round that say what is hard, at most its points; by default n_neighbors.
    delta : float
        Failure probability, strictly between 0 and 1: the smaller, the more is hard.
    c0 : float
        At least 0; widens the band by Delta~.
    c_plus : float
        At least 0; with it grow the balls of H+ where ``fit`` is not given any.

    Attributes
    ----------
    classes_ : (2,) array
        The labels that code 0 and code 1 stand for; one if the training labels were all the same.
    hard_neighbors_ : int
        Neighbors that say what is hard.
    width_ : float
        2 Delta + Delta~; above 1/2 every query is hard.
    augmented_ : AugmentedRegion
        H+, as it was given, or as balls around the labeled points that are hard.
    region_voters_ : (n,) bool array
        Which training points vote in H.
    n_samples_fit_, n_features_in_ : int
        n and d.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    Source: Rittler & Chaudhuri, the modified classifier.
    """

    # Balls of H+ are Euclidean.
    algorithm, metric, p, n_jobs = "auto", "minkowski", 2, None

    def __init__(
        self,
        n_neighbors: int = 25,
        *,
        voters: Voters = "strict",
        hard_neighbors: int | None = None,
        delta: float = 0.1,
        c0: float = 0.0,
        c_plus: float = 0.25,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.voters = voters
        self.hard_neighbors = hard_neighbors
        self.delta = delta
        self.c0 = c0
        self.c_plus = c_plus

    def __sklearn_tags__(self) -> Tags:
        """scikit-learn's tags, with two classes at most."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(
        self, X: ArrayLike, y: ArrayLike, stage: ArrayLike | None = None, augmented: AugmentedRegion | None = None
    ) -> Self:
        """Keep the training points X (n, d) with their labels y (n,), and find who votes where.

        Parameters
        ----------
        X, y : arrays (n, d) and (n,)
            Labeled points of both rounds.
        stage : (n,) array, optional
            Where each comes from: ``ROUND1``, ``FROM_P`` or ``FROM_R`` of ``knnviz.active``. By default there was no
            second round: then everybody votes everywhere, which is the plain vote.
        augmented : AugmentedRegion, optional
            H+ of the scheme that bought the labels. By default balls around the hard ones among the labeled points.

        Raises
        ------
        ValueError
            For parameters out of their ranges and data that are none, for more than two classes, for a ``stage`` or an
            ``augmented`` that do not fit the points; and for hard_neighbors, or without it n_neighbors, beyond the
            points of the first round.
        """
        k, asked = checks.check_int("n_neighbors", self.n_neighbors, 1), self.hard_neighbors
        k_hard = k if asked is None else checks.check_int("hard_neighbors", asked, 1)
        # A point alone is refused in the words that scikit-learn's checks want to hear.
        learned = self._learn(X, y, least=min(k_hard, 2))
        known, codes = learned.points.X, learned.codes
        n, dimension = known.shape
        drawn = tags(stage, n)
        first = Group.of(known, codes, drawn == ROUND1)
        within(k_hard, len(first.y), "points of the first round", "n_neighbors" if asked is None else "hard_neighbors")
        width = rittler.hard_width(len(first.y), k_hard, dimension, self.delta, self.c0)
        k_plus = rittler.fattening_neighbors(len(first.y), dimension, self.delta, self.c_plus)
        if augmented is None:
            marked = hard_at(first.known, first.y, known, k_hard, width)
            augmented = AugmentedRegion.around(first.known, known[marked], k_plus)
        chosen = region_voters(drawn, _fitting(augmented, dimension).contains(known), self.voters)
        # Without a second round the first one has to do in H as well.
        chosen = np.ones(n, bool) if stage is None else chosen
        self._keep(learned)
        self._first, self._inner = first, Group.of(known, codes, chosen)
        self._outer = Group.of(known, codes, drawn != FROM_R)
        self.hard_neighbors_, self.width_ = k_hard, width
        self.augmented_, self.region_voters_ = augmented, chosen
        return self

    def hard(self, X: ArrayLike) -> np.ndarray:
        """Which of X (m, d) lie in H, (m,) bool, by the vote of the first round there."""
        return self._hard(self._queries(X))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d): class 1 iff at least half of those who decide vote for it.

        That is class 1 on a tie, and where nobody votes, of which a RuntimeWarning tells. Raises ValueError for
        n_neighbors beyond the training points.
        """
        votes = self._votes(X)
        self._tell(votes)
        return self.classes_[majority(votes) if len(self.classes_) == 2 else np.zeros(len(votes), int)]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Fractions (m, 2) of the votes of those who decide at X (m, d), in the order of ``classes_``.

        Where nobody votes they are 0 and 1, with a RuntimeWarning. Raises ValueError for n_neighbors beyond the
        training points.
        """
        votes = self._votes(X)
        self._tell(votes)
        if len(self.classes_) == 1:
            return np.ones((len(votes), 1))
        votes[votes.sum(axis=1) == 0] = 0, 1
        return votes / votes.sum(axis=1, keepdims=True)

    def _queries(self, X: ArrayLike) -> np.ndarray:
        """X (m, d) as the fit knows points, or ValueError."""
        check_is_fitted(self, "width_")
        return validate_data(self, X, dtype=np.float64, reset=False)

    def _hard(self, queries: np.ndarray) -> np.ndarray:
        """Which queries (m, d) lie in H, (m,) bool."""
        return hard_at(self._first.known, self._first.y, queries, self.hard_neighbors_, self.width_)

    def _votes(self, X: ArrayLike) -> np.ndarray:
        """Votes (m, 2) of those who decide at X (m, d)."""
        queries, k = self._queries(X), within(self.n_neighbors, self.n_samples_fit_)
        return two_stage_votes(self._inner, self._outer, queries, self._hard(queries), k)

    def _tell(self, votes: np.ndarray) -> None:
        """Warn whoever called the caller where nobody votes: in H alone, since the first round votes elsewhere."""
        if not votes.any(axis=1).all():
            answer = f"{self.classes_[-1]} is predicted there"
            warnings.warn(f"nobody votes in the hard region: {answer}", RuntimeWarning, stacklevel=3)


def _fitting(augmented: AugmentedRegion, dimension: int) -> AugmentedRegion:
    """H+ if it lies among points of that dimension, or ValueError."""
    if not isinstance(augmented, AugmentedRegion):
        raise ValueError(f"augmented must be an AugmentedRegion, got {type(augmented).__name__}")
    if augmented.centers.shape[1] != dimension:
        raise ValueError(f"augmented lies in dimension {augmented.centers.shape[1]}, the points in {dimension}")
    return augmented
