"""Tables 2 and 4 of Gao et al.: the published values, the protocol by hand and by scikit-learn, and the command."""

from itertools import product

import numpy as np
import pytest
from reference_implementations import reference
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from knnviz import LabelNoise, __main__, reproduce
from knnviz.estimators import RobustKNeighborsClassifier
from knnviz.problems.data import Table
from knnviz.reproduce.gao import protocol, tables
from knnviz.reproduce.registry import records
from knnviz.rules import Robust

GRAIN = reference("gao_figure1")["grain_check"]


def held():
    return records(reproduce.published("gao_tables")["tables_1_2_4"])


def test_published_values_are_complete():
    """Twenty sets under three settings of noise; the marks add up to the printed 23 wins, 33 ties and 4 losses."""
    rows = held()
    assert len({row["data"] for row in rows}) == 20
    assert {(row["p0"], row["p1"]) for row in rows} == set(protocol.SETTINGS)
    signs = [row["mark"].rstrip("?") for row in rows]
    wins = reproduce.published("gao_tables")["win_tie_loss"]
    assert [signs.count(sign) for sign in ("w", "-", "l")] == wins["table_2"]["kNN"] == [23, 33, 4]
    assert all(sum(counts) == 60 for table in wins.values() for counts in table.values())
    for row in rows:
        if row["p0"] != row["p1"]:
            assert (row["p1_hat"] > row["p0_hat"]) == (row["p1"] > row["p0"])


@pytest.mark.parametrize("name", list(GRAIN))
def test_published_means_are_those_of_ten_test_folds(name):
    """How many of six accuracies are multiples of one in 10 ceil(n / 4), as rounded to four digits."""
    rows = [row for row in held() if row["data"] == name]
    total = 10 * -(-rows[0]["n"] // 4)
    values = [row[method] for row in rows for method in ("rknn", "knn")]
    hits = sum(abs(round(value * total) / total - value) < 5.0001e-5 for value in values)
    assert (total, hits, len(values)) == (GRAIN[name]["total_predictions"], GRAIN[name]["hits"], GRAIN[name]["of"])


def table_of(X, y, names=("a", "b")):
    X = np.array(X, float)
    return Table("tiny", X, np.array(y), tuple(f"x{i}" for i in range(X.shape[1])), names)


def test_features_are_scaled_and_classes_split():
    data = protocol.binary(table_of([[0, 5, 3], [10, 5, 4], [5, 5, 7]], [0, 1, 1]))
    assert data.X.tolist() == [[-1, 0, -1], [1, 0, -0.5], [0, 0, 1]]
    assert (data.y.tolist(), data.ones) == ([0, 1, 1], "b")
    names = ("a", "b", "c", "d", "e")
    for count, ones in ((4, 2), (5, 2), (3, 1)):
        splits = [protocol.binary(table_of(np.eye(5)[:count], range(count), names[:count]), seed) for seed in range(40)]
        assert {int(split.y.sum()) for split in splits} == {ones}
        assert all(split.ones.split(" + ") == [names[i] for i in np.flatnonzero(split.y)] for split in splits)
        assert len({split.ones for split in splits}) > 2


def test_two_clusters_by_hand():
    """Labels agree with clusters: no error until a ball must reach over, so that the smallest k and k' are picked."""
    X, y = np.repeat([[-1.0], [1.0]], 12, axis=0), np.repeat([0, 1], 12).astype(np.uint8)
    X[:, 0] += np.arange(24) / 1000
    order = np.random.default_rng(0).permutation(24)
    X, y, robust = X[order], y[order], [Robust(k_noise=3), Robust(k_noise=5)]
    picked = protocol._picked(X, [y], [y], robust, [3, 5])
    assert picked == [(3, robust[0], 3)]
    accuracy, rates, numbers = protocol._tested(X, [y], picked, np.array([[-0.9], [0.9], [1.1]]), np.array([0, 1, 0]))
    assert accuracy.tolist() == [[pytest.approx(2 / 3)] * 2]
    assert (rates.tolist(), numbers.tolist()) == ([[0, 0]], [[3, 3, 3]])
    # Scored on flipped labels, a rule that is always right is always wrong: all k are alike, and the first is taken.
    assert protocol._picked(X, [y], [1 - y], robust, [5, 3])[0].k_vote == 5


@pytest.mark.parametrize("scoring", ["noisy", "clean"])
def test_a_trial_is_what_scikit_learn_gives(scoring):
    """The same draws, a cross-validated grid of its classifier and of ours, a new fit, and a test on clean labels."""
    rng, grid = np.random.default_rng(1), [3, 5, 9]
    X = rng.random((70, 2))
    data = protocol.Binary("noise", X, (X[:, 0] + 0.3 * rng.random(70) > 0.65).astype(np.uint8), "1")
    runs = protocol.compare(data, 4, test_folds=2, scoring=scoring, neighbors=grid, variant="gao", seed=7)
    draws = np.random.default_rng([7, 4])
    folds, v = np.array_split(draws.permutation(70), 4), draws.random(70)
    for i in range(2):
        train = np.concatenate([fold for j, fold in enumerate(folds) if j != i])
        inner = PredefinedSplit(np.repeat(range(4), [len(part) for part in np.array_split(train, 4)]))
        for j, (p0, p1) in enumerate(protocol.SETTINGS):
            observed = LabelNoise(p0, p1).flip(data.y[train], v[train])

            def score(classifier, points, labels, observed=observed, train=train):
                rows = [np.flatnonzero((data.X[train] == point).all(axis=1))[0] for point in points]
                return np.mean(classifier.predict(points) == (observed if scoring == "noisy" else data.y[train])[rows])

            plain = [KNeighborsClassifier(k) for k in grid]
            robust = [
                RobustKNeighborsClassifier(k, noise_neighbors=k_noise, variant="gao")
                for k, k_noise in product(grid, grid)
            ]
            for column, family in enumerate((plain, robust)):
                marks = [
                    cross_val_score(each, data.X[train], observed, cv=inner, scoring=score).mean() for each in family
                ]
                best = family[int(np.argmax(np.round(marks, 9)))].fit(data.X[train], observed)
                accuracy = np.mean(best.predict(data.X[folds[i]]) == data.y[folds[i]])
                assert runs.accuracy[j, i, column] == pytest.approx(accuracy)
                assert runs.picked[j, i, column] == best.n_neighbors
            assert runs.rates[j, i] == pytest.approx(best.noise_rates_)
            assert runs.picked[j, i, 2] == best.noise_neighbors


def test_marks_are_those_of_a_paired_test():
    base = np.array([0.5, 0.6, 0.7, 0.55])
    assert tables.mark(base, base) == "-"
    assert [tables.mark(base, base + gap) for gap in (0.125, -0.125)] == ["w", "l"]
    # t is 7.35 and 2.45; with three degrees of freedom it must exceed 3.18.
    near, far = np.array([0.02, 0.03, 0.03, 0.04]), np.array([0.0, 0.02, 0.02, 0.04])
    assert tables.mark(base, base + near) == "w"
    assert tables.mark(base + near, base) == "l"
    assert tables.mark(base, base + far) == "-"


def test_one_set_is_the_same_alone_as_among_all():
    kept, found = reproduce.load("gao_tables").results, tables.gao_tables(names=("iris",))
    for name in ("sets", "accuracy", "rates"):
        for row, wanted in zip(found[name], (row for row in kept[name] if row["data"] == "iris"), strict=True):
            assert row == pytest.approx(wanted)
    assert [row["wins"] + row["ties"] + row["losses"] for row in found["marks"]] == [3, 3]


def test_in_full_accuracies_are_those_of_ten_test_folds():
    results = reproduce.load("gao_tables").results
    rows = {row["data"]: row["n"] for row in results["sets"]}
    assert rows == {"breast_cancer": 569, "digits": 1797, "iris": 150, "wine": 178}
    for row in results["accuracy"]:
        for method in ("rknn", "knn"):
            count = row[method] * 10 * -(-rows[row["data"]] // 4)
            assert count == pytest.approx(round(count), abs=0.02)


def test_in_full_estimates_are_small_and_clean_labels_never_pick_worse():
    results = reproduce.load("gao_tables").results
    for row in results["rates"]:
        assert row["p0_hat"] < row["p0"]
        assert row["p1_hat"] < row["p1"]
    mean = {
        scoring: np.mean([row["rknn"] for row in results["accuracy"] if row["scoring"] == scoring])
        for scoring in ("noisy", "clean")
    }
    assert mean["clean"] > mean["noisy"]


@pytest.fixture
def folder(tmp_path):
    """An archive that bears a name of the paper's, a text file, and what is passed over."""
    rng = np.random.default_rng(0)
    X = rng.random((60, 3))
    y = (X[:, 0] > 0.5).astype(int)
    np.savez(tmp_path / "heart.npz", X=X, y=y, class_names=["absent", "present"])
    rows = [f"{a:.3f},{b:.3f},{'xyz'[int(3 * a)]}" for a, b in rng.random((40, 2))]
    (tmp_path / "three.csv").write_text("\n".join(["height,width,kind", *rows]))
    (tmp_path / "notes.txt").write_text("nothing")
    return tmp_path


def test_the_command_prints_tables_for_a_folder(folder, capsys):
    __main__.main(["tables", "--data", str(folder), "--scoring", "clean"])
    printed = capsys.readouterr().out
    assert "10 trials, k and k' picked on clean labels" in printed
    assert "heart: 60 rows, 3 features, class 1 is present (in the paper 270 rows, 13 features)" in printed
    assert "three: 40 rows, 2 features, class 1 is " in printed
    lines = [line.split() for line in printed.splitlines()]
    second = [line for line in lines if line[:1] == ["heart"] and "±" in line]
    assert [line[1:3] for line in second] == [["0.1", "0.2"], ["0.3", "0.1"], ["0.4", "0.4"]]
    assert second[0][6:9] == ["85.44", "±", "4.52"]
    assert second[0][-1] == "w?"
    fourth = [line for line in lines if line[:1] == ["three"] and "±" not in line]
    assert [line[-1] for line in fourth] == ["-"] * 3
    data = protocol.binary(tables.tables_of(folder)[0])
    runs = [protocol.compare(data, trial, scoring="clean") for trial in range(10)]
    mean = 100 * np.mean([run.accuracy[0, 0, 1] for run in runs])
    assert second[0][3] == f"{mean:.2f}"


def said(capsys, *command):
    """What the command says as it ends with a mistake."""
    with pytest.raises(SystemExit) as ended:
        __main__.main(["tables", *map(str, command)])
    assert ended.value.code == 2
    return capsys.readouterr().err.strip().splitlines()[-1]


def test_mistakes_end_with_a_sentence(folder, capsys):
    here = "python -m knnviz: error: "
    empty = folder / "empty"
    empty.mkdir()
    assert said(capsys, "--data", empty) == f"{here}the folder {str(empty)!r} holds no .npz and no .csv file"
    assert said(capsys, "--data", folder / "no") == f"{here}there is no folder {str(folder / 'no')!r}"
    assert said(capsys, "rates", "--data", folder) == f"{here}give names or --data, not both: rates"
    np.savez(empty / "one.npz", X=np.eye(9), y=np.zeros(9, int))
    assert said(capsys, "--data", empty) == f"{here}one.npz: y must hold at least two classes, got only 0"
    (empty / "one.npz").unlink()
    np.savez(empty / "few.npz", X=np.eye(8), y=np.arange(8) % 2)
    assert said(capsys, "--data", empty).endswith(
        "few has too few rows: inner training parts of 4 cannot have 5 others"
    )
    (empty / "few.npz").write_text("no archive")
    assert said(capsys, "--data", empty).startswith(f"{here}few.npz is not a NumPy archive")


NUMBERS = [f"{i / 8},{i % 7 / 3}" for i in range(60)]
KINDS = ["ab"[i % 2] for i in range(60)]


def csv(rows, header=""):
    return "\n".join(filter(None, [header, *rows]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (csv([f"{k},{x}" for k, x in zip(KINDS, NUMBERS, strict=True)], "kind,x,z"), "'kind' holds text, but"),
        (csv([f"{k},{x}" for k, x in zip(KINDS, NUMBERS, strict=True)]), "column 1 holds text, but"),
        (
            csv([f"{i % 2},{i},{i * i}" for i in range(60)], "kind,x,price"),
            "'price', the last column, does not hold the labels of a few classes, but 60 different values in 60 rows",
        ),
        (
            csv([f"{i},{i / 7}" + f",{i % 9 / 2}" for i in range(60)]),
            "column 3, the last column, .* numbers such as 0.5",
        ),
        (
            csv([f"{i % 2},{i},{i % 3}" for i in range(60)], "Class,x,z"),
            "'Class' is called a label, but .* here 'z'; put",
        ),
        (
            csv([f"{i % 2},{i},{i % 3}" for i in range(60)], "a,x,z"),
            "'a' could be the label, but .* here 'z'; call that",
        ),
        (csv([f"{i},{i / 7}" + f",name{i}" for i in range(60)]), "column 3, .* but 60 different values in 60 rows"),
    ],
)
def test_a_label_that_is_in_doubt_is_refused(tmp_path, text, message):
    (tmp_path / "mine.csv").write_text(text)
    with pytest.raises(ValueError, match=f"^mine.csv: {message}"):
        tables.tables_of(tmp_path)


def test_a_label_beyond_doubt_is_taken(tmp_path):
    for header, last in (("", "yn"), ("a,x,z", "yn"), ("a,x,Label", "01")):
        (tmp_path / "mine.csv").write_text(csv([f"{i % 2},{i},{last[i % 2]}" for i in range(60)], header))
        (table,) = tables.tables_of(tmp_path)
        assert (table.X.shape, table.class_names) == ((60, 2), tuple(sorted(last)))


def test_an_archive_with_a_continuous_target_is_refused(tmp_path):
    np.savez(tmp_path / "prices.npz", X=np.eye(60), y=np.arange(60) % 7 / 2)
    with pytest.raises(ValueError, match=r"^prices.npz: 'y' does not hold the labels .* but numbers such as 0.5$"):
        tables.tables_of(tmp_path)


def test_refusals():
    data = protocol.binary(table_of(np.eye(40), np.arange(40) % 2))
    with pytest.raises(ValueError, match="test_folds must be between 1 and 4, got 5"):
        protocol.compare(data, 0, test_folds=5)
    with pytest.raises(ValueError, match="scoring must be 'noisy' or 'clean', got 'true'"):
        protocol.compare(data, 0, scoring="true")
    with pytest.raises(ValueError, match="trials must be at least 2, got 1"):
        tables.gao_tables(names=("iris",), trials=1)
    with pytest.raises(ValueError, match="there is no bundled set 'cancer'"):
        tables.gao_tables(names=("cancer",))
