"""Background work of a lab: its order, when it waits, stops and ends, and its errors."""

import threading
import time

import pytest
from random_moves import until
from recipes import line_panel
from refusals import refuses

from knnviz.labs import Lab
from knnviz.labs.engine import Int, Shown, background, columns


class Climbs(Lab):
    """Streams that take a step whenever the test allows it, and one value that is refined."""

    title = "Climbs"
    table = (Int("a", 1, 0, 9, "a", "first"), Int("b", 1, 0, 9, "b", "second"))
    layout = columns(("climb", 1.0))

    def recipe(p, memo):
        fine = memo.refine(rounded, (1, 3), p.a)
        climb = memo.stream(climbing, p.a)
        other = memo.stream(climbing, -1)
        numbers = {"climb": climb, "fine": fine, "-1": other, "b": p.b}
        return Shown({"climb": lambda: line_panel("climb", "Climb", climb or 0)}, numbers)


STEPS = threading.Semaphore(0)
TAKEN = []
ENDED = []
allow = STEPS.release


def rounded(digits, a):
    TAKEN.append(f"fine {digits}")
    return round(a / 3, digits)


def climbing(a):
    """Three values from 10 a + 1 on; for 7 an error in place of the second."""
    try:
        for step in range(1, 4):
            assert STEPS.acquire(timeout=10)
            TAKEN.append(a)
            if (a, step) == (7, 2):
                raise ValueError("no step left")
            yield 10 * a + step
    finally:
        ENDED.append(a)


class Screen:
    """A page without a browser: what the lab would show, and when it was asked to."""

    def __init__(self, lab, draws=True):
        self.lab = lab
        self.drawn = draws
        self.receiving = False
        self.shown = []

    def show(self):
        try:
            numbers = self.lab.numbers
        except Exception as problem:
            self.lab.message = str(problem)
            return
        failures = self.lab.background.failures()
        if failures:
            self.lab.message = str(failures[0])
        self.shown.append((self.lab.a, *map(numbers.get, ("fine", "climb", "-1"))))


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Nothing is left of the test before, and work begins soon."""
    monkeypatch.setattr(background, "DEBOUNCE", 0.02)
    while STEPS.acquire(blocking=False):
        pass
    TAKEN.clear()
    ENDED.clear()


@pytest.fixture
def lab():
    lab = on_screen(Climbs())
    yield lab
    lab.view = None
    allow(20)
    ends(lab)


def on_screen(lab, **options):
    lab.background.activate()
    with lab.lock:
        lab.view = Screen(lab, **options)
        lab.show()
    return lab


def ends(lab):
    until(lambda: lab.background.thread is None)


def test_without_a_page_all_is_there_once_it_is_waited_for(monkeypatch):
    """Also after an interrupt."""
    lab = Climbs()
    assert lab.numbers == {"fine": 0.333, "b": 1}
    with monkeypatch.context() as interrupted:
        interrupted.setattr(STEPS, "acquire", interrupt)
        with pytest.raises(KeyboardInterrupt):
            lab.readout()
    allow(9)
    assert lab.readout() == {"climb": 13, "fine": 0.333, "-1": -7, "b": 1}
    assert TAKEN == ["fine 3", 1, 1, 1, -1, -1, -1]
    assert lab.background.thread is None


def interrupt(timeout):
    raise KeyboardInterrupt


def test_finer_values_come_first_and_streams_take_turns(lab):
    assert lab.view.shown[0] == (1, 0.3, None, None)
    allow(9)
    ends(lab)
    assert TAKEN == ["fine 1", "fine 3", 1, -1, 1, -1, 1, -1]
    assert lab.view.shown[-1] == (1, 0.333, 13, -7)
    assert lab.view.shown[1][1] == 0.333
    assert sorted(ENDED) == [-1, 1]


def test_a_stream_goes_on_when_others_move_and_ends_when_it_moves_itself(lab):
    allow(2)
    until(lambda: lab.view.shown[-1] == (1, 0.333, 11, -9))
    lab.b = 5
    allow(1)
    until(lambda: lab.view.shown[-1][2] == 12)
    lab.a = 2
    assert lab.view.shown[-1] == (2, 0.7, None, -9), "nothing of the stream before"
    allow(9)
    ends(lab)
    assert lab.view.shown[-1] == (2, 0.667, 23, -7)
    climbs = {climb for a, _, climb, _ in lab.view.shown if a == 2}
    assert climbs <= {None, 21, 22, 23}


def test_stop_keeps_what_is_there_and_finer_values_still_come(lab):
    allow(1)
    until(lambda: lab.view.shown[-1][2] == 11)
    lab.stop()
    assert lab.stop_count == 1
    allow(9)
    ends(lab)
    assert lab.view.shown[-1][1] == 0.333
    assert len(TAKEN) <= 4, "at most the step that was under way"
    assert lab.readout().get("climb") in (11, None)
    lab.b = 2
    assert lab.background.thread is None, "it does not begin again"
    lab.a = 3
    allow(9)
    assert lab.readout()["climb"] == 33


class ClimbsInAPanel(Climbs):
    """The stream of a panel, which is begun once the panel is made."""

    def recipe(p, memo):
        def climb():
            return line_panel("climb", "Climb", memo.stream(climbing, p.a) or 0)

        return Shown({"climb": climb}, {"b": p.b})


def test_stop_holds_for_a_panel_that_is_not_made_again_yet():
    """As after numbers were read out between a value of its stream and its picture."""
    lab = ClimbsInAPanel()
    lab.panel("climb")
    assert lab.background.unfinished()
    lab.changed()
    assert lab.numbers == {"b": 1}
    lab.stop().panel("climb")
    assert lab.background.unfinished() == []


def test_who_waits_for_finer_values_alone_does_not_wait_for_streams(lab):
    assert lab.background.wait(lambda: lab.numbers["fine"], slow=False) == 0.333
    assert "climb" not in lab.numbers


def test_a_page_that_has_not_drawn_is_sent_the_last_value_only():
    lab = on_screen(Climbs(), draws=False)
    lab.background.shown_at = time.monotonic() + 10
    allow(9)
    ends(lab)
    assert lab.view.shown[-1] == (1, 0.333, 13, -7)
    # An end is shown in any case: of the finer value, and of each stream.
    assert len(lab.view.shown) <= 4


def test_an_error_is_told_once_raised_to_who_waits_and_tried_again_after_the_next_move(lab):
    allow(9)
    lab.a = 7
    until(lambda: lab.message == "no step left")
    ends(lab)
    assert lab.view.shown[-1][2] == 71, "the value before the error stays"
    refuses("no step left", lab.readout)
    TAKEN.clear()
    lab.b = 4
    allow(9)
    ends(lab)
    assert TAKEN == [7, 7]


def test_a_lab_whose_page_closes_can_be_read_out_at_once(lab):
    """While a step is under way, which nobody else can take."""
    until(lambda: lab.view.shown[-1][1] == 0.333)
    lab.view = None
    threading.Timer(0.1, allow, (9,)).start()
    assert lab.readout()["climb"] == 13


def test_a_thread_that_an_error_has_ended_is_replaced(lab, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    with monkeypatch.context() as broken:
        broken.setattr(lab.view, "show", lambda: 1 / 0)
        allow(1)
        until(lambda: not lab.background.works)
    allow(9)
    lab.a = 2
    assert lab.readout()["climb"] == 23


class Restless(Climbs):
    """Its stream is given another object in each run."""

    def recipe(p, memo):
        memo.stream(endless, object())
        return Shown({}, {})


def endless(_):
    yield 1


def test_a_stream_that_each_run_makes_anew_is_an_error():
    lab = on_screen(Restless())
    message = (
        "each run of the recipe calls endless anew: what it is given must not change by itself"
    )
    with pytest.raises(RuntimeError, match=message):
        lab.readout()
    assert lab.message == message
    ends(lab)
