"""Sittings of lessons: short, each with its check, and a page of its own in a class."""

import ast
import builtins
import csv
import re
from functools import cache

import nbformat
import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from refusals import refuses
from test_setup import ROOT

from knnviz.classroom.server import get_page
from knnviz.lessons import content
from knnviz.lessons.blocks import NOTATION
from knnviz.lessons.sittings import parts, sitting, sittings

#: Most words of a sitting with its cards, and most sections.
WORDS = 1800
SECTIONS = 4

#: Lessons, and how many sittings each takes.
LENGTHS = {lesson: 1 if lesson.startswith("00") else 2 for lesson in content.chapters()}
EACH = [(lesson, number + 1) for lesson in LENGTHS for number in range(LENGTHS[lesson])]


@cache
def cells(lesson):
    return nbformat.read(ROOT / f"notebooks/{lesson}.ipynb", as_version=4).cells


def own(lesson, number):
    """The cells of a sitting, the first with the opening of its lesson."""
    by_heading = parts(cells(lesson))
    found = by_heading[sittings(cells(lesson))[number - 1]]
    return by_heading[""] + found if number == 1 else found


def called(cell, name):
    """What a cell of code calls a function with, as a text."""
    return re.findall(rf'\b{name}\("([\w-]+)"', cell.source)


def card(cell):
    """The texts of all cards that a cell shows."""
    texts = []
    for name in called(cell, "predict"):
        asked = content.predictions()[name]
        texts += [asked.question, *asked.choices]
    for name in called(cell, "explain"):
        asked = content.predictions()[name]
        texts += [asked.because, *asked.wrong.values(), asked.known]
    for name in called(cell, "steps"):
        for step in content.steps(name):
            texts += [step["do"], step["see"]]
    for name in called(cell, "theorem"):
        told = content.theorems()[name]
        texts += [told.title, told.statement, told.source, *told.conditions]
    for name in called(cell, "quiz"):
        for asked in content.quizzes()[name]:
            texts += [asked.question, *asked.choices, asked.because, *asked.wrong.values()]
    return texts


def read(cell):
    """All that a reader reads of a cell besides code and numbers."""
    texts = [cell.source] if cell.cell_type == "markdown" else card(cell)
    return "\n".join(texts)


def words(text):
    """How many words a text has; a formula is one, and what a step calls a drawn thing is none."""
    text = re.sub(r"\$\$.+?\$\$|\$.+?\$", "formula", text, flags=re.DOTALL)
    text = re.sub(r"\{[^{}|]*\||\]\([^)]*\)", " ", text)
    return len(re.findall(r"\w[\w'.,-]*", text))


@pytest.mark.parametrize(("lesson", "number"), EACH)
def test_a_sitting_is_short_and_ends_with_three_questions_and_the_second_asks_for_the_first(
    lesson, number
):
    found = own(lesson, number)
    text = "\n".join(map(read, found))
    sections = re.findall(r"^### \d", text, re.MULTILINE)
    assert 1 <= len(sections) <= SECTIONS
    assert words(text) <= WORDS

    quizzes = [len(content.quizzes()[name]) for cell in found for name in called(cell, "quiz")]
    assert quizzes == [1, 3][2 - number :]
    looks_back = [cell.source.startswith("### Across the lessons") for cell in found]
    last = looks_back.index(True) if any(looks_back) else len(found)
    assert called(found[last - 1], "quiz"), "only what looks back on all lessons is later"


@pytest.mark.parametrize("lesson", LENGTHS)
def test_right_answers_have_no_habitual_place(lesson):
    """No three in a row have the same one among the choices."""
    asked = []
    for cell in cells(lesson):
        asked += [content.predictions()[name] for name in called(cell, "predict")]
        for name in called(cell, "quiz"):
            asked += content.quizzes()[name]
    places = [each.choices.index(each.answer) for each in asked]
    assert all(len({*three}) > 1 for three in sliding_window_view(places, 3))


@pytest.mark.parametrize("lesson", LENGTHS)
def test_sections_are_numbered_through(lesson):
    assert len(sittings(cells(lesson))) == LENGTHS[lesson]
    text = "\n".join(cell.source for cell in cells(lesson) if cell.cell_type == "markdown")
    numbers = re.findall(r"^#+ (\d)\. ", text, re.MULTILINE)
    assert numbers == [str(number + 1) for number in range(len(numbers))]


@pytest.mark.parametrize(("lesson", "number"), EACH)
def test_a_sitting_runs_without_the_others(lesson, number):
    """Each name that its code uses is known there."""
    known = {*dir(builtins)}
    for cell in sitting(cells(lesson), number):
        if cell.cell_type == "code":
            found = list(ast.walk(ast.parse(cell.source)))
            names = [each for each in found if isinstance(each, ast.Name)]
            made = {each.id for each in names if isinstance(each.ctx, ast.Store)}
            for each in found:
                if isinstance(each, ast.alias | ast.FunctionDef):
                    made.add(getattr(each, "asname", None) or each.name)
                if isinstance(each, ast.arg):
                    made.add(each.arg)
            known |= made
            assert {each.id for each in names} <= known, cell.id


def test_a_class_gets_a_sitting_and_its_pictures():
    def get(path, **options):
        is_notebook = path.endswith(".ipynb")
        found = list(cells("02-label-noise")) if is_notebook else "picture"
        if is_notebook:
            found = nbformat.v4.new_notebook(cells=found)
        return {"type": "notebook" if is_notebook else "file", "content": found, **options}

    of_class = get_page(get, 2, covered=False)
    ids = [cell.id for cell in of_class("02.ipynb")["content"].cells]
    assert ids[:5] == ["title", "opening", "question", "plan", "sitting2"]
    assert ids[-2:] == ["answers-text", "answers"]
    assert not {"s1", "ex1", "further"} & {*ids}
    assert of_class("a.png", format="base64") == get("a.png", format="base64")


def test_a_sitting_that_is_not_there_is_refused():
    refuses("--sitting must be between 1 and 1, got 2", sitting, cells("00-start-here"), 2)
    refuses("this notebook has no sittings", sitting, [], 1)


#: Terms that are also words of every day, such as the lead of a class or a shaded band.
EVERYDAY = {"lead", "band"}


def sections():
    """Each section and check, in the order of lessons, and what one reads there."""
    for lesson in LENGTHS:
        for heading in sittings(cells(lesson)):
            name = ""
            for cell in parts(cells(lesson))[heading]:
                if cell.source.startswith("### "):
                    name = cell.source.splitlines()[0]
                yield f"{lesson} {name}", " ".join(read(cell).split())


def test_no_section_uses_a_term_before_one_defines_it():
    glossary = nbformat.read(ROOT / "notebooks/glossary.ipynb", as_version=4)
    terms = {*re.findall(r"^- \*\*(.+?)\*\*", glossary.cells[1].source, re.MULTILINE)}
    waiting = {term.lower() for term in terms} - EVERYDAY
    early = []
    for section, text in sections():
        # What is in italics may be the name of a control.
        text = re.sub(r"(?<!\*)\*[^*]+\*(?!\*)", "", text.replace("*k*", "k"))
        waiting -= {bold.lower().removesuffix("s") for bold in re.findall(r"\*\*(.+?)\*\*", text)}
        waiting -= {bold.lower() for bold in re.findall(r"\*\*(.+?)\*\*", text)}
        for term in waiting:
            if re.search(rf"(?<![\w-]){re.escape(term)}s?(?![\w-])", text.lower()):
                early.append(f"{term} in {section}")
    assert early == []
    deeper = [cell.source for lesson in LENGTHS for cell in parts(cells(lesson))["## Going deeper"]]
    assert waiting <= {bold.lower() for bold in re.findall(r"\*\*(.+?)\*\*", "\n".join(deeper))}


#: The mean, the identity matrix, and indices of classes and points.
USUAL = {"E", "I", "a", "b", "i", "j"}


def symbols(text):
    """Letters in the formulas of a text, without what is above, below or behind them."""
    found = "|".join(map("".join, re.findall(r"\$\$(.+?)\$\$|\$(.+?)\$", text)))
    plain = re.sub(r"\\(text|mathrm|begin|end) ?\{.*?\}", " ", found)
    greek = "alpha|beta|gamma|delta|Delta|epsilon|eta|theta|mu|nu|pi|sigma|tau"
    return {*re.findall(rf"\\(?:{greek})|(?<![\\A-Za-z])[A-Za-z](?![A-Za-z])", plain)}


def test_a_symbol_is_in_the_notation_or_stands_in_a_sentence_where_a_lesson_first_uses_it():
    rows = list(csv.DictReader(NOTATION.read_text("utf-8").splitlines()))
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


@pytest.mark.parametrize("kind", ["predictions", "quizzes"])
def test_no_answer_is_known_by_its_length(kind):
    asked = [*content.predictions().values()]
    if kind == "quizzes":
        asked = [each for questions in content.quizzes().values() for each in questions]
    longer = []
    for each in asked:
        lengths = [len(choice) for choice in each.choices if choice != each.answer]
        assert 0.6 * min(lengths) < len(each.answer) < 1.4 * max(lengths), each.question
        longer.append(len(each.answer) - max(lengths))
    assert 0.2 < np.mean(np.array(longer) > 0) < 0.4
    assert np.mean(np.array(longer) >= 10) < 0.2
