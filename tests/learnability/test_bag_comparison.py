"""Rules on bags that grow noisier: each number against plain code, and what stays the same at every
noise.
"""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from knnviz.bags import BagDraws
from knnviz.learnability import CLPL, Linear
from knnviz.learnability.comparison import BagComparison, BagSplit, bag_vote_errors, compare_rules
from knnviz.learnability.preprocessing import PIPELINES
from knnviz.neighbors import NeighborTable
from knnviz.rules import Adaptive, PartialAdaptive

X, Y = load_iris(return_X_y=True)
LINES = Linear(CLPL(), max_iter=30)
RULES = {
    "PL": PartialAdaptive(max_neighbors=20),
    "A": Adaptive(max_neighbors=20, baseline="bag_size"),
    "lines": LINES,
}
NOISES = 0.0, 0.4


def split_of(seed, **options):
    return BagSplit.draw(X, Y, seed, **{"k_max": 5, "preparation": "raw"} | options)


@pytest.fixture(scope="module")
def runs():
    return list(compare_rules(X, Y, RULES, NOISES, splits=3, seed=5, k_max=20, preparation="raw"))


def test_the_comparison_fills_in(runs):
    assert [np.isfinite(run.vote_errors[:, :, 0]).sum() for run in runs] == [1, 2, 3, 4, 5, 6]
    for before, after in pairwise(runs):
        known = np.isfinite(before.errors)
        assert (before.errors[known] == after.errors[known]).all()
    assert np.isfinite(runs[0].mean("errors", "PL")).tolist() == [True, False]
    assert runs[0].best_k()[1] == 0


def test_every_number_is_that_of_plain_code(runs):
    run = runs[-1]
    split = split_of(np.random.SeedSequence(5).spawn(3)[1], k_max=20)
    scaler = StandardScaler().fit(split.X)
    for j, noise in enumerate(NOISES):
        bags = split.bags(noise)
        labels = []
        for r, rule in enumerate((RULES["PL"], RULES["A"])):
            scan = rule.scan(split.table, bags, 3)
            assert (run.stop_k[1, j, r], run.decided[1, j, r]) == (
                scan.stop_k.mean(),
                scan.decided.mean(),
            )
            labels.append(scan.labels)
        model = LINES.learn(scaler.transform(split.X), bags)
        labels.append(model.scores(scaler.transform(split.X_test)).argmax(axis=1))
        assert np.isnan([run.stop_k[1, j, 2], run.decided[1, j, 2]]).all()
        assert run.errors[1, j].tolist() == [np.mean(each != split.y_test) for each in labels]
        assert run.disagreement[1, j].tolist() == [
            [np.mean(one != other) for other in labels] for one in labels
        ]
        for k in (1, 7, 20):
            votes = bags[split.table.indices[:, :k]].sum(axis=1)
            assert run.vote(k)[1, j] == np.mean(votes.argmax(axis=1) != split.y_test)
        assert (bag_vote_errors(split, bags, 7) == run.vote_errors[1, j, :7]).all()


def test_of_equal_votes_the_smallest_k_is_best():
    """Two sums of 0.3, the first of which is larger in floating point."""
    by_k = np.array([[0.4, 0.1, 0.15], [0.4, 0.2, 0.15]])
    assert by_k.sum(axis=0)[1] > by_k.sum(axis=0)[2]
    run = BagComparison.empty([0.0], (), 2, 3)
    run.vote_errors[:, 0] = by_k
    assert run.best_k().tolist() == [2]


def test_bags_at_all_noises_come_from_the_same_draws():
    split = split_of(0)
    clean, noisy, noisier = (split.bags(noise) for noise in (0, 0.3, 0.5))
    moved = (noisy != clean).any(axis=1)
    assert (noisy[moved] == noisier[moved]).all()
    assert (clean == split.process.draw(split.X, split.y, split.draws)).all()
    assert len(split.y_test) == 30


@pytest.mark.parametrize(
    ("largest", "kind"), [(0.7, "confusion"), (0.0, "other"), (0.9, "removal")]
)
def test_a_split_with_another_process_is_that_of_smaller_probabilities_and_other_noise(
    largest, kind
):
    other = split_of(3, largest=1.0).with_process(largest, kind)
    known = split_of(3, largest=largest, kind=kind)
    for noise in (0.0, 0.3, 0.8):
        assert (other.bags(noise) == known.bags(noise)).all()


def test_standardized_columns_have_the_scale_of_the_training_points():
    plain, scaled = (split_of(1, standardize=each) for each in (False, True))
    mean = plain.X.mean(axis=0)
    spread = plain.X.std(axis=0)
    for found, points in ((scaled.X, plain.X), (scaled.X_test, plain.X_test)):
        assert found == pytest.approx((points - mean) / spread)
    assert (scaled.table.indices == NeighborTable.build(scaled.X, scaled.X_test, 5).indices).all()


@pytest.mark.parametrize("preparation", PIPELINES)
def test_a_preparation_is_fitted_on_the_training_points_and_changes_the_neighbors_alone(
    preparation,
):
    split = split_of(3, preparation=preparation)
    raw = split_of(3)
    pipeline = PIPELINES[preparation]()
    assert np.array_equal(split.X_test, raw.X_test)
    assert np.array_equal(split.X, raw.X)
    prepared = NeighborTable.build(pipeline.fit_transform(raw.X), pipeline.transform(raw.X_test), 5)
    assert np.array_equal(split.table.indices, prepared.indices)


def test_a_split_draws_its_points_and_bags_in_this_order():
    rng = np.random.default_rng(3)
    bags = np.random.default_rng(0).random((150, 3)) < 0.5
    split = split_of(3, bags=bags, kind="removal")
    train, _ = train_test_split(
        np.arange(150), test_size=0.2, random_state=int(rng.integers(2**31))
    )
    draws = BagDraws.draw(120, 3, rng)
    given = bags[train].copy()
    assert np.array_equal(split.X, X[train])
    given[np.arange(120), Y[train]] &= draws.noise >= 0.4
    assert np.array_equal(split.bags(0.4), given)
