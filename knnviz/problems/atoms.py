"""Finitely many weighted points: checks, the box around them, and the nearest one."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from knnviz import checks
from knnviz.threads import slices

#: Fraction of the range by which the box exceeds the points on each side.
BOX_MARGIN = 0.1

#: Most distances in memory at once.
MAX_DISTANCES = 1_000_000

Box = tuple[tuple[float, float], ...]


def check_atoms(points: Any, weights: Any, eta: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return distinct points (m, d), positive weights (m,) and eta (m, C), or raise ValueError."""
    # Adding zero turns -0.0 into 0.0, the same point.
    points = checks.check_points("points", points) + 0.0
    if points.shape[1] > 2:
        raise ValueError(f"points must have 1 or 2 coordinates, got {points.shape[1]}")
    if len(np.unique(points, axis=0)) < len(points):
        raise ValueError("points must differ")
    weights, eta = checks.check_weights(weights, len(points)), checks.check_numbers("eta", eta)
    if not weights.all():
        raise ValueError("weights must be positive")
    eta = checks.check_probabilities("eta", np.stack([1 - eta, eta], axis=1) if eta.ndim == 1 else eta)
    if len(eta) != len(points):
        raise ValueError(f"eta must hold class probabilities for each of {len(points)} points, got {len(eta)}")
    # Copies, so that later changes of the caller's arrays do not matter.
    return points, weights.copy(), eta.copy()


def box_around(points: np.ndarray) -> Box:
    """The box of points (m, d), wider by a tenth of each side at both ends, by 1/2 where a side is zero."""
    low, high = points.min(axis=0), points.max(axis=0)
    margins = np.where(high > low, BOX_MARGIN * (high - low), 0.5)
    return tuple(zip((low - margins).tolist(), (high + margins).tolist(), strict=True))


def check_box(points: np.ndarray, box: Sequence[Sequence[float]]) -> Box:
    """Return a box, or raise ValueError if it does not hold all points (m, d)."""
    sides = checks.check_points("box", box, 2)
    if len(sides) != points.shape[1] or ((points < sides[:, 0]) | (points > sides[:, 1])).any():
        raise ValueError(f"the box must have a side for each coordinate and hold all points, got {sides.tolist()}")
    return tuple((low, high) for low, high in sides.tolist())


def nearest(points: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Index (n,) of the point (m, d) nearest to each of X (n, d), the smallest on a tie."""
    step = max(1, MAX_DISTANCES // len(points))
    parts = [X[rows] for rows in slices(len(X), step)]
    return np.concatenate([np.empty(0, int), *(cdist(part, points, "sqeuclidean").argmin(axis=1) for part in parts)])
