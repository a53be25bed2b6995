"""What lesson 08 states in words is what is computed: answers to predictions, and numbers in its prose."""

from functools import cache

import numpy as np
import pytest
from lesson_pages import Page, because, kept, numbers
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from knnviz import NeighborTable
from knnviz.bag_comparison import compare
from knnviz.corruption import BagDraws, BagProcess
from knnviz.learnability import (
    EXAMPLES,
    bag_distribution,
    best,
    confusable,
    decode,
    feng_alpha,
    frequency,
    is_label_aligned,
    misaligned,
    process_of,
    swap,
)
from knnviz.lessons import book, exercises
from knnviz.linear import RIVALS
from knnviz.rules import Adaptive, PartialAdaptive

PAGE = Page("08-learnability.ipynb")
TEXTS, shown, opened, lab = PAGE.texts, PAGE.shown, PAGE.opened, PAGE.read
MIXTURE = EXAMPLES["a mixture of two"].process
CROWDED = process_of(BagProcess([[1, 0.9, 0.1], [0.1, 1, 0.1], [0.1, 0.9, 1]]))
ON_THE_LEFT = np.array([0.5, 0.4, 0.1])


def beside(name):
    """The eta of the world beside that of a lab, None without one."""
    other = opened(name)[0].findings.other
    return None if other is None else other.eta


def test_thirty_thirty_forty():
    bags = [f"{100 * float(row[3]):.0f} % {bag}" for bag, row in shown("h1")[0].items()]
    assert "{}, {} and {}".format(*bags) in because("thirty-thirty-forty")


def test_two_worlds_in_the_first_lab():
    here = lab("lab1")
    assert (here["rank"], here["reconstructible"], here["law_gap"], here["other_best"]) == (2, False, 0, "2")
    assert beside("lab1") == pytest.approx([0, 0, 1]), "label 2 is always true beside it"
    pair = np.subtract(*confusable(opened("lab1")[0].bag_process.matrix))
    for eta in ((0.6, 0.3, 0.1), (0.2, 0.5, 0.3), (0.1, 0.1, 0.8)):
        lab("lab1", **dict(zip(("eta0", "eta1", "eta2"), eta, strict=True)))
        apart = beside("lab1") - eta
        assert abs(np.cross(apart, pair)).max() == pytest.approx(0, abs=1e-9), "along the dotted line"
    lab("lab1", eta0=1.0, eta1=0.0, eta2=0.0)
    assert beside("lab1") is None
    apart = lab("lab1", model="two never apart")
    assert (apart["rank"], lab("lab1", model="all but one wrong label")["rank"]) == (2, 3)
    assert beside("lab1") is None


def test_the_rank_of_what_is_never_alone():
    assert f"Its rank is {shown('h1')[1]['never alone'][0]}" in TEXTS["look1b"]


def test_never_in_its_bag():
    words, process = because("never-in-its-bag"), EXAMPLES["permutation"].process
    held = frequency(process, [0.5, 0.3, 0.2])
    assert "with probabilities {:.1f}, {:.1f} and {:.1f}".format(*held) in words
    here = lab("lab2")
    assert (here["best_label"], here["counted_label"], here["decoded_label"]) == ("0", "1", "0")
    assert here["decoded"] == pytest.approx((0.5, 0.3, 0.2))
    assert here["misaligned_fraction"] == 1
    for n in (100, 1000):
        sampled = lab("lab2", n=n)
        assert (sampled["counted_label"], sampled["sample_label"], sampled["decoded_label"]) == ("1", "1", "0")
        assert "({:.3g}, {:.3g}, {:.3g})".format(*sampled["decoded"]) in TEXTS["look2"]
    right = lab("lab2", model="mostly right")
    assert right["aligned_process"]
    rows = shown("h2")[0]
    assert f"in {rows['permutation, n = 100'][1]} of the samples" in words


def test_how_many_bags_it_takes():
    words, (rows,) = because("a-tenth-of-truth"), shown("h2")
    found = [rows[f"section 1 with a tenth of truth, n = {n}"][1] for n in (30, 100, 1000)]
    assert "in {} of the samples of 30 bags, in {} of those of 100 and in {} of those of 1000".format(*found) in words
    process = 0.9 * MIXTURE + 0.1 * EXAMPLES["labels themselves"].process
    for n, low, high in ((700, 0, 0.93), (1500, 0.95, 1)):
        fractions = np.random.default_rng(1).multinomial(n, bag_distribution(process, [0.2, 0.3, 0.5]), size=4000) / n
        assert low < (decode(process, fractions).argmax(axis=1) == 2).mean() < high
    crowded = float(rows["crowded left of lesson 07, n = 300"][1])
    assert f"right in {crowded:.2f} of the samples of 300 bags" in TEXTS["look2b"]


def test_what_counting_costs():
    words = because("sure-of-each")
    assert is_label_aligned(CROWDED, np.eye(3)).all()
    held = frequency(CROWDED, [0.5, 0.5, 0])
    assert f"label 1 is in {held[1]:.2f} of the bags and label 0 in {held[0]:.2f}" in words
    assert book.predictions()["at-worst"].choice == f"{8 / 9:.2f}"


def test_alignment_breaks_at_a_touch():
    text, start = TEXTS["look3"], lab("lab3")
    assert start["aligned_process"]
    assert opened("lab3")[1]["probability_01_0"] == pytest.approx(0.24)
    touched = lab("lab3", probability_01_0=0.25)
    assert not touched["aligned_process"]
    assert touched["aligned"]
    assert f"{100 * touched['misaligned_fraction']:.1f} % of all η" in text
    for value, label, theta in ((0.54, "0", 0), (0.55, "1", 0.2)):
        found = lab("lab3", probability_01_0=value)
        assert (found["counted_label"], found["rank"]) == (label, 3)
        assert found["theta"] == pytest.approx(theta)
        assert found["decoded"] == pytest.approx((0.5, 0.3, 0.2))
    end = lab("lab3", probability_01_0=1.0)
    assert f"errs on {100 * end['misaligned_fraction']:.0f} % of the triangle" in text
    assert end["rank"] == 3


def test_sets_of_three_labels_suffice():
    # Where inclusions are even or the same both ways pairs are level, and only three labels tell; four never do first.
    sizes = set()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        inclusion = rng.uniform(0, 0.5, (4, 4))
        if seed % 3 == 1:
            inclusion = (inclusion + inclusion.T) / 2
        elif seed % 3 == 2:
            inclusion[:] = inclusion[:1, :1]
        eta = misaligned(process_of(BagProcess(inclusion)))
        sizes.add(0 if eta is None else np.count_nonzero(eta))
    assert sizes == {0, 2, 3}
    assert "sets of up to three labels" in TEXTS["look3b"]


def test_what_the_crowded_left_loses_at_worst():
    assert "loses at most 0.889" in PAGE.cells["h3"].outputs[-1]["text"]
    assert "At worst it loses 0.889" in TEXTS["look3b"]


def test_two_experts():
    words = because("two-experts")
    laws = []
    for name, fraction in (("first expert", 2 / 3), ("second expert", 1 / 3)):
        process, eta = EXAMPLES[name].process, np.array([fraction, 1 - fraction])
        laws.append(bag_distribution(process, eta))
    assert 9 * laws[0] == pytest.approx([0, 2, 3, 4])
    assert "Both give 2/9, 3/9 and 4/9" in words
    first, second = lab("lab4"), lab("lab4", model="second expert")
    assert (first["best_label"], first["counted_label"], second["best_label"]) == ("0", "1", "1")
    wrong = [100 * each["misaligned_fraction"] for each in (first, second)]
    assert "{:.0f} % of all η by the first, on {:.0f} % by the second".format(*wrong) in TEXTS["look4"]


def test_the_exchanged_world():
    words, (process, eta) = because("the-exchanged-world"), swap(CROWDED, ON_THE_LEFT)
    assert eta == pytest.approx([0.4, 0.5, 0.1])
    assert is_label_aligned(process, eta)
    assert "(0.4, 0.5, 0.1)" in words


def test_the_exchanged_world_in_the_lab():
    here = lab("lab5")
    assert (here["law_gap"], here["best_label"], here["counted_label"], here["other_best"]) == (0, "0", "1", "1")
    other = opened("lab5")[0].findings.other
    assert other.eta == pytest.approx([1 / 3, 2 / 3])
    assert is_label_aligned(other.process, other.eta)
    assert other.process[:, 0] == pytest.approx([0, 0, 1, 0]), "if 0 is true the bag is {1}"
    lab("lab5", eta0=0.9, eta1=0.1)
    assert beside("lab5") is None
    assert "nothing to swap here" in TEXTS["look5"]
    lab("lab5", model="permutation")
    assert beside("lab5") is not None


def test_fifty_checked():
    words, text, (untold, checked) = because("fifty-checked"), TEXTS["look5c"], shown("h5b")
    alone, entries, ten = checked["50 points"]
    assert f"{ten} of the digits held out" in words
    assert (
        f"against {alone} for the 50 points alone and {untold['the same, 8 out of all bags that hold another'][0]}"
        in words
    )
    assert f"are not: {entries}" in words
    assert f"can be read: {ten}" in text


def test_taking_eights_out():
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.2, random_state=0, stratify=y)
    assert len(y) == 1437
    joins = BagProcess(np.tile(np.where(np.arange(10) == 8, 0.9, 0.2), (10, 1)))
    bags = joins.draw(X, y, BagDraws.of(len(y), 10, 0))
    assert f"an 8 is in {bags[:, 8].mean():.2f} of the bags" in TEXTS["look5c"]
    bags[bags.sum(axis=1) > 1, 8] = False
    near = NeighborTable.build(X, X_test, 30).indices
    wrong = bags[near].mean(axis=1).argmax(axis=1) != y_test
    assert wrong[y_test == 8].all()
    assert f"err on {wrong[y_test != 8].mean():.3f} then" in TEXTS["look5c"]


def test_supersets():
    process, words = EXAMPLES["supersets without full rank"].process, because("supersets")
    pair = confusable(process)
    assert [2 * each for each in pair] == [pytest.approx([1, 1, 0, 0]), pytest.approx([0, 0, 1, 1])]
    assert "(1/2, 1/2, 0, 0) and (0, 0, 1/2, 1/2)" in words
    assert is_label_aligned(process, np.eye(4)).all(), "counting is right where a label is certain"


def test_feng_s_process():
    assert feng_alpha(3) == pytest.approx(2 / 3)
    assert "With three labels a is 2/3" in because("whatever-eta")


def test_models_in_the_lab():
    text, here = TEXTS["look6"], lab("lab6")
    assert (here["best_label"], here["aligned"], here["aligned_process"]) == ("0", True, False)
    assert f"on {100 * here['misaligned_fraction']:.0f} % of the triangle" in text
    assert all(lab("lab6", seed=seed)["aligned"] for seed in (1, 2, 3))
    assert lab("lab6", model="Cour et al.")["rank"] == 1
    assert all(lab("lab6", model="Feng et al.", seed=seed)["misaligned_fraction"] == 0 for seed in (0, 1))
    noisy = lab("lab6", model="Lv et al., noisy")
    assert (noisy["best_label"], noisy["counted_label"]) == ("0", "1")
    assert f"{noisy['frequency'][1]:.2f} against {noisy['frequency'][0]:.2f}" in text


def test_ten_bags():
    words, (rows,) = because("ten-bags"), shown("h7")
    split = np.array(numbers(rows["split votes"][0].strip("()").split(",")))
    assert "= {:.1f} for label 0, {:.1f} for label 1, and {:.0f} for label 2".format(*10 * split) in words


def test_rivals_on_the_split_of_the_lab():
    # What the lab shows are outcomes of its first split; to fit all of its curve takes long.
    rules = {"PL A-kNN": PartialAdaptive(max_neighbors=100), "A-kNN": Adaptive(max_neighbors=100)}
    rules |= {name: RIVALS[name] for name in ("PRODEN", "APL, MAE")}
    (*_, found) = compare(*load_digits(return_X_y=True), rules, (0.0, 0.1, 0.2), splits=1)
    errors, text = {name: found.mean("errors", name) for name in rules}, TEXTS["look7b"]
    picture = PAGE.cells["lab7"].outputs[1].data["text/plain"]
    for name in ("PL A-kNN", "PRODEN"):
        assert f"{name} {errors[name][0]:.4g} at 0," in picture
    clean, noisy = (f"errs on {errors['PRODEN'][i]:.3f}" for i in (0, 1))
    assert f"{clean}, hardly more than PL A-kNN with {errors['PL A-kNN'][0]:.3f}" in text
    assert f"{noisy}, and PL A-kNN on {errors['PL A-kNN'][1]:.3f}" in text
    assert f"has {errors['APL, MAE'][1]:.3f} at 0.1" in text
    assert errors["PRODEN"][2] > max(errors["A-kNN"][2], found.vote(10)[0, 2])


@cache
def full(name, nu, table="errandonea_linear", rows="linear"):
    """The row of a rule or loss at a noise, from the full runs on digits."""
    return next(row for row in kept(table, rows) if (row["measured"], row["nu"]) == (name, nu))


def test_a_tenth_of_noise():
    words, text = because("a-tenth-of-noise"), TEXTS["look7c"]
    proden, mae = ([full(name, nu)["value"] for nu in (0.0, 0.1)] for name in ("PRODEN", "APL, MAE"))
    assert f"{proden[1]:.3f} over 20 splits, after {proden[0]:.3f}" in words
    assert f"{mae[1]:.3f}, after {mae[0]:.3f}" in words
    told = "from {:.3f} to {:.3f} with a tenth of noise, APL with MAE from {:.3f} to {:.3f}"
    assert told.format(*proden, *mae) in text
    assert book.predictions()["a-tenth-of-noise"].choice == f"on about {proden[1]:.2f}"
    apart = max(abs(row["z"]) for row in kept("errandonea_linear", "linear"))
    assert f"farther apart than {np.ceil(10 * apart) / 10:.1f} of their joint standard errors" in text
    _, believed, _ = shown("h7b")
    assert "In 92 bags of 1437 the true label is missing" in text
    assert f"until its label is in {believed['PRODEN'][0]} of these" in text
    assert f"takes {believed['APL, MAE'][0]} of the wrong bags" in text


def test_the_exercises_agree_with_the_library():
    solved = {name: book.exercises()[name] for name in ("least-confusion", "repaired", "read-backwards")}
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
        law = np.bincount(rows, minlength=len(process)) / len(bags)
        assert eta == pytest.approx(decode(process, law))
        negative += eta.min() < 0
    assert negative
