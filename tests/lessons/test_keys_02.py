"""The keys of run sheet 02, and numbers that its scenes and questions state."""

import numpy as np
import pytest

from knnviz import LabelNoise, NeighborTable, VoteProfile, bundled, checkerboard
from knnviz.estimators import RobustKNeighborsClassifier
from knnviz.noise import misled_points, theta
from knnviz.rules import Threshold


def test_misled_points_and_their_price():
    eta = np.linspace(0.3, 0.6, 3001)
    eta = np.stack([1 - eta, eta], axis=1)
    found = eta[misled_points(eta, LabelNoise(p0=0.2, p1=0.1).corrupt(eta)), 1]
    assert (found.min(), found.max()) == (pytest.approx(0.43, abs=0.005), pytest.approx(0.5, abs=0.001))
    assert abs(2 * 0.45 - 1) == pytest.approx(0.1)


def test_votes_that_robust_knn_needs():
    assert 50 * theta(0.2, 0.4) == 20


@pytest.mark.parametrize("seed", range(3))
def test_two_labels_reach_both_extremes(seed):
    sample = checkerboard().sample(8000, seed=seed)
    observed = LabelNoise(p0=0.0, p1=0.3).flip(sample.y, sample.v)
    rule = RobustKNeighborsClassifier(11, noise_neighbors=1).fit(sample.X, observed)
    assert rule.threshold_ == 0.5


def test_shifted_rates_keep_the_threshold():
    assert theta(0.1, 0.3) == theta(0.05, 0.25)


def test_the_gap_on_the_tumors_is_six():
    tumors = bundled("breast_cancer")
    sample = tumors.sample(tumors.max_size)
    observed = LabelNoise(p0=0.0, p1=0.3).flip(sample.y, sample.v)
    votes = VoteProfile.count(NeighborTable.build(sample.X, tumors.X_test, 25), observed, n_classes=2)
    missed = [(Threshold(at).predict(votes, 25) != tumors.y_test).sum() for at in (0.5, theta(0.0, 0.3))]
    assert (len(tumors.y_test), missed[0] - missed[1]) == (171, 6)
