"""TwoStageKNeighborsClassifier: the printed algorithm, the trials it stands for, and scikit-learn's own checks."""

import re
import warnings
from math import log, sqrt

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import sorted_neighbors
from refusals import refuses
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from knnviz import active, breast_cancer, wave2d
from knnviz.active import FROM_P, FROM_R, ROUND1
from knnviz.estimators import TwoStageKNeighborsClassifier
from knnviz.neighbors import SpatialIndex
from knnviz.problems import bump
from knnviz.regions import AugmentedRegion

NOBODY = "^nobody votes in the hard region: .* is predicted there$"


class Tagged(TwoStageKNeighborsClassifier):
    """With points that were drawn in turn in the first round, from H+, in the first round again, and plainly."""

    def fit(self, X, y):
        n = 0 if y is None else len(np.asarray(y))
        return super().fit(X, y, None if y is None else np.resize([ROUND1, FROM_R, ROUND1, FROM_P], n))


# An odd k, so that no tie sets predict against argmax(predict_proba).
@pytest.mark.filterwarnings("ignore:nobody votes in the hard region")
@parametrize_with_checks(
    [
        TwoStageKNeighborsClassifier(3),
        TwoStageKNeighborsClassifier(1, voters="inclusive"),
        TwoStageKNeighborsClassifier(5, voters="inclusive", hard_neighbors=2, c0=0.5, c_plus=2, delta=0.5),
        Tagged(1),
        Tagged(3, voters="inclusive"),
    ],
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def modified_classifier(X, y, stage, in_augmented, query, k, k_hard, width):
    """g^R as it is printed: whether the query is hard, and the labels of those that vote."""

    def nearest(chosen, k):
        return y[chosen][sorted_neighbors(X[chosen], query[None], k)[0][0]].tolist()

    fraction = sum(nearest(stage == ROUND1, k_hard)) / k_hard
    hard = abs(fraction - 1 / 2) < width
    return hard, nearest(in_augmented if hard else stage != FROM_R, k)


@st.composite
def rounds(draw):
    """Points of both rounds with ties, their labels and tags, queries, and numbers of neighbors; some are not hard."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    d, n, m = draw(st.integers(1, 2)), draw(st.integers(16, 50)), draw(st.integers(0, 30))
    X, queries = rng.random((n + m, d)), rng.random((8, d))
    y = ((X[:, 0] > 0.5) ^ (rng.random(n + m) < 0.1)).astype(int)
    y[:2] = 0, 1
    decimals = draw(st.sampled_from([None, 2, 1]))
    if decimals is not None:
        X, queries = np.round(X, decimals), np.round(queries, decimals)
    stage = rng.permutation(np.r_[np.full(n, ROUND1), rng.choice([FROM_P, FROM_R], m)])
    return X, y, stage, queries, draw(st.integers(1, n + m)), draw(st.integers(13, n))


@pytest.mark.filterwarnings("ignore:nobody votes in the hard region")
@settings(max_examples=40)
@given(rounds(), st.sampled_from(["strict", "inclusive"]), st.sampled_from([0.0, 0.05]))
def test_it_is_the_printed_algorithm(case, voters, c0):
    X, y, stage, queries, k, k_hard = case
    options = {"voters": voters, "hard_neighbors": k_hard, "delta": 0.95, "c0": c0, "c_plus": 0.1}
    two = TwoStageKNeighborsClassifier(k, **options).fit(X, y, stage)
    first, d = X[stage == ROUND1], X.shape[1] + 1
    n = len(first)
    width = 2 * min(0.5, sqrt(log(2 / 0.95) / k_hard)) + c0 * sqrt((d * log(n) + log(1 / 0.95)) / k_hard)
    k_plus = max(1, int(np.ceil(0.1 * sqrt(n * d * log(8 / 0.95)))))
    chosen = stage == FROM_R
    if voters == "inclusive":
        marked = [modified_classifier(X, y, stage, chosen, x, k, k_hard, width)[0] for x in X]
        balls = [(x, sorted_neighbors(first, x[None], k_plus)[1][0, -1]) for x in X[marked]]
        chosen = chosen | [any(((x - center) ** 2).sum() <= reach for center, reach in balls) for x in X]
    expected = [modified_classifier(X, y, stage, chosen, query, k, k_hard, width) for query in queries]
    assert two.width_ == pytest.approx(width)
    assert two.region_voters_.tolist() == chosen.tolist()
    assert two.hard(queries).tolist() == [hard for hard, _ in expected]
    fractions = [sum(labels) / len(labels) if labels else 1.0 for _, labels in expected]
    assert two.predict_proba(queries)[:, 1].tolist() == fractions
    assert two.predict(queries).tolist() == [int(fraction >= 1 / 2) for fraction in fractions]


SOURCES = {
    "bump": (bump(0.1, 0.95, 0.05), 400, 300, active.Scheme(60, 0.1, c_plus=0.1)),
    "square": (wave2d(), 300, 300, active.Scheme(60, 0.3, coin="per_sample", c0=0.01)),
    "breast cancer": (breast_cancer(), 150, 100, active.Scheme(60, 0.3)),
}


@pytest.mark.filterwarnings("ignore:nobody votes")
@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("voters", active.VOTERS)
def test_it_decides_as_in_a_trial(name, voters):
    source, n, m, scheme = SOURCES[name]
    found = active.trial(source, n, m, scheme, [40, 250], np.random.SeedSequence(3), resolution=40)
    sample = found.sample
    evaluation = active.EvaluationPoints.of(source, sample.first)
    comparison = active.LearnerComparison(evaluation, sample, sample.X, sample.y)
    options = {"hard_neighbors": scheme.k_hard, "delta": scheme.delta, "c0": scheme.c0, "c_plus": scheme.c_plus}
    two = TwoStageKNeighborsClassifier(40, voters=voters, **options)
    two.fit(sample.X, sample.y, sample.stage, augmented=sample.first.region)
    assert two.width_ == sample.first.width
    assert two.augmented_ is sample.first.region
    assert np.array_equal(two.hard(evaluation.points), evaluation.hard)
    assert 0 < evaluation.hard.mean() < 1
    chosen = active.region_voters(sample.stage, sample.in_augmented, voters)
    assert np.array_equal(two.region_voters_, chosen)
    for i, k in enumerate((40, 250)):
        labels = two.set_params(n_neighbors=k).predict(evaluation.points)
        asked = sample.X, sample.y, sample.stage, chosen, evaluation.points, evaluation.hard, k
        assert np.array_equal(labels, active.two_stage_labels(*asked))
        assert np.array_equal(labels, comparison.labels(voters, sample.m, k))
        assert evaluation.disagreement(labels[None]) == found.disagreement[active.LEARNERS.index(voters), 0, i]


@pytest.fixture(scope="module")
def bought():
    """Labels of the narrow bump, bought in two rounds."""
    return active.two_stage_sample(bump(0.022, 0.98, 0.02), 1000, 1000, 100, 0.1, rng=0)


def test_balls_around_labeled_points_stand_in_for_the_region(bought):
    """Without the region of the scheme, hard labeled points are its centers: nearly as much of the line."""
    cells = bought.first.measure.points
    guessed = TwoStageKNeighborsClassifier(100).fit(bought.X, bought.y, bought.stage).augmented_
    assert 0.95 * bought.first.augmented_mass < guessed.contains(cells).mean()
    given_one = TwoStageKNeighborsClassifier(100, voters="inclusive").fit(bought.X, bought.y, bought.stage)
    # Which balls there are matters to labels that lie between them and the edge of H+ alone.
    assert (given_one.region_voters_ != bought.in_augmented | (bought.stage == FROM_R)).mean() < 0.01


def test_a_wide_band_and_inclusive_voters_are_the_plain_vote(bought):
    """Everything is hard, and everything lies in H+."""
    everywhere = TwoStageKNeighborsClassifier(15, voters="inclusive").fit(bought.X, bought.y, bought.stage)
    peer = KNeighborsClassifier(15).fit(bought.X, bought.y)
    queries = np.random.default_rng(0).random((500, 1))
    assert everywhere.width_ > 0.5
    assert everywhere.hard(queries).all()
    assert everywhere.region_voters_.all()
    assert np.array_equal(everywhere.predict(queries), peer.predict(queries))
    assert np.allclose(everywhere.predict_proba(queries), peer.predict_proba(queries), rtol=0, atol=1e-15)


LINE = np.arange(8.0)[:, None]


def test_a_group_smaller_than_k_votes_as_a_whole():
    stage = [ROUND1] * 5 + [FROM_R] * 3
    two = TwoStageKNeighborsClassifier(7, hard_neighbors=2).fit(LINE, [0, 0, 0, 0, 0, 1, 1, 0], stage)
    assert two.predict_proba(LINE)[:, 1].tolist() == [2 / 3] * 8
    assert two.predict(LINE).tolist() == [1] * 8


def test_a_tie_goes_to_class_1():
    two = TwoStageKNeighborsClassifier(2, voters="inclusive").fit(LINE, ["no", "yes"] * 4)
    assert two.predict_proba([[0.5]]).tolist() == [[0.5, 0.5]]
    assert two.predict([[0.5]]).tolist() == ["yes"]


def test_where_nobody_votes_it_is_class_1_with_a_warning():
    two = TwoStageKNeighborsClassifier(3).fit(LINE, ["a", "b"] * 4, [ROUND1] * 8)
    for asked, expected in ((two.predict, ["b"] * 8), (two.predict_proba, [[0, 1]] * 8)):
        with pytest.warns(RuntimeWarning, match=NOBODY.replace(".*", "b")) as caught:
            assert asked(LINE).tolist() == expected
        assert [each.filename for each in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        two.set_params(voters="inclusive").fit(LINE, ["a", "b"] * 4, [ROUND1] * 8).predict(LINE)


@settings(max_examples=15)
@given(rounds())
def test_without_a_second_round_it_is_the_plain_vote(case):
    X, y, _, queries, k, _ = case
    votes = active.vote(X, y, queries, k)
    for voters in active.VOTERS:
        two = TwoStageKNeighborsClassifier(k, voters=voters, hard_neighbors=1).fit(X, y)
        assert two.predict(queries).tolist() == votes.tolist()


def test_one_class_is_predicted_everywhere():
    for voters in active.VOTERS:
        two = TwoStageKNeighborsClassifier(2, voters=voters).fit(LINE, ["b"] * 8, [ROUND1] * 6 + [FROM_R] * 2)
        assert two.predict(LINE).tolist() == ["b"] * 8
        assert two.predict_proba(LINE).tolist() == [[1]] * 8
    with pytest.warns(RuntimeWarning, match=NOBODY):
        assert TwoStageKNeighborsClassifier(2).fit(LINE, ["b"] * 8, [ROUND1] * 8).predict(LINE).tolist() == ["b"] * 8


def test_an_empty_region_has_no_voters_but_those_drawn_from_it():
    empty = AugmentedRegion.around(LINE, np.empty((0, 1)), 1)
    stage = [ROUND1] * 6 + [FROM_R] * 2
    two = TwoStageKNeighborsClassifier(2, voters="inclusive").fit(LINE, [0, 1] * 4, stage, augmented=empty)
    assert two.region_voters_.tolist() == [False] * 6 + [True] * 2


def test_neighbors_are_those_of_all_labeled_points():
    two = TwoStageKNeighborsClassifier(2).fit(LINE, [0, 1] * 4, [ROUND1] * 4 + [FROM_R] * 4)
    distances, indices = two.kneighbors([[6.2]])
    assert indices.tolist() == [[6, 7]]
    assert distances[0] == pytest.approx([0.2, 0.8])


def test_what_is_fitted():
    stage = pd.Series([ROUND1, ROUND1, ROUND1, FROM_R, FROM_P])
    two = TwoStageKNeighborsClassifier(3).fit(LINE[:5], pd.Series(["a", "a", "b", "b", "a"]), stage)
    assert (two.hard_neighbors_, two.width_) == (3, 1.0)
    assert len(two.augmented_) == 5
    assert two.region_voters_.tolist() == [False, False, False, True, False]
    assert sorted(two.get_params()) == ["c0", "c_plus", "delta", "hard_neighbors", "n_neighbors", "voters"]


def test_k_may_be_set_anew_and_what_is_hard_stays(bought):
    queries = bought.first.measure.points
    two = TwoStageKNeighborsClassifier(100).fit(bought.X, bought.y, bought.stage)
    hard = two.hard(queries)
    fresh = TwoStageKNeighborsClassifier(30, hard_neighbors=100).fit(bought.X, bought.y, bought.stage)
    assert np.array_equal(two.set_params(n_neighbors=30).predict(queries), fresh.predict(queries))
    assert np.array_equal(two.hard(queries), hard)
    assert two.hard_neighbors_ == 100


def test_more_neighbors_than_points():
    y, stage = [0, 1] * 4, [ROUND1] * 5 + [FROM_R] * 3
    two = TwoStageKNeighborsClassifier(25, hard_neighbors=2).fit(LINE, y, stage)
    for asked in (two.predict, two.predict_proba):
        refuses(r"^n_neighbors must not exceed the number of points, got 25 with n = 8$", asked, LINE)
    assert two.hard(LINE).all()
    for options, sentence in (
        ({"n_neighbors": 6}, "n_neighbors must not exceed the number of points of the first round, got 6 with n = 5"),
        ({"hard_neighbors": 6}, "hard_neighbors must not exceed the number of points of the first round, got 6 with"),
    ):
        refuses(f"^{sentence}", TwoStageKNeighborsClassifier(**options).fit, LINE, y, stage)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors must be at least 1, got 0"),
        ({"n_neighbors": 2.5}, "n_neighbors must be a whole number, got 2.5"),
        ({"hard_neighbors": 0}, "hard_neighbors must be at least 1, got 0"),
        ({"hard_neighbors": "5"}, "hard_neighbors must be a whole number, got '5'"),
        ({"voters": "all"}, "voters must be one of 'strict', 'inclusive', got 'all'"),
        ({"delta": 1}, "failure probability delta must lie strictly between 0 and 1, got 1"),
        ({"c0": -1}, "c0 must be between 0 and 1e+100, got -1"),
        ({"c_plus": float("nan")}, "c_plus must be between 0 and 1e+100, got nan"),
    ],
)
def test_bad_parameters_are_refused_at_fit(options, message):
    two = TwoStageKNeighborsClassifier(**{"n_neighbors": 2} | options)
    refuses(f"^{re.escape(message)}$", two.fit, LINE, [0, 1] * 4)


TAGS = "stage must hold tags ROUND1 = 0, FROM_P = 1 and FROM_R = 2, got"


@pytest.mark.parametrize(
    ("given_too", "message"),
    [
        ({"stage": [ROUND1] * 7}, "stage must hold one tag for each of 8 points, got shape (7,)"),
        ({"stage": ROUND1}, "stage must hold one tag for each of 8 points, got shape ()"),
        ({"stage": [ROUND1] * 7 + [3]}, f"{TAGS} 3"),
        ({"stage": ["round one"] * 8}, f"{TAGS} values of type <U9"),
        ({"stage": [True] * 8}, f"{TAGS} values of type bool"),
        ({"stage": [0.0, 2.0] * 4}, f"{TAGS} values of type float64"),
        (
            {"stage": [FROM_R] * 8},
            "n_neighbors must not exceed the number of points of the first round, got 2 with n = 0",
        ),
        ({"augmented": [[0, 1]]}, "augmented must be an AugmentedRegion, got list"),
        (
            {"augmented": AugmentedRegion.around(np.eye(2), np.eye(2), 1)},
            "augmented lies in dimension 2, the points in 1",
        ),
    ],
)
def test_tags_and_regions_that_do_not_fit_are_refused(given_too, message):
    refuses(f"^{re.escape(message)}$", TwoStageKNeighborsClassifier(2).fit, LINE, [0, 1] * 4, **given_too)


def test_in_a_pipeline_and_a_score_the_tags_go_with_the_rows(bought):
    two = TwoStageKNeighborsClassifier(30)
    piped = make_pipeline(StandardScaler(), two)
    piped.fit(bought.X, bought.y, twostagekneighborsclassifier__stage=bought.stage)
    # A line is a line at any scale.
    assert np.array_equal(piped.predict(bought.X), clone(two).fit(bought.X, bought.y, bought.stage).predict(bought.X))
    with sklearn.config_context(enable_metadata_routing=True):
        routed = two.set_fit_request(stage=True)
        scores = cross_val_score(routed, bought.X, bought.y, cv=4, params={"stage": bought.stage})
    assert (scores > 0.8).all()


@pytest.fixture
def searches(monkeypatch):
    """Known points, queries and k of each search for neighbors."""
    found, search = [], SpatialIndex.search

    def counted(known, queries, own, k, **options):
        found.append((len(known.X), len(queries), k))
        return search(known, queries, own, k, **options)

    monkeypatch.setattr(SpatialIndex, "search", counted)
    return found


@pytest.mark.parametrize("k", [40, 90])
def test_neighbors_among_the_same_points_are_searched_for_once(bought, searches, k):
    X, y, stage = bought.X, bought.y, np.where(bought.stage == FROM_P, ROUND1, bought.stage)
    first, cells = int((stage == ROUND1).sum()), np.linspace(0, 1, 500)[:, None]
    two = TwoStageKNeighborsClassifier(k, hard_neighbors=60, c_plus=0.1)
    two.fit(X, y)
    two.predict(cells)
    assert searches == [(2000, 2000, 60), (2000, 500, k)]
    searches.clear()
    labels = two.fit(X, y, stage).predict(cells)
    hard = [queries for _, queries, _ in searches][-1]
    assert searches == [(first, 2000, 60), (first, 500, max(k, 60)), (2000 - first, hard, k)]
    asked = X, y, stage, stage == FROM_R, cells, two.hard(cells), k
    assert np.array_equal(labels, active.two_stage_labels(*asked))
    assert hard == two.hard(cells).sum() > 0


def test_wide_balls_are_searched_for_around_hard_points_alone(bought, searches):
    two = TwoStageKNeighborsClassifier(40, hard_neighbors=60, c_plus=2).fit(bought.X, bought.y)
    assert searches[0] == (2000, 2000, 60)
    assert searches[1][1] == len(two.augmented_)
    assert searches[1][2] > 60
