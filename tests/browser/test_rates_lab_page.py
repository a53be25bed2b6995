"""RatesLab in a real browser: a k of one's own, clicks on the panels."""

from session import MIDDLE

#: The lab of the page.
LAB = "RatesLab"


def test_a_k_of_ones_own(lab):
    lab.choose("neighbors", "k as set")
    slider = lab.slider("neighbors k")
    slider.wait_for(state="visible")
    lab.settle()
    lab.drag_to_both_ends("neighbors k", "k", 1, 10_000)
    for k in (2, 3):
        slider.press("ArrowRight")
        lab.until(k=k)
    lab.settle()
    lab.drag("sample size n", 0.0)
    lab.until(n=100)
    lab.settle()
    lab.drag("neighbors k", 1.0)
    lab.until(k=100)
    lab.settle()
    assert "k 100;" in lab.alt
    assert lab.message == ""


def test_clicks_on_panels(lab):
    lab.click("votes", 100, MIDDLE)
    lab.until(k=100, neighbors="k as set")
    lab.click("risk", 30_000, MIDDLE)
    lab.until(n=30_000)
    lab.click("map", 0.25, MIDDLE)
    lab.until(x1=0.25)
    lab.settle()
    assert "100 nearest neighbors of x = (0.25)" in lab.alt
    assert lab.message == ""
