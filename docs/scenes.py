"""Pictures of the labs of a lesson, and its Markdown as HTML, for handouts and questions."""

import base64
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import mistune
import nbformat

from knnviz.cell_outputs import emphasized, plain
from knnviz.labs import Lab
from knnviz.lessons import content
from knnviz.views.static import few_colors

ROOT = Path(__file__).parents[1]
for folder in ("", "notebooks"):
    sys.path.insert(0, str(ROOT / "tests" / folder))

from lesson_labs import CELLS, made  # noqa: E402
from make import lessons  # noqa: E402

#: Formulas become what Moodle and MathJax take: parentheses with backslashes, or two dollars.
to_html = mistune.create_markdown(escape=False, plugins=["math", "table"])

#: Dots to the inch, for print.
DPI = 200


class Scene(NamedTuple):
    """A picture in base64, and its words."""

    png: str
    words: str


def notebook(number: str) -> Path:
    """The notebook of a lesson, such as "04"; ValueError if there is none."""
    known = {path.stem[:2]: path for path in lessons()}
    return content.entry("there is no lesson", number, known)


def has_lab(path: Path, cell: Any) -> bool:
    """Whether a cell of a lesson makes a lab."""
    return name_of(path, cell) in CELLS


def step_html(text: str) -> str:
    """What a step says, as HTML, without the names of what it points at."""
    return emphasized(plain(text))


def scenes(path: Path, cell: Any) -> Iterator[tuple[Scene, Any]]:
    """The lab of a cell as it opens, with None, and at each step, with the step; in large
    letters.
    """
    lab = made(name_of(path, cell))
    lab.projector = True
    yield scene(lab), None
    for step in lab.steps:
        yield scene(lab.reset().set(**step.set)), step
    lab.close()


def steps_by_prediction(path: Path) -> dict[str, list[tuple[Scene, Any]]]:
    """By prediction the steps of its lab, each with what it shows."""
    found = {}
    name = ""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.source.startswith("predict("):
            name = cell.source.split('"')[1]
        elif name and has_lab(path, cell):
            _, *found[name] = scenes(path, cell)
            name = ""
    return found


def scene(lab: Lab) -> Scene:
    drawn = io.BytesIO()
    figure = lab.figure()
    figure.savefig(drawn, format="png", dpi=DPI)
    small = few_colors(drawn.getvalue())
    return Scene(base64.b64encode(small).decode(), figure.alt)


def name_of(path: Path, cell: Any) -> str:
    return f"{path.stem[:2]} {cell.id}"
