"""What holds for every lab in a real browser: as it opens, by keyboard alone, by mouse, on the projector."""

import json
import re

import pytest
from session import PAGE

from knnviz import labs
from knnviz.labs.parameters import Choice

NAMES = [name for name in labs.__all__ if name != "Lab"]

#: One lab after the other, so that each is opened once.
EVERY = pytest.mark.parametrize("name", NAMES, scope="session")


def title(name, parameter):
    """What the control of a parameter is called."""
    return getattr(labs, name).parameters()[parameter].title


def sliders(lab):
    """Sliders on show with both of their ends, as the kernel has them now."""
    code = """
import json
from ipywidgets import FloatSlider, IntSlider, SelectionSlider
kinds, hidden = (FloatSlider, IntSlider, SelectionSlider), lab.hidden(lab.values)
print(json.dumps({name: lab.ends(name, lab.values) for name, control in lab.face.controls.items()
                  if isinstance(control, kinds) and name not in hidden}))
"""
    return json.loads(lab.evaluate(code))


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
    looks_large_on_the_projector(lab, name)


def looks_large_on_the_projector(lab, name):
    """A figure that is seen whole, beside its controls; the state stays, and Reset leaves the look."""
    state, switch = lab.state, lab.page.get_by_role("button", name="Projector", exact=True)
    switch.press("Space")
    lab.page.locator(".knnviz-lab.knnviz-projector").wait_for()
    lab.sync()
    assert lab.state == state
    controls, figure = lab.page.locator(".knnviz-controls").bounding_box(), lab.figure.bounding_box()
    assert controls["x"] + controls["width"] <= figure["x"]
    assert figure["x"] + figure["width"] <= PAGE["width"]
    lab.screenshot(file_name(name, "projector"))
    lab.press("Reset", "Enter")
    lab.sync()
    assert switch.get_attribute("aria-pressed") == "true"
    switch.click()
    lab.page.locator(".knnviz-lab:not(.knnviz-projector)").wait_for()
    lab.sync()
    assert (lab.state, lab.message) == (state, "")


@EVERY
def test_by_keyboard_alone(lab, name):
    """A few sliders, one to its end, the next one to its beginning; a menu to its last choice; and back by Reset."""
    start = lab.state
    turns = (("End", 1), ("Home", 0)) * 3
    for (parameter, ends), (key, end) in zip(sliders(lab).items(), turns, strict=False):
        lab.slider(title(name, parameter)).press(key)
        lab.until(**{parameter: ends[end]})
        assert "stays" not in lab.message, parameter
        reset_by_keyboard(lab, start)
    menus = [each for each, kind in getattr(labs, name).parameters().items() if isinstance(kind, Choice)]
    for parameter in menus[:1]:
        lab.press(title(name, parameter), "End")
        lab.page.wait_for_function(MOVED_OR_TOLD, arg=[parameter, start[parameter]])
        reset_by_keyboard(lab, start)
    lab.settle()
    assert (lab.state, lab.message) == (start, "")


#: Whether a parameter has another value, or the message line says why not.
MOVED_OR_TOLD = """([name, value]) => document.querySelector('.knnviz-message').innerText !== ''
  || JSON.parse(document.querySelector('.knnviz-figure').dataset.state)[name] !== value"""


def reset_by_keyboard(lab, start):
    """Press Reset once the page rests, and wait for the state at the start."""
    lab.sync()
    lab.press("Reset", "Enter")
    lab.until(**start)
    lab.sync()


@EVERY
def test_by_mouse_and_by_the_menu_of_presets(lab, name):
    """The first slider to its end and back, Reset, and the last preset, which brings what the library has."""
    start = lab.state
    parameter, ends = next(iter(sliders(lab).items()))
    lab.drag_to_both_ends(title(name, parameter), parameter, *ends)
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
