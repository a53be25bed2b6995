"""Lesson 00: a scan without a label, and the labeled scans most like it."""

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

from knnviz.lessons.openings import draw_scan
from knnviz.neighbors import NeighborTable

#: How many of the first scans have labels, and how many neighbors vote.
LABELED, K = 1200, 7


def neighbors() -> np.ndarray:
    """The nearest labeled scans (queries, K) of each scan without a label."""
    X, _ = load_digits(return_X_y=True)
    return NeighborTable.build(X[:LABELED], X[LABELED:], k_max=K).indices


def new_scan() -> int:
    """The first scan without a label whose neighbors have a majority of five."""
    votes = load_digits().target[neighbors()]
    return int(np.argmax([np.bincount(each).max() == 5 for each in votes]))


def draw() -> tuple[Figure, str]:
    """That scan, and its neighbors with their labels."""
    X, y = load_digits(return_X_y=True)
    nearest = neighbors()[new_scan()]
    majority = int(np.bincount(y[nearest]).argmax())
    figure = Figure((9.6, 4.0))
    figure.text(0.02, 0.93, "Which digit is this?", fontsize=16)
    figure.text(0.42, 0.93, f"The {K} labeled scans most like it", fontsize=16)
    boxes = [(0.02, 0.12, 0.32, 0.76)]
    boxes += [(0.42 + 0.14 * (i % 4), 0.57 - 0.47 * (i // 4), 0.13, 0.31) for i in range(K)]
    for box, index, label in zip(boxes, [LABELED + new_scan(), *nearest], ["?", *y[nearest]], strict=True):
        ax = draw_scan(figure, box, X[index])
        ax.set_xlabel(label, fontsize=18, color="#0072b2" if label == majority else "#b34700")
    listed = ", ".join(map(str, y[nearest]))
    words = f"A scan of a handwritten digit without a label, and the {K} scans most like it, labeled {listed}."
    return figure, words
