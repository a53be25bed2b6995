"""Sets of OpenML as tables, with the answers that scikit-learn's wheel holds; the service itself is not called."""

import gzip
import hashlib
from http.client import IncompleteRead
from urllib.error import HTTPError, URLError

import numpy as np
import pytest
from openml_answers import KEPT, Answers
from refusals import refuses
from test_setup import ROOT

from knnviz import read_table
from knnviz.problems.openml import OpenMLSet, read_openml
from knnviz.reproduce.gao.openml import KNOWN, openml_sets
from knnviz.reproduce.registry import published, records

IRIS, KR_VS_KP, CPU, ZOO, EMOTIONS, GLASS2, PENGUINS, AUSTRALIAN = 61, 3, 561, 62, 40589, 40675, 42585, 292


@pytest.fixture
def openml(monkeypatch, tmp_path):
    return Answers.instead(monkeypatch, tmp_path / "cache")


def read(text, *given, **options):
    return read_openml(OpenMLSet.parse(text), *given, **options)


def refusal(act, *given, **options):
    """The sentence of the ValueError that a call ends with."""
    with pytest.raises(ValueError, match=r"\w") as refused:
        act(*given, **options)
    return str(refused.value)


def lines_of(number):
    """Rows of a set of the wheel as lines of text."""
    data = next(each for each in (KEPT / f"id_{number}").iterdir() if each.name.startswith("data-"))
    text = gzip.decompress(data.read_bytes()).decode()
    below = text[text.lower().index("@data") :].splitlines()[1:]
    return [line for line in below if line and not line.startswith("%")]


def test_a_set_is_read_as_the_file_of_it(openml, tmp_path):
    openml.keep(IRIS)
    table = read("iris")
    path = tmp_path / "iris.csv"
    path.write_text("\n".join([",".join([*table.feature_names, "class"]), *lines_of(IRIS)]))
    mine = read_table(path)
    assert (table.checksum, table.class_names, table.feature_names) == (
        mine.checksum,
        mine.class_names,
        mine.feature_names,
    )
    assert table.name == "iris:1"
    assert table.notes == ("OpenML: iris, version 1", "label: 'class', the target, 3 classes")


def test_a_set_is_downloaded_once(openml):
    openml.keep(IRIS)
    first = read("iris:1")
    asked = len(openml.asked)
    assert asked > 0
    assert read("iris:1").checksum == first.checksum
    assert len(openml.asked) == asked


def test_text_becomes_columns_and_what_openml_ignores_is_left_out(openml):
    openml.keep(ZOO)
    table = read("zoo", one_hot=True)
    rows = [line.split(",") for line in lines_of(ZOO)]
    assert table.feature_names[:4] == ("legs", "hair_false", "hair_true", "feathers_false")
    assert not any(name.startswith("animal") for name in table.feature_names)
    expected = [[float(row[13]), row[1] == "false", row[1] == "true", row[2] == "false"] for row in rows]
    assert np.array_equal(table.X[:, :4], expected)
    assert [table.class_names[c] for c in table.y] == [row[-1] for row in rows]


def test_nominal_numbers_are_numbers_and_sorted_as_such(openml):
    rows = [(i % 7 / 8, (1, 30, 4)[i % 3], i % 5, (2, 10)[i % 2]) for i in range(30)]
    openml.make("codes", {"a": "numeric", "zone": "nominal", "b": "numeric", "class": "nominal"}, rows)
    table = read("codes")
    assert np.array_equal(table.X, [row[:3] for row in rows])
    assert table.class_names == ("2", "10")
    assert table.y.tolist() == [i % 2 for i in range(30)]
    assert table.notes[-1] == "nominal, taken as numbers: 'zone'"


def test_options_are_those_of_files(openml):
    rows = [(i, i % 7 / 8, 3, "uv"[i % 2], "xy"[i % 3 == 0]) for i in range(30)]
    kinds = {"count": "numeric", "a": "numeric", "b": "numeric", "letter": "nominal", "class": "nominal"}
    openml.make("mine", kinds, rows)
    refuses(r"^mine: 'count' only numbers the rows; leave it out \(drop\)", read, "mine")
    table = read("mine", drop=["letter"], keep=["count"])
    assert table.feature_names == ("count", "a", "b")
    assert table.notes[-1] == "without effect, as it does not vary: 'b'"
    table = read("mine", "letter", drop=["class", "count"])
    assert table.notes[1] == "label: 'letter', as given, 2 classes"
    assert table.class_names == ("u", "v")


def test_what_openml_warns_of_is_noted(openml):
    openml.keep(IRIS, warning="two rows differ from the paper's")
    assert read("iris").notes[1] == "OpenML's warning: two rows differ from the paper's"


REFUSED = [
    (
        EMOTIONS,
        "emotions",
        {},
        "the label is in doubt, since 'amazed.suprised', 'happy.pleased', 'relaxing.calm', 'quiet.still' and 2 more "
        "could be it; give label, the column's name or number",
    ),
    (GLASS2, "glass2:1", {}, "OpenML's glass2, version 1, is deactivated; choose another version"),
    (GLASS2, "glass2", {}, "it could not be downloaded from OpenML: No active dataset glass2 found"),
    (IRIS, "iris:9", {}, "it could not be downloaded from OpenML: Dataset iris with version 9 not found"),
    (
        KR_VS_KP,
        "kr-vs-kp",
        {},
        "'bkblk', 'bknwy', 'bkon8', 'bkona' and 32 more holds text; leave it out (drop), or give each value a column "
        "(one_hot)",
    ),
    (
        (AUSTRALIAN, {"status": "active"}),
        "australian",
        {},
        "OpenML's Australian, version 1, is sparse, and only dense tables are read",
    ),
    (
        IRIS,
        "iris",
        {"drop": ["petal"]},
        "there is no feature 'petal'; the table has sepallength, sepalwidth, petallength, petalwidth",
    ),
]


@pytest.mark.parametrize(("kept", "text", "options", "sentence"), REFUSED)
def test_what_is_no_table_is_refused_in_one_sentence(openml, kept, text, options, sentence):
    number, changes = kept if isinstance(kept, tuple) else (kept, {})
    openml.keep(number, **changes)
    assert refusal(read, text, **options) == f"{text}: {sentence}"


def test_a_target_of_numbers_is_refused(openml):
    openml.keep(CPU)
    targets = [float(line.rpartition(",")[2]) for line in lines_of(CPU)]
    count = f"{len(set(targets))} different numbers in {len(targets)} rows"
    assert refusal(read, "cpu") == f"cpu: the label, 'class', holds {count}, which are no classes"


def test_missing_values_are_refused(openml):
    openml.keep(PENGUINS)
    first = next(row for row, line in enumerate(lines_of(PENGUINS)) if line.endswith("?"))
    assert refusal(read, "penguins", one_hot=True).startswith(f"penguins: X has missing values in rows {first}, ")
    rows = [(i % 7 / 8, "?" if i == 5 else i % 4, "xy"[i % 3 == 0]) for i in range(30)]
    openml.make("gap", {"a": "numeric", "b": "integer", "class": "nominal"}, rows)
    assert refusal(read, "gap") == "gap: X has missing or infinite values in row 5"
    openml.make("unlabeled", {"a": "numeric", "class": "integer", "b": "nominal"}, rows, target="b")
    assert refusal(read, "unlabeled", "class") == "unlabeled: y has missing labels in row 5"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (URLError("no network"), "no network"),
        (HTTPError("https://openml.test", 503, "Service Unavailable", {}, None), "Service Unavailable"),
        (TimeoutError("timed out"), "timed out"),
        (IncompleteRead(b""), "IncompleteRead(0 bytes read)"),
    ],
)
def test_without_a_network_the_error_gives_the_reason(openml, monkeypatch, error, reason):
    def fail(request, *_):
        raise error

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", fail)
    assert refusal(read, "iris") == f"iris: it could not be downloaded from OpenML: {reason}"


def test_what_the_parser_does_not_understand_is_refused(openml):
    damaged = b"@relation iris\n@attribute a strange\n@data\n"
    openml.keep(IRIS, md5_checksum=hashlib.md5(damaged).hexdigest())
    openml.by_path[next(path for path in openml.by_path if path.endswith("iris.arff"))] = damaged
    assert refusal(read, "iris").startswith("iris: it could not be downloaded from OpenML: Bad @ATTRIBUTE")


def test_a_damaged_download_is_refused_and_not_kept(openml):
    openml.keep(IRIS)
    path = next(path for path in openml.by_path if path.endswith("iris.arff"))
    whole, openml.by_path[path] = openml.by_path[path], b"@relation iris\n@attribute\n"
    assert refusal(read, "iris").startswith("iris: it could not be downloaded from OpenML: ")
    openml.by_path[path] = whole
    assert len(read("iris").y) == len(lines_of(IRIS))


@pytest.mark.parametrize("text", ["iris:x", "iris:0", "iris:", ":1", "", "iris:1:2", "a b", "../61", "iris?x"])
def test_bad_syntax_is_refused(text):
    refuses(r"^a set of OpenML is NAME or NAME:VERSION with a whole number from 1, got ", OpenMLSet.parse, text)


def test_names_and_versions():
    assert OpenMLSet.parse("BNG(a,b)-2.0:12") == OpenMLSet("BNG(a,b)-2.0", 12)
    assert str(OpenMLSet.parse("iris")) == "iris"
    assert str(OpenMLSet.parse("iris:3")) == "iris:3"


def test_known_sets_have_the_rows_and_features_of_the_paper():
    rows = records(published("gao_tables")["tables_1_and_4"])
    shapes = {row["data"]: (row["n"], row["d"]) for row in rows}
    sets = openml_sets()
    assert list(sets) == list(KNOWN)
    for name, each in sets.items():
        assert each.paper == name
        assert each.shape[:2] == shapes[name]
    assert not any(":" in name for name in shapes), "a name with a version is none of the paper's"


def test_the_docs_name_the_known_sets():
    text = " ".join((ROOT / "docs" / "own-data.md").read_text().split())
    assert f"Nine sets of the paper have names of their own: {', '.join(KNOWN)}." in text
    assert len(KNOWN) == 9


def test_a_set_of_another_shape_than_the_paper_s_is_refused_with_both(openml):
    openml.keep(IRIS)
    sentence = (
        "heart: OpenML's iris, version 1, has 150 rows of 4 features in 3 classes, the paper's set 270 rows of 13 "
        "features in 2 classes"
    )
    assert refusal(read_openml, OpenMLSet("iris", 1, "heart", (270, 13, 2))) == sentence
    for shape in ((151, 4, 3), (150, 5, 3), (150, 4, 2)):
        wanted = OpenMLSet("iris", 1, "heart", shape)
        refuses("150 rows of 4 features in 3 classes, the paper's set", read_openml, wanted)


def test_a_set_bears_the_paper_s_name_only_with_the_paper_s_label(openml):
    rows = [(i % 7 / 8, i % 4, "xy"[i % 3 == 0]) for i in range(30)]
    openml.make("made", {"a": "numeric", "b": "numeric", "class": "nominal"}, rows)
    wanted = OpenMLSet("made", 1, "heart", (30, 2, 2))
    assert read_openml(wanted).name == "heart"
    assert read_openml(wanted, "class").name == "heart"
    assert read_openml(wanted, "b", drop=["class"]).name == "made:1"
    assert read("made").name == "made:1"
