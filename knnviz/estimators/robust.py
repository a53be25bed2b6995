"""Nearest neighbors that withstand flipped labels, as a scikit-learn estimator."""

import warnings
from fractions import Fraction
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from knnviz import checks
from knnviz.estimators.base import Learned, NeighborsClassifier, within
from knnviz.neighbors import Metric, NeighborTable
from knnviz.noise import Rates
from knnviz.profiles import VoteProfile
from knnviz.rules import Robust, exact


class RobustKNeighborsClassifier(NeighborsClassifier):
    """Robust kNN: the vote of two classes with its threshold moved by the flip rates of labels, known or estimated.

    Class 0 and class 1 are the labels in sorted order; e is the fraction of class 1 among the k nearest. Neighbors are
    sorted by (distance, index); under another metric than the Euclidean, ties are those of the distances that
    scikit-learn computes.

    Parameters
    ----------
    n_neighbors : int
        k, the neighbors that vote, at most n. Like scikit-learn's it may be set anew without a new fit; what the fit
        has estimated then stays as it is.
    noise_neighbors : int, optional
        k', the other neighbors that smooth the label of a training point, at most n - 1; by default n_neighbors - 1, at
        least 1. Not read if the rates are known.
    noise_rates : (p0, p1), optional
        Flip rates of class 0 and of class 1, if they are known: each in [0, 1), together below 1. By default they are
        the extremes of the smoothed labels, as Algorithm 1 of Gao et al. has them.
    variant : "threshold" or "gao"
        "threshold": class 1 iff e >= theta. "gao": the correction as it is printed; the two differ on ties alone, see
        ``knnviz.Robust``.
    algorithm : "auto", "ball_tree", "brute" or "kd_tree"
        How scikit-learn searches where the metric is not the Euclidean, whose neighbors are exact whatever it says.
    metric : str or callable
        A name that scikit-learn has for a distance of two points, or a function of two points; what it does with them,
        and what it says where it cannot, are scikit-learn's ("jaccard" and its like read every number as yes or no).
    p : float
        Exponent of the Minkowski distance, from 1 to infinity; 2 is the Euclidean.
    n_jobs : int, optional
        Threads of scikit-learn's search; Euclidean neighbors use all processors.

    Attributes
    ----------
    classes_ : (2,) array
        The labels that code 0 and code 1 stand for; one if the training labels were all the same.
    noise_rates_ : (float, float)
        p0 and p1, given or estimated. Estimates sum to 1 where the smoothed labels are all equal: they then tell
        nothing, ``fit`` warns, and the vote is the plain one.
    threshold_ : float
        theta = (1 + p0 - p1) / 2, what e must reach; 1/2 where estimates tell nothing.
    n_samples_fit_, n_features_in_ : int
        n and d.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    Source: Gao et al., Algorithm 1; the threshold form is that of Reeve & Kaban, Algorithm 2.
    """

    def __init__(
        self,
        n_neighbors: int = 25,
        *,
        noise_neighbors: int | None = None,
        noise_rates: Rates | tuple[float, float] | None = None,
        variant: Literal["threshold", "gao"] = "threshold",
        algorithm: Literal["auto", "ball_tree", "brute", "kd_tree"] = "auto",
        metric: Metric = "minkowski",
        p: float = 2,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.noise_neighbors = noise_neighbors
        self.noise_rates = noise_rates
        self.variant = variant
        self.algorithm = algorithm
        self.metric = metric
        self.p = p
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Tags:
        """scikit-learn's tags, with two classes at most."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Keep the training points X (n, d) and their observed labels y (n,), and find the threshold.

        Warns (UserWarning) where rates are estimated and the smoothed labels are all equal.

        Raises
        ------
        ValueError
            For parameters out of their ranges and data that are none; for more than two classes; and, where rates are
            estimated, for noise_neighbors >= n and, without it, for n_neighbors > n.
        """
        k, rule = checks.check_int("n_neighbors", self.n_neighbors, 1), self._rule()
        learned = self._learn(X, y, least=2 if rule.estimates else 1)
        if rule.estimates:
            rule = _estimated(rule, k, learned)
        self._keep(learned)
        self._fitted, rates = rule, rule.noise_rates
        self.noise_rates_ = float(rates[0]), float(rates[1])
        self.threshold_ = float(rule.threshold)
        if _silent(rates):
            warnings.warn(
                "the smoothed labels are all equal and tell nothing of the noise: this is a plain vote", stacklevel=2
            )
        return self

    def _rule(self) -> Robust:
        """The rule that the parameters ask for; ValueError if they are out of range."""
        k_noise, rates = self.noise_neighbors, self.noise_rates
        if k_noise is not None:
            k_noise = checks.check_int("noise_neighbors", k_noise, 1)
        if isinstance(rates, list | np.ndarray):
            rates = tuple(rates)
        return Robust(rates, k_noise, variant=self.variant)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d): class 1 iff e reaches theta, compared as whole numbers of votes.

        On a tie, e = theta, that is class 1 ("gao": as it is printed), whatever the larger of the two numbers of
        ``predict_proba`` is. Raises ValueError for n_neighbors beyond the training points.
        """
        votes = self._votes(X)
        return self.classes_[self._fitted.predict(votes, votes.k_max)]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities (m, 2) of the true classes of X (m, d), in the order of ``classes_``.

        That of class 1 is eta_hat = (e - p0) / (1 - p0 - p1), clipped to [0, 1]: at least 1/2 iff e >= theta. Where the
        estimates tell nothing it is e. Raises ValueError for n_neighbors beyond the training points.
        """
        votes = self._votes(X)
        k = votes.k_max
        # Fractions, one for each count of votes: doubles would put a tie on either side of 1/2.
        eta = np.array([float(self._corrected(Fraction(ones, k))) for ones in range(k + 1)])[votes.at(k)[:, 1]]
        return np.stack([1 - eta, eta], axis=1)[:, : len(self.classes_)]

    def _corrected(self, fraction: Fraction) -> Fraction:
        """eta_hat at a fraction of votes."""
        if _silent(self._fitted.noise_rates):
            return fraction
        p0, p1 = map(exact, self._fitted.noise_rates)
        return min(max((fraction - p0) / (1 - p0 - p1), Fraction(0)), Fraction(1))

    def _votes(self, X: ArrayLike) -> VoteProfile:
        """Votes of the k nearest training points of X."""
        check_is_fitted(self, "threshold_")
        return VoteProfile.count(self._table(X, self.n_neighbors), self._labels, 2)


def _estimated(rule: Robust, k: int, learned: Learned) -> Robust:
    """The rule with rates estimated from the training points."""
    n = len(learned.codes)
    if rule.k_noise is None:
        within(k, n)
    elif rule.k_noise >= n:
        raise ValueError(f"noise_neighbors must be below the number of points, got {rule.k_noise} with n = {n}")
    return rule.fit(NeighborTable.build(learned.points, None, rule.reach(k)), learned.codes, k, 2)


def _silent(rates: Rates | tuple[float, float]) -> bool:
    """Whether rates are estimates that tell nothing."""
    return isinstance(rates, Rates) and rates.degenerate
