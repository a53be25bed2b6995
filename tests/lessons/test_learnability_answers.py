"""What lesson 08 states in words is what is computed: its picture, answers to predictions, and numbers in its prose."""

import numpy as np
import pytest
from lesson_pages import Page, because, numbers
from scipy.stats import binom
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from knnviz import NeighborTable
from knnviz.bags import BagDraws, BagProcess
from knnviz.labs.learnability import COLUMNS, ETA_NAMES, SAME_BAGS, draw_sample, other_world
from knnviz.learnability import (
    EXAMPLES,
    bag_distribution,
    best,
    cooccurrence,
    decode,
    frequency,
    is_label_aligned,
    rank,
    swap,
)
from knnviz.lessons import content, exercises
from knnviz.lessons.openings import learnability as opening

PAGE = Page("08-learnability.ipynb")
TEXTS, shown, opened, lab = PAGE.texts, PAGE.shown, PAGE.opened, PAGE.read


def world(name):
    """M (2^C, C) and eta (C,) of a lab."""
    now = opened(name)[0]
    columns, etas = COLUMNS[: now.n_classes], ETA_NAMES[: now.n_classes]
    matrix = np.array([[now.values[each] for each in names[: 2**now.n_classes]] for names in columns]).T
    return matrix, np.array([now.values[each] for each in etas])


def test_the_opening_picture():
    found = opening.neighbors()
    counts = {group: bags.sum(axis=0) for group, bags in found.bags.items()}
    own = np.arange(opening.K), found.digits
    assert "the 30 scans most like a new one" in TEXTS["title"]
    assert found.bags["A"][own].all(), "group A puts the true digit into every bag"
    assert not found.bags["B"][own].any(), "group B into none"
    assert counts["A"].argmax() == 8 != found.digit, "in group A an 8 wins, and the scan is none"
    assert counts["B"].argmax() == found.digit + 1, "in group B it is one digit back"
    assert found.bags["A"][:, 8].mean() > 0.5, "mostly an 8 as well"
    _, words = opening.draw()
    assert f"8 is in {counts['A'][8]} bags and {found.digit} in {counts['A'][found.digit]}" in words


def test_two_truths():
    process = EXAMPLES["a mixture of two"].process
    table = [row.split("|")[2:5] for row in PAGE.cells["s1"].source.splitlines() if row.startswith("| {")]
    np.testing.assert_array_equal(np.array(table, float), process[1:4])
    assert process[:, 2] == pytest.approx(process[:, :2].mean(axis=1)), "the third column is the mean of the others"
    here = lab("lab1")
    assert (here["rank of M"], here["bags differ by"]) == (2, 0)
    assert world("lab1")[1] == pytest.approx([0.5, 0.5, 0])
    assert other_world(*world("lab1"), SAME_BAGS).eta == pytest.approx([0, 0, 1]), (
        "in the orange world 2 is always true"
    )
    assert lab("lab1", model="all but one wrong label")["rank of M"] == 3
    assert "bags differ by" not in lab("lab1", model="all but one wrong label")


def test_never_in_its_bag():
    here = lab("lab2")
    assert (here["best label"], here["in most bags"], here["by least squares"]) == ("0", "1", "0")
    process, eta = world("lab2")
    solution = decode(process, bag_distribution(process, eta)).round(9)
    assert "{:g}, {:g}, {:g}".format(*solution) in because("never-in-its-bag")
    assert (cooccurrence(process) @ eta)[1] == 0.5, "label 1 is in half of the bags"
    right = lab("lab2", model="mostly right")
    assert right["aligned at every eta"]
    assert np.diag(EXAMPLES["mostly right"].process[[1, 2, 4]]) == pytest.approx(0.7), "3 of 10 bags lack their label"


def test_the_digits():
    ((a, b, plain),) = ([numbers(row) for row in table.values()] for table in shown("solve"))
    assert a[0] > 4 * a[1]
    assert b[0] > 0.9
    assert b[1] == plain[0] == plain[1], "solving undoes group B's mistake"
    assert a[1] <= plain[0]
    X, y = load_digits(return_X_y=True)
    X, X_new, y, y_new = train_test_split(X, y, test_size=0.2, random_state=0, stratify=y)
    process = BagProcess(np.tile(np.where(np.arange(10) == 8, 0.9, 0.2), (10, 1)))
    bags = process.draw(X, y, BagDraws.draw(len(y), 10, 0))
    nearest = NeighborTable.build(X, X_new, 30).indices
    assert (len(y), len(y_new)) == (1437, 360)
    wrong = bags[nearest].mean(axis=1).argmax(axis=1) != y_new
    assert wrong.mean() == pytest.approx(a[0], abs=0.005)
    assert a[0] == 0.22
    bags[bags.sum(axis=1) > 1, 8] = False
    wrong = bags[nearest].mean(axis=1).argmax(axis=1) != y_new
    assert f"loses every true 8, and errs on {wrong.mean():.2f}" in because("fifty-checked")
    assert wrong[y_new == 8].all()
    ambiguity = process.cooccurrence()[0][~np.eye(10, dtype=bool)].max()
    assert f": {ambiguity:.1f} in group A" in TEXTS["degree"]


def test_fifty_checked():
    (table,) = shown("checked-table")
    alone, entries, few = numbers(table["50"])
    assert few < alone < entries
    assert "Fifty digits teach ten probabilities, but not the ninety entries" in TEXTS["checked-look"]
    assert all(numbers(row)[2] <= 0.05 for row in table.values())


def test_nearly_dependent_columns():
    text, here = TEXTS["look3"], lab("lab3")
    process, eta = world("lab3")
    estimate = decode(process, draw_sample(process, eta, 100, 1).bags)
    assert (here["best label"], here["by least squares"], here["rank of M"]) == ("0", "1", 2)
    assert process[1] == pytest.approx([0.1, 0]), "in one of ten cases label 0 stands alone"
    assert 100 * bag_distribution(process, eta)[1] == pytest.approx(6)
    assert f"here only {round(10 * estimate[0])} are" in text
    assert rf"$\eta_0 = {estimate[0]:.1f}$" in text
    # Least squares predicts label 0 if more than one bag in twenty is {0}; ties count as errors.
    few, many, labels = binom.sf(5, 100, 0.06), binom.sf(100, 2000, 0.06), binom.sf(50, 100, 0.6)
    assert decode(process, np.array([0, 0.05, 0, 0.95])) == pytest.approx([0.5, 0.5])
    assert f"right with probability {few:.2f}; the majority of 100 true labels with {labels:.2f}" in text
    assert round(many, 2) == round(labels, 2)
    assert "to 2000: now it is as good as 100 true labels" in text


def test_what_counting_costs():
    text, here = TEXTS["look4"], lab("lab4")
    assert f"on {here['counting errs on']:.2f} of all" in text
    assert (here["best label"], here["in most bags"]) == ("0", "1")
    assert rf"$\eta_0 - \eta_1 = {here['counting costs theta']:.1f}$" in text
    assert is_label_aligned(world("lab4")[0], np.eye(3)).all(), "right where one label is certain"
    moved = lab("lab4", probability_01_0=0.9, eta0=0.8)
    assert f"the cost rises to {moved['counting costs theta']:.2f}" in text
    assert lab("lab4", probability_01_0=0.9, eta0=0.85)["counting costs theta"] == 0, "outside of the hatching"
    assert lab("lab4", probability_01_0=0.24)["counting errs on"] == 0
    assert 0 < lab("lab4", probability_01_0=0.3)["counting errs on"] < 0.03


def test_two_experts():
    ninths = []
    for name, joins in (("first expert", (2 / 3, 0)), ("second expert", (1 / 3, 1 / 2))):
        process, eta = EXAMPLES[name].process, EXAMPLES[name].eta
        assert rank(process) == 2
        assert cooccurrence(process) == pytest.approx(np.array([[1, joins[1]], [joins[0], 1]]))
        ninths.append(9 * bag_distribution(process, eta))
    assert ninths[0] == pytest.approx([0, 2, 3, 4])
    assert ninths[1] == pytest.approx([0, 2, 3, 4])
    words = because("two-experts")
    assert "joins 2/3 of the bags of 0, and never the reverse, 0 is the best label. With 1/3 and 1/2 it is 1" in words
    first = lab("lab5")
    other = swap(*world("lab5"))
    assert best(other.eta).tolist() == [False, True]
    assert (first["best label"], first["in most bags"], first["bags differ by"]) == ("0", "1", 0)
    assert is_label_aligned(other.process, other.eta), "counting is right in the exchanged world"
    assert other.process == pytest.approx(EXAMPLES["first expert"].process[:, ::-1])
    assert lab("lab5", model="second expert")["best label"] == "1"


def test_published_assumptions():
    (table,) = shown("models")
    assert [name for name, row in table.items() if float(row[2]) == 1] == ["Feng et al."]
    assert all(float(row[2]) == 0 for name, row in table.items() if name != "Feng et al.")
    assert rank(EXAMPLES["supersets without full rank"].process) == 3
    assert np.diag(cooccurrence(EXAMPLES["supersets without full rank"].process)) == pytest.approx(1)


def test_ten_bags():
    (table,) = shown("ten")
    assert table["apl-mse"] == table["split votes"]
    assert {name for name, row in table.items() if row[3] == "2"} == {"split votes", "apl-mse", "apl-mae"}
    assert {row[3] for row in table.values()} == {"0", "2"}


def test_the_exercises_agree_with_the_library():
    solved = {name: content.exercises()[name] for name in ("least-confusion", "repaired", "read-backwards")}
    results = {name: exercises.known_results(each, each.solution) for name, each in solved.items()}
    for (process, eta), t in zip(exercises.cases(solved["least-confusion"]), results["least-confusion"], strict=True):
        first, other = eta.argmax(), frequency(process, eta).argsort()[-2]
        assert is_label_aligned(process, eta)
        for fraction, level in ((t, True), (t - 1e-4, False)):
            moved = process.copy()
            moved[1 << first, first] -= fraction
            moved[1 << other, first] += fraction
            held = frequency(moved, eta)
            assert (best(held).sum() > 1) == level
            assert held.argmax() in (first, other)
    for (process, label), found in zip(exercises.cases(solved["repaired"]), results["repaired"], strict=True):
        assert not is_label_aligned(process)
        assert is_label_aligned(found)
        others = np.arange(process.shape[1]) != label
        np.testing.assert_array_equal(found[:, others], process[:, others])
        assert set(np.flatnonzero(found[:, label])) == {1 << label, len(found) - 1}
    negative = 0
    for (process, bags), eta in zip(exercises.cases(solved["read-backwards"]), results["read-backwards"], strict=True):
        rows = bags @ (1 << np.arange(bags.shape[1]))
        distribution = np.bincount(rows, minlength=len(process)) / len(bags)
        assert eta == pytest.approx(decode(process, distribution))
        negative += eta.min() < 0
    assert negative
