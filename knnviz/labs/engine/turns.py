"""Turns between the kernels of one machine, for many students on few processors: their moves go before streams."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: Environment variable of kernels that share a machine: the folder of the files that they lock.
TURNS = "KNNVIZ_TURNS"

#: Longest pause after a step of a stream, in seconds.
LONGEST_PAUSE = 2.0


@contextmanager
def machine_turn(streams: bool) -> Iterator[None]:
    """Wait for the machine's turn to compute a step of a background stage, if kernels share the machine.

    One kernel at a time computes a step, and one at a time ``streams``. A stream pauses after each step: for the time
    that the step took, times the number of threads that wait for a processor.
    """
    if TURNS not in os.environ:
        yield
    elif streams:
        with _locked("streams"):
            with _locked("steps"):
                began = time.monotonic()
                yield
                took = time.monotonic() - began
            time.sleep(min(LONGEST_PAUSE, took * waiting_threads()))
    else:
        with _locked("steps"):
            yield


@contextmanager
def _locked(name: str) -> Iterator[None]:
    import fcntl

    # Each call opens the file: a lock belongs to an open file, so two threads of one kernel exclude each other, too.
    with Path(os.environ[TURNS], name).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def waiting_threads() -> int:
    """How many threads of the machine wait for a processor, besides this one; 0 where that is unknown."""
    try:
        running = int(Path("/proc/loadavg").read_text().split()[3].split("/")[0])
    except OSError:
        return 0
    return max(running - 1 - (os.cpu_count() or 1), 0)
