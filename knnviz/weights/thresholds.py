"""Two classes and all thresholds between them at once: entries, precision and recall, and where F1
is largest.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from knnviz.checks import (
    SUM_TOL,
    TIE_TOL,
    as_array,
    check_int,
    check_numbers,
    check_range,
    check_weights,
    check_whole_numbers,
    require,
)
from knnviz.weights.entries import Entries


@dataclass(frozen=True, eq=False)
class Thresholds:
    """Confusion entries of class 1 of two at every threshold t: class 1 is predicted where its
    fraction reaches t.

    That is the decision under q = (t, 1 - t), since q_1 fraction >= q_0 (1 - fraction) there.
    ``levels`` (J,) are ascending fractions that include all that occur, up to rounding. ``below``
    (2, J + 1) are the masses of class 0 and of class 1 where the fraction is below each level, and
    in the last column their total masses. Source: Khim et al., appendix C.

    Examples
    --------
    >>> from knnviz.weights import Thresholds
    >>> thresholds = Thresholds.from_fractions([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9])
    >>> thresholds.at(0.5).f1.item()
    0.5
    >>> thresholds.best()
    (0.8, 0.1, 0.4)
    """

    levels: np.ndarray
    below: np.ndarray

    @classmethod
    def from_fractions(
        cls, truth: np.ndarray, fractions: np.ndarray, *, weights: np.ndarray | None = None
    ) -> Self:
        """Entries from fractions of class 1 (m,) in [0, 1], as ``confusion`` gives them from those
        of both classes.

        ``truth`` (m,) holds class codes 0 and 1, which are counted, or probabilities of class 1;
        ``weights`` (m,) are those of the points, 1 / m each by default.
        """
        m = as_array("fractions", fractions).size
        fractions = _check_fractions("fractions", fractions, m)
        levels, positions = np.unique(fractions, return_inverse=True)
        # Of fractions that ``at`` does not tell apart, the largest is the level of all.
        largest = np.append(np.diff(levels) > TIE_TOL, True)
        merged = np.cumsum(largest) - largest
        return cls._counted(truth, levels[largest], merged[positions], weights)

    @classmethod
    def from_votes(
        cls, truth: np.ndarray, votes: np.ndarray, k: int, *, weights: np.ndarray | None = None
    ) -> Self:
        """As ``from_fractions`` from votes / k, without sorting: ``votes`` (m,) are from 0 to k."""
        k = check_int("k", k, 1)
        votes = check_whole_numbers("votes", votes)
        if votes.ndim != 1 or not votes.size:
            raise ValueError(f"votes must be counts (m,), got shape {votes.shape}")
        check_range("votes", votes, 0, k)
        levels = np.arange(k + 1) / k
        return cls._counted(truth, levels, votes, weights)

    @classmethod
    def _counted(
        cls,
        truth: np.ndarray,
        levels: np.ndarray,
        positions: np.ndarray,
        weights: np.ndarray | None,
    ) -> Self:
        m = len(positions)
        # Booleans are codes.
        if as_array("truth", truth).dtype == bool:
            truth = np.add(truth, 0)
        truth = _check_fractions("truth", truth, m)
        # Counts stay whole numbers until they are divided, so that equal decisions have equal
        # scores.
        point_weights = np.ones(m) if weights is None else check_weights(weights, m)
        of_zeros = point_weights * (1 - truth)
        of_ones = point_weights * truth
        below = np.zeros((2, len(levels) + 1))
        for row, mass in zip(below, (of_zeros, of_ones), strict=True):
            at_levels = np.bincount(positions, mass, minlength=len(levels))
            np.cumsum(at_levels, out=row[1:])
        if weights is None:
            below /= m
        return cls(levels, below)

    @property
    def prevalence(self) -> float:
        """P(Y = 1), in [0, 1]."""
        return float(self.below[1, -1])

    def at(self, t: np.ndarray | float) -> Entries:
        """Entries at thresholds t in [0, 1], of any shape; fractions within 1e-12 of t reach it."""
        t = check_numbers("t", t)
        require(t.size, "t must hold a threshold, got none")
        check_range("t", t, 0, 1)
        return self._at(np.searchsorted(self.levels, t - TIE_TOL))

    def best(self) -> tuple[float, float, float]:
        """The largest F1 and two thresholds t1 <= t2: every t in (t1, t2] reaches it. Of several
        intervals, the first.

        If the lowest level reaches it, t1 is 0, and t = 0 reaches it, too. Thresholds beyond the
        largest level, where class 1 is never predicted, do not count.
        """
        # At the levels are all entries that thresholds up to the largest fraction can give.
        scores = self._at(np.arange(len(self.levels))).f1
        first = last = int(scores.argmax())
        while last + 1 < len(scores) and scores[last + 1] == scores[first]:
            last += 1
        t1 = float(self.levels[first - 1]) if first else 0.0
        t2 = float(self.levels[last])
        return float(scores[first]), t1, t2

    def _at(self, positions: np.ndarray) -> Entries:
        """Entries with the thresholds at these positions among the levels."""
        (tn, fn) = self.below[:, positions]
        (zeros, ones) = self.below[:, -1]
        return Entries(tn, fn, zeros - tn, ones - fn)


def _check_fractions(name: str, values: np.ndarray, m: int) -> np.ndarray:
    """Numbers (m,) in [0, 1], up to rounding; or ValueError."""
    values = check_numbers(name, values)
    if not m or values.shape != (m,):
        raise ValueError(f"{name} must hold one number for each of {m} points, got {values.shape}")
    check_range(name, values, 0, 1, SUM_TOL)
    return values
