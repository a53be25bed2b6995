"""Linear scores learned from bags: Adam's steps in plain code, and columns on any scale."""

import numpy as np
import pytest
from test_losses import EVERY

from knnviz_papers.errandonea.linear_rivals import (
    LINEAR_LOSSES,
    LinearPartialLabelClassifier,
    linear_rival,
)

RNG = np.random.default_rng(4)
#: Three clouds, and bags of them with noise and an empty one.
N = 200
Y = RNG.integers(0, 3, 200)
CENTERS = np.array([[2.5, 0], [0, 2.5], [-2, -2]])
X = RNG.normal(size=(N, 2)) + CENTERS[Y]
BAGS = RNG.random((N, 3)) < 0.3
NOISY = np.where(RNG.random(N) < 0.2, RNG.integers(0, 3, N), Y)
BAGS[np.arange(N), NOISY] = True
BAGS[0] = False


def stepped(loss, rate, epochs, cost):
    """Adam as printed (Kingma and Ba, Algorithm 1); weights are renewed from epoch 2 on."""
    ones = np.column_stack([X, np.ones(N)])
    costs = cost * np.array([1, 1, 0])
    theta = np.zeros((3, 3))
    m = 0
    v = 0
    weights = loss.start(BAGS)
    for t in range(1, epochs + 1):
        F = ones @ theta.T
        if t > 1:
            weights = loss.renew(F, BAGS)
        g = loss.gradient(F, BAGS, weights).T @ ones + costs * theta
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g**2
        theta = theta - rate * m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
    return theta


@pytest.mark.parametrize("loss", EVERY)
def test_steps_are_those_of_adam(loss):
    options = {"learning_rate": 0.02, "epochs": 25, "alpha": 0.03}
    fitted = LinearPartialLabelClassifier(loss, **options).fit(X, BAGS)
    found = np.column_stack([fitted.coef_, fitted.intercept_])
    assert found == pytest.approx(stepped(loss, 0.02, 25, 0.03), abs=1e-9)


@pytest.mark.parametrize("name", LINEAR_LOSSES)
def test_most_labels_are_right_on_any_scale_of_columns(name):
    rival = linear_rival(LINEAR_LOSSES[name])
    stretched = X * [1e3, 1e-3] + [5, -7]
    labels = rival.fit(stretched, BAGS).predict(stretched)
    assert np.mean(labels == Y) > 0.9
