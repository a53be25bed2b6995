"""Runs on Gao et al.: Figure 1 beside a second program, the protocol and its rivals in plain loops,
paired tests.
"""

from itertools import product

import numpy as np
import pytest
from reference_implementations import reference
from scipy.stats import t, ttest_rel
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
from knnviz_papers.gao.reweighting import (
    ImportanceReweightedClassifier,
    LabelDependentCostsClassifier,
    kernel_logistic_regression,
)

#: (p0, p1) that each k' estimates under each setting of noise, by the second program.
ESTIMATES = reference("gao_rates")["estimated_p0_p1"]


def test_figure_1_is_the_run_of_a_second_program():
    found = figure_1.gao_figure_1(noise_neighbors=(20,), ks=(100,))
    found |= figure_1.gao_figure_1_threshold(ks=(100,))
    for rows in found.values():
        for row in rows:
            assert row["risk"] == pytest.approx(row["reference"], abs=5.1e-5)

    for row in figure_1.gao_rates()["rates"]:
        setting = f"p0={row['p0']},p1={row['p1']}"
        wanted = ESTIMATES[setting][str(row["k_noise"])]
        assert (row["p0_hat"], row["p1_hat"]) == pytest.approx(wanted, abs=1e-9)


def test_points_of_figures_2_to_4_are_what_estimators_give():
    """iris: 150 rows, many of them equally far, of which 112 are trained on and 38 tested. On a tie
    kNN predicts class 1.
    """
    data = protocol.binary(bundled("iris", "pca").table, 3)
    cases = [(112, 4, 30), (112, 25, 5), (56, 7, 14)]
    table = protocol.neighbor_table(data, [30])
    for trial in (0, 1):
        rng = np.random.default_rng([3, trial])
        found = figures_2_to_4._accuracies(data, table, cases, rng)
        rng = np.random.default_rng([3, trial])
        test, others = np.split(rng.permutation(150), [38])
        v = rng.random(150)
        for of_case, (n, k, k_noise) in zip(found, cases, strict=True):
            train = np.sort(others[:n])
            plain = RobustKNeighborsClassifier(k, noise_rates=(0, 0))
            robust = RobustKNeighborsClassifier(k, noise_neighbors=k_noise, variant="gao")
            for accuracies, rates in zip(of_case, protocol.FLIP_RATES, strict=True):
                observed = LabelNoise(*rates).flip(data.y, v)[train]
                expected = []
                for classifier in (plain, robust):
                    fitted = classifier.fit(data.X[train], observed)
                    expected.append(fitted.score(data.X[test], data.y[test]))
                assert accuracies == pytest.approx(expected)


def test_features_are_scaled_and_half_of_the_classes_become_class_1():
    names = tuple("abcde")
    table = LabeledTable("tiny", np.diag(range(1, 6)), np.arange(5), names, names)
    data = protocol.binary(table)
    scaled = np.sort(data.X, axis=None)
    assert np.array_equal(scaled, np.repeat([-1, 1], [20, 5]))
    ones = data.X[data.y == 1].argmax(axis=1)
    assert data.ones.split(" + ") == sorted(names[i] for i in ones)
    assert data.y.sum() == 2


def folds_of(n, folds):
    """A split of n rows into consecutive folds."""
    lengths = [len(part) for part in np.array_split(range(n), folds)]
    return PredefinedSplit(np.repeat(range(folds), lengths))


def best_of(family, X, y, **validation):
    """The classifier with the highest mean score, the first on a tie, fitted to all rows."""
    marks = [cross_val_score(each, X, y, **validation).mean() for each in family]
    best = int(np.argmax(np.round(marks, 9)))
    return family[best].fit(X, y)


@pytest.mark.parametrize("scoring", ["noisy", "clean"])
def test_a_trial_is_what_scikit_learn_gives(scoring):
    """The same draws, a cross-validated grid of its classifier and of ours, a new fit, and a test
    on clean labels.
    """
    rng = np.random.default_rng(1)
    ks = [3, 5, 9]
    X = rng.random((70, 2))
    noisy_border = X[:, 0] + 0.3 * rng.random(70)
    y = (noisy_border > 0.65).astype(np.uint8)
    data = protocol.Binary("noise", X, y, "1", "0")
    options = {"scoring": scoring, "neighbors": ks, "rivals": ["AROW"], "seed": 7}
    runs = protocol.run_trial(data, protocol.neighbor_table(data, ks), 4, **options)

    draws = np.random.default_rng([7, 4])
    test, *others = np.array_split(draws.permutation(70), 4)
    v = draws.random(70)
    train = np.concatenate(others)
    X_train = X[train]
    y_train = y[train]
    inner = folds_of(len(train), 4)

    robust = []
    for k, k_noise in product(ks, ks):
        classifier = RobustKNeighborsClassifier(k, noise_neighbors=k_noise, variant="gao")
        robust.append(classifier)
    plain = [KNeighborsClassifier(k) for k in ks]
    online = [AROWClassifier(r=1 / C) for C in rivals.C_GRID]

    for j, (p0, p1) in enumerate(protocol.FLIP_RATES):
        observed = LabelNoise(p0, p1).flip(y_train, v[train])
        truth = observed if scoring == "noisy" else y_train

        def score(classifier, points, labels, truth=truth):
            rows = [np.flatnonzero((X_train == point).all(axis=1))[0] for point in points]
            return np.mean(classifier.predict(points) == truth[rows])

        fitted = []
        for column, family in enumerate((robust, plain, online)):
            classifier = best_of(family, X_train, observed, cv=inner, scoring=score)
            fitted.append(classifier)
            accuracy = np.mean(classifier.predict(X[test]) == y[test])
            assert runs.accuracy[j, 0, column] == pytest.approx(accuracy)

        best_robust, best_plain, _ = fitted
        k, robust_k, k_noise = runs.picked[j, 0]
        assert k == best_plain.n_neighbors
        assert robust_k == best_robust.n_neighbors
        assert k_noise == best_robust.noise_neighbors
        assert runs.rates[j, 0] == pytest.approx(best_robust.noise_rates_)


def test_rivals_are_what_searches_of_scikit_learn_give():
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
    inner = folds_of(90, folds)

    def searched(classifier, y, **grid):
        return GridSearchCV(classifier, grid, cv=inner).fit(X, y)

    def fitted_with(rates, scored_on):
        """Of these flip rates: IR-KSVM, IR-LLog, LD-KSVM and UE-LLog."""
        gamma = searched(SVC(), scored_on, gamma=rivals.GAMMAS).best_params_["gamma"]
        told = {"noise_rates": rates}
        of_kernel = told | {"probability_estimator": kernel_logistic_regression(90)}
        return [
            ImportanceReweightedClassifier(SVC(), **of_kernel).fit(X, observed),
            ImportanceReweightedClassifier(LogisticRegression(), **of_kernel).fit(X, observed),
            LabelDependentCostsClassifier(SVC(gamma=gamma), **told).fit(X, observed),
            searched(UnbiasedLogisticRegression(**told), observed, C=rivals.C_GRID),
        ]

    fitted = []
    for pair in zip(fitted_with(true, clean), fitted_with(estimated, observed), strict=True):
        fitted += pair
    fitted.append(searched(AROWClassifier(), observed, r=[1 / C for C in rivals.C_GRID]))
    fitted.append(searched(NHERDClassifier(), observed, C=rivals.C_GRID))

    found = rivals.accuracies(tuple(rivals.RIVALS), [part], clean, X_test, y_test, folds)
    expected = [np.mean(each.predict(X_test) == y_test) for each in fitted]
    assert found.tolist() == [expected]


def test_the_most_frequent_label_is_predicted_where_a_rule_refuses_one_class():
    """A single label, or weights that are 0 but for one class: all of class 0 here, since 2 labels
    of 12 are flips.
    """
    rows = np.arange(12)
    X = rows[:, None].astype(float)

    def found(names, labels, rates, y_test):
        part = rivals.TrainingPart(X, labels, labels, rates, (0.0, 0.0))
        return rivals.accuracies(names, [part], labels, X, y_test, 4)[0].tolist()

    ones = np.ones(12, np.uint8)
    assert found(tuple(rivals.RIVALS), ones, (0.1, 0.2), rows % 2) == [0.5] * 10
    few = (rows > 9).astype(np.uint8)
    assert found(["IR-KSVM"], few, (0.9, 0), np.zeros(12))[0] == 1


def test_marks_are_those_of_a_paired_test():
    """t is 7.35 and 2.45; with three degrees of freedom it must exceed 3.18."""
    base = np.array([0.5, 0.6, 0.7, 0.55])
    near = np.array([0.02, 0.03, 0.03, 0.04])
    far = np.array([0.0, 0.02, 0.02, 0.04])
    gaps = (0, 0.125, -0.125, near, far, -near)
    marks = [paired_tests.mark(base, base + gap) for gap in gaps]
    assert marks == [*"-wlw-l"]


def test_the_bayesian_test_has_the_posterior_of_a_correlated_mean():
    """Student's t with 4 degrees of freedom; with nothing tested, it is the paired test."""
    base = np.array([0.5, 0.6, 0.7, 0.55, 0.6])
    gaps = np.array([0.02, 0.05, -0.01, 0.04, 0.03])
    scale = gaps.std(ddof=1) * np.sqrt(1 / 5 + 0.25 / 0.75)
    posterior = t(4, gaps.mean(), scale)
    better = base + gaps
    assert paired_tests.probability_better(base, better, 0.25) == pytest.approx(posterior.sf(0))
    frequentist = 1 - ttest_rel(better, base).pvalue / 2
    assert paired_tests.probability_better(base, better, 0) == pytest.approx(frequentist)
