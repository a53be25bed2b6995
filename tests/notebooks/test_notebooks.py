"""Committed notebooks are executed and whole, and what they ask, answer and point to is there."""

import copy
import re

import nbformat
import pytest
from links import SHEETS
from make import NOTEBOOKS, close_readings, every, flaws, lessons, normalized

from knnviz.lessons import content

new = nbformat.v4

#: What the words of a picture say while a curve still fills in.
NOT_WHOLE = re.compile(r"nothing yet|\b(\d+) of (?!\1 )\d+ (?:\w+ )?done")


def markdown(path):
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def minutes(path):
    """How long a notebook says that it takes."""
    return re.search(r"\*\*In (\d+) minutes", path.read_text("utf-8"))[1]


@pytest.mark.parametrize("path", every(), ids=lambda path: str(path.relative_to(NOTEBOOKS)))
def test_a_notebook_is_executed_whole_and_in_its_normal_form(path):
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    counts = [cell.execution_count for cell in code]
    assert counts == list(range(1, len(code) + 1))
    assert list(flaws(notebook)) == []
    assert normalized(copy.deepcopy(notebook)) == notebook, "run `make notebooks`"

    outputs = [each for cell in code for each in cell.outputs]
    pictures = [each for each in outputs if "image/png" in each.get("data", {})]
    words = [each.metadata["image/png"]["alt"] for each in pictures]
    unfinished = [each for each in words if len(each) <= 20 or NOT_WHOLE.search(each)]
    assert unfinished == []


FLAWED = {
    "wrote " + "/" + "home/me/risk.csv": "an absolute path",
    "C:\\Users\\me": "an absolute path",
    "lib/python3.12/site-packages/knnviz": "an absolute path",
    "Python 3.12.4": "a patch version of Python",
    "<Figure at 0x7f00c0ffee10>": "an address in memory",
}


def test_flaws_are_found():
    warning = new.new_output("stream", name="stderr")
    error = new.new_output("error", ename="", evalue="", traceback=[])
    cells = [
        new.new_code_cell("1", id="warning", outputs=[warning]),
        new.new_code_cell("1", id="error", outputs=[error]),
    ]
    expected = ["cell warning shows stderr", "cell error shows an error"]
    for at, (text, what) in enumerate(FLAWED.items()):
        output = new.new_output("stream", text=text)
        cells.append(new.new_code_cell("1", id=f"cell-{at}", outputs=[output]))
        expected.append(f"cell cell-{at} holds {what}")
    assert [*flaws(new.new_notebook(cells=cells))] == expected


@pytest.mark.parametrize("lesson", content.chapters())
def test_a_lesson_asks_and_explains_all_of_its_chapter_in_order(lesson):
    cells = nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", as_version=4).cells
    source = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    chapter = content.chapters()[lesson]
    predictions = chapter["predictions"]
    exercises = chapter["exercises"]
    quizzes = chapter["quizzes"]
    asked = {"predict": predictions, "explain": predictions, "check": exercises, "quiz": quizzes}
    for function, names in asked.items():
        called = re.findall(rf'^{function}\("([^"]+)"', source, re.MULTILINE)
        assert called == [*names], function

    for name in predictions:
        between = source.split(f'predict("{name}")')[1].split(f'explain("{name}")')[0]
        steps = re.findall(r'steps=lessons\.steps\("([\w-]+)"', between)
        waits_for = content.predictions()[name].steps
        assert steps == ([waits_for] if waits_for else []), "its explanation waits for its lab"


def test_each_theorem_of_a_chapter_is_shown_once():
    called = []
    for path in every():
        called += re.findall(r'"theorem\(\\"([\w-]+)\\"\)', path.read_text("utf-8"))
    assert sorted(called) == sorted(content.theorems())


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_a_run_sheet_speaks_of_steps_of_its_lesson(path):
    sheet = (SHEETS / f"{path.stem[:2]}.md").read_text("utf-8")
    sections = re.split(r'"### (?=\d\. )', path.read_text("utf-8"))[1:]
    for number, step in re.findall(r"[Ss]ection (\d), step (\d)", sheet):
        names = re.findall(r'steps=lessons\.steps\(\\"([\w-]+)\\"', sections[int(number) - 1])
        assert int(step) <= max(len(content.steps(name)) for name in names), (number, step)


@pytest.mark.parametrize("path", close_readings(), ids=lambda path: path.stem)
def test_findings_that_are_pointed_to_are_there(path):
    text = markdown(path)
    index = (SHEETS / "index.md").read_text("utf-8")
    link = rf"\]\(\.\./\.\./notebooks/close-reading/{path.name}\)"
    (row,) = re.findall(rf"{link}, {minutes(path)} minutes: (.+)", index)
    mentions = re.findall(r"findings? ([\d, and]+)", text + row)
    pointed = re.findall(r"\d+", " ".join(mentions))
    there = re.findall(r"^## (\d+)\.", text, re.MULTILINE)
    assert {*pointed} <= {*there}


def test_a_term_of_the_glossary_stands_in_bold_in_the_lesson_that_its_link_leads_to():
    text = markdown(NOTEBOOKS / "glossary.ipynb")
    linked = r"^- \*\*(.+?)\*\*: .+ \[\d\d, (?:section \d|going deeper)\]\((\S+?)#\S+?\)$"
    entries = re.findall(linked, text, re.MULTILINE)
    assert len(entries) == len(re.findall(r"^- ", text, re.MULTILINE)) > 0

    texts = {}
    for name in {name for _, name in entries}:
        words = markdown(NOTEBOOKS / name).lower().split()
        texts[name] = " ".join(words).replace("***", "**")
    missing = [term for term, name in entries if f"**{term.lower()}**" not in texts[name]]
    assert missing == []
