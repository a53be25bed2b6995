"""Nearest neighbors robust to label noise, as a scikit-learn estimator."""

import warnings
from dataclasses import KW_ONLY
from fractions import Fraction
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from knnviz import checks
from knnviz.estimators.base import FlipRatesMixin, MetricClassifier, check_neighbors, estimator
from knnviz.neighbors import NeighborTable
from knnviz.noise import Rates, decimal_fraction
from knnviz.rules import Robust


@estimator
class RobustKNeighborsClassifier(FlipRatesMixin, MetricClassifier):
    """Robust kNN: a vote of two classes whose threshold is set by the flip rates of labels, known or estimated.

    Class 0 and class 1 are the labels in sorted order; e is the fraction of class 1 among the k nearest. It is compared
    with the threshold theta exactly, in whole votes.

    Source: Gao et al., Algorithm 1; the threshold form is that of Reeve & Kaban, Algorithm 2.

    Parameters
    ----------
    noise_neighbors : int, optional
        k', the nearest other points with which the label of a training point is averaged (smoothed), at most n - 1; by
        default n_neighbors - 1, at least 1. Not used if the rates are known.
    noise_rates : (p0, p1), optional
        Flip rates of class 0 and of class 1, if they are known: each in [0, 1), together below 1. By default they are
        the extremes of the smoothed labels, as Algorithm 1 of Gao et al. has them.
    variant : "threshold" or "gao"
        "threshold": class 1 iff e >= theta. "gao": the printed correction, with >= at 1/2; the two differ on ties
        alone, see ``knnviz.rules.Robust``.

    Examples
    --------
    >>> from knnviz.estimators import RobustKNeighborsClassifier
    >>> model = RobustKNeighborsClassifier(n_neighbors=5, noise_rates=(0, 0.4))
    >>> model = model.fit([[0], [1], [2], [3], [4]], [0, 0, 0, 1, 1])
    >>> model.threshold_, model.predict([[2]]).tolist(), model.predict_proba([[2]]).round(4).tolist()
    (0.3, [1], [[0.3333, 0.6667]])
    """

    n_neighbors: int = 25
    _: KW_ONLY
    noise_neighbors: int | None = None
    noise_rates: Rates | tuple[float, float] | None = None
    variant: Literal["threshold", "gao"] = "threshold"

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Keep the training points X (n, d) and their observed labels y (n,), and find the threshold.

        Warns (UserWarning) where rates are estimated and the smoothed labels are all equal. Raises ValueError for more
        than two classes, and, where rates are estimated, for noise_neighbors >= n or, without it, n_neighbors > n.
        """
        k, rule = checks.check_int("n_neighbors", self.n_neighbors, 1), self._rule()
        train = self._train(X, y, min_samples=2 if rule.estimates else 1)
        if rule.estimates:
            n = len(train.codes)
            if rule.k_noise is None:
                check_neighbors(k, n)
            elif rule.k_noise >= n:
                raise ValueError(f"noise_neighbors must be below the number of points, got {rule.k_noise} with n = {n}")
            rule = rule.fit(NeighborTable.build(train.search_index, None, rule.neighbors_needed(k)), train.codes, k, 2)
        self._keep(train)
        rates = rule.noise_rates
        assert rates is not None
        self._fitted_rule, self._rates = rule, rates
        self.noise_rates_ = float(rates[0]), float(rates[1])
        self.threshold_ = float(rule.threshold)
        if _uninformative(rates):
            warnings.warn(
                "the smoothed labels are all equal and tell nothing of the noise: this is a plain vote", stacklevel=2
            )
        return self

    def _rule(self) -> Robust:
        k_noise, rates = self.noise_neighbors, self.noise_rates
        if k_noise is not None:
            k_noise = checks.check_int("noise_neighbors", k_noise, 1)
        if isinstance(rates, list | np.ndarray):
            rates = tuple(rates)
        return Robust(rates, k_noise, variant=self.variant)

    def predict(self, X: ArrayLike) -> np.ndarray:
        votes = self._votes(X)
        return self.classes_[self._fitted_rule.predict(votes, votes.k_max)]

    def _corrected(self, X: ArrayLike) -> np.ndarray:
        votes = self._votes(X)
        k = votes.k_max
        # Exact, for each possible count of votes: doubles could put a tie on either side of 1/2.
        eta_hats = np.array([float(self._eta_hat(Fraction(ones, k))) for ones in range(k + 1)])
        return eta_hats[votes.at(k)[:, 1]]

    def _eta_hat(self, e: Fraction) -> Fraction:
        if _uninformative(self._rates):
            return e
        p0, p1 = (decimal_fraction(rate) for rate in self._rates)
        return min(max((e - p0) / (1 - p0 - p1), Fraction(0)), Fraction(1))


def _uninformative(rates: Rates | tuple[float, float]) -> bool:
    """Whether they are estimates, ``Rates``, that sum to 1; known rates are refused then."""
    return isinstance(rates, Rates) and rates.degenerate
