"""ThresholdLab in a real browser: sliders that are locked, handles by mouse and keys, clicks, other problems."""

import re

import pytest
from session import MIDDLE, Share

#: The lab of the page.
LAB = "ThresholdLab"


def test_the_sliders_are_locked(lab):
    for name, fraction, t in (("threshold t", 0.0, 0), ("weight of class 1 q1", 0.0, 1)):
        lab.drag(name, fraction)
        lab.until(t=t, q1=1 - t)
        lab.settle()
    assert lab.page.locator(".knnviz-row output").filter(has_text=re.compile("^1.000$")).count() == 1
    for name, end, q1 in (("threshold t", 0.5, 0.5), ("weight of class 1 q1", 0.25, 0.25)):
        lab.drag(name, end)
        lab.until_near("q1", q1, 0.02)
        lab.settle()
        assert round(lab.state["t"] + lab.state["q1"], 12) == 1
    assert lab.message == ""


def test_handles_are_dragged(lab):
    lab.drag_in("f1", (0.5, 0.04), (0.3, MIDDLE))
    lab.until_near("t", 0.3, 0.004)
    lab.settle()
    assert round(lab.state["t"] + lab.state["q1"], 12) == 1
    lab.drag_in("map", (Share(0.96), lab.state["t"]), (Share(0.96), 0.15))
    lab.until_near("t", 0.15, 0.01)
    lab.settle()
    assert lab.state["x1"] == 0.6
    lab.screenshot("threshold-dragged")


def test_handles_by_keyboard(lab):
    lab.slider("threshold t").press("ArrowRight")
    lab.until(t=0.501, q1=0.499)
    lab.settle()
    handles = lab.figure.get_by_role("slider", name="threshold t")
    assert handles.count() == 3
    for _ in range(5):
        handles.last.press("ArrowLeft")
    lab.until_near("t", 0.45, 0.004)
    lab.settle()
    t = lab.state["t"]
    assert handles.last.get_attribute("aria-valuetext") == f"t = {t:.3f}, weights {t:.3f} to {1 - t:.3f}"
    handles.first.press("Shift+ArrowDown")
    lab.until_true("({ t }) => t < 0.35")


def test_clicks_on_panels(lab):
    lab.click("f1", 0.25, MIDDLE)
    lab.until_near("t", 0.25, 0.004)
    lab.click("trade", 0.9, Share(0.7))
    lab.until_true("({ t }) => t < 0.2")
    lab.settle()
    recall = float(re.search(r"recall, new points ([0-9.]+);", lab.alt)[1])
    assert recall == pytest.approx(0.9, abs=0.04)
    lab.click("map", 0.25, Share(0.4))
    lab.until(x1=0.25)
    assert lab.message == ""


def test_bounds_are_asked_for(lab):
    assert lab.page.get_by_role("slider", name="uniform error epsilon").count() == 0
    lab.choose("bounds", "epsilon as set")
    lab.until(bounds="epsilon as set", bound_n=1_000_000)
    lab.settle()
    lab.screenshot("threshold-bounds")
    for name, fraction, moved in (
        ("uniform error epsilon", 0.0, {"epsilon": 0}),
        ("sample size in the bounds", 1.0, {"bound_n": 10**10}),
        ("uniform error epsilon", 1.0, {"epsilon": 1}),
        ("sample size in the bounds", 0.0, {"bound_n": 100}),
    ):
        lab.drag(name, fraction)
        lab.until(**moved)
        lab.settle()
    assert "F1 within vacuous" in lab.alt
    lab.choose("bounds", "observed U")
    lab.until(bounds="observed U")
    lab.settle()
    assert lab.page.get_by_role("slider", name="uniform error epsilon").count() == 0
    lab.choose("preset", "One wave: ten billion points")
    lab.until(bound_n=10**10, epsilon=0.001)
    lab.settle()
    lab.screenshot("threshold-bounds-preset")
    assert "F1 within 0.8" in lab.alt
    assert lab.message == ""
    lab.page.get_by_role("button", name="Projector").click()
    lab.settle()
    lab.screenshot("threshold-bounds-projector")
