"""Each way of searching finds the same neighbors, to the last index."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import sorted_neighbors

from knnviz import NeighborTable
from knnviz.neighbors import ALGORITHMS, SpatialIndex, among, prepare
from knnviz.neighbors.brute_force import POINT_CHUNK, BruteForceIndex

#: Points (n, d) and queries (m, d) that are hard on sums of products in single precision.
HARD = {
    "an offset": lambda rng, d: 1e6 + rng.random((300, d)),
    "an offset that differs": lambda rng, d: 10.0 ** rng.integers(-6, 7, d) + rng.random((300, d)),
    "duplicates": lambda rng, d: rng.random((20, d))[rng.integers(0, 20, 300)],
    "duplicates far away": lambda rng, d: 1e6 + rng.random((20, d))[rng.integers(0, 20, 300)],
    "few values": lambda rng, d: rng.integers(0, 2, (300, d)).astype(float),
    "one point": lambda rng, d: np.full((300, d), 0.1),
    "two clusters": lambda rng, d: rng.random((300, d)) + 1e6 * rng.integers(0, 2, (300, 1)),
    "an outlier": lambda rng, d: np.concatenate([rng.random((299, d)), np.full((1, d), 1e12)]),
    "a coarse feature": lambda rng, d: rng.random((300, d)) * np.r_[1e8, np.ones(d - 1)],
    "tiny": lambda rng, d: rng.random((300, d)) * 1e-30,
    "tiny beside an outlier": lambda rng, d: np.concatenate([rng.random((299, d)) * 1e-30, np.ones((1, d))]),
    "squares that underflow": lambda rng, d: rng.random((300, d)) * 1e-170,
    "the smallest numbers": lambda rng, d: rng.integers(0, 3, (300, d)) * 5e-324,
    "huge": lambda rng, d: (rng.random((300, d)) - 0.5) * 1e150,
}


@pytest.mark.parametrize("d", [2, 13, 60])
@pytest.mark.parametrize("kind", HARD)
def test_all_ways_agree_on_hard_points(kind, d):
    rng = np.random.default_rng([d, len(kind)])
    X = HARD[kind](rng, d)
    far = X[:3] + np.array([[1.0], [1e20], [-1e149]])
    queries = np.concatenate([X[:20], (X[20:40] + X[40:60]) / 2, far])
    indices, squares = sorted_neighbors(X, queries, 250)
    for algorithm in ALGORITHMS:
        index = prepare(X, algorithm=algorithm)
        for k in (1, 7, 250):
            built = NeighborTable.build(index, queries, k, distances=True)
            assert np.array_equal(built.indices, indices[:, :k]), algorithm
            assert np.array_equal(built.distances, np.sqrt(squares[:, :k])), algorithm


@given(st.integers(0, 2**32 - 1), st.sampled_from(ALGORITHMS), st.booleans(), st.integers(1, 40), st.integers(0, 16))
def test_each_way_is_plain_brute_force(seed, algorithm, exclude_self, d, decimals):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(int(rng.integers(2, 60)), d)).round(decimals)
    queries = None if exclude_self else rng.normal(size=(5, d)).round(decimals)
    k = int(rng.integers(1, len(X) + 1 - exclude_self))
    built = NeighborTable.build(prepare(X, algorithm=algorithm), queries, k, exclude_self=exclude_self)
    left_out = np.arange(len(X)) if exclude_self else None
    assert np.array_equal(built.indices, sorted_neighbors(X, X if exclude_self else queries, k, left_out=left_out)[0])


@pytest.mark.parametrize("exclude_self", [False, True])
def test_many_chunks_of_points_and_of_queries(exclude_self):
    X = np.random.default_rng(0).integers(0, 4, (POINT_CHUNK + 100, 6)).astype(float)
    built = NeighborTable.build(X, None, 9, exclude_self=exclude_self)
    left_out = np.arange(len(X)) if exclude_self else None
    some = np.r_[0:100, POINT_CHUNK : POINT_CHUNK + 50]
    expected = sorted_neighbors(X, X[some], 9, left_out=None if left_out is None else left_out[some])[0]
    assert np.array_equal(built.indices[some], expected)


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_structures_are_built_before_threads_search_them(algorithm, d, monkeypatch):
    built = []
    for name in ("positions", "tree", "ball_tree", "brute_force"):
        part = SpatialIndex.__dict__[name]

        def build(index, make=part.func):
            built.append(threading.current_thread())
            return make(index)

        monkeypatch.setattr(part, "func", build)
    X = np.random.default_rng(0).random((9000, d))
    NeighborTable.build(prepare(X, algorithm=algorithm), None, 3)
    assert set(built) == {threading.main_thread()}


@pytest.mark.parametrize("width", [4, 40, 90])
def test_neighbors_among_some_points_are_those_of_a_search(width):
    """Whether the table of all points holds enough of them, or rows must be searched for anew."""
    rng = np.random.default_rng(width)
    X = rng.integers(0, 5, (90, 2)).astype(float)
    members, rows = np.sort(rng.choice(90, 50, replace=False)), rng.choice(90, 30, replace=False)
    found = among(NeighborTable.build(X, None, width), X, members, rows, 20)
    wanted = NeighborTable.build(X[members], X[rows], 20)
    assert np.array_equal(found.indices, wanted.indices)
    assert found.n == wanted.n == 50


def test_norms_are_those_of_scaled_points_less_the_error():
    X = np.random.default_rng(0).normal(size=(200, 30))
    index = BruteForceIndex.from_points(X)
    e = 2 * 40 * 2.0**-24
    exact = ((X - index.mean) ** 2).sum(axis=1) * index.scale**2
    assert index.lower_norms == pytest.approx((1 - e) * exact, rel=1e-12)
    assert np.log2(index.scale) % 1 == 0
    assert abs(X - index.mean).max() * index.scale <= 1


def test_sums_with_products_in_single_precision_stay_within_their_bound():
    rng, d = np.random.default_rng(1), 200
    X, queries = rng.random((500, d)) + 1e3, rng.random((300, d)) + 1e3
    index = BruteForceIndex.from_points(X)
    p, q = ((each - index.mean) * index.scale for each in (X, queries))
    products = (-2 * q).astype(np.float32) @ p.astype(np.float32).T
    exact = ((X[None] - queries[:, None]) ** 2).sum(axis=2) * index.scale**2
    sums = (p**2).sum(axis=1) + products + (q**2).sum(axis=1)[:, None]
    bound = 2 * (d + 10) * 2.0**-24 * ((p**2).sum(axis=1) + (q**2).sum(axis=1)[:, None])
    assert (abs(sums - exact) <= bound).all()


def test_a_long_search_shows_a_bar(capsys):
    X = np.random.default_rng(0).random((2000, 2))
    NeighborTable.build(X, None, 3, progress=True)
    assert "neighbors: 100%" in capsys.readouterr().err
    NeighborTable.build(X[:300], None, 3, progress=True, metric="manhattan")
    assert not capsys.readouterr().err
