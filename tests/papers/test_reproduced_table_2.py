"""Table 2 of Khim, Xu & Singh on tables: beside a plain protocol, what the full run and a run on Covertype say."""

import numpy as np
import pytest
from agreement import row_of
from refusals import refuses
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import f1_score
from sklearn.neighbors import KNeighborsClassifier

from knnviz.lessons import load
from knnviz.weights import simplex_grid
from knnviz_papers.khim import table_2

KEPT = load("khim_table_2").results


@pytest.fixture(scope="module")
def split():
    """Three overlapping classes of 120, 60 and 20 rows."""
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1, 2], [120, 60, 20])
    X = rng.normal(0, 1, (200, 4)) + y[:, None] * [1, 0, 0, 0]
    return table_2.Split.of(X, y, 3, 1)


def test_a_split_is_that_of_the_paper_in_proportion(split):
    assert [len(part) for part in split[1::2]] == [120, 40, 40]
    assert [np.bincount(part).tolist() for part in split[1::2]] == [[72, 36, 12], [24, 12, 4], [24, 12, 4]]
    assert split.X_train.mean(axis=0) == pytest.approx(np.zeros(4), abs=1e-12)
    assert split.X_train.std(axis=0) == pytest.approx(np.ones(4))
    assert table_2.sizes(581_012) == (11_340, 3_780)
    assert table_2.sizes(20_000) == (11_340, 3_780)
    assert table_2.neighbors_of(581_012, None) == 160
    assert table_2.neighbors_of(1000, None) == round(160 * (600 / 11_340) ** (1 / 3))
    raw = table_2.Split.of(np.arange(40.0)[:, None], np.arange(40) % 2, 0, 0, raw=True)
    assert sorted(np.concatenate(raw[::2]).ravel()) == list(range(40)), "each row in one part, as it is"


@pytest.mark.parametrize("shift", [False, True])
def test_a_trial_is_that_of_a_plain_protocol(split, shift):
    voters, moved = KNeighborsClassifier(9).fit(split.X_train, split.y_train), int(shift)

    def f1(X, y, q):
        predicted = np.argmax(np.round(q * voters.predict_proba(X), 12), axis=1)
        return f1_score(y + moved, predicted, labels=np.arange(3) + moved, average="macro", zero_division=0)

    def climb(q, classes):
        best = f1(split.X_dev, split.y_dev, q)
        for _ in range(25):
            start = q
            for c in classes:
                for sign in (1, -1):
                    candidate = start.copy()
                    candidate[c] = max(candidate[c] + sign * 0.02, 0)
                    candidate /= candidate.sum()
                    score = f1(split.X_dev, split.y_dev, candidate)
                    if score >= best:
                        q, best = candidate, score
        return q

    found = table_2.Fitted.of(split, 9, 0).scores(shift=shift)
    equal, grid = np.full(3, 1 / 3), simplex_grid(3, 12)
    weights = {
        "unweighted": equal,
        "greedy": climb(equal, (0, 1, 2)),
        "greedy, backwards": climb(equal, (2, 1, 0)),
        "grid": max(grid, key=lambda q: f1(split.X_dev, split.y_dev, q)),
    }
    for rule, q in weights.items():
        wanted = [f1(split.X_dev, split.y_dev, q), f1(split.X_test, split.y_test, q), *q]
        assert found[rule] == pytest.approx(wanted, abs=1e-12), rule
    for rule, balance in (("linear", None), ("linear, balanced", "balanced")):
        plain = SGDClassifier(loss="log_loss", penalty=None, class_weight=balance, random_state=0)
        plain.fit(split.X_train, split.y_train)
        scored = ((split.X_dev, split.y_dev), (split.X_test, split.y_test))
        assert found[rule] == [f1_score(y, plain.predict(X), average="macro") for X, y in scored]


def test_many_classes_have_no_grid():
    assert table_2.has_grid(7)
    assert not table_2.has_grid(26)


def test_in_full_weights_help_the_imbalanced_digits():
    right, shifted = ({row["rule"]: row for row in KEPT[name]} for name in ("right", "shifted"))
    for rule in ("greedy", "grid"):
        assert right[rule]["f1_test"] - right[rule]["f1_test_se"] > right["unweighted"]["f1_test"]
        assert shifted[rule]["f1_test"] < right["unweighted"]["f1_test"] / 2
    assert shifted["linear"] == right["linear"]


def test_in_full_the_order_of_the_classes_decides_what_the_greedy_search_finds():
    """Between equal candidates the last wins, which takes from the last class, here the rarest."""
    rows = {row["rule"]: row for row in KEPT["right"]}
    forward, backward = rows["greedy"], rows["greedy, backwards"]
    for lower, higher, name in ((forward, backward, "f1_test"), (forward, backward, "q_6"), (backward, forward, "q_0")):
        assert higher[name] - lower[name] > 2 * np.hypot(higher[f"{name}_se"], lower[f"{name}_se"])


def test_covertype_agrees_with_print_only_where_labels_are_shifted():
    rows = KEPT["covertype"]
    for rule in ("unweighted", "greedy", "grid"):
        printed, right, shifted = (
            row_of(rows, source=source, rule=rule)["f1_dev"] for source in ("printed", "right", "shifted")
        )
        assert abs(shifted - printed) < 0.05
        assert right > printed + 0.2
    printed, shifted = (row_of(rows, source=source, rule="grid") for source in ("printed", "shifted"))
    assert max(range(7), key=lambda c: printed[f"q_{c}"]) == max(range(7), key=lambda c: shifted[f"q_{c}"]) == 3


def test_refusals():
    run, y = table_2.khim_table_2, np.repeat([0, 1], [20, 2])
    refuses("each class needs 6 of the 22 rows, for one in each part; 1 has 2", run, np.eye(22), y)
    refuses("each class needs 5 of the 30 rows, for one in each part; 0 has 3", run, np.eye(30), np.arange(30) % 10)
    y = np.repeat([0, 1], 10)
    refuses("neighbors must be at most 12, the training rows, got 13", run, np.eye(20), y, neighbors=13)
    refuses("splits must be at least 2, got 1", run, np.eye(20), y, splits=1)
    refuses("seed must be at least 0, got -1", run, np.eye(20), y, seed=-1)
    refuses("X and y must be given together", run, np.eye(20))


@pytest.mark.parametrize(("n", "rare"), [(40, 5), (43, 6), (1007, 6), (40_003, 11)])
def test_with_the_fewest_rows_a_class_is_in_each_part(n, rare):
    y = (np.arange(n) < rare).astype(int)
    table_2.check_classes(y, ["often", "rare"])
    refuses("each class needs", table_2.check_classes, (np.arange(n) < rare - 1).astype(int), ["often", "rare"])
    for number in range(20):
        split = table_2.Split.of(np.zeros((n, 1)), y, 0, number, raw=True)
        assert all(part.any() for part in split[1::2])
