"""The protocol of Errandonea et al. for real data, on bags of a reader's own: once more in plain code."""

import json
from math import ceil, log, sqrt

import numpy as np
import pytest
from reference_implementations import eliminated, sorted_neighbors, stood_out
from refusals import refuses
from scipy.stats import ttest_rel
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from knnviz.corruption import BagDraws
from knnviz.estimators import LinearPartialLabelClassifier
from knnviz.preprocessing import tabular_pipeline
from knnviz.problems import BagTable
from knnviz.problems.data import Table
from knnviz_papers.errandonea.comparison import ErrandoneaComparison

N, NOISES, SEED = 140, (0.0, 0.4), 3
FEW = ErrandoneaComparison(NOISES, rivals=("CLPL",), seed=SEED)


def made(n=N, name="clouds"):
    """Four clouds, of which the last class has no point; a bag in ten lacks its label."""
    rng = np.random.default_rng(1)
    y = np.arange(n) % 3
    X = rng.normal(size=(n, 5)) + 1.2 * np.eye(5)[y]
    S = (rng.random((n, 4)) < 0.3) | (np.eye(4, dtype=bool)[y] & (rng.random((n, 1)) < 0.9))
    return BagTable.of(X, S, y, name)


@pytest.fixture(scope="module")
def data():
    return FEW.read(made())


@pytest.fixture(scope="module")
def trials(data):
    return json.loads(json.dumps([FEW.trial(data, FEW.prepare(data, False), number) for number in range(3)]))


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


def test_rows_are_those_of_plain_code(data, trials):
    rows = {(row["rule"], row["nu"]): row for row in FEW.rows(data, trials)}
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
    settings = {"data": "clouds", "kind": "removal", "most": 50, "seed": SEED, "trials": 3}
    assert settings.items() <= rows["10-NN", 0.4].items()


def test_what_is_printed(data, trials):
    assert FEW.describe(data) == "140 rows, 5 features, 4 classes"
    assert "takes the true label out of its bag" in FEW.heading()
    rows = FEW.rows(data, trials)
    errors, balls = FEW.tables(rows).values()
    assert [list(row) for row in errors] == [["rule", "nu=0", "nu=0.4"]] * 5
    assert [row["rule"] for row in errors] == ["PL A-kNN", "A-kNN", "10-NN", "best k", "CLPL"]
    assert [row["rule"] for row in balls] == ["PL A-kNN", "A-kNN", "best k"]
    row = next(row for row in rows if (row["rule"], row["nu"]) == ("10-NN", 0.4))
    assert errors[2]["nu=0.4"] == f"{row['error']:.3f} {row['mark']}"
    lines = FEW.summary(rows + rows).splitlines()
    assert [line.split("  ")[1] for line in lines[1:]] == ["A-kNN", "10-NN", "best k", "CLPL"]
    assert all(sum(map(int, line.split()[-1].split("/"))) == 4 for line in lines[1:])


@pytest.mark.parametrize(("kind", "does"), [("confusion", "drawn from all"), ("other", "another label")])
def test_labels_may_be_replaced_too(data, kind, does):
    other = ErrandoneaComparison((0.0, 0.9), kind=kind, rivals=(), seed=SEED)
    assert does in other.heading()
    trials = [other.trial(data, None, number) for number in range(2)]
    kept = ErrandoneaComparison((0.0, 0.9), rivals=(), seed=SEED)
    for ours, theirs in zip(trials, (kept.trial(data, None, number) for number in range(2)), strict=True):
        assert ours["by_k"][0] == theirs["by_k"][0], "without noise they are alike"
        assert ours["by_k"][1] != theirs["by_k"][1]
    assert all(row["rule"] != "CLPL" for row in other.rows(data, trials))


def test_a_larger_t_leaves_fewer_balls_undecided(data):
    wide, narrow = (ErrandoneaComparison((0.4,), most=most, rivals=()).trial(data, None, 0) for most in (100, 10))
    assert wide["by_k"] == narrow["by_k"]
    assert narrow["stops"][0][0] <= 10 < wide["stops"][0][0]
    assert narrow["decided"][0][0] < wide["decided"][0][0]


def test_bags_in_an_archive(tmp_path, data):
    path = tmp_path / "clouds.npz"
    np.savez(path, X=data.X, S=data.S, y=data.y)
    held = ErrandoneaComparison.open(path)
    assert (held.checksum, held.name) == (data.checksum, "clouds")
    assert FEW.read(held) is held
    alone = ErrandoneaComparison((0.0,), rivals=())
    assert alone.trial(held, None, 1) == alone.trial(data, None, 1)


def test_what_is_refused():
    least = next(n for n in range(100, 200) if n - ceil(n / 5) > 100)
    assert FEW.read(made(least)).n_classes == 4
    sentence = "^small has too few rows: 100 to train on cannot have 100 others$"
    refuses(sentence, FEW.read, made(least - 1, "small"))
    refuses("rivals are CLPL, PRODEN, .*, got 'SVM'", ErrandoneaComparison, rivals=("CLPL", "SVM"))
    refuses("kind must be", ErrandoneaComparison, kind="swap")
    refuses("each of noises must be between 0 and 1, got 1.2", ErrandoneaComparison, (0.0, 1.2))
    refuses("noises must be one or more different numbers", ErrandoneaComparison, (0.1, 0.1))
    refuses("noises must be one or more different numbers", ErrandoneaComparison, ())
    refuses("most must be between 1 and 100, got 101", ErrandoneaComparison, most=101)
    refuses("seed must be at least 0, got -1", ErrandoneaComparison, seed=-1)


def test_settings_are_as_json_holds_them_and_a_table_without_bags_is_refused():
    protocol = ErrandoneaComparison(np.array([0.0, 0.5]), rivals=["CLPL"])
    assert (protocol.noises, protocol.rivals) == ((0.0, 0.5), ("CLPL",))
    table = Table("plain", np.eye(200), np.arange(200) % 2, ("x",) * 200, ("a", "b"))
    refuses("plain holds no bags", protocol.read, table)
