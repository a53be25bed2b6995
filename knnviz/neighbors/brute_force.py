"""Exact Euclidean neighbors by brute force: matrix products rule out most points, sums of squares compare the rest."""

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from knnviz import kernels
from knnviz.threads import slices

#: Training points in one matrix product, few enough for the products to stay in the cache.
POINT_CHUNK = 1024

#: Unit roundoff and smallest normal number of single precision (products), smallest of double (sums of squares).
ROUNDOFF, SMALLEST_SINGLE = float(np.finfo(np.float32).eps) / 2, float(np.finfo(np.float32).smallest_normal)
SMALLEST_DOUBLE = float(np.finfo(np.float64).smallest_normal)

#: Largest exponent of the scale, and the scaled coordinate of a query beyond which no point is ruled out.
LARGEST_EXPONENT, FAR = 500, 1e15


@dataclass(frozen=True, eq=False)
class BruteForceIndex:
    """Training points X (n, d), their mean (d,), a power of two as scale, and ``lower_norms`` (n,) to rule points out.

    1. Let p and q be a point and a query, minus the mean, times the scale. The scale makes every |p_j| at most 1.
    2. The squared distance, times scale^2, is |p|^2 - 2 p.q + |q|^2. Here p.q is computed in single precision.
    3. The sum of step 2 is off by at most e(|p|^2 + |q|^2) + t from the squared distance summed in double precision,
       times scale^2. Here e = 2 (d + 10) u and t = 2 d (s + s' scale^2), u is the unit roundoff of single precision,
       and s and s' are the smallest normal numbers of single and of double precision.
       - Of the d + 10 roundings, d are those of the sum of products, and 3 are those of p, q and their product. They
         are relative to 2 |p| |q|, which is at most |p|^2 + |q|^2.
       - The other 7 exceed all roundings in double precision for d < 2^24.
       - The factor 2 in e exceeds the terms of higher order.
       - t exceeds what underflow loses in both precisions.
       Source: Higham, Accuracy and Stability of Numerical Algorithms, section 3.1.
    4. Let D be the largest of k squared distances, times scale^2. By step 3, a point is not among the k nearest if
       (1 - e) |p|^2 - t - 2 p.q exceeds D - (1 - e) |q|^2.
    5. ``lower_norms`` are (1 - e) |p|^2 - t. The squared distances of all points that step 4 does not rule out are
    computed.
    """

    X: np.ndarray = field(repr=False)
    mean: np.ndarray = field(repr=False)
    scale: float
    lower_norms: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, X: np.ndarray) -> Self:
        """Index finite points X (n, d), without a copy of them."""
        mean = X.mean(axis=0)
        largest_coordinate = max(float(abs(X[rows] - mean).max()) for rows in slices(len(X), POINT_CHUNK))
        scale = 2.0 ** min(-np.ceil(np.log2(largest_coordinate)), LARGEST_EXPONENT) if largest_coordinate else 1.0
        norms = np.concatenate([_squared_norms((X[rows] - mean) * scale) for rows in slices(len(X), POINT_CHUNK)])
        underflow = 2 * X.shape[1] * (SMALLEST_SINGLE + SMALLEST_DOUBLE * scale**2)
        return cls(X, mean, scale, norms - underflow)

    def search(self, queries: np.ndarray, left_out: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Indices (m, k) int32 and squared distances (m, k) of the nearest to queries (m, d); threads in BLAS only."""
        # Each row is a heap, its largest entry first, until it is sorted.
        indices = np.full((len(queries), k), len(self.X), np.int32)
        squares = np.full((len(queries), k), np.inf)
        with np.errstate(over="ignore"):
            centered = (queries - self.mean) * self.scale
            norms = _squared_norms(centered)
        # Products might overflow there; a comparison with NaN rules no point out.
        centered[abs(centered).max(axis=1) > FAR] = np.nan
        minus_twice = (-2 * centered).astype(np.float32)
        for rows in slices(len(self.X), POINT_CHUNK):
            products = minus_twice @ ((self.X[rows] - self.mean) * self.scale).astype(np.float32).T
            points = self.X[rows], self.lower_norms[rows], rows.start
            kernels.keep_nearest(products, *points, queries, norms, self.scale**2, left_out, squares, indices)
        kernels.sort_heaps(squares, indices)
        return indices, squares


def _squared_norms(points: np.ndarray) -> np.ndarray:
    """(1 - e) |p|^2 (n,) of points (n, d), with e as in ``BruteForceIndex``."""
    return (1 - 2 * (points.shape[1] + 10) * ROUNDOFF) * np.einsum("ij,ij->i", points, points)
