"""Rules on bags that grow noisier: numbers of plain code, and what all noises have in common."""

from itertools import pairwise

import numpy as np
import pytest
from refusals import refuses
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split

from knnviz.bags import BagDraws
from knnviz.estimators import PartialLabelKNeighborsClassifier
from knnviz.learnability.comparison import BagSplit, bag_vote_errors, best_votes, compare_rules
from knnviz.learnability.preprocessing import PIPELINES
from knnviz.neighbors import NeighborTable
from knnviz.rules import Adaptive, PartialAdaptive

X, Y = load_iris(return_X_y=True)
RULES = {
    "PL": PartialAdaptive(max_neighbors=20),
    "A": Adaptive(max_neighbors=20, baseline="bag_size"),
    "vote": PartialLabelKNeighborsClassifier(strategy="vote", n_neighbors=7),
}
NOISES = 0.0, 0.4


def split_of(seed, **options):
    setting = {"k_max": 5, "preparation": "raw"} | options
    return BagSplit.draw(X, Y, seed, **setting)


@pytest.fixture(scope="module")
def runs():
    setting = {"splits": 3, "seed": 5, "k_max": 20, "preparation": "raw"}
    return list(compare_rules(X, Y, RULES, NOISES, **setting))


def test_the_comparison_fills_in(runs):
    assert [len(run.errors) for run in runs] == [1, 2, 3]
    assert {(run.names, run.noises) for run in runs} == {(tuple(RULES), NOISES)}
    for before, after in pairwise(runs):
        assert np.array_equal(before.errors, after.errors[: len(before.errors)])


def test_a_generator_is_a_seed_too():
    setting = {"splits": 2, "k_max": 20, "preparation": "raw"}
    of_number = compare_rules(X, Y, RULES, [0.4], **setting, seed=5)
    of_generator = compare_rules(X, Y, RULES, [0.4], **setting, seed=np.random.default_rng(5))
    for one, other in zip(of_number, of_generator, strict=True):
        assert np.array_equal(one.labels, other.labels)
        assert np.array_equal(one.vote_errors, other.vote_errors)


def test_it_takes_some_rules_and_noises():
    refuses(r"got \(\) and \(0.4,\)", lambda: next(compare_rules(X, Y, {}, [0.4])))
    refuses(r"'vote'\) and \(\)", lambda: next(compare_rules(X, Y, RULES, [])))
    refuses("bag noise nu .*got 2", lambda: next(compare_rules(X, Y, RULES, [2])))


def test_every_number_is_that_of_plain_code(runs):
    run = runs[-1]
    _, second, _ = np.random.SeedSequence(5).spawn(3)
    split = split_of(second, k_max=20)
    for j, noise in enumerate(NOISES):
        bags = split.bags(noise)
        labels = []
        for r, rule in enumerate((RULES["PL"], RULES["A"])):
            scan = rule.scan(split.table, bags, 3)
            assert run.stop_k[1, j, r] == scan.stop_k.mean()
            assert run.decided[1, j, r] == scan.decided.mean()
            labels.append(scan.labels)
        assert np.isnan(run.stop_k[1, j, 2])
        assert np.isnan(run.decided[1, j, 2])

        for k in (1, 7, 20):
            votes = bags[split.table.indices[:, :k]].sum(axis=1)
            voted = votes.argmax(axis=1)
            assert run.vote_errors[1, j, k - 1] == np.mean(voted != split.y_test)
            if k == 7:
                labels.append(voted)
        vote_errors = bag_vote_errors(split, bags, 7)
        assert (vote_errors == run.vote_errors[1, j, :7]).all()

        for r, found in enumerate(labels):
            assert run.errors[1, j, r] == np.mean(found != split.y_test)
            assert np.array_equal(run.labels[1, j, r], found)


def test_of_equal_votes_the_smallest_k_is_best():
    """Two sums of 0.3, the first of which is larger in floating point."""
    by_k = np.array([[0.4, 0.1, 0.15], [0.4, 0.2, 0.15]])
    _, second, third = by_k.sum(axis=0)
    assert second > third

    best_k, errors = best_votes(by_k[:, None])
    assert best_k.tolist() == [2]
    assert errors.tolist() == [[0.1], [0.2]]


def test_bags_at_all_noises_come_from_the_same_draws():
    split = split_of(0)
    clean = split.bags(0)
    noisy = split.bags(0.3)
    noisier = split.bags(0.5)
    moved = (noisy != clean).any(axis=1)
    assert (noisy[moved] == noisier[moved]).all()

    drawn = split.process.draw(split.X, split.y, split.draws)
    assert (clean == drawn).all()
    assert len(split.y_test) == 30


def test_standardized_columns_have_the_scale_of_the_training_points():
    plain = split_of(1, standardize=False)
    scaled = split_of(1, standardize=True)
    mean = plain.X.mean(axis=0)
    spread = plain.X.std(axis=0)
    for found, points in ((scaled.X, plain.X), (scaled.X_test, plain.X_test)):
        assert found == pytest.approx((points - mean) / spread)

    table = NeighborTable.build(scaled.X, scaled.X_test, 5)
    assert (scaled.table.indices == table.indices).all()


@pytest.mark.parametrize("preparation", PIPELINES)
def test_a_preparation_is_fitted_on_the_training_points_and_changes_the_neighbors_alone(
    preparation,
):
    split = split_of(3, preparation=preparation)
    raw = split_of(3)
    pipeline = PIPELINES[preparation]()
    assert np.array_equal(split.X_test, raw.X_test)
    assert np.array_equal(split.X, raw.X)

    known = pipeline.fit_transform(raw.X)
    prepared = NeighborTable.build(known, pipeline.transform(raw.X_test), 5)
    assert np.array_equal(split.table.indices, prepared.indices)


def test_a_split_draws_its_points_and_bags_in_this_order():
    rng = np.random.default_rng(3)
    bags = np.random.default_rng(0).random((150, 3)) < 0.5
    split = split_of(3, bags=bags, kind="removal")
    seed = int(rng.integers(2**31))
    train, _ = train_test_split(np.arange(150), test_size=0.2, random_state=seed)
    draws = BagDraws.draw(120, 3, rng)
    assert np.array_equal(split.X, X[train])

    given = bags[train].copy()
    given[np.arange(120), Y[train]] &= draws.noise >= 0.4
    assert np.array_equal(split.bags(0.4), given)
