"""The labs that lessons show, made as their cells make them."""

import re
from pathlib import Path
from typing import Any

import nbformat
import numpy as np

from knnviz import labs, lessons, problems

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


def cells_with_labs() -> dict[str, tuple[str, list[Any]]]:
    """Code that makes a lab, with all cells of its notebook, by lesson and cell."""
    found = {}
    for path in sorted(NOTEBOOKS.glob("0*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        for cell in cells:
            if re.fullmatch(r"\w+Lab\(.*\)", cell.source, re.DOTALL):
                found[f"{path.stem[:2]} {cell.id}"] = (cell.source, cells)
    del found["00 readout"]
    return found


CELLS = cells_with_labs()


def made(name: str) -> labs.Lab:
    """The lab of a lesson's cell."""
    source, cells = CELLS[name]
    names: dict[str, Any] = {each: getattr(labs, each) for each in labs.__all__}
    names |= {"lessons": lessons, "np": np, "problems": problems}
    for cell in cells:
        # A cell that makes the data of the lab has the name of these data.
        if f"    {cell.id}, " in source:
            exec(cell.source, names)
    return eval(source, names)
