"""The machinery of reproductions, on a tiny one, and the form of the files that are kept."""

import json
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from agreement import check
from refusals import refuses

from knnviz import __main__, reproduce
from knnviz.reproduce import registry


def coin(sides: tuple = (2, 6), runs: int = 500, seed: int = 7, progress: bool = False):
    """Throws of a die."""
    rng = np.random.default_rng(seed)
    rows = []
    for count in sides:
        throws = rng.integers(1, count + 1, runs)
        row = {"name": f"die {count}", "sides": np.int64(count), "middle": (count + 1) / 2, "mean": throws.mean()}
        rows.append(row | {"mean_se": throws.std(ddof=1) / runs**0.5, "largest_throw": throws.max(), "odd": np.True_})
    return {"throws": rows, "again": rows[:1]}


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """A folder for the results of the tiny reproduction, which is the only one, and the function as it is entered."""
    monkeypatch.setattr(registry, "_registry", {})
    monkeypatch.setattr(registry.save, "__defaults__", (tmp_path,))
    monkeypatch.setattr(registry.load, "__defaults__", (tmp_path,))
    return tmp_path, reproduce.reproduction(coin)


def test_a_result_is_kept_and_read_again(tiny):
    kept = reproduce.run("coin")
    path = reproduce.save(kept)
    folder, plain = tiny
    assert path == folder / "coin.json"
    assert reproduce.load("coin") == kept
    assert kept.settings == reproduce.defaults("coin") == {"sides": [2, 6], "runs": 500, "seed": 7}
    assert [row["sides"] for row in kept.results["throws"]] == [2, 6]
    assert kept.results == plain()
    record = json.loads(path.read_text())
    assert (record["seed"], record["name"]) == (7, "coin")
    reproduce.save(reproduce.load("coin"))
    assert json.loads(path.read_text()) == record


def test_numbers_are_kept_to_six_digits(tiny):
    row = reproduce.run("coin").results["throws"][1]
    assert {type(value) for value in row.values()} == {str, int, float, bool}
    assert row["mean_se"] == float(f"{coin()['throws'][1]['mean_se']:.6g}")


def test_a_list_without_lists_is_a_line():
    record = {"b": [[1, 2.5], ["x, y", None]], "a": {"c": [], "d": ["[1,\n 2]"]}}
    text = registry.json_text(record)
    assert json.loads(text) == record
    assert [line.strip() for line in text.splitlines()][7:10] == ['"b": [', "[1, 2.5],", '["x, y", null]']
    assert text.startswith('{\n "a": {\n  "c": [],\n')


def test_what_is_missing_is_a_dash():
    assert reproduce.table([{"a": None, "b": 1.0}]).splitlines()[1].split() == ["-", "1"]


def test_published_values_say_where_they_are_from():
    for path in registry.PUBLISHED.glob("*.json"):
        record = reproduce.published(path.stem)
        assert len(record["origin"]) > 40
        assert path.read_text() == registry.json_text(record)


def test_commands(tiny, capsys):
    __main__.main(["reproduce"])
    kept = reproduce.load("coin")
    __main__.main(["tables", "coin"])
    printed = capsys.readouterr().out
    assert printed.strip() == reproduce.report(kept)
    assert printed.startswith(f"coin ({date.today().isoformat()}; numba ")
    lines = printed.splitlines()
    head = lines[lines.index("throws") + 1 :]
    assert head[0].split()[:3] == ["name", "sides", "middle"]
    assert head[2].split()[:4] == ["die", "6", "6", "3.5"]


def test_commands_end_with_a_sentence(tiny, capsys):
    for command in (["tables"], ["tables", "dice"], ["reproduce", "coin", "dice"]):
        with pytest.raises(SystemExit):
            __main__.main(command)
    printed = capsys.readouterr().err
    assert "no result of coin is kept; python -m knnviz reproduce coin makes one" in printed
    assert printed.count("no reproduction is named 'dice'; there are coin") == 2
    assert not list(tiny[0].iterdir())


def test_refusals(tiny):
    refuses("there is a reproduction named coin already", reproduce.reproduction, coin)
    without_seed = "a reproduction needs a parameter seed, but <lambda> has none"
    refuses(without_seed, reproduce.reproduction, lambda runs=1, progress=False: {})
    refuses("no reproduction is named 'dice'; there are coin", reproduce.load, "dice")
    for rows in ([], [{"a": 1}, {"b": 1}]):
        kept = replace(reproduce.run("coin"), results={"throws": rows})
        refuses("a table to keep needs rows, all of them with the same columns", reproduce.save, kept)
    assert reproduce.table([]) == "no rows"


def test_agreement_sees_what_does_not_agree(tiny):
    kept = reproduce.run("coin").results["throws"]
    reduced = tiny[1](sides=(6,), runs=100, seed=1)["throws"]
    check(kept, reduced)
    for column, value in (("mean", 3.5 + 4 * reduced[0]["mean_se"]), ("middle", 3.6), ("odd", False), ("name", "d6")):
        with pytest.raises((AssertionError, ValueError)):
            check(kept, [reduced[0] | {column: value}])


@pytest.mark.parametrize("name", reproduce.names())
def test_form_of_a_kept_file(name):
    path = registry.DATA / f"{name}.json"
    text = path.read_text()
    record = json.loads(text)
    assert len(text) < 20_000
    assert text == registry.json_text(record)
    assert set(record) == {"date", "name", "results", "seed", "settings", "versions"}
    assert set(record["versions"]) == {"python", *registry.PACKAGES}
    assert (record["name"], record["seed"]) == (name, record["settings"]["seed"])
    assert date.fromisoformat(record["date"])
    assert record["settings"] == reproduce.defaults(name), "a full run"


def test_every_file_that_is_kept_has_its_function():
    assert sorted(path.stem for path in registry.DATA.glob("*.json")) == reproduce.names()


def test_tables_of_all_reproductions_are_printed(capsys):
    __main__.main(["tables"])
    printed = capsys.readouterr().out
    for name in reproduce.names():
        assert reproduce.report(reproduce.load(name)) in printed
