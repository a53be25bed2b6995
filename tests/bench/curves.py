"""Every curve of every lesson: from opening its lab to the whole curve, with the picture."""

import json
import re
import time
from pathlib import Path

from rows import Row

from knnviz import labs, lessons

#: Seconds to the first point of a curve, and to all of it.
FIRST = 0.3
WHOLE = 3

#: Labs with a curve that takes long, by name: the first option of the menu does not, and one lab
#: has no menu for it.
KINDS = {}
for lab_name in labs.__all__:
    lab_kind = getattr(labs, lab_name)
    if "curve" in lab_kind.parameters or lab_kind is labs.BagNoiseLab:
        KINDS[lab_name] = lab_kind


def rows(quick):
    """The curves of all lessons; of one if it must be quick."""
    notebooks = sorted((Path(__file__).parents[2] / "notebooks").glob("0*.ipynb"))
    opens_lab = re.compile(rf"({'|'.join(KINDS)})\((?!.*readout)", re.DOTALL)
    different = {}
    for lesson in notebooks[1:2] if quick else notebooks:
        for cell in json.loads(lesson.read_text("utf-8"))["cells"]:
            source = "".join(cell["source"])
            if opens_lab.match(source):
                for name, setting in settings(eval(source, {**KINDS, "lessons": lessons})):
                    what = f"lesson {lesson.stem[:2]}, {name}"
                    different.setdefault(repr(setting), (what, setting))

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
    """Whether each curve that takes long has a point."""
    with lab.lock:
        return all(call.steps for call in lab.background.unfinished() if call.slow)
