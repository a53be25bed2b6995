"""Parameters: what they take, their steps, what a lab makes of their ranges, and their traits."""

from fractions import Fraction

import ipywidgets
import numpy as np
import pytest
import traitlets
from random_moves import page
from recipes import Sums
from refusals import refuses

from knnviz.labs.engine import Choice, Float, Int, LogInt, Seed

K = Int("k", 25, 1, 200, "neighbors *k*", "")
RATE = Float("p0", 0, 0, 0.95, "rate *p0*", "")
SIZE = LogInt("n", 100, 10, 10**7, "size *n*", "")
SETS = Choice("overlay", ("points", "sets"), "*show*", "")


@pytest.mark.parametrize(
    ("parameter", "value", "expected"),
    [
        (K, np.int64(7), 7),
        (RATE, 0, 0.0),
        (RATE, Fraction(1, 4), 0.25),
        (RATE, 0.1 + 0.2, 0.3),
        (SETS, "sets", "sets"),
    ],
)
def test_values_are_stored_as_plain_python(parameter, value, expected):
    stored = parameter.check(value, parameter.ends)
    assert stored == expected
    assert type(stored) is type(expected)


@pytest.mark.parametrize(
    ("parameter", "value", "sentence"),
    [
        (K, 0, "neighbors k must be between 1 and 200, got 0"),
        (K, True, "neighbors k must be a whole number, got True"),
        (RATE, 0.96, "rate p0 must be between 0 and 0.95, got 0.96"),
        (RATE, float("nan"), "rate p0 must be a number, got nan"),
        (RATE, 10**400, "rate p0 must be between 0 and 0.95, got inf"),
        (SETS, "lines", "show must be one of points, sets, got 'lines'"),
        (SETS, np.array(["points", "sets"]), r"show must be one of points, sets, got array"),
    ],
)
def test_other_values_are_refused(parameter, value, sentence):
    refuses(f"^{sentence}", parameter.check, value, parameter.ends)


def test_steps_and_the_nearest_one():
    size = Int("n", 50, 50, 8000, "", "", step=50)
    for number, ends, x, nearest in (
        (K, (1, 200), 33.4, 33),
        (size, (50, 398), 1234, 398),
        (size, (50, 8000), 1234, 1250),
        (SIZE, SIZE.ends, -3, 10),
        (SIZE, SIZE.ends, 12, 10),
        (SIZE, SIZE.ends, 12.5, 15),
    ):
        assert number.nearest(x, ends) == nearest

    assert SIZE.steps(10, 500) == [10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500]
    assert RATE.steps(0, 0.03) == [0, 0.01, 0.02, 0.03]
    assert Seed("").steps(0, 2**32 - 1) == list(range(10))
    assert SIZE.positions(123, (100, 150)) == [["100", 100], ["123", 123], ["150", 150]]
    assert [SIZE.text(size) for size in (1500, 10**7, 15 * 10**6)] == ["1,500", "10⁷", "1.5·10⁷"]


AT_MOST = "the small number is at most the large one"


def test_what_is_set_wins_and_others_move_with_a_note():
    lab = Sums()
    assert lab.set(large=1).values["small"] == 1
    assert lab.message == f"small a moved from 2 to 1: {AT_MOST}."
    lab.set(offset=0.2, small=0)
    assert lab.message == ""

    lab.mode = "odd"
    assert lab.offset == 0.5
    assert lab.message == "offset c moved from 0.2 to 0.5: odd modes have no offset."
    lab.set(mode="plain", offset=0.2)
    assert lab.offset == 0.2, "values that are set together may go with each other"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"small": 9, "large": 7}, f"small a must be between 0 and 7, got 9: {AT_MOST}"),
        (
            {"mode": "odd", "offset": 0.1},
            "offset c must stay at 0.5, got 0.1: odd modes have no offset",
        ),
        ({"smal": 1, "large": 7}, "Sums has no parameter 'smal'; it has small, large, mode"),
    ],
)
def test_refusals_carry_the_reason_and_change_nothing(changes, sentence):
    lab = Sums()
    refuses(f"^{sentence}", lab.set, **changes)
    assert lab.values == Sums().values


def test_controls_without_effect_are_hidden_and_play_is_over_in_ten_seconds():
    lab = Sums()
    assert lab.setting.hidden == {"more"}
    assert lab.set(mode="odd").setting.hidden == {"offset", "more"}
    assert lab.set(mode="spare").setting.hidden == set()
    assert page(lab).state["pace"] == {"small": 2000}
    page(lab).move(large=1)
    assert page(lab).state["pace"] == {"small": 6000}


def test_a_lab_opens_on_what_it_is_asked_for():
    lab = Sums(controls=["mode"], numbers=["mode"], panels=["offset", "sum"])
    assert [panel.axes.name for panel in lab.picture.panels] == ["sum", "offset"]
    assert lab.widget.frames.whole()["controls"]["first"] == ("mode",)
    assert next(iter(lab.shown_numbers())) == "mode"

    figure = Sums(panels=["sum"]).figure(panels=["offset"])
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["Offset"]
    for what in ("control", "number", "panel"):
        refuses(f"^there is no {what} 'mushrooms'; there are ", Sums, **{f"{what}s": ["mushrooms"]})


# Parameters as traits.


def test_observers_hear_the_newest_value_of_each_once_after_all_have_moved():
    lab = Sums()
    seen = []
    all_values = []

    def hear(change):
        seen.append((change.name, change.old, change.new))
        all_values.append(dict(lab.values))

    lab.observe(hear, ["small", "large"])
    follower = ipywidgets.IntText()
    traitlets.dlink((lab, "small"), (follower, "value"))
    lab.set(small=4, large=7, mode="odd")
    assert seen == [("small", 2, 4), ("large", 5, 7)]
    assert all_values == [lab.values] * 2

    page(lab).steps(*[("move", {"small": each}) for each in (5, 6, 1)])
    assert seen[2:] == [("small", 4, 1)]
    assert len(page(lab).frames) == 1, "steps of one message are answered by one frame"
    page(lab).step("preset", "Nines")
    assert lab.small == 9
    assert follower.value == 9

    lab.observe(lambda _: 1 / 0, "small")
    page(lab).move(small=3)
    assert page(lab).message == "Something went wrong: division by zero."
    assert page(lab).drawn == lab.values
