"""Scores at many class weights, and the searches that climb them."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import climbed, reference
from refusals import refuses
from sklearn import metrics as peer

from knnviz import NeighborTable, VoteProfile, Weighted, kernels, problems
from knnviz.weights import (
    SCORES,
    WeightScorer,
    confusion_fitted,
    confusion_hat,
    greedy_search,
    grid_search,
    neighbors_rule,
    simplex_grid,
)

FOUND = reference("khim_search")
WAVES = problems.waves()
SAMPLE = WAVES.sample(1000, 0)
FRACTIONS = VoteProfile.count(NeighborTable.build(SAMPLE.X, SAMPLE.X, 50), SAMPLE.y, 3).at(50) / 50
LINE = np.arange(10_000)[:, None] / 10_000
NEW = VoteProfile.count(NeighborTable.build(SAMPLE.X, LINE, 50), SAMPLE.y, 3).at(50) / 50
SCORE, FITTED = WeightScorer.from_fractions(FRACTIONS, SAMPLE.y), WeightScorer.from_fractions(NEW, WAVES.eta(LINE))
START = (0.3, 0.3, 0.4)

#: How the reference calls the variants of a step.
VARIANTS = {
    "printed": {},
    "sign_order": {"order": "sign"},
    "strict": {"accept": ">"},
    "running_base": {"base": "running"},
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("step", [0.01, 0.05])
def test_greedy_searches_of_figure_3a(step, variant):
    known = FOUND["figure3a"][f"gamma={step},{variant}"]
    found = greedy_search(SCORE, START, step=step, **VARIANTS[variant])
    assert found.q == pytest.approx(known["final_q"], abs=1e-12)
    assert found.scores == pytest.approx(known["emp"], abs=1e-12)
    # Of the variants the reference keeps the first and the last step.
    steps = found.history if variant == "printed" and len(known["pop_macro"]) > 2 else found.history[[0, -1]]
    assert FITTED(steps) == pytest.approx(known["pop_macro"], abs=1e-12)


def test_the_grid_search_of_figure_3a():
    grid = simplex_grid(3, 100)
    found = grid_search(SCORE, grid)
    assert found.q == pytest.approx((0.32, 0.35, 0.33))
    assert found.score == pytest.approx(0.60356, abs=5e-6)
    assert FITTED(found.q) == pytest.approx(0.60236, abs=5e-6)
    first = next(j for j, score in enumerate(SCORE(grid)) if score == found.score)
    assert np.array_equal(grid[first], found.q)


def test_strictness_decides_whether_a_plateau_is_crossed():
    strict, loose = (greedy_search(SCORE, START, accept=accept) for accept in (">", ">="))
    assert (strict.history == strict.history[0]).all()
    assert loose.score > strict.score


def reference_score(fractions, truth, q, scoring):
    """A score by scikit-learn or by the confusion entries, one set of weights at a time."""
    decided = Weighted(q).decide(fractions)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if scoring == "matthews_corrcoef":
            return peer.matthews_corrcoef(truth, decided)
        if scoring == "balanced_accuracy" and len(np.unique(truth)) == fractions.shape[1]:
            return peer.balanced_accuracy_score(truth, decided)
        if scoring == "f1_macro":
            return peer.f1_score(truth, decided, labels=np.arange(fractions.shape[1]), average="macro", zero_division=0)
    entries = confusion_hat(fractions, truth, q, rule="argmax")
    return {"accuracy": entries.accuracy, "f1_micro": entries.micro_f1}.get(scoring, entries.balanced_accuracy)


@given(st.integers(2, 5), st.integers(1, 40), st.integers(0, 2**32 - 1), st.sampled_from(sorted(SCORES)))
def test_scores_are_those_of_one_decision_after_the_other(n_classes, m, seed, scoring):
    rng = np.random.default_rng(seed)
    fractions = rng.multinomial(6, np.ones(n_classes) / n_classes, m) / 6
    truth, q = rng.integers(0, n_classes, m), rng.integers(0, 5, (7, n_classes)) + np.eye(n_classes, dtype=int)[0]
    found = WeightScorer.from_fractions(fractions, truth, scoring=scoring)(q)
    assert found == pytest.approx([reference_score(fractions, truth, each, scoring) for each in q], abs=1e-12)


def test_probabilities_and_weights_of_points_are_integrated():
    measure, eta = WAVES.cells(500)
    fractions = np.round(eta * 10) / 10
    fractions /= fractions.sum(axis=1, keepdims=True)
    grid = simplex_grid(3, 8)
    found = WeightScorer.from_fractions(fractions, eta, weights=measure.weights)(grid)
    each = (confusion_fitted(fractions, eta, q, weights=measure.weights, rule="argmax").macro_f1 for q in grid)
    assert found == pytest.approx(list(each), abs=1e-12)


def test_no_layout_of_weights_compiles_the_kernel_again():
    grid = simplex_grid(3, 30)
    found, known = SCORE(grid), list(kernels.sum_weights.signatures)
    for other in (np.asfortranarray(grid), np.repeat(grid, 2, axis=0)[::2], grid[:, ::-1].copy()[:, ::-1]):
        assert np.array_equal(SCORE(other), found)
    assert kernels.sum_weights.signatures == known


@given(st.integers(0, 2**32 - 1), st.floats(0.001, 1000))
def test_only_ratios_of_weights_count(seed, scale):
    q = np.random.default_rng(seed).integers(1, 20, (4, 3)).astype(float)
    assert SCORE(scale * q) == pytest.approx(SCORE(q), abs=1e-15)


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.01, 0.1, 1.0]),
    st.sampled_from(["coordinate", "sign"]),
    st.sampled_from([">=", ">"]),
    st.sampled_from(["previous", "running"]),
)
def test_scores_never_fall_and_weights_stay_on_the_simplex(seed, step, order, accept, base):
    rng = np.random.default_rng(seed)
    score = WeightScorer.from_fractions(rng.multinomial(5, np.ones(4) / 4, 30) / 5, rng.integers(0, 4, 30))
    found = greedy_search(score, rng.random(4), step=step, n_steps=6, order=order, accept=accept, base=base)
    assert (np.diff(found.scores) >= 0).all()
    assert found.history.shape == (7, 4)
    assert found.history.min() >= 0
    assert found.history.sum(axis=1) == pytest.approx(np.ones(7))
    assert score(found.history) == pytest.approx(found.scores, abs=0)


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.01, 0.2, 1.0]),
    st.sampled_from(["coordinate", "sign"]),
    st.sampled_from([">=", ">"]),
    st.sampled_from(["previous", "running"]),
)
def test_a_step_is_that_of_a_loop_over_candidates(seed, step, order, accept, base):
    """On stairs of four heights, where most candidates are equal."""
    rng = np.random.default_rng(seed)
    slope, start = rng.normal(0, 10, 3), rng.integers(0, 3, 3) + np.eye(3, dtype=int)[0]

    def stairs(rows):
        return np.floor((rows * slope).sum(axis=1)) % 4

    found = greedy_search(stairs, start, step=step, n_steps=4, order=order, accept=accept, base=base)
    assert found.history[0] == pytest.approx(start / start.sum())
    for before, after, score in zip(found.history[:-1], found.history[1:], found.scores[1:], strict=True):
        q, best = climbed(stairs, before, step, order, accept, base)
        assert (after.tolist(), score) == (q.tolist(), best)


def test_the_last_of_equal_candidates_wins():
    """On a plateau each step takes from the last class; a strict search stays."""
    flat = greedy_search(lambda q: np.zeros(len(q)), (1, 1, 1), step=0.1, n_steps=1)
    assert flat.q == pytest.approx(np.array([1, 1, 0.7]) / 2.7)
    still = greedy_search(lambda q: np.zeros(len(q)), (1, 1, 1), step=0.1, n_steps=3, accept=">")
    assert still.q == pytest.approx([1 / 3] * 3)
    assert greedy_search(lambda q: np.zeros(len(q)), (0, 1), n_steps=0).q.tolist() == [0, 1]


@pytest.mark.parametrize("n", [int(n) for n in FOUND["k_rule"]])
def test_the_rule_for_k(n):
    _, down, up = FOUND["k_rule"][str(n)]
    assert (neighbors_rule(n, "floor"), neighbors_rule(n)) == (down, up)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: greedy_search(SCORE, (0, 0, 0)), "not all 0"),
        (lambda: greedy_search(SCORE, 1), "start must hold a weight for each class, got 1"),
        (lambda: greedy_search(SCORE, START, step=0), "step must be finite and above 0, got 0"),
        (lambda: greedy_search(SCORE, START, step=1.5), "step must be between 0 and 1, got 1.5"),
        (lambda: greedy_search(SCORE, START, n_steps=-1), "n_steps must be at least 0, got -1"),
        (lambda: greedy_search(SCORE, START, order="random"), "order must be 'coordinate' or 'sign', got 'random'"),
        (lambda: greedy_search(SCORE, START, accept=">>"), "accept must be '>=' or '>', got '>>'"),
        (lambda: greedy_search(SCORE, START, base="best"), "base must be 'previous' or 'running', got 'best'"),
        (lambda: grid_search(SCORE, np.empty((0, 3))), "grid must be a table"),
        (lambda: greedy_search(lambda q: 0.5, START), "finite number for each of 1 weights, got 0.5"),
        (
            lambda: greedy_search(lambda q: np.full(len(q), [-np.inf, 1][len(q) < 2]), START),
            "each of 6 weights, got .-inf",
        ),
        (lambda: greedy_search(lambda q: q[:, 0] * np.nan, START, base="running"), "each of 1 weights, got .nan"),
        (lambda: grid_search(lambda q: q[1:, 0], np.eye(3)), "finite number for each of 3 weights, got .0. 0."),
        (lambda: SCORE((0.5, 0.5)), "q must hold 3 weights in a row"),
        (lambda: SCORE((0.5, -0.5, 1)), "not negative and in no row all 0"),
        (lambda: SCORE((0.5, 0.5, np.inf)), "weights that are finite"),
        (lambda: SCORE(np.zeros((2, 3))), "not negative and in no row all 0"),
        (
            lambda: WeightScorer.from_fractions(FRACTIONS, SAMPLE.y, scoring="f1"),
            "scoring must be one of f1_macro, .*, got 'f1'",
        ),
        (lambda: neighbors_rule(0), "n must be at least 1, got 0"),
        (lambda: neighbors_rule(10, "round"), "rounding must be 'ceil' or 'floor', got 'round'"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, message):
    refuses(message, call)
