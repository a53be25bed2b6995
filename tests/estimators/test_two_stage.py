"""Neighbors on labels of two rounds: the printed algorithm, and who votes."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import any_ball, generators, sorted_neighbors
from refusals import refuses
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from knnviz import active
from knnviz.active import FROM_P, FROM_R, ROUND1, Scheme
from knnviz.bounds import rittler
from knnviz.estimators import TwoStageKNeighborsClassifier
from knnviz.problems import bump
from knnviz.regions import AugmentedRegion

LINE = np.arange(8.0)[:, None]


@st.composite
def rounds(draw):
    """Points of both rounds with ties, labels, tags, queries, k and k_hard; some are not hard."""
    rng = draw(generators)
    d = draw(st.integers(1, 2))
    n = draw(st.integers(16, 50))
    m = draw(st.integers(0, 30))
    X = rng.random((n + m, d))
    queries = rng.random((8, d))
    decimals = draw(st.sampled_from([9, 2, 1]))

    flipped = rng.random(n + m) < 0.1
    y = ((X[:, 0] > 0.5) ^ flipped).astype(int)
    y[:2] = 0, 1
    second = rng.choice([FROM_P, FROM_R], m)
    stage = rng.permutation(np.r_[np.full(n, ROUND1), second])

    k = draw(st.integers(1, n + m))
    k_hard = draw(st.integers(13, n))
    return X.round(decimals), y, stage, queries.round(decimals), k, k_hard


@pytest.mark.filterwarnings("ignore:no training point votes in the hard region")
@settings(max_examples=40)
@given(rounds(), st.sampled_from(active.VOTERS), st.sampled_from([0.0, 0.05]))
def test_it_is_the_printed_algorithm(case, voters, c0):
    X, y, stage, queries, k, k_hard = case
    options = {"voters": voters, "hard_neighbors": k_hard, "delta": 0.95, "c0": c0, "c_plus": 0.1}
    two = TwoStageKNeighborsClassifier(k, **options).fit(X, y, stage)
    in_first = stage == ROUND1
    first = X[in_first]
    n = len(first)
    d = X.shape[1]
    width = rittler.hard_width(k_hard, n, d, 0.95, c0)
    k_plus = rittler.augmented_neighbors(n, d, 0.95, 0.1)

    def hard(points):
        nearest, _ = sorted_neighbors(first, points, k_hard)
        return abs(y[in_first][nearest].mean(axis=1) - 1 / 2) < width

    in_hard = stage == FROM_R
    centers = X[hard(X)]
    if voters == "inclusive" and len(centers):
        _, squares = sorted_neighbors(first, centers, k_plus)
        in_hard = in_hard | any_ball(X, centers, np.sqrt(squares[:, -1]))
    fractions = []
    for query, inside in zip(queries, hard(queries), strict=True):
        chosen = stage != FROM_R
        if inside:
            chosen = in_hard
        nearest, _ = sorted_neighbors(X[chosen], query[None], k)
        labels = y[chosen][nearest[0]]
        fractions.append(labels.mean() if len(labels) else 1.0)
    assert two.width_ == pytest.approx(width)
    assert two.region_voters_.tolist() == in_hard.tolist()
    assert two.hard(queries).tolist() == hard(queries).tolist()
    assert two.predict_proba(queries)[:, 1].tolist() == fractions
    assert two.predict(queries).tolist() == [int(fraction >= 1 / 2) for fraction in fractions]

    # Without a second round.
    plain = TwoStageKNeighborsClassifier(k, voters=voters, hard_neighbors=1).fit(X, y)
    assert np.array_equal(plain.predict(queries), active.vote(X, y, queries, k))


def test_a_tie_and_no_votes_give_class_1():
    tied = TwoStageKNeighborsClassifier(2, voters="inclusive").fit(LINE, ["no", "yes"] * 4)
    assert tied.predict([[0.5]]).tolist() == ["yes"]
    two = TwoStageKNeighborsClassifier(3).fit(LINE, ["a", "b"] * 4, [ROUND1] * 8)
    words = "no training point votes in the hard region: b is predicted"
    for asked, expected in ((two.predict, ["b"] * 8), (two.predict_proba, [[0, 1]] * 8)):
        with pytest.warns(RuntimeWarning, match=words) as caught:
            assert asked(LINE).tolist() == expected
        assert [each.filename for each in caught] == [__file__]


def test_what_is_fitted():
    stage = pd.Series([ROUND1] * 6 + [FROM_R, FROM_P])
    empty = AugmentedRegion.build(LINE, np.empty((0, 1)), 1)
    two = TwoStageKNeighborsClassifier(3, voters="inclusive")
    two.fit(LINE, pd.Series(["a", "b"] * 4), stage, empty)
    assert two.hard_neighbors_ == 3
    assert two.augmented_ == empty
    assert two.region_voters_.tolist() == [False] * 6 + [True, False]
    _, indices = two.kneighbors([[6.2]])
    assert indices.tolist() == [[6, 7, 5]], "of all labeled points"


@pytest.mark.parametrize(
    ("given_too", "value"),
    [
        ({"stage": [ROUND1] * 7}, "8 points"),
        ({"stage": [ROUND1] * 7 + [3]}, "3]"),
        ({"stage": [FROM_R] * 8}, "2 with n = 0"),
        ({"augmented": "a"}, "'a'"),
    ],
)
def test_stages_are_checked(given_too, value):
    refuses(value, TwoStageKNeighborsClassifier(2).fit, LINE, [0, 1] * 4, **given_too)


def test_in_a_pipeline_and_a_score_the_stages_go_with_the_rows():
    bought = active.two_stage_sample(bump(0.022, 0.98, 0.02), 1000, 1000, Scheme(100, 0.1), 0)
    X = bought.X
    y = bought.y
    two = TwoStageKNeighborsClassifier(30)
    piped = make_pipeline(StandardScaler(), two)
    piped.fit(X, y, twostagekneighborsclassifier__stage=bought.stage)
    plain = clone(two).fit(X, y, bought.stage)
    # A line is a line at any scale.
    assert np.array_equal(piped.predict(X), plain.predict(X))
    with sklearn.config_context(enable_metadata_routing=True):
        routed = two.set_fit_request(stage=True)
        scores = cross_val_score(routed, X, y, cv=4, params={"stage": bought.stage})
    assert (scores > 0.8).all()
