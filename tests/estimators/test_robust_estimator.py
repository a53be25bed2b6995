"""RobustKNeighborsClassifier: the printed algorithm, the rule it stands for, and scikit-learn's own checks."""

import re
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_implementations import sorted_neighbors, tables
from refusals import refuses
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.utils.estimator_checks import parametrize_with_checks

from knnviz import LabelNoise, NeighborTable, Robust, VoteProfile, checkerboard
from knnviz.estimators import RobustKNeighborsClassifier
from knnviz.neighbors import SpatialIndex
from knnviz.noise import Rates, estimate

HALF = Fraction(1, 2)


# An odd k that no threshold ties with: on a tie predict goes to class 1, where one check wants argmax(predict_proba).
@pytest.mark.filterwarnings("ignore:the smoothed labels are all equal")
@parametrize_with_checks(
    [
        RobustKNeighborsClassifier(3),
        RobustKNeighborsClassifier(3, noise_rates=(0.1, 0.3)),
        RobustKNeighborsClassifier(5, noise_neighbors=2, variant="gao"),
        RobustKNeighborsClassifier(3, metric="manhattan"),
        RobustKNeighborsClassifier(3, p=1.5, algorithm="brute", noise_rates=(0.2, 0.1), variant="gao"),
    ]
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def algorithm_1(ordered, own, labels, k, k_noise, variant):
    """RkNN as it is printed, on labels of training points in order of distance: rates, e of each query, predictions."""
    sums = [labels[j] + sum(labels[i] for i in row[:k_noise]) for j, row in enumerate(own)]
    p0, p1 = Fraction(int(min(sums)), k_noise + 1), 1 - Fraction(int(max(sums)), k_noise + 1)
    fractions = [Fraction(int(labels[row[:k]].sum()), k) for row in ordered]
    apart = p0 - p1 if p0 + p1 < 1 else Fraction(0)
    if variant == "threshold":
        return (p0, p1), fractions, [int(e >= (1 + apart) / 2) for e in fractions]
    moved = [int(e >= HALF) for e in fractions]
    for i, e in enumerate(fractions):
        if 0 < e - HALF < apart / 2:
            moved[i] = 0
        if apart / 2 < e - HALF < 0:
            moved[i] = 1
    return (p0, p1), fractions, moved


@st.composite
def fits(draw, least=2):
    """Training points with ties and duplicates, queries, labels of both classes, k and k'."""
    X, queries, k, rng = draw(tables(max_n=40))
    assume(len(X) >= least)
    labels = rng.integers(0, 2, len(X))
    labels[:2] = 0, 1
    return X, queries, labels, k, draw(st.integers(1, len(X) - 1))


@pytest.mark.filterwarnings("ignore:the smoothed labels are all equal")
@given(fits(), st.sampled_from(["threshold", "gao"]))
def test_it_is_the_printed_algorithm(case, variant):
    X, queries, labels, k, k_noise = case
    robust = RobustKNeighborsClassifier(k, noise_neighbors=k_noise, variant=variant).fit(X, labels)
    ordered = sorted_neighbors(X, queries, k)[0]
    own = sorted_neighbors(X, X, len(X), left_out=np.arange(len(X)))[0]
    rates, fractions, wanted = algorithm_1(ordered, own, labels, k, k_noise, variant)
    assert robust.noise_rates_ == tuple(map(float, rates))
    assert robust.predict(queries).tolist() == wanted
    if sum(rates) < 1:
        fractions = [min(max((e - rates[0]) / (1 - sum(rates)), 0), 1) for e in fractions]
    assert robust.predict_proba(queries)[:, 1].tolist() == list(map(float, fractions))


@given(fits(), st.sampled_from(["threshold", "gao"]))
def test_it_is_the_rule_on_a_table(case, variant):
    X, queries, labels, k, k_noise = case
    profile = VoteProfile.count(NeighborTable.build(X, queries, k), labels, 2)
    train = NeighborTable.build(X, None, k_noise + 1)
    for rule in (Robust((0.1, 0.3), variant=variant), Robust(k_noise=k_noise, variant=variant)):
        fitted = rule.fit(train, labels, k, 2)
        robust = RobustKNeighborsClassifier(
            k, noise_neighbors=rule.k_noise, noise_rates=fitted.noise_rates, variant=variant
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            robust.fit(X, labels)
        assert np.array_equal(robust.predict(queries), fitted.predict(profile, k))
        assert robust.threshold_ == float(fitted.threshold)


@pytest.fixture(scope="module")
def noisy():
    """Six hundred points whose labels flipped at different rates, and where to ask."""
    sample = checkerboard().sample(600, 0)
    return sample.X, LabelNoise(p0=0.1, p1=0.4).flip(sample.y, sample.v), checkerboard().grid(25).points


@pytest.mark.parametrize("k", [1, 3, 25, 99])
def test_without_noise_it_is_the_plain_vote(noisy, k):
    X, observed, queries = noisy
    peer = KNeighborsClassifier(k).fit(X, observed)
    robust = RobustKNeighborsClassifier(k, noise_rates=(0, 0)).fit(X, observed)
    assert np.array_equal(robust.predict(queries), peer.predict(queries))
    assert np.allclose(robust.predict_proba(queries), peer.predict_proba(queries), rtol=0, atol=1e-15)
    assert robust.score(queries, peer.predict(queries)) == 1


@given(fits())
def test_classes_that_change_names_change_places(case):
    X, queries, labels, k, k_noise = case
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robust, named = (
            RobustKNeighborsClassifier(k, noise_neighbors=k_noise).fit(X, y)
            for y in (labels, np.array(["late", "early"])[labels])
        )
    assert named.classes_.tolist() == ["early", "late"]
    assert np.allclose(named.noise_rates_, robust.noise_rates_[::-1], rtol=0, atol=1e-15)
    even = robust.predict_proba(queries)[:, 1] == 0.5
    assert np.array_equal(named.predict_proba(queries)[:, 1] == 0.5, even)
    ours, theirs = robust.predict(queries), named.predict(queries)
    assert np.array_equal(theirs[~even], np.array(["late", "early"])[ours[~even]])
    assert (theirs[even] == "late").all()
    assert (ours[even] == 1).all()


@given(st.integers(0, 19), st.integers(0, 19), st.integers(1, 40))
def test_the_corrected_fraction_reaches_one_half_where_the_votes_reach_the_threshold(noisy, a, b, k):
    assume(a + b < 20)
    X, observed, queries = noisy
    robust = RobustKNeighborsClassifier(k, noise_rates=(a / 20, b / 20)).fit(X, observed)
    fractions = robust.predict_proba(queries)
    assert np.array_equal(fractions[:, 1] >= 0.5, robust.predict(queries) == 1)
    assert ((fractions >= 0) & (fractions <= 1)).all()
    assert np.array_equal(fractions[:, 0], 1 - fractions[:, 1])


def test_a_tie_goes_to_class_1_whatever_the_larger_probability():
    X = np.arange(1.0, 6)[:, None]
    robust = RobustKNeighborsClassifier(5, noise_rates=(0.1, 0.3)).fit(X, ["no", "yes", "no", "yes", "no"])
    assert robust.predict_proba([[0.0]]).tolist() == [[0.5, 0.5]]
    assert robust.predict([[0.0]]).tolist() == ["yes"]
    assert robust.set_params(variant="gao").fit(X, [0, 1, 0, 1, 0]).predict([[0.0]]).tolist() == [0]


@pytest.mark.parametrize(("labels", "rates"), [([0, 1, 0, 1], (0.5, 0.5)), ([1, 1, 1, 0], (0.75, 0.25))])
@pytest.mark.parametrize("variant", ["threshold", "gao"])
def test_smoothed_labels_that_are_all_equal_leave_the_plain_vote(labels, rates, variant):
    X = np.arange(4.0)[:, None]
    robust = RobustKNeighborsClassifier(1, noise_neighbors=3, variant=variant)
    with pytest.warns(UserWarning, match="^the smoothed labels are all equal and tell nothing of the noise") as caught:
        robust.fit(X, labels)
    assert caught[0].filename == __file__
    assert robust.noise_rates_ == rates
    assert robust.threshold_ == 0.5
    assert robust.predict(X).tolist() == labels
    assert robust.predict_proba(X)[:, 1].tolist() == labels


def test_rates_from_elsewhere_are_taken_as_they_are(noisy):
    X, observed, queries = noisy
    rates = estimate(NeighborTable.build(X, None, 31), observed, 30)
    given_rates = clone(RobustKNeighborsClassifier(12, noise_rates=rates)).fit(X, observed)
    own = RobustKNeighborsClassifier(12, noise_neighbors=30).fit(X, observed)
    assert isinstance(given_rates.noise_rates, Rates)
    assert given_rates.noise_rates_ == own.noise_rates_
    assert np.array_equal(given_rates.predict(queries), own.predict(queries))
    listed = RobustKNeighborsClassifier(12, noise_rates=np.array([0.1, 0.4])).fit(X, observed)
    assert listed.noise_rates_ == (0.1, 0.4)


@given(tables(), st.booleans())
def test_neighbors_are_sorted_by_distance_and_index(table, among):
    X, queries, k, _ = table
    assume(len(X) > 1)
    k = min(k, len(X) - 1)
    robust = RobustKNeighborsClassifier(1, noise_rates=(0, 0)).fit(X, np.arange(len(X)) % 2)
    distances, indices = robust.kneighbors(None if among else queries, k)
    wanted = sorted_neighbors(X, X if among else queries, k, left_out=np.arange(len(X)) if among else None)
    assert np.array_equal(indices, wanted[0])
    assert indices.dtype == np.intp
    assert np.array_equal(distances, np.sqrt(wanted[1]))
    assert np.array_equal(robust.kneighbors(None if among else queries, k, return_distance=False), indices)


@pytest.mark.parametrize("algorithm", ["ball_tree", "brute", "kd_tree"])
def test_euclidean_neighbors_do_not_depend_on_the_algorithm(noisy, algorithm):
    X, observed, queries = np.round(noisy[0], 1), noisy[1], np.round(noisy[2], 1)
    exact = RobustKNeighborsClassifier(9, metric="euclidean").fit(X, observed)
    other = RobustKNeighborsClassifier(9, algorithm=algorithm).fit(X, observed)
    assert np.array_equal(other.kneighbors(queries)[1], exact.kneighbors(queries)[1])


def test_parameters_are_read_at_fit_and_k_again_at_predict(noisy):
    X, observed, queries = noisy
    robust = RobustKNeighborsClassifier(0, noise_neighbors=-1, noise_rates="none", variant=3, p=0)
    robust.set_params(n_neighbors=9, noise_neighbors=20, noise_rates=None, variant="threshold", p=2)
    robust.fit(X, observed)
    fresh = RobustKNeighborsClassifier(15, noise_neighbors=20).fit(X, observed)
    assert np.array_equal(robust.set_params(n_neighbors=15).predict(queries), fresh.predict(queries))


def test_numbers_of_numpy_count_like_those_of_python(noisy):
    X, observed, queries = noisy
    rates = 0.123456789011, 0.312345678907
    ours, theirs = (
        RobustKNeighborsClassifier(k, noise_rates=given).fit(X, observed).predict_proba(queries)
        for k, given in ((19, rates), (np.int64(19), np.array(rates)))
    )
    assert np.array_equal(ours, theirs)
    assert len(np.unique(ours)) > 9


def test_more_neighbors_than_points():
    X, y = np.arange(10.0)[:, None], [0, 1] * 5
    message = "^n_neighbors must not exceed the number of points, got 25 with n = 10$"
    for options in ({"noise_rates": (0.1, 0.2)}, {"noise_neighbors": 2}):
        robust = RobustKNeighborsClassifier(**options).fit(X, y)
        refuses(message, robust.predict, X)
        refuses(message, robust.predict_proba, X)
        assert robust.kneighbors(X, 10)[1].shape == (10, 10)
    refuses(r"n_neighbors must not exceed the number of other points, got 10 with", robust.kneighbors, None, 10)
    refuses(message, RobustKNeighborsClassifier().fit, X, y)
    refuses(r"^n_neighbors must be a whole number, got 2\.5$", robust.set_params(n_neighbors=2.5).predict, X)
    with pytest.raises(ValueError, match=r"^noise_neighbors must be below the number of points, got 10 with n = 10$"):
        RobustKNeighborsClassifier(3, noise_neighbors=10).fit(X, y)
    refuses("1 sample", RobustKNeighborsClassifier(1).fit, X[:1], y[:1])
    assert RobustKNeighborsClassifier(1, noise_rates=(0, 0.5)).fit(X[:1], y[:1]).predict(X).tolist() == [0] * 10


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors must be at least 1, got 0"),
        ({"n_neighbors": 2.5}, "n_neighbors must be a whole number, got 2.5"),
        ({"noise_neighbors": 0}, "noise_neighbors must be at least 1, got 0"),
        ({"noise_neighbors": "5"}, "noise_neighbors must be a whole number, got '5'"),
        ({"noise_rates": 0.2}, "noise_rates must be a pair (p0, p1), got 0.2"),
        ({"noise_rates": (0.1, 0.2, 0.3)}, "noise_rates must be a pair (p0, p1), got (0.1, 0.2, 0.3)"),
        ({"noise_rates": (0.7, 0.4)}, "flip rates must satisfy p0 + p1 < 1, got 0.70 + 0.40"),
        ({"noise_rates": (-0.1, 0.4)}, "flip rate p0 must be between 0 and 1, got -0.1"),
        ({"variant": "printed"}, "variant must be 'threshold' or 'gao', got 'printed'"),
        ({"algorithm": "tree"}, "algorithm must be one of 'auto', 'ball_tree', 'brute', 'kd_tree', got 'tree'"),
        ({"metric": "citty"}, "metric must be a function or a distance of two points in scikit-learn, got 'citty'"),
        ({"p": 0.5}, "p must be between 1 and inf, got 0.5"),
        ({"n_jobs": 0}, "n_jobs must be None or a whole number other than 0, got 0"),
    ],
)
def test_bad_parameters_are_refused_at_fit(options, message):
    robust = RobustKNeighborsClassifier(**{"n_neighbors": 2} | options)
    refuses(f"^{re.escape(message)}$", robust.fit, np.arange(6.0)[:, None], [0, 1] * 3)


def test_it_can_be_calibrated(noisy):
    X, observed, queries = noisy
    calibrated = CalibratedClassifierCV(RobustKNeighborsClassifier(15), cv=3).fit(X, observed).predict_proba(queries)
    assert np.allclose(calibrated.sum(axis=1), 1)


@pytest.mark.parametrize("metric", ["minkowski", "manhattan"])
def test_neighbors_are_those_of_scikit_learn_where_nothing_ties(noisy, metric):
    X, observed, queries = noisy
    robust = RobustKNeighborsClassifier(7, metric=metric).fit(X, observed)
    peer = NearestNeighbors(n_neighbors=7, metric=metric).fit(X)
    for asked in ((), (queries[:40] + 0.001,), (None, 3)):
        ours, theirs = robust.kneighbors(*asked), peer.kneighbors(*asked)
        assert np.allclose(ours[0], theirs[0], rtol=1e-12)
        assert np.array_equal(ours[1], theirs[1])


@pytest.mark.parametrize(("noise_neighbors", "k"), [(None, 25), (40, 41)])
def test_neighbors_are_searched_for_once(monkeypatch, noise_neighbors, k):
    searches, search = [], SpatialIndex.search

    def counted(known, queries, own, k, **options):
        searches.append((len(queries), k))
        return search(known, queries, own, k, **options)

    monkeypatch.setattr(SpatialIndex, "search", counted)
    sample = checkerboard().sample(300, 0)
    robust = RobustKNeighborsClassifier(25, noise_neighbors=noise_neighbors).fit(sample.X, sample.y)
    robust.predict(sample.X[:50])
    assert searches == [(300, k), (50, 25)]
