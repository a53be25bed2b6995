"""Rittler & Chaudhuri: beside the reference run, and what the full runs say.

The paper prints no number of its own to compare with.
"""

from itertools import pairwise
from math import ceil, log, sqrt

import numpy as np
import pytest
from agreement import fractions_apart, row_of
from reference_implementations import reference
from refusals import refuses

from knnviz.active import FROM_P, FROM_R, LEARNERS, VOTERS, Scheme, trial
from knnviz.lessons import load
from knnviz.problems import jump, linear, power
from knnviz_papers.rittler import consistency, experiments, measured_rates
from knnviz_papers.rittler.rounds_on_line import FirstRoundOnLine, draw_labeled, points_in, two_rounds
from knnviz_papers.simulate import Line

RUNS = reference("active_runs")

#: Samples of each full run.
REPEATS = defaults("rittler_experiments")["repeats"]

#: Combined standard errors that two runs may be apart: of 175 comparisons one exceeds that once in twelve times.
ERRORS = 3.5

#: Experiments of the reference run, by letter, as they are kept: on as many cells.
KEPT = {name: {"F": "F500", "G": "G30"}.get(name, name) for name in RUNS["experiments"]}


def kept(name, rows):
    return load(f"rittler_{name}").results[rows]


# Experiments


def comparisons():
    """Where our run is held against the reference, and by how many errors they are apart, by ``distance``.

    Where nothing is hard no label is targeted: the mean of those shows in how many of the reference's runs that was.
    Means of what becomes of the labels are over the others, which do vary normally.
    """
    for name, wanted in RUNS["experiments"].items():
        spent, reps = row_of(kept("experiments", "spent"), experiment=KEPT[name]), wanted["reps"]
        usual = spent["targeted"] / (1 - spent["fallback"]) if spent["fallback"] < 1 else 1
        empty = round(reps * (1 - wanted["n_R"] / usual))
        yield (name, "fallback"), fractions_apart(spent["fallback"], REPEATS, empty / reps, reps)
        n, m = wanted["n"], wanted["m"]
        for column, theirs, without in (
            ("hard_mass", "mass_hard", 0),
            ("augmented_mass", "mass_plus", 0),
            ("plain", "n_P", n + m),
            ("targeted", "n_R", 0),
            ("draws", "draws", m),
        ):
            if empty < reps:
                value = (reps * wanted[theirs] - empty * without) / (reps - empty)
                yield (name, column), distance(*with_hard(spent, column, without), value, reps - empty)
            else:
                assert spent[column] == wanted[theirs] == without
        for learner in LEARNERS:
            for k, value in {wanted["k"]: wanted[learner], **wanted.get(f"by_vote_k_{learner}", {})}.items():
                row = row_of(kept("experiments", "disagreement"), experiment=KEPT[name], k=int(k))
                yield (name, learner, int(k)), apart(row, learner, value, reps)
        for voters in VOTERS:
            row = row_of(kept("experiments", "gains"), experiment=KEPT[name], k=wanted["k"], voters=voters)
            yield (name, voters, "gain"), apart(row, "gain", wanted[f"gain_and_se_{voters}"][0], reps)
            for column, count in zip(("wins", "losses"), wanted[f"wins_losses_{voters}"], strict=True):
                yield (name, voters, column), fractions_apart(row[column], REPEATS, count / reps, reps)


def with_hard(row, column, without):
    """Mean, spread and number of our runs in which something was hard; the others give ``without``."""
    empty, mean = row["fallback"], row[column]
    among = (mean - empty * without) / (1 - empty)
    squares = (REPEATS - 1) * row[f"{column}_se"] ** 2 + mean**2
    spread = sqrt(max((squares - empty * without**2) / (1 - empty) - among**2, 0))
    return among, spread, round(REPEATS * (1 - empty))


def apart(row, column, value, reps):
    """Combined errors between a mean of ours and one of the reference."""
    return distance(row[column], row[f"{column}_se"] * sqrt(REPEATS), REPEATS, value, reps)


def distance(mean, spread, repeats, value, reps):
    """The same from a mean and a spread: the reference's runs vary as ours do. What does not vary is the same."""
    error = spread * sqrt(1 / repeats + 1 / reps)
    return (mean - value) / error if error > 1e-5 * abs(mean) else 0 if abs(mean - value) < 1e-6 else np.inf


def test_in_full_the_experiments_agree_with_the_reference_run():
    """On as many cells as it had."""
    found = dict(comparisons())
    assert len(found) == 10 * (6 + 3 + 6) - 5 + 3 * (4 + 4 + 2)
    for where, errors in found.items():
        assert abs(errors) < ERRORS, where


@pytest.mark.parametrize("name", list(RUNS["experiments"]))
def test_bands_and_balls_of_the_experiments_are_those_of_the_reference_run(name):
    row, wanted = row_of(kept("experiments", "experiments"), experiment=KEPT[name]), RUNS["experiments"][name]
    assert row["width"] == pytest.approx(wanted["thr"], abs=1e-6)
    for ours, theirs in (("k_plus", "k_plus"), ("n", "n"), ("m", "m"), ("pi", "pi"), ("c0", "c0"), ("k_hard", "k")):
        assert row[ours] == wanted[theirs], ours


def disagreement(name, k=100):
    return row_of(kept("experiments", "disagreement"), experiment=name, k=k)


def gain(name, voters="strict", k=100):
    return row_of(kept("experiments", "gains"), experiment=name, k=k, voters=voters)


def test_in_full_two_rounds_help_where_a_small_part_is_contentious():
    row = disagreement("A")
    assert row["passive"] > 5 * row["strict"] > 5 * row["inclusive"]
    assert gain("A")["wins"] > 0.9
    assert gain("A")["losses"] == 0
    for name in ("A2", "E2"):
        assert disagreement(name)["passive"] > 5 * disagreement(name)["strict"]


def test_in_full_inclusive_voters_win_on_the_noisy_bump_at_every_k():
    for k in (300, 150, 100, 60, 30):
        row = gain("F", "inclusive", k)
        assert row["gain"] > 3 * row["gain_se"]
    assert gain("G", "inclusive")["wins"] > 0.9
    assert abs(gain("G")["gain"]) < 3 * gain("G")["gain_se"]


def test_in_full_a_passive_learner_with_few_neighbors_does_as_well_as_two_rounds_with_many():
    assert disagreement("A", 10)["passive"] < disagreement("A", 100)["strict"]
    assert disagreement("A", 10)["strict"] < disagreement("A", 10)["passive"]


def test_in_full_labels_are_spent_as_the_formula_says():
    for row in kept("experiments", "spent"):
        error = max(row["passive_fraction_se"], 1e-12)
        assert abs(row["passive_fraction"] - row["expected_passive_fraction"]) < 3 * error, row["experiment"]


def test_in_full_runs_share_their_streams():
    """The same passive learner wherever problem and labels are, and the same hard region."""
    rows = [disagreement(name)["passive"] for name in ("A", "A2", "C", "D", "E", "E2", "E3")]
    assert len(set(rows)) == 1
    masses = [row_of(kept("experiments", "spent"), experiment=name)["hard_mass"] for name in ("A", "A2", "D", "E2")]
    assert len(set(masses)) == 1


def test_in_full_coarser_cells_see_less():
    """Fewer balls make up H+, on the square a twentieth of it less, and errors below half a cell count for none."""
    fine, coarse = (row_of(kept("experiments", "spent"), experiment=name) for name in ("G", "G30"))
    assert fine["hard_mass"] == pytest.approx(coarse["hard_mass"], abs=1e-3)
    assert fine["augmented_mass"] > coarse["augmented_mass"] + 0.01
    for learner in LEARNERS:
        assert disagreement("F500", 30)[learner] < disagreement("F", 30)[learner]


def test_a_trial_at_all_labels_is_one_at_the_last_of_several_budgets():
    """It looks up fewer neighbors, those of the largest k for all."""
    asked = linear(), 200, 100, Scheme(40, 0.3), (7, 60, 21), np.random.SeedSequence(3)
    whole, parts = trial(*asked).disagreement, trial(*asked, budgets=(0, 50, 100)).disagreement
    assert (whole.shape, parts.shape) == ((3, 1, 3), (3, 3, 3))
    assert np.array_equal(whole[:, 0], parts[:, -1])


def test_a_tie_is_neither_won_nor_lost():
    rates_ = np.array([[0.1, 0.1 + 1e-15, 0.2], [0.3, 0.1, 0.3], [0.2, 0.3, 0.1]])
    strict, inclusive = experiments.gains(rates_)
    assert (strict["wins"], strict["losses"]) == pytest.approx((1 / 3, 1 / 3))
    assert (inclusive["wins"], inclusive["losses"]) == pytest.approx((1 / 3, 1 / 3))
    assert strict["gain"] == pytest.approx(0.1 / 3)


# Two rounds on a line, written plainly: distances are sorted, draws are rejected one by one.

#: A scheme that leaves something easy with few labels, and its numbers by hand.
SMALL = Scheme(25, 0.3, delta=0.9)
WIDTH = 2 * sqrt(log(2 / 0.9) / 25)


def plain_fraction(x, y, z, k):
    """Fraction of class 1 among the k nearest of z, of all if they are fewer; 1 without any."""
    near = sorted(range(len(x)), key=lambda i: abs(x[i] - z))[:k]
    return sum(int(y[i]) for i in near) / len(near) if near else 1.0


def plain_reach(x, z):
    """Distance to the k+-th nearest of the first round."""
    k_plus = ceil(0.25 * sqrt(len(x) * 2 * log(8 / 0.9)))
    return sorted(abs(x - z))[k_plus - 1]


def is_hard(x, y, z):
    return abs(plain_fraction(x, y, z, 25) - 0.5) < WIDTH


def plain_risk(bought, kind, k, problem):
    """Disagreement and risk of a jump: each midpoint of two points may be a break, and between breaks nothing moves."""
    x, y = bought.first.x, bought.first.y
    pairs = [(a + b) / 2 for i, a in enumerate(bought.x) for b in bought.x[:i]]
    breaks = [0.0, *sorted({0.5, *pairs}), 1.0]
    pieces = [(low, high, is_hard(x, y, (low + high) / 2)) for low, high in pairwise(breaks)]
    ends = [z for low, high, inside in pieces if inside for z in (low + 1e-12, high - 1e-12)]
    reached = [(z, plain_reach(x, z)) for z in ends]
    inside = np.array([any(abs(q - z) <= reach + 1e-11 for z, reach in reached) for q in bought.x])
    targeted = bought.stage == FROM_R
    voters = {True: targeted if kind == "strict" else targeted | inside, False: ~targeted}
    wrong = risk = 0.0
    for low, high, hard_here in pieces:
        z, chosen = (low + high) / 2, voters[hard_here]
        label = plain_fraction(bought.x[chosen], bought.y[chosen], z, k) >= 0.5
        one = problem.eta(np.array([[z]]))[0, 1]
        wrong += (high - low) * (label != (one >= 0.5))
        risk += (high - low) * (1 - one if label else one)
    return wrong, risk


@pytest.mark.parametrize("kind", VOTERS)
@pytest.mark.parametrize(("seed", "k"), [(0, 5), (1, 16), (2, 8), (3, 120)])
def test_risks_of_two_rounds_are_those_of_a_plain_classifier(kind, seed, k):
    """Also where fewer than k vote."""
    problem, rng = jump(0.4), np.random.default_rng(seed)
    line, first = Line.of(problem), FirstRoundOnLine.of(*draw_labeled(problem, 90, rng), SMALL)
    bought = two_rounds(problem, first, 20, SMALL, rng)
    rule = bought.classifier(kind, k)
    assert 0 < first.masses[0] < first.masses[1] < 1
    assert (rule.risk(line.bayes), rule.risk(line.eta)) == pytest.approx(plain_risk(bought, kind, k, problem), abs=1e-9)


def plain_learner(n, m, k, rng):
    """Algorithm 1 on a jump of 0.4 to each side, as printed, and the disagreement of the strict vote on 400 cells."""
    eta = lambda z: 0.1 if z < 0.5 else 0.9  # noqa: E731
    cells = (np.arange(400) + 0.5) / 400
    x = rng.random(n)
    y = np.array([rng.random() < eta(z) for z in x])
    hard_cells = [z for z in cells if is_hard(x, y, z)]
    balls = [(z, plain_reach(x, z)) for z in hard_cells]
    plain, targeted = list(zip(x, y, strict=True)), []
    while len(plain) + len(targeted) < n + m:
        coin, z = rng.random() < 0.3, rng.random()
        if coin:
            plain.append((z, rng.random() < eta(z)))
        elif any(abs(z - center) <= reach for center, reach in balls):
            targeted.append((z, rng.random() < eta(z)))
    wrong = 0
    for z in cells:
        x, y = np.array(targeted if z in hard_cells else plain).reshape(-1, 2).T
        wrong += (plain_fraction(x, y, z, k) >= 0.5) != (z >= 0.5)
    return wrong / 400, len(targeted) / m


def test_two_rounds_have_the_distribution_of_the_printed_algorithm():
    problem, found, wanted = jump(0.4), [], []
    line = Line.of(problem)
    for seed in range(60):
        rng = np.random.default_rng([seed, 1])
        first = FirstRoundOnLine.of(*draw_labeled(problem, 60, rng), SMALL)
        bought = two_rounds(problem, first, 60, SMALL, rng)
        targeted = np.mean(bought.stage == FROM_R) * 2
        found.append((bought.classifier("strict", 16).risk(line.bayes), targeted))
        wanted.append(plain_learner(60, 60, 16, np.random.default_rng([seed, 2])))
    found, wanted = np.array(found), np.array(wanted)
    error = np.sqrt((found.var(axis=0, ddof=1) + wanted.var(axis=0, ddof=1)) / 60)
    assert (abs(found.mean(axis=0) - wanted.mean(axis=0)) < 3 * error).all()


def test_a_smaller_second_round_is_the_beginning_of_a_larger_one():
    problem = jump(0.4)
    first = FirstRoundOnLine.of(*draw_labeled(problem, 60, np.random.default_rng(0)), SMALL)
    few, many = (two_rounds(problem, first, m, SMALL, np.random.default_rng(5)) for m in (30, 90))
    pairs = [set(zip(each.x, each.y, each.stage, strict=True)) for each in (few, many)]
    assert len(pairs[0]) == 90
    assert pairs[0] < pairs[1]


def test_targeted_points_are_uniform_on_intervals_and_plain_without_any():
    u = np.array([0.0, 0.2, 0.25, 0.5, 0.999])
    assert points_in(np.array([[0.1, 0.2], [0.6, 0.9]]), u) == pytest.approx([0.1, 0.18, 0.6, 0.7, 0.8996])
    assert points_in(np.empty((0, 2)), u) is u
    first = FirstRoundOnLine.of(np.linspace(0.01, 0.99, 60), np.zeros(60, int), SMALL)
    assert first.masses == (0, 0)
    for pi in (0.0, 0.3):
        bought = two_rounds(jump(0.4), first, 50, Scheme(25, pi, delta=0.9), np.random.default_rng(0))
        assert (bought.stage == FROM_P).sum() == 50


# Theorem 7


def risks(pi):
    return [row for row in kept("consistency", "risks") if row["pi"] == pi]


def test_in_full_k_grows_as_the_theorem_asks():
    for row in kept("consistency", "risks"):
        labels = row["n"] + row["m"]
        assert row["k"] == round(labels ** (2 / 3))
        assert (row["k_over_log"], row["k_over_labels"]) == pytest.approx(
            (row["k"] / log(labels), row["k"] / labels), rel=1e-5
        )
    over_log, over_labels = ([row[name] for row in risks(0.1)] for name in ("k_over_log", "k_over_labels"))
    assert over_log == sorted(over_log)
    assert over_labels == sorted(over_labels, reverse=True)


@pytest.mark.parametrize("pi", [0.1, 0.5])
@pytest.mark.parametrize("kind", VOTERS)
def test_in_full_the_risk_falls_to_the_bayes_risk_inside_the_range_of_pi(pi, kind):
    rows = risks(pi)
    assert rows[-1]["bayes_risk"] == pytest.approx(0.05)
    assert 0 < rows[-1][kind] - 0.05 < 2e-4
    assert rows[-1][kind] - 0.05 < (rows[0][kind] - 0.05) / 10


def test_in_full_without_passive_draws_the_risk_stays_high():
    """Outside H all labels of round one vote, from some m on, and so one class is predicted there."""
    for row in risks(0.0):
        assert row["outside_voters"] == row["n"] == 300
        if row["k"] >= 300:
            for kind in VOTERS:
                assert row[kind] == pytest.approx(0.05 + 0.9 * (1 - row["hard_mass"]) / 2, abs=0.02)
    assert sum(row["k"] >= 300 for row in risks(0.0)) == 3


def test_in_full_without_targeted_draws_strict_voters_are_lost_and_inclusive_ones_are_not():
    rows = risks(1.0)
    assert {row["strict_voters"] for row in rows} == {0}
    for row in rows:
        # Class 1 is predicted on H, of which about half belongs to class 0.
        assert row["strict"] == pytest.approx(0.05 + 0.9 * row["hard_mass"] / 2, abs=0.01)
    assert 0 < rows[-1]["inclusive"] - 0.05 < 2e-4


# Corollary 1, measured


RATES = load("rittler_rates").results["disagreement"]

#: Those at one problem, constant and prescription, by n.
CURVES = {}
for row in RATES:
    CURVES.setdefault((row["problem"], row["constant"], row["rule"]), []).append(row)


LEANING = "leaning(kappa=1.25, left=0.2)"


def kappa_of(row):
    return float(row["problem"].split("kappa=")[1].split(",")[0].rstrip(")"))


def test_in_full_k_and_ratio_are_those_of_plain_formulas():
    for row in RATES:
        n, kappa = row["n"], kappa_of(row)
        power_of = 3 if row["rule"] == "passive" else 3 - 1 / kappa
        logs = 1 if row["rule"] == "passive" else log(n) ** (-1 / kappa / power_of)
        k = round(row["constant"] * log(10) ** (1 / power_of) * logs * n ** (2 / power_of))
        assert row["k"] == k
        right = 3 * kappa * (k / n + sqrt(16 * 2 * log(80) / n))
        assert row["ratio"] == pytest.approx(min(0.5, sqrt(log(20) / k)) / right, rel=1e-5)


def test_in_full_the_exponents_are_least_squares_of_the_means():
    for row in kept("rates", "slopes"):
        place = {name: row[name] for name in ("problem", "constant", "rule")}
        rows, learner = (
            [each for each in kept("rates", "disagreement") if place.items() <= each.items()],
            row["learner"],
        )
        x, y = (np.log([each[name] for each in rows]) for name in ("n", learner))
        weights = np.array([each[learner] / each[f"{learner}_se"] for each in rows]) ** 2
        x, y = x - np.average(x, weights=weights), y - np.average(y, weights=weights)
        total = (weights * x**2).sum()
        assert row["exponent"] == pytest.approx(-(weights * x * y).sum() / total, rel=1e-3)
        assert row["exponent_se"] == pytest.approx(total**-0.5, rel=1e-3)


def test_in_full_each_with_its_own_k_the_active_learner_is_ahead():
    for (problem, constant, rule), rows in CURVES.items():
        if rule == "passive":
            for one, other in zip(rows, CURVES[problem, constant, "active"], strict=True):
                assert apart_by(one, "passive", other, "strict") > 3, (problem, constant, one["n"])


def apart_by(one, first, other, second):
    """Combined errors by which one mean exceeds another."""
    return (one[first] - other[second]) / sqrt(one[f"{first}_se"] ** 2 + other[f"{second}_se"] ** 2)


def clear(row):
    """Who is ahead at the same k by more than three errors, if anybody."""
    errors = apart_by(row, "passive", row, "strict")
    return "active" if errors > 3 else "passive" if errors < -3 else None


def test_in_full_at_the_same_k_no_size_shows_a_gain():
    found = {(row["problem"], row["constant"], row["rule"], row["n"]): clear(row) for row in RATES}
    clearly = {place: who for place, who in found.items() if who}
    assert clearly == {("power(kappa=1.25)", 1.0, "active", 256_000): "passive"}


def test_in_full_at_the_active_k_the_active_learner_falls_faster_where_eta_leans():
    """With the constant 1 clearly so, and as promised; with 0.1 by two errors."""
    for constant, least in ((1.0, 3), (0.1, 2)):
        passive, strict = (
            row_of(kept("rates", "slopes"), problem=LEANING, constant=constant, rule="active", learner=learner)
            for learner in ("passive", "strict")
        )
        error = sqrt(passive["exponent_se"] ** 2 + strict["exponent_se"] ** 2)
        assert strict["exponent"] - passive["exponent"] > least * error
        assert abs(strict["exponent"] - strict["promised"]) < strict["exponent_se"]
        assert passive["exponent"] < passive["promised"] - 4 * passive["exponent_se"]


def test_on_the_power_family_no_ball_is_biased_and_on_the_leaning_one_some_are():
    """Averages of eta over balls of any mass, by sums over a fine grid."""
    x = (np.arange(2000) + 0.5) / 2000
    for left, biased in ((1.0, False), (0.2, True)):
        eta = measured_rates.leaning(1.25, left).eta(x[:, None])[:, 1]
        wrong = []
        for at in range(0, 2000, 37):
            near = np.argsort(abs(x - x[at]), kind="stable")
            # An odd number of cells is as many on either side, away from the ends.
            means = (np.cumsum(eta[near]) / np.arange(1, 2001))[::40]
            wrong.append(((means >= 0.5) != (x[at] >= 0.5)).any())
        assert any(wrong) == biased


def test_leaning_is_the_power_family_with_another_slope_on_the_left():
    x = np.array([[0.1], [0.3], [0.6], [0.9]])
    plain, leaning = power(1.5).eta(x)[:, 1], measured_rates.leaning(1.5, 0.2).eta(x)[:, 1]
    assert leaning[2:] == pytest.approx(plain[2:])
    assert leaning[:2] - 0.5 == pytest.approx(0.2 * (plain[:2] - 0.5))
    assert measured_rates.leaning(1.5, 1.0).name == "power"


@pytest.mark.parametrize("constant", [1.0, 0.1])
def test_in_full_the_exponents_on_the_power_family_are_those_of_k(constant):
    rows = [row for row in kept("rates", "slopes") if row["constant"] == constant and row["problem"] != LEANING]
    assert len(rows) == 12
    for row in rows:
        assert abs(row["exponent"] - row["of_k"]) < 3 * row["exponent_se"], row


def test_in_full_the_condition_holds_for_a_tiny_constant_alone():
    rows = [row for row in RATES if row["rule"] == "active" and row["ratio"] >= 1]
    assert {row["constant"] for row in rows} == {0.005}
    found = {(kappa_of(row), row["n"]) for row in rows}
    assert found == {(1.25, n) for n in (16_000, 64_000, 256_000)} | {(2.0, n) for n in (64_000, 256_000)}
    assert min(row["hard_mass"] for row in rows) > 0.5
    assert {rows[0]["k"] for place, rows in CURVES.items() if place[1:] == (0.005, "active")} == {3, 6}


def test_refusals():
    names = "A, A2, B, C, D, E, E2, E3, F, F500"
    refuses(f"no experiment is called 'H'; there are {names}", experiments.rittler_experiments, experiments=("H",))
    wrong = "k of Corollary 1 must be between 1 and 1000, got 1158"
    refuses(wrong, measured_rates.rittler_rates, sizes=(1000,), constants=(3.0,))
    refuses("exponent must be between 0 and 1, got 2", consistency.rittler_consistency, exponent=2.0)
