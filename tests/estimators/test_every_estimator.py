"""What all estimators keep beyond scikit-learn's own checks."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from knnviz import BagDraws, BagProcess, NeighborTable, estimators
from knnviz.estimators import (
    AdaptiveKNeighborsClassifier,
    ClassWeightedKNeighborsClassifier,
    LinearPartialLabelClassifier,
    NoiseRobustPlugIn,
    PartialLabelKNeighborsClassifier,
    RobustKNeighborsClassifier,
    TunedClassWeightKNeighborsClassifier,
    TwoStageKNeighborsClassifier,
)
from knnviz.estimators.bag_labels import BagsClassifier, bag_score
from knnviz.estimators.meta import MetaClassifier
from knnviz.labs import NeighborLab
from knnviz.neighbors import Windows
from knnviz.problems import from_data
from knnviz_papers.gao.linear_rivals import AROWClassifier, NHERDClassifier, UnbiasedLogisticRegression
from knnviz_papers.gao.reweighting import ImportanceReweightedClassifier, LabelDependentCostsClassifier

#: Each rival of robust kNN in Gao et al. with values for a search.
RIVALS = [
    (AROWClassifier(), {"r": [0.1, 10]}),
    (ImportanceReweightedClassifier(SVC()), {"estimator__C": [1, 10], "noise_rates": [(0, 0), (0.1, 0.2)]}),
    (LabelDependentCostsClassifier(SVC()), {"estimator__C": [1, 10], "noise_rates": [(0, 0), (0.1, 0.2)]}),
    (NHERDClassifier(), {"C": [0.1, 10]}),
    (UnbiasedLogisticRegression(), {"C": [1, 100], "noise_rates": [(0, 0), (0.1, 0.2)]}),
]

#: Each estimator with values for a search.
EVERY = [
    *RIVALS,
    (AdaptiveKNeighborsClassifier(), {"c1": [0.2, 1]}),
    (LinearPartialLabelClassifier(max_iter=40), {"loss": ["proden", "clpl"], "alpha": [1e-4, 1.0]}),
    (NoiseRobustPlugIn(LogisticRegression(), cv=2), {"estimator__C": [0.01, 100], "cv": [None, 3]}),
    (PartialLabelKNeighborsClassifier(), {"c1": [0.1, 0.5], "strategy": ["adaptive", "vote"]}),
    (RobustKNeighborsClassifier(5), {"noise_neighbors": [None, 5, 20]}),
    (TunedClassWeightKNeighborsClassifier(5, n_steps=2), {"n_neighbors": [5, 15], "start": [None, "balanced"]}),
    (TwoStageKNeighborsClassifier(20), {"voters": ["strict", "inclusive"]}),
    (ClassWeightedKNeighborsClassifier(5), {"class_weight": [None, {"late": 4}, "balanced", (0.3, 0.7)]}),
]
FRAME = pd.DataFrame(np.random.default_rng(0).random((60, 2)), columns=["height", "width"])
LABELS = pd.Series(np.where(FRAME["height"] > 0.5, "late", "early"), index=np.arange(60) + 7)

every = pytest.mark.parametrize(("estimator", "grid"), EVERY, ids=[type(each).__name__ for each, _ in EVERY])


def test_all_of_them_are_here():
    assert sorted(type(each).__name__ for each, _ in EVERY[len(RIVALS) :]) == sorted(estimators.__all__)


@parametrize_with_checks(
    [clone(each).set_params(**({"noise_rates": (0.1, 0.2)} if "noise_rates" in grid else {})) for each, grid in RIVALS]
)
def test_scikit_learn_accepts_a_rival(estimator, check):
    check(estimator)


@every
def test_columns_and_labels_have_names(estimator, grid):
    fitted = clone(estimator).fit(FRAME, LABELS)
    assert fitted.classes_.tolist() == ["early", "late"]
    assert fitted.feature_names_in_.tolist() == ["height", "width"]
    assert (fitted.n_features_in_, getattr(fitted, "n_samples_fit_", 60)) == (2, 60)
    assert {type(rate) for rate in getattr(fitted, "noise_rates_", (0.5,))} == {float}
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(FRAME[["width", "height"]])


@every
def test_no_method_answers_before_the_fit(estimator, grid):
    of_some = ("decision_function", "kneighbors", "hard", "scan", "predict_set", "stopping_neighbors", "decided")
    for method in ("predict", "predict_proba", *of_some):
        if hasattr(estimator, method):
            with pytest.raises(NotFittedError):
                getattr(clone(estimator), method)(FRAME)


#: What scikit-learn says of a sparse X, and the library of anything sparse.
DENSE = "Sparse data was passed for {}, but dense data is required. Use '.toarray()' to convert to a dense numpy array."


def sparse_said(refusal, call, *given):
    """What a call says against sparse data."""
    with pytest.raises(refusal) as said:
        call(*given)
    return str(said.value)


@every
def test_a_sparse_x_is_taken_as_the_tag_says_or_refused_in_one_sentence(estimator, grid):
    """Those around another classifier take it where that does, with the same labels as for the dense X."""
    X, dense = csr_array(FRAME.to_numpy()), clone(estimator).fit(FRAME.to_numpy(), LABELS)
    takes = estimator.__sklearn_tags__().input_tags.sparse
    assert takes == isinstance(estimator, MetaClassifier)
    methods = [getattr(dense, name) for name in ("predict", "predict_proba", "kneighbors") if hasattr(dense, name)]
    if takes:
        fitted = clone(estimator).fit(X, LABELS)
        assert np.array_equal(fitted.predict(X), dense.predict(FRAME.to_numpy()))
        return
    assert sparse_said(TypeError, clone(estimator).fit, X, LABELS) == DENSE.format("X")
    assert {sparse_said(TypeError, method, X) for method in methods} == {DENSE.format("X")}


@pytest.mark.parametrize("around", [ImportanceReweightedClassifier, LabelDependentCostsClassifier, NoiseRobustPlugIn])
def test_around_a_classifier_that_needs_a_dense_x_a_sparse_one_is_refused(around):
    estimator = around(GaussianNB())
    assert not estimator.__sklearn_tags__().input_tags.sparse
    assert sparse_said(TypeError, estimator.fit, csr_array(FRAME.to_numpy()), LABELS) == DENSE.format("X")
    estimator = ImportanceReweightedClassifier(SVC(), probability_estimator=GaussianNB())
    assert not estimator.__sklearn_tags__().input_tags.sparse
    assert sparse_said(TypeError, estimator.fit, csr_array(FRAME.to_numpy()), LABELS) == DENSE.format("X")


def test_bags_do_not_bring_in_a_sparse_x():
    bags = csr_array(np.eye(2, dtype=bool)[np.arange(60) % 2])
    for estimator in (PartialLabelKNeighborsClassifier(), LinearPartialLabelClassifier()):
        assert sparse_said(TypeError, estimator.fit, csr_array(FRAME.to_numpy()), bags) == DENSE.format("X")


def test_the_library_says_the_same_of_sparse_points():
    X, y = csr_array(FRAME.to_numpy()), np.arange(60) % 2
    calls = {
        "X": [
            lambda: NeighborTable.build(X, None, 3),
            lambda: NeighborTable.build(X, None, 3, metric="cosine"),
            lambda: Windows.of(X[:, :1]),
            lambda: from_data(X, y),
        ],
        "queries": [lambda: NeighborTable.build(FRAME.to_numpy(), X, 3)],
    }
    assert {sparse_said(ValueError, call) for call in calls["X"]} == {DENSE.format("X")}
    assert {sparse_said(ValueError, call) for call in calls["queries"]} == {DENSE.format("queries")}
    sentence = "data must be a problem, or a data set that problems.from_data(X, y) makes, got csr_array"
    assert sparse_said(ValueError, NeighborLab, X) == sentence


def test_neighbors_of_sparse_points_come_in_as_a_graph():
    X = FRAME.to_numpy()
    expected = NeighborTable.build(X, None, 5, exclude_self=True)
    graph = NearestNeighbors(n_neighbors=5, algorithm="brute").fit(csr_array(X)).kneighbors_graph(mode="distance")
    assert np.array_equal(NeighborTable.from_graph(graph).indices, expected.indices)


@every
def test_in_a_search_over_a_pipeline(estimator, grid):
    steps = make_pipeline(StandardScaler(), clone(estimator))
    search = GridSearchCV(steps, {f"{steps.steps[-1][0]}__{name}": grid[name] for name in grid}, cv=3)
    search.fit(FRAME, LABELS.to_numpy())
    assert (search.cv_results_["mean_test_score"] >= 0.4).all()
    assert search.score(FRAME, LABELS) > 0.8


@pytest.mark.parametrize(
    ("estimator", "options", "message"),
    [
        (AdaptiveKNeighborsClassifier(), {"metric": "citty"}, "metric must be a function or a distance"),
        (PartialLabelKNeighborsClassifier(), {"metric": "citty"}, "metric must be a function or a distance"),
        (RobustKNeighborsClassifier(5, noise_neighbors=30), {}, "noise_neighbors must be below the number of points"),
        (TunedClassWeightKNeighborsClassifier(5, n_steps=2), {"start": {"oak": 1}}, "start has a weight for 'oak'"),
        (TwoStageKNeighborsClassifier(20), {}, "n_neighbors must not exceed the number of points of the first round"),
        (ClassWeightedKNeighborsClassifier(5), {"class_weight": {"oak": 1}}, "class_weight has a weight for 'oak'"),
    ],
)
def test_a_fit_that_fails_keeps_what_the_last_one_learned(estimator, options, message):
    fitted = clone(estimator).fit(FRAME, LABELS)
    before = {name: value for name, value in vars(fitted).items() if name.endswith("_") and not name.endswith("_in_")}
    labels = fitted.predict(FRAME)
    with pytest.raises(ValueError, match=message):
        fitted.set_params(**options).fit(FRAME[:12], LABELS[:12])
    assert all(getattr(fitted, name) is value for name, value in before.items())
    assert np.array_equal(fitted.predict(FRAME), labels)


@pytest.mark.filterwarnings("ignore:the smoothed labels are all equal")
@pytest.mark.parametrize(
    "estimator",
    [
        AdaptiveKNeighborsClassifier(),
        *(PartialLabelKNeighborsClassifier(strategy=each, n_neighbors=3) for each in ("adaptive", "vote", "a-knn")),
        RobustKNeighborsClassifier(2),
        RobustKNeighborsClassifier(2, noise_rates=(0.2, 0.7)),
        *(ClassWeightedKNeighborsClassifier(2, class_weight=each, tie_tol=1) for each in (None, "balanced", {"b": 3})),
        ClassWeightedKNeighborsClassifier(2, class_weight=[0.2], mode="closed_ball"),
    ],
)
def test_one_class_is_predicted_everywhere(estimator):
    X = np.arange(4.0)[:, None]
    fitted = estimator.fit(X, ["b"] * 4)
    assert fitted.predict(X).tolist() == ["b"] * 4
    for method in ("predict_proba", "predict_set"):
        if hasattr(fitted, method):
            assert getattr(fitted, method)(X).tolist() == [[1]] * 4
    assert not hasattr(fitted, "decided") or fitted.decided(X).all()


#: Those that are fitted on bags, and the bags of the rows of the frame.
ON_BAGS = [each for each in EVERY if isinstance(each[0], BagsClassifier)]
BAGS = BagProcess.even_inclusion(3, 0.4).draw(FRAME, np.arange(60) % 3, BagDraws.draw(60, 3, 0))


def test_these_read_bags():
    assert [type(estimator).__name__ for estimator, _ in ON_BAGS] == [
        "AdaptiveKNeighborsClassifier",
        "LinearPartialLabelClassifier",
        "PartialLabelKNeighborsClassifier",
    ]


@pytest.mark.parametrize(("estimator", "grid"), ON_BAGS)
def test_folds_and_searches_score_bags(estimator, grid):
    """Fold by fold as a plain loop has it, by default and by name, behind a scaler too."""
    wanted = []
    for train, test in KFold(3).split(BAGS):
        labels = clone(estimator).fit(FRAME.iloc[train], BAGS[train]).predict(FRAME.iloc[test])
        wanted.append(np.mean([bag[label] for bag, label in zip(BAGS[test], labels, strict=True)]))
    assert cross_val_score(estimator, FRAME, BAGS, cv=3).tolist() == wanted
    assert cross_val_score(estimator, FRAME, BAGS, cv=3, scoring=make_scorer(bag_score)).tolist() == wanted
    assert np.isfinite(cross_val_score(make_pipeline(StandardScaler(), estimator), FRAME, BAGS)).all()
    search = GridSearchCV(estimator, grid, cv=3).fit(FRAME, BAGS)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_score_ == search.cv_results_["mean_test_score"].max()
