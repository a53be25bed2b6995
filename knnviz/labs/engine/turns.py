"""Turns between the kernels of one machine: where many students share few processors, one streams at a time."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

#: In the environment of kernels that share a machine: a file that the one whose turn it is has locked.
TURNS = "KNNVIZ_TURNS"

#: How nice a thread is that streams: it has a tenth of what another one has.
PATIENT = 10


@contextmanager
def machine_turn(streams: bool) -> Iterator[None]:
    """For a block that ``streams``, wait until no other kernel of the machine does, if kernels share it."""
    if not streams or TURNS not in os.environ:
        yield
        return
    import fcntl

    fcntl.flock(turns(), fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(turns(), fcntl.LOCK_UN)


def step_back() -> None:
    """Where kernels share a machine, let this thread work only while hands leave processors free (on Linux)."""
    if TURNS in os.environ:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), PATIENT)


@cache
def turns() -> int:
    return os.open(os.environ[TURNS], os.O_RDWR | os.O_CREAT)
