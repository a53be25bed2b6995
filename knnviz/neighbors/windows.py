"""Neighbors on a line: the k nearest of any point are k consecutive training points."""

from bisect import bisect_left
from dataclasses import dataclass
from typing import Self

import numpy as np

from knnviz.checks import check_k, check_points, require


@dataclass(frozen=True, eq=False)
class Windows:
    """n distinct training points on a line, sorted once for every k.

    ``x`` (n,) are the sorted points, ``order`` (n,) their indices among the training points. Window
    i consists of the k points ``x[i]`` to ``x[i + k - 1]``. Breakpoint i is the midpoint between
    ``x[i]`` and ``x[i + k]``. Window i holds the k nearest points of each query above breakpoint
    i - 1, up to and including breakpoint i; there ``x[i]`` and ``x[i + k]`` are equally near, and
    the left one counts.
    """

    x: np.ndarray
    order: np.ndarray

    @classmethod
    def from_points(cls, X: np.ndarray) -> Self:
        """Sort points X (n, 1), all distinct; ValueError otherwise."""
        x = check_points("X", X, 1)[:, 0]
        order = np.argsort(x)
        ascending = x[order]
        require(distinct(ascending), "points on a line must be distinct, but some coincide")
        return cls(ascending, order)

    @property
    def n(self) -> int:
        return len(self.x)

    def breakpoints(self, k: int) -> np.ndarray:
        """The breakpoints (n - k,) between windows of k points, ascending."""
        k = check_k(k, self.n)
        first = self.x[: self.n - k]
        return (first + self.x[k:]) / 2

    def starts_for_ks(self, x: float, ks: np.ndarray) -> np.ndarray:
        """Index (J,) of the window with the k nearest of query x, for each of ks (J,)."""

        def start(k: int) -> int:
            candidates = range(self.n - k)
            return bisect_left(candidates, x, key=lambda i: (self.x[i] + self.x[i + k]) / 2)

        return np.array([start(k) for k in ks.tolist()])

    def starts(self, queries: np.ndarray, k: int) -> np.ndarray:
        """Index (m,) of the window with the k nearest of each of queries (m,), its first position
        in ``x``.
        """
        return np.searchsorted(self.breakpoints(k), queries)


def distinct(x: np.ndarray) -> bool:
    """Whether sorted numbers x (n,) all differ."""
    return bool((x[1:] > x[:-1]).all())
