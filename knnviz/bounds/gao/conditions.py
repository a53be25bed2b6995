"""Conditions that several theorems share."""

from knnviz import checks
from knnviz.corruption import LabelNoise


def sizes(theorem: str, n: int, k: int, least: int) -> tuple[int, int]:
    n = checks.check_int("n", n, 1)
    return n, votes(theorem, checks.check_k(k, n), least)


def votes(statement: str, k: int, least: int) -> int:
    if k < least:
        raise ValueError(f"k must be at least {least} for {statement}, got {k}")
    return k


def risk_of_two(bayes_risk: float) -> float:
    return float(checks.check_real("bayes_risk", bayes_risk, 0, 0.5))


def one_rate(theorem: str, noise: LabelNoise) -> float:
    """The flip rate of symmetric noise, below 1/2 since the rates of both classes sum to less than 1."""
    if noise.p0 != noise.p1:
        raise ValueError(f"{theorem} needs p0 = p1 < 1/2, got p0 = {noise.p0:g} and p1 = {noise.p1:g}")
    return float(noise.p0)
