"""What the proofs need of their constants, and the step for which the printed one is too small."""

from dataclasses import dataclass
from math import e, log, sqrt
from typing import NamedTuple

from scipy.special import lambertw

from knnviz import checks
from knnviz.rules import PartialAdaptive

#: Largest c0 and c2, so that the square stays finite.
LARGEST = 1e100


def log_term(n_classes: int, delta: float) -> float:
    """log(C / delta)."""
    return log(checks.check_int("n_classes", n_classes, 2) / checks.check_failure_probability(delta))


def least_c1(vc_dimension: int = 1) -> float:
    """What c1 must exceed in the proofs: 2 sqrt(4000 (d0 + 1) log 8), 257.96 for a guarantee at one point.

    d0 is 1 at one point (Theorem 3.2), and the VC dimension of balls for all points together (Theorem 3.3).

    Source: Errandonea et al., proof of Lemma C.5.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import least_c1
    >>> round(least_c1(), 2)
    257.96
    """
    return 2 * sqrt(4000 * (checks.check_int("vc_dimension", vc_dimension, 1) + 1) * log(8))


@dataclass(frozen=True)
class ProofConstants:
    """c1 of the band, c0 of Lemma C.3, and c2 = max(c1, 1/4) sqrt(1 + c0) of the proofs.

    Made by ``proof_constants``.
    """

    c1: float
    c0: float
    vc_dimension: int

    @property
    def c2(self) -> float:
        return max(self.c1, 0.25) * sqrt(1 + self.c0)

    @property
    def constant(self) -> float:
        """C' = 16 c2^2 of the theorems, as printed; ``repaired_constant`` is one with which the proof goes through."""
        return 16 * self.c2**2

    @property
    def proved(self) -> bool:
        return self.c1 > least_c1(self.vc_dimension)

    def least_k(self, n: int, n_classes: int, delta: float) -> int:
        """The smallest k at which any label can be eliminated; if it exceeds n, the guarantee is vacuous."""
        return PartialAdaptive(self.c1, delta, vc_dimension=self.vc_dimension).least_k(n, n_classes)


def proof_constants(c1: float | None = None, c0: float = 1.0, vc_dimension: int = 1) -> ProofConstants:
    """The constants that go with c1 of the band, above 0 and at most 1e6.

    By default c1 is ``least_c1(vc_dimension)``, the infimum of the proofs, which must still exceed it.

    Source: Errandonea et al., proofs of Theorems 3.2 and 3.3.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import proof_constants
    >>> used, needed = proof_constants(c1=0.5), proof_constants(c1=258)
    >>> round(used.constant, 4), used.proved, needed.proved
    (8.0, False, True)
    >>> [constants.least_k(56_000, 10, 0.1) for constants in (used, needed)]
    [4, 1034290]
    """
    least = least_c1(vc_dimension)
    c1 = least if c1 is None else checks.check_positive("c1", c1, 1e6)
    return ProofConstants(c1, float(checks.check_real("c0", c0, 0, LARGEST)), vc_dimension)


class Step(NamedTuple):
    """Whether n points of a given advantage suffice for a step of the proof: ``lhs``, n adv, is at least ``rhs``."""

    n: float
    lhs: float
    rhs: float

    @property
    def holds(self) -> bool:
        return self.lhs >= self.rhs


def step_5_to_12(n_classes: int, delta: float, advantage: float, c2: float, constant: float | None = None) -> Step:
    """From (5) to (12) in the proof of Theorem 3.2: n adv >= 4 c2^2 (log n + log(C / delta)) at its n.

    n = (constant / adv) max{log(1 / adv), log(C / delta)}. With the printed constant 16 c2^2, the default, the step can
    fail, as log n holds the logarithm of the constant itself. The advantage is above 0, and so is c2, that of
    ``ProofConstants``, at most 1e100.

    Source: Errandonea et al., proof of Theorem 3.2.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import step_5_to_12
    >>> step = step_5_to_12(n_classes=2, delta=0.05, advantage=0.1, c2=20)
    >>> round(step.lhs, 2), round(step.rhs, 2)
    (23608.83, 25697.34)
    >>> step.holds
    False
    """
    advantage, c2 = checks.check_positive("advantage", advantage, 1), checks.check_positive("c2", c2, LARGEST)
    of_classes = log_term(n_classes, delta)
    constant = 16 * c2**2 if constant is None else checks.check_positive("constant", constant)
    n = constant / advantage * max(-log(advantage), of_classes)
    return Step(n, n * advantage, 4 * c2**2 * (log(n) + of_classes))


def repaired_constant(c2: float) -> float:
    """A constant C' with which (12) follows from (5), for every advantage, number of classes, delta and larger n.

    The solution of C' = 4 c2^2 (2 + (log C' + log log 2) / log 2), as log(C / delta) > log 2, by Lambert's W; or
    e / log 2 if that is larger. From c2 = 0.61 on it exceeds 16 c2^2, and it is no multiple of c2^2. c2 is from 0.25 to
    1e100.

    Source: ours, in the place of 16 c2^2 in Errandonea et al.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import repaired_constant, step_5_to_12
    >>> constant = repaired_constant(c2=20)
    >>> round(constant, 1), 16 * 20**2
    (25802.3, 6400)
    >>> step_5_to_12(n_classes=2, delta=0.05, advantage=0.1, c2=20, constant=constant).holds
    True
    """
    factor = 4 * float(checks.check_real("c2", c2, 0.25, LARGEST)) ** 2
    # Where there is no solution, W is complex and its real part so small that e / log 2 is larger.
    return max(e / log(2), -factor / log(2) * float(lambertw(-1 / (4 * factor), -1).real))


def mass_cap(n: int, max_neighbors: int) -> float:
    """A = T / n, the largest mass that an advantage can count if only T of n neighbors, from 1 to n, are considered.

    Source: Errandonea et al., condition (4), T_n >= A n.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import mass_cap
    >>> mass_cap(n=1000, max_neighbors=250)
    0.25
    """
    n = checks.check_int("n", n, 1)
    return checks.check_int("max_neighbors", max_neighbors, 1, n) / n
