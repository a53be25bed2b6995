"""A prediction is recorded before its answer shows, and the first choice stays."""

import json

import pytest

from knnviz.lessons import answers, content, predict
from knnviz.lessons.card import Card, Download, emphasized

ASKED = content.predictions()["noisy-labels"]
RIGHT, (WRONG, *_) = ASKED.answer, ASKED.wrong


pytestmark = pytest.mark.usefixtures("fresh")


@pytest.fixture
def asked(shown):
    """Ask a question: what it shows, and its card."""

    def ask():
        return shown(predict, "noisy-labels"), Card.live["prediction noisy-labels"]

    return ask


def test_nothing_is_predicted_when_all_cells_run(fresh, asked):
    outputs, card = asked()
    assert fresh.predictions == {"noisy-labels": "no prediction"}
    assert card.revealed == [{}], "the answer is not on the page"
    assert card.get_state(["questions", "revealed"])["revealed"] == [{}]
    still = outputs[1]["text/markdown"]
    assert f"<details><summary><b>The answer</b></summary>\n\n**{RIGHT}**" in still
    assert still.index(WRONG) < still.index("<details>")
    assert "application/vnd.jupyter.widget-view+json" in outputs[2]


def test_the_choice_is_recorded_before_the_answer_shows(fresh, asked):
    _, card = asked()
    seen = []
    card.observe(lambda _: seen.append(fresh.predictions["noisy-labels"]), "revealed")
    card.answer(WRONG)
    assert seen == [WRONG]
    assert card.revealed[0]["verdict"] == f"A surprise. You said: {WRONG}"
    assert card.revealed[0]["answer"] == RIGHT
    assert "0.40" in card.revealed[0]["because"]


def test_a_right_prediction_is_told(asked):
    _, card = asked()
    card.answer(RIGHT)
    assert card.revealed[0]["verdict"] == "As you said."


def test_the_first_choice_is_kept(fresh, asked):
    _, card = asked()
    card.answer(WRONG)
    card.answer(RIGHT)
    assert fresh.predictions["noisy-labels"] == WRONG
    _, again = asked()
    assert again.revealed[0]["said"] == WRONG, "the cell run again shows what was said"
    assert card.comm is None, "the question of the earlier run is closed"


def test_an_answer_without_a_prediction(fresh, asked):
    _, card = asked()
    card.answer(None)
    assert fresh.predictions["noisy-labels"] == "no prediction"
    assert card.revealed[0]["verdict"] == "No prediction recorded."
    assert card.revealed[0]["answer"] == RIGHT


def test_who_has_seen_the_answer_cannot_predict_it_any_more(fresh, asked):
    _, card = asked()
    card.answer(None)
    card.answer(RIGHT)
    _, again = asked()
    again.answer(RIGHT)
    assert fresh.predictions["noisy-labels"] == "no prediction"


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match=r"there is no prediction 'nobody'; there are "):
        predict("nobody")


def test_questions_are_text_never_markup():
    assert emphasized("On *bump* 1 < 2 & <b>") == "On <em>bump</em> 1 &lt; 2 &amp; &lt;b&gt;"


def test_answers_are_shown_and_downloaded(fresh, asked, shown):
    asked()[1].answer(WRONG)
    fresh.exercises["bayes-risk"], fresh.misses["bayes-risk"] = "correct", 2
    assert f"| prediction | noisy-labels | {WRONG} |" in shown(answers)[0]["text/markdown"]
    button = Download(fresh.text)
    button.asked = 1
    assert json.loads(button.content["text"]) == {
        "predictions": {"noisy-labels": WRONG},
        "quizzes": {},
        "exercises": {"bayes-risk": "correct"},
        "misses": {"bayes-risk": 2},
    }


def test_each_run_of_the_answers_takes_the_place_of_the_last(shown):
    shown(answers)
    before = Card.live["answers"]
    shown(answers)
    assert before.comm is None
    assert Card.live["answers"].comm is not None


def test_all_choices_are_there(asked):
    _, card = asked()
    assert sorted(card.asked[0].choices) == sorted(ASKED.choices)
