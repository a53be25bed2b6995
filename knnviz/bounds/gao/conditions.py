"""Conditions that several theorems share."""

from knnviz import checks
from knnviz.corruption import LabelNoise


def check_sizes(statement: str, n: int, k: int, min_votes: int) -> tuple[int, int]:
    """Return n and k, or raise ValueError unless min_votes <= k <= n."""
    n = checks.check_int("n", n, 1)
    return n, check_votes(statement, checks.check_k(k, n), min_votes)


def check_votes(statement: str, k: int, min_votes: int) -> int:
    """Return k, or raise ValueError below ``min_votes``."""
    if k < min_votes:
        raise ValueError(f"k must be at least {min_votes} for {statement}, got {k}")
    return k


def check_bayes_risk(bayes_risk: float) -> float:
    """Return the Bayes risk of two classes, or raise ValueError outside [0, 1/2]."""
    return float(checks.check_real("bayes_risk", bayes_risk, 0, 0.5))


def check_symmetric(theorem: str, noise: LabelNoise) -> float:
    """Return the flip rate of symmetric noise, or raise ValueError if p0 != p1."""
    if noise.p0 != noise.p1:
        raise ValueError(f"{theorem} needs p0 = p1 < 1/2, got p0 = {noise.p0:g} and p1 = {noise.p1:g}")
    return float(noise.p0)
