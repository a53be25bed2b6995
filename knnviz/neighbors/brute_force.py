"""Exact Euclidean neighbors by brute force: matrix products rule most points out, sums of squares decide."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from knnviz import kernels

#: Training points that are multiplied with some queries at a time, so that the products stay in the cache.
COLUMNS = 1024

#: Unit roundoff and smallest normal number of the products, and the smallest of the sums of squares.
ROUNDOFF, SMALLEST = float(np.finfo(np.float32).eps) / 2, float(np.finfo(np.float32).smallest_normal)
SMALLEST_SUM = float(np.finfo(np.float64).smallest_normal)

#: Largest power of the scale, and the scaled coordinate from which on a query is measured from all points.
LARGEST_POWER, FAR = 500, 1e15


@dataclass(frozen=True, eq=False)
class Centered:
    """Training points X (n, d), with what rules most of them out: mean (d,), a power of two as scale, norms (n,).

    Let p and q be the differences of a point and of a query from the mean, times the scale, which makes every |p_j| at
    most 1. The squared distance is |p|^2 - 2 p.q + |q|^2. With p.q in single precision, that sum is off by at most
    e(|p|^2 + |q|^2) + t from the squared distance as it is summed in double precision, where e = 2 (d + 10) u and
    t = 2 d (s + s' scale^2): u is the unit roundoff of single precision, s and s' are the smallest normal numbers of
    both. Of the d + 10 roundings, d are those of the sum of products and 3 those of p, q and their product, by
    2 |p| |q| <= |p|^2 + |q|^2; the other 7 exceed all roundings in double precision for d < 2^24, and the factor 2
    the terms of higher order (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1). So a point is not
    among the k nearest if (1 - e) |p|^2 - t - 2 p.q exceeds the largest of k squared distances less (1 - e) |q|^2.
    ``norms`` are (1 - e) |p|^2 - t. Whatever is not ruled out is measured.
    """

    X: np.ndarray = field(repr=False)
    mean: np.ndarray = field(repr=False)
    scale: float
    norms: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, X: np.ndarray) -> Self:
        """Prepare finite points X (n, d), without a copy of them."""
        mean = X.mean(axis=0)
        reach = max(float(abs(X[rows] - mean).max()) for rows in _pieces(len(X)))
        scale = 2.0 ** min(-np.ceil(np.log2(reach)), LARGEST_POWER) if reach else 1.0
        norms = np.concatenate([_squared_norms((X[rows] - mean) * scale) for rows in _pieces(len(X))])
        smallest = 2 * X.shape[1] * (SMALLEST + SMALLEST_SUM * scale**2)
        return cls(X, mean, scale, norms - smallest)

    def nearest(self, queries: np.ndarray, own: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Indices (m, k) int32 and squared distances (m, k) of the nearest of each query (m, d), on this thread.

        ``own`` (m,) is the training point that each query leaves out, or -1.
        """
        indices = np.full((len(queries), k), len(self.X), np.int32)
        squares = np.full((len(queries), k), np.inf)
        with np.errstate(over="ignore"):
            centered = (queries - self.mean) * self.scale
            norms = _squared_norms(centered)
        # Products might overflow there; what is not a number rules no point out.
        centered[abs(centered).max(axis=1) > FAR] = np.nan
        twice = (-2 * centered).astype(np.float32)
        for rows in _pieces(len(self.X)):
            products = twice @ ((self.X[rows] - self.mean) * self.scale).astype(np.float32).T
            known = self.X[rows], self.norms[rows], rows.start
            kernels.keep_nearest(products, *known, queries, norms, self.scale**2, own, squares, indices)
        kernels.sort_heaps(squares, indices)
        return indices, squares


def _pieces(n: int) -> Iterator[slice]:
    return (slice(start, start + COLUMNS) for start in range(0, n, COLUMNS))


def _squared_norms(points: np.ndarray) -> np.ndarray:
    """Squared norms (n,) of points (n, d), less the part of them by which a product may be off."""
    return (1 - 2 * (points.shape[1] + 10) * ROUNDOFF) * np.einsum("ij,ij->i", points, points)
