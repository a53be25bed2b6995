"""ActiveRatesLab in a real browser: sliders of one problem alone, n by clicks and by its handle."""

from session import MIDDLE

from knnviz.labs import ActiveRatesLab

#: Sliders of one problem alone.
SHAPES = {
    "bump": {"width of the bump": ("width", 0.02, 0.5), "eta on the bump": ("height", 0.51, 1)},
    "jump": {"height of the jump a": ("a", 0.02, 0.5)},
    "power": {"power family kappa": ("kappa", 0.6, 6)},
}

#: The lab of the page.
LAB = "ActiveRatesLab"


def test_sliders_of_every_problem(lab):
    for problem, sliders in SHAPES.items():
        lab.choose("problem", problem)
        lab.until(problem=problem)
        for name, (parameter, low, high) in sliders.items():
            lab.slider(name).wait_for(state="visible")
            lab.settle()
            lab.drag_to_both_ends(name, parameter, low, high)
            lab.screenshot(f"active-rates-{problem}-{parameter}-low")
    lab.choose("assumed", "power family")
    lab.until(assumed="power family")
    lab.slider("smoothness alpha").wait_for(state="hidden")


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
    lab.choose("c_delta", "1 (no theorem)")
    lab.until(locality="1 (no theorem)")
    lab.settle()
    assert "with c_delta = 1 it is no theorem" in lab.alt
    assert lab.message == ""


def test_presets_on_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    for preset in ("two atoms, as printed", "k beyond n"):
        lab.choose("preset", preset)
        lab.until(**ActiveRatesLab().preset_values(preset))
        lab.settle()
        lab.screenshot("active-rates-projector-" + preset.replace(" ", "-").replace(",", ""))
