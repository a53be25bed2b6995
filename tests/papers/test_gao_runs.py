"""Runs on Gao et al.: Figure 1 beside a second program, the protocol and its rivals in plain loops,
paired tests.
"""

from itertools import product

import numpy as np
import pytest
from reference_implementations import reference
from scipy.integrate import quad
from scipy.stats import ttest_rel
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, PredefinedSplit, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from knnviz import LabelNoise
from knnviz.estimators import RobustKNeighborsClassifier
from knnviz.problems import bundled
from knnviz.problems.data import LabeledTable
from knnviz_papers import paired_tests
from knnviz_papers.gao import figure_1, figures_2_to_4, protocol, rivals
from knnviz_papers.gao.linear_rivals import (
    AROWClassifier,
    NHERDClassifier,
    UnbiasedLogisticRegression,
)
from knnviz_papers.gao.reweighting import kernel_logistic_regression

#: (p0, p1) that each k' estimates under each setting of noise, by the second program.
ESTIMATES = reference("gao_rates")["estimated_p0_p1"]


def test_figure_1_is_the_run_of_a_second_program():
    found = figure_1.gao_figure_1(
        noise_neighbors=(20,), ks=(100,)
    ) | figure_1.gao_figure_1_threshold(ks=(100,))
    for row in (row for rows in found.values() for row in rows):
        assert row["risk"] == pytest.approx(row["reference"], abs=5.1e-5)
    for row in figure_1.gao_rates()["rates"]:
        wanted = ESTIMATES[f"p0={row['p0']},p1={row['p1']}"][str(row["k_noise"])]
        assert (row["p0_hat"], row["p1_hat"]) == pytest.approx(wanted, abs=1e-9)


def by_estimators(data, trial, seed, point, rates):
    """Accuracies of RkNN and of kNN, for which class 1 wins a tie, in one trial."""
    n, k, k_noise = point
    rng = np.random.default_rng([seed, trial])
    order = rng.permutation(len(data.y))
    v = rng.random(len(data.y))
    size = -(-len(data.y) // 4)
    test = order[:size]
    train = np.sort(order[size : size + n])
    observed = LabelNoise(*rates).flip(data.y, v)[train]
    robust = RobustKNeighborsClassifier(k, noise_neighbors=k_noise, variant="gao")
    rules = robust, RobustKNeighborsClassifier(k, noise_rates=(0, 0))
    return [
        np.mean(each.fit(data.X[train], observed).predict(data.X[test]) == data.y[test])
        for each in rules
    ]


def test_points_of_figures_2_to_4_are_what_estimators_give():
    """iris: 150 rows, many of them equally far, of which 112 are trained on and 38 tested."""
    data = protocol.binary(bundled("iris", "pca").table, 3)
    cases = [(112, 4, 30), (112, 25, 5), (56, 7, 14)]
    table = protocol.neighbor_table(data, [30])
    for trial in (0, 1):
        found = figures_2_to_4._accuracies(data, table, cases, np.random.default_rng([3, trial]))
        each = [
            [by_estimators(data, trial, 3, point, rates) for rates in protocol.FLIP_RATES]
            for point in cases
        ]
        assert found[..., ::-1] == pytest.approx(np.array(each))


def test_features_are_scaled_and_half_of_the_classes_become_class_1():
    names = tuple("abcde")
    X = np.diag([1.0, 2, 3, 4, 5])
    data = protocol.binary(LabeledTable("tiny", X, np.arange(5), names, names))
    assert np.array_equal(np.sort(data.X, axis=None), np.repeat([-1, 1], [20, 5]))
    assert data.ones.split(" + ") == sorted(names[i] for i in data.X[data.y == 1].argmax(axis=1))
    assert data.y.sum() == 2


@pytest.mark.parametrize("scoring", ["noisy", "clean"])
def test_a_trial_is_what_scikit_learn_gives(scoring):
    """The same draws, a cross-validated grid of its classifier and of ours, a new fit, and a test
    on clean labels.
    """
    rng = np.random.default_rng(1)
    ks = [3, 5, 9]
    X = rng.random((70, 2))
    data = protocol.Binary(
        "noise", X, (X[:, 0] + 0.3 * rng.random(70) > 0.65).astype(np.uint8), "1", "0"
    )
    options = {"scoring": scoring, "neighbors": ks, "rivals": ["AROW"], "seed": 7}
    runs = protocol.run_trial(data, protocol.neighbor_table(data, ks), 4, **options)
    draws = np.random.default_rng([7, 4])
    test, *others = np.array_split(draws.permutation(70), 4)
    v = draws.random(70)
    train = np.concatenate(others)
    inner = PredefinedSplit(np.repeat(range(4), [len(part) for part in np.array_split(train, 4)]))
    for j, (p0, p1) in enumerate(protocol.FLIP_RATES):
        observed = LabelNoise(p0, p1).flip(data.y[train], v[train])

        def score(classifier, points, labels, observed=observed):
            rows = [np.flatnonzero((data.X[train] == point).all(axis=1))[0] for point in points]
            return np.mean(
                classifier.predict(points)
                == (observed if scoring == "noisy" else data.y[train])[rows]
            )

        robust = [
            RobustKNeighborsClassifier(k, noise_neighbors=at, variant="gao")
            for k, at in product(ks, ks)
        ]
        plain = [KNeighborsClassifier(k) for k in ks]
        online = [AROWClassifier(r=1 / C) for C in rivals.C_GRID]
        fitted = []
        for column, family in enumerate((robust, plain, online)):
            marks = [
                cross_val_score(each, data.X[train], observed, cv=inner, scoring=score).mean()
                for each in family
            ]
            fitted.append(family[int(np.argmax(np.round(marks, 9)))].fit(data.X[train], observed))
            accuracy = np.mean(fitted[-1].predict(data.X[test]) == data.y[test])
            assert runs.accuracy[j, 0, column] == pytest.approx(accuracy)
        assert [*runs.picked[j, 0]] == [
            fitted[1].n_neighbors,
            fitted[0].n_neighbors,
            fitted[0].noise_neighbors,
        ]
        assert runs.rates[j, 0] == pytest.approx(fitted[0].noise_rates_)


def test_rivals_are_what_scikit_learn_gives():
    """Each by a search of its own; scored on labels of their own, which no rule is fitted to."""
    rng = np.random.default_rng(2)
    folds = 4
    X = rng.uniform(-1, 1, (90, 2))
    X_test = rng.uniform(-1, 1, (60, 2))
    clean, y_test = (((points**2).sum(axis=1) < 0.7).astype(np.uint8) for points in (X, X_test))
    true = (0.1, 0.3)
    estimated = (0.05, 0.2)
    observed = LabelNoise(*true).flip(clean, rng.random(90))
    part = rivals.TrainingPart(X, observed, observed, true, estimated)
    inner = PredefinedSplit(
        np.repeat(range(folds), [len(part) for part in np.array_split(np.arange(90), folds)])
    )

    def searched(classifier, y, **grid):
        return GridSearchCV(classifier, grid, cv=inner).fit(X, y)

    fitted = []
    for p0, p1 in (true, estimated):
        P = (
            kernel_logistic_regression(90)
            .fit(X, observed)
            .predict_proba(X)[np.arange(90), observed]
        )
        weights = np.maximum(P - np.where(observed, p0, p1), 0) / ((1 - p0 - p1) * P)
        gamma = searched(
            SVC(), clean if (p0, p1) == true else observed, gamma=rivals.GAMMAS
        ).best_params_["gamma"]
        fitted += [
            SVC().fit(X, observed, sample_weight=weights),
            LogisticRegression().fit(X, observed, sample_weight=weights),
            SVC(gamma=gamma, class_weight={0: 1 + p0 - p1, 1: 1 - p0 + p1}).fit(X, observed),
            searched(UnbiasedLogisticRegression(noise_rates=(p0, p1)), observed, C=rivals.C_GRID),
        ]
    fitted = [fitted[i] for i in (0, 4, 1, 5, 2, 6, 3, 7)]
    fitted.append(searched(AROWClassifier(), observed, r=[1 / C for C in rivals.C_GRID]))
    fitted.append(searched(NHERDClassifier(), observed, C=rivals.C_GRID))
    found = rivals.accuracies(tuple(rivals.RIVALS), [part], clean, X_test, y_test, folds)
    assert found.tolist() == [[np.mean(each.predict(X_test) == y_test) for each in fitted]]


def test_the_most_frequent_label_is_predicted_where_a_rule_refuses_one_class():
    """A single label, or weights that are 0 but for one class: all of class 0 here, since 2 labels
    of 12 are flips.
    """
    X = np.arange(12.0)[:, None]
    ones = np.ones(12, np.uint8)
    few = (np.arange(12) > 9).astype(np.uint8)
    part = rivals.TrainingPart(X, ones, ones, (0.1, 0.2), (0.0, 0.0))
    assert rivals.accuracies(
        tuple(rivals.RIVALS), [part], ones, X, np.arange(12) % 2, 4
    ).tolist() == [[0.5] * 10]
    part = rivals.TrainingPart(X, few, few, (0.9, 0), (0.0, 0.0))
    assert rivals.accuracies(["IR-KSVM"], [part], few, X, np.zeros(12), 4)[0, 0] == 1


def test_marks_are_those_of_a_paired_test():
    """t is 7.35 and 2.45; with three degrees of freedom it must exceed 3.18."""
    base = np.array([0.5, 0.6, 0.7, 0.55])
    near = np.array([0.02, 0.03, 0.03, 0.04])
    far = np.array([0.0, 0.02, 0.02, 0.04])
    assert [
        paired_tests.mark(base, base + gap) for gap in (0, 0.125, -0.125, near, far, -near)
    ] == [*"-wlw-l"]


def test_the_bayesian_test_integrates_the_posterior():
    """Student's t with 4 degrees of freedom."""
    base = np.array([0.5, 0.6, 0.7, 0.55, 0.6])
    gaps = np.array([0.02, 0.05, -0.01, 0.04, 0.03])
    tested = 0.25
    scale = gaps.std(ddof=1) * np.sqrt(1 / 5 + tested / (1 - tested))
    mean = gaps.mean()
    area = quad(
        lambda gap: 3 / 8 * (1 + ((gap - mean) / scale) ** 2 / 4) ** -2.5 / scale, 0, np.inf
    )[0]
    assert paired_tests.probability_better(base, base + gaps, tested) == pytest.approx(area)
    frequentist = 1 - ttest_rel(base + gaps, base).pvalue / 2
    assert paired_tests.probability_better(base, base + gaps, 0) == pytest.approx(frequentist)
    assert [paired_tests.bayesian_mark(each) for each in (0.951, 0.949, 0.051, 0.049)] == [
        "w",
        "-",
        "-",
        "l",
    ]
