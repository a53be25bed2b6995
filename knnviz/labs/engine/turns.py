"""Turns between the kernels of one machine: where many students share few processors, one streams at a time."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

#: In the environment of kernels that share a machine: a file that the one whose turn it is has locked.
TURNS = "KNNVIZ_TURNS"

#: The longest rest after a step, in seconds.
REST = 2.0


@contextmanager
def machine_turn(streams: bool) -> Iterator[None]:
    """For a block that ``streams``, wait until no other kernel of the machine does, if kernels share it.

    It is followed by a rest as many times as long as there are others that wait for a processor: hands go first.
    """
    if not streams or TURNS not in os.environ:
        yield
        return
    import fcntl

    fcntl.flock(turns(), fcntl.LOCK_EX)
    began = time.monotonic()
    try:
        yield
    finally:
        time.sleep(min(REST, (time.monotonic() - began) * crowd()))
        fcntl.flock(turns(), fcntl.LOCK_UN)


@cache
def turns() -> int:
    return os.open(os.environ[TURNS], os.O_RDWR)


def crowd() -> int:
    """How many threads of the machine wait for a processor, besides this one; 0 if it does not say."""
    try:
        running = int(Path("/proc/loadavg").read_text().split()[3].split("/")[0])
    except OSError:
        return 0
    return max(running - 1 - (os.cpu_count() or 1), 0)
