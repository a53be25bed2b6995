"""ActiveRatesLab in a real browser: n by clicks and by its handle."""

from session import MIDDLE

#: The lab of the page.
LAB = "ActiveRatesLab"


def test_n_by_clicks_and_by_its_handle(lab):
    lab.click("rates", 1e9, MIDDLE)
    lab.until(n=1_000_000_000)
    lab.settle()
    lab.click("condition", 3e5, MIDDLE)
    lab.until(n=300_000)
    lab.settle()
    handle, before = lab.page.get_by_role("slider", name="n", exact=True), lab.state["n"]
    for _ in range(3):
        handle.press("ArrowRight")
    lab.until_true(f"({{ n }}) => n > {before}")
    lab.settle()
    assert handle.get_attribute("aria-valuetext").startswith("n = ")
    assert lab.message == ""
