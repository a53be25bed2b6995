"""LinearPartialLabelClassifier: scikit-learn's checks, the trainer behind it, bags in all forms, what is fitted."""

import re

import numpy as np
import pandas as pd
import pytest
from refusals import refuses
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from knnviz import BagDraws, BagProcess
from knnviz.estimators import LinearPartialLabelClassifier
from knnviz.learnability import APL, CLPL, LOSSES, LWS, PRODEN, Linear

X, Y = load_iris(return_X_y=True)
SCALED = StandardScaler().fit_transform(X)
BAGS = BagProcess.even_inclusion(3, 0.4, 0.1).draw(X, Y, BagDraws.draw(150, 3, 0))


@parametrize_with_checks([LinearPartialLabelClassifier(max_iter=50), LinearPartialLabelClassifier("clpl", max_iter=50)])
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


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
    fitted = LinearPartialLabelClassifier(**options, **steps).fit(SCALED, BAGS)
    scores = Linear(loss, **steps).learn(SCALED, BAGS)
    for mine, wanted in zip((fitted.coef_, fitted.intercept_, fitted.loss_curve_), scores, strict=True):
        assert np.array_equal(mine, wanted)
    assert np.array_equal(fitted.decision_function(SCALED), scores.at(SCALED))
    assert np.array_equal(fitted.predict(SCALED), scores.at(SCALED).argmax(axis=1))
    assert fitted.n_iter_ == len(fitted.loss_curve_) == 20


@pytest.mark.parametrize("loss", LOSSES)
def test_it_is_right_about_most_irises(loss):
    piped = make_pipeline(StandardScaler(), LinearPartialLabelClassifier(loss)).fit(X, BAGS)
    assert piped.score(X, Y) > 0.8


def test_plain_labels_are_bags_of_one():
    words = np.array(["setosa", "versicolor", "virginica"])[Y]
    plain, bagged = (LinearPartialLabelClassifier(max_iter=50).fit(SCALED, y) for y in (words, np.eye(3)[Y]))
    assert np.array_equal(plain.coef_, bagged.coef_)
    assert plain.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert bagged.classes_.tolist() == [0, 1, 2]
    assert np.array_equal(plain.classes_[bagged.predict(SCALED)], plain.predict(SCALED))


def test_proden_with_plain_labels_is_logistic_regression():
    """Weights in a bag of one are 1: cross-entropy, which scikit-learn brings down to its least."""
    fitted = LinearPartialLabelClassifier(alpha=1 / 150, max_iter=1500).fit(SCALED, Y)
    peer = LogisticRegression(C=1.0, tol=1e-8, max_iter=1000).fit(SCALED, Y)
    assert fitted.coef_ == pytest.approx(peer.coef_, abs=1e-3)
    assert np.array_equal(fitted.predict(SCALED), peer.predict(SCALED))


def test_bags_in_any_table():
    wanted = LinearPartialLabelClassifier(max_iter=9).fit(SCALED, BAGS)
    for table in (BAGS.astype(int), BAGS.astype(float), csr_array(BAGS), pd.DataFrame(BAGS)):
        assert np.array_equal(clone(wanted).fit(SCALED, table).coef_, wanted.coef_)
    frame = pd.DataFrame(BAGS, columns=["a", "b", "c"])
    named = clone(wanted).set_params(classes=["c", "b", "a", "z"]).fit(SCALED, frame)
    assert named.classes_.tolist() == ["c", "b", "a", "z"]
    assert named.coef_.shape == (4, 4)
    first = clone(wanted).set_params(classes=["c", "b", "a"]).fit(SCALED, frame)
    assert first.coef_ == pytest.approx(wanted.coef_[::-1])
    placed = clone(wanted).set_params(classes=[2, 1, 0]).fit(SCALED, Y)
    assert placed.coef_ == pytest.approx(clone(wanted).fit(SCALED, Y).coef_[::-1])


def test_two_labels_have_one_decision():
    fitted = LinearPartialLabelClassifier().fit(SCALED, np.where(Y == 1, "yes", "no"))
    scores = SCALED @ fitted.coef_.T + fitted.intercept_
    assert fitted.coef_.shape == (2, 4)
    assert fitted.decision_function(SCALED) == pytest.approx(scores[:, 1] - scores[:, 0])
    assert np.array_equal(fitted.decision_function(SCALED) > 0, fitted.predict(SCALED) == "yes")


def test_the_first_of_a_tie_and_bags_without_a_word():
    for loss in LOSSES:
        silent = LinearPartialLabelClassifier(loss, classes=["b", "a"], max_iter=3).fit(SCALED, np.zeros((150, 2)))
        assert set(silent.predict(SCALED)) == {"b"}, loss
    alone = LinearPartialLabelClassifier(max_iter=3).fit(SCALED, ["b"] * 150)
    assert set(alone.predict(SCALED)) == {"b"}


@pytest.mark.parametrize(
    ("options", "y", "message"),
    [
        ({}, 2 * BAGS, "a table of bags must hold truth values, or 0 and 1"),
        ({"classes": [0, 0, 1]}, Y, "classes must be None or two or more different labels, got [0, 0, 1]"),
        ({"loss": "hinge"}, Y, "loss must be 'clpl', 'proden', 'lws', 'apl-mae', 'apl-gce' or 'apl-mse', got 'hinge'"),
        ({"beta": -1.0}, Y, "beta must be between 0 and 1e+06, got -1"),
        ({"q": 2}, Y, "q must be between 0 and 1, got 2"),
        ({"learning_rate": 0}, Y, "learning_rate must be finite and above 0, got 0"),
        ({"max_iter": 0}, Y, "max_iter must be at least 1, got 0"),
        ({"alpha": -0.1}, Y, "alpha must be between 0 and 1e+06, got -0.1"),
        (
            {"learning_rate": 1e308},
            Y,
            "scores overflowed: use a learning_rate below 1e+308, or columns on one scale",
        ),
    ],
)
def test_what_is_refused_at_fit(options, y, message):
    fitted = LinearPartialLabelClassifier(max_iter=2).fit(SCALED, BAGS)
    before = fitted.predict(SCALED)
    refuses(f"^{re.escape(message)}$", fitted.set_params(**options).fit, SCALED, y)
    assert np.array_equal(fitted.predict(SCALED), before), "nothing is kept of a fit that fails"
