"""TunedClassWeightKNeighborsClassifier: the reference runs, its scores by plain code, scikit-learn's checks."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_implementations import reference, tables
from refusals import refuses
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.metrics import balanced_accuracy_score, f1_score, get_scorer, matthews_corrcoef
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from knnviz.estimators import ClassWeightedKNeighborsClassifier, TunedClassWeightKNeighborsClassifier
from knnviz.problems import gaussians, waves
from knnviz.weights import SCORES, WeightScorer, simplex_grid

FOUND = reference("khim_search")["figure3a"]
SAMPLE = waves().sample(1000, 0)
START = (0.3, 0.3, 0.4)
NAMES = np.array(["ash", "birch", "cedar", "elm"])
VALIDATIONS = ("loo", "holdout", "resubstitution")

#: How the reference calls the variants of a step.
VARIANTS = {
    "printed": {},
    "sign_order": {"order": "sign"},
    "strict": {"accept": ">"},
    "running_base": {"base": "running"},
}


@parametrize_with_checks(
    [
        TunedClassWeightKNeighborsClassifier(5),
        TunedClassWeightKNeighborsClassifier(
            3, scoring="f1_weighted", search="grid", grid_parts=4, validation="resubstitution", mode="closed_ball"
        ),
        TunedClassWeightKNeighborsClassifier(
            3, validation="holdout", metric="manhattan", accept=">", start="balanced", scoring="balanced_accuracy"
        ),
    ]
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("step", [0.01, 0.05])
def test_greedy_searches_of_the_reference_run(step, variant):
    """Figure 3(a): training points are their own neighbors."""
    known = FOUND[f"gamma={step},{variant}"]
    knn = TunedClassWeightKNeighborsClassifier(
        50, validation="resubstitution", start=START, step=step, **VARIANTS[variant]
    ).fit(SAMPLE.X, NAMES[SAMPLE.y])
    assert knn.class_weight_ == pytest.approx(known["final_q"], abs=1e-12)
    assert knn.scores_ == pytest.approx(known["emp"], abs=1e-12)
    assert knn.best_score_ == pytest.approx(known["emp"][-1], abs=1e-12)
    assert np.array_equal(knn.history_[-1], knn.class_weight_)
    assert knn.history_.shape == (21, 3)


def test_the_grid_search_of_the_reference_run():
    knn = TunedClassWeightKNeighborsClassifier(50, validation="resubstitution", search="grid")
    knn.fit(SAMPLE.X, SAMPLE.y)
    assert knn.class_weight_ == pytest.approx(FOUND["grid"]["q"], abs=1e-12)
    assert knn.best_score_ == pytest.approx(FOUND["grid"]["emp"], abs=1e-12)
    assert np.array_equal(knn.history_, knn.class_weight_[None])
    assert knn.scores_.tolist() == [knn.best_score_]


def peers(scoring, n_classes, true, predicted):
    """A score of codes by scikit-learn; macro F1 over all classes."""
    if scoring == "f1_macro":
        return f1_score(true, predicted, labels=np.arange(n_classes), average="macro", zero_division=0)
    return {"balanced_accuracy": balanced_accuracy_score, "matthews_corrcoef": matthews_corrcoef}.get(
        scoring, lambda *codes: np.mean(codes[0] == codes[1])
    )(true, predicted)


def decided(validation, plain, X, y):
    """Labels and predictions where a search looks: by refits, one for each point if it is left out."""
    if validation == "resubstitution":
        return y, plain.fit(X, y).predict(X)
    if validation == "loo":
        rows = np.arange(len(y))
        return y, np.array([plain.fit(X[rows != i], y[rows != i]).predict(X[[i]])[0] for i in rows])
    known, held = (np.sort(part) for part in train_test_split(np.arange(len(y)), stratify=y, random_state=0))
    return y[held], plain.fit(X[known], y[known]).predict(X[held])


@st.composite
def fits(draw):
    """Training points with ties and duplicates, codes of two to four classes of four points at least, and k."""
    X, _, k, rng = draw(tables(max_n=24))
    n_classes = draw(st.integers(2, 4))
    assume(len(X) >= max(4 * n_classes, 2 * k))
    return X, rng.permutation(np.arange(len(X)) % n_classes), k


@pytest.mark.filterwarnings("ignore:A single label was found")
@settings(max_examples=60)
@given(
    fits(),
    st.sampled_from(VALIDATIONS),
    st.sampled_from(["index", "closed_ball"]),
    st.sampled_from([1e-12, 0, 0.05]),
    st.sampled_from(sorted(SCORES)),
    st.sampled_from(["greedy", "grid"]),
)
def test_scores_are_those_of_predict(case, validation, mode, tie_tol, scoring, search):
    """Bit by bit where ties are: with two classes they go to class 1, with more to the smallest."""
    X, y, k = case
    knn = TunedClassWeightKNeighborsClassifier(
        k, scoring=scoring, search=search, validation=validation, mode=mode, tie_tol=tie_tol, n_steps=3, grid_parts=4
    ).fit(X, y)
    tried = list(zip(knn.history_, knn.scores_, strict=True))
    for q, score in tried[-1:] if validation == "loo" else tried:
        plain = ClassWeightedKNeighborsClassifier(k, class_weight=q, mode=mode, tie_tol=tie_tol)
        assert score == pytest.approx(peers(scoring, y.max() + 1, *decided(validation, plain, X, y)), abs=1e-12)
    plain.fit(X, y)
    assert np.array_equal(knn.predict(X), plain.predict(X))
    assert np.array_equal(knn.predict_proba(X), plain.predict_proba(X))


@pytest.mark.parametrize("validation", VALIDATIONS)
def test_a_grid_finds_the_first_of_the_best(validation):
    """Of three classes in wide steps, each candidate by refits."""
    X, y = SAMPLE.X[:40].round(1), SAMPLE.y[:40]
    knn = TunedClassWeightKNeighborsClassifier(4, search="grid", grid_parts=5, validation=validation).fit(X, y)
    grid, scores = simplex_grid(3, 5), []
    for q in grid:
        plain = ClassWeightedKNeighborsClassifier(4, class_weight=q)
        scores.append(peers("f1_macro", 3, *decided(validation, plain, X, y)))
    assert max(scores) == pytest.approx(knn.best_score_, abs=1e-12)
    assert np.array_equal(knn.class_weight_, grid[np.argmax(np.round(scores, 12))])


def test_two_classes_that_tie_are_scored_as_they_are_predicted():
    """Equal weights at one vote of two: class 1, where an argmax has class 0."""
    X, y = np.array([[0.0], [0], [0], [5], [5], [5]]), np.array([0, 1, 1, 1, 0, 1])
    knn = TunedClassWeightKNeighborsClassifier(2, validation="resubstitution", n_steps=0).fit(X, y)
    assert knn.best_score_ == f1_score(y, knn.predict(X), average="macro") == f1_score(y, [1] * 6, average="macro")
    assert WeightScorer.from_fractions(np.full((6, 2), 0.5), y)((1, 1)) != knn.best_score_


@pytest.fixture(scope="module")
def rare():
    """Three classes of which one is rare, by name, and new points."""
    problem = gaussians(3, prior=(0.7, 0.25, 0.05), dimension=2)
    sample, new = problem.sample(600, 0), problem.sample(2000, 1)
    return sample.X, NAMES[:3][sample.y], new.X, NAMES[:3][new.y]


@pytest.mark.parametrize("scoring", sorted(SCORES))
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("validation", VALIDATIONS)
def test_fast_scores_and_scorers_of_scikit_learn_find_the_same(rare, scoring, n_classes, validation):
    X, y, *_ = rare
    kept = np.isin(y, NAMES[:n_classes])
    fast, slow = (
        TunedClassWeightKNeighborsClassifier(9, scoring=each, validation=validation, n_steps=4, step=0.05).fit(
            X[kept], y[kept]
        )
        for each in (scoring, get_scorer(scoring))
    )
    assert fast.scores_ == pytest.approx(slow.scores_, abs=1e-12)
    assert fast.history_ == pytest.approx(slow.history_, abs=1e-12)


@pytest.mark.parametrize("scoring", ["f1_weighted", "recall_macro", "neg_log_loss", "roc_auc_ovr", "neg_brier_score"])
def test_any_score_of_scikit_learn_is_climbed(rare, scoring):
    X, y, *_ = rare
    knn = TunedClassWeightKNeighborsClassifier(15, scoring=scoring, validation="resubstitution", step=0.05).fit(X, y)
    assert (np.diff(knn.scores_) >= 0).all()
    assert knn.best_score_ > knn.scores_[0]
    assert get_scorer(scoring)(knn, X, y) == pytest.approx(knn.best_score_, abs=1e-12)


def test_a_scorer_of_ones_own(rare):
    """It sees labels by name, and can weigh mistakes: here a rare cedar that is missed costs ten."""
    X, y, *_ = rare
    costs = {"cedar": 10}

    def saved(classifier, points, labels):
        wrong = classifier.predict(points) != labels
        return -sum(costs.get(label, 1) for label in labels[wrong])

    plain, knn = (
        TunedClassWeightKNeighborsClassifier(15, scoring=saved, search="grid", grid_parts=parts) for parts in (1, 20)
    )
    knn.fit(X, y)
    equal = TunedClassWeightKNeighborsClassifier(15, scoring=saved, n_steps=0).fit(X, y)
    assert knn.best_score_ > max(equal.best_score_, plain.fit(X, y).best_score_)
    assert knn.class_weight_.argmax() == 2
    assert (knn.predict(X) == "cedar").sum() > (equal.predict(X) == "cedar").sum()


def test_the_score_of_one_class_of_two(rare):
    X, y, *_ = rare
    kept = y != "cedar"
    knn = TunedClassWeightKNeighborsClassifier(9, scoring="f1", search="grid", validation="resubstitution")
    knn.fit(X[kept], (y == "birch")[kept])
    assert knn.best_score_ == f1_score((y == "birch")[kept], knn.predict(X[kept]))
    assert knn.class_weight_.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("scorer", "message"),
    [
        (lambda classifier, X, y: np.mean(classifier.predict(X.copy()) == y), "a scorer may ask for predictions at"),
        (lambda classifier, X, y: classifier.predict_proba(X[:1])[0, 0], "a scorer may ask for predictions at"),
        (lambda classifier, X, y: np.nan, "scoring must give a finite number, got nan for the weights [0.3"),
        (lambda classifier, X, y: classifier.predict(X), "scoring must give a finite number, got array"),
        (f1_score, "looks like it is a metric function rather than a scorer"),
        ("f1_maco", "scoring must be a name of scikit-learn's or a scorer of (classifier, X, y), got 'f1_maco'"),
        (None, "scoring must be a name of scikit-learn's or a scorer of (classifier, X, y), got None"),
        (["f1_macro"], "scoring must be a name of scikit-learn's or a scorer of (classifier, X, y), got ['f1_macro']"),
    ],
)
def test_scorers_that_are_none_are_refused(rare, scorer, message):
    X, y, *_ = rare
    refuses(re.escape(message), TunedClassWeightKNeighborsClassifier(9, scoring=scorer).fit, X, y)


def test_points_held_out_are_drawn_by_the_seed(rare):
    X, y, *_ = rare
    knn = TunedClassWeightKNeighborsClassifier(9, validation="holdout", step=0.05)
    first, again, other = (
        clone(knn).set_params(random_state=seed).fit(X, y) for seed in (0, np.random.RandomState(0), 1)
    )
    assert np.array_equal(first.history_, again.history_)
    assert not np.array_equal(first.scores_, other.scores_)
    assert first.n_samples_fit_ == 600, "all points vote in the end"
    assert np.array_equal(knn.fit(X, y).history_, first.history_)


@pytest.mark.parametrize("seed", range(5))
def test_points_that_are_not_held_out_keep_their_order(seed):
    """All at one point, where the first of them votes: it is of the class that comes first in the data, a quarter."""
    knn = TunedClassWeightKNeighborsClassifier(1, validation="holdout", scoring="accuracy", random_state=seed)
    assert knn.fit(np.zeros((40, 1)), [0] * 10 + [1] * 30).best_score_ <= 0.3


def test_a_class_that_is_missing_among_points_held_out_counts_as_nothing():
    """Where scikit-learn leaves the class out: two points of it, none of four held out."""
    X, y = np.arange(20.0)[:, None], np.array([0] * 9 + [1] * 9 + [2] * 2)
    knn = TunedClassWeightKNeighborsClassifier(3, validation="holdout", n_steps=0, holdout_size=0.2).fit(X, y)
    peer = clone(knn).set_params(scoring=get_scorer("f1_macro")).fit(X, y)
    assert peer.best_score_ == 1
    assert knn.best_score_ == pytest.approx(2 / 3)


def test_weights_help_where_data_are_imbalanced():
    """Iris with fewer and fewer of each species: scores at points that were never seen, over ten draws."""
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)[:, :2]
    plain, tuned = ClassWeightedKNeighborsClassifier(15), TunedClassWeightKNeighborsClassifier(15, step=0.05)
    scores = []
    for seed in range(10):
        kept = np.random.default_rng(seed).random(len(y)) < 1 / (1 + y)
        X0, X1, y0, y1 = train_test_split(X[kept], y[kept], test_size=0.4, stratify=y[kept], random_state=seed)
        models = plain, tuned, clone(tuned).set_params(start="balanced")
        scores.append([f1_score(y1, each.fit(X0, y0).predict(X1), average="macro") for each in models])
    equal, greedy, balanced = np.mean(scores, axis=0)
    assert equal < greedy < balanced


def test_ten_classes_of_ten_thousand_points():
    rarer = 1 / np.arange(1, 11)
    sample = gaussians(10, prior=rarer / rarer.sum(), dimension=2).sample(10_000, 0)
    knn = TunedClassWeightKNeighborsClassifier(25, step=0.05).fit(sample.X, sample.y)
    assert (np.diff(knn.scores_) >= 0).all()
    assert knn.history_.shape == (21, 10)
    assert knn.history_.sum(axis=1) == pytest.approx(np.ones(21))
    assert knn.best_score_ > knn.scores_[0]
    message = "a grid for 10 classes may have 2000000 weights, got 4263421511271 of grid_parts = 100: "
    refuses(message + "take fewer, or search='greedy'", knn.set_params(search="grid").fit, sample.X, sample.y)
    assert len(knn.class_weight_) == 10, "what was fitted is kept"


def test_where_a_search_starts(rare):
    X, y, *_ = rare
    codes = np.unique(y, return_inverse=True)[1]
    balanced = 1 / np.bincount(codes)
    for start, wanted in (
        (None, [1, 1, 1]),
        ("balanced", balanced),
        ({"cedar": 4}, [1, 1, 4]),
        (pd.Series({"cedar": 2, "ash": 0}), [0, 1, 2]),
        ([10, 20, 30], [1, 2, 3]),
    ):
        knn = TunedClassWeightKNeighborsClassifier(9, start=start, n_steps=2).fit(X, y)
        assert knn.history_[0] == pytest.approx(np.array(wanted) / np.sum(wanted))
        assert knn.history_.shape == (3, 3)


@pytest.mark.filterwarnings("error")
def test_one_class_has_all_the_weight():
    X = np.arange(8.0)[:, None]
    for scoring in [*sorted(SCORES), "f1_weighted"]:
        for search in ("greedy", "grid"):
            knn = TunedClassWeightKNeighborsClassifier(3, scoring=scoring, search=search).fit(X, ["b"] * 8)
            assert knn.predict(X).tolist() == ["b"] * 8
            assert knn.class_weight_.tolist() == [1]
            assert knn.best_score_ == (0 if scoring == "matthews_corrcoef" else 1)


@pytest.mark.parametrize("validation", ["loo", "resubstitution"])
def test_the_order_of_distinct_points_does_not_matter(rare, validation):
    X, y, *_ = rare
    order = np.random.default_rng(0).permutation(len(y))
    knn = TunedClassWeightKNeighborsClassifier(9, validation=validation)
    assert np.array_equal(clone(knn).fit(X, y).history_, clone(knn).fit(X[order], y[order]).history_)


ROW = "start must hold 3 weights that are finite, not negative and not all 0, got "


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors must be at least 1, got 0"),
        ({"n_neighbors": 12}, "n_neighbors must not exceed the number of other points, got 12 with n = 11"),
        (
            {"n_neighbors": 10, "validation": "holdout"},
            "n_neighbors must not exceed the number of points not held out, got 10 with n = 9",
        ),
        (
            {"n_neighbors": 13, "validation": "resubstitution"},
            "n_neighbors must not exceed the number of points, got 13 with n = 12",
        ),
        ({"search": "random"}, "search must be 'greedy' or 'grid', got 'random'"),
        ({"validation": "cv"}, "validation must be 'loo', 'holdout' or 'resubstitution', got 'cv'"),
        ({"start": "heavy"}, "start must be None, 'balanced', weights by label or a row of them, got 'heavy'"),
        ({"start": {"d": 1}}, "start has a weight for 'd', but the training labels are 'a', 'b', 'c'"),
        ({"start": (1, 2)}, f"{ROW}(1, 2)"),
        ({"start": (0, 0, 0)}, f"{ROW}(0, 0, 0)"),
        ({"start": ["a", "b", "c"]}, "start must hold real numbers in rows of equal length"),
        ({"step": 2}, "step must be between 0 and 1, got 2"),
        ({"n_steps": -1}, "n_steps must be at least 0, got -1"),
        ({"order": "random"}, "order must be 'coordinate' or 'sign', got 'random'"),
        ({"accept": "="}, "accept must be '>=' or '>', got '='"),
        ({"base": "best"}, "base must be 'previous' or 'running', got 'best'"),
        ({"search": "grid", "grid_parts": 0}, "grid_parts must be at least 1, got 0"),
        ({"validation": "holdout", "holdout_size": 1}, "holdout_size must lie strictly between 0 and 1, got 1"),
        ({"validation": "holdout", "holdout_size": -1}, "holdout_size must be between 0 and 1, got -1"),
        ({"mode": "ball"}, "mode must be 'index' or 'closed_ball', got 'ball'"),
        ({"tie_tol": -1}, "tie_tol must be between 0 and 1, got -1"),
        ({"metric": "citty"}, "metric must be a function or a distance of two points in scikit-learn, got 'citty'"),
    ],
)
def test_bad_parameters_are_refused_at_fit(options, message):
    knn = TunedClassWeightKNeighborsClassifier(**{"n_neighbors": 2} | options)
    refuses(f"^{re.escape(message)}$", knn.fit, np.arange(12.0)[:, None], list("abcabcabcabc"))
    assert not hasattr(knn, "classes_")


def test_a_class_of_one_point_cannot_be_split_but_left_out():
    X, y = np.arange(9.0)[:, None], list("aaaabbbbc")
    assert len(TunedClassWeightKNeighborsClassifier(3).fit(X, y).class_weight_) == 3
    refuses("only 1 member", TunedClassWeightKNeighborsClassifier(3, validation="holdout").fit, X, y)
