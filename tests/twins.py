"""Plain-NumPy twins of the kernels, and the strategies that feed both."""

import json
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

REFERENCE = Path(__file__).parent / "reference"


def reference(name: str) -> dict:
    """Reference values by name."""
    return json.loads((REFERENCE / f"{name}.json").read_text())


def sorted_neighbors(X, queries, k, own=None):
    """Brute force: all squared distances summed in coordinate order, then a lexsort by (distance, index)."""
    squares = np.zeros((len(queries), len(X)))
    for axis in range(X.shape[1]):
        squares += (X[None, :, axis] - queries[:, None, axis]) ** 2
    if own is not None:
        squares[np.arange(len(queries)), own] = np.inf
    index = np.broadcast_to(np.arange(len(X)), squares.shape)
    order = np.lexsort((index, squares))[:, :k]
    return order, np.take_along_axis(squares, order, axis=1)


def cumulative_votes(indices, labels, n_classes):
    """Votes (m, k_max, C) by one-hot encoding."""
    return np.cumsum(np.eye(n_classes, dtype=int)[labels[indices]], axis=1)


@st.composite
def tables(draw, max_n=60, max_m=12):
    """Training points, queries and k, with ties and duplicates often and always at random."""
    d = draw(st.integers(1, 3))
    n, m = draw(st.integers(1, max_n)), draw(st.integers(1, max_m))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    decimals = draw(st.sampled_from([None, 2, 1, 0]))
    X, queries = rng.random((n, d)), rng.random((m, d))
    if decimals is not None:
        X, queries = np.round(X, decimals), np.round(queries, decimals)
    return X, queries, draw(st.integers(1, n)), rng
