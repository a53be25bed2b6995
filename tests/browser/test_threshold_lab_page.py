"""ThresholdLab in a real browser: sliders that are locked, handles, presets as they look, the keyboard, clicks."""

import re

import pytest

from knnviz.labs import ThresholdLab

WIDE = 960

#: The lab of the page.
LAB = "ThresholdLab"

#: Panels of the screen: left, top, width and height, and what the ends of their axes are.
LINE, F1, TRADE = (66, 40, 400, 256), (546, 40, 400, 256), (646, 444, 300, 150)


@pytest.fixture
def lab(opened):
    """The lab as it began."""
    opened.evaluate("lab.projector = False; lab.reset()")
    opened.until(problem="rare class", n=2000, k=60, t=0.5, q1=0.5, x1=0.6)
    opened.settle()
    opened.figure.scroll_into_view_if_needed()
    yield opened
    assert opened.errors == []


def f1_place(t, height=0.5):
    """Where t is on the sheet: the axis goes from -.02 to 1.02."""
    left, top, width, tall = F1
    return left + (t + 0.02) / 1.04 * width, top + (1 - height) * tall


def place(lab, x, y):
    """A place of the sheet on the page."""
    box = lab.canvas.bounding_box()
    zoom = box["width"] / WIDE
    return box["x"] + x * zoom, box["y"] + y * zoom


def pull(lab, start, *ends):
    """Press at a place of the sheet, pull over others, and let go."""
    mouse = lab.page.mouse
    mouse.move(*place(lab, *start))
    mouse.down()
    for end in ends:
        mouse.move(*place(lab, *end), steps=4)
    mouse.up()


def refined(lab):
    """Wait until the picture is the fine one."""
    lab.page.locator(".knnviz-numbers:not(.knnviz-rough)").first.wait_for()
    lab.settle()


def test_the_lab_as_it_opens(lab):
    read = ThresholdLab().readout()
    assert f"F1, new points {read['new_f1']:.4f}" in lab.alt
    assert "largest Bayes F1 0.4565; reached at t 0.2282" in lab.alt
    assert lab.message == ""
    lab.screenshot("threshold-lab")
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / "threshold-lab-alone.png")


@pytest.mark.full
def test_quick_drags_to_both_ends(lab):
    for name, parameter, low, high in (
        ("threshold t", "t", 0, 1),
        ("weight of class 1 q1", "q1", 0, 1),
        ("neighbors k", "k", 1, 200),
        ("sample size n", "n", 100, 8000),
    ):
        lab.evaluate("lab.reset()")
        lab.until(t=0.5, k=60, n=2000)
        lab.slider(name).scroll_into_view_if_needed()
        lab.rush_to_both_ends(name, parameter, low, high)
        lab.screenshot(f"threshold-{parameter}-low")


def test_the_sliders_are_locked(lab):
    lab.rush("threshold t", 0.0)
    lab.until(t=0, q1=1)
    lab.settle()
    assert lab.page.locator(".widget-readout").filter(has_text=re.compile("^1.000$")).count() == 1
    lab.rush("weight of class 1 q1", 0.0)
    lab.until(t=1, q1=0)
    for _ in range(3):
        for name, end in (("threshold t", 0.5), ("weight of class 1 q1", 0.25)):
            # The other slider's handle is still on its way, and a hand would miss it.
            lab.settle()
            lab.rush(name, end)
    lab.until_near("q1", 0.25, 0.02)
    lab.settle()
    state = lab.state
    assert round(state["t"] + state["q1"], 12) == 1
    assert state["q1"] == pytest.approx(0.25, abs=0.02)
    assert lab.message == ""


def test_handles_are_dragged(lab):
    pull(lab, f1_place(0.5, 0.057), f1_place(0.8), f1_place(0.3))
    lab.until_near("t", 0.3, 0.004)
    lab.settle()
    state = lab.state
    assert round(state["t"] + state["q1"], 12) == 1
    left, top, width, height = LINE

    def up(t):
        """How far down t is on the sheet: the axis of the Line goes from -.126 to 1.126."""
        return top + height * (1.126 - t) / 1.252

    pull(lab, (left + 0.96 * width, up(state["t"])), (left + 0.7 * width, up(0.6)), (left + 0.96 * width, up(0.15)))
    lab.until_near("t", 0.15, 0.01)
    assert lab.state["x1"] == 0.6
    lab.settle()
    lab.screenshot("threshold-dragged")


def test_clicks_on_panels(lab):
    lab.click_figure(*f1_place(0.25), WIDE)
    lab.until_near("t", 0.25, 0.004)
    left, top, width, height = TRADE
    lab.click_figure(left + (0.9 + 0.02) / 1.04 * width, top + 0.3 * height, WIDE)
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).t < .2")
    lab.settle()
    recall = float(re.search(r"kNN, new points at t = \S+: [^;]*; precision \S+, recall ([0-9.]+),", lab.alt)[1])
    assert recall == pytest.approx(0.9, abs=0.04)
    lab.click_figure(66 + 0.25 * 400, 200, WIDE)
    lab.until(x1=0.25)
    assert lab.message == ""


@pytest.mark.parametrize("preset", [preset.name for preset in ThresholdLab.presets])
def test_presets_as_they_look(lab, preset):
    lab.choose("preset", preset)
    lab.until(**ThresholdLab().preset_values(preset))
    refined(lab)
    assert lab.page.get_by_label("preset").input_value().replace("\xa0", " ") == preset
    assert lab.message == ""
    lab.screenshot("threshold-preset-" + re.sub("[^a-z0-9]+", "-", preset.lower()))


@pytest.mark.parametrize("problem", ["breast cancer", "digits 3 against 8", "wave2d"])
def test_other_problems_as_they_look(lab, problem):
    lab.choose("problem", problem)
    lab.until(problem=problem)
    refined(lab)
    lab.screenshot("threshold-" + problem.replace(" ", "-"))
    assert ("Bayes rule at t" in lab.alt) == (problem == "wave2d")


def test_keyboard_only(lab):
    press = lab.page.keyboard.press
    lab.slider("threshold t").focus()
    press("ArrowRight")
    lab.until(t=0.501, q1=0.499)
    handles = lab.figure.get_by_role("slider", name="threshold t")
    assert handles.count() == 2
    handles.last.focus()
    for _ in range(5):
        press("ArrowLeft")
    lab.until_near("t", 0.45, 0.004)
    lab.settle()
    t = lab.state["t"]
    assert handles.last.get_attribute("aria-valuetext") == f"t = {t:.3f}, weights {t:.3f} to {1 - t:.3f}"
    handles.first.focus()
    press("Shift+ArrowDown")
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).t < .35")
    lab.page.get_by_role("button", name="Reset").focus()
    press("Enter")
    lab.until(t=0.5, q1=0.5)
    lab.settle()
    assert lab.message == ""


def test_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    lab.settle()
    for name, values in (("line", "t=.228"), ("map", "problem='checkerboard'"), ("data", "problem='breast cancer'")):
        lab.evaluate(f"lab.set({values})")
        refined(lab)
        lab.screenshot(f"threshold-projector-{name}")
