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
NUMBERS, BITS = np.arange(2.0 * N).reshape(N, 2), [0, 1] * 6


class Frame(dict):
    """A data frame of a library that is not pandas: columns by name."""

    columns = property(dict.keys)


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
    assert from_data(NUMBERS, y).class_names == from_data(NUMBERS, pd.Series(y)).class_names == names


@pytest.mark.parametrize("kind", ["category", "Int64", "Float64", "string", "int8"])
def test_labels_of_the_types_of_pandas(kind):
    dataset = from_data(NUMBERS, pd.Series([2, 1, 2, 1] * 3).astype(kind), scale=None)
    assert rows_of(dataset)[0] == (0.0, 1.0, "2")


@settings(max_examples=20)
@given(st.lists(st.text(min_size=1), min_size=2, max_size=5, unique=True))
def test_any_text_survives_as_a_label(texts):
    dataset = from_data(np.zeros((20 * len(texts), 2)), pd.Series(texts * 20, dtype=object))
    assert dataset.class_names == tuple(sorted(texts))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((FRAME, "kind", ("color", "born")), "'color', 'born'"),
        ((FRAME.drop(columns=["color", "born"]), "kind", "pca"), "'seats', 'mixed'"),
        ((SimpleNamespace(columns=["a", "b"]), BITS), "SimpleNamespace"),
        ((NUMBERS * 1e160, BITS), r"1e\+150"),
        ((NUMBERS, "sort"), "'sort'"),
        ((NUMBERS, np.arange(N) / 2), "decimals"),
        ((NUMBERS, np.ma.masked_array(BITS, np.arange(N) == 3)), "row 3"),
        ((NUMBERS, BITS, (0, 1, 1)), r"\(0, 1, 1\)"),
        ((NUMBERS, [1] + [0] * 11, (0, 1), None, 0.8, 1), "2 rows holds a single class"),
    ],
)
def test_what_is_refused_is_named(arguments, words):
    refuses(words, from_data, *arguments)
