"""ClassWeightedKNeighborsClassifier: the rules it stands for, and scikit-learn's own checks."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_implementations import closed_balls, tables, weighted_vote
from refusals import refuses
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.estimator_checks import parametrize_with_checks

from knnviz import NeighborTable, Threshold, VoteProfile, Weighted
from knnviz.estimators import ClassWeightedKNeighborsClassifier
from knnviz.problems import gaussians

Q = (0.5, 0.3, 0.2)
NAMES = np.array(["ash", "birch", "cedar", "elm", "fir"])


# Five neighbors: one check gives a class all the weight and wants it nearly everywhere, another has but six points.
# And no ties: of two classes that tie predict takes class 1, where one check wants argmax(predict_proba).
@parametrize_with_checks(
    [
        ClassWeightedKNeighborsClassifier(5),
        ClassWeightedKNeighborsClassifier(5, mode="closed_ball", class_weight="balanced"),
        ClassWeightedKNeighborsClassifier(5, p=1.5, algorithm="brute", class_weight="balanced", tie_tol=0),
    ]
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


@st.composite
def fits(draw, n_classes):
    """Training points with ties and duplicates, queries, class codes that all occur, and k."""
    X, queries, k, rng = draw(tables(max_n=40))
    assume(len(X) >= n_classes)
    codes = rng.integers(0, n_classes, len(X))
    codes[:n_classes] = np.arange(n_classes)
    return X, queries, codes, k


def counted(case, mode):
    """Votes (m, C) by brute force."""
    X, queries, codes, k = case
    if mode == "closed_ball":
        return closed_balls(X, queries, codes, k, codes.max() + 1)
    return VoteProfile.count(NeighborTable.build(X, queries, k), codes, codes.max() + 1).at(k).astype(int)


modes = st.sampled_from(["index", "closed_ball"])
whole = st.lists(st.integers(0, 50), min_size=3, max_size=5).filter(any)


@given(st.data(), whole, modes, st.sampled_from([1, 7, 1e-20, 1e300]), st.sampled_from([1e-12, 0.01, 1.0]))
def test_three_classes_and_more_are_the_weighted_rule(data, q, mode, divisor, tie_tol):
    case = data.draw(fits(len(q)))
    X, queries, codes, k = case
    weights = np.array(q) / divisor
    knn = ClassWeightedKNeighborsClassifier(k, class_weight=weights, mode=mode, tie_tol=tie_tol)
    predicted = knn.fit(X, NAMES[codes]).predict(queries)
    profile = VoteProfile.count(NeighborTable.build(X, queries, k), codes, len(q))
    assert predicted.tolist() == NAMES[Weighted(q, mode, tie_tol).predict(profile, k)].tolist()
    expected = [weighted_vote([row], q, int(row.sum()), tie_tol)[0] for row in counted(case, mode)]
    assert predicted.tolist() == NAMES[expected].tolist()


@given(fits(2), st.lists(st.integers(0, 20), min_size=2, max_size=2).filter(any), modes, st.sampled_from([1, 7, 1e-20]))
def test_two_classes_are_a_threshold(case, q, mode, divisor):
    """Class 1 on a tie, in whole numbers of however many votes."""
    X, queries, codes, k = case
    knn = ClassWeightedKNeighborsClassifier(k, class_weight=np.array(q) / divisor, mode=mode).fit(X, NAMES[codes])
    zeros, ones = counted(case, mode).T
    predicted = knn.predict(queries)
    assert predicted.tolist() == NAMES[(q[1] * ones >= q[0] * zeros).astype(int)].tolist()
    if mode == "index":
        rule, profile = Threshold.from_weights(q), VoteProfile.count(NeighborTable.build(X, queries, k), codes, 2)
        assert predicted.tolist() == NAMES[rule.predict(profile, k)].tolist()


@given(st.data(), st.lists(st.integers(0, 50), min_size=2, max_size=5).filter(any), modes)
def test_probabilities_are_weighted_fractions_and_agree_with_predict_where_nothing_ties(data, q, mode):
    case = data.draw(fits(len(q)))
    X, queries, codes, k = case
    knn = ClassWeightedKNeighborsClassifier(k, class_weight=np.array(q) * 1e-3, mode=mode).fit(X, NAMES[codes])
    scores, fractions = counted(case, mode) * q, knn.predict_proba(queries)
    total = scores.sum(axis=1, keepdims=True)
    assert fractions == pytest.approx(np.where(total > 0, scores / np.maximum(total, 1), 1 / len(q)))
    assert fractions.sum(axis=1) == pytest.approx(np.ones(len(queries)))
    alone = (scores == scores.max(axis=1, keepdims=True)).sum(axis=1) == 1
    assert (knn.predict(queries) == knn.classes_[fractions.argmax(axis=1)])[alone].all()


def test_a_tie_of_two_goes_to_class_1_whatever_the_larger_probability():
    """Weights (2, 1) tie at two votes of three; a third of a weight is no decimal."""
    X, y = np.arange(1.0, 4)[:, None], ["no", "yes", "yes"]
    for weights in ((2, 1), (2 / 3, 1 / 3), {"no": 2}, "balanced"):
        knn = ClassWeightedKNeighborsClassifier(3, class_weight=weights).fit(X, y)
        assert knn.predict_proba([[0.0]]) == pytest.approx(np.array([[0.5, 0.5]]))
        assert knn.predict([[0.0]]).tolist() == ["yes"]
    assert knn.set_params(class_weight={"no": 2.0001}).fit(X, y).predict([[0.0]]).tolist() == ["no"]
    ball = ClassWeightedKNeighborsClassifier(2, class_weight=(2, 1), mode="closed_ball").fit([[1], [-1], [1]], y)
    assert ball.predict([[0.0]]).tolist() == ["yes"]
    assert ball.set_params(mode="index").fit([[1], [-1], [1]], y).predict([[0.0]]).tolist() == ["no"]


@pytest.mark.parametrize(("names", "taken"), [(NAMES[:2], "birch"), (NAMES[:3], "ash")])
def test_where_only_classes_without_weight_vote(names, taken):
    """All scores tie at 0: class 1 of two, else the smallest."""
    X, weights = np.arange(len(names))[:, None], np.arange(len(names)) == len(names) - 1
    knn = ClassWeightedKNeighborsClassifier(1, class_weight=weights.astype(float)).fit(X, names)
    assert knn.predict_proba([[0]]) == pytest.approx(np.full((1, len(names)), 1 / len(names)))
    assert knn.predict([[0]]).tolist() == [taken]
    assert knn.predict_proba(X[-1:]).tolist() == [weights.tolist()]


@pytest.fixture(scope="module")
def rare():
    """Three classes of which one is rare, by name, and where to ask."""
    problem = gaussians(3, prior=(0.6, 0.3, 0.1), dimension=2)
    sample = problem.sample(600, 0)
    return sample.X, NAMES[:3][sample.y], problem.grid(25).points


@pytest.mark.parametrize("k", [1, 4, 25, 100])
def test_equal_weights_are_the_plain_vote(rare, k):
    X, y, queries = rare
    peer = KNeighborsClassifier(k).fit(X, y)
    for weights in (None, (0.2, 0.2, 0.2), {}):
        knn = ClassWeightedKNeighborsClassifier(k, class_weight=weights).fit(X, y)
        assert np.array_equal(knn.predict(queries), peer.predict(queries))
        assert np.allclose(knn.predict_proba(queries), peer.predict_proba(queries), rtol=0, atol=1e-15)


def test_balanced_weights_are_those_of_scikit_learn(rare):
    X, y, queries = rare
    knn = ClassWeightedKNeighborsClassifier(25, class_weight="balanced").fit(X, y)
    wanted = compute_class_weight("balanced", classes=knn.classes_, y=y)
    assert np.array_equal(knn.class_weight_, wanted)
    weighed = KNeighborsClassifier(25).fit(X, y).predict_proba(queries) * wanted
    assert knn.predict_proba(queries) == pytest.approx(weighed / weighed.sum(axis=1, keepdims=True))
    balanced, plain = (
        each.fit(X, y).predict(queries) == "cedar" for each in (knn, ClassWeightedKNeighborsClassifier(25))
    )
    assert balanced[plain].all(), "the rare class weighs most, so it only ever gains"
    assert balanced.sum() > plain.sum() > 0


def test_weights_by_label_and_by_position(rare):
    X, y, queries = rare
    wanted = ClassWeightedKNeighborsClassifier(12, class_weight=(1, 2, 5)).fit(X, y).predict(queries)
    for weights in (
        {"cedar": 5, "birch": 2},
        {"birch": 2.0, "ash": 1, "cedar": np.float64(5)},
        pd.Series({"cedar": 5, "ash": 1, "birch": 2}),
        np.array([1, 2, 5]),
        [10, 20, 50],
    ):
        knn = ClassWeightedKNeighborsClassifier(12, class_weight=weights).fit(X, y)
        assert np.array_equal(knn.predict(queries), wanted)
    assert knn.class_weight_.tolist() == [10, 20, 50]
    codes = np.unique(y, return_inverse=True)[1]
    for labels, key in ((codes, 2), (codes, np.int64(2)), (codes.astype(float), 2), (codes == 2, True)):
        assert ClassWeightedKNeighborsClassifier(3, class_weight={key: 4}).fit(X, labels).class_weight_[-1] == 4


@pytest.mark.parametrize("mode", ["index", "closed_ball"])
def test_another_metric_with_ties(mode):
    rng = np.random.default_rng(0)
    X, queries = rng.integers(0, 4, (60, 2)).astype(float), rng.integers(0, 4, (9, 2)).astype(float)
    y, q, k = rng.integers(0, 3, 60), (2, 3, 5), 8
    distances = abs(X[None] - queries[:, None]).sum(axis=2)
    reached = np.sort(distances, axis=1)[:, k - 1 : k]
    order = np.argsort(distances, axis=1, kind="stable")
    within = [
        row[:k] if mode == "index" else np.flatnonzero(d <= r)
        for row, d, r in zip(order, distances, reached, strict=True)
    ]
    wanted = [(np.bincount(y[points], minlength=3) * q).argmax() for points in within]
    knn = ClassWeightedKNeighborsClassifier(k, class_weight=q, mode=mode, metric="manhattan")
    assert knn.fit(X, y).predict(queries).tolist() == wanted


def test_parameters_are_read_at_fit_and_k_again_at_predict(rare):
    X, y, queries = rare
    knn = ClassWeightedKNeighborsClassifier(0, class_weight="heavy", mode=3, tie_tol=-1, p=0)
    knn.set_params(n_neighbors=9, class_weight=Q, mode="index", tie_tol=0, p=2).fit(X, y)
    fresh = ClassWeightedKNeighborsClassifier(15, class_weight=Q, tie_tol=0).fit(X, y)
    knn.set_params(n_neighbors=15, class_weight=None, mode="closed_ball", tie_tol=1)
    assert np.array_equal(knn.predict(queries), fresh.predict(queries))
    assert np.array_equal(knn.predict_proba(queries), fresh.predict_proba(queries))


def test_a_new_fit_forgets_the_last_one(rare):
    X, y, queries = rare
    knn, two = ClassWeightedKNeighborsClassifier(5, class_weight="balanced").fit(X, y), y != "cedar"
    again = knn.fit(X[two], y[two])
    assert again.classes_.tolist() == ["ash", "birch"]
    assert again.class_weight_.shape == (2,)
    assert set(again.predict(queries)) == {"ash", "birch"}


def test_more_neighbors_than_points():
    X, y = np.arange(10.0)[:, None], [0, 1, 2, 1, 0] * 2
    knn = ClassWeightedKNeighborsClassifier().fit(X, y)
    for asked in (knn.predict, knn.predict_proba):
        refuses(r"^n_neighbors must not exceed the number of points, got 25 with n = 10$", asked, X)
    refuses(r"^n_neighbors must be a whole number, got 2\.5$", knn.set_params(n_neighbors=2.5).predict, X)
    assert knn.set_params(n_neighbors=10).predict(X).tolist() == [0] * 10


ROW = "class_weight must hold 3 weights that are finite, not negative and not all 0, got "
KINDS = "class_weight must be None, 'balanced', weights by label or a row of them, got "


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors must be at least 1, got 0"),
        ({"class_weight": "heavy"}, f"{KINDS}'heavy'"),
        ({"class_weight": {"d": 1}}, "class_weight has a weight for 'd', but the training labels are 'a', 'b', 'c'"),
        ({"class_weight": {"a": -1}}, f"{ROW}[-1, 1.0, 1.0]"),
        ({"class_weight": {"a": "much"}}, "class_weight must hold real numbers in rows of equal length"),
        ({"class_weight": {"a": 0, "b": 0, "c": 0}}, f"{ROW}[0, 0, 0]"),
        ({"class_weight": (1, 2)}, f"{ROW}(1, 2)"),
        ({"class_weight": [1, np.inf, 1]}, f"{ROW}[1, inf, 1]"),
        ({"class_weight": [1, np.nan, 1]}, f"{ROW}[1, nan, 1]"),
        ({"class_weight": 2}, f"{ROW}2"),
        (
            {"class_weight": {"a": 1, "b": 2, "d": 1}},
            "class_weight has a weight for 'd', but the training labels are 'a', 'b', 'c'",
        ),
        (
            {"class_weight": pd.Series([1, 2, 3, 4], index=list("abca"))},
            "class_weight must name each label once, got ['a', 'b', 'c', 'a']",
        ),
        ({"mode": "ball"}, "mode must be 'index' or 'closed_ball', got 'ball'"),
        ({"tie_tol": -1}, "tie_tol must be between 0 and 1, got -1"),
        ({"metric": "citty"}, "metric must be a function or a distance of two points in scikit-learn, got 'citty'"),
    ],
)
def test_bad_parameters_are_refused_at_fit(options, message):
    knn = ClassWeightedKNeighborsClassifier(**{"n_neighbors": 2} | options)
    refuses(f"^{re.escape(message)}$", knn.fit, np.arange(6.0)[:, None], list("abcabc"))


def test_folds_that_lack_a_class_know_its_weight():
    """As in scikit-learn: where every training label has a weight, one more is no mistake."""
    X, y = np.arange(12.0)[:, None], np.array(["a"] * 6 + ["b"] * 5 + ["rare"])
    knn = ClassWeightedKNeighborsClassifier(2, class_weight={"a": 1, "b": 2, "rare": 9})
    peer = LogisticRegression(class_weight={"a": 1, "b": 2, "rare": 9})
    for model in (knn, peer):
        assert len(cross_val_score(model, X, y, cv=LeaveOneOut(), error_score="raise")) == 12
    assert knn.fit(X[:11], y[:11]).class_weight_.tolist() == [1, 2]
    for model, named in ((knn, "rare"), (peer, "b")):
        refuses(f"'{named}'", clone(model).set_params(class_weight={"a": 1, "rare": 9}).fit, X[:11], y[:11])


def test_a_refusal_lists_ten_labels():
    with pytest.raises(ValueError, match=r"a weight for 99, but the training labels are 0, 1, .*, 9, \.\.\.$"):
        ClassWeightedKNeighborsClassifier(1, class_weight={99: 1}).fit(np.eye(11), np.arange(11))


def test_weights_are_searched_for_by_any_score(rare):
    X, y, queries = rare
    grid = {"class_weight": [None, "balanced", Q]}
    search = GridSearchCV(ClassWeightedKNeighborsClassifier(25), grid, cv=4, scoring="balanced_accuracy").fit(X, y)
    equal, balanced, wrong = search.cv_results_["mean_test_score"]
    assert balanced > equal > wrong
    for scoring in ("accuracy", "f1_macro", "neg_log_loss", "neg_brier_score", "roc_auc_ovr"):
        assert np.isfinite(get_scorer(scoring)(search.best_estimator_, X, y))
    calibrated = CalibratedClassifierCV(ClassWeightedKNeighborsClassifier(25), cv=3).fit(X, y).predict_proba(queries)
    assert np.allclose(calibrated.sum(axis=1), 1)
