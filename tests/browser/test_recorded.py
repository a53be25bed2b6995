"""A recorded lab and recorded questions on a page in a folder: no server, no kernel, no network."""

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect
from session import REACHED

from knnviz import from_data
from knnviz.labs import EliminationLab, LearnabilityLab, NeighborLab
from knnviz.lessons.card import CARD_STYLE, QUESTIONS_SCRIPT, Asked, Questions

STATE = "() => JSON.parse(document.querySelector('.knnviz-figure').dataset.state)"


def reach(page, **values):
    page.wait_for_function(REACHED, arg=values)


#: What a recorded lab opens with.
SHOWN = {"controls": ["k", "n", "p1"], "panels": ["map", "votes"], "numbers": ["risk"]}


@pytest.fixture(scope="module")
def recording():
    lab = NeighborLab(n=200, k=5, **SHOWN)
    return lab.record({"k": [1, 3, 5, 100], "n": [50, 200, 1000]})


def test_recorded_sliders_move_the_lab_and_what_was_not_recorded_is_grey(opened, recording):
    """The page draws, pixel by pixel, what a page does that is given the live state."""
    page = opened(recording.page())
    k = page.get_by_role("slider", name="neighbors k", exact=True)
    n = page.get_by_role("slider", name="sample size n")
    reach(page, k=5, n=200)
    k.press("ArrowRight")
    reach(page, k=100)
    lab = NeighborLab(n=200, k=100, **SHOWN)
    assert page.locator(".knnviz-numbers b").first.inner_text() == f"{lab.numbers['risk']:.2f}"
    no_grips = ".knnviz-grips { display: none }"
    shown = page.locator(".knnviz-figure").screenshot(style=no_grips)
    alone = opened(lab.record({"k": [100]}).page())
    reach(alone, k=100)
    assert alone.locator(".knnviz-figure").screenshot(style=no_grips) == shown

    n.press("Home")
    reach(page, n=200)
    page.get_by_role("button", name="Reset").click()
    reach(page, k=5, n=200)

    page.get_by_text("All controls").click()
    p1 = page.get_by_role("slider", name="flip rate of class 1 p1")
    assert p1.is_disabled()
    assert p1.get_attribute("title") == "needs Python"
    assert page.get_by_role("button", name="New sample").is_disabled()
    assert page.get_by_role("combobox", name="preset").is_disabled()
    grips = page.locator(".knnviz-grips div")
    assert grips.count() == 1, "a mark that cannot be moved has no grip"
    before = page.evaluate(STATE)
    page.locator(".knnviz-figure").get_by_role("img").click(position={"x": 100, "y": 100})
    assert page.evaluate(STATE) == before


def test_a_recorded_mark_follows_the_hand_to_what_was_recorded(opened, recording):
    page = opened(recording.page())
    reach(page, k=5, n=200)
    grip = page.locator(".knnviz-grips div")
    box = grip.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"], steps=8)
    reach(page, k=100, n=200)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"], steps=8)
    page.mouse.up()
    reach(page, k=5, n=200)


def test_a_recorded_lab_draws_the_samples_that_it_has(opened):
    page = opened(NeighborLab(n=200, seed=3, **SHOWN).record({"seed": [3, 4]}).page())
    for _ in range(2):
        page.get_by_role("button", name="New sample").click()
        reach(page, seed=4)


def test_an_option_takes_along_what_does_not_go_with_it(opened):
    processes = ["permutation", "first expert"]
    labels = ["label 0", "label 2"]
    controls = ["model", "column", "eta0"]
    lab = LearnabilityLab(model="permutation", controls=controls, panels=["fractions"])
    recorded = lab.record({"model": processes, "column": labels, "eta0": [0.5, 0.8]})
    page = opened(recorded.page())
    eta0 = page.get_by_role("slider", name="P(y = 0 | x)")
    eta0.press("End")
    page.get_by_role("combobox", name="edit", exact=True).select_option("label 2")
    reach(page, model="permutation", column="label 2", eta0=0.8)
    bags = page.get_by_role("combobox", name="bag process", exact=True)
    assert bags.locator("option").all_inner_texts() == processes
    bags.select_option("first expert")
    reach(page, model="first expert", column="label 0", eta0=0.8)
    bags.select_option("permutation")
    reach(page, model="permutation", eta0=0.8)


def test_markup_in_names_is_text(opened):
    name = "</script><img src=x onerror='window.hacked=1'>"
    table = pd.DataFrame({name: np.arange(60), "b": np.arange(60) % 7})
    own = from_data(table, [name, "b"] * 30, name=name)
    page = opened(NeighborLab(own, n=30, k=5, panels=["map"]).record({"k": [5, 6]}).page())
    reach(page, k=5)
    assert page.get_by_label("problem").input_value() == name
    assert page.locator("img[src='x']").count() == 0
    assert page.evaluate("typeof hacked") == "undefined"


def test_a_quick_drag_ends_where_the_hand_lets_go_and_a_player_plays(opened):
    lab = NeighborLab(n=500, k=25, controls=["k"], panels=["map"])
    page = opened(lab.record({"k": range(5, 101, 5)}).page())
    reach(page, k=25)
    box = page.get_by_role("slider", name="neighbors k").bounding_box()
    height = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 8 + (box["width"] - 16) * 4 / 19, height)
    page.mouse.down()
    page.mouse.move(box["x"], height, steps=30)
    page.mouse.move(box["x"] + box["width"] + 40, height)
    page.mouse.up()
    reach(page, k=100)
    assert page.locator("output").first.inner_text() == "100"

    example = {"problem": "worked example", "n": 100, "max_neighbors": 12}
    lab = EliminationLab(k=3, controls=["k"], panels=["ball"], **example)
    page = opened(lab.record({"k": range(1, 13)}).page())
    page.get_by_role("button", name="Step").click()
    reach(page, k=4)
    page.get_by_role("button", name="Play").click()
    reach(page, k=12)


QUESTIONS = [
    Asked("x", "1.", "What is *x*?", ["one", "two"]),
    Asked("y", "2.", "And y?", ["three", "four"]),
]

#: An explanation that waits for a step of a lab, and one that waits for none.
EXPLAINED = [QUESTIONS[0]._replace(waits=True), QUESTIONS[1]]


def test_recorded_questions_take_a_second_try_and_are_remembered(opened):
    page = opened(asking((QUESTIONS, ("Check", "Show the answer"), {"one": "Look again."})))
    first, second = page.locator("form").all()
    assert first.get_by_role("button", name="Check").is_disabled()
    first.get_by_label("one").check()
    first.get_by_role("button", name="Check").press("Enter")
    expect(first.get_by_role("status")).to_have_text("Look again.")
    assert first.get_by_label("one").is_disabled()
    assert first.get_by_role("button", name="Check").is_disabled()
    expect(first.get_by_label("two")).to_be_focused()
    first.get_by_label("two").check()
    first.get_by_role("button", name="Check").click()
    expect(first.get_by_role("status")).to_contain_text("You said: two")
    assert first.locator("em").inner_text() == "x"
    second.get_by_role("button", name="Show the answer").click()
    expect(second.get_by_role("status")).to_contain_text("You said: nothing")
    # As at a new start; a busy Chromium may forget what a page in a folder stored when it loads the
    # page again.
    page.evaluate("() => document.dispatchEvent(new Event('DOMContentLoaded'))")
    again = page.locator("form").nth(2)
    expect(again.get_by_role("status")).to_contain_text("You said: two")
    assert again.get_by_label("two").is_checked()


def test_a_step_of_a_recorded_lab_opens_the_explanation_and_paper_shows_it_anyway(opened):
    step = {"do": "Drag *k* to 1.", "see": "Islands.", "set": {"k": 1}, "explains": "x"}
    lab = NeighborLab(n=200, k=5, steps=[step], **SHOWN).record({"k": [1, 5]})
    waiting = {"nothing": "Predict.", "one": "Not yet.", "two": "Not yet."}
    predicted = QUESTIONS, ("Record", ""), {}
    page = opened(lab.page() + asking(predicted, (EXPLAINED, ("", "Skip"), waiting)))
    asked, _, explained, other = page.locator("form").all()
    assert explained.get_by_role("radio").count() == 0
    expect(explained.get_by_role("status")).to_have_text("Predict.")
    page.emulate_media(media="print")
    expect(explained.get_by_text("Because.")).to_be_visible()
    expect(explained.get_by_text("Predict.")).to_be_hidden()
    page.emulate_media(media="screen")
    asked.get_by_label("two").check()
    asked.get_by_role("button", name="Record").press("Enter")
    expect(explained.get_by_role("status")).to_have_text("Not yet.")
    page.get_by_role("button", name="Do it for me").click()
    expect(page.get_by_text("Islands.")).to_be_visible()
    expect(page.get_by_role("button", name="done")).to_have_count(1)
    expect(explained.get_by_role("status")).to_contain_text("You said: two")
    expect(other.get_by_role("status")).to_have_text("Predict.")
    other.get_by_role("button", name="Skip").press("Enter")
    expect(page.locator("form").nth(1).get_by_role("status")).to_contain_text("You said: nothing")
    assert other.get_by_role("status").evaluate("each => each === document.activeElement")


def asking(*cards):
    """A page of recorded questions that tell what was said: for each questions, two buttons and
    hints by answer a card.
    """

    def told(_, said):
        return [f"You said: {said}", "Because."]

    shown = ""
    for questions, buttons, hints in cards:

        def hint(_, said, hints=hints):
            return hints.get(said, "")

        card = Questions(questions, {}, told, hint, buttons=buttons, no_answer="nothing")
        shown += card.recorded()
    head = f"<!DOCTYPE html><html lang=en><title>Questions</title><style>{CARD_STYLE}</style>"
    return f"{head}{shown}<script>{QUESTIONS_SCRIPT}</script></html>"
