"""Calls in parallel: each item is done once, and an error is raised."""

import os
import subprocess
import sys

import pytest

from knnviz.threads import parallel_map, processors


def test_every_item_is_done_once():
    done = []
    parallel_map(done.append, range(100))
    assert sorted(done) == list(range(100))


def test_an_error_in_a_call_is_raised():
    def work(item):
        if item == 7:
            raise ValueError("item 7")

    with pytest.raises(ValueError, match="item 7"):
        parallel_map(work, range(20))


def test_a_limit_on_processors_is_kept():
    probe = "from knnviz.threads import processors; print(processors())"
    limited = os.environ | {"LOKY_MAX_CPU_COUNT": "1"}
    told = subprocess.check_output([sys.executable, "-c", probe], env=limited)
    assert told == b"1\n"
    assert 1 <= processors() <= os.cpu_count()
