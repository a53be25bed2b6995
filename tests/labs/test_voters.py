"""What is drawn of the vote at x: the points that vote, lines to a few of them, the ball, and x."""

import numpy as np
import pytest
from random_moves import layers
from small import SMALL

from knnviz.labs import NeighborLab, WeightLab
from knnviz.labs.parts.plane import FEW_VOTERS
from knnviz.views.map import MAX_POINTS

#: Labs in the plane, and on a line.
PLANES = [
    (NeighborLab, {"p0": 0.1, "p1": 0.3}),
    (WeightLab, {"problem": "three gaussians"}),
]
LINES = [(NeighborLab, {"problem": "bump", "p1": 0.3})]


def places(points):
    return [*zip(points.x.tolist(), points.y.tolist(), points.codes.tolist(), strict=True)]


@pytest.mark.parametrize("k", [1, FEW_VOTERS, FEW_VOTERS + 1, 57])
@pytest.mark.parametrize(("kind", "values"), [*PLANES, *LINES])
def test_those_in_the_ball_have_full_color_and_a_few_a_line_each(kind, values, k):
    """Of 900 points 600 are drawn, and never more of those that vote, unless there are few."""
    drawn = layers(kind(**{"n": 900, "resolution": SMALL, "k": k} | values), "map")
    points = drawn["points"]
    voters = drawn["voters"]
    assert len(points.x) == MAX_POINTS
    assert points.opacity < voters.opacity == 1

    distances = abs(points.x - drawn["query"].x)
    if (kind, values) in PLANES:
        distances = np.hypot(distances, points.y - drawn["query"].y)
    radius = np.nanmax(drawn["ball"].x) - drawn["query"].x[0]
    inside = distances < radius * (1 + 1e-5)
    expected = {place for place, votes in zip(places(points), inside, strict=True) if votes}
    if k > FEW_VOTERS:
        assert {*places(voters)} == expected
        assert "spokes" not in drawn
        return
    assert {*places(voters)} >= expected
    assert len(voters.x) == k
    ends = np.stack([drawn["spokes"].x, drawn["spokes"].y]).reshape(2, k, 3)[:, :, 1]
    assert ends.tolist() == [voters.x.tolist(), voters.y.tolist()]
