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
    rows = []
    parts = ((dataset.X_train, dataset.y_train), (dataset.X_test, dataset.y_test))
    for X, y in parts:
        for row, c in zip(X.tolist(), y, strict=True):
            rows.append((*row, dataset.class_names[c]))
    return sorted(rows)


@pytest.mark.parametrize("features", [("height", "tame"), ("legs", "loud"), ("area", "height")])
def test_columns_of_numbers_and_truth_values(features):
    columns = [FRAME[name].astype(float) for name in features]
    wanted = sorted(zip(*columns, HALVES, strict=True))

    arrays = {name: FRAME[name].to_numpy() for name in (*features, "kind", "color")}
    renumbered = FRAME.set_index(np.arange(N)[::-1])
    for frame in (FRAME, renumbered, Frame(**arrays)):
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


def test_ids_are_no_features_unless_they_are_named():
    ids = np.random.default_rng(0).integers(10**5, 10**7, N)
    rows = np.arange(N)
    features = {"height": rows % 7, "area": rows / 3, "kind": HALVES}
    for name in ("Id", "patient_id", "patientID", "Unnamed: 0", "serial"):
        frame = pd.DataFrame({name: ids, **features})
        assert from_data(frame, "kind").feature_names == ("height", "area")
        assert from_data(frame, "kind", "pca").table.feature_names == ("height", "area")
        assert from_data(frame, "kind", (name, "area")).feature_names == (name, "area")

    with_one = from_data(frame.drop(columns="area"), "kind")
    assert with_one.feature_names == ("serial", "height"), "two are needed"
    columns = np.column_stack([ids, rows / 3, NUMBERS[:, 0] % 3])
    assert from_data(columns, BITS).feature_names[0] == "feature 1"
    with_fractions = frame.assign(valid=ids / 2)
    assert from_data(with_fractions, "kind").feature_names == ("height", "area")


def test_a_column_of_labels_is_no_feature():
    frame = FRAME[["kind", "height", "area"]]
    apart = from_data(frame.drop(columns="kind"), FRAME["kind"])
    assert from_data(frame, "kind").spec() == apart.spec()

    renamed = from_data(frame, "kind", class_names=("A", "B"))
    assert renamed.class_names == ("A", "B")
    refuses("got 3", from_data, NUMBERS, BITS, class_names="abc")


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ([True, False], ("False", "True")),
        (["<b>x</b>", "a & b"], ("<b>x</b>", "a & b")),
        ([b"tea", b"milk"], ("milk", "tea")),
        ([1.0, "1", 2], ("1", "2")),
    ],
)
def test_labels_of_every_kind_are_shown_as_text(labels, names):
    y = np.array(labels * (N // len(labels)), dtype=object)
    assert from_data(NUMBERS, y).class_names == names
    assert from_data(NUMBERS, pd.Series(y)).class_names == names


@pytest.mark.parametrize("kind", ["category", "Int64", "Float64", "string", "int8"])
def test_labels_of_the_types_of_pandas(kind):
    labels = pd.Series([2, 1, 2, 1] * 3).astype(kind)
    dataset = from_data(NUMBERS, labels, scale=None)
    assert rows_of(dataset)[0] == (0.0, 1.0, "2")


@settings(max_examples=20)
@given(st.lists(st.text(min_size=1), min_size=2, max_size=5, unique=True))
def test_any_text_survives_as_a_label(texts):
    labels = pd.Series(texts * 20, dtype=object)
    dataset = from_data(np.zeros((len(labels), 2)), labels)
    assert dataset.class_names == tuple(sorted(texts))


def test_what_is_refused_is_named():
    refuses("'color', 'born'", from_data, FRAME, "kind", ("color", "born"))
    refuses(
        "'seats', 'mixed': .*SimpleImputer.* rows 1, 3",
        from_data,
        FRAME.drop(columns=["color", "born"]),
        "kind",
        "pca",
    )
    refuses("get_dummies.* 'red' in row 0", from_data, FRAME, "kind", ("height", "color"))
    refuses(
        r"decimal=','\).* '1,5' in row 0",
        from_data,
        FRAME.assign(wide="1,5"),
        "kind",
        ("height", "wide"),
    )
    refuses(
        r"na_values='\?'\).* row 11",
        from_data,
        FRAME.assign(wide=["4"] * 11 + ["?"]),
        "kind",
        ("height", "wide"),
    )
    refuses("sep=';'", from_data, pd.DataFrame({"height;kind": ["1,5;cat"] * N}), "kind")
    refuses("decimals", from_data, FRAME.assign(width=np.arange(N) / 2), "width", ("color", "born"))
    refuses(r"\[0, 1, 2.* \.\.\.", from_data, NUMBERS, BITS, list(range(10_000)))
    refuses("SimpleNamespace", from_data, SimpleNamespace(columns=["a", "b"]), BITS)
    refuses(r"1e\+150", from_data, NUMBERS * 1e160, BITS)
    refuses("'sort'", from_data, NUMBERS, "sort")
    refuses("decimals", from_data, NUMBERS, np.arange(N) / 2)
    refuses("masked values", from_data, NUMBERS, np.ma.masked_array(BITS, np.arange(N) == 3))
    refuses(r"\(0, 1, 1\)", from_data, NUMBERS, BITS, (0, 1, 1))
    refuses("2 rows holds a single class", from_data, NUMBERS, [1] + [0] * 11, (0, 1), None, 0.8, 1)
