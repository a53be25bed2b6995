"""TuningLab in a real browser: start and steps by hand and by keys, sliders to their ends, trials, presets."""

import re
import time

import pytest

from knnviz.labs import TuningLab
from knnviz.labs.searching import MOST_STEPS
from knnviz.labs.tuning import SCREEN, ZOOMS
from knnviz.views import triangle, tuning

#: Sliders by name: parameter, and where they end at the start.
SLIDERS = {
    "start, class 0 q0": ("q0", 0, 1),
    "start, class 1 q1": ("q1", 0, 1),
    "start, class 2 q2": ("q2", 0, 1),
    "step gamma": ("step", 0.01, 0.2),
    "steps T": ("n_steps", 0, MOST_STEPS),
    "neighbors k": ("k", 1, 200),
    "sample size n": ("n", 50, 8000),
}
WIDE = 960

#: The lab of the page.
LAB = "TuningLab"


@pytest.fixture
def lab(opened):
    """The lab as it began."""
    opened.evaluate("lab.projector = False; lab.reset()")
    opened.until(n=1000, k=50, q0=0.3, q1=0.3, zoom=ZOOMS[0], curve="off", problem="waves")
    opened.settle()
    opened.figure.scroll_into_view_if_needed()
    yield opened
    assert opened.errors == []


def on_sheet(axes, x, y):
    """Where a place of a panel stands on the sheet."""
    left, top, width, height = axes.rectangle
    across, up = (x - axes.xlim[0]) / (axes.xlim[1] - axes.xlim[0]), (y - axes.ylim[0]) / (axes.ylim[1] - axes.ylim[0])
    return left + across * width, top + (1 - up) * height


def at(q, whole=False):
    """Where weights stand on the sheet, on the middle of the triangle or on the whole."""
    frame = triangle.axes(SCREEN.more["triangle"])
    return on_sheet(frame if whole else triangle.middle(frame), *triangle.places(q))


def handle_of(steps):
    """Where the handle of the steps stands on the sheet."""
    return on_sheet(tuning.stairs_axes(MOST_STEPS, (0, 1), SCREEN.more["stairs"]), steps, tuning.GRIP)


def test_the_lab_as_it_opens(lab):
    read = TuningLab().readout()
    assert "grid's weights 0.3200 : 0.3500 : 0.3300" in lab.alt
    assert f"steps that raised the score {read['moves']}" in lab.alt
    assert lab.message == ""
    lab.screenshot("tuning-lab")
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / "tuning-lab-alone.png")


def test_dragging_the_start(lab):
    """Over the middle and out of it: the last place at its rim counts, and all of the triangle stays out of sight."""
    way = [(0.3, 0.3, 0.4), (0.4, 0.3, 0.3), (0.3, 0.4, 0.3), (0.45, 0.2, 0.35), (0.9, 0.05, 0.05)]
    lab.drag_figure([at(q) for q in way], WIDE)
    lab.settle()
    frame = triangle.middle(triangle.axes(SCREEN.more["triangle"]))
    x, y = triangle.places(way[-1])
    rim = TuningLab().pick("triangle", max(x, frame.xlim[0]), max(y, frame.ylim[0]))
    lab.until(**rim, zoom=ZOOMS[0])
    assert lab.message == ""
    lab.click_figure(*at((0.36, 0.32, 0.32)), WIDE)
    lab.until(q0=0.36, q1=0.32, q2=0.32)
    lab.choose("zoom", ZOOMS[1])
    lab.settle()
    lab.drag_figure([at(q, True) for q in ((0.36, 0.32, 0.32), (0.1, 0.1, 0.8), (0.2, -0.2, 1.0))], WIDE)
    lab.until(q0=0.1, q1=0.0, q2=0.9, zoom=ZOOMS[1])
    lab.settle()
    assert lab.message == ""


def test_dragging_the_steps(lab):
    """To both ends and beyond them; a click takes as many as stand under it."""
    for ends in ((35, 3, -1), (20, 52)):
        lab.drag_figure([handle_of(lab.state["n_steps"]), *map(handle_of, ends)], WIDE)
        lab.until(n_steps=min(max(ends[-1], 0), MOST_STEPS))
        lab.settle()
    assert f"Greedy walk of {MOST_STEPS} steps" in lab.alt
    lab.click_figure(*handle_of(12), WIDE)
    lab.until(n_steps=12)
    assert lab.message == ""


@pytest.mark.parametrize("name", SLIDERS)
@pytest.mark.full
def test_quick_drags_to_both_ends(lab, name):
    parameter, low, high = SLIDERS[name]
    lab.slider(name).scroll_into_view_if_needed()
    # The page may still be scrolling, and a hand would miss the slider.
    lab.settle()
    lab.rush_to_both_ends(name, parameter, low, high)
    assert lab.catch_up() <= 5, "a backlog"
    lab.screenshot(f"tuning-{parameter}-low")


def done(lab):
    """Trials that are done, and all of them."""
    told = re.search(r"Trials over n, (\d+) of (\d+) done", lab.alt)
    return tuple(map(int, told.groups())) if told else (0, 0)


def test_trials_stream_in_and_can_be_stopped(lab):
    lab.choose("preset", "Figure 3(b)")
    begun = time.monotonic()
    while not done(lab)[0]:
        assert time.monotonic() - begun < 10, "nothing yet"
        lab.page.wait_for_timeout(20)
    print(f"first points after {time.monotonic() - begun:.2f} s")
    assert done(lab)[1] == 8 * 50
    lab.choose("line shows", "grid")
    lab.until(shown="grid")
    before = done(lab)[0]
    lab.page.get_by_role("button", name="Stop").click()
    lab.settle()
    kept = done(lab)[0]
    assert before <= kept < 400
    lab.screenshot("tuning-trials-stopped")
    lab.choose("judged by", "micro F1")
    lab.until(judged="micro F1")
    lab.settle()
    assert done(lab)[0] == kept, "it does not begin again"
    assert lab.message == ""


@pytest.mark.parametrize("preset", [preset.name for preset in TuningLab.presets])
def test_presets_as_they_look(lab, preset):
    """Trials with few samples."""
    values = TuningLab().preset_values(preset)
    if values["curve"] != "off":
        lab.choose("trials", values["curve"])
        lab.evaluate("lab.repeats = 2")
        lab.until(curve=values["curve"], repeats=2)
    else:
        lab.choose("preset", preset)
        lab.until(**values)
    lab.page.locator(".knnviz-rough").wait_for(state="detached")
    if values["curve"] != "off":
        lab.page.wait_for_function(
            "/ (\\d+) of \\1 done/.test(document.querySelector('.knnviz-figure canvas').getAttribute('aria-label'))"
        )
    lab.settle()
    assert lab.message == ""
    lab.screenshot("tuning-preset-" + re.sub("[^a-z0-9]+", "-", preset.lower()))


def test_keyboard_only(lab):
    press = lab.page.keyboard.press
    start = lab.page.get_by_role("slider", name="class weights start", exact=True)
    start.focus()
    assert start.get_attribute("aria-valuetext") == "class 0 0.3, class 1 0.3, class 2 0.4"
    press("ArrowRight")
    lab.settle()
    assert lab.state["q1"] == pytest.approx(0.305)
    for _ in range(3):
        press("ArrowRight")
    lab.settle()
    after = lab.state
    assert after["q1"] > 0.3 > after["q0"]
    steps = lab.page.get_by_role("slider", name="steps T", exact=True).last
    steps.focus()
    press("Shift+ArrowRight")
    lab.settle()
    assert lab.state["n_steps"] > 20
    lab.slider("step gamma").focus()
    press("End")
    lab.until(step=0.2)
    lab.page.get_by_label("landscape", exact=True).focus()
    press("b")
    lab.until(landscape="Bayes rule")
    lab.page.get_by_role("button", name="Reset").focus()
    press("Enter")
    lab.until(landscape="searched score", q0=0.3, n_steps=20, step=0.01)
    lab.settle()
    assert lab.message == ""


def test_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    lab.settle()
    lab.screenshot("tuning-projector")
    lab.choose("preset", "Wine")
    lab.until(problem="wine")
    lab.page.locator(".knnviz-rough").wait_for(state="detached")
    lab.settle()
    lab.screenshot("tuning-projector-data")
