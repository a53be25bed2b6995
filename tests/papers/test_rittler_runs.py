"""Two rounds on a line and what the hard region leaves out, beside plain loops and a search for
neighbors.
"""

from itertools import pairwise
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
    return FirstRoundOnLine.of(*draw_labeled(jump(0.4), n, np.random.default_rng(seed)), SMALL)


def fraction(x, y, z, k):
    """Fraction of class 1 among the k nearest of z, of all if they are fewer; 1 without any."""
    near = sorted(range(len(x)), key=lambda i: abs(x[i] - z))[:k]
    return sum(int(y[i]) for i in near) / len(near) if near else 1.0


def plain_risk(bought, kind, k):
    """Disagreement and risk of a jump: each midpoint of two points may be a break, and between
    breaks nothing moves.
    """
    first = bought.first.X[:, 0]
    x = bought.X[:, 0]
    k_plus = ceil(0.25 * sqrt(len(first) * 2 * log(8 / 0.9)))
    breaks = [0.0, *sorted({0.5, *((a + b) / 2 for i, a in enumerate(x) for b in x[:i])}), 1.0]
    hard = [
        abs(fraction(first, bought.first.y, sum(ends) / 2, 25) - 0.5) < WIDTH
        for ends in pairwise(breaks)
    ]
    centers = np.array(
        [end for ends, each in zip(pairwise(breaks), hard, strict=True) if each for end in ends]
    )
    radii = np.array([sorted(abs(first - z))[k_plus - 1] for z in centers])
    targeted = bought.stage == FROM_R
    wrong = 0.0
    risk = 0.0
    in_hard = (
        targeted | (abs(x[:, None] - centers) <= radii + 1e-11).any(axis=1)
        if kind == "inclusive"
        else targeted
    )
    for (low, high), each in zip(pairwise(breaks), hard, strict=True):
        z = (low + high) / 2
        chosen = in_hard if each else ~targeted
        label = fraction(x[chosen], bought.y[chosen], z, k) >= 0.5
        one = 0.1 if z < 0.5 else 0.9
        wrong += (high - low) * (label != (one >= 0.5))
        risk += (high - low) * (1 - one if label else one)
    return wrong, risk


@pytest.mark.parametrize("kind", VOTERS)
@pytest.mark.parametrize(("seed", "k"), [(0, 5), (1, 16), (3, 120)])
def test_risks_of_two_rounds_are_those_of_a_plain_classifier(kind, seed, k):
    """Also where fewer than k vote."""
    line = Line.of(jump(0.4))
    first = first_of(90, seed)
    bought = two_rounds(jump(0.4), first, 20, SMALL, np.random.default_rng(seed))
    assert 0 < first.masses[0] < first.masses[1] < 1
    found = bought.risk(kind, k, line.bayes), bought.risk(kind, k, line.eta)
    assert found == pytest.approx(plain_risk(bought, kind, k), abs=1e-9)


def test_targeted_points_are_uniform_on_the_region_and_a_smaller_round_begins_a_larger_one():
    u = np.array([0.0, 0.2, 0.25, 0.5, 0.999])
    assert points_in(np.array([[0.1, 0.2], [0.6, 0.9]]), u) == pytest.approx(
        [0.1, 0.18, 0.6, 0.7, 0.8996]
    )
    few, many = (
        two_rounds(jump(0.4), first_of(60), m, SMALL, np.random.default_rng(5)) for m in (30, 90)
    )
    assert {*zip(few.X[:, 0], few.y, few.stage, strict=True)} < {
        *zip(many.X[:, 0], many.y, many.stage, strict=True)
    }
    assert regions.in_intervals(many.first.augmented, many.X[many.stage == FROM_R, 0]).all()
    nothing = FirstRoundOnLine.of(np.linspace(0.01, 0.99, 60)[:, None], np.zeros(60, int), SMALL)
    bought = two_rounds(jump(0.4), nothing, 50, SMALL, np.random.default_rng(0))
    assert (nothing.masses, int((bought.stage == FROM_P).sum())) == ((0, 0), 50)


@pytest.mark.parametrize("seed", range(3))
def test_windows_leave_out_what_a_search_leaves_out(seed):
    sample = power(2.0).sample(300, seed)
    measure = power(2.0).measure(500)
    boundary = abs(measure.points[:, 0] - 0.5) < 0.3
    votes = VoteProfile.count(NeighborTable.build(sample.X, measure.points, 40), sample.y, 2)
    for width, found in zip(
        (0.1, 0.45), left_out(sample, 40, (0.1, 0.45), measure, boundary), strict=True
    ):
        hard = regions.hard(votes, 40, width)
        assert found == pytest.approx(
            (hard.mean(), np.mean(~hard[boundary]), hard[boundary].all()), abs=1e-12
        )
