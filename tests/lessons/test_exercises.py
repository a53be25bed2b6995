"""What judges an answer; beside nbval its notebook tries each stub, solution and wrong idea."""

import sys

import pytest

from knnviz.lessons import check, exercises
from knnviz.lessons.content import Exercise, WrongIdea

pytestmark = pytest.mark.usefixtures("fresh")

NUMBER = Exercise(
    "number",
    "answer",
    "answer = ...",
    "answer = 0.25",
    "Think again.",
    tolerance=0.01,
    wrong=(WrongIdea("half", "answer = 0.5", "Not half."),),
)

ROOT = Exercise(
    "root",
    "answer",
    "answer = ...",
    "def answer(x): return x[0] ** 0.5",
    "Think again.",
    cases="cases = [([1.0],), ([4.0],)]",
    wrong=(
        WrongIdea("fails", "def answer(x): raise ValueError", "It fails."),
        WrongIdea(
            "leaves out", "def answer(x): return x[0] if x[0] < 2 else None", "One is missing."
        ),
    ),
)

UNTOUCHED = "Put your own code in place of the dots, and run the cell again."
STOPPED = "Your code stopped with"
TEXT = "Your answer is text. Return numbers, without quotes and without an f-string."
NOTHING = "Your answer is None. Does the function return its result?"


class Mute(Exception):
    """An error whose message fails."""

    def __str__(self):
        raise RuntimeError


class Stubborn:
    """A result that cannot become an array."""

    def __array__(self, *_, **__):
        raise RuntimeError("no")


def raises(problem):
    def answer(_):
        raise problem

    return answer


def greedy(x):
    x[0] = -1.0


@pytest.mark.parametrize(
    ("exercise", "answer", "words"),
    [
        (NUMBER, ..., UNTOUCHED),
        (NUMBER, 0.252, ""),
        (NUMBER, 0.5, "Not half."),
        *[
            (NUMBER, other, "Think again.")
            for other in (0.27, [0.25, 0.25], {}, float("nan"), [[1], [2, 3]], Stubborn())
        ],
        *[(NUMBER, text, TEXT) for text in ("a quarter", "0.25", ("0.25", 3))],
        (ROOT, lambda x: x[0] ** 0.5, ""),
        (ROOT, lambda x: -1.0, "Think again."),
        (ROOT, lambda x: Stubborn(), "Think again."),
        (ROOT, lambda x: "a quarter", TEXT),
        (ROOT, lambda x: None, NOTHING),
        (ROOT, greedy, NOTHING),
        (ROOT, lambda x: float("x"), "It fails."),
        (ROOT, lambda x: 1.0 if x == [1] else None, "One is missing."),
        (ROOT, lambda x: x[0] / 0, f"{STOPPED} ZeroDivisionError: float division by zero"),
        (ROOT, lambda x: sys.exit(2), f"{STOPPED} SystemExit: 2"),
        (ROOT, raises(Mute()), f"{STOPPED} Mute"),
    ],
)
def test_an_answer_is_right_wrong_or_of_another_kind_and_never_stops_the_notebook(
    exercise, answer, words
):
    state = {"": "correct", UNTOUCHED: "not attempted"}.get(words, "not yet")
    assert exercises.judged(exercise, answer) == (state, words)
    solution = exercises.evaluated(exercise.solution, "answer")
    assert exercises.judged(exercise, solution) == ("correct", ""), "no answer changes the cases"


@pytest.fixture
def line(shown, monkeypatch):
    """What a check of an answer shows."""
    monkeypatch.setattr(exercises, "exercises", lambda: {"number": NUMBER, "root": ROOT})
    return lambda *given: shown(check, *given)[0]


def test_a_check_is_one_line_and_recorded(fresh, line):
    data = line("number")
    assert data["text/plain"].startswith("Exercise number: not attempted. Put your own code")
    assert 'role="status"' in data["text/html"]
    assert "There is no exercise of this name; there are number" in line("nobody", 1)["text/plain"]
    assert (fresh.exercises, fresh.misses) == ({"number": "not attempted"}, {})


def test_the_solution_can_be_unfolded_after_three_wrong_answers(fresh, line):
    unfolded = []
    for answer in (0.25, 1, 0.25, 2, 3, ...):
        page = line("number", answer)["text/html"]
        unfolded.append("<details>" in page)
    assert unfolded == [False, False, False, False, True, False]
    assert fresh.misses == {"number": 3}


def test_what_a_reader_raises_is_text_never_markup(line):
    page = line("root", raises(TypeError("<script>")))["text/html"]
    assert "<script>" not in page
