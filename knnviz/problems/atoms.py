"""Finitely many weighted points: checks, the box around them, and the nearest one."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from knnviz import checks
from knnviz.threads import slices

#: Fraction of the range by which the box exceeds the points on each side.
BOX_MARGIN = 0.1

#: How far weights and probabilities may be from a sum of 1.
SUM_TOL = 1e-9

#: Most distances in memory at once.
MAX_DISTANCES = 1_000_000

Box = tuple[tuple[float, float], ...]


def check_atoms(points: Any, weights: Any, eta: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return distinct points (m, d), positive weights (m,) and eta (m, C), or raise ValueError."""
    # Adding zero turns -0.0 into 0.0, the same point.
    points = checks.check_points("points", points) + 0.0
    if points.shape[1] > 2:
        raise ValueError(f"points must have 1 or 2 coordinates, got {points.shape[1]}")
    _, inverse, counts = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    twice = np.flatnonzero(counts[inverse] > 1)
    if len(twice):
        same = np.flatnonzero(inverse == inverse[twice[0]])
        raise ValueError(f"points must differ, got the same place in {checks.rows_text(same)}")
    # Copies, so that later changes of the caller's arrays do not matter.
    return points, _weights(weights, len(points)).copy(), _probabilities(eta, len(points)).copy()


def _weights(weights: Any, m: int) -> np.ndarray:
    weights = checks.check_numbers("weights", weights)
    if weights.shape != (m,):
        raise ValueError(f"weights must hold one number for each of {m} points, got shape {weights.shape}")
    bad = np.flatnonzero(~(weights > 0))
    if len(bad):
        raise ValueError(f"weights must be positive, got {weights[bad[0]]:g} in {checks.rows_text(bad[:1])}")
    if abs(weights.sum() - 1) > SUM_TOL:
        raise ValueError(f"weights must sum to 1, got {weights.sum():.10g}")
    return weights


def _probabilities(eta: Any, m: int) -> np.ndarray:
    eta = checks.check_numbers("eta", eta)
    if eta.ndim == 1:
        eta = np.stack([1 - eta, eta], axis=1)
    if eta.ndim != 2 or len(eta) != m or eta.shape[1] < 2:
        raise ValueError(f"eta must hold class probabilities for each of {m} points, got shape {eta.shape}")
    bad = np.flatnonzero(~((eta >= 0) & (eta <= 1)).all(axis=1))
    if len(bad):
        raise ValueError(f"eta must hold probabilities between 0 and 1, got others in {checks.rows_text(bad)}")
    bad = np.flatnonzero(abs(eta.sum(axis=1) - 1) > SUM_TOL)
    if len(bad):
        raise ValueError(f"each row of eta must sum to 1, and not so {checks.rows_text(bad)}")
    return eta


def box_around(points: np.ndarray) -> Box:
    """The box of points (m, d), wider by a tenth of each side at both ends, by 1/2 where a side is zero."""
    low, high = points.min(axis=0), points.max(axis=0)
    margins = np.where(high > low, BOX_MARGIN * (high - low), 0.5)
    return tuple(zip((low - margins).tolist(), (high + margins).tolist(), strict=True))


def check_box(points: np.ndarray, box: Sequence[Sequence[float]]) -> Box:
    """Return a box, or raise ValueError if it does not hold all points (m, d)."""
    sides = checks.check_points("box", box, 2)
    if len(sides) != points.shape[1]:
        raise ValueError(f"the box must have one side for each coordinate, {points.shape[1]} in all, got {len(sides)}")
    outside = np.flatnonzero(((points < sides[:, 0]) | (points > sides[:, 1])).any(axis=1))
    if len(outside):
        raise ValueError(f"the box must hold all points, and leaves out {checks.rows_text(outside)}")
    return tuple((low, high) for low, high in sides.tolist())


def nearest(points: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Index (n,) of the point (m, d) nearest to each of X (n, d), the smallest on a tie."""
    step = max(1, MAX_DISTANCES // len(points))
    parts = [X[rows] for rows in slices(len(X), step)]
    return np.concatenate([np.empty(0, int), *(cdist(part, points, "sqeuclidean").argmin(axis=1) for part in parts)])
