"""Notebooks become pages that can be read without a kernel."""

import re

import nbformat
import pytest
from bs4 import BeautifulSoup
from make import NOTEBOOKS, every
from nbconvert import HTMLExporter
from traitlets.config import PyFileConfigLoader

EXPORTER = HTMLExporter(config=PyFileConfigLoader("config.py", path=str(NOTEBOOKS / "export")).load_config())
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
VIEW = {"application/vnd.jupyter.widget-view+json": {"model_id": "saved", "version_major": 2, "version_minor": 0}}


def page(notebook, folder=NOTEBOOKS):
    html, _ = EXPORTER.from_notebook_node(notebook, resources={"metadata": {"path": str(folder), "name": "a page"}})
    return BeautifulSoup(html, "html.parser")


def outputs(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


@pytest.fixture(scope="module", params=every(), ids=lambda path: str(path.relative_to(NOTEBOOKS)))
def exported(request):
    notebook = nbformat.read(request.param, as_version=4)
    return notebook, page(notebook, request.param.parent)


def test_every_picture_has_its_words(exported):
    notebook, soup = exported
    saved = [each.metadata["image/png"] for each in outputs(notebook) if "image/png" in each.get("data", {})]
    assert [image["alt"] for image in soup.select(".jp-RenderedImage img")] == [each["alt"] for each in saved]
    for image in soup.find_all("img"):
        assert image["alt"].strip()
        assert not image["alt"].startswith("No description"), "nbconvert's words for a picture without any"
        assert re.match(r"data:image/|(\.\./)?images/", image["src"]), "only the folder of images goes along"


def test_no_page_shows_an_error_or_a_dead_control(exported):
    notebook, soup = exported
    assert soup.select('[data-mime-type="application/vnd.jupyter.stderr"]') == []
    assert soup.select(".jupyter-widgets") == []
    alone = [each for each in outputs(notebook) if each.get("data", {}).keys() == {*VIEW, "text/plain"}]
    assert not {each.data["text/plain"] for each in alone} & {text.string for text in soup.select(".jp-OutputArea pre")}


def test_only_code_that_is_not_hidden_is_on_the_page(exported):
    notebook, soup = exported
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    seen = [cell for cell in code if not cell.metadata.get("jupyter", {}).get("source_hidden")]
    assert len(soup.select(".jp-CodeCell")) == len(code)
    assert len(soup.select(".jp-CodeCell .jp-CodeMirrorEditor")) == len(seen)


def test_answers_to_unfold_survive(exported):
    notebook, soup = exported
    data = [each.get("data", {}) for each in outputs(notebook)]
    shown = [each.get("text/html", each.get("text/markdown", "")) for each in data]
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert len(soup.find_all("details")) == sum(text.count("<details") for text in shown + prose)


@pytest.fixture(scope="module")
def made_up():
    """A page with one of each thing that could go wrong."""
    new = nbformat.v4
    words = 'said "1 < 2" & more'
    picture = new.new_output("display_data", {"image/png": PNG, "text/plain": "words"}, metadata={})
    picture.metadata["image/png"] = {"alt": words, "width": 5}
    folded = "<details><summary>Answer</summary>42</details>"
    both = new.new_output("display_data", {**VIEW, "text/html": folded, "text/plain": "Box"})
    look = new.new_output("display_data", {"text/markdown": "<details><summary>Look</summary>\n\n*here*\n\n</details>"})
    view = new.new_output("display_data", {**VIEW, "text/plain": "NeighborLab"})
    unseen = {"jupyter": {"source_hidden": True}}
    hidden = new.new_code_cell("secret = 1", outputs=[picture, both, look, view], metadata=unseen)
    shown = new.new_code_cell("public = 2", metadata={"jupyter": {"source_hidden": False}})
    prose = new.new_markdown_cell("On to [two](02-two.ipynb) and [its end](02-two.ipynb#end), not to `two.ipynb`.")
    return page(new.new_notebook(cells=[prose, hidden, shown])), words


def test_a_made_up_page_keeps_words_hides_code_and_folds_answers(made_up):
    soup, words = made_up
    assert [image["alt"] for image in soup.find_all("img")] == [words]
    code = "".join(editor.get_text() for editor in soup.select(".jp-CodeMirrorEditor"))
    assert "public" in code
    assert "secret" not in code
    assert [fold.summary.string for fold in soup.find_all("details")] == ["Answer", "Look"]
    assert soup.find_all("details")[1].em.string == "here"
    assert "NeighborLab" not in soup.get_text(), "a view without a kernel leaves nothing behind"


def test_a_page_says_that_it_is_one(made_up):
    soup, _ = made_up
    assert "open the notebook itself" in soup.select_one("main > p[role=note]").get_text()


def test_links_between_notebooks_lead_to_pages(made_up):
    soup, _ = made_up
    links = [link["href"] for link in soup.select(".jp-MarkdownCell a:not(.anchor-link)")]
    assert links == ["02-two.html", "02-two.html#end"]
    assert "two.ipynb" in soup.get_text(), "prose stays as it is"
