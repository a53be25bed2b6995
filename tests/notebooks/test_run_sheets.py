"""Each lesson has a run sheet, which takes as long as the lesson says, and speaks of sections and steps that it has."""

import re

import pytest
from links import SHEETS
from make import NOTEBOOKS, close_readings, lessons
from test_lessons import calls

from knnviz.lessons import content


def minutes(path):
    """How long a notebook says that it takes."""
    return re.search(r"\*\*In (\d+) minutes", path.read_text())[1]


def test_close_readings_share_a_table():
    listed = re.findall(r"\]\(\.\./\.\./notebooks/(\S+)\) \| (\d+) minutes \|", (SHEETS / "index.md").read_text())
    assert listed == [(path.relative_to(NOTEBOOKS).as_posix(), minutes(path)) for path in close_readings()]


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_a_sheet_says_how_long_it_takes(path):
    assert f" {minutes(path)} minutes" in f" {(SHEETS / f'{path.stem[:2]}.md').read_text().splitlines()[2]}".lower()


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_scenes_are_steps_of_the_lesson(path):
    sections = re.split(r'"## (?=\d\. )', path.read_text())[1:]
    for number, step in re.findall(r"Section (\d), step (\d)", (SHEETS / f"{path.stem[:2]}.md").read_text()):
        (name,) = re.findall(r'steps=\\"([\w-]+)\\"', sections[int(number) - 1])
        assert int(step) <= len(content.steps_named(name)), (number, step)


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_questions_stand_in_the_order_of_the_lesson(path):
    assert [name for name, *_ in calls(path, "predict")] == list(content.chapters()[path.stem]["predictions"])
