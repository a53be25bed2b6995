"""NoiseLab in a real browser: sliders to their ends, presets as they look, the keyboard, a click on the risk curve."""

import re

import pytest

#: Sliders by name: parameter, and where they end at the start.
SLIDERS = {
    "sample size n": ("n", 150, 8000),
    "flip rate of class 0 p0": ("p0", 0, 0.69),
    "flip rate of class 1 p1": ("p1", 0, 0.89),
    "neighbors k": ("k", 1, 200),
    "neighbors for the noise k'": ("k_noise", 1, 400),
}
WIDE = 920

#: The lab of the page.
LAB = "NoiseLab"


@pytest.fixture
def lab(opened):
    """The lab as it began."""
    opened.evaluate("lab.projector = False; lab.reset()")
    opened.until(k=51, k_noise=100, p1=0.3, curve="off")
    opened.settle()
    opened.figure.scroll_into_view_if_needed()
    yield opened
    assert opened.errors == []


def test_the_lab_as_it_opens(lab):
    assert "risk of kNN 0.3287; risk of robust kNN 0.3150; Bayes risk 0.2974" in lab.alt
    assert "estimated p0 0.0792; estimated p1 0.2970" in lab.alt
    assert "Labels smoothed over k' = 100 neighbors lie in 0.079 to 0.703" in lab.alt
    assert lab.message == ""
    lab.screenshot("noise-lab")
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / "noise-lab-alone.png")


@pytest.mark.full
def test_quick_drags_to_both_ends(lab):
    for name, (parameter, low, high) in SLIDERS.items():
        lab.rush_to_both_ends(name, parameter, low, high)
        lab.screenshot(f"noise-{parameter}-low")
        lab.page.get_by_role("button", name="Reset").click()
        lab.until(n=4000, p0=0.1, p1=0.3, k=51, k_noise=100)
        lab.settle()


PRESETS = [
    "kNN, uneven noise",
    "One neighbor and more data",
    "Robust kNN, uneven noise",
    "More votes do not repair it",
    "Collapse: p1 above 1/2",
    "k' = 5 sees no noise",
    "Risk over k'",
    "Risk over n",
]


def test_presets_as_they_look(lab):
    for preset in PRESETS:
        lab.choose("preset", preset)
        lab.settle()
        lab.page.wait_for_function("document.querySelector('canvas').ariaLabel.match(/(\\d+) of \\1 pieces done/)")
        lab.settle()
        assert lab.page.get_by_label("preset").input_value().replace("\xa0", " ") == preset
        assert lab.message == ""
        lab.screenshot("noise-preset-" + re.sub("[^a-z0-9]+", "-", preset.lower()))


def test_few_neighbors_for_the_noise_leave_the_two_rules_alike(lab):
    lab.slider("neighbors for the noise k'").press("Home")
    lab.until(k_noise=1)
    for _ in range(4):
        lab.page.keyboard.press("ArrowRight")
    lab.until(k_noise=5)
    lab.settle()
    assert "estimated p0 0.0000; estimated p1 0.0000; cut 0.5000; rules differ on 0.0000" in lab.alt


def test_a_click_on_the_risk_curve_asks_for_many_neighbors(lab):
    """The axis ends beyond the slider; the vote curve and the slider grow with it."""
    left, wide, top, height = 520, 386, 404, 160
    shares = {500: 0.9151, 20: 0.4490}
    for k, share in shares.items():
        lab.click_figure(left + share * wide, top + height / 2, WIDE)
        lab.page.wait_for_function(
            "k => Math.abs(JSON.parse(document.querySelector('.knnviz-figure').dataset.state).k / k - 1) < 0.03", arg=k
        )
        lab.settle()
        assert lab.message == ""
        assert "neighbors of x = (0.3, 0.6): " in lab.alt
        lab.screenshot(f"noise-k-{k}")
    assert float(lab.slider("neighbors k").get_attribute("aria-valuemax")) == 200


def test_controls_appear_with_what_they_do(lab):
    slider = lab.slider("neighbors for the noise k'")
    lab.choose("flip rates", "estimated from k - 1")
    slider.wait_for(state="hidden")
    lab.choose("flip rates", "known")
    slider.wait_for(state="visible")
    lab.settle()
    assert "cut 0.4000" in lab.alt
    lab.choose("show", "hard points")
    lab.slider("margin Delta").scroll_into_view_if_needed()
    lab.settle()
    lab.drag(lab.slider("margin Delta"), [step / 20 for step in range(21)], pause=20)
    lab.until(margin=0.5)
    lab.settle()
    assert "hard mass" in lab.alt
    lab.screenshot("noise-hard-points")


def test_keyboard_only(lab):
    press = lab.page.keyboard.press
    lab.slider("flip rate of class 1 p1").focus()
    for _ in range(5):
        press("ArrowRight")
    lab.until(p1=0.35)
    lab.page.get_by_label("map of", exact=True).focus()
    press("k")
    lab.until(shown="kNN")
    lab.page.get_by_label("problem", exact=True).focus()
    press("p")
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).problem[0] === 'p'")
    lab.page.get_by_role("button", name="Reset").focus()
    press("Enter")
    lab.until(problem="checkerboard", p1=0.3, shown="robust kNN")
    lab.settle()
    assert lab.message == ""


def test_real_data(lab):
    lab.choose("problem", "breast cancer")
    lab.until(problem="breast cancer", n=398)
    lab.settle()
    assert "held-out risk of robust kNN" in lab.alt
    lab.choose("risk curve", "over k'")
    lab.page.wait_for_function("document.querySelector('canvas').ariaLabel.includes('10 of 10 pieces done')")
    lab.settle()
    lab.screenshot("noise-breast-cancer")


def test_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    lab.settle()
    lab.rush("neighbors k", 1.0)
    lab.until(k=200)
    lab.settle()
    lab.screenshot("noise-projector")
