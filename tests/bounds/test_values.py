"""Values of the papers' formulas: one table, ``tests/reference/bounds.json``. A row has a function
or a part of its result, arguments, the value, and where that is from.
"""

import importlib

import numpy as np
import pytest
from reference_implementations import reference

from knnviz import LabelNoise, problems
from knnviz.bounds.khim import EntryErrors
from knnviz.weights import Confusion

#: What makes an argument of what the table has of it; others are as they stand there.
MADE = {
    "noise": lambda rates: LabelNoise(*rates),
    "problem": problems.from_spec,
    "low_advantage": lambda slope: lambda a: slope * a,
    "confusion": lambda entries: Confusion(*np.array(entries)),
    "errors": lambda errors: EntryErrors(*errors),
}

ROWS = [
    (group["formulas"], *row, group["within"])
    for group in reference("bounds")["groups"]
    for row in group["rows"]
]


@pytest.mark.parametrize(("paper", "name", "arguments", "value", "source", "within"), ROWS)
def test_value(paper, name, arguments, value, source, within):
    formulas = importlib.import_module(f"knnviz.bounds.{paper}")
    name, _, part = name.partition(".")
    given = dict(arguments)
    for each in MADE.keys() & given.keys():
        given[each] = MADE[each](given[each])
    found = getattr(formulas, name)(**given)
    if part:
        found = getattr(found, part)
    assert found == pytest.approx(value, **within), source
