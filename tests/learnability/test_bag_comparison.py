"""Rules on bags that grow noisier: numbers of plain code, and what all noises have in common."""

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
SETTING = {"splits": 3, "k_max": 20, "preparation": "raw"}
NOISES = 0.0, 0.4


def split_of(seed, **options):
    setting = {"k_max": 5, "preparation": "raw"} | options
    return BagSplit.draw(X, Y, seed, **setting)


@pytest.fixture(scope="module")
def runs():
    return list(compare_rules(X, Y, RULES, NOISES, **SETTING, seed=5))


def test_the_comparison_fills_in(runs):
    assert [len(run.errors) for run in runs] == [1, 2, 3]
    for run in runs:
        assert (run.names, run.noises) == (tuple(RULES), NOISES)
        assert np.array_equal(run.errors, runs[-1].errors[: len(run.errors)])


def test_a_generator_is_a_seed_too(runs):
    first = next(compare_rules(X, Y, RULES, NOISES, **SETTING, seed=np.random.default_rng(5)))
    assert np.array_equal(first.labels, runs[0].labels)


def test_it_takes_some_rules_and_noises():
    for rules, noises, sentence in (
        ({}, [0.4], r"got \(\) and \(0.4,\)"),
        (RULES, [], r"'vote'\) and \(\)"),
        (RULES, [2], "bag noise nu .*got 2"),
    ):
        refuses(sentence, next, compare_rules(X, Y, rules, noises))


def test_inclusion_out_of_range_is_refused_also_where_bags_are_given():
    for bags in (None, np.eye(3)[Y]):
        refuses("largest .*got 7", split_of, 0, bags=bags, largest=7)


def test_every_number_is_that_of_plain_code(runs):
    run = runs[-1]
    _, second, _ = np.random.SeedSequence(5).spawn(3)
    split = split_of(second, k_max=20)
    for j, noise in enumerate(NOISES):
        bags = split.bags(noise)
        scans = [rule.scan(split.table, bags, 3) for rule in (RULES["PL"], RULES["A"])]
        means = [(scan.stop_k.mean(), scan.decided.mean()) for scan in scans]
        found = np.stack([run.stop_k[1, j], run.decided[1, j]], axis=1)
        assert np.array_equal(found, [*means, (np.nan, np.nan)], equal_nan=True)

        votes = np.cumsum(bags[split.table.indices], axis=1).argmax(axis=2)
        errors = (votes != split.y_test[:, None]).mean(axis=0)
        assert np.array_equal(run.vote_errors[1, j], errors)
        assert np.array_equal(bag_vote_errors(split, bags, 7), errors[:7])
        refuses("got 21", bag_vote_errors, split, bags, 21)

        labels = [*(scan.labels for scan in scans), votes[:, 6]]
        assert np.array_equal(run.labels[1, j], labels)
        assert np.array_equal(run.errors[1, j], (labels != split.y_test).mean(axis=1))


def test_of_equal_votes_the_smallest_k_is_best():
    """Two sums of 0.3, the first of which is larger in floating point."""
    by_k = np.array([[0.4, 0.1, 0.15], [0.4, 0.2, 0.15]])
    _, second, third = by_k.sum(axis=0)
    assert second > third

    best_k, errors = best_votes(by_k[:, None])
    assert best_k.tolist() == [2]
    assert errors.tolist() == [[0.1], [0.2]]


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("preparation", PIPELINES)
def test_a_split_is_prepared_as_its_training_points_are(preparation, standardize):
    """Its columns may have their scale; a preparation changes the neighbors alone."""
    raw = split_of(3)
    shift = np.zeros(4)
    scale = np.ones(4)
    if standardize:
        shift = raw.X.mean(axis=0)
        scale = raw.X.std(axis=0)
    split = split_of(3, preparation=preparation, standardize=standardize)
    for found, points in ((split.X, raw.X), (split.X_test, raw.X_test)):
        assert found == pytest.approx((points - shift) / scale, rel=1e-12, abs=1e-12)

    pipeline = PIPELINES[preparation]()
    known = pipeline.fit_transform(split.X)
    prepared = NeighborTable.build(known, pipeline.transform(split.X_test), 5)
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
