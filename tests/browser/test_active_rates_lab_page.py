"""ActiveRatesLab in a real browser: sliders to their ends, presets as they look, the handle, the keyboard alone."""

import re

import pytest

from knnviz.labs import ActiveRatesLab

#: Sliders by name: parameter, and where they end at the start.
SLIDERS = {
    "smoothness alpha": ("smoothness", 0.1, 1),
    "margin exponent beta": ("margin_exponent", 0.1, 1.95),
    "its constant L": ("smoothness_constant", 0.1, 10),
    "dimension of points": ("dimension", 1, 10),
    "failure probability delta": ("delta", 0.01, 0.5),
    "unknown constant, log10": ("constant_power", -6, 3),
    "labels n": ("n", 100, 10**16),
    "slope s": ("s", 0.05, 1),
    "all labels N": ("total", 100, 1_000_000),
    "neighbors k": ("k", 1, 1000),
}

#: Sliders of one problem alone.
SHAPES = {
    "bump": {"width of the bump": ("width", 0.02, 0.5), "eta on the bump": ("height", 0.51, 1)},
    "jump": {"height of the jump a": ("a", 0.02, 0.5)},
    "power": {"power family kappa": ("kappa", 0.6, 6)},
}
WIDE = 920

#: The lab of the page.
LAB = "ActiveRatesLab"


@pytest.fixture
def lab(opened):
    """The lab as it began."""
    opened.evaluate("lab.projector = False; lab.reset()")
    opened.until(n=1_000_000, k=60, total=1000, problem="linear", constant_power=0)
    opened.settle()
    opened.figure.scroll_into_view_if_needed()
    yield opened
    assert opened.errors == []


def test_the_lab_as_it_opens(lab):
    read = ActiveRatesLab().readout()
    assert "Sizes at which Corollary 1 may be used: none" in lab.alt
    assert f"p = {read['p']:.4f} and Delta = {read['Delta']:.4f}" in lab.alt
    assert f"boundary mass {read['boundary_mass']:.4f}; closed form {read['closed_form']:.4f}" in lab.alt
    assert lab.message == ""
    lab.screenshot("active-rates-lab")
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / "active-rates-lab-alone.png")


@pytest.mark.full
def test_quick_drags_to_both_ends(lab):
    for name, (parameter, low, high) in SLIDERS.items():
        lab.slider(name).scroll_into_view_if_needed()
        lab.rush_to_both_ends(name, parameter, low, high, times=1)
        lab.screenshot(f"active-rates-{parameter}-low")
        lab.evaluate("lab.reset()")
        lab.until(n=1_000_000, k=60, total=1000, smoothness=1, margin_exponent=0.9, delta=0.1, constant_power=0)
        lab.settle()


def test_sliders_of_every_problem(lab):
    for problem, sliders in SHAPES.items():
        lab.choose("problem", problem)
        lab.until(problem=problem)
        for name, (parameter, low, high) in sliders.items():
            lab.slider(name).wait_for(state="visible")
            lab.settle()
            lab.slider(name).scroll_into_view_if_needed()
            lab.rush_to_both_ends(name, parameter, low, high, times=1)
            lab.settle()
            lab.screenshot(f"active-rates-{problem}-{parameter}-low")
    lab.choose("assumed", "power family")
    lab.until(assumed="power family")
    lab.slider("smoothness alpha").wait_for(state="hidden")


def test_presets_as_they_look(lab):
    for preset in ActiveRatesLab.presets:
        lab.choose("preset", preset.name)
        lab.until(**ActiveRatesLab().preset_values(preset.name))
        lab.settle()
        assert lab.page.get_by_label("preset").input_value().replace("\xa0", " ") == preset.name
        assert lab.message == ""
        lab.screenshot("active-rates-preset-" + re.sub("[^a-z0-9]+", "-", preset.name.lower()))


def test_n_by_clicks_and_by_its_handle(lab):
    """The middle of an axis from 10^1.8 to 10^16.2 is 10^9."""
    lab.click_figure(92 + 0.5 * 352, 60, WIDE)
    lab.until(n=1_000_000_000)
    lab.settle()
    lab.click_figure(540 + 0.5 * 366 - 0.25 * 366, 200, WIDE)
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).n < 1e6")
    lab.settle()
    handle = lab.page.get_by_role("slider", name="n", exact=True)
    before = lab.state["n"]
    handle.focus()
    for _ in range(3):
        lab.page.keyboard.press("ArrowRight")
    lab.page.wait_for_function(
        "n => JSON.parse(document.querySelector('.knnviz-figure').dataset.state).n > n", arg=before
    )
    lab.settle()
    assert handle.get_attribute("aria-valuetext").startswith("n = ")
    assert lab.message == ""


def test_keyboard_only(lab):
    press = lab.page.keyboard.press
    lab.slider("labels n").focus()
    press("ArrowRight")
    lab.until(n=1_500_000)
    press("End")
    lab.until(n=10**16)
    lab.slider("unknown constant, log10").focus()
    press("Home")
    lab.until(constant_power=-6)
    lab.page.get_by_label("problem", exact=True).focus()
    press("j")
    lab.until(problem="jump")
    lab.page.get_by_label("c_delta", exact=True).focus()
    press("1")
    lab.until(locality="1 (no theorem)")
    lab.settle()
    assert "with c_delta = 1 it is no theorem" in lab.alt
    lab.page.get_by_role("button", name="Reset").focus()
    press("Enter")
    lab.until(n=1_000_000, problem="linear", locality="formula")
    lab.settle()
    assert lab.message == ""


def test_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    lab.settle()
    lab.screenshot("active-rates-projector")
    for preset in ("constant .001", "two atoms, as printed", "k beyond n"):
        lab.choose("preset", preset)
        lab.until(**ActiveRatesLab().preset_values(preset))
        lab.settle()
        lab.screenshot("active-rates-projector-" + re.sub("[^a-z0-9]+", "-", preset))
