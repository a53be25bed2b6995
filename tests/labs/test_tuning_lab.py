"""TuningLab's numbers beside plain Python and the paper's, its trials and data."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_moves import votes_of
from reference_implementations import generators, reference
from refusals import refuses
from small import SMALL

from knnviz import problems
from knnviz.labs import TuningLab, tuning
from knnviz.labs.tuning import CLAIMS, VALIDATIONS, WAYS
from knnviz.lessons.openings import tuning_weights
from knnviz.problems.data import RARE_DIGITS
from knnviz.weights import (
    SearchOptions,
    WeightScorer,
    confusion,
    greedy_search,
    grid_search,
    simplex_grid,
    trials,
    validation_set,
)

KHIM = reference("khim_search")["figure3a"]
NEW = "macro F1 on new points"
GREEDY = "weights, greedy search"
GRID = "weights, grid"
HIGHEST = "highest on the triangle"
RAISED = "moves that raised the score"


@pytest.fixture
def lab():
    return TuningLab(n=200, k=30, resolution=SMALL)


def of_ways(read, name):
    return [read[f"{name}, {tuning.STYLES[way][0]}"] for way in WAYS]


def weights(read, name):
    return list(read[name].values())


@pytest.mark.parametrize(("validation", "most"), [("resubstitution", 200), ("leave-one-out", 199)])
def test_numbers_are_those_of_the_library(lab, validation, most):
    walk = {"accept": ">", "base": "running", "step": 0.05, "n_steps": 7}
    lab.set(seed=2, validation=validation, candidate_order="sign", **walk)
    assert lab.setting.ends["k"] == (1, most)
    read = lab.readout()

    waves = problems.waves()
    sample = waves.sample(200, 2)
    codes, votes = validation_set(sample.X, sample.y, 3, 30, VALIDATIONS[validation])
    score = WeightScorer.from_fractions(codes, votes.at(30) / 30)
    greedy = greedy_search(score, (0.3, 0.3, 0.4), order="sign", **walk)
    grid = grid_search(score, simplex_grid(3, SMALL.integral_cells[1]))
    assert weights(read, GREEDY) == pytest.approx(greedy.q, abs=1e-6)
    assert weights(read, GRID) == pytest.approx(grid.q)
    assert weights(read, "reached at") == weights(read, GRID)

    own = (score(np.ones(3)), greedy.score, grid.score)
    assert of_ways(read, "macro F1 on the sample") == pytest.approx(own, abs=1e-6)
    assert read[HIGHEST] == pytest.approx(grid.score, abs=1e-6)
    moves = itertools.pairwise(greedy.scores)
    assert read[RAISED] == sum(after > before for before, after in moves)

    cells, eta = waves.cells(4 * SMALL.map_cells[0])
    new = votes_of(sample.X, sample.y, cells.points, 30, 3).at(30) / 30
    ways = (np.ones(3), greedy.q, grid.q)
    found = [confusion(eta, new, q, rule="argmax").macro_f1 for q in ways]
    assert of_ways(read, NEW) == pytest.approx(found, abs=1e-6)


def test_it_opens_on_the_walk_of_figure_3():
    read = TuningLab().readout()
    printed = KHIM["gamma=0.01,printed"]
    assert weights(read, GREEDY) == pytest.approx(printed["final_q"], abs=1e-6)
    assert weights(read, GRID) == pytest.approx(KHIM["grid"]["q"])
    assert read[RAISED] == 2


def test_data_have_other_splits_and_no_fresh_samples(lab):
    lab.set(curve=tuning.F1_OVER_N).set(problem="iris", n=100)
    assert lab.curve == tuning.OFF
    assert lab.setting.ends["curve"] == (tuning.OFF, CLAIMS)
    sentence = "a triangle of weights needs three classes, but .* has 2"
    refuses(sentence, TuningLab, problems.breast_cancer())
    refuses("labs draw one or two columns, .* has 64", TuningLab, problems.rare_digits())


def test_trials_are_those_of_the_library(lab):
    lab.set(curve=tuning.F1_OVER_N, repeats=2, seed=3, n_steps=4, validation="leave-one-out")
    panel = lab.background.wait(lambda: lab.panel("trials"))
    drawn = {layer.name: layer for layer in panel.layers}
    options = SearchOptions(
        (0.3, 0.3, 0.4), n_steps=4, grid_parts=SMALL.integral_cells[1], validation="loo"
    )
    *_, last = trials(problems.waves(), options, tuning.SIZES, repeats=2, seed=3, n_cells=800)
    for method, mean in zip(WAYS, last.mean("macro"), strict=True):
        assert drawn[method].y == pytest.approx(mean, abs=1e-6)


def test_claims_are_what_searches_find_and_new_scans_give(lab):
    """On each split by itself, and their means."""
    rules = "balanced weights and grid"
    scans = {"problem": RARE_DIGITS, "k": 21, "validation": "leave-one-out", "rules": rules}
    lab.set(**scans, curve=CLAIMS, repeats=3)
    read = lab.background.wait(lab.readout)
    found = []
    for seed in range(3):
        score, new = tuning_weights.search_results(seed)[:2]
        best = grid_search(score, simplex_grid(3, SMALL.integral_cells[1]))
        balanced = 1 / np.array([80, 8, 8])
        found.append([score(balanced), new(balanced), best.score, new(best.q)])
    names = [
        f"{what} on average, {way}"
        for way in ("balanced weights", "grid")
        for what in ("claimed", "delivered")
    ]
    assert [read[name] for name in names] == pytest.approx(np.mean(found, axis=0), abs=1e-6)


@given(generators, st.lists(st.floats(0.02, 1), min_size=3, max_size=3))
def test_points_that_flip_together_tie_at_the_border(rng, q):
    """What is on the other side of the line of its two classes is what is predicted."""
    votes = rng.multinomial(21, (0.5, 0.3, 0.2), 60)
    q = np.array(q)
    pairs, parts = tuning.leading(votes, q)
    of_pairs = np.take_along_axis(votes, pairs, axis=1)
    assert parts == pytest.approx(of_pairs[:, 1] / of_pairs.sum(axis=1))
    first, second = pairs.T
    tie = q[first] / (q[first] + q[second])
    clear = abs(parts - tie) > 1e-9
    predicted = np.where(parts > tie, second, first)
    assert np.array_equal(predicted[clear], (votes * q).argmax(axis=1)[clear])
