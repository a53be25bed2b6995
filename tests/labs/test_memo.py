"""A memo: which calls are the same, how long they last, what a recipe that runs again makes."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
import pytest

from knnviz.labs.engine.memo import Memo, key_of


@dataclass(frozen=True)
class Rule:
    """Compared by its fields."""

    threshold: object
    points: object = None

    def predict(self):
        return self.threshold


@dataclass(frozen=True, eq=False)
class Panel:
    """Compared by identity, and called."""

    name: str

    def __call__(self):
        return self.name


class Size(NamedTuple):
    """Compared by its items, and not the same as a plain tuple."""

    n: object
    points: object = None


POINTS = np.arange(3.0)

HALF = Fraction(1, 2)

#: What a function gets is the same for it, though the objects are others.
SAME = [
    (HALF, Fraction(2, 4)),
    (float("nan"), float("nan")),
    ({"k": [1, (2.5, "a")]}, {"k": [1, (2.5, "a")]}),
    (Rule(HALF, POINTS), Rule(HALF, POINTS)),
    (Size(3, [POINTS]), Size(3, [POINTS])),
    (Rule(0.5).predict, Rule(0.5).predict),
]

#: Many of these are equal, and none is the same to every function.
OTHERS = [
    (0, 0.0),
    (0, False),
    (0.0, -0.0),
    (1, np.int64(1)),
    (1, HALF * 2),
    ((1, 2), [1, 2]),
    ((3, None), Size(3)),
    (int, float),
    (Rule(1), Rule(True)),
    (lambda: 0, lambda: 0),
    (Rule(0.5).predict, Rule(0.6).predict),
    (Rule(0, POINTS), Rule(0, POINTS.copy())),
    (Panel("map"), Panel("map")),
    (POINTS, id(POINTS)),
]


@pytest.mark.parametrize(
    "made",
    [
        lambda move: partial(max, move, 1),
        lambda move: lambda: move,
        lambda move: Rule(move).predict,
        Panel,
    ],
)
def test_a_function_that_is_made_anew_takes_the_place_of_the_one_before(memo, made):
    """Else the memo would grow with each move."""
    for move in range(10):
        memo.run_again()
        memo(made(move))
    assert len(memo.calls) + len(memo.before) == 2


def test_arguments_are_compared_by_type_and_value_or_identity():
    for one, other in SAME:
        assert hash(key_of(one)) == hash(key_of(other))
        assert key_of(one) == key_of(other), (one, other)
    for one, other in OTHERS:
        assert key_of(one) != key_of(other), (one, other)


@pytest.fixture
def memo():
    return Memo(background=None)


def test_each_function_keeps_the_calls_of_the_last_run_that_made_any(memo):
    made = []

    def double(x, times=2):
        made.append(x)
        return [times * x]

    first = memo(double, 1)
    assert memo(double, 1) is first
    assert memo(double, 1, times=3) == [3]
    assert memo(double, 1.0) is not first

    def calls(*runs):
        """What it is called with where each run has this argument, or no call."""
        made.clear()
        for x in runs:
            memo.run_again()
            if x is not None:
                memo(double, x)
        return made

    assert calls(1, 1, None, None, 1) == [], "stays, and comes back"
    assert calls(2, 1) == [2, 1], "was replaced"


def test_what_a_call_was_given_lives_as_long_as_the_call(memo):
    """Else another array may get its id, and its value."""
    for _ in range(50):
        points = np.arange(1000.0)
        points[0] = np.random.default_rng().random()
        assert memo(np.sum, points) == points.sum()
        memo.run_again()


def test_calls_within_calls_stay_while_the_outer_one_does(memo):
    made = []

    def inner(x):
        made.append(x)
        return x

    def outer(memo, x, y):
        return memo(inner, x) + y

    for y in (1, 1, 2):
        memo.run_again()
        assert memo(outer, memo, 5, y) == 5 + y
    assert made == [5]
