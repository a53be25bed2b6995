"""A plugin beside nbval: once the cells of a notebook have run, its weight is looked at and its
exercises are tried.
"""

import ast
import re

import pytest
from nbval.plugin import IPyNbFile

from knnviz.lessons import content

#: Megabytes that a kernel holds after the last cell, at most.
MEGABYTES = 400

#: What marks the output of a widget.
VIEW = "application/vnd.jupyter.widget-view+json"

#: What tells them, and the number of widgets, once curves that fill in are whole and what they
#: freed is given back; the layout of a widget is a model of its own.
WEIGHT = """
import psutil
from ipywidgets.widgets.widget import _instances
from knnviz.memory import return_memory
for lab in [each.lab for each in _instances.values() if hasattr(each, "lab")]:
    lab.background.wait(lambda: None)
return_memory()
widgets = [each for each in _instances.values() if type(each).__name__ != "Layout"]
psutil.Process().memory_info().rss / 1e6, len(widgets)
"""


def pytest_collection_modifyitems(items):
    """Some items more for each notebook, after its last cell; a close reading may be heavier than a
    lesson.
    """
    for place in reversed(range(len(items))):
        page = items[place].parent
        if isinstance(page, IPyNbFile) and (
            place + 1 == len(items) or items[place + 1].parent is not page
        ):
            kinds = [Light, Exercises] if page.path.parent.name == "notebooks" else [Exercises]
            items[place + 1 : place + 1] = [
                kind.from_parent(page, name=kind.__name__.lower()) for kind in kinds
            ]


class Light(pytest.Item):
    """A kernel stays small, and has no widgets but those of its page."""

    def runtest(self):
        """Ask how much the kernel holds."""
        (weight,) = run(self.parent.kernel, WEIGHT)
        megabytes, widgets = ast.literal_eval(weight)
        outputs = [each for cell in self.parent.nb.cells for each in cell.get("outputs", [])]
        assert megabytes <= MEGABYTES
        assert widgets == sum(VIEW in each.get("data", {}) for each in outputs)


class Exercises(pytest.Item):
    """The stub is not attempted, the solution correct, a wrong idea gets its own hint: in the
    executed notebook.
    """

    def runtest(self):
        """Put each of them into the cell that checks."""
        for cell in self.parent.nb.cells:
            for name in checked_in(cell):
                self.attempt(name, cell)

    def attempt(self, name, cell):
        """All ways to answer one exercise."""
        exercise = content.exercises()[name]
        kernel = self.parent.kernel
        stub = exercise.stub.strip()
        assert cell.source.count(stub) == 1, (
            f"the cell of {name} must hold its stub as the chapter's file has it"
        )
        (saved,) = (output.data["text/plain"] for output in cell.outputs)
        assert run(kernel, cell.source) == [saved]
        assert saved.startswith(f"Exercise {name}: not attempted.")
        assert run(kernel, cell.source.replace(stub, exercise.solution)) == [
            f"Exercise {name}: correct."
        ]
        for wrong in exercise.wrong:
            told = run(kernel, cell.source.replace(stub, wrong.code))
            assert told == [f"Exercise {name}: not yet. {wrong.hint}"]


def checked_in(cell):
    """Names of the exercises that a cell checks."""
    return re.findall(r'\bcheck\("([^"]+)"', cell.source) if cell.cell_type == "code" else []


def run(kernel, code):
    """The text of what code shows; RuntimeError if it stops."""
    request = kernel.execute_cell_input(code)
    shown = []
    while True:
        message = kernel.get_message("iopub", timeout=120)
        content = message["content"]
        if message["parent_header"].get("msg_id") != request:
            continue
        if content.get("execution_state") == "idle":
            return shown
        if message["msg_type"] == "error":
            raise RuntimeError(f"{content['ename']}: {content['evalue']}")
        if message["msg_type"] in ("display_data", "execute_result"):
            shown.append(content["data"]["text/plain"])
