"""ActiveLab in a real browser: Play, single steps, the curve and the rows by hand."""

from session import MIDDLE

from knnviz.labs.active.rounds import ROUND_ONE

#: The lab of the page.
LAB = "ActiveLab"


def test_play_from_the_end_begins_anew_and_a_pause_stops_it(lab):
    """Also at full speed, where steps are on their way."""
    lab.press_play()
    lab.until(step=0)
    lab.until(step=1)
    assert "Round one: 1000 passive labels." in lab.alt
    lab.press_play()
    lab.rests("step", 1, 2)
    lab.choose("speed", "5 at a time")
    lab.settle()
    lab.press_play()
    lab.until_true("({ step }) => step > 30")
    lab.press_play()
    step = lab.rests("step", 31, 500)
    assert f"Label {step - ROUND_ONE} of 1000" in lab.alt
    assert lab.message == ""


def test_play_goes_on_to_the_last_label_and_ends_there(lab):
    """By many at a time, which do not go into those that are left."""
    lab.evaluate("lab.set(step=530)")
    lab.until(step=530)
    lab.choose("speed", "100 at a time")
    before = lab.settle()
    lab.page.locator(".knnviz-player button").first.press("Enter")
    lab.until(step=ROUND_ONE + 1000)
    lab.rests("step", ROUND_ONE + 1000)
    assert lab.frames - before <= 20, "not one by one"
    assert "Label 1000 of 1000" in lab.alt


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
    # Slowly, so that it is still on its way.
    lab.press_play()
    lab.until_true("({ step }) => step > 50")
    lab.evaluate("lab.set(m=200)")
    lab.until(m=200)
    lab.choose("speed", "20 at a time")
    lab.until(step=ROUND_ONE + 200)
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
    lab.choose("preset", "A real pool")
    lab.until(problem="breast cancer")
    lab.settle()
    lab.click("map", MIDDLE, MIDDLE)
    lab.settle()
    assert "The ball of k+" in lab.alt
    assert lab.message == ""
