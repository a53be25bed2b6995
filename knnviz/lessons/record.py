"""What a reader predicted and solved while this kernel runs, to look at and to take along."""

import json
from dataclasses import dataclass, field

from knnviz import memory
from knnviz.lessons.blocks import columned, grid, show
from knnviz.lessons.card import Download

NO_PREDICTION = "no prediction"
NOT_ATTEMPTED = "not attempted"
NOT_ANSWERED = "not answered"


@dataclass
class Record:
    """Predictions, answers to quizzes and outcomes by name, in the order in which the cells ran.

    ``seen`` are the predictions and questions whose answers have been on show; ``misses`` counts the answers
    to an exercise that were not right yet.
    """

    predictions: dict[str, str] = field(default_factory=dict)
    quizzes: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    exercises: dict[str, str] = field(default_factory=dict)
    misses: dict[str, int] = field(default_factory=dict)

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

    def rows(self) -> list[list[str]]:
        kinds = (("prediction", self.predictions), ("quiz", self.quizzes), ("exercise", self.exercises))
        return [["", "name", "answer"], *([kind, *entry] for kind, entries in kinds for entry in entries.items())]


#: The record of this kernel.
RECORD = Record()


def answers() -> None:
    """Show what was predicted and solved so far, with a button that downloads it; the last cell of a lesson.

    Examples
    --------
    >>> from knnviz.lessons import answers, check
    >>> check("flipped", ...)
    Exercise flipped: not attempted. Put your own code in place of the dots, and run the cell again.
    >>> answers()  # doctest: +ELLIPSIS, +NORMALIZE_WHITESPACE
              name     answer...
    exercise  flipped  not attempted
    Run this cell to download them.
    """
    rows = RECORD.rows()
    show(grid(rows), columned(rows))
    Download(RECORD.text).present("answers")
    memory.give_back()
