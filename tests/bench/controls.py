"""Every control of every lab: how long a move takes to its first frame and to the full picture.

``python tests/bench/controls.py NAMES`` prints the rows of some labs, of all by default.
"""

import statistics
import sys
import time
from itertools import count
from typing import Any

import numpy as np
from rows import Row, table

from knnviz import labs

#: Moves of each control.
MOVES = 7

#: Milliseconds to the first frame, or where that is a preview after a new sample or problem; to the
#: full picture.
FRAME = 16
PREVIEW = 60
FULL = 500
REDRAWN = ("n", "seed", "problem", "preparation")

#: Running numbers of messages: one that the page has used before would be a message that is sent
#: again.
NUMBERS = count(1)


def rows(quick: bool) -> list[Row]:
    """The controls of all labs; of one if it must be quick."""
    if quick:
        return measured(["NeighborLab"])
    return measured([name for name in labs.__all__ if name != "Lab"])


def measured(names: list[str]) -> list[Row]:
    """All controls of some labs that have an effect at the start values."""
    found = []
    for name in names:
        lab = getattr(labs, name)()
        _ = lab.widget
        for each in lab.parameters:
            if each not in lab.setting.hidden:
                found += moved(lab, each)
        lab.close()
    return found


def moved(lab: labs.Lab, name: str) -> list[Row]:
    """One control, from the lab's start values: its first frame, and the full picture where that
    was a preview.
    """
    first = []
    full = []
    previews = []
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

    what = f"{type(lab).__name__}, {name}"
    most = PREVIEW if name in REDRAWN else FRAME
    found = [Row(f"{what}: first frame", statistics.median(first), bar=most)]
    if any(previews):
        found.append(Row(f"{what}: full picture", statistics.median(full), bar=FULL))
    return found


def send(lab: labs.Lab, *step: Any) -> None:
    """What a page has done when a hand moves a control or clicks into a panel."""
    message = {"page": "bench", "seq": next(NUMBERS), "steps": [list(step)]}
    lab.widget._receive(lab.widget, message)


def values(lab: labs.Lab, name: str) -> list[Any]:
    """Values to move to, near the start and other than it, within the ends."""
    parameter = lab.parameters[name]
    start = lab.start[name]
    ends = lab.setting.ends[name]
    if parameter.kind == "menu":
        others = [each for each in ends if each != start]
        return [each for other in others for each in (other, start)][:MOVES]
    steps = [step for step in parameter.steps(*ends) if step != start]
    at = int(np.searchsorted(steps, start))
    near = steps[max(at - MOVES, 0) : at + MOVES]
    return (near * MOVES)[:MOVES]


if __name__ == "__main__":
    names = sys.argv[1:]
    print(table(measured(names) if names else rows(quick=False)))
