"""ImbalanceLab without a front end: numbers beside the reference and plain Python, stages, refusals, presets."""

import re

import numpy as np
import pytest
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
DECIDED = VIEW | {
    "labels",
    "entries",
    "predicted",
    "never",
    "curve_layers",
    "strip_layers",
    "share_layers",
    "score_layers",
}
AFTER_A = DECIDED | {"q", "lift"}
TUNED = {"shares", "tuned", "starts", "score_curves"}
AFTER_K = DECIDED | TUNED | {"serving", "voted"}
AFTER_SEED = AFTER_K | {"drawn", "counted", "sample_numbers", "windows", "votes", "point_layers"}
WORLD = {"plane", "cells", "joint", "class_masses", "at", "heights", "line_axes", "axes", "score_limits"}
AFTER_SCALE = AFTER_SEED | WORLD
AFTER_EXPONENT = AFTER_SCALE | {"prior", "q", "lift"}


@pytest.fixture
def few(monkeypatch):
    """Labs on few cells."""
    monkeypatch.setattr(imbalance, "CELLS", 800)
    monkeypatch.setattr(imbalance, "THIN", 4)


@pytest.fixture
def lab(few):
    return ImbalanceLab(rule="kNN", n=400, k=10)


@pytest.mark.parametrize("s", ["0", "1", "2"])
def test_scores_are_those_of_the_reference(s):
    lab = ImbalanceLab(exponent=float(s))
    for a, name in ((0.0, "uniform"), (0.5, "inverse_sqrt_prior"), (1.0, "inverse_prior")):
        known, read = KHIM[s][name], lab.set(a=a).readout()
        assert [read[score] for score in SCORES] == pytest.approx([known[score] for score in SCORES], abs=1e-6)
        assert (np.array(read["predicted"]) > 1e-4).sum() == known["classes_with_predicted_mass_over_1e-4"]
        here = [curve[round(100 * a)] for curve in lab.tuned.scores.values()]
        assert here == pytest.approx([read[score] for score in SCORES], abs=1e-6)


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
@pytest.mark.parametrize("a", [0.0, 0.37])
def test_numbers_are_those_of_plain_python(few, rule, classes, k, a):
    """Two neighbors tie often; with two classes class 1 has it."""
    lab = ImbalanceLab(rule=rule, classes=classes, k=k, n=300, a=a, exponent=1.3, seed=5)
    read, found = lab.readout(), plain(lab)
    assert [read[score] for score in SCORES] == pytest.approx([getattr(found, score) for score in SCORES], abs=1e-6)
    assert read["predicted"] == pytest.approx(found.tp + found.fp, abs=1e-6)
    silent = set(np.flatnonzero(found.tp + found.fp == 0).tolist())
    assert {int(c) for c in re.findall("[0-9]+", read["never"])} == silent
    assert read["never"].split()[0] == ("none" if not silent else "class" if len(silent) == 1 else "classes")


@pytest.mark.parametrize("classes", [2, 5])
def test_curves_over_a_agree_with_the_handle(few, classes):
    lab = ImbalanceLab(rule="kNN", classes=classes, k=4, n=200)
    for a in (0.0, 0.31, 1.0):
        read = lab.set(a=a).readout()
        here = [curve[round(100 * a)] for curve in lab.tuned.scores.values()]
        assert here == pytest.approx([read[score] for score in SCORES], abs=1e-6)
        for name, curve in zip(SCORES, lab.tuned.scores.values(), strict=True):
            value, at = read[f"best_{name}"]
            assert (value, at) == (pytest.approx(curve.max(), abs=1e-6), curve.argmax() / 100)


def test_greedy_steps_climb_the_score_that_is_drawn(few):
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


def test_weights_undo_the_prior_in_part_or_in_full(few):
    """Half of s = 2 is s = 1; all of it is s = 0."""
    for full, a, left in ((2.0, 0.5, 1.0), (2.0, 1.0, 0.0), (3.0, 1 / 3, 2.0)):
        weighted, plain_one = ImbalanceLab(exponent=full, a=a), ImbalanceLab(exponent=left)
        assert np.mean(weighted.labels == plain_one.labels) > 0.998
        assert weighted.heights * weighted.lift == pytest.approx(plain_one.heights, abs=1e-9)


def test_classes_of_one_size_leave_nothing_to_weigh(few):
    lab = ImbalanceLab(exponent=0.0)
    scores = [lab.set(a=a).readout()[score] for score in SCORES for a in (0.0, 0.5, 1.0)]
    assert len(set(scores)) == 3
    assert all(np.ptp(curve) == 0 for curve in lab.tuned.scores.values())


def test_the_sample_is_counted_beside_what_was_to_be_expected(few):
    lab = ImbalanceLab(rule="kNN", classes=12, exponent=3.0, n=50, k=5, seed=4)
    read = lab.readout()
    counts = np.bincount(gaussians(12, zipf(12, 3), 0.2).sample(50, 4).y, minlength=12)
    assert read["counts"] == tuple(counts)
    assert read["seen"] == ((counts > 0).sum(), expected_seen(zipf(12, 3), 50))
    assert read["singletons"] == ((counts == 1).sum(), expected_singletons(zipf(12, 3), 50))
    assert not {"counts", "seen", "singletons"} & set(ImbalanceLab(classes=3).readout())


def test_first_on_few_cells_and_then_on_all(few, faced):
    faced.set(scale=0.31)
    assert faced.readout()
    assert not faced.rough
    assert faced.tuned.cells == 800


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("a", 0.3, AFTER_A),
        ("k", 7, AFTER_K),
        ("seed", 3, AFTER_SEED),
        ("n", 450, AFTER_SEED),
        ("scale", 0.1, AFTER_SCALE),
        ("exponent", 1.0, AFTER_EXPONENT),
        ("classes", 5, AFTER_EXPONENT),
    ],
)
def test_a_control_runs_the_stages_that_depend_on_it_and_no_other(lab, name, value, expected):
    _ = lab.picture
    before = lab.runs()
    setattr(lab, name, value)
    _ = lab.picture
    after = lab.runs()
    ran = {stage for stage in after if after[stage] != before[stage]}
    assert ran - {"score_limits", "axes"} == expected - {"score_limits", "axes"}
    assert ("axes" in ran) >= ("axes" in expected)
    assert "axes" not in ran or name != "a"


def test_the_best_rule_reads_no_sample(few):
    lab = ImbalanceLab()
    _ = lab.picture
    before = lab.runs()
    _ = lab.set(seed=1, n=300, k=9).picture
    assert lab.runs() == before
    assert lab.hidden(lab.values) == {"n", "k", "seed"}
    assert lab.hidden(lab.set(rule="kNN").values) == set()


def test_the_best_rule_draws_no_sample_either(few, faced):
    """The button says so, in a sentence."""
    before = faced.set(rule="Bayes rule").values
    faced.face._act(faced.new_sample)
    assert "The Bayes rule reads no sample: choose kNN to draw one." in faced.face.message.value
    assert faced.values == before
    assert faced.set(rule="kNN").new_sample().seed == before["seed"] + 1
    assert faced.face.message.value.count("reads no sample") == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"classes": 13}, "classes C must be between 2 and 12, got 13"),
        ({"exponent": 3.5}, r"Zipf exponent s must be between 0 and 3, got 3\.5"),
        ({"scale": 0.01}, r"deviation sigma must be between 0\.05 and 0\.4, got 0\.01"),
        ({"a": -0.1}, r"weights, exponent a must be between 0 and 1, got -0\.1"),
        ({"rule": "vote"}, "rule must be one of Bayes rule, kNN, got 'vote'"),
        ({"n": 60, "k": 61}, "neighbors k must not exceed sample size n, got 61 and 60"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(lab, changes, message):
    before = lab.readout()
    with pytest.raises(ValueError, match=f"^{message}$"):
        lab.set(**changes)
    assert lab.readout() == before


def test_places_that_are_picked(lab):
    assert lab.pick("scores", 0.4567, 0.3) == {"a": 0.46}
    assert lab.pick("scores", 1.02, 0.3, "exponent") == {"a": 1.0}
    assert lab.pick("scores", -0.02, 0.3) == {"a": 0.0}
    assert lab.pick("line", 0.4, 0.3) == lab.pick("shares", 2, 0.3) == {}


def test_controls_end_where_k_is_n(lab):
    assert lab.set(n=100).ends("k", lab.values) == (1, 100)
    assert lab.set(k=73).ends("n", lab.values) == (100, 8000)
    assert lab.ends("a", lab.values) == (0, 1)


def test_every_picture_has_words_of_its_own(lab):
    told = [lab.set(**change).alt for change in ({}, {"a": 0.5}, {"k": 30}, {"rule": "Bayes rule"}, {"classes": 3})]
    assert len(set(told)) == len(told)
    read = lab.readout()
    for score, name in zip(SCORES, ("accuracy", "balanced accuracy", "macro F1"), strict=True):
        assert f"{name} {read[score]:.4f}" in lab.alt
    value, at = read["best_macro_f1"]
    assert f"best macro F1 {value:.4f} at a = {at:.2f}" in lab.alt
    counted = lab.set(rule="kNN").readout()
    assert f"classes in the sample {counted['seen'][0]}, expected {counted['seen'][1]:.4g}" in lab.alt
    said = re.findall(r"[0-9]+: ([01]\.[0-9]+) and ([01]\.[0-9]+)", lab.alt)
    assert [float(own) for own, _ in said] == pytest.approx(zipf(3, 2), abs=6e-5)
    assert [float(share) for _, share in said] == pytest.approx(counted["predicted"], abs=6e-5)


def test_what_is_drawn_is_what_is_read_out(lab):
    read, drawn = lab.readout(), {layer.name: layer for panel in lab.picture.panels for layer in panel.layers}
    assert drawn["predicted"].heights ** 2 == pytest.approx(read["predicted"], abs=1e-6)
    assert drawn["prior"].heights ** 2 == pytest.approx(zipf(8, 2), abs=1e-6)
    assert drawn["sample"].y[::3] ** 2 == pytest.approx(np.array(read["counts"]) / 400, abs=1e-6)
    silent = (drawn["never"].x - view.BAR / 2).round().astype(int)
    assert re.findall("[0-9]+", read["never"]) == list(map(str, silent))
    assert drawn["here"].y == pytest.approx([read[score] for score in SCORES], abs=1e-6)
    assert drawn["found"].y == pytest.approx([read["greedy_equal"], read["greedy_balanced"]], abs=1e-6)


def test_a_scene_comes_back(lab):
    lab.set(a=0.25, classes=5, exponent=1.5)
    again = ImbalanceLab.from_scene(lab.scene())
    assert again.values == lab.values
    assert again.readout() == lab.readout()


#: What the reading says of its world, to the digits that it gives.
READING = {
    "Equal weights": {"accuracy": 0.670, "balanced_accuracy": 0.265, "macro_f1": 0.261},
    "Weights of a root": {"accuracy": 0.647, "macro_f1": 0.297},
    "Reciprocal weights": {"accuracy": 0.495, "balanced_accuracy": 0.339, "macro_f1": 0.295},
    "Classes of one size": {"accuracy": 0.339, "balanced_accuracy": 0.339, "macro_f1": 0.330},
}
SHARES = (0.915, 0, 0.007, 0.024, 0.019, 0.014, 0.010, 0.010)


@pytest.mark.parametrize("preset", ImbalanceLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_sources_say(preset):
    lab = ImbalanceLab().show_preset(preset.name)
    assert ImbalanceLab(seed=7, a=0.3, rule="kNN").show_preset(preset.name).values == lab.values
    read = lab.readout()
    for name, value in READING.get(preset.name, {}).items():
        assert read[name] == pytest.approx(value, abs=6e-4), name
    # Which classes are never predicted, and how far macro F1 falls short of its best over a.
    silent = {"Equal weights": "class 1", "A thousand points": None, "A hundred points": None}
    if preset.name == "Equal weights":
        assert read["predicted"] == pytest.approx(SHARES, abs=6e-4)
        assert read["greedy_equal"] > read["best_macro_f1"][0] > read["greedy_balanced"]
        assert read["best_macro_f1"] == (pytest.approx(0.3062, abs=5e-5), 0.75)
    if preset.name == "Reciprocal weights":
        assert read["predicted"][1] == pytest.approx(0.194, abs=6e-4)
    if (expected := silent.get(preset.name, "none")) is not None:
        assert read["never"] == expected
    else:
        assert "class" in read["never"]
        assert sum(read["counts"]) == lab.n
