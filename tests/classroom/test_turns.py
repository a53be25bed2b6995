"""Kernels that share a machine take turns with their work in the background, and with frames ahead
of moves.
"""

import subprocess
import sys
import time
from threading import Thread

import pytest

from knnviz.classroom import turns
from knnviz.classroom.turns import machine_turn, spare_turn

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a class takes Linux")

TRY = "import fcntl, sys; fcntl.flock(open(sys.argv[1], 'w'), fcntl.LOCK_EX | fcntl.LOCK_NB)"


@pytest.fixture
def locked(tmp_path, monkeypatch):
    """Which of the files another process cannot lock; the machine is idle."""
    monkeypatch.setenv(turns.TURNS, str(tmp_path))
    monkeypatch.setattr(turns, "busy_threads", lambda: 0)

    def held():
        found = set()
        for name in ("streams", "steps", "ahead"):
            tried = [sys.executable, "-c", TRY, tmp_path / name]
            if subprocess.run(tried, stderr=subprocess.DEVNULL).returncode:
                found.add(name)
        return found

    return held


@pytest.fixture
def rests(locked, monkeypatch):
    """How long this kernel pauses, and what is locked meanwhile."""
    found = []
    monkeypatch.setattr(turns.time, "sleep", lambda seconds: found.append((seconds, locked())))
    return found


def test_other_processes_wait_for_a_step(locked):
    with machine_turn(streams=False):
        assert locked() == {"steps"}
    with machine_turn(streams=True):
        assert locked() == {"streams", "steps"}
    assert locked() == set()


def test_threads_of_one_kernel_wait_for_each_other(locked):
    inside = []
    most = []

    def work(streams):
        for _ in range(5):
            with machine_turn(streams):
                inside.append(None)
                time.sleep(0.002)
                most.append(len(inside))
                inside.pop()

    threads = [Thread(target=work, args=(streams,)) for streams in (True, True, False)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert most == [1] * 15


def test_a_stream_pauses_while_others_take_steps(rests, monkeypatch):
    monkeypatch.setattr(turns, "waiting_threads", lambda: 1e9)
    with machine_turn(streams=False):
        pass
    with machine_turn(streams=True):
        pass
    assert rests == [(turns.LONGEST_PAUSE, {"streams"})]


def test_one_kernel_at_a_time_has_time_for_frames_ahead_and_the_others_do_not_wait(locked, rests):
    with spare_turn() as has_time:
        assert has_time
        assert locked() == {"ahead"}
        with machine_turn(streams=True):
            assert locked() == {"streams", "steps", "ahead"}
        with spare_turn() as other_has_time:
            assert not other_has_time
    assert locked() == set()
    assert rests == [(0, {"streams", "ahead"}), (turns.PAUSE, {"ahead"})]


@pytest.mark.parametrize("busy", [1, None])
def test_there_is_no_time_for_frames_ahead_unless_the_machine_is_known_to_be_idle(
    locked, rests, monkeypatch, busy
):
    """And what waits for it to become so holds nobody up."""
    monkeypatch.setattr(turns, "busy_threads", lambda: busy)
    with spare_turn() as has_time:
        assert not has_time
        assert locked() == set()
    assert rests == [(turns.PAUSE, set())]


def test_an_error_ends_a_turn(locked):
    with pytest.raises(RuntimeError), spare_turn():
        raise RuntimeError
    assert locked() == set()


def test_threads_that_run_are_busy():
    """The system counts this one as well, and knows only how many there are of the others."""
    burning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    try:
        # A process runs only once it has been started.
        while turns.busy_threads() < 3:
            time.sleep(0.01)
    finally:
        for each in burning:
            each.kill()
            each.wait()
