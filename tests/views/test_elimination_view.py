"""The ball around x, tested on its layers: fractions, where labels are eliminated, where rules stop, and its words."""

import numpy as np
import pytest

from knnviz import NeighborTable, problems
from knnviz.labs import EliminationLab
from knnviz.labs.elimination import layers
from knnviz.rules import PartialAdaptive
from knnviz.views import marks, style

#: A walk of three labels: the third is eliminated first, then the second.
WALK = "ab a ac b ab a ac ab a ab ac a"
BAGS = np.array([[label in bag for label in "abc"] for bag in WALK.split()])
NAMES = ("a", "b", "c")


@pytest.fixture(scope="module")
def walk():
    """The walk of the ball through all bags, n = 100."""
    indices = np.arange(12, dtype=np.int32)[None]
    return PartialAdaptive(max_neighbors=12).trace(NeighborTable(indices, 100), np.resize(BAGS, (100, 3)), 3)


def test_a_fraction_is_thick_until_its_label_is_eliminated_and_thin_afterwards(walk):
    assert walk.eliminated_at.tolist() == [0, 11, 6]
    lines = layers.fractions(walk, 12)
    for c, (alive, eliminated, end) in enumerate(zip(lines[::2], lines[1::2], (12, 11, 6), strict=True)):
        assert alive.width > 2 * eliminated.width
        assert alive.color == eliminated.color == style.class_color(c)
        assert [*alive.x, *eliminated.x] == [*range(1, end + 1), *range(end, 13)]
        both = np.concatenate([alive.y, eliminated.y[1:]])
        assert both == pytest.approx(np.cumsum(BAGS[:, c]) / np.arange(1, 13), abs=1e-6)


@pytest.mark.parametrize("k", [1, 6, 12])
def test_a_marker_of_each_class_stands_at_k(walk, k):
    markers = layers.fractions_at_k(walk, k)
    assert markers.x.tolist() == [k] * 3
    assert markers.y == pytest.approx(BAGS[:k].mean(axis=0), abs=1e-6)
    assert markers.codes.tolist() == [0, 1, 2]


@pytest.mark.parametrize("k", [1, 5, 6, 7, 11, 12])
def test_nothing_is_drawn_beyond_k(walk, k):
    drawn = [*layers.fractions(walk, k), layers.leader_less_band(walk, k), *layers.eliminations(walk, k)]
    drawn += layers.stops((10, 8, walk.stop_k), k)
    across = np.concatenate([layer.x for layer in drawn])
    assert np.nanmax(across) == k


def test_the_threshold_of_elimination_follows_the_leader_until_the_ball_stops(walk):
    line = layers.leader_less_band(walk, 12)
    assert line.x.tolist() == list(range(1, 12)), "the ball stops at 11"
    constant = 0.5 * np.sqrt(np.log(100) + np.log(30))
    for k, threshold in zip(line.x, line.y, strict=True):
        leader = BAGS[: int(k), 0].sum() / k
        wanted = leader - constant / np.sqrt(k)
        assert np.isnan(threshold) if wanted <= -0.03 else threshold == pytest.approx(wanted, abs=1e-6)
    for c in (1, 2):
        eliminated_at = walk.eliminated_at[c]
        assert walk.counts[eliminated_at - 1, c] / eliminated_at <= line.y[eliminated_at - 1]


def test_lines_off_the_axis_are_cut():
    line = layers.adaptive_threshold(np.array([1.5, 1.02, 0.5]), 3)
    assert np.isnan(line.y).tolist() == [True, False, False]
    assert len(layers.adaptive_threshold(np.array([1.5, 1.02, 0.5]), 2).x) == 2


@pytest.mark.parametrize(("k", "there"), [(5, []), (6, [2]), (10, [2]), (11, [1, 2])])
def test_crosses_stand_where_labels_are_eliminated(walk, k, there):
    crosses = layers.eliminations(walk, k)
    assert [mark.name for mark in crosses] == ["elimination0", "elimination1", "elimination2"]
    for c, (mark, at) in enumerate(zip(crosses, walk.eliminated_at, strict=True)):
        x, y = (at, BAGS[:at, c].mean()) if c in there else (np.nan, np.nan)
        assert [*mark.x, *mark.y] == pytest.approx([x, y], nan_ok=True)
        assert mark.color == style.class_color(c)


def test_each_stop_is_an_upright_line_with_a_name_once_it_is_reached():
    for k, there in ((7, {}), (8, {"A-kNN stops": [8, 8]}), (11, {"A-kNN stops": [8, 8], "PL A-kNN stops": [11, 11]})):
        lines = layers.stops((None, 8, 11), k)
        assert [line.name for line in lines] == list(layers.STOP_STYLES)
        assert {line.name: line.x.tolist() for line in lines if len(line.x)} == there
        assert [line.label for line in lines if line.label] == list(there)


def test_stops_at_one_k_are_told_apart():
    """A wide dotted line behind dashes that are less wide, behind a thin line."""
    lines = layers.stops((10, 10, 10), 12)
    assert sorted((line.width for line in lines), reverse=True) == [line.width for line in lines]
    assert len({line.width for line in lines}) == len({line.dash for line in lines}) == 3


@pytest.mark.parametrize(("k", "align"), [(1, "left"), (50, "right"), (100, "right")])
def test_the_handle_stands_within_the_axes_at_both_ends(k, align):
    axes = layers.axes(100)
    line, handle = layers.at_k(k, 100)
    assert axes.xlim[0] < k < axes.xlim[1]
    assert axes.ylim[0] < handle.y[0] < axes.ylim[1]
    assert line.x.tolist() == [k, k]
    assert (handle.x[0], handle.align, handle.spoken) == (k, align, (f"k = {k}",))
    assert handle.handles == ("neighbors k",)


@pytest.mark.parametrize(("most", "log"), [(12, False), (39, False), (40, True), (5000, True)])
def test_many_neighbors_stand_on_a_logarithmic_axis(most, log):
    axes = layers.axes(most)
    assert axes.log == log
    assert axes.xlim[0] < 1 < most < axes.xlim[1]
    assert axes.xlim[0] > 0 or not log


def test_bags_of_a_line_stand_in_rows_by_true_class():
    line, plane = problems.segments(3), problems.gaussians(3, dimension=2)
    X, y, bags = np.array([[0.1], [0.2]]), np.array([0, 2]), BAGS[:2]
    pies = layers.pies(line, X, y, bags, "bags", 9.0)
    assert pies.x == pytest.approx([0.1, 0.2])
    assert pies.y[0] > pies.y[1]
    assert np.array_equal(pies.bags, bags)
    assert len(pies.palette) == 3
    flat = layers.pies(plane, np.array([[0.1, 0.7], [0.2, 0.8]]), y, bags, "bags", 9.0)
    assert flat.y == pytest.approx([0.7, 0.8])
    legend = layers.classes(plane)
    assert legend.labels == plane.class_names
    assert legend.bags.shape == (0, 3)


def test_an_eliminated_label_has_a_cross_in_its_color_before_its_line():
    crosses = layers.crosses([(2, "c eliminated"), (0, "a eliminated")], 3)
    assert [np.isfinite(cross.x[0]) for cross in crosses] == [True, True, False]
    assert [cross.color for cross in crosses[:2]] == [style.class_color(2), style.class_color(0)]
    assert [cross.y[0] for cross in crosses] == [2.5, 1.5, 0.5]
    lines = marks.text_lines("lines", [(text, style.INK) for text in "12ca "], 14.0)
    assert [line.y[0] for line in lines[2:]] == [cross.y[0] for cross in crosses]
    axes = EliminationLab(n=60, k=60).predictions.axes()
    pixel = (axes.xlim[1] - axes.xlim[0]) / 300
    assert axes.xlim[0] < -crosses[0].cross / 2 * pixel, "whole"
    assert (axes.bare, axes.ylim) == (True, (0, 3 + 3))


def test_words_hold_the_count_of_each_label_and_eliminations(walk):
    assert layers.describe(walk, 5, NAMES) == "Of the 5 nearest bags a in 4, b in 3, c in 1; none eliminated."
    said = layers.describe(walk, 12, NAMES)
    assert said == "Of the 12 nearest bags a in 11, b in 5, c in 3; eliminated: b at 11, c at 6."
