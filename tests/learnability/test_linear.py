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
X = RNG.normal(size=(N, 2)) + np.array([[2.5, 0], [0, 2.5], [-2, -2]])[Y]
BAGS = RNG.random((N, 3)) < 0.3
BAGS[np.arange(N), np.where(RNG.random(N) < 0.2, RNG.integers(0, 3, N), Y)] = True
BAGS[0] = False


def stepped(method):
    """Adam as it is printed (Kingma and Ba, Algorithm 1), weights renewed before each epoch but the
    first.
    """
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
        for index, (held, g) in enumerate(
            ((W, gradient.T @ X + cost * W), (b, gradient.sum(axis=0)))
        ):
            m[index] = 0.9 * m[index] + 0.1 * g
            v[index] = 0.999 * v[index] + 0.001 * g**2
            held -= rate * (m[index] / (1 - 0.9**t)) / (np.sqrt(v[index] / (1 - 0.999**t)) + 1e-8)
    return W, b, np.array(losses)


@pytest.mark.parametrize("loss", EVERY)
def test_steps_are_those_of_adam(loss):
    method = Linear(loss, learning_rate=0.02, max_iter=25, alpha=0.03)
    for mine, wanted in zip(method.learn(X, BAGS), stepped(method), strict=True):
        assert mine == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("name", LINEAR_METHODS)
def test_most_labels_are_right_on_any_scale_of_columns(name):
    method = LINEAR_METHODS[name]
    scaled = StandardScaler().fit_transform(X)
    labels = method.labels(X * [1e3, 1e-3] + [5, -7], BAGS, X * [1e3, 1e-3] + [5, -7])
    assert np.mean(labels == Y) > 0.9
    assert np.array_equal(labels, method.learn(scaled, BAGS).scores(scaled).argmax(axis=1))


def test_scores_that_overflow_are_an_error():
    refuses(
        "scores overflowed: .* below 1e.155",
        Linear(CLPL(), 1e155).learn,
        1e149 * np.eye(3),
        np.eye(3, dtype=bool),
    )


def test_parallel_fits_are_equal_and_leave_the_threads_of_linear_algebra_as_they_were():
    def threads():
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    before = threads()
    method = Linear(LWS(), max_iter=20)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: method.learn(X, BAGS), range(12)))
    assert threads() == before
    assert all(np.array_equal(each.coef, found[0].coef) for each in found)
