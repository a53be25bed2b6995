"""Play and single steps, and curves that fill in: begun, stopped, and moved meanwhile."""

import time

from conftest import of

from knnviz.labs.active import ROUND_ONE


@of("ActiveLab")
def test_play_begins_anew_is_stopped_and_goes_on_by_single_steps(lab):
    """Also where steps are on their way; five times as fast, all labels take two seconds."""
    lab.press_play()
    lab.until(step=0)
    lab.until(step=1)
    lab.press_play()
    step = lab.rests("step", 1, 2)
    back, on = (lab.page.get_by_role("button", name=name, exact=True) for name in ("Back", "Step"))
    on.click()
    lab.until(step=step + 1)
    back.press("Enter")
    lab.until(step=step)
    lab.choose("speed", "five times")
    lab.press_play()
    lab.until_true("({ step }) => step > 100")
    lab.press_play()
    step = lab.rests("step", 101, 1000)
    assert f"Label {step - ROUND_ONE} of 1000" in lab.alt
    began = time.monotonic()
    lab.press_play()
    lab.until(step=ROUND_ONE + 1000)
    assert time.monotonic() - began < 8
    lab.rests("step", ROUND_ONE + 1000)
    lab.choose("speed", "normal")
    assert lab.message == ""


@of("ActiveLab")
def test_a_move_while_it_plays_shows_at_once_and_play_goes_on_to_the_new_end(lab):
    lab.evaluate(f"lab.set(step={ROUND_ONE + 1})")
    lab.until(step=ROUND_ONE + 1)
    lab.settle()
    lab.choose("speed", "five times")
    lab.press_play()
    lab.until_true("({ step }) => step > 50")
    moved = time.monotonic()
    lab.press("seed", "ControlOrMeta+A", "4", "Enter")
    lab.until(seed=4)
    assert time.monotonic() - moved < 3
    lab.evaluate("lab.set(m=1200)")
    lab.until(step=ROUND_ONE + 1200, m=1200)
    lab.rests("step", ROUND_ONE + 1200)
    lab.choose("speed", "normal")
    assert lab.message == ""


#: How much of a risk curve the picture's words say is done.
DONE_NUMBER = (
    "() => Number(document.querySelector('canvas').ariaLabel.match(/(\\d+) of \\d+ pieces "
    "done/)?.[1] ?? 0)"
)
DONE = f"least => ({DONE_NUMBER})() >= least"


def test_a_risk_curve_streams_stays_live_and_can_be_stopped(lab):
    """Also on the projector."""
    lab.choose("risk curve", "over n")
    lab.page.wait_for_function(DONE, arg=1)
    lab.project()
    lab.slider("neighbors k").press("ArrowRight")
    lab.until(k=26)
    lab.page.wait_for_function(DONE, arg=2)
    lab.page.get_by_role("button", name="Stop").click()
    lab.settle()
    assert 2 <= lab.page.evaluate(DONE_NUMBER) < 180, "it has stopped"
    lab.choose("risk curve", "over k")
    lab.settle()
    assert "20 of 20 pieces done" in lab.alt
