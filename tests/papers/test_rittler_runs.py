"""Two rounds on a line and what the hard region leaves out, beside plain loops and a search for
neighbors.
"""

from itertools import combinations, pairwise
from math import ceil, log, sqrt

import numpy as np
import pytest

from knnviz import NeighborTable, VoteProfile, regions
from knnviz.active import FROM_P, FROM_R, VOTERS, Scheme
from knnviz.active.sampling import draw_labeled
from knnviz.problems import jump, power
from knnviz_papers.rittler.containment import left_out
from knnviz_papers.rittler.rounds_on_line import FirstRoundOnLine, points_in, two_rounds
from knnviz_papers.simulate import Line

#: A scheme that leaves something easy with few labels, and its numbers by hand.
SMALL = Scheme(25, 0.3, delta=0.9)
WIDTH = 2 * sqrt(log(2 / 0.9) / 25)


def first_of(n, seed=0):
    points, labels = draw_labeled(jump(0.4), n, np.random.default_rng(seed))
    return FirstRoundOnLine.build(points, labels, SMALL)


def bought_of(first, m, seed):
    """What two rounds buy with so many labels in the second."""
    return two_rounds(jump(0.4), first, m, SMALL, np.random.default_rng(seed))


def fraction(x, y, z, k):
    """Fraction of class 1 among the k nearest of z, of all if they are fewer; 1 without any."""
    near = np.argsort(abs(x - z), kind="stable")[:k]
    return y[near].mean() if len(x) else 1.0


def plain_risk(bought, kind, k):
    """Disagreement and risk of a jump: each midpoint of two points may be a break, and between
    breaks nothing moves.
    """
    first = bought.first.X[:, 0]
    x = bought.X[:, 0]
    k_plus = ceil(0.25 * sqrt(len(first) * 2 * log(8 / 0.9)))
    breaks = {0.0, 0.5, 1.0} | {(a + b) / 2 for a, b in combinations(x, 2)}
    parts = np.array([*pairwise(sorted(breaks))])
    middles = parts.mean(axis=1)
    votes = np.array([fraction(first, bought.first.y, z, 25) for z in middles])
    hard = abs(votes - 0.5) < WIDTH

    targeted = bought.stage == FROM_R
    in_hard = targeted
    if kind == "inclusive":
        centers = parts[hard].ravel()
        radii = np.array([sorted(abs(first - z))[k_plus - 1] for z in centers])
        near = abs(x[:, None] - centers) <= radii + 1e-11
        in_hard = targeted | near.any(axis=1)

    wrong = 0.0
    risk = 0.0
    for (low, high), z, is_hard in zip(parts, middles, hard, strict=True):
        chosen = in_hard if is_hard else ~targeted
        label = fraction(x[chosen], bought.y[chosen], z, k) >= 0.5
        one = 0.1 if z < 0.5 else 0.9
        mass = high - low
        wrong += mass * (label != (one >= 0.5))
        risk += mass * (1 - one if label else one)
    return wrong, risk


@pytest.mark.parametrize("kind", VOTERS)
@pytest.mark.parametrize(("seed", "k"), [(0, 5), (1, 16), (3, 120)])
def test_risks_of_two_rounds_are_those_of_a_plain_classifier(kind, seed, k):
    """Also where fewer than k vote."""
    line = Line.build(jump(0.4))
    first = first_of(90, seed)
    bought = bought_of(first, 20, 10 + seed)
    assert 0 < first.masses[0] < first.masses[1] < 1

    found = (bought.risk(kind, k, line.bayes), bought.risk(kind, k, line.eta))
    assert found == pytest.approx(plain_risk(bought, kind, k), abs=1e-9)


def rows_of(bought):
    """Points with their labels and stages."""
    return {*zip(bought.X[:, 0], bought.y, bought.stage, strict=True)}


def test_targeted_points_are_uniform_on_the_region_and_a_smaller_round_begins_a_larger_one():
    u = np.array([0.0, 0.2, 0.25, 0.5, 0.999])
    region = np.array([[0.1, 0.2], [0.6, 0.9]])
    assert points_in(region, u) == pytest.approx([0.1, 0.18, 0.6, 0.7, 0.8996])

    few = bought_of(first_of(60), 30, 5)
    many = bought_of(first_of(60), 90, 5)
    assert rows_of(few) < rows_of(many)
    targeted = many.X[many.stage == FROM_R, 0]
    assert regions.in_intervals(many.first.augmented, targeted).all()

    X = np.linspace(0.01, 0.99, 60)[:, None]
    nothing = FirstRoundOnLine.build(X, np.zeros(60, int), SMALL)
    assert nothing.masses == (0, 0)
    bought = bought_of(nothing, 50, 0)
    assert np.count_nonzero(bought.stage == FROM_P) == 50


@pytest.mark.parametrize("seed", range(3))
def test_windows_leave_out_what_a_search_leaves_out(seed):
    sample = power(2.0).sample(300, seed)
    measure = power(2.0).measure(500)
    points = measure.points
    boundary = abs(points[:, 0] - 0.5) < 0.3
    table = NeighborTable.build(sample.X, points, 40)
    votes = VoteProfile.build(table, sample.y, 2)

    widths = (0.1, 0.45)
    windows = left_out(sample, 40, widths, measure, boundary)
    for width, found in zip(widths, windows, strict=True):
        hard = regions.hard(votes, 40, width)
        of_boundary = hard[boundary]
        expected = (hard.mean(), np.mean(~of_boundary), of_boundary.all())
        assert found == pytest.approx(expected, abs=1e-12)
