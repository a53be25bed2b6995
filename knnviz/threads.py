"""Work split among threads: kernels release the GIL."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from threading import local
from typing import TypeVar

import joblib
from threadpoolctl import ThreadpoolController
from tqdm import tqdm

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Of each thread, whether it is one of a pool: then it starts no others, which would have no
#: processor.
POOLED = local()


def parallel_map(
    work: Callable[[Item], Result], items: Iterable[Item], title: str | None = None
) -> list[Result]:
    """What ``work`` returns for each item, as many at a time as there are processors; an error in a
    call is raised.

    With a ``title`` a progress bar is shown.
    """
    items = list(items)

    def results(done: Iterable[Result]) -> list[Result]:
        return list(tqdm(done, title, len(items)) if title else done)

    # Starting a thread takes longer than a small piece of work.
    if min(len(items), processors()) == 1 or hasattr(POOLED, "pool"):
        return results(map(work, items))
    pooled = partial(setattr, POOLED, "pool", True)
    with ThreadPoolExecutor(processors(), initializer=pooled) as pool:
        return results(pool.map(work, items))


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


@cache
def native_pools(api: str) -> ThreadpoolController:
    """The threads of libraries of a kind, "blas" or "openmp", which are imported before.

    To look for them takes longer than a search for a few neighbors, or k-means.
    """
    return ThreadpoolController().select(user_api=api)
