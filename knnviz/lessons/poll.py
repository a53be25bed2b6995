"""A poll of a class: who expected what, from the answers that students saved. Nobody's name is in it."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knnviz.lessons.book import Prediction, exercises, predictions, quizzes
from knnviz.lessons.exercises import CORRECT, NOT_YET
from knnviz.lessons.predictions import shuffled
from knnviz.lessons.quizzes import quiz_questions
from knnviz.lessons.record import NO_PREDICTION, NOT_ANSWERED, NOT_ATTEMPTED

#: The largest file that can hold answers, in bytes; all of the lessons take some ten thousand.
LARGEST = 1_000_000


@dataclass(frozen=True)
class Choice:
    """A choice, how many took it, whether it is right, and the idea behind it, if it is known."""

    text: str
    count: int
    is_right: bool
    idea: str = ""


@dataclass(frozen=True)
class Question:
    """A question of a lesson with its choices; ``kind`` is "predictions" or "quizzes"."""

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
class Poll:
    """The answers of ``files`` together: questions that anybody answered, and by exercise how many solved and tried it.

    ``skipped`` has a sentence for each file that is left out.
    """

    files: int
    questions: tuple[Question, ...]
    exercises: Mapping[str, tuple[int, int]]
    skipped: tuple[str, ...]


def poll(folder: Path) -> Poll:
    """The answers in a folder: files that the last cell of a lesson has saved, or that a class's server keeps there.

    Raises ValueError for a folder that is not there.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from knnviz.lessons.poll import poll
    >>> poll(Path(tempfile.mkdtemp())).files
    0
    """
    if not folder.is_dir():
        raise ValueError(f"there is no folder {folder}")
    read, skipped = [], []
    for path in sorted(folder.glob("*.json")):
        try:
            read.append(read_answers(path))
        except ValueError as problem:
            skipped.append(f"{path.name} is left out: {problem}")
    return Poll(len(read), tuple(questions(read)), solved(read), tuple(skipped))


def read_answers(path: Path) -> dict[str, dict[str, str]]:
    """What a file says by kind and name; ValueError, in a clause, for one that holds no answers to these lessons."""
    found = entries(path)
    answers: dict[str, dict[str, str]] = {}
    for kind, known in possible_answers().items():
        given = found.get(kind)
        if not isinstance(given, dict):
            raise ValueError(f'it has no "{kind}"')
        for name, said in given.items():
            if name not in known:
                raise ValueError(f"no lesson has {name[:40]!r} among its {kind}")
            if said not in known[name]:
                raise ValueError(f"{name!r} has no answer {str(said)[:40]!r}")
        answers[kind] = given
    return answers


def entries(path: Path) -> dict[str, Any]:
    """The file as JSON."""
    if not path.is_file() or path.stat().st_size > LARGEST:
        raise ValueError(f"it is not a file of at most {LARGEST:,} bytes")
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise ValueError(f"it cannot be read ({problem.strerror})") from problem
    except UnicodeDecodeError as problem:
        raise ValueError("it is not text in UTF-8") from problem
    except json.JSONDecodeError as problem:
        raise ValueError(f"it is not JSON from line {problem.lineno} on") from problem
    except (RecursionError, ValueError) as problem:
        raise ValueError("its lists are nested too deeply, or a number is too long") from problem
    if not isinstance(found, dict):
        raise ValueError("it is not a JSON object")
    return found


def possible_answers() -> dict[str, dict[str, tuple[str, ...]]]:
    """All that may be said, by kind and name."""
    return {
        "predictions": {name: (*each.choices, NO_PREDICTION) for name, each in predictions().items()},
        "quizzes": {name: (*each.choices, NOT_ANSWERED) for name, each in quiz_questions(*quizzes()).items()},
        "exercises": dict.fromkeys(exercises(), (CORRECT, NOT_YET, NOT_ATTEMPTED)),
    }


def questions(read: Iterable[Mapping[str, Mapping[str, str]]]) -> Iterator[Question]:
    """Questions that anybody answered, those of the first lesson first; choices stand as in the lesson."""
    said = Counter((kind, *entry) for each in read for kind in each for entry in each[kind].items())
    for kind, asked in (("predictions", predictions()), ("quizzes", quiz_questions(*quizzes()))):
        for name, each in asked.items():
            ideas = each.wrong if isinstance(each, Prediction) else {}
            counts = [
                (choice, said[kind, name, choice], choice == each.answer) for choice in shuffled(name, each.choices)
            ]
            choices = tuple([Choice(*count, ideas.get(count[0], "")) for count in counts])
            if any(choice.count for choice in choices):
                yield Question(kind, name, each.question, each.because, choices)


def solved(read: Iterable[Mapping[str, Mapping[str, str]]]) -> dict[str, tuple[int, int]]:
    """By exercise how many solved it, and how many tried."""
    said = Counter(entry for each in read for entry in each["exercises"].items())
    found = {name: (said[name, CORRECT], said[name, CORRECT] + said[name, NOT_YET]) for name in exercises()}
    return {name: counts for name, counts in found.items() if counts[1]}
