"""BagNoiseLab in a real browser: curves that fill in, sliders to their ends, presets, handle, the keyboard alone."""

import re
import time

import pytest

from knnviz.labs import BagNoiseLab

#: Sliders by name: parameter, and where they end at the start.
SLIDERS = {
    "splits": ("splits", 1, 20),
    "largest inclusion a": ("inclusion", 0, 0.95),
    "bag noise nu": ("bag_noise", 0, 0.8),
    "band constant c1": ("c1", 0.05, 3),
    "failure probability delta": ("delta", 0.01, 0.5),
    "largest k T": ("max_neighbors", 10, 200),
}
START = {"data": "digits", "preparation": "vision", "splits": 5, "seed": 0, "inclusion": 0.8, "bag_noise": 0.3}
START |= {"rivals": "none"}
WIDE, PLACE = 920, (66, 40, 480, 424)

#: The lab of the page.
LAB = "BagNoiseLab"


@pytest.fixture
def lab(opened):
    """The lab as it began, with all splits done."""
    opened.evaluate("lab.projector = False; lab.reset()")
    opened.until(**START, c1=0.5, delta=0.1, max_neighbors=100, fallback="largest lead", kind="confusion")
    complete(opened)
    opened.figure.scroll_into_view_if_needed()
    yield opened
    assert opened.errors == []


def complete(lab):
    """Wait until all splits are done."""
    said(lab, r"means over (\d+) of \1 splits")
    lab.settle()


def said(lab, pattern):
    """Wait until the words of the picture match."""
    there = f"/{pattern}/.test(document.querySelector('.knnviz-figure canvas').ariaLabel)"
    lab.page.wait_for_function(there)


def file_name(name):
    """A name of a file."""
    return re.sub("[^a-z0-9]+", "-", name.lower())


def test_the_lab_as_it_opens(lab):
    read = BagNoiseLab().readout()
    assert f"PL A-kNN errs {read['error']:.4f}; 10-NN errs {read['vote_error']:.4f}" in lab.alt
    assert lab.message == ""
    lab.screenshot("bag-noise-lab")
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / "bag-noise-lab-alone.png")


@pytest.mark.full
def test_quick_drags_to_both_ends(lab):
    for name, (parameter, low, high) in SLIDERS.items():
        lab.slider(name).scroll_into_view_if_needed()
        lab.rush_to_both_ends(name, parameter, low, high, times=1)
        complete(lab)
        lab.figure.scroll_into_view_if_needed()
        lab.screenshot(f"bag-noise-{parameter}-low")
        lab.evaluate("lab.reset()")
        lab.until(**START, c1=0.5, delta=0.1, max_neighbors=100)
        complete(lab)


def test_presets_as_they_look(lab):
    for preset in BagNoiseLab.presets:
        if preset.name == "Linear rivals":  # It goes on for a minute.
            continue
        lab.choose("preset", preset.name)
        lab.until(**BagNoiseLab().preset_values(preset.name))
        complete(lab)
        assert lab.page.get_by_label("preset").input_value().replace("\xa0", " ") == preset.name
        assert lab.message == ""
        lab.screenshot(f"bag-noise-preset-{file_name(preset.name)}")


def test_curves_fill_in_and_can_be_stopped(lab):
    lab.page.get_by_role("button", name="New splits").click()
    lab.until(seed=1)
    lab.page.wait_for_function("/[1-4] of 5 splits/.test(document.querySelector('.knnviz-figure canvas').ariaLabel)")
    lab.screenshot("bag-noise-filling-in")
    complete(lab)
    lab.page.get_by_role("button", name="New splits").click()
    lab.until(seed=2)
    lab.page.wait_for_function("/1 of 5 splits/.test(document.querySelector('.knnviz-figure canvas').ariaLabel)")
    lab.page.get_by_role("button", name="Stop").click()
    lab.settle()
    assert re.search("means over [1-4] of 5 splits", lab.alt)
    assert lab.message == ""


def test_data_and_noise_by_their_menus(lab):
    for data in ("wine", "breast cancer"):
        lab.choose("data", data)
        lab.until(data=data)
        complete(lab)
        lab.screenshot(f"bag-noise-{file_name(data)}")
    for noise in ("another label", "removal"):
        lab.choose("noise", noise)
        lab.until(kind=noise)
        complete(lab)
    lab.screenshot("bag-noise-removal")
    lab.evaluate("lab.set(data='digits', max_neighbors=200)")
    lab.choose("data", "wine")
    lab.until(data="wine", max_neighbors=142)
    lab.settle()
    assert lab.message.startswith("The largest k is 142")


def test_nu_by_clicks_and_by_its_handle(lab):
    left, top, width, height = PLACE
    lab.click_figure(left + (0.03 + 0.6) / 0.86 * width, top + 0.1 * height, WIDE)
    lab.until(bag_noise=0.6)
    lab.settle()
    handle = lab.page.get_by_role("slider", name="bag noise", exact=True)
    handle.focus()
    before = lab.state["bag_noise"]
    for _ in range(40):
        lab.page.keyboard.press("ArrowRight")
        if lab.state["bag_noise"] > before:
            break
        time.sleep(0.05)
    lab.settle()
    assert lab.state["bag_noise"] > before
    assert handle.get_attribute("aria-valuetext") == f"ν = {lab.state['bag_noise']:g}"
    at = [left + (0.03 + noise) / 0.86 * width for noise in (lab.state["bag_noise"], 0.5, 0.1)]
    lab.drag_figure([(x, top + 0.15 / 1.04 * height) for x in at], WIDE)
    lab.until(bag_noise=0.1)
    assert lab.message == ""


def test_linear_rivals(lab):
    """A few on small data to their end; all of them on the digits, where a slider moves on meanwhile."""
    lab.evaluate("lab.set(data='wine', splits=2)")
    lab.choose("rivals", "all")
    lab.until(data="wine", rivals="all")
    said(lab, "Linear rivals, 12 of 12 curves")
    lab.settle()
    assert all(f"{name} errs" in lab.alt for name in ("CLPL", "PRODEN", "LWS beta 2", "APL GCE"))
    lab.screenshot("bag-noise-rivals-wine")
    lab.choose("rivals", "PRODEN")
    lab.until(rivals="PRODEN")
    said(lab, "Linear rivals, 2 of 2 curves")
    assert "CLPL" not in lab.alt
    lab.screenshot("bag-noise-rivals-proden")
    lab.choose("preset", "Linear rivals")
    lab.until(data="digits", splits=5, rivals="all")
    said(lab, "means over 5 of 5 splits")
    said(lab, r"Linear rivals, [1-9]\d* of 30 curves")
    lab.slider("band constant c1").focus()
    for _ in range(4):
        lab.page.keyboard.press("ArrowRight")
    lab.until(c1=0.7, rivals="all")
    said(lab, "means over 5 of 5 splits")
    said(lab, r"Linear rivals, ([2-9]|[12]\d) of 30 curves")
    lab.page.get_by_role("button", name="Stop").click()
    lab.settle()
    done = re.search(r"Linear rivals, (\d+) of 30", lab.alt)[1]
    lab.figure.scroll_into_view_if_needed()
    lab.screenshot("bag-noise-rivals-digits")
    lab.page.wait_for_timeout(3000)
    assert f"Linear rivals, {done} of 30" in lab.alt
    assert lab.message == ""


def test_keyboard_only(lab):
    press = lab.page.keyboard.press
    lab.slider("band constant c1").focus()
    press("ArrowRight")
    lab.until(c1=0.55)
    lab.page.get_by_label("at T", exact=True).focus()
    press("m")
    lab.until(fallback="majority")
    lab.page.get_by_label("preparation", exact=True).focus()
    press("r")
    lab.until(preparation="raw")
    lab.slider("largest k T").focus()
    press("Home")
    lab.until(max_neighbors=10)
    lab.page.get_by_role("button", name="Reset").focus()
    press("Enter")
    lab.until(**START, c1=0.5, fallback="largest lead")
    complete(lab)
    assert lab.message == ""


def test_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    complete(lab)
    lab.screenshot("bag-noise-projector")
    for preset in ("c1 = 0.1", "No wrong labels but noise", "Two labels"):
        lab.choose("preset", preset)
        lab.until(**BagNoiseLab().preset_values(preset))
        complete(lab)
        lab.screenshot(f"bag-noise-projector-{file_name(preset)}")
    lab.evaluate("lab.set(data='wine', splits=2, rivals='all')")
    said(lab, "Linear rivals, 12 of 12 curves")
    lab.settle()
    lab.screenshot("bag-noise-projector-rivals")
