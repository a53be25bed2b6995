"""What holds for every lab in a real browser: as it opens, by keyboard alone, by mouse, on the
projector.
"""

import re

import pytest
from conftest import as_made
from session import NAMES, PAGE

from knnviz import labs
from knnviz.labs.engine.layout import PROJECTOR, SCREEN

#: One lab after the other, so that each is opened once.
EVERY = pytest.mark.parametrize("name", NAMES, scope="session")

#: Labs that have every kind of control among them: the page makes those of the others by the same
#: code.
KINDS = ("ActiveLab", "LearnabilityLab", "NeighborLab", "RatesLab")


def controls(names):
    """The parameters of labs."""
    return [each for name in names for each in getattr(labs, name).parameters.values()]


@EVERY
def test_it_opens_as_the_library_has_it(lab, name):
    twin = as_made(name)
    assert lab.alt == twin.background.wait(lambda: twin.alt)
    assert lab.page.locator(".knnviz-numbers b").all_inner_texts() == list(
        twin.shown_numbers().values()
    )
    lab.page.wait_for_function(
        "text => document.querySelector('.knnviz-status').textContent === text", arg=twin.alt
    )
    lab.screenshot(name)
    assert name not in KINDS or lab.violations(".knnviz-lab") == ""
    assert lab.message == ""


@pytest.mark.parametrize("name", KINDS, scope="session")
def test_by_keyboard_by_mouse_and_on_the_projector(lab, name):
    """Sliders to their ends, a menu to its last choice, and back by Reset, which leaves the
    look.
    """
    assert {each.kind for each in controls(KINDS)} == {each.kind for each in controls(NAMES)}
    start = lab.state
    turns = (("End", "high"), ("Home", "low"))
    for (parameter, slider), (key, end) in zip(lab.sliders().items(), turns, strict=False):
        lab.slider(slider["title"]).press(key)
        lab.until(**{parameter: slider[end]})
        assert "stays" not in lab.message, parameter
        back_to(lab, start)
    parameter, slider = next(iter(lab.sliders().items()))
    lab.drag_to_both_ends(slider["title"], parameter, slider["low"], slider["high"])
    back_to(lab, start)
    made = as_made(name)
    shown = [each for each in made.parameters if each not in made.setting.hidden]
    title, parameter = next(
        (p.title, at) for at, p in made.parameters.items() if p.kind == "menu" and at in shown
    )
    lab.press(title, "End")
    lab.until_true(f"state => state.{parameter} !== {start[parameter]!r} || {SAID}")
    back_to(lab, start)
    lab.project()
    lab.sync()
    lab.stands_whole_beside_its_controls(PAGE["width"])
    lab.screenshot(f"{name}-projector")
    back_to(lab, start)
    switch = lab.page.get_by_role("button", name="Projector", exact=True)
    assert switch.get_attribute("aria-pressed") == "true"
    switch.click()
    lab.page.locator(".knnviz-lab:not(.knnviz-projector)").wait_for()
    lab.settle()
    assert (lab.state, lab.message) == (start, "")


def test_the_projector_is_for_the_whole_page_and_makes_letters_larger(session):
    """Also of a lab that comes later, beside the list of files, and on a phone."""
    lab = "from knnviz.labs import NeighborLab\nNeighborLab(controls=['k'], panels={})"
    question = "from knnviz.lessons import predict\npredict('one-neighbor-map')"
    session.write("hall.ipynb", lab.format(["map"]), question, lab.format(["map", "risk"]))
    session.open("hall.ipynb", "lab")
    page = session.page
    figures = session.page.locator(".knnviz-figure")
    session.run_all()
    figures.nth(1).wait_for()
    session.idle()
    before = [round(figures.nth(at).bounding_box()["width"]) for at in range(2)]
    page.get_by_role("button", name="Projector", exact=True).first.click()
    page.locator(".knnviz-projector").nth(1).wait_for()
    session.idle()
    after = [round(figures.nth(at).bounding_box()["width"]) for at in range(2)]
    # A figure of a narrower sheet.
    narrower = PROJECTOR.width / SCREEN.width
    assert all(after[at] > 1.2 * narrower * before[at] for at in range(2))
    assert (
        page.locator(".knnviz-question").evaluate(
            "each => parseFloat(getComputedStyle(each).fontSize)"
        )
        >= 17
    )
    session.renew("notebook:run-cell")
    page.locator(".knnviz-projector").nth(1).wait_for()
    session.command("application:toggle-left-area")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(f"() => {WHOLE}")
    page.evaluate(f"{SWITCH}.click()")
    page.locator(".knnviz-projector").first.wait_for(state="detached")
    # The last of two quick presses counts, for all labs.
    page.evaluate(f"{SWITCH}.click(), {SWITCH}.click()")
    page.wait_for_timeout(1000)
    page.locator(".knnviz-projector").first.wait_for(state="detached")
    page.wait_for_function(f"() => {WHOLE}")


#: The first button *Projector*.
SWITCH = (
    "[...document.querySelectorAll('.knnviz-lab button')].find((each) => each.textContent === "
    "'Projector')"
)

#: Whether each figure is as wide as its lab, and none is cut.
WHOLE = """[...document.querySelectorAll('.knnviz-figure')].every((each) => {
  const { left, width, right } = each.getBoundingClientRect();
  return width > 0.95 * each.closest('.knnviz-lab').clientWidth && left >= 0 && right <= innerWidth;
})"""

#: Whether the lab has said why something cannot be.
SAID = "document.querySelector('.knnviz-message').innerText !== ''"


def back_to(lab, start):
    """Press Reset once the page rests, and wait for the state at the start."""
    lab.sync()
    lab.press("Reset", "Enter")
    lab.until(**start)
    lab.sync()


@EVERY
@pytest.mark.full
def test_presets_as_they_look(lab, name):
    """One after the other, whatever the one before has left."""
    twin = getattr(labs, name)()
    for preset in [each.name for each in twin.presets]:
        lab.choose("preset", preset)
        lab.until(**twin.preset_values(preset))
        lab.settle()
        twin.show_preset(preset)
        assert lab.alt == twin.background.wait(lambda: twin.alt)
        assert lab.page.get_by_label("preset").input_value().replace("\xa0", " ") == preset
        assert lab.message == ""
        lab.screenshot(re.sub("[^a-z0-9]+", "-", f"{name} {preset}".lower()))
