"""Sittings: what a class takes of a lesson at a time."""

from collections.abc import Sequence
from typing import Any

from knnviz.checks import check_int, require

#: Of a sitting's page the parts besides its own: the opening, and the button at the end.
ANSWERS = "## Your answers"
ALWAYS = ("", ANSWERS)

#: What a page without a menu leaves out of a lesson's text.
RUN_ALL = r"\s*Choose\s+\*\*Run\s>\sRun\sAll\sCells\*\*[^.]*\."

#: The tag of a cell, without output, on which code of other sittings relies.
EVERY = "every-sitting"


def sitting(cells: Sequence[Any], number: int) -> list[Any]:
    """The cells of a lesson's notebook that one sitting needs, from 1; ValueError if there is no
    such sitting.

    Examples
    --------
    >>> from nbformat.v4 import new_markdown_cell as cell
    >>> from knnviz.lessons.sittings import sitting
    >>> cells = [cell("# Title"), cell("## First sitting"), cell("## Second sitting: ties")]
    >>> [each.source for each in sitting(cells, 2)]
    ['# Title', '## Second sitting: ties']
    """
    known = sittings(cells)
    require(known, "this notebook has no sittings")
    check_int("--sitting", number, 1, len(known))
    found = []
    for heading, part in parts(cells).items():
        is_whole = heading in (*ALWAYS, known[number - 1])
        found += [cell for cell in part if is_whole or EVERY in cell.metadata.get("tags", ())]
    return found


def sittings(cells: Sequence[Any]) -> list[str]:
    """The headings of the second level that begin a sitting, in order."""
    return [heading for heading in parts(cells) if "sitting" in heading]


def parts(cells: Sequence[Any]) -> dict[str, list[Any]]:
    """Cells by the heading of the second level above them; "" above the first."""
    found: dict[str, list[Any]] = {"": []}
    heading = ""
    for cell in cells:
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            heading = cell.source.splitlines()[0]
        found.setdefault(heading, []).append(cell)
    return found
