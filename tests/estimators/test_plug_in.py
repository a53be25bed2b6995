"""NoiseRobustPlugIn: Algorithm 2 inside it, cases by hand, scikit-learn's checks, repairs, the test of its rates."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_implementations import reference
from refusals import refuses
from scipy.sparse import csr_array
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier, StackingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import SplineTransformer, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from knnviz import LabelNoise, NeighborTable, Robust, VoteProfile, checkerboard, risk
from knnviz.estimators import NoiseRobustPlugIn, RobustKNeighborsClassifier
from knnviz.estimators.calibration import SlopeTest, slope_sums
from knnviz.problems import plateau, ramp

SILENT = "^the probabilities are all equal and tell nothing of the noise: this is the plain classifier$"


# An odd k, as for the robust vote: on a tie predict goes to class 1, where one check wants argmax(predict_proba).
@pytest.mark.filterwarnings("ignore:the probabilities are all equal")
@parametrize_with_checks(
    [
        NoiseRobustPlugIn(LogisticRegression()),
        NoiseRobustPlugIn(KNeighborsClassifier(3), cv=KFold(3, shuffle=True, random_state=0)),
        NoiseRobustPlugIn(make_pipeline(StandardScaler(), LogisticRegression()), cv=2),
        NoiseRobustPlugIn(GaussianNB(), calibration="sigmoid"),
    ]
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


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
    return NoiseRobustPlugIn(FromColumn()).fit(np.array(fractions)[:, None], np.arange(len(fractions)) % 2)


def test_by_hand():
    wrapped = fitted_on(0.125, 0.5, 0.625)
    assert wrapped.noise_rates_ == (0.125, 0.375)
    assert wrapped.threshold_ == 0.375
    X = np.array([[0.0], [0.125], [0.25], [0.374], [0.375], [0.5], [0.625], [1.0]])
    assert wrapped.predict_proba(X)[:, 1].tolist() == [0, 0, 0.25, pytest.approx(0.498), 0.5, 0.75, 1, 1]
    assert wrapped.predict(X).tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


@given(st.integers(1, 400), st.data())
def test_fractions_of_votes_are_compared_as_whole_numbers(k, data):
    fewest, most = sorted(data.draw(st.lists(st.integers(0, k), min_size=2, max_size=2, unique=True)))
    votes = np.arange(k + 1)
    wrapped = fitted_on(fewest / k, most / k)
    assert np.array_equal(wrapped.predict(votes[:, None] / k), 2 * votes >= fewest + most)
    even = wrapped.predict_proba(votes[:, None] / k)[:, 1] == 0.5
    assert np.array_equal(even, 2 * votes == fewest + most)


def test_rounded_sums_would_lose_ties():
    assert 2 / 5 + 4 / 5 > 2 * (3 / 5)
    wrapped = fitted_on(2 / 5, 4 / 5)
    assert wrapped.predict([[3 / 5]]).tolist() == [1]
    assert wrapped.predict_proba([[3 / 5]]).tolist() == [[0.5, 0.5]]


@given(st.integers(-1000, -45), st.lists(st.floats(0, 1), min_size=3, max_size=8))
def test_probabilities_of_any_size_are_told_apart(power, fractions):
    assume(max(fractions) - min(fractions) > 1e-9)
    tiny, wrapped = fitted_on(*(fraction * 2.0**power for fraction in fractions)), fitted_on(*fractions)
    X = np.array(fractions)[:, None]
    assert np.array_equal(tiny.predict(X * 2.0**power), wrapped.predict(X))


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8), st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_predictions_go_with_corrected_probabilities(fractions, asked):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrapped = fitted_on(*fractions)
    X = np.array([*fractions, *asked, wrapped.threshold_])[:, None]
    eta = wrapped.predict_proba(X)
    assert np.array_equal(wrapped.predict(X) == 1, eta[:, 1] >= 0.5)
    assert ((eta >= 0) & (eta <= 1)).all()
    assert wrapped.predict(X)[-1] == 1
    assert (np.diff(eta[np.argsort(X[:, 0], kind="stable"), 1]) >= -1e-15).all()


def distinct(seed, n, m):
    """Points and queries without ties, and labels of both classes that flipped."""
    rng = np.random.default_rng(seed)
    X, queries = rng.random((n, 2)), rng.random((m, 2))
    y = ((X.sum(axis=1) > 1) ^ (rng.random(n) < 0.3)).astype(int)
    y[:2] = 0, 1
    return X, y, queries


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(2, 70), st.integers(2, 70), st.sampled_from(["kd_tree", "brute"]))
def test_with_nearest_neighbors_it_is_algorithm_2(seed, n, k, algorithm):
    X, y, queries = distinct(seed, max(n, k), 40)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrapped = NoiseRobustPlugIn(KNeighborsClassifier(k, algorithm=algorithm)).fit(X, y)
        robust = RobustKNeighborsClassifier(k, noise_neighbors=k - 1).fit(X, y)
    rule = Robust(votes="order").fit(NeighborTable.build(X, None, k), y, k, 2)
    votes = VoteProfile.count(NeighborTable.build(X, queries, k), y, 2)
    assert np.array_equal(wrapped.predict(queries), rule.predict(votes, k))
    assert np.array_equal(wrapped.predict(queries), robust.predict(queries))
    assert wrapped.noise_rates_ == pytest.approx(robust.noise_rates_, rel=0, abs=1e-15)
    assert wrapped.threshold_ == pytest.approx(robust.threshold_, rel=0, abs=1e-15)
    assert np.allclose(wrapped.predict_proba(queries), robust.predict_proba(queries), rtol=0, atol=1e-13)


@pytest.mark.parametrize("k", [2, 3, 10, 20, 25, 49, 50, 99, 100, 233, 400])
def test_with_many_neighbors_too(k):
    X, y, queries = distinct(k, 600, 400)
    wrapped = NoiseRobustPlugIn(KNeighborsClassifier(k)).fit(X, y)
    robust = RobustKNeighborsClassifier(k, noise_neighbors=k - 1).fit(X, y)
    for points in (X, queries):
        assert np.array_equal(wrapped.predict(points), robust.predict(points))


MODELS = {
    "logistic": LogisticRegression(),
    "neighbors": KNeighborsClassifier(8),
    "forest": RandomForestClassifier(7, min_samples_leaf=5, random_state=0),
}


@pytest.mark.parametrize("cv", [None, 4])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", range(3))
def test_classes_that_change_names_change_places(model, cv, seed):
    X, y, queries = distinct(seed, 120, 80)
    ours, named = (
        NoiseRobustPlugIn(MODELS[model], cv=cv).fit(X, labels) for labels in (y, np.array(["late", "early"])[y])
    )
    assert named.classes_.tolist() == ["early", "late"]
    assert named.noise_rates_ == pytest.approx(ours.noise_rates_[::-1], rel=0, abs=1e-6)
    even = ours.predict_proba(queries)[:, 1] == 0.5
    assert np.array_equal(named.predict_proba(queries)[:, 1] == 0.5, even)
    plain = ours.predict(queries)
    assert 0 < plain.mean() < 1
    assert np.array_equal(named.predict(queries)[~even], np.array(["late", "early"])[plain[~even]])
    assert (named.predict(queries)[even] == "late").all()
    assert (plain[even] == 1).all()


@pytest.mark.parametrize("cv", [3, KFold(4), list(KFold(2, shuffle=True, random_state=0).split(np.zeros(90)))])
def test_extremes_out_of_the_fit(cv):
    X, y, queries = distinct(0, 90, 50)
    model = LogisticRegression()
    out = cross_val_predict(model, X, y, cv=cv, method="predict_proba")[:, 1]
    wrapped = NoiseRobustPlugIn(model, cv=cv).fit(X, y)
    assert wrapped.noise_rates_ == (out.min(), 1 - out.max())
    assert wrapped.threshold_ == (out.min() + out.max()) / 2
    assert np.array_equal(wrapped.estimator_.predict_proba(queries), clone(model).fit(X, y).predict_proba(queries))
    assert wrapped.noise_rates_ != NoiseRobustPlugIn(model).fit(X, y).noise_rates_


def test_parts_may_overlap_or_leave_points_out():
    X, y, _ = distinct(1, 90, 1)
    model, cv = LogisticRegression(), ShuffleSplit(3, test_size=0.2, random_state=0)
    out = np.concatenate(
        [clone(model).fit(X[fitted], y[fitted]).predict_proba(X[left])[:, 1] for fitted, left in cv.split(X)]
    )
    assert NoiseRobustPlugIn(model, cv=cv).fit(X, y).noise_rates_ == (out.min(), 1 - out.max())


def test_weights_of_classes_are_those_of_the_labels():
    X, y, queries = distinct(2, 90, 30)
    weights = {0: 1, 1: 3}
    by_code = NoiseRobustPlugIn(LogisticRegression(class_weight=weights), cv=3).fit(X, y)
    names = np.array(["no", "yes"])
    by_name = NoiseRobustPlugIn(LogisticRegression(class_weight={"no": 1, "yes": 3}), cv=3).fit(X, names[y])
    assert by_name.noise_rates_ == by_code.noise_rates_
    assert np.array_equal(by_name.predict(queries), names[by_code.predict(queries)])
    assert by_code.noise_rates_ != NoiseRobustPlugIn(LogisticRegression(), cv=3).fit(X, y).noise_rates_


PLATEAU = reference("reeve_kaban")["plateau"]["p0=0.1,p1=0.3"]


@pytest.mark.parametrize("cv", [None, 5])
@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(SplineTransformer(10, degree=1), LogisticRegression(C=10)),
        RandomForestClassifier(30, min_samples_leaf=200, random_state=0),
    ],
    ids=["logistic", "forest"],
)
def test_it_corrects_for_noise(model, cv):
    problem = plateau(0.1, 0.3)
    sample, cells = problem.sample(8000, 0), problem.measure(5000)
    observed = LabelNoise(p0=0.1, p1=0.3).flip(sample.y, sample.v)
    wrapped = NoiseRobustPlugIn(model, cv=cv).fit(sample.X, observed)
    plain, repaired = (
        risk.exact(each.predict(cells.points), problem.eta(cells.points), cells.weights) - PLATEAU["bayes"]
        for each in (wrapped.estimator_, wrapped)
    )
    assert 0 < repaired < plain / 3
    assert wrapped.noise_rates_ == pytest.approx((0.1, 0.3), abs=0.06)


def test_folds_help_a_forest_that_overfits():
    rng, noise = np.random.default_rng(0), LabelNoise(p0=0.1, p1=0.3)
    X, u, v, T = rng.random((2000, 10)), rng.random(2000), rng.random(2000), rng.random((2000, 10))
    observed, eta = noise.flip((u < X[:, 0]).astype(int), v), np.stack([1 - T[:, 0], T[:, 0]], axis=1)
    forest = RandomForestClassifier(40, random_state=0)
    inside, outside = (NoiseRobustPlugIn(forest, cv=cv).fit(X, observed) for cv in (None, 3))
    assert max(inside.noise_rates_) < 0.1
    assert outside.noise_rates_[1] > inside.noise_rates_[1] + 0.05
    plain, first, second = (risk.exact(each.predict(T), eta) for each in (inside.estimator_, inside, outside))
    assert second < first < plain
    alone = NoiseRobustPlugIn(forest, cv=3).fit(X[:, :1], observed)
    assert max(alone.noise_rates_) < 0.02


def test_only_the_clone_is_fitted():
    X, y, _ = distinct(3, 40, 1)
    wrapped = NoiseRobustPlugIn(LogisticRegression(), cv=2)
    assert not hasattr(wrapped, "n_features_in_")
    assert not hasattr(wrapped.fit(X, y), "feature_names_in_")
    assert not hasattr(wrapped.estimator, "classes_")


def test_tables_that_the_estimator_takes():
    X, y, queries = distinct(4, 60, 30)
    model = KNeighborsClassifier(7, algorithm="brute")
    dense = NoiseRobustPlugIn(model, cv=3).fit(X, y)
    sparse = NoiseRobustPlugIn(model, cv=3).fit(csr_array(X), y)
    assert np.array_equal(sparse.predict_proba(csr_array(queries)), dense.predict_proba(queries))
    assert get_tags(dense).input_tags.sparse
    assert not get_tags(NoiseRobustPlugIn(RobustKNeighborsClassifier(3))).input_tags.sparse
    among, across = (np.linalg.norm(points[:, None] - X, axis=2) for points in (X, queries))
    measured = NoiseRobustPlugIn(KNeighborsClassifier(7, metric="precomputed"), cv=3).fit(among, y)
    assert np.array_equal(measured.predict(across), dense.predict(queries))
    assert get_tags(measured).input_tags.pairwise
    words = pd.DataFrame({"word": ["a"] * 30 + [None] * 30, "size": X[:, 0]})
    seen = NoiseRobustPlugIn(Sizes()).fit(words, y)
    assert seen.predict(words).shape == (60,)


class Sizes(FromColumn):
    """A classifier that looks at one column of a data frame."""

    def predict_proba(self, X):
        return super().predict_proba(X[["size"]])


def test_a_search_inside_it():
    X, y, _ = distinct(5, 120, 40)
    inside = NoiseRobustPlugIn(GridSearchCV(LogisticRegression(), {"C": [0.01, 100]}, cv=3)).fit(X, y)
    assert inside.score(X, y) > 0.5


@pytest.mark.parametrize("cv", [None, 2])
def test_probabilities_that_are_all_equal_leave_the_plain_classifier(cv):
    X, y = np.zeros((8, 1)), np.array([0, 1, 1, 1] * 2)
    wrapped = NoiseRobustPlugIn(KNeighborsClassifier(4), cv=cv)
    with pytest.warns(UserWarning, match=SILENT) as caught:
        wrapped.fit(X, y)
    assert caught[0].filename == __file__
    assert wrapped.noise_rates_ == (0.75, 0.25)
    assert wrapped.threshold_ == 0.5
    assert wrapped.predict([[0.0]]).tolist() == [1]
    assert wrapped.predict_proba([[0.0]]).tolist() == [[0.25, 0.75]]


@pytest.mark.parametrize("fractions", [(0.3, 0.1 + 0.2), (0.0, 0.0), (1.0, 1.0)])
def test_rounding_is_no_range(fractions):
    with pytest.warns(UserWarning, match=SILENT):
        wrapped = fitted_on(*fractions)
    assert wrapped.threshold_ == 0.5
    assert wrapped.predict([[0.3], [0.5], [0.7]]).tolist() == [0, 1, 1]
    assert wrapped.predict_proba([[0.3], [0.5], [0.7]])[:, 1].tolist() == [0.3, 0.5, 0.7]


@pytest.mark.parametrize("cv", [None, 2])
def test_one_class_is_predicted_everywhere(cv):
    X = np.arange(4.0)[:, None]
    with pytest.warns(UserWarning, match=SILENT):
        wrapped = NoiseRobustPlugIn(KNeighborsClassifier(2), cv=cv).fit(X, ["b"] * 4)
    assert wrapped.noise_rates_ == (0, 1)
    assert wrapped.predict(X).tolist() == ["b"] * 4
    assert wrapped.predict_proba(X).tolist() == [[1]] * 4
    refuses("one class", NoiseRobustPlugIn(LogisticRegression(), cv=cv).fit, X, ["b"] * 4)


def test_a_fit_that_fails_leaves_what_the_last_one_learned():
    sample = checkerboard().sample(60, 0)
    wrapped = NoiseRobustPlugIn(KNeighborsClassifier(9)).fit(sample.X, sample.y)
    before = wrapped.estimator_, wrapped.predict_proba(sample.X), wrapped.noise_rates_, wrapped.threshold_
    for model, X, y in (
        (wrapped.estimator, sample.X[:5, :1], np.array(["a", "b"])[sample.y[:5]]),
        (wrapped.estimator, sample.X, np.arange(60) % 3),
        (LinearSVC(), sample.X[:, :1], sample.y),
    ):
        refuses(r"n_neighbors|Only binary|predict_proba", wrapped.set_params(estimator=model).fit, X, y)
        assert wrapped.estimator_ is before[0]
        assert np.array_equal(wrapped.predict_proba(sample.X), before[1])
        assert (wrapped.noise_rates_, wrapped.threshold_, wrapped.n_features_in_) == (*before[2:], 2)


@pytest.mark.parametrize("model", [LinearSVC(), GaussianMixture(2), None, "forest"])
def test_estimators_without_probabilities_are_refused(model):
    X, y, _ = distinct(6, 20, 1)
    message = f"^estimator must be a classifier with predict_proba, got {type(model).__name__}$"
    refuses(message, NoiseRobustPlugIn(model).fit, X, y)


def test_estimators_that_have_probabilities_only_when_fitted():
    X, y, _ = distinct(6, 60, 1)
    stack = StackingClassifier([("near", KNeighborsClassifier(9)), ("line", LogisticRegression())], cv=2)
    assert not hasattr(stack, "predict_proba")
    assert 0 < sum(NoiseRobustPlugIn(stack).fit(X, y).noise_rates_) < 1


def test_bad_data_are_refused():
    X, wrapped = np.arange(6.0)[:, None], NoiseRobustPlugIn(KNeighborsClassifier(2))
    three = FrozenEstimator(KNeighborsClassifier(2).fit(X, [0, 1, 2] * 2))
    with pytest.raises(ValueError, match=r"^Only binary classification is supported\. .* is multiclass\.$"):
        NoiseRobustPlugIn(three).fit(X, [0, 1] * 3)
    with pytest.raises(ValueError, match=r"^flip rates are estimated from 2 points at least, got 1 sample$"):
        NoiseRobustPlugIn(KNeighborsClassifier(1)).fit(X[:1], [1])
    refuses("1d array", wrapped.fit, X, np.eye(6, 2, dtype=int))
    with pytest.raises(ValueError, match=r"^every part of the data that cv fits to must hold both classes$"):
        NoiseRobustPlugIn(KNeighborsClassifier(2), cv=KFold(2)).fit(X, [0] * 3 + [1] * 3)
    refuses("'cv' parameter", NoiseRobustPlugIn(KNeighborsClassifier(2), cv=1).fit, X, [0, 1] * 3)
    with pytest.raises(TypeError, match="got estimator class instead"):
        NoiseRobustPlugIn(KNeighborsClassifier).fit(X, [0, 1] * 3)


TOO_LARGE = (
    r"^the flip rates are too large: the labels of held-out points show that \w+ shrinks its probabilities "
    r"\(p = \S+\); calibration='sigmoid' may help$"
)


class Shrunken(LogisticRegression):
    """A logistic regression whose probabilities are pulled to 1/2."""

    def predict_proba(self, X):
        return 0.25 + super().predict_proba(X) / 2


def logistic_labels(seed, n):
    """Points on a line whose labels a logistic regression fits, and the probabilities (n,) of class 1."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-4, 4, (n, 1))
    eta = 1 / (1 + np.exp(-2 * X[:, 0]))
    return X, (rng.random(n) < eta).astype(int), eta


@pytest.mark.parametrize("cv", [None, 4])
def test_it_warns_of_shrunken_probabilities(cv):
    X, y, _ = logistic_labels(0, 300)
    with pytest.warns(UserWarning, match=TOO_LARGE) as caught:
        wrapped = NoiseRobustPlugIn(Shrunken(), cv=cv).fit(X, y)
    assert [each.filename for each in caught] == [__file__]
    assert "Shrunken" in str(caught[0].message)
    assert wrapped.shrinkage_p_value_ < 1e-3
    assert min(wrapped.noise_rates_) > 0.2


def test_it_warns_of_leaves_that_are_large_beside_the_sample():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(30, min_samples_leaf=150, random_state=0)
    with pytest.warns(UserWarning, match=TOO_LARGE):
        NoiseRobustPlugIn(forest).fit(X, y)


@pytest.mark.parametrize("cv", [None, 4])
@pytest.mark.parametrize("rates", [(0, 0), (0.1, 0.3)])
@pytest.mark.parametrize("n", [250, 1000])
@pytest.mark.parametrize("name", ["plateau", "ramp"])
def test_it_does_not_warn_where_the_assumptions_hold(name, n, rates, cv):
    problem, noise, model = (
        {"plateau": plateau(0.1, 0.3), "ramp": ramp()}[name],
        LabelNoise(*rates),
        KNeighborsClassifier(n // 10),
    )
    for seed in range(4):
        sample = problem.sample(n, seed)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            wrapped = NoiseRobustPlugIn(model, cv=cv).fit(sample.X, noise.flip(sample.y, sample.v))
        # Extremes at 0 and 1 are not tested.
        assert wrapped.noise_rates_ == (0, 0) or 0.01 < wrapped.shrinkage_p_value_ <= 1


def test_the_test_is_the_score_test():
    rng = np.random.default_rng(0)
    e = rng.uniform(0.05, 0.95, 200)
    y = rng.random(200) < e
    z, v = np.log(e / (1 - e)), e * (1 - e)
    far = z - np.average(z, weights=v)
    expected = norm.sf((y - e) @ far / np.sqrt(v @ far**2))
    halves = [slope_sums(e[part], y[part], 200) for part in (slice(80), slice(80, None))]
    parts = {f"test_{name}": np.array([half[name] for half in halves]) for name in halves[0]}
    assert SlopeTest.of(parts).p_value == pytest.approx(expected, rel=1e-9)


def test_its_level_is_kept_where_probabilities_are_true():
    rng = np.random.default_rng(1)
    e = rng.beta(0.5, 0.5, (2000, 300))
    values = [
        SlopeTest(**slope_sums(each, labels, 300)).p_value
        for each, labels in zip(e, rng.random(e.shape) < e, strict=True)
    ]
    assert 0.002 < np.mean(np.array(values) < 0.01) < 0.02
    assert 0.03 < np.mean(np.array(values) < 0.05) < 0.07


@pytest.mark.parametrize("e", [0.1, 0.5])
def test_equal_probabilities_cannot_be_tested(e):
    assert np.isnan(SlopeTest(**slope_sums(np.full(30, e), np.arange(30) < 9, 30)).p_value)


@pytest.mark.parametrize(
    ("options", "n", "model"),
    [
        ({"check": False}, 300, Shrunken()),
        ({"calibration": "sigmoid"}, 300, Shrunken()),
        ({}, 30, Shrunken()),
        ({}, 300, KNeighborsClassifier(1)),
        ({}, 300, KNeighborsClassifier(250)),
    ],
    ids=["unwanted", "calibrated", "few points", "no rates", "too few points in folds"],
)
def test_where_no_test_is_made(options, n, model):
    X, y, _ = logistic_labels(0, n)
    assert np.isnan(NoiseRobustPlugIn(model, **options).fit(X, y).shrinkage_p_value_)


@pytest.mark.parametrize("calibration", ["sigmoid", "isotonic"])
def test_calibration_stretches_shrunken_probabilities(calibration):
    X, y, _ = logistic_labels(0, 300)
    calibrated = NoiseRobustPlugIn(Shrunken(), calibration=calibration).fit(X, y)
    peer = CalibratedClassifierCV(Shrunken(), method=calibration).fit(X, y)
    e = peer.predict_proba(X)[:, 1]
    assert calibrated.noise_rates_ == (e.min(), 1 - e.max())
    assert max(calibrated.noise_rates_) < 0.1
    assert np.array_equal(calibrated.estimator_.predict_proba(X), peer.predict_proba(X))
    assert calibrated.n_features_in_ == 1


def test_bad_parameters_are_refused():
    X, y, _ = distinct(6, 60, 1)
    message = "^calibration must be None, 'sigmoid' or 'isotonic', got 'linear'$"
    refuses(message, NoiseRobustPlugIn(LogisticRegression(), calibration="linear").fit, X, y)
    refuses("^check must be True or False, got 'no'$", NoiseRobustPlugIn(LogisticRegression(), check="no").fit, X, y)
