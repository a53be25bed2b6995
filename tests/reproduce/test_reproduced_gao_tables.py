"""Tables 2 and 4 of Gao et al.: the published values, and the protocol by hand and by scikit-learn."""

from itertools import product

import numpy as np
import pytest
from reference_implementations import reference
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from knnviz import LabelNoise, NeighborTable, VoteProfile, reproduce
from knnviz.estimators import RobustKNeighborsClassifier
from knnviz.problems.data import Table
from knnviz.reproduce.gao import grid, protocol, tables
from knnviz.reproduce.registry import records
from knnviz.rules import Robust, Vote

GRAIN = reference("gao_figure1")["grain_check"]


def held(name):
    return records(reproduce.published("gao_tables")[name])


def test_published_values_are_complete():
    """Twenty sets under three settings of noise, and eight methods on each; estimated rates follow the true ones."""
    rows, accuracies = held("tables_1_and_4"), held("table_2")
    cells = [(row["data"], row["p1"], row["p0"]) for row in rows]
    assert len(set(cells)) == len(rows) == 60
    assert len({row["data"] for row in rows}) == 20
    assert {(row["p0"], row["p1"]) for row in rows} == set(protocol.SETTINGS)
    methods = ["RkNN", "IR-KSVM", "IR-LLog", "LD-KSVM", "UE-LLog", "AROW", "NHERD", "kNN"]
    found = [(row["data"], row["p1"], row["p0"], row["rule"]) for row in accuracies]
    assert found == [(*cell, method) for cell in cells for method in methods]
    assert all(0.5 < row["accuracy"] < 1 and 0 < row["sd"] <= 0.2 for row in accuracies)
    for row in rows:
        if row["p0"] != row["p1"]:
            assert (row["p1_hat"] > row["p0_hat"]) == (row["p1"] > row["p0"])


def test_published_marks_add_up_to_the_printed_counts():
    """Wins, ties and losses of RkNN against each of seven methods; a clear one follows the order of the means."""
    printed, rows = reproduce.published("gao_tables")["win_tie_loss"], held("table_2")
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
    known = protocol.Known(X, NeighborTable.build(X, None, 27), [y])
    picked = protocol._picked(known, train, [y], [3, 5], "gao")
    assert picked == [(3, Robust(k_noise=3, variant="gao"), 3)]
    accuracy, rates, numbers = protocol._tested(known, train, picked, test, y[test])
    assert accuracy.tolist() == [[pytest.approx(2 / 3)] * 2]
    assert (rates.tolist(), numbers.tolist()) == ([[0, 0]], [[3, 3, 3]])
    # Scored on flipped labels, a rule that is always right is always wrong: all k are alike, and the first is taken.
    assert protocol._picked(known, train, [1 - y], [5, 3], "gao")[0].k_vote == 5


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
    rng, grid = np.random.default_rng(1), [3, 5, 9]
    X = rng.random((70, 2))
    data = protocol.Binary("noise", X, (X[:, 0] + 0.3 * rng.random(70) > 0.65).astype(np.uint8), "1", "0")
    runs = protocol.compare(
        data, protocol.search(data, grid), 4, test_folds=2, scoring=scoring, neighbors=grid, variant="gao", seed=7
    )
    draws = np.random.default_rng([7, 4])
    folds, v = np.array_split(draws.permutation(70), 4), draws.random(70)
    for i in range(2):
        train = np.concatenate([fold for j, fold in enumerate(folds) if j != i])
        inner = PredefinedSplit(np.repeat(range(4), [len(part) for part in np.array_split(train, 4)]))
        for j, (p0, p1) in enumerate(protocol.SETTINGS):
            observed = LabelNoise(p0, p1).flip(data.y[train], v[train])

            def score(classifier, points, labels, observed=observed, train=train):
                rows = [np.flatnonzero((data.X[train] == point).all(axis=1))[0] for point in points]
                return np.mean(classifier.predict(points) == (observed if scoring == "noisy" else data.y[train])[rows])

            plain = [KNeighborsClassifier(k) for k in grid]
            robust = [
                RobustKNeighborsClassifier(k, noise_neighbors=k_noise, variant="gao")
                for k, k_noise in product(grid, grid)
            ]
            for column, family in enumerate((plain, robust)):
                marks = [
                    cross_val_score(each, data.X[train], observed, cv=inner, scoring=score).mean() for each in family
                ]
                best = family[int(np.argmax(np.round(marks, 9)))].fit(data.X[train], observed)
                accuracy = np.mean(best.predict(data.X[folds[i]]) == data.y[folds[i]])
                assert runs.accuracy[j, i, column] == pytest.approx(accuracy)
                assert runs.picked[j, i, column] == best.n_neighbors
            assert runs.rates[j, i] == pytest.approx(best.noise_rates_)
            assert runs.picked[j, i, 2] == best.noise_neighbors


def test_marks_are_those_of_a_paired_test():
    base = np.array([0.5, 0.6, 0.7, 0.55])
    assert tables.mark(base, base) == "-"
    assert [tables.mark(base, base + gap) for gap in (0.125, -0.125)] == ["w", "l"]
    # t is 7.35 and 2.45; with three degrees of freedom it must exceed 3.18.
    near, far = np.array([0.02, 0.03, 0.03, 0.04]), np.array([0.0, 0.02, 0.02, 0.04])
    assert tables.mark(base, base + near) == "w"
    assert tables.mark(base + near, base) == "l"
    assert tables.mark(base, base + far) == "-"


def test_one_set_is_the_same_alone_as_among_all():
    kept, found = reproduce.load("gao_tables").results, tables.gao_tables(names=("iris",))
    for name in ("sets", "accuracy", "rates"):
        for row, wanted in zip(found[name], (row for row in kept[name] if row["data"] == "iris"), strict=True):
            assert row == pytest.approx(wanted)
    assert [row["wins"] + row["ties"] + row["losses"] for row in found["marks"]] == [3, 3]


def test_in_full_accuracies_are_those_of_ten_test_folds():
    results = reproduce.load("gao_tables").results
    rows = {row["data"]: row["n"] for row in results["sets"]}
    assert rows == {"breast_cancer": 569, "digits": 1797, "iris": 150, "wine": 178}
    for row in results["accuracy"]:
        for method in ("rknn", "knn"):
            count = row[method] * 10 * -(-rows[row["data"]] // 4)
            assert count == pytest.approx(round(count), abs=0.02)


def test_in_full_estimates_are_small_and_clean_labels_never_pick_worse():
    results = reproduce.load("gao_tables").results
    below = [row[f"{rate}_hat"] < row[rate] for row in results["rates"] for rate in ("p0", "p1")]
    # All but p1 of iris (150 rows), where it is .107 for .1.
    assert (below.count(True), len(below)) == (47, 48)
    mean = {
        scoring: np.mean([row["rknn"] for row in results["accuracy"] if row["scoring"] == scoring])
        for scoring in ("noisy", "clean")
    }
    assert mean["clean"] > mean["noisy"]
