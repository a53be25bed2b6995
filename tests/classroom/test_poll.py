"""A poll of a class: it counts the answers of thirty files, names bad files, and names no student."""

import csv
import io
import json
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup

from knnviz import __main__
from knnviz.classroom.answers import Poll, possible_answers
from knnviz.classroom.poll import page, table
from knnviz.lessons import content, record
from knnviz.lessons.predictions import shuffled

NAME = "wide-ball"
ASKED = content.predictions()[NAME]
WRONG, OTHER = ASKED.wrong


def saved(folder, name, **kinds):
    text = json.dumps({"predictions": {}, "quizzes": {}, "exercises": {}, "misses": {}} | kinds)
    (folder / f"{name}.json").write_text(text)


@pytest.fixture
def folder(tmp_path):
    """Thirty students: twelve are right, ten chose one wrong answer, three the other, five none."""
    (tmp_path / "answers").mkdir()
    chosen = [ASKED.answer] * 12 + [WRONG] * 10 + [OTHER] * 3 + [record.NO_PREDICTION] * 5
    states = ["correct"] * 6 + ["not yet"] * 2 + ["not attempted"] * 22
    for at, (choice, state) in enumerate(zip(chosen, states, strict=True)):
        saved(tmp_path / "answers", f"student-{at}", predictions={NAME: choice}, exercises={"bayes-risk": state})
    return tmp_path / "answers"


def test_thirty_files(folder):
    found = Poll.from_folder(folder)
    assert (found.files, found.skipped) == (30, ())
    [lesson] = found.lessons
    assert lesson.exercises == {"bayes-risk": {"correct": 6, "not yet": 2, "not attempted": 22}}
    [question] = found.questions
    assert (question.kind, question.name, question.total) == ("prediction", NAME, 25)
    assert {each.text: (each.count, each.is_right) for each in question.choices} == {
        ASKED.answer: (12, True),
        WRONG: (10, False),
        OTHER: (3, False),
    }


def test_counts_are_those_of_a_plain_count(tmp_path):
    """Random answers to everything that can be asked."""
    rng, possible = np.random.default_rng(0), possible_answers()
    made = [
        {kind: {name: str(rng.choice(chosen)) for name, chosen in known.items()} for kind, known in possible.items()}
        for _ in range(20)
    ]
    for at, each in enumerate(made):
        saved(tmp_path, at, **each)
    found = Poll.from_folder(tmp_path)
    names = [question.name for question in found.questions]
    assert sorted(names) == sorted([*possible["predictions"], *possible["quizzes"]])
    for question in found.questions:
        kind = {"prediction": "predictions", "quiz": "quizzes"}[question.kind]
        for choice in question.choices:
            assert choice.count == sum(each[kind][question.name] == choice.text for each in made)
    states = {name: counts for lesson in found.lessons for name, counts in lesson.exercises.items()}
    assert states.keys() == possible["exercises"].keys()
    for name, counts in states.items():
        assert Counter(counts) == Counter(each["exercises"][name] for each in made)


def test_the_page_and_the_table_have_the_same_counts_and_no_name(folder):
    found = Poll.from_folder(folder)
    soup = BeautifulSoup(page(found), "html.parser")
    [question] = soup.select(".question")
    assert question.summary.text == f"{ASKED.question} Prediction, 25 of 30 answered"
    shown = {row.th.text: row.find_all("td")[1].text for row in question.select("tr")}
    assert shown == {ASKED.answer: "12 of 25, 48%", WRONG: "10 of 25, 40%", OTHER: "3 of 25, 12%"}
    assert {each["style"] for each in question.select("td div")} == {"width:48%", "width:40%", "width:12%"}
    assert [row.th.text for row in question.select("tr")] == shuffled(NAME, ASKED.choices), "as in the lesson"
    assert [row.th.text for row in question.select("tr.right")] == [ASKED.answer]
    assert ASKED.wrong[WRONG] in question.find("details").text
    assert [item.text.split(":")[0] for item in soup.select("#frequent li")] == ["10 of 25, 40%", "3 of 25, 12%"]
    assert "bayes-risk Of 30 who came to it: 2 not yet, 22 not attempted6 of 30 solved, 20%" in soup.text
    rows = list(csv.DictReader(io.StringIO(table(found))))
    assert {(row["choice"], row["answers"]) for row in rows[:3]} == {(ASKED.answer, "12"), (WRONG, "10"), (OTHER, "3")}
    lesson = "01-nearest-neighbors"
    assert {(row["lesson"], row["question"]) for row in rows[:3]} == {(lesson, ASKED.question)}
    solved = [lesson, "exercise", "bayes-risk", "", "correct", "True", "6", "0.200", ""]
    assert rows[3] == dict(zip(rows[0], solved, strict=True))
    assert "student" not in page(found).lower().replace("students", "")


BAD = {
    "picture": (b"\x89PNG\r\n\x1a\n\xff\xfe", "JSON in UTF-8"),
    "list": (b"[1, 2]", "not a JSON object"),
    "nested": (b'{"predictions":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "JSON in UTF-8"),
    "huge": (b'{"predictions": "' + b"x" * 2_000_000 + b'"}', "1,000,000 bytes"),
    "numbers": (b'{"predictions": {"wide-ball": 1e400}, "quizzes": {}, "exercises": {}}', "'inf'"),
    "digits": (b'{"predictions": ' + b"9" * 5000 + b"}", "JSON in UTF-8"),
    "other lesson": (b'{"predictions": {"no-such": "x"}, "quizzes": {}, "exercises": {}}', "'no-such'"),
    "missing": (b'{"predictions": {}, "quizzes": {}}', '"exercises"'),
    "terminal": (b'{"predictions": {"\\u001b[2J": ""}, "quizzes": {}, "exercises": {}}', r"'\x1b[2J'"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_named_and_the_others_count(folder, name):
    content, words = BAD[name]
    (folder / "bad.json").write_bytes(content)
    found = Poll.from_folder(folder)
    assert found.files == 30
    [skipped] = found.skipped
    assert skipped.startswith("bad.json is left out: ")
    assert words in skipped
    assert len(skipped) < 200
    assert "bad.json" not in page(found)


def test_folders_links_and_secrets_are_no_files_of_answers(folder):
    (folder / "folder.json").mkdir()
    (folder / "nowhere.json").symlink_to(folder / "gone")
    (folder / "notes.txt").write_text("not asked")
    (folder / ".late.json.part").write_text("{")
    (folder / "UPPER.JSON").write_bytes((folder / "student-0.json").read_bytes())
    found = Poll.from_folder(folder)
    assert found.files == 31
    assert [each.split()[0] for each in found.skipped] == ["folder.json", "notes.txt", "nowhere.json"]


def test_the_commands(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (folder / "bad.json").write_text("{")
    assert __main__.main(["poll", str(folder)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("bad.json is left out: ")
    assert "30 files of answers are in poll.html and poll.csv" in printed
    assert Path("poll.html").read_text() == page(Poll.from_folder(folder))
    (folder / "page.html").mkdir()
    for words, named in (
        (["poll", "nowhere"], "'nowhere'"),
        (["poll", str(folder), "--output", "poll.csv"], "got poll.csv"),
        (["poll", str(folder), "--output", str(folder / "page.html")], "page.html"),
        (["poll", str(folder), "--output", "away/poll.html"], "no folder away"),
        (["class", "nowhere.ipynb"], "nowhere.ipynb"),
        (["class", __file__, "--students", "0"], "--students must be at least 1, got 0"),
        (["class", __file__, "--port", "70000"], "got 70000"),
        (["warm", "--fast"], "--fast"),
    ):
        with pytest.raises(SystemExit):
            __main__.main(words)
        usage, *_, sentence = capsys.readouterr().err.splitlines()
        assert usage.startswith(f"usage: python -m knnviz {words[0]} ")
        assert named in sentence
    assert not list(folder.glob(".*")), "no part of a file stays behind"


def test_a_watched_page_follows_the_answers(folder, tmp_path, monkeypatch, capsys):
    """The wait between two looks is where answers come in, the folder is away for a while, and the lecturer stops."""
    away = folder.with_name("away")
    rounds = iter(
        [
            lambda: saved(folder, "late", predictions={NAME: OTHER}),
            lambda: folder.rename(away),
            lambda: None,
            lambda: saved(away.rename(folder), "last", predictions={NAME: OTHER}),
        ]
    )
    pages = []

    def wait(_):
        pages.append((tmp_path / "poll.html").read_text())
        act = next(rounds, None)
        if act is None:
            raise KeyboardInterrupt
        act()

    monkeypatch.setattr(time, "sleep", wait)
    assert __main__.main(["poll", str(folder), "--watch", "--output", str(tmp_path / "poll.html")]) == 0
    shown = [BeautifulSoup(each, "html.parser").select_one("#frequent li:last-child").text[:7] for each in pages]
    assert shown == ["3 of 25", "4 of 26", "4 of 26", "4 of 26", "5 of 27"]
    assert all('http-equiv="refresh"' in each and "as of " in each for each in pages)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].endswith(f"follows the answers in {folder}. Ctrl + C ends it.")
    assert str(folder) in printed[1]
    assert printed[1].endswith("; trying again")
    assert printed[2].startswith("32 files of answers are in ")
    assert "http-equiv" not in (tmp_path / "poll.html").read_text(), "a page that nobody watches stays as it is"
