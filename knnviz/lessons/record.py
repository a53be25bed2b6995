"""The answers of a reader while this kernel runs."""

import json
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from knnviz.files import write_atomic

NO_PREDICTION = "no prediction"
NOT_ATTEMPTED = "not attempted"
NOT_ANSWERED = "not answered"


@dataclass
class Record:
    """Predictions, answers to quizzes and outcomes of exercises by name, in the order in which the
    cells ran.

    ``seen`` are the predictions and questions that are closed: answered, or with the right answer
    shown. ``misses`` counts the wrong answers to an exercise. In a class, ``file`` holds the
    answers of a student, and ``problem`` says why the last one is not in it.
    """

    predictions: dict[str, str] = field(default_factory=dict)
    quizzes: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    exercises: dict[str, str] = field(default_factory=dict)
    misses: dict[str, int] = field(default_factory=dict)
    file: Path | None = None
    problem: str = ""

    def record_choice(self, answers: dict[str, str], name: str, choice: str | None) -> None:
        """Put a choice into ``answers``, unless the question is closed, and close it."""
        # It may have been closed on another page of the same student.
        self.restore()
        if choice is not None and name not in self.seen:
            answers[name] = choice
        self.seen.add(name)
        self.problem = ""
        if self.file:
            try:
                write_atomic(self.file, self.text())
            except OSError as problem:
                why = f"Your lecturer does not have this answer ({problem.strerror})."
                self.problem = f"{why} Download your answers."

    def restore(self) -> None:
        """Take over the answers in ``file``, if there is one that can be read."""
        if self.file is None:
            return
        with suppress(OSError, ValueError):
            saved = json.loads(self.file.read_text(encoding="utf-8"))
            closed = set(saved["seen"])
            for kind in ("predictions", "quizzes"):
                answers = saved[kind].items()
                vars(self)[kind].update((name, said) for name, said in answers if name in closed)
            self.seen |= closed

    def text(self) -> str:
        answers = {
            "predictions": self.predictions,
            "quizzes": self.quizzes,
            "exercises": self.exercises,
            "misses": self.misses,
            "seen": sorted(self.seen),
        }
        return json.dumps(answers, indent=1, ensure_ascii=False)


#: The record of this kernel.
RECORD = Record()
