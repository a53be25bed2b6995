"""Values of functions, in two tables: ``tests/reference/bounds.json`` has the papers' formulas, and
``values.json`` other functions. A row has a function or a part of its result, arguments, the value,
and where that is from.
"""

import pkgutil

import numpy as np
import pytest
from reference_implementations import reference

from knnviz import LabelNoise, problems
from knnviz.bounds.khim import EntryErrors
from knnviz.learnability import EXAMPLES
from knnviz.weights import Confusion


def of_spec(spec):
    """What a method is called on: a name of the package, and its parameters."""
    return pkgutil.resolve_name(f"knnviz.{spec['name']}")(**spec["parameters"])


#: What makes an argument of what a table has of it; others are as they stand there.
MADE = {
    "noise": lambda rates: LabelNoise(*rates),
    "problem": problems.from_spec,
    "self": of_spec,
    "source": problems.from_spec,
    "X": np.array,
    "process": lambda name: EXAMPLES[name].process,
    "low_advantage": lambda slope: lambda a: slope * a,
    "confusion": lambda entries: Confusion(*np.array(entries)),
    "errors": lambda errors: EntryErrors(*errors),
}

ROWS = [
    (group["formulas"], *row, group["within"])
    for table in ("bounds", "values")
    for group in reference(table)["groups"]
    for row in group["rows"]
]


@pytest.mark.parametrize(("home", "name", "arguments", "value", "source", "within"), ROWS)
def test_value(home, name, arguments, value, source, within):
    name, _, part = name.partition(".")
    given = dict(arguments)
    for each in MADE.keys() & given.keys():
        given[each] = MADE[each](given[each])
    owner = given.pop("self", None) or pkgutil.resolve_name(home)
    found = getattr(owner, name)(**given)
    if part:
        found = getattr(found, part)
    if np.ndim(value) > 1:
        value = np.array(value)
    assert found == pytest.approx(value, **within), source
