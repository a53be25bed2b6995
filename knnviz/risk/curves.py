"""Risk curves over k or over n, and how fast a risk falls to the Bayes risk: a power of n, fitted
to a curve.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, Self

import numpy as np

from knnviz.checks import require, shown
from knnviz.means import nan_mean, nan_standard_error

#: An excess below this many standard errors is left out of a fit.
CRITICAL_VALUE = 2


@dataclass(frozen=True, eq=False)
class RiskCurve:
    """Risks of rules over k or over n, as far as they are known.

    ``over`` is what ``values`` (J,) are: "k" or "n", or "k_noise" for k' at one k; ``names`` are
    those of the rules. ``risks`` (repeats, flips, rules, J) has an axis for samples, for draws of
    noise on each of them, for rules, and for values; it is NaN where a piece of work is not done
    yet. ``bayes_risk`` is on the same cells as the risks, None for real data.
    """

    over: Literal["k", "n", "k_noise"]
    values: np.ndarray
    names: tuple[str, ...]
    risks: np.ndarray
    bayes_risk: float | None

    @property
    def mean(self) -> np.ndarray:
        """Mean risk (rules, J) over what is done; NaN where nothing is."""
        each = self.risks.reshape(-1, *self.risks.shape[2:])
        return nan_mean(each)

    @property
    def standard_error(self) -> np.ndarray:
        """Standard error (rules, J) of the mean over repeats; NaN where fewer than two are done.

        The flips of one sample share its points, so they count as one value, their mean. With a
        single repeat the error is over its flips, and does not show how the risk varies from sample
        to sample.
        """
        if len(self.risks) == 1:
            return nan_standard_error(self.risks[0])
        return nan_standard_error(self.risks.mean(axis=1))

    @property
    def done(self) -> int:
        """Finished pieces of work."""
        is_done = np.isfinite(self.risks).all(axis=(1, 2))
        return int(is_done[:, : self._pieces_per_repeat].sum())

    @property
    def pieces(self) -> int:
        """All pieces of work: the repeats over k, each n of each repeat over n."""
        return len(self.risks) * self._pieces_per_repeat

    @property
    def _pieces_per_repeat(self) -> int:
        return len(self.values) if self.over == "n" else 1


class FittedRate(NamedTuple):
    """An excess risk falls like ``constant`` * n^-``exponent``; ``error`` is the standard error of
    the exponent.
    """

    exponent: float
    constant: float
    error: float

    @classmethod
    def fit(cls, sizes: np.ndarray, excess: np.ndarray, error: np.ndarray) -> Self | None:
        """Weighted least squares of log excess on log n, by relative errors; None for fewer than
        two sizes.

        ``sizes`` (J,) are positive, ``excess`` (J,) means and ``error`` (J,) their standard errors.
        A mean that does not exceed two standard errors is left out; so are NaN and errors of 0.
        """
        significant = (excess > CRITICAL_VALUE * error) & (error > 0)
        if len(np.unique(sizes[significant])) < 2:
            return None
        log_n = np.log(sizes[significant])
        means = excess[significant]
        weights = means / error[significant]
        fitted, covariance = np.polyfit(log_n, np.log(means), 1, w=weights, cov="unscaled")
        slope, intercept = fitted
        slope_error = covariance[0, 0] ** 0.5
        return cls(-float(slope), float(np.exp(intercept)), float(slope_error))


def fitted_rate(curve: RiskCurve, name: str) -> FittedRate | None:
    """The rate at which the risk of one rule of a curve over n falls to the Bayes risk.

    None where fewer than two sizes have an excess of more than two standard errors. Raises
    ValueError for a curve over k, for one without a Bayes risk, and for a name that it does not
    have.

    Examples
    --------
    >>> from knnviz.risk import RiskCurve, fitted_rate
    >>> import numpy as np
    >>> sizes, spread = np.array([100, 10_000]), np.array([[[[0.9]], [[1.1]]]])
    >>> rate = fitted_rate(
    ...     RiskCurve("n", sizes, ("kNN",), 0.25 + spread * sizes**-0.5, bayes_risk=0.25), "kNN"
    ... )
    >>> round(rate.exponent, 4), round(rate.constant, 4)
    (0.5, 1.0)
    """
    bayes_risk = curve.bayes_risk
    require(curve.over == "n", f"a rate needs a curve over n, got one over {curve.over}")
    if bayes_risk is None:
        raise ValueError("a rate needs a known Bayes risk; the curve is of real data")
    if name not in curve.names:
        names = ", ".join(curve.names)
        raise ValueError(f"name must be one of {names}, got {shown(name)}")
    rule = curve.names.index(name)
    return FittedRate.fit(curve.values, curve.mean[rule] - bayes_risk, curve.standard_error[rule])
