"""Runs of Errandonea et al., once more in plain code where they have mathematics of their own."""

from math import log, sqrt

import numpy as np
import pytest
from reference_implementations import eliminated
from scipy.stats import ttest_rel
from sklearn.datasets import load_digits

from knnviz.bags import BagProcess
from knnviz.learnability import LINEAR_METHODS, Linear
from knnviz.learnability.comparison import BagSplit, compare_rules
from knnviz.problems import from_bags
from knnviz.profiles import BallProfile
from knnviz.rules import Adaptive, PartialAdaptive
from knnviz_papers.errandonea import line, linear, promises, rate
from knnviz_papers.errandonea.comparison import compare_on_bags


def test_rows_of_rules_on_bags_are_those_of_their_comparison():
    """Paired with PL A-kNN; the last class has no point, and a bag in ten lacks its label."""
    rng = np.random.default_rng(1)
    y = np.arange(140) % 3
    noises = (0.0, 0.4)
    X = rng.normal(size=(140, 5)) + 1.2 * np.eye(5)[y]
    S = (rng.random((140, 4)) < 0.3) | (np.eye(4, dtype=bool)[y] & (rng.random((140, 1)) < 0.9))
    rules = {
        "PL A-kNN": PartialAdaptive(0.5, 0.1, 50),
        "A-kNN": Adaptive(0.5, 0.1, 50),
        "CLPL": LINEAR_METHODS["CLPL"],
    }
    options = {
        "splits": 3,
        "seed": 3,
        "k_max": 100,
        "bags": S,
        "preparation": "tabular",
        "kind": "removal",
    }
    *_, run = compare_rules(X, y, rules, noises, **options)
    *_, last = compare_on_bags(
        from_bags(X, S, y, name="clouds"), 3, 3, noises=noises, rivals=("CLPL",)
    )
    rows = {(row["rule"], row["nu"]): row for row in last}
    for j, nu in enumerate(noises):
        best = int(np.argmin(np.round(run.vote_errors[:, j].mean(axis=0), 9))) + 1
        errors = dict(zip(rules, run.errors[:, j].T, strict=True))
        errors |= {"10-NN": run.vote_errors[:, j, 9], "best k": run.vote_errors[:, j, best - 1]}
        first = errors["PL A-kNN"]
        for rule, own in errors.items():
            row = rows[rule, nu]
            assert (row["error"], row["above"]) == pytest.approx((own.mean(), (own - first).mean()))
            assert row["error_se"] == pytest.approx(own.std(ddof=1) / sqrt(3))
            assert row["above_se"] == pytest.approx((own - first).std(ddof=1) / sqrt(3), abs=1e-12)
            if np.ptp(own - first) > 1e-9:
                sure = ttest_rel(own, first).pvalue < 0.05
                assert row["mark"] == (("w" if own.mean() > first.mean() else "l") if sure else "-")
        assert [rows[rule, nu]["k"] for rule in ("best k", "10-NN", "CLPL")] == [best, 10, None]
        balls = rows["PL A-kNN", nu]["k"], rows["PL A-kNN", nu]["decided"]
        assert balls == (run.stop_k[:, j, 0].mean(), run.decided[:, j, 0].mean())


def test_a_tuned_rival_is_that_of_a_plain_loop(monkeypatch):
    """CLPL on two splits of the digits, picked by the bags of the last fifth of the training
    points.
    """
    rival = LINEAR_METHODS["CLPL"]
    errors = []
    monkeypatch.setattr(linear, "LINEAR_METHODS", {"CLPL": rival})
    for stream in np.random.SeedSequence(0).spawn(2):
        split = BagSplit.draw(*load_digits(return_X_y=True), stream)
        bags = split.bags(0.3)
        kept_in = len(split.X) - round(0.2 * len(split.X))
        hits = {}
        for rule in (
            Linear(rival.loss, step, alpha=alpha)
            for step in (0.005, 0.05)
            for alpha in (1e-4, 1e-2, 1e-1)
        ):
            predicted = rule.labels(split.X[:kept_in], bags[:kept_in], split.X[kept_in:])
            hits[rule] = sum(
                bag[label] for bag, label in zip(bags[kept_in:], predicted, strict=True)
            )
        errors.append(
            np.mean(max(hits, key=hits.get).labels(split.X, bags, split.X_test) != split.y_test)
        )
    (row,) = linear.errandonea_linear_tuned((0.3,), 2)["tuned"]
    assert row["value"] == pytest.approx(np.mean(errors))


def test_misaligned_bags_are_those_of_their_constants():
    problems = line.bag_problems()
    X = np.array([[0.1], [0.2999], [0.3001]])
    eta = np.array([[0.5, 0.4, 0.1]] * 3)
    frequency = problems["misaligned"].process.frequency(X, eta)
    assert frequency == pytest.approx(np.array([[0.55, 0.94, 0.19]] * 2 + [[0.7, 0.64, 0.46]]))
    assert (problems["misaligned"].limit, problems["aligned"].limit) == (
        pytest.approx(0.1 * 0.3),
        0,
    )


def test_what_is_wrong_and_eliminated_on_a_sample():
    rule = promises.PartialAdaptive(0.5, 0.1, 30, vc_dimension=2)
    points = np.array([[0.1], [0.34], [0.9]])
    wrong = promises.wrong_points(rule, 60, points, np.random.default_rng([5]))
    table, bags = promises.neighbors_and_bags(60, points, np.random.default_rng([5]))
    band = 0.5 * sqrt(2 * log(60) + log(30))
    labels = [eliminated(bags[row], band)[0] for row in table.indices]
    assert wrong.tolist() == [label != best for label, best in zip(labels, (0, 1, 2), strict=True)]
    gone = promises.eliminated_at(
        promises.PartialAdaptive(0.5, 0.1, 500), np.random.default_rng([5])
    )
    table, bags = promises.neighbors_and_bags(1000, promises.POINT, np.random.default_rng([5]))
    for label, k in enumerate(gone):
        for at in {int(k) - 1, int(k)} if np.isfinite(k) else {500}:
            left = eliminated(bags[table.indices[0, :at]], 0.5 * sqrt(log(1000) + log(30)))[2]
            assert (label in left) == (at < k)


def test_the_kinked_line_has_the_smoothness_and_the_margin_of_its_constants():
    """In all balls around points of the line frequencies are off by L times the mass at most, and
    somewhere by it.
    """
    measure, eta = rate.kinked().cells(800)
    frequency = BagProcess.even_inclusion(2, rate.INCLUSION).frequency(measure.points, eta)
    around = BallProfile.integrate(measure, frequency, masses=(np.arange(1, 801) / 800).tolist())
    off = abs(around.frequency[1:] - around.frequency[:1]).max(axis=1) / around.masses[1:, None]
    assert 0.99 * rate.L < off.max() <= rate.L * (1 + 1e-3)
    lead = abs(frequency[:, 0] - frequency[:, 1])
    held = [np.mean(lead <= t) / t for t in np.linspace(0.05, 1, 200)]
    assert 0.98 * rate.C2 < max(held) <= rate.C2 * (1 + 1e-9)
