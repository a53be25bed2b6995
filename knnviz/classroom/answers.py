"""The answers of a class: how many students chose what, from the files that they saved, without names."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self

from knnviz.checks import require
from knnviz.lessons.content import Prediction, QuizQuestion, chapters, exercises, predictions, quizzes
from knnviz.lessons.exercises import CORRECT, NOT_YET
from knnviz.lessons.predictions import shuffled
from knnviz.lessons.quizzes import quiz_questions
from knnviz.lessons.record import NO_PREDICTION, NOT_ANSWERED, NOT_ATTEMPTED

#: Largest file of answers, in bytes; those to all lessons take about ten thousand.
MAX_BYTES = 1_000_000

#: What may have become of an exercise.
STATES = CORRECT, NOT_YET, NOT_ATTEMPTED


@dataclass(frozen=True)
class Choice:
    """A choice, how many took it, whether it is right, and the idea behind it, if it is known."""

    text: str
    count: int
    is_right: bool
    idea: str = ""


@dataclass(frozen=True)
class Question:
    """A question of a lesson with its choices; ``kind`` is "prediction" or "quiz"."""

    kind: str
    name: str
    text: str
    because: str
    choices: tuple[Choice, ...]

    @property
    def total(self) -> int:
        """How many answered."""
        return sum(each.count for each in self.choices)


@dataclass(frozen=True)
class LessonPoll:
    """Answers to one lesson: questions that anybody answered, and how many solved, tried, or left each exercise.

    ``exercises`` has, by name, the counts of "correct", "not yet" and "not attempted".
    """

    lesson: str
    questions: tuple[Question, ...]
    exercises: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Poll:
    """The answers of ``files`` together, by lesson. ``skipped`` has a sentence for each file that is left out."""

    files: int
    lessons: tuple[LessonPoll, ...]
    skipped: tuple[str, ...]

    @classmethod
    def from_folder(cls, folder: Path) -> Self:
        """Count the files that the last cell of a lesson has saved, or that the kernels of a class write."""
        read, skipped = [], []
        for path in sorted(path for path in folder.iterdir() if not path.name.startswith(".")):
            try:
                read.append(read_answers(path))
            except ValueError as error:
                skipped.append(f"{path.name} is left out: {error}")
        lessons = [lesson_poll(name, read) for name in chapters()]
        return cls(len(read), tuple([each for each in lessons if each.questions or each.exercises]), tuple(skipped))

    @property
    def questions(self) -> list[Question]:
        """Those of all lessons."""
        return [question for each in self.lessons for question in each.questions]


def read_answers(path: Path) -> dict[str, dict[str, str]]:
    """The answers in a file by kind and name; ValueError, in a clause, if they are no answers to these lessons."""
    require(path.is_file() and path.suffix.lower() == ".json", "it is not a file whose name ends in .json")
    require(path.stat().st_size <= MAX_BYTES, f"it is larger than {MAX_BYTES:,} bytes")
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError("it cannot be read as JSON in UTF-8") from error
    require(isinstance(found, dict), "it is not a JSON object")
    answers: dict[str, dict[str, str]] = {}
    for kind, known in possible_answers().items():
        answers[kind] = found.get(kind)
        require(isinstance(answers[kind], dict), f'it has no "{kind}"')
        for name, answer in answers[kind].items():
            require(name in known, f"no lesson has {name[:40]!r} among its {kind}")
            require(answer in known[name], f"{name!r} has no answer {str(answer)[:40]!r}")
    return answers


@cache
def possible_answers() -> dict[str, dict[str, tuple[str, ...]]]:
    """All possible answers, by kind and name."""
    return {
        "predictions": {name: (*each.choices, NO_PREDICTION) for name, each in predictions().items()},
        "quizzes": {name: (*each.choices, NOT_ANSWERED) for name, each in quiz_questions(*quizzes()).items()},
        "exercises": dict.fromkeys(exercises(), STATES),
    }


def lesson_poll(lesson: str, read: Sequence[Mapping[str, Mapping[str, str]]]) -> LessonPoll:
    """The answers to one lesson in the files; its questions and their choices are in the order of the lesson."""

    def counts(kind: str, name: str) -> Counter[str | None]:
        return Counter(answers[kind].get(name) for answers in read)

    chapter = chapters()[lesson]
    expected = {name: predictions()[name] for name in chapter.get("predictions", ())}
    quiz = quiz_questions(*chapter.get("quizzes", ()))
    asked = [question("prediction", name, each, counts("predictions", name)) for name, each in expected.items()]
    asked += [question("quiz", name, each, counts("quizzes", name)) for name, each in quiz.items()]
    found = {name: counts("exercises", name) for name in chapter.get("exercises", ())}
    states = {name: {state: each[state] for state in STATES} for name, each in found.items()}
    reached = {name: each for name, each in states.items() if any(each.values())}
    return LessonPoll(lesson, tuple([each for each in asked if each.total]), reached)


def question(kind: str, name: str, asked: Prediction | QuizQuestion, counts: Counter[str | None]) -> Question:
    ideas = asked.wrong if isinstance(asked, Prediction) else {}
    choices = [
        Choice(text, counts[text], text == asked.answer, ideas.get(text, "")) for text in shuffled(name, asked.choices)
    ]
    return Question(kind, name, asked.question, asked.because, tuple(choices))
