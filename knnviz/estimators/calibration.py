"""A test of calibration on held-out points (Cox's slope): whether probabilities are shrunken towards each other."""

import math
from typing import NamedTuple, Self

import numpy as np
from scipy.special import ndtr

#: Results of scikit-learn's ``cross_validate``, by "test_" and a name: an array of one number for each fold.
CVResults = dict[str, np.ndarray]


def slope_sums(e: np.ndarray, y: np.ndarray, n: int) -> dict[str, float]:
    """Sums over held-out points for ``SlopeTest``: probabilities e (m,) of class 1, and whether that is the label (m,).

    n is the size of the whole training set. e is clipped to [1 / 2n, 1 - 1 / 2n], since the logit of 0 and of 1 is
    infinite.
    """
    e = np.clip(e, 1 / (2 * n), 1 - 1 / (2 * n))
    logits, variances, residuals = np.log(e / (1 - e)), e * (1 - e), y - e
    return {
        "residual": float(residuals.sum()),
        "residual_times_logit": float(residuals @ logits),
        "variance": float(variances.sum()),
        "variance_times_logit": float(variances @ logits),
        "variance_times_squared_logit": float(variances @ logits**2),
    }


class SlopeTest(NamedTuple):
    """Score test of calibrated probabilities e against P(y = 1) with logit a + b logit(e) and a slope b above 1.

    A slope above 1 means that e is shrunken: the fraction of class 1 is farther out than e where e is extreme. Let z be
    the logit of e, v = e (1 - e), and z' = sum v z / sum v. Then sum (y - e) (z - z') / sqrt(sum v (z - z')^2) is
    asymptotically standard normal if the labels are independent with P(y = 1) = e, and large for shrunken e.

    Source: D. R. Cox, Two further applications of a model for binary regression (1958), for the model.
    """

    residual: float
    residual_times_logit: float
    variance: float
    variance_times_logit: float
    variance_times_squared_logit: float

    @classmethod
    def of(cls, folds: CVResults) -> Self:
        """The test on the held-out points of all folds."""
        return cls(*(float(folds[f"test_{name}"].sum()) for name in cls._fields))

    @property
    def p_value(self) -> float:
        """P(standard normal > statistic); NaN if all e are equal."""
        mean = self.variance_times_logit / self.variance
        spread = self.variance_times_squared_logit - mean * self.variance_times_logit
        # Equal logits leave a spread of rounding errors.
        if spread <= 1e-9 * self.variance_times_squared_logit:
            return math.nan
        return float(ndtr((mean * self.residual - self.residual_times_logit) / math.sqrt(spread)))
