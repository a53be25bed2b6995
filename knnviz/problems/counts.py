"""Expected numbers of classes in a sample, and of classes with a single point."""

from collections.abc import Sequence

import numpy as np

from knnviz import checks


def expected_seen(prior: Sequence[float], n: int) -> float:
    """The expected number of classes in a sample of n >= 1 points, for a prior (C,): the sum of 1 - (1 - p_c)^n.

    Raises ValueError for a prior that does not sum to 1, and for n below 1.

    Examples
    --------
    >>> from knnviz.problems import expected_seen
    >>> expected_seen([0.5, 0.5], n=2)
    1.5
    """
    p, n = _checked(prior, n)
    return float((1 - (1 - p) ** n).sum())


def expected_singletons(prior: Sequence[float], n: int) -> float:
    """The expected number of points, of n >= 1, that are alone in their class: the sum of n p_c (1 - p_c)^(n - 1).

    Such a point has no neighbor of its own class (Khim et al., section 1). Errors are those of ``expected_seen``.

    Examples
    --------
    >>> from knnviz.problems import expected_singletons
    >>> expected_singletons([0.5, 0.5], n=2)
    1.0
    """
    p, n = _checked(prior, n)
    return float((n * p * (1 - p) ** (n - 1)).sum())


def _checked(prior: Sequence[float], n: int) -> tuple[np.ndarray, int]:
    p = checks.check_numbers("prior", prior)
    return checks.check_weights(p, p.size, "prior"), checks.check_int("n", n, 1)
