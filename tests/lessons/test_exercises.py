"""Exercises: the stub is not attempted, the solution correct, and each wrong idea gets its own hint."""

import sys

import pytest

from knnviz.lessons import check, content, exercises
from knnviz.lessons.content import Exercise, WrongIdea

NAMES = sorted(content.exercises())
IDEAS = [(name, at) for name in NAMES for at in range(len(content.exercises()[name].wrong))]

NUMBER = Exercise(
    "number",
    "answer",
    "answer = ...",
    "answer = 0.25",
    "Think again.",
    tolerance=0.01,
    wrong=(WrongIdea("half", "answer = 0.5", "Not half."),),
)


pytestmark = pytest.mark.usefixtures("fresh")


@pytest.fixture
def line(shown):
    """What a check of an answer shows."""
    return lambda name, *answer: shown(check, name, *answer)[0]


def made(exercise, code):
    """What a reader's cell binds, with the imports that the notebook has made before."""
    return exercises.evaluated(f"{exercise.imports}\n{code}", exercise.answer)


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_is_not_attempted_and_the_solution_is_correct(name):
    exercise = content.exercises()[name]
    assert exercises.judged(exercise, made(exercise, exercise.stub)).state == "not attempted"
    assert exercises.judged(exercise, made(exercise, exercise.solution)) == ("correct", "")
    assert exercises.judged(exercise, ...).state == "not attempted"


@pytest.mark.parametrize(("name", "at"), IDEAS)
def test_each_wrong_idea_gets_its_own_hint(name, at):
    exercise = content.exercises()[name]
    idea = exercise.wrong[at]
    assert exercises.judged(exercise, made(exercise, idea.code)) == ("not yet", idea.hint)
    assert sum(each.hint == idea.hint for each in exercise.wrong) == 1


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_idea_gets_the_general_hint(name):
    exercise = content.exercises()[name]
    assert exercises.judged(exercise, lambda *_: -17.5) == ("not yet", exercise.hint)


TEXT = "Your answer is text. Return numbers, without quotes and without an f-string."


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (0.252, ("correct", "")),
        (0.27, ("not yet", "Think again.")),
        (0.5, ("not yet", "Not half.")),
        *((other, ("not yet", "Think again.")) for other in ([0.25, 0.25], {}, object(), float("nan"), [[1], [2, 3]])),
        *((text, ("not yet", TEXT)) for text in ("a quarter", f"{0.25:.2f}", ("0.25", 3))),
    ],
)
def test_an_answer_is_right_within_the_tolerance_wrong_or_of_another_kind(answer, outcome):
    assert exercises.judged(NUMBER, answer) == outcome


def test_text_that_a_function_returns_is_told():
    assert exercises.judged(content.exercises()["draws-for-labels"], lambda *_: "a quarter") == ("not yet", TEXT)


def test_a_function_that_fails_is_told_how():
    outcome = exercises.judged(content.exercises()["bayes-risk"], lambda eta, weights: eta.nothing)
    assert outcome.state == "not yet"
    assert outcome.words.startswith("Your code stopped with AttributeError: ")
    assert "TypeError" in exercises.judged(content.exercises()["bayes-risk"], lambda: 1).words


class Mute(Exception):
    """An error whose message fails."""

    def __str__(self):
        raise RuntimeError


class Stubborn:
    """A result that cannot become an array."""

    def __array__(self, *_, **__):
        raise RuntimeError("no")


def test_nothing_that_a_reader_writes_stops_the_notebook():
    def leave(*_):
        sys.exit(2)

    def fail(*_):
        raise Mute

    exercise = content.exercises()["bayes-risk"]
    assert exercises.judged(exercise, leave).words == "Your code stopped with SystemExit: 2"
    assert exercises.judged(exercise, fail).words == "Your code stopped with Mute"
    assert exercises.judged(exercise, lambda *_: Stubborn()) == ("not yet", exercise.hint)
    assert exercises.judged(NUMBER, Stubborn()) == ("not yet", "Think again.")


def test_a_forgotten_return_is_told():
    outcome = exercises.judged(content.exercises()["bayes-risk"], lambda eta, weights: None)
    assert outcome.words == "Your answer is None. Does the function return its result?"


def test_what_a_known_idea_raises_or_leaves_out_is_told_by_its_hint():
    cases = "cases = [(1.0,), (4.0,)]"
    wrong = (
        WrongIdea("fails", "def answer(x): raise ValueError", "It fails."),
        WrongIdea("leaves out", "def answer(x): return x if x < 2 else None", "One is missing."),
    )
    exercise = Exercise("root", "answer", "", "def answer(x): return x**0.5", "Think again.", cases=cases, wrong=wrong)
    assert exercises.judged(exercise, lambda x: float("x")) == ("not yet", "It fails.")
    assert exercises.judged(exercise, lambda x: 1.0 if x == 1 else None) == ("not yet", "One is missing.")
    assert (
        exercises.judged(exercise, lambda x: x / 0).words
        == "Your code stopped with ZeroDivisionError: float division by zero"
    )
    assert exercises.judged(exercise, lambda x: None).words.startswith("Your answer is None. ")


def test_a_function_cannot_change_the_cases():
    def greedy(eta, weights):
        eta[:] = 0
        return 0.0

    exercise = content.exercises()["bayes-risk"]
    exercises.judged(exercise, greedy)
    assert exercises.judged(exercise, made(exercise, exercise.solution)).state == "correct"


def test_one_stable_line(fresh, line):
    data = line("bayes-risk")
    assert data["text/plain"] == (
        "Exercise bayes-risk: not attempted. Put your own code in place of the dots, and run the cell again."
    )
    assert 'role="status"' in data["text/html"]
    assert fresh.exercises == {"bayes-risk": "not attempted"}
    assert fresh.misses == {}


def test_an_unknown_name_is_a_sentence(fresh, line):
    assert "There is no exercise of this name; there are " in line("nobody", 1)["text/plain"]
    assert fresh.exercises == {}


def test_the_solution_can_be_unfolded_after_three_tries(fresh, line):
    pages = [line("bayes-risk", lambda *_: -1.0)["text/html"] for _ in range(3)]
    assert ["<details>" in page for page in pages] == [False, False, True]
    assert fresh.misses == {"bayes-risk": 3}
    assert "<details>" not in line("bayes-risk")["text/html"]


def test_right_answers_do_not_count_as_misses(line):
    exercise = content.exercises()["bayes-risk"]
    for _ in range(3):
        line("bayes-risk", made(exercise, exercise.solution))
    assert "<details>" not in line("bayes-risk", lambda *_: -1.0)["text/html"]


def test_what_a_reader_raises_is_text_never_markup(line):
    def shout(*_):
        raise ValueError("<script>")

    assert "<script>" not in line("bayes-risk", shout)["text/html"]


def test_a_name_belongs_to_one_chapter(tmp_path, monkeypatch):
    for chapter in ("01", "02"):
        (tmp_path / f"{chapter}.toml").write_text('[predictions.twice]\nbecause = "b"\n')
    monkeypatch.setattr(content, "CHAPTERS", tmp_path)
    monkeypatch.setattr(content, "chapters", content.chapters.__wrapped__)
    with pytest.raises(ValueError, match=r"02.toml has predictions that another chapter has too: twice"):
        content._entries("predictions")
