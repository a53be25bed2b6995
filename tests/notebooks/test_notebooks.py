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
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert list(flaws(notebook)) == []
    assert normalized(copy.deepcopy(notebook)) == notebook, "run `make notebooks`"
    pictures = [
        each for cell in code for each in cell.outputs if "image/png" in each.get("data", {})
    ]
    words = [each.metadata["image/png"]["alt"] for each in pictures]
    assert [each for each in words if len(each) <= 20 or NOT_WHOLE.search(each)] == []


FLAWED = {
    "wrote " + "/" + "home/me/risk.csv": "an absolute path",
    "C:\\Users\\me": "an absolute path",
    "lib/python3.12/site-packages/knnviz": "an absolute path",
    "Python 3.12.4": "a patch version of Python",
    "<Figure at 0x7f00c0ffee10>": "an address in memory",
}


def test_flaws_are_found():
    outputs = [
        new.new_output("stream", name="stderr"),
        new.new_output("error", ename="", evalue="", traceback=[]),
    ]
    outputs += [new.new_output("stream", text=text) for text in FLAWED]
    cells = [
        new.new_code_cell("1", id=f"cell-{at}", outputs=[each]) for at, each in enumerate(outputs)
    ]
    told = ["shows stderr", "shows an error", *(f"holds {each}" for each in FLAWED.values())]
    assert [*flaws(new.new_notebook(cells=cells))] == [
        f"cell cell-{at} {each}" for at, each in enumerate(told)
    ]


@pytest.mark.parametrize("lesson", content.chapters())
def test_a_lesson_asks_and_explains_all_of_its_chapter_in_order(lesson):
    cells = nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", as_version=4).cells
    source = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    predictions, exercises = (
        content.chapters()[lesson][kind] for kind in ("predictions", "exercises")
    )
    asked = {"predict": predictions, "explain": predictions, "check": exercises, "quiz": [lesson]}
    for function, names in asked.items():
        assert re.findall(rf'^{function}\("([^"]+)"', source, re.MULTILINE) == [*names], function


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_a_run_sheet_speaks_of_steps_of_its_lesson(path):
    sheet = (SHEETS / f"{path.stem[:2]}.md").read_text("utf-8")
    sections = re.split(r'"## (?=\d\. )', path.read_text("utf-8"))[1:]
    for number, step in re.findall(r"[Ss]ection (\d), step (\d)", sheet):
        (name,) = re.findall(r'steps=\\"([\w-]+)\\"', sections[int(number) - 1])
        assert int(step) <= len(content.steps_named(name)), (number, step)


@pytest.mark.parametrize("path", close_readings(), ids=lambda path: path.stem)
def test_findings_that_are_pointed_to_are_there(path):
    text = markdown(path)
    index = (SHEETS / "index.md").read_text("utf-8")
    (row,) = re.findall(
        rf"\]\(\.\./\.\./notebooks/close-reading/{path.name}\), {minutes(path)} minutes: (.+)",
        index,
    )
    pointed = re.findall(r"\d+", " ".join(re.findall(r"findings? ([\d, and]+)", text + row)))
    assert {*pointed} <= {*re.findall(r"^## (\d+)\.", text, re.MULTILINE)}


def test_a_term_of_the_glossary_stands_in_bold_in_the_lesson_that_its_link_leads_to():
    text = markdown(NOTEBOOKS / "glossary.ipynb")
    entries = re.findall(
        r"^- \*\*(.+?)\*\*: .+ \[\d\d, section \d\]\((\S+?)#\S+?\)$", text, re.MULTILINE
    )
    assert len(entries) == len(re.findall(r"^- ", text, re.MULTILINE)) > 0
    texts = {
        name: " ".join(markdown(NOTEBOOKS / name).lower().split())
        for name in {name for _, name in entries}
    }
    assert [
        term
        for term, name in entries
        if f"**{term.lower()}**" not in texts[name].replace("***", "**")
    ] == []
