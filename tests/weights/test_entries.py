"""Confusion entries, F1 scores, weighted risk and uniform error: an example and plain code."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import fractions_of, generators, reference
from refusals import refuses

from knnviz.problems import waves
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
    own = np.arange(len(sample)) if exclude_self else None
    return fractions_of(sample.X, sample.y, sample.X if queries is None else queries, k, own)


@pytest.mark.parametrize(("name", "q"), [("equal", None), ("weighted", Q)])
@pytest.mark.parametrize("rule", ["geq", "argmax"])
def test_population_entries_of_the_example(name, q, rule):
    known = KHIM["population"][name]
    found = confusion(MIDPOINTS, MIDPOINTS, q, rule=rule)
    for entry, values in known["entries"].items():
        assert getattr(found, entry) == pytest.approx(values, abs=1e-12)
    scores = np.stack([found.precision, found.recall, found.f1], axis=1)
    assert scores == pytest.approx(np.array(known["scores"]))
    means = {"macro_f1": found.macro_f1, "micro_f1": found.micro_f1}
    means |= {"bayes_risk": 1 - found.accuracy, "R_q": found.weighted_risk(q)}
    assert means == pytest.approx({each: known[each] for each in means})


@pytest.mark.parametrize("k", [1, 20, 1000])
def test_three_f1s_and_the_uniform_error_over_k(k):
    """Points that count themselves have a perfect F1 at one neighbor; new points do not."""
    known = KHIM["k_sweep"][str(k)]
    sample = waves().sample(1000, 0)
    x = np.arange(2000)[:, None] / 2000
    eta = waves().eta(x)
    new = eta_hat(sample, k, x)
    left_out = eta_hat(sample, min(k, 999), exclude_self=True)
    decisions = [
        (sample.y, eta_hat(sample, k), "emp_self"),
        (sample.y, left_out, "emp_loo"),
        (eta, new, "pop_macro"),
    ]
    for truth, fractions, name in decisions:
        found = confusion(truth, fractions, rule="argmax")
        assert found.macro_f1 == pytest.approx(known[name])
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
    """The entries from whole numbers, which are exact."""
    m, n_classes = votes.shape
    points = np.full(m, 1 / m) if points is None else points
    eta = np.eye(n_classes)[truth] if truth.ndim == 1 else truth
    scores = votes * q
    positive = scores == scores.max(axis=1, keepdims=True)
    if rule == "argmax":
        positive = np.eye(n_classes, dtype=bool)[scores.argmax(axis=1)]
    sides = [(side, part) for side in (~positive, positive) for part in (1 - eta, eta)]
    return np.stack([points @ (side * part) for side, part in sides])


@given(cases(), st.sampled_from(["geq", "argmax"]), st.integers(-1072, 1020))
def test_entries_are_those_of_plain_code_on_any_scale_of_weights(case, rule, exponent):
    votes, k, q, truth, points = case
    scaled = np.array(q) * 2.0**exponent
    found = confusion(truth, votes / k, scaled, weights=points, rule=rule)
    expected = reference_entries(votes, q, truth, points, rule)
    assert entries(found) == pytest.approx(expected, abs=1e-12)
    if rule == "argmax":
        assert found.micro_f1 == pytest.approx(found.accuracy)


@given(cases(coded=False))
def test_weighted_risk_sums_class_risks_and_its_excess_is_above_the_weighted_bayes_rule(case):
    votes, k, q, eta, _ = case
    found = confusion(eta, votes / k, q, rule="argmax")
    risk = found.weighted_risk(q)
    assert risk == pytest.approx(q * eta.mean(axis=0) @ found.class_risk)
    least = confusion(eta, eta, q, rule="argmax").weighted_risk(q)
    excess = excess_weighted_risk(eta, votes / k, q)
    assert excess == pytest.approx(risk - least, abs=1e-12)
    assert excess >= 0


def test_fractions_above_1_are_refused():
    refuses("to 2", confusion, [0, 1], [[2, 0], [0, 2]])
