"""Real data: splits, scales, samples, scikit-learn's data, bags, and sources made from specs."""

import json

import numpy as np
import pandas as pd
import pytest
from refusals import refuses
from scipy.sparse import csc_array
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.decomposition import PCA

from knnviz import breast_cancer, bundled, from_bags, from_data
from knnviz.problems import from_spec
from knnviz.problems.data import BUNDLED
from knnviz.views import map as map_view

NUMBERS = np.arange(24.0).reshape(12, 2)
HALVES = [0, 1] * 6


def test_a_sample_of_real_data_grows_without_changing():
    dataset = breast_cancer()
    small = dataset.sample(50)
    large = dataset.sample(200)
    for grown, part in ((large.X, small.X), (large.v, small.v)):
        assert np.array_equal(grown[:50], part)
    assert small.u is None
    assert set(2 * small.y - 1) == {-1, 1}, "labels are integers that a reader can compute with"
    split = dataset.with_seed(9)
    assert np.array_equal(split.sample(50).X, split.X_train[:50])
    refuses("got 399", dataset.sample, 399)
    assert dataset.box is dataset.box, "a move of a lab reads it eight times, from all rows"


def test_principal_components_of_the_training_part():
    X = np.random.default_rng(1).normal(size=(60, 4)) @ np.diag([1, 5, 2, 1])
    y = [0, 1] * 30
    dataset = from_data(X, y, "pca", scale=None, seed=5)
    raw = from_data(X, y, (1, 2), scale=None, seed=5)
    order = (X[:, 1] == raw.X_train[:, :1]).argmax(axis=1)
    train = X[order]
    assert dataset.X_train == pytest.approx(PCA(2).fit(train).transform(train))
    again = from_data(X, y, "pca", scale=None).with_seed(5)
    assert np.array_equal(again.X_train, dataset.X_train)


def test_the_scale_is_fitted_on_the_training_part_and_named():
    X = np.random.default_rng(0).normal(5, 3, (200, 2))
    y = [0, 1] * 100
    raw = from_data(X, y, scale=None, test_size=0.9)
    dataset = from_data(X, y, test_size=0.9)
    expected = (raw.X_test - raw.X_train.mean(axis=0)) / raw.X_train.std(axis=0)
    assert dataset.X_test == pytest.approx(expected)
    assert map_view.axes(dataset).xlabel == "feature 0 (standardized)"


def test_the_largest_seed_of_a_split_is_that_of_scikit_learn():
    assert from_data(NUMBERS, HALVES, seed=2**32 - 1).spec()["parameters"]["seed"] == 2**32 - 1
    refuses("seed .*got 4294967296", from_data, NUMBERS, HALVES, seed=2**32)


def test_the_checksum_tells_tables_apart():
    one = from_data(NUMBERS, HALVES).spec()["checksum"]
    assert one == from_data(NUMBERS, HALVES, seed=5).spec()["checksum"]
    assert one != from_data(NUMBERS + 1, HALVES).spec()["checksum"]


def test_bundled_numbers_are_those_of_scikit_learn():
    digits = load_digits()
    rows = np.isin(digits.target, (3, 8))
    expected = {"digits 3 against 8": (digits.data[rows], digits.target[rows] == 8)}
    for name, load, columns in (("iris", load_iris, (2, 3)), ("wine", load_wine, (6, 9))):
        bunch = load()
        expected[name] = (bunch.data[:, columns], bunch.target)
    for name, (X, y) in expected.items():
        assert np.array_equal(bundled(name).table.X, X)
        assert np.array_equal(bundled(name).table.y, y)


def test_other_features_than_the_usual_ones():
    flowers = bundled("iris", (0, 1))
    assert flowers.feature_names == ("sepal length (cm)", "sepal width (cm)")
    digits = bundled("digits", ("pixel_2_3", 30), scale=None)
    assert digits.feature_names == ("pixel_2_3", "pixel_3_6")
    refuses("'irises'", bundled, "irises")


# Sources made again from their specs.


@pytest.mark.parametrize("name", BUNDLED)
def test_every_bundled_set_is_made_again(name):
    dataset = bundled(name, scale=None, test_size=0.4, seed=3)
    again = from_spec(json.loads(json.dumps(dataset.spec())))
    assert again.spec() == dataset.spec()
    assert again.class_names == dataset.class_names
    assert np.array_equal(again.X_train, dataset.X_train)
    assert np.array_equal(again.sample(50).y, dataset.sample(50).y)


def test_specs_that_describe_nothing_are_refused():
    refuses("'waxes'", from_spec, {"name": "waxes", "parameters": {}})
    refuses("'b'", from_spec, {"name": "jump", "parameters": {"b": 1}})
    refuses("'jump'", from_spec, "jump")
    refuses("'mine' is data of your own", from_spec, from_data(NUMBERS, HALVES, name="mine").spec())
    refuses("0123", from_spec, bundled("iris").spec() | {"checksum": "0123"})


# Bags.

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 60)
X = RNG.normal(size=(60, 2))
S = (RNG.random((60, 4)) < 0.2) | (np.arange(4) == Y[:, None])


def test_bags_in_every_form_are_the_same():
    wanted = from_bags(X, S, Y).spec()
    frame = pd.DataFrame(S.astype(int)).astype({0: bool, 1: "boolean"})
    for points, bags in ((pd.DataFrame(X), frame), (X.tolist(), csc_array(S.astype(int)))):
        assert from_bags(points, bags, pd.Series(Y)).spec() == wanted
    shifted = from_bags(X, S, Y + (Y == 2))
    assert shifted.y.max() == 3, "classes without bags that hold them are no shift"


def test_what_are_no_bags_is_refused():
    refuses("100% of the bags hold the class of y - 1, and", from_bags, X, S, Y + 1)
    refuses("from 0", from_bags, X, S | (RNG.random((60, 4)) < 0.7), Y + 1)
    refuses("'feature 0'", from_bags, X, np.where(S, "x", "y"), Y)
