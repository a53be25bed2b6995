"""Stopping k for exact fractions, and bounds on it for fractions within half the band."""

from collections.abc import Sequence
from math import ceil, inf
from typing import NamedTuple

import numpy as np

from knnviz import checks
from knnviz.profiles.balls import TIE_TOL


class ExactStops(NamedTuple):
    """The k at which each rule stops: A-kNN with its baseline, and PL A-kNN. Infinite where it never does."""

    adaptive: float
    partial: float


def exact_stops(frequency: Sequence[float], band_constant: float, baseline: float | None = None) -> ExactStops:
    """Stopping k of both rules at a point whose balls all hold each label with its probability at the point.

    A rule stops at (band_constant / gap)^2, rounded up. The gap is largest - baseline in A-kNN, and largest - second in
    PL A-kNN.

    ``frequency`` (C,) is P(S_y | x), in [0, 1]; if each bag holds one label, that is eta. A-kNN is the rule for
    single labels; its baseline is in [0, 1] and 1 / C by default.

    Source: Errandonea et al., appendix B.2 (the two rules); the formulas are ours.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import exact_stops
    >>> exact_stops([0.6, 0.3, 0.1], band_constant=1)
    ExactStops(adaptive=15, partial=12)
    """
    frequencies = _check_frequency(frequency)
    second, first = np.sort(frequencies)[-2:]
    base = 1 / len(frequencies) if baseline is None else checks.check_real("baseline", baseline, 0, 1)
    return ExactStops(_stopping_k(first - base, band_constant), _stopping_k(first - second, band_constant))


def eliminations(frequency: Sequence[float], band_constant: float) -> np.ndarray:
    """The k (C,) at which PL A-kNN eliminates each label, as in ``exact_stops``; infinite for top labels.

    The largest finite one is where the rule stops, if there is one top label.

    Source: Errandonea et al., appendix B.2 (the rule); the formula is ours.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import eliminations
    >>> eliminations([0.6, 0.3, 0.1], band_constant=1.1).tolist()
    [inf, 14.0, 5.0]
    """
    frequencies = _check_frequency(frequency)
    return np.array([_stopping_k(gap, band_constant) for gap in frequencies.max() - frequencies])


def leads(frequency: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By how much each label is behind all top labels in balls that grow, and whether none of these is overtaken.

    ``frequency`` (J, C) are label frequencies of J balls around a point; the first is the point itself. Returns leads
    (J, C), NaN for top labels, and (J,) bool: whether in this ball and all smaller ones each other label is behind each
    top label.
    """
    frequency = checks.check_fractions("frequency", frequency)
    top = frequency[0] >= frequency[0].max() - TIE_TOL
    behind = np.where(top, np.nan, frequency[:, top].min(axis=1)[:, None] - frequency)
    ahead = ~(behind <= 0).any(axis=1)
    return behind, np.logical_and.accumulate(ahead)


def guaranteed_eliminations(frequency: np.ndarray, ks: np.ndarray, band_constant: float) -> np.ndarray:
    """The k (C,) by which each label is eliminated if fractions deviate by half the band at most, or infinity.

    It is the first ball in which all top labels lead a label by twice the band, if none is overtaken by then. Half the
    band is what Lemma C.5 allows with probability 1 - delta^2 / 2, for the c1 of the proof. ``frequency`` (J, C) is as
    in ``leads``, and ``ks`` (J,) are the neighbors that the balls hold, ascending from 0.

    Source: the proof of Theorem 3.2 in Errandonea et al. for each label alone, as section 3.2 suggests.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import guaranteed_eliminations
    >>> import numpy as np
    >>> frequency = np.array([[0.6, 0.3, 0.1]] * 4)
    >>> guaranteed_eliminations(frequency, ks=np.array([0, 20, 50, 100]), band_constant=1).tolist()
    [inf, 50.0, 20.0]
    """
    behind, ahead = leads(frequency)
    ks = checks.check_numbers("ks", ks)
    if ks.shape != (len(behind),) or ks[0] != 0 or not (np.diff(ks) > 0).all():
        raise ValueError(f"ks must ascend from 0, one for each of {len(behind)} balls")
    # Roots in place of fractions: at the point itself the band is infinite.
    band_constant = checks.check_positive("band_constant", band_constant)
    reached = ahead[:, None] & (behind * np.sqrt(ks)[:, None] >= 2 * band_constant)
    return np.where(reached.any(axis=0), ks[reached.argmax(axis=0)], inf)


def _stopping_k(gap: float, band_constant: float) -> float:
    band_constant = checks.check_positive("band_constant", band_constant)
    # Decimals such as 0.1 are not exact: a gap that is only rounding counts as 0, and a k within rounding of an integer
    # is that integer.
    return ceil((band_constant / gap) ** 2 * (1 - 1e-12)) if gap > 1e-12 else inf


def _check_frequency(values: Sequence[float]) -> np.ndarray:
    return checks.check_fractions("frequency", np.asarray(values)[None])[0]
