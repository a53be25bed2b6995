"""Conditions of bounds on their distribution."""

from knnviz.problems import Dataset, Problem
from knnviz.profiles import BallProfile


def check_known_distribution(distribution: Problem | BallProfile) -> None:
    """Raise ValueError unless this is a known distribution, or balls in one."""
    if isinstance(distribution, Dataset):
        raise ValueError(f"the bound needs a known distribution, but {distribution.name} is data")


def check_two_classes(distribution: Problem | BallProfile) -> None:
    """Raise ValueError unless this is a known distribution of two classes, or balls in one."""
    check_known_distribution(distribution)
    if distribution.n_classes != 2:
        raise ValueError(f"the bound is for two classes, got {distribution.n_classes}")


def check_line(problem: Problem) -> None:
    """Raise ValueError unless a problem is a known distribution with a density on a line."""
    check_known_distribution(problem)
    if problem.dimension != 1 or problem.atoms is not None:
        raise ValueError(f"this needs a density on a line, which {problem.name} does not have")
