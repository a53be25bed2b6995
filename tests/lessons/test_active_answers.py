"""What lesson 06 states in words is what is computed: answers to predictions, and numbers in its prose."""

import numpy as np
import pytest
from lesson_pages import Page, because, kept, numbers

from knnviz import NeighborTable, VoteProfile
from knnviz.active import (
    FROM_R,
    Scheme,
    active_sample,
    trial,
    two_stage_labels,
    two_stage_sample,
)
from knnviz.bounds import closed_forms, rittler
from knnviz.labs import ActiveLab
from knnviz.lessons import book, exercises
from knnviz.problems import breast_cancer, bump

PAGE = Page("06-active-learning.ipynb")
TEXTS, shown, opened = PAGE.texts, PAGE.shown, PAGE.opened
LAW = bump(0.022, 0.98, 0.02)
SEED = np.random.SeedSequence(0)
#: Presets that section 6 asks for.
RATES = "Corollary 1 at alpha 1, beta .9", "constant .001"


def lab(name, **moved):
    """What the lab of a cell reads out after some of its controls have moved, all labels bought by default."""
    if name in ("lab3", "lab4"):
        moved = {"step": 4 + moved.get("m", opened(name)[1]["m"])} | moved
    return PAGE.read(name, **moved)


def preset(name):
    """What a preset of the lab reads out."""
    (values,) = (each.values for each in ActiveLab.presets if each.name == name)
    return lab("lab3", **values)


def full(letter, k=None):
    """Disagreements of an experiment at a voting k, from the full run."""
    rows = [row for row in kept("rittler_experiments", "disagreement") if row["experiment"] == letter]
    return next(row for row in rows if k in (None, row["k"]))


def of(table, letter):
    """The row of an experiment in a table of the full run."""
    return next(row for row in kept("rittler_experiments", table) if row["experiment"] == letter)


def gain(letter, k, voters="strict"):
    """Passive less active disagreement, from the full run."""
    rows = kept("rittler_experiments", "gains")
    return next(row for row in rows if (row["experiment"], row["k"], row["voters"]) == (letter, k, voters))


def expected(held):
    """Fraction of class 1 in the middle of the bump, in a ball of some mass."""
    return 0.02 + 0.96 * min(1, 0.022 / held)


def test_a_hundred_votes():
    words = because("a-hundred-votes")
    assert f"0.022 / 0.05 = {expected(0.05):.3f}" in words
    assert f"the disagreement is {full('A')['passive']:.4f} on average" in words


def test_the_first_lab():
    at = {k: PAGE.read("lab1", k=k) for k in (100, 85, 80, 60, 40)}
    assert at[100]["votes"][1] < 50
    assert at[100]["risk"] == pytest.approx(LAW.bayes_risk() + 0.022 * 0.96, abs=2e-4)
    assert [at[k]["decision"] for k in (85, 80, 60)] == ["class 0", "class 1", "class 1"]
    assert "a little above 80 the answer changes" in TEXTS["look1"]
    assert at[40]["votes"][1] >= 38
    assert PAGE.read("lab1", n=3000)["decision"] == "class 1"


def test_where_plain_labels_lie():
    places, _ = shown("h1")
    assert f"{places['bump'][1]} labels of 2000 are expected on the bump" in TEXTS["look1b"]


def test_what_is_hard():
    scheme, words = Scheme(100, 0.1), because("what-is-hard")
    width = scheme.width(1000, 1)
    assert f"{width:.3f}" == "0.346"
    assert scheme.k_plus(1000, 1) == 24
    assert r"2\Delta + \tilde\Delta = 0.346$ and $k_+ = 24$" in TEXTS["s2"]
    assert f"more than {100 * (0.5 - width):.1f} % of the votes" in words
    piece = (0.5 - width - 0.02) / 0.96 * 0.1
    assert f"a piece of bump of {piece:.3f} in the ball" in words
    said = f"{0.1 + 0.022 - 2 * piece:.3f}, and {of('spent', 'A')['hard_mass']:.3f} on average over 100 samples"
    assert said in words


def test_plain_labels():
    words = because("plain-labels")
    assert f"0.8 · 0.25) = {rittler.expected_passive_fraction(0.2, 0.25):.3f}" in words
    first = two_stage_sample(LAW, 1000, 1000, 100, 0.1, rng=0).first.augmented_mass
    assert f"H+ of mass {first:.3f}, it is {rittler.expected_passive_fraction(0.1, first):.3f}" in words
    text = TEXTS["look2b"]
    runs = kept("rittler_mixture", "mixture")
    for row in runs:
        asked = row["pi"], row["augmented_mass"], row["coin"]
        for formula, run in (
            (rittler.expected_passive_fraction(*asked), row["passive_fraction"]),
            (rittler.expected_draws(row["m"], *asked), row["draws"]),
        ):
            assert run == pytest.approx(formula, rel=5e-3)
    assert "agrees with the formulas to half a percent" in text
    dearer = [
        rittler.expected_draws(1, pi, 0.1075, "per_sample") / rittler.expected_draws(1, pi, 0.1075) for pi in (0.1, 0.5)
    ]
    assert "costs {:.1f} times the draws at $\\pi = 0.1$, and {:.1f} times at one half".format(*dearer) in text


def test_play():
    text, start = TEXTS["look2"], lab("lab2", step=4)
    sample = two_stage_sample(LAW, 1000, 1000, 100, 0.1, rng=0)
    first = sample.first
    middle = VoteProfile.count(NeighborTable.build(first.X, np.array([[0.5]]), 100), first.y, 2).at(100)
    assert f"Over the bump {middle[0, 1]} of 100 vote for class 1" in text
    assert f"in the band, {100 * start['hard_mass']:.1f} % of the line" in text
    assert f"{start['k_plus']}$ neighbors, {100 * start['augmented_mass']:.1f} %" in text
    part = lab("lab2", step=204)
    rejected = part["draws"] - 200
    assert f"{part['plain']} are passive and {part['targeted']} targeted, and {rejected} draws were rejected" in text
    assert f"{part['draws'] / 200:.2f} *draws a label*" in text


def test_as_many_labels():
    words, row = because("as-many-labels"), full("A")
    assert "{strict:.4f} with strict voters and {inclusive:.4f} with inclusive ones".format(**row) in words
    assert gain("A", 100)["losses"] == gain("A", 100, "inclusive")["losses"] == 0
    assert row["passive"] / row["strict"] == pytest.approx(8, abs=0.5)


def test_who_votes():
    text, end = TEXTS["look3"], lab("lab3")
    nobody = lab("lab3", step=4)
    assert f"*disagreement, active* is {nobody['active_disagreement']:.3f}" in text
    before, after = lab("lab3", step=554), lab("lab3", step=604)
    assert before["active_disagreement"] == 0.022
    assert after["active_disagreement"] < 0.005
    assert f"Near {after['labels']} labels, {after['targeted']} of them targeted" in text
    assert lab("lab3", step=554, voters="inclusive")["active_disagreement"] < 0.005
    assert lab("lab3", seed=11)["hard_mass"] == 0
    other = lab("lab3", seed=3)
    assert f"Type 3: passive labels err nowhere, {other['passive_disagreement']:.3f}" in text
    assert f"the scheme with strict voters on {other['active_disagreement']:.3f}, at the ends" in text
    (wrong,) = np.nonzero(opened("lab3")[0].learners.errs[1])
    (ends,) = np.nonzero(np.diff(LAW.bayes(LAW.cells(1000)[0].points)))
    assert (abs(wrong[:, None] - ends - 0.5).min(axis=1) < 6).all()
    flags = end["flags"]
    assert [name for name, value in flags.items() if value == "fails"] == ["eta is smooth"]
    assert f"*boundary* is the effective boundary of Theorem 3 for all 2000 labels, {end['boundary_mass']:.3f}" in text


def test_density():
    rows = shown("h3")[0]
    assert f"100 of them fill {rows['strict'][2]} of the line" in TEXTS["look3b"]


def test_c0_of_one():
    words, row = because("c0-of-one"), full("C")
    widths = [of("experiments", letter)["width"] for letter in "AC"]
    assert "from {:.3f} to {:.3f}".format(*widths) in words
    assert "have {strict:.4f}, passive labels {passive:.4f}".format(**row) in words
    end, text = lab("lab4"), TEXTS["look4"]
    assert f"and {end['targeted']} targeted labels lie as passive ones would" in text
    assert f"The {2000 - end['targeted']} others do not vote" in text
    masses = {c0: lab("lab4", c0=c0)["hard_mass"] for c0 in (0.39, 0.38, 0.3)}
    assert masses[0.39] == 1
    assert masses[0.38] == pytest.approx(0.9, abs=0.02)
    assert masses[0.3] < 0.5
    assert lab("lab4", c0=0.3)["active_disagreement"] == 0.022
    around = [lab("lab4", c0=c0)["active_disagreement"] for c0 in (0.25, 0.26)]
    assert (
        "Down to 0.26 the scheme errs on the whole bump, {1:.3f}. At 0.25 it finds it, and errs on {0:.3f}.".format(
            *around
        )
        in text
    )


def test_a_short_first_round():
    words, row = because("a-short-first-round"), full("E")
    assert f"0.022 / 0.4 = {expected(0.4):.3f}" in words
    assert of("spent", "E")["fallback"] == 1
    assert f"{row['passive']:.3f}" == f"{row['strict']:.3f}" == "0.019"
    here, found = preset("E: first round of 250"), opened("lab3")[0]
    fractions = found.rounds.bought.first.votes.at(found.k_hard)[:, 1] / found.k_hard
    assert f"The vote over the middle is {fractions[len(fractions) // 2]:.2f}" in TEXTS["look4"]
    short = {"n": 250, "m": 1750, "step": 1754}
    assert lab("lab3", **short, voters="inclusive")["active_disagreement"] == here["active_disagreement"]


def test_strict_and_plain():
    words, row = because("strict-and-plain"), full("D")
    assert "{strict:.4f} against {passive:.4f}".format(**row) in words
    assert f"Inclusive voters have {row['inclusive']:.4f}" in words
    assert f"Only about {of('spent', 'D')['targeted']:.0f} labels are targeted" in words
    here = preset("D: passive fraction .9")
    assert f"{here['targeted']} targeted labels, {here['plain']} passive ones" in TEXTS["look4"]
    assert lab("lab3", passive_fraction=0.9, voters="inclusive")["active_disagreement"] == 0.022


def test_a_safe_constant():
    words, row, spent = because("a-safe-constant"), full("E3"), of("spent", "E3")
    assert "{strict:.4f} against {passive:.4f}".format(**row) in words
    assert f"H stays at {spent['hard_mass']:.2f} of the line" in words
    grown = of("spent", "A")["augmented_mass"], spent["augmented_mass"]
    assert "from {:.2f} to {:.2f}".format(*grown) in words
    assert f"{spent['targeted']:.0f} targeted labels on it are thinner" in words
    assert f"are at {row['inclusive']:.4f}" in words
    here = preset("E3: c_plus = 4")
    said = f"$H^+$ has {100 * here['augmented_mass']:.0f} % of the line, and {here['targeted']} targeted labels"
    assert said in TEXTS["look4"]
    assert here["hard_mass"] == lab("lab3")["hard_mass"]
    assert here["active_disagreement"] == 0.022
    assert lab("lab3", c_plus=4.0, voters="inclusive")["active_disagreement"] < 0.005
    assert lab("lab4", voters="inclusive")["active_disagreement"] == 0.022
    saved = [1 - full(letter)["inclusive"] / full(letter)["strict"] for letter in "CD"]
    assert saved == pytest.approx([1 / 5, 1 / 3], abs=0.03)


def test_ten_experiments():
    score = {letter: gain(letter, full(letter)["k"])["gain"] for letter in ("A", "A2", "E2", "F", "C", "D", "E3")}
    errors = {letter: gain(letter, full(letter)["k"])["gain_se"] for letter in score}
    assert all(score[letter] > 6 * errors[letter] for letter in ("A", "A2", "E2", "F"))
    assert all(score[letter] < -3 * errors[letter] for letter in ("C", "D", "E3"))
    assert abs(gain("B", 100)["gain"]) < 2 * gain("B", 100)["gain_se"]
    for letter in ("A", "A2", "B", "C", "D", "E2", "E3", "F", "G"):
        assert full(letter)["inclusive"] < full(letter)["strict"]
    assert full("E")["inclusive"] == full("E")["strict"]
    assert min(full(letter)["passive"] - full(letter)["inclusive"] for letter in ("D", "E3")) > 0.002
    assert f"{round(100 * of('spent', 'A')['fallback'])} of the 100 samples of A had an empty" in TEXTS["look4b"]
    assert f"$H^+$ has {100 * of('spent', 'G')['augmented_mass']:.0f} % of the mass" in TEXTS["look4b"]


def test_a_free_k():
    words = because("a-free-k")
    assert f"the scheme has with 100 votes, {full('A')['strict']:.4f}" in words
    noisy = [row for row in kept("rittler_experiments", "disagreement") if row["experiment"] == "F"]
    best = [min(row[name] for row in noisy) for name in ("passive", "strict")]
    assert "labels with more noise: {:.4f} against {:.4f}, each at its best".format(*best) in TEXTS["look5b"]
    clean = [row for row in kept("rittler_experiments", "disagreement") if row["experiment"] == "A"]
    best = [min(row[name] for row in clean) for name in ("passive", "strict")]
    assert best[0] / best[1] == pytest.approx(3, abs=0.3)
    for letter, rows in (("A", clean), ("F", noisy)):
        assert all(row["strict"] < row["passive"] for row in rows), letter


def test_ten_votes_over_labels():
    runs = [trial(LAW, 1000, 1000, Scheme(100, 0.1), [10], seed, budgets=[0, 1000]) for seed in SEED.spawn(10)]
    (first, last), (before, after) = np.mean([run.disagreement[:2, :, 0] for run in runs], axis=0)
    assert f"has {first:.4f} at 1000 labels and {last:.4f} at 2000" in TEXTS["look5"]
    assert f"begins with {before:.4f}" in TEXTS["look5"]
    assert f"ends with {after:.4f}" in TEXTS["look5"]
    assert lab("lab5")["flags"]["k_vote > 4 log(2/delta)"] == "fails"


def test_jump_or_line():
    words = because("jump-or-line")
    masses = [closed_forms.jump_boundary_mass(0.3, p, 0.1) for p in (0.125, 0.25)]
    assert "from {:.3f} to {:.3f} as p goes from 1/8 to 1/4".format(*masses) in words
    assert (
        closed_forms.linear_boundary_mass(0.8, 0.125, 0.1) == closed_forms.linear_boundary_mass(0.8, 0.25, 0.1) == 0.25
    )
    here, text = lab("lab6"), TEXTS["look6"]
    assert f"with $p = {here['p']:.3f}$ and $\\Delta = {here['Delta']:.1f}$" in text
    assert f"*boundary mass* is {here['boundary_mass']:.3f}" in text
    wide = lab("lab6", total=1500)
    assert wide["p"] == pytest.approx(2 * here["p"], rel=1e-4)
    assert wide["Delta"] == here["Delta"]
    assert f"twice as wide, {wide['boundary_mass']:.3f}" in text
    lines = [lab("lab6", problem="linear", total=total)["boundary_mass"] for total in (3000, 1500)]
    assert lines == pytest.approx([0.25, 0.25], abs=1e-3)


def test_for_which_n():
    rows = {(row["constant"], row["power"]): row for row in kept("rittler_condition", "condition")}
    words = because("for-which-n")
    assert (
        "Δ is {:.3f} of what is asked at n = 10^4, {:.4f} of it at 10^6".format(*(rows[1, p]["ratio"] for p in (4, 6)))
        in words
    )
    question, low = (lab("lab6", **opened("lab6")[0].preset_values(name)) for name in RATES)
    assert all(f"*{name}*" in TEXTS["look6b"] for name in RATES)
    assert low["usable"] == "5.3·10³ to 1.6·10¹¹"
    assert r"*constant .001*: from 5300 to $1.6 \cdot 10^{11}$" in TEXTS["look6b"]
    assert question["usable"] == "none"
    assert lab("lab6")["usable"] != "none", "the answer is not on screen before the question"
    beyond = lab("lab6", **opened("lab6")[0].preset_values("k beyond n"))
    assert "Choose *k beyond n*" in TEXTS["look6b"]
    assert not beyond["k_within"]


def test_is_the_boundary_hard():
    smooth, other = [], []
    for row in kept("rittler_containment", "containment"):
        (other if row["problem"].startswith("bump") else smooth).append(row)
    assert all(row["contained"] == 1 for row in smooth)
    plain = next(row for row in other if row["c0"] == 0)
    assert f"it did in {100 * plain['contained']:.0f} of 100" in TEXTS["look6c"]
    assert plain["largest_uncovered"] == pytest.approx(0.2, abs=0.02)


def test_a_real_pool():
    pool, plane, components = shown("h7")
    (row,) = pool.values()
    assert f"{row[1]} of {row[0]}" in TEXTS["look7b"]
    assert rittler.least_hard_neighbors(200, 2, 0.1, 0) == 48
    words, (passive, _, inclusive) = because("a-real-pool"), numbers(plane["200 + 50"][:3])
    assert f"{inclusive} % with inclusive voters, and {passive} % with passive labels" in words
    mean, error = numbers(plane["200 + 50"][3].split(" ± "))
    assert f"the difference is {mean:.1f} ± {error:.1f}" in words
    assert f"err on {plane['200 + 10'][0]} % with 210 labels, and on {plane['200 + 150'][0]} % with 350" in words
    gains = [numbers(row[3].split(" ± ")) for row in components.values()]
    assert f"ahead by {gains[-1][0]:.1f}, which is half a tumor of 171" in TEXTS["look7b"]


def test_the_pool_in_the_lab():
    here, text = lab("lab7"), TEXTS["look7"]
    said = f"$H$ has {100 * here['hard_mass']:.0f} % of the pool, $H^+$ {100 * here['augmented_mass']:.0f} %"
    assert said in text
    assert f"{here['draws'] / 150:.2f} *draws a label*" in text
    assert lab("lab7", step=4)["active_disagreement"] > 1 / 3
    near = [lab("lab7", step=4 + m, voters="inclusive") for m in (0, 75, 150)]
    assert all(abs(each["active_disagreement"] - each["passive_disagreement"]) < 0.03 for each in near)


def test_two_components_are_less_hard():
    masses = []
    for features in (("mean radius", "mean texture"), "pca"):
        sample = active_sample(breast_cancer(features), 200, 0, Scheme(100, 0.1), SEED)
        masses.append(sample.first.hard_mass)
    assert masses[1] == pytest.approx(0.5, abs=0.05)
    assert masses[0] > masses[1]


def test_the_exercises_agree_with_the_library():
    solved = {name: book.exercises()[name] for name in ("plain-and-draws", "two-round-vote", "anything-easy")}
    results = {name: exercises.known_results(each, each.solution) for name, each in solved.items()}
    cases = exercises.cases(solved["plain-and-draws"])
    for (fraction, q, m), (pi, draws) in zip(cases, results["plain-and-draws"], strict=True):
        assert (fraction, draws) == pytest.approx(
            (rittler.expected_passive_fraction(pi, q), rittler.expected_draws(m, pi, q))
        )
    cases = exercises.cases(solved["two-round-vote"])
    for (X, y, stage, queries, hard, k), found in zip(cases, results["two-round-vote"], strict=True):
        assert hard.any()
        assert not hard.all()
        np.testing.assert_array_equal(found, two_stage_labels(X, y, stage, stage == FROM_R, queries, hard, k))
    cases = exercises.cases(solved["anything-easy"])
    least = [rittler.least_hard_neighbors(n, d - 1, delta, c0) for n, d, delta, c0 in cases]
    assert results["anything-easy"] == least
    assert least[0] == 48
