"""The contract of every estimator of knnviz and of the papers: one list, scikit-learn's checks."""

import importlib
import inspect
import pkgutil
import re

import numpy as np
import pandas as pd
import pytest
from refusals import refuses
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_param_validation, parametrize_with_checks

import knnviz
import knnviz_papers
from knnviz import BagDraws, BagProcess, NeighborTable, estimators
from knnviz.estimators import (
    AdaptiveKNeighborsClassifier,
    ClassWeightedKNeighborsClassifier,
    NoiseRobustPlugIn,
    PartialLabelKNeighborsClassifier,
    RobustKNeighborsClassifier,
    TunedClassWeightKNeighborsClassifier,
    TwoStageKNeighborsClassifier,
)
from knnviz.estimators.base import MetaClassifier, NeighborsClassifier
from knnviz.estimators.partial_labels import BagsClassifier
from knnviz.estimators.weighted import Candidate
from knnviz.neighbors import prepare
from knnviz_papers.errandonea.linear_rivals import LinearPartialLabelClassifier
from knnviz_papers.errandonea.losses import PRODEN
from knnviz_papers.gao.linear_rivals import (
    AROWClassifier,
    NHERDClassifier,
    UnbiasedLogisticRegression,
)
from knnviz_papers.gao.reweighting import (
    ImportanceReweightedClassifier,
    LabelDependentCostsClassifier,
)

#: An odd number of few neighbors, and weights and rates that no vote ties with: on a tie the class
#: is 1, and a check of scikit-learn's wants the larger probability.
CHECKED = [
    AdaptiveKNeighborsClassifier(0.2, max_neighbors=7, metric="manhattan"),
    ClassWeightedKNeighborsClassifier(5, mode="closed_ball", class_weight="balanced", p=1.5),
    NoiseRobustPlugIn(make_pipeline(StandardScaler(), KNeighborsClassifier(3)), cv=3),
    NoiseRobustPlugIn(GaussianNB()),
    PartialLabelKNeighborsClassifier(strategy="vote", n_neighbors=3),
    PartialLabelKNeighborsClassifier(max_neighbors=5),
    RobustKNeighborsClassifier(5, metric="manhattan", noise_rates=(0.1, 0.3), variant="gao"),
    RobustKNeighborsClassifier(3),
    TunedClassWeightKNeighborsClassifier(
        3,
        scoring="f1_weighted",
        search="grid",
        grid_parts=4,
        validation="holdout",
        mode="closed_ball",
    ),
    TunedClassWeightKNeighborsClassifier(5, n_steps=2),
    TwoStageKNeighborsClassifier(3),
    LinearPartialLabelClassifier(PRODEN(), epochs=40),
    AROWClassifier(),
    NHERDClassifier(),
    UnbiasedLogisticRegression(noise_rates=(0.1, 0.2)),
    ImportanceReweightedClassifier(
        SVC(), noise_rates=(0.1, 0.2), probability_estimator=LogisticRegression()
    ),
    LabelDependentCostsClassifier(SVC(), noise_rates=(0.1, 0.2)),
]

#: One of each class, the last of those above; a plug-in that takes a sparse X.
LAST = {type(each): each for each in CHECKED}
LAST[NoiseRobustPlugIn] = NoiseRobustPlugIn(LogisticRegression(), cv=2)
EVERY = LAST.values()


def each_of(base):
    """Parametrize a test with the estimators of the list that are built on a class."""
    found = [each for each in EVERY if isinstance(each, base)]
    names = [type(each).__name__ for each in found]
    return pytest.mark.parametrize("estimator", found, ids=names)


every = each_of(BaseEstimator)
on_bags = each_of(BagsClassifier)
with_neighbors = each_of(NeighborsClassifier)

FRAME = pd.DataFrame(np.random.default_rng(0).random((60, 2)), columns=["height", "width"])
TALL = FRAME["height"] > 0.5
LABELS = pd.Series(np.where(TALL, "late", "early"), index=np.arange(60) + 7)
CODES = np.arange(60) % 3
BAGS = BagProcess.from_inclusion(3, 0.4).draw(FRAME, CODES, BagDraws.draw(60, 3, 0))
#: Points of a coarse grid, most of whose distances tie.
TIED = np.random.default_rng(1).integers(0, 5, (40, 2)).astype(float)


def test_every_classifier_of_both_packages_is_listed():
    """But for those that others are built on, and the one that a scorer gets."""
    found = set()
    listed = {type(each) for each in EVERY}
    for package in (knnviz, knnviz_papers):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            # A process to be forked imports this one, which then does a lot.
            if module.name == "knnviz.classroom.preload":
                continue
            for each in vars(importlib.import_module(module.name)).values():
                if inspect.isclass(each) and issubclass(each, ClassifierMixin):
                    found.add(each)
    ours = {each for each in found if each.__module__.startswith("knnviz")}
    bases = {base for each in listed for base in each.__mro__}
    assert listed <= ours <= listed | bases | {Candidate}


@pytest.mark.filterwarnings(
    "ignore:the smoothed labels", "ignore:the probabilities are", "ignore:no training point"
)
@parametrize_with_checks([clone(each) for each in CHECKED])
def test_scikit_learn_accepts(estimator, check):
    check(estimator)


@each_of(tuple(getattr(estimators, name) for name in estimators.__all__))
def test_every_parameter_has_its_constraints(estimator):
    check_param_validation(type(estimator).__name__, estimator)


@every
def test_parameters_and_fitted_attributes_are_documented(estimator):
    """Each once, parameters in the order of the signature; and every method has a documentation."""
    text = inspect.getdoc(type(estimator))
    documented = []
    for title in ("Parameters", "Attributes"):
        section = re.search(rf"\n{title}\n-+\n(.+?)(\n\n|$)", text, re.DOTALL)[1]
        headings = re.findall(r"^(\w.*?)(?: :|$)", section, re.MULTILINE)
        documented.append(", ".join(headings).split(", "))
    parameters, attributes = documented
    assert parameters == list(inspect.signature(type(estimator)).parameters)

    fitted = clone(estimator).fit(FRAME, LABELS)
    shared = {"classes_", "n_features_in_", "feature_names_in_"}
    learned = {name for name in vars(fitted) if name.endswith("_")} | shared
    assert learned - shared <= set(attributes) <= learned

    for name in ("fit", "predict", "score"):
        assert inspect.getdoc(getattr(fitted, name))


@every
def test_no_method_of_its_own_answers_before_the_fit(estimator):
    for method in ("kneighbors", "hard", "scan", "predict_set", "stopping_neighbors", "decided"):
        if hasattr(estimator, method):
            with pytest.raises(NotFittedError):
                getattr(clone(estimator), method)(FRAME)
    y = LABELS
    if isinstance(estimator, BagsClassifier):
        y = BAGS
    with pytest.raises(NotFittedError):
        clone(estimator).score(FRAME, y)


@each_of(MetaClassifier)
def test_a_sparse_x_gives_the_labels_of_the_dense_one(estimator):
    dense = FRAME.to_numpy()
    sparse = csr_array(dense)
    wanted = clone(estimator).fit(dense, LABELS).predict(dense)
    found = clone(estimator).fit(sparse, LABELS).predict(sparse)
    assert np.array_equal(found, wanted)


def test_one_of_two_classifiers_that_needs_a_dense_x_is_enough():
    both = ImportanceReweightedClassifier(SVC(), probability_estimator=GaussianNB())
    assert not both.__sklearn_tags__().input_tags.sparse


@every
def test_in_a_pipeline_folds_are_scored(estimator):
    steps = make_pipeline(StandardScaler(), clone(estimator))
    assert cross_val_score(steps, FRAME, LABELS, cv=3).min() > 0.6
    assert steps.fit(FRAME, LABELS).score(FRAME, LABELS) > 0.8


@pytest.mark.parametrize(
    ("estimator", "options", "value"),
    [
        (AdaptiveKNeighborsClassifier(), {"metric": "mahalanobis"}, "ahalanobis"),
        (ClassWeightedKNeighborsClassifier(5), {"class_weight": [-1, 1]}, "-1"),
        (ClassWeightedKNeighborsClassifier(5), {"class_weight": {"early": 1, "never": 2}}, "late"),
        (
            ClassWeightedKNeighborsClassifier(5),
            {"class_weight": pd.Series([1, 2], ["late", "late"])},
            "late",
        ),
        (
            LinearPartialLabelClassifier(PRODEN(), epochs=40),
            {"learning_rate": 1e308},
            "overflow",
        ),
        (NoiseRobustPlugIn(KNeighborsClassifier(20)), {}, "20"),
        (
            NoiseRobustPlugIn(GaussianNB()),
            {"estimator": PartialLabelKNeighborsClassifier()},
            "PartialLabelKNeighbors",
        ),
        (RobustKNeighborsClassifier(5), {"noise_neighbors": 30}, "30"),
        (RobustKNeighborsClassifier(5), {"noise_rates": (0.7, 0.4)}, r"0\.70 \+ 0\.40"),
        (
            TunedClassWeightKNeighborsClassifier(5),
            {"start": [1, 2, 3], "search": "grid"},
            "1, 2, 3",
        ),
        (TunedClassWeightKNeighborsClassifier(12), {}, "12 with n = 11"),
        (TunedClassWeightKNeighborsClassifier(10), {"validation": "holdout"}, "10 with n = 9"),
        (TunedClassWeightKNeighborsClassifier(5), {"scoring": "f1_maco"}, "'f1_maco'"),
        (
            TunedClassWeightKNeighborsClassifier(5),
            {"scoring": lambda *given: np.nan},
            "finite number, got nan",
        ),
        (
            TunedClassWeightKNeighborsClassifier(5),
            {"scoring": lambda knn, X, y: knn.score(X.copy(), y)},
            "no other",
        ),
        (TwoStageKNeighborsClassifier(20), {}, "20"),
    ],
)
def test_a_fit_that_is_refused_keeps_what_the_last_one_learned(estimator, options, value):
    fitted = clone(estimator).fit(FRAME, LABELS)
    learned = {}
    for name, attribute in vars(fitted).items():
        if re.search(r"(?<!_in)_$", name):
            learned[name] = attribute
    labels = fitted.predict(FRAME)
    fitted.set_params(**options)
    refuses(value, fitted.fit, FRAME[:12], LABELS[:12])
    for name, attribute in learned.items():
        assert getattr(fitted, name) is attribute
    assert np.array_equal(fitted.predict(FRAME), labels)


@pytest.mark.filterwarnings(
    "ignore:the smoothed labels are all equal", "ignore:the probabilities are all equal"
)
@pytest.mark.parametrize(
    "estimator",
    [
        *(
            PartialLabelKNeighborsClassifier(strategy=each, n_neighbors=3)
            for each in ("adaptive", "vote")
        ),
        RobustKNeighborsClassifier(2, noise_rates=(0.2, 0.7)),
        ClassWeightedKNeighborsClassifier(2, class_weight={"b": 3}, tie_tol=1),
        TunedClassWeightKNeighborsClassifier(2, search="grid"),
        TwoStageKNeighborsClassifier(2),
        LinearPartialLabelClassifier(PRODEN(), epochs=3),
        NoiseRobustPlugIn(KNeighborsClassifier(2), cv=2),
        UnbiasedLogisticRegression(noise_rates=(0.25, 0.5)),
    ],
)
def test_one_class_has_probability_1_everywhere(estimator):
    X = np.arange(4.0)[:, None]
    fitted = estimator.fit(X, ["b"] * 4)
    assert fitted.predict(100 * X).tolist() == ["b"] * 4
    for method in ("predict_proba", "predict_set"):
        if hasattr(fitted, method):
            assert getattr(fitted, method)(X).tolist() == [[1]] * 4
    if hasattr(fitted, "decided"):
        assert fitted.decided(X).all()
    assert getattr(fitted, "best_score_", 1) == 1


@pytest.mark.parametrize(
    "estimator",
    [
        *(
            ClassWeightedKNeighborsClassifier(25, class_weight=each)
            for each in (None, (0.2, 0.2), {})
        ),
        PartialLabelKNeighborsClassifier(strategy="vote", n_neighbors=25),
        RobustKNeighborsClassifier(25, noise_rates=np.zeros(2)),
        TunedClassWeightKNeighborsClassifier(25, n_steps=0),
        TwoStageKNeighborsClassifier(25),
    ],
)
def test_without_weights_noise_bags_or_a_second_round_it_is_the_plain_vote(estimator):
    y = np.random.default_rng(0).permutation(LABELS)
    fitted = estimator.fit(FRAME, y)
    peer = KNeighborsClassifier(25).fit(FRAME, y)
    assert np.array_equal(fitted.predict(FRAME), peer.predict(FRAME))
    if hasattr(fitted, "predict_proba"):
        found = fitted.predict_proba(FRAME)
        assert np.allclose(found, peer.predict_proba(FRAME), rtol=0, atol=1e-15)


@with_neighbors
def test_neither_the_order_of_points_nor_threads_change_a_prediction(estimator):
    y = np.random.default_rng(4).permutation(LABELS)
    wanted = clone(estimator).fit(FRAME[:40], y[:40]).predict(FRAME)
    order = np.random.default_rng(3).permutation(60)
    order = order[order < 40]
    other = clone(estimator)
    if "n_jobs" in other.get_params():
        other.set_params(n_jobs=2)
    other.fit(FRAME.iloc[order], y[order])
    assert np.array_equal(other.predict(FRAME), wanted)


@with_neighbors
def test_neighbors_are_those_of_a_table_under_the_metric(estimator):
    settings = [{}]
    if "metric" in estimator.get_params():
        settings = [{"p": 2, "algorithm": "kd_tree"}, {"p": 1, "n_jobs": 2}]
        settings = [{"metric": "minkowski"} | each for each in settings]
        settings.append({"metric": "manhattan"})
    for options in settings:
        fitted = clone(estimator).set_params(**options).fit(TIED, np.arange(40) % 2)
        index = prepare(TIED, **({"metric": "minkowski"} | options))
        for queries in (TIED[:9] + 0.5, None):
            alone = queries is None
            table = NeighborTable.build(index, queries, 7, exclude_self=alone, distances=True)
            distances, indices = fitted.kneighbors(queries, 7)
            only_indices = fitted.kneighbors(queries, 7, return_distance=False)
            assert np.array_equal(distances, table.distances)
            assert np.array_equal(indices, table.indices)
            assert np.array_equal(only_indices, indices)


@with_neighbors
def test_the_number_of_neighbors_is_the_default_and_at_most_that_of_the_points(estimator):
    fitted = clone(estimator).fit(FRAME, LABELS)
    parameters = fitted.get_params()
    _, indices = fitted.kneighbors(FRAME)
    assert indices.shape == (60, parameters.get("n_neighbors", 7))
    refuses("60 with n = 59", fitted.kneighbors, None, 60)
    refuses("61 with n = 60", fitted.kneighbors, FRAME, 61)
    if "n_neighbors" in parameters:
        fitted.set_params(n_neighbors=61)
        if "strategy" in parameters:
            fitted.set_params(strategy="vote")
        refuses("61 with n = 60", fitted.predict, FRAME)


@on_bags
def test_folds_score_bags_by_the_predictions_that_they_hold(estimator):
    """Fold by fold as a plain loop has it, and behind a scaler too."""
    wanted = []
    for train, test in KFold(3).split(BAGS):
        fitted = clone(estimator).fit(FRAME.iloc[train], BAGS[train])
        labels = fitted.predict(FRAME.iloc[test])
        wanted.append(BAGS[test, labels].mean())
    assert cross_val_score(estimator, FRAME, BAGS, cv=3).tolist() == wanted
    piped = make_pipeline(StandardScaler(), estimator)
    assert np.isfinite(cross_val_score(piped, FRAME, BAGS)).all()


class Frame:
    """A data frame of a library that is not pandas."""

    columns = tuple("abc")
    shape = BAGS.shape

    def __getitem__(self, name):
        return BAGS[:, self.columns.index(name)]

    def __array__(self, dtype=None, copy=None):
        return BAGS.astype(dtype)


@on_bags
def test_a_plain_label_is_a_bag_of_one_and_bags_come_in_every_form(estimator):
    words = np.array(["x", "y", "z"])
    y = np.random.default_rng(2).integers(0, 3, 60)
    plain = clone(estimator).fit(FRAME, words[y])
    bagged = clone(estimator).fit(FRAME, np.eye(3)[y])
    assert np.array_equal(plain.predict(FRAME), words[bagged.predict(FRAME)])

    wanted = clone(estimator).fit(FRAME, BAGS)
    labels = wanted.predict(FRAME)
    score = wanted.score(FRAME, BAGS)
    named = pd.DataFrame(BAGS, columns=list("abc"))
    for form in (BAGS.astype(int), BAGS.tolist(), csr_array(BAGS), named, Frame()):
        fitted = clone(estimator).fit(FRAME, form)
        codes = fitted.classes_.searchsorted(fitted.predict(FRAME))
        assert np.array_equal(codes, labels)
        assert fitted.score(FRAME, form) == score
