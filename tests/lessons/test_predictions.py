"""A prediction is recorded without its answer, and the first choice stays; the explanation opens with it."""

import json

import pytest

from knnviz.lessons import answers, content, explain, predict
from knnviz.lessons.card import Card, emphasized
from knnviz.lessons.download import Download

NAME = "noisy-labels"
ASKED = content.predictions()[NAME]
RIGHT, (WRONG, OTHER) = ASKED.answer, ASKED.wrong


pytestmark = pytest.mark.usefixtures("fresh")


@pytest.fixture
def asked(shown):
    """Ask a question: what it shows, and its card."""

    def ask():
        return shown(predict, NAME), Card.live[f"prediction {NAME}"]

    return ask


@pytest.fixture
def explained(shown):
    """Explain it: what this shows, and its card."""

    def ask():
        return shown(explain, NAME), Card.live[f"explanation {NAME}"]

    return ask


def test_nothing_is_predicted_or_told_when_all_cells_run(fresh, asked, explained):
    outputs, card = asked()
    _, closed = explained()
    assert fresh.predictions == {NAME: "no prediction"}
    assert card.revealed == closed.revealed == [{}], "the answer is not on the page"
    still = outputs[1]["text/markdown"]
    assert sorted(still.splitlines()[2:]) == sorted(f"- {choice}" for choice in ASKED.choices)
    assert "<details>" not in still
    assert "application/vnd.jupyter.widget-view+json" in outputs[2]


def test_a_choice_is_recorded_and_opens_the_explanation_alone(fresh, asked, explained):
    _, closed = explained()
    _, card = asked()
    seen = []
    closed.observe(lambda _: seen.append(fresh.predictions[NAME]), "revealed")
    card.answer(WRONG)
    assert seen == [WRONG]
    assert card.revealed == [{"said": WRONG, "told": ["Recorded. Now try it below."]}]
    [verdict, answer, because, *others] = closed.revealed[0]["told"]
    assert (verdict, answer, because) == (f"You expected: {WRONG}.", f"<b>{RIGHT}</b>", ASKED.because)
    assert [OTHER in other for other in others] == [False, True, False]
    assert ASKED.known.split("*")[0] in others[-1]
    assert others[0].endswith(f"This {ASKED.wrong[WRONG]}.")


def test_a_right_prediction_is_told(asked, explained):
    asked()[1].answer(RIGHT)
    assert explained()[1].revealed[0]["told"][0] == "As you said."


def test_the_first_choice_is_kept(fresh, asked, explained):
    _, card = asked()
    card.answer(WRONG)
    card.answer(RIGHT)
    assert fresh.predictions[NAME] == WRONG
    _, again = asked()
    assert again.revealed[0]["said"] == WRONG, "the cell run again shows what was said"
    assert card.comm is None, "the question of the earlier run is closed"
    assert explained()[1].revealed[0]["told"][0] == f"You expected: {WRONG}."


def test_who_has_seen_the_answer_cannot_predict_it_any_more(fresh, asked, explained):
    _, card = asked()
    _, opened = explained()
    opened.answer(None)
    assert opened.revealed[0]["told"][:2] == ["You recorded no prediction.", f"<b>{RIGHT}</b>"]
    assert card.revealed[0]["told"] == ["You have seen the answer below, so a prediction is no longer recorded."]
    _, again = asked()
    again.answer(RIGHT)
    assert fresh.predictions[NAME] == "no prediction"


def test_a_saved_explanation_is_folded_with_what_we_now_know(shown, monkeypatch):
    known = content.Prediction("Q?", "yes", "so", {"no": "forgets R*"}, known="R* is *fixed*.")
    monkeypatch.setattr("knnviz.lessons.predictions.predictions", lambda: {"q": known})
    still = shown(explain, "q")[1]["text/markdown"]
    told = '**yes**\n\nso\n\n"no." This forgets R*.\n\n**What we now know.** R* is *fixed*.'
    assert still.endswith(f"</summary>\n\n{told}\n\n</details>")
    Card.live["explanation q"].answer(None)
    [*_, last] = Card.live["explanation q"].revealed[0]["told"]
    assert last == "<b>What we now know.</b> R* is <em>fixed</em>."


@pytest.mark.parametrize("function", [predict, explain])
def test_an_unknown_name_is_refused(function):
    with pytest.raises(ValueError, match=r"there is no prediction 'nobody'; there are "):
        function("nobody")


def test_questions_are_text_never_markup():
    assert emphasized("On *bump* **1 < 2** & <b>") == "On <em>bump</em> <b>1 &lt; 2</b> &amp; &lt;b&gt;"


def test_answers_are_downloaded(fresh, asked):
    asked()[1].answer(WRONG)
    fresh.exercises["bayes-risk"], fresh.misses["bayes-risk"] = "correct", 2
    button = Download(fresh.text)
    button.asked = 1
    assert json.loads(button.content["text"]) == {
        "predictions": {NAME: WRONG},
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
