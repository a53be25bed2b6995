"""Class-weighted neighbors: the rules they stand for, and searches by refits and reference runs."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_implementations import (
    GREEDY_VARIANTS,
    reference,
    tables,
    weighted_vote,
)
from refusals import refuses
from sklearn.base import clone
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    f1_score,
    get_scorer,
    matthews_corrcoef,
)
from sklearn.model_selection import train_test_split
from sklearn.utils.class_weight import compute_class_weight

from knnviz import NeighborTable, VoteProfile
from knnviz.estimators import (
    ClassWeightedKNeighborsClassifier,
    TunedClassWeightKNeighborsClassifier,
)
from knnviz.problems import gaussians, waves
from knnviz.weights import SCORES, simplex_grid

NAMES = np.array(["ash", "birch", "cedar", "elm", "fir"])
VALIDATIONS = ("loo", "holdout", "resubstitution")


@st.composite
def fits(draw, n_classes):
    """Training points with ties and duplicates, queries, class codes that all occur, and k."""
    X, queries, k, rng = draw(tables(max_n=40))
    assume(len(X) >= n_classes)
    codes = rng.integers(0, n_classes, len(X))
    codes[:n_classes] = np.arange(n_classes)
    return X, queries, codes, k


modes = st.sampled_from(["index", "closed_ball"])


@given(
    st.data(),
    st.lists(st.integers(0, 50), min_size=2, max_size=5).filter(any),
    modes,
    st.sampled_from([1, 7, 1e-20, 1e300]),
    st.sampled_from([1e-12, 0.01, 1.0]),
)
def test_predictions_and_probabilities_are_those_of_weighted_votes(data, q, mode, divisor, tie_tol):
    """Class 1 of two that tie, in whole numbers of however many votes; of more the smallest."""
    X, queries, codes, k = data.draw(fits(len(q)))
    weights = np.array(q) / divisor
    knn = ClassWeightedKNeighborsClassifier(k, class_weight=weights, mode=mode, tie_tol=tie_tol)
    predicted = knn.fit(X, NAMES[codes]).predict(queries)

    profile = VoteProfile.build(NeighborTable.build(X, queries, k), codes, len(q))
    votes = profile.closed(k) if mode == "closed_ball" else profile.at(k)
    votes = votes.astype(int)
    scores = votes * q
    if len(q) == 2:
        expected = 1 - weighted_vote(votes[:, ::-1], q[::-1], tie_tol)
        if tie_tol < 0.01:
            assert np.array_equal(expected, scores[:, 1] >= scores[:, 0])
    else:
        expected = weighted_vote(votes, q, tie_tol)
    assert predicted.tolist() == NAMES[expected].tolist()

    fractions = knn.predict_proba(queries)
    total = scores.sum(axis=1, keepdims=True)
    shares = scores / np.maximum(total, 1)
    assert fractions == pytest.approx(np.where(total > 0, shares, 1 / len(q)))
    if tie_tol < 0.01:
        best = scores == scores.max(axis=1, keepdims=True)
        alone = best.sum(axis=1) == 1
        likeliest = knn.classes_[fractions.argmax(axis=1)]
        assert (predicted == likeliest)[alone].all()


@pytest.fixture(scope="module")
def rare():
    """Three classes of which one is rare, by name, and new points."""
    problem = gaussians(3, prior=(0.7, 0.25, 0.05), dimension=2)
    sample = problem.sample(600, 0)
    names = NAMES[:3][sample.y]
    return sample.X, names, problem.sample(600, 1).X


def test_weights_by_label_by_position_and_balanced(rare):
    X, y, _ = rare
    by_label = {"cedar": 5, "birch": 2}
    series = pd.Series({"cedar": 5, "ash": 1, "birch": 2})
    for weights in (by_label, series, np.array([1, 2, 5])):
        knn = ClassWeightedKNeighborsClassifier(12, class_weight=weights)
        assert knn.fit(X, y).class_weight_.tolist() == [1, 2, 5]

    balanced = ClassWeightedKNeighborsClassifier(class_weight="balanced").fit(X, y)
    peer = compute_class_weight("balanced", classes=balanced.classes_, y=y)
    assert np.array_equal(balanced.class_weight_, peer)


def test_all_but_k_is_read_at_fit(rare):
    X, y, queries = rare
    options = {"class_weight": (5, 3, 2), "tie_tol": 0}
    knn = ClassWeightedKNeighborsClassifier(9, **options).fit(X, y)
    fresh = ClassWeightedKNeighborsClassifier(15, **options).fit(X, y)
    knn.set_params(n_neighbors=15, class_weight=None, mode="closed_ball", tie_tol=1)
    assert np.array_equal(knn.predict_proba(queries), fresh.predict_proba(queries))


FOUND = reference("khim_search")["figure3a"]
SAMPLE = waves().sample(1000, 0)


@pytest.mark.parametrize("variant", GREEDY_VARIANTS)
def test_greedy_searches_of_the_reference_run(variant):
    """Figure 3(a): training points are their own neighbors."""
    known = FOUND[f"gamma=0.05,{variant}"]
    options = {"start": (0.3, 0.3, 0.4), "step": 0.05} | GREEDY_VARIANTS[variant]
    knn = TunedClassWeightKNeighborsClassifier(50, validation="resubstitution", **options)
    knn.fit(SAMPLE.X, NAMES[SAMPLE.y])
    assert knn.class_weight_ == pytest.approx(known["final_q"], abs=1e-12)
    assert knn.scores_ == pytest.approx(known["emp"], abs=1e-12)
    assert knn.best_score_ == knn.scores_[-1]
    assert np.array_equal(knn.history_[-1], knn.class_weight_)


#: Scores of true and predicted labels, of which every class occurs.
PEERS = {
    "accuracy": accuracy_score,
    "balanced_accuracy": balanced_accuracy_score,
    "f1_macro": partial(f1_score, average="macro", zero_division=0),
    "f1_micro": partial(f1_score, average="micro", zero_division=0),
    "matthews_corrcoef": matthews_corrcoef,
}


def decided(validation, plain, X, y):
    """Labels and predictions where a search looks: by refits, one a point that is left out."""
    if validation == "resubstitution":
        return y, plain.fit(X, y).predict(X)
    rows = np.arange(len(y))
    if validation == "loo":
        labels = []
        for i in rows:
            others = rows != i
            labels += plain.fit(X[others], y[others]).predict(X[[i]]).tolist()
        return y, np.array(labels)
    known, held = train_test_split(rows, stratify=y, random_state=0)
    known.sort()
    held.sort()
    return y[held], plain.fit(X[known], y[known]).predict(X[held])


@pytest.mark.filterwarnings("ignore:A single label was found")
@settings(max_examples=40)
@given(
    st.data(),
    st.integers(2, 4),
    st.sampled_from(VALIDATIONS),
    modes,
    st.sampled_from([1e-12, 0, 0.05]),
    st.sampled_from(sorted(SCORES)),
    st.booleans(),
    st.sampled_from(["greedy", "grid"]),
)
def test_scores_are_those_of_predict(
    data, n_classes, validation, mode, tie_tol, name, as_scorer, search
):
    """By a name, which is fast, or by scikit-learn's scorer, and also where votes tie: with two
    classes they go to class 1, with more to the smallest.
    """
    X, _, k, rng = data.draw(tables(max_n=24))
    assume(len(X) >= max(4 * n_classes, 2 * k))
    y = rng.permutation(np.arange(len(X)) % n_classes)
    shared = {"mode": mode, "tie_tol": tie_tol}
    options = {
        "scoring": get_scorer(name) if as_scorer else name,
        "search": search,
        "validation": validation,
        "n_steps": 3,
        "grid_parts": 4,
    }
    knn = TunedClassWeightKNeighborsClassifier(k, **options, **shared).fit(X, y)

    tried = list(zip(knn.history_, knn.scores_, strict=True))
    if validation == "loo":
        tried = tried[-1:]
    for q, score in tried:
        plain = ClassWeightedKNeighborsClassifier(k, class_weight=q, **shared)
        true, predicted = decided(validation, plain, X, y)
        assert score == pytest.approx(PEERS[name](true, predicted), abs=1e-12)
    if search == "grid":
        assert knn.class_weight_.tolist() in simplex_grid(n_classes, 4).tolist()
    plain.fit(X, y)
    assert np.array_equal(knn.predict(X), plain.predict(X))
    assert np.array_equal(knn.predict_proba(X), plain.predict_proba(X))


def test_a_search_needs_two_points():
    knn = TunedClassWeightKNeighborsClassifier(1)
    assert knn.fit([[0.0], [1.0]], [0, 1]).n_samples_fit_ == 2
    refuses("1 sample", knn.fit, [[0.0]], [0])


def test_points_held_out_are_drawn_by_the_seed(rare):
    X, y, _ = rare
    knn = TunedClassWeightKNeighborsClassifier(9, validation="holdout", step=0.05)
    fitted = []
    for seed in (0, np.random.RandomState(0), 1):
        fitted.append(clone(knn).set_params(random_state=seed).fit(X, y))
    first, again, other = fitted
    assert np.array_equal(first.history_, again.history_)
    assert not np.array_equal(first.scores_, other.scores_)
    assert first.n_samples_fit_ == 600, "all points vote in the end"
    refuses("1", knn.fit, X[:9], list("aaaabbbbc"))


def test_a_class_that_is_missing_among_points_held_out_counts_as_nothing():
    """Where scikit-learn leaves the class out: two points of it, none of four held out."""
    X = np.arange(20.0)[:, None]
    y = np.repeat([0, 1, 2], [9, 9, 2])
    knn = TunedClassWeightKNeighborsClassifier(3, validation="holdout", n_steps=0, holdout_size=0.2)
    peer = clone(knn).set_params(scoring=get_scorer("f1_macro"))
    assert peer.fit(X, y).best_score_ == 1
    assert knn.fit(X, y).best_score_ == pytest.approx(2 / 3)
