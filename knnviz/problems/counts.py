"""How many classes of a prior a sample is expected to hold, and how many of them once."""

from collections.abc import Sequence

import numpy as np

from knnviz import checks


def expected_seen(prior: Sequence[float], n: int) -> float:
    """How many classes of a prior (C,) a sample of n >= 1 points is expected to hold: the sum of 1 - (1 - p_c)^n.

    Raises ValueError for what is no prior, and for n below 1. Source: Khim et al., section 6.

    Examples
    --------
    >>> from knnviz.problems import expected_seen
    >>> expected_seen([0.5, 0.5], n=2)
    1.5
    """
    fractions, n = _checked(prior, n)
    return float((1 - (1 - fractions) ** n).sum())


def expected_singletons(prior: Sequence[float], n: int) -> float:
    """How many of n >= 1 points are expected to be the only one of their class: the sum of n p_c (1 - p_c)^(n - 1).

    Such a point has no neighbor of its own class. Errors and source are those of ``expected_seen``.

    Examples
    --------
    >>> from knnviz.problems import expected_singletons
    >>> expected_singletons([0.5, 0.5], n=2)
    1.0
    """
    fractions, n = _checked(prior, n)
    return float((n * fractions * (1 - fractions) ** (n - 1)).sum())


def _checked(prior: Sequence[float], n: int) -> tuple[np.ndarray, int]:
    fractions = checks.check_numbers("prior", prior)
    return checks.check_weights(fractions, fractions.size, "prior"), checks.check_int("n", n, 1)
