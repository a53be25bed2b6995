"""LearnabilityLab in a real browser: eta and M by hand and by keys, sliders to their ends, presets, the projector."""

import re

import pytest

from knnviz.labs import LearnabilityLab
from knnviz.labs.learnability import PROJECTOR, SCREEN
from knnviz.labs.processes import chance_names
from knnviz.views import learnability as view
from knnviz.views import triangle

#: Sliders by name: parameter, and where they end at the start.
SLIDERS = {
    "label 0 eta0": ("eta0", 0, 1),
    "label 1 eta1": ("eta1", 0, 1),
    "label 2 eta2": ("eta2", 0, 1),
    "bags drawn n": ("n", 0, 2000),
    "labels C": ("n_classes", 2, 3),
}
WIDE = SCREEN.size[0]

#: The lab of the page.
LAB = "LearnabilityLab"


@pytest.fixture
def lab(opened):
    """The lab as it began."""
    opened.evaluate("lab.projector = False; lab.reset()")
    opened.until(model="permutation", n_classes=3, eta0=0.5, eta1=0.3, chance_1_0=1, beside="nothing", n=0, seed=0)
    opened.settle()
    opened.figure.scroll_into_view_if_needed()
    yield opened
    assert opened.errors == []


def place(*eta, sheet=SCREEN):
    """Where an eta stands on the sheet."""
    left, top, width, height = sheet.more["segment" if len(eta) == 2 else "triangle"]
    (x, y), across, up = view.spot(eta), view.ROOM, view.ROOM
    if len(eta) == 3:
        (x, y), across, up = triangle.places(eta), triangle.ACROSS, triangle.UP
    return left + (x - across[0]) / (across[1] - across[0]) * width, top + (up[1] - y) / (up[1] - up[0]) * height


def cell(label, row, n_classes=3, sheet=SCREEN):
    """Where the middle of a cell of M stands on the sheet."""
    left, top, width, height = sheet.more["process"]
    return left + (label + 0.5) / n_classes * width, top + (row + 0.5) / 2**n_classes * height


def slider_of(name):
    """What the slider of a chance is called."""
    return LearnabilityLab.parameters()[name].title


def named(preset):
    return re.sub("[^a-z0-9]+", "-", preset.lower()).strip("-")


def test_the_lab_as_it_opens(lab):
    read = LearnabilityLab().readout()
    assert read["misaligned_share"] == 1
    assert "best 0, in most bags 1, costs 0.2" in lab.alt
    assert "rank of M 3" in lab.alt
    assert lab.message == ""
    lab.screenshot("learnability-lab")
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / "learnability-lab-alone.png")


@pytest.mark.parametrize("name", SLIDERS)
@pytest.mark.full
def test_quick_drags_to_both_ends(lab, name):
    parameter, low, high = SLIDERS[name]
    lab.slider(name).scroll_into_view_if_needed()
    lab.settle()
    lab.rush_to_both_ends(name, parameter, low, high, times=1)
    assert lab.catch_up() <= 5, "a backlog"
    lab.screenshot(f"learnability-{parameter}-low")


def test_every_chance_of_a_column_goes_to_both_ends(lab):
    """The others share what it leaves."""
    column = chance_names(3)[0]
    for name in column:
        slider = lab.slider(slider_of(name))
        slider.scroll_into_view_if_needed()
        lab.drag(slider, [0.2, 0.7, 1.0])
        lab.until(**{name: 1, "model": "edited"}, **{other: 0 for other in column if other != name})
        lab.drag(slider, [0.5, 0.0])
        lab.until(**{name: 0})
        shown = lab.state
        assert sum(shown[each] for each in column) == pytest.approx(1, abs=1e-9)
    assert lab.message == ""
    lab.screenshot("learnability-chances")


def test_forty_steps_of_a_drag_leave_no_backlog(lab):
    for name, parameter in ((slider_of("chance_01_0"), "chance_01_0"), ("label 0 eta0", "eta0")):
        lab.slider(name).scroll_into_view_if_needed()
        lab.settle()
        lab.drag(lab.slider(name), [abs(step % 20 - 10) / 10 for step in range(40)] + [1.0])
        lab.until(**{parameter: 1})
        assert lab.catch_up() <= 5, name
    assert lab.message == ""


def test_dragging_eta_on_the_triangle(lab):
    way = [(0.5, 0.3, 0.2), (0.3, 0.3, 0.4), (0.1, 0.2, 0.7), (0.7, 0.2, 0.1), (0.2, 0.7, 0.1), (0.2, -0.2, 1.0)]
    lab.drag_figure([place(*eta) for eta in way], WIDE)
    lab.until(eta0=0.1, eta1=0.0, eta2=0.9, model="permutation")
    assert lab.catch_up() <= 5, "a backlog"
    assert "at P(y | x) = (0.1, 0, 0.9)" in lab.alt
    lab.click_figure(*place(0.2, 0.6, 0.2), WIDE)
    lab.until(eta0=0.2, eta1=0.6, eta2=0.2)
    assert lab.message == ""


def test_dragging_eta_on_the_segment(lab):
    lab.choose("bags", "first expert")
    lab.until(model="first expert", n_classes=2)
    lab.settle()
    lab.drag_figure([place(2 / 3, 1 / 3), place(0.3, 0.7), place(0.8, 0.2)], WIDE)
    lab.until(eta0=0.8, eta1=0.2, model="first expert")
    lab.drag_figure([place(0.8, 0.2), place(0.4, 0.6), place(-0.2, 1.2)], WIDE)
    lab.until(eta0=0, eta1=1)
    assert lab.catch_up() <= 5, "a backlog"
    lab.drag_figure([place(0.0, 1.0), place(1.2, -0.2)], WIDE)
    lab.until(eta0=1, eta1=0)
    lab.settle()
    lab.screenshot("learnability-segment-end")
    assert lab.message == ""


def test_a_click_into_the_table_picks_the_column_to_edit(lab):
    for label in (2, 1, 0):
        lab.click_figure(*cell(label, 2), WIDE)
        lab.until(column=f"label {label}")
        lab.settle()
        lab.slider(slider_of(f"chance_1_{label}")).wait_for(state="visible")
        other = slider_of(f"chance_1_{(label + 1) % 3}")
        assert lab.page.get_by_role("slider", name=other, exact=True).count() == 0
    lab.choose("bags", "never alone")
    lab.until(model="never alone")
    lab.settle()
    lab.click_figure(*cell(1, 3, 2), WIDE)
    lab.until(column="label 1")
    before = lab.alt
    lab.click_figure(SCREEN.more["told"][0] + 40, SCREEN.more["told"][1] + 40, WIDE)
    lab.settle()
    assert (lab.alt, lab.message) == (before, "")
    lab.choose("bags", "labels themselves")
    lab.until(model="labels themselves", column="label 1")


def test_models_chosen_quickly(lab):
    """The last one counts, whatever it moves."""
    for name in ("never alone", "Wen et al.", "always both", "Feng et al.", "first expert", "a mixture of two"):
        lab.choose("bags", name)
    lab.until(model="a mixture of two", n_classes=3)
    lab.settle()
    assert lab.state == LearnabilityLab(model="a mixture of two").values
    assert lab.page.get_by_label("bags", exact=True).input_value() == "a mixture of two"
    lab.choose("edit", "label 2")
    lab.choose("bags", "always both")
    lab.until(model="always both", n_classes=2, column="label 0")
    lab.choose("bags", "edited")
    lab.until(model="edited", n_classes=2, chance_01_0=1)
    assert lab.message == ""
    lab.choose("edit", "label 2")
    lab.page.wait_for_function("document.querySelector('.knnviz-message').innerText.includes('must be one of label 0')")
    lab.settle()
    assert lab.state["column"] == "label 0"
    lab.choose("bags", "permutation")
    lab.until(model="permutation", chance_1_0=1)


def test_seeds_that_are_none(lab):
    lab.choose("bags", "Wen et al.")
    lab.until(model="Wen et al.")
    box = lab.page.get_by_label("seed", exact=True)
    for typed in ("-1", "99999999999"):
        box.fill(typed)
        box.press("Enter")
        lab.page.wait_for_function("document.querySelector('.knnviz-message').innerText.includes('seed must be')")
        lab.settle()
        assert (lab.state["seed"], box.input_value()) == (0, "0")
    box.fill("4294967295")
    box.press("Enter")
    lab.until(seed=4294967295)
    lab.page.get_by_role("button", name="New sample").click()
    lab.page.wait_for_function("document.querySelector('.knnviz-message').innerText.includes('got 4294967296')")
    lab.settle()


def test_presets_as_they_look(lab):
    """One after the other, whatever the one before has left."""
    blank = LearnabilityLab()
    for preset in [each.name for each in LearnabilityLab.presets]:
        lab.choose("preset", preset)
        lab.until(**blank.preset_values(preset))
        lab.settle()
        assert lab.message == "", preset
        assert lab.alt == blank.show_preset(preset).alt
        lab.screenshot("learnability-preset-" + named(preset))


def test_keyboard_only(lab):
    press = lab.page.keyboard.press
    handle = lab.page.get_by_role("slider", name="P(y | x)", exact=True)
    handle.focus()
    assert handle.get_attribute("aria-valuetext") == "label 0 0.5, label 1 0.3, label 2 0.2"
    for _ in range(3):
        press("Shift+ArrowRight")
    lab.settle()
    after = lab.state
    assert after["eta1"] > 0.5 > after["eta0"]
    press("Shift+ArrowUp")
    lab.settle()
    assert lab.state["eta2"] > 0.25
    for name, (parameter, low, high) in SLIDERS.items():
        for key, end in (("End", high), ("Home", low)):
            lab.slider(name).focus()
            press(key)
            lab.until(**{parameter: end})
        if parameter == "n":
            press("PageUp")
            lab.settle()
            assert lab.state["n"] > 0
    assert lab.state["model"] == "never alone"
    handle.focus()
    press("ArrowRight")
    lab.until(eta0=0.61)
    lab.page.get_by_label("bags", exact=True).focus()
    press("p")
    lab.until(model="permutation")
    lab.page.get_by_label("beside it", exact=True).focus()
    press("s")
    lab.until(beside="swapped")
    lab.page.get_by_label("edit", exact=True).focus()
    press("End")
    lab.until(column="label 2")
    for key, end in (("Home", 0), ("End", 1)):
        lab.slider(slider_of("chance_12_2")).focus()
        press(key)
        lab.until(chance_12_2=end)
    lab.until(model="edited")
    lab.page.get_by_role("button", name="Reset").focus()
    press("Enter")
    lab.until(model="permutation", eta0=0.5, beside="nothing", column="label 0", n=0)
    lab.settle()
    assert lab.message == ""


def test_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    lab.settle()
    lab.screenshot("learnability-projector")
    for preset in ("First expert", "Lv et al., noisy"):
        lab.choose("preset", preset)
        lab.until(**LearnabilityLab().preset_values(preset))
        lab.evaluate("lab.set(n=100, beside='swapped')")
        lab.until(n=100)
        lab.settle()
        lab.screenshot("learnability-projector-" + named(preset))
    lab.choose("bags", "permutation")
    lab.until(model="permutation")
    lab.click_figure(*place(0.2, 0.2, 0.6, sheet=PROJECTOR), PROJECTOR.size[0])
    lab.until(eta0=0.2, eta1=0.2, eta2=0.6)
    lab.click_figure(*cell(2, 7, sheet=PROJECTOR), PROJECTOR.size[0])
    lab.until(column="label 2")
    lab.settle()
    assert lab.message == ""
