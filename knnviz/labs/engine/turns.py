"""Turns between the kernels of one machine: where many students share few processors, hands go first."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: In the environment of kernels that share a machine: a folder of files that the kernel whose turn it is has locked.
TURNS = "KNNVIZ_TURNS"

#: The longest rest after a step of a stream, in seconds.
REST = 2.0


@contextmanager
def machine_turn(streams: bool) -> Iterator[None]:
    """Hold the machine's turn for a step in the background, if kernels share the machine.

    One kernel at a time takes a step, and one at a time ``streams``: it rests after each step as many times as long as
    there are others that wait for a processor.
    """
    if TURNS not in os.environ:
        yield
    elif streams:
        with _locked("streams"):
            with _locked("steps"):
                began = time.monotonic()
                yield
                took = time.monotonic() - began
            time.sleep(min(REST, took * crowd()))
    else:
        with _locked("steps"):
            yield


@contextmanager
def _locked(name: str) -> Iterator[None]:
    import fcntl

    # Opened anew, since a lock belongs to what is opened: two threads of one kernel wait for each other as well.
    with Path(os.environ[TURNS], name).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def crowd() -> int:
    """How many threads of the machine wait for a processor, besides this one; 0 if it does not say."""
    try:
        running = int(Path("/proc/loadavg").read_text().split()[3].split("/")[0])
    except OSError:
        return 0
    return max(running - 1 - (os.cpu_count() or 1), 0)
