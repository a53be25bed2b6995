"""Rittler & Chaudhuri: beside the reference run, and what the full runs say.

The paper prints no number of its own to compare with.
"""

from math import sqrt

import numpy as np
import pytest
from agreement import row_of, shares_apart
from reference_implementations import reference

from knnviz import BallProfile, NeighborTable, VoteProfile, regions, reproduce
from knnviz.active import FROM_R, LEARNERS, VOTERS, Scheme, second_round, trial
from knnviz.bounds import rittler as bounds
from knnviz.problems import linear, power
from knnviz.regions import hard
from knnviz.reproduce.registry import records
from knnviz.reproduce.rittler import containment, draws, experiments

RUNS = reference("active_runs")

#: Samples of each full run.
REPEATS = reproduce.defaults("rittler_experiments")["repeats"]

#: Combined standard errors that two runs may be apart: of 175 comparisons one exceeds that once in twelve times.
ERRORS = 3.5

#: Experiments of the reference run, by letter, as they are kept: on as many cells.
KEPT = {name: {"F": "F500", "G": "G30"}.get(name, name) for name in RUNS["experiments"]}


def kept(name, rows):
    return reproduce.load(f"rittler_{name}").results[rows]


# Experiments


def comparisons():
    """Where our run is held against the reference, and by how many errors they are apart, told by ``distance``.

    Where nothing is hard no label is targeted: so few of a mean tell in how many of the reference's runs that was.
    Means of what becomes of the labels are over the others, which do vary normally.
    """
    for name, wanted in RUNS["experiments"].items():
        spent, reps = row_of(kept("experiments", "spent"), experiment=KEPT[name]), wanted["reps"]
        usual = spent["targeted"] / (1 - spent["fallback"]) if spent["fallback"] < 1 else 1
        empty = round(reps * (1 - wanted["n_R"] / usual))
        yield (name, "fallback"), shares_apart(spent["fallback"], REPEATS, empty / reps, reps)
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
                yield (name, voters, column), shares_apart(row[column], REPEATS, count / reps, reps)


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


# Regions and draws


def test_in_full_the_hard_region_agrees_with_the_reference_run():
    """Its 20 runs held the whole boundary, on 500 cells; of ours nearly all do, and all where eta is smooth."""
    wanted = RUNS["containment"]
    for row in kept("containment", "containment"):
        if row["problem"].startswith("bump"):
            theirs = wanted[f"c0={row['c0']:g}"]
            assert row["width"] == pytest.approx(theirs["thr"], abs=1e-6)
            assert abs(apart(row, "hard_mass", theirs["hard_mass"], 20)) < ERRORS
            assert shares_apart(row["contained"], REPEATS, theirs["runs_fully_covered_of_20"] / 20, 20) < ERRORS
            assert row["contained"] >= 0.9
        else:
            assert (row["contained"], row["largest_uncovered"]) == (1, 0)
    measure, eta = containment.PROBLEMS[0].cells(500)
    row = kept("containment", "containment")[0]
    inside = regions.effective_boundary(
        BallProfile.integrate(measure, eta, masses=[row["mass"]]), row["mass"], row["margin"]
    )
    assert inside.mean() == pytest.approx(wanted["boundary_mass"], abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_left_out_is_what_a_search_leaves_out(seed):
    problem = power(2.0)
    sample, measure = problem.sample(300, seed), problem.measure(500)
    boundary = abs(measure.points[:, 0] - 0.5) < 0.3
    votes = VoteProfile.count(NeighborTable.build(sample.X, measure.points, 40), sample.y, 2)
    found = containment.covered(sample, 40, (0.1, 0.45), measure, boundary)
    for width, values in zip((0.1, 0.45), found, strict=True):
        marked = hard(votes, 40, width)
        wanted = marked.mean(), np.mean(~marked[boundary]), float(marked[boundary].all())
        assert values == pytest.approx(wanted, abs=1e-12)


def test_in_full_shares_and_draws_agree_with_formula_and_reference_run():
    wanted = RUNS["mixture"]
    for values in records(wanted):
        assert row_of(kept("mixture", "mixture"), coin="per_draw", pi=values["pi"])[
            "expected_fraction"
        ] == pytest.approx(values["per_draw_formula"], abs=1e-6)
        for coin in draws.COINS:
            row = row_of(kept("mixture", "mixture"), coin=coin, pi=values["pi"])
            assert row["augmented_mass"] == pytest.approx(values["q"])
            for column, expected, theirs in (
                ("passive_fraction", "expected_fraction", "share"),
                ("draws", "expected_draws", "draws"),
            ):
                assert abs(row[column] - row[expected]) < ERRORS * row[f"{column}_se"]
                assert abs(apart(row, column, values[f"{coin}_{theirs}"], 1)) < ERRORS


def test_a_ball_of_whole_cells():
    first = draws.fattened(0.25, 400)
    assert first.augmented_mass == pytest.approx(0.25)
    sample = second_round(linear(), Scheme(1, 0.5), first, 300, np.random.default_rng(0))
    targeted = sample.X[sample.stage == FROM_R, 0]
    assert (sample.m, len(sample)) == (300, 301)
    assert 0 < len(targeted) < 300
    assert (abs(targeted - 0.5) <= 0.125).all()


# Rates


def test_the_condition_fails_for_large_n_whatever_the_constant():
    """It holds at all for a small constant only, and not for ever; k of the passive rate can keep it."""
    for row in kept("condition", "ranges")[:-1]:
        assert row["from_power"] is None
    last = kept("condition", "ranges")[-1]
    assert 3.5 < last["from_power"] < last["to_power"] < 12
    for end, beyond in ((last["from_power"], -0.02), (last["to_power"], 0.02)):
        for shift, holds in ((0, True), (beyond, False)):
            n = 10 ** (end + shift)
            k = bounds.active_neighbors(n, 1.0, 0.9, 0.1, last["constant"])
            assert bounds.condition(n, k, 1, 0.1).holds == holds
    between = 10 ** np.arange(last["from_power"], last["to_power"], 0.05)
    assert all(bounds.condition(n, bounds.active_neighbors(n, 1, 0.9, 0.1, 0.001), 1, 0.1).holds for n in between)
    assert bounds.rate_curves(np.array([1e30]), 1.0, 0.9, 0.1, constant=0.5).passive_ratio[0] >= 1


def test_the_condition_bears_a_smaller_k():
    for row in kept("condition", "exponents"):
        assert row["k"] > row["borne_k"]
        assert row["k_below_n"] == (row["alpha"] * row["beta"] < 1)


def test_refusals():
    with pytest.raises(ValueError, match="no experiment is called 'H'; there are A, A2, B, C, D, E, E2, E3, F, F500"):
        experiments.rittler_experiments(experiments=("H",))
    for mass in (0.1, 0.0):
        with pytest.raises(ValueError, match=f"a ball of mass {mass:g} does not end at edges of 25 cells"):
            draws.fattened(mass, 25)
