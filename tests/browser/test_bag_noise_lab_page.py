"""BagNoiseLab in a real browser: nu by hand, linear rivals that fill in and can be stopped."""

import re

from session import Share

#: The lab of the page.
LAB = "BagNoiseLab"


def test_nu_by_clicks_and_by_its_handle(lab):
    lab.click("error", 0.6, Share(0.9))
    lab.until(bag_noise=0.6)
    lab.settle()
    handle = lab.page.get_by_role("slider", name="bag noise", exact=True)
    handle.press("Shift+ArrowRight")
    lab.until_true("state => state.bag_noise > 0.6")
    lab.settle()
    assert handle.get_attribute("aria-valuetext") == f"ν = {lab.state['bag_noise']:g}"
    lab.drag_in("error", *((noise, Share(0.856)) for noise in (lab.state["bag_noise"], 0.5, 0.1)))
    lab.until(bag_noise=0.1)
    assert lab.message == ""


def test_linear_rivals(lab):
    """On small data to their end; on the digits a slider moves on meanwhile, and Stop keeps what there is."""
    lab.evaluate("lab.set(problem='wine', splits=1)")
    lab.choose("rivals", "all")
    lab.until(problem="wine", rivals="all")
    lab.until_said("Linear rivals, 6 of 6 curves")
    lab.settle()
    lab.choose("preset", "Linear rivals")
    lab.until(problem="digits", splits=5, rivals="all")
    lab.until_said(r"Linear rivals, [1-9]\d* of 30 curves")
    lab.slider("band factor c1").press("ArrowRight")
    lab.until(c1=0.55, rivals="all")
    lab.until_said(r"Linear rivals, ([2-9]|[12]\d) of 30 curves")
    lab.page.get_by_role("button", name="Stop").click()
    lab.settle()
    assert int(re.search(r"Linear rivals, (\d+) of 30", lab.alt)[1]) < 30
    assert lab.message == ""
