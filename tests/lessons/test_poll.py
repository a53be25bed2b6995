"""A poll of a class: it counts the answers of thirty files, names bad files, and names no student."""

import csv
import errno
import io
import json
import time
from collections import Counter
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from bs4 import BeautifulSoup

from knnviz import __main__
from knnviz.classroom import poll
from knnviz.classroom.poll_page import page, table
from knnviz.lessons import answers, check, content, predict, quiz, record
from knnviz.lessons.card import Card
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
    found = poll.poll(folder)
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
    rng, possible = np.random.default_rng(0), poll.possible_answers()
    made = [
        {kind: {name: str(rng.choice(chosen)) for name, chosen in known.items()} for kind, known in possible.items()}
        for _ in range(20)
    ]
    for at, each in enumerate(made):
        saved(tmp_path, at, **each)
    found = poll.poll(tmp_path)
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
    found = poll.poll(folder)
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
    "empty": (b"", "it is not JSON from line 1 on"),
    "picture": (b"\x89PNG\r\n\x1a\n\xff\xfe", "it is not text in UTF-8"),
    "list": (b"[1, 2]", "it is not a JSON object"),
    "nested": (b'{"predictions":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
    "huge": (b'{"predictions": "' + b"x" * 2_000_000 + b'"}', "at most 1,000,000 bytes"),
    "numbers": (b'{"predictions": {"wide-ball": 1e400}, "quizzes": {}, "exercises": {}}', "has no answer 'inf'"),
    "digits": (b'{"predictions": ' + b"9" * 5000 + b"}", "a number is too long"),
    "other lesson": (b'{"predictions": {"no-such": "x"}, "quizzes": {}, "exercises": {}}', "has 'no-such' among"),
    "missing": (b'{"predictions": {}, "quizzes": {}}', 'it has no "exercises"'),
    "markup": (
        b'{"predictions": {"wide-ball": "<script>alert(1)</script>"}, "quizzes": {}, "exercises": {}}',
        "'wide-ball' has no answer",
    ),
    "terminal": (b'{"predictions": {"\\u001b[2J": ""}, "quizzes": {}, "exercises": {}}', r"'\x1b[2J'"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_named_and_the_others_count(folder, name):
    content, sentence = BAD[name]
    (folder / "bad.json").write_bytes(content)
    found = poll.poll(folder)
    assert found.files == 30
    [skipped] = found.skipped
    assert skipped.startswith("bad.json is left out: ")
    assert sentence in skipped
    assert len(skipped) < 200
    assert "bad.json" not in page(found)


def test_folders_links_and_secrets_are_no_files_of_answers(folder):
    (folder / "folder.json").mkdir()
    (folder / "nowhere.json").symlink_to(folder / "gone")
    (folder / "notes.txt").write_text("not asked")
    (folder / ".late.json.part").write_text("{")
    (folder / "UPPER.JSON").write_bytes((folder / "student-0.json").read_bytes())
    found = poll.poll(folder)
    assert found.files == 31
    assert found.skipped == (
        "folder.json is left out: it is a folder",
        "notes.txt is left out: its name does not end in .json",
        "nowhere.json is left out: it is not a file of at most 1,000,000 bytes",
    )


def test_the_command(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (folder / "bad.json").write_text("{")
    assert __main__.main(["poll", str(folder)]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0] == "bad.json is left out: it is not JSON from line 1 on"
    assert "30 files of answers are in poll.html and poll.csv" in printed
    assert Path("poll.html").read_text() == page(poll.poll(folder))
    (folder / "page.html").mkdir()
    for words, sentence in (
        (["nowhere"], "there is no folder nowhere"),
        ([str(folder), "--output", "poll.csv"], "--output must end in .html, got poll.csv"),
        ([str(folder), "--output", str(folder / "page.html")], "page.html cannot be written (Is a directory)"),
    ):
        with pytest.raises(SystemExit):
            __main__.main(["poll", *words])
        assert sentence in capsys.readouterr().err
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
    assert printed[1] == f"there is no folder {folder}; trying again"
    assert printed[2].startswith("32 files of answers are in ")
    assert "http-equiv" not in (tmp_path / "poll.html").read_text(), "a page that nobody watches stays as it is"


# Answers that go into the folder of a class by themselves.


@pytest.fixture
def class_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(record.ANSWERS, str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("shown")
def test_each_answer_is_handed_in(fresh, class_folder):
    predict(NAME)
    Card.live[f"prediction {NAME}"].answer(WRONG)
    quiz("01-nearest-neighbors")
    Card.live["quiz 01-nearest-neighbors"].answer(None, 1)
    check("bayes-risk", 0.5)
    [path] = class_folder.iterdir()
    assert path.read_text() == fresh.text()
    found = poll.poll(class_folder)
    assert found.questions[0].total == 1
    assert found.lessons[0].exercises["bayes-risk"]["not yet"] == 1


def test_a_full_disk_is_a_sentence_and_nothing_is_lost(fresh, class_folder, shown, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    check("bayes-risk", 0.5)
    before = [path.read_text() for path in class_folder.iterdir()]
    monkeypatch.setattr(Path, "write_text", full)
    check("bayes-risk", 0.5)
    assert [path.read_text() for path in class_folder.iterdir()] == before
    texts = [each["text/plain"] for each in shown(answers)]
    assert any("not in the folder of the class (No space left on device)" in each for each in texts)
    monkeypatch.undo()
    assert fresh.misses["bayes-risk"] == 2


def test_a_reader_beside_writers_finds_whole_files(tmp_path, monkeypatch):
    monkeypatch.setenv(record.ANSWERS, str(tmp_path))
    mine = record.Record(predictions={NAME: WRONG})
    mine.hand_in()
    writer = Thread(target=lambda: [mine.hand_in() for _ in range(200)])
    writer.start()
    while writer.is_alive():
        assert (poll.poll(tmp_path).files, poll.poll(tmp_path).skipped) == (1, ())
    writer.join()
