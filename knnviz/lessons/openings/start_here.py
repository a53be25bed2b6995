"""Lesson 00: a scan without a label, and the labeled scans most like it."""

import numpy as np
from sklearn.datasets import load_digits

from knnviz.lessons.openings.drawing import Drawn, Page
from knnviz.neighbors import NeighborTable

#: Where a cover begins, as a fraction of the width, and what it asks.
COVER = 0.38, "Which digit is it?"

#: How many of the first scans have labels, and how many neighbors vote.
LABELED = 1200
K = 7


def draw() -> Drawn:
    """The first scan whose neighbors have a majority of five, and these with their labels."""
    X, y = load_digits(return_X_y=True)
    neighbors = NeighborTable.build(X[:LABELED], X[LABELED:], k_max=K).indices
    majorities = [np.bincount(votes).max() for votes in y[neighbors]]
    new = majorities.index(5)
    nearest = neighbors[new]
    head = f"The {K} labeled scans most like it"
    page = Page((0.2, "Which digit is this?"), (4.03, head))
    page.scan(X[LABELED + new], 0.2, 0.45, 3.05, "?")
    in_minority = y[nearest] != np.bincount(y[nearest]).argmax()
    for i, index in enumerate(nearest):
        row, column = divmod(i, 4)
        left = 4.03 + 1.34 * column
        bottom = 2.26 - 1.86 * row
        page.scan(X[index], left, bottom, 1.24, f"{y[index]}", int(in_minority[i]))
    listed = ", ".join(map(str, y[nearest]))
    return (
        page,
        f"A scan of a handwritten digit without a label, and the {K} scans most like it, labeled "
        f"{listed}.",
    )
