"""Questions keep the first choice, with no answer before it; predictions open explanations."""

import json

import pytest
from refusals import refuses
from test_record import answer, press

from knnviz.cell_outputs import emphasized
from knnviz.lessons import content, explain, predict, quiz
from knnviz.lessons.card import Card
from knnviz.lessons.download import Download

NAME = "noisy-labels"
ASKED = content.predictions()[NAME]
RIGHT = ASKED.answer
(WRONG, OTHER) = ASKED.wrong

QUIZ = [
    content.QuizQuestion(
        f"Is {number} even?", ("yes", "no"), "no" if number % 2 else "yes", f"Halve {number}."
    )
    for number in (1, 2, 3)
]

pytestmark = pytest.mark.usefixtures("fresh")


@pytest.fixture
def ask(shown, monkeypatch):
    """Run a cell with a question: what it shows, and its card."""
    monkeypatch.setattr("knnviz.lessons.quizzes.quizzes", lambda: {"numbers": QUIZ})
    keys = {predict: f"prediction {NAME}", explain: f"explanation {NAME}", quiz: "quiz numbers"}

    def asked(function):
        key = keys[function]
        outputs = shown(function, key.split()[1])
        return outputs, Card.live[key]

    return asked


def test_the_answer_of_each_question_is_one_of_its_choices_which_differ():
    quizzes = [each for questions in content.quizzes().values() for each in questions]
    for each in (*content.predictions().values(), *quizzes):
        assert each.answer in each.choices
        assert len({*each.choices}) == len(each.choices) > 1, each.question


def test_a_name_belongs_to_one_chapter(tmp_path, monkeypatch):
    for chapter in ("01", "02"):
        (tmp_path / f"{chapter}.toml").write_text('[predictions.twice]\nbecause = "b"\n', "utf-8")
    monkeypatch.setattr(content, "CHAPTERS", tmp_path)
    monkeypatch.setattr(content, "chapters", content.chapters.__wrapped__)
    refuses("predictions that another chapter has too: twice", content._entries, "predictions")


def test_nothing_is_predicted_or_told_when_all_cells_run(fresh, ask):
    _, card = ask(predict)
    _, closed = ask(explain)
    assert fresh.predictions == {NAME: "no prediction"}
    assert card.revealed == closed.revealed == [{}], "the answer is not on the page"


def test_a_choice_is_recorded_and_opens_the_explanation_alone(fresh, ask):
    _, closed = ask(explain)
    _, card = ask(predict)
    seen = []
    closed.observe(lambda _: seen.append(fresh.predictions[NAME]), "revealed")
    answer(card, WRONG)
    assert seen == [WRONG]
    assert card.revealed == [{"said": WRONG, "told": ["Recorded. Now try it below."]}]
    [verdict, right, because, first, second, known] = closed.revealed[0]["told"]
    assert (verdict, right, because) == (
        f"You expected: {WRONG}.",
        f"<b>{RIGHT}</b>",
        ASKED.because,
    )
    assert first.endswith(f"This {ASKED.wrong[WRONG]}.")
    assert OTHER in second
    assert ASKED.known.split("*")[0] in known


def test_the_first_choice_is_kept(fresh, ask):
    _, card = ask(predict)
    answer(card, RIGHT)
    answer(card, WRONG)
    assert fresh.predictions[NAME] == RIGHT
    _, again = ask(predict)
    assert again.revealed[0]["said"] == RIGHT, "the cell run again shows what was said"
    assert card.comm is None, "the question of the earlier run is closed"
    assert ask(explain)[1].revealed[0]["told"][0] == "As you said."


def test_who_has_seen_the_answer_cannot_predict_it_any_more(fresh, ask):
    _, card = ask(predict)
    answer(ask(explain)[1], None)
    assert Card.live[f"explanation {NAME}"].revealed[0]["told"][1] == f"<b>{RIGHT}</b>"
    assert card.revealed[0]["told"] == [
        "You have seen the answer below, so a prediction is no longer recorded."
    ]
    answer(ask(predict)[1], RIGHT)
    assert fresh.predictions[NAME] == "no prediction"


def test_a_quiz_is_one_widget_and_keeps_the_first_answers(fresh, ask):
    outputs, card = ask(quiz)
    assert card.revealed == [{}] * 3, "no answer is on the page"
    assert outputs[1]["text/markdown"].count("<details>") == 3
    answer(card, "yes", 1)
    answer(card, "yes", 2)
    _, again = ask(quiz)
    answer(again, "no", 1)
    answer(again, None, 0)
    assert [each["told"] for each in again.revealed] == [
        ["Not answered.", "<b>no</b>", "Halve 1."],
        ["Correct.", "<b>yes</b>", "Halve 2."],
        ["Not quite. You said: yes", "<b>no</b>", "Halve 3."],
    ]
    assert fresh.quizzes == {"numbers, 1": "not answered", "numbers, 2": "yes", "numbers, 3": "yes"}


@pytest.mark.parametrize("function", [predict, explain, quiz])
def test_an_unknown_name_is_refused(function):
    refuses("'nobody'; there are ", function, "nobody")


def test_questions_are_text_never_markup():
    found = emphasized("On *bump* **1 < 2**, R* & <b>")
    assert found == "On <em>bump</em> <b>1 &lt; 2</b>, R* &amp; &lt;b&gt;"


def test_answers_are_downloaded(fresh, ask):
    answer(ask(predict)[1], WRONG)
    fresh.exercises["bayes-risk"] = "correct"
    fresh.misses["bayes-risk"] = 2
    button = Download(fresh.text)
    saved = []
    button.send = saved.append
    press(button, {})
    exercises = {"exercises": {"bayes-risk": "correct"}, "misses": {"bayes-risk": 2}}
    questions = {"predictions": {NAME: WRONG}, "quizzes": {}, "seen": [NAME]}
    assert json.loads(saved[0]) == questions | exercises
