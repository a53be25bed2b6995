"""How far confusion entries are off, for all weights or thresholds at once: Theorem 5 and Proposition 3.

The bounds take masses of the error band, which only a known distribution gives: they cannot be computed from data.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, sqrt

import numpy as np

from knnviz import checks
from knnviz.bounds.khim.arguments import ROUNDING

#: A mass of the error band, or one for each class or threshold.
Masses = float | Sequence[float] | np.ndarray


@dataclass(frozen=True, eq=False)
class EntryErrors:
    """With probability 1 - delta the empirical entries are within these of the population ones.

    ``tn``, ``fn``, ``fp`` and ``tp`` are by class, by threshold, or (1,) where one mass was given: three times that
    mass, plus ``sampling``, which is the same in all four. Made by ``theorem_5`` and ``proposition_3``.
    """

    tn: np.ndarray
    fn: np.ndarray
    sampling: float

    @property
    def fp(self) -> np.ndarray:
        """As ``tn``: a negative that is no longer true is a false positive."""
        return self.tn

    @property
    def tp(self) -> np.ndarray:
        return self.fn

    @property
    def vacuous(self) -> np.ndarray:
        """Whether the bounds of each class or threshold are trivial: even the smaller one reaches 1."""
        return np.minimum(self.tn, self.fn) >= 1


def theorem_5(n: int, delta: float, *, n_classes: int, cover_size: int, tne: Masses, fne: Masses) -> EntryErrors:
    """Errors of the confusion entries at all covered weights: 3 times the mass of the error band, and a sampling term.

    E_TN = E_FP = 3 tne + 3 sqrt((log(24 N / delta) + 2 log C) / (2 n)), and E_FN = E_TP with fne. They hold together
    with probability 1 - delta if, at this n, the uniform error of eta-hat is at most the epsilon of the band with
    probability 1 - delta / 2.

    Source: Khim et al., Theorem 5.

    Parameters
    ----------
    cover_size : int
        N, the number of weights in the cover, at least 1.
    tne, fne : float or array (C,)
        In [0, 1], as many of both, one for each class or one in all: ``regions.error_band(...).errors``.

    Examples
    --------
    >>> from knnviz.bounds.khim import theorem_5
    >>> errors = theorem_5(n=1_000_000, delta=0.05, n_classes=3, cover_size=100, tne=[0.01, 0.02, 0.03], fne=[0, 0, 0])
    >>> round(errors.sampling, 4)
    0.0076
    >>> errors.tn.round(4).tolist()
    [0.0376, 0.0676, 0.0976]
    """
    n_classes = checks.check_int("n_classes", n_classes, 2)
    bands = _check_bands(tne, fne)
    if len(bands[0]) not in (1, n_classes):
        raise ValueError(f"tne and fne must hold one mass or {n_classes}, got {len(bands[0])}")
    if not np.isfinite(bands).all():
        raise ValueError(f"tne and fne must be finite in Theorem 5, got {tne!r} and {fne!r}")
    return _errors(n, delta, 24 * checks.check_int("cover_size", cover_size, 1), 2 * log(n_classes), bands)


def proposition_3(n: int, delta: float, *, cover_size: int, tne: Masses, fne: Masses) -> EntryErrors:
    """Errors of the entries of class 1 of two at all thresholds: 3 times the mass of the band, and a sampling term.

    E_TN = E_FP = 3 tne + 3 sqrt(log(48 N / delta) / (2 n)), and E_FN = E_TP with fne. They hold under the condition of
    ``theorem_5``.

    Source: Khim et al., Proposition 3, with the 48 of its result.

    Parameters
    ----------
    cover_size : int
        N, the number of thresholds, at least 1.
    tne, fne : float or array
        As many of both: masses in [0, 1] of the band between two thresholds around the one in use, ``threshold_mass``;
        infinite without two such thresholds.

    Examples
    --------
    >>> from knnviz.bounds.khim import proposition_3
    >>> errors = proposition_3(n=1_000_000, delta=0.05, cover_size=101, tne=0.01, fne=0.02)
    >>> round(errors.sampling, 4)
    0.0072
    >>> errors.tn.round(4).tolist(), errors.fn.round(4).tolist()
    ([0.0372], [0.0672])
    """
    return _errors(n, delta, 48 * checks.check_int("cover_size", cover_size, 1), 0.0, _check_bands(tne, fne))


def _errors(n: int, delta: float, events: int, log_classes: float, bands: np.ndarray) -> EntryErrors:
    log_term = log(events / checks.check_failure_probability(delta)) + log_classes
    sampling = 3 * sqrt(log_term / (2 * checks.check_int("n", n, 1)))
    tn, fn = 3 * bands + sampling
    return EntryErrors(tn, fn, sampling)


def _check_bands(tne: Masses, fne: Masses) -> np.ndarray:
    """tne and fne (2, C), or (2, 1) from one of each."""
    bands = _check_masses("tne", tne), _check_masses("fne", fne)
    if len(bands[0]) != len(bands[1]):
        raise ValueError(f"tne and fne must hold as many masses, got {len(bands[0])} and {len(bands[1])}")
    return np.array(bands)


def _check_masses(name: str, values: Masses) -> np.ndarray:
    masses = np.atleast_1d(checks.check_numbers(name, values))
    if masses.ndim != 1 or not len(masses) or not (((masses >= 0) & (masses <= 1 + ROUNDING)) | (masses == inf)).all():
        raise ValueError(f"{name} must hold masses between 0 and 1, got {values!r}")
    return masses
