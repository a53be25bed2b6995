"""Notebooks become pages of the book: pictures with their words, hidden code hidden, nothing that
is dead.
"""

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
VIEW = {"application/vnd.jupyter.widget-view+json": {"model_id": "saved", "version_major": 2}}

new = nbformat.v4


def outputs_of(notebook):
    return [each for cell in notebook.cells for each in cell.get("outputs", [])]


@pytest.mark.parametrize("path", every(), ids=lambda path: str(path.relative_to(NOTEBOOKS)))
def test_a_page_has_all_pictures_and_nothing_that_is_dead(path, tmp_path):
    saved = nbformat.read(path, as_version=4)
    page = page_of(copy.deepcopy(saved), tmp_path, "../")
    outputs = outputs_of(page)

    html = "".join(each.get("data", {}).get("text/html", "") for each in outputs)
    files = re.findall(r'<img [^>]*src="\.\./_static/pictures/(\w+\.png)" alt="[^"]', html)
    pictures = [each for each in outputs_of(saved) if "image/png" in each.get("data", {})]
    assert len(files) == html.count("<img") == len(pictures)
    assert {*files} == {each.name for each in tmp_path.iterdir()}

    told = str(outputs)
    assert not any(dead in told for dead in (*VIEW, "knnviz-live", "run the cell again"))

    hidden = [cell.id for cell in saved.cells if "jupyter" in cell.metadata]
    removed = [cell.id for cell in page.cells if "remove-input" in cell.metadata.get("tags", [])]
    assert removed == hidden


def shown(data):
    return new.new_output("display_data", data)


def test_a_recording_takes_the_place_of_its_picture_and_questions_that_of_the_still_ones(tmp_path):
    picture = shown({"image/png": PNG})
    picture.metadata["image/png"] = {"alt": 'said "1 < 2" & more', "width": 5, "height": 4}
    still = shown({"text/markdown": "**Predict.** What?"})
    hint = shown({"text/html": '<p class="knnviz-live">'})
    recording = shown({"text/html": "<div data-recording></div>"})
    questions = shown({"text/html": "<div data-questions></div>"})
    exercise = shown({"text/html": "<b>...</b>", "text/plain": "Exercise a: not attempted."})
    shows = [[hint, picture, recording], [hint, still, questions], [exercise], [shown(VIEW)]]
    cells = [new.new_code_cell("1", outputs=each) for each in shows]
    notebook = new.new_notebook(cells=cells)

    page = page_of(notebook, tmp_path, "../", file="a.ipynb", binder="")
    assert "[open the notebook](path:/a.ipynb)" in page.cells.pop(1).source

    html = [[output.data["text/html"] for output in cell.outputs] for cell in page.cells]
    [lab], asked, [tried], view = html
    image = '<img class="knnviz-still img-fluid" src="../_static/pictures/'
    assert lab.startswith(f"<div data-recording>{image}")
    assert ' alt="said &quot;1 &lt; 2&quot; &amp; more"' in lab
    assert lab.endswith(' width="5" height="4"></div>')
    assert asked == ["<div data-questions></div>"]
    assert view == []
    assert EXERCISE in tried


def test_text_is_told_as_the_book_needs_it():
    rest = " and `b.ipynb`, [two](../docs/set-up.md#with-make)"
    linked = slugged(f"[a](b.ipynb#3.-Few-votes,-many){rest}")
    assert linked == f"[a](b.ipynb#3-few-votes-many){rest}"
    assert text_page("[A](../README.md#b), [C](class.md)") == "A, [C](class.md)"

    steps = "\n\n- Drag $k$\n  to 3.\n- Press **New sample**:\n  it moves."
    told = marked(f"Read. Choose **Run > Run All Cells** now.{steps}\n")
    assert told == f"Read.{steps} *(needs Python)*\n"

    folded = (
        "<details><summary><b>Look</b></summary>\n\n- Click on it.\n- Look at it.\n\n</details>"
    )
    assert marked(folded) == folded.replace("Click on it.", "Click on it. *(needs Python)*")

    table = "| a preset | b |\n|---|---|\n| 1 | 2 |"
    assert marked(table) == table


def test_the_reference_has_every_name_that_readers_type():
    """Functions and classes of knnviz itself, and those that lessons, exercises and docs import."""
    entries = []
    for packages in book.TOPICS.values():
        for each in packages.items():
            entries += book.reference(*each)
    there = {id(resolve_name(line.strip()[1:])) for line in entries if line.startswith("   ~")}

    code = []
    for path in lessons():
        code += [cell.source for cell in nbformat.read(path, as_version=4).cells]
    for pages in ("docs/*.md", "knnviz/lessons/chapters/*.toml"):
        code += [path.read_text("utf-8") for path in book.ROOT.glob(pages)]

    typed = {f"knnviz.{name}" for name in knnviz.__all__}
    imported = r"^from (knnviz(?!\.lessons\.openings)[\w.]*) import ([\w, ]+)"
    for package, names in re.findall(imported, "\n".join(code), re.MULTILINE):
        typed |= {f"{package}.{name}" for name in re.findall(r"\w+", names)}

    missing = []
    for name in typed:
        thing = resolve_name(name)
        if (isclass(thing) or isfunction(thing)) and id(thing) not in there:
            missing.append(name)
    assert missing == []


def test_the_book_is_made_without_a_warning(tmp_path, monkeypatch):
    """With still pictures: ``make test-all`` has the labs recorded, and opens each page."""
    for name in ("BOOK", "SOURCE", "STORED"):
        monkeypatch.setattr(book, name, tmp_path / name)
    assert book.main(still=True) == 0

    made = tmp_path / "BOOK"
    index = (made / "index.html").read_text("utf-8")
    cards = re.findall(r'stretched-link" href="notebooks/(.+)\.html', index)
    assert cards == [path.stem for path in lessons()]
    licenses = {path.stem for path in (made / "_static" / "licenses").iterdir()}
    assert licenses == {*book.BUNDLED}
