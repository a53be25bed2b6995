"""Frames ahead of the moves of a control: each is that of the move, and leaves no trace."""

import time

import numpy as np
import pytest
from random_moves import page, random_value, until, visible
from recipes import line_panel
from recorded import as_a_page_reads, differ
from small import STARTS

from knnviz.labs import Lab
from knnviz.labs.engine import Choice, Int, Shown, ahead, columns
from knnviz.labs.engine.ahead import KINDS


def compared(kind, seed, most):
    """How many frames ahead of a lab were compared with those of the moves, two of each of so many
    controls that have any.
    """
    rng = np.random.default_rng(seed)
    lab = kind(**STARTS[kind])
    client = page(lab)
    for name in rng.permutation(visible(lab))[:3].tolist():
        client.move(**{name: random_value(lab, name, rng)})
    start = lab.values
    lab.readout()
    counts = []
    for name in rng.permutation(visible(lab, *KINDS)).tolist():
        frames = dict(client.take(name))
        base = client.base
        values = list(frames)
        rng.shuffle(values)
        for value in values[:2]:
            client.move(**{name: value})
            told = frames[value]
            found = client.shown
            known = base["layers"] | told["layers"]
            drawn = {each: known[each] for each in found["layers"]}
            expected = base | told | {"layers": drawn}
            assert differ(expected, found) <= {"base"}, (name, value)
            assert as_a_page_reads(expected)["limits"] == as_a_page_reads(found)["limits"]
            lab.set(**start).readout()
        counts += [len(values[:2])] * bool(values)
        if len(counts) == most:
            break
    lab.close()
    return sum(counts)


@pytest.mark.parametrize("kind", STARTS, ids=lambda kind: kind.__name__)
def test_a_frame_ahead_is_that_of_the_move(kind):
    assert compared(kind, 1, 1) > 0


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 8))
@pytest.mark.parametrize("kind", STARTS, ids=lambda kind: kind.__name__)
def test_every_control_has_frames_ahead_that_are_those_of_its_moves(kind, seed):
    assert compared(kind, seed, None) > 0


class Steps(Lab):
    """A lab with controls of all kinds, of which some have no frames ahead, and a picture of their
    values.
    """

    title = "Steps"
    table = (
        Int("a", 5, 0, 20, "a", "first", play=100),
        Int("b", 5, 0, 900, "b", "second"),
        Int("climbs", 0, 0, 9, "climbs", "begins background work"),
        Int("pulls", 0, 0, 9, "pulls", "moves b with it, and b stays"),
        Int("typed", 0, 0, 9, "typed", "a text box", kind="number"),
        Choice("menu", ("one", "two", "three"), "menu", "options"),
    )
    layout = columns(("line", 1.0))

    def adjust(values, changes, before):
        if changes.get("pulls", 0) > 6:
            values["b"] = 6

    def recipe(p, memo):
        memo.stream(climbing, p.climbs)
        height = memo(taken, p.a, p.b, p.pulls, p.menu, p.typed)
        return Shown({"line": lambda: line_panel("line", "Line", height)}, {"height": height})


TAKEN = []


def taken(a, b, pulls, menu, typed):
    TAKEN.append((a, b, pulls, menu))
    return a + b + pulls + typed + len(menu)


def climbing(climbs):
    yield climbs
    yield climbs


@pytest.fixture
def client():
    lab = Steps()
    client = page(lab)
    lab.readout()
    yield client
    lab.close()


def test_all_values_come_near_ones_first_then_ever_finer(client):
    assert list(client.take("a"))[:5] == [4, 6, 3, 7, 2]
    assert client.ahead.keys() == {*range(21)} - {5}
    assert client.take("menu").keys() == {"two", "three"}
    client.take("typed")
    assert client.widget.ahead.name is None
    places = [*client.take("b")]
    assert {*places[:13]} == {*range(14)} - {5}
    assert np.diff(sorted(places[:24])).max() <= 225, "then over the whole range"


def test_so_many_frames_come_at_most_and_none_once_they_are_slow(client, monkeypatch):
    assert 180 < len(client.take("b")) < 200
    monkeypatch.setattr(ahead, "MOST", 40)
    client.move(b=9)
    assert len(client.take("a")) == 20
    assert len(client.take("b")) == ahead.MOST
    monkeypatch.setattr(ahead, "MOST_BYTES", 4000)
    assert 4 < len(client.take("a")) < 20
    monkeypatch.setattr(ahead, "SLOW", 0)
    assert len(client.take("b")) == ahead.MOST_SLOW


def test_frames_ahead_leave_no_trace_and_begin_no_background_work(client):
    lab = client.widget.lab
    lab.observe(lambda change: pytest.fail(f"told of {change}"))
    client.frames.clear()
    before = lab.setting, lab.message, lab.memo.calls.keys(), lab.alt
    assert client.take("climbs") == {}
    assert len(client.take("a")) == 20
    assert (lab.setting, lab.message, lab.memo.calls.keys(), lab.alt) == before
    assert client.frames == []
    assert not lab.background.works
    lab.unobserve_all()
    TAKEN.clear()
    client.move(a=6)
    assert TAKEN == [(6, 5, 0, "one")]


def test_values_that_move_others_for_good_are_for_the_kernel_alone(client):
    assert client.take("pulls").keys() == {*range(1, 7)}
    client.move(pulls=5)
    assert client.state["base"] is not None
    client.move(pulls=8)
    assert client.state["base"] is None


@pytest.mark.parametrize(
    "other",
    [
        lambda lab: page(lab).move(b=7),
        lambda lab: page(lab).step("project", True),
        lambda lab: lab.set_state(1),
        lambda lab: lab.stop(),
    ],
)
def test_frames_ahead_are_right_until_anything_else_changes(client, other):
    lab = client.widget.lab
    client.take("a")
    for a in (6, 9, 5):
        client.move(a=a)
        assert client.state["base"] == client.base["number"]
    other(lab)
    assert client.state["base"] is None
    client.take("a")
    assert client.base["values"] == lab.values


def test_nothing_is_computed_ahead_while_a_cell_runs(client):
    lab = client.widget.lab
    ahead.cell_begins(None)
    client.widget._receive(client.widget, {"page": "twin", "hand": "a"})
    lab.set(a=6)
    TAKEN.clear()
    time.sleep(0.1)
    assert TAKEN == []
    ahead.cell_ends(None)
    until(lambda: client.widget.ahead.thread is None)
    assert len(client.ahead) == 20
