"""RatesLab in a real browser: sliders to their ends, presets as they look, the keyboard, clicks on the panels."""

import re

import pytest

from knnviz.labs import RatesLab

#: Sliders by name: parameter, and where they end at the start.
SLIDERS = {
    "lowest eta a": ("low", 0, 0.49),
    "highest eta b": ("high", 0.59, 1),
    "sample size n": ("n", 100, 1_000_000),
    "flip rate of class 0 p0": ("p0", 0, 0.49),
    "flip rate of class 1 p1": ("p1", 0, 0.49),
    "failure probability delta": ("delta", 0.01, 0.5),
    "smoothness alpha": ("smoothness", 0.1, 1),
    "its constant L": ("smoothness_constant", 0.5, 10),
    "margin exponent beta": ("margin_exponent", 0, 3),
    "its constant M": ("margin_constant", 1, 20),
}
WIDE = 920

#: The lab of the page.
LAB = "RatesLab"


@pytest.fixture
def lab(opened):
    """The lab as it began."""
    opened.evaluate("lab.projector = False; lab.reset()")
    opened.until(n=10_000, p0=0.1, p1=0.3, curve="off", neighbors="k_n")
    opened.settle()
    opened.figure.scroll_into_view_if_needed()
    yield opened
    assert opened.errors == []


def test_the_lab_as_it_opens(lab):
    read = RatesLab().readout()
    assert f"risk of kNN {read['plain_risk']:.4f}; risk of robust kNN {read['robust_risk']:.4f}" in lab.alt
    assert "k 438; misled mass 0.4444; level m 0.5833" in lab.alt
    assert lab.message == ""
    lab.screenshot("rates-lab")
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / "rates-lab-alone.png")


@pytest.mark.full
def test_quick_drags_to_both_ends(lab):
    for name, (parameter, low, high) in SLIDERS.items():
        lab.slider(name).scroll_into_view_if_needed()
        lab.rush_to_both_ends(name, parameter, low, high)
        lab.screenshot(f"rates-{parameter}-low")
        start = RatesLab.parameters()[parameter].default_value
        lab.evaluate(f"lab.{parameter} = {start}")
        lab.until(**{parameter: start})


def test_a_k_of_ones_own(lab):
    lab.choose("neighbors", "k as set")
    slider = lab.slider("neighbors k")
    slider.wait_for(state="visible")
    lab.settle()
    lab.rush_to_both_ends("neighbors k", "k", 1, 10_000)
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    lab.until(k=3)
    lab.rush("sample size n", 0.0)
    lab.until(n=100)
    lab.settle()
    lab.rush("neighbors k", 1.0)
    lab.until(k=100)
    lab.settle()
    assert "k 100;" in lab.alt
    assert lab.message == ""


@pytest.mark.parametrize("preset", [preset.name for preset in RatesLab.presets])
def test_presets_as_they_look(lab, preset):
    lab.choose("preset", preset)
    lab.until(**RatesLab().preset_values(preset))
    lab.settle()
    if lab.state["curve"] != "off":
        lab.page.wait_for_function("document.querySelector('canvas').ariaLabel.match(/(\\d+) of \\1 pieces done/)")
        lab.settle()
    assert lab.page.get_by_label("preset").input_value().replace("\xa0", " ") == preset
    assert lab.message == ""
    lab.screenshot("rates-preset-" + re.sub("[^a-z0-9]+", "-", preset.lower()))


def test_clicks_on_panels(lab):
    """The middle of the votes' axis of k is about 100; at 0.6 of the risks' axis n is about 30,000."""
    lab.click_figure(524 + 0.5 * 382, 200, WIDE)
    lab.until(k=100, neighbors="k as set")
    lab.click_figure(524 + 0.6 * 382, 500, WIDE)
    lab.until(n=30_000)
    lab.click_figure(66 + 0.25 * 384, 200, WIDE)
    lab.until(x1=0.25)
    lab.settle()
    assert "100 nearest neighbors of x = (0.25)" in lab.alt
    assert lab.message == ""


def test_keyboard_only(lab):
    press = lab.page.keyboard.press
    lab.slider("sample size n").focus()
    press("ArrowRight")
    lab.until(n=15_000)
    press("End")
    lab.until(n=1_000_000)
    lab.page.get_by_label("shape", exact=True).focus()
    press("r")
    lab.until(shape="ramp")
    lab.page.get_by_role("button", name="Reset").focus()
    press("Enter")
    lab.until(shape="plateau", n=10_000)
    lab.settle()
    assert lab.message == ""


def test_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    lab.settle()
    lab.choose("risk curve", "excess over n")
    lab.page.wait_for_function("document.querySelector('canvas').ariaLabel.match(/(\\d+) of \\1 pieces done/)")
    lab.settle()
    lab.screenshot("rates-projector")
