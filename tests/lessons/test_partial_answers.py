"""What lesson 07 states in words is what is computed: answers to predictions, and numbers in its prose."""

from time import sleep

import numpy as np
import pytest
from lesson_pages import Page, because, stored
from sklearn.datasets import load_digits

from knnviz import NeighborTable
from knnviz.bags import BagDraws, BagProcess
from knnviz.bounds import errandonea
from knnviz.estimators import PartialLabelKNeighborsClassifier
from knnviz.lessons import content, exercises
from knnviz.lessons.openings import partial_labels
from knnviz.problems import contested, gaussians, segments
from knnviz.rules import PartialAdaptive

PAGE = Page("07-partial-labels.ipynb")
TEXTS, opened, lab = PAGE.texts, PAGE.opened, PAGE.read
LEFT, LABELED = np.array([[0.17]]), partial_labels.LABELED


def noisy(**moved):
    """What the lab on noisy digits reads out, all of its splits done."""
    while (read := lab("lab6", **moved))["splits done"] != (5, 5):
        sleep(0.05)
    return read


def full(nu, name):
    """A row of the full run on digits."""
    return next(row for row in stored("errandonea_digits", "digits") if (row["nu"], row["measured"]) == (nu, name))


def swept(c1, name):
    """A mean of the full run over constants of the band."""
    rows = stored("errandonea_digits", "constants")
    return next(row["value"] for row in rows if (row["c1"], row["measured"]) == (c1, name))


def test_the_scan_of_the_story():
    _, bags = partial_labels.answers()
    assert bags.sum(axis=0)[[4, 9]].tolist() == [9, 9] == [bags.sum(axis=0).max()] * 2
    assert bags.sum(axis=1).min() == 2, "nobody names just one"
    for bag in bags[:3]:
        listed = ", ".join(map(str, np.flatnonzero(bag)))
        assert f"{{{listed}}}" in PAGE.cells["own"].source
    X, students = partial_labels.archive()
    table = NeighborTable.build(X[:LABELED], X[[partial_labels.SCAN]], 100)
    walk = PartialAdaptive(max_neighbors=100).trace(table, students[:LABELED], 10)
    assert walk.eliminated_at.tolist() == [3, 3, 3, 3, 40, 5, 3, 8, 3, 0]
    assert (
        "Six digits are eliminated at the third answer, the 5 at the fifth, the 7 at the eighth" in TEXTS["scan-text"]
    )
    assert load_digits().target[partial_labels.SCAN] == walk.label == 9
    assert f"it takes {walk.stop_k} answers" in TEXTS["know2"]


def test_the_archive_misleads():
    (X, students), y = partial_labels.archive(), load_digits().target
    new, text = slice(LABELED, None), TEXTS["archive-text"]
    assert f"is in {students[np.arange(LABELED), y[:LABELED]].mean():.2f} of their answers" in text
    model, errors = PartialLabelKNeighborsClassifier(max_neighbors=100), []
    for bags in (students[:LABELED], y[:LABELED, None] == np.arange(10)):
        errors.append(np.mean(model.fit(X[:LABELED], bags).predict(X[new]) != y[new]))
    assert "errs on {:.2f} of the new scans; with true labels, on {:.2f}.".format(*errors) in text


def test_a_lead_in_bags():
    ends = [BagProcess.even_inclusion(3, a).frequency(LEFT, segments().eta(LEFT))[0] for a in (0, 0.8)]
    (first, other), (high, near) = (end[:2] for end in ends)
    sentence = f"from {first:.2f} to {high:.2f} of the bags, each other label from {other:.2f} to {near:.2f}"
    assert sentence in because("a-lead-in-bags")
    assert f"rises to {lab('lab1', inclusion=0.8)['labels in a bag']:.1f}" in TEXTS["look1"]
    assert "none eliminated" in opened("lab1")[0].panel("ball").says, "nothing is eliminated before section 2"
    noise = BagProcess.even_inclusion(3, 0.4, 0.3).frequency(LEFT, segments().eta(LEFT))[0]
    assert noise[0] - noise[1] == pytest.approx(0.6 * 0.7 * 4 / 7)


def test_read_until_one_is_ahead():
    here, text = lab("lab2"), TEXTS["look2"]
    assert "eliminated: class 0 at 5, class 2 at 16." in opened("lab2")[0].panel("ball").says
    assert "class 0 at $k = 5$, class 2 at 16" in text
    hasty = lab("lab2", c1=0.25)
    sentence = "{:.0f} bags on average, not {:.0f}, and its risk is {:.2f}, not {:.2f}"
    stops, risks = ([each[name] for each in (hasty, here)] for name in ("mean stopping k", "risk of PL A-kNN"))
    assert sentence.format(*stops, *risks) in text
    at_boundary = lab("lab2", x1=0.0, x2=0.5)
    assert (at_boundary["PL A-kNN stops at k"], at_boundary["labels left at x"]) == (100, "class 1 class 2")


def test_neither_tie_break_is_always_better():
    text, ways = TEXTS["look3"], ("largest lead", "majority")
    lead, most = (lab("lab3", fallback=way) for way in ways)
    assert f"({lead['undecided mass']:.2f} of the mass)" in text
    assert f"from {lead['risk of PL A-kNN']:.2f} to {most['risk of PL A-kNN']:.2f}" in text
    assert (lead["PL A-kNN at x"], most["PL A-kNN at x"]) == ("class 0", "class 1")
    found, x = opened("lab3")[0], np.array([[0.3, 0.9]])
    problem = gaussians(3, dimension=2)
    sample, draws = problem.sample(1000, 0), BagDraws.draw(1000, 3, np.random.SeedSequence(0).spawn(1)[0])
    bags = BagProcess.even_inclusion(3, 0.6, 0.6).draw(sample.X, sample.y, draws)
    walk = PartialAdaptive(max_neighbors=100).trace(NeighborTable.build(sample.X, x, 100), bags, 3)
    assert np.nanargmax(walk.lead[:, 0]) + 1 == 5
    assert problem.eta(x).argmax() == 1
    lead, most = (lab("lab3", problem="iris", fallback=way)["risk of PL A-kNN"] for way in ways)
    assert f"of {found.n} flowers, the nearest {found.max_neighbors} are" in text
    assert f"majority errs on {most:.2f}, the largest lead on {lead:.2f}" in text
    gaps = [full(nu, "PL A-kNN above majority") for nu in (0.0, 0.3, 0.5, 0.6, 0.7)]
    assert [gap["value"] > 2 * gap["value_se"] for gap in gaps] == [False, False, False, True, True]
    assert [gap["value"] < -2 * gap["value_se"] for gap in gaps] == [True, True, False, False, False]


def test_the_price_of_bags():
    reads = [lab("lab4", inclusion=a) for a in (0.0, 0.5, 0.75)]
    stops = "goes from {:.0f} to {:.0f} to {:.0f}, *advantage at x* from {:.3f} to {:.3f} to {:.3f}"
    found = *(each["mean stopping k"] for each in reads), *(each["advantage at x"] for each in reads)
    assert stops.format(*found) in TEXTS["look4"]
    assert reads[0]["advantage at x"] / reads[1]["advantage at x"] == pytest.approx(4, rel=1e-3)
    assert lab("lab4", x1=0.33)["advantage at x"] < reads[1]["advantage at x"] / 10
    proof = lab("lab4", constants="of the proof")
    assert f"every point reads all {proof['mean stopping k']:.0f} bags" in TEXTS["look4"]
    c1 = errandonea.least_c1()
    assert 257 < c1 < 258
    assert errandonea.printed_constant(errandonea.proof_c2(c1)) > 1e6
    assert f"$k$ = {PartialAdaptive(c1).least_k(56_000, 10):,}" in TEXTS["vacuous-text"]


def test_in_most_bags():
    process = BagProcess(np.tile([0.1, 0.9, 0.1], (3, 1)))
    (often,) = process.frequency(np.zeros((1, 1)), contested().eta(np.array([[0.15]])))
    words = because("in-most-bags")
    assert f"= {often[1]:.2f} of the bags" in words
    assert f"= {often[0]:.2f}." in words
    risk, limit = "risk of PL A-kNN", "limit of PL A-kNN"
    here, large = lab("lab5"), lab("lab5", n=8000)
    sentence = f"from {here[risk]:.2f} to its limit, {here[limit]:.2f}."
    assert sentence in TEXTS["look5"]
    assert f"{large[risk]:.2f}" == f"{here[limit]:.2f}"
    even = lab("lab5", spread="even")
    assert even[limit] == pytest.approx(even["Bayes risk"])
    assert f"falls to {even[limit]:.2f}, the Bayes risk" in TEXTS["look5"]
    assert here[limit] == pytest.approx(0.35 + 0.1 * 0.3)
    assert here["misaligned mass"] == pytest.approx(0.3)


def test_a_fair_comparison():
    question = TEXTS["p6"]
    assert (
        f"errs on {full(0.3, 'A-kNN')['value']:.2f} of the scans, PL A-kNN on {full(0.3, 'PL A-kNN')['value']:.2f}"
        in question
    )
    words, fair = because("the-baseline"), {nu: full(nu, "A-kNN, mean bag size")["value"] for nu in (0.3, 0.6, 0.7)}
    assert f"errs on {fair[0.3]:.2f}" in words
    # An inclusion is 0.4 on average, and noise may put in the wrong digit itself.
    assert f"in about {0.4 + 0.3 * (1 - 0.4) / 10:.2f} of the bags" in words
    assert round(full(0.3, "mean k, A-kNN")["value"]) == 5
    assert all(fair[nu] < full(nu, "PL A-kNN")["value"] for nu in (0.6, 0.7))
    here, text = noisy(), TEXTS["look6"]
    assert f"At noise 0.3 it errs on {here['A-kNN size/C errs']:.2f}, blue on {here['PL A-kNN errs']:.2f}" in text
    assert f"over 20 splits, purple errs on {fair[0.3]:.2f}" in text
    larger = noisy(c1=1.0)
    assert larger["A-kNN 1/C errs"] - larger["PL A-kNN errs"] < 0.03, "green comes down close to blue"
    ends = [noisy(bag_noise=nu) for nu in (0.0, 0.8)]
    assert [round(each["A-kNN 1/C stops at"]) for each in ends] == [4, 7]
    assert ends[1]["A-kNN size/C errs"] < ends[1]["PL A-kNN errs"]


def test_going_further():
    text = TEXTS["more"]
    rows = {(row["example"], row["c1"], row["rule"]): row for row in stored("errandonea_examples", "stops")}
    own, other = rows["Q2", 0.5, "PL A-kNN"], rows["Q2", 0.5, "A-kNN"]
    assert f"in {own['error']:.0%} of 1000 samples, A-kNN in {other['error']:.1%}" in text
    assert rows["Q2", 1.0, "PL A-kNN"]["error"] == rows["Q2", 1.0, "A-kNN"]["error"] == 0
    assert PartialAdaptive().least_k(5000, 3) == 3
    assert rows["Q1", 0.5, "PL A-kNN"]["mean_k"] > 10 * rows["Q1", 0.5, "A-kNN"]["mean_k"]
    assert own["mean_k"] < other["mean_k"]
    assert f"$\\nu^* = {errandonea.largest_noise(10, 0.8):.2f}$" in text
    assert errandonea.aligned_fraction(10, 0.8, 0.8) < 0.5
    assert all(full(round(0.1 * j, 1), "PL A-kNN <= 10-NN")["value"] == 1 for j in range(1, 8))
    assert f"the band is ${PartialAdaptive().band_constant(100, 3):.3f}/" in TEXTS["further"]
    assert lab("walk", k=12)["PL A-kNN stops at k"] == 11
    assert swept(1.0, "A-kNN") < swept(0.5, "A-kNN") / 3


def test_the_exercises_agree_with_the_library():
    solved = {name: content.exercises()[name] for name in ("struck-out", "misled-points", "largest-lead")}
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
