"""What Gao et al. compare robust kNN with: exact identities, scikit-learn's own fits, plain code, refusals."""

import re
import warnings
from fractions import Fraction

import numpy as np
import pytest
from numpy.random import RandomState
from reference_implementations import gaussian_weights
from refusals import refuses
from scipy.optimize import check_grad
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from knnviz import LabelNoise
from knnviz.estimators import (
    AROWClassifier,
    ImportanceReweightedClassifier,
    LabelDependentCostsClassifier,
    NHERDClassifier,
    UnbiasedLogisticRegression,
)
from knnviz.estimators.reweighted import importance_weights
from knnviz.estimators.unbiased import unbiased_loss
from knnviz.noise import Rates

RATES = (0.25, 0.5)
#: Those that know the flip rates.
KNOWING = [
    ImportanceReweightedClassifier(SVC()),
    ImportanceReweightedClassifier(LogisticRegression()),
    LabelDependentCostsClassifier(SVC()),
    UnbiasedLogisticRegression(),
]
ONLINE = [AROWClassifier(), NHERDClassifier()]
knowing = pytest.mark.parametrize("estimator", KNOWING, ids=str)
online = pytest.mark.parametrize("estimator", ONLINE, ids=str)


@parametrize_with_checks([*ONLINE, *(clone(each).set_params(noise_rates=(0.1, 0.2)) for each in KNOWING)])
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def halves(n, seed, p0=0.0, p1=0.0):
    """Points of a square, classes on both sides of a diagonal, and their labels after flips."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 2))
    y = (X.sum(axis=1) > 0).astype(int)
    return X, y, LabelNoise(p0, p1).flip(y, rng.random(n))


def in_proportion(seed):
    """Points with true labels, each four times; and with observed ones in the exact proportions of ``RATES``."""
    X, y, _ = halves(30, seed)
    y = np.random.default_rng(seed).integers(0, 2, 30)
    copies = np.tile(np.arange(4), 30)
    true = np.repeat(y, 4)
    return np.repeat(X, 4, axis=0), true, true ^ (copies < 4 * np.array(RATES)[true])


class FromColumn(ClassifierMixin, BaseEstimator):
    """A classifier that takes the last column of X for the probability of class 1."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.stack([1 - X[:, -1], X[:, -1]], axis=1)

    def predict(self, X):
        return self.classes_[(X[:, -1] >= 0.5).astype(int)]


class Weighted(FromColumn):
    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y)


# Importance


def test_weights_by_hand():
    X = np.array([[0.5], [0.5], [0.75], [0.25], [0.25], [1.0]])
    y = np.array(list("abaaba"))
    fitted = ImportanceReweightedClassifier(Weighted(), noise_rates=RATES, probability_estimator=FromColumn()).fit(X, y)
    # A label b at e = 1/2: (1/2 - 1/4) / (1/4 * 1/2) = 2. A label a needs more than p1 = 1/2.
    assert fitted.sample_weight_.tolist() == [0, 2, 0, pytest.approx(4 / 3), 0, 0]
    assert fitted.predict(X).tolist() == list("bbbaab")


@pytest.mark.parametrize("rates", [(0.25, 0.5), (0.0, 0.4), (0.4, 0.4), (0.3, 0.1)])
def test_weights_turn_probabilities_of_observed_labels_into_those_of_true_ones(rates):
    eta = np.linspace(0, 1, 41)
    observed = LabelNoise(*rates).corrupt(np.stack([1 - eta, eta], axis=1))
    for label, true in enumerate((1 - eta, eta)):
        weights = importance_weights(observed[:, label], np.full(41, rates[1 - label]), 1 - sum(rates))
        assert np.allclose(observed[:, label] * weights, true, rtol=0, atol=1e-15)


def test_a_flip_rate_of_zero_gives_one_weight():
    weights = importance_weights(np.array([0, 0.1, 1]), np.zeros(3), 0.5)
    assert weights.tolist() == [2, 2, 2]


def test_with_the_true_probabilities_it_is_a_fit_to_true_labels():
    X, true, observed = in_proportion(0)
    e = np.where(true == 1, 1 - RATES[1], RATES[0])
    told = ImportanceReweightedClassifier(
        LogisticRegression(tol=1e-10), noise_rates=RATES, probability_estimator=FixedProbabilities(e)
    )
    fitted, wanted = told.fit(X, observed), LogisticRegression(tol=1e-10).fit(X, true)
    assert np.allclose(fitted.decision_function(X), wanted.decision_function(X), rtol=0, atol=1e-6)


class FixedProbabilities(FromColumn):
    def __init__(self, e):
        self.e = e

    def predict_proba(self, X):
        return np.stack([1 - self.e, self.e], axis=1)


def test_the_default_probabilities_are_those_of_the_labels():
    """One column is a hundred times as wide as the other."""
    X, y, observed = halves(600, 0, 0.1, 0.3)
    fitted = ImportanceReweightedClassifier(SVC(), noise_rates=(0.1, 0.3)).fit(X * [100, 1], observed)
    right = observed == y
    assert fitted.sample_weight_[right].mean() > 1
    assert fitted.sample_weight_[~right].mean() < 0.4
    again = clone(fitted).fit(X * [1, 100], observed)
    assert np.allclose(again.sample_weight_, fitted.sample_weight_, rtol=0, atol=1e-6)


def test_sparse_points_have_the_weights_of_dense_ones():
    X, _, observed = halves(100, 0, 0.1, 0.3)
    dense, sparse = (
        ImportanceReweightedClassifier(SVC(), noise_rates=(0.1, 0.3)).fit(points, observed)
        for points in (X, csr_array(X))
    )
    assert np.allclose(dense.sample_weight_, sparse.sample_weight_, rtol=0, atol=1e-6)
    assert np.array_equal(dense.predict(X), sparse.predict(csr_array(X)))


# Costs


def test_costs_are_class_weights():
    X, _, observed = halves(200, 0, *RATES)
    fitted = LabelDependentCostsClassifier(SVC(), noise_rates=RATES).fit(X, observed)
    theta = (1 + RATES[0] - RATES[1]) / 2
    wanted = SVC(class_weight={0: 2 * theta, 1: 2 * (1 - theta)}).fit(X, observed)
    assert fitted.sample_weight_.tolist() == np.where(observed == 1, 2 * (1 - theta), 2 * theta).tolist()
    assert np.array_equal(fitted.decision_function(X), wanted.decision_function(X))


def test_costs_on_observed_labels_have_the_bayes_classifier_of_true_ones():
    fitted = LabelDependentCostsClassifier(Weighted(), noise_rates=RATES).fit(np.zeros((2, 1)), [0, 1])
    costs, eta = fitted.sample_weight_, np.arange(65) / 64
    observed = LabelNoise(*RATES).corrupt(np.stack([1 - eta, eta], axis=1))
    assert np.array_equal(costs[1] * observed[:, 1] >= costs[0] * observed[:, 0], eta >= 0.5)


# Unbiased losses


@pytest.mark.parametrize("rates", [(Fraction(1, 4), Fraction(1, 2)), (Fraction(0), Fraction(2, 5))])
@pytest.mark.parametrize("t", [-3.5, 0.0, 0.25, 40.0])
def test_the_mean_of_the_loss_over_the_flip_is_the_loss_of_the_true_label(rates, t):
    softplus = Fraction(float(np.logaddexp(0, t)))
    loss, contrast = (softplus, softplus - Fraction(t)), 1 - sum(rates)
    corrected = [((1 - rates[1 - y]) * loss[y] - rates[y] * loss[1 - y]) / contrast for y in (0, 1)]
    targets = [(y - rates[0]) / contrast for y in (0, 1)]
    assert corrected == [softplus - s * Fraction(t) for s in targets]
    for y in (0, 1):
        assert (1 - rates[y]) * corrected[y] + rates[y] * corrected[1 - y] == loss[y]
        computed = unbiased_loss(np.array([t, 0.0]), np.ones((1, 1)), np.array([float(targets[y])]), 0.0)[0]
        assert computed == pytest.approx(float(corrected[y]), rel=1e-14, abs=1e-14)


@pytest.mark.parametrize("penalty", [0.0, 0.3])
def test_the_gradient_is_that_of_the_loss(penalty):
    rng = np.random.default_rng(0)
    X, targets = rng.normal(size=(20, 3)), rng.choice([-1.0, 3.0], 20)

    def part(at):
        return lambda weights: unbiased_loss(weights, X, targets, penalty)[at]

    for weights in rng.normal(size=(5, 4)):
        assert check_grad(part(0), part(1), weights) < 1e-6
    assert np.isfinite(unbiased_loss(1e5 * weights, X, targets, penalty)[0])


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_without_noise_it_is_logistic_regression(C):
    X, _, observed = halves(200, 0, 0.2, 0.2)
    fitted, wanted = (
        UnbiasedLogisticRegression(C=C).fit(X, observed),
        LogisticRegression(C=C, tol=1e-8).fit(X, observed),
    )
    assert np.allclose(fitted.coef_, wanted.coef_, rtol=0, atol=2e-5)
    assert np.allclose(fitted.intercept_, wanted.intercept_, rtol=0, atol=2e-5)
    assert np.allclose(fitted.predict_proba(X), wanted.predict_proba(X), rtol=0, atol=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_flips_in_exact_proportion_leave_the_fit_to_true_labels(seed):
    X, true, observed = in_proportion(seed)
    fitted, wanted = UnbiasedLogisticRegression(noise_rates=RATES).fit(X, observed), LogisticRegression(tol=1e-8)
    assert np.allclose(fitted.decision_function(X), wanted.fit(X, true).decision_function(X), rtol=0, atol=2e-5)


@pytest.mark.parametrize(
    ("rates", "ones", "infinite", "name"),
    [((0.5, 0), 4, -np.inf, "'no'"), ((0.5, 0), 3, -np.inf, "'no'"), ((0, 0.5), 4, np.inf, "'yes'")],
)
def test_where_flips_explain_a_class_the_intercept_is_infinite(rates, ones, infinite, name):
    X, y = np.arange(8.0)[:, None], np.array(["no", "yes"])[(np.arange(8) < ones).astype(int)]
    model = UnbiasedLogisticRegression(noise_rates=rates)
    with pytest.warns(UserWarning, match=f"^flips alone explain all labels other than {name}, which is predicted"):
        model.fit(X, y)
    assert (model.coef_.tolist(), model.intercept_.tolist(), model.n_iter_) == ([[0]], [infinite], 0)
    assert model.predict_proba(X).tolist() == [[infinite < 0, infinite > 0]] * 8
    assert set(model.predict(X)) == {name.strip("'")}


def test_a_solver_that_stops_early_warns():
    X, _, observed = halves(100, 0, 0.1, 0.1)
    with pytest.warns(ConvergenceWarning, match="^the solver has not converged after 1 steps: scale the columns"):
        assert UnbiasedLogisticRegression(max_iter=1).fit(X, observed).n_iter_ == 1


# Online


@pytest.mark.parametrize(
    ("estimator", "lost"), [(AROWClassifier(max_iter=1), 1 / 3), (NHERDClassifier(max_iter=1), 4 / 9)]
)
def test_an_update_by_hand(estimator, lost):
    """x = (1, 1) with its constant and label -1: v = 2 and r = 1."""
    fitted = estimator.fit([[1.0]], ["b"])
    assert fitted.coef_[0, 0] == fitted.intercept_[0] == pytest.approx(-1 / 3)
    assert fitted.covariance_ == pytest.approx(np.array([[1 - lost, -lost], [-lost, 1 - lost]]))


def test_steps_that_reach_no_margin_are_ridge_regression():
    X, y, _ = halves(50, 0)
    fitted = AROWClassifier(r=1000.0, max_iter=1).fit(X, y)
    columns = np.column_stack([X, np.ones(50)])
    assert (abs(fitted.decision_function(X)) < 1).all()
    wanted = Ridge(alpha=1000.0, fit_intercept=False, solver="cholesky").fit(columns, 2 * y - 1).coef_
    assert np.allclose(np.append(fitted.coef_, fitted.intercept_), wanted, rtol=1e-9, atol=0)


@online
def test_every_pass_goes_on_from_the_last(estimator):
    X, _, observed = halves(30, 0, 0.2, 0.2)
    fitted, draws = clone(estimator).set_params(max_iter=3, random_state=1).fit(X, observed), RandomState(1)
    order = np.concatenate([draws.permutation(30) for _ in range(3)])
    points, signs = np.column_stack([X, np.ones(30)]), 2.0 * observed - 1
    mean, covariance = gaussian_weights(points, signs, order, 1.0, isinstance(estimator, NHERDClassifier))
    assert np.allclose(np.append(fitted.coef_, fitted.intercept_), mean, rtol=1e-9, atol=1e-12)
    assert np.allclose(fitted.covariance_, covariance, rtol=1e-9, atol=1e-12)
    assert fitted.n_iter_ == 3


@online
def test_the_order_is_drawn(estimator):
    X, _, observed = halves(60, 0, 0.2, 0.2)
    scores = [clone(estimator).set_params(random_state=seed).fit(X, observed).coef_.tolist() for seed in (0, 0, 1)]
    assert scores[0] == scores[1] != scores[2]


# Noise


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("plain", "corrected"),
    [
        (SVC(), ImportanceReweightedClassifier(SVC())),
        (LogisticRegression(), ImportanceReweightedClassifier(LogisticRegression())),
        (SVC(), LabelDependentCostsClassifier(SVC())),
        (LogisticRegression(), UnbiasedLogisticRegression()),
    ],
    ids=str,
)
def test_asymmetric_noise_is_undone(plain, corrected, seed):
    X, _, observed = halves(1000, seed, 0.0, 0.4)
    new, y, _ = halves(4000, seed + 100)
    score = clone(corrected).set_params(noise_rates=(0.0, 0.4)).fit(X, observed).score(new, y)
    assert score > max(0.93, clone(plain).fit(X, observed).score(new, y) + 0.03)


@online
def test_symmetric_noise_misleads_a_perceptron_more(estimator):
    scores = []
    for seed in range(5):
        (X, _, observed), (new, y, _) = halves(1000, seed, 0.3, 0.3), halves(4000, seed + 100)
        models = clone(estimator), Perceptron(max_iter=5, tol=None)
        scores.append([model.fit(X, observed).score(new, y) for model in models])
    mean = np.mean(scores, axis=0)
    assert mean[0] > max(0.9, mean[1] + 0.05)


@pytest.mark.parametrize("rates", [(0, 0), (0.2, 0.2)])
def test_symmetric_noise_changes_no_cost(rates):
    X, _, observed = halves(100, 0, 0.2, 0.2)
    fitted = LabelDependentCostsClassifier(SVC(), noise_rates=rates).fit(X, observed)
    assert fitted.sample_weight_.tolist() == [1] * 100


@knowing
def test_rates_come_in_any_form(estimator):
    X, _, observed = halves(100, 0, *RATES)
    forms = (RATES, list(RATES), np.array(RATES), Rates(Fraction(1, 4), Fraction(1, 2)))
    scores = [clone(estimator).set_params(noise_rates=each).fit(X, observed).decision_function(X) for each in forms]
    assert all(np.array_equal(each, scores[0]) for each in scores)


# Methods and refusals


def test_methods_are_those_of_the_estimator():
    X, _, observed = halves(100, 0, *RATES)
    for unfitted in (LabelDependentCostsClassifier, ImportanceReweightedClassifier):
        support, naive = unfitted(SVC(), noise_rates=RATES), unfitted(GaussianNB(), noise_rates=RATES)
        for _ in range(2):
            assert hasattr(support, "decision_function") > hasattr(support, "predict_proba")
            assert hasattr(naive, "decision_function") < hasattr(naive, "predict_proba")
            support.fit(X, observed), naive.fit(X, observed)
        assert np.array_equal(naive.predict_proba(X), naive.estimator_.predict_proba(X))
        assert np.array_equal(support.decision_function(X), support.estimator_.decision_function(X))


@pytest.mark.parametrize(
    "estimator", [*ONLINE, UnbiasedLogisticRegression(), UnbiasedLogisticRegression(noise_rates=RATES)]
)
def test_one_class_is_predicted_everywhere(estimator):
    X = np.arange(-2.0, 3)[:, None]
    with warnings.catch_warnings(action="error"):
        fitted = clone(estimator).fit(X, ["b"] * 5)
    assert fitted.predict(100 * X).tolist() == ["b"] * 5
    if hasattr(fitted, "predict_proba"):
        assert fitted.predict_proba(X).tolist() == [[1]] * 5


@knowing
@pytest.mark.parametrize(
    ("rates", "message"),
    [
        ((0.5, 0.5), "flip rates must satisfy p0 + p1 < 1, got 0.50 + 0.50"),
        (Rates(Fraction(1, 3), Fraction(2, 3)), "flip rates must satisfy p0 + p1 < 1, got 0.33 + 0.67"),
        ((-0.1, 0.5), "flip rate p0 must be between 0 and 1, got -0.1"),
        (("a", 0.5), "flip rate p0 must be a number, got 'a'"),
        ((0.1,), "noise_rates must be a pair (p0, p1), got (0.1,)"),
        (0.1, "noise_rates must be a pair (p0, p1), got 0.1"),
        (None, "noise_rates must be a pair (p0, p1), got None"),
    ],
)
def test_rates_are_refused(estimator, rates, message):
    refuses(f"^{re.escape(message)}$", clone(estimator).set_params(noise_rates=rates).fit, [[0.0], [1.0]], [0, 1])


TAKES = "^estimator must be a classifier whose fit takes sample_weight, got "
GIVES = "^probability_estimator must be a classifier with predict_proba, got "
LEFT = "^points of both classes must have weights above 0, but "


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (LabelDependentCostsClassifier(KNeighborsClassifier()), f"{TAKES}KNeighborsClassifier$"),
        (LabelDependentCostsClassifier(LinearRegression()), f"{TAKES}LinearRegression$"),
        (ImportanceReweightedClassifier(make_pipeline(StandardScaler(), SVC())), f"{TAKES}Pipeline$"),
        (ImportanceReweightedClassifier(SVC(), probability_estimator=SVC()), f"{GIVES}SVC$"),
        (ImportanceReweightedClassifier(SVC(), probability_estimator=LinearRegression()), f"{GIVES}LinearRegression$"),
        (UnbiasedLogisticRegression(C=0), "^C must be finite and above 0, got 0$"),
        (UnbiasedLogisticRegression(tol=-1), "^tol must be between 0 and inf, got -1$"),
        (UnbiasedLogisticRegression(max_iter=0), "^max_iter must be at least 1, got 0$"),
        (AROWClassifier(r=0), "^r must be between 1e-10 and 1e\\+10, got 0$"),
        (NHERDClassifier(C=1e11), "^C must be between 1e-10 and 1e\\+10, got 1e\\+11$"),
        (AROWClassifier(max_iter=1.5), "^max_iter must be a whole number, got 1.5$"),
        (AROWClassifier(r=1e-8), "^X must not exceed 10 in size, got 20: scale its columns$"),
        (NHERDClassifier(C=1e8), "^X must not exceed 10 in size, got 20: scale its columns$"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(model, message):
    refuses(message, model.fit, [[-20.0], [1.0]], [0, 1])


@pytest.mark.parametrize("estimator", KNOWING[:3], ids=str)
def test_one_class_cannot_be_weighted(estimator):
    refuses("^labels of two classes are needed, got one class, 'b'$", clone(estimator).fit, [[0.0], [1.0]], ["b", "b"])


@pytest.mark.parametrize("estimator", [*ONLINE, *KNOWING], ids=str)
def test_three_classes_are_refused(estimator):
    refuses("^Only binary classification is supported", clone(estimator).fit, [[0.0], [1.0], [2.0]], [0, 1, 2])


@pytest.mark.parametrize(
    ("e", "having"),
    [((0.1, 0.1), "only those of one class do, 'no'"), ((0.6, 0.4), "none do"), ((0.6, 0.9), "only those .* 'yes'")],
)
def test_weights_that_leave_a_class_out_are_refused(e, having):
    told = ImportanceReweightedClassifier(SVC(), noise_rates=(0.4, 0.5), probability_estimator=FromColumn())
    refuses(f"{LEFT}{having}$", told.fit, np.tile(e, 2)[:, None], ["no", "yes"] * 2)


@pytest.mark.parametrize("estimator", [*ONLINE, *KNOWING], ids=str)
def test_a_fit_that_fails_keeps_what_the_last_one_learned(estimator):
    X, _, observed = halves(100, 0, 0.1, 0.3)
    fitted = clone(estimator).fit(X, observed)
    before = {name: value for name, value in vars(fitted).items() if name.endswith("_")}
    refuses("Only binary", fitted.fit, X, np.arange(100) % 3)
    assert all(getattr(fitted, name) is value for name, value in before.items())
