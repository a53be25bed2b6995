"""Confusion entries, the three F1 scores, weighted risk and the uniform error: an example, and plain code."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference_implementations import reference
from refusals import refuses
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score, precision_recall_fscore_support

from knnviz import NeighborTable, VoteProfile
from knnviz.problems import waves
from knnviz.problems.base import two_classes
from knnviz.weights import (
    Confusion,
    confusion,
    confusion_bayes,
    confusion_fitted,
    confusion_hat,
    excess_weighted_risk,
    uniform_error,
)

KHIM = reference("khim_metrics")
Q = (0.5, 0.3, 0.2)
ENTRIES = ("tn", "fn", "fp", "tp")


def entries(found):
    """The four entries of all classes (4, C)."""
    return np.stack([getattr(found, name) for name in ENTRIES])


def midpoints(number):
    """eta of the example at the centres of cells."""
    return waves().eta(waves().measure(number).points)


def left_points(number):
    """The left ends of cells, and eta of the example there."""
    x = np.arange(number)[:, None] / number
    return x, waves().eta(x)


def eta_hat(sample, k, queries=None, exclude_self=False):
    """Class fractions among the k nearest, by default of the training points among themselves."""
    table = NeighborTable.build(sample.X, queries, k, exclude_self=exclude_self)
    return VoteProfile.count(table, sample.y, 3).at(k) / k


@pytest.mark.parametrize(("name", "q"), [("equal", None), ("weighted", Q)])
@pytest.mark.parametrize("rule", ["geq", "argmax"])
def test_population_entries_of_the_example(name, q, rule):
    known, found = KHIM["population"][name], confusion_bayes(midpoints(200_000), q, rule=rule)
    for entry in ENTRIES:
        assert getattr(found, entry) == pytest.approx(known["entries"][entry], abs=1e-12)
    assert np.stack([found.precision, found.recall, found.f1], axis=1) == pytest.approx(np.array(known["scores"]))
    assert found.macro_f1 == pytest.approx(known["macro_f1"])
    assert [found.micro_f1, found.accuracy] == pytest.approx([known["micro_f1"]] * 2)
    assert 1 - found.accuracy == pytest.approx(known["bayes_risk"])
    assert found.weighted_risk(q) == pytest.approx(known["R_q"])


@pytest.mark.parametrize(("n", "k"), [(50, 18), (1000, 49)])
@pytest.mark.parametrize("tie_tol", [0, 1e-12])
def test_entries_of_the_seeded_samples(n, k, tie_tol):
    known, sample = KHIM["digests"][f"{n},{k}"], waves().sample(n, 0)
    fractions = eta_hat(sample, k)
    for rule, classes in (("geq", (0, 1)), ("argmax", (1,))):
        found = confusion_hat(fractions, sample.y, Q, rule=rule, tie_tol=tie_tol)
        assert found.macro_f1 == pytest.approx(known[f"macro_f1_{rule}"])
        for c in classes:
            assert entries(found)[:, c].tolist() == list(known[f"confusion_class{c}_{rule}"].values())


@pytest.mark.parametrize("k", [1, 5, 20, 50, 200, 1000])
def test_three_f1s_and_the_uniform_error_over_k(k):
    """Points that count themselves have a perfect F1 at one neighbor; new points do not."""
    known, sample, (x, eta) = KHIM["k_sweep"][str(k)], waves().sample(1000, 0), left_points(2000)
    own, others, new = eta_hat(sample, k), eta_hat(sample, min(k, 999), None, True), eta_hat(sample, k, x)
    assert confusion_hat(own, sample.y, rule="argmax").macro_f1 == pytest.approx(known["emp_self"])
    assert confusion_hat(others, sample.y, rule="argmax").macro_f1 == pytest.approx(known["emp_loo"])
    assert confusion_fitted(new, eta, rule="argmax").macro_f1 == pytest.approx(known["pop_macro"])
    assert uniform_error(new, eta) == pytest.approx(known["uniform_error"])


def test_two_classes_are_a_threshold():
    """Class 1 is positive where eta reaches t = q_0 / (q_0 + q_1): the first class of the example against the rest."""
    eta_1 = midpoints(200_000)[:, 0]
    found = confusion_bayes(two_classes(eta_1), (0.5, 0.5))
    assert [entry[1] for entry in entries(found)] == pytest.approx([KHIM["threshold"][n.upper()] for n in ENTRIES])
    assert [found.precision[1], found.recall[1], found.f1[1]] == pytest.approx(KHIM["threshold_scores"])
    for t in (0.25, 0.287, 0.9):
        tp = (eta_1 * (eta_1 >= t)).mean()
        assert confusion_bayes(two_classes(eta_1), (t, 1 - t)).tp[1] == pytest.approx(tp)


@st.composite
def cases(draw, coded=None):
    """Fractions of k votes, truth as codes or probabilities, whole weights, and weights of points or none."""
    n_classes, m, k = draw(st.integers(2, 5)), draw(st.integers(1, 12)), draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    votes = rng.multinomial(k, np.full(n_classes, 1 / n_classes), m)
    q = draw(st.lists(st.integers(0, 4), min_size=n_classes, max_size=n_classes).filter(any))
    coded = draw(st.booleans()) if coded is None else coded
    truth = rng.integers(0, n_classes, m) if coded else rng.dirichlet(np.ones(n_classes), m)
    points = None if draw(st.booleans()) else rng.dirichlet(np.ones(m))
    return votes, k, q, truth, points


def reference_entries(votes, q, truth, points, rule):
    """The entries point by point and class by class, from whole numbers."""
    m, n_classes = votes.shape
    found = np.zeros((4, n_classes))
    for i in range(m):
        mass = 1 / m if points is None else points[i]
        scores = [int(q[c]) * int(votes[i, c]) for c in range(n_classes)]
        for c in range(n_classes):
            positive = scores[c] >= max(scores[:c] + scores[c + 1 :])
            if rule == "argmax":
                positive = c == scores.index(max(scores))
            own = float(truth[i] == c) if truth.ndim == 1 else truth[i, c]
            found[2 * positive, c] += mass * (1 - own)
            found[2 * positive + 1, c] += mass * own
    return found


@given(cases(), st.sampled_from(["geq", "argmax"]))
def test_entries_are_those_of_plain_code(case, rule):
    votes, k, q, truth, points = case
    found = confusion(votes / k, truth, q, weights=points, rule=rule)
    assert entries(found) == pytest.approx(reference_entries(votes, q, truth, points, rule), abs=1e-12)
    assert entries(found).sum(axis=0) == pytest.approx(np.ones(len(q)))
    assert entries(found).min() >= 0


@given(cases())
def test_micro_f1_is_the_accuracy_of_a_partition(case):
    votes, k, q, truth, points = case
    found = confusion(votes / k, truth, q, weights=points, rule="argmax")
    assert found.micro_f1 == pytest.approx(found.accuracy)
    assert (found.tp + found.fp).sum() == pytest.approx(1)
    every = confusion(votes / k, truth, q, weights=points)
    assert (every.tp >= found.tp - 1e-12).all()
    assert [every.tp[0], every.fp[0]] == pytest.approx([found.tp[0], found.fp[0]])


@given(cases(), st.integers(-1072, 1020), st.sampled_from(["geq", "argmax"]))
def test_only_ratios_of_weights_count(case, exponent, rule):
    votes, k, q, truth, points = case
    scaled = np.array(q) * 2.0**exponent
    found, other = (confusion(votes / k, truth, given, weights=points, rule=rule) for given in (q, scaled))
    assert entries(found) == pytest.approx(entries(other))


@given(st.permutations(range(4)), st.integers(0, 10**6), st.sampled_from(["geq", "argmax"]))
def test_classes_may_be_named_in_any_order_where_nothing_ties(order, seed, rule):
    rng = np.random.default_rng(seed)
    fractions, eta, q = rng.dirichlet(np.ones(4), 20), rng.dirichlet(np.ones(4), 20), rng.random(4)
    found = confusion_fitted(fractions, eta, q, rule=rule)
    renamed = confusion_fitted(fractions[:, order], eta[:, order], q[order], rule=rule)
    assert entries(renamed) == pytest.approx(entries(found)[:, order])


@given(cases(coded=True))
def test_scikit_learn_agrees_under_argmax(case):
    votes, k, q, truth, _ = case
    classes, decided = range(len(q)), (np.array(q) * votes).argmax(axis=1)
    found = confusion_hat(votes / k, truth, q, rule="argmax")
    matrix = confusion_matrix(truth, decided, labels=classes)
    assert found.tp == pytest.approx(np.diag(matrix) / len(truth))
    assert found.fp == pytest.approx((matrix.sum(axis=0) - np.diag(matrix)) / len(truth))
    scores = precision_recall_fscore_support(truth, decided, labels=classes, zero_division=0)[:3]
    assert np.stack([found.precision, found.recall, found.f1]) == pytest.approx(np.stack(scores))
    macro, micro = (
        f1_score(truth, decided, labels=classes, average=average, zero_division=0) for average in ("macro", "micro")
    )
    assert [found.macro_f1, found.micro_f1] == pytest.approx([macro, micro])
    assert found.accuracy == pytest.approx(accuracy_score(truth, decided))


def test_the_sample_entries_of_many_points_are_near_the_population_entries():
    """The rule is the same, so only sampling is left: four standard errors at 200,000 points."""
    sample = waves().sample(200_000, 0)
    counted = confusion_hat(waves().eta(sample.X), sample.y, Q)
    assert entries(counted) == pytest.approx(entries(confusion_bayes(midpoints(20_000), Q)), abs=4 * 0.5 / 200_000**0.5)


def test_a_tie_is_positive_for_both_or_for_the_smallest():
    fractions = np.array([[0.2, 0.4, 0.4], [0.1, 0.2, 0.7]])
    assert confusion_hat(fractions, np.array([2, 2])).tp.tolist() == [0, 0, 1]
    assert confusion_hat(fractions, np.array([2, 2])).fp.tolist() == [0, 0.5, 0]
    assert confusion_hat(fractions, np.array([2, 2]), rule="argmax").tp.tolist() == [0, 0, 0.5]
    assert confusion_hat(two_classes(np.array([0.5])), np.array([1]), rule="argmax").tp.tolist() == [0, 0]


@pytest.mark.parametrize("scale", [5e-324, 0.5, 1, 30, 1.7e308])
def test_the_tolerance_is_relative_to_the_largest_weight(scale):
    fractions, truth, q = two_classes(np.array([0.52])), np.array([1]), (scale, scale)
    assert confusion_hat(fractions, truth, q, tie_tol=0.05).fp[0] == 1
    assert confusion_hat(fractions, truth, q, tie_tol=0.03).fp[0] == 0


def test_rounding_does_not_decide_a_tie_unless_asked():
    """0.3 * 6 / 18 and 0.2 * 9 / 18 are equal, their doubles are not."""
    fractions, truth = np.array([[3, 6, 9]]) / 18, np.array([1])
    found, doubles = confusion_hat(fractions, truth, Q), confusion_hat(fractions, truth, Q, tie_tol=0)
    assert [found.tp[1], found.fp[2]] == [1, 1]
    assert doubles.tp[1] + doubles.fp[2] == 1


def test_nothing_of_nothing_is_0_and_every_class_counts():
    """Class 2 neither occurs nor is decided: it enters the mean of three as 0, and its risk is 1."""
    found = confusion_hat(np.array([[1, 0, 0], [0, 1, 0]]), np.array([0, 1]))
    assert [found.precision[2], found.recall[2], found.f1[2]] == [0, 0, 0]
    assert found.macro_f1 == found.balanced_accuracy == pytest.approx(2 / 3)
    assert found.class_risk.tolist() == [0, 0, 1]
    assert found.weighted_risk((1, 1, 1)) == 0


@given(cases(coded=False))
def test_the_excess_is_what_is_above_the_weighted_bayes_rule(case):
    votes, k, q, eta, points = case
    found = confusion_fitted(votes / k, eta, q, weights=points, rule="argmax")
    least = confusion_bayes(eta, q, weights=points, rule="argmax")
    excess = excess_weighted_risk(votes / k, eta, q, weights=points)
    assert excess == pytest.approx(found.weighted_risk(q) - least.weighted_risk(q), abs=1e-12)
    assert excess >= 0
    assert excess_weighted_risk(eta, eta, q, weights=points) == pytest.approx(0, abs=1e-12)


@given(cases(coded=False))
def test_weighted_risk_is_the_sum_of_class_risks(case):
    votes, k, q, eta, points = case
    found = confusion_fitted(votes / k, eta, q, weights=points, rule="argmax")
    prior = eta.mean(axis=0) if points is None else points @ eta
    assert found.weighted_risk(q) == pytest.approx((np.array(q) * prior * found.class_risk).sum())


@given(arrays(float, (5, 3), elements=st.floats(0, 1)), arrays(float, (5, 3), elements=st.floats(0, 1)))
def test_the_uniform_error_is_the_largest_difference(fractions, eta):
    expected = max(abs(a - b) for a, b in zip(fractions.ravel().tolist(), eta.ravel().tolist(), strict=True))
    assert uniform_error(fractions, eta) == expected


EVEN, CODES = np.full((4, 2), 0.5), np.array([0, 1, 1, 0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: confusion_hat(2 * EVEN + 1, CODES), "fractions must lie between 0 and 1, got values from 2 to 2"),
        (lambda: confusion_hat(EVEN * np.nan, CODES), "fractions must lie between 0 and 1, got values from nan to nan"),
        (lambda: confusion_hat(EVEN[:, 0], CODES), r"fractions must have a row for each point .*, got shape \(4,\)"),
        (lambda: confusion_hat(EVEN[:, :1], CODES), r"a column for each class, got shape \(4, 1\)"),
        (lambda: confusion_hat(EVEN, CODES + 1), "truth must be class codes 0 to 1, got 1 to 2"),
        (lambda: confusion_hat(EVEN, CODES[:2]), r"truth must hold one class for each of 4 points, got shape \(2,\)"),
        (lambda: confusion_hat(EVEN, EVEN), r"labels must hold one class code for each point, got shape \(4, 2\)"),
        (lambda: confusion_hat(EVEN, CODES, (1, 2, 3)), "q must hold 2 weights"),
        (lambda: confusion_hat(EVEN, CODES, (-1, 2)), "q must hold 2 weights that are finite, not negative"),
        (lambda: confusion_hat(EVEN, CODES, (0, 0)), "not all 0"),
        (lambda: confusion_hat(EVEN, CODES, rule="max"), "rule must be 'geq' or 'argmax', got 'max'"),
        (lambda: confusion_hat(EVEN, CODES, tie_tol=-1), "tie_tol must be between 0 and 1, got -1"),
        (lambda: confusion_bayes(CODES), r"eta must have a row for each point and a column .*, got shape \(4,\)"),
        (lambda: confusion_bayes(EVEN / 2), "eta must hold probabilities that sum to 1 at every point"),
        (lambda: confusion_bayes(EVEN, weights=np.ones(4)), "weights must be 4 numbers that are not negative and sum"),
        (
            lambda: confusion_fitted(EVEN, EVEN[:3]),
            r"fractions and eta must have the same shape, got \(4, 2\) and \(3, 2",
        ),
        (lambda: confusion_fitted(EVEN, CODES), "eta must have a row for each point"),
        (lambda: excess_weighted_risk(EVEN, CODES), "eta must have a row for each point"),
        (lambda: uniform_error(EVEN, EVEN[:3]), "fractions and eta must have the same shape"),
        (lambda: Confusion(*np.full((4, 3), 0.3)), "confusion entries must not be negative and sum to 1 at each class"),
        (lambda: Confusion([1.5], [-0.5], [0], [0]), "confusion entries must not be negative"),
        (lambda: Confusion([1], [0], [0], [0, 0]), "confusion entries need one number for each class"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, message):
    refuses(message, call)
