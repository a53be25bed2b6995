"""ThresholdLab: its numbers beside plain Python, the reference and the bounds; its controls."""

import numpy as np
import pytest
from random_moves import layers, votes_of
from reference_implementations import pieces
from small import SMALL

from knnviz.bounds import khim
from knnviz.labs import ThresholdLab
from knnviz.labs.thresholds import BAYES_RULE, BOTH, BOUNDS, KNN, WITH_TRAINING
from knnviz.problems import one_against_rest, rare, waves
from knnviz.weights import Thresholds, confusion

REST = "one wave against the rest"
WAVE = one_against_rest(waves(), 0)


def scores_agree(read, where, votes, truth, q, weights=None):
    found = confusion(truth, votes, q, weights=weights)
    for name, scores in (
        ("precision", found.precision),
        ("recall", found.recall),
        ("F1", found.f1),
    ):
        label = f"{name}, {where}"
        if label in read:
            assert read[label] == pytest.approx(scores[1], abs=1e-6), label


@pytest.mark.parametrize("t", [0.3, 0.45])
@pytest.mark.parametrize(("name", "problem"), [("rare class", rare()), (REST, WAVE)])
def test_numbers_are_those_of_plain_python(name, problem, t):
    """Entries of q = (t, 1 - t), one threshold at a time; at k = 20 fractions reach t exactly."""
    lab = ThresholdLab(problem=name, n=500, seed=3, k=20, t=t, rules=BOTH, resolution=SMALL)
    read = lab.readout()
    on_training = lab.set(rules=WITH_TRAINING).readout()
    sample = problem.sample(500, 3)
    q = (t, 1 - t)

    own = votes_of(sample.X, sample.y, None, 20).at(20) / 20
    scores_agree(on_training, "training points", own, sample.y, q)

    fine, best = problem.cells(SMALL.integral_cells[0])
    x = np.sort(sample.X[:, 0])
    # Between these neither a cell nor the 20 nearest change.
    edges = np.linspace(0, 1, len(best) + 1)
    middles, lengths = pieces(edges, (x[:-20] + x[20:]) / 2)
    cells = (middles[:, 0] * len(best)).astype(int)
    at_middles = votes_of(sample.X, sample.y, middles, 20).at(20) / 20
    scores_agree(read, "new points", at_middles, best[cells], q, lengths)
    scores_agree(read, "Bayes rule", best, best, q, fine.weights)

    prevalence = float(fine.weights @ best[:, 1])
    assert read["prevalence"] == pytest.approx(prevalence, abs=1e-6)


def test_regions_of_the_bayes_rule_are_where_eta_reaches_t():
    """Neither a k that was chosen for a larger sample nor the sample matters."""
    lab = ThresholdLab(rules=BAYES_RULE, t=0.3, n=50, resolution=SMALL)
    eta = rare().cells(SMALL.map_cells[0])[1]
    drawn = layers(lab, "map")["regions"]
    assert np.array_equal(drawn.codes.ravel(), eta[:, 1] >= 0.3)


def test_costs_are_those_of_plain_python():
    """The least cost is at t = 1 / (1 + price), the threshold of the weights (1, price)."""
    lab = ThresholdLab(rules=BAYES_RULE, resolution=SMALL)
    name = "cost per 1,000 points, Bayes rule"
    cells, eta = rare().cells(SMALL.integral_cells[0])
    own = eta[:, 1]
    for price, t in ((1, 0.5), (4, 0.3), (20, 0.04)):
        costs = np.where(own >= t, 1 - own, price * own)
        plain = 1000 * cells.weights @ costs
        assert lab.set(price=price, t=t).readout()[name] == round(plain)
        if price != 1:
            curve = layers(lab, "cost")["cost_bayes"]
            least = curve.x[curve.y.argmin()]
            assert least == pytest.approx(1 / (1 + price), abs=0.02)


def test_f1_is_what_is_found_of_a_length_of_one():
    lab = ThresholdLab(n=400, k=20, t=0.2, rules=KNN, resolution=SMALL)
    shown = layers(lab, "f1")
    assert np.allclose(shown["share0"].upper, shown["f1_new"].y)
    found, _, whole = (shown[f"pillar{i}"].upper[0] for i in range(3))
    assert (whole, found) == pytest.approx((1, lab.readout()["F1, new points"]), abs=1e-6)


@pytest.mark.parametrize(("t", "epsilon"), [(0.65, 0.001), (0.287, 0.001), (0.287, 0.005)])
def test_bounds_are_those_of_the_paper_at_t(t, epsilon):
    """The entries of the Bayes rule are counted on coarser cells than the band."""
    own = WAVE.cells(200_000)[1][:, 1]
    tne, fne = khim.threshold_mass(own, epsilon, [t], np.arange(1001) / 1000)
    errors = khim.proposition_3(10**10, 0.05, cover_size=1001, tne=tne, fne=fne)
    at_t = Thresholds.from_fractions(own, own).at(np.array([t]))
    scores = khim.score_errors(at_t, errors)
    lab = ThresholdLab(problem=REST, bounds=BOUNDS[1], bound_n=10**10, t=t, epsilon=epsilon)
    read = lab.numbers

    bounds = {"TN and FP": errors.tn, "TP and FN": errors.tp, **scores._asdict()}
    for name, (value,) in bounds.items():
        bound = pytest.approx(value, rel=2e-3) if value < 1 else "vacuous"
        assert read[f"{name.replace('f1', 'F1')} within"] == bound, name
