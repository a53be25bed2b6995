"""A lab in the output of a cell: a still picture, which a saved notebook keeps, then the live view."""

import gc
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from IPython import get_ipython

from knnviz.labs.engine.in_book import publish_recorded
from knnviz.labs.engine.large_values import release_large_values
from knnviz.outputs import RECORDINGS, publish_live, publish_still
from knnviz.views import static
from knnviz.views.layers import Picture

#: Environment variable, set while notebooks are made: still pictures wait for streaming curves.
COMPLETE = "KNNVIZ_COMPLETE_PICTURES"

#: By notebook cell: the id of its last run, and the labs that it shows.
LABS_BY_CELL: dict[str, tuple[str | None, set[Any]]] = {}


def display(lab: Any) -> None:
    """Show a lab under the running cell."""
    # An error here occurs again in the live view, which shows it as a sentence.
    with suppress(Exception):
        with lab.background.opening():
            picture = lab.background.wait_until_idle(lambda: lab.picture, streams=False)
        words = picture.alt
        if COMPLETE in os.environ:
            picture = lab.background.wait_until_idle(lambda: lab.picture)
        publish_picture(picture, words)
    if RECORDINGS in os.environ:
        publish_recorded(lab, Path(os.environ[RECORDINGS]))
        return
    publish_live(lab.widget.model_id, f"{type(lab).__name__}: run this cell to move it.")
    release_large_values(lab)


def publish_picture(picture: Picture, words: str) -> None:
    """Put a picture into the cell's output, with plain ``words`` that do not depend on how long it waited."""
    size = {name: round(side * picture.scale) for name, side in zip(("width", "height"), picture.size, strict=True)}
    metadata = {"image/png": {**size, "alt": picture.alt}}
    publish_still({"image/png": static.png(picture, max_colors=64), "text/plain": words}, metadata)


def remember(lab: Any) -> None:
    """Note in which cell a lab is shown, and close labs of an earlier run of that cell that no other cell shows."""
    cell, run = running_cell()
    if cell is None:
        return
    last_run, labs = LABS_BY_CELL.get(cell, (run, set()))
    LABS_BY_CELL[cell] = run, {lab} if last_run != run else labs | {lab}
    if unused := labs.difference(*[others for _, others in LABS_BY_CELL.values()]):
        for each in unused:
            each.close()
        # Widgets and figures are in reference cycles, which the collector would leave for long.
        gc.collect()


def running_cell() -> tuple[str | None, str | None]:
    """Ids of the running notebook cell and of its current run; None outside a notebook."""
    kernel = getattr(get_ipython(), "kernel", None)
    parent = kernel.get_parent("shell") if kernel is not None else {}
    return parent.get("metadata", {}).get("cellId"), parent.get("header", {}).get("msg_id")
