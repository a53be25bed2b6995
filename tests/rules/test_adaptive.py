"""A-kNN and PL A-kNN: the printed steps, plain implementations, and ties compared exactly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import eliminated, generators, reference, stood_out
from refusals import refuses

from knnviz import NeighborTable
from knnviz.rules import Adaptive, PartialAdaptive

WORKED = [{1, 2}, {1}, {1, 3}, {2}, {1, 2}, {1}, {1, 3}, {1, 2}, {1}, {1, 2}, {1, 3}, {1}]


def in_order(bags, n=None):
    """A table with one query whose neighbors are points 0, 1, ..., and their bags or labels; the
    rest of n points have none.
    """
    bags = np.array(bags)
    most = len(bags)
    table = NeighborTable(np.arange(most, dtype=np.int32)[None], n or most)
    held = np.zeros((table.n, *bags.shape[1:]), bags.dtype)
    held[:most] = bags
    return table, held


def of_first(scan):
    """Label, k and whether it is decided, of the first query of a scan."""
    return scan.labels[0], scan.stop_k[0], scan.decided[0]


def worked(n):
    return in_order([[label in bag for label in (1, 2, 3)] for bag in WORKED], n)


@st.composite
def bag_sequences(draw):
    """Bags of the neighbors of one query, in order."""
    n_classes = draw(st.integers(2, 5))
    most = draw(st.integers(1, 40))
    rng = draw(generators)
    inclusion = draw(st.sampled_from([0.2, 0.5, 0.9])) * rng.random(n_classes)
    return rng.random((most, n_classes)) < inclusion


def test_the_worked_example():
    table, bags = worked(100)
    known = reference("partial")["trace"]
    trace = PartialAdaptive(max_neighbors=12).trace(table, bags, 3)
    assert (trace.label, trace.stop_k, trace.decided) == (known["label"] - 1, known["k"], True)
    for k, counts, band, *_, eliminated_labels in known["steps"]:
        assert trace.counts[k - 1].tolist() == counts
        assert trace.band[k - 1] == pytest.approx(band, abs=5e-7)
        assert (np.flatnonzero(trace.eliminated_at == k) + 1).tolist() == eliminated_labels


def test_the_worked_example_undecided():
    table, bags = worked(10**6)
    rule = PartialAdaptive(max_neighbors=12)
    known = reference("partial")["trace_undecided"]
    scan = rule.scan(table, bags, 3)
    survivors = np.flatnonzero(scan.alive[0]) + 1
    assert survivors.tolist() == list(known["survivors"])
    assert of_first(scan) == (known["label"] - 1, known["k"], False)
    lead = rule.trace(table, bags, 3).lead
    printed = np.where(scan.alive, rule.band_constant(10**6, 3) - lead, np.inf)
    assert printed.min() == pytest.approx(known["minM"], abs=5e-5)
    k, label = np.argwhere(printed == printed.min())[0] + 1
    assert [k, label] == known["argmin"]


def test_rows_never_visited_do_not_count():
    """Label 1 in six bags, label 0 in four, T beyond n: zeros past the end would give label 0."""
    table, bags = in_order([[True, True]] * 4 + [[False, True]] * 2)
    assert PartialAdaptive(max_neighbors=50).scan(table, bags, 2).labels.tolist() == [1]


@given(
    bag_sequences(),
    st.sampled_from([0.3, 0.5, 1.0, 3.0]),
    st.sampled_from(["lead", "majority"]),
    st.sampled_from(["alive", "all"]),
)
def test_the_rule_is_the_printed_one(bags, c1, fallback, runner_up):
    most, n_classes = bags.shape
    table, held = in_order(bags, 200)
    rule = PartialAdaptive(c1, max_neighbors=most, fallback=fallback, runner_up=runner_up)
    constant = rule.band_constant(200, n_classes)
    label, k, alive = eliminated(bags, constant, fallback, runner_up)
    scan = rule.scan(table, held, n_classes)
    trace = rule.trace(table, held, n_classes)
    decided = len(alive) == 1
    assert of_first(scan) == (trace.label, trace.stop_k, trace.decided) == (label, k, decided)
    assert set(np.flatnonzero(scan.alive[0])) == alive
    assert set(np.flatnonzero(trace.eliminated_at == 0)) == alive
    assert (trace.counts == np.cumsum(bags, axis=0)).all()
    last = np.where(trace.eliminated_at, trace.eliminated_at, most)
    assert (trace.alive.sum(axis=0) == last).all()

    for step, counts in enumerate(trace.counts):
        there = trace.alive[step]
        second = np.nan
        if step < k:
            second = sorted(counts if runner_up == "all" else counts[there])[-2]
        wanted = np.where(there, (counts - second) / np.sqrt(step + 1), np.nan)
        assert trace.lead[step] == pytest.approx(wanted, nan_ok=True)
    if runner_up == "alive":
        all_above_zero = np.nanmax(trace.lead[:, sorted(alive)]) < constant
        assert all_above_zero != decided, "M of the classes left, in Algorithm 2"


@given(bag_sequences(), st.sampled_from([0.1, 0.3, 0.5]), st.sampled_from(["classes", "bag_size"]))
def test_the_extension_is_that_of_plain_code(bags, c1, baseline):
    most, n_classes = bags.shape
    table, held = in_order(bags, 200)
    rule = Adaptive(c1, max_neighbors=most, baseline=baseline)
    fraction = 1 / n_classes
    if baseline == "bag_size":
        fraction *= bags.sum() / 200
    constant = rule.band_constant(200, n_classes)
    label, k, decided = stood_out(bags, constant, fraction)
    scan = rule.scan(table, held, n_classes)
    assert of_first(scan) == (label, k, decided)
    left = {label} if decided else {*range(n_classes)}
    assert set(np.flatnonzero(scan.alive[0])) == left


@given(st.lists(st.integers(0, 1), min_size=1, max_size=40), st.sampled_from([0.1, 0.3, 0.5]))
def test_two_classes_and_plain_labels_are_the_original_rule(labels, c1):
    n = 200
    most = len(labels)
    scan = Adaptive(c1, max_neighbors=most).scan(*in_order(labels, n), 2)
    ks = np.arange(1, most + 1)
    means = np.cumsum(2 * np.array(labels) - 1) / ks
    width = c1 * np.sqrt((np.log(n) + np.log(10)) / ks)
    reached = np.flatnonzero(abs(means) >= width)
    at = [*reached, most - 1][0]
    assert of_first(scan) == (means[at] >= 0, at + 1, len(reached) > 0)


@pytest.mark.parametrize("kind", [Adaptive, PartialAdaptive])
def test_refusals(kind):
    for name, bad in {"c1": 0, "delta": 1.5, "max_neighbors": -3}.items():
        refuses(f"{name} must be .* {bad}", kind, **{name: bad})
    refuses("table holds 12", kind().scan, *worked(100), 3)
