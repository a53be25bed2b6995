"""NeighborLab in a real browser: mouse, keyboard, extremes, life cycle."""

import re
import time

import pytest

SLIDERS = {
    "sample size n": ("n", 50, 8000),
    "flip rate of class 0 p0": ("p0", 0, 0.95),
    "flip rate of class 1 p1": ("p1", 0, 0.95),
    "neighbors k": ("k", 1, 200),
    "weight of class 1 q1": ("q1", 0.05, 0.95),
}
#: How much of a risk curve the picture's words say is done.
DONE_NUMBER = "() => Number(document.querySelector('canvas').ariaLabel.match(/(\\d+) of \\d+ pieces done/)?.[1] ?? 0)"
DONE = f"least => ({DONE_NUMBER})() >= least"


def test_the_lab_as_it_opens(lab):
    assert "risk 0.3126; Bayes risk 0.2974" in lab.alt
    assert "0.3126" in lab.page.locator(".knnviz-numbers").first.inner_text()
    lab.page.wait_for_function("document.querySelector('.knnviz-status').textContent.includes('risk 0.3126')")
    lab.screenshot("lab")


@pytest.mark.full
def test_quick_drags_to_both_ends(lab):
    for name, (parameter, low, high) in SLIDERS.items():
        lab.rush_to_both_ends(name, parameter, low, high, times=3)
        lab.screenshot(f"{parameter}-low")
        lab.page.get_by_role("button", name="Reset").click()
        lab.until(n=2000, p0=0, p1=0, k=25, q1=0.5)


def test_n_stops_where_k_neighbors_need_it(lab):
    lab.slider("neighbors k").press("End")
    lab.until(k=200)
    lab.drag(lab.slider("sample size n"), [0.2, 0.1, 0.0])
    lab.until(n=200)
    lab.settle()
    assert lab.message == ""
    lab.slider("neighbors k").press("Home")
    lab.until(k=1)
    lab.slider("sample size n").press("Home")
    lab.until(n=50)
    lab.settle()
    assert lab.slider("sample size n").get_attribute("aria-valuenow") == "50.0"


def test_words_below_the_picture_stand_in_one_line_with_the_numbers(lab):
    def padding(part):
        return lab.page.locator(part).first.evaluate("each => parseFloat(getComputedStyle(each).paddingLeft)")

    assert abs(padding(".knnviz-message") - padding(".knnviz-row")) < 1 < padding(".knnviz-row")
    lab.page.get_by_role("button", name="Projector").click()
    lab.settle()
    assert (padding(".knnviz-message"), padding(".knnviz-row")) == (0, 0)


def test_flip_rates_together_stay_below_one(lab):
    lab.drag(lab.slider("flip rate of class 0 p0"), [0.5, 0.6])
    lab.until(p0=0.57)
    lab.drag(lab.slider("flip rate of class 1 p1"), [0.3, 1.0])
    lab.page.wait_for_function("document.querySelector('.knnviz-message').innerText.includes('p0 + p1 < 1')")
    lab.idle()
    shown = lab.state
    assert shown["p0"] + shown["p1"] < 1
    value = float(lab.slider("flip rate of class 1 p1").get_attribute("aria-valuetext"))
    assert value == pytest.approx(lab.state["p1"]), "the control returns to the last good value"
    lab.screenshot("refused")


def test_a_click_on_the_map_and_on_the_vote_curve(lab):
    lab.click_figure(66 + 0.8 * 420, 40 + 0.2 * 420)
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).x1 > 0.7")
    assert lab.state["x1"] == pytest.approx(0.8, abs=0.01)
    assert lab.state["x2"] == pytest.approx(0.8, abs=0.01)
    assert lab.page.get_by_label("point x1").input_value() == str(lab.state["x1"])
    lab.click_figure(560 + 326 * 60.4 / 201, 120)
    lab.until(k=60)
    lab.screenshot("clicked")


def test_only_a_press_on_the_figure_moves_x(lab):
    lab.click_figure(66 + 0.8 * 420, 40 + 0.2 * 420)
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).x1 > 0.7")
    lab.idle()
    before, box = lab.state, lab.canvas.bounding_box()
    mouse = lab.page.mouse
    mouse.move(box["x"] - 60, box["y"] + 200)
    mouse.down()
    mouse.move(box["x"] + 150, box["y"] + 200)
    mouse.move(box["x"] + 200, box["y"] + 220)
    mouse.up()
    lab.canvas.click(position={"x": 120, "y": 120}, button="right")
    lab.page.keyboard.press("Escape")
    lab.page.wait_for_timeout(500)
    assert lab.state == before


def test_quick_arrow_keys_lose_no_step(lab):
    lab.slider("query point x").focus()
    for _ in range(12):
        lab.page.keyboard.press("ArrowRight")
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).x1 > 0.415")
    assert lab.state["x1"] == pytest.approx(0.42)


def test_a_drag_over_the_map_carries_x_along_and_stays_in_the_map(lab):
    box, zoom = lab.canvas.bounding_box(), lab.canvas.bounding_box()["width"] / 900
    mouse = lab.page.mouse
    mouse.move(box["x"] + 200 * zoom, box["y"] + 200 * zoom)
    mouse.down()
    for x in range(220, 700, 40):
        mouse.move(box["x"] + x * zoom, box["y"] + 200 * zoom)
    mouse.up()
    lab.until(x1=1)
    lab.settle()
    assert (lab.state["x1"], lab.state["k"]) == (1, 25)


def test_typed_values(lab):
    lab.page.get_by_label("point x1").fill("0.25")
    lab.page.get_by_label("point x1").press("Enter")
    lab.until(x1=0.25)
    lab.page.get_by_label("point x2").fill("7")
    lab.page.get_by_label("point x2").press("Enter")
    lab.page.wait_for_function("document.querySelector('.knnviz-message').innerText.includes('between 0 and 1, got 7')")
    lab.page.wait_for_function("document.querySelectorAll('.knnviz-controls input[type=number]')[2].value === '0.6'")
    assert lab.state["x2"] == 0.6


def test_keyboard_only(lab):
    press = lab.page.keyboard.press
    lab.slider("neighbors k").focus()
    for _ in range(3):
        press("ArrowRight")
    lab.until(k=28)
    press("Tab")
    assert not lab.slider("neighbors k").evaluate("handle => handle === document.activeElement"), "Tab moves on"
    lab.slider("query point x").focus()
    press("ArrowRight")
    press("Shift+ArrowUp")
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).x2 > 0.65")
    assert lab.state["x2"] == pytest.approx(0.7)
    cells = lab.page.locator(".jp-Cell").count()
    press("b")
    lab.page.wait_for_timeout(400)
    assert lab.page.locator(".jp-Cell").count() == cells, "the notebook's shortcuts stay silent in a lab"
    lab.page.get_by_label("problem").focus()
    press("w")
    lab.until(problem="wave2d")
    lab.page.get_by_role("button", name="New sample").focus()
    press("Enter")
    lab.until(seed=1)
    lab.page.get_by_role("button", name="Reset").focus()
    press("Enter")
    lab.until(problem="checkerboard", k=25, seed=0, p1=0)
    lab.idle()


def test_real_data_moves_what_must_follow(lab):
    lab.page.get_by_label("problem").select_option("breast cancer")
    lab.until(problem="breast cancer", n=398)
    assert "sample size n moved from 2000 to 398" in lab.message
    assert "held-out risk" in lab.alt
    lab.page.wait_for_timeout(300)
    lab.screenshot("breast-cancer")
    lab.page.get_by_label("problem").select_option("wave2d")
    lab.until(problem="wave2d", n=398)
    lab.page.wait_for_timeout(1000)
    assert lab.state["n"] == 398, "the slider must not move a value to its next step"
    lab.screenshot("wave2d")


#: What presets show, as sliders that only then are there.
SET_SLIDERS = {
    "ball mass p": ("Wave: boundary", "mass", 0.005, 0.25),
    "margin Delta": ("Jump: boundary", "margin", 0, 0.5),
    "largest mass A": ("Wave: advantage", "mass_cap", 0.005, 0.25),
}


def test_quick_drags_of_sets(lab):
    for name, (preset, parameter, low, high) in SET_SLIDERS.items():
        lab.page.get_by_label("preset").select_option(preset)
        lab.slider(name).wait_for()
        lab.settle()
        before = lab.frames
        lab.drag(lab.slider(name), [step / 30 for step in range(31)], pause=20)
        lab.until(**{parameter: high})
        assert lab.frames - before >= 5, "the set follows the hand"
        lab.rush(name, 0.0)
        lab.until(**{parameter: low})
        lab.settle()
        assert lab.message == "", name
        lab.screenshot(f"{parameter}-low")


def test_values_between_the_steps_of_a_slider_stay_as_they_are(lab):
    lab.page.get_by_label("problem").select_option("iris")
    lab.until(problem="iris", n=105)
    lab.settle()
    assert "sample size n moved from 2000 to 105" in lab.message
    lab.page.get_by_label("preset").select_option("Bump: the bound at work")
    lab.until(problem="bump", n=1000)
    lab.settle()
    assert (lab.state["mass"], lab.state["margin"]) == (0.108479, 0.223448)
    lab.evaluate("lab.set(p0=0.123, n=777)")
    lab.settle()
    assert (lab.state["p0"], lab.state["n"]) == (0.123, 777)
    assert lab.evaluate("print(lab.p0, lab.n)").split() == ["0.123", "777"]
    lab.page.get_by_label("problem").select_option("checkerboard")
    lab.settle()
    assert lab.state["n"] == 777


def test_presets_as_they_look(lab):
    for preset in ("Jump: boundary", "Wave: boundary", "Wave: advantage", "Uneven noise misleads", "Three classes"):
        lab.page.get_by_label("preset").select_option(preset)
        lab.settle()
        lab.page.wait_for_timeout(1000)
        lab.settle()
        assert lab.page.get_by_label("preset").input_value().replace("\xa0", " ") == preset
        assert lab.message == ""
        lab.screenshot(f"preset-{preset.lower().replace(': ', '-').replace(' ', '-')}")


def test_from_one_preset_to_another_every_value_arrives(lab):
    """Also one between the steps of a slider, after one on them, which the page rounds and sends back."""
    for before in ("Jump: boundary", "Wave: boundary"):
        for preset in (before, "Bump: the bound at work"):
            lab.page.get_by_label("preset").select_option(preset)
            lab.settle()
        assert lab.page.get_by_label("preset").input_value().replace("\xa0", " ") == "Bump: the bound at work"
        assert (lab.state["mass"], lab.state["margin"]) == (0.108479, 0.223448)


def test_a_risk_curve_streams_stays_live_and_can_be_stopped(lab):
    lab.page.get_by_label("risk curve").select_option("over n")
    begun = time.monotonic()
    lab.page.wait_for_function(DONE, arg=1)
    print(f"first point after {time.monotonic() - begun:.2f} s")
    lab.slider("neighbors k").focus()
    lab.page.keyboard.press("ArrowRight")
    lab.until(k=26)
    lab.page.wait_for_function(DONE, arg=20)
    lab.screenshot("streaming")
    lab.page.get_by_role("button", name="Stop").click()
    lab.idle()
    lab.page.wait_for_timeout(700)
    done = lab.page.evaluate(DONE_NUMBER)
    lab.page.wait_for_timeout(1000)
    assert lab.page.evaluate(DONE_NUMBER) == done, "it has stopped"
    lab.slider("neighbors k").press("ArrowLeft")
    lab.until(k=25)
    lab.page.get_by_label("risk curve").select_option("over k")
    lab.page.wait_for_function("document.querySelector('canvas').ariaLabel.includes('20 of 20 pieces done')")
    lab.idle()
    lab.screenshot("risk-over-k")
    # The README's picture.
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / "neighbor-lab.png")


def test_a_risk_curve_is_abandoned_when_its_inputs_move(lab):
    lab.page.get_by_label("risk curve").select_option("over k")
    lab.page.wait_for_function(DONE, arg=2)
    lab.rush("flip rate of class 0 p0", 0.3)
    lab.page.wait_for_function("document.querySelector('canvas').ariaLabel.includes('20 of 20 pieces done')")
    means = lab.evaluate("c = lab.risk_curve; print(abs(c.risks - c.risks).sum(), lab.noise.p0)").split()
    assert means == ["0.0", str(lab.state["p0"])]


def test_the_map_is_coarse_at_once_and_full_soon(lab):
    lab.rush("sample size n", 1.0)
    lab.until(n=8000)
    lab.settle()
    lab.page.locator(".knnviz-rough").wait_for(state="detached")
    side = lab.evaluate("print(lab.region_layer.codes.shape[0], lab.face.canvas.layer_map_regions.codes.shape[0])")
    assert side.split() == ["200", "200"]


#: Seconds that a slowed kernel takes for an update.
SLOW = 0.1
SLOWLY = f"""
import time
update = lab.latest.update
lab.latest.update = lambda: (time.sleep({SLOW}), update())
"""


def test_a_hand_beside_the_handle_has_hold_of_it(lab):
    """It presses on the track, and drags on from there."""
    track = lab.slider("neighbors k").locator("xpath=ancestor::*[contains(@class, 'noUi-target')]").bounding_box()
    mouse, y = lab.page.mouse, track["y"] + track["height"] / 2
    mouse.move(track["x"] + 0.9 * track["width"], y)
    mouse.down()
    for share in (0.8, 0.6, 0.0):
        mouse.move(track["x"] + share * track["width"], y)
    mouse.up()
    lab.until(k=1)


def test_a_drag_leaves_no_backlog(fresh):
    """A kernel four times slower than the hand drops what is out of date, and the picture settles on the last."""
    fresh.evaluate(SLOWLY)
    before, began = fresh.frames, time.monotonic()
    fresh.drag(fresh.slider("neighbors k"), [step / 40 for step in range(41)], pause=25)
    fresh.until(k=200)
    most = (time.monotonic() - began) / SLOW + 2
    assert 3 <= fresh.frames - before <= min(most, 35), "a frame for each of 40 steps means that positions are queued"
    fresh.idle()
    settled = fresh.frames
    fresh.page.wait_for_timeout(400)
    assert fresh.frames == settled


def test_a_dead_kernel_says_so(fresh):
    fresh.expect("Canceled future")
    fresh.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    notice = fresh.figure.locator(".knnviz-dead")
    notice.wait_for()
    assert re.search("run this cell again", notice.inner_text())
    fresh.screenshot("restarted")


def test_a_narrow_page_keeps_everything_in_view(lab):
    lab.page.set_viewport_size({"width": 900, "height": 900})
    lab.page.wait_for_timeout(500)
    box = lab.figure.bounding_box()
    assert box["x"] + box["width"] <= 900
    lab.figure.scroll_into_view_if_needed()
    lab.screenshot("narrow")


def test_running_the_cell_again_and_again(fresh):
    """A new lab takes the place of the old one; what the old one held is given back."""
    fresh.page.locator(".jp-CodeCell").first.locator(".jp-InputPrompt").click()
    look = "import psutil; from ipywidgets.widgets.widget import _instances as held"
    look += "; print(len(held), psutil.Process().memory_info().rss // 2**20)"
    widgets, sizes = set(), []
    for _ in range(20):
        fresh.page.evaluate("window.before = document.querySelector('.knnviz-figure')")
        fresh.command("notebook:run-cell")
        fresh.page.wait_for_function(
            """() => {
              const now = document.querySelector('.knnviz-figure');
              return now && now !== window.before && now.dataset.state;
            }"""
        )
        fresh.idle()
        count, size = map(int, fresh.evaluate(look).split())
        widgets.add(count)
        sizes.append(size)
    assert fresh.page.locator(".knnviz-figure").count() == 1
    assert len(widgets) == 1, widgets
    # The least of seven, since memory comes back late: seven labs that are kept would take 280 MB.
    assert min(sizes[-7:]) - min(sizes[6:13]) < 100, sizes


def test_two_labs_live_side_by_side(fresh):
    fresh.page.locator(".jp-CodeCell").first.locator(".jp-InputPrompt").click()
    fresh.command("notebook:copy-cell")
    fresh.page.wait_for_timeout(200)
    fresh.command("notebook:paste-cell-below")
    fresh.page.wait_for_timeout(200)
    fresh.command("notebook:run-cell")
    fresh.page.locator(".knnviz-figure").nth(1).wait_for()
    fresh.page.wait_for_function("document.querySelectorAll('.knnviz-figure')[1].dataset.state")
    fresh.slider("neighbors k").focus()
    fresh.page.keyboard.press("ArrowRight")
    fresh.until(k=26)
    second = fresh.page.locator(".knnviz-figure").nth(1)
    assert '"k":25' in second.get_attribute("data-state")
