"""Losses of scores on bags: a second program, plain code and its differences."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import generators, reference
from scipy.special import softmax

from knnviz_papers.errandonea.linear_rivals import LINEAR_LOSSES
from knnviz_papers.errandonea.losses import CLPL, GCE_EXPONENT, LWS, PRODEN

EVERY = [*LINEAR_LOSSES.values(), LWS(0.0)]


@pytest.mark.parametrize("name", LINEAR_LOSSES)
def test_plain_code_has_the_losses_of_the_reference_run(name):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(6, 4))
    bags = rng.random((6, 4)) < 0.5
    bags[np.arange(6), rng.integers(0, 4, 6)] = True
    loss = LINEAR_LOSSES[name]
    value = mean_loss(loss, scores, bags, loss.start(bags))
    assert value == pytest.approx(reference("partial")["linear_losses"][name], abs=1e-6)


@st.composite
def cases(draw):
    """Scores (n, C), some of them large, bags, empty and full ones among them, and other scores
    that set weights.
    """
    rng = draw(generators)
    shape = (draw(st.integers(1, 6)), draw(st.integers(1, 5)))
    width = draw(st.sampled_from([0.0, 1.0, 5.0]))
    bags = rng.random(shape) < draw(st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]))
    scores, other = width * rng.normal(size=(2, *shape))
    return scores, bags, other


def point_loss(loss, scores, bag, weights):
    """The loss of one point with scores (C,), a set of labels, and weights (C,) or none."""
    outside = set(range(len(scores))) - bag
    p = softmax(scores)
    match loss:
        case CLPL():
            lost = sum(max(0, 1 + scores[y]) ** 2 for y in outside)
            if bag:
                mean = sum(scores[y] for y in bag) / len(bag)
                lost += max(0, 1 - mean) ** 2
            return lost
        case PRODEN():
            return -sum(weights[y] * log(p[y]) for y in bag)
        case LWS(beta=beta):
            lost = sum(weights[y] / (1 + exp(scores[y])) for y in bag)
            return lost + beta * sum(weights[y] / (1 + exp(-scores[y])) for y in outside)

    if not bag:
        return 0
    if loss.kind == "mae":
        losses = [2 * (1 - p[y]) for y in bag]
    else:
        losses = [(1 - p[y] ** GCE_EXPONENT) / GCE_EXPONENT for y in bag]
    return sum(losses) / len(bag)


def mean_loss(loss, scores, bags, weights):
    """The loss of all points."""
    rows = [None] * len(bags) if weights is None else weights
    sets = [set(np.flatnonzero(bag).tolist()) for bag in bags]
    points = zip(scores.tolist(), sets, rows, strict=True)
    return np.mean([point_loss(loss, *point) for point in points])


@given(cases(), st.sampled_from(EVERY))
def test_gradients_are_those_of_differences(case, loss):
    scores, bags, other = case
    steps = 1e-6 * np.eye(scores.size).reshape(-1, *scores.shape)
    for weights in (loss.start(bags), loss.renew(other, bags)):

        def at(moved, weights=weights):
            return mean_loss(loss, moved, bags, weights)

        slopes = [(at(scores + step) - at(scores - step)) / 2e-6 for step in steps]
        gradient = loss.gradient(scores, bags, weights)
        assert gradient.ravel() == pytest.approx(slopes, abs=1e-6)


@given(cases())
def test_weights_are_equal_at_first_and_then_the_softmax_in_the_bag_and_outside(case):
    scores, bags, _ = case
    first = PRODEN().start(bags)
    inside = PRODEN().renew(scores, bags)
    both = LWS(1.0).renew(scores, bags)
    assert (LWS(1.0).start(bags) == 1 / bags.shape[1]).all()

    for i, bag in enumerate(bags):
        assert first[i] == pytest.approx(bag / max(bag.sum(), 1))
        assert not inside[i, ~bag].any()
        assert inside[i, bag] == pytest.approx(both[i, bag])
        for part in (bag, ~bag):
            if part.any():
                assert both[i, part] == pytest.approx(softmax(scores[i, part]))


@pytest.mark.parametrize("loss", EVERY)
def test_gradients_of_scores_that_are_far_apart_stay_finite(loss):
    scores = np.array([[1000.0, -1000.0, 0.0]])
    bags = np.array([[False, True, False]])
    for weights in (loss.start(bags), loss.renew(scores, bags)):
        assert np.isfinite(loss.gradient(scores, bags, weights)).all()
