"""Every step of every lesson can be set, and what it finds is what the lab then reads out and
draws.
"""

import re

import nbformat
import numpy as np
import pytest
from test_setup import ROOT

from knnviz import labs, lessons, problems
from knnviz.labs.engine.recording import axes_of
from knnviz.labs.engine.steps import DRAWN, plain, progress
from knnviz.lessons import content


def opened():
    """Cells that open a lab on steps, by the name of these, with all cells of their notebook."""
    found = {}
    for path in (ROOT / "notebooks").glob("0*.ipynb"):
        cells = nbformat.read(path, as_version=4).cells
        for cell in cells:
            for name in re.findall(r'steps=lessons\.steps\("([\w-]+)"', cell.source):
                found[name] = (cell.source, cells)
    return found


OPENED = opened()

STEPS = {}
for chapter in content.chapters().values():
    STEPS |= chapter.get("steps", {})

#: Digits that are names.
NAMES = re.compile(
    r"\b(?:class|classes|label|labels|a|lesson|section) [01]s?\b|\bF1\b", re.IGNORECASE
)


def numbers(text):
    unnamed = NAMES.sub("", text.replace(",", ""))
    return set(re.findall(r"\d+(?:\.\d+)?", unnamed))


def named(text):
    """The labels of the drawn things in a text of a step."""
    return {label or words for _, label, words in DRAWN.findall(text) if words}


def drawn(lab):
    layers = [layer for panel in lab.picture.panels for layer in panel.layers]
    return {entry.label for layer in layers for entry in layer.legend}


@pytest.mark.parametrize("name", STEPS)
def test_steps_find_what_they_say(name):
    source, cells = OPENED[name]
    names = {each: getattr(labs, each) for each in labs.__all__}
    names |= {"lessons": lessons, "np": np, "problems": problems}
    for cell in cells:
        # A cell that makes the data of the lab has the name of these data.
        if f"    {cell.id}, " in source:
            exec(cell.source, names)
    lab = eval(source, names)
    for name, values in axes_of(lab, lab.recorded).items():
        of_steps = {step.setting.values[name] for step in lab.steps}
        assert of_steps <= {*values}, "a page without Python has all steps"

    before = lab.background.wait(lambda: drawn(lab), slow=False)
    for at, step in enumerate(lab.steps):
        lab.set(**lab.start).set(**step.set)
        found = lab.background.wait(lambda: progress(lab), slow=False)
        if not found[at][0]:
            found = lab.background.wait(lambda: progress(lab))
        arrived, _ = found[at]
        assert arrived, (step.do, {each: lab.numbers.get(each) for each in step.check})

        told = [*step.check.values(), *map(str, step.set.values())]
        assert numbers(plain(step.see)) <= numbers(" ".join(told)), step.see

        now = drawn(lab)
        if not named(step.see) <= now:
            now = lab.background.wait(lambda: drawn(lab))
        assert named(step.do) <= before | now, (step.do, before | now)
        assert named(step.see) <= now, (step.see, now)
        before = now
