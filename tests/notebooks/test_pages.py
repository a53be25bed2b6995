"""Notebooks become pages of the book: pictures with their words, hidden code hidden, nothing that is dead."""

import copy
import re
import sys
from inspect import isclass, isfunction
from pkgutil import resolve_name

import nbformat
import pytest
from make import NOTEBOOKS, every, lessons

import knnviz

sys.path.insert(0, str(NOTEBOOKS.parent / "docs"))

import book
from pages import EXERCISE, marked, page_of, slugged, text_page

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
VIEW = {"application/vnd.jupyter.widget-view+json": {"model_id": "saved", "version_major": 2, "version_minor": 0}}


def outputs(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


@pytest.fixture(scope="module", params=every(), ids=lambda path: str(path.relative_to(NOTEBOOKS)))
def made(request, tmp_path_factory):
    saved = nbformat.read(request.param, as_version=4)
    folder = tmp_path_factory.mktemp("pictures")
    return saved, page_of(copy.deepcopy(saved), folder, "../"), folder


def test_every_picture_is_a_file_with_its_words(made):
    saved, page, folder = made
    pictures = [each for each in outputs(saved) if "image/png" in each.get("data", {})]
    shown = [each.data["text/html"] for each in outputs(page) if "<img" in each.get("data", {}).get("text/html", "")]
    assert len(shown) == len(pictures)
    for html in shown:
        assert len(re.search(r' alt="([^"]*)"', html)[1]) > 20
        assert (folder / re.search(r'src="\.\./_static/pictures/(\w+\.png)"', html)[1]).exists()


def test_nothing_on_a_page_is_dead(made):
    _, page, _ = made
    for output in outputs(page):
        assert output.output_type != "error"
        assert output.get("name") != "stderr"
        assert not VIEW.keys() & output.get("data", {}).keys()
        assert "knnviz-live" not in output.get("data", {}).get("text/html", "")
        assert "run the cell again" not in str(output)


def test_hidden_code_stays_hidden(made):
    saved, page, _ = made
    hidden = {cell.id for cell in saved.cells if cell.metadata.get("jupyter", {}).get("source_hidden")}
    assert {cell.id for cell in page.cells if "remove-input" in cell.metadata.get("tags", [])} == hidden


def test_a_recording_takes_the_place_of_its_picture_and_questions_that_of_the_still_ones(tmp_path):
    new = nbformat.v4
    words = 'said "1 < 2" & more'
    picture = new.new_output("display_data", {"image/png": PNG, "text/plain": "words"})
    picture.metadata["image/png"] = {"alt": words, "width": 5, "height": 4}
    hint = new.new_output("display_data", {"text/html": '<span class="knnviz-live"></span>'})
    recording = new.new_output("display_data", {"text/html": '<div data-recording="a" data-source="a.js"></div>'})
    still = new.new_output("display_data", {"text/markdown": "**Predict.** What?", "text/plain": "Predict: What?"})
    questions = new.new_output("display_data", {"text/html": '<div data-questions="{}"></div>'})
    exercise = new.new_output("display_data", {"text/html": "<b>...</b>", "text/plain": "Exercise a: not attempted."})
    cells = [[hint, picture, recording], [hint, still, questions], [exercise], [new.new_output("display_data", VIEW)]]
    notebook = new.new_notebook(cells=[new.new_code_cell("1", outputs=each) for each in cells])
    page = page_of(notebook, tmp_path, "../")
    assert "[open the notebook](../README.md#two-commands)." in page.cells.pop(1).source
    lab, asked, tried, view = [[output.data["text/html"] for output in cell.outputs] for cell in page.cells]
    [html] = lab
    assert html.startswith(
        '<div data-recording="a" data-source="a.js"><img class="knnviz-still" src="../_static/pictures/'
    )
    assert ' alt="said &quot;1 &lt; 2&quot; &amp; more"' in html
    assert html.endswith(' width="5" height="4"></div>')
    assert asked == ['<div data-questions="{}"></div>']
    assert EXERCISE in tried[0]
    assert view == []


def test_links_lead_to_headings_as_the_book_names_them():
    assert slugged("[a](b.ipynb#3.-Few-votes-have-variance,-many-have-bias) and `b.ipynb`") == (
        "[a](b.ipynb#3-few-votes-have-variance-many-have-bias) and `b.ipynb`"
    )
    assert slugged("[two](two.ipynb), [two](../docs/set-up.md#with-make)") == (
        "[two](two.ipynb), [two](../docs/set-up.md#with-make)"
    )


def test_a_graph_stays_as_text():
    assert text_page("```mermaid\ngraph LR\n```\n") == "```text\ngraph LR\n```\n"


def test_the_reference_has_every_name_that_readers_type():
    """The functions and classes of knnviz itself, and those that lessons, exercises and pages of docs import."""
    entries = [line for packages in book.TOPICS.values() for each in packages.items() for line in book.reference(*each)]
    there = {id(resolve_name(line.strip()[1:])) for line in entries if line.startswith("   ~")}
    code = [cell.source for path in lessons() for cell in nbformat.read(path, as_version=4).cells]
    for pages in ("docs/*.md", "knnviz/lessons/chapters/*.toml"):
        code += [path.read_text() for path in book.ROOT.glob(pages)]
    imports = re.findall(r"^from (knnviz(?!\.lessons\.openings)[\w.]*) import ([\w, ]+)", "\n".join(code), re.MULTILINE)
    typed = {f"{package}.{name}" for package, names in imports for name in re.findall(r"\w+", names)}
    typed |= {f"knnviz.{name}" for name in knnviz.__all__}
    things = {name: resolve_name(name) for name in typed}
    assert [name for name, each in things.items() if isclass(each) or isfunction(each) if id(each) not in there] == []


def test_the_book_is_made_without_a_warning(tmp_path, monkeypatch):
    """With still pictures: ``make test-all`` has the labs recorded, and opens each page."""
    for name in ("BOOK", "SOURCE", "STORED"):
        monkeypatch.setattr(book, name, tmp_path / name)
    assert book.main(still=True) == 0
    assert len(list((tmp_path / "BOOK" / "notebooks").glob("0*.html"))) == 9
    assert {path.name for path in (tmp_path / "BOOK" / "_static" / "licenses").iterdir()} == {
        f"{name}.txt" for name in book.BUNDLED
    }


def test_what_a_page_cannot_do_is_marked_or_left_out():
    text = "Read. Choose **Run > Run All Cells** now.\n\n- Drag $k$\n  to 3.\n- Press **New sample**:\n  it moves.\n"
    assert marked(text) == "Read.\n\n- Drag $k$\n  to 3.\n- Press **New sample**:\n  it moves. *(needs Python)*\n"
    folded = "<details><summary><b>Look</b></summary>\n\n- Click on it.\n- Look at it.\n\n</details>"
    assert marked(folded) == folded.replace("Click on it.", "Click on it. *(needs Python)*")
    assert marked("| a preset | b |\n|---|---|\n| 1 | 2 |") == "| a preset | b |\n|---|---|\n| 1 | 2 |"
