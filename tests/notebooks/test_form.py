"""Committed notebooks are executed, in their normal form, and small enough for a lesson."""

import copy
import json
import re

import nbformat
import pytest
from make import NOTEBOOKS, every, executed, flaws, normalized

new = nbformat.v4


@pytest.fixture(params=every(), ids=lambda path: str(path.relative_to(NOTEBOOKS)))
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return nbformat.read(path, as_version=4)


def test_normal_form(notebook):
    assert normalized(copy.deepcopy(notebook)) == notebook, "run `make notebooks`"
    assert list(flaws(notebook)) == []
    nbformat.validate(notebook)


def test_executed_from_top_to_bottom(notebook):
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))


def test_length(notebook):
    assert len(notebook.cells) <= 66


def test_cells_have_names_that_stay(path):
    # Reading gives a cell without a name a fresh one, so this looks at the file itself.
    ids = [cell["id"] for cell in json.loads(path.read_text())["cells"]]
    assert len(set(ids)) == len(ids)


def test_written_as_nbformat_writes(path, notebook, tmp_path):
    nbformat.write(notebook, tmp_path / "again.ipynb")
    assert (tmp_path / "again.ipynb").read_text() == path.read_text(), "run `make notebooks`"


def test_what_passes_is_dropped_and_what_lasts_is_kept():
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "f00", "version_major": 2, "version_minor": 0}}
    metadata = {
        "tags": ["raises-exception"],
        "jupyter": {"source_hidden": True, "outputs_hidden": True},
        "execution": {"iopub.status.busy": "2026-01-01"},
        "collapsed": True,
    }
    cell = new.new_code_cell("lab", metadata=metadata, outputs=[new.new_output("display_data", view)])
    shown = new.new_code_cell("x", metadata={"jupyter": {"source_hidden": False}})
    own = {"kernelspec": {"name": "mine", "display_name": "Mine"}, "widgets": {"state": {}}}
    own["language_info"] = {"name": "python", "version": "3.11.7"}
    notebook = normalized(new.new_notebook(cells=[cell, shown], metadata=own))
    assert notebook.metadata == {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "language_info": {"name": "python"},
    }
    assert notebook.cells[0].metadata == {"tags": ["raises-exception"], "jupyter": {"source_hidden": True}}
    assert notebook.cells[1].metadata == {}
    assert next(iter(notebook.cells[0].outputs[0].data.values()))["model_id"] == "saved"


def stream(text, name="stdout"):
    return new.new_output("stream", name=name, text=text)


FLAWED = {
    "shows stderr": stream("UserWarning", "stderr"),
    "shows an error": new.new_output("error", ename="KeyError", evalue="'k'", traceback=[]),
    "an absolute path": stream("wrote " + "/" + "home/me/risk.csv"),
    "an absolute path ": stream("C:\\Users\\me"),
    "an absolute path  ": new.new_output("display_data", {"text/html": "<b>lib/python3.12/site-packages/knnviz</b>"}),
    "a patch version of Python": stream("Python 3.12.4"),
    "a patch version of Python ": stream("3.12.4 (main, Jun  6 2024)"),
    "an address in memory": new.new_output("execute_result", {"text/plain": "<Figure at 0x7f00c0ffee10>"}),
}


@pytest.mark.parametrize("flaw", FLAWED)
def test_flaws_are_found(flaw):
    cell = new.new_code_cell("1", id="cell", outputs=[FLAWED[flaw]])
    assert [flaw.strip() in found for found in flaws(new.new_notebook(cells=[cell]))] == [True]


def test_names_that_do_not_stay_are_found():
    cells = [new.new_code_cell("1"), new.new_code_cell("1", id="0a1b2c3d-1234-4abc-8def-0123456789ab")]
    assert len(list(flaws(new.new_notebook(cells=cells)))) == 2


@pytest.mark.parametrize(
    "fine", ["numba 0.61.2, matplotlib 3.10.1", "risk/k, 1/2, a/tmp/b", "see notebooks/images/neighbor-lab.gif"]
)
def test_what_is_the_same_everywhere_is_no_flaw(fine):
    cell = new.new_code_cell("1", id="cell", outputs=[stream(fine)])
    assert list(flaws(new.new_notebook(cells=[cell]))) == []


def test_making_refuses_what_it_cannot_mend(tmp_path):
    path = tmp_path / "warns.ipynb"
    cell = new.new_code_cell("import sys\nprint('careful', file=sys.stderr)", id="warns")
    nbformat.write(new.new_notebook(cells=[cell]), path)
    with pytest.raises(ValueError, match="cell warns shows stderr"):
        executed(path)


def saved_words(path):
    """Words of the pictures that a notebook keeps, by the cell they stand under."""
    for cell in nbformat.read(path, as_version=4).cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                yield cell.id, output.metadata.get("image/png", {}).get("alt", "")


def test_saved_pictures_hold_all_of_the_curves_that_their_cells_ask_for():
    words = {(path.stem, cell): alt for path in every() for cell, alt in saved_words(path)}
    progress = {
        key: re.findall(r"(\d+) of (\d+) (?:pieces|samples|splits|trials)? ?done", alt) for key, alt in words.items()
    }
    assert len([key for key, found in progress.items() if found]) >= 5
    assert {key: found for key, found in progress.items() if any(done != total for done, total in found)} == {}
    assert [key for key, alt in words.items() if "nothing yet" in alt] == []
