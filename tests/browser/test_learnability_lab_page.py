"""LearnabilityLab in a real browser: eta and M by hand and by keys, models chosen quickly, seeds that are none."""

import pytest
from session import MIDDLE

from knnviz.labs import LearnabilityLab
from knnviz.labs.learnability.panels import spot
from knnviz.labs.learnability.process import probability_names

#: The lab of the page.
LAB = "LearnabilityLab"


def cell(label, row, n_classes=3):
    """The middle of a cell of M."""
    return label + 0.5, 2**n_classes - row - 0.5


def slider_of(name):
    """What the slider of a probability is called."""
    return LearnabilityLab.parameters()[name].title


def test_every_chance_of_a_column_goes_to_both_ends(lab):
    """The others share what it leaves."""
    column = probability_names(3)[0]
    for name in column:
        slider = lab.slider(slider_of(name))
        slider.press("End")
        lab.until(**{name: 1}, **{other: 0 for other in column if other != name})
        lab.settle()
        slider.press("Home")
        lab.until(**{name: 0, "model": "edited"})
        lab.settle()
        shown = lab.state
        assert sum(shown[each] for each in column) == pytest.approx(1, abs=1e-9)
    assert lab.message == ""
    lab.screenshot("learnability-probabilities")


def test_dragging_eta_on_the_triangle(lab):
    lab.drag_in("simplex", *map(spot, ((0.5, 0.3, 0.2), (0.2, 0.7, 0.1), (0.2, -0.2, 1.0))))
    lab.until(eta0=0.1, eta1=0.0, eta2=0.9, model="permutation")
    lab.settle()
    assert "at P(y | x) = (0.1, 0, 0.9)" in lab.alt
    lab.click("simplex", *spot((0.2, 0.6, 0.2)))
    lab.until(eta0=0.2, eta1=0.6, eta2=0.2)
    assert lab.message == ""


def test_dragging_eta_on_the_segment(lab):
    lab.choose("bags", "first expert")
    lab.until(model="first expert", n_classes=2)
    lab.settle()
    for start, end, eta in (
        ((2 / 3, 1 / 3), (0.8, 0.2), (0.8, 0.2)),
        ((0.8, 0.2), (-0.2, 1.2), (0, 1)),
        ((0.0, 1.0), (1.2, -0.2), (1, 0)),
    ):
        lab.drag_in("simplex", spot(start), spot(end))
        lab.until(eta0=eta[0], eta1=eta[1], model="first expert")
        lab.settle()
    lab.screenshot("learnability-segment-end")
    assert lab.message == ""


def test_a_click_into_the_table_picks_the_column_to_edit(lab):
    for label in (2, 1, 0):
        lab.click("process", *cell(label, 2))
        lab.until(column=f"label {label}")
        lab.settle()
        lab.slider(slider_of(f"probability_1_{label}")).wait_for(state="visible")
        other = slider_of(f"probability_1_{(label + 1) % 3}")
        assert lab.page.get_by_role("slider", name=other, exact=True).count() == 0
    lab.choose("bags", "never alone")
    lab.until(model="never alone")
    lab.settle()
    lab.click("process", *cell(1, 3, 2))
    lab.until(column="label 1")
    before = lab.alt
    lab.click("conclusions", MIDDLE, MIDDLE)
    lab.settle()
    assert (lab.alt, lab.message) == (before, "")
    lab.choose("bags", "labels themselves")
    lab.until(model="labels themselves", column="label 1")


def test_models_chosen_quickly(lab):
    """The last one counts, whatever it moves."""
    for name in ("never alone", "Wen et al.", "always both", "Feng et al.", "first expert", "a mixture of two"):
        lab.choose("bags", name)
    lab.until(model="a mixture of two", n_classes=3)
    lab.settle()
    assert lab.state == LearnabilityLab(model="a mixture of two").values
    assert lab.page.get_by_label("bags", exact=True).input_value() == "a mixture of two"
    lab.choose("edit", "label 2")
    lab.choose("bags", "always both")
    lab.until(model="always both", n_classes=2, column="label 0")
    lab.choose("bags", "edited")
    lab.until(model="edited", n_classes=2, probability_01_0=1)
    assert lab.message == ""
    lab.choose("edit", "label 2")
    lab.until_message("must be one of label 0")
    lab.settle()
    assert lab.state["column"] == "label 0"
    lab.choose("bags", "permutation")
    lab.until(model="permutation", probability_1_0=1)


def test_seeds_that_are_none(lab):
    lab.choose("bags", "Wen et al.")
    lab.until(model="Wen et al.")
    box = lab.page.get_by_label("seed", exact=True)
    for typed in ("-1", "99999999999"):
        box.fill(typed)
        box.press("Enter")
        lab.until_message("seed must be")
        lab.settle()
        assert (lab.state["seed"], box.input_value()) == (0, "0")
    box.fill("4294967295")
    box.press("Enter")
    lab.until(seed=4294967295)
    lab.page.get_by_role("button", name="New sample").click()
    lab.until_message("got 4294967296")
    lab.settle()


def test_eta_by_keyboard(lab):
    handle = lab.page.get_by_role("slider", name="P(y | x)", exact=True)
    assert handle.get_attribute("aria-valuetext") == "label 0 0.5, label 1 0.3, label 2 0.2"
    for _ in range(3):
        handle.press("Shift+ArrowRight")
    lab.until_true("({ eta0, eta1 }) => eta1 > 0.5 && eta0 < 0.5")
    lab.settle()
    handle.press("Shift+ArrowUp")
    lab.until_true("({ eta2 }) => eta2 > 0.25")
    lab.settle()
    lab.press("labels C", "Home")
    lab.until(n_classes=2, model="never alone")
    lab.settle()
    before = lab.state["eta0"]
    handle.press("ArrowRight")
    lab.until_true(f"({{ eta0 }}) => eta0 !== {before}")
    lab.settle()
    assert lab.message == ""


def test_clicks_on_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    lab.choose("preset", "Lv et al., noisy")
    lab.until(**LearnabilityLab().preset_values("Lv et al., noisy"))
    lab.evaluate("lab.set(n=100, beside='swapped')")
    lab.until(n=100)
    lab.settle()
    lab.screenshot("learnability-projector-lv-et-al-noisy")
    lab.choose("bags", "permutation")
    lab.until(model="permutation")
    lab.settle()
    lab.click("simplex", *spot((0.2, 0.2, 0.6)))
    lab.until(eta0=0.2, eta1=0.2, eta2=0.6)
    lab.click("process", *cell(2, 7))
    lab.until(column="label 2")
    lab.settle()
    assert lab.message == ""
