"""Recordings: what a page reads out of one is what the lab shows live, byte for byte."""

import base64
import json
import re
import zlib
from itertools import pairwise, product

import numpy as np
import pytest

from knnviz.labs import ActiveLab, EliminationLab, LearnabilityLab, NeighborLab, RatesLab, TuningLab, WeightLab
from knnviz.labs.engine import Float, Int, LogInt, Seed
from knnviz.labs.engine.frames import Frames
from knnviz.labs.engine.recorded_values import inputs_of_curves, recorded_values, values_between
from knnviz.labs.engine.recording import RECORDED

#: What differs in a recording: the ends of its controls, the sentence under it, and what orders the frames.
OF_ITS_OWN = {"limits", "message", "number", "ask", "applied"}


def read(script):
    """Index and buffers of a recording, from what its page is given."""
    sizes, packed = re.fullmatch(r'knnviz\.take\("name",(\[.*?\]),"(.*)"\);\n', script).groups()
    ends = np.cumsum([0, *json.loads(sizes)])
    data = base64.b64decode(packed)
    index, *buffers = [zlib.decompress(data[a:b]) for a, b in pairwise(ends)]
    index = json.loads(index)
    return index, [buffers[buffer][:size] for buffer, size in index["views"]]


def frame(index, buffers, *combination):
    """The state at a combination of values, and its layers with their data; None where there is no frame."""
    at = list(product(*[values for _, values in index["axes"]])).index(combination)
    if index["frames"][at] is None:
        return None
    entries = dict(index["frames"][at])
    layers = {name: filled(index["layers"][each], buffers) for name, each in entries.pop("layers").items()}
    return {name: index["entries"][each] for name, each in entries.items()} | {"layers": layers}


def filled(part, buffers):
    """A packed layer with its data in combination of their numbers."""
    return {
        name: buffers[each] if name == "data" else filled(each, buffers) if isinstance(each, dict) else each
        for name, each in part.items()
    }


def live(lab):
    """What the lab's widget sends to a page that appears, as a page takes it."""
    frames = Frames(lab)
    frames.next()
    whole = frames.whole()
    layers = {
        name: {part: plain(each) for part, each in packed.items()} for name, packed in whole.pop("layers").items()
    }
    return json.loads(json.dumps(whole)) | {"layers": layers}


def plain(part):
    if isinstance(part, memoryview):
        return bytes(part)
    if isinstance(part, dict):
        return {name: plain(each) for name, each in part.items()}
    return json.loads(json.dumps(part))


LABS = {
    "neighbors": (NeighborLab, {"n": 60, "panels": ["map", "votes"]}, {"k": [1, 7, 60], "n": [50, 60]}),
    "curve": (NeighborLab, {"n": 50, "curve": "over k", "panels": ["risk"]}, {"k": [1, 9], "p1": [0, 0.3]}),
    "menu": (EliminationLab, {"n": 60, "panels": ["map"]}, {"problem": ["moons", "thirds"], "overlay": ["undecided"]}),
    "line": (RatesLab, {"n": 100, "panels": ["map", "votes"]}, {"n": [100, 1000], "p0": [0.1, 0.2]}),
}


@pytest.mark.parametrize("name", LABS)
def test_a_recorded_frame_is_the_live_one_byte_for_byte(small, name):
    kind, given, values = LABS[name]
    index, buffers = read(kind(**given).record(values).script("name"))
    for combination in product(*[values for _, values in index["axes"]]):
        lab = kind(**given)
        try:
            lab.set(**dict(zip(values, combination, strict=True)))
        except ValueError:
            assert frame(index, buffers, *combination) is None
            continue
        shown, expected = frame(index, buffers, *combination), live(lab)
        assert {key: each for key, each in shown.items() if key not in OF_ITS_OWN} == {
            key: each for key, each in expected.items() if key not in OF_ITS_OWN | {"controls"}
        }


def test_each_thing_is_kept_once():
    recording = NeighborLab(n=60, panels=["map"]).record({"k": range(1, 31)})
    assert len(set(recording.buffers)) == len(recording.buffers)
    for kept in ("entries", "layers"):
        texts = [json.dumps(each) for each in recording.index[kept]]
        assert len(set(texts)) == len(texts)
    points = {each["layers"]["layer_map_points"] for each in recording.index["frames"]}
    assert len(points) == 1, "the points do not depend on k"


def test_recorded_controls_go_over_what_was_recorded_and_the_others_are_still():
    lab = NeighborLab(n=60, k=5, controls=["k", "n"], panels=["map"])
    index, buffers = read(lab.record({"k": [1, 60, 80], "n": [50, 100]}).script("name"))
    assert index["axes"] == [["k", [1, 5, 60, 80]], ["n", [50, 60, 100]]], "the lab's own values are among them"
    assert frame(index, buffers, 80, 60) is None
    assert frame(index, buffers, 60, 60)["limits"]["k"] == [["1", 1], ["5", 5], ["60", 60]], "those that go with n = 60"
    assert frame(index, buffers, 60, 60)["limits"]["n"] == [["60", 60], ["100", 100]]
    assert frame(index, buffers, 1, 50)["message"] == RECORDED
    assert list(product([1, 5, 60, 80], [50, 60, 100]))[index["start"]] == (5, 60)
    moving = {each["name"]: each["kind"] for each in index["controls"]["parameters"] if not each.get("still")}
    assert moving == {"k": "steps", "n": "steps"}


def test_a_player_goes_over_its_steps_and_a_menu_has_its_names():
    lab = EliminationLab(problem="worked example", n=100, max_neighbors=12, k=3, panels=["ball"])
    index, buffers = read(lab.record({"k": range(1, 13), "fallback": ["majority"]}).script("name"))
    kinds = {each["name"]: each["kind"] for each in index["controls"]["parameters"] if not each.get("still")}
    assert kinds == {"k": "steps", "fallback": "menu"}
    limits = frame(index, buffers, 3, "majority")["limits"]
    assert limits["k"] == [[str(k), k] for k in range(1, 13)]
    assert limits["fallback"] == ["largest lead", "majority"]


def test_an_option_that_goes_with_no_other_values_is_left_out():
    index, buffers = read(NeighborLab(problem="iris", panels=["map"]).record({"overlay": ["advantage"]}).script("name"))
    assert frame(index, buffers, "regions only")["limits"]["overlay"] == ["regions only"]


def test_a_lab_that_was_recorded_is_as_it_was(shown_lab):
    before = shown_lab.values, shown_lab.readout(), shown_lab.view
    shown_lab.record({"k": [1, 9]})
    assert (shown_lab.values, shown_lab.readout(), shown_lab.view) == before


@pytest.fixture
def shown_lab():
    lab = NeighborLab(n=60, k=5, panels=["map"])
    assert lab.widget
    yield lab
    lab.close()


def test_refusals():
    lab = NeighborLab(n=60, panels=["map"])
    with pytest.raises(ValueError, match="NeighborLab has no parameter 'votes'; it has problem"):
        lab.record({"votes": [1]})
    with pytest.raises(ValueError, match=r"neighbors k must be between 1 and \d+, got 0"):
        lab.record({"k": [0, 1]})
    for many in ({"seed": range(2**32)}, {"k": range(1, 61), "seed": range(500)}):
        with pytest.raises(ValueError, match="a recording holds at most 10,000 frames: name fewer values"):
            lab.record(many)
    with pytest.raises(ValueError, match="name the values to record, or open the lab on some controls"):
        lab.record()


def test_a_page_of_its_own_is_complete():
    page = NeighborLab(n=60, panels=["map"]).record({"k": [1, 9]}).page()
    assert page.count("<script>") == page.count("</script>") == 1
    assert "http" not in re.sub(r'"[^"]*http://www\.w3\.org[^"]*"', "", page), "nothing comes from elsewhere"


def test_sizes():
    lab = NeighborLab(n=500, k=25, controls=["k", "n"], panels=["map", "votes", "risk"])
    assert len(lab.record({"k": range(1, 201)}).script("name")) <= 1_000_000
    two = NeighborLab(n=500, k=25, panels=["map", "votes"])
    assert len(two.record({"k": range(1, 200, 10), "p1": np.linspace(0, 0.78, 40)}).script("name")) <= 4_000_000


# What is recorded unless values are named.


def test_values_of_the_controls_that_a_lab_opens_on():
    values = recorded_values(NeighborLab(n=500, k=25, controls=["k", "n"], panels=["map"]))
    assert values["k"][:8] == [1, 2, 3, 4, 5, 6, 8, 10]
    assert values["n"][:4] == [50, 100, 150, 200]
    assert (values["k"][-1], values["n"][-1]) == (200, 8000)


def test_a_weight_that_moves_along_with_another_one_is_left_out():
    assert list(recorded_values(WeightLab(n=100, controls=["q0", "q1", "q2"], panels=["map"]))) == ["q0"]
    assert list(recorded_values(NeighborLab(n=1000, k=101, controls=["k", "n"], panels=["map"]))) == ["k", "n"]


def test_menus_and_players_are_recorded_whole():
    lab = TuningLab(n=100, k=5, controls=["accept", "n_steps"], panels=["stairs"])
    assert recorded_values(lab)["accept"] == [">=", ">"]
    played = ActiveLab(n=200, m=50, k_hard=40, controls=["seed", "step"], panels=["line"])
    assert recorded_values(played)["step"] == list(range(55))
    assert recorded_values(played)["seed"] == list(range(10))


def test_an_option_that_depends_on_what_was_chosen_before_is_left_out():
    lab = LearnabilityLab(model="permutation", controls=["model"], panels=["fractions"])
    assert lab.limits("model", lab.values)[-1] == "edited"
    assert recorded_values(lab)["model"] == list(lab.limits("model", lab.values)[:-1])


def test_few_values_of_what_a_streaming_curve_reads():
    lab = NeighborLab(n=50, controls=["k", "p1"], panels=["risk"], curve="over k")
    values = recorded_values(lab)
    assert {"p1", "n"} & inputs_of_curves(lab) == {"p1", "n"}
    assert "k" not in inputs_of_curves(lab)
    assert len(values["p1"]) <= 14 < len(values["k"])


@pytest.mark.parametrize(
    ("parameter", "ends", "most", "expected"),
    [
        (Float(0.5, min=0, max=0.95), (0, 0.95), 10, [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]),
        (Int(5, min=1, max=200), (1, 200), 8, [1, 2, 5, 10, 20, 50, 100, 200]),
        (Int(5, min=50, max=398, step=50), (50, 398), 30, [50, 100, 150, 200, 250, 300, 350, 398]),
        (LogInt(100, min=10, max=10**6), (10, 10**6), 5, [10, 100, 1000, 10_000, 100_000, 1_000_000]),
        (Seed(), (0, 2**32 - 1), 3, [0, 1, 2]),
        (Int(0, min=0, max=50), (0, 50), 6, [0, 10, 20, 30, 40, 50]),
        (Int(7, min=0, max=50), (0, 50), 6, [0, 7, 20, 30, 40, 50]),
    ],
)
def test_values_are_round_and_hold_both_ends(parameter, ends, most, expected):
    assert values_between(parameter, *ends, [expected[1]], most) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("parameter", "ends", "wanted", "most", "expected"),
    [
        (Int(5, min=1, max=200), (1, 200), [1, 3.0, 9.0, 25.0, 2.5, 900.0], 8, [1, 3, 5, 9, 25, 50, 100, 200]),
        (Float(1, min=0, max=2, step=0.05), (0, 2), [1, 0.25, 0.33], 6, [0, 0.25, 1, 1.5, 2]),
        (Int(1, min=1, max=50), (1, 50), [1, 3, 4, 7, 8, 9], 3, [1, 3, 4, 7, 8, 9, 50]),
        (LogInt(100, min=10, max=10**6), (10, 10**6), [100, 500, 600], 5, [10, 100, 500, 10**4, 10**5, 10**6]),
    ],
)
def test_values_that_a_text_names_are_kept_if_the_control_steps_on_them(parameter, ends, wanted, most, expected):
    found = values_between(parameter, *ends, wanted, most)
    assert found == expected
