"""The figure under a hand: clicks, drags and handles, by mouse, by keys and by a finger."""

import pytest
from conftest import of
from playwright.sync_api import expect
from session import PAGE, Share

from knnviz.views.triangle import positions


def test_clicks_and_drags_and_what_is_no_press(lab):
    """On the map and on the profile; a drag carries x along, and stays in the map."""
    lab.click("map", 0.8, 0.7)
    lab.until_near("x1", 0.8, 0.01)
    assert lab.state["x2"] == pytest.approx(0.7, abs=0.01)
    assert lab.page.get_by_label("point x1").input_value() == str(lab.state["x1"])
    lab.click("votes", 60.4, Share(0.3))
    lab.until(k=60)
    lab.settle()
    before = lab.state
    box = lab.figure.bounding_box()
    mouse = lab.page.mouse
    mouse.move(box["x"] - 60, box["y"] + 200)
    mouse.down()
    mouse.move(box["x"] + 150, box["y"] + 200)
    mouse.move(box["x"] + 200, box["y"] + 220)
    mouse.up()
    lab.figure.click(position={"x": 120, "y": 120}, button="right")
    lab.page.keyboard.press("Escape")
    lab.settle()
    assert lab.state == before, "only a press on the figure moves x"
    lab.drag_in("map", (0.3, 0.6), (0.8, 0.6), (1.5, 0.6))
    lab.until(x1=1)
    lab.project()
    lab.click("map", 0.4, 0.3)
    lab.until_near("x1", 0.4, 0.01)
    lab.settle()
    assert lab.state["k"] == 60


def test_on_a_phone_panels_stand_one_below_the_other(lab):
    """Letters stay readable, and a hand finds the places that it sees."""
    wide = lab.figure.bounding_box()
    assert wide["height"] < wide["width"]
    lab.page.set_viewport_size({"width": 390, "height": 844})
    lab.page.wait_for_function("""() => {
      const { width, height } = document.querySelector('.knnviz-figure').getBoundingClientRect();
      return width < 400 && height > 2 * width;
    }""")
    lab.settle()
    grip = lab.slider("query point x")
    before = lab.state["x1"]
    mouse = lab.page.mouse
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    x = box["x"] + box["width"] / 2
    y = box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 50, y)
    mouse.up()
    lab.settle()
    assert before + 0.1 < lab.state["x1"] < before + 0.3
    assert grip.bounding_box()["x"] == pytest.approx(box["x"] + 50, abs=2)
    lab.page.set_viewport_size(PAGE)


def test_keys_on_the_query_point_and_none_for_the_notebook(lab):
    press = lab.page.keyboard.press
    lab.slider("neighbors k").press("ArrowRight")
    press("Tab")
    assert not lab.slider("neighbors k").evaluate("handle => handle === document.activeElement"), (
        "Tab moves on"
    )
    lab.slider("query point x").focus()
    for _ in range(12):
        press("ArrowRight")
    lab.until_near("x1", 0.42, 1e-9)
    press("Shift+ArrowUp")
    lab.until_near("x2", 0.7, 1e-9)
    cells = lab.page.locator(".jp-Cell").count()
    press("b")
    lab.settle()
    assert lab.page.locator(".jp-Cell").count() == cells, (
        "the notebook's shortcuts stay silent in a lab"
    )


#: What the first grip of a figure says, and how it looks.
GRIP = """() => {
  const grip = document.querySelector('.knnviz-grips div');
  const [own, word] = ['', '::after'].map((part) => getComputedStyle(grip, part));
  const { width, height } = grip.getBoundingClientRect();
  return { word: word.content, cursor: own.cursor, side: Math.min(width, height) };
}"""

#: A reader who has pulled nothing yet, and whose browser keeps notes or does not.
FRESH = """keeps => {
  localStorage.removeItem('knnviz-pulled');
  document.body.classList.remove('knnviz-pulled');
  window.kept ??= Storage.prototype.setItem;
  const full = () => { throw new Error('no room'); };
  Storage.prototype.setItem = keeps ? window.kept : full;
}"""


@pytest.mark.parametrize("keeps", [True, False])
def test_a_grip_is_seen_and_says_what_to_do_with_it_until_one_is_pulled(lab, keeps):
    """Also where no cross stands, at the foot of a line; a lab that comes later says it no more."""
    page = lab.page
    page.evaluate(FRESH, keeps)
    seen = page.evaluate(GRIP)
    assert seen["side"] >= 24
    assert seen | {"side": 0} == {"word": '"pull"', "cursor": "move", "side": 0}
    expect(lab.slider("query point x")).to_have_accessible_name("query point x")
    lab.click("map", 0.8, 0.7)
    lab.until_near("x1", 0.8, 0.01)
    assert page.evaluate(GRIP)["word"] == '"pull"', "a click pulls no mark"
    box = lab.slider("The ball around x: neighbors k").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 100, box["y"])
    assert lab.figure.evaluate("figure => getComputedStyle(figure).cursor") == "grabbing"
    page.mouse.up()
    lab.until_true(f"({{ k }}) => k > {lab.told('type(lab)().k')} + 30")
    assert page.evaluate(GRIP)["word"] == "none"
    assert page.evaluate("'knnviz-pulled' in localStorage") == keeps
    page.evaluate("document.body.classList.remove('knnviz-pulled')")
    lab.renew("notebook:run-all-cells")
    assert page.evaluate(GRIP)["word"] == ("none" if keeps else '"pull"')
    page.evaluate(FRESH, True)


@of("ThresholdLab")
def test_a_handle_is_dragged_and_pressed(lab):
    """One of those that stand for t; it moves along one axis only."""
    lab.drag_in("map", (Share(0.82), lab.state["t"]), (Share(0.5), 0.15))
    lab.until_near("t", 0.15, 0.01)
    lab.settle()
    handle = lab.figure.get_by_role("slider", name="threshold t").last
    before = lab.state["t"]
    for _ in range(5):
        handle.press("ArrowLeft")
    lab.until_true(f"({{ t }}) => t < {before - 0.03}")
    lab.settle()
    said = float(handle.get_attribute("aria-valuetext").removeprefix("t = "))
    assert said == pytest.approx(lab.state["t"], abs=5e-4)


@of("WeightLab")
def test_a_triangle_by_mouse_and_by_keys(lab):
    """Along a way over it and out of it: the last place counts; a slider rescales the weights that
    it does not move.
    """
    lab.drag_in("triangle", *map(positions, ((0.5, 0.3, 0.2), (0.7, 0.2, 0.1), (0.2, -0.2, 1.0))))
    lab.until(q0=0.1, q1=0.0, q2=0.9)
    lab.settle()
    lab.click("triangle", *positions((0.6, 0.2, 0.2)))
    lab.until(q0=0.6, q1=0.2, q2=0.2)
    lab.settle()
    handle = lab.page.get_by_role("slider", name="class weights q")
    assert handle.get_attribute("aria-valuetext") == "class 0 0.6, class 1 0.2, class 2 0.2"
    for _ in range(3):
        handle.press("Shift+ArrowRight")
    lab.until_true("({ q0, q1 }) => q1 > 0.4 && q0 < 0.4")
    lab.settle()
    assert lab.state["q2"] == pytest.approx(0.2, abs=0.011)
    lab.slider("weight of class 2 q2").press("End")
    lab.until(q0=0, q1=0, q2=1)
    assert lab.message == ""


@of("ActiveRatesLab")
def test_a_logarithmic_axis(lab):
    lab.click("condition", 300_000, Share(0.5))
    lab.until(n=300_000)
    lab.settle()
    lab.page.get_by_role("slider", name=": labels n").press("ArrowRight")
    lab.until_true("({ n }) => n > 300_000")


def test_a_finger_reads_scrolls_taps_and_pulls(lab, finger):
    def swipe(element, first, *others):
        """Comes down on an element, goes over other places in it, and is lifted."""
        element.scroll_into_view_if_needed()
        box = element.bounding_box()
        for kind, places in (("touchStart", [first]), ("touchMove", others)):
            for at in places:
                finger(kind, {"x": box["x"] + at["x"], "y": box["y"] + at["y"]})
        finger("touchEnd")
        lab.sync()

    def on_map(*points):
        swipe(lab.figure, *lab.on_canvas("map", *points))

    name = lab.page.get_by_text("neighbors k", exact=True)
    tip = lab.page.locator(".knnviz-tip:visible")
    swipe(name, {"x": 5, "y": 5})
    expect(tip).to_have_text(lab.slider("neighbors k").get_attribute("aria-description"))
    swipe(name, {"x": 5, "y": 5})
    expect(tip).to_have_count(0)
    began = lab.state
    top = lab.figure.bounding_box()["y"]
    on_map((0.2, 0.1), (0.2, 0.2), (0.2, 0.4), (0.2, 0.9))
    lab.page.wait_for_function(
        f"document.querySelector('.knnviz-figure').getBoundingClientRect().y < {top} - 20"
    )
    lab.settle()
    assert lab.state == began, "a finger that scrolls moves nothing"
    on_map((0.8, 0.3))
    lab.until_near("x1", 0.8, 0.01)
    on_map((0.8, 0.3), (0.8, 0.4), (0.8, 0.6), (0.8, 0.7))
    lab.until_near("x2", 0.7, 0.02)
    on_map((0.3, 0.2), (0.35, 0.2), (0.5, 0.2), (0.6, 0.25))
    lab.until_near("x1", 0.6, 0.01)
