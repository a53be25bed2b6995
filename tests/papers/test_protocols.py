"""Protocols on a reader's files: the command prints and writes what a plain call gives."""

import re
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from knnviz import NeighborTable, from_bags
from knnviz.learnability import comparison
from knnviz.problems.data import LabeledTable
from knnviz_papers.__main__ import main
from knnviz_papers.errandonea import comparison as bags
from knnviz_papers.errandonea.linear_rivals import LINEAR_LOSSES, linear_rival
from knnviz_papers.gao import comparison as rivals
from knnviz_papers.gao import protocol
from knnviz_papers.khim import table_2

RNG = np.random.default_rng(0)
Y = np.arange(140) % 3
#: With few decimals, which every version of pandas reads exactly.
X = (RNG.normal(size=(140, 5)) + 1.2 * np.eye(5)[Y]).round(4)
S = (RNG.random((140, 4)) < 0.3) | np.eye(4, dtype=bool)[Y]
NAMES = tuple("abcde")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A table with the name of a set of the paper, bags, and a table with a missing value."""
    table = pd.DataFrame(X, columns=NAMES)
    table["kind"] = np.array(["u", "v", "w"])[Y]
    table.to_csv(tmp_path / "heart.csv", index=False)
    (tmp_path / "holes.csv").write_text("a,b,kind\n1,,u\n2,3,v\n", "utf-8")
    np.savez(tmp_path / "clouds.npz", X=X, S=S, y=Y)
    monkeypatch.chdir(tmp_path)


def rows_of(command):
    """What a command writes, after a run that ends well."""
    words = command.split()
    assert main([*words, "--trials", "2", "--output", "rows.csv"]) == 0
    return pd.read_csv("rows.csv")


def mean_accuracies(data, **options):
    """Of each rule at each pair of flip rates, over two trials."""
    table = protocol.neighbor_table(data)
    runs = [protocol.run_trial(data, table, trial, **options) for trial in range(2)]
    accuracies = [run.accuracy[:, 0] for run in runs]
    return np.mean(accuracies, axis=0).ravel()


HEART = LabeledTable("heart", X, Y, NAMES, tuple("uvw"))


def test_gao_rivals(capsys):
    rows = rows_of(
        "gao_rivals heart.csv --label kind --positive v --positive w --rival AROW --scoring "
        "clean --seed 3"
    )
    data = protocol.binary(HEART, 3, ("v", "w"))
    accuracies = mean_accuracies(data, scoring="clean", rivals=("AROW",), seed=3)
    assert rows["rule"].tolist() == ["RkNN", "kNN", "AROW"] * 3
    assert rows["accuracy"].to_numpy() == pytest.approx(accuracies)

    printed = capsys.readouterr().out
    (line,) = re.findall(r"^ *kNN +none (.*)$", printed, re.MULTILINE)
    assert f"{rows['accuracy'][1]:.4f}".lstrip("0") in line
    assert ".8353 ± .0458" in line, "the published value"


def test_gao_rivals_at_flip_rates_of_a_reader(capsys):
    """Rates of the paper stand beside what it prints; others stand alone."""
    rows = rows_of("gao_rivals heart.csv --label kind --rival none --rates 0,0.35 --rates 0.1,0.3")
    rates = [(0, 0.35), (0.1, 0.3)]
    accuracies = mean_accuracies(protocol.binary(HEART), rivals=(), flip_rates=rates)
    assert rows[["p0", "p1"]].to_numpy().tolist() == [[*pair] for pair in rates for _ in range(2)]
    assert rows["accuracy"].to_numpy() == pytest.approx(accuracies)

    printed = capsys.readouterr().out
    assert re.search(r" \.35, 0 +\.3, \.1 +paper \.3, \.1$", printed, re.MULTILINE)


def test_khim_weights(capsys):
    rows = rows_of("khim_weights heart.csv --label kind --neighbors 9 --seed 2").set_index("rule")
    splits = [table_2.Split.draw(X, Y, 2, number) for number in range(2)]
    trials = [table_2.Fitted.fit(split, 9, 2).scores() for split in splits]
    means = {rule: np.mean([trial[rule][1] for trial in trials]) for rule in trials[0]}
    assert rows["f1_test"].to_dict() == pytest.approx(means)
    greedy = rows.loc["greedy"]
    shown = f"{greedy['f1_test']:.3f} ± {greedy['f1_test_se']:.3f}"
    assert shown in capsys.readouterr().out


def test_errandonea_bags(capsys):
    rows = rows_of(
        "errandonea_bags clouds.npz --kind other --noise 0 --noise 0.4 --rival CLPL --seed 5"
    )
    clouds = from_bags(X, S, Y, name="clouds")
    *_, plain = bags.compare_on_bags(clouds, 2, 5, "other", (0.0, 0.4), ("CLPL",))
    errors = [row["error"] for row in plain]
    assert rows["error"].tolist() == pytest.approx(errors)
    assert rows["rule"].tolist() == ["PL A-kNN", "A-kNN", "10-NN", "best k", "CLPL"] * 2
    assert f"{errors[0]:.3f}" in capsys.readouterr().out


def test_errandonea_images(monkeypatch):
    monkeypatch.setattr(bags, "COMPONENTS", 3)
    monkeypatch.setattr(bags, "MOST_ON_IMAGES", 60)
    rows = rows_of("errandonea_images heart.csv --label kind --noise 0.3 --rival PRODEN")

    centered = X - X.mean(axis=0)
    _, _, directions = np.linalg.svd(centered)
    components = centered @ directions[:3].T
    rules = {"PRODEN": linear_rival(LINEAR_LOSSES["PRODEN"])}
    options = {"splits": 2, "k_max": 60, "kind": "confusion"}
    *_, found = comparison.compare_rules(components, Y, rules, [0.3], **options)
    _, best = comparison.best_votes(found.vote_errors)
    assert rows["error"][2] == pytest.approx(found.vote_errors[..., 9].mean())
    assert rows["error"][3] == pytest.approx(best.mean())


@pytest.mark.parametrize(
    ("file", "named"),
    [
        ("heart.csv --label sort", "'sort'"),
        ("holes.csv --label kind", "'b'"),
        ("none.csv --label kind", "none.csv"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(file, named, capsys):
    assert main(["khim_weights", *file.split()]) == 1
    assert named in capsys.readouterr().err


@pytest.mark.parametrize("rates", ["0.4,0.7", "0.3", "0,a", "0,nan"])
def test_bad_flip_rates_are_refused(rates, capsys):
    with pytest.raises(SystemExit):
        main(["gao_rivals", "heart.csv", "--label", "kind", "--rates", rates])
    assert f"got '{rates}'" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "darwin", reason="names of files are text there")
def test_code_pages_lose_no_letter_of_a_result(monkeypatch):
    """Output goes to a file in ASCII, and the name of the input is no text."""
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(BytesIO(), encoding="ascii"))
    Path("heart.csv").rename("heart\udcff.csv")
    assert len(rows_of("khim_weights heart\udcff.csv --label kind --neighbors 9")) > 3
    sys.stdout.flush()
    assert "±" in sys.stdout.buffer.getvalue().decode("utf-8")


def test_an_interrupt_prints_what_there_is(capsys, monkeypatch):
    run = protocol.run_trial

    def interrupted(data, table, number, **options):
        if number == 3:
            raise KeyboardInterrupt
        return run(data, table, number, **options)

    monkeypatch.setattr(rivals, "run_trial", interrupted)
    command = "gao_rivals heart.csv --label kind --rival none --output rows.csv"
    assert main(command.split()) == 130
    assert set(pd.read_csv("rows.csv")["trials"]) == {3}
    assert "Table 4" in capsys.readouterr().out


@pytest.mark.parametrize("width", [4, 40, 90])
def test_neighbors_among_some_points_are_those_of_a_search(width):
    """Whether the table of all points holds enough of them, or rows must be searched for anew."""
    rng = np.random.default_rng(width)
    X = rng.integers(0, 5, (90, 2)).astype(float)
    members = np.sort(rng.choice(90, 50, replace=False))
    rows = rng.choice(90, 30, replace=False)
    found = protocol.among(NeighborTable.build(X, None, width), X, members, rows, 20)
    searched = NeighborTable.build(X[members], X[rows], 20)
    assert np.array_equal(found.indices, searched.indices)
    assert found.n == 50
