"""WeightLab in a real browser: the triangle by hand and by keys, a boundary of one's own."""

import pytest

from knnviz.views.triangle import positions

BOUNDARY = {"ball mass p": ("mass", 0.005, 0.25), "margin Delta": ("margin", 0, 0.5)}

#: The lab of the page.
LAB = "WeightLab"


def test_dragging_on_the_triangle(lab):
    """Along a way over the triangle and out of it: the last place counts."""
    lab.drag_in("triangle", *map(positions, ((0.5, 0.3, 0.2), (0.7, 0.2, 0.1), (0.2, -0.2, 1.0))))
    lab.until(q0=0.1, q1=0.0, q2=0.9)
    lab.settle()
    assert "weights q class 0: 0.10, class 1: 0.00, class 2: 0.90" in lab.alt
    assert lab.message == ""
    lab.click("triangle", *positions((0.6, 0.2, 0.2)))
    lab.until(q0=0.6, q1=0.2, q2=0.2)


def test_a_boundary_of_ones_own(lab):
    lab.choose("show", "effective boundary")
    lab.choose("boundary", "p and Delta as set")
    for name, (parameter, low, high) in BOUNDARY.items():
        lab.slider(name).wait_for(state="visible")
        lab.settle()
        lab.drag_to_both_ends(name, parameter, low, high)
    assert "boundary mass" in lab.alt


def test_the_triangle_by_keyboard(lab):
    handle = lab.page.get_by_role("slider", name="class weights q")
    assert handle.get_attribute("aria-valuetext") == "class 0 0.5, class 1 0.3, class 2 0.2"
    for _ in range(3):
        handle.press("Shift+ArrowRight")
    lab.until_true("({ q0, q1 }) => q1 > 0.5 && q0 < 0.5")
    lab.settle()
    assert lab.state["q2"] == pytest.approx(0.2, abs=0.011)
    handle.press("Shift+ArrowUp")
    lab.until_true("({ q2 }) => q2 > 0.25")
    lab.settle()
    lab.slider("weight of class 2 q2").press("End")
    lab.until(q0=0, q1=0, q2=1)
    lab.settle()
    assert lab.message == ""


def test_a_slider_goes_from_a_rescaled_weight_to_hundredths(lab):
    lab.slider("weight of class 2 q2").press("ArrowRight")
    lab.until(q0=0.49375, q1=0.29625, q2=0.21)
    lab.settle()
    lab.slider("weight of class 0 q0").press("ArrowRight")
    lab.until_true("({ q0 }) => q0 === 0.5")
