"""NeighborLab in a real browser: clicks, keys, typed values, real data, streams, labs side by side, a dead kernel."""

import time

import pytest
from playwright.sync_api import expect
from session import MIDDLE

SLIDER = {"p0": "flip rate of class 0 p0", "p1": "flip rate of class 1 p1", "k": "neighbors k", "n": "sample size n"}

#: How much of a risk curve the picture's words say is done.
DONE_NUMBER = "() => Number(document.querySelector('canvas').ariaLabel.match(/(\\d+) of \\d+ pieces done/)?.[1] ?? 0)"
DONE = f"least => ({DONE_NUMBER})() >= least"

#: The lab of the page.
LAB = "NeighborLab"


def test_k_follows_n_and_its_control_says_why(lab):
    """What is set wins, and the slider of k ends where the points do, with the reason in its tooltip."""
    row = lab.page.locator(".knnviz-row").filter(has=lab.slider(SLIDER["k"]))
    lab.slider(SLIDER["k"]).press("End")
    lab.until(k=200)
    lab.drag(SLIDER["n"], 0.0)
    lab.until(n=50, k=50)
    lab.settle()
    assert lab.message == "neighbors k moved from 200 to 50: k is at most n."
    expect(lab.slider(SLIDER["k"])).to_have_attribute("max", "50")
    for told, name in ((row, "title"), (lab.slider(SLIDER["k"]), "aria-description")):
        assert told.get_attribute(name) == "Number of neighbors that vote; k is at most n"
    lab.drag(SLIDER["n"], 1.0)
    lab.until(n=8000, k=50)
    expect(row).to_have_attribute("title", "Number of neighbors that vote")


def test_words_below_the_picture_stand_in_one_line_with_the_numbers(lab):
    def padding(part):
        return lab.page.locator(part).first.evaluate("each => parseFloat(getComputedStyle(each).paddingLeft)")

    assert abs(padding(".knnviz-message") - padding(".knnviz-numbers")) < 1 < padding(".knnviz-numbers")
    lab.page.get_by_role("button", name="Projector").click()
    lab.settle()
    assert (padding(".knnviz-message"), padding(".knnviz-numbers")) == (0, 0)


def test_flip_rates_together_stay_below_one(lab):
    """The slider of one ends where the other leaves it room."""
    lab.drag(SLIDER["p0"], 0.6)
    lab.until(p0=0.57)
    expect(lab.slider(SLIDER["p1"])).to_have_attribute("max", "0.42")
    lab.drag(SLIDER["p1"], 1.0)
    lab.until(p0=0.57, p1=0.42)
    lab.settle()
    assert lab.message == ""
    value = float(lab.slider(SLIDER["p1"]).get_attribute("aria-valuetext"))
    assert value == pytest.approx(lab.state["p1"])


def test_clicks_on_the_map_and_the_vote_curve_and_what_is_no_press(lab):
    lab.click("map", 0.8, 0.8)
    lab.until_true("({ x1 }) => x1 > 0.7")
    assert (lab.state["x1"], lab.state["x2"]) == pytest.approx((0.8, 0.8), abs=0.01)
    assert lab.page.get_by_label("point x1").input_value() == str(lab.state["x1"])
    lab.click("votes", 60.4, MIDDLE)
    lab.until(k=60)
    lab.settle()
    before, box, mouse = lab.state, lab.figure.bounding_box(), lab.page.mouse
    mouse.move(box["x"] - 60, box["y"] + 200)
    mouse.down()
    mouse.move(box["x"] + 150, box["y"] + 200)
    mouse.move(box["x"] + 200, box["y"] + 220)
    mouse.up()
    lab.figure.click(position={"x": 120, "y": 120}, button="right")
    lab.page.keyboard.press("Escape")
    lab.settle()
    assert lab.state == before, "only a press on the figure moves x"


def test_a_drag_over_the_map_carries_x_along_and_stays_in_the_map(lab):
    lab.drag_in("map", (0.3, 0.6), (0.8, 0.6))
    lab.until_near("x1", 0.8, 0.01)
    lab.drag_in("map", (0.8, 0.6), (1.5, 0.6))
    lab.until(x1=1)
    lab.settle()
    assert (lab.state["x1"], lab.state["k"]) == (1, 25)


def test_typed_values(lab):
    for name, typed in (("x1", "0.25"), ("x2", "7")):
        box = lab.page.get_by_label(f"point {name}")
        box.fill(typed)
        box.press("Enter")
    lab.until(x1=0.25)
    lab.until_message("between 0 and 1, got 7")
    lab.page.wait_for_function("document.querySelectorAll('.knnviz-controls input[type=number]')[2].value === '0.6'")
    assert lab.state["x2"] == 0.6


def test_keys_on_the_query_point_and_none_for_the_notebook(lab):
    press = lab.page.keyboard.press
    lab.slider("neighbors k").press("ArrowRight")
    press("Tab")
    assert not lab.slider("neighbors k").evaluate("handle => handle === document.activeElement"), "Tab moves on"
    lab.slider("query point x").focus()
    for _ in range(12):
        press("ArrowRight")
    lab.until_true("({ x1 }) => x1 > 0.415")
    assert lab.state["x1"] == pytest.approx(0.42), "no step is lost"
    press("Shift+ArrowUp")
    lab.until_true("({ x2 }) => x2 > 0.65")
    assert lab.state["x2"] == pytest.approx(0.7)
    cells = lab.page.locator(".jp-Cell").count()
    press("b")
    lab.settle()
    assert lab.page.locator(".jp-Cell").count() == cells, "the notebook's shortcuts stay silent in a lab"
    lab.press("problem", "w")
    lab.until(problem="wave2d")
    lab.press("New sample", "Enter")
    lab.until(seed=1)


def test_markup_in_names_is_text(lab):
    """In menus, numbers, and the words of the picture."""
    name = "<img src=x onerror='hacked=1'>"
    lab.evaluate(
        "import numpy as np\nfrom knnviz import from_data\n\n"
        f"name, X = {name!r}, np.eye(60, 2) + np.arange(60)[:, None]\n"
        "own = from_data(X, [name, 'b'] * 30, feature_names=(name, 'b'), name=name)"
    )
    lab.stand("NeighborLab", "own, n=30, k=5")
    lab.until(k=5)
    lab.choose("problem", name)
    lab.slider("neighbors k").press("ArrowRight")
    lab.until(k=6)
    assert name in lab.alt
    assert lab.page.locator("img[src='x']").count() == 0
    assert lab.page.evaluate("typeof hacked") == "undefined"
    lab.screenshot("markup")


def test_values_between_the_steps_of_a_slider_stay_as_they_are(lab):
    """Also after a preset whose values lie on them, which the page rounds and sends back."""
    lab.choose("problem", "iris")
    lab.until(problem="iris", n=105)
    lab.sync()
    assert "sample size n moved from 2000 to 105" in lab.message
    lab.choose("preset", "Wave: boundary")
    lab.until(problem="wave2d", n=2000)
    lab.sync()
    lab.choose("preset", "Bump: the bound at work")
    lab.until(problem="bump", n=1000, mass=0.108479, margin=0.223448)
    lab.settle()
    assert lab.page.get_by_label("preset").input_value().replace("\xa0", " ") == "Bump: the bound at work"
    lab.evaluate("lab.set(p0=0.123, n=777)")
    lab.until(p0=0.123, n=777)
    lab.settle()
    assert lab.evaluate("print(lab.p0, lab.n)").split() == ["0.123", "777"]
    lab.choose("problem", "checkerboard")
    lab.until(problem="checkerboard")
    lab.settle()
    assert lab.state["n"] == 777


def test_a_risk_curve_streams_stays_live_and_can_be_stopped(lab):
    lab.choose("risk curve", "over n")
    lab.page.wait_for_function(DONE, arg=1)
    lab.slider("neighbors k").press("ArrowRight")
    lab.until(k=26)
    lab.page.wait_for_function(DONE, arg=2)
    lab.page.get_by_role("button", name="Stop").click()
    lab.settle()
    lab.screenshot("streaming")
    assert 2 <= lab.page.evaluate(DONE_NUMBER) < 180, "it has stopped"
    lab.choose("risk curve", "over k")
    lab.settle()
    assert "20 of 20 pieces done" in lab.alt


def test_the_map_is_coarse_at_once_and_full_soon(lab):
    lab.drag(SLIDER["n"], 1.0)
    lab.until(n=8000)
    lab.settle()
    lab.page.locator(".knnviz-preview").wait_for(state="detached")
    assert lab.evaluate("print(*lab.view.frames.layers['layer_map_regions'].codes.shape)").split() == ["200", "200"]


def test_a_hand_beside_the_handle_has_hold_of_it(lab):
    """It presses on the track, and drags on from there."""
    track = lab.slider("neighbors k").bounding_box()
    mouse, y = lab.page.mouse, track["y"] + track["height"] / 2
    mouse.move(track["x"] + 0.9 * track["width"], y)
    mouse.down()
    lab.until_true("({ k }) => k > 150")
    mouse.move(track["x"], y)
    mouse.up()
    lab.until(k=1)


def test_a_set_follows_the_hand(lab):
    """The effective boundary while its ball mass is pulled, place after place."""
    lab.choose("preset", "Wave: boundary")
    lab.slider("ball mass p").wait_for()
    lab.settle()
    words = set()
    for fraction in (0.2, 0.5, 1.0, 0.0):
        before = lab.state["mass"]
        lab.drag("ball mass p", fraction)
        lab.until_true(f"({{ mass }}) => mass !== {before}")
        lab.sync()
        words.add(lab.alt)
    assert len(words) == 4
    assert (lab.state["mass"], lab.message) == (0.005, "")


def test_a_narrow_page_keeps_everything_in_view(lab):
    lab.page.set_viewport_size({"width": 900, "height": 900})
    lab.page.wait_for_function("document.querySelector('.knnviz-figure').getBoundingClientRect().right <= 900")
    lab.figure.scroll_into_view_if_needed()
    lab.screenshot("narrow")


def run_again(lab):
    """Run the cell once more, and wait for its new picture; the widgets that the kernel holds, and its memory in MB."""
    lab.renew("notebook:run-cell")
    lab.idle()
    look = "import psutil; from ipywidgets.widgets.widget import _instances as held"
    return map(int, lab.evaluate(f"{look}; print(len(held), psutil.Process().memory_info().rss // 2**20)").split())


def test_running_the_cell_again_and_again(lab):
    """A new lab takes the place of the old one; what the old one held is given back."""
    lab.page.locator(".jp-CodeCell").first.locator(".jp-InputPrompt").click()
    widgets = {count for count, _ in (run_again(lab) for _ in range(3))}
    assert lab.page.locator(".knnviz-figure").count() == 1
    assert len(widgets) == 1, widgets


@pytest.mark.full
def test_memory_does_not_grow_when_the_cell_is_run_again_and_again(lab):
    """The least of seven, since memory comes back late: seven labs that are kept would take 280 MB."""
    lab.page.locator(".jp-CodeCell").first.locator(".jp-InputPrompt").click()
    sizes = [size for _, size in (run_again(lab) for _ in range(20))]
    assert min(sizes[-7:]) - min(sizes[6:13]) < 100, sizes


def test_two_labs_live_side_by_side(lab):
    figures = lab.page.locator(".knnviz-figure")
    lab.page.locator(".jp-CodeCell").first.locator(".jp-InputPrompt").click()
    lab.page.evaluate(
        """async () => {
          const { commands, shell } = window.jupyterapp;
          await commands.execute('notebook:insert-cell-below');
          shell.currentWidget.content.activeCell.model.sharedModel.setSource('other = NeighborLab(); other');
          commands.execute('notebook:run-cell');
        }"""
    )
    figures.nth(1).wait_for()
    lab.page.wait_for_function("document.querySelectorAll('.knnviz-figure')[1]?.dataset.state")
    lab.slider("neighbors k").press("ArrowRight")
    lab.until(k=26)
    assert '"k":25' in figures.nth(1).get_attribute("data-state")
    lab.evaluate("other.close()")
    lab.page.evaluate(
        """() => {
          const { commands, shell } = window.jupyterapp;
          shell.currentWidget.content.activeCellIndex = 1;
          return commands.execute('notebook:delete-cell');
        }"""
    )
    figures.nth(1).wait_for(state="detached")
    lab.until(k=26)


#: Seconds that a slowed kernel takes for an update.
SLOW = 0.1
SLOWLY = f"""
import time
move = lab.set_from_page
lab.set_from_page = lambda moved: (time.sleep({SLOW}), move(moved))
"""


@pytest.mark.full
def test_a_drag_leaves_no_backlog(session):
    """A kernel four times slower than the hand drops what is out of date, and the picture settles on the last."""
    session.write("slow.ipynb", f"from knnviz.labs import NeighborLab\n\nlab = NeighborLab()\n{SLOWLY}\nlab")
    session.open("slow.ipynb")
    session.run_all()
    before, began = session.frames, time.monotonic()
    session.pull("neighbors k", [step / 40 for step in range(41)], pause=25)
    session.until(k=200)
    most = (time.monotonic() - began) / SLOW + 2
    assert 3 <= session.frames - before <= min(most, 35), "a frame for each of 40 steps means that positions are queued"
