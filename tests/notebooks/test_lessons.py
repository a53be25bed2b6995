"""What the notebooks ask: every prediction and exercise is known."""

import ast

import nbformat
import pytest
from make import every

from knnviz.lessons import content
from knnviz.lessons.predictions import shuffled


def calls(path, function):
    """Literal arguments of all calls of a function in a notebook's code, in order."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == function:
                yield [argument.value if isinstance(argument, ast.Constant) else argument for argument in node.args]


ASKED = {path: [name for name, _ in calls(path, "check")] for path in every()}


def test_every_prediction_and_exercise_stands_in_one_notebook():
    predicted = [name for path in every() for name, *_ in calls(path, "predict")]
    checked = [name for names in ASKED.values() for name in names]
    assert sorted(predicted) == sorted(content.predictions())
    assert sorted(checked) == sorted(content.exercises())


@pytest.mark.parametrize("path", every(), ids=lambda path: path.stem)
def test_every_prediction_is_explained(path):
    assert list(calls(path, "explain")) == list(calls(path, "predict"))


def test_no_place_is_more_often_that_of_the_answer():
    """Of 77 questions with three choices a place holds 26 answers by chance, with a standard deviation of 4."""
    three = {name: each for name, each in content.predictions().items() if len(each.choices) == 3}
    places = [shuffled(name, each.choices).index(each.answer) for name, each in three.items()]
    assert all(abs(places.count(place) - len(three) / 3) <= 8 for place in range(3)), places
