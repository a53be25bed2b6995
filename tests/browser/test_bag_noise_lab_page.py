"""BagNoiseLab in a real browser: nu by hand."""

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
