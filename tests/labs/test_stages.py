"""Stages: computed once for what they read, and never out of date."""

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refuses

from knnviz.labs import Lab, NeighborLab
from knnviz.labs.engine.large_values import activate, release_large_values
from knnviz.labs.old_engine.parameters import Choice, Int
from knnviz.labs.old_engine.stages import RELEASED, stage


class Sums(Lab):
    """A small lab whose stages are sums."""

    a = Int(1, min=0, max=9).tag(label="first", symbol="a")
    b = Int(2, min=0, max=9)
    c = Int(3, min=0, max=9)
    mode = Choice("both", ["both", "first"])

    @stage
    def ab(self):
        return self.a + self.b

    @stage
    def abc(self):
        return self.ab + self.c

    @stage
    def chosen(self):
        return self.abc if self.mode == "both" else self.a

    @stage
    def inverse(self):
        return 1 / self.c

    @stage(compare_values=True)
    def half(self):
        return self.a // 2

    @stage
    def after_half(self):
        return self.half + 100

    @property
    def numbers(self):
        return {"chosen": self.chosen}


def test_a_stage_runs_once_for_what_it_reads():
    lab = Sums()
    assert (lab.abc, lab.abc, lab.ab) == (6, 6, 3)
    assert lab.runs() == {"ab": 1, "abc": 1}
    lab.c = 5
    assert lab.abc == 8
    assert lab.runs() == {"ab": 1, "abc": 2}
    lab.a = 4
    assert lab.abc == 11
    assert lab.runs() == {"ab": 2, "abc": 3}


def test_what_a_stage_reads_may_depend_on_a_parameter():
    lab = Sums(mode="first")
    assert lab.chosen == 1
    lab.b = 7
    assert lab.chosen == 1
    assert lab.runs() == {"chosen": 1}
    lab.mode = "both"
    assert lab.chosen == 11
    lab.mode = "first"
    assert lab.chosen == 1


def test_a_stage_that_compares_values_changes_only_with_its_value():
    lab = Sums(a=4)
    for a, value, runs in ((4, 102, 1), (5, 102, 1), (6, 103, 2)):
        lab.a = a
        assert (lab.after_half, lab.runs()["after_half"]) == (value, runs)


def test_a_stage_that_fails_keeps_nothing_and_may_succeed_later():
    lab = Sums(c=0)
    for c in (4, 5):
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                _ = lab.inverse
        assert lab.tracker.computing == []
        assert lab.set(c=c).inverse == 1 / c
        lab.c = 0


MOVES = st.lists(
    st.one_of(
        st.tuples(st.sampled_from("abc"), st.integers(0, 9)),
        st.tuples(st.just("mode"), st.sampled_from(["both", "first"])),
    ),
    max_size=12,
)


@given(MOVES, st.data())
def test_stages_are_never_out_of_date(moves, data):
    lab = Sums()
    for name, value in moves:
        setattr(lab, name, value)
        for asked in data.draw(st.lists(st.sampled_from(["ab", "abc", "chosen"]), max_size=2)):
            getattr(lab, asked)
    total = lab.a + lab.b + lab.c
    assert (lab.ab, lab.abc) == (lab.a + lab.b, total)
    assert lab.chosen == (total if lab.mode == "both" else lab.a)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"a": 10}, "first a must be between 0 and 9, got 10"),
        ({"a": 5, "b": -1}, "b must be between 0 and 9, got -1"),
        ({"a": True}, "first a must be a whole number, got True"),
        ({"mode": "none"}, "mode must be one of both, first, got 'none'"),
        ({"z": 1}, "Sums has no parameter 'z'; it has a, b, c, mode"),
    ],
)
def test_a_bad_value_changes_nothing(changes, message):
    lab = Sums()
    refuses(f"^{message}$", lab.set, **changes)
    assert lab.values == Sums().values
    assert lab.readout() == {"chosen": 6}


def test_observers_see_a_change_once_all_have_moved_and_may_read_the_lab_out():
    lab, seen = Sums(), []
    lab.observe(lambda change: seen.append((change["name"], lab.a, lab.b, lab.readout())), ["a", "b"])
    lab.set(a=5, b=6)
    assert sorted(seen) == [("a", 5, 6, {"chosen": 14}), ("b", 5, 6, {"chosen": 14})]


def test_a_stage_may_build_on_the_one_it_replaces():
    class Shifted(Sums):
        @stage
        def ab(self):
            return 100 + super().ab

    lab = Shifted()
    for a in (1, 2, 3):
        lab.a = a
        assert (lab.ab, lab.abc) == (102 + a, 105 + a)


def test_reset_goes_back_to_where_this_lab_began():
    lab = Sums(a=4)
    lab.set(a=5, b=6).reset()
    assert (lab.a, lab.b) == (4, 2)


def test_what_is_no_scene_or_preset_is_refused():
    refuses("this is a scene of OtherLab, not of Sums", Sums.from_scene, '{"lab": "OtherLab"}')
    refuses("a scene is a text that a lab's scene", Sums.from_scene, "moons")
    refuses("there is no preset 'Moon'; there are ", Sums().show_preset, "Moon")


def test_what_is_no_parameter_cannot_be_set():
    lab = Sums()
    with pytest.raises(AttributeError, match="ab is computed; set the parameters that it follows from"):
        lab.ab = 5
    with pytest.raises(AttributeError, match="Sums has no parameter 'A'; it has a, b, c, mode"):
        lab.A = 5
    lab.set_trait("a", 7)
    assert lab.a == lab.values["a"]


def test_threads_that_read_stages_do_not_mix_up_what_they_read():
    def slowly(name):
        return stage(lambda lab: time.sleep(0.1) or getattr(lab, name))

    class Slow(Sums):
        slow_a, slow_b = slowly("a"), slowly("b")

    lab = Slow()
    threads = [threading.Thread(target=getattr, args=(lab, name)) for name in ("slow_a", "slow_b")]
    for thread in threads:
        thread.start()
    assert lab.c == 3
    for thread in threads:
        thread.join()
    lab.set(a=5, b=6)
    assert (lab.slow_a, lab.slow_b) == (5, 6)
    assert lab.runs() == {"slow_a": 2, "slow_b": 2}


def test_a_large_value_that_was_released_is_computed_again_as_it_was():
    lab = NeighborLab(n=300)
    lab.picture  # noqa: B018
    votes, runs = lab.cells.votes.at(25), lab.runs()
    release_large_values(lab)
    assert lab.cells.cache[type(lab.cells).votes].value is RELEASED
    assert lab.picture is lab.picture
    assert lab.runs() == runs, "whatever has read it stays current"
    assert (lab.cells.votes.at(25) == votes).all()
    assert lab.runs() == runs
    assert lab.set(k=7).readout() == NeighborLab(n=300, k=7).readout()


def test_only_the_active_lab_holds_large_values():
    one, other = NeighborLab(n=300), NeighborLab(n=400)
    for lab in (one, other, one):
        activate(lab)
        lab.set(k=lab.k + 2)
        lab.picture  # noqa: B018
    held = [lab.cells.cache[type(lab.cells).tables].value is not RELEASED for lab in (one, other)]
    assert held == [True, False]
    assert other.set(k=9).readout() == NeighborLab(n=400, k=9).readout()


def test_what_a_stream_has_read_is_given_back_once_it_ends():
    lab = NeighborLab(n=300, curve="over k")
    lab.widget, lab.picture  # noqa: B018
    release_large_values(lab)
    assert lab.background.unfinished()
    threads = [job.thread for job in lab.background.unfinished()]
    lab.background.wait(lambda: lab.picture)
    for thread in threads:
        thread.join()
    large = [entry for entry in lab.background.entries() if entry.stage.large]
    assert large
    assert [entry.value is RELEASED for entry in large] == [True] * len(large)
