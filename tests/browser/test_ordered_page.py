"""Sliders for flip rates, class weights, margin and k, each in a lab of a lesson: what follows the hand on them."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from session import PAGE, Session

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


class Case(NamedTuple):
    """The cell of a lab in a lesson, a slider and the fraction of its track to go to, and what changes."""

    lesson: str
    cell: str
    slider: str
    to: float
    layers: dict[str, list[str]]
    numbers: list[str]


CASES = {
    "k": Case(
        *("00-start-here", "lab1", "neighbors k", 0.9),
        {"map": ["regions", "voters", "ball"], "votes": ["at_k", "value_label"]},
        ["risk", "votes at x"],
    ),
    "flip-rate": Case(
        *("02-label-noise", "lab2", "flip rate of class 1 p1", 0.1),
        {"map": ["regions", "set", "points"], "votes": ["curve1"]},
        ["risk of kNN", "limit of kNN", "labels flipped"],
    ),
    "class-weight": Case(
        *("04-class-weights", "lab5", "weight of class 0 q0", 0.7),
        {"map": ["regions", "votes1"], "triangle": ["weights"]},
        ["decision at x", "weighted risk", "weights q"],
    ),
    "margin": Case(
        *("01-nearest-neighbors", "lab5", "margin Delta", 0.1),
        {"map": ["boundary"]},
        ["boundary mass"],
    ),
    "advantage": Case(
        *("01-nearest-neighbors", "lab7", "largest mass A", 0.1),
        {"map": ["advantage"]},
        ["advantage at x"],
    ),
    "risk-curve": Case(
        *("01-nearest-neighbors", "lab3", "sample size n", 0.9),
        {"map": ["regions"], "risk": ["mean kNN", "mean kNN_band", "here"]},
        ["risk"],
    ),
}

#: A number for the pixels in a rectangle of the sheet, whose width is the last of the given numbers.
PIXELS = """(rectangle) => {
  const canvas = document.querySelector('.knnviz-figure canvas'), zoom = canvas.width / rectangle[4];
  const place = rectangle.slice(0, 4).map((each) => Math.round(each * zoom));
  return canvas.getContext('2d').getImageData(...place).data.reduce((hash, byte) => (hash * 31 + byte) | 0, 0);
}"""
OTHER_PIXELS = f"([rectangle, before]) => ({PIXELS})(rectangle) !== before"

#: Rectangles of panels, each with the width of the sheet.
RECTANGLES = """
import json
sheet = lab.view.frames.state["sheet"]
print(json.dumps({each["name"]: [*each["rectangle"], sheet["size"][0]] for each in sheet["panels"]}))
"""

#: Layers that have changed since ``before``.
CHANGED = """
import json
print(json.dumps([name for name, layer in lab.view.frames.layers.items() if before.get(name) is not layer]))
"""

#: Names and values of the readout, also of those that a lesson does not open on.
NUMBERS = "all => Object.fromEntries(all.map(({ children }) => [...children].map((each) => each.textContent)))"


def numbers(lab: Session) -> dict[str, str]:
    return lab.page.locator(".knnviz-numbers > div").evaluate_all(NUMBERS)


@pytest.fixture
def opened(standing, case):
    """The lab of a case, as its lesson opens it."""
    cells = json.loads((NOTEBOOKS / f"{case.lesson}.ipynb").read_text())["cells"]
    [source] = ["".join(each["source"]) for each in cells if each["id"] == case.cell]
    standing.page.bring_to_front()
    standing.page.set_viewport_size(PAGE)
    standing.stand(*source.removesuffix(")").split("(", 1))
    standing.settle()
    standing.figure.scroll_into_view_if_needed()
    yield standing
    errors, standing.errors = standing.errors, []
    assert errors == []


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_follows_the_hand_on_a_slider(opened, case, request):
    """The pixels of each panel while the hand still drags; layers and numbers once it has let go."""
    opened.evaluate("before = dict(lab.view.frames.layers)")
    rectangles, read = json.loads(opened.evaluate(RECTANGLES)), numbers(opened)
    shown = {panel: opened.page.evaluate(PIXELS, rectangles[panel]) for panel in case.layers}

    def follows():
        for panel, before in shown.items():
            opened.page.wait_for_function(OTHER_PIXELS, arg=[rectangles[panel], before])

    opened.pull(case.slider, [case.to], meanwhile=follows)
    opened.settle()
    opened.screenshot(f"ordered-{request.node.callspec.id}")
    wanted = {f"layer_{panel}_{name}" for panel, names in case.layers.items() for name in names}
    assert wanted <= set(json.loads(opened.evaluate(CHANGED)))
    now = numbers(opened)
    assert [name for name in case.numbers if now[name] == read[name]] == []
    assert opened.message == ""
