"""Bags: read from sets and tables, drawn by a process, and noise on given ones beside a loop."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import generators, sorted_neighbors
from refusals import refuses
from scipy.sparse import csr_array
from sklearn.datasets import load_iris

from knnviz.bags import BagDraws, BagProcess, GivenBags, as_bags, read_bags
from knnviz.bounds.errandonea import largest_noise

SETS = [{"cat", "dog"}, set(), {"eel"}]

N = 20_000
DRAWS = BagDraws.draw(N, 4, 0)
X = np.random.default_rng(1).random((N, 2))
Y = np.random.default_rng(2).integers(0, 4, N)

#: Enough of them where one bag out of place would do.
FEW = slice(0, 500)
FEWER = BagDraws(DRAWS.noise[FEW], DRAWS.replacement[FEW], DRAWS.joins[FEW])

KINDS = ("confusion", "other", "removal")
kinds = st.sampled_from(KINDS)

POINTS, CODES = load_iris(return_X_y=True)
#: A bag in ten lacks its true label, and some are empty.
S = BagProcess(np.full((3, 3), 0.4), 0.1, "removal").draw(POINTS, CODES, BagDraws.draw(150, 3, 4))


def test_sets_frames_and_sparse_tables_are_the_same_bags():
    bags, classes = read_bags(SETS)
    assert classes.tolist() == ["cat", "dog", "eel"]
    assert bags.tolist() == [[True, True, False], [False, False, False], [False, False, True]]

    eels = pd.array(bags[:, 2], "boolean")
    mixed = pd.DataFrame({"cat": bags[:, 0], "dog": [1, 0, 0], "eel": eels})
    lists = [list(bag) for bag in SETS]
    named = [(table, classes.tolist()) for table in (mixed, pd.Series(SETS), lists)]
    numbered = [(table, [0, 1, 2]) for table in (csr_array(bags), bags.astype(float))]
    for table, names in named + numbered:
        again, columns = read_bags(table)
        assert np.array_equal(again, bags)
        assert columns.tolist() == names


@given(st.lists(st.sets(st.integers(0, 4)), max_size=20), st.permutations(range(5)))
def test_each_set_is_a_row_and_classes_may_be_ordered(sets, order):
    bags, classes = read_bags(sets, order)
    assert classes.tolist() == order
    held = [set(classes[bag].tolist()) for bag in bags]
    assert held == sets


def test_bags_that_cannot_be_read_are_refused():
    refuses("eel", read_bags, SETS, ["cat", "dog"])
    refuses("got 1", read_bags, [{"cat"}])
    refuses("'cat' in row 0", read_bags, ["cat", "dog"])
    refuses("2 in row 1", read_bags, [{1}, 2])
    refuses("of one kind", read_bags, [{1, "cat"}, {2}])
    refuses("truth values", read_bags, np.array([[0, 2]]))
    refuses(
        "truth values",
        read_bags,
        pd.DataFrame({"cat": [1, 0], "eel": pd.array([False, None], "boolean")}),
    )
    refuses(r"\[1, 0, 0\] in row 1", read_bags, [[0, 1], [1, 0, 0]])
    refuses("got 3", read_bags, np.eye(2), ["a", "b", "c"])


def test_labels_are_bags_of_one_of_however_many_classes():
    assert as_bags(np.array([299, 0]), 2, 300).argmax(axis=1).tolist() == [299, 0]


@pytest.mark.parametrize("kind", KINDS)
def test_every_part_and_label_has_its_fraction_of_bags(kind):
    process = replace(BagProcess.from_clusters(X, 4, 3), bag_noise=0.3, kind=kind)
    bags = process.draw(X, Y, DRAWS)
    parts = process.parts(X)
    cooccurrence = process.cooccurrence()
    for part in range(5):
        for i in range(4):
            rows = (parts == part) & (i == Y)
            fraction = bags[rows].mean(axis=0)
            expected = cooccurrence[part, :, i]
            deviation = np.sqrt(expected * (1 - expected) / rows.sum())
            assert (abs(fraction - expected) <= 4.5 * deviation + 1e-12).all()

    eta = np.random.default_rng(4).dirichlet(np.ones(4), 7)
    mixed = (cooccurrence[parts[:7]] @ eta[..., None])[..., 0]
    assert process.frequency(X[:7], eta) == pytest.approx(mixed)


@given(st.floats(0, 0.9), st.floats(0, 0.1), kinds)
def test_more_noise_only_ever_moves_more_bags(nu, more, kind):
    clean, before, after = (
        BagProcess(np.full((4, 4), 0.3), noise, kind).draw(X[FEW], Y[FEW], FEWER)
        for noise in (0, nu, nu + more)
    )
    changed = (before != clean).any(axis=1)
    assert (before[changed] == after[changed]).all()


def test_clusters_scale_with_their_largest_probability():
    half, whole = (
        BagProcess.from_clusters(X, 4, 7, largest=largest).inclusion for largest in (0.4, 0.8)
    )
    wrong = ~np.eye(4, dtype=bool)
    assert half[:, wrong] == pytest.approx(whole[:, wrong] / 2)
    assert whole[:, wrong].max() <= 0.8
    assert np.ptp(whole[0, 0, 1:]) == 0
    few = BagProcess.from_clusters(X[:4], 4, 7)
    assert len(few.centers) == 4, "no more clusters than points"


def test_parts_are_those_of_the_nearest_center_and_of_the_first_on_a_tie():
    """Whole numbers, so that centers tie."""
    rng = np.random.default_rng(6)
    centers = rng.integers(0, 8, (40, 2))
    points = rng.integers(0, 8, (500, 2))
    nearest, _ = sorted_neighbors(centers, points, 1)
    process = BagProcess(np.zeros((40, 2, 2)), centers=centers)
    assert process.parts(points).tolist() == nearest[:, 0].tolist()


@given(st.floats(0, 1), st.floats(0.05, 0.9), kinds, generators)
def test_parts_are_aligned_as_in_plain_code_and_always_below_nu_star(noise, largest, kind, rng):
    inclusion = np.repeat(largest * rng.random((3, 4, 1)), 4, axis=2)
    process = BagProcess(inclusion, noise, kind, centers=[[0], [1], [2]])
    aligned = []
    for C in process.cooccurrence():
        leads = [C[i, i] > C[y, i] for i in range(4) for y in range(4) if y != i]
        aligned.append(all(leads))
    assert process.true_label_leads().tolist() == aligned
    assert all(aligned) or noise >= largest_noise(4, largest, kind)


def test_a_process_out_of_range_is_refused():
    refuses(r"\(0, 2, 2\)", BagProcess, inclusion=np.zeros((0, 2, 2)))
    refuses(r"1\.5", BagProcess, inclusion=np.full((2, 2), 1.5))
    refuses(r"1\.2", BagProcess, inclusion=np.zeros((2, 2)), bag_noise=1.2)
    refuses("2 parts", BagProcess, inclusion=np.zeros((2, 3, 3)), centers=[[0.0]])


def test_points_and_draws_that_do_not_fit_are_refused():
    process = BagProcess.from_inclusion(4, 0.4)
    refuses(r"\(20000, 4\)", process.draw, X[:9], Y[:9], DRAWS)
    refuses("got 2", BagProcess.from_clusters, X, 4, 0, largest=2)
    thirds = np.full((9, 3), 1 / 3)
    refuses(r"\(9, 3\)", process.frequency, X[:9], thirds)


def noisy_in_plain_code(bags, y, draws, nu, kind):
    """Bags as sets, one by one."""
    found = []
    for row, (bag, label) in enumerate(zip(bags, y, strict=True)):
        held = set(np.flatnonzero(bag).tolist())
        if draws.noise[row] < nu and label in held:
            held.remove(label)
            u = draws.replacement[row]
            if kind == "confusion":
                held.add(int(u * len(bag)))
            if kind == "other":
                others = [*range(label + 1, len(bag)), *range(label)]
                held.add(others[int(u * len(others))])
        found.append(held)
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("nu", [0.0, 0.3, 1.0])
def test_noise_on_given_bags_is_that_of_a_plain_loop(kind, nu):
    draws = BagDraws.draw(150, 3, 7)
    noisy = GivenBags(S, nu, kind).draw(POINTS, CODES, draws)
    held = [set(np.flatnonzero(bag).tolist()) for bag in noisy]
    assert held == noisy_in_plain_code(S, CODES, draws, nu, kind)
