"""WeightLab in a real browser: the triangle by hand and by keys, sliders to their ends, presets as they look."""

import re

import pytest

from knnviz.labs import WeightLab
from knnviz.labs.weights import SCREEN
from knnviz.views import triangle

#: Sliders by name: parameter, and where they end at the start.
SLIDERS = {
    "sample size n": ("n", 50, 8000),
    "neighbors k": ("k", 1, 200),
    "weight of class 0 q0": ("q0", 0, 1),
    "weight of class 1 q1": ("q1", 0, 1),
    "weight of class 2 q2": ("q2", 0, 1),
}
BOUNDARY = {
    "ball mass p": ("mass", 0.005, 0.25),
    "margin Delta": ("margin", 0, 0.5),
}
WIDE = 960

#: The corners of the triangle on the sheet, class by class.
CORNERS = tuple(
    (left + (x - xs[0]) / (xs[1] - xs[0]) * width, top + (ys[1] - y) / (ys[1] - ys[0]) * height)
    for (left, top, width, height), xs, ys in [(SCREEN.more["triangle"], triangle.ACROSS, triangle.UP)]
    for x, y in triangle.CORNERS
)

#: The lab of the page.
LAB = "WeightLab"


@pytest.fixture
def lab(opened):
    """The lab as it began."""
    opened.evaluate("lab.projector = False; lab.reset()")
    opened.until(n=1000, k=50, q0=0.5, q1=0.3, overlay="disagreement", problem="waves")
    opened.settle()
    opened.figure.scroll_into_view_if_needed()
    yield opened
    assert opened.errors == []


def place(q):
    """Where weights stand on the sheet."""
    return tuple(sum(weight * corner[axis] for weight, corner in zip(q, CORNERS, strict=True)) for axis in (0, 1))


def test_the_lab_as_it_opens(lab):
    read = WeightLab().readout()
    assert "weights q 0.5000 : 0.3000 : 0.2000" in lab.alt
    assert f"disagreement {read['disagreement']:.4f}" in lab.alt
    assert lab.message == ""
    lab.screenshot("weight-lab")
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / "weight-lab-alone.png")


def test_dragging_on_the_triangle(lab):
    """Along a way over the triangle and out of it: the last place counts, and nothing is left to do."""
    way = [(0.5, 0.3, 0.2), (0.3, 0.3, 0.4), (0.1, 0.2, 0.7), (0.7, 0.2, 0.1), (0.2, 0.7, 0.1), (0.2, -0.2, 1.0)]
    lab.drag_figure([place(q) for q in way], WIDE)
    lab.until(q0=0.1, q1=0.0, q2=0.9)
    lab.settle()
    assert "weights q 0.1000 : 0.0000 : 0.9000" in lab.alt
    assert lab.message == ""
    lab.click_figure(*place((0.6, 0.2, 0.2)), WIDE)
    lab.until(q0=0.6, q1=0.2, q2=0.2)


@pytest.mark.full
def test_quick_drags_to_both_ends(lab):
    for name, (parameter, low, high) in SLIDERS.items():
        lab.slider(name).scroll_into_view_if_needed()
        lab.rush_to_both_ends(name, parameter, low, high)
        lab.screenshot(f"weight-{parameter}-low")
        lab.evaluate("lab.reset()")
        lab.until(n=1000, k=50, q0=0.5, q1=0.3)
        lab.settle()


def test_a_boundary_of_ones_own(lab):
    lab.choose("show", "effective boundary")
    lab.choose("boundary", "p and Delta as set")
    for name, (parameter, low, high) in BOUNDARY.items():
        lab.slider(name).wait_for(state="visible")
        lab.settle()
        lab.slider(name).scroll_into_view_if_needed()
        lab.rush_to_both_ends(name, parameter, low, high)
    assert "boundary mass" in lab.alt


@pytest.mark.parametrize("preset", [preset.name for preset in WeightLab.presets])
def test_presets_as_they_look(lab, preset):
    lab.choose("preset", preset)
    lab.until(**WeightLab().preset_values(preset))
    lab.page.locator(".knnviz-rough").wait_for(state="detached")
    lab.settle()
    assert lab.message == ""
    lab.screenshot("weight-preset-" + re.sub("[^a-z0-9]+", "-", preset.lower()))


def test_keyboard_only(lab):
    press = lab.page.keyboard.press
    handle = lab.page.get_by_role("slider", name="class weights q")
    handle.focus()
    assert handle.get_attribute("aria-valuetext") == "class 0 0.5, class 1 0.3, class 2 0.2"
    for _ in range(3):
        press("Shift+ArrowRight")
    lab.settle()
    after = lab.state
    assert after["q1"] > 0.5 > after["q0"]
    assert after["q2"] == pytest.approx(0.2, abs=0.011)
    press("Shift+ArrowUp")
    lab.settle()
    assert lab.state["q2"] > 0.25
    lab.slider("weight of class 2 q2").focus()
    press("End")
    lab.until(q0=0, q1=0, q2=1)
    lab.page.get_by_label("show", exact=True).focus()
    press("l")
    lab.until(overlay="lower-bound set")
    lab.page.get_by_role("button", name="Reset").focus()
    press("Enter")
    lab.until(overlay="disagreement", q0=0.5)
    lab.settle()
    assert lab.message == ""


def test_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    lab.settle()
    lab.screenshot("weight-projector")
    lab.choose("preset", "Three clouds")
    lab.until(problem="three gaussians")
    lab.page.locator(".knnviz-rough").wait_for(state="detached")
    lab.settle()
    lab.screenshot("weight-projector-plane")
