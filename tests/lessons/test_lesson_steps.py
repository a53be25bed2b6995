"""Every step of every lesson can be set, and what it finds is what the lab then reads out."""

import re

import nbformat
import numpy as np
import pytest
from test_setup import ROOT

from knnviz import labs, problems
from knnviz.labs.engine.steps import progress
from knnviz.lessons import content

#: The cells that open a lab on steps, by the name of the steps, with all cells of their notebook.
OPENED = {
    name: (cell.source, cells)
    for cells in [
        nbformat.read(path, as_version=4).cells for path in (ROOT / "notebooks").glob("0*.ipynb")
    ]
    for cell in cells
    for name in re.findall(r'steps="([\w-]+)"', cell.source)
}

STEPS = {
    name: each
    for chapter in content.chapters().values()
    for name, each in chapter.get("steps", {}).items()
}

#: Digits that are names.
NAMES = re.compile(
    r"\b(?:class|classes|label|labels|a|lesson|section) [01]s?\b|\bF1\b", re.IGNORECASE
)


def numbers(text):
    return set(re.findall(r"\d+(?:\.\d+)?", NAMES.sub("", text.replace(",", ""))))


@pytest.mark.parametrize("name", STEPS)
def test_steps_find_what_they_say(name):
    (source, cells) = OPENED[name]
    names = {each: getattr(labs, each) for each in labs.__all__}
    names |= {"np": np, "problems": problems}
    for cell in cells:
        # A cell that makes the data of the lab has the name of these data.
        if f"    {cell.id}, " in source:
            exec(cell.source, names)
    lab = eval(source, names)
    for at, step in enumerate(lab.steps):
        lab.set(**lab.start).set(**step.set)
        found = lab.background.wait(lambda: progress(lab), slow=False)
        if not found[at][0]:
            found = lab.background.wait(lambda: progress(lab))
        assert found[at][0], (step.do, {each: lab.numbers.get(each) for each in step.check})
        told = " ".join([*step.check.values(), *map(str, step.set.values())])
        assert numbers(step.see) <= numbers(told), step.see
