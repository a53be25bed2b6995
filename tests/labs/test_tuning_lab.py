"""TuningLab without a front end: its numbers beside plain Python and the paper's, its stages, trials, data, presets."""

import itertools
import re
from functools import partial

import numpy as np
import pytest
from random_moves import by_name, page, ran, refuses, settle
from reference_implementations import reference

from knnviz import NeighborTable, VoteProfile, problems
from knnviz.labs import TuningLab
from knnviz.labs.old_parts import sizes, weighted_map
from knnviz.labs.old_parts.class_weights import WEIGHTS
from knnviz.labs.old_parts.risk_panel import OFF
from knnviz.labs.tuning import trial_panel
from knnviz.labs.tuning.panels import MIDDLE, OF_BAYES_RULES, ON_NEW_POINTS, SHOWN, WHOLE, ZOOMS
from knnviz.labs.tuning.search import JUDGED, MOST_STEPS, SCORINGS, VALIDATIONS
from knnviz.labs.tuning.trial_panel import CURVES, DIFFERENCE, DISTANCE, F1_OVER_N, OVER_K
from knnviz.views import landscape, triangle
from knnviz.weights import SearchOptions, confusion_fitted, greedy_search, grid_search

KHIM = reference("khim_search")["figure3a"]
BEST = reference("khim_metrics")["best_weights"]

#: Stages that run again when a parameter moves, once all have run.
VIEW = {"numbers", "alt", "picture"}
#: Those that follow from the weights of the methods, and from the weights that the line shows.
AFTER_WEIGHTS = {"searches.weights", "new_points.method_scores", "triangle.drawn", "stairs.drawn", "scores.drawn"}
AFTER_Q = {"q", "vote.rule", "vote.decisions", "vote.bayes_decisions", "map.drawn"}
AFTER_WALK = VIEW | AFTER_WEIGHTS | AFTER_Q | {"searches.options", "searches.walk", "new_points.walk_scores"}
AFTER_K = (AFTER_WALK - {"searches.options"}) | {
    "searches.score",
    "searches.landscape_scores",
    "triangle.landscape_scores",
    "new_points.grid_scores",
}
AFTER_K |= {"new_points.macro_f1", "vote.new_fractions"}


@pytest.fixture
def lab(small):
    return TuningLab()


def start(q):
    return dict(zip(WEIGHTS, q, strict=True))


def plain_fractions(problem, n, seed, k, validation):
    sample = problem.sample(n, seed)
    X, y, queries, codes = sample.X, sample.y, sample.X, sample.y
    if validation == "hold-out":
        kept = n - n // 4
        X, y, queries, codes = X[:kept], y[:kept], X[kept:], y[kept:]
    votes = []
    for i, x in enumerate(queries):
        order = np.argsort(abs(X - x)[:, 0], kind="stable")
        order = order[order != i] if validation == "leave-one-out" else order
        votes.append(np.bincount(y[order[:k]], minlength=3))
    return np.array(votes) / k, codes


def plain_scores(fractions, codes, scoring, rows):
    said = (fractions * rows[:, None]).round(12).argmax(axis=2)
    found = []
    for c in range(3):
        hits, both = ((said == c) & (codes == c)).sum(axis=1), (said == c).sum(axis=1) + (codes == c).sum()
        others = {"macro F1": 2 * hits / both, "micro F1": 3 * hits / len(codes)}
        found.append(others.get(scoring, hits / (codes == c).sum()))
    return np.mean(found, axis=0)


@pytest.mark.parametrize("validation", VALIDATIONS)
@pytest.mark.parametrize("scoring", SCORINGS)
def test_numbers_are_those_of_plain_python(lab, scoring, validation):
    """Votes by sorting, decisions by argmax, scores by counting; the searches of the library on that score."""
    lab.set(n=200, seed=2, k=30, scoring=scoring, validation=validation, step=0.05, n_steps=7)
    fractions, codes = plain_fractions(problems.waves(), 200, 2, 30, validation)
    score = partial(plain_scores, fractions, codes, scoring)
    greedy, grid = greedy_search(score, (0.3, 0.3, 0.4), step=0.05, n_steps=7), grid_search(score, landscape.GRID)
    read = lab.readout()
    assert read["greedy_q"] == pytest.approx(greedy.q, abs=1e-6)
    assert read["grid_q"] == read["highest_q"] == pytest.approx(grid.q)
    assert read["searched"] == pytest.approx((score(np.ones((1, 3)))[0], greedy.score, grid.score), abs=1e-6)
    assert read["highest"] == pytest.approx(grid.score, abs=1e-6)
    assert read["moves"] == sum(after > before for before, after in zip(greedy.scores, greedy.scores[1:], strict=False))
    sample, cells = problems.waves().sample(200, 2), problems.waves().measure(weighted_map.LINE_CELLS)
    eta = problems.waves().eta(cells.points)
    new = VoteProfile.count(NeighborTable.build(sample.X, cells.points, 30), sample.y, 3).at(30) / 30
    found = [confusion_fitted(new, eta, q, rule="argmax") for q in (np.ones(3), greedy.q, grid.q)]
    assert read["new_macro_f1"] == pytest.approx([each.macro_f1 for each in found], abs=1e-6)
    assert read["new_micro_f1"] == pytest.approx([each.micro_f1 for each in found], abs=1e-6)


def test_steps_are_those_of_the_controls(lab):
    options = lab.set(step=0.05, candidate_order="sign", accept=">", base="running").searches.options
    assert (options.step, options.order, options.accept, options.base) == (0.05, "sign", ">", "running")


def test_a_landscape_of_new_points_is_judged(lab):
    for judged, name in zip(JUDGED, ("new_macro_f1", "new_micro_f1"), strict=True):
        read = lab.set(landscape=ON_NEW_POINTS, judged=judged).readout()
        assert lab.new_points.walk_scores[lab.n_steps] == pytest.approx(read[name][1], abs=1e-6)
        at = abs(landscape.GRID - read["grid_q"]).sum(axis=1).argmin()
        assert lab.triangle.landscape_scores[at] == pytest.approx(read[name][2], abs=1e-6)
        assert read["highest"] >= max(read[name][2], read[name][0] - 1e-3)


def test_the_landscape_of_bayes_rules_is_that_of_the_reference():
    lab = TuningLab(landscape=OF_BAYES_RULES, judged=JUDGED[1])
    assert lab.readout()["highest"] == pytest.approx(BEST["max_micro"], abs=5e-5)
    equal = (landscape.GRID == (0.33, 0.33, 0.34)).all(axis=1)
    assert lab.triangle.landscape_scores[equal] == pytest.approx(BEST["micro_at_uniform"], abs=1e-4)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"n_steps": 5}, VIEW | AFTER_WEIGHTS),
        ({"step": 0.05}, AFTER_WALK),
        ({"q0": 0.35, "q1": 0.3, "q2": 0.35}, AFTER_WALK | {"start_weights.q"}),
        ({"zoom": WHOLE}, {"triangle.drawn", "picture"}),
        ({"shown": "grid"}, (VIEW - {"numbers"}) | AFTER_Q),
        (
            {"landscape": OF_BAYES_RULES},
            VIEW | {"triangle.landscape_scores", "triangle.bayes_scores", "triangle.drawn"},
        ),
        (
            {"judged": JUDGED[1]},
            (VIEW - {"numbers"}) | {"new_points.walk_scores", "new_points.grid_scores", "stairs.drawn", "trials.drawn"},
        ),
        ({"k": 60}, AFTER_K),
        ({"repeats": 9}, set()),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_control_runs_the_stages_that_depend_on_it_and_no_other(lab, changes, expected):
    """Limits of the stairs aside, which follow what is drawn."""
    assert ran(lab, **changes) - {"stairs.y_limits"} == expected


def test_the_steps_taken_are_those_of_one_walk(lab):
    whole = lab.searches.walk.history
    assert len(whole) == MOST_STEPS + 1
    for steps in (0, 1, 7, 20, MOST_STEPS):
        assert lab.set(n_steps=steps).searches.weights["greedy"] == pytest.approx(whole[steps])
        path = by_name(lab.triangle)["path"]
        assert np.stack([path.x, path.y], axis=1) == pytest.approx(triangle.positions(whole[: steps + 1]), abs=1e-6)
    for count, steps in enumerate((np.flatnonzero(np.diff(lab.searches.walk.scores) > 0) + 1).tolist(), start=1):
        assert lab.set(n_steps=steps).readout()["moves"] == count
    assert lab.set(n_steps=0).readout()["greedy_q"] == (0.3, 0.3, 0.4)
    read = lab.show_preset("A far start").readout()
    assert read["searched"][1] < read["searched"][0] - 0.1, "it ends before it arrives"
    assert read["moves"] < 20


def test_the_line_shows_the_weights_that_are_chosen(lab):
    for shown, method in SHOWN.items():
        q = lab.set(shown=shown).searches.weights[method]
        fractions = lab.cells.votes.at(lab.k) / lab.k
        assert np.array_equal(lab.vote.decisions, (fractions * q).round(12).argmax(axis=1))
        assert lab.map.axes().title == f"Line: {shown}; Bayes rule above"


#: Numbers of each preset in the paper, its reference run or the data, with tolerances.
FINE_WALK = {"greedy_q": (KHIM["gamma=0.01,printed"]["final_q"], 1e-6), "grid_q": (KHIM["grid"]["q"], 1e-9)}
PRESETS = {
    "Figure 3(a), gamma = 0.01": FINE_WALK | {"moves": (2, 0)},
    "Figure 3(a), gamma = 0.05": {"greedy_q": (KHIM["gamma=0.05,printed"]["final_q"], 1e-6), "moves": (1, 0)},
    "Figure 3(b)": FINE_WALK,
    "Figure 4(a)": FINE_WALK,
    "Figure 4(b)": FINE_WALK,
    "A far start": {"grid_q": (KHIM["grid"]["q"], 1e-9)},
    "Bayes rules of all weights": {"highest_q": (BEST["argmax_macro"], 1e-9), "highest": (BEST["max_macro"], 5e-5)},
    "Over k": {"searched": ((0.5956, KHIM["gamma=0.01,printed"]["emp"][-1], KHIM["grid"]["emp"]), 1e-4)},
    "A rare class": {"new_micro_f1": ((0.82, 0.82, 0.82), 0.01)},
    "Three clouds": {"new_micro_f1": ((0.88, 0.88, 0.88), 0.01)},
    "Wine": {"searched": ((0.969218,) * 3, 1e-6), "moves": (0, 0)},
}


@pytest.mark.parametrize("preset", TuningLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_sources_say(monkeypatch, preset):
    monkeypatch.setattr(trial_panel, "SIZES", (60, 100))
    monkeypatch.setattr(trial_panel, "KS", (5, 20, 200))
    monkeypatch.setitem(sizes.MAP_CELLS, 2, 60)
    lab = TuningLab()
    lab.set(**lab.preset_values(preset.name) | {"repeats": 2})
    read = lab.readout()
    for name, (value, tolerance) in PRESETS[preset.name].items():
        assert read[name] == pytest.approx(value, abs=tolerance), name
    positions = {"F1 over k": "6 of 6", OFF: None}
    assert read.get("trials_done") == positions.get(lab.curve, "4 of 4")
    frame = lab.triangle.axes()
    for q in lab.searches.weights.values():
        x, y = triangle.positions(q)
        assert frame.xlim[0] <= x <= frame.xlim[1]
        assert frame.ylim[0] <= y <= frame.ylim[1]


@pytest.mark.parametrize(
    ("validation", "most", "k", "least"),
    [("resubstitution", 200, 200, 200), ("leave-one-out", 199, 200, 250), ("hold-out", 150, 120, 200)],
)
def test_k_ends_at_the_points_that_may_vote_and_n_begins_there(lab, validation, most, k, least):
    lab.set(n=200, k=20, validation=validation)
    assert lab.slider_range("k", lab.values) == (1, most)
    assert lab.set(k=most).readout()
    if most < 200:
        said = f"k must not exceed the {most} of 200 points that may vote under {validation}, got {most + 1}"
        refuses(lab, {"k": most + 1}, f"neighbors {said}")
    lab.set(n=1000, k=k)
    assert lab.slider_range("n", lab.values)[0] == least
    assert lab.set(n=least).readout()
    refuses(lab, {"n": least - 50}, f".*must not exceed.*got {k}.*")


def test_fewer_points_move_k(faced):
    faced.set(n=1000, k=200, validation="hold-out")
    page(faced).move(problem="iris")
    settle(faced)
    assert (faced.n, faced.k) == (105, 79)
    assert "neighbors k moved from 200 to 79, the nearest allowed" in page(faced).message


def test_data_have_no_bayes_rule_and_no_fresh_samples(faced):
    faced.set(landscape=OF_BAYES_RULES, curve=F1_OVER_N, repeats=2)
    faced.set(problem="iris")
    assert (faced.landscape, faced.curve) == (ON_NEW_POINTS, OFF)
    said = page(faced).message
    assert "The distribution of iris is not known: kNN on new points in place of Bayes rule." in said
    assert "The distribution of iris is not known: off in place of F1 over n." in said
    assert {"curve", "repeats"} <= faced.hidden(faced.values)
    for changes in ({"landscape": OF_BAYES_RULES}, {"curve": OVER_K}):
        (value,) = changes.values()
        refuses(faced, changes, f"{value} needs a known distribution, but iris is data")
    with pytest.raises(ValueError, match=r"a triangle of weights needs three classes, but .* has 2"):
        TuningLab(problems.breast_cancer())
    assert "macro F1 on points held out from" in faced.alt
    assert "held_out_macro_f1" in faced.readout()
    assert faced.set(problem="waves", curve=F1_OVER_N, landscape=OF_BAYES_RULES).readout()["trials_done"] == "4 of 4"


def test_a_start_beyond_the_middle_and_data_show_all_of_the_triangle(lab):
    assert lab.set(**start((0.45, 0.3, 0.25))).zoom == MIDDLE
    assert lab.set(**start((0.8, 0.1, 0.1))).zoom == WHOLE
    assert lab.set(**start((0.3, 0.3, 0.4))).zoom == WHOLE, "it stays"
    assert TuningLab(q0=0.8, zoom=MIDDLE).zoom == MIDDLE
    data = TuningLab(problem="iris", n=100, k=10)
    assert data.zoom == WHOLE
    assert data.set(zoom=MIDDLE).zoom == data.set(n=90).zoom == MIDDLE, "it stays"
    assert TuningLab(problem="iris", n=100, k=10, zoom=MIDDLE).zoom == MIDDLE
    assert TuningLab(problem="three gaussians").zoom == MIDDLE


def test_no_drag_leaves_the_middle_and_one_key_press_moves_the_start(lab):
    """Some rounded weights at the rim lie just beyond it; a key moves by a hundredth of width or height."""
    frame = lab.triangle.axes()
    for x, y in itertools.product(np.linspace(*frame.xlim, 15), np.linspace(*frame.ylim, 15)):
        assert lab.validated(lab.pick("triangle", x, y, None, 0))[0]["zoom"] == MIDDLE, (x, y)
    for zoom in ZOOMS:
        frame, (x, y) = lab.set(zoom=zoom).triangle.axes(), triangle.positions(np.array(lab.start_weights.q))
        across, up = (0.01 * float(np.diff(limits)[0]) for limits in (frame.xlim, frame.ylim))
        for at in ((x + across, y), (x - across, y), (x, y + up), (x, y - up)):
            assert tuple(lab.pick("triangle", *at, None, 0).values()) != pytest.approx(lab.start_weights.q)


CORNERS = [(0, 0, (1, 0, 0)), (1, 0, (0, 1, 0)), (0.5, 1, (0, 0, 1))]


@pytest.mark.parametrize(("x", "y", "q"), [*CORNERS, (0.45, 0.4, (0.35, 0.25, 0.4)), (-0.2, -0.1, (1, 0, 0))])
def test_a_click_on_the_triangle_sets_the_start(lab, x, y, q):
    lab.set(**lab.pick("triangle", x, y, None, 0))
    assert lab.start_weights.q == pytest.approx(q)
    assert lab.searches.walk.history[0] == pytest.approx(q)
    mark = by_name(lab.triangle)["weights"]
    assert (mark.x[0], mark.y[0]) == pytest.approx(triangle.positions(np.array(q)), abs=1e-6)


def test_a_drag_on_the_stairs_sets_the_number_of_steps(lab):
    for x, steps in ((-3, 0), (0, 0), (0.4, 0), (7.6, 8), (50, 50), (61.2, 50)):
        lab.set(**lab.pick("stairs", x, 0.6, "steps", 0))
        assert lab.n_steps == steps
        mark = by_name(lab.stairs)["steps"]
        assert (mark.x[0], mark.spoken) == (steps, (f"{steps} steps",))
    for panel in ("map", "scores", "trials"):
        assert lab.pick(panel, 0.4, 0.4, None, 0) == {}


def test_words_tell_of_the_curve_that_is_drawn(small):
    lab = TuningLab(n=200, k=20, repeats=2, curve=F1_OVER_N)
    results = lab.trials.results
    curves = ("mean macro F1", "grid minus greedy, mean macro F1", "distance of mean weights")
    means = results.mean("macro")[2], results.difference("macro")[0], results.distance()[0]
    for curve, said, mean in zip(CURVES[1:4], curves, means, strict=True):
        state = lab.set(curve=curve).alt
        assert re.search(rf"{said}[^:]*: [^;]*{mean[-1]:.4f} at n = 100;", state), (said, state)
        assert [each in state for each in ("equal, mean", "minus greedy", "distance of mean")] == [
            curve == each for each in CURVES[1:4]
        ]


KEPT = ({"judged": JUDGED[1]}, {"landscape": OF_BAYES_RULES}, {"zoom": WHOLE}, {"shown": "grid"})
MOVED = ({"n_steps": 3}, {"step": 0.05}, {"q0": 0.4}, {"scoring": "micro F1"}, {"validation": "hold-out"})
MOVED += ({"repeats": 3}, {"seed": 1}, {"problem": "zipf on a line"})
RUNS = [(F1_OVER_N, {"n": 250}, {"curve": OVER_K}), (OVER_K, {"k": 30}, {"n": 250})]
RUNS += [(DIFFERENCE, {"curve": DISTANCE}, {"curve": OFF})]


@pytest.mark.parametrize(("curve", "kept", "moved"), RUNS, ids=str)
def test_trials_are_kept_by_what_they_do_not_read(small, monkeypatch, curve, kept, moved):
    monkeypatch.setattr(trial_panel, "trials", lambda *_, **__: iter([object()]))
    lab = TuningLab(n=200, k=20, repeats=2, curve=curve)
    results = lab.trials.results
    for changes in (*KEPT, kept):
        assert lab.set(**changes).trials.results is results, changes
    for changes in (*MOVED, moved):
        before = lab.trials.results
        assert lab.set(**changes).trials.results is not before, changes


def test_trials_are_those_of_the_library(small):
    lab = TuningLab(n=200, k=20, repeats=2, curve=OVER_K, n_steps=4, validation="hold-out", seed=3)
    searches = SearchOptions((0.3, 0.3, 0.4), n_steps=4, grid_parts=20, validation="holdout")
    *_, last = trial_panel.trials(problems.waves(), searches, over={"k": [5, 20]}, n=200, repeats=2, seed=3)
    assert np.array_equal(lab.trials.results.scores, last.scores)
    assert list(lab.trials.results.values) == [5, 20], "150 may vote"


def test_a_step_sends_no_landscape_and_no_line(drawn, faced):
    """The line shows the grid's weights, so that it stays as it is."""
    faced.set(shown="grid")
    page(faced).move(n_steps=1)
    changed = {"triangle_path", "triangle_path_ground", "triangle_path_steps", "stairs_steps", "stairs_at_steps"}
    changed.add("triangle_weights_greedy")
    assert page(faced).sent == {f"layer_{name}" for name in changed | {"scores_scores", "scores_score_values"}}
