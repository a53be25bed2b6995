"""Runs with less work, beside the stored results of the full ones."""

import json

import pytest
from agreement import check

from knnviz.lessons import load, published
from knnviz_papers import runs
from knnviz_papers.__main__ import main
from knnviz_papers.errandonea import linear

#: Tables that depend on all settings or on an extreme of all samples, or hold means that no error
#: goes with.
WITHOUT = {
    "errandonea_digits": {"best_k"},
    "errandonea_removal": {"claims"},
    "errandonea_rate": {"slopes"},
    "khim_theorem_5": {"bounds"},
    "rittler_rates": {"slopes"},
}

#: Of a second program, for the numbers of the full run.
REFERENCES = {"reference", "z"}

#: Runs whose smaller form has too few trials to compare means: its tables have the columns of the
#: stored ones.
COLUMNS_ONLY = {"gao_tables", "gao_rates"}


def without(columns, rows):
    """Rows without some columns."""
    return [{name: row[name] for name in row if name not in columns} for row in rows]


@pytest.mark.parametrize("name", runs.RUNS)
def test_a_smaller_run_agrees_with_the_stored_one(name, monkeypatch):
    """Of the linear rivals one is enough: each loss has its own tests."""
    monkeypatch.setattr(linear, "LINEAR_LOSSES", {"CLPL": linear.LINEAR_LOSSES["CLPL"]})
    full = load(name).results
    found = runs.run(name, smaller=True)
    assert full.keys() == found.keys()
    for table, rows in found.items():
        assert rows[0].keys() == full[table][0].keys()
    if name in COLUMNS_ONLY:
        return

    beside = REFERENCES if name.startswith("errandonea") else set()
    for table in found.keys() - WITHOUT.get(name, set()):
        ours = without(beside, found[table])
        theirs = without(beside, full[table])
        check(theirs, ours)


def test_every_run_is_stored_and_nothing_else():
    assert {path.stem for path in runs.RESULTS.glob("*.json")} == runs.RUNS.keys()


def test_a_stored_result_is_read_again_as_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "RESULTS", tmp_path)
    tosses = [{"sides": 2, "mean": 1.5, "note": None}, {"sides": 6, "mean": 3.5, "note": "a"}]
    file = runs.save("rittler_condition", {"tosses": tosses})

    stored = json.loads(file.read_text("utf-8"))["results"]["tosses"]
    columns = stored["columns"]
    assert [dict(zip(columns, row, strict=True)) for row in stored["rows"]] == tosses


def test_the_command_makes_a_run(capsys):
    assert main(["rittler_condition", "--smaller"]) == 0
    assert "exponents" in capsys.readouterr().out


def test_unknown_names_are_refused():
    for read in (load, published):
        with pytest.raises(ValueError, match="'nothing'"):
            read("nothing")
