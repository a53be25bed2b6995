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


@pytest.mark.parametrize("path", every(), ids=lambda path: str(path.relative_to(NOTEBOOKS)))
def test_a_notebook_is_executed_whole_and_in_its_normal_form(path):
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    counts = [cell.execution_count for cell in code]
    assert counts == list(range(1, len(code) + 1))
    assert list(flaws(notebook)) == []
    assert normalized(copy.deepcopy(notebook)) == notebook, "run `make notebooks`"

    for output in [each for cell in code for each in cell.outputs]:
        if "image/png" in output.get("data", {}):
            words = output.metadata["image/png"]["alt"]
            assert len(words) > 20
            assert not NOT_WHOLE.search(words), words


FLAWED = [
    (new.new_output("stream", name="stderr"), "shows stderr"),
    (new.new_output("error", ename="", evalue="", traceback=[]), "shows an error"),
    (new.new_output("stream", text="wrote " + "/" + "home/me/risk.csv"), "holds an absolute path"),
    (new.new_output("stream", text="C:\\Users\\me"), "holds an absolute path"),
    (new.new_output("stream", text="lib/site-packages/knnviz"), "holds an absolute path"),
    (new.new_output("stream", text="Python 3.12.4"), "holds a patch version of Python"),
    (new.new_output("stream", text="<Figure at 0x7f00c0ffee10>"), "holds an address in memory"),
]


@pytest.mark.parametrize(("output", "what"), FLAWED)
def test_flaws_are_found(output, what):
    cell = new.new_code_cell("1", id="some-cell", outputs=[output])
    assert [*flaws(new.new_notebook(cells=[cell]))] == [f"cell some-cell {what}"]


@pytest.mark.parametrize("lesson", content.chapters())
def test_a_lesson_asks_and_explains_all_of_its_chapter_in_order(lesson):
    cells = nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", as_version=4).cells
    source = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    chapter = content.chapters()[lesson]
    kinds = ("predictions", "predictions", "exercises", "quizzes")
    for function, kind in zip(("predict", "explain", "check", "quiz"), kinds, strict=True):
        called = re.findall(rf'^{function}\("([^"]+)"', source, re.MULTILINE)
        assert called == [*chapter[kind]], function

    for name in chapter["predictions"]:
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
    (row,) = re.findall(rf"{path.name}\), .+", (SHEETS / "index.md").read_text("utf-8"))
    mentions = re.findall(r"findings? ([\d, and]+)", text + row)
    pointed = re.findall(r"\d+", " ".join(mentions))
    there = re.findall(r"^## (\d+)\.", text, re.MULTILINE)
    assert {*pointed} <= {*there}


def test_a_term_of_the_glossary_stands_in_bold_in_the_lesson_that_its_link_leads_to():
    text = markdown(NOTEBOOKS / "glossary.ipynb")
    linked = r"^- \*\*(.+?)\*\*: .+ \[\d\d, (?:section \d|going deeper)\]\((\S+?)#\S+?\)$"
    entries = re.findall(linked, text, re.MULTILINE)
    assert len(entries) == len(re.findall(r"^- ", text, re.MULTILINE)) > 0

    for term, name in entries:
        words = " ".join(markdown(NOTEBOOKS / name).lower().split())
        assert f"**{term.lower()}**" in words.replace("***", "**"), term
