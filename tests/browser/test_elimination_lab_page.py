"""EliminationLab in a real browser: Play, sliders to their ends, the walk and the map by hand, presets, projector."""

import json
import math
import re

import pytest

from knnviz.labs import EliminationLab
from knnviz.labs.elimination import PROJECTOR, SCREEN
from knnviz.labs.lab import shown
from knnviz.views.elimination import GRIP

#: Sliders by name: parameter, and where they end at the start.
SLIDERS = {
    "band constant c1": ("c1", 0.05, 3),
    "largest k T": ("max_neighbors", 5, 400),
    "bag noise nu": ("bag_noise", 0, 1),
    "inclusion a": ("inclusion", 0, 0.95),
    "failure probability delta": ("delta", 0.01, 0.5),
    "sample size n": ("n", 50, 8000),
}
WIDE = SCREEN.size[0]

#: The lab of the page.
LAB = "EliminationLab"


@pytest.fixture
def lab(opened):
    """The lab as it began."""
    opened.evaluate("lab.projector = False; lab.face.players['k'].speed.value = '1 at a time'; lab.reset()")
    opened.until(problem="three gaussians", n=1000, k=100, max_neighbors=100, c1=0.5, x1=0.3, overlay="decisions")
    opened.settle()
    opened.figure.scroll_into_view_if_needed()
    yield opened
    assert opened.errors == []


def place_of(k, rectangle, most=100, up=GRIP):
    """Where k neighbors stand on the logarithmic axis of the walk, on the sheet."""
    left, top, width, height = rectangle
    across = math.log(k / 0.9) / math.log(1.15 * most / 0.9)
    return left + across * width, top + (1.03 - up) / 1.06 * height


def on_sheet(rectangle, across, up):
    """Where a share of a panel's width and height stands on the sheet."""
    left, top, width, height = rectangle
    return left + across * width, top + (1 - up) * height


def player(lab):
    """Where Play, its slider and the lab stand, as the kernel knows them."""
    code = """
import json
held = lab.face.players["k"]
told = {name: getattr(held.play, name) for name in ("value", "max", "playing", "interval", "step")}
print(json.dumps(told | {"slider": held.slider.value, "end": held.slider.max, "lab": lab.k}))
"""
    return json.loads(lab.evaluate(code))


def settled(lab):
    """Wait for the full map."""
    lab.page.locator(".knnviz-rough").wait_for(state="detached")
    lab.settle()


def test_the_lab_as_it_opens(lab):
    read = EliminationLab().readout()
    assert f"risk of PL A-kNN {shown(read['risk'])}" in lab.alt
    assert f"alone from k = {read['stop_k']}" in lab.alt
    assert lab.message == ""
    lab.screenshot("elimination-lab")
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / "elimination-lab-alone.png")


@pytest.mark.parametrize("name", SLIDERS)
@pytest.mark.full
def test_quick_drags_to_both_ends(lab, name):
    parameter, low, high = SLIDERS[name]
    lab.slider(name).scroll_into_view_if_needed()
    # The page may still be scrolling, and a hand would miss the slider.
    lab.settle()
    lab.rush_to_both_ends(name, parameter, low, high, times=1)
    assert lab.catch_up() <= 5, "a backlog"
    at = player(lab)
    assert {at[name] for name in ("value", "slider", "lab", "max", "end")} == {
        min(lab.state["max_neighbors"], lab.state["n"])
    }, "k stays at the end"
    lab.screenshot(f"elimination-{parameter}-low")


def test_steps_of_t_end_where_the_problem_lets_them(lab):
    """Fewer steps after many, as the page draws them."""
    t = lab.slider("largest k T")
    few = t.get_attribute("aria-valuemax")
    lab.choose("preset", "Q1: three shares")
    lab.until(max_neighbors=5000)
    lab.settle()
    assert t.get_attribute("aria-valuenow") == t.get_attribute("aria-valuemax") != few
    lab.choose("problem", "moons")
    lab.until(problem="moons", max_neighbors=400, k=400)
    lab.settle()
    assert t.get_attribute("aria-valuenow") == t.get_attribute("aria-valuemax") == few
    assert "largest k T moved from 5000 to 400" in lab.message


def test_scrubbing_k_leaves_no_backlog(lab):
    lab.slider("ball k").scroll_into_view_if_needed()
    lab.settle()
    lab.rush_to_both_ends("ball k", "k", 1, 100)
    assert lab.catch_up() <= 5, "a backlog"
    at = player(lab)
    assert at["value"] == at["slider"] == at["lab"] == 1
    assert "3 labels alive at k = 1" in lab.alt
    lab.screenshot("elimination-k-1")


def test_play_from_the_end_begins_anew_and_goes_on_to_the_last_neighbor(lab):
    lab.choose("speed", "5 at a time")
    lab.settle()
    lab.page.locator(".widget-play button").first.click()
    lab.until(k=1)
    lab.until(k=100)
    lab.settle()
    at = player(lab)
    assert not at["playing"]
    assert at["value"] == at["slider"] == at["lab"] == 100
    assert lab.message == ""


def test_single_steps_and_a_pause(lab):
    back, on = (lab.page.get_by_role("button", name=name, exact=True) for name in ("Back", "Step"))
    back.click()
    lab.until(k=99)
    on.click()
    lab.until(k=100)
    lab.evaluate("lab.set(k=1)")
    lab.until(k=1)
    for k in (2, 3):
        on.click()
        lab.until(k=k)
    lab.page.locator(".widget-play button").first.click()
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).k > 5")
    lab.page.locator(".widget-play button").first.click()
    lab.settle()
    at = player(lab)
    assert not at["playing"]
    assert at["value"] == at["slider"] == at["lab"] == lab.state["k"] < 60
    assert lab.message == ""


def test_the_handle_is_dragged_and_clicks_on_the_walk_are_neighbors(lab):
    ball = SCREEN.votes
    lab.drag_figure([place_of(100, ball), place_of(30, ball), place_of(10, ball)], WIDE)
    lab.until(k=10)
    lab.drag_figure([place_of(10, ball), (ball[0] - 40, ball[1] + 20)], WIDE)
    lab.until(k=1)
    lab.drag_figure([place_of(1, ball), (ball[0] + ball[2] + 10, ball[1] + 20)], WIDE)
    lab.until(k=100)
    lab.click_figure(*place_of(20, ball, up=0.3), WIDE)
    lab.until(k=20)
    lab.settle()
    assert "Of the 20 nearest bags" in lab.alt
    assert player(lab)["slider"] == 20
    assert lab.message == ""


def test_a_click_on_the_map_moves_the_ball_and_one_on_words_nothing(lab):
    before = lab.alt
    lab.click_figure(*on_sheet(SCREEN.more["told"], 0.5, 0.5), WIDE)
    lab.settle()
    assert lab.alt == before
    lab.click_figure(*on_sheet(SCREEN.map, 0.75, 0.25), WIDE)
    lab.until(x1=1.0, x2=0.0)
    lab.settle()
    read = EliminationLab(x1=1.0, x2=0.0).readout()
    assert f"PL A-kNN at x {read['decision']}; stops at k {read['stop_k']}" in lab.alt
    lab.drag_figure([on_sheet(SCREEN.map, 0.75, 0.25), on_sheet(SCREEN.map, 0.5, 0.75)], WIDE)
    lab.until(x1=0.5, x2=1.0)
    assert lab.message == ""


@pytest.mark.parametrize("preset", [each.name for each in EliminationLab.presets])
def test_presets_as_they_look(lab, preset):
    lab.choose("preset", preset)
    lab.until(**EliminationLab().preset_values(preset))
    settled(lab)
    assert lab.message == ""
    at = player(lab)
    assert at["max"] == at["value"] == at["slider"] == lab.state["k"]
    lab.screenshot("elimination-preset-" + re.sub("[^a-z0-9]+", "-", preset.lower()))


@pytest.mark.parametrize("overlay", ["stopping k", "undecided", "advantage", "misaligned"])
def test_what_the_map_shows(lab, overlay):
    lab.choose("problem", "five gaussians")
    lab.until(problem="five gaussians")
    lab.choose("show", overlay)
    lab.until(overlay=overlay)
    settled(lab)
    assert f"Shown: {overlay}." in lab.alt
    assert ("advantage at x" in lab.alt) == (overlay == "advantage")
    assert lab.page.get_by_role("slider", name="largest mass A", exact=True).count() == (overlay == "advantage")
    lab.screenshot("elimination-" + overlay.replace(" ", "-"))
    assert lab.message == ""


def test_keyboard_only(lab):
    press = lab.page.keyboard.press
    lab.slider("ball k").focus()
    press("Home")
    lab.until(k=1)
    press("ArrowRight")
    lab.until(k=2)
    press("End")
    lab.until(k=100)
    lab.slider("band constant c1").focus()
    press("ArrowRight")
    lab.until(c1=0.55)
    lab.slider("largest k T").focus()
    press("ArrowRight")
    lab.until(max_neighbors=150, k=150)
    lab.slider("bag noise nu").focus()
    press("Home")
    lab.until(bag_noise=0)
    lab.page.get_by_label("noise", exact=True).focus()
    press("r")
    lab.until(kind="removal")
    lab.page.get_by_label("show", exact=True).focus()
    press("u")
    lab.until(overlay="undecided")
    lab.page.get_by_role("button", name="Back", exact=True).focus()
    press("Enter")
    lab.until(k=149)
    lab.page.locator(".widget-play button").first.focus()
    press("Enter")
    lab.until(k=150)
    lab.page.get_by_role("button", name="New sample", exact=True).focus()
    press("Enter")
    lab.until(seed=1)
    lab.page.get_by_role("button", name="Reset", exact=True).focus()
    press("Enter")
    lab.until(c1=0.5, max_neighbors=100, k=100, bag_noise=0.2, kind="confusion", seed=0)
    lab.settle()
    assert lab.message == ""


def test_data_say_what_they_cannot_show(lab):
    lab.choose("show", "misaligned")
    lab.until(overlay="misaligned")
    lab.choose("problem", "digits 0 to 4")
    lab.until(problem="digits 0 to 4", overlay="decisions")
    settled(lab)
    assert "moved from misaligned to decisions" in lab.message
    lab.choose("show", "advantage")
    lab.page.wait_for_function("document.querySelector('.knnviz-message').innerText.includes('known distribution')")
    lab.settle()
    assert lab.state["overlay"] == "decisions"


def test_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    lab.settle()
    lab.screenshot("elimination-projector")
    for preset in ("Five classes", "A crowded third"):
        lab.choose("preset", preset)
        lab.until(**EliminationLab().preset_values(preset))
        settled(lab)
        lab.screenshot("elimination-projector-" + preset.lower().replace(" ", "-"))
    lab.click_figure(*on_sheet(PROJECTOR.map, 0.5, 0.5), PROJECTOR.size[0])
    lab.until(x1=0.5)
    lab.click_figure(*place_of(100, PROJECTOR.votes, most=2000), PROJECTOR.size[0])
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).k < 110")
    lab.settle()
    assert lab.message == ""
