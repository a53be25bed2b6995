"""NoiseLab in a real browser: a click on the risk curve, controls that come and go."""

from session import MIDDLE

#: The lab of the page.
LAB = "NoiseLab"


def test_a_click_on_the_risk_curve_asks_for_many_neighbors(lab):
    """The axis ends beyond the slider; the vote curve and the slider grow with it."""
    for k in (500, 20):
        lab.click("risk", k, MIDDLE)
        lab.until_near("k", k, 0.03 * k)
        lab.settle()
        assert lab.message == ""
        assert "neighbors of x = (0.3, 0.6): " in lab.alt
        lab.screenshot(f"noise-k-{k}")
    assert lab.slider("neighbors k").get_attribute("max") == "200"


def test_controls_appear_with_what_they_do(lab):
    slider = lab.slider("neighbors for the noise k'")
    lab.choose("flip rates", "estimated from k - 1")
    slider.wait_for(state="hidden")
    lab.choose("flip rates", "known")
    slider.wait_for(state="visible")
    lab.settle()
    assert "threshold 0.40" in lab.alt
    lab.choose("show", "hard points")
    lab.slider("margin Delta").wait_for()
    lab.settle()
    lab.drag_to_both_ends("margin Delta", "margin", 0, 0.5)
    assert "hard mass" in lab.alt
    lab.screenshot("noise-hard-points")
