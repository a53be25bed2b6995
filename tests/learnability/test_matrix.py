"""Bag processes as matrices: bags by bits, processes by enumeration, what bags hold, draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_processes import any_process, classes, joined
from reference_implementations import generators
from refusals import refuses

from knnviz.bags import BagProcess
from knnviz.learnability import (
    EXAMPLES,
    bag_distribution,
    cooccurrence,
    draw_bags,
    every_bag,
    frequency,
    lv_counterexample,
    misaligned_fraction,
    process_matrix,
    process_of,
    swap,
)

PERMUTED = EXAMPLES["permutation"].process


def test_a_process_has_the_bags_that_occur():
    process = process_matrix([{(0,): 0.6, (0, 1): 0.2, (1, 0): 0.1, (): 0.1}, {(1,): 1}])
    expected = [[0.1, 0], [0.6, 0], [0, 1], [0.3, 0]]
    assert process == pytest.approx(np.array(expected))


@given(
    st.sampled_from(["confusion", "other", "removal"]),
    st.integers(2, 4),
    st.floats(0, 1),
    generators,
)
def test_the_matrix_of_labels_that_join_independently(kind, n_classes, noise, rng):
    bags = BagProcess(rng.random((2, n_classes, n_classes)), noise, kind, centers=[[0], [1]])
    for part, inclusion in enumerate(bags.inclusion):
        clean = joined(inclusion.T)
        noisy = np.zeros_like(clean)
        for true in range(n_classes):
            if kind == "removal":
                without = np.arange(len(clean)) & ~(1 << true)
                np.add.at(noisy[:, true], without, clean[:, true])
            else:
                others = np.delete(clean, true, axis=1) if kind == "other" else clean
                noisy[:, true] = others.mean(axis=1)
        process = process_of(bags, part)
        assert process == pytest.approx((1 - noise) * clean + noise * noisy, abs=1e-12)
        assert cooccurrence(process) == pytest.approx(bags.cooccurrence()[part], abs=1e-12)


@given(classes, generators)
def test_the_distribution_of_bags_and_their_labels(n_classes, rng):
    process = any_process(n_classes, rng)
    eta = rng.dirichlet(np.ones(n_classes), (3, 2))
    distribution = bag_distribution(process, eta)
    frequencies = frequency(process, eta)
    by_hand = sum(eta[..., i, None] * process[:, i] for i in range(n_classes))
    assert distribution == pytest.approx(by_hand)
    for y in range(n_classes):
        holding = [bits for bits in range(2**n_classes) if bits >> y & 1]
        assert frequencies[..., y] == pytest.approx(distribution[..., holding].sum(axis=-1))
    assert frequency(process, np.float32(eta)) == pytest.approx(frequencies, abs=1e-6)


@pytest.mark.parametrize("name", ["a mixture of two", "supersets without full rank"])
def test_bags_are_drawn_by_the_matrix(name):
    process = EXAMPLES[name].process
    n = 8000
    bits = 1 << np.arange(process.shape[1])
    for label, probabilities in enumerate(process.T):
        bags = draw_bags(process, np.full(n, label), 3)
        counts = np.bincount(bags @ bits, minlength=len(process))
        spread = np.sqrt(probabilities * (1 - probabilities) / n)
        assert (abs(counts / n - probabilities) <= 4.5 * spread).all()


def test_draws_follow_the_seed_and_the_point():
    """One uniform for each point: what comes later changes nothing."""
    process = EXAMPLES["even inclusion"].process
    y = np.arange(300) % 3
    bags = draw_bags(process, y, 7)
    fewer = draw_bags(process, y[:100], np.random.default_rng(7))
    assert (fewer == bags[:100]).all()


@pytest.mark.parametrize(("u", "row"), [(0.0, 3), (1 - 2**-53, 12)])
def test_no_bag_is_drawn_that_cannot_occur(u, row):
    """Ten tenths add up to less than the largest uniform."""
    tenths = np.zeros((16, 4))
    tenths[3:13] = 0.1

    class Always(np.random.Generator):
        def random(self, n):
            return np.full(n, u)

    bags = draw_bags(tenths, np.arange(4), Always(np.random.PCG64()))
    assert (bags == every_bag(4)[row]).all()


def test_what_is_no_process_or_no_eta_is_refused():
    refuses("13", every_bag, 13)
    refuses("0.9 for label 1", process_matrix, [{(0,): 1}, {(1,): 0.9}])
    refuses("got 1", process_of, BagProcess.from_inclusion(3, 0.4), 1)
    refuses("a sum of 1.1", frequency, PERMUTED, [0.0, 0.3, 0.8])
    refuses(r"one point, got shape \(1, 3\)", swap, PERMUTED, [[0.0, 0.3, 0.7]])
    refuses("got -1", lv_counterexample, -1)
    refuses("got 4", misaligned_fraction, np.eye(16, 4))
