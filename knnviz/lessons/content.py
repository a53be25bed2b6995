"""Predictions, theorems, quizzes, and exercises with their known wrong ideas, from one data file
for each chapter.

A new lesson is a notebook, named by its number: title, opening picture (a file of
``knnviz/lessons/openings/``), question, one or two sittings, exercises, "Going deeper". A sitting
has at most four sections and 1,800 words with all of its cards. It ends in a check of three
questions, ``quiz("02-first-check")``; the second begins with one on the first,
``quiz("02-recall")``. Six questions a sitting, ``check_up("02-first")``, are asked before and after
it, on request. ``predict("name")`` stands before its lab, and ``explain("name")`` after it.
All that is asked stands in one file of ``knnviz/lessons/chapters/``, each kind in the order of the
notebook: predictions, with a reply in whole sentences to each wrong choice, and ``steps`` names
those of the lab; steps of labs; theorems, also those of the close readings beside the lesson,
shown by ``theorem("name")``; quizzes, with a hint for each wrong choice that does not give the
answer away; exercises with stub, solution, hint and known wrong ideas. A term in bold has its line
in the glossary. Its run sheet stands in ``docs/teach/``, with its keys in
``tests/lessons/test_keys.py``.

``lessons.steps("more-votes")`` are ``[[steps.more-votes]]``. ``set`` are the values that differ
from those with which the notebook opens the lab. Each number in ``see`` stands there, or in
``check`` as the readout has it, and the lab draws each thing that a step names in braces:
``tests/lessons/test_lesson_steps.py``.

A close reading is a notebook in ``notebooks/close-reading/``: for each finding a few sentences and
a short cell that computes its number. A finding opens with its grade, the mildest that is accurate
(a slip, needs a condition, false; a remark where nothing is wrong), and quotes its sentence as
printed. It has a line in ``docs/teach/index.md``.
"""

import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

CHAPTERS = Path(__file__).with_name("chapters")

#: Of all orders of choices those in which, through each lesson, no three right answers in a row
#: have the same place.
ORDERS = 18882

#: What a chapter has by names: predictions, theorems, quizzes or steps.
Known = TypeVar("Known")


@dataclass(frozen=True)
class Question:
    """A question, its answer and why, and the ``wrong`` choices, each with a reply: what is right
    in it and what is not in a prediction, a hint for a second try in a quiz, nothing in a check-up.

    An answer is recorded under the ``name``. ``known`` is what we now know from a prediction, for a
    section that does not say it elsewhere. Its explanation waits for one of the ``steps`` of this
    name, those of the lab before it, if there are any.
    """

    name: str
    question: str
    answer: str
    because: str
    wrong: Mapping[str, str]
    known: str = ""
    steps: str = ""

    @property
    def choices(self) -> list[str]:
        """All choices, in an order drawn by the name."""
        choices = [self.answer, *self.wrong]
        return random.Random(f"{ORDERS} {self.name}").sample(choices, len(choices))

    @property
    def why(self) -> list[str]:
        return [f"**{self.answer}**", self.because]


@dataclass(frozen=True)
class TheoremText:
    """What a paper, or we, state: a title, the text in Markdown, its source, and the conditions
    under which it holds.
    """

    title: str
    statement: str
    source: str
    conditions: Sequence[str] = ()


@dataclass(frozen=True)
class WrongIdea:
    """A mistake that readers make: the idea, the code that it leads to, and a hint for them."""

    idea: str
    code: str
    hint: str


@dataclass(frozen=True)
class Exercise:
    """A stub to fill in, and all that is needed to check what a reader made of it.

    ``solution`` and the wrong ideas are code that assigns a value or a function to the name in
    ``answer``, after the ``imports`` of the notebook. A function is called with each of the
    ``cases``: code that assigns a list of tuples of arguments to that name. Numbers agree within
    ``tolerance``, relative or absolute.
    """

    name: str
    answer: str
    stub: str
    solution: str
    hint: str
    imports: str = ""
    cases: str = ""
    tolerance: float = 1e-9
    wrong: tuple[WrongIdea, ...] = ()


@cache
def predictions() -> dict[str, Question]:
    return {name: Question(name, **entry) for name, entry in _entries("predictions").items()}


@cache
def theorems() -> dict[str, TheoremText]:
    return {name: TheoremText(**entry) for name, entry in _entries("theorems").items()}


@cache
def quizzes() -> dict[str, list[Question]]:
    return _numbered("quizzes")


@cache
def check_ups() -> dict[str, list[Question]]:
    return _numbered("check_ups")


@cache
def exercises() -> dict[str, Exercise]:
    found = {}
    for name, given in _entries("exercises").items():
        wrong = tuple(WrongIdea(**each) for each in given["wrong"])
        found[name] = Exercise(name, **given | {"wrong": wrong})
    return found


def steps(name: str) -> list[dict[str, Any]]:
    """The steps of this name, in order, for the option ``steps`` of a lab, each with the prediction
    that it explains; ValueError if there are none.

    Examples
    --------
    >>> from knnviz import lessons
    >>> lessons.steps("more-votes")[0]["set"]
    {'k': 200}
    """
    found = entry("there are no steps", name, _entries("steps"))
    explained = {each.steps: each.name for each in predictions().values()}
    explains = explained.get(name, "")
    return [{**step, "explains": explains} for step in found]


def entry(refusal: str, name: str, known: Mapping[str, Known]) -> Known:
    """What is known by a name; ValueError, which begins with the ``refusal``, if nothing is."""
    if name not in known:
        raise ValueError(f"{refusal} {name!r}; there are {', '.join(known)}")
    return known[name]


@cache
def chapters() -> dict[str, dict[str, Any]]:
    """By the name of a lesson, such as "02-label-noise", the entries of its chapter by their
    kind.
    """
    paths = sorted(CHAPTERS.glob("*.toml"))
    return {path.stem: tomllib.loads(path.read_text("utf-8")) for path in paths}


def _numbered(kind: str) -> dict[str, list[Question]]:
    """The questions of quizzes or check-ups, whose wrong choices are a list where they have no
    replies.
    """
    found: dict[str, list[Question]] = {}
    for name, asked in _entries(kind).items():
        found[name] = []
        for number, given in enumerate(asked, 1):
            wrong = given["wrong"]
            if isinstance(wrong, list):
                wrong = dict.fromkeys(wrong, "")
            found[name].append(Question(f"{name}, {number}", **given | {"wrong": wrong}))
    return found


def _entries(kind: str) -> dict[str, Any]:
    """The entries of a kind in all chapters, by names that differ."""
    found: dict[str, Any] = {}
    for chapter in chapters().values():
        found |= chapter.get(kind, {})
    return found
