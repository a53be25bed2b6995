"""Limits of risks: closed forms and the papers' values."""

import pytest
from twins import reference

from knnviz import LabelNoise, breast_cancer, checkerboard, risk
from knnviz.problems import linear, plateau, two_level, waves

PLATEAUS = reference("reeve_kaban")["plateau"]


@pytest.mark.parametrize(("tau", "limit"), [(0, 0.375), (0.1, 0.4), (0.2, 0.425), (0.3, 0.45), (0.4, 0.475)])
def test_one_neighbor_on_the_checkerboard(tau, limit):
    """Gao et al., Theorem 3: tau + (1 - 2 tau) E[2 eta (1 - eta)], and the expectation is 3/8."""
    assert risk.one_nn_limit(checkerboard(), LabelNoise(tau, tau)) == pytest.approx(limit, abs=1e-9)


def test_one_neighbor_under_asymmetric_noise():
    """eta_1 = x: E[eta + e - 2 eta e] with e = p0 + c eta, from E[eta] = 1/2 and E[eta^2] = 1/3."""
    p0, p1 = 0.1, 0.3
    contrast = 1 - p0 - p1
    by_hand = 1 / 2 + p0 + contrast / 2 - 2 * (p0 / 2 + contrast / 3)
    assert risk.one_nn_limit(linear(1), LabelNoise(p0, p1)) == pytest.approx(by_hand, abs=1e-8)


def test_one_neighbor_between_the_bayes_risk_and_twice_it():
    """Cover & Hart for three classes: R* <= limit <= R* (2 - 3/2 R*)."""
    bayes = waves().bayes_risk()
    assert bayes < risk.one_nn_limit(waves()) < bayes * (2 - 1.5 * bayes)


@pytest.mark.parametrize("setting", list(PLATEAUS))
def test_vote_on_the_plateau(setting):
    p0, p1 = (float(part.split("=")[1]) for part in setting.split(","))
    limit = risk.vote_limit(plateau(p0, p1), LabelNoise(p0, p1))
    assert limit == pytest.approx(PLATEAUS[setting]["knn_limit"], abs=2e-5)


@pytest.mark.parametrize(("p0", "p1", "limit"), [(0.2, 0.1, 0.3053), (0.1, 0.3, 0.3312), (0.1, 0.4, 0.3869)])
def test_vote_on_the_checkerboard(p0, p1, limit):
    assert risk.vote_limit(checkerboard(), LabelNoise(p0, p1), 1500) == pytest.approx(limit, abs=1e-4)


def test_vote_without_noise_or_with_a_wide_margin_is_bayes():
    assert risk.vote_limit(waves()) == pytest.approx(waves().bayes_risk(), abs=1e-14)
    assert risk.vote_limit(two_level(0.17), LabelNoise(0.1, 0.3)) == pytest.approx(0.33)
    assert risk.vote_limit(two_level(0.16), LabelNoise(0.1, 0.3)) == pytest.approx(0.5)


@pytest.mark.parametrize("limit", [risk.one_nn_limit, risk.vote_limit])
def test_refusals(limit):
    with pytest.raises(ValueError, match="a limit needs a known distribution, but breast_cancer is data"):
        limit(breast_cancer())
    with pytest.raises(ValueError, match="label noise flips between two classes, but the problem has 3"):
        limit(waves(), LabelNoise(0.1, 0))
    with pytest.raises(ValueError, match=r"noise must be a LabelNoise, got 0\.1"):
        limit(checkerboard(), 0.1)
