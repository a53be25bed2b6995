"""What holds for every lab in a real browser: as it opens, by keyboard alone, by mouse, on the projector."""

import json
import re

import pytest

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
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / f"{file_name(name)}-alone.png")


@EVERY
def test_by_keyboard_alone(lab, name):
    """Each slider to both of its ends, each menu to its last choice, and back by Reset."""
    start = lab.state
    for parameter, (low, high) in sliders(lab).items():
        for key, end in (("End", high), ("Home", low)):
            lab.slider(title(name, parameter)).press(key)
            lab.until(**{parameter: end})
            lab.settle()
        assert "stays" not in lab.message, parameter
        lab.press("Reset", "Enter")
        lab.until(**start)
        lab.settle()
    assert (lab.state, lab.message) == (start, "")
    for parameter, kind in getattr(labs, name).parameters().items():
        box = lab.page.get_by_label(title(name, parameter), exact=True).first
        if isinstance(kind, Choice) and box.is_visible():
            box.press("End")
            lab.page.wait_for_function(
                "([name, value]) => JSON.parse(document.querySelector('.knnviz-figure').dataset.state)[name] !== value"
                " || document.querySelector('.knnviz-message').innerText !== ''",
                arg=[parameter, start[parameter]],
            )
            lab.settle()
            lab.press("Reset", "Enter")
            lab.until(**start)
            lab.settle()
    assert (lab.state, lab.message) == (start, "")


@EVERY
def test_by_mouse(lab, name):
    """The first slider on show, to its end and back, and the button Reset."""
    start = lab.state
    parameter, ends = next(iter(sliders(lab).items()))
    lab.drag_to_both_ends(title(name, parameter), parameter, *ends)
    lab.page.get_by_role("button", name="Reset", exact=True).click()
    lab.until(**start)


@EVERY
def test_the_projector(lab, name):
    """Large letters beside a figure that is seen whole; the state stays."""
    state, switch = lab.state, lab.page.get_by_role("button", name="Projector", exact=True)
    switch.press("Space")
    lab.page.locator(".knnviz-lab.knnviz-projector").wait_for()
    lab.settle()
    assert lab.state == state
    assert switch.get_attribute("aria-pressed") == "true"
    controls, figure = lab.page.locator(".knnviz-controls").bounding_box(), lab.figure.bounding_box()
    assert controls["x"] + controls["width"] <= figure["x"]
    assert figure["x"] + figure["width"] <= 1400
    lab.screenshot(file_name(name, "projector"))
    lab.press("Reset", "Enter")
    lab.settle()
    assert switch.get_attribute("aria-pressed") == "true"
    switch.click()
    lab.page.locator(".knnviz-lab:not(.knnviz-projector)").wait_for()
    lab.settle()
    assert (lab.state, lab.message) == (state, "")


@EVERY
def test_a_preset_by_keyboard(lab, name):
    """The last one of the menu; what it leaves is that of the library, whatever the steps of the sliders are."""
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
