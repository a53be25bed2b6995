"""Sittings of lessons: short, each with its check, and a page of its own in a class."""

import csv
import re
import subprocess
import sys

import nbformat
import numpy as np
import pytest
from lesson_labs import NOTEBOOKS
from numpy.lib.stride_tricks import sliding_window_view
from refusals import refuses

from knnviz.classroom.server import get_page
from knnviz.lessons import content
from knnviz.lessons.blocks import NOTATION
from knnviz.lessons.sittings import parts, sitting, sittings

#: Most words of a sitting with its cards, and most sections.
WORDS = 1800
SECTIONS = 4

CELLS = {
    lesson: nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", 4).cells for lesson in content.chapters()
}
EACH = [(lesson, heading) for lesson in CELLS for heading in sittings(CELLS[lesson])]


def called(cell):
    """The functions that a cell calls with a name, and these names."""
    return re.findall(r'\b(\w+)\("([\w-]+)"', cell.source)


def card(function, name):
    """The texts of the card that a function shows."""
    if function == "theorem":
        told = content.theorems()[name]
        return [told.title, told.statement, told.source, *told.conditions]
    if function == "steps":
        return [step[part] for step in content.steps(name) for part in ("do", "see")]
    if function == "quiz":
        return [text for each in content.quizzes()[name] for text in before(each) + after(each)]
    if function in ("predict", "explain"):
        show = before if function == "predict" else after
        return show(content.predictions()[name])
    return []


def before(asked):
    return [asked.question, *asked.choices]


def after(asked):
    return [asked.because, *asked.wrong.values(), asked.known]


def read(cell):
    """All that one reads of a cell besides code and numbers."""
    texts = [text for each in called(cell) for text in card(*each)]
    if cell.cell_type == "markdown":
        texts = [cell.source]
    return "\n".join(texts)


def words(cell):
    """How many words a cell has; a formula is one, and what a step calls a drawn thing is none."""
    text = re.sub(r"\$\$.+?\$\$|\$.+?\$", "formula", read(cell), flags=re.DOTALL)
    return len(re.findall(r"\w[\w'.,-]*", re.sub(r"\{[^{}|]*\||\]\([^)]*\)", " ", text)))


@pytest.mark.parametrize(("lesson", "heading"), EACH)
def test_a_sitting_is_short_and_ends_with_three_questions_and_the_second_asks_for_the_first(
    lesson, heading
):
    by_heading = parts(CELLS[lesson])
    found = by_heading[heading]
    lengths = [1, 3]
    if "Second" not in heading:
        found = by_heading[""] + found
        lengths = [3]
    assert sum(map(words, found)) <= WORDS
    sections = [cell for cell in found if re.match(r"### \d", cell.source)]
    assert 1 <= len(sections) <= SECTIONS

    names = [name for cell in found for function, name in called(cell) if function == "quiz"]
    assert [len(content.quizzes()[name]) for name in names] == lengths
    while found[-1].source.startswith(("### Across the lessons", "opening(", "![")):
        found.pop()
    assert found[-1].source.startswith("quiz("), "only what looks back on all lessons is later"


@pytest.mark.parametrize("lesson", CELLS)
def test_right_answers_have_no_habitual_place(lesson):
    """No three in a row have the same one among the choices."""
    chapter = content.chapters()[lesson]
    asked = {}
    for name in chapter["predictions"]:
        asked[f'predict("{name}")'] = [content.predictions()[name]]
    for name in chapter["quizzes"]:
        asked[f'quiz("{name}")'] = content.quizzes()[name]
    inorder = [each for cell in CELLS[lesson] for each in asked.get(cell.source, [])]
    places = [each.choices.index(each.answer) for each in inorder]
    assert all(len({*three}) > 1 for three in sliding_window_view(places, 3))


def test_no_answer_is_known_by_its_length():
    asked = [*content.predictions().values()]
    for questions in content.quizzes().values():
        asked += questions
    longest = []
    for each in asked:
        lengths = [*map(len, each.wrong)]
        assert 0.6 * min(lengths) < len(each.answer) < 1.4 * max(lengths), each.question
        longest.append(len(each.answer) > max(lengths))
    assert 0.2 < np.mean(longest) < 0.4


@pytest.mark.parametrize(("lesson", "heading"), EACH)
def test_a_sitting_runs_without_the_others(lesson, heading):
    """Each name that its code uses is known there."""
    number = sittings(CELLS[lesson]).index(heading) + 1
    found = sitting(CELLS[lesson], number)
    code = "\n".join(cell.source for cell in found if cell.cell_type == "code")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F821", "-"]
    checked = subprocess.run(command, input=code, encoding="utf-8", capture_output=True)
    assert checked.returncode == 0, checked.stdout


def test_a_class_gets_a_sitting_and_its_pictures():
    ids = [cell.id for cell in sitting(CELLS["02-label-noise"], 2)]
    assert ids[:5] == ["title", "opening", "question", "plan", "sitting2"]
    assert ids[-2:] == ["answers-text", "answers"]
    assert not {"s1", "ex1", "further"} & {*ids}
    picture = {"type": "file"}
    assert get_page(lambda path: picture, 2, covered=False)("a.png") is picture


def test_a_sitting_that_is_not_there_is_refused():
    refuses("--sitting must be between 1 and 1, got 2", sitting, CELLS["00-start-here"], 2)
    refuses("this notebook has no sittings", sitting, [], 1)


#: The mean, the identity matrix, and indices of classes and points.
USUAL = {"E", "I", "a", "b", "i", "j"}


def sections():
    """Each section and check, in the order of lessons, and what one reads there."""
    for lesson, heading in EACH:
        name = ""
        for cell in parts(CELLS[lesson])[heading]:
            if cell.source.startswith("### "):
                name = cell.source.splitlines()[0]
            yield f"{lesson} {name}", " ".join(read(cell).split())


def symbols(text):
    """Letters in the formulas of a text, without what is above, below or behind them."""
    found = "|".join(map("".join, re.findall(r"\$\$(.+?)\$\$|\$(.+?)\$", text)))
    plain = re.sub(r"\\(text|mathrm|begin|end) ?\{.*?\}", " ", found)
    greek = "alpha|beta|gamma|delta|Delta|epsilon|eta|theta|mu|nu|pi|sigma|tau"
    return {*re.findall(rf"\\(?:{greek})|(?<![\\A-Za-z])[A-Za-z](?![A-Za-z])", plain)}


def test_a_symbol_is_in_the_notation_or_stands_in_a_sentence_where_a_lesson_first_uses_it():
    rows = csv.DictReader(NOTATION.read_text("utf-8").splitlines())
    known = symbols(" ".join(row["symbol"] + row["meaning"] for row in rows)) | USUAL
    unknown = []
    explained = set()
    for section, text in sections():
        in_sentences = re.findall(r"\$([A-Za-z]|\\[A-Za-z]+)(?:_\w|\^\*)?\$", text)
        explained |= {(section[:2], each) for each in in_sentences}
        for each in symbols(text) - known:
            if (section[:2], each) not in explained:
                unknown.append(f"{each} in {section}")
    assert unknown == []
