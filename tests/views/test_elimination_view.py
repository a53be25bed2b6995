"""The ball around x, tested on its layers: fractions, where labels are eliminated, and where rules
stop.
"""

import numpy as np
import pytest

from knnviz import NeighborTable, problems
from knnviz.labs import elimination
from knnviz.problems import Sample
from knnviz.rules import PartialAdaptive, Scan
from knnviz.views.line import ROW_HEIGHT

#: A walk of three labels: the third is eliminated first, then the second.
BAGS = elimination.EXAMPLE_BAGS
TABLE = NeighborTable(np.arange(12)[None], 100)
AROUND = TABLE, np.resize(BAGS, (100, 3)), 3
TRACE = PartialAdaptive(max_neighbors=12).trace(*AROUND)
ALIVE = np.array([[True, False, False]])
CONSTANT = 0.5 * np.sqrt(np.log(100) + np.log(30))


def drawn(k, stops=(10, 8, TRACE.stop_k)):
    """Layers by name after k neighbors."""
    rules = ("10-NN", "A-kNN", "PL A-kNN")
    scans = {}
    for rule, stop_k in zip(rules, stops, strict=True):
        scans[rule] = Scan([0], [stop_k], [stop_k is not None], ALIVE)
    walk = elimination.Walk(TRACE, scans, CONSTANT, 12)
    panel = elimination.ball_panel(problems.segments(3), walk, None, k, 100)
    return {layer.name: layer for layer in panel.layers}


def test_a_fraction_is_thick_until_its_label_is_eliminated_and_thin_afterwards():
    layers = drawn(12)
    for c, end in enumerate((12, 11, 6)):
        alive = layers[f"alive{c}"]
        out = layers[f"eliminated{c}"]
        assert alive.width > 2 * out.width
        assert alive.x.tolist() == [*range(1, end + 1)]
        assert out.x.tolist() == [*range(end, 13)]

        fractions = np.cumsum(BAGS[:, c]) / np.arange(1, 13)
        both = np.concatenate([alive.y, out.y[1:]])
        assert both == pytest.approx(fractions, abs=1e-6)


@pytest.mark.parametrize(
    ("k", "eliminated"), [(1, []), (5, []), (6, [2]), (7, [2]), (11, [1, 2]), (12, [1, 2])]
)
def test_nothing_is_drawn_beyond_k_and_crosses_stand_where_labels_are_eliminated(k, eliminated):
    layers = drawn(k)
    every_x = np.concatenate([layer.x for layer in layers.values()])
    assert np.nanmax(every_x) == k

    crosses = {name for name in layers if name.startswith("elimination")}
    assert crosses == {f"elimination{c}" for c in eliminated}
    for c in eliminated:
        at = TRACE.eliminated_at[c]
        cross = layers[f"elimination{c}"]
        assert cross.x.tolist() == [at]
        assert cross.y.tolist() == [pytest.approx(BAGS[:at, c].mean())]

    fractions = BAGS[:k].mean(axis=0)
    assert layers["fractions_at_k"].y == pytest.approx(fractions, abs=1e-6)
    grip = layers["grip"]
    assert grip.x == [k]
    assert grip.handles == ("The ball around x: k (dots: bags 1 to 12)",)


def test_thresholds_follow_the_leader_and_k_within_the_axes():
    layers = drawn(12)
    ks = np.arange(1, 13)
    line = layers["leader_less_band"]
    assert line.x.tolist() == list(range(1, 12)), "the ball stops at 11"

    to_stop = ks[:11]
    leader = np.cumsum(BAGS[:11, 0]) / to_stop
    below_leader = leader - CONSTANT / np.sqrt(to_stop)
    wanted = np.where(below_leader > -0.03, below_leader, np.nan)
    assert line.y == pytest.approx(wanted, abs=1e-6, nan_ok=True)

    others = 1 / 3 + CONSTANT / np.sqrt(ks)
    wanted = np.where(others < 1.03, others, np.nan)
    threshold = layers["adaptive_threshold"]
    assert threshold.y == pytest.approx(wanted, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize(
    ("k", "stops"), [(7, {}), (8, {"A-kNN": 8}), (11, {"A-kNN": 8, "PL A-kNN": 11})]
)
def test_each_stop_is_an_upright_line_once_it_is_reached(k, stops):
    layers = drawn(k, (None, 8, 11))
    lines = {name for name in layers if name.endswith(" stops")}
    assert lines == {f"{rule} stops" for rule in stops}
    for rule, at in stops.items():
        line = layers[f"{rule} stops"]
        assert line.x.tolist() == [at, at]


def test_a_bag_is_a_column_of_its_labels():
    heights = -ROW_HEIGHT * np.array([1, 2, 3])
    read = drawn(4)["bags"]
    for k, bag in enumerate(BAGS[:4], start=1):
        column = read.codes[read.x == k]
        assert column.tolist() == np.flatnonzero(bag).tolist()
    assert read.y == pytest.approx(heights[read.codes])

    X = np.array([[0.1], [0.2]])
    y = np.array([0, 2])
    sample = Sample(X, y, None, y)
    line = elimination.spots(problems.segments(3), sample, BAGS, 2)
    owners, _ = np.nonzero(BAGS[:2])
    assert line.x == pytest.approx(X[owners, 0])
    assert line.y == pytest.approx(heights[line.codes])
