"""ActiveLab beside trials of the library and Theorem 3: numbers, steps, sets, curves, controls."""

import numpy as np
import pytest
from random_moves import layers
from small import SMALL

from knnviz import problems
from knnviz.active import LEARNERS, Scheme, trial
from knnviz.bounds.rittler import theorem_3
from knnviz.labs import ActiveLab
from knnviz.labs.active import BOUNDARY, MEAN, STAGES
from knnviz.labs.parts.sources import named

#: The bump of the small lab on a line, and a small lab of each kind.
BUMP = problems.bump(0.1, 0.98, 0.02)
LINE = {"n": 200, "m": 100, "k_hard": 60, "k_vote": 40, "width": 0.1}
PLANE = {"problem": "wave2d", "n": 200, "m": 100, "k_hard": 60, "k_vote": 40}
POOL = {"problem": "breast cancer", "n": 119, "m": 119, "k_hard": 59, "k_vote": 29}
KINDS = pytest.mark.parametrize("values", [LINE, PLANE, POOL], ids=["line", "plane", "pool"])


@pytest.fixture
def lab():
    return opened(**LINE)


def opened(**values):
    return ActiveLab(resolution=SMALL, **values)


def trial_of(lab, *budgets, stream=None):
    source = BUMP
    if lab.problem != "bump":
        source = named(lab.problem).with_seed(lab.seed)
    scheme = Scheme(lab.k_hard, lab.passive_fraction, lab.delta, lab.c0, lab.c_plus)
    return trial(
        source,
        [lab.k_vote],
        lab.n,
        lab.m,
        scheme,
        stream or lab.seed,
        budgets=budgets or None,
        n_cells=SMALL.map_cells[source.dimension - 1],
    )


def hard_mass(first, lab):
    """On the line the exact one: of the windows of k_hard sorted points whose vote is close."""
    order = np.argsort(first.X[:, 0])
    x = first.X[order, 0]
    k = lab.k_hard
    ones = np.convolve(first.y[order], np.ones(k), "valid")
    middles = (x[:-k] + x[k:]) / 2
    ends = np.concatenate([[0], middles, [1]])
    is_close = abs(ones / k - 0.5) < first.width - 1e-12
    return np.diff(ends)[is_close].sum()


@KINDS
@pytest.mark.parametrize(
    ("changes", "left"),
    [({}, 0), ({"voters": "inclusive", "seed": 3}, 0), ({}, 50)],
)
def test_numbers_are_those_of_a_trial(values, changes, left):
    lab = opened(**values | changes)
    lab.set(labels=lab.labels - left)
    budget = lab.labels - lab.n
    sample, rates = trial_of(lab, budget)
    part = sample.head(budget)
    first = sample.first

    read = lab.readout()

    expected = {
        "labels bought": len(part.y),
        "mass of H": hard_mass(first, lab) if values is LINE else first.hard_mass,
        "mass of H+": first.augmented_mass,
        "points drawn in round two": part.n_draws,
    }
    assert {name: read[name] for name in expected} == pytest.approx(expected, abs=1e-6)
    random_labels = round(part.passive_label_fraction * budget)
    assert read["random labels of round two"] == (random_labels, budget)
    active = LEARNERS.index(lab.voters)
    for name, learner in (("passive", 0), ("active", active)):
        wrong = rates[learner, 0, 0]
        if values is POOL:
            assert read[f"errors of the {name} learner"] == (round(wrong * 171), 171)
        else:
            assert read[f"disagreement of the {name} learner"] == pytest.approx(wrong, abs=1e-6)


#: The first step at which a layer is drawn, and at which a number is known.
DRAWN_FROM = {"votes1": 2, "band": 2, "H": 3, "H+": 4, "reach": 4, "passive errors": 5}
KNOWN_FROM = {
    "labels bought": 0,
    "mass of H": 3,
    "mass of H+": 4,
    "random labels of round two": 5,
}


def test_nothing_is_drawn_or_read_out_before_its_step(lab):
    lab.set(labels=lab.n)
    for step in range(len(STAGES) + 1):
        if step < len(STAGES):
            lab.set(stage=STAGES[step])
        else:
            lab.set(labels=lab.n + 1)
        drawn = layers(lab)
        numbers = lab.readout()
        for name, first_step in DRAWN_FROM.items():
            assert (name in drawn) == (step >= first_step), name
        for name, first_step in KNOWN_FROM.items():
            assert (name in numbers) == (step >= first_step), name


@KINDS
def test_a_label_at_each_further_step_and_the_last_one_is_ringed(values):
    lab = opened(**values)
    sample = trial_of(lab).sample
    n = lab.n
    m = lab.m
    for second in (0, 1, 2, 37, m):
        ringed = []
        for layer in layers(lab.set(labels=n + second)).values():
            rings = np.flatnonzero(getattr(layer, "ringed", ()))
            ringed += [layer.x[at] for at in rings]
        newest = []
        if second:
            newest = [sample.X[n + second - 1, 0]]
        assert ringed == newest
        assert lab.readout()["points drawn in round two"] == sample.head(second).n_draws


def test_labels_of_the_second_round_follow_m_to_its_end_and_else_stay(lab):
    at_the_end = [lab.set(m=m).labels for m in (50, 300)]
    assert at_the_end == [250, 500]

    lab.set(labels=240)
    assert [lab.set(m=m).labels for m in (200, 100)] == [240, 240]
    assert [lab.set(n=n).labels for n in (300, 200)] == [340, 240]
    assert lab.set(m=20).labels == 220

    lab.set(m=100)
    clicked = [lab.pick("risk", x, 0.1)["labels"] for x in (10, 250.2, 1e4)]
    assert clicked == [200, 250, 300]


def test_the_ball_and_the_boundary_are_those_of_the_theory(lab):
    first = trial_of(lab).sample.first
    distances = np.sort(abs(first.X[:, 0] - 0.5))
    ball = distances[first.k_plus - 1]
    bound = theorem_3(BUMP, 40, 300, 0.1, n_cells=SMALL.map_cells[0])

    read = lab.set(overlay=BOUNDARY).readout()

    assert layers(lab)["reach"].x[:2] == pytest.approx([0.5 - ball, 0.5 + ball])
    found = [read[name] for name in ("ball mass p", "Delta at k_vote", "boundary mass")]
    assert found == pytest.approx([bound.mass, bound.margin, bound.boundary_mass], abs=1e-5)


def test_a_pool_has_a_label_for_each_point():
    lab = opened(n=1000, m=2000, x1=0.9).set(problem="breast cancer")
    sizes = [lab.values[name] for name in ("n", "m", "k_hard", "k_vote", "labels")]
    assert sizes == [265, 133, 100, 100, 398]
    assert (lab.set(n=200, m=198).labels, lab.set(n=250).m) == (398, 148)


def test_the_curve_of_this_sample_ends_with_the_labels_and_a_mean_is_that_of_fresh_trials(lab):
    budgets = np.arange(0, 101, 10)
    passive, active = trial_of(lab, *budgets).disagreement[:2, :5, 0]
    drawn = layers(lab.set(labels=lab.n + 49))
    assert drawn["passive learner"].y == pytest.approx(passive, abs=1e-6)
    assert drawn["active learner"].y == pytest.approx(active, abs=1e-6)

    rates = []
    for stream in np.random.SeedSequence(0).spawn(3):
        fresh = trial_of(lab, *budgets, stream=stream)
        rates.append(fresh.disagreement[1, :, 0])
    lab.set(curve=MEAN, repeats=3)
    drawn = lab.background.wait(lambda: layers(lab))
    assert drawn["active learner"].y == pytest.approx(np.mean(rates, axis=0), abs=1e-6)
