"""A poll of a class: it counts the answers of thirty files, names bad files, and no student."""

import json
import socket
import time
from ast import literal_eval
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from knnviz import __main__
from knnviz.classroom.poll import KINDS, page, possible_choices, read_poll
from knnviz.lessons import content, record
from knnviz.lessons.check_ups import SURENESS

NAME = "wide-ball"
ASKED = content.predictions()[NAME]
WRONG, OTHER = ASKED.wrong
QUIZ = content.quizzes()["02-first-check"][0].answer


def saved(folder, name, **kinds):
    answers = {part: {} for part in KINDS} | {"misses": {}} | kinds
    (folder / f"{name}.json").write_text(json.dumps(answers), "utf-8")


@pytest.fixture
def folder(tmp_path):
    """Thirty students: twelve are right, ten chose one wrong answer, three the other, five none."""
    answers = tmp_path / "answers"
    answers.mkdir()
    chosen = [ASKED.answer] * 12 + [WRONG] * 10 + [OTHER] * 3 + [record.NO_PREDICTION] * 5
    states = ["correct"] * 6 + ["not yet"] * 2 + ["not attempted"] * 22
    for at, (choice, state) in enumerate(zip(chosen, states, strict=True)):
        given = {"predictions": {NAME: choice}, "exercises": {"bayes-risk": state}}
        saved(answers, f"student-{at}", **given)
    return answers


def test_thirty_students_are_counted_and_not_named(folder):
    table = read_poll(folder).table
    soup = BeautifulSoup(page(table), "html.parser")
    [asked] = soup.select(".question")
    assert asked.summary.text == f"{ASKED.question} Prediction, 25 of 30 answered"
    shown = {row.th.text: row.find_all("td")[1].text for row in asked.select("tr")}
    assert shown == {ASKED.answer: "12 of 25, 48%", WRONG: "10 of 25, 40%", OTHER: "3 of 25, 12%"}
    assert [row.th.text for row in asked.select("tr.right")] == [ASKED.answer]

    frequent = [item.text.split(":")[0] for item in soup.select("#frequent li")]
    assert frequent == ["10 of 25, 40%", "3 of 25, 12%"]
    assert "Of 30 who came to it: 2 not yet, 22 not attempted6 of 30 solved, 20%" in soup.text
    assert "student-" not in page(table)


def test_counts_are_those_of_a_plain_count(tmp_path):
    """Random answers to everything that can be asked."""
    rng = np.random.default_rng(0)
    part_of = {kind: part for part, kind in KINDS.items()}
    expected = Counter()
    for at in range(20):
        answers = {part: {} for part in KINDS}
        for (kind, name), choices in possible_choices().items():
            choice = str(rng.choice(choices))
            answers[part_of[kind]][name] = choice
            if choice not in (record.NO_PREDICTION, record.NOT_ANSWERED):
                expected[kind, name, choice] += 1
        saved(tmp_path, at, **answers)

    table = read_poll(tmp_path).table
    counted = table.set_index(["kind", "name", "choice"]).answers
    assert counted[counted > 0].to_dict() == expected


def test_students_are_those_of_a_lesson_and_an_exercise_that_nobody_tried_is_not_listed(tmp_path):
    """As in a folder of several classes."""
    for at in range(3):
        saved(tmp_path, at, predictions={NAME: WRONG}, exercises={"bayes-risk": "not attempted"})
    none = {"tied-tumors": record.NO_PREDICTION}
    saved(tmp_path, "other", predictions=none, quizzes={"02-first-check, 1": QUIZ})

    table = read_poll(tmp_path).table
    students = table.groupby("lesson").students.max().to_dict()
    assert students == {"01-nearest-neighbors": 3, "02-label-noise": 1}
    assert set(table.kind) == {"prediction", "quiz"}


def test_a_check_up_shows_both_times_side_by_side(tmp_path):
    """Of four students one is right before the lesson, and three of the four after it."""
    asked, *_ = content.check_ups()["02-second"]
    (wrong, _) = asked.wrong
    name = "02-second, 1"
    for at in range(4):
        before = asked.answer if at == 0 else wrong
        after = wrong if at == 1 else asked.answer
        given = {f"{name}, before": before, f"{name}, after": after}
        saved(tmp_path, at, check_ups={**given, "02-second, sure, after": SURENESS[0]})
    table = read_poll(tmp_path).table

    soup = BeautifulSoup(page(table), "html.parser")
    shown = {}
    for row in soup.select("tr:has(th):has(td)"):
        shown[row.th.text] = [each.text.strip() for each in row.select("td")]
    assert shown[f"✓ {asked.answer}"] == ["25%", "75%"]
    assert shown[wrong] == ["75%", "25%"]
    assert shown[SURENESS[0]] == ["not asked", "100%"]


def test_a_folder_without_answers_has_a_page(tmp_path):
    assert "No answers yet" in page(read_poll(tmp_path).table)


def test_markup_is_shown_as_text(folder):
    columns = ["name", "question", "choice", "because", "idea"]
    table = read_poll(folder).table.query("kind == 'prediction'")
    soup = BeautifulSoup(page(table.assign(**dict.fromkeys(columns, "<u>k"))), "html.parser")
    assert not soup.select("u")
    assert {cell.text for cell in soup.select("th")} == {"<u>k"}


#: Bad files, and what is named of each.
BAD = {
    "picture.json": (b"\x89PNG\r\n\x1a\n\xff\xfe", "JSON"),
    "list.json": (b"[1, 2]", "JSON object"),
    "nested.json": (b'{"predictions":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "JSON"),
    "huge.json": (b'{"predictions": "' + b"x" * 2_000_000 + b'"}', "1,000,000 bytes"),
    "numbers.json": (b'{"predictions": {"wide-ball": 1e400}}', "'inf'"),
    "other.json": (b'{"predictions": {"no-such": "x"}}', "'no-such'"),
    "missing.json": (b'{"predictions": {}, "quizzes": {}, "check_ups": {}}', '"exercises"'),
    "terminal.json": (b'{"predictions": {"\\u001b[2J": ""}}', r"'\x1b[2J'"),
    "notes.txt": (b"not asked", ".json"),
    "red\x1b[31m.json": (b"", r"'red\x1b[31m.json'"),
}


def test_bad_files_are_named_and_the_others_count(folder):
    for name, (written, _) in BAD.items():
        (folder / name).write_bytes(written)
    (folder / "folder.json").mkdir()
    (folder / "nowhere.json").symlink_to(folder / "gone")
    (folder / ".late.json.part").write_text("{", "utf-8")
    found = read_poll(folder)
    assert found.files == 30
    said = {literal_eval(sentence.split()[0]): sentence for sentence in found.skipped}
    assert said.keys() == BAD.keys() | {"folder.json", "nowhere.json"}
    for name, (_, words) in BAD.items():
        assert words in said[name]
        assert len(said[name]) < 200
    assert not any(name in page(found.table) for name in said)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("poll nowhere", "'nowhere'"),
        ("poll . --output poll.csv", "poll.csv"),
        ("class nowhere.ipynb", "nowhere.ipynb"),
        (f"class {__file__} --students 0", "--students must be at least 1, got 0"),
        (f"class {__file__}", "test_poll.py is no notebook"),
        ("warm --fast", "--fast"),
    ],
)
def test_a_command_names_what_it_refuses(words, named, capsys):
    with pytest.raises(SystemExit):
        __main__.main(words.split())
    assert named in capsys.readouterr().err.splitlines()[-1]


def test_a_port_of_another_program_is_refused(capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        command = ["class", "notebooks/00-start-here.ipynb", "--address=127.0.0.1"]
        with pytest.raises(SystemExit):
            __main__.main([*command, f"--port={port}"])
    assert f"port {port} cannot be opened: Address already in use" in capsys.readouterr().err


def test_a_watched_page_follows_the_answers(folder, tmp_path, monkeypatch, capsys):
    """The wait between two looks is where answers come in, the folder is away for a while, and the
    lecturer stops.
    """
    output = tmp_path / "poll.html"
    away = folder.with_name("away")
    pages = []

    def wait(_):
        pages.append(output.read_text("utf-8"))
        if len(pages) == 1:
            saved(folder, "late", predictions={NAME: OTHER})
        elif len(pages) == 2:
            folder.rename(away)
        elif len(pages) == 3:
            saved(away.rename(folder), "last", predictions={NAME: OTHER})
        else:
            raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", wait)
    assert __main__.main(["poll", str(folder), "--watch", "--output", str(output)]) == 0

    soups = [BeautifulSoup(each, "html.parser") for each in pages]
    shown = [soup.select_one("#frequent li:last-child").text[:7] for soup in soups]
    assert shown == ["3 of 25", "4 of 26", "4 of 26", "5 of 27"]
    assert all('http-equiv="refresh"' in each for each in pages)
    assert f"{folder}'; trying again" in capsys.readouterr().out
    unwatched = page(read_poll(folder).table)
    assert output.read_text("utf-8") == unwatched, "a page that nobody watches does not load again"

    table = output.with_suffix(".csv")
    assert table.read_bytes().startswith(b"\xef\xbb\xbf"), "Excel takes it for another encoding"
    rows = pd.read_csv(table).set_index("choice")
    assert rows.answers[[ASKED.answer, WRONG, OTHER]].to_list() == [12, 10, 5]
    assert rows.right[[ASKED.answer, WRONG]].to_list() == [True, False]
