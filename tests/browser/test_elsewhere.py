"""A lab outside of JupyterLab: in Voila and in Notebook 7."""

import re

import nbformat
import pytest
from playwright.sync_api import expect
from server import NOTEBOOK, PAGE, VOILA, notebook_of, running
from session import STARTED

CODE = "from knnviz.labs import NeighborLab\n\nNeighborLab(n=200)"

#: How each opens a notebook, and whether its cells are still to be run.
OPENED = {
    "voila": (VOILA, "/voila/render/lab.ipynb", False),
    "notebook": (NOTEBOOK, "/notebooks/lab.ipynb?token=test", True),
}


#: Errors that they report with any notebook: Voila asks a server elsewhere for icons and takes no
#: extension of Notebook; Notebook reads a setting too early.
THEIRS = re.compile(r"ERR_NAME_NOT_RESOLVED|RUNTIME-012|reading 'schema'")


@pytest.mark.full
@pytest.mark.parametrize("name", OPENED)
def test_a_lab_answers_in_one_picture(browser, tmp_path, name):
    program, path, to_run = OPENED[name]
    home = tmp_path / "jupyter"
    home.mkdir()
    nbformat.write(notebook_of(nbformat.v4.new_code_cell(CODE)), home / "lab.ipynb")
    with running(home, program) as address:
        page = browser.new_page(viewport=PAGE)
        errors = []
        page.on("console", lambda said: said.type == "error" and errors.append(said.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address + path)
        if to_run:
            page.wait_for_function(STARTED, timeout=120_000)
            page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        figure = page.locator(".knnviz-figure[data-state]")
        figure.wait_for(timeout=120_000)
        slider = page.get_by_label("neighbors k", exact=True)
        slider.press("Home")
        page.wait_for_function(
            "() => JSON.parse(document.querySelector('.knnviz-figure').dataset.state).k === 1"
        )
        expect(page.locator(".knnviz-lab")).to_have_count(1)
        saved = page.locator(".jp-RenderedImage").filter(visible=True)
        expect(saved).to_have_count(0)
        page.close()
    assert [text for text in errors if not THEIRS.search(text)] == []
