"""Where on the simplex a label is first, how much of it counting gets wrong, and the other eta with the same bags."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knnviz.learnability import (
    EXAMPLES,
    best,
    confusable,
    cooccurrence,
    frequency,
    is_label_aligned,
    least_theta,
    other_etas,
    same_bags,
)
from knnviz.learnability.places import misaligned_share, where_first

seeds = st.integers(0, 10**6)


def any_process(n_classes, seed):
    """A process in which most bags do not occur."""
    rng = np.random.default_rng(seed)
    chances = rng.exponential(size=(2**n_classes, n_classes)) * (rng.random((2**n_classes, n_classes)) < 0.4)
    chances[rng.integers(2**n_classes, size=n_classes), np.arange(n_classes)] += 0.1
    return chances / chances.sum(axis=0)


def inside(corners, etas):
    """Whether eta (m, 3) lie in a convex polygon with these corners (v, 3): always on one side of its edges."""
    if len(corners) < 3:
        return np.zeros(len(etas), bool)
    here, there = corners, np.roll(corners, -1, axis=0)
    edge, away = (there - here)[:, None, 1:], etas[None, :, 1:] - here[:, None, 1:]
    turn = edge[..., 0] * away[..., 1] - edge[..., 1] * away[..., 0]
    return (turn >= -1e-12).all(axis=0) | (turn <= 1e-12).all(axis=0)


@given(seeds)
def test_parts_of_the_triangle_are_those_where_a_label_is_in_most_bags(seed):
    process, etas = any_process(3, seed), np.random.default_rng(seed).dirichlet(np.ones(3), 200)
    together, held = cooccurrence(process), frequency(process, etas)
    top = best(held)
    clear = (np.sort(held, axis=1)[:, 2] - np.sort(held, axis=1)[:, 1]) > 1e-7
    for label in range(3):
        corners = where_first(together, label)
        assert corners.sum(axis=1) == pytest.approx(1)
        assert (corners >= -1e-12).all()
        assert (inside(corners, etas) == top[:, label])[clear].all()


@given(st.sampled_from([2, 3]), seeds)
def test_the_share_of_the_simplex_that_counting_gets_wrong(n_classes, seed):
    process, m = any_process(n_classes, seed), 4000
    etas = np.random.default_rng(seed).dirichlet(np.ones(n_classes), m)
    wrong = (least_theta(frequency(process, etas), etas) > 1e-9).mean()
    share = misaligned_share(process)
    assert abs(share - wrong) <= 4.5 * np.sqrt(max(share * (1 - share), 1e-4) / m)


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("labels themselves", 0),
        ("all but one wrong label", 0),
        ("mostly right", 0),
        ("even inclusion", 0),
        ("permutation", 1),
        ("always both", 1),
        # Label 1 is in all bags: counting errs where label 0 has more than half.
        ("never alone", 1 / 2),
        # P(S_0) = eta_0 against P(S_1) = 2/3 eta_0 + eta_1: level at 3/4 of eta_0, not at 1/2.
        ("first expert", 1 / 4),
        # 1/2 + eta_0 / 2 against 1 - 2/3 eta_0: level at 3/7.
        ("second expert", 1 / 2 - 3 / 7),
    ],
)
def test_shares_by_hand(name, share):
    assert misaligned_share(EXAMPLES[name].process) == pytest.approx(share, abs=1e-12)


def test_a_label_that_is_never_first_has_no_part():
    for label in range(2):
        assert len(where_first(cooccurrence(EXAMPLES["always both"].process), label)) == 0
    # Label 0 is in as many bags as label 1 where label 1 has no share, and in fewer elsewhere.
    never = cooccurrence(EXAMPLES["never alone"].process)
    assert where_first(never, 0).tolist() == [[1, 0]]
    assert sorted(where_first(never, 1).tolist()) == [[0, 1], [1, 0]]


def test_the_simplex_is_measured_for_two_or_three_labels():
    with pytest.raises(ValueError, match="the simplex is measured for two or three labels, got 4"):
        misaligned_share(EXAMPLES["supersets without full rank"].process)


@given(st.integers(2, 4), seeds, st.booleans())
def test_other_eta_with_the_same_bags(n_classes, seed, short):
    rng = np.random.default_rng(seed)
    process, eta = any_process(n_classes, seed), rng.dirichlet(np.ones(n_classes))
    if short:
        process[:, -1] = process[:, :-1] @ rng.dirichlet(np.ones(n_classes - 1))
    others = other_etas(process, eta)
    assert bool(others) == (confusable(process) is not None)
    for other in others:
        assert other.min() >= 0
        assert other.sum() == pytest.approx(1)
        assert same_bags(process, eta, (process, other))
        # Farther along the same line a share would be negative.
        beyond = eta + (other - eta) * (1 + 1e-6)
        assert beyond.min() < 0
    turned = [not (best(other) == best(eta)).all() for other in others]
    assert turned == sorted(turned, reverse=True)


def test_other_eta_at_the_ends_of_the_line():
    process = EXAMPLES["a mixture of two"].process
    middle = other_etas(process, np.array([0.25, 0.25, 0.5]))
    assert sorted(np.round(other, 12).tolist() for other in middle) == [[0, 0, 1], [0.5, 0.5, 0]]
    assert [np.round(other, 12).tolist() for other in other_etas(process, np.array([0.0, 0.0, 1.0]))] == [[0.5, 0.5, 0]]
    # Nothing else has the bags of label 0 alone.
    assert other_etas(process, np.array([1.0, 0.0, 0.0])) == []
    with pytest.raises(ValueError, match="eta must be that of one point here"):
        other_etas(process, np.full((2, 3), 1 / 3))
    assert not is_label_aligned(process, np.array([0.0, 0.0, 1.0]))
