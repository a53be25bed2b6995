"""What holds for every lab in a real browser: as it opens, by keyboard alone, by mouse, on the projector."""

import json
import re

import pytest
from session import NAMES, PAGE

from knnviz import labs

#: One lab after the other, so that each is opened once.
EVERY = pytest.mark.parametrize("name", NAMES, scope="session")

#: Labs that have every kind of control among them: the page makes those of the others by the same code.
KINDS = {"ActiveLab", "LearnabilityLab", "NeighborLab", "RatesLab"}
BY_HAND = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in KINDS else pytest.mark.full) for name in NAMES], scope="session"
)


def test_every_kind_of_control_is_among_those_tried_by_hand():
    tried = [each for name in KINDS for each in getattr(labs, name).parameters.values()]
    others = [each for name in NAMES for each in getattr(labs, name).parameters.values()]
    assert {each.kind for each in tried} == {each.kind for each in others}
    assert any(each.play for each in tried)


def file_name(*words):
    """Words as the name of a picture."""
    return re.sub("[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")


@EVERY
def test_it_opens_as_the_library_has_it(lab, name):
    twin = getattr(labs, name)()
    twin.readout()
    assert lab.alt == twin.alt
    assert lab.page.locator(".knnviz-numbers b").all_inner_texts() == list(twin.shown_numbers().values())
    assert lab.message == ""
    lab.page.wait_for_function("text => document.querySelector('.knnviz-status').textContent === text", arg=twin.alt)
    lab.screenshot(file_name(name))
    assert lab.violations(".knnviz-lab") == ""
    looks_large_on_the_projector(lab, name)


def looks_large_on_the_projector(lab, name):
    """A figure that is seen whole, beside its controls; the state stays, and Reset leaves the look."""
    state, switch = lab.state, lab.page.get_by_role("button", name="Projector", exact=True)
    lab.project()
    lab.sync()
    assert lab.state == state
    lab.stands_whole_beside_its_controls(PAGE["width"])
    lab.screenshot(file_name(name, "projector"))
    lab.press("Reset", "Enter")
    lab.sync()
    assert switch.get_attribute("aria-pressed") == "true"
    switch.click()
    lab.page.locator(".knnviz-lab:not(.knnviz-projector)").wait_for()
    lab.sync()
    assert (lab.state, lab.message) == (state, "")


@BY_HAND
def test_by_keyboard_alone(lab, name):
    """A few sliders, one to its end, the next one to its beginning; a menu to its last choice; and back by Reset."""
    start = lab.state
    turns = (("End", "high"), ("Home", "low")) * 3
    for (parameter, slider), (key, end) in zip(lab.sliders().items(), turns, strict=False):
        lab.slider(slider["title"]).press(key)
        lab.until(**{parameter: slider[end]})
        assert "stays" not in lab.message, parameter
        reset_by_keyboard(lab, start)
    menus = [each for each in getattr(labs, name).parameters.items() if each[1].kind == "menu"]
    for parameter, menu in menus[:1]:
        lab.press(menu.title, "End")
        said = "document.querySelector('.knnviz-message').innerText !== ''"
        lab.until_true(f"state => {said} || state.{parameter} !== {json.dumps(start[parameter])}")
        reset_by_keyboard(lab, start)
    lab.settle()
    assert (lab.state, lab.message) == (start, "")


def reset_by_keyboard(lab, start):
    """Press Reset once the page rests, and wait for the state at the start."""
    lab.sync()
    lab.press("Reset", "Enter")
    lab.until(**start)
    lab.sync()


@BY_HAND
def test_by_mouse_and_by_the_menu_of_presets(lab, name):
    """The first slider to its end and back, Reset, and the last preset, which brings what the library has."""
    start = lab.state
    parameter, slider = next(iter(lab.sliders().items()))
    lab.drag_to_both_ends(slider["title"], parameter, slider["low"], slider["high"])
    lab.page.get_by_role("button", name="Reset", exact=True).click()
    lab.until(**start)
    lab.sync()
    preset = getattr(labs, name).presets[-1].name
    lab.press("preset", "End")
    lab.until(**getattr(labs, name)().preset_values(preset))
    lab.evaluate("lab.stop()")
    lab.settle()
    assert lab.page.get_by_label("preset").input_value().replace("\xa0", " ") == preset
    assert lab.message == ""


@EVERY
@pytest.mark.full
def test_presets_as_they_look(lab, name):
    """One after the other, whatever the one before has left."""
    twin = getattr(labs, name)()
    for preset in [each.name for each in twin.presets]:
        lab.choose("preset", preset)
        lab.until(**twin.preset_values(preset))
        lab.settle()
        twin.show_preset(preset).readout()
        assert lab.alt == twin.alt
        assert lab.page.get_by_label("preset").input_value().replace("\xa0", " ") == preset
        assert lab.message == ""
        lab.screenshot(file_name(name, preset))
