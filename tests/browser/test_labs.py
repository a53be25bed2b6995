"""What holds for every lab in a real browser: as it opens, by keyboard alone, by mouse, on the
projector.
"""

import re

import numpy as np
import pytest
from conftest import as_made
from session import NAMES

from knnviz import labs
from knnviz.labs.engine.layout import PROJECTOR, SCREEN

#: Labs that have every kind of control among them: the page makes those of the others by the same
#: code.
KINDS = ("ActiveLab", "LearnabilityLab", "NeighborLab", "RatesLab")


def kinds(names):
    """The kinds of controls of labs."""
    return {each.kind for name in names for each in getattr(labs, name).parameters.values()}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in KINDS else pytest.mark.full) for name in NAMES],
    scope="session",
)
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
    assert lab.violations(".knnviz-lab") == ""
    assert lab.message == ""


@pytest.mark.parametrize("name", KINDS, scope="session")
def test_by_keyboard_by_mouse_and_on_the_projector(lab, name):
    """Sliders to their ends, a menu to its last choice, and back by Reset, which leaves the
    look.
    """
    assert kinds(KINDS) == kinds(NAMES)
    start = lab.state
    (first, slider), (second, other), *_ = lab.sliders().items()
    lab.press(slider["title"], "End")
    lab.press(other["title"], "Home")
    lab.until(**{first: slider["high"], second: other["low"]})
    back_to(lab, start)
    for fraction, end in ((1, "high"), (0, "low")):
        lab.pull(slider["title"], fraction)
        lab.until(**{first: slider[end]})
        lab.sync()
    lab.settle()
    assert lab.message == ""
    back_to(lab, start)
    made = as_made(name)
    menu = next(
        (at, each.title)
        for at, each in made.parameters.items()
        if each.kind == "menu" and at not in made.setting.hidden
    )
    lab.press(menu[1], "End")
    lab.until_true(f"state => state.{menu[0]} !== {start[menu[0]]!r} || {SAID}")
    back_to(lab, start)
    lab.project()
    lab.sync()
    # A page that has just got another size is laid out again in several steps.
    lab.page.wait_for_function(BESIDE)
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
    figures = page.locator(".knnviz-figure")

    def widths():
        session.idle()
        return np.array([each.bounding_box()["width"] for each in figures.all()])

    session.run_all()
    figures.nth(1).wait_for()
    before = widths()
    page.get_by_role("button", name="Projector", exact=True).first.click()
    page.locator(".knnviz-projector").nth(1).wait_for()
    # A figure of a narrower sheet.
    narrower = PROJECTOR.width / SCREEN.width
    assert (widths() > 1.2 * narrower * before).all()
    letters = "each => parseFloat(getComputedStyle(each).fontSize)"
    assert page.locator(".knnviz-question").evaluate(letters) >= 17
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

#: Whether the figure is to the right of the controls, and within the page.
BESIDE = """() => {
  const [controls, figure] = ['.knnviz-controls', '.knnviz-figure'].map(
    (name) => document.querySelector(name).getBoundingClientRect());
  return controls.right <= figure.left && figure.right <= innerWidth;
}"""

#: Whether the lab has said why something cannot be.
SAID = "document.querySelector('.knnviz-message').innerText !== ''"


def back_to(lab, start):
    """Press Reset once the page rests, and wait for the state at the start."""
    lab.sync()
    lab.press("Reset", "Enter")
    lab.until(**start)
    lab.sync()


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES, scope="session")
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
