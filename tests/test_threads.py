"""Pieces are done side by side, all of them, and an error in one is raised."""

import os
import subprocess
import sys
import threading

import pytest

from knnviz.threads import parallel_map, processors


def test_every_piece_is_done_once():
    done = []
    parallel_map(done.append, range(100))
    assert sorted(done) == list(range(100))


def test_one_piece_needs_no_thread():
    done = []
    parallel_map(lambda piece: done.append((piece, threading.current_thread())), [3])
    assert done == [(3, threading.current_thread())]


def test_an_error_in_a_piece_is_raised():
    def work(piece):
        if piece == 7:
            raise ValueError("piece 7")

    with pytest.raises(ValueError, match="piece 7"):
        parallel_map(work, range(20))


def test_a_share_of_the_machine_is_kept_to():
    probe = "from knnviz.threads import processors; print(processors())"
    fraction = os.environ | {"LOKY_MAX_CPU_COUNT": "1"}
    assert subprocess.run([sys.executable, "-c", probe], env=fraction, capture_output=True, check=True).stdout == b"1\n"
    assert 1 <= processors() <= os.cpu_count()
