"""Seven models of partial labels: draws, which implies which, and what follows from them."""

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
    """Processes with eta: draws of each model, the examples at corners, and the counterexamples."""
    for model in MODELS.values():
        for n_classes in (2, 3, 4):
            for seed in range(8):
                yield model.draw(n_classes, np.random.default_rng(seed))
    processes = [example.process for example in EXAMPLES.values()]
    for process in (*processes, MIXED):
        n_classes = process.shape[1]
        for corner in np.eye(n_classes):
            yield process, corner
        yield process, np.ones(n_classes) / n_classes
    yield from map(lv_counterexample, range(3))


@pytest.mark.parametrize("name", MODELS)
def test_a_model_implies_this_and_nothing_else(name):
    questions = {other: model.holds for other, model in MODELS.items()} | FACTS
    meeting = [point for point in points() if MODELS[name].holds(*point)]
    assert len(meeting) >= 24

    implied = set()
    for other, holds in questions.items():
        if all(holds(*point) for point in meeting):
            implied.add(other)
    assert implied == {name, *IMPLIED[name]}


@given(st.sampled_from(sorted(MODELS)), st.integers(2, 7), seeds)
def test_draws_meet_their_model(name, n_classes, seed):
    model = MODELS[name]
    world, other = (model.draw(n_classes, np.random.default_rng(each)) for each in (seed, seed + 1))
    assert world.process.shape == (2**n_classes, n_classes)
    assert world.process.sum(axis=0) == pytest.approx(1)
    assert world.eta.sum() == pytest.approx(1)
    assert model.holds(*world)
    assert not all(map(np.array_equal, world, other))


def test_labels_that_join_independently_and_labels_that_do_not():
    holds = MODELS["Wen et al."].holds
    certain = np.eye(3)[0]
    assert holds(EXAMPLES["even inclusion"].process, certain)
    # The same probabilities of each label, but never both wrong ones.
    assert not holds(EXAMPLES["all but one wrong label"].process, certain)
    assert not holds(EXAMPLES["even inclusion"].process, np.array([0.9, 0.1, 0]))


def test_one_label_alone_is_in_all_bags():
    both = EXAMPLES["always both"].process
    assert not MODELS["Cabannes et al."].holds(both, np.array([0.5, 0.5]))


@pytest.mark.parametrize("n_classes", [2, 3, 4, 10])
def test_the_process_of_feng(n_classes):
    """As printed, the bag of all labels counts as well."""
    expected = REFERENCE["feng"][str(n_classes)]
    process = feng_process(n_classes)
    half = 2 ** (n_classes - 1)
    assert process.sum(axis=0) == pytest.approx(1)
    together = cooccurrence(process)
    even = expected["alpha"] * np.eye(n_classes) + together[1, 0]
    assert together == pytest.approx(even, abs=1e-6)
    printed = process[1, 0] * half
    assert printed == pytest.approx(expected["column_sum_printed_formula"], abs=1e-6)
    assert not MODELS["Feng et al."].holds(every_bag(n_classes) / half, np.eye(n_classes)[0])


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
    factors = np.where(every_bag(3)[:, :1], 1 + trace, 1 - trace)
    process = np.full((8, 3), 1 / 8) * factors
    assert dominates(process, np.array([0.6, 0.4, 0])) == ahead
    assert not dominates(process, np.array([0, 0.4, 0.6]))
    assert dominates(process, np.ones(3) / 3), "no label is worse than the best ones"


def test_what_a_model_implies_holds_in_all_of_its_draws():
    table = model_fractions(3, 25, np.random.default_rng(0))
    for name, row in table.items():
        assert set(row) == {*MODELS, *FACTS, "aligned at a random eta"}
        assert {row[implied] for implied in (name, *IMPLIED[name])} == {1}
    assert table["Lv et al."]["aligned process"] < 1
