"""What a notebook is made of besides prose and labs: predictions, exercises that check themselves, blocks of text."""

from knnviz.lessons.blocks import look, notation, table, theorem
from knnviz.lessons.exercises import check
from knnviz.lessons.predictions import predict
from knnviz.lessons.record import answers

__all__ = ["answers", "check", "look", "notation", "predict", "table", "theorem"]
