"""Every curve of every lesson: from opening its lab to the whole curve, with the picture."""

import sys
import time
from pathlib import Path

from rows import Row

from knnviz import labs

sys.path.append(str(Path(__file__).parents[1]))

from lesson_labs import CELLS, made

#: Seconds to the first point of a curve, and to all of it.
FIRST = 0.3
WHOLE = 3


def rows(quick):
    """The curves of all lessons; of one if it must be quick."""
    different = {}
    for cell in CELLS:
        lesson, _ = cell.split()
        lab = made(cell)
        # One lab has a curve that takes long and no menu for it.
        has_curve = "curve" in lab.parameters or isinstance(lab, labs.BagNoiseLab)
        if has_curve and (lesson == "01" or not quick):
            for name, setting in settings(lab):
                different.setdefault(repr(setting), (f"lesson {lesson}, {name}", setting))

    found = []
    for what, setting in different.values():
        first, whole = opened(*setting)
        found.append(Row(f"{what}, first point", first, "s", FIRST))
        found.append(Row(f"{what}, whole curve", whole, "s", WHOLE))
    return found


def settings(lab):
    """Labs and values of the curves of a lesson's lab: as it opens, and after each step."""
    kind = type(lab)
    menu = lab.parameters.get("curve")
    given = {"open": lab.start}
    for i, step in enumerate(lab.steps):
        given[f"step {i + 1}"] = lab.set(**lab.start).set(**step.set).values
    for what, values in given.items():
        # The first option of the menu takes no time.
        if not menu or values["curve"] != menu.ends[0]:
            problem = values.get("problem", values.get("shape"))
            yield f"{kind.__name__}, {problem}, {what}", (kind, dict(values))


def opened(kind, values):
    """Seconds from opening a lab as on a page to the first point of its curves, and to all."""
    begun = time.perf_counter()
    lab = kind(**values)
    _ = lab.widget
    while lab.background.works and not has_begun(lab):
        time.sleep(0.002)
    first = time.perf_counter() - begun
    lab.background.wait(lambda: lab.picture)
    whole = time.perf_counter() - begun
    lab.close()
    return first, whole


def has_begun(lab):
    """Whether each curve that takes long has a point; means over splits have all of theirs with the
    first split.
    """
    with lab.lock:
        if "splits done" in lab.numbers:
            return lab.numbers["splits done"].part > 0
        return all(call.steps for call in lab.background.unfinished() if call.slow)
