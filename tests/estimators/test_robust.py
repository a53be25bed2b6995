"""Thresholds set by flip rates: the rule and its probabilities, plug-ins, and exact ties."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_implementations import tables
from refusals import refuses
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import StackingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, ShuffleSplit, check_cv
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from knnviz import NeighborTable, Robust, VoteProfile
from knnviz.estimators import NoiseRobustPlugIn, RobustKNeighborsClassifier
from knnviz.noise import estimate

SILENT = pytest.mark.filterwarnings(
    "ignore:the smoothed labels are all equal", "ignore:the probabilities are all"
)


#: Rates that are known, in twentieths.
twentieths = st.tuples(st.integers(0, 19), st.integers(0, 19)).filter(lambda both: sum(both) < 20)


@st.composite
def fits(draw):
    """Training points with ties and duplicates, queries, labels of both classes, k and k'."""
    X, queries, k, rng = draw(tables(max_n=40))
    assume(len(X) >= 2)
    labels = rng.integers(0, 2, len(X))
    labels[:2] = 0, 1
    k_noise = draw(st.integers(1, len(X) - 1))
    return X, queries, labels, k, k_noise


@SILENT
@settings(max_examples=60)
@given(fits(), st.sampled_from(["threshold", "gao"]), st.none() | twentieths)
def test_robust_knn_is_its_rule_and_undoes_the_flips_exactly(case, variant, known):
    """k is read anew, and rates that were estimated elsewhere are taken as they are."""
    X, queries, labels, k, k_noise = case
    train = NeighborTable.build(X, None, k_noise + 1)
    votes = VoteProfile.build(NeighborTable.build(X, queries, k), labels, 2)
    estimated = estimate(train, labels, k_noise)
    told = known and (known[0] / 20, known[1] / 20)
    rule = Robust(told, k_noise=k_noise, variant=variant)
    expected = rule.fit(train, labels, k, 2).predict(votes, k).tolist()

    options = {"noise_neighbors": k_noise, "noise_rates": told, "variant": variant}
    robust = RobustKNeighborsClassifier(1, **options).fit(X, labels).set_params(n_neighbors=k)
    assert robust.noise_rates_ == tuple(map(float, told or estimated))
    assert robust.predict(queries).tolist() == expected
    if known is None and sum(estimated) < 1:
        elsewhere = RobustKNeighborsClassifier(k, noise_rates=estimated, variant=variant)
        assert clone(elsewhere).fit(X, labels).predict(queries).tolist() == expected

    rates = estimated
    if known:
        rates = Fraction(known[0], 20), Fraction(known[1], 20)
    contrast = 1 - sum(rates)
    etas = []
    for ones in votes.at(k)[:, 1].tolist():
        eta = Fraction(ones, k)
        if contrast > 0:
            eta = min(max((eta - rates[0]) / contrast, 0), 1)
        etas.append(float(eta))
    found = robust.predict_proba(queries)
    assert found[:, 1].tolist() == etas
    assert np.array_equal(found[:, 0], 1 - found[:, 1])


@pytest.mark.parametrize(
    ("labels", "rates"), [([0, 1, 0, 1], (0.5, 0.5)), ([1, 1, 1, 0], (0.75, 0.25))]
)
@pytest.mark.parametrize("variant", ["threshold", "gao"])
def test_smoothed_labels_that_are_all_equal_leave_the_plain_vote(labels, rates, variant):
    X = np.arange(4.0)[:, None]
    robust = RobustKNeighborsClassifier(1, noise_neighbors=3, variant=variant)
    with pytest.warns(UserWarning, match="^the smoothed labels are all equal") as caught:
        robust.fit(X, labels)
    assert caught[0].filename == __file__
    assert robust.noise_rates_ == rates
    assert robust.threshold_ == 0.5
    assert robust.predict(X).tolist() == labels
    assert robust.predict_proba(X)[:, 1].tolist() == labels


def test_one_point_is_enough_for_known_rates():
    refuses("1 sample", RobustKNeighborsClassifier(1).fit, [[0.0]], [1])
    robust = RobustKNeighborsClassifier(1, noise_rates=(0, 0.5)).fit([[0.0]], [1])
    assert robust.predict([[3.0]]).tolist() == [1]


class FromColumn(ClassifierMixin, BaseEstimator):
    """A classifier that takes the first column of X for the probability of class 1."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        e = np.asarray(X, float)[:, 0]
        return np.stack([1 - e, e], axis=1)


def fitted_on(*fractions):
    """What was fitted to points whose probabilities these are."""
    X = np.array(fractions)[:, None]
    return NoiseRobustPlugIn(FromColumn()).fit(X, np.arange(len(X)) % 2)


def test_a_plug_in_by_hand():
    wrapped = fitted_on(0.125, 0.5, 0.625)
    assert wrapped.noise_rates_ == (0.125, 0.375)
    assert wrapped.threshold_ == 0.375
    X = np.array([[0.0], [0.125], [0.25], [0.374], [0.375], [0.5], [0.625], [1.0]])
    corrected = [0, 0, 0.25, pytest.approx(0.498), 0.5, 0.75, 1, 1]
    assert wrapped.predict_proba(X)[:, 1].tolist() == corrected
    assert wrapped.predict(X).tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


@given(st.integers(1, 400), st.data())
def test_fractions_of_votes_are_compared_as_whole_numbers(k, data):
    two_numbers = st.lists(st.integers(0, k), min_size=2, max_size=2, unique=True)
    fewest, most = sorted(data.draw(two_numbers))
    wrapped = fitted_on(fewest / k, most / k)
    votes = np.arange(k + 1)
    X = votes[:, None] / k
    assert np.array_equal(wrapped.predict(X), 2 * votes >= fewest + most)
    even = wrapped.predict_proba(X)[:, 1] == 0.5
    assert np.array_equal(even, 2 * votes == fewest + most)


@settings(max_examples=40)
@given(st.integers(-1000, -45), st.lists(st.floats(0, 1), min_size=3, max_size=8))
def test_probabilities_of_any_size_are_told_apart(power, fractions):
    assume(max(fractions) - min(fractions) > 1e-9)
    scale = 2.0**power
    tiny = fitted_on(*(fraction * scale for fraction in fractions))
    wrapped = fitted_on(*fractions)
    X = np.array(fractions)[:, None]
    assert np.array_equal(tiny.predict(X * scale), wrapped.predict(X))


@pytest.mark.parametrize("fractions", [(0.3, 0.1 + 0.2), (0.0, 0.0), (1.0, 1.0)])
def test_probabilities_that_are_equal_up_to_rounding_leave_the_plain_classifier(fractions):
    with pytest.warns(UserWarning, match="^the probabilities are all equal") as caught:
        wrapped = fitted_on(*fractions)
    assert caught[0].filename == __file__
    assert wrapped.noise_rates_ == (min(fractions), 1 - max(fractions))
    assert wrapped.threshold_ == 0.5
    X = [[0.3], [0.5], [0.7]]
    assert wrapped.predict(X).tolist() == [0, 1, 1]
    assert wrapped.predict_proba(X)[:, 1].tolist() == [0.3, 0.5, 0.7]


def distinct(seed, n, m=1):
    """Points and queries without ties, and labels of both classes that flipped."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    queries = rng.random((m, 2))
    true = X.sum(axis=1) > 1
    flipped = rng.random(n) < 0.3
    y = (true ^ flipped).astype(int)
    y[:2] = 0, 1
    return X, y, queries


@SILENT
@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1), st.integers(2, 70), st.integers(2, 70))
def test_with_nearest_neighbors_it_is_algorithm_2(seed, n, k):
    X, y, queries = distinct(seed, max(n, k), 40)
    wrapped = NoiseRobustPlugIn(KNeighborsClassifier(k)).fit(X, y)
    robust = RobustKNeighborsClassifier(k, noise_neighbors=k - 1).fit(X, y)
    assert np.array_equal(wrapped.predict(queries), robust.predict(queries))
    assert wrapped.noise_rates_ == pytest.approx(robust.noise_rates_, rel=0, abs=1e-15)
    found = wrapped.predict_proba(queries)
    assert np.allclose(found, robust.predict_proba(queries), rtol=0, atol=1e-13)


@pytest.mark.parametrize("cv", [3, ShuffleSplit(3, test_size=0.2, random_state=0)])
def test_with_folds_the_extremes_are_those_at_held_out_points(cv):
    X, y, queries = distinct(0, 90, 50)
    model = LogisticRegression()
    out = []
    for rows, held in check_cv(cv, y, classifier=True).split(X, y):
        fitted = clone(model).fit(X[rows], y[rows])
        out += fitted.predict_proba(X[held])[:, 1].tolist()
    wrapped = NoiseRobustPlugIn(model, cv=cv).fit(X, y)
    assert wrapped.noise_rates_ == (min(out), 1 - max(out))

    found = wrapped.estimator_.predict_proba(queries)
    wanted = clone(model).fit(X, y).predict_proba(queries)
    assert np.array_equal(found, wanted)


def test_a_stack_has_probabilities_only_after_its_fit():
    named = [("near", KNeighborsClassifier(9)), ("line", LogisticRegression())]
    X, y, _ = distinct(6, 60)
    wrapped = NoiseRobustPlugIn(StackingClassifier(named, cv=2)).fit(X, y)
    assert 0 < sum(wrapped.noise_rates_) < 1


@pytest.mark.parametrize(
    ("model", "options", "y", "value"),
    [
        (LinearSVC(), {}, [0, 1] * 3, "LinearSVC"),
        (FrozenEstimator(FromColumn().fit(0, range(3))), {}, [0, 1] * 3, "multiclass"),
        (KNeighborsClassifier(2), {"cv": KFold(2)}, [0, 0, 0, 1, 1, 1], "both classes"),
        (KNeighborsClassifier(2), {"cv": 1}, [0, 1] * 3, "'cv'.* 1 "),
    ],
)
def test_what_a_plug_in_refuses(model, options, y, value):
    X = np.arange(len(y))[:, None] / 9
    refuses(value, NoiseRobustPlugIn(model, **options).fit, X, y)
