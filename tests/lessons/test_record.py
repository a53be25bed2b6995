"""Answers go into the folder of a class by themselves, whole or with a sentence."""

import errno
from pathlib import Path
from threading import Thread

import pytest

from knnviz.classroom.answers import Poll
from knnviz.lessons import answers, check, content, predict, quiz, record
from knnviz.lessons.card import Card

NAME = "wide-ball"
[WRONG, _] = content.predictions()[NAME].wrong


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
    assert path.read_text("utf-8") == fresh.text()
    found = Poll.from_folder(class_folder)
    assert found.questions[0].total == 1
    assert found.lessons[0].exercises["bayes-risk"]["not yet"] == 1


def test_a_full_disk_is_a_sentence_and_nothing_is_lost(fresh, class_folder, shown, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    check("bayes-risk", 0.5)
    before = [path.read_text("utf-8") for path in class_folder.iterdir()]
    monkeypatch.setattr(Path, "write_text", full)
    check("bayes-risk", 0.5)
    assert [path.read_text("utf-8") for path in class_folder.iterdir()] == before
    texts = [each["text/plain"] for each in shown(answers)]
    assert any("not in the folder of the class (No space left on device)" in each for each in texts)
    monkeypatch.undo()
    assert fresh.misses["bayes-risk"] == 2


def test_a_reader_beside_writers_finds_whole_files(class_folder):
    mine = record.Record(predictions={NAME: WRONG})
    mine.hand_in()
    writer = Thread(target=lambda: [mine.hand_in() for _ in range(200)])
    writer.start()
    while writer.is_alive():
        found = Poll.from_folder(class_folder)
        assert (found.files, found.skipped) == (1, ())
    writer.join()
