"""Two rounds on a line and what the hard region leaves out, beside the classifier of two rounds,
which has its plain loops in ``tests/estimators``, and a search for neighbors.
"""

import numpy as np
import pytest
from reference_implementations import pieces

from knnviz import NeighborTable, VoteProfile, regions, risk
from knnviz.active import FROM_P, FROM_R, VOTERS, Scheme
from knnviz.active.sampling import draw_labeled
from knnviz.estimators import TwoStageKNeighborsClassifier
from knnviz.problems import jump, power
from knnviz.regions import AugmentedRegion
from knnviz_papers.rittler.containment import left_out
from knnviz_papers.rittler.rounds_on_line import FirstRoundOnLine, points_in, two_rounds
from knnviz_papers.simulate import Line

#: A scheme that leaves something easy with few labels.
SMALL = Scheme(25, 0.3, delta=0.9)
JUMP = jump(0.4)


def first_of(n, seed=0):
    points, labels = draw_labeled(JUMP, n, np.random.default_rng(seed))
    return FirstRoundOnLine.build(points, labels, SMALL)


def bought_of(first, m, seed):
    """What two rounds buy with so many labels in the second."""
    return two_rounds(JUMP, first, m, SMALL, np.random.default_rng(seed))


def risks_of_classifier(bought, kind, k):
    """Disagreement and risk of the classifier of two rounds, at the middles of pieces: each
    midpoint of two points may be a break, and between breaks nothing moves.
    """
    first = bought.first
    n = len(first.X)
    halfway = (bought.X + bought.X.T)[np.triu_indices(len(bought.X), 1)] / 2
    middles, lengths = pieces(0.5, halfway)
    ends = middles + lengths[:, None] * [-0.5, 0.5]
    is_hard = regions.in_intervals(first.hard, middles[:, 0])
    centers = ends[is_hard].reshape(-1, 1)
    region = AugmentedRegion.build(first.X, centers, SMALL.k_plus(n, 1))

    two = TwoStageKNeighborsClassifier(k, voters=kind, hard_neighbors=25, delta=0.9)
    two.fit(bought.X, bought.y, bought.stage, region)
    labels = two.predict(middles)
    assert np.array_equal(two.hard(middles), is_hard)
    wrong = labels != JUMP.bayes(middles)
    return lengths @ wrong, risk.exact(JUMP.eta(middles), labels, weights=lengths)


@pytest.mark.parametrize("kind", VOTERS)
@pytest.mark.parametrize(("seed", "k"), [(0, 5), (1, 16), (3, 100)])
def test_risks_of_two_rounds_are_those_of_the_classifier(kind, seed, k):
    """Also where fewer than k vote."""
    line = Line.build(JUMP)
    first = first_of(90, seed)
    bought = bought_of(first, 20, 10 + seed)
    assert 0 < first.masses[0] < first.masses[1] < 1

    found = (bought.risk(kind, k, line.bayes), bought.risk(kind, k, line.eta))
    assert found == pytest.approx(risks_of_classifier(bought, kind, k), abs=1e-9)


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
