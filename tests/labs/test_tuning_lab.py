"""TuningLab's numbers beside plain Python and the paper's, its trials and data."""

import itertools
from functools import partial

import numpy as np
import pytest
from reference_implementations import reference
from small import SMALL

from knnviz import NeighborTable, VoteProfile, problems
from knnviz.labs import TuningLab, tuning
from knnviz.labs.tuning import MIDDLE, OF_BAYES_RULES, ON_SAMPLE, VALIDATIONS, WHOLE
from knnviz.weights import (
    SearchOptions,
    confusion,
    greedy_search,
    grid_search,
    simplex_grid,
    trials,
    validation_set,
)

KHIM = reference("khim_search")["figure3a"]
BEST = reference("khim_metrics")["best_weights"]
NEW = "macro F1 on new points"
GREEDY = "weights, greedy search"
GRID = "weights, grid"
HIGHEST = "highest on the triangle"
RAISED = "moves that raised the score"


@pytest.fixture
def lab():
    return TuningLab(n=200, k=30, resolution=SMALL)


def of_ways(read, name):
    return [read[f"{name}, {label}"] for label, *_ in tuning.STYLES.values()]


def weights(read, name):
    return list(read[name].values())


def plain_scores(fractions, codes, rows):
    decided = (fractions * rows[:, None]).round(12).argmax(axis=2)
    scores = []
    for c in range(3):
        said = decided == c
        true = codes == c
        hits = (said & true).sum(axis=1)
        scores.append(2 * hits / (said.sum(axis=1) + true.sum()))
    return np.mean(scores, axis=0)


@pytest.mark.parametrize(("validation", "most"), [("resubstitution", 200), ("leave-one-out", 199)])
def test_numbers_are_those_of_plain_python(lab, validation, most):
    """Decisions by argmax, scores by counting; the searches of the library on that score."""
    walk = {"accept": ">", "base": "running", "step": 0.05, "n_steps": 7}
    lab.set(seed=2, validation=validation, candidate_order="sign", **walk)
    assert lab.setting.ends["k"] == (1, most)
    read = lab.readout()

    waves = problems.waves()
    sample = waves.sample(200, 2)
    codes, votes = validation_set(sample.X, sample.y, 3, 30, VALIDATIONS[validation])
    score = partial(plain_scores, votes.at(30) / 30, codes)
    greedy = greedy_search(score, (0.3, 0.3, 0.4), order="sign", **walk)
    grid = grid_search(score, simplex_grid(3, SMALL.integral_cells[1]))
    assert weights(read, GREEDY) == pytest.approx(greedy.q, abs=1e-6)
    assert weights(read, GRID) == pytest.approx(grid.q)
    assert weights(read, "reached at") == weights(read, GRID)

    own = (score(np.ones((1, 3)))[0], greedy.score, grid.score)
    assert of_ways(read, "macro F1 on the sample") == pytest.approx(own, abs=1e-6)
    assert read[HIGHEST] == pytest.approx(grid.score, abs=1e-6)
    moves = itertools.pairwise(greedy.scores)
    assert read[RAISED] == sum(after > before for before, after in moves)

    cells, eta = waves.cells(4 * SMALL.map_cells[0])
    table = NeighborTable.build(sample.X, cells.points, 30)
    new = VoteProfile.build(table, sample.y, 3).at(30) / 30
    ways = (np.ones(3), greedy.q, grid.q)
    found = [confusion(eta, new, q, rule="argmax") for q in ways]
    assert of_ways(read, NEW) == pytest.approx([each.macro_f1 for each in found], abs=1e-6)


def test_the_landscape_of_bayes_rules_is_that_of_the_reference():
    read = TuningLab(n=200, landscape=OF_BAYES_RULES).readout()
    assert weights(read, "reached at") == pytest.approx(BEST["argmax_macro"], abs=1e-9)
    assert read[HIGHEST] == pytest.approx(BEST["max_macro"], abs=5e-5)


@pytest.mark.parametrize(("step", "moves"), [(0.01, 2), (0.05, 1)])
def test_walks_are_those_of_figure_3(step, moves):
    read = TuningLab(step=step).readout()
    printed = KHIM[f"gamma={step},printed"]
    assert weights(read, GREEDY) == pytest.approx(printed["final_q"], abs=1e-6)
    assert weights(read, GRID) == pytest.approx(KHIM["grid"]["q"])
    assert read[RAISED] == moves


def test_data_have_no_bayes_rule_and_no_fresh_samples(lab):
    lab.set(landscape=OF_BAYES_RULES, curve=tuning.F1_OVER_N).set(problem="iris", n=100)
    assert lab.landscape == ON_SAMPLE
    assert lab.curve == tuning.OFF
    assert lab.zoom == WHOLE
    assert {"curve", "repeats"} <= lab.setting.hidden
    assert "macro F1 on held-out points, grid" in lab.readout()
    sentence = r"a triangle of weights needs three classes, but .* has 2"
    with pytest.raises(ValueError, match=sentence):
        TuningLab(problems.breast_cancer())


def test_no_click_leaves_the_middle(lab):
    """Some rounded weights at the rim lie just beyond it."""
    frame = lab.panel("triangle").axes
    for x in np.linspace(*frame.xlim, 7):
        for y in np.linspace(*frame.ylim, 7):
            setting, _ = lab.validated(lab.pick("triangle", x, y))
            assert setting.values["zoom"] == MIDDLE, (x, y)
    assert lab.set(q0=0.8, q1=0.1, q2=0.1).zoom == WHOLE
    assert lab.set(q0=0.3, q1=0.3, q2=0.4).zoom == WHOLE
    assert TuningLab(q0=0.8, zoom=MIDDLE, resolution=SMALL).zoom == MIDDLE


def test_trials_are_those_of_the_library(lab):
    lab.set(curve=tuning.F1_OVER_N, repeats=2, seed=3, n_steps=4, validation="leave-one-out")
    panel = lab.background.wait(lambda: lab.panel("trials"))
    drawn = {layer.name: layer for layer in panel.layers}
    options = SearchOptions(
        (0.3, 0.3, 0.4), n_steps=4, grid_parts=SMALL.integral_cells[1], validation="loo"
    )
    *_, last = trials(problems.waves(), options, tuning.SIZES, repeats=2, seed=3, n_cells=800)
    for method, mean in zip(tuning.STYLES, last.mean("macro"), strict=True):
        assert drawn[method].y == pytest.approx(mean, abs=1e-6)
