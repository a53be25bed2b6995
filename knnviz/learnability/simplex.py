"""Parts of the simplex of eta: where a label has the largest score, and where the label in most bags is not best."""

import numpy as np

from knnviz.learnability.conditions import TIE_TOL
from knnviz.learnability.matrix import cooccurrence


def largest_score_polygon(scores: np.ndarray, label: int, part: np.ndarray | None = None) -> np.ndarray:
    """Corners (v, C), in order, of the polygon of eta at which a label has the largest of linear scores (C, C) @ eta.

    ``part`` (v, C) are the corners of a convex part of the simplex, all of it by default. The polygon has no interior,
    and corners may repeat, if the label never has the largest score alone. It has no corners if the label ties with
    another everywhere. Raises ValueError for more than three labels.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, cooccurrence, largest_score_polygon
    >>> largest_score_polygon(cooccurrence(EXAMPLES["labels themselves"].process), label=0).round(4).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.3333, 0.3333, 0.3333], [0.5, 0.0, 0.5]]
    """
    if len(scores) > 3:
        raise ValueError(f"the simplex is measured for two or three labels, got {len(scores)}")
    corners = np.eye(len(scores)) if part is None else np.asarray(part, float)
    for rival in range(len(scores)):
        lead = scores[label] - scores[rival]
        if rival != label:
            corners = _clipped(corners, lead) if abs(lead).max() > TIE_TOL else corners[:0]
    return corners


def _clipped(corners: np.ndarray, lead: np.ndarray) -> np.ndarray:
    """The part of a convex polygon, by its corners (v, C) in order, where a linear score (C,) is not negative."""
    scores, kept = corners @ lead, []
    for corner, following, a, b in zip(corners, np.roll(corners, -1, 0), scores, np.roll(scores, -1), strict=True):
        if a >= 0:
            kept.append(corner)
        if a * b < 0:
            kept.append(corner + a / (a - b) * (following - corner))
    return np.array(kept).reshape(-1, corners.shape[1])


def misaligned_fraction(process: np.ndarray) -> float:
    """Fraction of the simplex of eta, between 0 and 1, where the label in most bags is not the best one.

    M (2^C, C) is of two or three labels; ValueError for more.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, misaligned_fraction
    >>> names = ("even inclusion", "never alone", "permutation")
    >>> [round(misaligned_fraction(EXAMPLES[name].process), 4) for name in names]
    [0.0, 0.5, 1.0]
    """
    matrix = cooccurrence(process)
    identity = np.eye(len(matrix))
    best = (largest_score_polygon(identity, label) for label in range(len(matrix)))
    aligned = (largest_score_polygon(matrix, label, part) for label, part in enumerate(best))
    return float(min(max(1 - sum(map(_fraction, aligned)), 0.0), 1.0))


def _fraction(corners: np.ndarray) -> float:
    """Fraction of the segment or triangle of all eta that a convex part with these corners (v, C) covers."""
    if len(corners) < corners.shape[1]:
        return 0.0
    if corners.shape[1] == 2:
        return float(np.ptp(corners[:, 0]))
    x, y = corners[:, 1], corners[:, 2]
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)))
