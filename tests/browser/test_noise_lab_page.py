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
    assert "threshold 0.4000" in lab.alt
    lab.choose("show", "hard points")
    lab.slider("margin Delta").wait_for()
    lab.settle()
    lab.drag_to_both_ends("margin Delta", "margin", 0, 0.5)
    assert "hard mass" in lab.alt
    lab.screenshot("noise-hard-points")


def test_the_rivals_come_one_by_one_while_sliders_stay_live(lab):
    """In the light and in the dark, and on a projector; every word is on the sheet."""
    lab.stand(LAB, "problem='moons', n=1000, controls=('p0', 'p1', 'rates'), panels=('rivals',)")
    lab.until_said("NHERD 0[.]\\d+;")
    lab.settle()
    assert "not fitted yet" not in lab.alt
    lab.screenshot("noise-rivals")
    before = lab.alt
    lab.drag("flip rate of class 1 p1", 0.6)
    lab.sync()
    assert "robust kNN 0." in lab.alt, "the votes do not wait"
    lab.screenshot("noise-rivals-waiting")
    lab.settle()
    assert lab.alt != before
    assert "not fitted yet" not in lab.alt
    lab.choose("flip rates", "known")
    lab.settle()
    assert "IR-LLog, UE-LLog use the true flip rates" in lab.alt
    lab.theme("JupyterLab Dark")
    assert lab.violations(".knnviz-lab") == ""
    lab.screenshot("noise-rivals-dark")
    lab.theme("JupyterLab Light")
    lab.project()
    lab.settle()
    lab.screenshot("noise-rivals-projector")
    lab.page.get_by_role("button", name="Projector", exact=True).click()
    lab.evaluate("lab.problem = 'jump'")
    lab.until_said("Decision regions need two features, but jump has one")
    lab.settle()
    lab.screenshot("noise-rivals-line")
