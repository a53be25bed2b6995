"""Parts of the simplex of eta: where a label has the largest score, where counting errs, and eta with the same bags."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refuses
from scipy.optimize import linprog

from knnviz.learnability import (
    EXAMPLES,
    aligned,
    bag_distribution,
    best,
    cooccurrence,
    every_bag,
    feng_process,
    frequency,
    is_label_aligned,
    is_reconstructible,
    largest_score_polygon,
    misaligned_fraction,
    other_etas,
    rank,
)

seeds = st.integers(0, 10**6)
few = st.integers(2, 3)

#: Fractions of the simplex where counting errs, by hand: from where P(S_y | x) of two labels are level.
BY_HAND = {
    "labels themselves": 0,
    "all but one wrong label": 0,
    "mostly right": 0,
    "even inclusion": 0,
    "permutation": 1,
    "two never apart": 3 / 4,
    "a mixture of two": 1 / 3,
    "never alone": 1 / 2,
    "always both": 1,
    "first expert": 3 / 4 - 1 / 2,
    "second expert": 1 / 2 - 3 / 7,
}


def any_process(n_classes, seed):
    """M (2^C, C) at random; for odd seeds most bags do not occur."""
    rng = np.random.default_rng(seed)
    probabilities = rng.exponential(size=(2**n_classes, n_classes))
    if seed % 2:
        probabilities *= rng.random(probabilities.shape) < 0.4
        probabilities[rng.integers(2**n_classes, size=n_classes), np.arange(n_classes)] += 0.1
    return probabilities / probabilities.sum(axis=0)


def area(corners):
    """The fraction of the triangle that a polygon of eta (v, 3) covers."""
    first, second = corners[:, 0], corners[:, 1]
    return abs(sum(first[i - 1] * second[i] - first[i] * second[i - 1] for i in range(len(corners))))


# --- where a label has the largest score


@pytest.mark.parametrize("label", range(3))
def test_each_label_is_the_best_on_a_third_of_the_triangle(label):
    corners = largest_score_polygon(np.eye(3), label)
    others = [other for other in range(3) if other != label]
    own = np.eye(3)[label]
    wanted = [own, np.full(3, 1 / 3), *((own + np.eye(3)[other]) / 2 for other in others)]
    assert sorted(map(tuple, corners.round(9))) == sorted(tuple(each.round(9)) for each in wanted)
    assert area(corners) == pytest.approx(1 / 3)


def test_each_of_two_labels_is_the_best_on_half_of_the_segment():
    assert set(largest_score_polygon(np.eye(2), 0)[:, 0]) == {0.5, 1}
    assert set(largest_score_polygon(np.eye(2), 1)[:, 0]) == {0, 0.5}


@settings(max_examples=40)
@given(seeds)
def test_polygons_cover_the_triangle_and_hold_the_largest_scores(seed):
    rng = np.random.default_rng(seed)
    scores = rng.random((3, 3))
    parts = [largest_score_polygon(scores, label) for label in range(3)]
    assert sum(map(area, parts)) == pytest.approx(1)
    for label, corners in enumerate(parts):
        if len(corners):
            inside = rng.dirichlet(np.ones(len(corners)), 20) @ corners
            values = inside @ scores.T
            assert inside.min() >= -1e-12
            assert inside.sum(axis=1) == pytest.approx(np.ones(20))
            assert (values[:, label] >= values.max(axis=1) - 1e-9).all()


@given(seeds)
def test_a_part_within_another_is_both(seed):
    """The fraction of random points that are in both is that of the area, up to four standard errors."""
    rng = np.random.default_rng(seed)
    scores, etas = rng.random((3, 3)), rng.dirichlet(np.ones(3), 4000)
    fraction = area(largest_score_polygon(scores, 1, largest_score_polygon(np.eye(3), 2)))
    met = ((etas @ scores.T).argmax(axis=1) == 1) & (etas.argmax(axis=1) == 2)
    assert met.mean() == pytest.approx(fraction, abs=4 * np.sqrt(fraction * (1 - fraction) / 4000) + 1e-3)


def test_labels_that_tie_everywhere_have_no_polygon():
    level = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1.0]])
    assert [len(largest_score_polygon(level, label)) for label in range(3)] == [0, 0, 3]
    level[0, 0] += 1e-12
    assert [len(largest_score_polygon(level, label)) for label in range(3)] == [0, 0, 3], "what rounding makes of a tie"
    assert largest_score_polygon(np.ones((2, 2)), 0).shape == (0, 2)


def test_a_label_that_ties_in_one_corner_and_is_behind_elsewhere_has_that_corner():
    never = cooccurrence(EXAMPLES["never alone"].process)
    assert largest_score_polygon(never, 0).tolist() == [[1, 0]]
    assert sorted(largest_score_polygon(never, 1).tolist()) == [[0, 1], [1, 0]]


def test_a_label_that_is_ahead_everywhere_has_the_whole_triangle():
    scores = np.array([[0, 0.1, 0], [1, 1, 1], [0, 0, 0.5]])
    assert largest_score_polygon(scores, 1).tolist() == np.eye(3).tolist()
    assert [len(largest_score_polygon(scores, label)) for label in (0, 2)] == [0, 0]


# --- where counting errs


@pytest.mark.parametrize("name", BY_HAND)
def test_fractions_by_hand(name):
    assert misaligned_fraction(EXAMPLES[name].process) == pytest.approx(BY_HAND[name], abs=1e-12)


def test_every_example_with_so_few_labels_is_done_by_hand():
    assert set(BY_HAND) == {name for name, example in EXAMPLES.items() if example.n_classes <= 3}


@given(few, seeds)
def test_the_fraction_is_that_of_random_points(n_classes, seed):
    process = any_process(n_classes, seed)
    etas = np.random.default_rng(seed + 1).dirichlet(np.ones(n_classes), 4000)
    wrong = ~aligned(frequency(process, etas), etas)
    fraction = misaligned_fraction(process)
    assert wrong.mean() == pytest.approx(fraction, abs=4 * np.sqrt(fraction * (1 - fraction) / 4000) + 1e-3)


@pytest.mark.parametrize(("n_classes", "seed"), [(3, 0), (3, 1), (3, 2), (2, 3)])
def test_the_fraction_is_that_of_many_random_points(n_classes, seed):
    process = any_process(n_classes, seed)
    etas = np.random.default_rng(seed).dirichlet(np.ones(n_classes), 200_000)
    assert np.mean(~aligned(frequency(process, etas), etas)) == pytest.approx(misaligned_fraction(process), abs=4e-3)


@given(st.floats(0, 1), st.floats(0, 1))
def test_two_labels_err_between_one_half_and_where_bags_are_level(first, second):
    """Probabilities that the other label joins: bags are level where eta_0 (1 - first) = eta_1 (1 - second)."""
    process = np.array([[0, 0], [1 - first, 0], [0, 1 - second], [first, second]])
    alone = 2 - first - second
    wanted = abs((1 - second) / alone - 1 / 2) if max(1 - first, 1 - second) > 1e-9 else 1
    assert misaligned_fraction(process) == pytest.approx(wanted, abs=1e-9)


@settings(max_examples=40)
@given(seeds)
def test_names_of_labels_do_not_matter(seed):
    process = any_process(3, seed)
    order = np.random.default_rng(seed).permutation(3)
    rows = [sum(1 << int(np.flatnonzero(order == y)[0]) for y in range(3) if bag >> y & 1) for bag in range(8)]
    renamed = np.empty_like(process)
    renamed[rows] = process[:, order]
    assert misaligned_fraction(renamed) == pytest.approx(misaligned_fraction(process), abs=1e-9)


@settings(max_examples=40)
@given(few, seeds)
def test_a_process_that_is_always_aligned_errs_nowhere(n_classes, seed):
    rng = np.random.default_rng(seed)
    weight, by_size = rng.uniform(0.05, 1), rng.random(n_classes + 1)[every_bag(n_classes).sum(axis=1)]
    process = weight * feng_process(n_classes) + (1 - weight) * (by_size / by_size.sum())[:, None]
    assert is_label_aligned(process)
    assert misaligned_fraction(process) == pytest.approx(0, abs=1e-9)
    assert misaligned_fraction(np.roll(feng_process(n_classes), 1, axis=1)) > 0.5


def test_more_than_three_labels_are_refused():
    refuses("the simplex is measured for two or three labels, got 4", misaligned_fraction, feng_process(4))
    refuses("the simplex is measured for two or three labels, got 4", largest_score_polygon, np.eye(4), 0)
    refuses("each column of process must sum to 1", misaligned_fraction, np.ones((8, 3)))


# --- other eta with the same bags


def short_of_rank(n_classes, seed):
    """M (2^C, C) in which one column or more are mixtures of the others, or the same as one."""
    rng = np.random.default_rng(seed)
    kept = rng.integers(1, n_classes)
    process = any_process(n_classes, seed)
    mixed = rng.dirichlet(np.ones(kept), n_classes - kept)
    mixed[rng.random(len(mixed)) < 0.3] = np.eye(kept)[0]
    process[:, kept:] = process[:, :kept] @ mixed.T
    return process[:, rng.permutation(n_classes)]


@settings(max_examples=40)
@given(st.integers(2, 5), seeds)
def test_all_eta_with_the_same_bags_are_between_eta_and_the_corners(n_classes, seed):
    """Whichever way one looks, a linear program goes no farther than the farthest corner."""
    process, rng = short_of_rank(n_classes, seed), np.random.default_rng(seed + 1)
    eta = rng.dirichlet(np.ones(n_classes)) if seed % 3 else np.eye(n_classes)[rng.integers(n_classes)]
    ends = other_etas(process, eta)
    distribution = bag_distribution(process, eta)
    for end in ends:
        assert end.min() >= 0
        assert end.sum() == pytest.approx(1)
        assert bag_distribution(process, end) == pytest.approx(distribution, abs=1e-9)
        assert abs(end - eta).max() > 1e-9
    for _ in range(3):
        way = rng.normal(size=n_classes)
        farthest = linprog(way, A_eq=process, b_eq=distribution, bounds=(0, 1))
        assert farthest.status == 0
        assert min(way @ each for each in (eta, *ends)) == pytest.approx(farthest.fun, abs=1e-6)


@settings(max_examples=40)
@given(st.integers(2, 4), seeds)
def test_another_best_label_comes_first_then_the_farther_one(n_classes, seed):
    process = short_of_rank(n_classes, seed)
    eta = np.random.default_rng(seed).dirichlet(np.ones(n_classes))
    keys = [((best(end) == best(eta)).all(), -abs(end - eta).max()) for end in other_etas(process, eta)]
    assert keys
    assert keys == sorted(keys)


@settings(max_examples=40)
@given(st.integers(2, 5), seeds)
def test_a_reconstructible_process_tells_eta(n_classes, seed):
    process = any_process(n_classes, seed)
    others = other_etas(process, np.full(n_classes, 1 / n_classes))
    assert (others == []) == is_reconstructible(process)


def test_two_that_are_never_apart_share_what_they_have():
    process = EXAMPLES["two never apart"].process
    ends = other_etas(process, np.array([0.5, 0.3, 0.2]))
    assert np.array(ends) == pytest.approx(np.array([[0, 0.8, 0.2], [0.8, 0, 0.2]]))
    assert other_etas(process, np.array([0, 0, 1])) == []
    assert np.array(other_etas(process, np.array([0.8, 0, 0.2]))) == pytest.approx(np.array([[0, 0.8, 0.2]]))


def test_a_mixture_has_the_bags_of_what_it_is_mixed_of():
    process = EXAMPLES["a mixture of two"].process
    middle = other_etas(process, np.array([0.25, 0.25, 0.5]))
    assert sorted(end.round(12).tolist() for end in middle) == [[0, 0, 1], [0.5, 0.5, 0]]
    assert other_etas(process, np.eye(3)[2])[0] == pytest.approx([0.5, 0.5, 0])
    assert other_etas(process, np.eye(3)[0]) == []


def test_two_pairs_with_the_same_bags():
    ends = other_etas(EXAMPLES["supersets without full rank"].process, np.full(4, 0.25))
    assert sorted(end.round(9).tolist() for end in ends) == [[0, 0, 0.5, 0.5], [0.5, 0.5, 0, 0]]


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_bags_that_say_nothing_leave_every_corner(n_classes):
    process = np.repeat(np.eye(2**n_classes)[:, -1:], n_classes, axis=1)
    assert rank(process) == 1
    ends = other_etas(process, np.eye(n_classes)[1])
    assert sorted(map(tuple, ends)) == sorted(tuple(each) for each in np.delete(np.eye(n_classes), 1, axis=0))
    assert len(other_etas(process, np.full(n_classes, 1 / n_classes))) == n_classes
    assert cooccurrence(process).min() == 1


def test_one_eta_at_a_time():
    refuses("eta must be that of one point", other_etas, EXAMPLES["always both"].process, np.eye(2))
    refuses("eta must sum to 1 over the labels", other_etas, EXAMPLES["always both"].process, np.array([0.5, 0.2]))
