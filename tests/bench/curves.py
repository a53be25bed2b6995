"""Every curve of every lesson: from opening its lab to the whole curve, with the picture beside
it.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rows import Row, timed

from knnviz import labs

#: Seconds to a whole curve.
WHOLE = 3

#: Labs with a curve that takes long, by name: the first option of the menu does not, and one lab
#: has no menu for it.
KINDS = {name: getattr(labs, name) for name in labs.__all__}
KINDS = {
    name: kind
    for name, kind in KINDS.items()
    if "curve" in kind.parameters or kind is labs.BagNoiseLab
}

#: A lab and its values.
Setting = tuple[type[labs.Lab], dict[str, Any]]


def rows(quick: bool) -> list[Row]:
    """The curves of all lessons; of one if it must be quick."""
    lessons = sorted((Path(__file__).parents[2] / "notebooks").glob("0*.ipynb"))
    found: dict[str, tuple[str, Setting]] = {}
    for lesson in lessons[1:2] if quick else lessons:
        for cell in json.loads(lesson.read_text("utf-8"))["cells"]:
            source = "".join(cell["source"])
            if re.match(rf"({'|'.join(KINDS)})\((?!.*readout)", source, re.DOTALL):
                for what, setting in settings(eval(source, dict(KINDS))):
                    found.setdefault(repr(setting), (f"lesson {lesson.stem[:2]}, {what}", setting))
    return [Row(what, timed(lambda at=at: wait(*at))[0], "s", WHOLE) for what, at in found.values()]


def settings(lab: labs.Lab) -> Iterator[tuple[str, Setting]]:
    """Curves of a lab of a lesson: as it opens, after each step, and at each option as the lab
    starts by itself.
    """
    kind = type(lab)
    menu = lab.parameters.get("curve")
    given = {"open": lab.start} | {
        f"step {i + 1}": lab.set(**lab.start).set(**step.set).values
        for i, step in enumerate(lab.steps)
    }
    if menu:
        alone = kind(**{name: lab.start[name] for name in {"problem", "shape"} & {*lab.start}})
        options = set(menu.ends) & {*alone.ends(alone.values)["curve"]}
        given |= {
            each: alone.set(**alone.start).set(curve=each).values
            for each in menu.ends
            if each in options
        }
    for what, values in given.items():
        if not menu or values["curve"] != menu.ends[0]:
            yield (
                f"{kind.__name__}, {values.get('problem', values.get('shape'))}, {what}",
                (kind, dict(values)),
            )


def wait(kind: type[labs.Lab], values: dict[str, Any]) -> None:
    """Open a lab as on a page, and wait for all of it."""
    lab = kind(**values)
    _ = lab.widget
    lab.background.wait(lambda: lab.picture)
    lab.close()
