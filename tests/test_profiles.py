"""Profiles: votes of neighbors, windows and closed balls by plain counts; balls by brute force."""

from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_implementations import (
    closed_balls,
    generators,
    grown_balls,
    squared_distances,
    tables,
)
from refusals import refuses
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from knnviz import BallProfile, LabelNoise, NeighborTable, Problem, VoteProfile
from knnviz.neighbors import Windows, prepare
from knnviz.problems import Measure, gaussians, wave2d
from knnviz.profiles import WindowProfile
from knnviz.rules import Vote

TABLE = NeighborTable.build(np.eye(3), np.eye(3), 2)


@given(tables(), st.integers(2, 5), st.booleans(), st.data())
def test_votes_are_plain_counts_whichever_way_they_are_read(case, n_classes, from_bags, data):
    """At single k, at several that are counted in one pass, and at every k; a bag votes for each of
    its classes.
    """
    X, queries, k_max, rng = case
    table = NeighborTable.build(X, queries, k_max)
    bags = rng.random((len(X), n_classes)) < 0.5
    labels = rng.integers(0, n_classes, len(X))
    if not from_bags:
        bags = np.eye(n_classes, dtype=bool)[labels]
    expected = np.cumsum(bags[table.indices], axis=1)
    ks = data.draw(st.lists(st.integers(1, k_max), min_size=1, max_size=6))

    observed = bags if from_bags else labels
    profile = VoteProfile.build(table, observed, n_classes)
    one_pass = VoteProfile.build(table, observed, n_classes, ks)
    for k in (*ks, *range(1, k_max + 1)):
        assert np.array_equal(one_pass.at(k), expected[:, k - 1])
        assert np.array_equal(profile.at(k), expected[:, k - 1])
    assert np.array_equal(profile.counts, expected)
    if from_bags:
        assert (Vote().predict(profile, k_max) == expected[:, -1].argmax(axis=1)).all()


@pytest.mark.parametrize("k_max", [255, 256])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_many_votes_do_not_overflow(k_max, n_classes):
    table = NeighborTable.build(np.eye(300), np.eye(300)[:3], k_max)
    profile = VoteProfile.build(table, np.ones(300, int), n_classes)
    for votes in (profile.at(k_max), profile.counts[:, -1]):
        assert votes[:, 1].tolist() == [k_max] * 3


@pytest.mark.parametrize("labels", [np.ones(3, np.uint8), np.ones((3, 2), bool)])
def test_labels_are_copied_and_counts_are_read_only(labels):
    profile = VoteProfile.build(TABLE, labels, 2, ks=np.array([1]))
    labels[:] = 0
    assert profile.at(1)[:, 1].tolist() == [1, 1, 1]
    for counts in (profile.at(1), profile.at(2), profile.counts):
        assert not counts.flags.writeable


@given(
    tables(),
    st.integers(2, 4),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["euclidean", "manhattan"]),
)
def test_closed_balls_hold_all_that_tie(case, n_classes, from_bags, exclude_self, metric):
    """Queries anywhere, or the training points, each out of its own ball; city blocks of whole
    numbers are exact.
    """
    X, queries, k_max, rng = case
    k_max = min(k_max, len(X) - exclude_self)
    assume(k_max > 0)
    distances = squared_distances
    if metric == "manhattan":
        X = np.round(4 * X)
        queries = np.round(4 * queries)
        distances = partial(cdist, metric="cityblock")
    labels = rng.integers(0, n_classes, len(X))
    bags = np.eye(n_classes, dtype=bool)[labels]
    if from_bags:
        bags = rng.random(bags.shape) < 0.5
    far = distances(X, X) if exclude_self else distances(queries, X)
    if exclude_self:
        np.fill_diagonal(far, np.inf)
    asked = None if exclude_self else queries
    table = NeighborTable.build(prepare(X, metric), asked, k_max, exclude_self=exclude_self)
    profile = VoteProfile.build(table, bags if from_bags else labels, n_classes)
    for k in {1, int(rng.integers(1, k_max + 1)), k_max}:
        assert np.array_equal(profile.closed(k), closed_balls(far, bags, k))


def test_votes_that_cannot_be_counted_are_refused():
    build = VoteProfile.build
    refuses("got 3", build, TABLE, [0, 1, 0], 2, ks=[1, 3])
    refuses("got 3", build(TABLE, [0, 1, 0], 2).at, 3)
    from_graph = NeighborTable.from_graph(csr_array(np.eye(3)))
    refuses("closed", build(from_graph, [0, 1, 0], 2).closed, 1)
    crowded = NeighborTable(np.zeros((1, 65_536), np.int32), 70_000)
    refuses("got 65536", build, crowded, [0], 2)


@given(st.integers(1, 40), st.integers(2, 5), generators, st.data())
def test_votes_of_windows_are_votes_of_neighbors(n, n_classes, rng, data):
    """Points at random, so that no query is as near to two of them."""
    X = rng.random((n, 1))
    labels = rng.integers(0, n_classes, n)
    k = data.draw(st.integers(1, n))
    profile = WindowProfile.build(Windows.from_points(X), labels, n_classes)
    assert profile.at(k).shape == (n - k + 1, profile.n_classes)
    assert np.array_equal(profile.closed(k), profile.at(k))
    points = np.concatenate([X, rng.random((20, 1))])
    expected = VoteProfile.build(NeighborTable.build(X, points, k), labels, n_classes).at(k)
    assert np.array_equal(profile.at_points(points[:, 0], k), expected)

    ks = rng.integers(1, n + 1, 5)
    starts = rng.integers(0, n - ks + 1)
    expected = [profile.at(k)[start] for start, k in zip(starts, ks, strict=True)]
    assert np.array_equal(profile.votes_in(starts, ks), expected)


def agree(profile, expected):
    """Compare all that a profile stores with brute force."""
    for name, values in expected.items():
        if name != "lowest_frequency" or profile.n_classes == 2:
            assert getattr(profile, name) == pytest.approx(values, abs=2e-7), name


@st.composite
def frequencies(draw, cells):
    """Class frequencies of cells, at times with ties among the top; rows may not sum to 1."""
    n_classes = draw(st.integers(2, 4))
    rng = draw(generators)
    table = rng.random((cells, n_classes)) + 0.01
    if draw(st.booleans()):
        table = np.round(4 * table) / 4 + 0.25
    if draw(st.booleans()):
        return table / table.sum(axis=1, keepdims=True)
    return table / table.max()


SIDES = [((0.0, 1.0),), ((0.0, 1.0),) * 2, ((-1.0, 2.0), (0.0, 1.0))]
DENSITIES = [None, lambda X: 1 + X[:, 0] ** 2]
SOME_MASSES = st.sets(st.sampled_from([0.01, 0.1, 0.2, 0.35, 0.5, 0.9, 1.0]), min_size=1)


@settings(max_examples=30)
@given(st.data())
def test_balls_on_a_grid(data):
    sides = data.draw(st.sampled_from(SIDES))
    n_cells = data.draw(st.integers(2, 7 if len(sides) == 2 else 24))
    density = data.draw(st.sampled_from(DENSITIES))
    measure = Problem("p", None, sides, density=density).measure(n_cells)
    points = measure.points
    frequency = data.draw(frequencies(len(points)))
    weights = [0.5, 0.3, 0.2, 0.4][: frequency.shape[1]]
    q = data.draw(st.sampled_from([None, weights]))
    masses = sorted(data.draw(SOME_MASSES))

    profile = BallProfile.build(measure, frequency, masses=masses, q=q)
    expected = grown_balls(points, measure.weights, frequency, points, profile.masses, q)
    agree(profile, expected)
    agree(BallProfile.build(measure, frequency, points, masses=masses, q=q), expected)


@settings(max_examples=30)
@given(st.integers(1, 25), st.integers(1, 3), st.integers(1, 6), generators, st.data())
def test_balls_among_any_points(n, dimension, decimals, rng, data):
    points = np.unique(rng.random((n, dimension)).round(decimals), axis=0)
    n = len(points)
    weights = rng.random(n) + 0.1
    weights /= weights.sum()
    n_upon = data.draw(st.integers(0, n))
    queries = np.concatenate([points[:n_upon], rng.random((3, dimension))])
    frequency = data.draw(frequencies(n))
    up_to_one = np.unique(np.geomspace(1 / n, 1, 64))
    profile = BallProfile.build(Measure(points, weights), frequency, queries, masses=up_to_one)
    agree(profile, grown_balls(points, weights, frequency, queries, profile.masses))


def test_cells_without_mass_do_not_count():
    right = Problem("right", None, ((0.0, 1.0),), density=lambda X: np.float64(X[:, 0] > 0.5))
    measure = right.measure(10)
    eta = np.where(measure.points > 0.5, [[0.0, 1.0]], [[1.0, 0.0]])
    profile = BallProfile.build(measure, eta, masses=[0.1, 1.0])
    small, whole = profile.frequency[:2, :, 1].tolist()
    assert small == [0.0] * 5 + [1.0] * 5
    assert whole == [1.0] * 10
    assert np.isfinite(profile.margin).all()


def test_a_query_between_cells_starts_from_one_of_them():
    """Equally near cells: the first of them gives class and frequency alike, so that no margin
    begins below 0.
    """
    measure, eta = gaussians(3, dimension=2).cells(20)
    between = measure.points + np.array([0.05, 0.05])
    profile = BallProfile.build(measure, eta, between, masses=[0.01, 0.1, 0.25])
    assert (profile.margin[0] >= 0).all()


MASSES = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25]
MEASURE, ETA = wave2d(high=0.9).cells(16)
CLEAN = BallProfile.build(MEASURE, ETA, masses=MASSES)


@settings(max_examples=30)
@given(
    st.integers(0, 45), st.integers(0, 45), st.integers(1, 9), st.sampled_from([0.02, 0.1, 0.25])
)
def test_noise_and_weights_of_two_classes_are_read_exactly(a, b, tenths, mass):
    """Reading a clean profile through noise and weights equals integrating eta_corr with them."""
    noise = LabelNoise(a / 100, b / 100)
    q = [tenths / 10, 1 - tenths / 10]
    integrated = BallProfile.build(MEASURE, noise.corrupt(ETA), q=q, masses=MASSES)
    rates = (noise.p0, noise.p1)

    margin = CLEAN.smallest_margin(mass, q, rates)
    expected = integrated.margin[integrated.first_at_least(mass)]
    # Where the classes tie at a center, rounding chooses the side.
    apart = integrated.margin[0] > 1e-6
    assert margin[apart] == pytest.approx(expected[apart], abs=1e-6)


@pytest.mark.parametrize(
    ("changes", "value"),
    [
        ({"frequency": ETA[:9]}, "got 9"),
        ({"frequency": np.tile([5.0, -3.0], (256, 1))}, "-3 to 5"),
        ({"masses": [0.2, 0.1]}, r"got \[0\.2, 0\.1\]"),
        ({"queries": np.eye(3)}, "got 3"),
        ({"measure": Measure(MEASURE.points, MEASURE.weights / 2)}, "weights of the measure"),
        (
            {"measure": Measure(MEASURE.points * np.nan, MEASURE.weights)},
            "points of the measure .*rows",
        ),
    ],
)
def test_balls_that_cannot_grow_are_refused(changes, value):
    good = {"measure": MEASURE, "frequency": ETA, "masses": MASSES}
    refuses(value, BallProfile.build, **good | changes)
