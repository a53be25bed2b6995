"""Parts of the simplex of eta, for two or three labels.

They are where a label has the largest score, and where the label in most bags is not the best one.
"""

import numpy as np

from knnviz.checks import check_int, check_points, require
from knnviz.learnability.conditions import SCORE_TOL, check_scores
from knnviz.learnability.matrix import cooccurrence


def largest_score_polygon(
    scores: np.ndarray, label: int, part: np.ndarray | None = None
) -> np.ndarray:
    """Corners (v, C), in order, of the polygon of eta at which a label has the largest of linear
    scores (C, C) @ eta.

    ``part`` (v, C) are the corners of a convex part of the simplex, all of it by default. The
    polygon has no interior, and corners may repeat, if the label never has the largest score alone.
    It has no corners if the label ties with another everywhere.
    """
    scores = check_scores("scores", scores)
    n_classes = len(scores)
    is_square = scores.shape == (n_classes, n_classes)
    require(is_square, f"scores must be of shape (C, C), got {scores.shape}")
    label = check_int("label", label, 0, n_classes - 1)
    corners = np.eye(n_classes) if part is None else check_points("part", part, n_classes)
    for rival in range(n_classes):
        if rival == label:
            continue
        lead = scores[label] - scores[rival]
        if abs(lead).max() <= SCORE_TOL:
            return corners[:0]
        corners = _clipped(corners, lead)
    return corners


def _clipped(corners: np.ndarray, lead: np.ndarray) -> np.ndarray:
    """The part of a convex polygon (v, C), corners in order, where a score (C,) is not negative."""
    scores = corners @ lead
    inside = []
    for i, corner in enumerate(corners):
        following = (i + 1) % len(corners)
        a = scores[i]
        b = scores[following]
        if a >= 0:
            inside.append(corner)
        if a * b < 0:
            inside.append(corner + a / (a - b) * (corners[following] - corner))
    return np.array(inside).reshape(-1, corners.shape[1])


def misaligned_fraction(process: np.ndarray) -> float:
    """Fraction of the simplex of eta where the label in most bags of M is not the best one, for C =
    2 or 3.
    """
    matrix = cooccurrence(process)
    require(len(matrix) <= 3, f"process must have two or three labels, got {len(matrix)}")
    identity = np.eye(len(matrix))
    aligned = 0.0
    for y in range(len(matrix)):
        is_best = largest_score_polygon(identity, y)
        in_most_bags = largest_score_polygon(matrix, y, is_best)
        aligned += _fraction(in_most_bags)
    # Rounding may bring the sum above 1.
    return max(1 - aligned, 0.0)


def _fraction(corners: np.ndarray) -> float:
    """Fraction of the segment or triangle of all eta in a convex part with corners (v, C)."""
    if len(corners) < corners.shape[1]:
        return 0.0
    if corners.shape[1] == 2:
        return float(np.ptp(corners[:, 0]))
    x = corners[:, 1]
    y = corners[:, 2]
    doubled_area = abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    return float(doubled_area)
