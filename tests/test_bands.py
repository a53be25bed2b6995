"""The error band of class weights, and the set on which kNN must sometimes disagree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from reference_implementations import reference
from refusals import refuses

from knnviz import problems, regions
from knnviz.profiles import BallProfile

FIGURE_2 = reference("khim")["figure2"]
MORE, LESS = (0.52, 0.29, 0.19), (0.48, 0.31, 0.21)
WAVES = problems.waves()
LEFT = WAVES.eta((np.arange(1000) / 1000)[:, None])
FINE = WAVES.eta(((np.arange(200_000) + 0.5) / 200_000)[:, None])


def test_errors_of_figure_2_on_its_own_points():
    for epsilon, key in ((0.1, "N=1000_left_grid"), (0.05, "N=1000_left_grid_eps=0.05")):
        band = regions.error_band(LEFT, epsilon, MORE, LESS, 0)
        assert band.errors(LEFT, 0) == pytest.approx(FIGURE_2[key], abs=1e-12)


def test_a_tighter_reach_gives_a_smaller_band():
    tight = regions.error_band(FINE, 0.1, MORE, LESS, 0, tight=True)
    assert tight.errors(FINE, 0) == pytest.approx(FIGURE_2["fine_tight_r"], abs=2e-5)
    assert not (tight.inside & ~regions.error_band(FINE, 0.1, MORE, LESS, 0).inside).any()


@pytest.mark.parametrize("t", [1e-6, 0.001, 0.287, 0.5, 0.999, 1 - 1e-6])
def test_with_two_classes_the_band_stays_near_the_threshold(t):
    rising = np.linspace(0, 1, 10_001)
    eta, epsilon = np.stack([1 - rising, rising], axis=1), 0.01
    band, tight = (regions.error_band(eta, epsilon, (t, 1 - t), (t, 1 - t), 1, tight=each) for each in (False, True))
    off = abs(rising - t)
    assert off[band.inside].max() <= 2 * epsilon + 1e-9
    assert tight.inside[off < epsilon - 1e-9].all()
    assert not tight.inside[off > epsilon + 1e-9].any()


def test_with_three_classes_a_small_weight_may_fill_the_band():
    for s, inside in ((0.1, False), (0.001, True)):
        assert regions.error_band(np.array([[0.9, 0.1, 0]]), 0.01, *[(s, s, 1 - 2 * s)] * 2, 0).inside == inside


def test_where_the_band_of_figure_2_begins_and_ends():
    inside = regions.error_band(FINE, 0.1, MORE, LESS, 0).inside
    ends = (np.flatnonzero(np.diff(inside)) + 1) / len(inside)
    assert ends == pytest.approx(FIGURE_2["shaded_intervals_breakpoints"], abs=1e-5)
    assert not inside[0]


simplex = hnp.arrays(float, (30, 4), elements=st.floats(0.001, 1)).map(lambda a: a / a.sum(axis=1, keepdims=True))


@given(simplex, st.floats(0, 0.3), hnp.arrays(float, 4, elements=st.floats(0.05, 1)), st.integers(0, 3), st.randoms())
def test_decisions_turn_inside_the_band_only(eta, epsilon, q, c, random):
    rng = np.random.default_rng(random.randrange(2**32))
    other = np.clip(eta + epsilon * rng.uniform(-1, 1, eta.shape), 0, 1)

    def leads(fractions):
        scores = fractions * q
        return scores[:, c] >= np.delete(scores, c, axis=1).max(axis=1)

    for tight in (False, True):
        inside = regions.error_band(eta, epsilon, q, q, c, tight=tight).inside
        assert not ((leads(eta) != leads(other)) & ~inside).any()


@given(simplex, st.floats(0, 0.5), st.floats(0.01, 50))
def test_the_scale_of_weights_does_not_move_the_band(eta, epsilon, scale):
    q = np.array([0.4, 0.3, 0.2, 0.1])
    band, scaled = (regions.error_band(eta, epsilon, weights, weights, 1) for weights in (q, scale * q))
    assert band.lower == pytest.approx(scaled.lower)
    assert band.upper == pytest.approx(scaled.upper)


def test_bands_that_are_refused():
    for arguments, sentence in (
        ((0.1, (0, 0.5, 0.5), LESS, 0), "above 0 for class 0"),
        ((1.5, MORE, LESS, 0), "epsilon"),
        ((0.1, MORE, LESS, 3), "class c"),
        ((0.1, MORE[:2], LESS, 0), "more must hold 3 weights"),
    ):
        refuses(sentence, regions.error_band, LEFT, *arguments)
    refuses("weights must be 1000 numbers", regions.error_band(LEFT, 0.1, MORE, LESS, 0).errors, LEFT, 0, np.ones(3))


def test_what_a_band_is_not_of_is_refused():
    band = regions.error_band(LEFT, 0.1, MORE, LESS, 0)
    for arguments, sentence in (
        ((LEFT[:999], 0), "eta must have a row for each of 1000 points of the band, got 999"),
        ((LEFT, 3), "class c must be between 0 and 2, got 3"),
        ((LEFT, -1), "class c must be between 0 and 2, got -1"),
        ((2 * LEFT, 0), "eta must lie between 0 and 1"),
        ((LEFT / 2, 0), "eta must hold probabilities that sum to 1 at every point"),
    ):
        refuses(sentence, band.errors, *arguments)
    for eta, pair, sentence in (
        (LEFT / 2, (MORE, LESS), "eta must hold probabilities that sum to 1 at every point"),
        (3 * LEFT - 1, (MORE, LESS), "eta must lie between 0 and 1"),
        (LEFT, (MORE, (1e-320, 0.5, 0.5)), "so far apart that their ratio overflows"),
        (LEFT, (MORE, (0.5, np.inf, 0.5)), "less must hold 3 weights that are finite"),
    ):
        refuses(sentence, regions.error_band, eta, 0.1, *pair, 0)


def test_the_lower_set_of_a_steady_eta_is_all_or_nothing():
    """Where eta is the same everywhere, so are the conditions: for equal weights only 1/2 - 1/sqrt(k) <= p' matters."""
    measure = problems.waves().measure(50)
    for fraction, held in ((0.45, True), (0.2, False)):
        eta = np.tile([1 - fraction, fraction], (50, 1))
        ball = BallProfile.integrate(measure, eta, masses=[0.3, 0.4, 0.5, 0.8])
        assert (regions.lower_bound_set(ball, 100, 30, (1, 1)) == held).all()
        assert not regions.lower_bound_set(ball, 100, 30, (1, 0)).any()


@pytest.mark.parametrize(
    ("fraction", "q", "k", "held"),
    [
        (0.45, (0.54, 0.46), 30, True),  # t < 1 - p' by a hundredth
        (0.45, (0.56, 0.44), 30, False),  # t > 1 - p'
        (0.3, (0.4, 0.6), 9, True),  # t > 1 / sqrt k
        (0.3, (0.4, 0.6), 4, False),  # t < 1 / sqrt k
        (0.3, (0.6, 0.4), 9, True),  # t - 1 / sqrt k <= p'
        (0.3, (0.6, 0.4), 16, False),  # t - 1 / sqrt k > p'
    ],
)
def test_each_condition_of_the_lower_set_decides_alone(fraction, q, k, held):
    """A constant eta: p' is the fraction of class 1, t the weight of class 0; the other conditions hold."""
    eta = np.tile([1 - fraction, fraction], (50, 1))
    ball = BallProfile.integrate(WAVES.measure(50), eta, masses=[0.02, 0.1, 0.3, 0.5, 0.8])
    stray = 1 / np.sqrt(k)
    conditions = [0 < fraction < 0.5, q[0] < 1 - fraction, q[0] > stray, q[0] - stray <= fraction]
    assert conditions.count(False) == 1 - held
    assert (regions.lower_bound_set(ball, 100, k, q) == held).all()


def test_the_lower_set_needs_masses_and_neighbors():
    measure, eta = WAVES.cells(100)
    ball = BallProfile.integrate(measure, eta, masses=[0.05, 0.1])
    refuses("ball mass", regions.lower_bound_set, ball, 100, 50)
    refuses("k must", regions.lower_bound_set, ball, 100, 101)
