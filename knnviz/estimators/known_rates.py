"""Flip rates that are known, as a parameter of an estimator."""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Any

import numpy as np

from knnviz import checks
from knnviz.estimators.base import TwoClassMixin, estimator
from knnviz.noise import Rates


@estimator
class KnownRatesMixin(TwoClassMixin):
    """Two classes whose labels have known flip rates.

    Parameters
    ----------
    noise_rates : (p0, p1)
        Flip rates of class 0 and class 1: each in [0, 1), together below 1.
    """

    _: KW_ONLY
    noise_rates: Rates | Sequence[float] | np.ndarray = (0, 0)

    def _known_rates(self) -> tuple[float, float]:
        given: Any = self.noise_rates
        try:
            p0, p1 = given
        except (TypeError, ValueError):
            raise ValueError(f"noise_rates must be a pair (p0, p1), got {given!r}") from None
        p0, p1 = checks.check_flip_rates(p0, p1)
        return float(p0), float(p1)
