"""ImbalanceLab without a front end: numbers beside the reference and plain Python, presets, a button."""

import re

import numpy as np
import pytest
from random_moves import all_by_name, page, press, ran
from reference_implementations import reference

from knnviz import NeighborTable, Threshold, VoteProfile, Weighted
from knnviz.labs import ImbalanceLab
from knnviz.labs.imbalance import RULES, decisions, panels
from knnviz.problems import expected_seen, expected_singletons, gaussians, zipf
from knnviz.weights import WeightScorer, confusion, greedy_search

KHIM = reference("khim_metrics")["zipf"]
SCORES = ("accuracy", "balanced_accuracy", "macro_f1")


@pytest.fixture
def lab(small):
    return ImbalanceLab(rule="kNN", n=400, k=10)


@pytest.mark.parametrize("s", ["0", "1", "2"])
def test_scores_are_those_of_the_reference(s):
    lab = ImbalanceLab(exponent=float(s))
    for a, name in ((0.0, "uniform"), (0.5, "inverse_sqrt_prior"), (1.0, "inverse_prior")):
        known, read = KHIM[s][name], lab.set(a=a).readout()
        assert [read[score] for score in SCORES] == pytest.approx([known[score] for score in SCORES], abs=1e-6)
        assert (np.array(read["predicted"]) > 1e-4).sum() == known["classes_with_predicted_mass_over_1e-4"]


def plain(lab):
    """Entries of the rule of a lab at its cells, and its predictions there, by the library's own functions."""
    problem = gaussians(lab.classes, zipf(lab.classes, lab.exponent), lab.scale)
    measure, eta = problem.cells(decisions.CELLS)
    q = np.array(zipf(lab.classes, lab.exponent)) ** -lab.a
    labels = Weighted(q).decide(eta)
    if lab.rule == "kNN":
        sample = problem.sample(lab.n, lab.seed)
        votes = VoteProfile.count(NeighborTable.build(sample.X, measure.points, lab.k), sample.y, lab.classes)
        rule = Threshold.from_weights(q) if lab.classes == 2 else Weighted(q)
        labels = rule.predict(votes, lab.k)
    return confusion(np.eye(lab.classes)[labels], eta, weights=measure.weights, rule="argmax"), labels


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("classes", "k"), [(2, 2), (3, 7), (12, 30)])
def test_numbers_are_those_of_plain_python(small, rule, classes, k):
    """Two neighbors often tie: of two classes class 1 is predicted then. Curves over a and strips agree with that."""
    lab = ImbalanceLab(rule=rule, classes=classes, k=k, n=300, exponent=1.3, seed=5)
    for a in (0.0, 0.37, 1.0):
        read, (found, labels) = lab.set(a=a).readout(), plain(lab)
        assert [read[score] for score in SCORES] == pytest.approx([getattr(found, score) for score in SCORES], abs=1e-6)
        assert read["predicted"] == pytest.approx(found.tp + found.fp, abs=1e-6)
        assert np.array_equal(all_by_name(lab)["decisions"].codes[0], labels[lab.classes_on_line.drawn_cells])
        silent = set(np.flatnonzero(found.tp + found.fp == 0).tolist())
        assert {int(c) for c in re.findall("[0-9]+", read["never"])} == silent
        assert read["never"].split()[0] == ("none" if not silent else "class" if len(silent) == 1 else "classes")
        for name, curve in zip(SCORES, lab.decisions.scores_over_a.values(), strict=True):
            assert curve[round(100 * a)] == pytest.approx(read[name], abs=1e-6)
            assert read[f"best_{name}"] == (pytest.approx(curve.max(), abs=1e-6), curve.argmax() / 100)


@pytest.mark.parametrize("classes", [2, 3, 12])
def test_intervals_of_the_bayes_classifier_are_what_the_scorer_finds(small, classes):
    on_line = ImbalanceLab(classes=classes, exponent=1.3, scale=0.1).classes_on_line
    rng, heavy = np.random.default_rng(0), np.eye(classes)[np.arange(60) % classes]
    q = rng.dirichlet(np.ones(classes), 60) * (rng.random((60, classes)) < 0.8) + heavy
    joint = on_line.joint
    eta = joint / joint.sum(axis=1, keepdims=True)
    scored = WeightScorer.from_fractions(eta, eta, weights=joint.sum(axis=1), tie_tol=0).counts(q)
    assert np.array(on_line.predicted_and_right(q)) == pytest.approx(np.array(scored), abs=1e-12)


def test_greedy_steps_climb_the_score_that_is_drawn(small):
    lab, prior = ImbalanceLab(classes=3), np.array(zipf(3, 2))
    measure, eta = gaussians(3, prior, 0.2).cells(800)
    score = WeightScorer.from_fractions(eta, eta, weights=measure.weights)
    found = [greedy_search(score, start).score for start in (np.ones(3), 1 / prior)]
    assert [lab.readout()[name] for name in ("greedy_equal", "greedy_balanced")] == pytest.approx(found, abs=2e-4)


def test_weights_undo_the_prior_in_part_or_in_full(small):
    """a = 1/2 turns s = 2 into s = 1, and a = 1 into s = 0: classes of one size, which a does not change."""
    for full, a, left in ((2.0, 0.5, 1.0), (2.0, 1.0, 0.0), (3.0, 1 / 3, 2.0)):
        weighted, plain_one = all_by_name(ImbalanceLab(exponent=full, a=a)), all_by_name(ImbalanceLab(exponent=left))
        assert np.mean(weighted["decisions"].codes == plain_one["decisions"].codes) > 0.99
        assert all(weighted[f"true{c}"].y == pytest.approx(plain_one[f"true{c}"].y, abs=1e-6) for c in range(8))
    assert all(np.ptp(curve) == 0 for curve in ImbalanceLab(exponent=0.0).decisions.scores_over_a.values())


def test_the_sample_is_counted_beside_its_expectation(small):
    lab = ImbalanceLab(rule="kNN", classes=12, exponent=3.0, n=50, k=5, seed=4)
    read, counts = lab.readout(), np.bincount(gaussians(12, zipf(12, 3), 0.2).sample(50, 4).y, minlength=12)
    assert read["counts"] == tuple(counts)
    # A class at an end loses to the border what of it lies beyond.
    probabilities = gaussians(12, zipf(12, 3), 0.2).cells(20_000)
    probabilities = probabilities[0].weights @ probabilities[1]
    assert read["seen"] == ((counts > 0).sum(), pytest.approx(expected_seen(probabilities, 50), abs=1e-4))
    assert read["singletons"] == ((counts == 1).sum(), pytest.approx(expected_singletons(probabilities, 50), abs=1e-4))
    assert f"classes in the sample {read['seen'][0]}, expected {read['seen'][1]:.4g}" in lab.alt


def test_a_slider_computes_no_more_than_it_moves(lab):
    slow = {
        "decisions.scores_over_a",
        "decisions.greedy_scores",
        "decisions.predicted_and_right",
        "decisions.window_of_cell",
        "scores.score_limits",
    }
    assert not ran(lab, a=0.3) & {*slow, "classes_on_line.joint", "data.sample", "votes.profile", "class_counts"}
    assert not ran(lab, k=7) & {
        "classes_on_line.joint",
        "data.sample",
        "votes.profile",
        "decisions.q",
        "decisions.bayes_decisions",
    }


def test_the_bayes_rule_reads_and_draws_no_sample(faced):
    before = faced.set(rule="Bayes rule").values
    assert not {"counts", "seen", "singletons"} & set(faced.readout())
    assert not ran(faced, seed=1, n=300, k=9)
    faced.reset().set(rule="Bayes rule")
    page(faced).step("act", "New sample")
    assert "The Bayes rule reads no sample: choose kNN to draw one." in page(faced).message
    assert (faced.values, faced.hidden(before)) == (before, {"n", "k", "seed"})
    faced.set(rule="kNN")
    assert press(faced, "New sample").seed == before["seed"] + 1
    assert "reads no sample" not in page(faced).message
    assert faced.hidden(faced.values) == set()


def test_clicks_on_the_axis_of_a(lab):
    picked = [lab.pick("scores", a, 0.3, None, 0) for a in (0.4567, 1.02, -0.02)]
    assert picked == [{"a": 0.46}, {"a": 1.0}, {"a": 0.0}]
    assert lab.set(n=100).slider_range("k", lab.values) == (1, 100)


def test_what_is_drawn_and_said_is_what_is_read_out(lab):
    read, layers = lab.readout(), all_by_name(lab)
    assert layers["predicted"].heights ** 2 == pytest.approx(read["predicted"], abs=1e-6)
    assert layers["sample"].y[::3] ** 2 == pytest.approx(np.array(read["counts"]) / 400, abs=1e-6)
    silent = (layers["never"].x - panels.BAR_WIDTH / 2).round().astype(int)
    assert re.findall("[0-9]+", read["never"]) == list(map(str, silent))
    assert layers["here"].y == pytest.approx([read[score] for score in SCORES], abs=1e-6)
    assert layers["climbs"].y[[1, 4]] == pytest.approx([read["greedy_equal"], read["greedy_balanced"]], abs=1e-6)
    each = [np.array([layers[f"voted{c}"].y, layers[f"true{c}"].y]) / lab.decisions.q[c] for c in range(8)]
    assert np.ptp(np.sum(each, axis=0), axis=0) == pytest.approx(0, abs=1e-4), "votes share the density of all classes"
    said = re.findall(r"[0-9]+: ([01]\.[0-9]+) and ([01]\.[0-9]+)", lab.alt)
    assert pytest.approx(np.array([zipf(8, 2), read["predicted"]]), abs=6e-5) == np.array(said, float).T
    assert "best macro F1 {:.4f} at a = {:.2f}".format(*read["best_macro_f1"]) in lab.alt


#: Numbers of presets in the close reading, to its digits.
READING = {
    "Equal weights": {"accuracy": 0.670, "balanced_accuracy": 0.265, "macro_f1": 0.261},
    "Weights of a root": {"accuracy": 0.647, "macro_f1": 0.297},
    "Reciprocal weights": {"accuracy": 0.495, "balanced_accuracy": 0.339, "macro_f1": 0.295},
    "Classes of one size": {"accuracy": 0.339, "balanced_accuracy": 0.339, "macro_f1": 0.330},
}
PREDICTED = (0.915, 0, 0.007, 0.024, 0.019, 0.014, 0.010, 0.010)


@pytest.mark.parametrize("preset", ImbalanceLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_sources_say(small, preset):
    read, known = ImbalanceLab().show_preset(preset.name).readout(), READING.get(preset.name, {})
    assert {name: read[name] for name in known} == pytest.approx(known, abs=6e-4)
    assert ("class" in read["never"]) == (preset.name == "Equal weights" or preset.values.get("rule") == "kNN")


def test_equal_weights_fall_short_of_the_best_over_a():
    lab = ImbalanceLab()
    read = lab.readout()
    assert read["predicted"] == pytest.approx(PREDICTED, abs=6e-4)
    assert read["never"] == "class 1"
    assert read["greedy_equal"] > read["best_macro_f1"][0] > read["greedy_balanced"]
    assert read["best_macro_f1"] == (pytest.approx(0.3062, abs=5e-5), 0.75)
    assert lab.set(a=1.0).readout()["predicted"][1] == pytest.approx(0.194, abs=6e-4)
