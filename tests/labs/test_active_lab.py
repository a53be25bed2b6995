"""ActiveLab beside trials of the library and Theorem 3: numbers, steps, sets, curves, controls."""

import numpy as np
import pytest
from random_moves import layers
from small import SMALL

from knnviz import problems
from knnviz.active import FROM_R, LEARNERS, Scheme, passive_sample, trial
from knnviz.bounds.rittler import theorem_3
from knnviz.labs import ActiveLab
from knnviz.labs.active import BOUNDARY, STAGES
from knnviz.labs.parts.sources import named
from knnviz.regions import hard_intervals

#: The bump of the small lab on a line, and a small lab of each kind.
BUMP = problems.bump(0.1, 0.98, 0.02)
LINE = {"n": 200, "m": 100, "k_hard": 60, "k_vote": 40, "width": 0.1}
PLANE = {"problem": "wave2d", "n": 200, "m": 100, "k_hard": 60, "k_vote": 40}


@pytest.fixture
def lab():
    return opened(**LINE)


def opened(**values):
    return ActiveLab(resolution=SMALL, **values)


def lab_source(lab):
    return BUMP if lab.problem == "bump" else named(lab.problem).with_seed(lab.seed)


def trial_of(lab, seed, ks, budgets=None):
    source = lab_source(lab)
    scheme = Scheme(lab.k_hard, lab.passive_fraction, lab.delta, lab.c0, lab.c_plus)
    n_cells = SMALL.map_cells[source.dimension - 1]
    return trial(source, ks, lab.n, lab.m, scheme, seed, budgets=budgets, n_cells=n_cells)


@pytest.mark.parametrize("values", [LINE, PLANE], ids=["line", "plane"])
@pytest.mark.parametrize(("changes", "left"), [({"voters": "inclusive", "seed": 3}, 0), ({}, 50)])
def test_numbers_are_those_of_a_trial(values, changes, left):
    lab = opened(**values | changes)
    lab.set(labels=lab.labels - left)
    budget = lab.labels - lab.n
    sample, rates = trial_of(lab, lab.seed, [lab.k_vote], [budget])
    part = sample.head(budget)
    first = sample.first

    hard_mass = first.hard_mass
    if values is LINE:
        hard_mass = np.diff(hard_intervals(first.X, first.y, lab.k_hard, first.width)).sum()

    read = lab.readout()

    random_labels = round(part.passive_label_fraction * budget)
    assert read["random labels of round two"] == (random_labels, budget)
    expected = {
        "labels bought": len(part.y),
        "mass of H": hard_mass,
        "mass of H+": first.augmented_mass,
        "points drawn in round two": part.n_draws,
        "disagreement of the passive learner": rates[0, 0, 0],
        "disagreement of the active learner": rates[LEARNERS.index(lab.voters), 0, 0],
    }
    assert {name: read[name] for name in expected} == pytest.approx(expected, abs=1e-6)


#: The first step at which a layer is drawn, and at which a number is known.
DRAWN_FROM = {"votes": 2, "band": 2, "H": 3, "H+": 4, "vote active learner": 5}
KNOWN_FROM = {
    "labels bought": 0,
    "mass of H": 3,
    "mass of H+": 4,
    "random labels of round two": 5,
}


def test_nothing_is_drawn_or_read_out_before_its_step(lab):
    lab.set(labels=lab.n, rules="active learner")
    gone = {"votes", "band"}
    for step, stage in enumerate(STAGES):
        drawn = layers(lab.set(stage=stage))
        numbers = lab.readout()
        for name, first_step in DRAWN_FROM.items():
            is_over = name in gone and step == len(STAGES) - 1
            assert (name in drawn) == (step >= first_step and not is_over), name
        for name, first_step in KNOWN_FROM.items():
            assert (name in numbers) == (step >= first_step), name


@pytest.mark.parametrize(
    "values", [LINE, {"problem": "hidden bump", "n": 100, "m": 200, "k_hard": 60, "k_vote": 10}]
)
@pytest.mark.parametrize("voters", ["strict", "inclusive"])
def test_ticks_are_the_labels_bought_and_wrong_stretches_are_as_long_as_the_disagreement(
    values, voters
):
    lab = opened(**values, voters=voters)
    source = lab_source(lab)
    sample = trial_of(lab, lab.seed, [lab.k_vote]).sample
    X, _ = passive_sample(source, lab.n + lab.m, lab.seed)
    for second in (0, 10, 50, lab.m):
        labels = lab.n + second
        drawn = layers(lab.set(labels=labels))
        x = sample.X[:labels, 0]
        is_targeted = sample.stage[:labels] == FROM_R
        bought = {"targeted": x[is_targeted], "random": x[~is_targeted], "passive": X[:labels, 0]}
        for name, places in bought.items():
            assert np.array_equal(drawn[f"{name} labels"].x, places)
        read = lab.readout()
        for name in ("passive learner", "active learner"):
            ends = drawn[f"wrong {name}"].x.reshape(-1, 3)[:, :2].ravel()
            length = np.diff(ends)[::2].sum()
            assert length == pytest.approx(read[f"disagreement of the {name}"], abs=2e-6)
            vote = drawn[f"vote {name}"]
            # Without votes the class is 1.
            is_wrong = ~(vote.y < 0.5) != (source.eta(vote.x[:, None])[:, 1] >= 0.5)
            assert np.array_equal(np.searchsorted(ends, vote.x) % 2 == 1, is_wrong)


def test_labels_of_the_second_round_follow_m_to_its_end_and_else_stay(lab):
    assert [lab.set(m=m).labels for m in (50, 300)] == [250, 500]
    lab.set(labels=240)
    assert [lab.set(m=m).labels for m in (200, 100)] == [240, 240]
    assert lab.set(n=300).labels == 340
    assert lab.set(m=20).labels == 320


def test_the_boundary_is_that_of_the_theory(lab):
    bound = theorem_3(BUMP, 40, 300, 0.1, n_cells=SMALL.map_cells[0])
    read = lab.set(overlay=BOUNDARY).readout()
    found = [read[name] for name in ("ball mass p", "Delta at k_vote", "boundary mass")]
    assert found == pytest.approx([bound.mass, bound.margin, bound.boundary_mass], abs=1e-5)


def test_means_over_k_and_their_factor_are_those_of_fresh_trials(lab):
    lab.set(curve="over k", repeats=3, k_vote=20)
    ks = [1, 20, 150]
    streams = np.random.SeedSequence(0).spawn(3)
    fresh = [trial_of(lab, stream, ks).disagreement for stream in streams]
    means = np.mean(fresh, axis=0)[:2, 0]
    drawn = lab.background.wait(lambda: layers(lab, "factor"))
    for name, mean in zip(("passive learner", "active learner"), means, strict=True):
        at = np.searchsorted(drawn[name].x, ks)
        assert 10 ** drawn[name].y[at] == pytest.approx(np.maximum(mean, 1e-4))
    passive, active = means[:, 1]
    assert lab.readout()["factor"] == pytest.approx(passive / active, rel=1e-5)
    assert "factor" not in lab.set(k_vote=21).readout()
