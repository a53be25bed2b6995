"""How fast a risk falls to the Bayes risk: a power of n, fitted to a curve."""

from typing import NamedTuple, Self

import numpy as np

from knnviz import checks
from knnviz.risk.curves import RiskCurve

#: An excess counts if it exceeds so many of its standard errors.
CRITICAL_VALUE = 2


class Rate(NamedTuple):
    """An excess risk that falls like ``constant`` * n^-``exponent``; ``error`` is the standard error of the exponent.

    Examples
    --------
    >>> from knnviz.risk import Rate
    >>> import numpy as np
    >>> sizes = np.array([100, 400, 1600])
    >>> rate = Rate.fit(sizes, excess=sizes**-0.5, error=0.1 * sizes**-0.5)
    >>> round(rate.exponent, 4), round(rate.constant, 4), rate(sizes).round(4).tolist()
    (0.5, 1.0, [0.1, 0.05, 0.025])
    """

    exponent: float
    constant: float
    error: float

    @classmethod
    def fit(cls, sizes: np.ndarray, excess: np.ndarray, error: np.ndarray) -> Self | None:
        """Weighted least squares of log excess on log n, by relative errors; None for fewer than two sizes.

        ``sizes`` (J,) are positive, ``excess`` (J,) means and ``error`` (J,) their standard errors. A mean that does
        not exceed two standard errors is left out; so are NaN and errors of 0. ValueError for other shapes and sizes.
        """
        n, e, s = (checks.check_numbers(*pair) for pair in (("sizes", sizes), ("excess", excess), ("error", error)))
        if n.ndim != 1 or not n.shape == e.shape == s.shape:
            raise ValueError(f"sizes, excess and error must have one shape (J,), got {n.shape}, {e.shape}, {s.shape}")
        if not (n > 0).all():
            raise ValueError(f"sizes must be positive, got {n.min():g}")
        significant = (e > CRITICAL_VALUE * s) & (s > 0)
        if len(np.unique(n[significant])) < 2:
            return None
        n, e, s = n[significant], e[significant], s[significant]
        (slope, intercept), covariance = np.polyfit(np.log(n), np.log(e), 1, w=e / s, cov="unscaled")
        return cls(-float(slope), float(np.exp(intercept)), float(covariance[0, 0] ** 0.5))

    def __call__(self, sizes: np.ndarray) -> np.ndarray:
        """The fitted excess (J,) at sample sizes (J,)."""
        return self.constant * np.asarray(sizes, float) ** -self.exponent


def fitted_rate(curve: RiskCurve, name: str, least: int = 1) -> Rate | None:
    """The rate at which the risk of one rule of a curve over n falls to the Bayes risk, fitted to n >= ``least``.

    None where fewer than two sizes have an excess of more than two standard errors. Raises ValueError for a curve over
    anything else, or without a Bayes risk, and for a name that it does not have.

    Examples
    --------
    >>> from knnviz.risk import RiskCurve, fitted_rate
    >>> import numpy as np
    >>> sizes, spread = np.array([100, 10_000]), np.array([[[[0.9]]], [[[1.1]]]])
    >>> rate = fitted_rate(RiskCurve("n", sizes, ("kNN",), 0.25 + spread * sizes**-0.5, bayes_risk=0.25), "kNN")
    >>> round(rate.exponent, 4), round(rate.constant, 4)
    (0.5, 1.0)
    """
    if curve.over != "n" or curve.bayes_risk is None:
        raise ValueError("a rate needs a curve over n on a known distribution")
    if name not in curve.names:
        raise ValueError(f"name must be one of {', '.join(curve.names)}, got {name!r}")
    rule, large = curve.names.index(name), curve.values >= checks.check_int("least", least, 1)
    return Rate.fit(curve.values[large], curve.mean[rule, large] - curve.bayes_risk, curve.standard_error[rule, large])
