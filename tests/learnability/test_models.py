"""Seven models of partial labels: draws that meet them, which implies which, and what follows from
them.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_processes import seeds
from reference_implementations import reference

from knnviz.learnability import (
    EXAMPLES,
    MODELS,
    best,
    cooccurrence,
    every_bag,
    feng_process,
    frequency,
    is_label_aligned,
    lv_counterexample,
    model_fractions,
    process_matrix,
    rank,
    split_frequency,
)
from knnviz.learnability.models import dominates

REFERENCE = reference("partial")

FACTS = {
    "domination": dominates,
    "aligned": is_label_aligned,
    "aligned process": lambda process, eta: is_label_aligned(process),
    "full rank": lambda process, eta: rank(process) == len(eta),
}

#: What each model implies, at a point: all of it, so that the rest needs counterexamples.
IMPLIED = {
    "Liu & Dietterich": {"Lv et al.", "Cabannes et al.", "Lv et al., noisy", "aligned"},
    "Cour et al.": {"domination", "aligned"},
    "Cabannes et al.": {"aligned"},
    "Feng et al.": {"Cour et al.", "domination", "aligned", "aligned process", "full rank"},
    "Wen et al.": {
        "Liu & Dietterich",
        "Lv et al.",
        "Cabannes et al.",
        "Lv et al., noisy",
        "aligned",
        "full rank",
    },
    "Lv et al.": {"Liu & Dietterich", "Cabannes et al.", "Lv et al., noisy", "aligned"},
    "Lv et al., noisy": set(),
}

#: The bags of label 0 are those of the other two mixed, and yet each true label gets most of the
#: split votes.
MIXED = process_matrix(
    [{(0,): 0.48, (1,): 0.26, (2,): 0.26}, {(0,): 0.48, (1,): 0.52}, {(0,): 0.48, (2,): 0.52}]
)


def points():
    """Processes with eta: draws of every model, the examples at their corners, and the
    counterexamples.
    """
    for model in MODELS.values():
        for n_classes in (2, 3, 4):
            for seed in range(8):
                yield model.draw(n_classes, np.random.default_rng(seed))
    for process in (*(example.process for example in EXAMPLES.values()), MIXED):
        for eta in (*np.eye(process.shape[1]), np.ones(process.shape[1]) / process.shape[1]):
            yield process, eta
    yield from map(lv_counterexample, range(3))


@pytest.mark.parametrize("name", MODELS)
def test_a_model_implies_this_and_nothing_else(name):
    questions = {other: model.holds for other, model in MODELS.items()} | FACTS
    meeting = [point for point in points() if MODELS[name].holds(*point)]
    assert len(meeting) >= 24
    assert {
        other for other, holds in questions.items() if all(holds(*point) for point in meeting)
    } == {
        name,
        *IMPLIED[name],
    }


@given(st.sampled_from(sorted(MODELS)), st.integers(2, 7), seeds)
def test_draws_meet_their_model(name, n_classes, seed):
    world, again, other = (
        MODELS[name].draw(n_classes, np.random.default_rng(each)) for each in (seed, seed, seed + 1)
    )
    assert world.process.shape == (2**n_classes, n_classes)
    assert (world.process.sum(axis=0), world.eta.sum()) == (pytest.approx(1), pytest.approx(1))
    assert MODELS[name].holds(*world)
    assert all(map(np.array_equal, world, again))
    assert not all(map(np.array_equal, world, other))


def by_hand(name, process, eta):
    """The conditions once more, bag by bag."""
    labels = range(len(eta))
    bags = [set(np.flatnonzero(bag).tolist()) for bag in every_bag(len(eta))]
    distribution = {frozenset(bag): p for bag, p in zip(bags, process @ eta, strict=True)}
    top = {y for y in labels if eta[y] >= max(eta) - 1e-9}
    others = [(j, i) for i in labels for j in labels if j != i]

    def votes(y, i, split):
        return sum(
            p / (len(bag) if split else 1)
            for p, bag in zip(process[:, i], bags, strict=True)
            if y in bag
        )

    match name:
        case "Lv et al., noisy":
            return max(eta) > 1 - 1e-9 and all(
                votes(i, i, True) > votes(j, i, True) + 1e-9 for j, i in others
            )
        case "Cabannes et al.":
            common = set.intersection(*(set(bag) for bag, p in distribution.items() if p > 0))
            return common == top and len(top) == 1
        case "Cour et al.":
            return bool(is_label_aligned(process, eta)) and all(
                distribution[frozenset(bag | {i})] > distribution[frozenset(bag | {j})] + 1e-12
                for i in top
                for j in set(labels) - top
                for bag in bags
                if not bag & {i, j}
            )
    always = all(votes(i, i, False) > 1 - 1e-9 for i in labels)
    return max(eta) > 1 - 1e-9 and always and all(votes(j, i, False) < 1 - 1e-9 for j, i in others)


@pytest.mark.parametrize(
    "name", ["Liu & Dietterich", "Lv et al., noisy", "Cabannes et al.", "Cour et al."]
)
def test_conditions_are_those_of_plain_code(name):
    assert [MODELS[name].holds(*point) for point in points()] == [
        by_hand(name, *point) for point in points()
    ]


def test_labels_that_join_independently_and_labels_that_do_not():
    holds = MODELS["Wen et al."].holds
    certain = np.eye(3)[0]
    assert holds(EXAMPLES["even inclusion"].process, certain)
    # The same probabilities of each label, but never both wrong ones.
    assert not holds(EXAMPLES["all but one wrong label"].process, certain)
    assert not holds(EXAMPLES["even inclusion"].process, np.array([0.9, 0.1, 0]))


@pytest.mark.parametrize("n_classes", [2, 3, 4, 10])
def test_the_process_of_feng(n_classes):
    expected = REFERENCE["feng"][str(n_classes)]
    process = feng_process(n_classes)
    assert process.sum(axis=0) == pytest.approx(1)
    together = cooccurrence(process)
    a = 2 ** (n_classes - 2) / (2 ** (n_classes - 1) - 1)
    assert together == pytest.approx(a * np.eye(n_classes) + together[1, 0])
    assert (a, a) == pytest.approx((expected["alpha"], expected["alpha_formula"]), abs=1e-6)
    # As printed, the bag of all labels counts as well.
    assert process[1, 0] * 2 ** (n_classes - 1) == pytest.approx(
        expected["column_sum_printed_formula"], abs=1e-6
    )
    assert not MODELS["Feng et al."].holds(
        every_bag(n_classes) / 2 ** (n_classes - 1), np.eye(n_classes)[0]
    )


@pytest.mark.parametrize(("label", "which"), [(0, "P1"), (2, "P2")])
def test_alignment_and_split_votes_part(label, which):
    expected = REFERENCE["split_votes"]
    world = lv_counterexample(label)
    assert frequency(*world) == pytest.approx(expected["P_S"])
    assert split_frequency(world.process)[:, label] == pytest.approx(expected["avg"])
    assert np.flatnonzero(best(world.eta)).tolist() == [label]
    assert is_label_aligned(*world) == expected[f"{which}_aligned"]
    assert MODELS["Lv et al., noisy"].holds(*world) == expected[f"{which}_model"]


@pytest.mark.parametrize(("trace", "ahead"), [(1e-6, True), (1e-11, False), (0, False)])
def test_a_label_dominates_if_it_is_more_likely_than_rounding_leaves(trace, ahead):
    process = np.full((8, 3), 1 / 8) * np.where(every_bag(3)[:, :1], 1 + trace, 1 - trace)
    assert dominates(process, np.array([0.6, 0.4, 0])) == ahead
    assert not dominates(process, np.array([0, 0.4, 0.6]))
    assert dominates(process, np.ones(3) / 3), "no label is worse than the best ones"


def test_what_a_model_implies_holds_in_all_of_its_draws():
    table = model_fractions(3, 25, 0)
    assert table == model_fractions(3, 25, np.random.default_rng(0))
    for name, row in table.items():
        assert set(row) == {*MODELS, *FACTS, "aligned at a random eta"}
        assert all(row[implied] == 1 for implied in (name, *IMPLIED[name]))
    assert table["Lv et al."]["aligned process"] < 1
