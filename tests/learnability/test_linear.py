"""Linear scores learned from bags: Adam's steps in plain code, and threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from refusals import refuses
from sklearn.preprocessing import StandardScaler
from test_losses import EVERY
from threadpoolctl import threadpool_info

from knnviz.learnability import CLPL, LINEAR_METHODS, LWS, Linear

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


def stepped(method):
    """Adam as printed (Kingma and Ba, Algorithm 1); weights are renewed from epoch 2 on."""
    rate = method.learning_rate
    cost = method.alpha
    W = np.zeros((3, 2))
    b = np.zeros(3)
    m = [0 * W, 0 * b]
    v = [0 * W, 0 * b]
    losses = []
    weights = method.loss._start(BAGS)
    for t in range(1, method.max_iter + 1):
        F = X @ W.T + b
        if t > 1:
            weights = method.loss._renew(F, BAGS)
        value, gradient = method.loss(F, BAGS, weights)
        losses.append(value + cost / 2 * np.sum(W**2))
        gradients = (gradient.T @ X + cost * W, gradient.sum(axis=0))
        for index, held in enumerate((W, b)):
            g = gradients[index]
            m[index] = 0.9 * m[index] + 0.1 * g
            v[index] = 0.999 * v[index] + 0.001 * g**2
            mean = m[index] / (1 - 0.9**t)
            square = v[index] / (1 - 0.999**t)
            held -= rate * mean / (np.sqrt(square) + 1e-8)
    return W, b, np.array(losses)


@pytest.mark.parametrize("loss", EVERY)
def test_steps_are_those_of_adam(loss):
    method = Linear(loss, learning_rate=0.02, max_iter=25, alpha=0.03)
    wanted = stepped(method)
    for mine, by_hand in zip(method.learn(X, BAGS), wanted, strict=True):
        assert mine == pytest.approx(by_hand, abs=1e-9)


@pytest.mark.parametrize("name", LINEAR_METHODS)
def test_most_labels_are_right_on_any_scale_of_columns(name):
    method = LINEAR_METHODS[name]
    stretched = X * [1e3, 1e-3] + [5, -7]
    labels = method.labels(stretched, BAGS, stretched)
    assert np.mean(labels == Y) > 0.9

    scaled = StandardScaler().fit_transform(X)
    scores = method.learn(scaled, BAGS).scores(scaled)
    assert np.array_equal(labels, scores.argmax(axis=1))


def test_scores_that_overflow_are_an_error():
    method = Linear(CLPL(), 1e155)
    far = 1e149 * np.eye(3)
    refuses("scores overflowed: .* below 1e.155", method.learn, far, np.eye(3, dtype=bool))


def test_parallel_fits_are_equal_and_leave_the_threads_of_linear_algebra_as_they_were():
    def threads():
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    before = threads()
    method = Linear(LWS(), max_iter=20)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: method.learn(X, BAGS), range(12)))
    assert threads() == before
    for each in found:
        assert np.array_equal(each.coef, found[0].coef)
