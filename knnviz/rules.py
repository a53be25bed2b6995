"""Decision rules read off profiles.

The protocol: ``rule.fit(train, observed, k, n_classes)`` gives a rule that knows the training points;
``rule.predict(profile, k)`` returns class codes uint8, one for each row of votes.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol, Self

import numpy as np

from knnviz import checks, kernels
from knnviz.neighbors import NeighborTable
from knnviz.profiles import Votes
from knnviz.windows import Windows

#: The training points among themselves, found out only for rules that estimate.
Train = NeighborTable | Windows | None


class Rule(Protocol):
    """What risk curves, labs and estimators ask of a rule."""

    #: Whether fit reads the training points. A rule that does also has ``reach(k)``: how many neighbors of each
    #: training point, itself among them, fit reads at k.
    estimates: ClassVar[bool]

    def fit(self, train: Train, observed: np.ndarray, k: int, n_classes: int) -> Self:
        """The rule, with what it estimates from the training points among themselves.

        ``profiles.training_votes(train, observed, n_classes)`` reads ``train`` whichever kind it is; it is None when no
        rule at hand estimates.
        """

    def predict(self, profile: Votes, k: int) -> np.ndarray:
        """Class codes (m,) from the votes at k, a row for each of m queries or windows."""


@dataclass(frozen=True)
class Vote:
    """Plain k-nearest-neighbor vote: with two classes class 1 on a tie, with more the smallest class."""

    estimates: ClassVar[bool] = False

    def fit(self, train: Train, observed: np.ndarray, k: int, n_classes: int) -> Self:
        """The rule itself: a vote estimates nothing beforehand."""
        return self

    def predict(self, profile: Votes, k: int) -> np.ndarray:
        """Class codes (m,) uint8 of the majority among the k nearest."""
        if profile.n_classes == 2:
            return Threshold(Fraction(1, 2)).predict(profile, k)
        votes = profile.at(k)
        labels = np.empty(len(votes), np.uint8)
        kernels.most_votes(votes.T, labels)
        return labels


@dataclass(frozen=True)
class Threshold:
    """Class 1 iff its share among the k nearest reaches a cut in [0, 1]; a tie gives class 1.

    The comparison is exact: a float counts as the decimal number that a reader typed. Raises ValueError for a cut
    outside [0, 1], and on profiles of more than two classes.
    """

    estimates: ClassVar[bool] = False

    cut: float | Fraction

    def __post_init__(self) -> None:
        checks.real("cut", self.cut, 0, 1)

    @classmethod
    def from_rates(cls, p0: float, p1: float) -> Self:
        """The cut (1 + p0 - p1) / 2 that undoes label noise of known flip rates (Gao et al., section 4)."""
        p0, p1 = checks.flip_rates(p0, p1)
        return cls((1 + exact(p0) - exact(p1)) / 2)

    def needed(self, k: int) -> int:
        """Fewest votes of class 1 among k that reach the cut."""
        share = exact(self.cut) * checks.whole("k", k, 1)
        return -(-share.numerator // share.denominator)

    def fit(self, train: Train, observed: np.ndarray, k: int, n_classes: int) -> Self:
        """The rule itself: its cut is given."""
        _check_two(n_classes)
        return self

    def predict(self, profile: Votes, k: int) -> np.ndarray:
        """Class codes (m,) uint8 at the k nearest."""
        _check_two(profile.n_classes)
        return (profile.at(k)[:, 1] >= self.needed(k)).view(np.uint8)


def _check_two(n_classes: int) -> None:
    if n_classes != 2:
        raise ValueError(f"a threshold decides between two classes, got {n_classes}")


def exact(number: float | Fraction) -> Fraction:
    """A typed number as the decimal it was meant to be; a Fraction as it is."""
    return number if isinstance(number, Fraction) else Fraction(str(round(float(number), 12)))
