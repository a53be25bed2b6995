"""TwoWorldsLab: hidden worlds, guesses and their score, and what is hidden until a guess."""

import numpy as np
import pytest
from random_moves import layers, press
from refusals import refuses

from knnviz.bounds import khim
from knnviz.labs import TwoWorldsLab
from knnviz.labs.worlds import ROWS, draw, round_of, true_world

SECRETS = {"true world", "your guess was", "probability of P+ by the sample"}


@pytest.fixture
def lab():
    return TwoWorldsLab()


def world_of(lab):
    return true_world(round_of(lab))


def sample_of(lab):
    """The worlds of a lab, and points with classes."""
    worlds = khim.proposition_2(lab.n, lab.mass, holder_exponent=lab.smoothness)
    return worlds, *draw(round_of(lab), worlds)


def test_guesses_are_counted_and_tell_the_truth(lab):
    world = f"P{world_of(lab)}"
    press(lab, f"It is {world}")
    told = {"rounds": 1, "right": 1, "your guess was": "right", "true world": world}
    assert lab.readout().items() >= told.items()
    refuses("^this round has been guessed: ask for a new round$", lab.guess, "-")

    press(lab, "New round")
    assert lab.seed == 1
    assert not SECRETS & set(lab.readout())
    lab.guess("-" if world_of(lab) == "+" else "+")
    told = {"rounds": 2, "right": 1, "your guess was": "wrong"}
    assert lab.readout().items() >= told.items()
    assert layers(lab)["rounds"].y == pytest.approx([1, 1 / 2])

    first = lab.set(seed=0).readout()
    assert set(first) >= SECRETS, "the first round is still the one that it was"
    assert lab.reset().numbers["rounds"] == 0
    refuses(r"^a guess must be '\+' or '-', got 'P\+'$", lab.guess, "P+")


def test_a_sample_without_a_point_on_the_line_tells_nothing(lab):
    lab.set(n=20, mass=0.05)
    assert lab.readout()["points on the line"] == 0
    lab.guess("+")
    assert lab.readout()["probability of P+ by the sample"] == 0.5
    assert not np.isfinite(layers(lab, "glass")["fractions"].y).any()


def test_nothing_is_shown_of_the_world_before_the_guess(lab):
    worlds = set()
    seen = set()
    for seed in range(20):
        lab.set(n=100, seed=seed)
        worlds.add(world_of(lab))
        titles = [panel.axes.title for panel in lab.picture.panels]
        legends = [layer.legend for layer in layers(lab).values()]
        seen.add((*titles, *legends, *lab.numbers))
    assert len(worlds) == 2
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("name", "first", "step"),
    [("seed", 0, 1), ("n", 100, 1), ("mass", 0.2, 0.01), ("smoothness", 0.5, 0.01)],
)
def test_every_parameter_begins_another_round(lab, name, first, step):
    """The same world with more and more points would give itself away."""
    worlds = [world_of(lab.set(**{name: round(first + i * step, 2)})) for i in range(40)]
    assert 8 < worlds.count("+") < 32


def test_the_worlds_are_those_of_the_proposition_and_the_belief_is_that_of_bayes(lab):
    worlds, x, y = sample_of(lab.set(mass=0.7, smoothness=0.6))
    read = lab.guess("+").readout()
    tn = (read["TN of P+"], read["TN of P-"])
    assert tn == pytest.approx(worlds.true_negatives, abs=1e-6)
    right = khim.best_probability(worlds)
    assert read["P(best guess is right)"] == pytest.approx(right, abs=1e-6)

    def log_likelihood(eta):
        return np.log(np.where(y == 1, eta, 1 - eta)).sum()

    plus, minus = map(log_likelihood, worlds.eta(x[:, None]))
    belief = 1 / (1 + np.exp(minus - plus))
    assert read["probability of P+ by the sample"] == pytest.approx(belief, abs=1e-6)


def test_the_sample_is_from_its_world(lab):
    for seed in range(6):
        lab.set(n=1_000_000, mass=1.0, smoothness=0.25, seed=seed)
        worlds, x, y = sample_of(lab)
        plus, minus = worlds.eta(x[:, None])
        eta = plus if world_of(lab) == "+" else minus
        error = len(y) ** 0.5 / 2
        assert y.sum() == pytest.approx(eta.sum(), abs=4 * error)


def test_points_and_bins_are_those_of_the_sample(lab):
    worlds, x, y = sample_of(lab)
    drawn = layers(lab)
    shown = len(drawn["points"].x)
    rows = np.array(ROWS)
    assert drawn["points"].y == pytest.approx(rows[y[:shown]])

    near = layers(lab, "glass")["fractions"]
    apart = (x - 0.5) * worlds.inverse_radius
    first = abs(apart + 3 - 1 / 6) < 1 / 6
    assert near.y[0] == pytest.approx(y[first].mean())
    bar = layers(lab, "glass")["spread"]
    assert abs(bar.y[:2] - near.y[0]) == pytest.approx([0.5 / first.sum() ** 0.5] * 2)
    bump = abs(apart) < 1
    assert lab.readout()["class 1 in the bump"] == (y[bump].sum(), bump.sum())
