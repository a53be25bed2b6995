"""ActiveLab in a real browser: Play, single steps, the curve and the rows by hand."""

import time

from session import MIDDLE

from knnviz.labs.active import ROUND_ONE

#: The lab of the page.
LAB = "ActiveLab"


def test_play_from_the_end_begins_anew_and_a_pause_stops_it(lab):
    """Also where steps are on their way."""
    lab.press_play()
    lab.until(step=0)
    lab.until(step=1)
    assert "Round one: 1000 labels of random points." in lab.alt
    lab.press_play()
    lab.rests("step", 1, 2)
    lab.evaluate(f"lab.set(step={ROUND_ONE + 1})")
    lab.until(step=ROUND_ONE + 1)
    lab.settle()
    lab.press_play()
    lab.until_true("({ step }) => step > 100")
    lab.press_play()
    step = lab.rests("step", 101, 700)
    assert f"Label {step - ROUND_ONE} of 1000" in lab.alt
    assert lab.message == ""


def test_play_goes_on_to_the_last_label_in_its_time_and_a_move_meanwhile_shows_at_once(lab):
    """All labels take ten seconds, however many there are."""
    lab.evaluate(f"lab.set(step={ROUND_ONE + 1}, m=6000)")
    lab.until(step=ROUND_ONE + 1)
    lab.settle()
    began = time.monotonic()
    lab.page.locator(".knnviz-player button").first.press("Enter")
    lab.until_true("({ step }) => step > 1000")
    moved = time.monotonic()
    lab.press("seed", "ControlOrMeta+A", "4", "Enter")
    lab.until(seed=4)
    assert time.monotonic() - moved < 3
    lab.until_true(f"({{ step }}) => step === {ROUND_ONE + 6000}")
    assert 5 < time.monotonic() - began < 20
    lab.rests("step", ROUND_ONE + 6000)
    assert "Label 6000 of 6000" in lab.alt


def test_five_times_the_speed_takes_less_than_the_pace(lab):
    """All labels take ten seconds at the normal speed."""
    lab.evaluate(f"lab.set(step={ROUND_ONE + 1})")
    lab.until(step=ROUND_ONE + 1)
    lab.choose("speed", "five times")
    lab.settle()
    began = time.monotonic()
    lab.press_play()
    lab.until(step=ROUND_ONE + 1000)
    assert time.monotonic() - began < 8
    lab.choose("speed", "normal")


def test_single_steps(lab):
    back, on = (lab.page.get_by_role("button", name=name, exact=True) for name in ("Back", "Step"))
    on.click()
    back.click()
    lab.until(step=ROUND_ONE + 999)
    back.press("Enter")
    lab.until(step=ROUND_ONE + 998)
    lab.evaluate("lab.set(step=0)")
    lab.until(step=0)
    back.click()
    for step in range(1, ROUND_ONE + 2):
        on.click()
        lab.until(step=step)
        lab.settle()
        lab.screenshot(f"active-step-{step}")
    assert "Label 1 of 1000" in lab.alt
    assert lab.message == ""


def test_more_labels_while_it_plays(lab):
    """Play goes on to the new end."""
    lab.evaluate("lab.set(m=100, step=50)")
    lab.until(step=50, m=100)
    lab.settle()
    lab.press_play()
    lab.until_true("({ step }) => step > 50")
    lab.evaluate("lab.set(m=200)")
    lab.until(step=ROUND_ONE + 200, m=200)
    lab.rests("step", ROUND_ONE + 200)
    assert lab.message == ""


def test_a_click_on_the_curve_is_a_step_and_one_on_the_rows_a_ball(lab):
    lab.click("risk", 1500, 0.001)
    lab.until_near("step", ROUND_ONE + 500, 5)
    lab.rests("step", ROUND_ONE + 496, ROUND_ONE + 504)
    lab.click("rows", 0.51, 1)
    lab.until(x1=0.51)
    lab.settle()
    assert "The ball of k+ around [0.51]" in lab.alt
    lab.click("line", 0.2, 0.5)
    lab.until(x1=0.2)
    lab.settle()
    assert "The ball" not in lab.alt, "it is not hard there"
    lab.page.get_by_role("button", name="Projector").click()
    lab.choose("problem", "breast cancer")
    lab.until(problem="breast cancer")
    lab.settle()
    lab.click("map", MIDDLE, MIDDLE)
    lab.settle()
    assert "The ball of k+" in lab.alt
    assert lab.message == ""
