"""TuningLab in a real browser: start and steps by hand and by keys, trials that stream in."""

import re

from session import Share

from knnviz.labs import TuningLab
from knnviz.labs.tuning import HANDLE_HEIGHT, MIDDLE, MOST_STEPS, OF_BAYES_RULES, WHOLE
from knnviz.views import triangle

#: The lab of the page.
LAB = "TuningLab"


def test_dragging_the_start(lab):
    """Over the middle and out of it: the last place at its rim counts, and all of the triangle stays out of sight."""
    way = [(0.3, 0.3, 0.4), (0.45, 0.2, 0.35), (0.9, 0.05, 0.05)]
    lab.drag_in("triangle", *map(triangle.positions, way))
    lab.settle()
    frame = TuningLab().panel("triangle").axes
    x, y = triangle.positions(way[-1])
    rim = TuningLab().pick("triangle", max(x, frame.xlim[0]), max(y, frame.ylim[0]))
    lab.until(**rim, zoom=MIDDLE)
    assert lab.message == ""
    lab.click("triangle", *triangle.positions((0.36, 0.32, 0.32)))
    lab.until(q0=0.36, q1=0.32, q2=0.32)
    lab.choose("zoom", WHOLE)
    lab.settle()
    lab.drag_in("triangle", *map(triangle.positions, ((0.36, 0.32, 0.32), (0.2, -0.2, 1.0))))
    lab.until(q0=0.1, q1=0.0, q2=0.9, zoom=WHOLE)
    lab.settle()
    assert lab.message == ""


def test_dragging_the_steps(lab):
    """To both ends and beyond them; a click takes as many as stand under it."""
    for ends in ((35, -1), (52,)):
        lab.drag_in("stairs", *((steps, Share(HANDLE_HEIGHT)) for steps in (lab.state["n_steps"], *ends)))
        lab.until(n_steps=min(max(ends[-1], 0), MOST_STEPS))
        lab.settle()
    assert f"Greedy search of {MOST_STEPS} moves" in lab.alt
    lab.click("stairs", 12, Share(HANDLE_HEIGHT))
    lab.until(n_steps=12)
    assert lab.message == ""


def test_trials_stream_in_and_can_be_stopped(lab):
    done = r"Trials over n, ([1-9]\d*) of 400 done"
    lab.choose("preset", "Figure 3(b)")
    lab.until_said(done)
    lab.page.get_by_role("button", name="Stop").click()
    lab.settle()
    kept = int(re.search(done, lab.alt)[1])
    assert kept < 400
    lab.screenshot("tuning-trials-stopped")
    lab.choose("zoom", WHOLE)
    lab.until(zoom=WHOLE)
    lab.choose("landscape", OF_BAYES_RULES)
    lab.until(landscape=OF_BAYES_RULES)
    lab.settle()
    assert int(re.search(done, lab.alt)[1]) == kept, "it does not begin again"
    assert lab.message == ""


def test_handles_by_keyboard(lab):
    start = lab.page.get_by_role("slider", name="class weights start", exact=True)
    assert start.get_attribute("aria-valuetext") == "class 0 0.3, class 1 0.3, class 2 0.4"
    start.press("ArrowRight")
    lab.until_near("q1", 0.305, 1e-9)
    lab.settle()
    for _ in range(3):
        start.press("ArrowRight")
    lab.until_true("({ q0, q1 }) => q1 > 0.305 && q0 < 0.3")
    lab.settle()
    steps = lab.page.get_by_role("slider", name="moves T", exact=True).last
    steps.press("Shift+ArrowRight")
    lab.until_true("({ n_steps }) => n_steps > 20")
    lab.settle()
    assert lab.message == ""
