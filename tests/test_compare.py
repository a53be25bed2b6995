"""The command that runs a protocol on a reader's files."""

import csv
import json

import numpy as np
import pytest
from knnviz.reproduce.registry import published
from openml_answers import Answers
from refusals import refuses

from knnviz import __main__, compare, read_table
from knnviz_papers.errandonea.comparison import ErrandoneaComparison
from knnviz_papers.gao import openml as paper_sets
from knnviz_papers.gao import protocol
from knnviz_papers.gao.comparison import GaoComparison

NO_RIVALS = ("--rival", "none")
FAST = ("--trials", "2", *NO_RIVALS)


@pytest.fixture
def folder(tmp_path):
    """An archive with the name of a set of the paper, a CSV file, and a file that is not read."""
    rng = np.random.default_rng(0)
    X = rng.random((60, 3))
    np.savez(tmp_path / "heart.npz", X=X, y=(X[:, 0] > 0.5).astype(int), class_names=["absent", "present"])
    rows = [f"{'xyz'[int(3 * a)]},{a:.3f},{b:.3f}" for a, b in rng.random((40, 2))]
    (tmp_path / "three.csv").write_text("\n".join(["kind,height,width", *rows]))
    (tmp_path / "notes.txt").write_text("nothing")
    return tmp_path


def test_tables_of_a_folder(folder, capsys):
    assert __main__.main(["compare", "gao", str(folder), "--scoring", "clean", *NO_RIVALS]) == 0
    printed = capsys.readouterr().out
    assert (
        "heart: 60 rows, 3 features; class 1: present; class 0: absent (in the paper 270 rows, 13 features)" in printed
    )
    assert "three: 40 rows, 2 features; class 1: " in printed
    assert "  label: 'kind', the one column of text, 3 classes" in printed
    assert "Rates:" not in printed
    heart, three = printed.split("three: 40 rows")
    titles = [line.split() for line in printed.splitlines() if line.split()[:2] == ["rule", "rates"]]
    assert titles[0][2:] == [".1,", ".2", "paper", ".1,", ".2", ".3,", ".1", "paper", ".3,", ".1", *titles[0][-5:]]
    assert titles[1][2:] == [".1,", ".2", ".3,", ".1", ".4,", ".4"], "no columns of the paper's"
    second = {line.split()[0]: line.split() for line in heart.splitlines() if "±" in line}
    assert list(second) == ["RkNN", "kNN"]
    assert second["RkNN"][1:8] == ["estimated", *second["RkNN"][2:5], ".8544", "±", ".0452"]
    assert second["kNN"][6:10] == [".8353", "±", ".0458", "w?"]
    assert [len(line.split()) for line in three.splitlines() if line.startswith("0.")] == [4] * 3
    data = protocol.binary(read_table(folder / "heart.npz"))
    table = protocol.neighbor_table(data)
    runs = [protocol.run_trial(data, table, trial, scoring="clean", rivals=()) for trial in range(10)]
    assert second["RkNN"][2] == f"{np.mean([run.accuracy[0, 0, 0] for run in runs]):.4f}".lstrip("0")


def test_rivals_are_told_the_rates_or_get_estimates(folder, capsys):
    output = folder / "rows.json"
    command = ["compare", "gao", str(folder / "heart.npz"), "--trials", "2", "--output", str(output)]
    assert __main__.main([*command, "--rival", "NHERD", "--rival", "LD-KSVM"]) == 0
    printed = capsys.readouterr().out
    assert "Rates: true where a rule is told p1 and p0" in printed
    lines = [line.split() for line in printed.splitlines() if "±" in line]
    columns = [("RkNN", "estimated"), ("kNN", "none"), ("NHERD", "none"), ("LD-KSVM", "true"), ("LD-KSVM", "estimated")]
    assert [(rule, rates) for rule, rates, *_ in lines] == columns
    assert [line.count("±") for line in lines] == [6, 6, 6, 6, 3], "the paper has no estimated rates"
    rows = json.loads(output.read_text())
    assert [(row["rule"], row["rates"]) for row in rows] == columns * 3
    assert [row["rule"] for row in rows if row["k_noise"] is not None] == ["RkNN"] * 3
    summary = printed.split("RkNN against each rule")[1].splitlines()
    assert [line.split("  ")[1] for line in summary[1:]] == [
        "kNN",
        "NHERD",
        "LD-KSVM, true rates",
        "LD-KSVM, estimated rates",
    ]
    assert all(sum(map(int, count.split("/"))) == 3 for line in summary[1:] for count in line.split()[-2:])
    sentence = "rivals are IR-KSVM, IR-LLog, LD-KSVM, UE-LLog, AROW, NHERD, got 'SVM'"
    assert error(capsys, folder, "--rival", "SVM") == sentence


def test_bad_files_are_named_and_the_others_run(folder, capsys):
    """All files are read before the first is run, so a bad one costs no result."""
    np.savez(folder / "few.npz", X=np.eye(8)[:, :3], y=np.arange(8) % 2)
    (folder / "price.csv").write_text("a,b,price\n" + "".join(f"{i / 7},{i % 5},{i}\n" for i in range(60)))
    assert __main__.main(["compare", "gao", str(folder), *FAST]) == 1
    printed = capsys.readouterr().out
    assert "heart: 60 rows" in printed
    refused = [
        "not read: few has too few rows: inner training parts of 4 cannot have 5 others",
        "not read: price.csv: the label is in doubt, since the last column, 'price', holds 60 different values in "
        "60 rows; give label, the column's name or number",
    ]
    assert printed.splitlines()[-2:] == refused
    assert printed.index(refused[0]) < printed.index("heart: 60 rows"), "before the first is run, too"


def error(capsys, *command, protocol="gao"):
    """The error message of a command that fails."""
    with pytest.raises(SystemExit) as ended:
        __main__.main(["compare", protocol, *map(str, command)])
    assert ended.value.code == 2
    return capsys.readouterr().err.strip().splitlines()[-1].removeprefix("python -m knnviz: error: ")


def test_mistakes_end_with_a_sentence(folder, capsys):
    empty = folder / "empty"
    empty.mkdir()
    assert error(capsys, empty) == f"the folder {str(empty)!r} holds no file that ends in .csv, .data, .npz, .tsv"
    assert error(capsys, folder / "no") == f"there is no file or folder {str(folder / 'no')!r}"
    assert error(capsys, folder, "--trials", 1) == "trials must be at least 2, got 1"
    assert error(capsys, folder, "--output", "rows.txt") == "the output must end in .csv or .json, got 'rows.txt'"
    heart = folder / "heart.npz"
    assert error(capsys, heart, "--positive", "no") == "heart has no class 'no'; its classes are absent, present"
    assert error(capsys, heart, "--positive", "absent", "--positive", "present") == "all classes of heart are positive"
    assert error(capsys, heart, "--jobs", 0).startswith("jobs must be between 1 and ")
    mine = folder / "three.csv"
    sentence = f"{str(mine)!r} is there and no output of a comparison; name another file"
    assert error(capsys, mine, "--output", mine) == sentence
    assert error(capsys, mine, "--drop", "kid") == "three.csv: there is no feature 'kid'; the table has height, width"
    (empty / "one.npz").write_text("no archive")
    assert error(capsys, empty).startswith("one.npz is not a NumPy archive")


@pytest.mark.parametrize("ending", [".csv", ".json"])
def test_results_are_kept_and_a_stopped_run_goes_on(folder, capsys, monkeypatch, ending):
    output, ran = folder / f"rows{ending}", []
    command = ["compare", "gao", str(folder / "heart.npz"), str(folder / "three.csv"), "--trials", "4", *NO_RIVALS]
    command += ["--output", str(output)]
    trial = GaoComparison.trial

    def interrupted(self, data, prepared, number):
        if len(ran) == 3:
            raise KeyboardInterrupt
        ran.append((data.name, number))
        return trial(self, data, prepared, number)

    monkeypatch.setattr(GaoComparison, "trial", interrupted)
    assert __main__.main(command) == 130
    assert "stopped after 3 of 4 trials" in capsys.readouterr().out
    ran.clear()
    monkeypatch.setattr(GaoComparison, "trial", lambda self, *given: ran.append(given[2]) or trial(self, *given))
    assert __main__.main(command) == 0
    resumed = capsys.readouterr().out
    assert ran == [3, 0, 1, 2, 3], "only what was left"
    kept = output.read_text()
    output.with_suffix(ending + ".trials").write_text("")
    assert __main__.main(command) == 0
    assert (capsys.readouterr().out, output.read_text()) == (resumed, kept)
    ran.clear()
    assert __main__.main([*command, "--seed", "1"]) == 0
    assert len(ran) == 8, "other settings start anew"
    rows = list(csv.DictReader(kept.splitlines())) if ending == ".csv" else json.loads(kept)
    assert [row["data"] for row in rows] == ["heart"] * 6 + ["three"] * 6
    assert {str(row["trials"]) for row in rows} == {"4"}
    assert 0 < float(rows[0]["accuracy"]) < 1


def test_options_reach_the_protocol_and_the_file(folder, capsys):
    path = folder / "three.csv"
    first = path.read_text().splitlines()
    path.write_text("\n".join(["id," + first[0], *(f"{i},{line}" for i, line in enumerate(first[1:]))]))
    command = ["compare", "gao", str(path), *FAST, "--label", "1", "--drop", "id", "--positive", "x", "--positive", "z"]
    assert __main__.main([*command, "--jobs", "2"]) == 0
    assert "three: 40 rows, 2 features; class 1: x + z; class 0: y" in capsys.readouterr().out


def test_class_weights_by_the_protocol_of_khim(folder, capsys):
    output = folder / "rows.csv"
    command = ["compare", "khim", "--trials", "2", "--neighbors", "7", str(folder)]
    assert __main__.main([*command, "--output", str(output)]) == 0
    printed = capsys.readouterr().out
    described = "heart: 60 rows, 3 features, 2 classes; 36 training, 12 development and 12 test rows; k = 7"
    assert described in printed
    assert "paper" not in printed
    rows = list(csv.DictReader(output.read_text().splitlines()))
    rules = ["unweighted", "greedy", "greedy, backwards", "grid", "linear", "linear, balanced"]
    assert [(row["data"], row["rule"]) for row in rows] == [
        (name, rule) for name in ("heart", "three") for rule in rules
    ]
    assert [row["q_present"] for row in rows[:6]] != [row["q_x"] for row in rows[:6]]
    shown = [line for line in printed.splitlines() if "±" in line]
    assert shown[1].split() == [
        "greedy",
        *(text for name in ("f1_dev", "f1_test") for text in mean_and_error(rows[1], name)),
    ]
    assert printed.count("Mean weights") == 2
    gains = [float(rows[i + 1]["f1_test"]) - float(rows[i]["f1_test"]) for i in (0, 6)]
    assert f"  greedy            {np.mean(gains):+.3f}  {np.sum(np.array(gains) > 0)} of 2" in printed
    assert __main__.main([*command[:-1], "--shift", "--raw", str(folder / "heart.npz")]) == 0
    assert "compare positions from 0 with labels from 1" in capsys.readouterr().out
    sentence = "heart: neighbors must be at most 36, the training rows, got 37"
    assert error(capsys, folder / "heart.npz", "--neighbors", 37, protocol="khim") == sentence
    (folder / "two.csv").write_text("height,width,kind\n" + "1.5,2,x\n2.5,3,x\n" * 5 + "3.5,4,y\n")
    sentence = "two: each class needs 6 of the 11 rows, for one in each part; y has 1"
    assert error(capsys, folder / "two.csv", protocol="khim") == sentence


def mean_and_error(row, name):
    return f"{float(row[name]):.3f}", "±", f"{float(row[f'{name}_se']):.3f}"


def test_what_the_paper_has_stands_beside_a_table_like_covertype(tmp_path, capsys):
    rng = np.random.default_rng(0)
    np.savez(tmp_path / "any.npz", X=rng.random((140, 54)), y=np.arange(140) % 7)
    assert __main__.main(["compare", "khim", str(tmp_path), "--trials", "2"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "±" in line]
    wanted = [["0.054", "0.072"], ["0.134", "0.144"], ["0.17", "0.072"], ["0.467", "0.242"]]
    assert [line.split()[7:] for line in lines if "," not in line] == wanted


def test_bags_by_the_protocol_of_errandonea(folder, capsys):
    rng = np.random.default_rng(1)
    y = np.arange(160) % 3
    X, S = rng.normal(0, 1, (160, 2)) + 3 * y[:, None], (rng.random((160, 3)) < 0.3) | np.eye(3, dtype=bool)[y]
    np.savez(folder / "bags.npz", X=X, S=S, y=y)
    command = ["compare", "errandonea", str(folder / "bags.npz"), "--trials", "2", "--rival", "CLPL", "--most", "20"]
    output = folder / "rows.json"
    assert __main__.main([*command, "--noise", "0.1", "--noise", "0.5", "--output", str(output)]) == 0
    assert "bags: 160 rows, 2 features, 3 classes" in capsys.readouterr().out
    rows = json.loads(output.read_text())
    rules = ["PL A-kNN", "A-kNN", "10-NN", "best k", "CLPL"]
    assert [(row["nu"], row["rule"]) for row in rows] == [(nu, rule) for nu in (0.1, 0.5) for rule in rules]
    protocol = ErrandoneaComparison((0.1, 0.5), most=20, rivals=("CLPL",))
    held = protocol.read(protocol.open(folder / "bags.npz"))
    trials = [protocol.trial(held, None, number) for number in range(2)]
    assert rows == json.loads(json.dumps(protocol.rows(held, trials)))
    sentence = "heart.npz has no array 'S'; it holds X, y, class_names"
    assert error(capsys, folder / "heart.npz", protocol="errandonea") == sentence
    assert error(capsys, folder, "--openml", "iris", protocol="errandonea") == "unrecognized arguments: --openml iris"


def test_what_a_call_from_python_refuses(folder):
    sentence = "no protocol is named 'dice'; there are errandonea, errandonea-images, gao, khim"
    refuses(sentence, compare.compare, "dice", [folder])
    refuses("errandonea reads no sets of OpenML", compare.compare, "errandonea", openml=["iris"])


def test_a_table_without_enough_of_a_class_is_named_and_the_others_run(folder, capsys):
    (folder / "rare.csv").write_text("height,width,kind\n" + "1.5,2,x\n2.5,3,x\n" * 20 + "3.5,4,y\n")
    assert __main__.main(["compare", "khim", str(folder), "--trials", "2"]) == 1
    printed = capsys.readouterr().out
    assert "not read: rare: each class needs 6 of the 41 rows" in printed
    assert "three: 40 rows" in printed


def test_two_files_of_one_name(folder):
    (folder / "heart.csv").write_text((folder / "three.csv").read_text())
    files = compare.read(GaoComparison(), compare.files_of([folder]))
    assert files.refused == ["heart.npz: another table is called heart"]


@pytest.fixture
def openml(monkeypatch, tmp_path):
    return Answers.instead(monkeypatch, tmp_path / "cache")


def make(openml, name, n, d, version=1):
    """A set of OpenML's with n rows of d features in two classes."""
    X = np.random.default_rng(0).random((n, d)).round(4)
    rows = [(*row, "present" if row[0] > 0.5 else "absent") for row in X.tolist()]
    openml.make(name, {f"x{i}": "numeric" for i in range(d)} | {"class": "nominal"}, rows, version=version)


def test_a_set_of_the_paper_s_from_openml_beside_a_file(folder, openml, capsys):
    make(openml, "heart-statlog", 270, 13)
    assert __main__.main(["compare", "gao", "--openml", "heart", str(folder / "three.csv"), *FAST]) == 0
    printed = capsys.readouterr().out
    assert "heart: 270 rows, 13 features; class 1: present; class 0: absent\n" in printed
    assert "  OpenML: heart-statlog, version 1\n  label: 'class', the target, 2 classes\n" in printed
    *_, robust = (line.split() for line in printed.splitlines() if line.split()[:1] == ["RkNN"] and "±" in line)
    paper = {(row["data"], row["rule"], row["p1"]): row for row in published("gao_tables")["table_2"]}
    wanted = [paper["heart", "RkNN", p1]["accuracy"] for p1 in (0.1, 0.3, 0.4)]
    assert list(map(float, robust[5::6])) == wanted
    assert "three: 40 rows" in printed


def test_another_version_is_no_set_of_the_paper_s(openml, capsys):
    make(openml, "segment", 60, 3, version=2)
    for name in ("segment:2", "Segment"):
        assert __main__.main(["compare", "gao", "--openml", name, *FAST]) == 0
        printed = capsys.readouterr().out
        assert f"{name.removesuffix(':2')}:2: 60 rows, 3 features; class 1: present; class 0: absent\n" in printed
        assert "paper" not in printed


def test_sets_that_cannot_be_had_are_named_and_the_others_run(folder, openml, capsys, monkeypatch):
    monkeypatch.setitem(paper_sets.KNOWN, "heart", ("iris", 1, 2))
    openml.keep(61)
    sets = [text for name in ("heart", "nosuch", "iris", "iris:1") for text in ("--openml", name)]
    assert __main__.main(["compare", "gao", str(folder / "three.csv"), *sets, *FAST]) == 1
    printed = capsys.readouterr().out
    assert "three: 40 rows" in printed
    assert "iris:1: 150 rows, 4 features" in printed
    assert printed.splitlines()[-3:] == [
        "not read: heart: OpenML's iris, version 1, has 150 rows of 4 features in 3 classes, the paper's set 270 rows "
        "of 13 features in 2 classes",
        "not read: nosuch: it could not be downloaded from OpenML: No active dataset nosuch found",
        "not read: iris:1: another table is called iris:1",
    ]


def test_mistakes_in_what_is_compared_are_refused_before_a_download(folder, openml, capsys):
    assert error(capsys) == "there is nothing to compare on; name a file, a folder or a set of OpenML"
    form = "a set of OpenML is NAME or NAME:VERSION with a whole number from 1, got 'NAME:x'"
    assert error(capsys, "--openml", "heart", "--openml", "NAME:x") == form
    assert error(capsys, "--openml", "heart", folder / "no") == f"there is no file or folder {str(folder / 'no')!r}"
    assert error(capsys, "--openml", "heart", "--no") == "unrecognized arguments: --no"
    assert openml.asked == []
    sentence = "heart: it could not be downloaded from OpenML: Dataset heart-statlog with version 1 not found"
    assert error(capsys, "--openml", "heart") == sentence


def test_trials_on_a_set_of_openml_are_kept(folder, openml, capsys, monkeypatch):
    make(openml, "mine", 60, 3)
    command = ["compare", "gao", "--openml", "mine", *FAST, "--output", str(folder / "rows.json")]
    assert __main__.main(command) == 0
    printed = capsys.readouterr().out
    monkeypatch.setattr(GaoComparison, "trial", lambda *given: pytest.fail("all trials are there"))
    assert __main__.main(command) == 0
    assert capsys.readouterr().out == printed
    assert {row["data"] for row in json.loads((folder / "rows.json").read_text())} == {"mine:1"}
