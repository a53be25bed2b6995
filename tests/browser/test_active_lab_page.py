"""ActiveLab in a real browser: Play, single steps, sliders to their ends, the curve and the rows by hand, presets."""

import json
import re
import time

import pytest

from knnviz.labs import ActiveLab
from knnviz.labs.active import PROJECTOR, SCREEN
from knnviz.labs.schemes import BEFORE

#: Sliders by name: parameter, and where they end at the start.
SLIDERS = {
    "first round n": ("n", 100, 6000),
    "second round m": ("m", 0, 6000),
}
#: Presets that look unlike the lab as it opens.
LOOKS = ("A2", "B", "E:", "F", "G", "A slope", "A real")
WIDE = SCREEN.size[0]

#: The lab of the page.
LAB = "ActiveLab"


@pytest.fixture
def lab(opened):
    """The lab as it began."""
    opened.evaluate("lab.projector = False; lab.face.players['step'].speed.value = '1 at a time'; lab.reset()")
    opened.until(n=1000, m=1000, step=BEFORE + 1000, k_vote=100, x1=0.5, curve="this sample", problem="bump")
    opened.settle()
    opened.figure.scroll_into_view_if_needed()
    yield opened
    assert opened.errors == []


def on_sheet(rectangle, across, up):
    """Where a share of a panel's width and height stands on the sheet."""
    left, top, width, height = rectangle
    return left + across * width, top + (1 - up) * height


def player(lab):
    """Where Play, its slider and the lab stand, as the kernel knows them."""
    code = """
import json
held = lab.face.players["step"]
names = ("value", "max", "playing", "interval", "step")
told = {name: getattr(held.play, name) for name in names}
print(json.dumps(told | {"slider": held.slider.value, "end": held.slider.max, "lab": lab.step}))
"""
    return json.loads(lab.evaluate(code))


def press_play(lab):
    """Press Play, or pause."""
    lab.page.locator(".widget-play button").first.click()


def wait_for(lab, there, seconds=60):
    """Wait until the step on screen is as it should be."""
    end = time.monotonic() + seconds
    while not there(lab.state["step"]):
        assert time.monotonic() < end, (lab.state["step"], player(lab))
        lab.page.wait_for_timeout(20)


def test_the_lab_as_it_opens(lab):
    read = ActiveLab().readout()
    assert f"active errs on {read['active_disagreement']:.4f}" in lab.alt
    assert lab.message == ""
    lab.screenshot("active-lab")
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / "active-lab-alone.png")


def test_play_from_the_end_begins_anew_and_a_pause_stops_it(lab):
    press_play(lab)
    lab.until(step=0)
    wait_for(lab, lambda step: step == 1)
    assert "Round one: 1000 plain labels." in lab.alt
    lab.screenshot("active-play-begins")
    press_play(lab)
    lab.page.wait_for_timeout(2000)
    lab.settle()
    at = player(lab)
    assert not at["playing"]
    assert at["value"] == at["slider"] == at["lab"] == lab.state["step"] <= 2
    assert lab.message == ""


def test_play_goes_on_to_the_last_label_and_ends_there(lab):
    """By many at a time, which do not go into those that are left."""
    lab.evaluate("lab.set(step=530)")
    lab.until(step=530)
    lab.choose("speed", "100 at a time")
    lab.settle()
    before = lab.frames
    press_play(lab)
    lab.until(step=BEFORE + 1000)
    lab.settle()
    assert lab.frames - before <= 20, "not one by one"
    at = player(lab)
    assert not at["playing"]
    assert at["value"] == at["slider"] == at["lab"] == BEFORE + 1000
    assert "Label 1000 of 1000" in lab.alt


def test_a_pause_in_full_run_leaves_nothing_behind(lab):
    lab.evaluate("lab.set(step=10)")
    lab.until(step=10)
    lab.choose("speed", "5 at a time")
    lab.settle()
    press_play(lab)
    wait_for(lab, lambda step: step > 30)
    press_play(lab)
    assert lab.catch_up() <= 5, "a backlog"
    at = player(lab)
    assert not at["playing"]
    assert at["value"] == at["slider"] == at["lab"] == lab.state["step"] < 500
    assert f"Label {at['lab'] - BEFORE} of 1000" in lab.alt


def test_single_steps(lab):
    back, on = (lab.page.get_by_role("button", name=name, exact=True) for name in ("Back", "Step"))
    on.click()
    back.click()
    lab.until(step=BEFORE + 999)
    back.click()
    lab.until(step=BEFORE + 998)
    on.click()
    lab.until(step=BEFORE + 999)
    lab.evaluate("lab.set(step=0)")
    lab.until(step=0)
    back.click()
    for step in range(1, BEFORE + 2):
        on.click()
        lab.until(step=step)
        lab.settle()
        lab.screenshot(f"active-step-{step}")
    assert "Label 1 of 1000" in lab.alt
    assert lab.message == ""


def test_scrubbing_steps_leaves_no_backlog(lab):
    lab.slider("step").scroll_into_view_if_needed()
    lab.settle()
    lab.rush_to_both_ends("step", "step", 0, BEFORE + 1000)
    assert lab.catch_up() <= 5, "a backlog"
    at = player(lab)
    assert at["value"] == at["slider"] == at["lab"] == 0


@pytest.mark.parametrize("name", SLIDERS)
@pytest.mark.full
def test_quick_drags_to_both_ends(lab, name):
    parameter, low, high = SLIDERS[name]
    lab.slider(name).scroll_into_view_if_needed()
    # The page may still be scrolling, and a hand would miss the slider.
    lab.settle()
    lab.rush_to_both_ends(name, parameter, low, high)
    assert lab.catch_up() <= 5, "a backlog"
    at = player(lab)
    last = BEFORE + lab.state["m"]
    assert {at[name] for name in ("value", "slider", "lab")} == {last}, "it stays at the last step"
    assert at["max"] == at["end"] == last
    assert lab.slider("step").get_attribute("aria-valuemax") in (str(last), f"{last}.0")
    lab.screenshot(f"active-{parameter}-low")


def test_more_labels_while_it_plays(lab):
    """Play goes on to the new end."""
    lab.evaluate("lab.set(m=100, step=50)")
    lab.until(step=50, m=100)
    # Slowly, so that it is still on its way.
    lab.choose("speed", "1 at a time")
    lab.settle()
    lab.slider("second round m").focus()
    press_play(lab)
    wait_for(lab, lambda step: step > 50)
    lab.evaluate("lab.set(m=200)")
    lab.until(m=200)
    lab.choose("speed", "20 at a time")
    wait_for(lab, lambda step: step == BEFORE + 200)
    lab.settle()
    at = player(lab)
    assert at["value"] == at["slider"] == at["max"] == BEFORE + 200
    assert lab.message == ""


def test_a_page_that_has_not_heard_of_a_shorter_last_step_goes_on_to_the_end(lab):
    lab.choose("speed", "20 at a time")
    lab.evaluate(f"lab.set(m=200, step={BEFORE + 171})")
    lab.until(m=200, step=BEFORE + 171)
    lab.settle()
    lab.evaluate("held = lab.face.players['step']; held.follow = lambda value: None; held.play.step = 20")
    press_play(lab)
    wait_for(lab, lambda step: step == BEFORE + 200)
    lab.settle()
    lab.evaluate("del held.follow")
    assert not player(lab)["playing"]
    assert lab.message == ""


def test_a_click_on_the_curve_is_a_step_and_one_on_the_rows_a_ball(lab):
    low, high = ActiveLab().label_limits
    across = (1500 - low) / (high - low)
    lab.click_figure(*on_sheet(SCREEN.risk, across, 0.5), WIDE)
    wait_for(lab, lambda step: abs(step - BEFORE - 500) <= 4)
    lab.settle()
    at = player(lab)
    assert at["value"] == at["slider"] == lab.state["step"]
    lab.click_figure(*on_sheet(SCREEN.more["rows"], 0.51, 0.2), WIDE)
    lab.until(x1=0.51)
    lab.settle()
    assert "The ball of k+ around [0.51]" in lab.alt
    lab.click_figure(*on_sheet(SCREEN.more["line"], 0.2, 0.5), WIDE)
    lab.until(x1=0.2)
    lab.settle()
    assert "The ball" not in lab.alt, "it is not hard there"
    assert lab.message == ""


def test_a_mean_curve_streams_in_and_can_be_stopped(lab):
    lab.choose("curve", "mean over samples")
    lab.until(curve="mean over samples")
    done = r"([1-9]\d*) of 20 samples done"
    said = "document.querySelector('.knnviz-figure canvas').getAttribute('aria-label')"
    lab.page.wait_for_function(f"/{done}/.test({said})")
    lab.page.get_by_role("button", name="Stop", exact=True).click()
    lab.settle()
    kept = re.search(done, lab.alt).group(1)
    lab.evaluate("lab.set(step=500)")
    lab.until(step=500)
    lab.settle()
    assert re.search(done, lab.alt).group(1) == kept, "it does not begin again"
    lab.screenshot("active-mean-stopped")


@pytest.mark.parametrize("preset", [each.name for each in ActiveLab.presets if each.name.startswith(LOOKS)])
def test_presets_as_they_look(lab, preset):
    lab.choose("preset", preset)
    lab.until(**ActiveLab().preset_values(preset))
    lab.page.locator(".knnviz-rough").wait_for(state="detached")
    lab.settle()
    assert lab.message == ""
    at = player(lab)
    assert at["max"] == at["value"] == at["slider"] == BEFORE + lab.state["m"]
    lab.screenshot("active-preset-" + re.sub("[^a-z0-9]+", "-", preset.lower()))


def test_keyboard_only(lab):
    press = lab.page.keyboard.press
    lab.slider("step").focus()
    press("Home")
    lab.until(step=0)
    press("ArrowRight")
    lab.until(step=1)
    press("End")
    lab.until(step=BEFORE + 1000)
    lab.page.get_by_role("button", name="Back", exact=True).focus()
    press("Enter")
    lab.until(step=BEFORE + 999)
    lab.page.get_by_label("problem", exact=True).focus()
    press("w")
    lab.until(problem="wave2d")
    lab.page.get_by_label("voters in H", exact=True).focus()
    press("i")
    lab.until(voters="inclusive")
    play = lab.page.locator(".widget-play button").first
    play.focus()
    press("Enter")
    lab.until(step=BEFORE + 1000)
    lab.page.get_by_role("button", name="Reset", exact=True).focus()
    press("Enter")
    lab.until(problem="bump", voters="strict", step=BEFORE + 1000)
    lab.settle()
    assert lab.message == ""


def test_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    lab.settle()
    lab.screenshot("active-projector")
    lab.choose("preset", "A real pool")
    lab.until(problem="breast cancer")
    lab.page.locator(".knnviz-rough").wait_for(state="detached")
    lab.settle()
    lab.screenshot("active-projector-pool")
    lab.click_figure(*on_sheet(PROJECTOR.map, 0.5, 0.5), PROJECTOR.size[0])
    lab.settle()
    assert "The ball of k+" in lab.alt
    assert lab.message == ""
