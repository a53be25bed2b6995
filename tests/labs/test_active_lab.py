"""ActiveLab beside trials of the library and Theorem 3: numbers, steps, sets, curves, and what its controls mean."""

import numpy as np
import pytest
from small import SMALL

from knnviz import problems
from knnviz.active import LEARNERS, Scheme, trial
from knnviz.bounds.rittler import theorem_3
from knnviz.labs import ActiveLab
from knnviz.labs.active import COINS, MEAN, ROUND_ONE
from knnviz.labs.parts.sources import named

#: A small lab of each kind.
LINE = {"n": 200, "m": 100, "k_hard": 60, "k_vote": 40, "width": 0.1}
PLANE = {"problem": "wave2d", "n": 200, "m": 100, "k_hard": 60, "k_vote": 40}
POOL = {"problem": "breast cancer", "n": 119, "m": 119, "k_hard": 59, "k_vote": 29}
KINDS = pytest.mark.parametrize("values", [LINE, PLANE, POOL], ids=["line", "plane", "pool"])


@pytest.fixture
def lab():
    return opened(**LINE)


def opened(**values):
    return ActiveLab(resolution=SMALL, **values)


def layers(lab):
    return {layer.name: layer for panel in lab.picture.panels for layer in panel.layers if layer}


def trial_of(lab, *budgets):
    known = {"bump": lambda: problems.bump(lab.width, lab.height, lab.low), "jump": lambda: problems.jump(lab.a)}
    source = known.get(lab.problem, lambda: named(lab.problem).with_seed(lab.seed))()
    scheme = Scheme(lab.k_hard, lab.passive_fraction, lab.delta, lab.c0, lab.c_plus, COINS[lab.coin])
    cells = SMALL.map_cells[source.dimension - 1]
    return trial(source, lab.n, lab.m, scheme, [lab.k_vote], lab.seed, budgets=budgets, n_cells=cells)


def as_in_trial(lab):
    """What the lab reads out, which is what its trial gives."""
    read, budget = lab.readout(), max(lab.step - ROUND_ONE, 0)
    sample, rates = trial_of(lab, budget)
    part, first, (passive, active) = sample.head(budget), sample.first, rates[[0, LEARNERS.index(lab.voters)], 0, 0]
    votes = (part.stage == 2) | (part.in_augmented & (lab.voters == "inclusive"))
    expected = {"disagreement, passive": passive, "disagreement, active": active, "labels bought": len(part.y)}
    expected |= {"mass of H": first.hard_mass, "mass of H+": first.augmented_mass, "k+": first.k_plus}
    expected |= {"2 Delta + Delta~ at k_hard": first.width, "points drawn in round two": part.n_draws}
    expected |= {"fraction of passive labels": part.passive_label_fraction, "labels used in H": votes.sum()}
    expected |= {"fraction of passive labels, expected": part.expected_passive_fraction}
    assert {name: read[name] for name in expected} == pytest.approx(expected, abs=1e-6)
    return read


@KINDS
@pytest.mark.parametrize("changes", [{}, {"coin": "per sample", "voters": "inclusive", "seed": 3}, {"step": 54}])
def test_numbers_are_those_of_a_trial(values, changes):
    read = as_in_trial(opened(**values | changes))
    assert ("boundary mass" in read) == (values is not POOL)


def test_labels_around_a_narrow_bump_find_it_unless_there_is_noise_everywhere():
    for changes, (low, high) in (({}, (0, 0.2)), ({"problem": "jump", "a": 0.05}, (1, 100))):
        read = as_in_trial(opened(**changes))
        assert low <= read["disagreement, active"] / read["disagreement, passive"] < high


def test_at_the_ends_of_pi_one_of_both_votes_never_improves():
    """Outside H if pi = 0, for k beyond the labels of round one; in H if pi = 1, and a pi between them mends it."""
    lab = opened().show_preset("pi = 0, outside Theorem 7")
    assert lab.k_vote == round((lab.n + lab.m) ** (2 / 3)) > lab.n
    reads = {pi: lab.set(passive_fraction=pi).readout() for pi in (0.0, 0.1, 1.0)}
    wrong, hard = {pi: read["disagreement, active"] for pi, read in reads.items()}, reads[0.0]["mass of H"]
    assert wrong == pytest.approx({0.0: (1 - hard) / 2, 0.1: 0, 1.0: hard / 2}, abs=0.03)
    assert max(wrong[0.1], lab.set(voters="inclusive").readout()["disagreement, active"]) < 0.01


def test_nothing_is_drawn_or_read_out_before_its_step(lab):
    since = {"votes1": 2, "band": 2, "H": 3, "H+": 4, "reach": 4, "passive errs": 5}
    known = {"disagreement, active": 1, "mass of H": 3, "k+": 4, "fraction of passive labels": 5}
    for step in range(ROUND_ONE + 2):
        drawn, numbers = layers(lab.set(step=step)), lab.readout()
        assert {name: name in drawn for name in since} == {name: step >= at for name, at in since.items()}
        assert {name: name in numbers for name in known} == {name: step >= at for name, at in known.items()}
        assert len(drawn["round one labels"].x) == (200 if step else 0)


@KINDS
def test_a_label_at_each_further_step_and_the_last_one_is_ringed(values):
    lab = opened(**values)
    sample, n, m = trial_of(lab).sample, lab.n, lab.m
    accepted = [-1, *sample.second.accepted]
    for second in (0, 1, 2, 37, m):
        drawn, stage = layers(lab.set(step=ROUND_ONE + second)), sample.stage[n + second - 1]
        rings = [(layer, at) for layer in drawn.values() for at in np.flatnonzero(getattr(layer, "ringed", ()))]
        assert [layer.x[at] for layer, at in rings] == [np.float32(sample.X[n + second - 1, 0])] * min(second, 1)
        passive = (sample.stage[n : n + second] == 1).sum()
        counts = [n, passive, second - passive, accepted[second] + 1 - second]
        assert [int(drawn[f"draws{i}"].texts[0].split()[0]) for i in range(4)] == counts
        if second:
            between, kind = accepted[second] - accepted[second - 1] - 1, ("passive", "targeted")[stage - 1]
            assert f"Label {second} of {m}: {between} draws rejected, then a {kind} one bought." in lab.alt


def test_the_last_step_follows_m_and_another_one_stays(lab):
    assert [lab.set(m=m).step - ROUND_ONE for m in (50, 300)] == [50, 300]
    assert [lab.set(step=40).set(m=m).step for m in (200, 100, 20)] == [40, 40, 20 + ROUND_ONE]


def test_play_takes_a_while_over_the_first_steps_and_the_same_over_any_number_of_labels(lab):
    for m in (10, 100, 1000, 6000):
        assert lab.set(m=m, step=ROUND_ONE).paces()["step"] == [1500, False]
        pause, skips = lab.set(step=ROUND_ONE + 1).paces()["step"]
        assert (skips, pause * (m - 1)) == (True, pytest.approx(10_000))


def test_without_a_hard_region_all_labels_are_passive():
    lab = opened(**LINE | {"n": 50, "k_hard": 50, "width": 0.002, "low": 0.0})
    assert as_in_trial(lab)["fraction of passive labels"] == 1
    assert "nothing is hard, so all of them are passive" in lab.alt


def test_the_ball_and_the_boundary_are_those_of_the_theory(lab):
    first, read = trial_of(lab).sample.first, lab.readout()
    ball = np.sort(abs(first.X[:, 0] - 0.5))[first.k_plus - 1]
    assert layers(lab)["reach"].x[:2] == pytest.approx([0.5 - ball, 0.5 + ball])
    assert "reach" not in layers(lab.set(x1=0.01)), "not hard"
    bound = theorem_3(problems.bump(0.1, 0.98, 0.02), 300, 40, 0.1, n_cells=SMALL.map_cells[0])
    found = [read[name] for name in ("ball mass p", "Delta at k_vote", "boundary mass")]
    assert found == pytest.approx([bound.mass, bound.margin, bound.boundary_mass], abs=1e-5)
    assert "boundary mass" not in lab.set(k_vote=11).readout(), "too few for the theorem"


def test_a_pool_has_a_label_for_each_point():
    lab = opened(n=1000, m=2000, x1=0.9).set(problem="breast cancer")
    assert [lab.values[name] for name in ("n", "m", "k_hard", "k_vote", "step")] == [119, 119, 59, 29, 119 + ROUND_ONE]
    assert (lab.set(n=300).m, lab.set(n=250).m) == (98, 98)
    with pytest.raises(ValueError, match="a pool of 398 points has a label for each"):
        lab.set(m=149)


def test_what_a_click_means(lab):
    assert (lab.pick("line", 0.4567, 0.9), lab.pick("rows", -0.4, 7.0)) == ({"x1": 0.457}, {"x1": 0})
    assert [lab.pick("risk", x, 0.1)["step"] - ROUND_ONE for x in (10, 250.2, 1e4)] == [0, 50, 100]
    assert opened(**PLANE).pick("errors", 0.25, 1.4) == {"x1": 0.25, "x2": 1}


def test_the_curve_of_this_sample_goes_as_far_as_labels_are_bought_and_a_mean_is_that_of_fresh_trials(lab):
    budgets = np.arange(0, 101, 10)
    expected, drawn = trial_of(lab, *budgets).disagreement[:, :5, 0], layers(lab.set(step=ROUND_ONE + 49))
    assert [*drawn["passive"].y, *drawn["active"].y] == pytest.approx(expected[:2].ravel(), abs=1e-6)
    assert layers(lab.set(voters="inclusive"))["active"].y == pytest.approx(expected[2], abs=1e-6)
    mean = lab.set(curve=MEAN, repeats=3, voters="strict").background.wait(lambda: layers(lab))
    given, streams = (problems.bump(0.1, 0.98, 0.02), 200, 100, Scheme(60, 0.1)), np.random.SeedSequence(0).spawn(3)
    trials = [trial(*given, [40], each, budgets=budgets, n_cells=SMALL.map_cells[0]) for each in streams]
    rates = np.array([each.disagreement[1, :, 0] for each in trials])
    assert mean["active"].y == pytest.approx(rates.mean(axis=0), abs=1e-6)
    upper = rates.mean(axis=0) + 2 * rates.std(axis=0, ddof=1) / 3**0.5
    assert mean["active_band"].upper == pytest.approx(upper, abs=1e-6)
