"""The guide for instructors speaks of every notebook, of every prediction with its answer, and of every exercise."""

import re
from pathlib import Path

import pytest
from test_lessons import calls, every

from knnviz.lessons import book

GUIDE = (Path(__file__).parents[2] / "INSTRUCTORS.md").read_text()
SECTIONS = dict(re.findall(r"^## (\d\S+)\n(.*?)(?=^## |\Z)", GUIDE, re.MULTILINE | re.DOTALL))


def test_every_notebook_has_a_section():
    assert list(SECTIONS) == [path.stem for path in every()]


@pytest.mark.parametrize("path", every(), ids=lambda path: path.stem)
def test_a_section_names_every_prediction_and_exercise(path):
    section = SECTIONS[path.stem]
    for name, *_ in calls(path, "predict"):
        assert re.search(rf"\b{name}\b", section), name
        assert book.predictions()[name].choice in section
    for name, *_ in calls(path, "check"):
        assert f"*{name}*" in section, name


@pytest.mark.parametrize("path", every(), ids=lambda path: path.stem)
def test_a_section_says_how_long_it_takes(path):
    promised = re.search(r"\*\*In (\d+) minutes", path.read_text())[1]
    assert f"| alone | {promised} minutes" in SECTIONS[path.stem]
