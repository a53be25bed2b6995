"""BandLab in a real browser: panels linked by clicks, handles by mouse and by keys."""

import re

import pytest
from session import MIDDLE

#: The lab of the page.
LAB = "BandLab"


def test_panels_are_linked_by_clicks(lab):
    lab.click("error", 32, MIDDLE)
    lab.until(k=30)
    lab.click("mass", 0.032, MIDDLE)
    lab.until_true("({ epsilon }) => epsilon < 0.05")
    assert lab.state["epsilon"] == pytest.approx(0.032, abs=1e-3)
    lab.choose("epsilon is", "observed U")
    lab.until(epsilon_source="observed U")
    lab.slider("uniform error epsilon").wait_for(state="hidden")
    lab.settle()
    observed = re.search(r"; observed U ([\d.]+);", lab.alt)[1]
    assert f"epsilon {observed};" in lab.alt
    lab.click("mass", 0.032, MIDDLE)
    lab.until(epsilon_source="as set")
    assert lab.message == ""


def test_handles_can_be_dragged_and_pressed(lab):
    handle = lab.page.get_by_role("slider", name="ε", exact=True)
    handle.press("ArrowRight")
    lab.until_true("({ epsilon }) => epsilon > 0.1")
    before = lab.state["epsilon"]
    lab.settle()
    assert handle.get_attribute("aria-valuetext").startswith(f"epsilon = {before:.3g}, mass of the band")
    grip, mouse = lab.page.get_by_role("slider", name="k", exact=True), lab.page.mouse
    box = grip.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 96, y + 12)
    mouse.up()
    lab.until_true("({ k }) => k < 20")
    lab.settle()
    assert lab.message == ""
    lab.screenshot("band-handles")
