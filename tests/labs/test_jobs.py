"""Stages that go on in the background: abandoned, stopped, waited for, and fair to each other."""

import threading
import time
from functools import partial

import pytest
import random_moves

from knnviz.labs import Lab
from knnviz.labs.old_engine.jobs import FairScheduler, Job
from knnviz.labs.old_engine.parameters import Int
from knnviz.labs.old_engine.stages import stage

until = partial(random_moves.until, seconds=5)


class Screen:
    """A view without a page: what the lab would show."""

    def __init__(self, lab):
        self.lab, self.shown, self.drawn = lab, [], True

    def show(self):
        self.shown.append((self.lab.values["a"], self.lab.climb, self.lab.shadow))
        self.lab.background.report_failures()


class Climbs(Lab):
    """Counts from 1 to ``top``, each step when the test allows it."""

    a = Int(1, min=0, max=9)
    b = Int(1, min=0, max=9)

    def __init__(self, **values):
        self._gate, self._closed = threading.Semaphore(0), []
        super().__init__(**values)

    @stage(streaming=True)
    def climb(self):
        a = self.a
        try:
            for step in range(1, 5):
                yield 10 * a + step
                self._gate.acquire(timeout=5)
        finally:
            self._closed.append(a)

    @stage
    def shadow(self):
        return -self.climb

    @property
    def numbers(self):
        return {"climb": self.climb}


def on_screen(lab):
    """A lab as it is shown."""
    lab.view = Screen(lab)
    lab.show()
    return lab


@pytest.fixture
def lab():
    return on_screen(Climbs())


def allow(lab, steps):
    """Let work go so many steps on."""
    lab._gate.release(steps)


def test_without_a_view_a_stage_is_exhausted_at_once():
    lab = Climbs()
    allow(lab, 9)
    assert lab.readout() == {"climb": 14}
    assert lab.runs()["climb"] == 1


def test_on_show_the_first_value_comes_at_once_and_the_others_follow(lab):
    assert lab.view.shown == [(1, 11, -11)]
    allow(lab, 4)
    until(lambda: lab._closed == [1])
    assert lab.view.shown == [(1, 11, -11), (1, 12, -12), (1, 13, -13), (1, 14, -14)]


def test_work_is_given_up_when_its_own_input_moves_and_not_before(lab):
    allow(lab, 1)
    until(lambda: lab.view.shown[-1][1] == 12)
    lab.b = 5
    allow(lab, 1)
    until(lambda: lab.view.shown[-1][1] == 13)
    lab.a = 2
    assert lab.view.shown[-1] == (2, 21, -21)
    allow(lab, 1)
    until(lambda: lab._closed == [1])
    assert lab.view.shown[-1][1] == 21, "what was given up is not shown"
    allow(lab, 4)
    until(lambda: lab._closed == [1, 2])
    assert lab.view.shown[-1] == (2, 24, -24)


def test_work_given_up_begins_again_when_its_input_comes_back(lab):
    lab.view.show = lambda: None
    lab.a = 2
    allow(lab, 1)
    until(lambda: lab._closed == [1])
    lab.a = 1
    allow(lab, 6)
    assert lab.readout() == {"climb": 14}


def test_stop_keeps_what_is_there(lab):
    allow(lab, 1)
    until(lambda: lab.view.shown[-1][1] == 12)
    lab.stop()
    allow(lab, 1)
    until(lambda: lab._closed == [1])
    assert lab.readout() == {"climb": 13}, "the value that was under way still comes"
    assert lab.runs()["climb"] == 3, "it does not begin again"


def test_sliders_stay_live_meanwhile_and_the_readout_waits_for_the_last_value(lab):
    started = time.monotonic()
    lab.b = 3
    assert time.monotonic() - started < 0.5
    assert lab.shadow == -11
    threading.Timer(0.1, allow, (lab, 9)).start()
    assert lab.readout() == {"climb": 14}


def test_a_page_that_has_not_drawn_is_not_sent_more(lab):
    lab.view.drawn = False
    allow(lab, 1)
    until(lambda: lab.view.shown[-1][1] == 12)
    allow(lab, 1)
    time.sleep(0.2)
    assert lab.view.shown[-1][1] == 12, "the last frame is still out"
    allow(lab, 4)
    until(lambda: lab.view.shown[-1][1] == 14)
    assert 13 not in [climb for _, climb, _ in lab.view.shown], "what came in between is never shown"


class Fails(Climbs):
    """Work that fails on its way."""

    @stage(background=True)
    def climb(self):
        yield self.a
        raise ValueError("no step left")


def test_an_error_in_the_background_becomes_a_sentence_and_is_raised_to_who_waits():
    lab = on_screen(Fails())
    until(lambda: lab.message)
    assert lab.message == "Something went wrong: no step left."
    assert lab.climb == 1
    lab.b = 3
    assert lab.message == "Something went wrong: no step left.", "as long as the state stands"
    runs = lab.runs()["climb"]
    with pytest.raises(ValueError, match="no step left"):
        lab.readout()
    _ = lab.climb
    assert lab.runs()["climb"] == runs + 1, "who asks again has it tried again"
    plain = Fails()
    for _ in range(2):
        with pytest.raises(ValueError, match="no step left"):
            _ = plain.climb


class Refines(Climbs):
    """The same steps in the background, without being a stream."""

    climb = stage(background=True)(Climbs.climb.compute)


def test_stop_leaves_alone_what_must_become_full():
    lab = on_screen(Refines()).stop()
    allow(lab, 4)
    until(lambda: lab.view.shown[-1][1] == 14)


def test_a_value_that_comes_while_nobody_wants_it_is_computed_again(monkeypatch):
    """The reader leaves while the value is under way, and is back before the job looks again."""
    lab = on_screen(Refines())
    handed = threading.Event()
    publish = Job._publish

    def leave_and_come_back(job, value):
        lab._commit({**lab.values, "a": 2}, [])
        publish(job, value)
        lab._commit({**lab.values, "a": 1}, [])
        handed.set()

    monkeypatch.setattr(Job, "_publish", leave_and_come_back)
    allow(lab, 1)
    assert handed.wait(5)
    monkeypatch.undo()
    allow(lab, 6)
    assert lab.readout() == {"climb": 14}


def test_a_lab_opens_without_waiting_for_a_stream():
    lab = Climbs()
    with lab.background.opening():
        assert lab.climb == 11
    allow(lab, 4)
    assert lab.climb == 14


def test_the_job_with_fewest_steps_goes_first():
    scheduler, order = FairScheduler(), []

    def take(taken):
        with scheduler.turn(taken):
            order.append(taken)

    with scheduler.turn(0):
        threads = [threading.Thread(target=take, args=[taken]) for taken in (7, 0, 1)]
        for thread in threads:
            thread.start()
        until(lambda: len(scheduler.waiting) == 3)
    for thread in threads:
        thread.join()
    assert order == [0, 1, 7]


def test_a_closed_lab_gives_its_work_up(lab):
    lab.view.close = lambda: None
    lab.close()
    allow(lab, 1)
    until(lambda: lab._closed == [1])
