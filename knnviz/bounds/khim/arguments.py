"""Checks of arguments that several bounds take, and a logarithm that they share."""

from math import log

from knnviz import checks

#: By how much a sum of probabilities may exceed 1.
ROUNDING = 1e-9


def check_margin(exponent: float, constant: float) -> tuple[float, float]:
    """Return beta in [0, 100] and its constant M, above 0 and at most 1e100, or raise ValueError.

    M may be below 1: with weights s times as large it is s^-beta times as large.
    """
    beta = checks.check_real("margin exponent beta", exponent, 0, 100)
    return float(beta), checks.check_positive("margin constant M", constant, 1e100)


def check_fraction(name: str, value: float) -> float:
    """Return a fraction in [0, 1], or raise ValueError; a rounding error above 1 counts as 1."""
    return min(1.0, float(checks.check_real(name, value, 0, 1 + ROUNDING)))


def confidence_term(n_classes: int, delta: float) -> float:
    """log C + 2 log(2 / delta): weighted fractions of k votes deviate by up to q_max sqrt(2 / k times this)."""
    return log(n_classes) + 2 * log(2 / checks.check_failure_probability(delta))
