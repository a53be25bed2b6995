"""The protocol of Errandonea et al. for real data, on bags of a reader's own: once more in plain code."""

from math import log, sqrt

import numpy as np
import pytest
from reference_implementations import eliminated, sorted_neighbors, stood_out
from scipy.stats import ttest_rel
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from knnviz.corruption import BagDraws
from knnviz.estimators import LinearPartialLabelClassifier
from knnviz.preprocessing import tabular_pipeline
from knnviz.problems import from_bags
from knnviz_papers.errandonea.comparison import compare_on_bags

N, NOISES, SEED = 140, (0.0, 0.4), 3


def made():
    """Four clouds, of which the last class has no point; a bag in ten lacks its label."""
    rng = np.random.default_rng(1)
    y = np.arange(N) % 3
    X = rng.normal(size=(N, 5)) + 1.2 * np.eye(5)[y]
    S = (rng.random((N, 4)) < 0.3) | (np.eye(4, dtype=bool)[y] & (rng.random((N, 1)) < 0.9))
    return from_bags(X, S, y, name="clouds")


def plainly(data, number):
    """Errors by rule and noise of one trial, and how far the balls of PL A-kNN grow."""
    rng = np.random.default_rng(np.random.SeedSequence(SEED).spawn(number + 1)[number])
    state = int(rng.integers(2**31))
    train, test = train_test_split(np.arange(N), test_size=0.2, random_state=state)
    draws, n = BagDraws.of(len(train), 4, rng), len(train)
    pipeline = tabular_pipeline().fit(data.X[train])
    known = tabular_pipeline().fit_transform(data.X[train])
    near = sorted_neighbors(known, pipeline.transform(data.X[test]), 100)[0]
    width, truth, found, grown = 0.5 * sqrt(log(n) + log(4 / 0.1)), data.y[test], {}, {}
    for nu in NOISES:
        bags = data.S[train].copy()
        for row in range(n):
            if draws.noise[row] < nu:
                bags[row, data.y[train][row]] = False
        walks = [eliminated(bags[row[:50]], width) for row in near]
        linear = make_pipeline(StandardScaler(), LinearPartialLabelClassifier("clpl")).fit(data.X[train], bags)
        labels = {
            "PL A-kNN": [walk[0] for walk in walks],
            "A-kNN": [stood_out(bags[row[:50]], width, 1 / 4)[0] for row in near],
            "10-NN": [bags[row[:10]].sum(axis=0).argmax() for row in near],
            "CLPL": linear.predict(data.X[test]),
        }
        labels |= {k: [bags[row[:k]].sum(axis=0).argmax() for row in near] for k in range(1, 101)}
        for rule, each in labels.items():
            found[rule, nu] = np.mean(np.array(each) != truth)
        grown[nu] = np.mean([walk[1] for walk in walks]), np.mean([len(walk[2]) == 1 for walk in walks])
    return found, grown


def test_rows_are_those_of_plain_code():
    data = made()
    *_, last = compare_on_bags(data, 3, SEED, noises=NOISES, rivals=("CLPL",))
    rows = {(row["rule"], row["nu"]): row for row in last}
    found, grown = zip(*(plainly(data, number) for number in range(3)), strict=True)
    assert {rule for rule, _ in rows} == {"PL A-kNN", "A-kNN", "10-NN", "best k", "CLPL"}
    for nu in NOISES:
        means = [np.mean([each[k, nu] for each in found]) for k in range(1, 101)]
        best = int(np.argmin(np.round(means, 9))) + 1
        first = np.array([each["PL A-kNN", nu] for each in found])
        for rule in ("PL A-kNN", "A-kNN", "10-NN", "best k", "CLPL"):
            own, row = np.array([each[best if rule == "best k" else rule, nu] for each in found]), rows[rule, nu]
            assert row["error"] == pytest.approx(own.mean())
            assert row["error_se"] == pytest.approx(own.std(ddof=1) / sqrt(3))
            assert row["above"] == pytest.approx((own - first).mean())
            assert row["above_se"] == pytest.approx((own - first).std(ddof=1) / sqrt(3), abs=1e-12)
            if np.ptp(own - first) > 1e-9:
                sure = ttest_rel(own, first).pvalue < 0.05
                assert row["mark"] == (("w" if own.mean() > first.mean() else "l") if sure else "-")
        assert rows["best k", nu]["k"] == best
        assert rows["10-NN", nu]["k"] == 10
        assert rows["CLPL", nu]["k"] is None
        assert rows["PL A-kNN", nu]["k"] == pytest.approx(np.mean([each[nu][0] for each in grown]))
        assert rows["PL A-kNN", nu]["decided"] == pytest.approx(np.mean([each[nu][1] for each in grown]))
    settings = {"data": "clouds", "kind": "removal", "seed": SEED, "trials": 3}
    assert settings.items() <= rows["10-NN", 0.4].items()
