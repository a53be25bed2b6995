"""A prediction is recorded before its answer shows, and the first word stands."""

import json

import pytest

from knnviz.lessons import answers, book, predict
from knnviz.lessons.card import Card, Download, emphasized

RIGHT = book.predictions()["noisy-labels"].choice
CHOICES = ["about 0.9", RIGHT, "about 0.1"]


pytestmark = pytest.mark.usefixtures("fresh")


@pytest.fixture
def asked(shown):
    """Ask a question: what it shows, and its card."""

    def ask(choices=CHOICES):
        return shown(predict, "noisy-labels", "What?", choices), Card.live["prediction noisy-labels"]

    return ask


def test_nothing_is_predicted_when_all_cells_run(fresh, asked):
    outputs, card = asked()
    assert fresh.predictions == {"noisy-labels": "no prediction"}
    assert card.revealed == [{}], "the answer is not on the page"
    assert card.get_state(["questions", "revealed"])["revealed"] == [{}]
    still = outputs[1]["text/markdown"]
    assert f"<details><summary><b>The answer</b></summary>\n\n**{RIGHT}**" in still
    assert still.index("about 0.1") < still.index("<details>")
    assert "application/vnd.jupyter.widget-view+json" in outputs[2]


def test_the_choice_is_recorded_before_the_answer_shows(fresh, asked):
    _, card = asked()
    seen = []
    card.observe(lambda _: seen.append(fresh.predictions["noisy-labels"]), "revealed")
    card.answer("about 0.1")
    assert seen == ["about 0.1"]
    assert card.revealed[0]["verdict"] == "A surprise. You said: about 0.1"
    assert card.revealed[0]["answer"] == RIGHT
    assert "0.40" in card.revealed[0]["because"]


def test_a_right_prediction_is_told(asked):
    _, card = asked()
    card.answer(RIGHT)
    assert card.revealed[0]["verdict"] == "As you said."


def test_the_first_word_stands(fresh, asked):
    _, card = asked()
    card.answer("about 0.1")
    card.answer(RIGHT)
    assert fresh.predictions["noisy-labels"] == "about 0.1"
    _, again = asked()
    assert again.revealed[0]["said"] == "about 0.1", "the cell run again shows what was said"
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


def test_an_unknown_name_and_an_answer_that_is_no_choice_are_refused():
    with pytest.raises(ValueError, match=r"there is no prediction 'nobody'; there are "):
        predict("nobody", "What?", CHOICES)
    with pytest.raises(
        ValueError, match=r"the answer to 'noisy-labels' must be among its choices, and 'Neither .+' is not"
    ):
        predict("noisy-labels", "What?", ["yes", "no"])


def test_questions_are_text_never_markup():
    assert emphasized("On *bump* 1 < 2 & <b>") == "On <em>bump</em> 1 &lt; 2 &amp; &lt;b&gt;"


def test_answers_can_be_seen_and_taken_along(fresh, asked, shown):
    asked()[1].answer("about 0.1")
    fresh.exercises["bayes-risk"], fresh.misses["bayes-risk"] = "correct", 2
    assert "| prediction | noisy-labels | about 0.1 |" in shown(answers)[0]["text/markdown"]
    button = Download(fresh.text)
    button.asked = 1
    assert json.loads(button.content["text"]) == {
        "predictions": {"noisy-labels": "about 0.1"},
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


def test_choices_stand_in_an_order_of_their_own(asked):
    _, one = asked()
    _, other = asked(choices=CHOICES[::-1])
    assert one.asked[0].choices == other.asked[0].choices
    assert sorted(one.asked[0].choices) == sorted(CHOICES)
