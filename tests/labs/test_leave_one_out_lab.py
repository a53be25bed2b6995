"""LeaveOneOutLab: votes beside plain Python, dots in their piles, and what is refused."""

import re

import numpy as np
import pytest
from random_moves import layers
from refusals import refuses
from sklearn.metrics import accuracy_score, f1_score
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler

from knnviz import from_data, labs
from knnviz.labs.leave_one_out import SCORES
from knnviz.problems import bundled
from knnviz.views import dots

TABLE = bundled("breast_cancer", "pca").table
X = TABLE.X[::4]
Y = TABLE.y[::4]
DATA = from_data(X, Y, "pca", name="some tumors")


@pytest.mark.parametrize(("k", "needed"), [(1, 1), (7, 4), (25, 3)])
def test_votes_are_those_of_all_others(k, needed):
    lab = labs.LeaveOneOutLab(DATA, k=k, needed=needed)
    scaled = StandardScaler().fit_transform(X)
    near = NearestNeighbors(n_neighbors=k).fit(scaled).kneighbors(return_distance=False)
    votes = Y[near].sum(axis=1)
    alarm = votes >= needed
    read = lab.readout()
    found = (alarm & (Y == 1)).sum()
    false = (alarm & (Y == 0)).sum()
    assert read["1 found"] == (found, Y.sum())
    assert read["false alarms"] == (false, (Y == 0).sum())
    assert read["accuracy"] == pytest.approx(accuracy_score(Y, alarm), abs=1e-6)
    assert read["F1"] == pytest.approx(f1_score(Y, alarm), abs=1e-6)
    assert read["cost"] == 4 * (Y.sum() - found) + false

    shown = layers(lab, "piles")
    assert (abs(shown["dots"].x - votes)[votes > 0] < 0.5).all()
    right = shown["dots"].x > shown["line"].x[0]
    assert (right == alarm).all(), "the line parts those with an alarm from those without"
    assert ((shown["dots"].y > 0) == (Y == 1)).all()


@pytest.mark.parametrize("score", SCORES)
def test_a_score_is_a_part_of_the_points_that_are_not_faded(score):
    lab = labs.LeaveOneOutLab(DATA, k=7, needed=2, score=score, price=5)
    read = lab.readout()
    bar = layers(lab, "score")
    ends = [band.x[1] for name, band in bar.items() if re.fullmatch(r"part0_\d", name)]
    right = 2 if score == "accuracy" else 1
    value = ends[-1] if score == "cost" else ends[right - 1] / ends[-1]
    assert value == pytest.approx(read[score], abs=1e-5)

    piles = layers(lab, "piles")
    alarm = piles["dots"].x > piles["line"].x[0]
    above = piles["dots"].y > 0
    faded = len(piles["faded"].x)
    assert len(alarm) + faded == len(Y)
    holds = {
        "accuracy": faded == 0,
        "recall": above.all(),
        "precision": alarm.all(),
        "cost": (alarm != above).all(),
        "F1": (alarm | above).all(),
    }
    assert holds[score]


def test_what_has_no_dots_is_refused():
    many = from_data(np.ones((3000, 2)), np.arange(3000) % 2, name="many")
    refuses("a data set of two classes", labs.LeaveOneOutLab, bundled("wine"))
    refuses("at most 2000 rows", labs.LeaveOneOutLab, many)


def test_no_two_dots_are_at_one_place():
    """Many of them are at 0."""
    values = np.random.default_rng(0).integers(0, 6, 500) * (np.arange(500) % 3 == 0)
    above = np.arange(500) % 7 == 0
    places = dots.stacked(values, above)
    assert len(np.unique(places, axis=0)) == 500
    assert (abs(places[:, 0] - values)[values > 0] < 0.5).all()
    assert (places[values == 0, 0] < 0.5).all()
