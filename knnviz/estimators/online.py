"""Online linear classifiers with a Gaussian distribution of their weights, as scikit-learn estimators."""

from dataclasses import KW_ONLY
from math import sqrt
from typing import ClassVar, Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from knnviz import checks
from knnviz.estimators.base import HyperplaneClassifier, estimator
from knnviz.kernels import confidence_pass

#: Largest coordinate relative to sqrt(r): beyond it fewer than six digits of the covariance, which starts at the
#: identity, would be correct.
LARGEST_COORDINATE = 1e5


@estimator
class ConfidenceClassifier(HyperplaneClassifier):
    """Base of the online classifiers whose weights have a Gaussian distribution, with mean mu and covariance S.

    In formulas the label y is -1 for class 0. Each point gets a constant column, whose weight is the intercept. The
    weights start at mu = 0 and S = I.

    Parameters
    ----------
    max_iter : int
        Number of passes over the points; all are made.
    random_state : int, RandomState or None
        Draws the order of the points, anew in each pass.

    Attributes
    ----------
    covariance_ : (d + 1, d + 1) array
        S, with the intercept last.
    n_iter_ : int
        Number of passes.
    """

    _: KW_ONLY
    max_iter: int = 5
    random_state: int | RandomState | None = 0

    _is_nherd: ClassVar[bool]

    def _checked_r(self) -> float:
        raise NotImplementedError

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn mu and S from X (n, d) and y (n,), whatever was fitted before.

        Raises ValueError for more than two classes, and for coordinates beyond 1e5 sqrt(r), where r of NHERD is 1 / C:
        rounding would dominate S.
        """
        r, passes = self._checked_r(), checks.check_int("max_iter", self.max_iter, 1)
        X, classes, codes = self._read(X, y)
        largest, limit = abs(X).max(), LARGEST_COORDINATE * sqrt(r)
        if largest > limit:
            raise ValueError(f"X must not exceed {limit:g} in size, got {largest:g}: scale its columns")
        points, signs = np.column_stack([X, np.ones(len(X))]), 2.0 * codes - 1
        mean, covariance = np.zeros(points.shape[1]), np.eye(points.shape[1])
        random = check_random_state(self.random_state)
        for _ in range(passes):
            confidence_pass(points, signs, random.permutation(len(X)), r, self._is_nherd, mean, covariance)
        self._set_hyperplane(classes, mean)
        self.covariance_, self.n_iter_ = covariance, passes
        return self


@estimator
class AROWClassifier(ConfidenceClassifier):
    """AROW, adaptive regularization of weights: an online linear classifier with a full covariance.

    A point x with label y makes an update if its margin y mu'x is below 1. With v = x'Sx, mu moves by
    (1 - y mu'x) / (v + r) times y S x, and S shrinks by S x x' S / (v + r).

    Source: Crammer, Kulesza & Dredze (2009), as compared in Gao et al., section 6.2.

    Parameters
    ----------
    r : float
        From 1e-10 to 1e10: the larger, the smaller the steps.

    Examples
    --------
    >>> from knnviz.estimators import AROWClassifier
    >>> model = AROWClassifier(r=1.0).fit([[-2], [-1], [1], [2]], [0, 0, 1, 1])
    >>> model.predict([[-3], [3]]).tolist(), model.coef_.round(2).tolist(), model.covariance_.round(2).tolist()
    ([0, 1], [[0.91]], [[0.09, 0.0], [0.0, 0.09]])
    """

    _: KW_ONLY
    r: float = 1.0

    _is_nherd = False

    def _checked_r(self) -> float:
        return checks.check_real("r", self.r, 1e-10, 1e10)


@estimator
class NHERDClassifier(ConfidenceClassifier):
    """NHERD, the normal herd: an online linear classifier with a full covariance.

    Updates and mu are those of ``AROWClassifier`` with r = 1 / C. S shrinks faster: (2 C + C^2 v) x x' is added to its
    inverse, so that S loses S x x' S (v + 2r) / (v + r)^2.

    Source: Crammer & Lee (2010), as compared in Gao et al., section 6.2.

    Parameters
    ----------
    C : float
        From 1e-10 to 1e10: the larger, the larger the steps.

    Examples
    --------
    >>> from knnviz.estimators import NHERDClassifier
    >>> model = NHERDClassifier(C=1.0).fit([[-2], [-1], [1], [2]], [0, 0, 1, 1])
    >>> model.predict([[-3], [3]]).tolist(), model.coef_.round(2).tolist(), model.covariance_.round(2).tolist()
    ([0, 1], [[0.8]], [[0.04, 0.0], [0.0, 0.04]])
    """

    _: KW_ONLY
    C: float = 1.0

    _is_nherd = True

    def _checked_r(self) -> float:
        return 1 / checks.check_real("C", self.C, 1e-10, 1e10)
