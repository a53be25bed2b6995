"""Bags of a reader's own: the noise on them against a plain loop, and rules on them."""

import numpy as np
import pytest
from refusals import refuses
from sklearn.datasets import load_iris

from knnviz import BagDraws, BagProcess
from knnviz.bags import GivenBags
from knnviz.learnability.comparison import Split, compare
from knnviz.rules import PartialAdaptive

X, Y = load_iris(return_X_y=True)
N = len(Y)
#: A bag in ten lacks its true label, and some are empty.
S = BagProcess.even_inclusion(3, 0.4, 0.1, "removal").draw(X, Y, BagDraws.draw(N, 3, 4))
DRAWS = BagDraws.draw(N, 3, 7)


def plainly(bags, y, draws, nu, kind):
    """Bags as lists of sets, one by one."""
    found = []
    for row, (bag, label) in enumerate(zip(bags, y, strict=True)):
        held = set(np.flatnonzero(bag).tolist())
        if draws.noise[row] < nu and label in held:
            held.remove(label)
            if kind == "confusion":
                held.add(int(draws.replacement[row] * bags.shape[1]))
            if kind == "other":
                others = [*range(label + 1, bags.shape[1]), *range(label)]
                held.add(others[int(draws.replacement[row] * len(others))])
        found.append(held)
    return found


@pytest.mark.parametrize("kind", ["removal", "confusion", "other"])
@pytest.mark.parametrize("nu", [0.0, 0.3, 1.0])
def test_noise_is_that_of_a_plain_loop(kind, nu):
    noisy = GivenBags(S, nu, kind).draw(X, Y, DRAWS)
    assert [set(np.flatnonzero(bag).tolist()) for bag in noisy] == plainly(S, Y, DRAWS, nu, kind)
    kept = noisy[np.arange(N), Y]
    if nu == 0:
        assert (noisy == S).all()
    if nu == 1 and kind != "confusion":
        assert not kept.any()
    if nu == 1 and kind == "confusion":
        assert 0.2 < kept.mean() < 0.4, "a third of the labels is drawn again"
    if nu == 1 and kind == "removal":
        assert (~noisy.any(axis=1)).sum() > (~S.any(axis=1)).sum(), "empty bags stay"


def test_removal_from_drawn_bags_is_removal_from_the_same_bags_once_given():
    process = BagProcess.clustered(X, 3, 1, kind="removal")
    given = process.draw(X, Y, DRAWS)
    noisy = BagProcess(process.inclusion, 0.4, "removal", process.centers).draw(X, Y, DRAWS)
    assert (GivenBags(given, 0.4).draw(X, Y, DRAWS) == noisy).all()


def test_a_split_has_the_bags_of_its_training_points():
    split = Split.of(X, Y, 3, bags=S, kind="removal", k_max=20, preparation="raw")
    assert len(split.y) == 120
    rows = [np.flatnonzero((point == X).all(axis=1)).tolist() for point in split.X]
    alone = [i for i, equal in enumerate(rows) if len(equal) == 1]
    assert len(alone) > 110
    clean = split.bags(0.0)
    for i in alone:
        assert (clean[i] == S[rows[i][0]]).all()
    assert [set(np.flatnonzero(bag)) for bag in split.bags(0.5)] == plainly(clean, split.y, split.draws, 0.5, "removal")
    other = split.with_process(0.5, "other")
    assert [set(np.flatnonzero(bag)) for bag in other.bags(0.5)] == plainly(clean, split.y, split.draws, 0.5, "other")


def test_a_comparison_on_given_bags_is_that_of_plain_code():
    rule = PartialAdaptive(max_neighbors=20)
    options = {"bags": S, "kind": "removal", "k_max": 20, "preparation": "raw"}
    *_, found = compare(X, Y, {"PL": rule}, [0.0, 0.5], splits=2, seed=5, **options)
    for i, stream in enumerate(np.random.SeedSequence(5).spawn(2)):
        split = Split.of(X, Y, stream, **options)
        for j, noise in enumerate((0.0, 0.5)):
            bags = split.bags(noise)
            near = bags[split.table.indices[:, :10]].sum(axis=1).argmax(axis=1)
            assert found.vote(10)[i, j] == np.mean(near != split.y_test)
            assert found.errors[i, j, 0] == np.mean(rule.scan(split.table, bags, 3).labels != split.y_test)


def test_a_class_that_no_point_has_keeps_its_column():
    """In every bag and first among equals, it wins every vote."""
    wide = np.hstack([np.ones((N, 1), bool), S])
    rules = {"PL": PartialAdaptive(max_neighbors=5)}
    *_, found = compare(X, Y + 1, rules, [0.0], bags=wide, splits=1, k_max=5, preparation="raw")
    assert found.vote(5).tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("bags", "sentence"),
    [
        (S[:9], r"bags must have a row for each of 150 points, got shape \(9, 3\)"),
        (S[:, 0], r"bags must have a row for each of 150 points, got shape \(150,\)"),
        (2 * S.astype(int), "bags must hold truth values, or 0 and 1"),
        (np.where(S, np.nan, 0), "bags must hold truth values, or 0 and 1"),
        (S[:, :2], "y must be class codes 0 to 1, got 0 to 2"),
    ],
)
def test_arrays_that_are_no_bags_are_refused(bags, sentence):
    refuses(sentence, next, compare(X, Y, {}, [0.0], bags=bags, splits=1, k_max=5))


def test_noise_out_of_range_is_refused():
    refuses("bag noise nu must be between 0 and 1, got 1.5", GivenBags, S, 1.5)
    refuses("kind must be 'confusion', 'other' or 'removal', got 'swap'", GivenBags, S, kind="swap")
    refuses("the number of classes, the columns of bags, must be between 2 and 255, got 1", GivenBags, S[:, :1])
    refuses("draws must be for bags of shape", GivenBags(S).draw, X, Y, BagDraws.draw(N, 4, 0))
    refuses("y must be class codes 0 to 2", GivenBags(S).draw, X, Y + 1, DRAWS)
