"""A lesson as a student uses it: questions, exercises, answers to take along."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from session import NOTEBOOK, Session

CARD = ".knnviz-question"


@pytest.fixture(scope="module")
def opened(server, context):
    """The lesson on one page for all of its readers: each takes up another part of it."""
    session = Session(server, context, Path(__file__).parents[2] / "screenshots")
    session.open(NOTEBOOK)
    yield session
    session.close()
    assert session.errors == []


@pytest.fixture(scope="module")
def lesson(opened):
    """The lesson with cells run, as far as its readers come."""
    opened.page.bring_to_front()
    opened.run("opening", "p1", "five", "quiz", "flipped", "answers")
    return opened


def cell(lesson, name):
    """The cell with an id, scrolled into view."""
    lesson.page.evaluate(
        """async (name) => {
          const notebook = window.jupyterapp.shell.currentWidget.content;
          const index = notebook.widgets.findIndex((each) => each.model.id === name);
          notebook.activeCellIndex = index;
          await notebook.scrollToItem(index, 'start');
        }""",
        name,
    )
    found = lesson.page.locator(".jp-Cell.jp-mod-active")
    found.wait_for()
    return found


def test_opened_but_not_run_a_question_shows_its_choices(opened):
    asked = cell(opened, "p1")
    asked.get_by_text("It breaks into islands").first.wait_for()
    assert asked.locator(CARD).count() == 0
    assert "model not found" not in asked.inner_text()
    opened.screenshot("question-not-run")


#: A prediction with its explanation, and another one.
CELLS = (
    "from knnviz.lessons import explain, predict\n\npredict('one-neighbor')",
    "explain('one-neighbor')",
    "predict('no-scaling')",
    "explain('no-scaling')",
)


def test_a_prediction_by_keyboard_opens_its_explanation(session):
    session.write("asked.ipynb", *CELLS)
    session.open("asked.ipynb")
    session.command("notebook:run-all-cells")
    keyboard, cards = session.page.keyboard, session.page.locator(CARD)
    expect(cards).to_have_count(4)
    card, explanation, other, other_explanation = cards.all()
    expect(session.page.get_by_text("one label is drawn by chance").filter(visible=True)).to_have_count(1)
    expect(card.get_by_role("button")).to_have_text(["Record my prediction"])
    card.get_by_role("radio").first.focus()
    for key in ("ArrowDown", "ArrowUp", "Tab", "Enter"):
        keyboard.press(key)
    verdict, told = card.get_by_role("status"), explanation.get_by_role("status")
    expect(verdict).to_have_text("Recorded. Now try it below.")
    assert verdict.evaluate("each => each === document.activeElement"), "the next Tab goes on from here"
    assert card.get_by_role("radio").first.is_disabled()
    expect(told).to_contain_text("In the limit it errs with probability 0.375.")
    assert told.get_attribute("aria-live") == "off", "a screen reader does not read out the answer before the lab"
    expect(other_explanation.get_by_role("status")).to_be_empty()
    other_explanation.get_by_role("button", name="Show the answer").focus()
    keyboard.press("Enter")
    expect(other_explanation.get_by_role("status")).to_contain_text("You recorded no prediction.")
    expect(other_explanation.get_by_role("status")).to_be_focused()
    expect(other.get_by_role("status")).to_contain_text("You have seen the answer below")
    assert session.violations(CARD) == ""
    session.screenshot("prediction")
    before = explanation.inner_text()
    session.command("notebook:run-all-cells")
    session.idle()
    expect(cards.nth(1)).to_have_text(re.compile("drawn by chance"))
    assert cards.nth(1).inner_text() == before


def test_a_quiz_marks_an_answer_and_gives_the_reason(lesson):
    cards = cell(lesson, "quiz").locator(CARD)
    other, card = cards.nth(0), cards.nth(1)
    card.get_by_label("Ties become more frequent").check()
    card.get_by_role("button", name="Check").click()
    expect(card.get_by_role("status")).to_contain_text("Not quite. You said: Ties become more frequent")
    expect(card.get_by_role("status")).to_contain_text("they average over a large area")
    assert lesson.violations(CARD) == ""
    expect(other.get_by_role("status")).to_be_empty()
    lesson.screenshot("quiz")


def test_an_exercise_from_stub_to_solution_and_the_answers(lesson):
    exercise = cell(lesson, "flipped")
    assert "not attempted" in exercise.inner_text()
    for code, said in (
        ("flipped = (observed != sample.y).mean()", "cannot flip here"),
        ("flipped = (observed[sample.y == 1] == 0).mean()", "Exercise flipped: correct."),
    ):
        exercise.locator(".cm-content").click()
        lesson.page.keyboard.press("Control+a")
        lesson.page.keyboard.insert_text(f'{code}\n\ncheck("flipped", flipped)')
        lesson.page.keyboard.press("Control+Enter")
        exercise.get_by_role("status").filter(has_text=said).wait_for()
    lesson.screenshot("exercise")
    assert lesson.violations(".jp-OutputArea-output:has([role=status])") == ""
    answers = cell(lesson, "answers")
    with lesson.page.expect_download() as download:
        answers.get_by_role("button", name="Download my answers").click()
    assert download.value.suggested_filename == "my-answers.json"
    assert json.loads(download.value.path().read_text())["exercises"]["flipped"] == "correct"


def test_a_card_whose_kernel_is_gone_says_so_and_keeps_its_answer(lesson):
    lesson.expect("Canceled future")
    card = cell(lesson, "p1").locator(CARD)
    card.get_by_role("radio").first.check()
    card.get_by_role("button", name="Record my prediction").click()
    expect(card.get_by_role("status")).to_contain_text("Recorded.")
    lesson.ask_kernel("restart()")
    expect(card.get_by_role("alert")).to_contain_text("run this cell again", timeout=20_000)
    expect(card.get_by_role("status")).to_contain_text("Recorded.")
    unanswered = cell(lesson, "quiz").locator(CARD).first
    expect(unanswered.get_by_role("alert")).to_contain_text("run this cell again")
    expect(unanswered.get_by_label("The class of its nearest neighbor")).to_be_disabled()
    expect(cell(lesson, "answers").get_by_role("button", name="run this cell again")).to_be_disabled()
