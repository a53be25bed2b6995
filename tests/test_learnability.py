"""Processes as matrices, rank and alignment with counterexamples, other worlds, and the excess risk of counting."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_implementations import reference
from refusals import refuses

from knnviz.bags import BagProcess
from knnviz.learnability import (
    EXAMPLES,
    Example,
    aligned,
    aligned_world,
    bag_distribution,
    bag_index,
    best,
    cooccurrence,
    decode,
    draw_bags,
    every_bag,
    feng_process,
    frequency,
    indistinguishable_etas,
    is_label_aligned,
    is_reconstructible,
    least_theta,
    misaligned_eta,
    process_matrix,
    process_of,
    rank,
    same_bags,
    swap,
)

REFERENCE = reference("partial")
EXPERTS = EXAMPLES["first expert"], EXAMPLES["second expert"]

kinds = st.sampled_from(["confusion", "other", "removal"])
seeds = st.integers(0, 10**6)
classes = st.integers(2, 5)


def joined(together):
    """The process (2^C, C) whose bags of label i hold label y independently, with probability together[y, i]."""
    holds, together = every_bag(len(together))[:, :, None], np.asarray(together)
    return np.where(holds, together, 1 - together).prod(axis=1)


def even(rng, n_classes):
    """A co-occurrence matrix a I + 1 v', at random."""
    a = rng.uniform(0.05, 1)
    return np.clip(a * np.eye(n_classes) + rng.uniform(0, 1 - a, n_classes), 0, 1)


def sharp(n_classes, rng):
    """Any distribution of bags in each column, many of them without most bags."""
    probabilities = rng.exponential(size=(2**n_classes, n_classes)) * (rng.random((2**n_classes, n_classes)) < 0.4)
    probabilities[rng.integers(2**n_classes, size=n_classes), np.arange(n_classes)] += 0.1
    return probabilities / probabilities.sum(axis=0)


# --- processes and their bags


@given(st.integers(2, 8))
def test_bags_are_numbered_by_their_bits(n_classes):
    bags = every_bag(n_classes)
    assert bags.shape == (2**n_classes, n_classes)
    assert [bag_index(np.flatnonzero(bag).tolist(), n_classes) for bag in bags] == list(range(2**n_classes))
    assert bags.sum(axis=1).tolist() == [bin(b).count("1") for b in range(2**n_classes)]


def test_a_process_from_the_bags_that_occur():
    process = process_matrix([{(0,): 0.6, (0, 1): 0.3, (): 0.1}, {(1,): 1}])
    assert process.tolist() == [[0.1, 0], [0.6, 0], [0, 1], [0.3, 0]]
    assert process_matrix([{(0, 1): 0.5, (1, 0): 0.5}, {(1,): 1}])[3].tolist() == [1, 0]


def enumerated(bags, part):
    """M by going through what may happen to each label: noise or not, with which label, who joins."""
    n_classes, nu = bags.n_classes, bags.bag_noise
    process = np.zeros((2**n_classes, n_classes))
    for true in range(n_classes):
        turns = [(1 - nu, true, False)]
        if bags.kind == "removal":
            turns.append((nu, true, True))
        else:
            others = [label for label in range(n_classes) if bags.kind == "confusion" or label != true]
            turns += [(nu / len(others), label, False) for label in others]
        for probability, label, gone in turns:
            for joins in itertools.product([False, True], repeat=n_classes):
                if not joins[label]:
                    continue
                wrong = [other for other in range(n_classes) if other != label]
                p = np.prod(
                    [bags.inclusion[part, label, o] if joins[o] else 1 - bags.inclusion[part, label, o] for o in wrong]
                )
                bag = [o for o in range(n_classes) if joins[o] and not (gone and o == label)]
                process[bag_index(bag, n_classes), true] += probability * p
    return process


@given(kinds, st.integers(2, 4), st.floats(0, 1), seeds)
def test_the_matrix_of_labels_that_join_independently(kind, n_classes, noise, seed):
    probabilities = np.random.default_rng(seed).random((2, n_classes, n_classes))
    bags = BagProcess(probabilities, noise, kind, centers=[[0], [1]])
    for part in range(2):
        process = process_of(bags, part)
        assert process == pytest.approx(enumerated(bags, part), abs=1e-12)
        assert cooccurrence(process) == pytest.approx(bags.cooccurrence()[part], abs=1e-12)


@given(classes, seeds)
def test_the_distribution_of_bags_and_their_labels(n_classes, seed):
    rng = np.random.default_rng(seed)
    process, eta = sharp(n_classes, rng), rng.dirichlet(np.ones(n_classes), (3, 2))
    distribution, frequencies = bag_distribution(process, eta), frequency(process, eta)
    assert distribution.shape == (3, 2, 2**n_classes)
    assert frequencies.shape == (3, 2, n_classes)
    counted = [distribution[..., [b for b in range(2**n_classes) if b >> y & 1]].sum(axis=-1) for y in range(n_classes)]
    assert frequencies == pytest.approx(np.stack(counted, axis=-1))
    for at in itertools.product(range(3), range(2)):
        assert bag_distribution(process, eta[at]) == pytest.approx(distribution[at])
        assert is_label_aligned(process, eta[at]) == is_label_aligned(process, eta)[at]
    assert bag_distribution(process, eta[:0]).shape == (0, 2, 2**n_classes)
    assert is_label_aligned(process, eta[:0]).shape == (0, 2)


def test_eta_may_be_of_single_precision():
    process, eta = EXAMPLES["permutation"].process, np.array([0.5, 0.3, 0.2])
    for single in (np.float32(eta), np.full(3, 1 / 3, np.float32)):
        assert single.sum(dtype=float) != 1
        assert frequency(process, single) == pytest.approx(single[[2, 0, 1]])
        assert bag_distribution(process, single).sum() == pytest.approx(1, abs=1e-6)
    refuses(r"eta must sum to 1 over the labels, got 1\.00001", frequency, process, eta + [0, 0, 1e-5])


@pytest.mark.parametrize("name", ["mostly right", "a mixture of two", "supersets without full rank", "even inclusion"])
def test_bags_are_drawn_by_the_matrix(name):
    process, n = EXAMPLES[name].process, 8000
    for label in range(process.shape[1]):
        bags = draw_bags(process, np.full(n, label), 3)
        fractions = np.bincount(bags @ (1 << np.arange(process.shape[1])), minlength=len(process)) / n
        spread = np.sqrt(process[:, label] * (1 - process[:, label]) / n)
        assert (abs(fractions - process[:, label]) <= 4.5 * spread).all()


def test_draws_follow_the_seed_and_the_point():
    process, y = EXAMPLES["even inclusion"].process, np.arange(300) % 3
    bags = draw_bags(process, y, 7)
    assert bags.shape == (300, 3)
    assert (bags == draw_bags(process, y, np.random.default_rng(7))).all()
    assert (bags != draw_bags(process, y, 8)).any()
    # One uniform for each point: what comes later changes nothing.
    assert (draw_bags(process, y[:100], 7) == bags[:100]).all()
    assert draw_bags(process, np.zeros(0, int), 7).shape == (0, 3)


class Always(np.random.Generator):
    """A generator with one uniform only."""

    def __init__(self, u):
        super().__init__(np.random.PCG64(0))
        self.u = u

    def random(self, n):
        return np.full(n, self.u)


def test_no_bag_is_drawn_that_cannot_occur():
    tenths = np.zeros((16, 4))
    tenths[3:13] = 0.1
    # Ten tenths add up to less than the largest uniform.
    assert np.cumsum(tenths[:, 0])[-1] <= 1 - 2**-53
    for u, row in ((0.0, 3), (1 - 2**-53, 12)):
        assert draw_bags(tenths, np.arange(4), Always(u)).tolist() == [every_bag(4)[row].tolist()] * 4


# --- rank


@pytest.mark.parametrize("name", REFERENCE["bag_processes"])
def test_the_processes_of_the_reference(name):
    expected, process = REFERENCE["bag_processes"][name], EXAMPLES[name].process
    assert EXAMPLES[name].n_classes == expected["c"]
    assert rank(process) == expected["rank"]
    assert is_reconstructible(process) == expected["reconstructible"]
    assert is_label_aligned(process) == expected["aligned_process"]
    pair, wrong = indistinguishable_etas(process), misaligned_eta(process)
    if expected["confusable"] is None:
        assert pair is None
    else:
        assert np.array(sorted(eta.tolist() for eta in pair)) == pytest.approx(np.array(sorted(expected["confusable"])))
    if expected["misaligned_Q"] is None:
        assert wrong is None
    else:
        assert wrong == pytest.approx(np.array(expected["misaligned_Q"]))


def test_the_other_examples():
    assert set(EXAMPLES) == set(REFERENCE["bag_processes"]) | {"even inclusion", "first expert", "second expert"}
    together = cooccurrence(EXAMPLES["even inclusion"].process)
    assert together == pytest.approx(0.6 * np.eye(3) + 0.4)
    assert len({example.description for example in EXAMPLES.values()}) == len(EXAMPLES)
    with pytest.raises(ValueError, match="read-only"):
        EXAMPLES["permutation"].process[0, 0] = 1
    with pytest.raises(ValueError, match="eta must have 3 columns"):
        Example("Two fractions for three labels.", EXAMPLES["permutation"].process, np.array([0.5, 0.5]))


def valid(process, pair):
    """Whether a pair of eta gives the same bags and has no best label in common."""
    assert all(eta.min() >= 0 and eta.sum() == pytest.approx(1) for eta in pair)
    return same_bags(process, pair[0], (process, pair[1])) and not (best(pair[0]) & best(pair[1])).any()


@given(st.integers(2, 5), seeds)
def test_columns_that_depend_on_others_give_indistinguishable_etas(n_classes, seed):
    rng = np.random.default_rng(seed)
    process = sharp(n_classes, rng)
    last = rng.integers(1, n_classes)
    mixed = rng.exponential(size=last) * (rng.random(last) < 0.7)
    assume(mixed.any())
    process[:, last] = process[:, :last] @ (mixed / mixed.sum())
    process = process[:, rng.permutation(n_classes)]
    assert not is_reconstructible(process)
    assert valid(process, indistinguishable_etas(process))


@given(classes, seeds)
def test_indistinguishable_etas_are_found_if_and_only_if_the_rank_is_short(n_classes, seed):
    process = sharp(n_classes, np.random.default_rng(seed))
    pair = indistinguishable_etas(process)
    assert (pair is None) == is_reconstructible(process) == (rank(process) == n_classes)
    assert pair is None or valid(process, pair)


@given(classes, seeds)
def test_a_known_process_of_full_rank_is_undone(n_classes, seed):
    rng = np.random.default_rng(seed)
    process = 0.5 * sharp(n_classes, rng) + 0.5 * joined(np.eye(n_classes))
    eta = rng.dirichlet(np.ones(n_classes), (2, 3))
    assume(is_reconstructible(process))
    assert decode(process, bag_distribution(process, eta)) == pytest.approx(eta, abs=1e-8)


def test_a_permutation_misleads_counting_and_not_decoding():
    process, eta = EXAMPLES["permutation"].process, np.array(REFERENCE["permutation_decoding"]["recovered_Q"])
    assert frequency(process, eta) == pytest.approx(np.array(REFERENCE["permutation_decoding"]["P_S"]))
    assert frequency(process, eta).argmax() == 1
    assert decode(process, bag_distribution(process, eta)) == pytest.approx(eta)


# --- alignment


@given(classes, seeds)
def test_a_process_with_even_leads_is_aligned_everywhere_and_of_full_rank(n_classes, seed):
    rng = np.random.default_rng(seed)
    together, weight = even(rng, n_classes), rng.random()
    process = joined(together)
    assert cooccurrence(process) == pytest.approx(together)
    process = weight * process + (1 - weight) * feng_process(n_classes)
    assert is_label_aligned(process)
    assert misaligned_eta(process) is None
    assert is_reconstructible(process)
    assert is_label_aligned(process, tied(n_classes, rng)).all()


def tied(n_classes, rng, m=200):
    """Eta (m, C) of which many have levels in common, or nearly."""
    steps = rng.integers(0, 4, (m, n_classes)) + 1e-3 * rng.random((m, 1)) * rng.integers(0, 2, (m, n_classes))
    steps[steps.sum(axis=1) == 0] = 1
    return steps / steps.sum(axis=1, keepdims=True)


def perturbed(how, rng, n_classes):
    """A process with co-occurrence matrix a I + 1 v' but for an entry, one lead, all leads, or nothing."""
    together = 0.8 * even(rng, n_classes) + 0.1
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


@given(st.sampled_from(["nothing", "entry", "lead", "negative", "zero"]), classes, seeds)
def test_what_misaligns_a_process_is_found_by_formula_by_sets_and_by_chance(how, n_classes, seed):
    rng = np.random.default_rng(seed)
    process = perturbed(how, rng, n_classes)
    witness = misaligned_eta(process)
    assert is_label_aligned(process) == (witness is None) == (how == "nothing")
    assert is_label_aligned(process, tied(n_classes, rng, 2000)).all() == (how == "nothing")
    if witness is not None:
        assert not is_label_aligned(process, witness)
        assert np.ptp(witness[witness > 0]) == 0
        assert (witness > 0).sum() <= 3


@given(classes, seeds)
def test_any_process_is_aligned_by_formula_just_where_it_is_on_every_set(n_classes, seed):
    process = sharp(n_classes, np.random.default_rng(seed))
    assert is_label_aligned(process) == (misaligned_eta(process) is None)


def test_two_experts_see_the_same_bags_and_name_different_labels():
    expected = REFERENCE["experts"]
    (first, one), (second, other) = ((expert.process, expert.eta) for expert in EXPERTS)
    assert same_bags(first, one, (second, other))
    for number, (process, eta) in enumerate(((first, one), (second, other)), start=1):
        distribution = expected[f"bag_law_{number}"]
        assert bag_distribution(process, eta) == pytest.approx(
            np.array([0, distribution["1"], distribution["2"], distribution["12"]]), abs=1e-6
        )
        assert frequency(process, eta) == pytest.approx(np.array(expected["freq"]), abs=1e-6)
        assert is_label_aligned(process, eta) == expected["aligned"][number - 1]
        assert is_reconstructible(process) == expected["reconstructible"][number - 1]
    assert [best(eta).tolist() for eta in (one, other)] == [[True, False], [False, True]]
    # Decoded with the wrong expert's process, the bags of one give the label of the other.
    assert decode(second, bag_distribution(first, one)) == pytest.approx(other)


@given(classes, seeds)
def test_a_swap_leaves_the_bags_and_turns_the_best_label(n_classes, seed):
    rng = np.random.default_rng(seed)
    process, eta = sharp(n_classes, rng), rng.dirichlet(np.ones(n_classes))
    counted = frequency(process, eta).argmax()
    if counted == eta.argmax():
        refuses(f"label {counted} is in most bags and a best one", swap, process, eta)
        return
    before = process.copy(), eta.copy()
    other, other_eta = swap(process, eta)
    assert same_bags(process, eta, (other, other_eta))
    assert other_eta.argmax() == counted == frequency(other, other_eta).argmax()
    assert rank(other) == rank(process)
    assert (process == before[0]).all()
    assert (eta == before[1]).all()
    # What was swapped is swapped back by hand: the two have changed places, and nothing else.
    pair = [eta.argmax(), counted]
    other[:, pair], other_eta[pair] = other[:, pair[::-1]], other_eta[pair[::-1]]
    assert (other == process).all()
    assert (other_eta == eta).all()


def test_the_smallest_of_several_labels_is_swapped():
    process = EXAMPLES["permutation"].process
    eta = np.array([0.2, 0.4, 0.4])
    assert best(frequency(process, eta)).tolist() == [True, False, True]
    assert swap(process, eta)[1].tolist() == [0.4, 0.2, 0.4]
    with pytest.raises(ValueError, match="label 1 is in most bags and a best one: there is nothing to swap"):
        swap(process, np.array([0.4, 0.4, 0.2]))


@given(classes, seeds, st.booleans())
def test_bags_that_do_not_depend_on_labels_make_an_aligned_world(n_classes, seed, level):
    rng = np.random.default_rng(seed)
    process = joined(rng.integers(0, 3, (n_classes, n_classes)) / 2) if level else sharp(n_classes, rng)
    eta = tied(n_classes, rng, 1)[0]
    before, most = (process.copy(), eta.copy()), best(frequency(process, eta))
    other, other_eta = aligned_world(process, eta)
    assert same_bags(process, eta, (other, other_eta))
    assert is_label_aligned(other, other_eta)
    assert (best(other_eta) == most).all()
    assert rank(other) == 1
    assert (process == before[0]).all()
    assert (eta == before[1]).all()
    if not (best(eta) & most).any():
        lost = (eta.max() - eta) + (other_eta.max() - other_eta)
        assert lost.min() > 1e-9, "no label is best in both"


def test_a_tie_undoes_the_swap_and_not_the_aligned_world():
    process, eta = process_matrix([{(0, 2): 1}, {(1, 2): 1}, {(2,): 1}]), np.array([0.4, 0.4, 0.2])
    assert not is_label_aligned(*swap(process, eta))
    other, other_eta = aligned_world(process, eta)
    assert is_label_aligned(other, other_eta)
    assert other_eta.tolist() == [0, 0, 1]
    assert other[:, 0].tolist() == other[:, 1].tolist() == bag_distribution(process, eta).tolist()
    # Sets that overlap: a label is best in both worlds.
    process = process_matrix([{(0,): 0.5, (1,): 0.5}, {(0,): 0.5, (1,): 0.5}])
    assert aligned_world(process, np.array([0.6, 0.4]))[1].tolist() == [0.5, 0.5]


@given(classes, seeds, st.floats(0, 1))
def test_the_least_theta_is_the_least(n_classes, seed, theta):
    rng = np.random.default_rng(seed)
    process, eta = sharp(n_classes, rng), tied(n_classes, rng, 5)
    frequencies = frequency(process, eta)
    least = least_theta(frequencies, eta)
    short = eta.max(axis=-1, keepdims=True) - eta
    inside = (~best(frequencies) | (short <= theta + 1e-9)).all(axis=-1)
    clear = abs(least - theta) > 1e-8
    assert (inside == (least <= theta))[clear].all()
    assert (~best(frequencies) | (short <= 1e-9)).all(axis=-1).tolist() == (least <= 1e-9).tolist()
    assert (least[aligned(frequencies, eta)] <= 1e-9).all()


def test_the_relaxed_condition_where_a_wrong_label_joins_most_bags():
    process, eta = process_of(BagProcess(np.tile([0.1, 0.9, 0.1], (3, 1)))), np.array([0.5, 0.4, 0.1])
    frequencies = frequency(process, eta)
    assert frequencies == pytest.approx([0.55, 0.94, 0.19])
    assert least_theta(frequencies, eta) == pytest.approx(0.1)


def test_what_differs_by_rounding_is_level():
    assert best(np.array([0.3, 0.1 + 0.2, 0.3 - 1e-8])).tolist() == [True, True, False]
    assert aligned(np.array([0.3, 0.1 + 0.2]), np.array([0.5, 0.5]))
    assert not aligned(np.array([0.3, 0.1 + 0.2]), np.array([0.6, 0.4]))


# --- refusals

PERMUTED = EXAMPLES["permutation"].process
UNSURE = np.array([0.5, 0.3, 0.2])
ONE_POINT = r"eta must be that of one point here, of shape \(3,\), got shape \(1, 3\)"


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: every_bag(1), "n_classes must be between 2 and 12, got 1"),
        (lambda: every_bag(13), "n_classes must be between 2 and 12, got 13"),
        (lambda: bag_index((0, 3), 3), "a label of the bag must be between 0 and 2, got 3"),
        (lambda: process_matrix([{0: 1}, {(1,): 1}]), r"a bag must hold labels, as \(0,\) does, got 0"),
        (lambda: process_matrix([{(0,): 1}]), "n_classes must be between 2 and 12, got 1"),
        (lambda: process_matrix([{(0,): 1}, {(1,): 0.9}]), "column of process must sum to 1, got 0.9 for label 1"),
        (lambda: process_matrix([{(0,): 1}, {(1,): 1.5}]), "the probability of a bag must be between 0 and 1, got 1.5"),
        (lambda: rank(np.eye(3)), r"a row for each bag and a column for each label, got shape \(3, 3\)"),
        (lambda: rank(np.ones(8) / 8), r"a row for each bag and a column for each label, got shape \(8,\)"),
        (lambda: rank(np.zeros((0, 2))), r"a row for each bag and a column for each label, got shape \(0, 2\)"),
        (
            lambda: rank(PERMUTED * np.nan),
            "process must hold probabilities between 0 and 1, got values from nan to nan",
        ),
        (lambda: rank(PERMUTED - 0.5), "process must hold probabilities between 0 and 1, got values from -0.5 to 0.5"),
        (lambda: rank(np.float32(EXAMPLES["a mixture of two"].process)), "sum to 1, got 1.00000003 for label 0"),
        (lambda: rank([["a", "b"]] * 4), "process must hold real numbers in rows of equal length"),
        (lambda: process_of(BagProcess.even_inclusion(3, 0.4), 1), "part must be between 0 and 0, got 1"),
        (lambda: process_of(BagProcess.even_inclusion(13, 0.4)), "n_classes must be between 2 and 12, got 13"),
        (
            lambda: bag_distribution(PERMUTED, np.array(0.5)),
            r"eta must have 3 columns, one for each label, got shape \(\)",
        ),
        (lambda: bag_distribution(PERMUTED, np.array([0.5, 0.5])), r"eta must have 3 columns.* got shape \(2,\)"),
        (lambda: frequency(PERMUTED, np.array([0.5, 0.4, 0.2])), "eta must sum to 1 over the labels, got 1.1"),
        (lambda: frequency(PERMUTED, np.array([1.5, -0.5, 0])), "eta must hold probabilities, got -0.5"),
        (lambda: frequency(PERMUTED, UNSURE * np.nan), "eta must hold probabilities, got nan"),
        (lambda: is_label_aligned(PERMUTED, np.array([0.5, 0.5])), "eta must have 3 columns"),
        (lambda: swap(PERMUTED, UNSURE[None]), ONE_POINT),
        (lambda: aligned_world(PERMUTED, UNSURE[None]), ONE_POINT),
        (lambda: best(np.array([[0.1, np.nan]])), "scores of labels must be numbers, some are missing"),
        (lambda: least_theta(UNSURE, UNSURE * np.nan), "scores of labels must be numbers, some are missing"),
        (lambda: decode(EXAMPLES["always both"].process, np.ones(4) / 4), "a process of rank 1 cannot be undone for 2"),
        (
            lambda: decode(PERMUTED, np.ones(4) / 4),
            r"distribution must have 8 columns, one for each bag, got shape \(4,\)",
        ),
        (lambda: decode(PERMUTED, np.full(8, np.nan)), "distribution has missing or infinite values"),
        (lambda: draw_bags(PERMUTED, np.array([0, 3]), 0), "y must be class codes 0 to 2, got 0 to 3"),
        (lambda: draw_bags(PERMUTED, 1, 0), r"y must hold one class for each of 1 points, got shape \(\)"),
    ],
)
def test_what_is_refused(call, sentence):
    refuses(sentence, call)
