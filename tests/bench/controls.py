"""Every control of every lab: how long a move takes to its first frame and to the full picture.

``python tests/bench/controls.py NAMES`` prints the rows of some labs, of all by default.
"""

import statistics
import sys
import time
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from knnviz import labs
from knnviz.labs.engine import Lab

#: Moves of each control.
MOVES = 7

#: Milliseconds to the first frame; after these controls to a preview, and to the full picture.
FRAME, PREVIEW, FULL, REDRAWN = 16, 60, 500, ("n", "seed", "problem")

#: Running numbers of messages: one that the page has used before would be a message that is sent again.
NUMBERS = count(1)


class Control(NamedTuple):
    """Medians of the moves of one control: milliseconds to the first frame and until all is drawn."""

    lab: str
    name: str
    first: float
    full: float
    is_preview: bool

    @property
    def met(self) -> bool:
        """Whether the first frame comes in time, and is the full picture where it has to be."""
        if self.name in REDRAWN:
            return self.first <= (PREVIEW if self.is_preview else FULL) and self.full <= FULL
        return self.first <= FRAME and not self.is_preview

    def __str__(self) -> str:
        full, met = f"{self.full:.0f}" if self.is_preview else "", "yes" if self.met else "NO"
        return f"| {self.lab} | {self.name} | {self.first:.1f} | {full} | {met} |"


def measured(lab_class: type[Lab]) -> list[Control]:
    """All controls of a lab that have an effect at its start values."""
    lab = lab_class()
    _ = lab.widget
    found = [moved(lab, name) for name in lab.parameters if name not in lab.hidden(lab.values)]
    lab.close()
    return found


def moved(lab: Lab, name: str) -> Control:
    """One control, from the lab's start values; a move that another one answers is left out."""
    first, full, previews = [], [], []
    for value in values(lab, name):
        lab.readout()
        begun = time.perf_counter()
        send(lab, "move", {name: value})
        first.append(1000 * (time.perf_counter() - begun))
        with lab.lock:
            previews.append(bool(lab.background.unfinished(slow=False)))
        lab.background.wait(lambda: lab.picture, slow=False)
        full.append(1000 * (time.perf_counter() - begun))
    lab.reset()
    return Control(type(lab).__name__, name, statistics.median(first), statistics.median(full), any(previews))


def send(lab: Lab, *step: Any) -> None:
    """What a page has done when a hand moves a control or clicks into a panel."""
    lab.widget._receive(lab.widget, {"page": "bench", "seq": next(NUMBERS), "steps": [list(step)]})


def values(lab: Lab, name: str) -> list[Any]:
    """Values to move to, near the start and other than it, within the ends."""
    parameter, start, ends = lab.parameters[name], lab.start[name], lab.ends(lab.values)[name]
    if parameter.kind == "menu":
        return [each for other in ends if other != start for each in (other, start)][:MOVES]
    low, high = ends
    if parameter.kind == "steps":
        steps = [step for step in parameter.steps(low, high) if step != start]
        at = int(np.searchsorted(steps, start))
        near = steps[max(at - MOVES, 0) : at + MOVES]
    else:
        digits = 12 if parameter.digits else 0
        away = (round(start + each * parameter.step, digits) for by in range(1, 40) for each in (by, -by))
        near = [type(start)(each) for each in away if low <= each <= high]
    return (near * MOVES)[:MOVES]


def table(names: list[str]) -> str:
    """The rows of some labs, of all by default, as a Markdown table."""
    kinds = [getattr(labs, name) for name in names or labs.__all__ if name != "Lab"]
    rows = [row for kind in kinds for row in measured(kind)]
    lines = ["| lab | control | first frame, ms | all of it | met |", "|---|---|---|---|---|"]
    return "\n".join([*lines, *map(str, rows), f"\n{sum(not row.met for row in rows)} of {len(rows)} missed"])


if __name__ == "__main__":
    print(table(sys.argv[1:]))
