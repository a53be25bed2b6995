"""Bags of a reader's own: the noise on them against a plain loop, rules on them, and the file that they come from."""

import numpy as np
import pytest
from refusals import refuses
from sklearn.datasets import load_iris

from knnviz import BagDraws, BagProcess, read_bag_table
from knnviz.bag_comparison import Split, compare
from knnviz.corruption import GivenBags
from knnviz.problems import BagTable
from knnviz.rules import PartialAdaptive

X, Y = load_iris(return_X_y=True)
N = len(Y)
#: A bag in ten lacks its true label, and some are empty.
S = BagProcess.even_inclusion(3, 0.4, 0.1, "removal").draw(X, Y, BagDraws.of(N, 3, 4))
DRAWS = BagDraws.of(N, 3, 7)


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
    refuses("draws must be for bags of shape", GivenBags(S).draw, X, Y, BagDraws.of(N, 4, 0))
    refuses("y must be class codes 0 to 2", GivenBags(S).draw, X, Y + 1, DRAWS)


# Files


@pytest.fixture
def archive(tmp_path):
    def write(**changed):
        held = {"X": X, "S": S, "y": Y} | changed
        path = tmp_path / "mine.npz"
        np.savez(path, **{name: each for name, each in held.items() if each is not None})
        return path

    return write


@pytest.mark.parametrize("kind", [bool, np.uint8, float])
def test_an_archive_is_read(archive, kind):
    held = read_bag_table(archive(S=S.astype(kind), extra=np.arange(3)))
    assert (held.name, held.n_classes) == ("mine", 3)
    assert held.S.dtype == bool
    assert (held.S == S).all()
    assert (held.X == X).all()
    assert held.y.tolist() == Y.tolist()
    sizes = [int(sum(bag)) for bag in S]
    true = sum(bool(bag[label]) for bag, label in zip(S, Y, strict=True)) / N
    wanted = f"bags: {sum(sizes) / N:.2f} labels in the mean, the true one in {100 * true:.1f}%, {sizes.count(0)} empty"
    assert held.notes == (wanted,)


def test_a_checksum_tells_bags_apart():
    one, same, other = (BagTable.of(X, bags, Y) for bags in (S, S.copy(), ~S))
    assert one.checksum == same.checksum != other.checksum
    assert one.spec() == {"name": "bags", "parameters": {"n": 150, "C": 3}, "checksum": one.checksum}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"S": None}, r"^mine.npz has no array 'S'; it holds X, y$"),
        ({"X": np.array([["a", "b"]] * N)}, "^mine.npz: X must hold real numbers in rows of equal length$"),
        (
            {"X": np.where(np.arange(N)[:, None] == 3, np.nan, X)},
            "X has missing or infinite values in row 3",
        ),
        ({"X": X[:, 0]}, r"^mine.npz: X must be a table of shape \(n, d\)"),
        ({"S": S[:-1]}, r"^mine.npz: S must have a row for each of 150 points, got shape \(149, 3\)$"),
        ({"S": S[..., None]}, r"^mine.npz: S must have a row for each of 150 points, got shape \(150, 3, 1\)$"),
        ({"S": S + 1}, "^mine.npz: S must hold truth values, or 0 and 1$"),
        ({"S": np.where(S, np.nan, 0.0)}, "^mine.npz: S must hold truth values, or 0 and 1$"),
        ({"S": S.astype(str)}, "^mine.npz: S must hold truth values, or 0 and 1$"),
        ({"S": S.astype(object)}, "^'S' of mine.npz cannot be read: it is damaged, or holds Python objects$"),
        ({"S": S[:, :1], "y": 0 * Y}, "^mine.npz: the number of classes, the columns of S, must be between 2 and 255"),
        ({"y": Y + 1}, "^mine.npz: y must be class codes 0 to 2, got 1 to 3$"),
        ({"y": Y - 1}, "^mine.npz: y must be class codes 0 to 2, got -1 to 1$"),
        ({"y": Y.astype(float)}, "^mine.npz: y must be class codes 0 to 2, got values of type float64$"),
        ({"y": Y[:-1]}, "^mine.npz: y must hold one class for each of 150 points"),
        ({"y": np.eye(3)[Y]}, "^mine.npz: y must hold one class for each of 150 points"),
        (
            {"X": X[:4], "S": S[:4], "y": Y[:4]},
            "^mine.npz: there must be at least 5 rows, since a fifth is held out, got 4$",
        ),
        ({"X": X[:0], "S": S[:0], "y": Y[:0]}, "^mine.npz: X must be a table of shape"),
    ],
)
def test_wrong_arrays_are_refused_by_name(archive, changed, sentence):
    refuses(sentence, read_bag_table, archive(**changed))
