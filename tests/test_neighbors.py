"""NeighborTable: exact, ties and duplicates included."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import reference, sorted_neighbors, tables
from refusals import refuses
from scipy.sparse import csr_array
from sklearn.neighbors import KNeighborsTransformer, NearestNeighbors

from knnviz import NeighborTable, VoteProfile, checkerboard
from knnviz.neighbors import ALGORITHMS, SpatialIndex, metric_index, prepare, spatial_index
from knnviz.neighbors.spatial_index import MARGIN
from knnviz.neighbors.tiles import tiles


@given(tables())
def test_table_is_brute_force(table):
    X, queries, k, _ = table
    built = NeighborTable.build(X, queries, k, distances=True)
    indices, squares = sorted_neighbors(X, queries, k)
    assert np.array_equal(built.indices, indices)
    assert np.array_equal(built.distances, np.sqrt(squares))
    assert built.indices.dtype == np.int32


@given(tables(), st.booleans())
def test_training_points_among_themselves(table, exclude_self):
    X, _, k, _ = table
    k = min(k, len(X) - exclude_self)
    if k == 0:
        return
    built = NeighborTable.build(X, None, k, exclude_self=exclude_self)
    expected = sorted_neighbors(X, X, k, left_out=np.arange(len(X)) if exclude_self else None)[0]
    assert np.array_equal(built.indices, expected)


@given(tables(max_n=40), st.integers(0, 2**32 - 1))
def test_order_of_queries_does_not_matter(table, seed):
    X, queries, k, _ = table
    order = np.random.default_rng(seed).permutation(len(queries))
    built, shuffled = NeighborTable.build(X, queries, k), NeighborTable.build(X, queries[order], k)
    assert np.array_equal(built.indices[order], shuffled.indices)


@pytest.mark.parametrize("decimals", [1, 2])
def test_rounded_data_with_ties_at_the_last_place(decimals):
    rng = np.random.default_rng(1)
    X = np.round(rng.random((2000, 2)), decimals)
    queries = np.concatenate([checkerboard().grid(12).points, np.round(rng.random((100, 2)), decimals)])
    built = NeighborTable.build(X, queries, 200)
    indices, squares = sorted_neighbors(X, queries, 201)
    assert (squares[:, 199] == squares[:, 200]).mean() > 0.1, "the data must have ties there"
    assert np.array_equal(built.indices, indices[:, :200])


def test_ties_wider_than_the_margin_on_a_ring():
    """Two hundred different positions at nearly one distance: the search must widen until it has seen them all."""
    angles = np.random.default_rng(0).random(200) * 2 * np.pi
    X = np.concatenate([np.stack([np.cos(angles), np.sin(angles)], axis=1), np.eye(2), -np.eye(2)])
    X = np.concatenate([X, X * [1, -1], X * [-1, 1]])
    built = NeighborTable.build(X, np.zeros((1, 2)), 40)
    assert np.array_equal(built.indices, sorted_neighbors(X, np.zeros((1, 2)), 40)[0])


@pytest.mark.parametrize("decimals", [1, 16])
@pytest.mark.parametrize("squeezed", [1, 50])
@pytest.mark.parametrize("exclude_self", [False, True])
def test_queries_that_are_answered_tile_by_tile(decimals, squeezed, exclude_self):
    """Also far from the origin, with ties, and where most points are crowded, so that a tile reaches all of them."""
    rng = np.random.default_rng(4)
    X = 1e6 + np.concatenate([rng.random((3600, 2)).round(decimals) / squeezed, rng.random((20, 2))])
    queries = None if exclude_self else 1e6 + np.concatenate([rng.random((400, 2)), checkerboard().grid(40).points])
    k, left_out = 1500, np.arange(len(X)) if exclude_self else None
    centers = X if queries is None else queries
    assert tiles(centers, len(np.unique(X, axis=0)), k), "the test must use tiles"
    built = NeighborTable.build(X, queries, k, exclude_self=exclude_self)
    some = rng.choice(len(centers), 200, replace=False)
    expected = sorted_neighbors(X, centers[some], k, left_out=None if left_out is None else left_out[some])[0]
    assert np.array_equal(built.indices[some], expected)


def test_all_points_in_one_place():
    built = NeighborTable.build(np.zeros((5000, 2)), np.array([[0.0, 0.0], [3.0, 4.0]]), 200, distances=True)
    assert np.array_equal(built.indices, np.tile(np.arange(200), (2, 1)))
    assert built.distances[1, 0] == 5


def test_an_index_serves_many_queries():
    X = np.round(np.random.default_rng(0).random((200, 2)), 1)
    index = SpatialIndex(X)
    for seed in range(3):
        queries = np.random.default_rng(seed).random((5, 2))
        again = NeighborTable.build(index, queries, 9)
        assert np.array_equal(again.indices, NeighborTable.build(X, queries, 9).indices)


def test_chunks_of_queries_fit_together(monkeypatch):
    X, queries = np.random.default_rng(2).random((300, 2)), np.random.default_rng(3).random((1000, 2))
    whole = NeighborTable.build(X, queries, 7)
    monkeypatch.setattr(spatial_index, "CHUNK", 33)
    assert np.array_equal(NeighborTable.build(X, queries, 7).indices, whole.indices)


def test_agrees_with_scikit_learn_where_nothing_ties():
    X, queries = np.random.default_rng(4).random((500, 3)), np.random.default_rng(5).random((50, 3))
    distances, indices = NearestNeighbors(n_neighbors=20).fit(X).kneighbors(queries)
    built = NeighborTable.build(X, queries, 20, distances=True)
    assert np.array_equal(built.indices, indices)
    assert np.allclose(built.distances, distances, rtol=1e-12)


def test_reference_orders():
    known = reference("gao")
    line = np.arange(5.0)[:, None]
    built = NeighborTable.build(line, np.array([[1.0], [1.5]]), 5)
    assert built.indices.tolist() == [known["line5_order_at_1"], known["line5_order_at_1.5"]]
    for name in ("fixture_1d", "fixture_2d"):
        fixture = known[name]
        X, queries = (np.array(fixture[key]).reshape(-1, 1 + (name == "fixture_2d")) for key in ("X", "Q"))
        assert NeighborTable.build(X, queries, 7).indices.tolist() == fixture["neighbours_k7_of_Q"]


@given(tables())
def test_a_graph_of_exact_distances_gives_the_exact_table(table):
    X, queries, k, rng = table
    indices, squares = sorted_neighbors(X, queries, k)
    shuffled = rng.permuted(np.arange(indices.size).reshape(indices.shape), axis=1)
    parts = (
        np.sqrt(squares).ravel()[shuffled].ravel(),
        indices.ravel()[shuffled].ravel(),
        np.arange(len(queries) + 1) * k,
    )
    built = NeighborTable.from_graph(csr_array(parts, shape=(len(queries), len(X))), distances=True)
    exact = NeighborTable.build(X, queries, k, distances=True)
    # Two different squares may have the same root; in the graph they tie.
    assert np.array_equal(built.distances, exact.distances)
    same = np.array_equal(built.indices, exact.indices)
    assert same or len(np.unique(squares)) > len(np.unique(np.sqrt(squares)))


def test_graphs_of_scikit_learn():
    X, queries = np.random.default_rng(6).random((300, 2)), np.random.default_rng(7).random((20, 2))
    transformer = KNeighborsTransformer(n_neighbors=15, mode="distance").fit(X)
    built = NeighborTable.from_graph(transformer.transform(queries))
    assert built.n == 300
    # The transformer gives one neighbor more than it is asked for.
    assert np.array_equal(built.indices, NeighborTable.build(X, queries, 16).indices)
    among = NeighborTable.from_graph(transformer.transform(X))
    assert np.array_equal(among.indices, NeighborTable.build(X, None, 16).indices)
    votes = VoteProfile.count(built, np.arange(300) % 2, 2)
    assert votes.counts.shape == (20, 16, 2)


def test_rows_of_different_length_are_cut_to_the_shortest():
    graph = csr_array(np.array([[0.3, 0.1, 0.2], [0.0, 0.5, 0.4]]))
    assert NeighborTable.from_graph(graph).indices.tolist() == [[1, 2], [2, 1]]


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (np.eye(2), "graph must be a sparse matrix of distances, got ndarray"),
        (csr_array(np.diag([1.0, 0.0, 2.0])), "graph has no neighbors in row 1"),
        (csr_array((0, 3)), "graph has no rows"),
        (csr_array([[-1.0, 1.0]]), "graph must hold distances that are finite and not negative"),
        (csr_array([[np.nan, 1.0]]), "graph must hold distances that are finite and not negative"),
    ],
)
def test_bad_graphs_are_refused(graph, message):
    refuses(f"^{message}$", NeighborTable.from_graph, graph)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.zeros((3, 2)), np.zeros((1, 2)), 4), "k must not exceed the number of points, got k = 4 with n = 3"),
        ((np.zeros((3, 2)), np.zeros((1, 2)), 0), "k must be at least 1, got 0"),
        ((np.zeros((3, 2)), np.zeros((1, 2)), 1.5), "k must be a whole number, got 1.5"),
        ((np.array([[0.0, np.nan], [1, 2]]), np.zeros((1, 2)), 1), "X has missing or infinite values in row 0"),
        ((np.zeros((3, 2)), np.full((2, 2), np.inf), 1), "queries has missing or infinite values in rows 0, 1"),
        ((np.zeros((3, 2)), np.zeros((1, 3)), 1), "queries must have 2 columns, got 3"),
        ((np.array([[0.0], [1e200]]), np.zeros((1, 1)), 1), r"X has values beyond 1e\+150 in row 1, too large .*"),
        (({}, None, 1), "X must hold real numbers in rows of equal length"),
        ((np.eye(3) * 1j, None, 1), "X must hold real numbers in rows of equal length"),
        ((np.zeros(3), None, 1), r"X must be a table of shape \(n, d\) with at least one row and column, got \(3,\)"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    refuses(f"^{message}$", NeighborTable.build, *arguments)


def test_exclude_self_needs_training_points():
    with pytest.raises(ValueError, match="exclude_self needs queries=None"):
        NeighborTable.build(np.zeros((3, 2)), np.zeros((1, 2)), 1, exclude_self=True)
    with pytest.raises(ValueError, match="number of other points, got k = 3 with n = 2"):
        NeighborTable.build(np.zeros((3, 2)), None, 3, exclude_self=True)


@st.composite
def lattices(draw):
    """Training points and queries of few whole numbers, whose city block distances tie exactly, and often."""
    d, side = draw(st.integers(1, 3)), draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.integers(0, side + 1, (draw(st.integers(2, 80)), d)).astype(float)
    return X, rng.integers(-1, side + 2, (draw(st.integers(1, 12)), d)).astype(float), draw(st.integers(1, len(X)))


def city_block(X, queries, k, left_out=None):
    """Brute force: indices and distances by (city block distance, index)."""
    distances = abs(X[None] - queries[:, None]).sum(axis=2)
    if left_out is not None:
        distances[np.arange(len(queries)), left_out] = np.inf
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(distances, order, axis=1)


@given(lattices(), st.sampled_from(ALGORITHMS))
def test_ties_under_another_metric_are_broken_by_index(lattice, algorithm):
    X, queries, k = lattice
    built = NeighborTable.build(prepare(X, "manhattan", algorithm=algorithm), queries, k, distances=True)
    indices, distances = city_block(X, queries, k)
    assert np.array_equal(built.indices, indices)
    assert np.array_equal(built.distances, distances)
    assert built.indices.dtype == np.int32


@given(lattices(), st.booleans())
def test_training_points_among_themselves_under_another_metric(lattice, exclude_self):
    X, _, k = lattice
    k = min(k, len(X) - exclude_self)
    built = NeighborTable.build(X, None, k, exclude_self=exclude_self, metric="cityblock")
    assert np.array_equal(built.indices, city_block(X, X, k, left_out=np.arange(len(X)) if exclude_self else None)[0])
    assert built.distances is None


def test_ties_wider_than_the_margin_in_chunks(monkeypatch):
    """Three values of a distance: most points tie across the last candidate, and must all be asked for."""
    X = np.random.default_rng(8).integers(0, 2, (400, 3)).astype(float)
    indices, distances = city_block(X, X, 401)
    assert (distances[:, 4] == distances[:, 5 + MARGIN]).all()
    monkeypatch.setattr(metric_index, "CHUNK", 33)
    assert np.array_equal(NeighborTable.build(X, None, 5, metric="hamming").indices, indices[:, :5])


def test_metrics_by_name_by_exponent_and_by_function():
    rng = np.random.default_rng(9)
    X, queries = rng.integers(0, 5, (60, 2)).astype(float), rng.integers(0, 5, (9, 2)).astype(float)

    def found(*how, **options):
        return NeighborTable.build(prepare(X, *how, **options), queries, 7).indices.tolist()

    exact = NeighborTable.build(X, queries, 7).indices.tolist()
    assert found() == found("l2") == found("minkowski") == found("minkowski", 2.0, algorithm="brute") == exact
    assert all(isinstance(prepare(X, name), SpatialIndex) for name in ("euclidean", "l2", "minkowski"))
    city = NeighborTable.build(X, queries, 7, metric="manhattan").indices.tolist()
    assert found("minkowski", 1) == found("manhattan", 3) == found(lambda a, b: abs(a - b).sum()) == city
    assert found("minkowski", np.inf) == found("chebyshev", n_jobs=2)
    assert len({str(each) for each in (exact, city, found("chebyshev"))}) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("citty",), "metric must be a function or a distance of two points in scikit-learn, got 'citty'"),
        (("precomputed",), "metric must be a function or a distance of two points in scikit-learn, got 'precomputed'"),
        ((None,), "metric must be a function or a distance of two points in scikit-learn, got None"),
        ((["l1"],), "metric must be a function or a distance of two points in scikit-learn, got ['l1']"),
        (("minkowski", 0.5), "p must be between 1 and inf, got 0.5"),
        (("euclidean", "2"), "p must be a number, got '2'"),
    ],
)
def test_bad_metrics_are_refused(arguments, message):
    refuses(f"^{re.escape(message)}$", prepare, np.eye(3), *arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "tree"}, "algorithm must be one of 'auto', 'ball_tree', 'brute', 'kd_tree', got 'tree'"),
        ({"algorithm": "kd_tree"}, "algorithm 'kd_tree' cannot search under the metric 'cosine'"),
        ({"n_jobs": 0}, "n_jobs must be None or a whole number other than 0, got 0"),
        ({"n_jobs": 1.0}, "n_jobs must be None or a whole number other than 0, got 1.0"),
    ],
)
def test_bad_options_are_refused(options, message):
    refuses(f"^{re.escape(message)}$", prepare, np.eye(3), "cosine", **options)


def test_what_a_metric_cannot_measure_is_refused():
    with pytest.raises(ValueError, match="algorithm 'kd_tree' cannot search under the metric <function"):
        prepare(np.eye(3), test_bad_options_are_refused, algorithm="kd_tree")
    with pytest.raises(ValueError, match=r"^the metric 'correlation' gives distances that are not finite$"):
        NeighborTable.build(np.ones((4, 2)), None, 2, metric="correlation")
    with pytest.raises(
        ValueError, match=r"^points that are prepared have their metric, got metric='manhattan' as well$"
    ):
        NeighborTable.build(SpatialIndex(np.eye(3)), None, 1, metric="manhattan")
    with pytest.raises(ValueError, match=r"^k must not exceed the number of other points, got k = 3 with n = 2$"):
        NeighborTable.build(np.eye(3), None, 3, exclude_self=True, metric="manhattan")
    refuses(r"^queries must have 3 columns, got 2$", NeighborTable.build, np.eye(3), np.eye(2), 1, metric="manhattan")
