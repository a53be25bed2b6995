"""Recordings: what a page reads out of one is what the lab shows live, byte for byte."""

from itertools import product
from threading import Thread

import pytest
from random_moves import page
from recorded import frame, read
from refusals import refuses
from small import STARTS

from knnviz.labs import LearnabilityLab, NeighborLab, ThresholdLab, WeightLab
from knnviz.labs.engine import Float, Int, LogInt, Seed
from knnviz.labs.engine.recorded_values import recorded_values, values_between
from knnviz.labs.engine.recording import RECORDED


def neighbors(**values):
    opened = STARTS[NeighborLab] | {"n": 60, "k": 5, "panels": ["map"]}
    return NeighborLab(**opened | values)


def test_recorded_controls_go_over_what_was_recorded_and_the_others_are_still():
    lab = neighbors(controls=["k", "n"])
    index, buffers = read(lab.record({"k": [1, 60, 80], "n": [50, 100]}))
    ks = [1, 5, 60, 80]
    sizes = [50, 60, 100]
    assert index["axes"] == [["k", ks], ["n", sizes]], "the lab's own values are among them"
    assert list(product(ks, sizes))[index["start"]] == (5, 60)

    assert frame(index, buffers, 80, 60) is None
    limits = frame(index, buffers, 60, 60)["limits"]
    assert limits["k"] == [["1", 1], ["5", 5], ["60", 60]], "those that go with n = 60"
    assert limits["n"] == [["60", 60], ["100", 100]]
    assert frame(index, buffers, 1, 50)["message"] == RECORDED


def test_refusals():
    record = neighbors().record
    refuses("NeighborLab has no parameter 'votes'; it has problem", record, {"votes": [1]})
    refuses(r"neighbors k must be between 1 and \d+, got 0", record, {"k": [0, 1]})
    refuses("name the values to record, or open the lab on some controls", record)
    sentence = "a recording holds at most 10,000 frames: name fewer values"
    refuses(sentence, record, {"seed": range(2**32)})
    refuses(sentence, record, {"k": range(1, 61), "seed": range(500)})


def test_a_value_that_cannot_be_shown_has_no_frame_and_the_others_have(monkeypatch):
    recipe = NeighborLab.recipe

    def fails_at_60(p, memo):
        if p.k == 60:
            raise ValueError("no picture at 60")
        return recipe(p, memo)

    monkeypatch.setattr(NeighborLab, "recipe", staticmethod(fails_at_60))
    lab = neighbors(controls=["k"])
    index, _ = read(lab.record({"k": [1, 60]}))
    assert index["axes"] == [["k", [1, 5]]]


def test_a_hand_that_moves_a_lab_as_its_recording_begins_is_waited_for():
    """The curve that it begins needs the lab, which the recording holds from then on."""
    lab = neighbors(curve="over k", panels=["risk"], controls=["k"])
    moved = []
    assert page(lab).values["k"] == 5
    wait = lab.background.wait

    def moved_after(read, slow=True):
        found = wait(read, slow)
        if not moved:
            moved.append(page(lab).move(n=90))
        return found

    lab.background.wait = moved_after
    recorder = Thread(target=lab.record, args=({"k": [1, 5]},), daemon=True)
    recorder.start()
    recorder.join(60)
    assert not recorder.is_alive()
    assert lab.n == 90


# What is recorded unless values are named.


def test_a_weight_that_moves_along_with_another_one_is_left_out():
    lab = WeightLab(**STARTS[WeightLab], controls=["q0", "q1", "q2"], panels=["map"])
    assert list(recorded_values(lab)) == ["q0"]
    lab = neighbors(n=1000, k=101, controls=["k", "n"])
    assert list(recorded_values(lab)) == ["k", "n"]


def test_a_threshold_stays_free_though_steps_move_its_weight_along():
    low = {"do": "Lower *t*.", "see": "", "set": {"t": 0.2}}
    high = {"do": "Raise *t*.", "see": "", "set": {"t": 0.9}}
    opened = {"controls": ["t", "k"], "panels": ["map"], "k": 5, "steps": [low, high]}
    lab = ThresholdLab(**STARTS.get(ThresholdLab, {}) | opened)
    index, buffers = read(lab.record({"t": [0.1, 0.3], "k": [1, 5]}))
    assert index["axes"] == [["t", [0.1, 0.2, 0.3, 0.5, 0.9]], ["k", [1, 5]]]

    found = frame(index, buffers, 0.3, 1)
    limits = [each for _, each in found["limits"]["t"]]
    assert limits == [0.1, 0.3, 0.5], "others by steps"
    assert found["values"]["q1"] == 0.7


def test_what_only_an_edit_brings_is_no_option():
    lab = LearnabilityLab(model="permutation", controls=["model"], panels=["fractions"])
    *models, _ = lab.parameters["model"].ends
    assert recorded_values(lab)["model"] == models


def number(kind, low, high, step=1):
    return kind("x", low, low, high, "x", "", step=step)


@pytest.mark.parametrize(
    ("parameter", "ends", "wanted", "most", "expected"),
    [
        (
            number(Float, 0, 0.95, 0.01),
            (0, 0.95),
            [0],
            10,
            [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95],
        ),
        (number(Int, 1, 200), (1, 200), [2], 8, [1, 2, 5, 10, 20, 50, 100, 200]),
        (number(Int, 50, 8000, 50), (50, 398), [100], 30, [50, 100, 150, 200, 250, 300, 350, 398]),
        (Seed(""), (0, 2**32 - 1), [1], 3, [0, 1, 2]),
        (number(Int, 0, 50), (0, 50), [7], 6, [0, 7, 20, 30, 40, 50]),
        # Of those that a text names, those on which the control steps.
        (
            number(Int, 1, 200),
            (1, 200),
            [1, 3.0, 9.0, 25.0, 2.5, 900.0],
            8,
            [1, 3, 5, 9, 25, 50, 100, 200],
        ),
        (number(Float, 0, 2, 0.05), (0, 2), [1, 0.25, 0.33], 6, [0, 0.25, 1, 1.5, 2]),
        (
            number(LogInt, 10, 10**6),
            (10, 10**6),
            [100, 500, 600],
            5,
            [10, 100, 500, 10**4, 10**5, 10**6],
        ),
    ],
)
def test_values_are_round_and_hold_both_ends(parameter, ends, wanted, most, expected):
    assert values_between(parameter, *ends, wanted, most) == pytest.approx(expected)
