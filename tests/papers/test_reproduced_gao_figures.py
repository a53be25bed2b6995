"""Figures 2 to 4 of Gao et al. on real sets: the protocol by hand, and what section 6.3 says beside what was found."""

from fractions import Fraction

import numpy as np
import pytest
from refusals import refuses

from knnviz.lessons import load
from knnviz.problems import bundled
from knnviz_papers.gao import figures_2_to_4, protocol

HALF = Fraction(1, 2)


def nearest(X, train, x):
    """Training rows, ascending, sorted by (distance, index)."""
    return train[np.argsort(((X[train] - x) ** 2).sum(axis=1), kind="stable")]


def by_hand(data, trial, seed, point, p0, p1):
    """Accuracies of RkNN and of kNN in one trial: Algorithm 1 as printed, in plain loops and whole fractions."""
    n, k, k_noise = point
    rng = np.random.default_rng([seed, trial])
    order, v = rng.permutation(len(data.y)), rng.random(len(data.y))
    size = -(-len(data.y) // 4)
    test, train = order[:size], np.sort(order[size : size + n])
    labels = [int(y) ^ int(u < (p1 if y else p0)) for y, u in zip(data.y, v, strict=True)]
    smoothed = []
    for i in train:
        others = [j for j in nearest(data.X, train, data.X[i]) if j != i][:k_noise]
        smoothed.append(Fraction(labels[i] + sum(labels[j] for j in others), k_noise + 1))
    low, high = min(smoothed), 1 - max(smoothed)
    right = np.zeros(2)
    for i in test:
        gap = Fraction(sum(labels[j] for j in nearest(data.X, train, data.X[i])[:k]), k) - HALF
        plain = robust = int(gap >= 0)
        if low > high and 0 < gap < (low - high) / 2:
            robust = 0
        if low < high and (low - high) / 2 < gap < 0:
            robust = 1
        right += (robust == data.y[i], plain == data.y[i])
    return right / len(test)


@pytest.mark.parametrize(
    ("figure", "varied", "points"),
    [
        ("gao_figure_2", {"ks": (4, 25), "k_noise": 30}, [(112, 4, 30), (112, 25, 30)]),
        ("gao_figure_3", {"noise_neighbors": (5, 60), "k": 15}, [(112, 15, 5), (112, 15, 60)]),
        ("gao_figure_4", {"fractions": (0.2, 0.5)}, [(22, 5, 10), (56, 7, 14)]),
    ],
)
def test_a_figure_is_what_plain_loops_give(figure, varied, points):
    """iris: 150 rows, many of them equally far, of which 112 are trained on and 38 tested."""
    rows = getattr(figures_2_to_4, figure)(names=("iris",), trials=2, seed=3, **varied)["accuracy"]
    data = protocol.binary(bundled("iris", "pca").table, 3)
    places = [(rates, point) for rates in protocol.FLIP_RATES for point in points]
    differ = False
    for row, ((p0, p1), point) in zip(rows, places, strict=True):
        assert (row["p0"], row["p1"], row["n"], row["k"], row["k_noise"]) == (p0, p1, *point)
        (robust, plain), (second, other) = (by_hand(data, trial, 3, point, p0, p1) for trial in (0, 1))
        assert (row["rknn"], row["knn"]) == pytest.approx(((robust + second) / 2, (plain + other) / 2), abs=1e-5)
        # Two values lie their standard error away from their mean.
        assert (row["rknn_se"], row["knn_se"]) == pytest.approx(
            (abs(robust - second) / 2, abs(plain - other) / 2), abs=1e-5
        )
        differ |= row["rknn"] != row["knn"]
    assert differ


def test_a_trial_is_that_of_the_tables():
    """Where the protocol has one value to pick from, it tests the same rules on the same fold."""
    data = protocol.binary(bundled("wine", "pca").table)
    table = protocol.neighbor_table(data, [20])
    runs = [protocol.run_trial(data, table, trial, neighbors=[20], rivals=()).accuracy[:, 0] for trial in (0, 1)]
    rows = figures_2_to_4.gao_figure_2(names=("wine",), ks=(20,), k_noise=20, trials=2)["accuracy"]
    assert [(row["rknn"], row["knn"]) for row in rows] == [pytest.approx(pair, rel=1e-5) for pair in np.mean(runs, 0)]


def curves(name, over):
    """Accuracies of RkNN by what they are drawn over, in order, for each set and p1."""
    found = {}
    for row in load(name).results["accuracy"]:
        found.setdefault((row["data"], row["p1"]), {})[row[over]] = row["rknn"]
    assert len(found) == 12
    return found


def spread(curve, least):
    values = [value for place, value in curve.items() if place >= least]
    return max(values) - min(values)


LARGE, SYMMETRIC = ("breast_cancer", "digits"), 0.4


def test_in_full_k_matters_from_10_on_if_noise_is_high_or_rows_are_few():
    """Not sensitive to k from 10 on: so on the two larger sets under asymmetric noise, not else; 0.03 is our bound.

    That k should not be smaller, and larger on larger sets and at more noise, is so.
    """
    found = curves("gao_figure_2", "k")
    flat = {place for place, curve in found.items() if spread(curve, 10) < 0.03}
    assert flat == {(name, p1) for name in LARGE for p1 in (0.1, 0.3)}
    assert max(spread(curve, 10) for curve in found.values()) > 0.2
    best = {place: max(curve, key=curve.get) for place, curve in found.items()}
    assert min(best.values()) > 10
    for name in figures_2_to_4.SETS:
        assert best[name, SYMMETRIC] >= max(best[name, 0.1], best[name, 0.3])
    assert {name for name in figures_2_to_4.SETS if best[name, SYMMETRIC] > 80} == set(LARGE)


def test_in_full_a_large_noise_parameter_pays_on_the_larger_sets_only():
    """k' not below 20, and a wide range to 100: so on the two larger sets under asymmetric noise, by 0.012 at most.

    Under symmetric noise the smallest k' is best there, at which RkNN is kNN. On 112 and 133 training rows k' = 70
    costs 0.02 or more.
    """
    for (name, p1), curve in curves("gao_figure_3", "k_noise").items():
        below, above = ([value for k, value in curve.items() if (k < 20) == low] for low in (True, False))
        assert (min(above) > max(below)) == (name in LARGE and p1 != SYMMETRIC)
        assert (max(above) - min(above) < 0.01) == (name in LARGE)
        assert max(above) - max(below) < 0.0125
        if name in LARGE and p1 == SYMMETRIC:
            assert curve[1] == max(curve.values())
        if name not in LARGE:
            assert curve[70] < max(curve.values()) - 0.02
    for row in load("gao_figure_3").results["accuracy"]:
        if row["k_noise"] == 1:
            assert row["rknn"] == row["knn"]


def test_in_full_accuracy_grows_with_the_sample_and_slows_down():
    """Stable and convergent: each curve ends above its start, and gains less from the second half of the range.

    At symmetric rates it is not there yet: on digits and wine the second half still gives 0.03 and 0.06.
    """
    late = {}
    for place, curve in curves("gao_figure_4", "n").items():
        first, *_, last = values = list(curve.values())
        middle = values[len(values) // 2]
        late[place] = last - middle
        assert last > first + 0.02
        assert last - middle < middle - first
    assert late["digits", SYMMETRIC] > 0.03
    assert late["wine", SYMMETRIC] > 0.06
    assert {place for place, gain in late.items() if gain < 0} == {("breast_cancer", SYMMETRIC)}


def test_in_full_the_correction_pays_where_class_1_flips_more():
    """The best of the rest of Figure 4, all rows: RkNN is above kNN by two standard errors at (0.3, 0.1) only."""
    signs = {}
    for row in load("gao_figure_4").results["accuracy"]:
        gap, error = row["rknn"] - row["knn"], 2 * max(row["rknn_se"], row["knn_se"])
        signs[row["data"], row["p1"]] = "w" if gap > error else "l" if gap < -error else "-"
    wins = {place for place, sign in signs.items() if sign == "w"}
    assert wins == {(name, 0.3) for name in figures_2_to_4.SETS}
    assert "l" not in signs.values()


def test_refusals():
    refuses("fraction must be between 0 and 1, got 1.5", figures_2_to_4.gao_figure_4, fractions=(1.5,))
    refuses("k must be between 1 and 112, got 113", figures_2_to_4.gao_figure_2, names=("iris",), ks=(113,))
    refuses(
        "k' must be between 1 and 111, got 112", figures_2_to_4.gao_figure_3, names=("iris",), noise_neighbors=(112,)
    )
