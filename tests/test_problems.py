"""Problems and real data: draws in the agreed order, closed forms, refusals."""

import itertools
import json

import numpy as np
import pytest
from reference_implementations import reference
from refusals import refuses
from sklearn.datasets import load_breast_cancer

from knnviz import Problem, breast_cancer, checkerboard, from_data, wave2d


@pytest.mark.parametrize("problem", [checkerboard(), wave2d()])
def test_draw_order(problem):
    rng = np.random.default_rng(7)
    X, u, v = rng.random((50, 2)), rng.random(50), rng.random(50)
    sample = problem.sample(50, 7)
    assert np.array_equal(sample.X, X)
    assert np.array_equal(sample.y, u < problem.eta(X)[:, 1])
    assert np.array_equal(sample.v, v)
    assert len(sample) == 50


def test_a_generator_may_stand_for_the_seed():
    assert np.array_equal(checkerboard().sample(5, 3).X, checkerboard().sample(5, np.random.default_rng(3)).X)


def test_three_classes_come_in_cumulative_order():
    problem = Problem("thirds", lambda X: np.tile([0.2, 0.3, 0.5], (len(X), 1)), ((0.0, 1.0),), 3)
    sample = problem.sample(1000, 0)
    assert np.array_equal(sample.y, np.digitize(sample.u, [0.2, 0.5]))
    assert problem.bayes(sample.X[:3]).tolist() == [2, 2, 2]
    assert problem.bayes_risk(10) == pytest.approx(0.5)


def test_bayes_risk_converges_to_the_closed_form():
    expected = reference("gao")["bayes_population"]
    errors = [abs(checkerboard().bayes_risk(resolution) - expected) for resolution in (50, 100, 200, 400)]
    assert errors[-1] < 5e-6
    assert all(fine < coarse / 3 for coarse, fine in itertools.pairwise(errors))
    assert wave2d(high=0.9).bayes_risk(100) == pytest.approx(0.1)


def test_wave_lies_where_its_formula_says():
    problem = wave2d(amplitude=0.2, waves=1)
    X = np.array([[0.25, 0.69], [0.25, 0.71], [0.75, 0.29], [0.75, 0.31]])
    assert problem.bayes(X).tolist() == [0, 1, 0, 1]
    assert problem.eta(X)[:, 1].tolist() == pytest.approx([0.02, 0.98, 0.02, 0.98])


def test_grid_and_measure():
    problem = Problem("corner", lambda X: np.tile([0.5, 0.5], (len(X), 1)), ((0.0, 2.0), (1.0, 2.0)))
    grid, measure = problem.grid(4), problem.measure(4)
    assert grid.shape == (4, 4)
    assert grid.points[:5].tolist() == [[0.25, 1.125], [0.75, 1.125], [1.25, 1.125], [1.75, 1.125], [0.25, 1.375]]
    assert np.array_equal(grid.points, measure.points)
    assert measure.weights.sum() == pytest.approx(1)
    line = Problem("line", lambda X: np.tile([0.5, 0.5], (len(X), 1)), ((0.0, 1.0),))
    assert line.grid(4).points.ravel().tolist() == [0.125, 0.375, 0.625, 0.875]


def test_specs_are_json():
    for source in (checkerboard(), wave2d(0.1), breast_cancer()):
        assert json.loads(json.dumps(source.spec())) == source.spec()
    assert wave2d(0.1).spec() == {"name": "wave2d", "parameters": {"amplitude": 0.1, "waves": 2.0, "high": 0.98}}


def test_breast_cancer_by_two_named_columns():
    data = load_breast_cancer()
    dataset = breast_cancer(("worst area", "mean texture"), seed=3)
    assert (dataset.max_size, len(dataset.y_test)) == (398, 171)
    assert dataset.class_names == ("malignant", "benign")
    assert dataset.feature_names == ("worst area", "mean texture")
    assert dataset.X_train.mean(axis=0) == pytest.approx([0, 0], abs=1e-12)
    assert dataset.X_train.std(axis=0) == pytest.approx([1, 1])
    assert abs(dataset.X_test.mean()) > 1e-3
    columns = [list(data.feature_names).index(name) for name in dataset.feature_names]
    unscaled = breast_cancer(("worst area", "mean texture"), scale=None, seed=3)
    rows = {tuple(row) for row in data.data[:, columns]}
    assert {tuple(row) for row in unscaled.X_train} | {tuple(row) for row in unscaled.X_test} == rows


def test_sample_of_real_data_grows_without_changing():
    dataset = breast_cancer()
    small, large = dataset.sample(50), dataset.sample(200)
    assert np.array_equal(small.X, large.X[:50])
    assert np.array_equal(small.v, large.v[:50])
    assert small.u is None
    again = dataset.sample(50, seed=9)
    assert np.array_equal(again.X, dataset.with_seed(9).X_train[:50])
    assert not np.array_equal(again.X, small.X)
    refuses("n must be between 1 and 398, got 399", dataset.sample, 399)


def test_box_of_real_data_is_square_and_holds_every_point():
    dataset = breast_cancer()
    (x0, x1), (y0, y1) = dataset.box
    assert x1 - x0 == pytest.approx(y1 - y0)
    for part in (dataset.X_train, dataset.X_test):
        assert (part > [x0, y0]).all()
        assert (part < [x1, y1]).all()


NUMBERS = np.arange(24.0).reshape(12, 2)
HALVES = [0, 1] * 6
RARE = [1] + [0] * 11


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((NUMBERS, HALVES, (0, 1), "log"), "scale must be 'standard', 'minmax' or None, got 'log'"),
        ((NUMBERS, HALVES, (0, 1), None, 1.5), "test_size must be between 0.01 and 0.99, got 1.5"),
        ((NUMBERS, RARE, (0, 1), None, 0.8, 1), "the training part of 2 rows holds a single class"),
        ((NUMBERS, HALVES, (0, 1), None, 0.3, 2**40), "seed must be between 0 and 4294967295, got 1099511627776"),
        ((NUMBERS[:4], HALVES[:4], (0, 1), None, 0.99), r"a test_size of 0\.99 leaves 0 of 4 rows to train on"),
        (([[1, 2], [3]], [0, 1]), "X must be a table with rows of equal length"),
        ((NUMBERS * 1e160, HALVES), r"X has values beyond 1e\+150 in rows .*, too large to measure distances"),
        ((NUMBERS[:, 0], HALVES), r"X must be a table of shape \(n, columns\), got shape \(12,\)"),
    ],
)
def test_bad_data_is_refused_in_one_sentence(arguments, message):
    refuses(f"^{message}$", from_data, *arguments)


def test_feature_names_must_fit():
    for names in (["a"], ["a", "b", "c"]):
        refuses(f"feature_names must name 2 columns, got {len(names)}", from_data, NUMBERS, HALVES, feature_names=names)


def test_the_checksum_tells_tables_apart():
    one, other = from_data(NUMBERS, HALVES), from_data(NUMBERS + 1, HALVES)
    assert one.spec()["checksum"] == from_data(NUMBERS, HALVES, seed=5).spec()["checksum"]
    assert one.spec()["checksum"] != other.spec()["checksum"]


def test_labels_are_integers_that_a_reader_can_compute_with():
    for source in (checkerboard(), breast_cancer()):
        assert set(2 * source.sample(50, 0).y - 1) == {-1, 1}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Problem("cube", len, ((0.0, 1.0),) * 3), "dimension 1 or 2, got a box of dimension 3"),
        (lambda: Problem("point", len, ((1.0, 1.0),)), "low < high, got 1 and 1"),
        (lambda: wave2d(0.7), r"amplitude must be between 0 and 0\.5, got 0\.7"),
        (lambda: checkerboard().sample(0, 0), "n must be at least 1, got 0"),
    ],
)
def test_bad_problems_are_refused(make, message):
    refuses(message, make)
