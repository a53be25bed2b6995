"""Play and single steps, and curves that fill in: begun, stopped, and moved meanwhile."""

import time

from conftest import of


@of("ActiveLab")
def test_play_begins_anew_is_stopped_and_goes_on_by_single_steps(lab):
    """Also where steps are on their way; five times as fast, all labels take two seconds."""
    lab.press_play()
    lab.until_true("({ labels }) => labels < 1900")
    lab.press_play()
    labels = lab.rests("labels", 1000, 1900)
    back, on = (lab.page.get_by_role("button", name=name, exact=True) for name in ("Back", "Step"))
    on.click()
    lab.until(labels=labels + 10)
    back.press("Enter")
    lab.until(labels=labels)
    lab.choose("speed", "five times")
    lab.press_play()
    lab.until_true(f"({{ labels }}) => labels > {labels} + 50")
    lab.press_play()
    labels = lab.rests("labels", labels, 2000)
    assert f"Label {labels - 1000} of 1000" in lab.alt
    began = time.monotonic()
    lab.press_play()
    lab.until(labels=2000)
    assert time.monotonic() - began < 8
    lab.rests("labels", 2000)
    lab.choose("speed", "normal")
    assert lab.message == ""


@of("ActiveLab")
def test_a_move_while_it_plays_shows_at_once_and_play_goes_on_to_the_new_end(lab):
    lab.evaluate("lab.set(labels=1010)")
    lab.until(labels=1010)
    lab.settle()
    lab.choose("speed", "five times")
    lab.press_play()
    lab.until_true("({ labels }) => labels > 1050")
    moved = time.monotonic()
    lab.press("seed", "ControlOrMeta+A", "4", "Enter")
    lab.until(seed=4)
    assert time.monotonic() - moved < 3
    lab.evaluate("lab.set(m=1200)")
    lab.until(labels=2200, m=1200)
    lab.rests("labels", 2200)
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
