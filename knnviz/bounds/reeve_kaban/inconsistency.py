"""The excess risk that a learner cannot avoid if it takes noisy labels for true ones."""

import numpy as np

from knnviz import regions
from knnviz.bounds.distribution_checks import check_two_classes
from knnviz.corruption import LabelNoise
from knnviz.problems import Problem
from knnviz.problems.base import FINE_GRID


def theorem_5_1(problem: Problem, noise: LabelNoise, resolution: int | None = None) -> float:
    """Least excess risk that a learner which is consistent for noisy labels tends to: ``E[|2 eta - 1|; A_0]``.

    By the theorem such a learner is inconsistent for the true labels if A_0 has mass. The amount: consistency drives it
    to the Bayes rule of the noisy labels, which is wrong on A_0 and loses ``|2 eta - 1|`` there. Where eta_corr is
    exactly 1/2 any prediction is consistent: the limit of kNN, ``risk.vote_limit``, can lie above R* plus this.

    The grid is fine by default. ValueError for real data and for more than two classes.

    Source: Reeve & Kaban, Theorem 5.1, which states that the learner is inconsistent; the amount is ours.

    Examples
    --------
    A_0 is the interval of length 5/24 right of 1/2. The integral of ``|2 eta - 1| = 1.6 (x - 1/2)`` over it is
    0.8 (5/24)^2.

    >>> from knnviz import LabelNoise
    >>> from knnviz.bounds.reeve_kaban import theorem_5_1
    >>> from knnviz.problems import linear
    >>> round(theorem_5_1(linear(0.8), LabelNoise(0.1, 0.3)), 4)
    0.0347
    """
    check_two_classes(problem)
    measure, eta = problem.cells(FINE_GRID[problem.dimension] if resolution is None else resolution)
    misled = regions.misled_points(eta, noise.corrupt(eta))
    return float(measure.weights @ np.where(misled, abs(2 * eta[:, 1] - 1), 0))
