"""Files of all spellings: the same table comes out, or one sentence that names the row."""

import csv
import io
import re
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from refusals import refuses

from knnviz import from_csv, from_data, from_npz, read_bag_table

ROWS = [(1.5, -2.0, "a"), (0.25, 3.0, "b"), (-7.0, 0.5, "a"), (4.0, 1e-3, "b"), (2.0, 2.5, "b"), (0.0, 0.0, "a")]


def table(dataset):
    """Rows of a dataset as (number, number, label), and the names of its features."""
    whole = dataset.table
    return [(*row, whole.class_names[c]) for row, c in zip(whole.X.tolist(), whole.y, strict=True)]


def text(delimiter=",", header=("x", "y", "kind"), end="\n", spell=str):
    """The rows as a file holds them."""
    lines = [header, *([spell(value) for value in row] for row in ROWS)] if header else ROWS
    return "".join(delimiter.join(map(str, line)) + end for line in lines)


@pytest.fixture
def save(tmp_path):
    """Write a file, and give its path."""

    def write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    "content",
    [
        text(),
        text(";"),
        text("\t"),
        text("|"),
        text(" "),
        text("   "),
        text(", "),
        text(" , "),
        text(end="\r\n"),
        text(end="\r"),
        text(end="\n\n"),
        text(end=" \n"),
        text() + "\n\n",
        text() + "   \n",
        text().rstrip("\n"),
        text(";", spell=lambda value: str(value).replace(".", ",")),
        text(";", spell=lambda value: '"' + str(value).replace(".", ",") + '"'),
        text(spell=lambda value: f'"{value}"'),
        text(" ", spell=lambda value: f'"{value}"', end="  \n"),
        text(header=('"x"', '"y"', '"kind"')),
        text(header=(" x", "y ", "kind")),
    ],
)
def test_every_spelling_gives_the_same_table(save, content):
    dataset = from_csv(save(content))
    assert table(dataset) == ROWS
    assert dataset.feature_names == ("x", "y")
    assert dataset.class_names == ("a", "b")
    assert dataset.name == "table.csv"


def test_a_file_is_a_source_like_any_other(save):
    path = save(text())
    dataset = from_csv(path, "kind", ("y", "x"), "minmax", 0.5, 3, name="mine")
    X, y = [(b, a) for a, b, _ in ROWS], [kind for *_, kind in ROWS]
    wanted = from_data(X, y, scale="minmax", test_size=0.5, seed=3, name="mine", feature_names=("y", "x"))
    assert dataset.spec() == wanted.spec()
    assert np.array_equal(dataset.X_train, wanted.X_train)
    assert np.array_equal(from_csv(str(path)).X_train, from_csv(path).X_train)


def test_without_a_header_columns_go_by_position(save):
    path = save(text(header=None))
    dataset = from_csv(path)
    assert table(dataset) == ROWS
    assert dataset.feature_names == ("column 0", "column 1")
    assert table(from_csv(path, 2, ("column 1", 0))) == [(b, a, kind) for a, b, kind in ROWS]
    commas = "".join(f"{x};{y};{kind}\n" for x, y, kind in ROWS).replace(".", ",")
    assert table(from_csv(save(commas))) == ROWS


def test_rows_may_end_in_a_delimiter(save):
    assert table(from_csv(save(text(end=",\n").replace("kind,", "kind")))) == ROWS


@pytest.mark.parametrize("label", ["kind", 1])
def test_the_label_may_stand_in_the_middle(save, label):
    nine = [(*row, 9) for row in ROWS]
    path = save("".join(f"{x},{kind},{y},{z}\n" for x, y, kind, z in [("x", "y", "kind", "z"), *nine]))
    dataset = from_csv(path, label)
    assert table(dataset) == ROWS
    assert dataset.feature_names == ("x", "y")
    assert from_csv(path, label, (1, 2)).feature_names == ("y", "z")


@pytest.mark.parametrize(
    ("encoding", "given"),
    [
        ("utf-8", None),
        ("utf-8-sig", None),
        ("utf-8-sig", "utf-8"),
        ("utf-16", None),
        ("utf-16-le", "utf-16-le"),
        ("latin-1", None),
        ("cp1252", None),
        ("cp437", "cp437"),
    ],
)
def test_encodings(save, encoding, given):
    content = text(header=("été", "y", "kind")).replace("a\n", "café\n").encode(encoding)
    dataset = from_csv(save(content), encoding=given)
    assert dataset.class_names == ("b", "café")
    assert dataset.feature_names == ("été", "y")
    assert len(dataset.table.y) == len(ROWS)


def test_one_late_letter_decides_the_encoding(save):
    """Beyond the part that shows the delimiter; 0x81 is no letter of Windows, 0x80 its euro."""
    rows = text() + "1,2,a\n" * 20_000
    assert from_csv(save(rows.encode() + b"1,2,\xe9\n")).class_names == ("a", "b", "é")
    assert from_csv(save(rows.encode() + b"1,2,\x80\n")).class_names == ("a", "b", "€")
    assert from_csv(save(rows.encode() + b"1,2,\x81\n")).class_names == ("a", "b", "\x81")


def test_quoted_cells_may_hold_delimiters_quotes_and_lines(save):
    path = save('x,y,kind\n1,2,"a, b"\n3,4,"say ""c"""\n5,6,"two\nlines"\n7,8,<b>x</b>\n')
    assert [kind for *_, kind in table(from_csv(path))] == ["a, b", 'say "c"', "two\nlines", "<b>x</b>"]


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (["1.0", "2.0", "1", "2"], ("1", "2")),
        (["10", "9", "10", "9"], ("9", "10")),
        (["1.5", "1", "1", "2e0"], ("1", "1.5", "2")),
        (["1", "b", "1.0", "b"], ("1", "1.0", "b")),
        (["True", "False", "True", "False"], ("False", "True")),
        (["9007199254740992", "9007199254740993", "1", "1"], ("1", "9007199254740992", "9007199254740993")),
        (["1_0", "10", "10", "10"], ("10", "1_0")),
        (["it's", "don't", "it's", "x "], ("don't", "it's", "x")),
    ],
)
def test_labels_that_are_numbers_are_shown_as_such(save, labels, names):
    path = save("x,y,kind\n" + "".join(f"{i},{i},{label}\n" for i, label in enumerate(labels)))
    assert from_csv(path, "kind", test_size=0.25, seed=1).class_names == names


def test_truth_values_are_numbers(save):
    path = save("x,y,kind\nTrue,1,a\nfalse,2,b\nTRUE,3,a\nFalse,4,b\n")
    assert table(from_csv(path)) == [(1, 1, "a"), (0, 2, "b"), (1, 3, "a"), (0, 4, "b")]


def test_columns_that_are_not_chosen_may_hold_anything(save):
    path = save("id,x,,y,kind\n" + "".join(f"?,{x},tall,{y},{kind}\n" for x, y, kind in ROWS))
    dataset = from_csv(path, "kind", ("x", "y"))
    assert table(dataset) == ROWS
    assert from_csv(save("x,,kind\n1,2,a\n3,4,b\n5,6,a\n7,8,b\n")).feature_names == ("x", "column 1")


def test_principal_components_of_all_columns_of_numbers(save):
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(40, 3))
    lines = [f"{a},red,{b},,{kind},{c}\n" for (a, b, c), kind in zip(numbers.tolist(), "uv" * 20, strict=True)]
    path = save("a,color,b,note,kind,c\n" + "".join(line.replace(",,", ",tall,") for line in lines))
    dataset = from_csv(path, "kind", "pca")
    assert dataset.table.feature_names == ("a", "b", "c")
    assert np.array_equal(dataset.table.X, numbers)
    assert np.array_equal(dataset.X_train, from_data(numbers, list("uv" * 20), "pca").X_train)


@given(
    st.lists(
        st.tuples(
            st.floats(-1e9, 1e9),
            st.floats(-1e9, 1e9),
            st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zs", "Zl", "Zp"]), min_size=1),
        ),
        min_size=8,
        max_size=20,
    ),
    st.sampled_from(",;\t|"),
    st.sampled_from(["\n", "\r\n"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_the_csv_module_writes_is_read_back(tmp_path, rows, delimiter, end):
    """Labels get a letter first, so that they are no numbers and none is missing; all rows are held by the table."""
    rows = [(a, b, "L" + label) for a, b, label in [(0.0, 0.0, "x"), *rows, (1.0, 1.0, "y")] for _ in range(4)]
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, lineterminator=end).writerows([("p", "q", "label"), *rows])
    path = tmp_path / "written.csv"
    path.write_bytes(file.getvalue().encode("utf-8"))
    assert table(from_csv(path)) == rows


FINE = "x,y,kind\n1,2,a\n3,4,b\n5,6,a\n7,8,b\n"
MANY = "x,y,kind\n" + "".join(f"{i},{i},c{i}\n" for i in range(400))
HOLES = "NA,1,a\n1,?,a\n1,nan,b\n NULL,1,b\n n/a,1,a\n,,a\n"
UNNAMED = "1,2,?\n1,2,\n1,2,nan\n1,2,NA\n"
COMMAS = "x;y;z\n1,5;2;a\n" + "1;2;a\n" * 20_000 + "1.000;2;b\n"
PCA = {"features": "pca"}
KIND = {"label": "kind"}
FEW = "principal components need at least two columns of numbers, got 1"
DOUBT = "line 1 of table.csv may be a header with numbers in it, since no other line has its label"
NARROW = "the first line of table.csv must have at least three cells: two features and a label"
BROKEN = "table.csv cannot be read as a table: "


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        ("", {}, "table.csv is empty"),
        ("\n  \n", {}, "table.csv is empty"),
        ('""\n', {}, NARROW),
        ("a\n1\n2\n", {}, NARROW),
        ("x;y\n1,5;2,5\n", {}, NARROW),
        ("x y  \n 1 2\n", {}, NARROW),
        ("My table\n" + FINE, {}, NARROW),
        ("x" * 200_000, {}, NARROW),
        (",x" * 600_000, {}, "the first line of table.csv has more than 1,048,576 characters"),
        ("x,y,kind\n", {}, "a training and a test part need at least 4 rows, got 0"),
        (FINE + "9,,a\n", {}, "X has missing or infinite values in row 6"),
        (FINE[9:] + "9,,a\n", {}, "X has missing or infinite values in row 5"),
        (FINE + HOLES, {}, "X has missing or infinite values in rows 6, 7, 8, 9, 10 and 1 more"),
        (FINE + "inf,1,a\n", {}, "X has missing or infinite values in row 6"),
        (FINE + "1,1e400,a\n", {}, "X has missing or infinite values in row 6"),
        (FINE + "1,1e200,a\n", {}, "X has values beyond 1e+150 in row 6, too large to measure distances"),
        (FINE + "9,1,\n", {}, "y has missing labels in row 6"),
        (FINE + UNNAMED, KIND, "y has missing labels in rows 6, 7, 8, 9"),
        (FINE.replace("a", "True").replace("b", "False") + "9,1,\n", {}, "y has missing labels in row 6"),
        ("?,?,a\n" + FINE[9:], {}, "X has missing or infinite values in row 1"),
        (FINE + "tall,1,a\n", KIND, "x must hold numbers, got 'tall' in row 6"),
        (FINE[9:] + "tall,1,a\n", {"label": 2}, "column 0 must hold numbers, got 'tall' in row 5"),
        ("x;y;z\n1,5;2;a\n1.000;2;b\n1;2;a\n2;2;b\n", {}, "x must hold numbers, got '1,5' in row 2"),
        (COMMAS, {}, "x must hold numbers, got '1,5' in row 2"),
        (FINE + "1,2\n", {}, "y has missing labels in row 6"),
        (FINE + "1\n", {"label": 0, "features": (0, 0)}, "X has missing or infinite values in row 6"),
        (FINE + "1,2,a,4\n", {}, f"{BROKEN}Expected 3 fields in line 6, saw 4"),
        ("\n" + FINE + "\n1,2,a,4\n", {}, f"{BROKEN}Expected 3 fields in line 8, saw 4"),
        ("1,2,a\n1,2,a,4\n" + FINE[9:], {}, f"{BROKEN}Expected 3 fields in line 2, saw 4"),
        ("x,y,kind\n1,2,a,4\n" + FINE[9:], {}, "row 2 of table.csv has more cells than its header"),
        ("x,y,kind\n1,2,a,4,5\n" + FINE[9:], {}, "row 2 of table.csv has more cells than its header"),
        (FINE + '9,9,"a\n', {}, f"{BROKEN}EOF inside string starting at line 6"),
        (FINE, {"label": "type"}, "there is no label 'type'; the table has x, y, kind"),
        (FINE, {"label": 3}, "a label's position must be between 0 and 2, got 3"),
        (FINE[9:], {"label": "kind"}, "table.csv has no header; choose the label by its position, got 'kind'"),
        (FINE, {"features": ("x", "z")}, "there is no feature 'z'; the table has x, y"),
        (FINE, {"features": ("x", "kind")}, "there is no feature 'kind'; the table has x, y"),
        (FINE, {"features": (0, 2)}, "a feature's position must be between 0 and 1, got 2"),
        (FINE, {"features": "x"}, "features must name two columns, got 'x'"),
        ("x,x,kind\n" + FINE[9:], {"features": ("x", "x")}, "2 columns are named 'x'; choose one by its position"),
        (FINE, {"scale": "log"}, "scale must be 'standard', 'minmax' or None, got 'log'"),
        ("x,y,k\n1,tall,a\n2,low,b\n3,low,a\n4,low,b\n", PCA, FEW),
        ("x,y,z,k\n1,1,?,a\n2,1,3,b\n3,1,low,a\n4,1,2,b\n", PCA, "z must hold numbers, got 'low' in row 4"),
        ("0,1,label\n" + FINE[9:], {}, f"{DOUBT} 'label'; name all columns in words"),
        ("0,1,2\n1,2,0\n3,4,1\n5,6,1\n", {"label": 2}, f"{DOUBT} '2'; name all columns in words"),
        (FINE.replace("b", "a"), {}, "y must hold at least two classes, got only 'a'"),
        (MANY, {}, "y must hold at most 255 classes, got 400"),
        ("é".encode("latin-1"), {"encoding": "utf-8"}, "table.csv is not text in the encoding utf-8"),
        (b"\xff\xfe" + FINE.encode("utf-16-le") + b"\n", {}, "table.csv is not text in the encoding utf-16"),
        (FINE, {"encoding": "utf-88"}, "there is no encoding 'utf-88'"),
        (FINE, {"encoding": "hex"}, "there is no encoding 'hex'"),
        (FINE.encode("utf-16-le"), {}, "table.csv is not a text file"),
    ],
)  # fmt: skip
def test_what_is_no_table_is_refused_in_one_sentence(save, content, arguments, message):
    refuses(f"^{re.escape(message)}$", from_csv, save(content), **arguments)


@given(
    st.binary(max_size=60) | st.text(',;\t| "\n\r01.5ab?', max_size=80).map(str.encode),
    st.sampled_from([(0, 1), "pca"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
def test_any_file_is_read_or_refused_in_a_sentence(tmp_path, content, features):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    kind = ValueError
    try:
        assert np.isfinite(from_csv(path, features=features).X_train).all()
    except ValueError as refusal:
        kind = type(refusal)
    assert kind is ValueError, "UnicodeError and its like are no sentences"


def test_tables_may_be_wide(save):
    wide = ",".join(f"gene {i}" for i in range(9_000))
    path = save(f"{wide},kind\n" + "".join(f"{f'{i},' * 9_000}{'ab'[i % 2]}\n" for i in range(4)))
    assert from_csv(path, features=(1, 8_999), test_size=0.5).feature_names == ("gene 1", "gene 8999")


def test_a_file_that_is_not_there(tmp_path):
    for load in (from_csv, from_npz, read_bag_table):
        with pytest.raises(FileNotFoundError):
            load(tmp_path / "none")


def test_long_files_are_read_in_little_memory(save):
    """Some copies of a row's 16 bytes of numbers are made on the way to a split (97 bytes a row when this was written);
    its four cells as Python objects of their own would take 200 bytes and more."""
    rows = 200_000
    path = save("x,y,z,kind\n" + "".join(f"{i / 8},{-i},tall,{'uvw'[i % 3]}\n" for i in range(rows)))
    tracemalloc.start()
    dataset = from_csv(path, "kind", ("y", "x"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(dataset.table.y) == rows
    assert dataset.table.X[-1].tolist() == [1 - rows, (rows - 1) / 8]
    assert peak < 140 * rows


@pytest.fixture
def archive(tmp_path):
    """Save arrays in an archive, and give its path."""

    def write(**arrays):
        np.savez(tmp_path / "arrays.npz", **arrays)
        return tmp_path / "arrays.npz"

    return write


X = np.random.default_rng(0).normal(size=(12, 3)).astype(np.float32)
Y = np.arange(12) % 3


def test_an_archive_gives_the_same_as_its_arrays(archive):
    names = {"feature_names": np.array(["a", "b", "c"]), "class_names": np.array(["u", "v", "w"])}
    dataset = from_npz(archive(X=X, y=Y, **names), ("c", "a"), "minmax", 0.25, 2)
    wanted = from_data(X, Y, ("c", "a"), "minmax", 0.25, 2, name="arrays.npz", **names)
    assert dataset.spec() == wanted.spec()
    assert np.array_equal(dataset.X_train, wanted.X_train)
    assert dataset.class_names == ("u", "v", "w")
    assert all(type(name) is str for name in (*dataset.class_names, *dataset.feature_names))
    assert from_npz(archive(X=X, y=Y), "pca").feature_names == ("component 1", "component 2")
    other = from_npz(archive(points=X, kind=Y.astype(str)), label="kind", data="points", name="mine")
    assert (other.name, other.class_names) == ("mine", ("0", "1", "2"))


def test_class_names_of_an_archive_go_by_code(archive):
    names = np.array(["u", "v", "w", "z"])
    assert from_npz(archive(X=X, y=Y + 1, class_names=names)).class_names == ("v", "w", "z")
    assert from_npz(archive(X=X, y=Y * 10, class_names=names[:3])).class_names == ("u", "v", "w")


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"X": X}, "arrays.npz has no array 'y'; it holds X"),
        ({"a": X, "b": Y}, "arrays.npz has no array 'X'; it holds a, b"),
        ({}, "arrays.npz has no array 'X'; it holds none"),
        ({"X": X.astype(object), "y": Y}, "'X' of arrays.npz cannot be read: it is damaged, or holds Python objects"),
        ({"X": X, "y": Y[:5]}, "y must hold one label for each of 12 rows, got shape (5,)"),
        ({"X": X[:, 0], "y": Y}, "X must be a table of shape (n, columns), got shape (12,)"),
        ({"X": X, "y": Y, "class_names": ["u", "v"]}, "class_names must name 3 classes, got 2"),
        ({"X": X, "y": Y, "feature_names": ["u", "v"]}, "feature_names must name 3 columns, got 2"),
        ({"X": X, "y": Y, "class_names": "u"}, "'class_names' of arrays.npz must be a list of names, got shape ()"),
    ],
)
def test_archives_that_hold_something_else(archive, arrays, message):
    refuses(f"^{re.escape(message)}$", from_npz, archive(**arrays))


def test_files_that_are_no_archives(save, archive):
    single = io.BytesIO()
    np.save(single, X)
    whole = archive(X=X, y=Y).read_bytes()
    for content in (b"", b"x,y,z\n1,2,3\n", single.getvalue(), whole[: len(whole) // 2], b"PK\x03\x04"):
        for load in (from_npz, read_bag_table):
            refuses(r"^t\.npz is not a NumPy archive of several arrays \(\.npz\)$", load, save(content, "t.npz"))
    damaged = bytearray(whole)
    damaged[150:170] = bytes(20)
    path = save(bytes(damaged), "t.npz")
    refuses(r"^'X' of t\.npz cannot be read: it is damaged, or holds Python objects$", from_npz, path)


@pytest.mark.parametrize("rows", [10**12, 2**62, -1])
def test_an_array_that_is_not_as_large_as_it_says(tmp_path, rows):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (rows, 2)})
    with zipfile.ZipFile(tmp_path / "t.npz", "w") as file:
        file.writestr("X.npy", header.getvalue() + bytes(160))
        file.writestr("S.npy", header.getvalue())
        file.writestr("y.npy", header.getvalue())
    damaged = r"^'X' of t\.npz cannot be read: it is damaged, or holds Python objects$"
    for load in (from_npz, read_bag_table):
        refuses(damaged, load, tmp_path / "t.npz")


def test_a_small_archive_of_a_large_array_is_not_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "t.npz", "w", zipfile.ZIP_DEFLATED) as file:
        with file.open("X.npy", "w") as member:
            for _ in range(60):
                member.write(bytes(10**7))
        file.writestr("S.npy", b"")
        file.writestr("y.npy", b"")
    tracemalloc.start()
    for load in (from_npz, read_bag_table):
        refuses(r"^'X' of t\.npz takes 600 MB, more than 500$", load, tmp_path / "t.npz")
    assert tracemalloc.get_traced_memory()[1] < 1e7
    tracemalloc.stop()


def test_an_archive_of_text_files_has_no_arrays(tmp_path):
    with zipfile.ZipFile(tmp_path / "t.npz", "w") as file:
        file.writestr("X", "1,2,3")
        file.writestr("y", "1")
    refuses(r"^'X' of t\.npz is not an array$", from_npz, tmp_path / "t.npz")
