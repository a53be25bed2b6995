"""Parts of a notebook besides prose and labs: predictions, quizzes, exercises that check
themselves, blocks of text.
"""

from knnviz.lessons.blocks import notation, table, theorem
from knnviz.lessons.check_ups import check_up
from knnviz.lessons.content import steps
from knnviz.lessons.download import answers
from knnviz.lessons.exercises import check
from knnviz.lessons.openings import opening
from knnviz.lessons.predictions import explain, predict
from knnviz.lessons.quizzes import quiz
from knnviz.lessons.stored import load, published

__all__ = [
    "answers",
    "check",
    "check_up",
    "explain",
    "load",
    "notation",
    "opening",
    "predict",
    "published",
    "quiz",
    "steps",
    "table",
    "theorem",
]
