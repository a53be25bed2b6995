"""Rank and alignment of bag processes, counterexamples, other worlds, and the cost of counting."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_processes import any_process, classes, joined, short_of_rank, tied_etas
from reference_implementations import generators, reference
from scipy.optimize import linprog

from knnviz.learnability import (
    EXAMPLES,
    aligned_world,
    bag_distribution,
    best,
    cooccurrence,
    decode,
    frequency,
    indistinguishable_etas,
    is_label_aligned,
    least_theta,
    misaligned_eta,
    other_etas,
    process_matrix,
    rank,
    same_bags,
    same_best_labels,
    swap,
)

REFERENCE = reference("partial")


@pytest.mark.parametrize("name", REFERENCE["bag_processes"])
def test_processes_of_the_reference(name):
    expected = REFERENCE["bag_processes"][name]
    process = EXAMPLES[name].process
    assert process.shape[1] == expected["c"]
    assert rank(process) == expected["rank"]
    assert is_label_aligned(process) == expected["aligned_process"]
    assert misaligned_eta(process) == pytest.approx(expected["misaligned_Q"])
    pair = indistinguishable_etas(process)
    assert (pair is None) == expected["reconstructible"]
    if pair is not None:
        found = sorted(eta.tolist() for eta in pair)
        assert np.array(found) == pytest.approx(np.array(sorted(expected["confusable"])))


def test_two_experts_see_the_same_bags_and_name_different_labels():
    expected = REFERENCE["experts"]
    first = EXAMPLES["first expert"]
    second = EXAMPLES["second expert"]
    assert same_bags(first.process, first.eta, (second.process, second.eta))
    bags = bag_distribution(first.process, first.eta)
    stated = [expected["bag_law_1"][bag] for bag in ("1", "2", "12")]
    assert bags == pytest.approx([0, *stated], abs=1e-6)
    assert frequency(first.process, first.eta) == pytest.approx(expected["freq"], abs=1e-6)
    experts = zip((first, second), expected["aligned"], ([True, False], [False, True]), strict=True)
    for expert, aligned, best_labels in experts:
        assert is_label_aligned(expert.process, expert.eta) == aligned
        assert best(expert.eta).tolist() == best_labels
    # Decoded with the wrong expert's process, the bags of one give the label of the other.
    assert decode(second.process, bags) == pytest.approx(second.eta)


# --- rank


@given(classes, generators, st.booleans())
def test_two_etas_are_indistinguishable_if_and_only_if_the_rank_is_short(n_classes, rng, short):
    make = short_of_rank if short else any_process
    process = make(n_classes, rng)
    pair = indistinguishable_etas(process)
    assert (pair is None) == (rank(process) == n_classes)
    if pair is None:
        even = np.full(n_classes, 1 / n_classes)
        assert other_etas(process, even) == []
    else:
        one, other = pair
        assert same_bags(process, one, (process, other))
        assert not (best(one) & best(other)).any()
        for eta in pair:
            assert eta.min() >= 0
            assert eta.sum() == pytest.approx(1)


@given(classes, generators)
def test_a_known_process_of_full_rank_is_inverted(n_classes, rng):
    process = 0.4 * any_process(n_classes, rng) + 0.6 * joined(np.eye(n_classes))
    eta = rng.dirichlet(np.ones(n_classes), (2, 3))
    assert decode(process, bag_distribution(process, eta)) == pytest.approx(eta, abs=1e-8)


@settings(max_examples=40)
@given(classes, generators, st.booleans())
def test_all_etas_with_the_same_bags_are_between_eta_and_the_corners(n_classes, rng, certain):
    """Whichever way one looks, a linear program goes no farther than the farthest corner."""
    process = short_of_rank(n_classes, rng)
    eta = rng.dirichlet(np.ones(n_classes))
    if certain:
        eta = np.eye(n_classes)[rng.integers(n_classes)]
    corners = other_etas(process, eta)
    distribution = bag_distribution(process, eta)
    order = []
    for corner in corners:
        assert corner.min() >= 0
        assert corner.sum() == pytest.approx(1)
        assert same_bags(process, eta, (process, corner))
        distance = abs(corner - eta).max()
        assert distance > 1e-9
        order.append((same_best_labels(eta, corner), -distance))
    assert order == sorted(order), "other best labels come first, then the farther corners"

    for direction in rng.normal(size=(3, n_classes)):
        farthest = linprog(direction, A_eq=process, b_eq=distribution, bounds=(0, 1))
        assert farthest.status == 0
        found = min(direction @ each for each in (eta, *corners))
        assert found == pytest.approx(farthest.fun, abs=1e-6)


# --- alignment


def perturbed(how, rng, n_classes):
    """A process with co-occurrence a I + 1 v' but for an entry, one lead, all leads, or nothing."""
    a = rng.uniform(0.05, 0.8)
    together = a * np.eye(n_classes) + rng.uniform(0.1, 0.9 - a, n_classes)
    i, y = rng.choice(n_classes, 2, replace=False)
    if how == "entry":
        together[y, i] += rng.choice([-0.1, 0.1])
    elif how == "lead":
        together[i, i] -= 0.04
    elif how == "negative":
        together = 1 - together
    elif how == "zero":
        together[:] = together.diagonal()
    return joined(together)


def is_even(process):
    """Whether the co-occurrence matrix is a I + 1 v' with a > 0, entry by entry."""
    matrix = cooccurrence(process)
    leads = (matrix.diagonal() - matrix)[~np.eye(len(matrix), dtype=bool)]
    return np.ptp(leads) < 1e-9 and leads.min() > 1e-9


@given(
    st.sampled_from(["nothing", "entry", "lead", "negative", "zero", "any"]), classes, generators
)
def test_a_process_is_aligned_everywhere_just_where_wrong_labels_join_evenly(how, n_classes, rng):
    process = any_process(n_classes, rng) if how == "any" else perturbed(how, rng, n_classes)
    witness = misaligned_eta(process)
    aligned = is_label_aligned(process)
    assert aligned == (witness is None) == is_even(process)
    if how != "any":
        assert aligned == (how == "nothing")
        assert is_label_aligned(process, tied_etas(n_classes, rng, 2000)).all() == aligned
    if witness is None:
        assert rank(process) == n_classes
    else:
        assert not is_label_aligned(process, witness)
        support = witness[witness > 0]
        assert np.ptp(support) == 0
        assert len(support) <= 3


@given(classes, generators)
def test_the_least_theta_is_the_cost_of_counting(n_classes, rng):
    etas = tied_etas(n_classes, rng, 5)
    frequencies = frequency(any_process(n_classes, rng), etas)
    counted = zip(etas, best(frequencies), strict=True)
    theta = least_theta(etas, frequencies)
    assert theta == pytest.approx([eta.max() - eta[most].min() for eta, most in counted])
    assert (theta[same_best_labels(etas, frequencies)] <= 1e-9).all()


# --- other worlds with the same bags


@given(classes, generators)
def test_a_swap_leaves_the_bags_and_exchanges_the_best_label(n_classes, rng):
    process = any_process(n_classes, rng)
    eta = rng.dirichlet(np.ones(n_classes))
    other = swap(process, eta)
    true = eta.argmax()
    counted = frequency(process, eta).argmax()
    assert same_bags(process, eta, other)
    assert other.eta.argmax() == frequency(*other).argmax() == counted

    # The two have changed places, and nothing else.
    order = np.arange(n_classes)
    order[[true, counted]] = counted, true
    assert np.array_equal(other.process, process[:, order])
    assert np.array_equal(other.eta, eta[order])


@given(classes, generators, st.booleans())
def test_bags_that_do_not_depend_on_labels_make_an_aligned_world(n_classes, rng, even):
    process = any_process(n_classes, rng)
    if even:
        process = joined(rng.integers(0, 3, (n_classes, n_classes)) / 2)
    eta = tied_etas(n_classes, rng, 1)[0]
    other = aligned_world(process, eta)
    most = best(frequency(process, eta))
    assert same_bags(process, eta, other)
    assert is_label_aligned(*other)
    assert (best(other.eta) == most).all()
    if not (best(eta) & most).any():
        costs = (eta.max() - eta) + (other.eta.max() - other.eta)
        assert costs.min() > 1e-9, "no label is best in both"


def test_where_labels_tie_a_swap_need_not_be_aligned_and_the_smallest_is_swapped():
    process = process_matrix([{(0, 2): 1}, {(1, 2): 1}, {(2,): 1}])
    eta = np.array([0.4, 0.4, 0.2])
    assert not is_label_aligned(*swap(process, eta))
    assert aligned_world(process, eta).eta.tolist() == [0, 0, 1]
    permuted = swap(EXAMPLES["permutation"].process, np.array([0.2, 0.4, 0.4]))
    assert permuted.eta.tolist() == [0.4, 0.2, 0.4]
