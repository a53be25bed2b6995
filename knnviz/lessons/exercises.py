"""Exercises that check themselves: an answer is compared with the solution, and with every known
wrong idea.
"""

import copy
from functools import cache
from html import escape
from typing import Any, NamedTuple

import numpy as np
from IPython.display import publish_display_data

from knnviz.lessons.content import Exercise, exercises
from knnviz.lessons.record import NOT_ATTEMPTED, RECORD

CORRECT = "correct"
NOT_YET = "not yet"

#: Wrong answers after which the solution can be unfolded.
MISSES = 3

#: What is said where there is no answer yet, and where a text stands in place of numbers.
UNTOUCHED = "Put your own code in place of the dots, and run the cell again."
NO_TEXT = "Your answer is text. Return numbers, without quotes and without an f-string."

#: Sign and color of each outcome, which is also in the text.
SIGNS = {CORRECT: ("✓", "#007a5a"), NOT_YET: ("✗", "#b34700"), NOT_ATTEMPTED: ("…", "#6b6b6b")}


class Outcome(NamedTuple):
    """Whether an answer is correct, and a sentence that helps."""

    state: str
    words: str = ""


def check(name: str, answer: Any = ...) -> None:
    """Show whether an exercise is solved: correct, not yet (with a hint), or not attempted. It
    never raises.

    ``answer`` is a value or a function, and ``...`` before there is one.

    Examples
    --------
    >>> from knnviz.lessons import check
    >>> flipped = ...
    >>> check("flipped", flipped)
    Exercise flipped: not attempted. Put your own code in place of the dots, and run the cell again.
    """
    known = exercises()
    if name not in known:
        words = f"There is no exercise of this name; there are {', '.join(known)}."
        _show(name, Outcome(NOT_ATTEMPTED, words))
        return
    outcome = judged(known[name], answer)
    RECORD.exercises[name] = outcome.state
    solution = None
    if outcome.state == NOT_YET:
        RECORD.misses[name] += 1
        if RECORD.misses[name] >= MISSES:
            solution = known[name].solution
    _show(name, outcome, solution)


def judged(exercise: Exercise, answer: Any) -> Outcome:
    found = results(answer, exercise)
    if any(result is ... for result in found):
        return Outcome(NOT_ATTEMPTED, UNTOUCHED)
    right = known_results(exercise, exercise.solution)
    if agree(found, right, exercise.tolerance):
        return Outcome(CORRECT)
    for wrong in exercise.wrong:
        if agree(found, known_results(exercise, wrong.code), exercise.tolerance):
            return Outcome(NOT_YET, wrong.hint)
    for result, expected in zip(found, right, strict=False):
        if isinstance(result, BaseException):
            return Outcome(NOT_YET, f"Your code stopped with {described(result)}")
        if result is None:
            return Outcome(NOT_YET, "Your answer is None. Does the function return its result?")
        if is_text(result) and not is_text(expected):
            return Outcome(NOT_YET, NO_TEXT)
    return Outcome(NOT_YET, exercise.hint)


def results(answer: Any, exercise: Exercise) -> list[Any]:
    """What an answer returns for each case, or the exception that it raises."""
    if not callable(answer):
        return [answer]
    return [result(answer, case) for case in cases(exercise)]


def result(function: Any, case: tuple) -> Any:
    try:
        return function(*copy.deepcopy(case))
    except (Exception, SystemExit) as problem:
        return problem


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


def agree(found: list[Any], expected: list[Any], tolerance: float) -> bool:
    if len(found) != len(expected):
        return False
    return all(same(*pair, tolerance) for pair in zip(found, expected, strict=True))


def same(found: Any, expected: Any, tolerance: float) -> bool:
    if isinstance(expected, BaseException):
        return type(found) is type(expected)
    try:
        found = np.asarray(found)
        expected = np.asarray(expected)
        if found.shape != expected.shape:
            return False
        if found.dtype.kind in "biufc" and expected.dtype.kind in "biufc":
            return bool(np.allclose(found, expected, rtol=tolerance, atol=tolerance))
        return bool(np.all(expected == found))
    except Exception:
        # Conversion to an array and comparison may raise anything for what a reader returns.
        return False


def is_text(result: Any) -> bool:
    try:
        return np.asarray(result).dtype.kind in "US"
    except Exception:
        return False


def described(problem: BaseException) -> str:
    """An error as text: its type, and its message unless that fails."""
    try:
        return f"{type(problem).__name__}: {problem}"
    except Exception:
        return type(problem).__name__


def _show(name: str, outcome: Outcome, solution: str | None = None) -> None:
    line = f"Exercise {name}: {outcome.state}."
    if outcome.words:
        line += f" {outcome.words}"
    sign, color = SIGNS[outcome.state]
    style = f"border-left: 6px solid {color}; padding: 4px 12px; font-size: 15px"
    page = f'<div role="status" style="{style}"><b>{sign}</b> {escape(line)}</div>'
    if solution is not None:
        code = escape(solution.strip())
        page += f"<details><summary>Show a solution</summary><pre>{code}</pre></details>"
    publish_display_data({"text/html": page, "text/plain": line})
