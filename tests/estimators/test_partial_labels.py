"""Linear classifiers on bags: the trainer behind them and scikit-learn's own fit."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from knnviz import BagDraws, BagProcess
from knnviz.estimators import LinearPartialLabelClassifier
from knnviz.learnability import APL, CLPL, LWS, PRODEN, Linear

X, Y = load_iris(return_X_y=True)
X = StandardScaler().fit_transform(X)
DRAWS = BagDraws.draw(150, 3, 0)
BAGS = BagProcess.even_inclusion(3, 0.4, 0.1).draw(X, Y, DRAWS)


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
    found = (fitted.coef_, fitted.intercept_, fitted.loss_curve_)
    for mine, wanted in zip(found, model, strict=True):
        assert np.array_equal(mine, wanted)
    scores = model.scores(X)
    assert np.array_equal(fitted.decision_function(X), scores)
    assert np.array_equal(fitted.predict(X), scores.argmax(axis=1))
    assert fitted.n_iter_ == len(fitted.loss_curve_) == 20


def test_proden_with_plain_labels_is_logistic_regression():
    """Weights in a bag of one are 1: cross-entropy, which scikit-learn brings down to its least."""
    fitted = LinearPartialLabelClassifier(alpha=1 / 150, max_iter=1500).fit(X, Y)
    peer = LogisticRegression(C=1.0, tol=1e-8, max_iter=1000).fit(X, Y)
    assert fitted.coef_ == pytest.approx(peer.coef_, abs=1e-3)
    assert np.array_equal(fitted.predict(X), peer.predict(X))


def test_300_labels_are_learned_as_bags_of_one():
    y = np.arange(600) % 300
    points = np.random.default_rng(0).random((600, 2))
    plain = LinearPartialLabelClassifier(max_iter=3)
    bagged = clone(plain)
    plain.fit(points, y)
    bagged.fit(points, np.eye(300)[y])
    assert np.array_equal(plain.coef_, bagged.coef_)
