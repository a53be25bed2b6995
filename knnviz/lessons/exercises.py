"""Exercises that check themselves: an answer is compared with the solution, and with every known wrong idea."""

import copy
from functools import cache
from html import escape
from typing import Any, NamedTuple

import numpy as np
from IPython.display import publish_display_data

from knnviz.lessons.book import Exercise, exercises
from knnviz.lessons.record import NOT_ATTEMPTED, RECORD

CORRECT, NOT_YET = "correct", "not yet"

#: Answers that were not right after which the solution can be unfolded.
MISSES = 3

#: Sign and colour of each outcome; the words say it as well.
LOOKS = {CORRECT: ("✓", "#007a5a"), NOT_YET: ("✗", "#b34700"), NOT_ATTEMPTED: ("…", "#6b6b6b")}


class Outcome(NamedTuple):
    """How an answer did, and a sentence that helps."""

    state: str
    words: str = ""


def check(name: str, answer: Any = ...) -> None:
    """Say whether an exercise is solved: correct, not yet (with a hint), or not attempted. It never raises.

    ``answer`` is a value or a function, ``...`` while there is none.

    Examples
    --------
    >>> from knnviz.lessons import check
    >>> flipped = ...
    >>> check("flipped", flipped)
    Exercise flipped: not attempted. Put your own code in place of the dots, and run the cell again.
    """
    known = exercises()
    if name not in known:
        _say(name, Outcome(NOT_ATTEMPTED, f"There is no exercise of this name; there are {', '.join(known)}."))
        return
    outcome = judged(known[name], answer)
    RECORD.exercises[name] = outcome.state
    if outcome.state == NOT_YET:
        RECORD.misses[name] = RECORD.misses.get(name, 0) + 1
    RECORD.hand_in()
    spoiler = outcome.state == NOT_YET and RECORD.misses[name] >= MISSES
    _say(name, outcome, known[name].solution if spoiler else None)


def judged(exercise: Exercise, answer: Any) -> Outcome:
    try:
        given = results(answer, exercise)
    except (Exception, SystemExit) as problem:
        return Outcome(NOT_YET, f"Your code stopped with {described(problem)}")
    if any(each is ... for each in given):
        return Outcome(NOT_ATTEMPTED, "Put your own code in place of the dots, and run the cell again.")
    if any(each is None for each in given):
        return Outcome(NOT_YET, "Your answer is None. Does the function return its result?")
    wanted = known_results(exercise, exercise.solution)
    if agree(given, wanted, exercise.tolerance):
        return Outcome(CORRECT)
    if any(is_text(mine) and not is_text(theirs) for mine, theirs in zip(given, wanted, strict=False)):
        return Outcome(NOT_YET, "Your answer is text. Return numbers, without quotes and without an f-string.")
    for wrong in exercise.wrong:
        if agree(given, known_results(exercise, wrong.code), exercise.tolerance):
            return Outcome(NOT_YET, wrong.hint)
    return Outcome(NOT_YET, exercise.hint)


def results(answer: Any, exercise: Exercise) -> list[Any]:
    if not callable(answer):
        return [answer]
    return [answer(*copy.deepcopy(case)) for case in cases(exercise)]


@cache
def cases(exercise: Exercise) -> list[tuple]:
    return evaluated(exercise.cases, "cases") if exercise.cases else [()]


@cache
def known_results(exercise: Exercise, code: str) -> list[Any]:
    return results(evaluated(f"{exercise.imports}\n{code}", exercise.answer), exercise)


def evaluated(code: str, name: str) -> Any:
    names: dict[str, Any] = {}
    exec(code, names)
    return names[name]


def agree(given: list[Any], wanted: list[Any], tolerance: float) -> bool:
    return len(given) == len(wanted) and all(same(*pair, tolerance) for pair in zip(given, wanted, strict=True))


def same(given: Any, wanted: Any, tolerance: float) -> bool:
    try:
        ours, theirs = np.asarray(wanted), np.asarray(given)
        if ours.shape != theirs.shape:
            return False
        if ours.dtype.kind in "biufc" and theirs.dtype.kind in "biufc":
            return bool(np.allclose(theirs, ours, rtol=tolerance, atol=tolerance))
        return bool(np.all(ours == theirs))
    except Exception:
        # What a reader returns may refuse to become an array, or to be compared, in any way.
        return False


def is_text(result: Any) -> bool:
    try:
        return np.asarray(result).dtype.kind in "US"
    except Exception:
        return False


def described(problem: BaseException) -> str:
    """An error in a line: its kind, and what it says if it can."""
    try:
        return f"{type(problem).__name__}: {problem}"
    except Exception:
        return type(problem).__name__


def _say(name: str, outcome: Outcome, solution: str | None = None) -> None:
    line = f"Exercise {name}: {outcome.state}." + (f" {outcome.words}" if outcome.words else "")
    sign, colour = LOOKS[outcome.state]
    look = f"border-left: 6px solid {colour}; padding: 4px 12px; font-size: 15px"
    page = f'<div role="status" style="{look}"><b>{sign}</b> {escape(line)}</div>'
    if solution is not None:
        page += f"<details><summary>Show a solution</summary><pre>{escape(solution.strip())}</pre></details>"
    publish_display_data({"text/html": page, "text/plain": line})
