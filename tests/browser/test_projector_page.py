"""The projector's look in a real browser: letters, clicks, pages of several sizes, a curve that streams meanwhile."""

import pytest

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

#: The lab of the page.
LAB = "NeighborLab"


@pytest.fixture
def large(lab):
    """The lab on the projector."""
    lab.project()
    lab.settle()
    return lab


def test_letters_are_large_and_python_switches_too(lab):
    plain = lab.page.evaluate(LETTERS, ".knnviz-numbers b")
    switch = lab.page.get_by_role("button", name="Projector", exact=True)
    assert "back row" in switch.get_attribute("title")
    lab.project()
    for selector in (".knnviz-controls label", ".knnviz-controls select", ".knnviz-numbers span"):
        assert lab.page.evaluate(LETTERS, selector) >= 17, selector
    assert lab.page.evaluate(LETTERS, ".knnviz-numbers b") >= max(24, plain + 4)
    lab.evaluate("lab.projector = False")
    lab.page.locator(".knnviz-lab:not(.knnviz-projector)").wait_for()
    lab.settle()
    assert switch.get_attribute("aria-pressed") == "false"
    assert lab.page.evaluate(LETTERS, ".knnviz-numbers b") == plain


def test_a_hand_takes_a_slider_at_its_left_end(large):
    """Where JupyterLab has its prompt."""
    large.pull("flip rate of class 0 p0", [0.4])
    large.until_near("p0", 0.4, within=0.05)
    large.pull("flip rate of class 0 p0", [-0.1])
    large.until(p0=0)


def test_a_figure_of_another_shape_moves_no_slider_under_a_hand(large):
    """The legend of noisy labels has a row more: the controls get another width once the hand has let go."""
    large.evaluate("lab.set(problem='linear', overlay='advantage')")
    large.settle()
    slider = large.slider("flip rate of class 1 p1")
    before = slider.bounding_box()

    def stays():
        large.until_near("p1", 0.38, within=0.03)
        assert slider.bounding_box() == before

    large.pull("flip rate of class 1 p1", [0.4], meanwhile=stays)
    large.sync()
    assert slider.bounding_box()["width"] > before["width"]


def test_clicks_find_their_places(large):
    large.click("map", 0.8, 0.8)
    large.until_true("({ x1 }) => x1 > 0.7")
    assert (large.state["x1"], large.state["x2"]) == pytest.approx((0.8, 0.8), abs=0.01)


def test_on_smaller_and_larger_pages(large):
    for name, values in STATES.items():
        large.evaluate(f"lab.reset().set(**{values})")
        large.until(**values)
        large.settle()
        for width, height in ((1024, 768), (1920, 1080)):
            large.page.set_viewport_size({"width": width, "height": height})
            large.page.evaluate("document.querySelector('.knnviz-lab').scrollIntoView({block: 'start'})")
            large.stands_whole_beside_its_controls(width, height)
            controls = large.page.locator(".knnviz-controls").bounding_box()
            assert abs(controls["y"] - large.figure.bounding_box()["y"]) < 20
            large.screenshot(f"projector-{width}-{name}")


def test_a_curve_streams_on(lab):
    lab.choose("risk curve", "over n")
    lab.until_said(r"[1-9]\d* of 180 pieces done")
    lab.project()
    lab.slider("neighbors k").press("ArrowRight")
    lab.until(k=26)
    lab.until_said(r"[1-9]\d* of 180 pieces done")
    lab.screenshot("projector-streaming")
    lab.evaluate("lab.stop()")
    lab.settle()
    assert lab.message == ""
