"""What the hard region leaves out of a set, by windows of a sample on a line and by a search for neighbors."""

import numpy as np
import pytest

from knnviz import NeighborTable, VoteProfile, regions
from knnviz.problems import power
from knnviz_papers.rittler.containment import left_out


@pytest.mark.parametrize("seed", range(3))
def test_windows_leave_out_what_a_search_leaves_out(seed):
    sample, measure = power(2.0).sample(300, seed), power(2.0).measure(500)
    boundary = abs(measure.points[:, 0] - 0.5) < 0.3
    votes = VoteProfile.count(NeighborTable.build(sample.X, measure.points, 40), sample.y, 2)
    for width, found in zip((0.1, 0.45), left_out(sample, 40, (0.1, 0.45), measure, boundary), strict=True):
        hard = regions.hard(votes, 40, width)
        assert found == pytest.approx((hard.mean(), np.mean(~hard[boundary]), hard[boundary].all()), abs=1e-12)
