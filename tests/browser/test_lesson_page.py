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
    opened.run("opening", "p1", "p2", "five", "quiz", "flipped", "answers")
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


def test_opened_but_not_run_a_question_shows_its_choices_and_keeps_the_answer_folded(opened):
    asked = cell(opened, "p1")
    asked.get_by_text("It breaks into islands").first.wait_for()
    assert not asked.locator("details").evaluate("each => each.open")
    assert asked.locator(CARD).count() == 0
    assert "model not found" not in asked.inner_text()
    opened.screenshot("question-not-run")


def test_a_prediction_by_keyboard(lesson):
    asked = cell(lesson, "p2")
    card = asked.locator(CARD)
    card.wait_for()
    expect(asked.get_by_text("The answer", exact=True)).to_be_hidden()
    expect(asked.get_by_text("Where class 1 has 50 to 83%")).to_be_hidden()
    card.get_by_label("More data and more votes").focus()
    for key in ("ArrowDown", "ArrowDown", "Tab", "Enter"):
        lesson.page.keyboard.press(key)
    verdict = card.get_by_role("status")
    expect(verdict).to_contain_text("Where class 1 has 50 to 83%")
    lesson.screenshot("prediction")
    assert lesson.violations(CARD) == ""
    assert re.match(r"A surprise\. You said: More votes: .+\s+Neither of the two: ", verdict.inner_text())
    assert card.get_by_label("More data and more votes").is_disabled()
    assert verdict.evaluate("each => each === document.activeElement"), "the next Tab goes on from the answer"
    recorded = lesson.evaluate("from knnviz.lessons.record import RECORD; print(RECORD.predictions['noisy-labels'])")
    assert recorded.startswith("More votes: ")


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
    lesson.command("notebook:run-cell")
    answers.get_by_text("correct").wait_for()
    with lesson.page.expect_download() as download:
        answers.get_by_role("button", name="Download my answers").click()
    assert download.value.suggested_filename == "my-answers.json"
    assert json.loads(download.value.path().read_text())["exercises"]["flipped"] == "correct"


def test_a_card_whose_kernel_is_gone_says_so_and_keeps_its_answer(lesson):
    lesson.expect("Canceled future")
    card = cell(lesson, "p1").locator(CARD)
    card.get_by_role("button", name="Show the answer").click()
    expect(card.get_by_role("status")).to_contain_text("Near every point the map takes")
    lesson.ask_kernel("restart()")
    expect(card.get_by_role("alert")).to_contain_text("run this cell again", timeout=20_000)
    expect(card.get_by_role("status")).to_contain_text("Near every point the map takes")
    unanswered = cell(lesson, "quiz").locator(CARD).first
    expect(unanswered.get_by_role("alert")).to_contain_text("run this cell again")
    expect(unanswered.get_by_label("The class of its nearest neighbor")).to_be_disabled()
    expect(cell(lesson, "answers").get_by_role("button", name="run this cell again")).to_be_disabled()
