"""Cover & Hart's inequality around the limit of 1-NN."""

import numpy as np
import pytest

from knnviz import checkerboard, risk
from knnviz.bounds import cover_hart
from knnviz.problems import bump, gaussians, jump, linear, power, waves


@pytest.mark.parametrize(
    "problem", [checkerboard(), bump(), linear(1), power(2), waves(), gaussians(4)], ids=lambda problem: problem.name
)
def test_the_limit_lies_within(problem):
    lower, upper = cover_hart.interval(problem.bayes_risk(), problem.n_classes)
    assert lower <= risk.one_nn_limit(problem) <= upper + 1e-12


@pytest.mark.parametrize("a", [0, 0.1, 0.3, 0.5])
def test_two_classes(a):
    """2 R* (1 - R*), which a problem of equal uncertainty everywhere attains."""
    lower, upper = cover_hart.interval(0.5 - a)
    assert (lower, upper) == (0.5 - a, pytest.approx(2 * (0.5 - a) * (0.5 + a)))
    assert risk.one_nn_limit(jump(a)) == pytest.approx(upper)


@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_ends_meet_where_nothing_or_everything_is_known(n_classes):
    most = (n_classes - 1) / n_classes
    assert cover_hart.interval(0, n_classes) == (0, 0)
    assert cover_hart.interval(most, n_classes) == pytest.approx((most, most))
    between = np.array([cover_hart.interval(each, n_classes) for each in np.linspace(0, most, 9)[1:-1]])
    assert (between[:, 0] < between[:, 1]).all()


def test_refusals():
    with pytest.raises(ValueError, match=r"bayes_risk must be between 0 and 0\.5, got 0\.6"):
        cover_hart.interval(0.6)
    with pytest.raises(ValueError, match="n_classes must be between 2 and 255, got 1"):
        cover_hart.interval(0.1, 1)
