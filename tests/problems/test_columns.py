"""A reader's table: arrays, data frames and their types, and labels of every kind."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refuses

from knnviz import from_data

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
        "mixed": pd.Series([1, 2.5, None] * 4, dtype=object),
    }
)
NUMBERS = np.arange(2.0 * N).reshape(N, 2)
BITS = [0, 1] * 6


class Frame(dict):
    """A data frame of a library that is not pandas: columns by name."""

    columns = property(dict.keys)


def rows_of(dataset):
    """All rows of unscaled data, each with its class's name."""
    X = np.concatenate([dataset.X_train, dataset.X_test]).tolist()
    y = np.concatenate([dataset.y_train, dataset.y_test])
    return sorted((*row, dataset.class_names[c]) for row, c in zip(X, y, strict=True))


@pytest.mark.parametrize("features", [("height", "tame"), ("legs", "loud"), ("area", "height")])
def test_columns_of_numbers_and_truth_values(features):
    columns = [FRAME[name].astype(float) for name in features]
    wanted = sorted(zip(*columns, HALVES, strict=True))
    arrays = Frame((name, FRAME[name].to_numpy()) for name in (*features, "kind", "color"))
    for frame in (FRAME, FRAME.set_index(np.arange(N)[::-1]), arrays):
        dataset = from_data(frame, "kind", features, scale=None)
        assert rows_of(dataset) == wanted
        assert dataset.feature_names == features


def test_a_label_column_by_position_and_columns_that_are_numbered():
    """As ``read_csv(..., header=None)`` gives them: positions count the label and the id."""
    rows = np.arange(N)
    table = pd.DataFrame({0: rows + 100, 1: HALVES, 2: rows / 7, 3: rows % 5})
    wanted = from_data(table[[2, 3]], table[1]).spec()
    assert from_data(table, 1).spec() == wanted
    assert from_data(table, 1, (2, 3)).spec() == wanted
    assert from_data(table, 1, "pca").table.feature_names == ("2", "3")
    assert from_data(table, 1, ("2", "0")).feature_names == ("2", "0")
    refuses("labels, got column '1'", from_data, table, 1, (1, 2))


@pytest.mark.parametrize("name", ["Id", "patient_id", "patientID", "Unnamed: 0", "serial"])
def test_ids_are_no_features_unless_they_are_named(name):
    ids = np.random.default_rng(0).integers(10**5, 10**7, N)
    rows = np.arange(N)
    frame = pd.DataFrame({name: ids, "height": rows % 7, "area": rows / 3, "kind": HALVES})
    for table in (frame, frame.assign(valid=ids / 2)):
        assert from_data(table, "kind").feature_names == ("height", "area")
    assert from_data(frame, "kind", "pca").table.feature_names == ("height", "area")
    assert from_data(frame, "kind", (name, "area")).feature_names == (name, "area")
    with_one = from_data(frame.drop(columns="area"), "kind")
    assert with_one.feature_names == (name, "height"), "two are needed"
    unnamed = frame.drop(columns="kind").to_numpy()
    assert from_data(unnamed, BITS).feature_names[0] == "feature 1"


def test_a_column_of_labels_is_no_feature():
    frame = FRAME[["kind", "height", "area"]]
    apart = from_data(frame.drop(columns="kind"), FRAME["kind"])
    assert from_data(frame, "kind").spec() == apart.spec()
    assert from_data(frame, "kind", class_names=("A", "B")).class_names == ("A", "B")
    refuses("got 3", from_data, NUMBERS, BITS, class_names="abc")


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ([True, False], ("False", "True")),
        (["<b>x</b>", "a & b"], ("<b>x</b>", "a & b")),
        ([b"tea", b"milk"], ("milk", "tea")),
        ([1.0, "1", 2], ("1", "2")),
        (pd.Series([2, 1], dtype="category"), ("1", "2")),
        (pd.Series([2, 1], dtype="Int64"), ("1", "2")),
        (pd.Series([2, 1], dtype="Float64"), ("1", "2")),
        (pd.Series(["2", "1"], dtype="string"), ("1", "2")),
    ],
)
def test_labels_of_every_kind_are_shown_as_text(labels, names):
    y = pd.concat([pd.Series(labels)] * (N // len(labels)))
    for labeled in (y, y.to_numpy(object)):
        assert from_data(NUMBERS, labeled).class_names == names


@settings(max_examples=20)
@given(st.lists(st.text(min_size=1), min_size=2, max_size=5, unique=True))
def test_any_text_survives_as_a_label(texts):
    labels = np.array(texts * 4, dtype=object)
    assert from_data(np.zeros((len(labels), 2)), labels).class_names == tuple(sorted(texts))


def test_what_is_refused_is_named():
    numeric = FRAME.drop(columns=["color", "born"])
    for sentence, frame, y, *features in (
        ("'color', 'born'", FRAME, "kind", ("color", "born")),
        ("'seats', 'mixed': .*SimpleImputer.* rows 1, 3", numeric, "kind", "pca"),
        ("get_dummies.* 'red' in row 0", FRAME, "kind", ("height", "color")),
        (r"decimal=','\).* '1,5' in row 0", FRAME.assign(area="1,5"), "kind", ("height", "area")),
        (
            r"na_values='\?'\).* row 11",
            FRAME.assign(area=["4"] * 11 + ["?"]),
            "kind",
            ("height", "area"),
        ),
        ("sep=';'", pd.DataFrame({"height;kind": ["1,5;cat"] * N}), "kind"),
        ("decimals", FRAME.assign(area=np.arange(N) / 2), "area", ("height", "tame")),
        (r"\[0, 1, 2.* \.\.\.", NUMBERS, BITS, list(range(10_000))),
        ("SimpleNamespace", SimpleNamespace(columns=["a", "b"]), BITS),
        (r"1e\+150", NUMBERS * 1e160, BITS),
        ("'sort'", NUMBERS, "sort"),
        ("masked values", NUMBERS, np.ma.masked_array(BITS, np.arange(N) == 3)),
        (r"\(0, 1, 1\)", NUMBERS, BITS, (0, 1, 1)),
        ("2 rows holds a single class", NUMBERS, [1] + [0] * 11, (0, 1), None, 0.8, 1),
    ):
        refuses(sentence, from_data, frame, y, *features)
