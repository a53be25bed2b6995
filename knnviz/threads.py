"""Work split among threads: kernels release the GIL, and each call writes only its own results."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from threading import local
from typing import TypeVar

import joblib
from tqdm import tqdm

Item = TypeVar("Item")

#: Of each thread, whether it is one of a pool: then it starts no others, which would have no
#: processor.
POOLED = local()


def parallel_map(
    work: Callable[[Item], None], items: Iterable[Item], title: str | None = None
) -> None:
    """Call ``work`` with each item, as many at a time as there are processors; an error in a call
    is raised.

    With a ``title`` a progress bar is shown.
    """
    items = list(items)
    # Starting a thread takes longer than a small piece of work.
    if min(len(items), processors()) == 1 or hasattr(POOLED, "pool"):
        _wait_for(map(work, items), len(items), title)
        return
    pooled = partial(setattr, POOLED, "pool", True)
    with ThreadPoolExecutor(processors(), initializer=pooled) as pool:
        _wait_for(pool.map(work, items), len(items), title)


def _wait_for(done: Iterable[None], n: int, title: str | None) -> None:
    """Wait for n calls, as an iterator over what they return, under a bar if there is a title."""
    if title:
        done = tqdm(done, title, n)
    for _ in done:
        pass


def slices(n: int, size: int) -> list[slice]:
    """Slices of n rows, ``size`` in each but the last, which may be shorter."""
    starts = range(0, n, size)
    return [slice(start, min(start + size, n)) for start in starts]


def parallel_chunks(work: Callable[[slice], None], n: int, size: int) -> None:
    """Call ``work`` with slices of n rows, ``size`` at a time, in parallel."""
    parallel_map(work, slices(n, size))


@cache
def processors() -> int:
    """Processors that this process may use; in a container they may be fewer than the machine
    has.
    """
    return joblib.cpu_count()
