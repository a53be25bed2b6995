"""TuningLab's numbers beside plain Python and the paper's, its walk, trials and data, what a click means."""

import itertools
from functools import partial

import numpy as np
import pytest
from reference_implementations import reference
from small import SMALL

from knnviz import NeighborTable, VoteProfile, problems
from knnviz.labs import TuningLab, tuning
from knnviz.labs.parts.class_weights import WEIGHTS
from knnviz.labs.tuning import MIDDLE, MOST_STEPS, OF_BAYES_RULES, ON_NEW_POINTS, VALIDATIONS, WHOLE
from knnviz.views import triangle
from knnviz.weights import SearchOptions, confusion_fitted, greedy_search, grid_search, simplex_grid, trials

KHIM = reference("khim_search")["figure3a"]
BEST = reference("khim_metrics")["best_weights"]
SCORED, NEW = "searched score, equal : greedy : grid", ("macro F1, new points", "micro F1, new points")
GREEDY, GRID, RAISED, HIGHEST = (
    "greedy weights",
    "grid's weights",
    "steps that raised the score",
    "highest on the triangle",
)


@pytest.fixture
def lab():
    return TuningLab(n=200, k=30, resolution=SMALL)


def layers(lab, panel):
    return {layer.name: layer for layer in lab.panel(panel).layers}


def start_of(lab):
    return tuple(lab.values[name] for name in WEIGHTS)


def plain_fractions(sample, k, validation):
    X, y, queries, codes = sample.X, sample.y, sample.X, sample.y
    if validation == "hold-out":
        kept = len(y) - len(y) // 4
        X, y, queries, codes = X[:kept], y[:kept], X[kept:], y[kept:]
    votes = []
    for i, x in enumerate(queries):
        order = np.argsort(abs(X - x)[:, 0], kind="stable")
        order = order[order != i] if validation == "leave-one-out" else order
        votes.append(np.bincount(y[order[:k]], minlength=3))
    return np.array(votes) / k, codes


def plain_scores(fractions, codes, rows):
    said = (fractions * rows[:, None]).round(12).argmax(axis=2)
    hits = [((said == c) & (codes == c)).sum(axis=1) for c in range(3)]
    return np.mean([2 * hits[c] / ((said == c).sum(axis=1) + (codes == c).sum()) for c in range(3)], axis=0)


@pytest.mark.parametrize("validation", VALIDATIONS)
def test_numbers_are_those_of_plain_python(lab, validation):
    """Votes by sorting, decisions by argmax, scores by counting; the searches of the library on that score."""
    read = lab.set(seed=2, validation=validation, step=0.05, n_steps=7).readout()
    sample, (cells, eta) = problems.waves().sample(200, 2), problems.waves().cells(4 * SMALL.map_cells[0])
    score = partial(plain_scores, *plain_fractions(sample, 30, validation))
    greedy = greedy_search(score, (0.3, 0.3, 0.4), step=0.05, n_steps=7)
    grid = grid_search(score, simplex_grid(3, SMALL.integral_cells[1]))
    assert read[GREEDY] == pytest.approx(greedy.q, abs=1e-6)
    assert read[GRID] == read["reached at"] == pytest.approx(grid.q)
    assert read[SCORED] == pytest.approx((score(np.ones((1, 3)))[0], greedy.score, grid.score), abs=1e-6)
    assert read[HIGHEST] == pytest.approx(grid.score, abs=1e-6)
    assert read[RAISED] == sum(after > before for before, after in itertools.pairwise(greedy.scores))
    new = VoteProfile.count(NeighborTable.build(sample.X, cells.points, 30), sample.y, 3).at(30) / 30
    found = [confusion_fitted(new, eta, q, rule="argmax") for q in (np.ones(3), greedy.q, grid.q)]
    for name, scored in zip(NEW, ("macro_f1", "micro_f1"), strict=True):
        assert read[name] == pytest.approx([getattr(each, scored) for each in found], abs=1e-6)
    read = lab.set(landscape=ON_NEW_POINTS).readout()
    assert read[HIGHEST] >= read[NEW[0]][2]


def test_the_landscape_of_bayes_rules_is_that_of_the_reference():
    read = TuningLab(n=200, landscape=OF_BAYES_RULES).readout()
    assert read["reached at"] == pytest.approx(BEST["argmax_macro"], abs=1e-9)
    assert read[HIGHEST] == pytest.approx(BEST["max_macro"], abs=5e-5)


@pytest.mark.parametrize(("step", "moves"), [(0.01, 2), (0.05, 1)])
def test_walks_are_those_of_figure_3(step, moves):
    read = TuningLab(step=step).readout()
    assert read[GREEDY] == pytest.approx(KHIM[f"gamma={step},printed"]["final_q"], abs=1e-6)
    assert (read[RAISED], read[GRID]) == (moves, pytest.approx(KHIM["grid"]["q"]))


def test_the_steps_taken_are_those_of_one_walk(lab):
    lab.set(candidate_order="sign", accept=">", base="running", step=0.05, q0=0.8, q1=0.1, q2=0.1)
    score = partial(plain_scores, *plain_fractions(problems.waves().sample(200, 0), 30, "resubstitution"))
    options = {"order": "sign", "accept": ">", "base": "running", "step": 0.05, "n_steps": MOST_STEPS}
    whole = greedy_search(score, (0.8, 0.1, 0.1), **options).history
    for steps in (0, 1, 7, MOST_STEPS):
        assert lab.set(n_steps=steps).readout()[GREEDY] == pytest.approx(whole[steps], abs=1e-6)
        path = layers(lab, "triangle")["path"]
        assert np.stack([path.x, path.y], axis=1) == pytest.approx(triangle.positions(whole[: steps + 1]), abs=1e-6)


@pytest.mark.parametrize(("validation", "most"), [("resubstitution", 200), ("leave-one-out", 199), ("hold-out", 150)])
def test_k_ends_at_the_points_that_may_vote(lab, validation, most):
    assert lab.set(validation=validation).ends(lab.values)["k"] == (1, most)
    assert lab.set(k=most).readout()
    assert lab.set(n=100).k == most // 2


def test_data_have_no_bayes_rule_and_no_fresh_samples(lab):
    lab.set(landscape=OF_BAYES_RULES, curve=tuning.F1_OVER_N).set(problem="iris", n=100)
    assert (lab.landscape, lab.curve, lab.zoom) == (ON_NEW_POINTS, tuning.OFF, WHOLE)
    assert {"curve", "repeats"} <= lab.hidden(lab.values)
    assert "macro F1, new points held out" in lab.readout()
    with pytest.raises(ValueError, match="the distribution of iris is not known"):
        lab.set(landscape=OF_BAYES_RULES)
    with pytest.raises(ValueError, match=r"a triangle of weights needs three classes, but .* has 2"):
        TuningLab(problems.breast_cancer())


def test_a_click_sets_the_start_and_none_leaves_the_middle(lab):
    """Some rounded weights at the rim lie just beyond it."""
    frame = lab.panel("triangle").axes
    for x, y in itertools.product(np.linspace(*frame.xlim, 7), np.linspace(*frame.ylim, 7)):
        assert lab.validated(lab.pick("triangle", x, y))[0]["zoom"] == MIDDLE, (x, y)
    assert lab.set(q0=0.8, q1=0.1, q2=0.1).zoom == lab.set(q0=0.3, q1=0.3, q2=0.4).zoom == WHOLE
    for x, y, q in ((0, 0, (1, 0, 0)), (1, 0, (0, 1, 0)), (0.45, 0.4, (0.35, 0.25, 0.4)), (-0.2, -0.1, (1, 0, 0))):
        assert start_of(lab.set(**lab.pick("triangle", x, y))) == pytest.approx(q)
    assert TuningLab(q0=0.8, zoom=MIDDLE, resolution=SMALL).zoom == MIDDLE


@pytest.mark.parametrize(("x", "steps"), [(-3, 0), (0.4, 0), (7.6, 8), (50, 50), (61.2, 50)])
def test_a_drag_on_the_stairs_sets_the_number_of_steps(lab, x, steps):
    assert lab.pick("stairs", x, 0.6, "steps") == {"n_steps": steps}


def test_trials_are_those_of_the_library(lab):
    lab.set(curve=tuning.F1_OVER_N, repeats=2, seed=3, n_steps=4, validation="hold-out")
    drawn = lab.background.wait(lambda: layers(lab, "trials"))
    options = SearchOptions((0.3, 0.3, 0.4), n_steps=4, grid_parts=SMALL.integral_cells[1], validation="holdout")
    *_, last = trials(problems.waves(), options, over={"n": tuning.SIZES}, repeats=2, seed=3, n_cells=800)
    for method, mean in zip(tuning.STYLES, last.mean("macro"), strict=True):
        assert drawn[method].y == pytest.approx(mean, abs=1e-6)
