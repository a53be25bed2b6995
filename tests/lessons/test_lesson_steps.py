"""Every step of every lesson can be set, and what it finds is what the lab then reads out and
draws.
"""

import re

import pytest
from lesson_labs import CELLS, made

from knnviz.cell_outputs import DRAWN, plain
from knnviz.labs.engine.ahead import places
from knnviz.labs.engine.recording import axes_of
from knnviz.labs.engine.steps import progress
from knnviz.lessons import content

#: Cells of labs by the names of their steps.
OPENED = {}
for cell, (source, _) in CELLS.items():
    for name in re.findall(r'lessons\.steps\("([\w-]+)"', source):
        OPENED[name] = cell

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
    lab = made(OPENED[name])
    for name, values in axes_of(lab, lab.recorded).items():
        of_steps = {step.setting.values[name] for step in lab.steps}
        assert of_steps <= {*values}, "a page without Python has all steps"

    before = lab.background.wait(lambda: drawn(lab), slow=False)
    for at, step in enumerate(lab.steps):
        lab.set(**lab.start).set(**step.set)
        found = lab.background.wait(lambda: progress(lab), slow=False)
        if not found[at][0]:
            found = lab.background.wait(lambda: progress(lab))
        arrived, *_ = found[at]
        assert arrived, (step.do, {each: lab.numbers.get(each) for each in step.check})

        told = [*step.check.values(), *map(str, step.set.values())]
        assert numbers(plain(step.see)) <= numbers(" ".join(told)), step.see

        now = drawn(lab)
        if not named(step.see) <= now:
            now = lab.background.wait(lambda: drawn(lab))
        assert named(step.do) <= before | now, (step.do, before | now)
        assert named(step.see) <= now, (step.see, now)
        before = now


@pytest.mark.parametrize("name", STEPS)
def test_a_slider_goes_to_what_a_step_sets(name):
    lab = made(OPENED[name])
    for step in lab.steps:
        for each, value in step.set.items():
            if lab.parameters[each].kind in ("slider", "steps"):
                lab.set(**lab.start).set(**step.set)
                lab.set(**{each: lab.setting.ends[each][0]})
                assert value in places(lab, each)[0], step.do
