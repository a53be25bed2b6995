"""The projector's look in a real browser: by keyboard and mouse, on pages of several sizes, while work goes on."""

import pytest

PAGES = [(1024, 768), (1400, 900), (1920, 1080)]

#: The fullest legends, the longest names, and more than two classes.
STATES = {
    "misled": {"p0": 0.1, "p1": 0.4, "overlay": "misled points"},
    "jump": {"problem": "jump", "p0": 0.1, "p1": 0.2, "overlay": "effective boundary", "mass": 0.2},
    "waves": {"problem": "waves", "n": 1000, "k": 50},
    "breast-cancer": {"problem": "breast cancer", "n": 398},
    "advantage": {"problem": "linear", "p0": 0.1, "p1": 0.3, "overlay": "advantage"},
}

#: Font size in pixels of the first element that a selector finds.
LETTERS = "selector => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize)"


def switch(lab):
    return lab.page.get_by_role("button", name="Projector", exact=True)


def show(lab, on=True):
    """Move the switch by keyboard, and wait until the picture has followed."""
    aspect = lab.page.evaluate("getComputedStyle(document.querySelector('.knnviz-figure')).aspectRatio")
    switch(lab).focus()
    lab.page.keyboard.press("Space")
    lab.page.locator(".knnviz-lab.knnviz-projector").wait_for(state="attached" if on else "detached")
    lab.page.wait_for_function(
        "before => getComputedStyle(document.querySelector('.knnviz-figure')).aspectRatio !== before", arg=aspect
    )
    lab.settle()


def beside(lab):
    """Controls stand to the left of the figure, begin with it, and nothing reaches beyond the page."""
    controls, figure = lab.page.locator(".knnviz-controls").bounding_box(), lab.figure.bounding_box()
    assert controls["x"] + controls["width"] <= figure["x"]
    assert abs(controls["y"] - figure["y"]) < 20
    assert figure["x"] + figure["width"] <= lab.page.viewport_size["width"]


def test_by_keyboard(lab):
    state, plain = lab.state, lab.page.evaluate(LETTERS, ".knnviz-numbers b")
    show(lab)
    assert "back row" in switch(lab).get_attribute("title")
    assert lab.state == state, "how a lab looks is no part of its state"
    for selector in (".knnviz-controls .widget-label", ".knnviz-controls select", ".knnviz-numbers span"):
        assert lab.page.evaluate(LETTERS, selector) >= 17, selector
    assert lab.page.evaluate(LETTERS, ".knnviz-numbers b") >= max(24, plain + 4)
    beside(lab)
    lab.slider("neighbors k").focus()
    lab.page.keyboard.press("ArrowRight")
    lab.until(k=26)
    lab.page.get_by_role("button", name="Reset").press("Enter")
    lab.until(k=25)
    lab.settle()
    assert switch(lab).get_attribute("aria-pressed") == "true"
    assert "risk 0.3126; Bayes risk 0.2974" in lab.alt
    show(lab, on=False)
    assert lab.page.evaluate(LETTERS, ".knnviz-numbers b") == plain


def test_by_mouse_and_from_python(lab):
    switch(lab).click()
    lab.page.locator(".knnviz-projector").wait_for()
    lab.settle()
    lab.evaluate("lab.projector = False")
    lab.page.locator(".knnviz-lab:not(.knnviz-projector)").wait_for()
    assert switch(lab).get_attribute("aria-pressed") == "false"


def test_clicks_find_their_places(lab):
    show(lab)
    left, top, width, height = map(int, lab.evaluate("print(*lab.sheet.map)").split())
    zoom = lab.figure.bounding_box()["width"] / int(lab.evaluate("print(lab.sheet.size[0])"))
    lab.canvas.click(position={"x": zoom * (left + 0.8 * width), "y": zoom * (top + 0.2 * height)})
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).x1 > 0.7")
    assert lab.state["x1"] == pytest.approx(0.8, abs=0.01)
    assert lab.state["x2"] == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize("size", PAGES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_on_pages_of_several_sizes(lab, size):
    lab.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    show(lab)
    for name, values in STATES.items():
        lab.evaluate(f"lab.reset().set(**{values})")
        lab.until(**values)
        lab.settle()
        beside(lab)
        lab.page.evaluate("document.querySelector('.knnviz-lab').scrollIntoView({block: 'start'})")
        assert lab.figure.bounding_box()["y"] + lab.figure.bounding_box()["height"] <= size[1], "seen whole"
        lab.screenshot(f"projector-{size[0]}-{name}")


def test_while_a_risk_curve_streams(lab):
    lab.page.get_by_label("risk curve").select_option("over n")
    lab.until(curve="over n")
    show(lab)
    lab.page.wait_for_function("/[1-9]\\d* of 180 pieces done/.test(document.querySelector('canvas').ariaLabel)")
    lab.screenshot("projector-streaming")
    lab.slider("neighbors k").focus()
    lab.page.keyboard.press("ArrowRight")
    lab.until(k=26)
    lab.page.wait_for_function("document.querySelector('canvas').ariaLabel.includes('180 of 180 pieces done')")
    assert lab.message == ""
