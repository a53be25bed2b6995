"""What the notebooks ask: every prediction and exercise is known, and each way to answer an exercise is told apart."""

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager

import nbformat
import pytest
from make import NOTEBOOKS, every
from nbclient import NotebookClient

from knnviz.lessons import book


def calls(path, function):
    """Literal arguments of all calls of a function in a notebook's code, in order."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == function:
                yield [argument.value if isinstance(argument, ast.Constant) else argument for argument in node.args]


ASKED = {path: [name for name, _ in calls(path, "check")] for path in every()}
LESSONS = [path for path in every() if ASKED[path]]


def test_every_prediction_and_exercise_stands_in_one_notebook():
    predicted = [name for path in every() for name, *_ in calls(path, "predict")]
    checked = [name for names in ASKED.values() for name in names]
    assert sorted(predicted) == sorted(book.predictions())
    assert sorted(checked) == sorted(book.exercises())


@contextmanager
def running(path) -> Iterator:
    """A function that runs code after all of a notebook, and returns the text of what it shows."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}})
    with client.setup_kernel():
        for index, cell in enumerate(notebook.cells):
            if cell.cell_type == "code":
                client.execute_cell(cell, index)
        extra = nbformat.v4.new_code_cell()
        notebook.cells.append(extra)

        def run(code):
            extra.source = code
            client.execute_cell(extra, len(notebook.cells) - 1)
            return [output.data["text/plain"] for output in extra.outputs if "data" in output]

        yield run


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: str(path.relative_to(NOTEBOOKS)))
def test_each_way_to_answer_is_told_apart(path):
    """In the executed notebook: the stub is not attempted, the solution correct, a wrong idea gets its own hint."""
    cells = {name: cell for cell in nbformat.read(path, as_version=4).cells for name in checked_in(cell)}
    with running(path) as run:
        for name in ASKED[path]:
            exercise, source = book.exercises()[name], cells[name].source
            stub = exercise.stub.strip()
            assert source.count(stub) == 1, f"the cell of {name} must hold its stub as the chapter's file has it"
            (saved,) = (output.data["text/plain"] for output in cells[name].outputs)
            (again,) = run(source)
            assert saved == again
            assert again.startswith(f"Exercise {name}: not attempted.")
            assert run(source.replace(stub, exercise.solution)) == [f"Exercise {name}: correct."]
            for wrong in exercise.wrong:
                (line,) = run(source.replace(stub, wrong.code))
                assert line == f"Exercise {name}: not yet. {wrong.hint}"


def checked_in(cell):
    """Names of the exercises that a cell checks."""
    return re.findall(r'\bcheck\("([^"]+)"', cell.source) if cell.cell_type == "code" else []
