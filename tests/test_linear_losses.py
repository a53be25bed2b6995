"""Losses of linear scores on bags: reference run, gradients by differences, plain code, empty and full bags, Adam."""

from concurrent.futures import ThreadPoolExecutor
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import reference
from refusals import refuses
from scipy.optimize import minimize
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_info

from knnviz.learnability import APL, CLPL, LOSSES, LWS, PRODEN, RIVALS, Linear, loss_of, select_model, tuning_grid

EVERY = [CLPL(), PRODEN(), LWS(0.0), LWS(1.0), LWS(2.0), APL(), APL("gce"), APL("gce", 0.2), APL("mse")]


@pytest.mark.parametrize("name", RIVALS)
def test_losses_of_the_reference_run(name):
    rng = np.random.default_rng(0)
    scores, bags = rng.normal(size=(6, 4)), rng.random((6, 4)) < 0.5
    bags[np.arange(6), rng.integers(0, 4, 6)] = True
    value, _ = RIVALS[name].loss(scores, bags)
    assert value == pytest.approx(reference("partial")["linear_losses"][name], abs=1e-6)


@st.composite
def cases(draw):
    """Scores (n, C), some of them large, bags, empty and full ones among them, and other scores that set weights."""
    n, n_classes, seed = draw(st.integers(1, 6)), draw(st.integers(1, 5)), draw(st.integers(0, 2**32 - 1))
    rng, width = np.random.default_rng(seed), draw(st.sampled_from([0.0, 1.0, 5.0]))
    bags = rng.random((n, n_classes)) < draw(st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]))
    return width * rng.normal(size=(n, n_classes)), bags, width * rng.normal(size=(n, n_classes))


@given(cases(), st.sampled_from(EVERY))
def test_gradients_are_those_of_differences(case, loss):
    scores, bags, other = case
    for weights in (loss.start(bags), loss.renew(other, bags)):
        _, gradient = loss(scores, bags, weights)
        step = 1e-6
        for index in np.ndindex(*scores.shape):
            moved = np.zeros_like(scores)
            moved[index] = step
            up, down = (loss(scores + side * moved, bags, weights)[0] for side in (1, -1))
            assert gradient[index] == pytest.approx((up - down) / (2 * step), abs=1e-6)


def plain(loss, scores, bag, weights):
    """The loss of one point with scores (C,), a set of labels, and weights (C,) or none."""
    labels = range(len(scores))
    outside = [y for y in labels if y not in bag]
    total = sum(exp(score) for score in scores)
    p = [exp(score) / total for score in scores]
    match loss:
        case CLPL():
            inside = max(0, 1 - sum(scores[y] for y in bag) / len(bag)) ** 2 if bag else 0
            return inside + sum(max(0, 1 + scores[y]) ** 2 for y in outside)
        case PRODEN():
            return -sum(weights[y] * log(p[y]) for y in bag)
        case LWS(beta=beta):
            lost = sum(weights[y] / (1 + exp(scores[y])) for y in bag)
            return lost + beta * sum(weights[y] / (1 + exp(-scores[y])) for y in outside)
    of = {
        "mae": lambda y: 2 * (1 - p[y]),
        "gce": lambda y: (1 - p[y] ** loss.q) / loss.q,
        "mse": lambda y: sum((p[j] - (j == y)) ** 2 for j in labels),
    }
    return sum(of[loss.kind](y) for y in bag) / len(bag) if bag else 0


@given(cases(), st.sampled_from(EVERY))
def test_losses_are_those_of_plain_code(case, loss):
    scores, bags, other = case
    for weights in (loss.start(bags), loss.renew(other, bags)):
        rows = [None] * len(bags) if weights is None else weights
        sets = [set(np.flatnonzero(bag).tolist()) for bag in bags]
        wanted = [plain(loss, *each) for each in zip(scores.tolist(), sets, rows, strict=True)]
        assert loss(scores, bags, weights)[0] == pytest.approx(np.mean(wanted), rel=1e-9, abs=1e-12)


@given(cases())
def test_weights_are_renewed_among_themselves(case):
    scores, bags, _ = case
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    for i, bag in enumerate(bags):
        inside, outside = PRODEN().renew(scores, bags)[i], LWS().renew(scores, bags)[i]
        assert not inside[~bag].any()
        assert inside[bag] == pytest.approx(p[i, bag] / p[i, bag].sum())
        assert outside[bag] == pytest.approx(inside[bag])
        assert outside[~bag] == pytest.approx(p[i, ~bag] / p[i, ~bag].sum())
    first = PRODEN().start(bags)
    assert first.sum(axis=1) == pytest.approx(bags.any(axis=1).astype(float))
    assert (LWS().start(bags) == 1 / bags.shape[1]).all()


@given(cases())
def test_renewed_weights_climb_the_probability_of_the_bag(case):
    scores, bags, _ = case
    _, gradient = PRODEN()(scores, bags, PRODEN().renew(scores, bags))

    def minus_log(F):
        nonempty = bags.any(axis=1)
        return -np.log((np.exp(F) * bags).sum(axis=1)[nonempty] / np.exp(F).sum(axis=1)[nonempty]).sum() / len(F)

    for index in np.ndindex(*scores.shape):
        moved = np.zeros_like(scores)
        moved[index] = 1e-6
        difference = (minus_log(scores + moved) - minus_log(scores - moved)) / 2e-6
        assert gradient[index] == pytest.approx(difference, abs=1e-6)


@pytest.mark.parametrize("loss", EVERY)
def test_an_empty_bag_has_terms_outside_or_none(loss):
    scores, bags = np.array([[0.3, -2.0, 1.0], [0.5, 0.1, -0.4]]), np.array([[False] * 3, [True, False, True]])
    (both, gradient), (one, alone) = (loss(scores[rows], bags[rows]) for rows in (slice(None), slice(1, None)))
    assert gradient[1] == pytest.approx(alone[0] / 2)
    outside = 0.0
    if isinstance(loss, CLPL):
        outside = 1.3**2 + 2**2
    elif isinstance(loss, LWS):
        outside = loss.beta / 3 * (1 / (1 + np.exp(-scores[0]))).sum()
    assert both == pytest.approx((one + outside) / 2)
    assert (gradient[0] >= 0).all()
    assert gradient[0].any() == (outside > 0)


def test_a_full_bag():
    scores, bags = np.array([[0.3, -2.0, 1.0]]), np.ones((1, 3), bool)
    p = np.exp(scores) / np.exp(scores).sum()
    assert APL()(scores, bags)[0] == pytest.approx(2 - 2 / 3)
    assert APL()(scores, bags)[1] == pytest.approx(0, abs=1e-12)
    assert PRODEN()(scores, bags)[1] == pytest.approx(p - 1 / 3)
    assert PRODEN()(scores, bags, PRODEN().renew(scores, bags))[1] == pytest.approx(0, abs=1e-12)
    for loss in (APL("gce"), APL("mse")):
        assert loss(scores, bags)[1][0].argmax() == 2, "the largest score is to fall"
        assert loss(np.zeros((1, 3)), bags)[1] == pytest.approx(0, abs=1e-12)
    assert LWS(2.0)(scores, bags)[0] == LWS(0.0)(scores, bags)[0]
    assert CLPL()(scores, bags)[0] == pytest.approx((1 + 0.7 / 3) ** 2)


def test_scores_that_are_far_apart_stay_finite():
    scores, bags = np.array([[1000.0, -1000.0, 0.0]]), np.array([[False, True, False]])
    for loss in EVERY:
        for weights in (loss.start(bags), loss.renew(scores, bags)):
            value, gradient = loss(scores, bags, weights)
            assert np.isfinite(value)
            assert np.isfinite(gradient).all()


# Training


@pytest.fixture(scope="module")
def points():
    """Three clouds, and bags of them with noise and an empty one."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 90)
    X = rng.normal(size=(90, 2)) + np.array([[2.5, 0], [0, 2.5], [-2, -2]])[y]
    bags = rng.random((90, 3)) < 0.3
    bags[np.arange(90), np.where(rng.random(90) < 0.2, rng.integers(0, 3, 90), y)] = True
    bags[0] = False
    return X, y, bags


def stepped(method, X, bags):
    """Adam as it is printed (Kingma and Ba, Algorithm 1), weights renewed before each epoch but the first."""
    rate, cost = method.learning_rate, method.alpha
    W, b = np.zeros((bags.shape[1], X.shape[1])), np.zeros(bags.shape[1])
    m, v, losses = [0 * W, 0 * b], [0 * W, 0 * b], []
    weights = method.loss.start(bags)
    for t in range(1, method.max_iter + 1):
        F = X @ W.T + b
        if t > 1:
            weights = method.loss.renew(F, bags)
        value, gradient = method.loss(F, bags, weights)
        losses.append(value + cost / 2 * np.sum(W**2))
        for index, (held, g) in enumerate(((W, gradient.T @ X + cost * W), (b, gradient.sum(axis=0)))):
            m[index] = 0.9 * m[index] + 0.1 * g
            v[index] = 0.999 * v[index] + 0.001 * g**2
            held -= rate * (m[index] / (1 - 0.9**t)) / (np.sqrt(v[index] / (1 - 0.999**t)) + 1e-8)
    return W, b, np.array(losses)


@pytest.mark.parametrize("loss", EVERY)
def test_steps_are_those_of_adam(points, loss):
    X, _, bags = points
    method = Linear(loss, learning_rate=0.02, max_iter=25, alpha=0.03)
    for mine, expected in zip(method.learn(X, bags), stepped(method, X, bags), strict=True):
        assert mine == pytest.approx(expected, abs=1e-9)


def test_a_convex_loss_comes_down_to_its_least(points):
    X, _, bags = points
    method = Linear(CLPL(), alpha=0.01)

    def total(flat):
        W = flat.reshape(3, 3)
        value, gradient = CLPL()(X @ W[:, :2].T + W[:, 2], bags)
        W = W * [1, 1, 0]
        pull = np.column_stack([gradient.T @ X, gradient.sum(axis=0)]) + 0.01 * W
        return value + 0.005 * np.sum(W**2), pull.ravel()

    least = minimize(total, np.zeros(9), jac=True, method="BFGS", options={"gtol": 1e-10}).fun
    assert method.learn(X, bags).losses[-1] == pytest.approx(least, abs=1e-4)


@pytest.mark.parametrize("name", RIVALS)
def test_what_is_learned_is_right_on_most_points(points, name):
    X, y, bags = points
    assert np.mean(RIVALS[name].labels(X, bags, X) == y) > 0.9
    again = [RIVALS[name].learn(X, bags) for _ in range(2)]
    assert all(np.array_equal(*pair) for pair in zip(*again, strict=True))


def test_labels_do_not_depend_on_the_scale_of_columns(points):
    X, _, bags = points
    method = Linear(PRODEN(), max_iter=40)
    labels = method.labels(X * [1e3, 1e-3] + [5, -7], bags, X * [1e3, 1e-3] + [5, -7])
    assert np.array_equal(labels, method.labels(X, bags, X))
    scaled = StandardScaler().fit_transform(X)
    assert np.array_equal(labels, method.learn(scaled, bags).at(scaled).argmax(axis=1))


def test_coefficients_are_penalized_and_intercepts_are_not(points):
    X, _, bags = points
    coef, intercept, _ = Linear(PRODEN(), alpha=1e5).learn(X, bags)
    assert abs(coef).max() < 0.01
    assert abs(intercept).max() > 0.05


def test_from_empty_bags_nothing_is_learned(points):
    X = points[0]
    for loss in (PRODEN(), APL(), APL("gce")):
        coef, intercept, losses = Linear(loss, max_iter=5).learn(X, np.zeros((90, 3), bool))
        assert not coef.any()
        assert not intercept.any()
        assert not losses.any()


def test_names_of_losses():
    assert [loss_of(name, 2.0, 0.5) for name in LOSSES] == [
        CLPL(),
        PRODEN(),
        LWS(2.0),
        APL("mae", 0.5),
        APL("gce", 0.5),
        APL("mse", 0.5),
    ]
    assert [method.loss for method in RIVALS.values()] == [
        *(CLPL(), PRODEN(), LWS(1.0), LWS(2.0), APL("mae"), APL("gce", 0.7)),
    ]


LEARN = Linear(CLPL()).learn
NO_BAGS = "bags must be truth values with a row for each of 3 points, got"
TOO_FAR = "scores overflowed: use a learning_rate below {}, or columns on one scale"


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: loss_of("hinge"),
            "loss must be 'clpl', 'proden', 'lws', 'apl-mae', 'apl-gce' or 'apl-mse', got 'hinge'",
        ),
        (lambda: loss_of(["clpl"]), "loss must be 'clpl', .*, got \\['clpl'\\]"),
        (lambda: loss_of("clpl", beta=-1), "beta must be between 0 and 1e\\+06, got -1"),
        (lambda: loss_of("clpl", q=0), "q must be finite and above 0, got 0"),
        (lambda: APL("gce", 1.5), "q must be between 0 and 1, got 1.5"),
        (lambda: APL("log"), "kind must be 'mae', 'gce' or 'mse', got 'log'"),
        (lambda: Linear("clpl"), "loss must be one of those in knnviz.learnability, got 'clpl'"),
        (lambda: Linear(CLPL(), learning_rate=0), "learning_rate must be finite and above 0, got 0"),
        (lambda: Linear(CLPL(), max_iter=0), "max_iter must be at least 1, got 0"),
        (lambda: Linear(CLPL(), alpha=-1), "alpha must be between 0 and 1e\\+06, got -1"),
        (lambda: LEARN(np.zeros((3, 1)), np.ones((2, 2), bool)), rf"{NO_BAGS} bool of shape \(2, 2\)"),
        (lambda: LEARN(np.zeros((3, 1)), np.ones((3, 2), int)), rf"{NO_BAGS} int64 of shape \(3, 2\)"),
        (lambda: LEARN(np.zeros((3, 1)), np.ones(3, bool)), rf"{NO_BAGS} bool of shape \(3,\)"),
        (lambda: LEARN(1e200 * np.eye(3), np.eye(3, dtype=bool)), TOO_FAR.format("0.05")),
        (lambda: Linear(PRODEN(), 1e308).learn(np.eye(3), np.eye(3, dtype=bool)), TOO_FAR.format(r"1e\+308")),
    ],
)
def test_what_is_refused(make, sentence):
    refuses(sentence, make)


def test_parallel_fits_leave_the_threads_of_linear_algebra_as_they_were(points):
    X, _, bags = points

    def threads():
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    before, method = threads(), Linear(LWS(), max_iter=20)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: method.learn(X, bags), range(12)))
    assert threads() == before
    assert all(np.array_equal(each.coef, found[0].coef) for each in found)


# Selection


def noisy():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(200, 3)), rng.integers(3, size=200)
    X[np.arange(200), y] += 1.5
    bags = rng.random((200, 3)) < 0.3
    bags[np.arange(200), np.where(rng.random(200) < 0.3, rng.integers(3, size=200), y)] = True
    return X, bags


def test_a_tuning_grid_is_every_combination():
    methods = tuning_grid([CLPL(), LWS(2.0)], (0.1, 0.2), (0.0, 1.0))
    settings = [(each.loss, each.learning_rate, each.alpha) for each in methods]
    assert settings == [(loss, rate, alpha) for loss in (CLPL(), LWS(2.0)) for rate in (0.1, 0.2) for alpha in (0, 1)]
    assert len(tuning_grid([PRODEN()])) == 6


def test_the_selected_method_hits_the_most_bags_held_out():
    X, bags = noisy()
    methods = tuning_grid([PRODEN(), CLPL()], (0.0001, 0.05), (1e-4, 100.0))
    hits = []
    for each in methods:
        labels = each.labels(X[:160], bags[:160], X[160:])
        hits.append(sum(bag[label] for bag, label in zip(bags[160:], labels, strict=True)))
    assert len(set(hits)) > 2
    assert select_model(methods, X, bags) is methods[hits.index(max(hits))]
    assert select_model(methods[:1], X, bags) is methods[0]


def test_what_cannot_be_selected_from():
    refuses("no candidate to pick from", select_model, [], np.eye(3), np.eye(3, dtype=bool))
    refuses("takes at least 2, got 1", select_model, [Linear(CLPL())], np.eye(1), np.eye(1, dtype=bool))
