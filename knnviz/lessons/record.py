"""The answers of a reader while this kernel runs."""

import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from knnviz.files import write_atomic

NO_PREDICTION = "no prediction"
NOT_ATTEMPTED = "not attempted"
NOT_ANSWERED = "not answered"


@dataclass
class Record:
    """Predictions, first answers to quizzes and check-ups, and outcomes of exercises by name, in
    the order in which the cells ran.

    ``seen`` are the predictions and questions that were answered, or whose answer was asked for.
    ``then`` has what followed by name: the second answer to a quiz question, or "" for a step of
    the lab or a request for the answer. ``misses`` counts the wrong answers to an exercise. In a
    class, ``file`` holds the answers of a student, and ``problem`` says why the last one is not in
    it.
    """

    predictions: dict[str, str] = field(default_factory=dict)
    quizzes: dict[str, str] = field(default_factory=dict)
    check_ups: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    then: dict[str, str] = field(default_factory=dict)
    exercises: dict[str, str] = field(default_factory=dict)
    misses: Counter[str] = field(default_factory=Counter)
    file: Path | None = None
    problem: str = ""

    def record_choice(
        self, answers: dict[str, str], name: str, choice: str | None, again: bool = False
    ) -> None:
        """Put the first choice into ``answers``; ``again`` a second one that differs, or None for
        no choice, into ``then``.
        """
        # It may have been answered on another page of the same student.
        self.restore()
        if choice is None:
            self.then.setdefault(name, "")
        elif name not in self.seen:
            answers[name] = choice
        elif again and choice != answers[name]:
            self.then.setdefault(name, choice)
        self.seen.add(name)
        self._save()

    def record_step(self, name: str) -> None:
        """Note that a step was done before the explanation of a prediction."""
        self.restore()
        self.then.setdefault(name, "")
        self._save()

    def _save(self) -> None:
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
            seen = set(saved["seen"])
            for kind in ("predictions", "quizzes", "check_ups"):
                answers = saved[kind].items()
                vars(self)[kind].update((name, said) for name, said in answers if name in seen)
            self.seen |= seen
            self.then = saved["then"] | self.then

    def text(self) -> str:
        answers = vars(self) | {"seen": sorted(self.seen)}
        del answers["file"], answers["problem"]
        return json.dumps(answers, indent=1, ensure_ascii=False)


#: The record of this kernel.
RECORD = Record()
