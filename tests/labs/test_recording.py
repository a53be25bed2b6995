"""Recordings: what a page reads out of one is what the lab shows live, byte for byte."""

from threading import Thread

import pytest
from random_moves import page
from recorded import axis, frame, read
from refusals import refuses
from small import SMALL, STARTS

from knnviz.labs import ActiveLab, LearnabilityLab, NeighborLab, PoolLab, RatesLab, WeightLab
from knnviz.labs.engine.recording import RECORDED, axes_of, round_values


def neighbors(**values):
    opened = STARTS[NeighborLab] | {"n": 60, "k": 5, "panels": ["map"]}
    return NeighborLab(**opened | values)


def test_recorded_controls_go_over_what_was_recorded_and_the_others_are_still():
    lab = neighbors(controls=["k", "n"], record={"k": [1, 60, 80], "n": [50, 100]})
    index, buffers = read(lab.record())
    assert axis(index, "k") == [1, 5, 60, 80], "the lab's own values are among them"
    assert axis(index, "n") == [50, 60, 100]
    entries = index["entries"]
    assert entries[index["frames"][0]["state"]["values"]] == lab.values, "the start is first"

    assert frame(index, buffers, k=80, n=60) is None
    assert frame(index, buffers, k=80, n=100)["message"] == RECORDED
    still = {each["name"] for each in index["controls"]["parameters"] if "still" in each}
    assert still == lab.parameters.keys() - {"k", "n"}


def test_values_that_the_lab_takes_along_are_not_moved_themselves():
    low = {"do": "Lower *q0*.", "see": "", "set": {"q0": 0.2}}
    opened = {"controls": ["q0", "k"], "panels": ["triangle"], "k": 5, "steps": [low]}
    lab = WeightLab(**STARTS[WeightLab] | opened)
    index, buffers = read(lab.record({"q0": [0.1, 0.3], "k": [1, 5]}))
    assert axis(index, "q0") == [0.1, 0.2, 0.3, 0.5]
    assert frame(index, buffers, q0=0.3, k=1)["values"]["q1"] == 0.42


def test_all_steps_are_there_also_what_only_a_step_moves():
    aside = {"do": "Take another sample.", "see": "", "set": {"n": 100, "seed": 3}}
    more = {"do": "Take 50 votes.", "see": "", "set": {"k": 50}}
    lab = neighbors(controls=["k"], steps=[more, aside])
    index, buffers = read(lab.record({"k": [1, 5]}))
    assert axis(index, "k") == [1, 5, 50]
    for at, step in enumerate(lab.steps):
        assert frame(index, buffers, **step.set)["steps"][at] == [True, "", {}]
    assert frame(index, buffers, k=1, seed=3) is None

    index, buffers = read(lab.set(n=200).record({"k": [1, 5]}))
    for step in lab.steps:
        assert frame(index, buffers, **step.setting.values), "where the page of a moved lab goes"


def test_a_step_may_have_a_value_that_goes_only_with_another():
    longer = {"do": "Buy more.", "see": "", "set": {"m": 300, "labels": 400}}
    lab = ActiveLab(n=100, m=100, panels=["line"], resolution=SMALL, steps=[longer])
    index, _ = read(lab.record({"labels": [100]}))
    assert axis(index, "labels") == [100, 200, 400]


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
    assert axis(index, "k") == [1, 5]


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


def test_what_only_an_edit_brings_is_no_option():
    lab = LearnabilityLab(model="permutation", controls=["model"], panels=["fractions"])
    models = [name for name in lab.parameters["model"].ends if not name.startswith("edited")]
    assert axes_of(lab, {})["model"] == sorted(models)


@pytest.mark.parametrize(
    ("controls", "expected"),
    [
        (["p1", "overlay"], [49, 4]),
        (["k", "n"], [20, 18]),
        (["n", "k", "p1"], [9, 9, 3]),
    ],
)
def test_numbers_take_turns_until_there_are_enough_frames(controls, expected):
    axes = axes_of(neighbors(n=1000, k=100, controls=controls), {})
    assert [len(axes[name]) for name in controls] == expected


@pytest.mark.parametrize(
    ("lab", "name", "count", "expected"),
    [
        (NeighborLab, "p0", 2, [0, 0.95]),
        (NeighborLab, "k", 8, [1, 2, 5, 10, 20, 40, 90, 200]),
        (NeighborLab, "seed", 3, [0, 1, 2]),
        (PoolLab, "split", 5, list(range(20))),
        (RatesLab, "smoothness_constant", 7, [0.5, 2, 4, 6, 8, 10]),
        (RatesLab, "n", 5, [100, 1000, 10**4, 10**5, 10**6]),
    ],
)
def test_values_are_round_and_hold_both_ends(lab, name, count, expected):
    found = round_values(lab(), name, count)
    assert sorted({*found}) == pytest.approx(expected)
