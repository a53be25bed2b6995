"""Confusion entries, F1 scores, weighted risk and uniform error: an example and plain code."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import generators, reference
from refusals import refuses
from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support

from knnviz import NeighborTable, VoteProfile
from knnviz.problems import waves
from knnviz.problems.base import two_classes
from knnviz.weights import (
    confusion,
    excess_weighted_risk,
    uniform_error,
)

KHIM = reference("khim_metrics")
Q = (0.5, 0.3, 0.2)
ENTRIES = ("tn", "fn", "fp", "tp")
MIDPOINTS = waves().eta(waves().measure(200_000).points)


def entries(found):
    """The four entries of all classes (4, C)."""
    return np.stack([getattr(found, name) for name in ENTRIES])


def eta_hat(sample, k, queries=None, exclude_self=False):
    """Class fractions among the k nearest, by default of the training points among themselves."""
    table = NeighborTable.build(sample.X, queries, k, exclude_self=exclude_self)
    return VoteProfile.build(table, sample.y, 3).at(k) / k


@pytest.mark.parametrize(("name", "q"), [("equal", None), ("weighted", Q)])
@pytest.mark.parametrize("rule", ["geq", "argmax"])
def test_population_entries_of_the_example(name, q, rule):
    known = KHIM["population"][name]
    found = confusion(MIDPOINTS, MIDPOINTS, q, rule=rule)
    for entry in ENTRIES:
        assert getattr(found, entry) == pytest.approx(known["entries"][entry], abs=1e-12)
    scores = np.stack([found.precision, found.recall, found.f1], axis=1)
    assert scores == pytest.approx(np.array(known["scores"]))
    assert found.macro_f1 == pytest.approx(known["macro_f1"])
    assert found.micro_f1 == pytest.approx(known["micro_f1"])
    assert 1 - found.accuracy == pytest.approx(known["bayes_risk"])
    assert found.weighted_risk(q) == pytest.approx(known["R_q"])


@pytest.mark.parametrize(("n", "k"), [(50, 18), (1000, 49)])
@pytest.mark.parametrize("tie_tol", [0, 1e-12])
def test_entries_of_the_seeded_samples(n, k, tie_tol):
    known = KHIM["digests"][f"{n},{k}"]
    sample = waves().sample(n, 0)
    fractions = eta_hat(sample, k)
    for rule, classes in (("geq", (0, 1)), ("argmax", (1,))):
        found = confusion(sample.y, fractions, Q, rule=rule, tie_tol=tie_tol)
        assert found.macro_f1 == pytest.approx(known[f"macro_f1_{rule}"])
        for c in classes:
            counted = known[f"confusion_class{c}_{rule}"]
            assert entries(found)[:, c].tolist() == list(counted.values())


@pytest.mark.parametrize("k", [1, 5, 20, 50, 200, 1000])
def test_three_f1s_and_the_uniform_error_over_k(k):
    """Points that count themselves have a perfect F1 at one neighbor; new points do not."""
    known = KHIM["k_sweep"][str(k)]
    sample = waves().sample(1000, 0)
    x = np.arange(2000)[:, None] / 2000
    eta = waves().eta(x)
    own = confusion(sample.y, eta_hat(sample, k), rule="argmax")
    others = eta_hat(sample, min(k, 999), None, True)
    left_out = confusion(sample.y, others, rule="argmax")
    new = eta_hat(sample, k, x)
    fitted = confusion(eta, new, rule="argmax")
    assert own.macro_f1 == pytest.approx(known["emp_self"])
    assert left_out.macro_f1 == pytest.approx(known["emp_loo"])
    assert fitted.macro_f1 == pytest.approx(known["pop_macro"])
    assert uniform_error(eta, new) == pytest.approx(known["uniform_error"])


@st.composite
def cases(draw, coded=None):
    """Votes of k, truth as codes or probabilities, whole weights, and weights of points or none."""
    n_classes = draw(st.integers(2, 5))
    m = draw(st.integers(1, 12))
    k = draw(st.integers(1, 7))
    rng = draw(generators)
    votes = rng.multinomial(k, np.full(n_classes, 1 / n_classes), m)
    typed = st.lists(st.integers(0, 4), min_size=n_classes, max_size=n_classes)
    q = draw(typed.filter(any))
    if coded is None:
        coded = draw(st.booleans())
    truth = rng.integers(0, n_classes, m) if coded else rng.dirichlet(np.ones(n_classes), m)
    points = None if draw(st.booleans()) else rng.dirichlet(np.ones(m))
    return votes, k, q, truth, points


def reference_entries(votes, q, truth, points, rule):
    """The entries point by point and class by class, from whole numbers."""
    m, n_classes = votes.shape
    found = np.zeros((4, n_classes))
    if points is None:
        points = np.full(m, 1 / m)
    if truth.ndim == 1:
        truth = np.eye(n_classes)[truth]
    for row, eta, mass in zip(votes.tolist(), truth, points, strict=True):
        scores = [weight * count for weight, count in zip(q, row, strict=True)]
        for c in range(n_classes):
            if rule == "argmax":
                positive = c == scores.index(max(scores))
            else:
                positive = scores[c] == max(scores)
            found[2 * positive, c] += mass * (1 - eta[c])
            found[2 * positive + 1, c] += mass * eta[c]
    return found


@given(cases(), st.sampled_from(["geq", "argmax"]), st.integers(-1072, 1020))
def test_entries_are_those_of_plain_code_on_any_scale_of_weights(case, rule, exponent):
    votes, k, q, truth, points = case
    scaled = np.array(q) * 2.0**exponent
    found = confusion(truth, votes / k, scaled, weights=points, rule=rule)
    expected = reference_entries(votes, q, truth, points, rule)
    assert entries(found) == pytest.approx(expected, abs=1e-12)
    if rule == "argmax":
        assert found.micro_f1 == pytest.approx(found.accuracy)


@settings(max_examples=30)
@given(cases(coded=True))
def test_scikit_learn_agrees_under_argmax(case):
    votes, k, q, truth, _ = case
    options = {"labels": range(len(q)), "zero_division": 0}
    decided = (np.array(q) * votes).argmax(axis=1)
    found = confusion(truth, votes / k, q, rule="argmax")
    scores = precision_recall_fscore_support(truth, decided, **options)[:3]
    assert np.stack([found.precision, found.recall, found.f1]) == pytest.approx(np.stack(scores))
    macro = f1_score(truth, decided, average="macro", **options)
    micro = f1_score(truth, decided, average="micro", **options)
    assert found.macro_f1 == pytest.approx(macro)
    assert found.micro_f1 == pytest.approx(micro)
    assert found.accuracy == pytest.approx(accuracy_score(truth, decided))


@pytest.mark.parametrize("scale", [5e-324, 0.5, 30, 1.7e308])
def test_the_tolerance_is_relative_to_the_largest_weight(scale):
    fractions = two_classes(np.array([0.52]))
    truth = np.array([1])
    q = (scale, scale)
    assert confusion(truth, fractions, q, tie_tol=0.05).fp[0] == 1
    assert confusion(truth, fractions, q, tie_tol=0.03).fp[0] == 0


def test_nothing_of_nothing_is_0_and_every_class_counts():
    """Class 2 neither occurs nor is decided: it enters the mean of three as 0, with a risk of 1."""
    fractions = np.array([[1, 0, 0], [0, 1, 0]])
    found = confusion(np.array([0, 1]), fractions)
    for score in (found.precision, found.recall, found.f1):
        assert score[2] == 0
    assert found.macro_f1 == found.balanced_accuracy == pytest.approx(2 / 3)
    assert found.class_risk.tolist() == [0, 0, 1]


@given(cases(coded=False))
def test_weighted_risk_sums_class_risks_and_its_excess_is_above_the_weighted_bayes_rule(case):
    votes, k, q, eta, _ = case
    found = confusion(eta, votes / k, q, rule="argmax")
    risk = found.weighted_risk(q)
    prior = eta.mean(axis=0)
    assert risk == pytest.approx((q * prior * found.class_risk).sum())

    least = confusion(eta, eta, q, rule="argmax").weighted_risk(q)
    excess = excess_weighted_risk(eta, votes / k, q)
    assert excess == pytest.approx(risk - least, abs=1e-12)
    assert excess >= 0


def test_fractions_above_1_are_refused():
    fractions = np.full((4, 2), 2.0)
    refuses("to 2", confusion, np.array([0, 1, 1, 0]), fractions)
