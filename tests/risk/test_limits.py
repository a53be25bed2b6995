"""Limits of risks: closed forms and the papers' values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import generators, numbers_in, reference
from refusals import refuses

from knnviz import LabelNoise, Robust, breast_cancer, checkerboard, risk
from knnviz.noise import misled_points
from knnviz.problems import jump, plateau, waves

WIDGETS = reference("gao")["widgets"]
SETTINGS = [name for name, values in WIDGETS.items() if isinstance(values, dict)]


def parsed(setting):
    """Problem and noise of a setting such as "two-level h=0.1 p0=.1 p1=.3"."""
    name, *pairs = setting.replace("noisy-label validation ", "").split()
    *heights, p0, p1 = numbers_in(",".join(pairs))
    if name == "two-level":
        return jump(*heights), LabelNoise(p0, p1)
    problem = plateau(p0, p1) if name == "plateau" else checkerboard()
    return problem, LabelNoise(p0, p1)


@pytest.mark.parametrize("setting", SETTINGS)
def test_what_validation_on_noisy_labels_prefers(setting):
    """Masses and risks, on true and on noisy labels, of the vote's limit and of the Bayes rule."""
    problem, noise = parsed(setting)
    measure, eta = problem.cells(1000 if problem.dimension == 2 else 360_000)
    observed = noise.corrupt(eta)
    weights = measure.weights
    wanted = WIDGETS[setting]
    vote = risk.vote_labels(observed)
    bayes = problem.bayes(measure.points)
    threshold = float(Robust((noise.p0, noise.p1)).threshold)
    assert weights @ misled_points(eta, observed, threshold) == 0
    found = {
        "mu_A0": weights @ misled_points(eta, observed),
        "knn_limit": risk.exact(eta, vote, weights=weights),
        "bayes": risk.exact(eta, bayes, weights=weights),
        "noisy_label_risk_of_knn_limit": risk.exact(observed, vote, weights=weights),
        "noisy_label_risk_of_clean_bayes": risk.exact(observed, bayes, weights=weights),
    }
    assert found == pytest.approx({name: wanted[name] for name in found}, abs=2e-6)


@given(generators, st.integers(0, 9), st.integers(0, 10), st.integers(0, 20))
def test_limits_of_sorted_values_are_those_of_labels(rng, a, b, twentieths):
    noise = LabelNoise(a / 20, b / 20)
    threshold = twentieths / 20
    ones = rng.integers(0, 11, 30) / 10
    eta = np.stack([1 - ones, ones], axis=1)
    weights = rng.dirichlet(np.ones(30))
    limits = risk.Limits.from_eta(eta, weights)
    observed = noise.corrupt(eta)

    on_a_tie = []
    for shift in (1e-9, -1e-9):
        labels = observed[:, 1] > threshold + shift
        on_a_tie.append(risk.exact(eta, labels.astype(np.uint8), weights=weights))
    assert limits.vote(noise, threshold) == pytest.approx(np.mean(on_a_tie)), "a fair coin"

    mass = weights @ misled_points(eta, observed)
    assert limits.misled(noise) == pytest.approx(mass, abs=1e-12)
    agreement = (eta * observed).sum(axis=1)
    assert limits.one_nn(noise) == pytest.approx(weights @ (1 - agreement))


@pytest.mark.parametrize("limit", [risk.one_nn_limit, risk.vote_limit])
def test_refusals(limit):
    refuses("breast_cancer", limit, breast_cancer())
    refuses("not 3", limit, waves(), LabelNoise(0.1, 0))
