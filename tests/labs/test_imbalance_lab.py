"""ImbalanceLab without a front end: numbers beside the reference and plain Python, stages, refusals, presets."""

import re

import numpy as np
import pytest
from hands import ran, refuses
from twins import reference

from knnviz import NeighborTable, Threshold, VoteProfile, Weighted, metrics
from knnviz.labs import ImbalanceLab, imbalance
from knnviz.problems import expected_seen, expected_singletons, gaussians, zipf
from knnviz.views import imbalance as view
from knnviz.weights import greedy_search

KHIM = reference("khim_metrics")["zipf"]
SCORES = ("accuracy", "balanced_accuracy", "macro_f1")

#: Stages that run again when a parameter moves, once all have run.
VIEW = {"numbers", "panels", "alt", "picture"}
DECIDED = VIEW | {"labels", "entries", "predicted", "never"}
DECIDED |= {"curve_layers", "strip_layers", "share_layers", "score_layers"}
AFTER_A = DECIDED | {"q", "lift"}
TUNED = {"shares", "tuned", "starts", "score_curves"}
AFTER_K = DECIDED | TUNED | {"serving", "voted"}
AFTER_SEED = AFTER_K | {"drawn", "counted", "sample_numbers", "windows", "votes", "point_layers"}
WORLD = {"plane", "cells", "joint", "class_masses", "at", "heights", "line_axes", "axes", "score_limits"}
AFTER_SCALE = AFTER_SEED | WORLD
AFTER_EXPONENT = AFTER_SCALE | {"prior", "q", "lift"}


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
    """Entries of the rule of a lab at its cells, by the library's own functions, one cell after the other."""
    problem = gaussians(lab.classes, zipf(lab.classes, lab.exponent), lab.scale)
    measure, eta = problem.cells(imbalance.CELLS)
    q = np.array(zipf(lab.classes, lab.exponent)) ** -lab.a
    shares = eta
    if lab.rule == "kNN":
        sample = problem.sample(lab.n, lab.seed)
        votes = VoteProfile.count(NeighborTable.build(sample.X, measure.points, lab.k), sample.y, lab.classes)
        rule = Threshold.from_weights(q) if lab.classes == 2 else Weighted(q)
        shares = np.eye(lab.classes)[rule.predict(votes, lab.k)]
        q = np.ones(lab.classes)
    return metrics.confusion(shares, eta, q, weights=measure.weights, rule="argmax")


@pytest.mark.parametrize("rule", imbalance.RULES)
@pytest.mark.parametrize(("classes", "k"), [(2, 2), (3, 7), (12, 30)])
def test_numbers_are_those_of_plain_python(small, rule, classes, k):
    """Two neighbors tie often; with two classes class 1 has it."""
    lab = ImbalanceLab(rule=rule, classes=classes, k=k, n=300, exponent=1.3, seed=5)
    for a in (0.0, 0.37):
        read, found = lab.set(a=a).readout(), plain(lab)
        assert [read[score] for score in SCORES] == pytest.approx([getattr(found, score) for score in SCORES], abs=1e-6)
        assert read["predicted"] == pytest.approx(found.tp + found.fp, abs=1e-6)
        silent = set(np.flatnonzero(found.tp + found.fp == 0).tolist())
        assert {int(c) for c in re.findall("[0-9]+", read["never"])} == silent
        assert read["never"].split()[0] == ("none" if not silent else "class" if len(silent) == 1 else "classes")


@pytest.mark.parametrize("values", [{"classes": 2}, {"classes": 5}, {"exponent": 0.0, "rule": "Bayes rule"}], ids=str)
def test_curves_over_a_agree_with_the_handle(lab, values):
    """Among classes of one size there is nothing to weigh."""
    lab.set(k=4, n=200, **values)
    for a in (0.0, 0.31, 1.0):
        read = lab.set(a=a).readout()
        here = [curve[round(100 * a)] for curve in lab.tuned.scores.values()]
        assert here == pytest.approx([read[score] for score in SCORES], abs=1e-6)
        for name, curve in zip(SCORES, lab.tuned.scores.values(), strict=True):
            value, at = read[f"best_{name}"]
            assert (value, at) == (pytest.approx(curve.max(), abs=1e-6), curve.argmax() / 100)
            assert lab.exponent > 0 or np.ptp(curve) == 0


def test_greedy_steps_climb_the_score_that_is_drawn(small):
    lab = ImbalanceLab(classes=3)
    measure, eta = gaussians(3, zipf(3, 2), 0.2).cells(800)

    def score(rows):
        each = (metrics.confusion_bayes(eta, q, weights=measure.weights, rule="argmax") for q in rows)
        return np.array([found.macro_f1 for found in each])

    read = lab.readout()
    for name, start in (("greedy_equal", np.ones(3)), ("greedy_balanced", 1 / np.array(zipf(3, 2)))):
        assert read[name] == pytest.approx(greedy_search(score, start).score, abs=2e-4)
    low, high = lab.starts, lab.tuned.greedy
    assert all(end >= start for start, end in zip(low, high, strict=True))


def test_weights_undo_the_prior_in_part_or_in_full(small):
    """Half of s = 2 is s = 1; all of it is s = 0."""
    for full, a, left in ((2.0, 0.5, 1.0), (2.0, 1.0, 0.0), (3.0, 1 / 3, 2.0)):
        weighted, plain_one = ImbalanceLab(exponent=full, a=a), ImbalanceLab(exponent=left)
        assert np.mean(weighted.labels == plain_one.labels) > 0.998
        assert weighted.heights * weighted.lift == pytest.approx(plain_one.heights, abs=1e-9)


def test_the_sample_is_counted_beside_what_was_to_be_expected(small):
    lab = ImbalanceLab(rule="kNN", classes=12, exponent=3.0, n=50, k=5, seed=4)
    read = lab.readout()
    counts = np.bincount(gaussians(12, zipf(12, 3), 0.2).sample(50, 4).y, minlength=12)
    assert read["counts"] == tuple(counts)
    assert read["seen"] == ((counts > 0).sum(), expected_seen(zipf(12, 3), 50))
    assert read["singletons"] == ((counts == 1).sum(), expected_singletons(zipf(12, 3), 50))
    assert not {"counts", "seen", "singletons"} & set(ImbalanceLab(classes=3).readout())


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        *(("a", 0.3, AFTER_A), ("k", 7, AFTER_K), ("seed", 3, AFTER_SEED), ("n", 450, AFTER_SEED)),
        *(("scale", 0.1, AFTER_SCALE), ("exponent", 1.0, AFTER_EXPONENT), ("classes", 5, AFTER_EXPONENT)),
    ],
)
def test_a_control_runs_the_stages_that_depend_on_it_and_no_other(lab, name, value, expected):
    again = ran(lab, **{name: value})
    assert again - {"score_limits", "axes"} == expected - {"score_limits", "axes"}
    assert ("axes" in again) >= ("axes" in expected)
    assert "axes" not in again or name != "a"


def test_the_best_rule_reads_and_draws_no_sample(faced):
    """The button says so, in a sentence; else scores are those of few cells first, and then of all."""
    assert faced.hidden(faced.values) == set()
    before = faced.set(rule="Bayes rule").values
    assert faced.hidden(before) == {"n", "k", "seed"}
    assert not ran(faced, seed=1, n=300, k=9)
    faced.reset().set(rule="Bayes rule")
    faced.face._act(faced.new_sample)
    assert "The Bayes rule reads no sample: choose kNN to draw one." in faced.face.message.value
    assert faced.values == before
    assert faced.set(rule="kNN", scale=0.31).new_sample().seed == before["seed"] + 1
    assert faced.face.message.value.count("reads no sample") == 0
    assert faced.readout()
    assert not faced.is_preview
    assert faced.tuned.cells == 800


def test_what_does_not_go_together_is_refused_and_controls_end_before_it(lab):
    refuses(lab, {"n": 60, "k": 61}, "neighbors k must not exceed sample size n, got 61 and 60")
    assert lab.set(n=100).slider_range("k", lab.values) == (1, 100)
    assert lab.set(k=73).slider_range("n", lab.values) == (100, 8000)
    assert lab.slider_range("a", lab.values) == (0, 1)


def test_places_that_are_picked(lab):
    assert lab.pick("scores", 0.4567, 0.3) == {"a": 0.46}
    assert lab.pick("scores", 1.02, 0.3, "exponent") == {"a": 1.0}
    assert lab.pick("scores", -0.02, 0.3) == {"a": 0.0}
    assert lab.pick("line", 0.4, 0.3) == lab.pick("shares", 2, 0.3) == {}


def test_what_is_drawn_is_what_is_read_out(lab):
    read, drawn = lab.readout(), {layer.name: layer for panel in lab.picture.panels for layer in panel.layers}
    assert drawn["predicted"].heights ** 2 == pytest.approx(read["predicted"], abs=1e-6)
    assert drawn["prior"].heights ** 2 == pytest.approx(zipf(8, 2), abs=1e-6)
    assert drawn["sample"].y[::3] ** 2 == pytest.approx(np.array(read["counts"]) / 400, abs=1e-6)
    silent = (drawn["never"].x - view.BAR / 2).round().astype(int)
    assert re.findall("[0-9]+", read["never"]) == list(map(str, silent))
    assert drawn["here"].y == pytest.approx([read[score] for score in SCORES], abs=1e-6)
    assert drawn["found"].y == pytest.approx([read["greedy_equal"], read["greedy_balanced"]], abs=1e-6)
    said = re.findall(r"[0-9]+: ([01]\.[0-9]+) and ([01]\.[0-9]+)", lab.alt)
    assert [float(own) for own, _ in said] == pytest.approx(zipf(8, 2), abs=6e-5)
    assert [float(share) for _, share in said] == pytest.approx(read["predicted"], abs=6e-5)
    assert f"classes in the sample {read['seen'][0]}, expected {read['seen'][1]:.4g}" in lab.alt
    read = lab.set(rule="Bayes rule").readout()
    value, at = read["best_macro_f1"]
    assert f"best macro F1 {value:.4f} at a = {at:.2f}" in lab.alt
    for score, name in zip(SCORES, ("accuracy", "balanced accuracy", "macro F1"), strict=True):
        assert f"{name} {read[score]:.4f}" in lab.alt


#: What the reading says of its world, to the digits that it gives.
READING = {
    "Equal weights": {"accuracy": 0.670, "balanced_accuracy": 0.265, "macro_f1": 0.261},
    "Weights of a root": {"accuracy": 0.647, "macro_f1": 0.297},
    "Reciprocal weights": {"accuracy": 0.495, "balanced_accuracy": 0.339, "macro_f1": 0.295},
    "Classes of one size": {"accuracy": 0.339, "balanced_accuracy": 0.339, "macro_f1": 0.330},
}
SHARES = (0.915, 0, 0.007, 0.024, 0.019, 0.014, 0.010, 0.010)


@pytest.mark.parametrize("preset", ImbalanceLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_sources_say(small, preset):
    lab = ImbalanceLab().show_preset(preset.name)
    read = lab.readout()
    for name, value in READING.get(preset.name, {}).items():
        assert read[name] == pytest.approx(value, abs=6e-4), name
    if preset.name == "Reciprocal weights":
        assert read["predicted"][1] == pytest.approx(0.194, abs=6e-4)
    if preset.name in ("A thousand points", "A hundred points"):
        assert "class" in read["never"]
        assert sum(read["counts"]) == lab.n
    else:
        assert read["never"] == ("class 1" if preset.name == "Equal weights" else "none")


def test_equal_weights_fall_short_of_the_best_over_a():
    read = ImbalanceLab().readout()
    assert read["predicted"] == pytest.approx(SHARES, abs=6e-4)
    assert read["greedy_equal"] > read["best_macro_f1"][0] > read["greedy_balanced"]
    assert read["best_macro_f1"] == (pytest.approx(0.3062, abs=5e-5), 0.75)
