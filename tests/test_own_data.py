"""A reader's own data: arrays, data frames and their types, labels of every kind, and bags."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refuses
from scipy.sparse import csc_array
from sklearn.decomposition import PCA

from knnviz import from_bags, from_data
from knnviz.estimators import PartialLabelKNeighborsClassifier
from knnviz.views import map as map_view

N = 12
HALVES = ["cat", "dog"] * 6
FRAME = pd.DataFrame(
    {
        "height": np.arange(N) ** 2,
        "color": ["red", "blue"] * 6,
        "tame": [True, False, False] * 4,
        "legs": pd.array([4, 2, 3, 4] * 3, dtype="Int64"),
        "born": pd.date_range("2020-01-01", periods=N),
        "loud": pd.array([True, False] * 6, dtype="boolean"),
        "area": pd.array([0.5, 1.5] * 6, dtype="Float64"),
        "seats": pd.array([1, None] * 6, dtype="Int64"),
        "kind": HALVES,
        "size": [1.0, np.nan, *range(10)],
        "mixed": pd.Series([1, 2.5, None] * 4, dtype=object),
    }
)
NUMBERS, BITS = np.arange(2.0 * N).reshape(N, 2), [0, 1] * 6


class Frame:
    """A data frame of a library that is not pandas: columns by name, and an array of all."""

    def __init__(self, **columns):
        self.held = {name: np.asarray(each) for name, each in columns.items()}
        self.columns, self.shape = list(columns), (len(next(iter(self.held.values()))), len(columns))

    def __getitem__(self, name):
        return self.held[name]

    def __array__(self, dtype=None, copy=None):
        return np.stack(list(self.held.values()), axis=1)


def rows_of(dataset):
    """All rows of unscaled data, each with its class's name."""
    parts = ((dataset.X_train, dataset.y_train), (dataset.X_test, dataset.y_test))
    return sorted((*row, dataset.class_names[c]) for X, y in parts for row, c in zip(X.tolist(), y, strict=True))


@pytest.mark.parametrize("features", [("height", "tame"), ("legs", "loud"), ("area", "height")])
def test_columns_of_numbers_and_truth_values(features):
    wanted = sorted(zip(*(FRAME[name].astype(float) for name in features), HALVES, strict=True))
    other = Frame(**{name: FRAME[name].to_numpy() for name in (*features, "kind", "color")})
    for frame in (FRAME, FRAME.set_index(np.arange(N)[::-1]), other):
        dataset = from_data(frame, "kind", features, scale=None)
        assert rows_of(dataset) == wanted
        assert dataset.feature_names == features


def test_a_column_of_labels_is_no_feature():
    frame = FRAME[["kind", "height", "area"]]
    assert from_data(frame, "kind").spec() == from_data(frame.drop(columns="kind"), FRAME["kind"]).spec()
    renamed = from_data(frame, "kind", class_names=("A", "B"), feature_names=("h", "a"))
    assert (renamed.class_names, renamed.feature_names) == (("A", "B"), ("h", "a"))


TEXT = "columns must hold numbers, got text or other values in"
MISSING = "columns must have no missing or infinite values, got some in"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((FRAME, "kind", ("color", "born")), f"{TEXT} 'color', 'born'"),
        ((FRAME.drop(columns=["color", "born"]), "kind", "pca"), f"{MISSING} 'seats', 'size', 'mixed'"),
        ((np.ma.masked_equal(NUMBERS, 4), BITS), f"{MISSING} 'feature 0'"),
        ((NUMBERS.astype(str), BITS), f"{TEXT} 'feature 0', 'feature 1'"),
        ((NUMBERS, "sort"), "there is no column 'sort'; the table has 'feature 0', 'feature 1'"),
        ((NUMBERS, BITS, (0, 2)), "a column's position must be between 0 and 1, got 2"),
        ((NUMBERS, BITS, (0, "feature 0")), "columns must have different names, got 'feature 0' twice"),
        ((pd.DataFrame(NUMBERS, columns=["a", "a"]), BITS), "columns must have different names, got 'a' twice"),
        ((NUMBERS, FRAME["seats"]), "y has missing labels in rows 1, 3, 5, 7, 9 and 1 more"),
        ((NUMBERS, [None, *HALVES[1:]]), "y has missing labels in row 0"),
        ((NUMBERS, BITS[:5]), "y must hold one label for each of 12 rows, got shape (5,)"),
        ((NUMBERS, [3] * N), "y must hold 2 to 255 classes, got 1"),
        ((NUMBERS[:, :1], BITS, "pca"), "principal components need at least two columns that vary"),
    ],
)
def test_what_is_refused_is_named(arguments, message):
    refuses(f"^{re.escape(message)}", from_data, *arguments)


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ([1.0, 2.0], ("1", "2")),
        ([True, False], ("False", "True")),
        (["<b>x</b>", "a & b"], ("<b>x</b>", "a & b")),
        ([b"tea", b"milk"], ("milk", "tea")),
        ([1.0, "1", 2], ("1", "2")),
    ],
)
def test_labels_of_every_kind_are_shown_as_text(labels, names):
    y = np.array(labels * (N // len(labels)), dtype=object)
    assert from_data(NUMBERS, y).class_names == from_data(NUMBERS, pd.Series(y)).class_names == names


def test_labels_of_the_types_of_arrays_and_of_pandas():
    for kind in ("category", "Int64", "Float64", "string", "int8"):
        dataset = from_data(NUMBERS, pd.Series([2, 1, 2, 1] * 3).astype(kind), scale=None)
        assert rows_of(dataset)[0] == (0.0, 1.0, "2")
    assert from_data(NUMBERS, np.array([b"tea", b"milk"] * 6)).class_names == ("milk", "tea")


@given(st.lists(st.text(min_size=1), min_size=2, max_size=5, unique=True))
def test_any_text_survives_as_a_label(texts):
    dataset = from_data(np.zeros((20 * len(texts), 2)), pd.Series(texts * 20, dtype=object))
    assert dataset.class_names == tuple(sorted(texts))


def test_principal_components_of_the_training_part():
    X = np.random.default_rng(1).normal(size=(60, 4)) @ np.diag([1, 5, 2, 1])
    dataset, raw = from_data(X, [0, 1] * 30, "pca", scale=None), from_data(X, [0, 1] * 30, (1, 2), scale=None)
    order = [np.flatnonzero(X[:, 1] == value)[0] for value in raw.X_train[:, 0]]
    assert dataset.X_train == pytest.approx(PCA(2).fit(X[order]).transform(X[order]))
    assert dataset.spec()["parameters"]["features"] == "pca"
    assert np.array_equal(dataset.with_seed(5).X_train, from_data(X, [0, 1] * 30, "pca", scale=None, seed=5).X_train)


def test_scales_are_fitted_on_the_training_part_and_named():
    X, y = np.random.default_rng(0).normal(5, 3, (200, 2)), [0, 1] * 100
    raw = from_data(X, y, scale=None, test_size=0.9)
    low, high, mean, sd = (f(raw.X_train, axis=0) for f in (np.min, np.max, np.mean, np.std))
    for scale, wanted, label in (
        ("standard", (raw.X_test - mean) / sd, " (standardized)"),
        ("minmax", (raw.X_test - low) / (high - low), " (scaled to 0..1)"),
    ):
        dataset = from_data(X, y, scale=scale, test_size=0.9)
        assert dataset.X_test == pytest.approx(wanted)
        assert map_view.axes(dataset).xlabel == f"feature 0{label}"


# Bags

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 60)
X, S = RNG.normal(size=(60, 2)), (RNG.random((60, 4)) < 0.2) | (np.arange(4) == Y[:, None])


def test_bags_in_every_form_are_the_same():
    table = from_bags(X, S, Y)
    assert (table.n_classes, table.S.dtype, table.name) == (4, bool, "bags")
    assert table.spec() == {"name": "bags", "parameters": {"n": 60, "C": 4}, "checksum": table.checksum}
    frame = pd.DataFrame(S.astype(int)).astype({0: bool, 1: "boolean"})
    for points, bags in ((X, S.astype(float)), (pd.DataFrame(X), frame), (X.tolist(), csc_array(S.astype(int)))):
        assert from_bags(points, bags, pd.Series(Y)).checksum == table.checksum
    assert from_bags(X, ~S, Y).checksum != table.checksum
    assert from_bags(X, S, Y + (Y == 2)).y.max() == 3, "classes without bags that hold them are no shift"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X, S, Y + 1), "y must count classes from 0, but most bags hold the class of y - 1 and lack that of y"),
        ((X, S[:9], Y), r"S must have a row for each of 60 points, got shape \(9, 4\)"),
        ((X, 2 * S.astype(int), Y), "S must hold truth values, or 0 and 1"),
        ((X, S.astype(str), Y), f"{TEXT} 'feature 0', 'feature 1', .*"),
        ((X, S[:, :1], 0 * Y), "the number of classes, the columns of S, must be between 2 and 255, got 1"),
        ((pd.DataFrame({"a": ["u", "v"] * 30}), S, Y), f"{TEXT} 'a'"),
        ((X[:4], S[:4], Y[:4]), "there must be at least 5 rows, since a fifth is held out, got 4"),
    ],
)
def test_what_are_no_bags_is_refused(arguments, message):
    refuses(f"^{message}$", from_bags, *arguments)


def test_an_estimator_takes_bags_in_a_frame_of_any_library():
    bags = Frame(**dict(zip("uvwx", S.astype(int).T, strict=True)))
    for classes in (None, ["x", "w", "v", "u"], ["x", "w", "v", "u", "t"]):
        estimator = PartialLabelKNeighborsClassifier(max_neighbors=20, classes=classes)
        frames = bags, pd.DataFrame(S, columns=list("uvwx"))
        found, wanted = (estimator.fit(X, each).predict(X).tolist() for each in frames)
        assert found == wanted
        assert estimator.classes_.tolist() == (classes or list("uvwx"))
