"""Neighbors: exact by every way of searching, ties included; windows of points on a line."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_implementations import generators, sorted_neighbors, tables
from refusals import refuses
from scipy.sparse import coo_array, csr_array
from scipy.spatial.distance import cdist

from knnviz import NeighborTable, checkerboard
from knnviz.neighbors import SpatialIndex, Windows, prepare
from knnviz.neighbors.index import FEW_NEIGHBORS, MARGIN, POINT_CHUNK, search_tree

#: Points (300, d) that are hard on sums of products in single precision.
HARD = {
    "an offset that differs": lambda rng, d: 10.0 ** rng.integers(-6, 7, d) + rng.random((300, d)),
    "duplicates far away": lambda rng, d: 1e6 + rng.random((20, d))[rng.integers(0, 20, 300)],
    "few values": lambda rng, d: rng.integers(0, 2, (300, d)).astype(float),
    "one point": lambda rng, d: np.full((300, d), 0.1),
    "two clusters": lambda rng, d: rng.random((300, d)) + 1e6 * rng.integers(0, 2, (300, 1)),
    "an outlier": lambda rng, d: np.concatenate([rng.random((299, d)), np.full((1, d), 1e12)]),
    "a coarse feature": lambda rng, d: rng.random((300, d)) * np.r_[1e8, np.ones(d - 1)],
    "tiny beside an outlier": lambda rng, d: np.concatenate(
        [rng.random((299, d)) * 1e-30, np.ones((1, d))]
    ),
    "squares that underflow": lambda rng, d: rng.random((300, d)) * 1e-170,
    "the smallest numbers": lambda rng, d: rng.integers(0, 3, (300, d)) * 5e-324,
    "huge": lambda rng, d: (rng.random((300, d)) - 0.5) * 1e150,
}


#: Brute force by (city block distance, index).
city_block = partial(sorted_neighbors, distances=partial(cdist, metric="cityblock"))


@given(tables(), st.sampled_from([None, "auto", "ball_tree", "brute", "kd_tree"]), st.booleans())
def test_a_table_is_brute_force(table, algorithm, exclude_self):
    """Euclidean without an algorithm; with one, city blocks of whole numbers, which often tie."""
    X, queries, k, _ = table
    k = min(k, len(X) - exclude_self)
    assume(k > 0)
    if algorithm is not None:
        X = np.round(4 * X)
        queries = np.round(4 * queries)
    asked = queries
    left_out = None
    if exclude_self:
        asked = None
        queries = X
        left_out = np.arange(len(X))

    if algorithm is None:
        index = X
        indices, squares = sorted_neighbors(X, queries, k, left_out)
        distances = np.sqrt(squares)
    else:
        index = prepare(X, "manhattan", algorithm=algorithm)
        indices, distances = city_block(X, queries, k, left_out)
    built = NeighborTable.build(index, asked, k, exclude_self=exclude_self, distances=True)
    assert np.array_equal(built.indices, indices)
    assert np.array_equal(built.distances, distances)
    assert built.indices.dtype == np.int32


@pytest.mark.parametrize("d", [1, 2, 13, 60])
@pytest.mark.parametrize("kind", HARD)
def test_all_searches_agree_on_hard_points(kind, d):
    rng = np.random.default_rng([d, len(kind)])
    X = HARD[kind](rng, d)
    between = (X[20:40] + X[40:60]) / 2
    far = X[:3] + np.array([[1.0], [1e20], [-1e149]])
    queries = np.concatenate([X[:20], between, far])
    indices, squares = sorted_neighbors(X, queries, 250)

    euclidean = SpatialIndex(X)
    left_out = np.full(len(queries), -1)
    by_tree = partial(search_tree, euclidean.positions, euclidean.tree)
    for k in (1, 7, 250):
        results = [euclidean.search(queries, left_out, k)]
        for search in (by_tree, euclidean.brute_force.search):
            results.append((np.empty((len(queries), k), np.int32), np.empty((len(queries), k))))
            search(queries, left_out, *results[-1])
        for found, found_squares in results:
            assert np.array_equal(found, indices[:, :k])
            assert np.array_equal(found_squares, squares[:, :k])


@pytest.mark.parametrize("exclude_self", [False, True])
def test_many_chunks_of_points_and_of_queries(exclude_self):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (POINT_CHUNK + 100, 6)).astype(float)
    built = NeighborTable.build(X, None, 9, exclude_self=exclude_self)
    some = np.r_[0:100, POINT_CHUNK : POINT_CHUNK + 50]
    expected, _ = sorted_neighbors(X, X[some], 9, some if exclude_self else None)
    assert np.array_equal(built.indices[some], expected)


def test_distances_that_nobody_asked_for_take_no_memory():
    """They would take twice that of the indices."""
    _, squares = SpatialIndex(np.eye(3)).search(np.eye(3), np.full(3, -1), 2, keep_squares=False)
    assert squares.size == 0


def test_ties_wider_than_the_margin_on_a_ring():
    """Two hundred positions at nearly one distance: the search must widen until all are seen."""
    angles = np.random.default_rng(0).random(200) * 2 * np.pi
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    X = np.concatenate([ring, np.eye(2), -np.eye(2)])
    X = np.concatenate([X, X * [1, -1], X * [-1, 1]])
    center = np.zeros((1, 2))
    # In the plane by strips, then by a tree.
    for k in (FEW_NEIGHBORS, FEW_NEIGHBORS + 1):
        built = NeighborTable.build(X, center, k)
        expected, _ = sorted_neighbors(X, center, k)
        assert np.array_equal(built.indices, expected)


@pytest.mark.parametrize(
    ("decimals", "squeezed", "exclude_self"),
    [(1, 1, False), (16, 50, False), (1, 50, True), (16, 1, True)],
)
def test_many_queries_along_a_path_in_the_plane(decimals, squeezed, exclude_self):
    """Also far from the origin, with ties, and where most points are crowded in a few strips."""
    rng = np.random.default_rng(4)
    crowd = rng.random((3600, 2)).round(decimals) / squeezed
    X = 1e6 + np.concatenate([crowd, rng.random((20, 2))])
    if exclude_self:
        queries = X
    else:
        grid = checkerboard().grid(40).points
        queries = 1e6 + np.concatenate([rng.random((1500, 2)), grid])

    some = rng.choice(len(queries), 200, replace=False)
    asked = None if exclude_self else queries
    left_out = some if exclude_self else None
    for k in (1, 10, 1500):
        built = NeighborTable.build(X, asked, k, exclude_self=exclude_self)
        expected, _ = sorted_neighbors(X, queries[some], k, left_out)
        assert np.array_equal(built.indices[some], expected)


@given(tables())
def test_a_graph_of_exact_distances_gives_the_exact_table(table):
    """Rows in any order, of k neighbors or more."""
    X, queries, k, rng = table
    indices, squares = sorted_neighbors(X, queries, len(X))
    distances = np.sqrt(squares)
    lengths = rng.integers(k, len(X) + 1, len(queries))
    lengths[0] = k
    columns = [rng.permutation(length) for length in lengths]
    rows = np.repeat(np.arange(len(queries)), lengths)
    entries = rows, np.concatenate(columns)
    starts = np.append(0, np.cumsum(lengths))
    parts = distances[entries], indices[entries], starts
    graph = csr_array(parts, shape=(len(queries), len(X)))

    built = NeighborTable.from_graph(graph)
    assert built.n == len(X)
    # Two different squares may have the same root; in the graph they tie.
    same = np.array_equal(built.indices, indices[:, :k])
    assert same or len(np.unique(squares)) > len(np.unique(distances))


def test_bad_input_is_refused():
    build = NeighborTable.build
    from_graph = NeighborTable.from_graph
    refuses("sparse matrix of distances, got ndarray", from_graph, np.eye(2))
    refuses("no neighbors in row 1", from_graph, csr_array(np.diag([1.0, 0.0, 2.0])))
    refuses("not negative", from_graph, csr_array([[-1.0, 1.0]]))
    refuses("several entries", from_graph, coo_array(([1.0, 2.0], ([0, 0], [1, 1]))))
    refuses("k = 4 with n = 3", build, np.eye(3), None, 4)
    refuses("k = 3 with n = 2", build, np.eye(3), None, 3, exclude_self=True)
    refuses(r"beyond 1e\+150 in row 1", build, [[0.0], [1e200]], None, 1)
    refuses("queries has .* rows 0, 1", build, np.eye(2), np.full((2, 2), np.inf), 1)
    refuses("exclude_self", build, np.eye(2), np.zeros((1, 2)), 1, exclude_self=True)
    directions = prepare(np.ones((4, 2)), "correlation")
    refuses("distances that are not finite", build, directions, None, 2)
    # Closed balls would hold more points than a window.
    refuses("some coincide", Windows.from_points, [[1.0], [0.0], [1.0]])


def test_ties_wider_than_the_margin_under_another_metric():
    """Nine values of a distance: positions tie across the last candidate, and all are asked for."""
    corners = list(product((0.0, 1.0), repeat=8))
    X = np.random.default_rng(8).permutation(corners)
    indices, distances = city_block(X, X, len(X))
    assert (distances[:, 11] == distances[:, 12 + MARGIN]).all()

    built = NeighborTable.build(prepare(X, "hamming"), None, 12)
    assert np.array_equal(built.indices, indices[:, :12])


def test_each_position_is_asked_for_once_under_another_metric():
    """Points that answer a survey: 20,000 of them at 32 positions compute each distance once."""
    asked = []

    def counted(a, b):
        asked.append(1)
        return abs(a - b).sum()

    X = np.random.default_rng(0).integers(0, 2, (2000, 3)).astype(float)
    index = prepare(X, counted, algorithm="brute")
    asked.clear()
    NeighborTable.build(index, None, 25)
    assert len(asked) <= 8 * 8


def test_metrics_by_name_by_exponent_and_by_function():
    rng = np.random.default_rng(9)
    X = rng.integers(0, 5, (60, 2)).astype(float)
    queries = rng.integers(0, 5, (9, 2)).astype(float)
    ways = {
        "euclidean": [("euclidean",), ("l2",), ("minkowski",), ("minkowski", 2.0)],
        "cityblock": [("manhattan", 3), ("minkowski", 1), (lambda a, b: abs(a - b).sum(),)],
        "chebyshev": [("chebyshev",), ("minkowski", np.inf)],
    }
    for name, metrics in ways.items():
        expected, _ = sorted_neighbors(X, queries, 7, distances=partial(cdist, metric=name))
        for metric in metrics:
            built = NeighborTable.build(prepare(X, *metric), queries, 7)
            assert np.array_equal(built.indices, expected)
    assert isinstance(prepare(X, "minkowski"), SpatialIndex), "ours is the faster one"


@given(st.integers(1, 60), generators)
def test_windows_around_one_point_are_those_of_each_k(n, rng):
    """Rounded points, so that some are breakpoints."""
    points = np.unique(rng.integers(0, 200, n)) / 8
    windows = Windows.from_points(points.reshape(-1, 1))
    x = rng.integers(-10, 210) / 16
    ks = rng.integers(1, windows.n + 1, 8)
    one_by_one = [windows.starts(np.array([x]), k).item() for k in ks]
    assert windows.starts_for_ks(x, ks).tolist() == one_by_one
