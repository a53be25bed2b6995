"""The answers of a reader while this kernel runs."""

import json
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from uuid import uuid4

from knnviz.outputs import write_atomic

#: Environment variable of the kernels of a class: the folder in which each keeps its answers.
ANSWERS = "KNNVIZ_ANSWERS"

NO_PREDICTION = "no prediction"
NOT_ATTEMPTED = "not attempted"
NOT_ANSWERED = "not answered"


@dataclass
class Record:
    """Predictions, answers to quizzes and outcomes of exercises by name, in the order in which the cells ran.

    ``seen`` are the predictions and questions that are closed: answered, or with the right answer shown. ``misses``
    counts the wrong answers to an exercise.
    """

    predictions: dict[str, str] = field(default_factory=dict)
    quizzes: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    exercises: dict[str, str] = field(default_factory=dict)
    misses: dict[str, int] = field(default_factory=dict)

    @cached_property
    def file_name(self) -> str:
        """An anonymous name; drawn when it is first needed, since kernels may be copies of one process."""
        return f"{uuid4().hex}.json"

    def record_choice(self, answers: dict[str, str], name: str, choice: str | None) -> None:
        """Put a choice into ``answers``, unless the question is closed, and close it."""
        if choice is not None and name not in self.seen:
            answers[name] = choice
        self.seen.add(name)
        self.hand_in()

    def hand_in(self) -> str:
        """Save the record in the class's folder, if there is one; return a sentence if that fails, else nothing."""
        if ANSWERS in os.environ:
            try:
                write_atomic(Path(os.environ[ANSWERS]) / self.file_name, self.text())
            except OSError as problem:
                return f"Your answers are not in the folder of the class ({problem.strerror}). Download them instead."
        return ""

    def text(self) -> str:
        return json.dumps(
            {
                "predictions": self.predictions,
                "quizzes": self.quizzes,
                "exercises": self.exercises,
                "misses": self.misses,
            },
            indent=1,
            ensure_ascii=False,
        )


#: The record of this kernel.
RECORD = Record()
