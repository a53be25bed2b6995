"""The ball around x, tested on its layers: bags as strips, fractions, where labels are eliminated,
and where rules stop.
"""

import numpy as np
import pytest

from knnviz import NeighborTable
from knnviz.labs import elimination
from knnviz.labs.engine import Click
from knnviz.rules import PartialAdaptive, Scan
from knnviz.views import style

#: A walk of three labels: the third is eliminated first, then the second.
BAGS = elimination.EXAMPLE_BAGS
TABLE = NeighborTable(np.arange(12)[None], 100)
AROUND = TABLE, np.resize(BAGS, (100, 3)), 3
TRACE = PartialAdaptive(max_neighbors=12).trace(*AROUND)
ALIVE = np.array([[True, False, False]])
CONSTANT = 0.5 * np.sqrt(np.log(100) + np.log(30))
NAMES = ("a", "b", "c")


def drawn(k, stops=(10, 8, TRACE.stop_k)):
    """Layers by name after k neighbors."""
    rules = ("10-NN", "A-kNN", "PL A-kNN")
    scans = {}
    for rule, stop_k in zip(rules, stops, strict=True):
        scans[rule] = Scan([0], [stop_k], [stop_k is not None], ALIVE)
    walk = elimination.Walk(TRACE, scans, CONSTANT, 12)
    panel = elimination.ball_panel(NAMES, style.palette(3), walk, None, k, 100)
    return {layer.name: layer for layer in panel.layers}


@pytest.mark.parametrize(
    ("k", "eliminated"), [(1, []), (5, []), (6, [2]), (7, [2]), (11, [1, 2]), (12, [1, 2])]
)
def test_a_line_ends_with_a_cross_where_its_label_is_eliminated_and_none_beyond_k(k, eliminated):
    layers = drawn(k)
    crosses = {name for name in layers if name.startswith("elimination")}
    assert crosses == {f"elimination{c}" for c in eliminated}
    for c in range(3):
        end = min(k, TRACE.eliminated_at[c] or k)
        line = layers[f"alive{c}"]
        assert line.x.tolist() == [*range(1, end + 1)]
        fractions = np.cumsum(BAGS[:end, c]) / np.arange(1, end + 1)
        assert abs(line.y - fractions).max() <= 2 * elimination.HAIR + 1e-9
        if c in eliminated:
            cross = layers[f"elimination{c}"]
            assert (cross.x[0], cross.y[0]) == (end, line.y[-1])
            assert layers[f"name{c}"].texts == (f"{NAMES[c]} at {end}",)
    assert layers["grip"].x == [k]


def test_equal_fractions_of_other_colors_are_drawn_apart_and_others_where_they_are():
    rng = np.random.default_rng(3)
    fractions = rng.integers(2, 6, (30, 4)) / 7
    is_drawn = rng.random((30, 4)) < 0.8
    apart = elimination.told_apart(fractions, [*"abcd"], is_drawn)
    for row, up, seen in zip(fractions, apart, is_drawn, strict=True):
        for value in np.unique(row[seen]):
            tied = (up[seen & (row == value)] - value) * (1 if value < 0.5 else -1)
            assert tied == pytest.approx(elimination.HAIR * np.arange(len(tied)))
    assert np.array_equal(elimination.told_apart(fractions, [*"aaaa"]), fractions)


def test_strips_are_the_bags_and_bars_count_them():
    k = 5
    panel = elimination.bags_panel(NAMES, style.palette(3), TRACE.counts, k, 12)
    layers = {layer.name: layer for layer in panel.layers}
    strips = layers["strips"].codes[::-1]
    high, wide = elimination.STRIP.shape
    middles = strips[high // 2 :: high, wide // 2 :: wide]
    assert middles.shape == (12, 3)
    labels = np.arange(1, 4)
    assert middles[:k].tolist() == (BAGS[:k] * labels).tolist()
    assert not middles[k:].any()
    assert layers["counts"].heights == pytest.approx(elimination.BAR_STEP * BAGS[:k].sum(axis=0))
    assert panel.click(Click(0, -3.2)) == {"k": 3.2}


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
