"""BandLab and TwoWorldsLab in a real browser: sliders to their ends, presets as they look, handles, keys, buttons."""

import re

import pytest

from knnviz.labs import BandLab, TwoWorldsLab

#: Sliders by name: parameter, and where they end at the start.
SLIDERS = {
    "uniform error epsilon": ("epsilon", 0, 1),
    "sample size n": ("n", 100, 1_000_000),
    "neighbors k": ("k", 1, 1000),
    "failure probability delta": ("delta", 0.01, 0.5),
    "dimension d": ("d", 1, 10),
    "classes C": ("classes", 3, 1000),
}
WEIGHTS = {"weight of class 0 q0": "q0", "weight of class 1 q1": "q1", "weight of class 2 q2": "q2"}
GAME = {
    "sample size n": ("n", 20, 1_000_000),
    "mass of the line p": ("mass", 0.05, 1),
    "smoothness alpha": ("smoothness", 0.25, 1),
}
WIDE = 920

#: The lab of the page; the other one comes after it in a page of its own.
LAB = "BandLab"


@pytest.fixture
def lab(opened):
    """The lab as it began."""
    opened.evaluate("lab.projector = False; lab.reset()")
    opened.until(n=1000, k=50, epsilon=0.1, q0=0.5, epsilon_source="as set")
    opened.settle()
    opened.figure.scroll_into_view_if_needed()
    yield opened
    assert opened.errors == []


@pytest.fixture
def game(session):
    """A page of its own for the other lab."""
    session.write("worlds.ipynb", "from knnviz.labs import TwoWorldsLab\n\nlab = TwoWorldsLab()\nlab")
    session.open("worlds.ipynb")
    session.run_all()
    session.until(n=1000, mass=0.5, seed=0)
    session.settle()
    session.figure.scroll_into_view_if_needed()
    return session


def test_the_lab_as_it_opens(lab):
    read = BandLab().readout()
    assert f"tne {read['tne']:.4f}; fne {read['fne']:.4f}; mass at epsilon 0 {read['floor']:.4f}" in lab.alt
    assert "q' 0.5200 : 0.2900 : 0.1900; q'' 0.4800 : 0.3100 : 0.2100" in lab.alt
    assert lab.message == ""
    lab.screenshot("band-lab")
    lab.page.locator(".knnviz-lab").screenshot(path=lab.screenshots / "band-lab-alone.png")


@pytest.mark.full
def test_quick_drags_to_both_ends(lab):
    for name, (parameter, low, high) in SLIDERS.items():
        lab.slider(name).scroll_into_view_if_needed()
        least = 50 if parameter == "n" else low
        lab.rush_to_both_ends(name, parameter, max(low, least), high, times=1)
        lab.settle()
        lab.screenshot(f"band-{parameter}-low")
        lab.evaluate("lab.reset()")
        lab.until(n=1000, k=50, epsilon=0.1, d=1, classes=3, delta=0.05)
    for name, parameter in WEIGHTS.items():
        lab.slider(name).scroll_into_view_if_needed()
        lab.rush_to_both_ends(name, parameter, 0, 1, times=1)
        shown = lab.state
        assert sum(shown[other] for other in WEIGHTS.values()) == pytest.approx(1)
        lab.settle()
        lab.screenshot(f"band-{parameter}-low")
        lab.evaluate("lab.reset()")
        lab.until(q0=0.5, q1=0.3)


def test_presets_as_they_look(lab):
    for preset in BandLab.presets:
        lab.choose("preset", preset.name)
        lab.until(**BandLab().preset_values(preset.name))
        lab.settle()
        assert lab.page.get_by_label("preset").input_value().replace("\xa0", " ") == preset.name
        assert lab.message == ""
        lab.screenshot("band-preset-" + re.sub("[^a-z0-9]+", "-", preset.name.lower()))


def test_panels_are_linked_by_clicks(lab):
    """The middle of the axis of k, from 0.9 to 1150, is about 32; that of epsilon, from 0.00085 to 1.2, about 0.032."""
    lab.click_figure(540 + 0.5 * 366, 560, WIDE)
    lab.until(k=32)
    lab.click_figure(540 + 0.5 * 366, 200, WIDE)
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).epsilon < 0.05")
    assert lab.state["epsilon"] == pytest.approx(0.032, abs=1e-3)
    lab.choose("epsilon is", "observed U")
    lab.until(epsilon_source="observed U")
    lab.slider("uniform error epsilon").wait_for(state="hidden")
    lab.settle()
    observed = re.search(r"observed U ([\d.]+)", lab.alt.split("q''")[1])[1]
    assert f"epsilon {observed};" in lab.alt
    lab.click_figure(540 + 0.5 * 366, 200, WIDE)
    lab.until(epsilon_source="as set")
    assert lab.message == ""


def test_handles_can_be_dragged_and_pressed(lab):
    handle = lab.page.get_by_role("slider", name="ε", exact=True)
    handle.focus()
    lab.page.keyboard.press("ArrowRight")
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).epsilon > 0.1")
    before = lab.state["epsilon"]
    lab.settle()
    assert handle.get_attribute("aria-valuetext").startswith(f"epsilon = {before:.3g}, mass of the band")
    grip, mouse = lab.page.get_by_role("slider", name="k", exact=True), lab.page.mouse
    box = grip.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    for step in range(1, 13):
        mouse.move(x - 8 * step, y + step)
    mouse.up()
    lab.page.wait_for_function("JSON.parse(document.querySelector('.knnviz-figure').dataset.state).k < 20")
    lab.settle()
    assert lab.message == ""
    lab.screenshot("band-handles")


def test_keyboard_only(lab):
    press = lab.page.keyboard.press
    lab.slider("weight of class 0 q0").focus()
    press("ArrowRight")
    lab.until(q0=0.51)
    lab.page.get_by_label("cover, step", exact=True).focus()
    press("n")
    lab.until(cover="none")
    lab.page.get_by_label("class c", exact=True).focus()
    press("End")
    lab.until(c="class 2")
    lab.settle()
    assert "Band of class 2" in lab.alt
    lab.page.get_by_role("button", name="Reset").focus()
    press("Enter")
    lab.until(q0=0.5, c="class 0", cover="1/100")
    assert lab.message == ""


def test_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    lab.settle()
    lab.screenshot("band-projector")
    lab.choose("preset", "A hundred thousand")
    lab.until(n=100_000, epsilon_source="Theorem 3")
    lab.settle()
    lab.screenshot("band-projector-theorem")


def test_a_game(game):
    game.screenshot("worlds")
    assert "P+" not in game.alt
    for seed in range(1, 4):
        game.page.get_by_role("button", name="It is P+").click()
        game.page.wait_for_function("document.querySelector('canvas').ariaLabel.includes('your guess was')")
        game.page.wait_for_function("document.querySelector('.knnviz-message').innerText.includes('It is P')")
        game.page.get_by_role("button", name="New round").click()
        game.until(seed=seed)
        game.settle()
        assert "your guess was" not in game.alt
        assert game.message == ""
    assert "rounds 3;" in game.alt
    game.page.get_by_role("button", name="It is P-").click()
    game.page.wait_for_function("document.querySelector('canvas').ariaLabel.includes('rounds 4;')")
    game.settle()
    game.screenshot("worlds-told")
    game.page.get_by_role("button", name="It is P-").click()
    game.page.wait_for_function("document.querySelector('.knnviz-message').innerText.includes('has been guessed')")
    assert "rounds 4;" in game.alt
    play_by_keyboard(game)
    game.page.get_by_role("button", name="Projector").click()
    game.settle()
    game.screenshot("worlds-projector")
    assert game.errors == []


def play_by_keyboard(game):
    """Sliders to both ends, buttons by keys, presets as they look."""
    game.page.get_by_role("button", name="Reset").press("Enter")
    game.until(seed=0)
    game.settle()
    assert "rounds 0;" in game.alt
    for name, (parameter, low, high) in GAME.items():
        game.rush_to_both_ends(name, parameter, low, high, times=1)
        game.settle()
        game.screenshot(f"worlds-{parameter}-low")
        game.page.get_by_role("button", name="Reset").press("Enter")
        game.until(n=1000, mass=0.5, smoothness=1)
    game.slider("sample size n").focus()
    game.page.keyboard.press("End")
    game.until(n=1_000_000)
    game.page.get_by_role("button", name="It is P-").press("Enter")
    game.page.wait_for_function("document.querySelector('canvas').ariaLabel.includes('rounds 1;')")
    game.settle()
    game.screenshot("worlds-million")
    for preset in TwoWorldsLab.presets:
        game.choose("preset", preset.name)
        game.until(**TwoWorldsLab().preset_values(preset.name))
        game.settle()
        assert game.message == ""
        game.screenshot("worlds-preset-" + re.sub("[^a-z0-9]+", "-", preset.name.lower()))
