"""Moves of controls, by mouse and by keys: where they end, and what a lab says."""

from conftest import of
from playwright.sync_api import expect

from knnviz.labs import LearnabilityLab

SLIDER = {
    "p0": "flip rate of class 0 p0",
    "p1": "flip rate of class 1 p1",
    "k": "neighbors k",
    "n": "sample size n",
}


def test_what_is_set_wins_and_sliders_end_where_it_leaves_them_room(lab):
    """k at most n, with the reason in its tooltip, and two flip rates below one."""
    lab.slider(SLIDER["k"]).press("End")
    lab.until(k=200)
    lab.pull(SLIDER["n"], 0.0)
    lab.until(n=50, k=50)
    lab.settle()
    assert lab.message == "neighbors k moved from 200 to 50: k is at most n."
    expect(lab.slider(SLIDER["k"])).to_have_attribute("max", "50")
    expect(lab.slider(SLIDER["k"])).to_have_attribute(
        "aria-description", "Number of neighbors that vote; k is at most n"
    )
    lab.pull(SLIDER["n"], 1.0)
    lab.pull(SLIDER["p0"], 0.6)
    lab.until(n=8000, k=50, p0=0.57)
    expect(lab.slider(SLIDER["p1"])).to_have_attribute("max", "0.42")
    lab.pull(SLIDER["p1"], 1.0)
    lab.until(p0=0.57, p1=0.42)
    lab.settle()
    lab.page.locator(".knnviz-preview").wait_for(state="detached")
    assert lab.message == ""


def test_values_typed_and_values_between_the_steps_of_a_slider(lab):
    """Those of a preset, which the page rounds and sends back, and those of Python."""
    for name, typed in (("x1", "0.25"), ("x2", "7")):
        box = lab.page.get_by_label(f"point {name}")
        box.fill(typed)
        box.press("Enter")
    lab.until(x1=0.25)
    lab.until_message("between 0 and 1, got 7")
    expect(lab.page.get_by_label("point x2")).to_have_value("0.6")
    lab.choose("preset", "Bump: the bound at work")
    lab.until(problem="bump", n=1000, mass=0.108479, margin=0.223448)
    lab.settle()
    assert (
        lab.page.get_by_label("preset").input_value().replace("\xa0", " ")
        == "Bump: the bound at work"
    )
    lab.evaluate("lab.set(p0=0.123, n=777)")
    lab.until(p0=0.123, n=777)
    lab.choose("problem", "checkerboard")
    lab.until(problem="checkerboard", n=777)
    lab.settle()
    assert lab.evaluate("print(lab.p0, lab.n)").split() == ["0.123", "777"]


@of("EliminationLab")
def test_steps_and_menus_end_where_a_problem_lets_them(lab):
    """A slider of fewer steps, as the page draws it, and a menu of fewer choices."""
    t = lab.slider("largest k T")
    few = t.get_attribute("max")
    lab.choose("preset", "Q1: three fractions")
    lab.until(max_neighbors=5000)
    lab.settle()
    assert t.input_value() == t.get_attribute("max") != few
    lab.choose("show", "advantage")
    lab.choose("problem", "digits 0 to 4")
    lab.until(problem="digits 0 to 4", overlay="decisions")
    lab.settle()
    assert "moved from advantage to decisions: the advantage needs a known" in lab.message
    options = lab.page.get_by_label("show", exact=True).locator("option").all_inner_texts()
    assert options == ["decisions", "stopping k"]


@of("LearnabilityLab")
def test_of_menus_used_quickly_the_last_choice_counts(lab):
    """Whatever it moves, and which sliders it shows."""
    for name in ("never alone", "even inclusion", "always both", "a mixture of two"):
        lab.choose("bag process", name)
    lab.until(model="a mixture of two")
    lab.settle()
    assert lab.state == LearnabilityLab(model="a mixture of two").values
    lab.choose("edit", "label 2")
    lab.slider("P(bag {0, 1} | y = 2)").wait_for(state="visible")
    lab.choose("bag process", "always both")
    lab.until(model="always both", column="label 0")
    lab.slider("P(bag {0, 1} | y = 2)").wait_for(state="detached")
    assert lab.message == "edit moved from label 2 to label 0: there are 2 labels."
