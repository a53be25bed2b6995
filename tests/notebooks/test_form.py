"""Committed notebooks are executed, in their normal form, and small enough for a lesson."""

import copy

import nbformat
import pytest
from make import NOTEBOOKS, every, normalized


@pytest.fixture(params=every(), ids=lambda path: str(path.relative_to(NOTEBOOKS)))
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def test_normal_form(notebook):
    assert normalized(copy.deepcopy(notebook)) == notebook, "run `make notebooks`"
    nbformat.validate(notebook)


def test_executed_from_top_to_bottom_without_a_warning(notebook):
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    for output in (output for cell in code for output in cell.outputs):
        assert output.output_type != "error"
        assert output.get("name") != "stderr"


def test_length(notebook):
    assert len(notebook.cells) <= 60


def test_cells_have_names_that_stay(notebook):
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
