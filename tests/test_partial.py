"""Rules on bags that grow noisier: each number against plain code, and what stays the same at every noise."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from knnviz.learnability import CLPL, LWS, Linear
from knnviz.learnability.comparison import Comparison, Split, compare, outcome, vote_errors
from knnviz.neighbors import NeighborTable
from knnviz.rules import Adaptive, PartialAdaptive

X, Y = load_iris(return_X_y=True)
RULES = {"PL": PartialAdaptive(max_neighbors=20), "A": Adaptive(max_neighbors=20, baseline="bag_size")}


@pytest.fixture(scope="module")
def runs():
    return list(compare(X, Y, RULES, [0.0, 0.4], splits=3, seed=5, k_max=20, preparation="raw"))


def test_the_comparison_fills_in(runs):
    assert [run.done for run in runs] == [1, 2, 3, 4, 5, 6]
    assert runs[0].pieces == 6
    assert np.isnan(runs[0].mean("errors", "PL")[1])
    assert np.isfinite(runs[0].mean("errors", "PL")[0])
    for before, after in pairwise(runs):
        known = np.isfinite(before.errors)
        assert (before.errors[known] == after.errors[known]).all()


def test_every_number_is_that_of_plain_code(runs):
    split = Split.of(X, Y, np.random.SeedSequence(5).spawn(3)[1], k_max=20, preparation="raw")
    for j, noise in enumerate((0.0, 0.4)):
        bags = split.bags(noise)
        for r, rule in enumerate(RULES.values()):
            scan = rule.scan(split.table, bags, 3)
            assert runs[-1].errors[1, j, r] == np.mean(scan.labels != split.y_test)
            assert runs[-1].stop_k[1, j, r] == scan.stop_k.mean()
            assert runs[-1].decided[1, j, r] == scan.decided.mean()
        first, second = (rule.scan(split.table, bags, 3).labels for rule in RULES.values())
        assert runs[-1].disagreement[1, j].tolist() == [[0, np.mean(first != second)], [np.mean(first != second), 0]]
        for k in (1, 7, 20):
            votes = bags[split.table.indices[:, :k]].sum(axis=1)
            assert runs[-1].vote(k)[1, j] == np.mean(votes.argmax(axis=1) != split.y_test)


def test_the_best_k_uses_the_true_labels(runs):
    run = runs[-1]
    assert run.best_k().tolist() == (run.vote_errors.mean(axis=0).argmin(axis=1) + 1).tolist()
    assert run.best_vote().mean(axis=0) == pytest.approx(run.vote_errors.mean(axis=0).min(axis=1))
    assert runs[0].best_k()[1] == 0


def test_bags_at_all_noises_come_from_the_same_draws():
    split = Split.of(X, Y, 0, k_max=5, preparation="raw")
    clean, noisy, noisier = (split.bags(noise) for noise in (0, 0.3, 0.5))
    moved = (noisy != clean).any(axis=1)
    assert (noisy[moved] == noisier[moved]).all()
    assert clean[np.arange(len(split.y)), split.y].all()
    assert len(split.y_test) == 30


def test_a_scaled_split_is_that_of_smaller_probabilities_and_other_noise():
    whole = Split.of(X, Y, 3, k_max=5, preparation="raw", largest=1.0)
    for largest, kind in ((0.7, "confusion"), (0.0, "other"), (0.9, "removal")):
        other = whole.with_process(largest, kind)
        known = Split.of(X, Y, 3, k_max=5, preparation="raw", largest=largest, kind=kind)
        assert (other.process.inclusion == known.process.inclusion).all()
        assert other.table is whole.table
        for noise in (0.0, 0.3, 0.8):
            assert (other.bags(noise) == known.bags(noise)).all()
    with pytest.raises(ValueError, match="fraction must be between 0 and 1"):
        whole.with_process(1.1, "other")


def test_bags_are_those_of_the_parts_that_points_belong_to():
    split = Split.of(X, Y, 3, k_max=5, preparation="raw")
    assert (split.parts == split.process.parts(split.X)).all()
    assert (split.bags(0.0) == split.process.draw(split.X, split.y, split.draws)).all()


def test_columns_of_the_training_points_come_to_one_scale():
    plain, scaled = (Split.of(X, Y, 1, k_max=5, preparation="raw", standardize=each) for each in (False, True))
    assert (scaled.y == plain.y).all()
    by_hand = (plain.X - plain.X.mean(axis=0)) / plain.X.std(axis=0)
    found = scaled.X
    assert found == pytest.approx(by_hand)
    assert found.mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert np.array_equal(plain.X_test, plain.table.inputs.queries)
    held_out = (plain.X_test - plain.X.mean(axis=0)) / plain.X.std(axis=0)
    assert scaled.X_test == pytest.approx(held_out)
    assert (scaled.table.indices == NeighborTable.build(by_hand, held_out, 5).indices).all()


def test_fewer_neighbors_vote_alike():
    split = Split.of(X, Y, 3, k_max=20, preparation="raw")
    bags = split.bags(0.4)
    assert (vote_errors(split, bags, 7) == vote_errors(split, bags)[:7]).all()


@pytest.mark.parametrize("preparation", ["raw", "vision", "tabular"])
def test_points_held_out_are_not_made_ready(preparation):
    split, raw = (Split.of(X, Y, 3, k_max=5, preparation=each) for each in (preparation, "raw"))
    assert np.array_equal(split.X_test, raw.X_test)
    assert np.array_equal(split.X, raw.X)
    assert {tuple(row) for row in (*split.X, *split.X_test)} == {tuple(row) for row in X}


def test_a_linear_rule_stands_among_the_others():
    """On columns at one scale whatever the preparation, without a stopping k, and as plain code has it."""
    method = Linear(CLPL(), max_iter=30)
    rules = {"PL": RULES["PL"], "lines": method}
    *_, vision = compare(X, Y, rules, [0.0, 0.4], splits=2, seed=5, k_max=20)
    *_, raw = compare(X, Y, rules, [0.0, 0.4], splits=2, seed=5, k_max=20, preparation="raw")
    assert np.array_equal(vision.mean("errors", "lines"), raw.mean("errors", "lines"))
    for read in ("stop_k", "decided"):
        assert np.isnan(vision.mean(read, "lines")).all()
        assert np.isfinite(vision.mean(read, "PL")).all()
    split = Split.of(X, Y, np.random.SeedSequence(5).spawn(2)[1], k_max=20)
    bags, scaler = split.bags(0.4), StandardScaler().fit(split.X)
    labels = method.learn(scaler.transform(split.X), bags).at(scaler.transform(split.X_test)).argmax(axis=1)
    found = outcome(split, bags, method)
    assert found.labels.dtype == np.uint8
    assert np.array_equal(found.labels, labels)
    assert vision.errors[1, 1, 1] == found.error == np.mean(labels != split.y_test)
    other = outcome(split, bags, RULES["PL"]).labels
    assert vision.disagreement[1, 1].tolist() == [[0, np.mean(labels != other)], [np.mean(labels != other), 0]]


def test_a_linear_rule_reads_the_bags():
    split = Split.of(X, Y, 3, k_max=5, preparation="raw")
    wrong = np.roll(np.eye(3, dtype=bool), 1, axis=1)[split.y]
    assert outcome(split, wrong, Linear(LWS(), max_iter=50)).error > 0.8


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"preparation": "nice"}, "preparation must be"),
        ({"splits": 0}, "splits must be at least 1"),
        ({"noises": [1.5]}, "each of noises must be between 0 and 1"),
        ({"k_max": 10}, "up to 20 neighbors, but the table holds 10"),
    ],
)
def test_what_is_refused(setting, sentence):
    settings = {"noises": [0.0], "splits": 1, "k_max": 20, "preparation": "raw"} | setting
    with pytest.raises(ValueError, match=sentence):
        next(compare(X, Y, RULES, **settings))


def test_of_equal_votes_the_smallest_k_is_best():
    """Two sums of 0.3, the first of which is larger in floating point."""
    by_k = np.array([[[0.4, 0.1, 0.15]], [[0.4, 0.2, 0.15]]])
    assert by_k.sum(axis=0)[0, 1] > by_k.sum(axis=0)[0, 2]
    run = Comparison(np.zeros(1), (), *(np.empty((2, 1, 0)),) * 3, by_k, np.empty((2, 1, 0, 0)))
    assert run.best_k().tolist() == [2]
