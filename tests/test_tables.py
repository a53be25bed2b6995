"""A reader's file as a whole table: the label is found or asked for, and nothing is left out without a word."""

import re

import numpy as np
import pytest
from refusals import refuses

from knnviz import read_table

NUMBERS = [f"{i / 8},{i % 7 / 3}" for i in range(60)]
KINDS = ["ab"[i % 2] for i in range(60)]
LABEL = "give label, the column's name or number"


@pytest.fixture
def save(tmp_path):
    def write(header, *cells, name="mine.csv"):
        lines = [",".join(map(str, row)) for row in zip(*cells, strict=True)]
        (tmp_path / name).write_text("\n".join([*([header] if header else []), *lines]))
        return tmp_path / name

    return write


@pytest.mark.parametrize(
    ("header", "cells", "note"),
    [
        ("", (KINDS, NUMBERS), "label: column 0, the one column of text, 2 classes"),
        ("kind,x,z", (KINDS, NUMBERS), "label: 'kind', the one column of text, 2 classes"),
        ("x,Class,z,last", ("12" * 30, "01" * 30, "34" * 30, "56" * 30), "label: 'Class', by its name, 2 classes"),
        ("a,b,z", (NUMBERS, "01" * 30), "label: 'z', the last column, 2 classes"),
        ("x,z,Label", (NUMBERS, KINDS), "label: 'Label', by its name, 2 classes"),
        ("", (NUMBERS, "01" * 30), "label: column 2, the last column, 2 classes"),
    ],
)
def test_the_label_is_found_and_noted(save, header, cells, note):
    table = read_table(save(header, *cells))
    assert table.notes == (note,)
    assert len(table.class_names) == 2
    assert len(table.feature_names) == (3 if "Class" in header else 2)


@pytest.mark.parametrize("label", ["price", 0, -3])
def test_a_label_that_is_given_is_taken(save, label):
    table = read_table(save("price,x,z", ["1.5", "2.5", "3"] * 20, NUMBERS), label)
    assert table.class_names == ("1.5", "2.5", "3")
    assert table.feature_names == ("x", "z")
    assert table.notes == ("label: 'price', as given, 3 classes",)


REFUSED = [
    ("kind,x,z,make", (KINDS, NUMBERS, KINDS), {}, f"the label is in doubt, since 'kind', 'make' could be it; {LABEL}"),
    ("y,x,z,class", (KINDS, NUMBERS, KINDS), {}, f"the label is in doubt, since 'y', 'class' could be it; {LABEL}"),
    (
        "a,b,price",
        (NUMBERS, range(60)),
        {},
        f"the label is in doubt, since the last column, 'price', holds 60 different values in 60 rows; {LABEL}",
    ),
    (
        "a,b,price",
        (NUMBERS, ["0.5", "1"] * 30),
        {},
        f"the label is in doubt, since the last column, 'price', holds numbers such as 0.5; {LABEL}",
    ),
    (
        "a,b,target",
        (NUMBERS, np.arange(60) / 7),
        {},
        f"the label is in doubt, since the last column, 'target', holds numbers such as {1 / 7}; {LABEL}",
    ),
    (
        "a,b,price",
        (NUMBERS, np.arange(60) / 7),
        {"label": "price"},
        "the label, 'price', holds 60 different numbers in 60 rows, which are no classes",
    ),
    (
        "a,color,class",
        (np.arange(60) / 7, KINDS, KINDS),
        {},
        "'color' holds text; leave it out (drop), or give each value a column (one_hot)",
    ),
    (
        "id,a,b,class",
        (np.random.default_rng(0).permutation(60), NUMBERS, KINDS),
        {},
        "'id' only numbers the rows; leave it out (drop), or keep it as a feature (keep)",
    ),
    (
        ",a,b,class",
        (range(5, 65), NUMBERS, KINDS),
        {},
        "'column 0' only numbers the rows; leave it out (drop), or keep it as a feature (keep)",
    ),
    (
        "first,b,last",
        ("01" * 30, np.arange(60) / 7, "012" * 20),
        {},
        f"the label is in doubt, since 'first', 'last' could be it; {LABEL}",
    ),
    ("a,b,class", (NUMBERS, KINDS), {"drop": ["c"]}, "there is no feature 'c'; the table has a, b"),
    ("a,b,class", (NUMBERS, KINDS), {"keep": "a"}, "keep must be a list of names, got 'a'"),
    ("a,b,class", ([1] * 60, [2] * 60, KINDS), {}, "no feature varies"),
    ("a,a,class", (NUMBERS, KINDS), {}, "two columns are called 'a'"),
    ("a,b,class", (NUMBERS, KINDS), {"label": "kind"}, "there is no label 'kind'; the table has a, b, class"),
    ("a,b,class", ([""] + [1] * 59, range(60), KINDS), {"keep": ["b"]}, "X has missing or infinite values in row 2"),
    (
        "a,b,c,class",
        ([""] + ["u"] * 59, NUMBERS[:60], KINDS),
        {"one_hot": True, "label": "class"},
        "X has missing values in row 2",
    ),
]


@pytest.mark.parametrize(("header", "cells", "options", "sentence"), REFUSED)
def test_what_is_in_doubt_is_refused_in_one_sentence(save, header, cells, options, sentence):
    refuses(f"^mine.csv: {re.escape(sentence)}$", read_table, save(header, *cells), **options)


def test_options_that_the_sentences_name(save):
    path = save("id,color,a,same,class", range(60), KINDS, np.arange(60) / 7, [3] * 60, "01" * 30)
    table = read_table(path, drop=["id"], one_hot=True)
    assert table.feature_names == ("a", "same", "color_a", "color_b")
    assert table.X[:2].tolist() == [[0, 3, 1, 0], [1 / 7, 3, 0, 1]]
    assert table.notes[1] == "without effect, as it does not vary: 'same'"
    assert read_table(path, drop=["color"], keep=["id"]).feature_names == ("id", "a", "same")


def test_archives(tmp_path):
    X = np.random.default_rng(0).random((20, 3))
    np.savez(tmp_path / "a.npz", X=X, y=np.arange(20) % 2, class_names=["no", "yes"])
    table = read_table(tmp_path / "a.npz")
    assert np.array_equal(table.X, X)
    assert (table.name, table.class_names) == ("a", ("no", "yes"))
    assert table.notes == ("label: the array 'y', 2 classes",)
    np.savez(tmp_path / "b.npz", X=np.random.default_rng(0).random((60, 3)), y=np.arange(60) / 7)
    refuses(r"^b.npz: the label, 'y', holds 60 different numbers in 60 rows", read_table, tmp_path / "b.npz")
