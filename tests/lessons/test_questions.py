"""Questions keep the first choice, with no answer before it; explanations open with predictions
and steps.
"""

import json
from collections import Counter

import pytest
from refusals import refuses
from test_record import answer, closed, press

from knnviz.cell_outputs import emphasized, plain
from knnviz.labs.engine.steps import Step, as_html
from knnviz.lessons import check_up, content, explain, predict, quiz
from knnviz.lessons.card import Card
from knnviz.lessons.check_ups import check_up_questions
from knnviz.lessons.download import Download

NAME = "noisy-labels"
ASKED = content.predictions()[NAME]
RIGHT = ASKED.answer
(WRONG, OTHER) = ASKED.wrong

QUIZ = []
for n, right, wrong in ((1, "no", "yes"), (2, "yes", "no"), (3, "no", "yes")):
    hints = {wrong: "Halve.", "?": "?"}
    QUIZ.append(content.Question(f"numbers, {n}", f"Is {n} even?", right, f"Halve {n}.", hints))

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
    asked_twice = [each for questions in content.check_ups().values() for each in questions]
    for each in (*content.predictions().values(), *quizzes, *asked_twice):
        assert each.answer in each.choices
        assert len({*each.choices}) == len(each.choices) > 1, each.question


def test_a_name_belongs_to_one_chapter():
    named = Counter()
    for chapter in content.chapters().values():
        for kind, entries in chapter.items():
            named.update((kind, name) for name in entries)
    assert set(named.values()) == {1}


def test_nothing_is_predicted_or_told_when_all_cells_run(fresh, ask):
    _, card = ask(predict)
    _, explained = ask(explain)
    assert fresh.predictions == {NAME: "no prediction"}
    shown = str(card.revealed) + str(explained.revealed)
    assert not any(text in shown for text in (RIGHT, ASKED.because)), "no answer on the page"


def test_a_choice_is_recorded_and_a_step_opens_the_explanation(fresh, ask):
    _, explained = ask(explain)
    _, card = ask(predict)
    seen = []
    explained.observe(lambda _: seen.append(fresh.predictions[NAME]), "revealed")
    answer(card, WRONG)
    assert seen == [WRONG]
    assert card.revealed == [{"said": WRONG, "told": ["Recorded. Now try it below."]}]
    [missing] = explained.revealed[0]["told"]
    assert "Do the first step" in missing

    press(explained, {"question": 0, "step": True})
    [verdict, right, because, first, second, known] = explained.revealed[0]["told"]
    assert (verdict, right, because) == (
        f"You expected: {WRONG}.",
        f"<b>{RIGHT}</b>",
        ASKED.because,
    )
    assert ASKED.wrong[WRONG] in first
    assert OTHER in second
    assert ASKED.known.split("*")[0] in known


def test_a_step_without_a_prediction_opens_nothing_until_there_is_one(ask):
    _, explained = ask(explain)
    press(explained, {"question": 0, "step": True})
    assert closed(explained) == [False]
    answer(ask(predict)[1], RIGHT)
    assert closed(explained) == [True]


def test_an_explanation_of_a_prediction_without_steps_opens_with_it(shown):
    name = "no-scaling"
    shown(explain, name)
    shown(predict, name)
    answer(Card.live[f"prediction {name}"], content.predictions()[name].answer)
    assert closed(Card.live[f"explanation {name}"]) == [True]


def test_paper_has_what_steps_find_with_the_explanation_and_not_before_it(ask):
    steps = content.steps(ASKED.steps)
    assert steps[0]["explains"] == NAME
    lab = as_html([Step(**each) for each in steps])
    outputs, _ = ask(explain)
    answer = outputs[1]["text/markdown"]
    for each in steps:
        assert plain(each["see"]) in answer
        assert emphasized(plain(each["do"])) in lab
        assert emphasized(plain(each["see"])) not in lab


def test_the_first_choice_is_kept(fresh, ask):
    _, card = ask(predict)
    answer(card, RIGHT)
    answer(card, WRONG)
    assert fresh.predictions[NAME] == RIGHT
    _, again = ask(predict)
    assert again.revealed[0]["said"] == RIGHT, "the cell run again shows what was said"
    assert card.comm is None, "the question of the earlier run is closed"
    _, explained = ask(explain)
    answer(explained, None)
    assert explained.revealed[0]["told"][0] == "As you said."


def test_who_has_seen_the_answer_cannot_predict_it_any_more(fresh, ask):
    _, card = ask(predict)
    answer(ask(explain)[1], None)
    assert Card.live[f"explanation {NAME}"].revealed[0]["told"][1] == f"<b>{RIGHT}</b>"
    assert card.revealed[0]["told"] == [
        "You have seen the answer below, so a prediction is no longer recorded."
    ]
    answer(ask(predict)[1], RIGHT)
    assert fresh.predictions[NAME] == "no prediction"


def test_a_quiz_keeps_the_first_answers_and_takes_a_second_one_after_a_hint(fresh, ask):
    outputs, card = ask(quiz)
    assert not any(each["told"] for each in card.revealed), "no answer is on the page"
    assert outputs[1]["text/markdown"].count("<details>") == 6
    answer(card, "yes", 1)
    for _ in range(2):
        # A page sends a choice again whose answer has not come.
        answer(card, "yes", 2)
        assert card.revealed[2] == {
            "said": "yes",
            "told": ["Not quite. Halve. Try again."],
            "open": True,
        }
    _, again = ask(quiz)
    answer(again, "no", 1)
    answer(again, "no", 2)
    answer(again, "yes", 0)
    answer(again, None, 0)
    answer(again, "no", 0)
    assert [each["told"] for each in again.revealed] == [
        ["Not quite. You said: yes", "<b>no</b>", "Halve 1."],
        ["Correct.", "<b>yes</b>", "Halve 2."],
        ["Correct.", "<b>no</b>", "Halve 3."],
    ]
    assert fresh.quizzes == {"numbers, 1": "yes", "numbers, 2": "yes", "numbers, 3": "yes"}


def test_no_hint_has_the_answer_in_it():
    for questions in content.quizzes().values():
        for each in questions:
            assert not any(each.answer in hint for hint in each.wrong.values()), each.question


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
    button = Download()
    saved = []
    button.send = saved.append
    press(button, {})
    found = json.loads(saved[0])
    assert found["predictions"] == {NAME: WRONG}
    assert (found["exercises"], found["misses"]) == ({"bayes-risk": "correct"}, {"bayes-risk": 2})


def test_a_check_up_tells_what_is_right_only_after_the_lesson(fresh, shown):
    """Ask before and after, with one answer that has become right and one that has not."""
    questions = content.check_ups()["02-first"]
    wrong = [[*each.wrong] for each in questions]
    shown(check_up, "02-first")
    before = Card.live["check-up 02-first before"]
    for at, choices in enumerate([*wrong, [None]]):
        answer(before, choices[0], at)
    assert [each["told"] for each in before.revealed] == [["Recorded."]] * 7

    shown(check_up, "02-first", after=True)
    after = Card.live["check-up 02-first after"]
    answer(after, questions[0].answer)
    answer(after, wrong[1][1], 1)
    became_right, still_wrong, *others = after.revealed
    assert became_right["told"][0] == "Right now."
    assert emphasized(questions[0].because) in became_right["told"]
    assert still_wrong["told"][0] == "Not quite."
    assert still_wrong["told"][1] == emphasized(f"Before, you said: {wrong[1][0]}")
    assert all(each["open"] and not each["told"] for each in others)
    kept = [fresh.check_ups[f"02-first, 1, {time}"] for time in ("before", "after")]
    assert kept == [wrong[0][0], questions[0].answer]


def test_a_lesson_is_checked_up_in_its_sittings():
    each = check_up_questions("02-first") + check_up_questions("02-second")
    assert check_up_questions("02") == each
    refuses("there is no check-up '9'", check_up, "9")
