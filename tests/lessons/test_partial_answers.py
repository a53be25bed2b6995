"""What lesson 07 states in words is what is computed: answers to predictions, and numbers in its prose."""

from functools import cache
from time import sleep

import numpy as np
import pytest
from lesson_pages import Page, because, kept, numbers
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from knnviz import NeighborTable
from knnviz.bounds import errandonea
from knnviz.corruption import BagProcess, read_bags
from knnviz.lessons import book, exercises
from knnviz.problems import constant, segments
from knnviz.rules import PartialAdaptive

PAGE = Page("07-partial-labels.ipynb")
TEXTS, shown, opened, lab = PAGE.texts, PAGE.shown, PAGE.opened, PAGE.read
LEFT = np.array([[0.17]])


def noisy(**moved):
    """What the lab on noisy digits reads out, all of its splits done."""
    while (read := lab("lab7", **moved))["splits_done"] != "5 of 5":
        sleep(0.05)
    return read


@cache
def digits():
    """Rows of the full run on digits, by noise and what is measured."""
    return {(row["nu"], row["measured"]): row for row in kept("errandonea_digits", "digits")}


def full(nu, name):
    """A mean of the full run on digits."""
    return digits()[nu, name]["value"]


def stops(example, c1, rule):
    """The row of a rule at one of the two points, from the full run."""
    rows = kept("errandonea_examples", "stops")
    return next(row for row in rows if (row["example"], row["c1"], row["rule"]) == (example, c1, rule))


def line(bags, n):
    """The row of a kind of bags and a size, from the full run."""
    rows = kept("errandonea_line", "consistency")
    return next(row for row in rows if (row["bags"], row["n"]) == (bags, n))


def swept(c1, name):
    """A mean of the full run over constants of the band."""
    rows = kept("errandonea_digits_settings", "constants")
    return next(row["value"] for row in rows if (row["c1"], row["measured"]) == (c1, name))


def test_a_lead_in_bags():
    (probabilities,) = BagProcess.even_inclusion(3, 0.4).frequency(LEFT, segments().eta(LEFT))
    words = because("a-lead-in-bags")
    assert f"5/7 + 2/7 · 0.4 = {probabilities[0]:.3f} of the bags" in words
    assert f"1/7 + 6/7 · 0.4 = {probabilities[1]:.3f}" in words
    assert f"{probabilities[0] - probabilities[1]:.2f}" == "0.34" == book.predictions()["a-lead-in-bags"].choice


def test_the_first_lab():
    text, end = TEXTS["look1"], lab("lab1")
    found, _ = opened("lab1")
    counts = found.walk.partial.counts
    fractions = counts[299] / 300
    assert f"class 0 is in {fractions[0]:.2f} of them, the others in {fractions[1]:.2f} each" in text
    assert f"{fractions[2]:.2f}" == f"{fractions[1]:.2f}"
    assert counts[1, 0] < min(counts[1, 1:]), "after two bags"
    assert "0.83 for class 0 and 0.49 for the others, 0.34 apart" in text
    wide, plain = lab("lab1", inclusion=0.8), lab("lab1", inclusion=0.0)
    assert f"{wide['mean_bag_size']:.1f} of 3 labels" in text
    ks = (end, wide, plain)
    assert "{:.0f} bags at 0.4, {:.0f} at 0.8, and {:.0f} with".format(*(each["mean_stop_k"] for each in ks)) in text
    (noisy_shares,) = BagProcess.even_inclusion(3, 0.4, 0.3).frequency(LEFT, segments().eta(LEFT))
    assert "{:.2f} and {:.2f}".format(*noisy_shares[:2]) in text
    leads, _ = shown("h1")
    assert leads["a = 0.8, nu = 0"][2].startswith("0.11")
    assert "the lead is down to 0.11" in text
    ends = leads["a = 0, nu = 0"][2], leads["a = 0.8, nu = 0.3"][2]
    assert "from {} to {} in the last row".format(*ends) in TEXTS["look1b"]


def walk(n, c1=0.5):
    """The worked walk among n points."""
    bags, _ = read_bags([{0, 1}, {0}, {0, 2}, {1}, {0, 1}, {0}, {0, 2}, {0, 1}, {0}, {0, 1}, {0, 2}, {0}])
    whole = np.zeros((n, 3), bool)
    whole[:12] = bags
    table = NeighborTable(np.arange(12, dtype=np.int32)[None], n)
    return PartialAdaptive(c1, max_neighbors=12).trace(table, whole, 3)


def test_who_falls_first():
    words, found = because("who-falls-first"), walk(100)
    assert found.eliminated_at.tolist() == [0, 11, 6]
    assert found.counts[5].tolist() == [5, 3, 1]
    assert f"4/6 = {4 / 6:.3f} behind, and Δ(6) is {found.band[5]:.3f}" in words
    assert found.counts[2].tolist() == [3, 1, 1]
    assert f"Δ(3) is {found.band[2]:.3f}" in words
    rule = PartialAdaptive()
    assert rule.band_constant(100, 3) == pytest.approx(1.415, abs=5e-4), "as the question has it"
    assert f"a $k$ of $c_1^2(\\log n + \\log(C/\\delta))$ or more, here {rule.least_k(100, 3)}" in TEXTS["look2b"]


def test_the_walk_in_the_lab():
    text, found = TEXTS["look2"], opened("lab2")[0]
    ends = {c1: lab("lab2", c1=c1) and found.walk.partial for c1 in (0.5, 0.25, 0.75, 1.0)}
    assert (ends[0.5].eliminated_at == walk(100).eliminated_at).all()
    first = (ends[0.5].counts[2, 0] - ends[0.5].counts[2, 1:]) / 3
    assert f"{first[0]:.3f} behind class 0" in text
    assert first[0] == first[1] < ends[0.5].band[2] - 0.1
    assert (ends[0.25].stop_k, ends[0.75].eliminated_at.tolist(), ends[1.0].eliminated_at.tolist()) == (
        3,
        [0, 0, 10],
        [0, 0, 0],
    )
    assert lab("lab2")["aknn_stop_k"] == 8


def test_lead_or_majority():
    words = because("lead-or-majority")
    own, other = ("PL A-kNN", "PL A-kNN, majority")
    assert f"{full(0, own):.3f} against {full(0, other):.3f} without noise" in words
    assert f"{full(0.6, own):.3f} against {full(0.6, other):.3f} at ν = 0.6" in words
    gaps = {nu: digits()[nu, "PL A-kNN above majority"] for nu in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)}
    assert all(gaps[nu]["value"] < -2 * gaps[nu]["value_se"] for nu in (0.0, 0.1, 0.2, 0.3, 0.4))
    assert abs(gaps[0.5]["value"]) < 2 * gaps[0.5]["value_se"]
    assert all(gaps[nu]["value"] > 2 * gaps[nu]["value_se"] for nu in (0.6, 0.7))
    text = TEXTS["look3b"]
    assert f"the lead has {full(0, own):.3f} and the majority {full(0, other):.3f}" in text
    assert f"the lead is behind by {gaps[0.7]['value']:.3f}" in text


def test_leads_of_the_worked_walk():
    (rows, _), text = shown("h3"), TEXTS["look3b"]
    assert f"its square is {rows['k = 12'][2]}, and $M = {rows['k = 12'][5]}$" in text


def test_where_the_majority_is_near():
    text = TEXTS["look3"]
    ways = ("largest lead", "majority")
    risks = {(nu, way): lab("lab3", bag_noise=nu, fallback=way) for nu in (0.6, 0.3, 0.0) for way in ways}
    read = {key: f"{each['risk']:.3f}" for key, each in risks.items()}
    start = risks[0.6, "largest lead"]
    assert f"{100 * start['undecided']:.0f} % of the mass" in text
    assert f"is {read[0.6, ways[0]]} with the largest lead. Set *at T* to *majority*: {read[0.6, ways[1]]}" in text
    assert f"The Bayes risk is {start['bayes_risk']:.3f}" in text
    assert f"{read[0.3, ways[1]]} and {read[0.0, ways[1]]}, the largest lead {read[0.3, ways[0]]} and" in text
    assert all(risks[nu, ways[1]]["risk"] < risks[nu, ways[0]]["risk"] for nu in (0.6, 0.3, 0.0))
    flowers, found = lab("lab3", problem="iris", fallback="majority"), opened("lab3")[0]
    assert f"There are {found.n} flowers" in text
    assert f"it errs on {flowers['risk']:.2f}" in text
    assert flowers["risk"] > 2 / 3
    assert f"The largest lead errs on {lab('lab3', problem='iris')['risk']:.2f}" in text


def test_close_or_clear():
    words = because("close-or-clear")
    ks = [stops(name, 0.5, rule)["mean_k"] for rule in ("A-kNN", "PL A-kNN") for name in ("Q1", "Q2")]
    assert "at {:.0f} and at {:.0f} neighbors, PL A-kNN at {:.0f} and at {:.0f}".format(*ks) in words
    assert f"{0.5 - 1 / 3:.3f} and {0.4 - 1 / 3:.3f}" in words


def test_a_clear_lead():
    words, own, other = because("a-clear-lead"), stops("Q2", 0.5, "PL A-kNN"), stops("Q2", 0.5, "A-kNN")
    assert f"It errs in {own['error']:.3f} of 1000 samples, and A-kNN in {other['error']:.3f}" in words
    assert f"2 · 0.3³ = {2 * 0.3**3:.3f}" in words
    assert [PartialAdaptive(c1).least_k(5000, 3) for c1 in (0.5, 1.0)] == [3, 12]
    assert stops("Q2", 1.0, "PL A-kNN")["error"] == stops("Q2", 1.0, "A-kNN")["error"] == 0
    text = TEXTS["look4b"]
    assert f"it errs in {100 * own['error']:.0f} % of the samples" in text
    undecided = 1 - stops("Q1", 0.5, "PL A-kNN")["decided"]
    assert f"In {100 * undecided:.0f} % of the samples it looks at all of them" in text
    assert f"spends {stops('Q1', 0.5, 'PL A-kNN')['mean_k']:.0f} neighbors" in text
    partial = errandonea.exact_stops((0.5, 0.49, 0.01), PartialAdaptive().band_constant(5000, 3)).partial
    assert f"{partial:,}" in text


def test_two_points_in_the_lab():
    text, found = TEXTS["look4"], opened("lab4")[0]
    close = lab("lab4")
    assert f"stops at $k = {close['aknn_stop_k']}$" in text
    assert (close["aknn_decision"], close["decision"]) == ("class 1", "class 0")
    assert found.walk.partial.eliminated_at.tolist() == [0, close["stop_k"], 10]
    assert f"needs {close['stop_k']} labels" in text
    clear = lab("lab4", problem="fractions 40 30 30")
    assert f"PL A-kNN stops at {clear['stop_k']}." in text
    assert f"until {clear['aknn_stop_k']}." in text
    assert clear["decision"] == clear["aknn_decision"] == "class 0"
    hasty = lab("lab4", problem="fractions 40 30 30", seed=7)
    assert (hasty["decision"], hasty["stop_k"], hasty["aknn_decision"]) == ("class 1", 3, "class 0")
    assert found.walk.partial.counts[2].tolist() == [0, 3, 0]
    assert f"A-kNN takes {hasty['aknn_stop_k']}, and is right" in text
    slow = lab("lab4", problem="fractions 40 30 30", seed=7, c1=1.0)
    assert slow["decision"] == "class 0"
    assert f"right too, at {slow['stop_k']}" in text
    assert f"its risk was {hasty['risk']:.4f} and is {slow['risk']:.4f}" in text
    assert constant((0.4, 0.3, 0.3)).bayes_risk() == pytest.approx(0.6)


def test_the_price_of_bags():
    words, rows = because("the-price-of-bags"), shown("h5")[1]
    plain, many = numbers(rows["a = 0"]), numbers(rows["a = 0.8"])
    assert f"from {plain[0]:.3f} to {many[0]:.3f}" in words
    assert f"{many[2] / plain[2]:.0f} times as many points" in words
    assert f"are {many[2] / plain[2]:.0f} times as many" in TEXTS["look5b"]


def test_a_constant_for_proofs():
    words, held = because("a-constant-for-proofs"), errandonea.proof_constants()
    assert f"is {held.least_k(56_000, 10, 0.1):,}," in words
    assert f"With c1 = 1/2 it is {PartialAdaptive().least_k(56_000, 10)}." in words


def test_hard_places_in_the_lab():
    text, here = TEXTS["look5"], lab("lab5")
    at = [lab("lab5", x1=x)["advantage"] for x in (0.3, 0.32, 0.33)]
    nearer = "{:.4f}. Click nearer to the jump, or type 0.32 for *point x1*: {:.4f}. At 0.33 it is {:.4f}"
    assert f"*advantage at x* is {nearer.format(*at)}" in text
    assert f"they bend at $k = {2 * (1 / 3 - 0.3) * 1000:.0f}$" in text
    plain, many = lab("lab5", inclusion=0.0), lab("lab5", inclusion=0.8)
    assert f"to 0: {plain['advantage']:.4f}. To 0.8: {many['advantage']:.4f}" in text
    assert (many["stop_k"], many["decided"]) == (300, False)
    proof = lab("lab5", constants="of the proof")
    assert proof["undecided"] == pytest.approx(1)
    assert f"{proof['risk']:.4f}, after {here['risk']:.4f}" in text


def test_hard_places():
    rows, text = shown("h5")[0], TEXTS["look5b"]
    assert f"Where {int(list(rows.values())[-1][3]):,} are asked for" in text


def test_in_most_bags():
    process = BagProcess(np.tile([0.1, 0.9, 0.1], (3, 1)))
    (probabilities,) = process.frequency(np.zeros((1, 1)), np.array([[0.5, 0.4, 0.1]]))
    assert "with probabilities {:.2f}, {:.2f} and {:.2f}".format(*probabilities) in because("in-most-bags")
    assert probabilities.argmax() == 1


def test_a_misled_third():
    words = because("a-misled-third")
    excess = [line("misaligned", n)["excess"] for n in (250, 1000, 4000, 16_000)]
    assert "{:.4f} at n = 250, {:.4f} at 1000, {:.4f} at 4000 and {:.4f} at 16,000".format(*excess) in words
    assert all(line("misaligned", n)["misled_excess"] == pytest.approx(0.03, abs=1e-4) for n in (250, 16_000))
    assert f"the excess risk is at {line('aligned', 16_000)['excess']:.4f}" in TEXTS["look6b"]


def test_a_crowded_left():
    text, here = TEXTS["look6"], lab("lab6")
    found = opened("lab6")[0]
    assert (here["decision"], here["stop_k"], found.n) == ("class 1", 4, 250)
    (probabilities,) = found.bags.process.frequency(np.array([[0.15]]), np.array([[0.5, 0.4, 0.1]]))
    assert f"{probabilities[1]:.2f} against {probabilities[0]:.2f}" in text
    assert found.cells.field.eta[found.cells.field.grid.points[:, 0] < 0.3].argmax(axis=1).max() == 0
    large = lab("lab6", n=8000)
    assert f"goes from {here['risk']:.3f} to {large['risk']:.3f}" in text
    assert f"*limit of PL A-kNN* is {here['limit']:.3f}, and the *Bayes risk* {here['bayes_risk']:.3f}" in text
    assert f"*misaligned mass* {here['misaligned_mass']:.1f}" in text
    even = lab("lab6", spread="even")
    assert even["limit"] == pytest.approx(even["bayes_risk"])


def test_the_baseline():
    words = because("the-baseline")
    fair, printed, own = (full(0.3, name) for name in ("A-kNN, mean bag size", "A-kNN", "PL A-kNN"))
    assert f"{fair:.3f} over 20 splits, after {printed:.3f}, and PL A-kNN has {own:.3f}" in words
    assert f"stops at k = {full(0.3, 'mean k, A-kNN'):.1f} on average" in words
    # Every probability is 0.4 on average, and a confused label may be the one that has nothing to do with x.
    assert f"is in about {0.4 + 0.3 * (1 - 0.4) / 10:.2f} of the bags" in words
    assert "is in about 0.4 of the bags" in TEXTS["look7"]
    assert f"{own:.3f} against {printed:.3f} at" in TEXTS["look7b"]
    assert f"brings it to {fair:.3f}" in TEXTS["look7b"]


def test_raise_the_noise():
    words, limit = because("raise-the-noise"), errandonea.largest_noise(10, 0.8)
    assert f"0.8/10) = {limit:.3f}" in words
    fraction = errandonea.aligned_fraction(10, 0.8, 0.8)
    assert f"in {100 * fraction:.0f} % of the clusters" in words
    assert fraction < 0.5
    assert errandonea.aligned_fraction(10, 0.71, 0.8) == 1
    assert "for all $\\nu < 0.714$" in TEXTS["look7c"]


def test_raise_the_constant():
    words = because("raise-the-constant")
    errors = [swept(c1, "PL A-kNN") for c1 in (0.1, 0.25, 0.5, 1.0, 2.0)]
    assert "{:.3f}, {:.3f}, {:.3f}, {:.3f} and {:.3f} at c1".format(*errors) in words
    assert f"it would be {swept(2.0, 'PL A-kNN, majority'):.3f}" in words
    assert swept(2.0, "undecided, PL A-kNN") > 0.99
    text = TEXTS["look7c"]
    assert f"the error is {errors[-1]:.3f}, hardly more than the {errors[2]:.3f} at the bottom" in text
    assert 3 < swept(0.1, "mean k, PL A-kNN") < 5
    ks = [swept(c1, "mean k, PL A-kNN") for c1 in (0.5, 2.0)]
    assert "{:.0f} bags in place of {:.0f}".format(*ks) in text
    assert f"even the one with $1/C$ has {swept(1.0, 'A-kNN'):.3f}" in text
    assert swept(2.0, "PL A-kNN, majority") > swept(0.5, "PL A-kNN, majority") + 0.02


def test_digits_in_full():
    text = TEXTS["look7b"]
    assert all(full(nu, "PL A-kNN <= 10-NN") == 1 for nu in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7))
    assert full(0.6, "A-kNN, mean bag size") < full(0.6, "PL A-kNN")
    gaps = {nu: full(nu, "PL A-kNN above best k") for nu in (0.1, 0.2, 0.3, 0.4, 0.5, 0.7)}
    assert max(gaps[nu] for nu in (0.1, 0.2, 0.3, 0.4)) < 0 < gaps[0.5]
    assert f"behind, by {gaps[0.7]:.3f} in the end" in text
    table, _ = shown("h7")
    apart = max(abs(digits()[nu, name]["z"]) for nu in (0.0, 0.3, 0.6) for name in table)
    assert f"farther apart than {np.ceil(10 * apart) / 10:.1f} of their joint standard errors" in text


def test_noisy_digits_in_the_lab():
    text, here, loud = TEXTS["look7"], noisy(), noisy(bag_noise=0.8)
    assert f"*clusters aligned* is {loud['aligned']:.2f}" in text
    assert f"The dashed line is $\\nu^*$, at {here['largest_noise']:.3f}" in text
    assert 4 <= noisy(bag_noise=0.0)["aknn_mean_stop_k"] < loud["aknn_mean_stop_k"] < 7.5
    told = "{:.3f} in place of {:.3f} at $\\nu = 0.3$, {:.3f} in place of {:.3f} at 0.6"
    found = [noisy(bag_noise=nu, fallback=way)["error"] for nu in (0.3, 0.6) for way in ("majority", "largest lead")]
    assert told.format(*found) in text
    plain = noisy(bag_noise=0.6, inclusion=0.0)
    assert plain["aknn_error"] == plain["aknn_size_error"]
    assert f"at 0.6 A-kNN has {plain['aknn_error']:.3f} and PL A-kNN {plain['error']:.3f}" in text
    errors = [noisy(c1=c1)["error"] for c1 in (0.1, 0.5, 2.0)]
    assert errors[0] > 5 * errors[1]
    assert errors[2] < errors[1] + 0.01


def test_bags_of_your_own():
    (rows,), text = shown("h8"), TEXTS["look8"]
    one, *_ = rows.values()
    assert f"errs on {100 * float(one[2]):.0f} %" in text


def test_the_lists_are_those_of_the_nearest_pictures():
    names = {}
    source = PAGE.cells["h8b"].source
    start = source.index("lists = ")
    exec(source[start : source.index("\n\n", start)], names)
    X, y = load_digits(return_X_y=True)
    X, X_test, y, _ = train_test_split(X, y, test_size=0.2, random_state=0, stratify=y)
    means = np.array([X[y == c][:5].mean(axis=0) for c in range(10)])
    near = NeighborTable.build(X, X_test[29:30], len(names["lists"])).indices[0]
    far = np.linalg.norm(X[near, None] - means, axis=2)
    assert names["lists"] == [set(np.flatnonzero(row <= 1.2 * row.min()).tolist()) for row in far]
    (rows,) = shown("h8b")
    assert f"Label 1 is in two of three, and falls at the {rows['label 1'][1]}st" in TEXTS["look8"]


def test_the_exercises_agree_with_the_library():
    solved = {name: book.exercises()[name] for name in ("struck-out", "misled-points", "largest-lead")}
    results = {name: exercises.known_results(each, each.solution) for name, each in solved.items()}
    for (inclusion, nu, eta), found in zip(
        exercises.cases(solved["misled-points"]), results["misled-points"], strict=True
    ):
        frequency = BagProcess(inclusion, nu).frequency(np.zeros((len(eta), 1)), eta)
        np.testing.assert_array_equal(found, frequency.argmax(axis=1) != eta.argmax(axis=1))
        assert 0 < found.mean() < 1
    still_alive = exercises.evaluated(f"{solved['struck-out'].imports}\n{solved['struck-out'].solution}", "still_alive")
    for (tau, alive, left), label in zip(exercises.cases(solved["largest-lead"]), results["largest-lead"], strict=True):
        before = np.vstack([np.zeros_like(tau[:1]), tau[:-1]])
        bags, most = (tau - before).astype(bool), len(tau)
        rule = PartialAdaptive(5.0 if left.all() and alive.shape[1] == 2 else 0.3)
        table = NeighborTable(np.arange(most, dtype=np.int32)[None], most)
        scan = rule.scan(table, bags, bags.shape[1])
        assert label == scan.labels[0]
        assert (scan.alive[0] == left).all()
        walked = rule.trace(table, bags, bags.shape[1])
        for k in range(1, walked.stop_k):
            assert (still_alive(tau[k - 1], alive[k - 1], k, walked.band[k - 1]) == alive[k]).all()
