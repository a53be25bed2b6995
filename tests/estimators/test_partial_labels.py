"""Linear classifiers on bags: the trainer behind them, scikit-learn's own fit, and the score of bags."""

import numpy as np
import pandas as pd
import pytest
from refusals import refuses
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from knnviz import BagDraws, BagProcess
from knnviz.estimators import LinearPartialLabelClassifier
from knnviz.learnability import APL, CLPL, LOSSES, LWS, PRODEN, Linear

X, Y = load_iris(return_X_y=True)
X = StandardScaler().fit_transform(X)
BAGS = BagProcess.even_inclusion(3, 0.4, 0.1).draw(X, Y, BagDraws.draw(150, 3, 0))


@pytest.mark.parametrize(
    ("options", "loss"),
    [
        ({}, PRODEN()),
        ({"loss": "clpl"}, CLPL()),
        ({"loss": "lws", "beta": 2.0}, LWS(2.0)),
        ({"loss": "apl-mae"}, APL()),
        ({"loss": "apl-gce", "q": 0.3}, APL("gce", 0.3)),
        ({"loss": "apl-mse"}, APL("mse")),
    ],
)
def test_it_is_the_trainer(options, loss):
    steps = {"learning_rate": 0.1, "max_iter": 20, "alpha": 0.01}
    fitted = LinearPartialLabelClassifier(**options, **steps).fit(X, BAGS)
    model = Linear(loss, **steps).learn(X, BAGS)
    for mine, wanted in zip((fitted.coef_, fitted.intercept_, fitted.loss_curve_), model, strict=True):
        assert np.array_equal(mine, wanted)
    assert np.array_equal(fitted.decision_function(X), model.scores(X))
    assert np.array_equal(fitted.predict(X), model.scores(X).argmax(axis=1))
    assert fitted.n_iter_ == len(fitted.loss_curve_) == 20


@pytest.mark.parametrize("loss", LOSSES)
def test_each_loss_is_right_about_most_irises_and_a_tie_goes_to_the_first_class(loss):
    assert LinearPartialLabelClassifier(loss).fit(X, BAGS).score(X, Y) > 0.8
    silent = LinearPartialLabelClassifier(loss, classes=["b", "a"], max_iter=3).fit(X, np.zeros((150, 2)))
    assert set(silent.predict(X)) == {"b"}


def test_proden_with_plain_labels_is_logistic_regression():
    """Weights in a bag of one are 1: cross-entropy, which scikit-learn brings down to its least."""
    fitted = LinearPartialLabelClassifier(alpha=1 / 150, max_iter=1500).fit(X, Y)
    peer = LogisticRegression(C=1.0, tol=1e-8, max_iter=1000).fit(X, Y)
    assert fitted.coef_ == pytest.approx(peer.coef_, abs=1e-3)
    assert np.array_equal(fitted.predict(X), peer.predict(X))


def test_labels_and_bags_of_every_form():
    wanted = LinearPartialLabelClassifier(max_iter=9).fit(X, BAGS)
    for table in (BAGS.astype(int), csr_array(BAGS), pd.DataFrame(BAGS)):
        assert np.array_equal(clone(wanted).fit(X, table).coef_, wanted.coef_)
    frame = pd.DataFrame(BAGS, columns=["a", "b", "c"])
    named = clone(wanted).set_params(classes=["c", "b", "a", "z"]).fit(X, frame)
    assert (named.classes_.tolist(), named.coef_.shape) == (["c", "b", "a", "z"], (4, 4))
    words = np.array(["setosa", "versicolor", "virginica"])[Y]
    plain, bagged = (clone(wanted).fit(X, y) for y in (words, np.eye(3)[Y]))
    assert np.array_equal(plain.coef_, bagged.coef_)
    assert np.array_equal(plain.classes_[bagged.predict(X)], plain.predict(X))
    placed = clone(wanted).set_params(classes=[2, 1, 0]).fit(X, Y)
    assert placed.coef_ == pytest.approx(bagged.coef_[::-1])


@pytest.mark.parametrize(
    ("frequency", "aligned"), [(((0.7, 0.5), (0.2, 0.9)), True), (((0.4, 0.5), (0.2, 0.9)), False)]
)
def test_of_all_classifiers_the_bayes_rule_scores_most_if_bags_are_aligned(frequency, aligned):
    """Two points, at which label 0, then label 1, is certain; in most bags at the first is label 0, or label 1."""
    points = np.array([[-1.0], [1.0]])[np.repeat([0, 1], 4000)]
    bags = np.random.default_rng(0).random((8000, 2)) < np.array(frequency)[np.repeat([0, 1], 4000)]
    scores = {}
    for rule in ((0, 0), (0, 1), (1, 0), (1, 1)):
        fitted = LinearPartialLabelClassifier(max_iter=100, classes=[0, 1]).fit([[-1.0], [1.0]] * 2, rule * 2)
        scores[rule] = fitted.score(points, bags)
    assert (max(scores, key=scores.get) == (0, 1)) == aligned
    assert scores[0, 1] == pytest.approx((frequency[0][0] + frequency[1][1]) / 2, abs=0.02)


def test_300_labels_are_learned_as_bags_of_one():
    y = np.arange(600) % 300
    points = np.random.default_rng(0).random((600, 2))
    plain, bagged = (LinearPartialLabelClassifier(max_iter=3).fit(points, each) for each in (y, np.eye(300)[y]))
    assert np.array_equal(plain.coef_, bagged.coef_)


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"loss": "hinge"}, "'hinge'"),
        ({"beta": -1.0}, "beta.*-1"),
        ({"q": 2}, "q.* 2 "),
        ({"learning_rate": 0}, "learning_rate.* 0 "),
        ({"max_iter": 0}, "max_iter.* 0 "),
        ({"alpha": -0.1}, r"alpha.*-0\.1"),
    ],
)
def test_parameters_are_checked(options, value):
    refuses(value, LinearPartialLabelClassifier(**options).fit, X, BAGS)
