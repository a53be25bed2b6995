"""Answers go into a student's file by themselves, whole or with a sentence, and come back."""

import errno
from pathlib import Path
from threading import Thread

import pytest

from knnviz.classroom.poll import read_poll
from knnviz.lessons import content, explain, predict, quiz, record
from knnviz.lessons.card import Card, keep_in

NAME = "wide-ball"
QUIZ = "01-first-check"
[WRONG, OTHER] = content.predictions()[NAME].wrong


def answer(card, choice, question=0):
    """Choose as a page does: what it sends, once JSON has carried it."""
    index = None
    if choice is not None:
        index = [*card.asked[question].choices].index(choice)
    press(card, {"question": question, "choice": index})


def press(card, message):
    """Hand a page's message to a card."""
    card._handle_msg({"content": {"data": {"method": "custom", "content": message}}, "buffers": []})


def closed(card):
    return [not each.get("open") for each in card.revealed]


@pytest.fixture
def page(renew, shown):
    """A page of the lesson that was run before it was opened, for a student with this file."""

    def opened(file):
        renew()
        for tell in (predict, explain):
            tell(NAME)
        quiz(QUIZ)

        before = list(file.parent.iterdir())
        keep_in(str(file))
        assert list(file.parent.iterdir()) == before, "a student who has answered nothing counts"
        names = {"prediction": NAME, "explanation": NAME, "quiz": QUIZ}
        return {kind: Card.live[f"{kind} {names[kind]}"] for kind in names}

    return opened


def told(page):
    return [each for card in page.values() for each in card.revealed]


def answered(found):
    return found.table.query("answers > 0")


def test_each_answer_is_in_the_file_and_comes_back_on_the_next_page(page, tmp_path):
    first = page(tmp_path / "student.json")
    answer(first["prediction"], WRONG)
    answer(first["quiz"], None, 1)
    question = content.quizzes()[QUIZ][0]
    [mistake, _] = question.wrong
    answer(first["quiz"], mistake)

    second = page(tmp_path / "student.json")
    assert told(second) == told(first)
    assert closed(second["explanation"]) == [False]
    assert closed(second["quiz"])[:3] == [False, True, False]
    answer(second["prediction"], OTHER)
    press(second["explanation"], {"question": 0, "step": True})
    answer(second["quiz"], question.answer)

    third = page(tmp_path / "student.json")
    assert told(third) == told(second)
    assert closed(third["explanation"]) == [True], "what was earned"
    assert third["quiz"].revealed[0]["told"][0] == "Correct."
    found = read_poll(tmp_path)
    assert found.files == 1
    assert answered(found).choice.to_list() == [WRONG, mistake], "the first answers stay"
    other = page(tmp_path / "other.json")
    assert not any(map(any, map(closed, other.values()))), "answers of another student"


def test_pages_of_one_student_keep_what_was_answered_on_each(tmp_path):
    one, other = [record.Record(file=tmp_path / "student.json") for _ in range(2)]
    right = content.quizzes()[QUIZ][0].answer
    one.record_choice(one.predictions, NAME, WRONG)
    other.record_choice(other.quizzes, f"{QUIZ}, 1", right)
    other.record_choice(other.predictions, NAME, OTHER)
    one.record_choice(one.quizzes, f"{QUIZ}, 2", None)
    kinds = answered(read_poll(tmp_path)).kind
    assert kinds.to_list() == ["prediction", "quiz"]
    assert one.predictions == other.predictions == {NAME: WRONG}


def test_a_full_disk_is_a_sentence_and_nothing_is_lost(page, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    cards = page(tmp_path / "student.json")
    answer(cards["quiz"], None, 1)
    before = (tmp_path / "student.json").read_text("utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        answer(cards["prediction"], WRONG)
    *_, last = cards["prediction"].revealed[0]["told"]
    assert "No space left on device" in last
    assert not cards["quiz"].revealed[2]["told"], "said where something was answered"
    assert [path.read_text("utf-8") for path in tmp_path.iterdir()] == [before]

    answer(cards["quiz"], None, 2)
    found = read_poll(tmp_path)
    assert answered(found).choice.to_list() == [WRONG]


def test_a_reader_beside_writers_finds_whole_files(tmp_path):
    mine = record.Record(file=tmp_path / "student.json")

    def write():
        mine.record_choice(mine.predictions, NAME, WRONG)

    write()
    writer = Thread(target=lambda: [write() for _ in range(200)])
    writer.start()
    while writer.is_alive():
        found = read_poll(tmp_path)
        assert found.files == 1
        assert found.skipped == []
    writer.join()
