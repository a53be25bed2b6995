"""A quiz asks five questions, shows at once what is right and why, and keeps the first answer."""

import json

import pytest
from refusals import refuses

from knnviz.lessons import content, quiz
from knnviz.lessons.card import Card

pytestmark = pytest.mark.usefixtures("fresh")

QUESTIONS = [
    content.QuizQuestion(f"Is {number} even?", ("yes", "no"), "yes" if number % 2 == 0 else "no", f"Halve {number}.")
    for number in range(1, 6)
]


@pytest.fixture
def asked(shown, monkeypatch):
    """Ask a quiz: what it shows, and its card."""
    monkeypatch.setattr("knnviz.lessons.quizzes.quizzes", lambda: {"numbers": QUESTIONS})
    return lambda: (shown(quiz, "numbers"), Card.live["quiz numbers"])


def test_five_questions_are_one_widget_and_no_answer_is_on_the_page(fresh, asked):
    outputs, card = asked()
    assert [each["lead"] for each in card.questions] == ["1.", "2.", "3.", "4.", "5."]
    assert card.get_state(["revealed"])["revealed"] == [{}] * 5
    assert fresh.quizzes == {f"numbers, {number}": "not answered" for number in range(1, 6)}
    assert outputs[1]["text/markdown"].count("<details>") == 5


def test_an_answer_is_marked_with_its_reason(fresh, asked):
    _, card = asked()
    card.answer("yes", 1)
    card.answer("yes", 2)
    card.answer(None, 3)
    assert [each.get("told") for each in card.revealed] == [
        None,
        ["Correct.", "<b>yes</b>", "Halve 2."],
        ["Not quite. You said: yes", "<b>no</b>", "Halve 3."],
        ["Not answered.", "<b>yes</b>", "Halve 4."],
        None,
    ]
    assert json.loads(fresh.text())["quizzes"]["numbers, 3"] == "yes"


def test_the_first_answer_stands_when_the_cell_runs_again(fresh, asked):
    asked()[1].answer("yes", 0)
    _, again = asked()
    assert again.revealed[0]["said"] == "yes"
    again.answer("no", 0)
    assert fresh.quizzes["numbers, 1"] == "yes"


def test_an_unknown_chapter_is_refused():
    refuses(r"there is no quiz 'nothing'; there are", quiz, "nothing")
