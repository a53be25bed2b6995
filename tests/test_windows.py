"""Windows: consecutive points, and where one set of neighbors gives way to the next."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from refusals import refuses

from knnviz import NeighborTable
from knnviz.neighbors import Windows


@given(st.integers(1, 40), st.integers(0, 2**32 - 1), st.data())
def test_the_neighbors_of_any_x_are_the_window_of_its_k_nearest(n, seed, data):
    """Points at random, so that no query is as near to two of them."""
    rng = np.random.default_rng(seed)
    X, queries = rng.normal(size=(n, 1)), rng.normal(size=(20, 1))
    windows, k = Windows.from_points(X), data.draw(st.integers(1, n))
    assert windows.breakpoints(k).shape == (n - k,)
    rows = windows.starts(queries[:, 0], k)[:, None] + np.arange(k)
    expected = NeighborTable.build(X, queries, k).indices
    assert np.array_equal(np.sort(windows.order[rows], axis=1), np.sort(expected, axis=1))


@given(st.integers(1, 60), st.integers(0, 2**32 - 1), st.data())
def test_windows_around_one_point_are_those_of_each_k(n, seed, data):
    """Rounded points, so that some are breakpoints."""
    rng = np.random.default_rng(seed)
    windows = Windows.from_points(np.unique(rng.integers(0, 200, n)).reshape(-1, 1) / 8)
    x, ks = rng.integers(-10, 210) / 16, data.draw(st.lists(st.integers(1, windows.n), min_size=1, max_size=8))
    assert windows.starts_for_ks(x, ks).tolist() == [int(windows.starts(np.array([x]), k)[0]) for k in ks]


def test_breakpoints_are_the_midpoints_between_the_point_lost_and_the_point_gained():
    windows = Windows.from_points(np.array([[4.0], [0.0], [1.0], [3.0]]))
    assert windows.breakpoints(1).tolist() == [0.5, 2, 3.5]
    assert windows.breakpoints(3).tolist() == [2]
    assert windows.breakpoints(4).tolist() == []
    assert windows.starts(np.array([0.5, 0.6, 9]), 1).tolist() == [0, 1, 3]


def test_refusals():
    refuses(
        "windows need distinct points, but some of X coincide", Windows.from_points, np.array([[0.5], [0.1], [0.5]])
    )
    refuses("X must have 1 columns, got 2", Windows.from_points, np.eye(2))
    windows = Windows.from_points(np.array([[0.5], [0.1]]))
    sentence = "k must not exceed the number of points, got k = 3 with n = 2"
    refuses(sentence, windows.breakpoints, 3)
    refuses(sentence, windows.starts_for_ks, 0.2, [1, 3])
