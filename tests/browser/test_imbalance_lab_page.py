"""ImbalanceLab in a real browser: the handle of a by hand and by keys, sliders to their ends, presets as they look."""

import re

import pytest

from knnviz.labs import ImbalanceLab
from knnviz.labs.imbalance import SCREEN
from knnviz.views.imbalance import ENDS

#: Sliders by name: parameter, and where they end.
WORLD = {
    "classes C": ("classes", 2, 12),
    "Zipf exponent s": ("exponent", 0, 3),
    "deviation sigma": ("scale", 0.05, 0.4),
    "weights, exponent a": ("a", 0, 1),
}
SAMPLE = {"sample size n": ("n", 50, 8000), "neighbors k": ("k", 1, 200)}
WIDE = SCREEN.size[0]

#: The lab of the page.
LAB = "ImbalanceLab"


@pytest.fixture
def lab(opened):
    """The lab as it began."""
    opened.evaluate("lab.projector = False; lab.reset()")
    opened.until(classes=8, exponent=2, scale=0.2, a=0, rule="Bayes rule", n=1000, k=50)
    opened.settle()
    opened.figure.scroll_into_view_if_needed()
    yield opened
    assert opened.errors == []


def place(a, height=0.5):
    """Where an exponent stands on the sheet, so high in the panel of the scores."""
    left, top, width, tall = SCREEN.more["scores"]
    return left + (a - ENDS[0]) / (ENDS[1] - ENDS[0]) * width, top + (1 - height) * tall


def refined(lab):
    """Wait until the scores are those of all cells."""
    lab.page.locator(".knnviz-numbers:not(.knnviz-rough)").first.wait_for()
    lab.settle()


def test_the_lab_as_it_opens(lab):
    refined(lab)
    assert "accuracy 0.6697; balanced accuracy 0.2655; macro F1 0.2613; never predicted class 1" in lab.alt
    assert lab.message == ""
    lab.screenshot("imbalance-lab")
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / "imbalance-lab-alone.png")


def test_dragging_the_handle(lab):
    """Along the panel and out of it: the last place counts, and nothing is left to do."""
    lab.drag_figure([place(0, 0.06), place(0.7), place(0.2), place(1.3, 0.9), place(0.5)], WIDE)
    lab.until_near("a", 0.5, 0.011)
    lab.settle()
    assert "a = 0.5" in lab.alt
    lab.click_figure(*place(1.0), WIDE)
    lab.until(a=1)
    refined(lab)
    assert "accuracy 0.4954" in lab.alt
    assert lab.message == ""


@pytest.mark.parametrize("rule", ["Bayes rule", "kNN"])
@pytest.mark.full
def test_quick_drags_to_both_ends(lab, rule):
    lab.choose("rule", rule)
    lab.until(rule=rule)
    for name, (parameter, low, high) in (WORLD if rule == "Bayes rule" else WORLD | SAMPLE).items():
        lab.slider(name).wait_for(state="visible")
        lab.settle()
        lab.slider(name).scroll_into_view_if_needed()
        lab.rush_to_both_ends(name, parameter, low, high, times=1)
        lab.evaluate(f"lab.reset(); lab.rule = {rule!r}")
        lab.until(classes=8, exponent=2, scale=0.2, a=0, n=1000, k=50)


def test_the_sample_is_hidden_where_nothing_reads_it(lab):
    assert not lab.page.get_by_label("neighbors k", exact=True).first.is_visible()
    lab.choose("rule", "kNN")
    lab.slider("neighbors k").wait_for(state="visible")


@pytest.mark.parametrize("preset", [preset.name for preset in ImbalanceLab.presets])
def test_presets_as_they_look(lab, preset):
    lab.choose("preset", preset)
    lab.until(**ImbalanceLab().preset_values(preset))
    refined(lab)
    assert lab.message == ""
    lab.screenshot("imbalance-preset-" + re.sub("[^a-z0-9]+", "-", preset.lower()))


def test_keyboard_only(lab):
    press = lab.page.keyboard.press
    handle = lab.page.get_by_role("slider", name="exponent a")
    handle.last.focus()
    for _ in range(3):
        press("Shift+ArrowRight")
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).a > .05")
    lab.settle()
    a = lab.state["a"]
    assert handle.last.get_attribute("aria-valuetext") == f"a = {a:.2f}"
    lab.slider("classes C").focus()
    press("ArrowRight")
    lab.until(classes=9)
    lab.page.get_by_label("rule", exact=True).focus()
    press("k")
    lab.until(rule="kNN")
    lab.page.get_by_role("button", name="Reset").focus()
    press("Enter")
    lab.until(classes=8, a=0, rule="Bayes rule")
    lab.settle()
    assert lab.message == ""


def test_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    refined(lab)
    lab.screenshot("imbalance-projector")
    for preset in ("Twelve classes", "A hundred points"):
        lab.choose("preset", preset)
        lab.until(**ImbalanceLab().preset_values(preset))
        refined(lab)
        lab.screenshot("imbalance-projector-" + preset.lower().replace(" ", "-"))
