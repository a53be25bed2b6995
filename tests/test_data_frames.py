"""Tables of all kinds: data frames and their types, labels of every kind, scales and principal components."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refuses
from sklearn.decomposition import PCA

from knnviz import from_data
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
        "size": pd.Categorical([1, 2, 3] * 4),
        "kind": HALVES,
        "weight": np.sqrt(np.arange(N)),
        "loud": pd.array([True, False] * 6, dtype="boolean"),
        "area": pd.array([0.5, 1.5] * 6, dtype="Float64"),
        "mood": ["3", "1", "2"] * 4,
        "age": pd.to_timedelta(np.arange(N), unit="D"),
        "mixed": pd.Series([1, "old", pd.Timestamp("2020-01-01")] * 4, dtype=object),
    }
)


def rows_of(dataset):
    """All rows of unscaled data, each with its class's name."""
    parts = ((dataset.X_train, dataset.y_train), (dataset.X_test, dataset.y_test))
    return sorted((*row, dataset.class_names[c]) for X, y in parts for row, c in zip(X.tolist(), y, strict=True))


@pytest.mark.parametrize("features", [("height", "tame"), ("legs", "loud"), ("area", "mood")])
def test_columns_of_numbers_and_truth_values(features):
    dataset = from_data(FRAME, "kind", features, scale=None)
    wanted = [FRAME[name].astype(float) for name in features]
    assert rows_of(dataset) == sorted(zip(*wanted, HALVES, strict=True))
    assert dataset.feature_names == features


def test_a_column_of_labels_is_no_feature():
    frame = FRAME[["kind", "height", "weight"]]
    by_name = from_data(frame, "kind", scale=None)
    assert by_name.feature_names == ("height", "weight")
    series = from_data(frame.drop(columns="kind"), FRAME["kind"], scale=None)
    assert np.array_equal(by_name.X_train, series.X_train)
    assert by_name.spec() == series.spec()
    renamed = from_data(frame, "kind", class_names=("Felis", "Canis"), feature_names=("h", "w"))
    assert (renamed.class_names, renamed.feature_names) == (("Felis", "Canis"), ("h", "w"))


def test_rows_count_by_position_whatever_the_index():
    frame = FRAME[["height", "weight"]].set_index(np.arange(N)[::-1])
    assert rows_of(from_data(frame, FRAME["kind"], scale=None)) == rows_of(from_data(FRAME, "kind", (0, 6), scale=None))


DATES = np.array(["2020-01-01"] * 24, "M8[D]").reshape(12, 2)
NULLABLE = pd.array([1, pd.NA, 3, pd.NA], dtype="Int64")
HOLES = pd.DataFrame({"a": NULLABLE, "b": [1.0, 2, 3, 4], "c": [1, None, pd.NA, 4]})
SEATS = np.array([9, 7, 5, 3])
TWINS = pd.DataFrame(np.zeros((4, 3)), columns=["a", "a", "b"])
WIDE = pd.DataFrame(np.zeros((4, 14)), columns=[f"c{i}" for i in range(14)])
PAIRS = [0, 1, 0, 1]
KIND = FRAME[["height", "weight", "kind"]]
FEW = "principal components need at least two columns of numbers, got 1"
FLAT = "principal components need a column that varies, and none does in the training part"
FIRST = "c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 and 2 more"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((FRAME, "kind", ("height", "color")), "color must hold numbers, got 'red' in row 0"),
        ((FRAME, "kind", ("born", "height")), f"born must hold numbers, got values of type {FRAME['born'].dtype}"),
        ((FRAME, "kind", ("age", "height")), f"age must hold numbers, got values of type {FRAME['age'].dtype}"),
        ((FRAME, "kind", ("size", "height")), "size must hold numbers, got values of type category"),
        ((FRAME, "kind", ("height", "mixed")), "mixed must hold numbers, got 'old' in row 1"),
        ((FRAME, "kind", "pca"), "mixed must hold numbers, got 'old' in row 1"),
        ((FRAME[["height", "kind", "color"]], "kind", "pca"), FEW),
        ((FRAME[["height", "weight"]], "kind"), "there is no column 'kind'; the table has height, weight"),
        ((KIND, "kind", ("kind", "height")), "there is no feature 'kind'; the table has height, weight"),
        ((np.zeros((4, 2)), "kind"), "y may be a column's name only if X is a data frame, got 'kind'"),
        ((WIDE, PAIRS, ("c0", "x")), f"there is no feature 'x'; the table has {FIRST}"),
        ((TWINS, PAIRS, ("a", "b")), "2 columns are named 'a'; choose one by its position"),
        ((TWINS, "a"), "2 columns are named 'a'; choose one by its position"),
        ((HOLES, PAIRS, ("a", "b")), "X has missing or infinite values in rows 1, 3"),
        ((HOLES, PAIRS, ("b", "c")), "X has missing or infinite values in rows 1, 2"),
        ((HOLES.set_index(SEATS), PAIRS, ("a", "b")), "X has missing or infinite values in rows 7, 3"),
        ((HOLES.set_index(SEATS), "a", ("b", "b")), "y has missing labels in rows 7, 3"),
        ((FRAME[2:], "kind", ("height", "color")), "color must hold numbers, got 'red' in row 2"),
        ((HOLES, "a", ("b", "b")), "y has missing labels in rows 1, 3"),
        ((HOLES, pd.Categorical(["u", None, "v", "v"]), ("b", "b")), "y has missing labels in row 1"),
        ((HOLES, pd.Series(["u", pd.NA, "v", "v"], dtype="string"), ("b", "b")), "y has missing labels in row 1"),
        ((HOLES, pd.Series([pd.NaT, *FRAME["born"][:3]]), ("b", "b")), "y has missing labels in row 0"),
        ((HOLES[:3], [0, 1, 0], ("b", "b")), "a training and a test part need at least 4 rows, got 3"),
        ((DATES, HALVES), "feature 0 must hold numbers, got values of type datetime64[D]"),
        ((np.ones((12, 2)) * 1j, HALVES), "feature 0 must hold numbers, got values of type complex128"),
        ((np.zeros((12, 1)), HALVES, "pca"), FEW),
        ((np.ones((12, 2)), HALVES, "pca"), FLAT),
        ((np.zeros((12, 2)), HALVES, np.arange(2)), "features must name two columns, got array([0, 1])"),
    ],
)  # fmt: skip
def test_what_is_no_number_is_refused_only_if_chosen(arguments, message):
    refuses(f"^{re.escape(message)}$", from_data, *arguments)


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ([1.0, 2.0], ("1", "2")),
        ([0.5, 2.0], ("0.5", "2")),
        ([10, 9], ("9", "10")),
        ([True, False], ("False", "True")),
        (["<b>x</b>", "a & b"], ("<b>x</b>", "a & b")),
        ([1, "a"], ("1", "a")),
        ([1.0, "1", 2], ("1", "2")),
        ([True, "yes"], ("True", "yes")),
        ([float("inf"), 1.0], ("1", "inf")),
    ],
)
def test_labels_of_every_kind_are_shown_as_text(labels, names):
    dataset = from_data(np.zeros((12, 2)), np.array(labels * (12 // len(labels)), dtype=object))
    assert dataset.class_names == names
    assert all(type(name) is str for name in dataset.class_names)


@pytest.mark.parametrize("kind", ["category", "Int64", "Float64", "string", "int8"])
def test_labels_of_the_types_of_pandas(kind):
    y = pd.Series([2, 1, 2, 1] * 3).astype(kind)
    dataset = from_data(np.arange(24.0).reshape(12, 2), y, scale=None)
    assert dataset.class_names == ("1", "2")
    assert rows_of(dataset)[0] == (0.0, 1.0, "2")


@given(st.lists(st.text(min_size=1), min_size=2, max_size=5, unique=True))
def test_any_text_survives_as_a_label(texts):
    dataset = from_data(np.zeros((20 * len(texts), 2)), pd.Series(texts * 20, dtype=object))
    assert dataset.class_names == tuple(sorted(texts))


def test_minmax_brings_the_training_part_to_the_unit_square():
    X = np.random.default_rng(0).normal(5, 3, (200, 2))
    dataset = from_data(X, [0, 1] * 100, scale="minmax", test_size=0.9)
    assert dataset.X_train.min(axis=0) == pytest.approx([0, 0], abs=1e-12)
    assert dataset.X_train.max(axis=0) == pytest.approx([1, 1])
    assert dataset.X_test.max() > 1
    raw = from_data(X, [0, 1] * 100, scale=None, test_size=0.9)
    low, high = raw.X_train.min(axis=0), raw.X_train.max(axis=0)
    assert dataset.X_test == pytest.approx((raw.X_test - low) / (high - low))


def test_principal_components_of_the_training_part():
    X = np.random.default_rng(1).normal(size=(60, 4)) @ np.diag([1, 5, 2, 1])
    dataset, raw = from_data(X, [0, 1] * 30, "pca", scale=None), from_data(X, [0, 1] * 30, (1, 2), scale=None)
    assert np.array_equal(dataset.table.X, X)
    order = [np.flatnonzero(X[:, 1] == value)[0] for value in raw.X_train[:, 0]]
    assert dataset.X_train == pytest.approx(PCA(2).fit(X[order]).transform(X[order]))
    assert dataset.feature_names == ("component 1", "component 2")
    assert dataset.spec()["parameters"]["features"] == "pca"
    again = dataset.with_seed(5)
    assert np.array_equal(again.X_train, from_data(X, [0, 1] * 30, "pca", scale=None, seed=5).X_train)


def test_components_of_a_frame_come_from_its_columns_of_numbers():
    dataset = from_data(FRAME.drop(columns="mixed"), "kind", "pca")
    assert dataset.table.feature_names == ("height", "tame", "legs", "weight", "loud", "area", "mood")
    assert dataset.table.X.shape == (N, 7)


@pytest.mark.parametrize(
    ("features", "scale", "label"),
    [
        ((0, 1), "standard", "feature 0 (standardized)"),
        ((0, 1), "minmax", "feature 0 (scaled to 0..1)"),
        ((0, 1), None, "feature 0"),
        ("pca", "standard", "component 1"),
        ("pca", "minmax", "component 1"),
    ],
)
def test_axes_say_how_features_were_scaled(features, scale, label):
    dataset = from_data(np.random.default_rng(0).random((20, 3)), [0, 1] * 10, features, scale)
    assert map_view.axes(dataset).xlabel == label
