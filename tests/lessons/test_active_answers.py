"""What lesson 06 states in words is what is computed."""

from ast import literal_eval

import numpy as np
import pytest
from lesson_pages import Page, because, numbers, stored

from knnviz import NeighborTable, Problem, VoteProfile, breast_cancer
from knnviz.active import FROM_R, Scheme, TwoStageVotes, Voters, majority, trial, two_stage_sample
from knnviz.bounds import rittler
from knnviz.labs import ActiveLab
from knnviz.lessons import content, exercises
from knnviz.lessons.openings import active_learning
from knnviz.problems import bump

PAGE = Page("06-active-learning.ipynb")
TEXTS, shown = PAGE.texts, PAGE.shown
PROBLEM = bump(0.022, 0.98, 0.02)
SEED = np.random.SeedSequence(0)


def lab(name, **moved):
    """What the lab of a cell reads out after some of its controls have moved, all labels bought by default."""
    if name == "lab3":
        moved = {"step": 4 + moved.get("m", 1000)} | moved
    return PAGE.read(name, **moved)


def passive_labels(read):
    """How many of the 1000 labels of a second round are random."""
    return read["random labels of round two"].part


def hidden_problem():
    """The problem of the hidden bump, as its cell defines it."""
    found = {"np": np}
    exec(PAGE.cells["hidden"].source.split("problem, seeds")[0], found)
    return Problem("jump and bump", found["eta"], [(0, 1)])


def full(letter, k=100):
    """Disagreements of an experiment at a voting k, from the full run."""
    rows = stored("rittler_experiments", "disagreement")
    return next(row for row in rows if (row["experiment"], row["k"]) == (letter, k))


def best(letter, learner):
    """The smallest disagreement of a learner over the voting k, and that k."""
    rows = [row for row in stored("rittler_experiments", "disagreement") if row["experiment"] == letter]
    return min((row[learner], row["k"]) for row in rows)


def test_the_story_is_that_of_the_picture():
    pool = breast_cancer()
    bought, text = active_learning.purchase(pool), TEXTS["title"]
    assert len(bought.random) == len(bought.close) == 50
    assert f"Here are {len(pool.X_train)} real tumors" in text
    assert f"pay for {len(bought.first) + len(bought.close)}. You buy {len(bought.first)} labels" in text
    assert f"the {active_learning.K} nearest labels" in text
    assert active_learning.is_close(pool, bought.first, pool.X_train[bought.close]).all()
    assert f"Another {len(pool.X_test)} are held out" in TEXTS["s6"]


def test_the_first_vote_shows_where_to_look():
    here, first = lab("lab1"), two_stage_sample(PROBLEM, 1000, 1000, Scheme(100, 0.1), 0).first
    middle = VoteProfile.count(NeighborTable.build(first.X, np.array([[0.5]]), 100), first.y, 2).at(100)
    assert f"On the bump it is {middle[0, 1]} of 100" in TEXTS["look1"]
    passive, active = here["disagreement of the passive learner"], here["disagreement of the active learner"]
    assert f"all of the bump, {passive:.3f}, and the active one on {active:.3f}." in TEXTS["look1"]
    assert passive == PROBLEM.parameters["width"]
    assert "the means are {passive:.3f} and {strict:.4f}".format(**full("A")) in TEXTS["look1"]
    assert f"*close* means within {here['half-width of the band']:.3f} of one half" in TEXTS["thm1"]
    close = [votes for votes in range(101) if abs(votes / 100 - 0.5) < here["half-width of the band"]]
    assert f"where {close[0]} to {close[-1]} of 100 labels are of class 1" in TEXTS["s1"]
    assert passive_labels(here) == pytest.approx(500, abs=10)
    assert f"nearly as wide: {here['mass of H']:.2f}, four times as wide as the bump" in because("what-is-hard")
    assert here["mass of H"] / passive == pytest.approx(4, abs=0.1)


def test_the_coin():
    here, single = lab("lab2"), lab("lab2", coin="per sample")
    assert f"{passive_labels(here)} of the 1000 labels are of random points" in TEXTS["look2"]
    assert f"q)={here['expected fraction of random labels']:.2f}$" in TEXTS["look2"]
    draws, instead_of = (read["draws per label"] for read in (single, here))
    assert (
        f"{passive_labels(single)} are random, at {draws:.2f} draws a label instead of {instead_of:.2f}"
        in TEXTS["look2"]
    )
    expected = 0.1 / (0.1 + 0.9 * here["mass of H+"])
    assert here["expected fraction of random labels"] == pytest.approx(expected, abs=1e-5)
    everyone = lab("lab2", passive_fraction=1.0)
    assert passive_labels(everyone) == 1000
    in_hard = here["mass of H"] - lab("lab1")["disagreement of the passive learner"]
    assert everyone["disagreement of the active learner"] == pytest.approx(in_hard, abs=1e-4)
    assert lab("lab2", passive_fraction=0.0)["disagreement of the active learner"] < 0.005


def test_the_estimator_beside_plain_neighbors():
    scores = literal_eval(PAGE.cells["estimator"].outputs[0]["data"]["text/plain"])
    sentence = "two rounds predict {:.0f}% of new labels, plain kNN {:.0f}%"
    assert sentence.format(*(100 * score for score in scores.values())) in TEXTS["estimator-text"]
    assert list(scores) == ["two rounds", "plain kNN"]


def test_uncertainty_sampling_alone_misses_a_bump():
    (rows,) = shown("hidden")
    few, many = numbers(rows["2000"]), numbers(rows["8000"])
    assert "a bump of width 0.03" in TEXTS["hidden-text"]
    assert "$H$ is almost half of the line" in TEXTS["hidden-look"]
    problem = hidden_problem()
    masses = [two_stage_sample(problem, 250, 10, Scheme(100, 0.1), seed).first.hard_mass for seed in range(10)]
    assert np.mean(masses) == pytest.approx(0.45, abs=0.03)
    assert few[1] == pytest.approx(0.03, abs=1e-3)
    assert many[1] == pytest.approx(0.03, abs=1e-3)
    assert few[0] == min(few)
    assert many[0] == min(many)
    assert many[2] < few[2] < few[1]


def test_constants_take_the_gain_away():
    ratio = full("A")["passive"] / full("A")["strict"]
    assert ratio == pytest.approx(8, abs=0.5)
    here, text = lab("lab3"), TEXTS["look3"]
    assert f"the {1000 - passive_labels(here)} targeted labels are spread like random ones" in text
    assert f"The band reaches {here['half-width of the band']:.2f} to each side" in because("c0-of-one")
    assert [lab("lab3", c0=c0)["disagreement of the active learner"] < 0.005 for c0 in (0.25, 0.26)] == [True, False]
    assert lab("lab3", c0=0.0, n=500)["mass of H"] == 0
    wide = lab("lab3", c0=0.0, c_plus=4.0)
    assert f"$H^+$ is {100 * wide['mass of H+']:.0f}% of the line" in text
    assert wide["disagreement of the active learner"] == 0.022
    assert lab("lab3", c0=0.0, c_plus=4.0, voters="inclusive")["disagreement of the active learner"] < 0.005
    (rows,) = shown("full")
    assert [name for name, row in rows.items() if row[1] < row[0]] == ["as before"]


def test_each_at_its_best_k():
    text, found = TEXTS["fair"], [best("A", name) for name in ("passive", "strict")]
    assert f"the best passive $k$ is {found[0][1]}, with {found[0][0]:.5f}" in text
    assert found[1][1] == 10
    assert f"has {full('A')['strict']:.4f} with 100 votes and {found[1][0]:.5f} with 10" in text
    noisy = [best("F", name)[0] for name in ("passive", "strict")]
    assert "the means are {:.4f} and {:.4f}".format(*noisy) in TEXTS["further"]
    assert found[0][0] / found[1][0] == pytest.approx(3, abs=0.05)


def test_ten_votes_over_labels():
    runs = [trial(PROBLEM, 1000, 1000, Scheme(100, 0.1), [10], seed).disagreement[:2, 0, 0] for seed in SEED.spawn(10)]
    assert "ends at {:.4f}, the active one at {:.4f}".format(*np.mean(runs, axis=0)) in TEXTS["look4"]
    at_60 = lab("lab4", k_vote=60)
    assert max(at_60[f"disagreement of the {name} learner"] for name in ("passive", "active")) < 0.005
    assert lab("lab4", k_vote=100)["disagreement of the passive learner"] == 0.022


def test_the_condition_fails_for_large_n():
    here, text = lab("lab5"), TEXTS["look5"]
    slopes = here["active exponent"], here["passive exponent"]
    assert "$n^{{-{:.2f}}}$ against $n^{{-{:.2f}}}$".format(*slopes) in text
    assert "($\\alpha=1$, $\\beta=0.9$ below)" in text
    assert lab("lab5", margin_exponent=0.9) == here
    assert here["usable for n"] == "5.3·10³ to 1.6·10¹¹"
    assert r"from $n=5300$ to $1.6\cdot10^{11}$" in text
    assert lab("lab5", constant_power=0.0)["usable for n"] == "none"
    assert all(row["k"] >= row["borne_k"] + 0.03 for row in stored("rittler_condition", "exponents"))


def measured(table, problem, constant):
    """Rows of the measured rates of a problem at the active k."""
    rows = stored("rittler_rates", table)
    return [row for row in rows if (row["problem"], row["constant"], row["rule"]) == (problem, constant, "active")]


def measured_exponents(problem, constant):
    return {row["learner"]: f"{row['exponent']:.2f}" for row in measured("slopes", problem, constant)}


def errors_ahead(row):
    """By how many standard errors the strict vote is ahead of the passive one at the same k."""
    return (row["passive"] - row["strict"]) / np.hypot(row["passive_se"], row["strict_se"])


def test_a_passive_learner_with_the_active_k_is_as_fast():
    found = measured_exponents("power(kappa=1.25)", 0.1)
    assert found["passive"] == found["strict"] == "0.34"
    assert "both had the exponent 0.34" in TEXTS["further"]


def test_on_a_lopsided_eta_the_gain_of_chosen_labels_is_a_hint():
    leaning, text = "leaning(kappa=1.25, left=0.2)", TEXTS["further"]
    found = measured_exponents(leaning, 0.1)
    assert f"the active learner had {found['strict']} and the passive one {found['passive']}." in text
    rows = measured("disagreement", leaning, 0.1)
    assert all(row["ratio"] < 1 for row in rows)
    assert [round(errors_ahead(row), 1) for row in rows] == [-0.8, 0.1, 2.5, 1.6]
    found = measured_exponents(leaning, 0.005)
    assert found["passive"] == found["strict"] == "0.28"
    assert "both had 0.28" in text
    held = [row["ratio"] >= 1 for row in measured("disagreement", leaning, 0.005)]
    assert (sum(held), len(held)) == (3, 4)
    assert "holds at three of four sizes" in text


def test_where_the_condition_holds_no_size_shows_a_gain_of_chosen_labels():
    rows = [row for row in stored("rittler_rates", "disagreement") if row["rule"] == "active"]
    held = [row for row in rows if row["ratio"] >= 1]
    assert len(held) == 8
    assert max(abs(errors_ahead(row)) for row in held) < 1.95
    assert max(errors_ahead(row) for row in rows) < 3
    for row in stored("rittler_condition", "exponents"):
        assert row["k"] * row["beta"] / 2 == pytest.approx(row["active"], abs=1e-5)


def test_the_conditions_of_theorem_7_stand_beside_it():
    text = TEXTS["further"]
    for each in (
        r"$k/\log(n+m)\to\infty$",
        r"$k/(n+m)\to0$",
        "Lebesgue differentiation",
        "boundary of $H^+$ has mass zero",
    ):
        assert each in text


def test_a_real_pool():
    here, (rows,) = lab("lab6"), shown("pool")
    sentence = f"$H$ holds {100 * here['mass of H']:.0f}% of the pool, and $H^+$ {100 * here['mass of H+']:.0f}%"
    assert sentence in TEXTS["look6"]
    assert lab("lab6", n=100, k_hard=50)["mass of H"] > 0.95
    gain, error = rows["300 (lab)"][2:]
    assert f"the gain is {gain} ± {error} points" in because("a-real-pool")
    early, *later = rows.values()
    assert all(abs(each[2]) < each[3] for each in map(numbers, later))
    assert abs(float(early[0]) - float(later[-1][0])) <= 0.5
    assert "100 random labels do almost as well as 300" in TEXTS["know6"]


def test_presets_that_go_further():
    found = {each.name: each.values for each in ActiveLab.presets}
    for name in ("B: noise everywhere", "D: passive fraction .9", "F: noisy bump", "G: wave in the square"):
        assert f"*{name}*" in TEXTS["further"]
    assert full("B")["strict"] > full("B")["passive"]
    assert full("D")["strict"] > full("D")["passive"]
    assert full("G")["strict"] > full("G")["passive"] > full("G")["inclusive"]
    last = found["pi = 0, outside Theorem 7"]
    assert f"has {last['n']} labels in its first round and lets {last['k_vote']} vote" in TEXTS["further"]


def test_the_pool_of_the_lab_needs_a_first_round_of_200():
    few = two_stage_sample(breast_cancer(), 100, 0, Scheme(50, 0.1), SEED)
    assert few.first.hard_mass > 0.95


def test_the_exercises_agree_with_the_library():
    solved = {name: content.exercises()[name] for name in ("plain-and-draws", "two-round-vote", "anything-easy")}
    results = {name: exercises.known_results(each, each.solution) for name, each in solved.items()}
    cases = exercises.cases(solved["plain-and-draws"])
    for (fraction, q, m), (pi, draws) in zip(cases, results["plain-and-draws"], strict=True):
        assert (fraction, draws) == pytest.approx(
            (rittler.expected_passive_fraction(pi, q), rittler.expected_draws(m, pi, q))
        )
    cases = exercises.cases(solved["two-round-vote"])
    for (X, y, stage, queries, hard, k), found in zip(cases, results["two-round-vote"], strict=True):
        voters = Voters.by_region(X, y, stage, stage == FROM_R, "strict")
        votes = TwoStageVotes(*voters, queries, hard).votes(k, [len(y)])[0]
        np.testing.assert_array_equal(found, majority(votes))
    cases = exercises.cases(solved["anything-easy"])
    assert results["anything-easy"] == [rittler.least_hard_neighbors(n, d - 1, delta, c0) for n, d, delta, c0 in cases]
