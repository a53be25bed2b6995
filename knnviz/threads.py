"""Work split among threads: kernels release the GIL, and each piece writes only its own results."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import cache
from typing import TypeVar

import joblib
from tqdm import tqdm

Piece = TypeVar("Piece")


def parallel_map(work: Callable[[Piece], None], pieces: Iterable[Piece], title: str | None = None) -> None:
    """Call ``work`` with each of the pieces, as many at a time as there are processors; an error in one is raised.

    With a ``title`` a bar shows how many are done.
    """
    pieces = list(pieces)
    # To start a thread takes longer than a small piece.
    alone = min(len(pieces), processors()) == 1
    with nullcontext() if alone else ThreadPoolExecutor(processors()) as pool:
        done = pool.map(work, pieces) if pool else map(work, pieces)
        for _ in tqdm(done, title, len(pieces), disable=title is None):
            pass


def slices(n: int, size: int) -> list[slice]:
    """Slices of n rows, ``size`` in each but the last."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def in_pieces(work: Callable[[slice], None], n: int, size: int) -> None:
    """Call ``work`` with slices of n rows, ``size`` at a time, in parallel."""
    parallel_map(work, slices(n, size))


@cache
def processors() -> int:
    """Processors that this process may use, in a container its share of the machine."""
    return joblib.cpu_count()
