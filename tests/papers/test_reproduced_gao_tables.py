"""Tables 2 to 4 of Gao et al.: the published values, and the protocol by hand and by scikit-learn."""

from itertools import product

import numpy as np
import pytest
from reference_implementations import reference
from refusals import refuses
from scipy.integrate import quad
from scipy.stats import ttest_rel
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, PredefinedSplit, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from knnviz import LabelNoise, NeighborTable, VoteProfile
from knnviz.estimators import (
    AROWClassifier,
    ImportanceReweightedClassifier,
    NHERDClassifier,
    RobustKNeighborsClassifier,
    UnbiasedLogisticRegression,
)
from knnviz.estimators.reweighted import kernel_logistic_regression
from knnviz.lessons import load, published
from knnviz.problems.data import Table
from knnviz.rules import Robust, Vote
from knnviz_papers import paired_tests
from knnviz_papers.gao import grid, protocol, rivals, tables

GRAIN = reference("gao_figure1")["grain_check"]


def held(name):
    return published("gao_tables")[name]


def test_published_values_are_complete():
    """Twenty sets under three settings of noise, and eight methods on each; estimated rates follow the true ones."""
    rows, accuracies = held("tables_1_and_4"), held("table_2")
    cells = [(row["data"], row["p1"], row["p0"]) for row in rows]
    assert len(set(cells)) == len(rows) == 60
    assert len({row["data"] for row in rows}) == 20
    assert {(row["p0"], row["p1"]) for row in rows} == set(protocol.FLIP_RATES)
    methods = ["RkNN", "IR-KSVM", "IR-LLog", "LD-KSVM", "UE-LLog", "AROW", "NHERD", "kNN"]
    found = [(row["data"], row["p1"], row["p0"], row["rule"]) for row in accuracies]
    assert found == [(*cell, method) for cell in cells for method in methods]
    assert all(0.5 < row["accuracy"] < 1 and 0 < row["sd"] <= 0.2 for row in accuracies)
    for row in rows:
        if row["p0"] != row["p1"]:
            assert (row["p1_hat"] > row["p0_hat"]) == (row["p1"] > row["p0"])


def test_published_marks_add_up_to_the_printed_counts():
    """Wins, ties and losses of RkNN against each of seven methods; a clear one follows the order of the means."""
    printed, rows = published("gao_tables")["win_tie_loss"], held("table_2")
    assert all(sum(counts) == 60 for table in printed.values() for counts in table.values())
    for method, counts in printed["table_2"].items():
        signs = [row["mark"].rstrip("?") for row in rows if row["rule"] == method]
        assert [signs.count(sign) for sign in ("w", "-", "l")] == counts, method
    best = {(row["data"], row["p1"]): row["accuracy"] for row in rows if row["rule"] == "RkNN"}
    for row in rows:
        gap = best[row["data"], row["p1"]] - row["accuracy"]
        assert (row["mark"] is None) == (row["rule"] == "RkNN")
        assert {"w": gap > 0, "l": gap < 0}.get((row["mark"] or "").rstrip("?"), True)
    doubtful = [row["rule"] for row in rows if "?" in (row["mark"] or "")]
    assert {method: doubtful.count(method) for method in sorted(set(doubtful))} == {
        "AROW": 1,
        "IR-KSVM": 6,
        "IR-LLog": 1,
        "NHERD": 4,
        "kNN": 2,
    }


@pytest.mark.parametrize("name", list(GRAIN))
def test_published_means_are_those_of_ten_test_folds(name):
    """How many of six accuracies are multiples of one in 10 ceil(n / 4), as rounded to four digits."""
    n = next(row["n"] for row in held("tables_1_and_4") if row["data"] == name)
    total = 10 * -(-n // 4)
    values = [row["accuracy"] for row in held("table_2") if row["data"] == name and row["rule"] in ("RkNN", "kNN")]
    hits = sum(abs(round(value * total) / total - value) < 5.0001e-5 for value in values)
    assert (total, hits, len(values)) == (GRAIN[name]["total_predictions"], GRAIN[name]["hits"], GRAIN[name]["of"])


def table_of(X, y, names=("a", "b")):
    X = np.array(X, float)
    return Table("tiny", X, np.array(y), tuple(f"x{i}" for i in range(X.shape[1])), names)


def test_features_are_scaled_and_classes_split():
    data = protocol.binary(table_of([[0, 5, 3], [10, 5, 4], [5, 5, 7]], [0, 1, 1]))
    order = np.random.default_rng(0).permutation(3)
    assert data.X.tolist() == np.array([[-1, 0, -1], [1, 0, -0.5], [0, 0, 1]])[order].tolist()
    assert (data.y.tolist(), data.ones) == (np.array([0, 1, 1])[order].tolist(), "b")
    names = ("a", "b", "c", "d", "e")
    for count, ones in ((4, 2), (5, 2), (3, 1)):
        splits = [protocol.binary(table_of(np.eye(5)[:count], range(count), names[:count]), seed) for seed in range(40)]
        assert {int(split.y.sum()) for split in splits} == {ones}
        for split in splits:
            # Row i of the table is the i-th unit vector, and of the i-th class.
            classes = np.sort(split.X[split.y == 1].argmax(axis=1))
            assert split.ones.split(" + ") == [names[i] for i in classes]
        assert len({split.ones for split in splits}) > 2


def test_two_clusters_by_hand():
    """Labels agree with clusters: no error until a ball must reach over, so that the smallest k and k' are picked."""
    X, y = np.repeat([[-1.0], [1.0]], 12, axis=0), np.repeat([0, 1], 12).astype(np.uint8)
    X[:, 0] += np.arange(24) / 1000
    order = np.random.default_rng(0).permutation(24)
    X = np.concatenate([X[order], [[-0.9], [0.9], [1.1]]])
    y = np.concatenate([y[order], [0, 1, 0]])
    train, test = np.arange(24), np.arange(24, 27)
    known = protocol.NoisyData(X, NeighborTable.build(X, None, 27), [y])
    picked = protocol._pick(known, train, [y], [3, 5], "gao")
    assert picked == [(3, Robust(k_noise=3, variant="gao"), 3)]
    accuracy, rates, numbers = protocol._test(known, train, picked, test, y[test])
    assert accuracy.tolist() == [[pytest.approx(2 / 3)] * 2]
    assert (np.array(rates, float).tolist(), numbers.tolist()) == ([[0, 0]], [[3, 3, 3]])
    # Scored on flipped labels, a rule that is always right is always wrong: all k are alike, and the first is taken.
    assert protocol._pick(known, train, [1 - y], [5, 3], "gao")[0].k_vote == 5


@pytest.mark.parametrize("variant", ["threshold", "gao"])
def test_errors_of_all_k_are_those_of_each_rule(variant):
    rng, ks = np.random.default_rng(3), [1, 4, 6, 20]
    X, queries, y, truth = rng.random((60, 2)), rng.random((30, 2)), rng.integers(0, 2, 60), rng.integers(0, 2, 30)
    train, table = NeighborTable.build(X, None, 21), NeighborTable.build(X, queries, 20)
    found, votes = grid.grid_errors(train, table, y, truth, ks, variant), VoteProfile.count(table, y, 2)
    rules = [Vote(), *(Robust(k_noise=each, variant=variant).fit(train, y, 1, 2) for each in ks)]
    assert found.tolist() == [[int((rule.predict(votes, k) != truth).sum()) for k in ks] for rule in rules]
    assert len({rule.threshold for rule in rules[1:]}) > 2


@pytest.mark.parametrize("scoring", ["noisy", "clean"])
def test_a_trial_is_what_scikit_learn_gives(scoring):
    """The same draws, a cross-validated grid of its classifier and of ours, a new fit, and a test on clean labels."""
    rng, ks = np.random.default_rng(1), [3, 5, 9]
    X = rng.random((70, 2))
    data = protocol.Binary("noise", X, (X[:, 0] + 0.3 * rng.random(70) > 0.65).astype(np.uint8), "1", "0")
    options = {"test_folds": 2, "scoring": scoring, "neighbors": ks, "rivals": ["AROW"], "variant": "gao", "seed": 7}
    runs = protocol.run_trial(data, protocol.neighbor_table(data, ks), 4, **options)
    assert runs.accuracy.shape == (3, 2, 3)
    draws = np.random.default_rng([7, 4])
    folds, v = np.array_split(draws.permutation(70), 4), draws.random(70)
    for i in range(2):
        train = np.concatenate([fold for j, fold in enumerate(folds) if j != i])
        inner = PredefinedSplit(np.repeat(range(4), [len(part) for part in np.array_split(train, 4)]))
        for j, (p0, p1) in enumerate(protocol.FLIP_RATES):
            observed = LabelNoise(p0, p1).flip(data.y[train], v[train])

            def score(classifier, points, labels, observed=observed, train=train):
                rows = [np.flatnonzero((data.X[train] == point).all(axis=1))[0] for point in points]
                return np.mean(classifier.predict(points) == (observed if scoring == "noisy" else data.y[train])[rows])

            plain = [KNeighborsClassifier(k) for k in ks]
            robust = [
                RobustKNeighborsClassifier(k, noise_neighbors=k_noise, variant="gao") for k, k_noise in product(ks, ks)
            ]
            for column, family in enumerate((robust, plain)):
                marks = [
                    cross_val_score(each, data.X[train], observed, cv=inner, scoring=score).mean() for each in family
                ]
                best = family[int(np.argmax(np.round(marks, 9)))].fit(data.X[train], observed)
                accuracy = np.mean(best.predict(data.X[folds[i]]) == data.y[folds[i]])
                assert runs.accuracy[j, i, column] == pytest.approx(accuracy)
                assert runs.picked[j, i, 1 - column] == best.n_neighbors
                if column == 0:
                    assert runs.rates[j, i] == pytest.approx(best.noise_rates_)
                    assert runs.picked[j, i, 2] == best.noise_neighbors
            arow = GridSearchCV(AROWClassifier(), {"r": [1 / C for C in rivals.C_GRID]}, cv=inner, scoring=score)
            best = arow.fit(data.X[train], observed).best_estimator_
            assert runs.accuracy[j, i, 2] == np.mean(best.predict(data.X[folds[i]]) == data.y[folds[i]])


def test_rivals_are_what_scikit_learn_gives():
    """Each by a search of its own; scored on labels of their own, which no rule is fitted to."""
    rng, folds = np.random.default_rng(2), 4
    X, X_test = rng.uniform(-1, 1, (90, 2)), rng.uniform(-1, 1, (60, 2))
    clean, y_test = ((points**2).sum(axis=1) < 0.7 for points in (X, X_test))
    clean, y_test = clean.astype(np.uint8), y_test.astype(np.uint8)
    v, true, estimated = rng.random(90), (0.1, 0.3), (0.05, 0.2)
    observed = LabelNoise(*true).flip(clean, v)
    part = rivals.TrainingPart(X, observed, observed, true, estimated)
    inner = PredefinedSplit(np.repeat(range(folds), [len(part) for part in np.array_split(np.arange(90), folds)]))

    def searched(classifier, y, **grid):
        return GridSearchCV(classifier, grid, cv=inner).fit(X, y)

    expected = []
    for p0, p1 in (true, estimated):
        c, theta = 1 - p0 - p1, (1 + p0 - p1) / 2
        P = kernel_logistic_regression(90).fit(X, observed).predict_proba(X)[np.arange(90), observed]
        weights = np.maximum(P - np.where(observed, p0, p1), 0) / (c * P)
        gamma = searched(SVC(), clean if (p0, p1) == true else observed, gamma=rivals.GAMMAS).best_params_["gamma"]
        costs = {0: 2 * theta, 1: 2 * (1 - theta)}
        unbiased = searched(UnbiasedLogisticRegression(noise_rates=(p0, p1)), observed, C=rivals.C_GRID)
        fitted = [
            SVC().fit(X, observed, sample_weight=weights),
            LogisticRegression().fit(X, observed, sample_weight=weights),
            SVC(gamma=gamma, class_weight=costs).fit(X, observed),
            unbiased.best_estimator_,
        ]
        expected.append([np.mean(each.predict(X_test) == y_test) for each in fitted])
    herd = searched(NHERDClassifier(), observed, C=rivals.C_GRID).best_estimator_
    arow = searched(AROWClassifier(), observed, r=[1 / C for C in rivals.C_GRID]).best_estimator_
    found = rivals.accuracies(tuple(rivals.RIVALS), [part], clean, X_test, y_test, folds)
    online = [np.mean(each.predict(X_test) == y_test) for each in (arow, herd)]
    assert found.tolist() == [[*np.array(expected).T.ravel(), *online]]
    assert [tuple(each) for each in rivals.columns(["LD-KSVM", "NHERD"])] == [
        ("RkNN", "estimated"),
        ("kNN", "none"),
        ("LD-KSVM", "true"),
        ("LD-KSVM", "estimated"),
        ("NHERD", "none"),
    ]


def test_the_most_frequent_label_is_predicted_where_a_rule_refuses_one_class():
    """A single label, or weights that are 0 but for one class: all of class 0 here, since 2 labels of 12 are flips."""
    X, ones, few = np.arange(12.0)[:, None], np.ones(12, np.uint8), (np.arange(12) > 9).astype(np.uint8)
    part = rivals.TrainingPart(X, ones, ones, (0.1, 0.2), (0.0, 0.0))
    found = rivals.accuracies(tuple(rivals.RIVALS), [part], ones, X, np.arange(12) % 2, 4)
    assert found.tolist() == [[0.5] * 10]
    one_class = ImportanceReweightedClassifier(SVC(), noise_rates=(0.9, 0))
    refuses("points of both classes must have weights above 0", one_class.fit, X, few)
    part = rivals.TrainingPart(X, few, few, (0.9, 0), (0.0, 0.0))
    assert rivals.accuracies(["IR-KSVM"], [part], few, X, np.zeros(12), 4)[0, 0] == 1


def test_marks_are_those_of_a_paired_test():
    base = np.array([0.5, 0.6, 0.7, 0.55])
    assert paired_tests.mark(base, base) == "-"
    assert [paired_tests.mark(base, base + gap) for gap in (0.125, -0.125)] == ["w", "l"]
    # t is 7.35 and 2.45; with three degrees of freedom it must exceed 3.18.
    near, far = np.array([0.02, 0.03, 0.03, 0.04]), np.array([0.0, 0.02, 0.02, 0.04])
    assert paired_tests.mark(base, base + near) == "w"
    assert paired_tests.mark(base + near, base) == "l"
    assert paired_tests.mark(base, base + far) == "-"


def test_the_bayesian_test_integrates_the_posterior():
    base, gaps = np.array([0.5, 0.6, 0.7, 0.55, 0.6]), np.array([0.02, 0.05, -0.01, 0.04, 0.03])
    spread, mean = gaps.std(ddof=1), gaps.mean()
    for tested in (0, 0.25, 0.5):
        scale = spread * np.sqrt(1 / 5 + tested / (1 - tested))

        def density(gap, scale=scale):
            # Student's t with 4 degrees of freedom.
            return 3 / 8 * (1 + ((gap - mean) / scale) ** 2 / 4) ** -2.5 / scale

        assert paired_tests.probability_better(base, base + gaps, tested) == pytest.approx(quad(density, 0, np.inf)[0])
    p_value = ttest_rel(base + gaps, base).pvalue
    assert paired_tests.probability_better(base, base + gaps, 0) == pytest.approx(1 - p_value / 2)
    assert [paired_tests.probability_better(base, base + gap, 0.25) for gap in (0.125, 0, -0.125)] == [1, 0.5, 0]
    assert [paired_tests.bayesian_mark(each) for each in (0.951, 0.949, 0.051, 0.049)] == ["w", "-", "-", "l"]


def test_one_set_is_the_same_alone_as_among_all():
    kept, found = load("gao_tables").results, tables.gao_tables(names=("iris",), rivals=())
    for name in ("sets", "rules", "rates"):
        wanted = [row for row in kept[name] if row["data"] == "iris" and row.get("rule", "kNN") in ("RkNN", "kNN")]
        for row, other in zip(found[name], wanted, strict=True):
            assert row == pytest.approx(other)
    assert [row["wins"] + row["ties"] + row["losses"] for row in found["counts"]] == [3] * 4


def kept_rules(**wanted):
    rows = load("gao_tables").results["rules"]
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def test_in_full_accuracies_are_those_of_ten_test_folds():
    rows = {row["data"]: row["n"] for row in load("gao_tables").results["sets"]}
    assert rows == {"breast_cancer": 569, "digits": 1797, "iris": 150, "wine": 178}
    found = kept_rules()
    assert len(found) == 4 * 3 * (12 + 2), "rivals are scored on noisy labels alone"
    for row in found:
        count = row["accuracy"] * 10 * -(-rows[row["data"]] // 4)
        assert count == pytest.approx(round(count), abs=0.02)


def test_in_full_estimates_are_small_and_clean_labels_never_pick_worse():
    rates = load("gao_tables").results["rates"]
    below = [row[f"{rate}_hat"] < row[rate] for row in rates for rate in ("p0", "p1")]
    # All but p1 of iris (150 rows), where it is .107 for .1.
    assert (below.count(True), len(below)) == (47, 48)
    means = [np.mean([row["accuracy"] for row in kept_rules(rule="RkNN", scoring=each)]) for each in ("clean", "noisy")]
    assert means[0] > means[1]


def test_in_full_counts_are_those_of_the_rows():
    for row in load("gao_tables").results["counts"]:
        mine = kept_rules(rule=row["rule"], rates=row["rates"], scoring=row["scoring"])
        bayesian = [paired_tests.bayesian_mark(each["better"]) for each in mine]
        signs = [each["mark"] for each in mine] if row["test"] == "t" else bayesian
        assert [signs.count(sign) for sign in ("w", "-", "l")] == [row["wins"], row["ties"], row["losses"]]
