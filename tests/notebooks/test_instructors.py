"""The guide for instructors speaks of every notebook, of every prediction with its answer, and of every exercise."""

import re
from pathlib import Path

import pytest
from make import NOTEBOOKS, close_readings, lessons
from test_lessons import calls

from knnviz.lessons import content

GUIDE = (Path(__file__).parents[2] / "INSTRUCTORS.md").read_text()
SECTIONS = dict(re.findall(r"^## (\d\S+)\n(.*?)(?=^## |\Z)", GUIDE, re.MULTILINE | re.DOTALL))


def minutes(path):
    """How long a notebook says that it takes."""
    return re.search(r"\*\*In (\d+) minutes", path.read_text())[1]


def test_every_lesson_has_a_section():
    assert list(SECTIONS) == [path.stem for path in lessons()]


def test_close_readings_share_one():
    section = re.search(r"^## Close readings\n(.*?)(?=^## |\Z)", GUIDE, re.MULTILINE | re.DOTALL)[1]
    listed = re.findall(r"^\| `(\S+)` \| (\d+) minutes \|", section, re.MULTILINE)
    assert listed == [(path.relative_to(NOTEBOOKS).as_posix(), minutes(path)) for path in close_readings()]


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_a_section_names_every_prediction_and_exercise(path):
    section = SECTIONS[path.stem]
    for name, *_ in calls(path, "predict"):
        assert re.search(rf"\b{name}\b", section), name
        assert content.predictions()[name].answer in section
    for name, *_ in calls(path, "check"):
        assert f"*{name}*" in section, name


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_a_section_says_how_long_it_takes(path):
    assert f"| alone | {minutes(path)} minutes" in SECTIONS[path.stem]
