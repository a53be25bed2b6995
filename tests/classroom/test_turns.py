"""Kernels that share a machine take turns with their work in the background."""

import subprocess
import sys
import time
from threading import Thread

import pytest

from knnviz.classroom import turns
from knnviz.classroom.turns import machine_turn

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a class takes Linux")

TRY = "import fcntl, sys; fcntl.flock(open(sys.argv[1], 'w'), fcntl.LOCK_EX | fcntl.LOCK_NB)"


@pytest.fixture
def locked(tmp_path, monkeypatch):
    """Which of the files another process cannot lock."""
    monkeypatch.setenv(turns.TURNS, str(tmp_path))

    def held():
        found = set()
        for name in ("streams", "steps"):
            tried = [sys.executable, "-c", TRY, tmp_path / name]
            if subprocess.run(tried, stderr=subprocess.DEVNULL).returncode:
                found.add(name)
        return found

    return held


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


def test_a_stream_pauses_while_others_take_steps(locked, monkeypatch):
    rests = []

    def rest(seconds):
        rests.append((seconds, locked()))

    monkeypatch.setattr(turns, "waiting_threads", lambda: 1e9)
    monkeypatch.setattr(turns.time, "sleep", rest)
    with machine_turn(streams=False):
        pass
    with machine_turn(streams=True):
        pass
    assert rests == [(turns.LONGEST_PAUSE, {"streams"})]
