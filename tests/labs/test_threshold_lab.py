"""ThresholdLab without a front end: its numbers beside plain Python and the reference, stages, refusals, presets."""

import math

import numpy as np
import pytest
from random_moves import by_name, each_runs_once, ran, refuses
from reference_implementations import reference

from knnviz import NeighborTable, Threshold, VoteProfile, breast_cancer
from knnviz.labs import ThresholdLab
from knnviz.labs.old_parts import sizes
from knnviz.labs.old_parts.sources import TWO_CLASSES, problem_named
from knnviz.labs.thresholds.bounds import BOUNDS
from knnviz.labs.thresholds.counts import NEW
from knnviz.labs.thresholds.layers import T_STEPS
from knnviz.problems import bundled, from_data, one_against_rest, rare, waves
from knnviz.problems.base import FINE_GRID
from knnviz.weights import confusion_bayes, confusion_fitted, confusion_hat

KHIM = reference("khim_metrics")

#: Stages that run again when a parameter moves, once all have run.
VIEW = {"numbers", "alt", "picture", "counts.numbers"}
AFTER_T = VIEW | {"threshold.rule", "threshold.thresholds", "decisions", "decision", "counts.at_t"}
AFTER_T |= {f"{panel}.drawn" for panel in ("map", "f1", "entries", "scores", "trade")}
AFTER_K = (AFTER_T - {"threshold.rule", "threshold.thresholds"}) | {f"counts.{on}" for on in ("on_training", "on_new")}
AFTER_K |= {"counts.at_all"}
AFTER_X = VIEW - {"counts.numbers"} | {"query.x", "query.table", "query.votes", "decision", "map.drawn"}
VOTES = {"cells.votes", "training.profile", "query.votes", "data.labels"}
AFTER_N = AFTER_K | VOTES | {"data.sample", "data.index", "cells.tables", "training.table", "query.table"}


pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture
def lab():
    return ThresholdLab(n=400)


def entries(found):
    return tuple(round(float(getattr(found, name)[1]), 6) for name in ("tn", "fn", "fp", "tp"))


def scores_agree(read, key, found):
    names = ("precision", "recall", "f1")
    expected = [float(getattr(found, name)[1]) for name in names]
    return [read[f"{key}_{name}"] for name in names] == pytest.approx(expected, abs=1e-6)


def fractions(sample, positions, k):
    return VoteProfile.count(NeighborTable.build(sample.X, positions, k), sample.y, 2).at(k) / k


@pytest.mark.parametrize("t", [0.3, 0.45])
@pytest.mark.parametrize(
    ("name", "problem"), [("rare class", rare()), ("one wave against the rest", one_against_rest(waves(), 0))]
)
def test_numbers_are_those_of_plain_python(name, problem, t):
    """The entries of the weights q = (t, 1 - t), one threshold at a time; at k = 20 the fractions reach t exactly."""
    lab = ThresholdLab(problem=name, n=500, seed=3, k=20, t=t, x1=0.45)
    sample, (cells, eta), (fine, best) = problem.sample(500, 3), *map(problem.cells, (sizes.MAP_CELLS[1], FINE_GRID[1]))
    q, read = (t, 1 - t), lab.readout()
    for key, found in (
        ("training", confusion_hat(fractions(sample, None, 20), sample.y, q)),
        ("new", confusion_fitted(fractions(sample, cells.points, 20), eta, q, weights=cells.weights)),
        ("bayes", confusion_bayes(best, q, weights=fine.weights)),
    ):
        assert read[f"{key}_entries"] == pytest.approx(entries(found), abs=2e-6)
        assert scores_agree(read, key, found)
    votes = (fractions(sample, np.array([[0.45]]), 20)[0] * 20).round().astype(int)
    assert read["votes"] == tuple(votes)
    assert read["decision"] == f"class {int(votes[1] >= 20 * t)}"
    assert read["weights"] == (t, pytest.approx(1 - t))
    assert read["prevalence"] == pytest.approx(float(fine.weights @ best[:, 1]), abs=1e-6)


def test_ties_go_to_class_1():
    """Thirty of sixty votes reach t = 1/2 exactly, and t = .501 not."""
    lab = ThresholdLab(problem="checkerboard", n=300, k=2)
    tied = lab.cells.votes.at(2)[:, 1] == 1
    assert tied.any()
    assert lab.decisions[tied].all()
    assert not lab.set(t=0.501).decisions[tied].any()


@pytest.mark.parametrize(
    ("name", "key"), [("rare class", "rare_class"), ("one wave against the rest", "one_against_rest")]
)
def test_the_largest_f1_is_twice_its_threshold(fine, name, key):
    """The reference integrates one wave more coarsely: .5734104 there, .5733966 here."""
    lab, stored = ThresholdLab(problem=name), KHIM[key]
    read, (score, low, high) = lab.readout(), lab.counts.peak
    assert read["largest_f1"] == pytest.approx(stored["F_star"], abs=2e-5)
    assert read["best_t"] == pytest.approx(stored["t_star"], abs=5.1e-4)
    assert high - 5e-4 < low <= score / 2 <= high
    assert read["bayes_f1"] == pytest.approx(stored["F1(1/2)"], abs=5e-5)
    drawn = by_name(lab.f1)
    double, curve = drawn["double"], drawn["f1_bayes"]
    above = curve.y > np.interp(curve.x, double.x, double.y)
    assert curve.x[above].max() == pytest.approx(score / 2, abs=1e-3)
    assert lab.set(t=read["best_t"]).readout()["bayes_f1"] == pytest.approx(score, abs=1e-6)


@pytest.mark.parametrize("problem", TWO_CLASSES)
def test_every_problem_opens_and_its_f1_is_largest_at_half_its_own_value(problem):
    lab = ThresholdLab(n=100, k=10).set(problem=problem, t=0.4)
    assert sum(lab.readout()["votes"]) == 10
    names = [(panel.axes.name, layer.name) for panel in lab.picture.panels for layer in panel.layers]
    assert len(set(names)) == len(names)
    if problem_named(problem).eta is not None:
        score, low, high = lab.counts.peak
        assert low - 1e-9 <= score / 2 <= high + 1e-9


def test_real_data_are_judged_on_points_held_out():
    lab = ThresholdLab(problem="breast cancer", seed=2, k=9, t=0.3)
    dataset, read = breast_cancer(seed=2), lab.readout()
    votes = VoteProfile.count(NeighborTable.build(dataset.X_train, dataset.X_test, 9), dataset.y_train, 2).at(9)
    found = confusion_hat(votes / 9, dataset.y_test, (0.3, 0.7))
    assert read["held_out_entries"] == entries(found)
    assert scores_agree(read, "held_out", found)
    assert read["prevalence"] == pytest.approx(float(np.mean(dataset.y_test)), abs=1e-6)
    assert not [name for name in read if "bayes" in name or name in ("largest_f1", "best_t", "new_f1")]
    assert [layer.name for layer in lab.f1.drawn.layers][:2] == ["f1_training", "f1_held_out"]
    assert "Bayes" not in lab.alt


def test_own_data_with_two_classes_only():
    digits = bundled("digits 3 against 8")
    own = from_data(digits.X_train, digits.y_train, name="mine")
    assert "held_out_f1" in ThresholdLab(own, k=5).readout()
    with pytest.raises(ValueError, match="a threshold decides between two classes, but iris"):
        ThresholdLab(bundled("iris"), k=5)


def test_weight_and_threshold_are_locked(lab):
    assert lab.set(t=0.228).q1 == 0.772
    assert lab.set(q1=0.9).t == 0.1
    assert lab.set(t=0.25, q1=0.75).readout()["weights"] == (0.25, 0.75)
    refuses(lab, {"t": 0.4, "q1": 0.4}, r"weight of class 1 q1 must be 1 - t, got t = 0\.4 and q1 = 0\.4")
    assert ThresholdLab(q1=0.3).t == 0.7
    for t in range(0, 1001, 13):
        lab.t = t / 1000
        assert round(lab.t + lab.q1, 12) == 1
    assert ThresholdLab.from_scene(lab.set(t=0.228).scene()).q1 == 0.772


def test_the_exact_rule_decides_everywhere(lab):
    for t in (0.0, 0.2, 0.333, 0.5, 1.0):
        lab.t = t
        rule = Threshold(t)
        assert np.array_equal(lab.decisions, rule.predict(lab.cells.votes, lab.k))
        positive = float(lab.cells.field.measure.weights @ lab.decisions)
        found = lab.counts.at_t[NEW]
        assert float(found.tp + found.fp) == pytest.approx(positive)


def test_a_note_tells_where_class_1_is_never_predicted(lab):
    lab.set(n=2000)
    assert "class 1 is never predicted (Bayes rule)" in lab.readout()["note"]
    assert "note" not in lab.set(t=0.2).readout()
    assert len(by_name(lab.trade)["here_bayes"].x) == 1
    lab.t = 1.0
    assert "(kNN, training points; kNN, new points; Bayes rule)" in lab.readout()["note"]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("t", 0.3, AFTER_T),
        ("q1", 0.3, AFTER_T),
        ("k", 7, AFTER_K),
        ("x1", 0.31, AFTER_X),
        ("n", 450, AFTER_N),
        ("seed", 1, AFTER_N | {"data.source"}),
    ],
)
def test_a_control_runs_the_stages_that_depend_on_it_once_and_no_other(lab, name, value, expected):
    each_runs_once(lab, expected, **{name: value})


def test_a_new_sample_leaves_what_is_known_of_the_plane_alone():
    lab = ThresholdLab(problem="checkerboard", n=400, k=10)
    for change in ({"seed": 1}, {"n": 450}, {"k": 12}):
        again = ran(lab, **change)
        assert "cells.votes" in again or "k" in change
        assert not again & {"map.weighted_boundaries", "data.truth"}


def test_names_say_where_each_number_is_counted():
    where = {"training": "training points", "new": "new points", "held": "new points held out", "bayes": "Bayes rule"}
    for key, name in ThresholdLab.number_names.items():
        start = key.split("_")[0]
        assert name.split(", ")[1:] == ([where[start]] if start in where else []), key


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"q1": -0.1}, r"threshold t must be between 0 and 1, got 1\.1"),
        ({"n": 60, "k": 61}, "neighbors k must not exceed sample size n, got 61 and 60"),
        ({"problem": "waves"}, f"problem must be one of {', '.join(TWO_CLASSES)}, got 'waves'"),
    ],
)
def test_what_does_not_go_together_is_refused(lab, changes, message):
    refuses(lab, changes, message)


def test_clicks_and_drags(lab):
    assert lab.pick("f1", 0.12345, 0.9) == {"t": 0.123}
    assert lab.pick("f1", -0.02, 0.04, "threshold") == {"t": 0.0}
    assert lab.pick("map", 0.9, 1.1, "threshold") == {"t": 1.0}
    assert lab.pick("map", 0.25, 0.3) == {"x1": 0.25}
    assert lab.pick("entries", 1, 0.5) == lab.pick("scores", 1, 0.5) == {}
    for recall in (0.1, 0.5, 0.95):
        lab.set(**lab.pick("trade", recall, 0.5))
        recalls = lab.counts.on_new.at_levels.recall
        assert float(lab.counts.at_t[NEW].recall) == recalls[abs(recalls - recall).argmin()]


def test_handles_stand_at_t(lab):
    lab.t = 0.3
    marks = [layer for panel in lab.picture.panels for layer in panel.layers if layer.name == "threshold"]
    assert np.array([(mark.x[0], mark.y[0]) for mark in marks]) == pytest.approx(np.array([(0.96, 0.3), (0.3, 0.04)]))
    assert "threshold" not in [layer.name for layer in lab.set(problem="checkerboard").map.drawn.layers]


def test_the_boundary_on_the_map_is_that_of_the_weights(fine):
    """On the checkerboard sin sin = 1 - 2t there, and 0 at t = 1/2."""
    lab = ThresholdLab(problem="checkerboard", n=100, k=10)
    for t in (0.5, 0.3):
        line = lab.set(t=t).map.weighted_boundaries.boundary(lab.threshold.q)
        x, y = (axis[~np.isnan(axis)].astype(float) for axis in (line.x, line.y))
        assert np.sin(2 * np.pi * x) * np.sin(2 * np.pi * y) == pytest.approx(1 - 2 * t, abs=2e-3)


def test_words_say_f1_and_where_it_is_largest(fine, lab):
    read = lab.set(k=30, t=0.2).readout()
    assert f"F1, new points {read['new_f1']:.4f}" in lab.alt
    assert f"The largest F1 of a Bayes rule is {read['largest_f1']:.4f}, at t = {read['best_t']:.4f}" in lab.alt
    assert "for t from 0.200 to 0.800" in lab.set(problem="jump").alt


# Bounds


def plain_bounds(problem, t, epsilon, n):
    """Proposition 3 and Corollaries 7 to 9 at t, from masses that are added up cell by cell; N is 1001."""
    eta = problem.eta((np.arange(200_000)[:, None] + 0.5) / 200_000)[:, 1]
    inside = abs(eta - t) <= epsilon + 1e-9
    sampling = 3 * math.sqrt(math.log(48 * 1001 / 0.05) / (2 * n))
    e_tn, e_tp = (3 * (held * inside).mean() + sampling for held in (1 - eta, eta))
    tp, fp, fn = ((held * side).mean() for held, side in ((eta, eta >= t), (1 - eta, eta >= t), (eta, eta < t)))
    e_precision = 3 * (e_tp + e_tn) / (tp + fp - e_tp - e_tn)
    e_recall = 3 * (e_tp + e_tp) / (tp + fn - e_tp - e_tp)
    e_f1 = 9 * (e_precision + e_recall) / (tp / (tp + fp) + tp / (tp + fn) - e_precision - e_recall)
    return {"tn": e_tn, "tp": e_tp, "precision": e_precision, "recall": e_recall, "f1": e_f1}


def test_bounds_are_those_of_plain_python(fine):
    problem, settings = one_against_rest(waves(), 0), {"bounds": BOUNDS[1], "epsilon": 0.001, "bound_n": 10**10}
    lab = ThresholdLab(problem="one wave against the rest", t=0.65, **settings)
    for t, epsilon in ((0.65, 0.001), (0.287, 0.001), (0.287, 0.005)):
        read, expected = lab.set(t=t, epsilon=epsilon).numbers, plain_bounds(problem, t, epsilon, 10**10)
        for name, value in expected.items():
            # The entries of the Bayes rule are counted on coarser cells than the band.
            close = pytest.approx(value, rel=1e-9 if name in ("tn", "tp") else 2e-3)
            assert read[f"{name}_error"] == (close if 0 < value < 1 else "vacuous"), (name, t, epsilon)
    assert read["f1_error"] == "vacuous"
    low, high = read["f1_box"]
    assert 0.5 < low < read["bayes_f1"] < high < 0.65


def test_the_drawn_bounds_are_around_the_curve_of_the_bayes_rule(fine):
    lab = ThresholdLab().show_preset("One wave: ten billion points")
    drawn, found = by_name(lab.f1), lab.counts.of_bayes.at(T_STEPS)
    box, corollary = drawn["box"], drawn["corollary"]
    assert (box.lower <= found.f1 + 1e-6).all()
    assert (found.f1 <= box.upper + 1e-6).all()
    low, high = (corollary.y[start : start + len(T_STEPS)] for start in (0, len(T_STEPS) + 1))
    known = np.isfinite(low)
    assert f"Corollary 9 is not vacuous at {known.mean():.1%}" in lab.alt
    at = int(np.flatnonzero(known)[0])
    read = lab.set(t=T_STEPS[at]).readout()
    assert high[at] == pytest.approx(read["bayes_f1"] + read["f1_error"], abs=1e-5)
    assert (box.lower[known] >= low[known]).all()
    assert (box.upper[known] <= high[known]).all()


def test_with_the_sample_of_the_lesson_the_box_is_all_of_0_to_1(fine):
    lab = ThresholdLab(problem="rare class", n=2000, k=60, seed=3, bounds=BOUNDS[1])
    assert (by_name(lab.f1)["box"].upper < 0.7).mean() > 0.5
    box = by_name(lab.set(bound_n=2000).f1)["box"]
    assert (box.lower.max(), box.upper.min()) == (0, 1)


def test_the_observed_error_is_the_largest_at_the_cells(lab):
    assert not {"f1_error", "bound_epsilon", "note"} & set(lab.set(t=0.2).readout())
    assert "box" not in by_name(lab.f1)
    read = lab.set(bounds=BOUNDS[2]).readout()
    cells, eta = rare().cells(sizes.MAP_CELLS[1])
    off = abs(fractions(rare().sample(400, lab.seed), cells.points, lab.k)[:, 1] - eta[:, 1]).max()
    assert read["observed_u"] == read["bound_epsilon"] == pytest.approx(off, abs=1e-6)
    assert f"whose U is at most {off:.3f}; this one has 400 points and U = {off:.3f}" in read["note"]


def test_bounds_are_for_a_known_line(lab):
    assert lab.hidden(lab.values) == {"x2", "epsilon", "bound_n"}
    assert lab.hidden(lab.set(bounds=BOUNDS[2]).values) == {"x2", "epsilon"}
    for problem in ("checkerboard", "breast cancer"):
        read = lab.set(problem=problem).readout()
        assert lab.hidden(lab.values) >= {"bounds", "epsilon", "bound_n"}
        assert "bound_epsilon" not in read
        assert "box" not in by_name(lab.f1)


def test_epsilon_moves_the_bounds_and_nothing_else(lab):
    expected = VIEW - {"counts.numbers"} | {"entry_bounds.f1_intervals", "entry_bounds.numbers", "f1.drawn"}
    each_runs_once(lab.set(bounds=BOUNDS[1]), expected, epsilon=0.2)


#: Numbers of each preset in the reference, with tolerances for a sample of 2000.
PRESETS = {
    "Rare class: equal weights": {"bayes_f1": (0, 0), "prevalence": (0.056719, 1e-6), "best_t": (0.228, 5e-4)},
    "Rare class: t by F1": {"bayes_f1": (0.456497, 2e-6), "new_f1": (0.449, 0.03)},
    "Rare class: t by prevalence": {"new_recall": (0.941, 0.04), "new_precision": (0.243, 0.03)},
    "One wave: equal weights": {"bayes_f1": (0.49884, 5e-5), "largest_f1": (0.57341, 2e-5), "best_t": (0.287, 5e-4)},
    "One wave: t by F1": {"bayes_f1": (0.57341, 2e-5), "prevalence": (0.2175265, 1e-6)},
    "Two classes alike": {"prevalence": (0.5, 1e-9)},
    "Rare class: a million points": {"bound_epsilon": (0.01, 0), "tn_error": (0.02955, 1e-5)},
    "Rare class: observed U": {"tn_error": (0.399, 5e-3), "prevalence": (0.056719, 1e-6)},
    "One wave: ten billion points": {"f1_error": (0.87, 0.02), "tn_error": (0.0038, 1e-4)},
}


@pytest.mark.parametrize("preset", ThresholdLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_sources_say(fine, preset):
    read = ThresholdLab().show_preset(preset.name).readout()
    for name, (value, tolerance) in PRESETS[preset.name].items():
        assert read[name] == pytest.approx(value, abs=tolerance), name
    if preset.name == "Two classes alike":
        entries = read["bayes_entries"]
        assert entries[0] == pytest.approx(entries[3], abs=1e-6)
        assert read["bayes_precision"] == pytest.approx(read["bayes_recall"], abs=1e-6)
