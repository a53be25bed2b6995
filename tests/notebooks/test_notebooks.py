"""Committed notebooks are executed and whole, and what they ask, answer and point to is there."""

import copy
import re
from urllib.parse import unquote

import nbformat
import pytest
from links import SHEETS
from make import NOTEBOOKS, close_readings, every, flaws, lessons, normalized

from knnviz.lessons import content

new = nbformat.v4

#: What the words of a picture say while a curve still fills in.
NOT_WHOLE = re.compile(r"nothing yet|\b(\d+) of (?!\1 )\d+ (?:\w+ )?done")

each_lesson = pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)


def markdown(path):
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def minutes(path):
    """How long a notebook says that it takes."""
    return re.search(r"\*\*In (\d+) minutes", path.read_text())[1]


@pytest.mark.parametrize("path", every(), ids=lambda path: str(path.relative_to(NOTEBOOKS)))
def test_a_notebook_is_executed_whole_and_in_its_normal_form(path):
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert list(flaws(notebook)) == []
    assert normalized(copy.deepcopy(notebook)) == notebook, "run `make notebooks`"
    shown = [each for cell in code for each in cell.outputs if "image/png" in each.get("data", {})]
    for words in (each.metadata["image/png"]["alt"] for each in shown):
        assert len(words) > 20
        assert not NOT_WHOLE.search(words), words


def stream(text, name="stdout"):
    return new.new_output("stream", name=name, text=text)


@pytest.mark.parametrize(
    ("flaw", "output"),
    [
        ("shows stderr", stream("UserWarning", "stderr")),
        ("shows an error", new.new_output("error", ename="KeyError", evalue="'k'", traceback=[])),
        ("an absolute path", stream("wrote " + "/" + "home/me/risk.csv")),
        ("an absolute path", stream("C:\\Users\\me")),
        ("an absolute path", new.new_output("display_data", {"text/html": "lib/python3.12/site-packages/knnviz"})),
        ("a patch version of Python", stream("Python 3.12.4")),
        ("an address in memory", new.new_output("execute_result", {"text/plain": "<Figure at 0x7f00c0ffee10>"})),
        (None, stream("numba 0.61.2; risk/k, 1/2, a/tmp/b; see notebooks/images/neighbor-lab.gif")),
    ],
)
def test_flaws_are_found(flaw, output):
    found = list(flaws(new.new_notebook(cells=[new.new_code_cell("1", id="cell", outputs=[output])])))
    assert len(found) == (flaw is not None)
    assert all(flaw in each for each in found)


def test_each_chapter_has_its_lesson():
    assert [path.stem for path in lessons()] == [*content.chapters()]


@each_lesson
def test_a_lesson_asks_and_explains_all_of_its_chapter_in_order(path):
    source = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
    chapter = content.chapters()[path.stem]
    predictions, exercises = chapter["predictions"], chapter["exercises"]
    asked = {"predict": predictions, "explain": predictions, "check": exercises, "quiz": [path.stem]}
    for function, names in asked.items():
        assert re.findall(rf'^{function}\("([^"]+)"', source, re.MULTILINE) == [*names], function


@each_lesson
def test_a_run_sheet_speaks_of_steps_and_minutes_of_its_lesson(path):
    sheet = (SHEETS / f"{path.stem[:2]}.md").read_text()
    assert re.search(rf"\b{minutes(path)}( minutes)?\b", sheet.splitlines()[2])
    sections = re.split(r'"## (?=\d\. )', path.read_text())[1:]
    for number, step in re.findall(r"[Ss]ection (\d), step (\d)", sheet):
        (name,) = re.findall(r'steps=\\"([\w-]+)\\"', sections[int(number) - 1])
        assert int(step) <= len(content.steps_named(name)), (number, step)


@pytest.mark.parametrize("path", close_readings(), ids=lambda path: path.stem)
def test_findings_that_are_pointed_to_are_there(path):
    text, index = markdown(path), (SHEETS / "index.md").read_text()
    (row,) = re.findall(rf"\]\(\.\./\.\./notebooks/close-reading/{path.name}\) \| {minutes(path)} minutes (.+)", index)
    pointed = re.findall(r"\d+", " ".join(re.findall(r"findings? ([\d, and]+)", text + row)))
    assert {*pointed} <= {*re.findall(r"^## (\d+)\.", text, re.MULTILINE)}


def test_a_term_of_the_glossary_stands_in_bold_where_its_link_leads():
    text = markdown(NOTEBOOKS / "glossary.ipynb")
    entries = re.findall(r"^- \*\*(.+?)\*\*: .+ \[\d\d, section \d\]\((\S+?)#(\S+?)\)$", text, re.MULTILINE)
    assert len(entries) == len(re.findall(r"^- ", text, re.MULTILINE)) > 0
    names = {name for _, name, _ in entries}
    pages = {name: re.split(r"^## ", markdown(NOTEBOOKS / name), flags=re.MULTILINE) for name in names}
    for term, name, anchor in entries:
        heading = unquote(anchor).replace("-", " ")
        (section,) = [part for part in pages[name] if part.splitlines()[0].replace("-", " ") == heading]
        assert f"**{term.lower()}**" in " ".join(section.split()).lower().replace("***", "**"), term
