"""Where the adaptive rules stop if fractions among neighbors equal their probabilities."""

from collections.abc import Sequence
from math import ceil, inf
from typing import NamedTuple

import numpy as np

from knnviz import checks


class ExactStops(NamedTuple):
    """The k at which each rule stops: A-kNN with its baseline, and PL A-kNN. Infinite where it never does."""

    adaptive: float
    partial: float


def exact_stops(frequency: Sequence[float], band_constant: float, baseline: float | None = None) -> ExactStops:
    """Stopping k of both rules at a point whose balls all hold each label with its probability at the point.

    A rule stops at (band_constant / gap)^2, rounded up. The gap is largest - baseline in A-kNN, and largest - second in
    PL A-kNN.

    ``frequency`` (C,) is P(S_y | x), in [0, 1]; with one label a bag that is eta. A-kNN compares with the baseline, in
    [0, 1] and 1 / C by default.

    Source: Errandonea et al., appendix B.2 (the two rules); the formulas are ours.
    """
    held = _frequency(frequency)
    second, first = np.sort(held)[-2:]
    base = 1 / len(held) if baseline is None else checks.check_real("baseline", baseline, 0, 1)
    return ExactStops(_stop(first - base, band_constant), _stop(first - second, band_constant))


def eliminations(frequency: Sequence[float], band_constant: float) -> np.ndarray:
    """The k (C,) at which PL A-kNN eliminates each label under the same conditions; infinite for those on top.

    The largest finite one is where the rule stops, if one label is on top.
    """
    held = _frequency(frequency)
    return np.array([_stop(gap, band_constant) for gap in held.max() - held])


def _stop(gap: float, band_constant: float) -> float:
    band_constant = checks.check_positive("band_constant", band_constant)
    # Decimal probabilities have no exact doubles: a gap of rounding is none.
    return ceil((band_constant / gap) ** 2) if gap > 1e-12 else inf


def _frequency(values: Sequence[float]) -> np.ndarray:
    return checks.check_fractions("frequency", np.asarray(values)[None])[0]
