"""Work split among threads: kernels release the GIL, and each call writes only its own results."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
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
    sequential = min(len(items), processors()) == 1 or hasattr(POOLED, "pool")
    pooled = partial(setattr, POOLED, "pool", True)
    with (
        nullcontext()
        if sequential
        else ThreadPoolExecutor(processors(), initializer=pooled) as pool
    ):
        done = pool.map(work, items) if pool else map(work, items)
        for _ in tqdm(done, title, len(items)) if title else done:
            pass


def slices(n: int, size: int) -> list[slice]:
    """Slices of n rows, ``size`` in each but the last, which may be shorter."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def parallel_chunks(work: Callable[[slice], None], n: int, size: int) -> None:
    """Call ``work`` with slices of n rows, ``size`` at a time, in parallel."""
    parallel_map(work, slices(n, size))


@cache
def processors() -> int:
    """Processors that this process may use; in a container they may be fewer than the machine
    has.
    """
    return joblib.cpu_count()
