"""TwoWorldsLab without a front end: hidden worlds, guesses and their score, and what is hidden until a guess."""

from collections import Counter

import numpy as np
import pytest
from random_moves import by_name, page

from knnviz.bounds import khim
from knnviz.labs import TwoWorldsLab
from knnviz.labs.worlds import SECRETS, WORLDS

OTHER = {"+": "-", "-": "+"}


@pytest.fixture
def lab():
    return TwoWorldsLab()


def test_a_guess_is_counted_and_tells_the_truth(lab):
    assert lab.readout().items() >= {"rounds": 0, "right": 0}.items()
    world = lab.game.sample.world
    state = {"rounds": 1, "right": 1, "verdict": "right", "world": WORLDS[world]}
    assert lab.guess(world).readout().items() >= state.items()
    assert "world" not in lab.new_round().readout()
    read = lab.guess(OTHER[lab.game.sample.world]).readout()
    assert read.items() >= {"rounds": 2, "right": 1, "verdict": "wrong"}.items()
    for _ in range(20):
        lab.new_round().guess("+")
    assert lab.score.axes().xlim == (0, 22.5)
    read = lab.reset().readout()
    assert (read["rounds"], read["right"], lab.seed, "world" in read) == (0, 0, 0, False)


def test_nothing_is_shown_of_the_world_before_the_guess(lab):
    """Layers, words and titles of a round show the sample alone: nothing goes with the world."""
    secret, seen = {lab.number_names[name] for name in SECRETS}, {}
    for seed in range(20):
        lab.set(n=100, seed=seed)
        assert not secret & set(lab.shown_numbers())
        assert not any(world in lab.alt for world in WORLDS.values())
        shown = tuple(
            (panel.axes.title, tuple(layer.legend_key for layer in panel.layers)) for panel in lab.picture.panels
        )
        seen.setdefault(lab.game.sample.world, set()).add(shown)
    assert seen["+"] == seen["-"]
    assert len(seen["+"]) == 1
    world = WORLDS[lab.guess("+").game.sample.world]
    assert secret <= set(lab.shown_numbers())
    assert f"true world {world}" in lab.alt
    assert lab.picture.panels[0].axes.title == f"Sample: it is from {world}"
    assert [layer.name for layer in lab.score.drawn.layers][-1] == "best"


def test_a_round_is_guessed_once_with_a_sign(lab):
    for guess in ("P+", "plus", "", 1, None):
        with pytest.raises(ValueError, match=r"^a guess must be '\+' or '-', got "):
            lab.guess(guess)
    assert lab.readout()["rounds"] == 0
    lab.guess("+")
    with pytest.raises(ValueError, match=r"^this round has been guessed: ask for a new round$"):
        lab.guess("-")
    lab.set(n=2000).guess("+").set(n=1000)
    assert lab.readout()["rounds"] == 2
    assert "world" in lab.readout(), "the first round is still the one that it was"
    again = TwoWorldsLab.from_scene(lab.set(n=5000, mass=0.25, smoothness=0.6).scene())
    assert (again.values, again.readout()["rounds"]) == (lab.values, 0), "a scene has no score"


@pytest.mark.parametrize("name", TwoWorldsLab.parameters)
def test_every_parameter_begins_another_round(name):
    """The same world with more and more points would give itself away."""
    steps = np.arange(40)
    values = {"seed": steps, "n": 100 + steps, "mass": 0.2 + steps / 100, "smoothness": 0.5 + steps / 100}[name]
    worlds = [TwoWorldsLab(**{"n": 100, name: value}).game.sample.world for value in values.round(2).tolist()]
    assert 8 < worlds.count("+") < 32


def test_the_worlds_are_those_of_the_proposition_and_the_belief_is_that_of_bayes(lab):
    worlds, (_, x, y) = khim.proposition_2(1000, 0.7), lab.set(mass=0.7).game.sample
    read = lab.guess("+").readout()
    assert (read["tn_plus"], read["tn_minus"]) == pytest.approx(worlds.true_negatives, abs=1e-6)
    assert read["best_probability"] == pytest.approx(khim.best_probability(worlds), abs=1e-6)
    logs = [np.log(np.where(y == 1, eta, 1 - eta)).sum() for eta in worlds.eta(x[:, None])]
    assert read["belief"] == pytest.approx(1 / (1 + np.exp(logs[1] - logs[0])), abs=1e-6)
    assert (read["on_line"], read["in_bump"]) == (len(x), "{} of {}".format(*lab.game.in_bump))
    few = TwoWorldsLab(n=20, mass=0.05).guess("+").readout()
    assert (few["on_line"], few["belief"], few["in_bump"]) == (0, 0.5, "0 of 0"), "no points, equally likely worlds"


def test_the_sample_is_from_its_world():
    for seed in range(6):
        lab = TwoWorldsLab(n=1_000_000, mass=1.0, smoothness=0.25, seed=seed)
        world, x, y = lab.game.sample
        expected = lab.game.worlds.margin(x[:, None]).sum() * (1 if world == "+" else -1)
        assert y.sum() - len(y) / 2 == pytest.approx(expected, abs=4 * len(y) ** 0.5 / 2)
        assert len(x) == 1_000_000


def test_the_best_guess_is_about_as_good_as_promised():
    """200 rounds guessed by the likelihood: a score this far off has a probability of about 1 in 1000."""
    lab = TwoWorldsLab(n=1000, mass=1.0)
    for _ in range(200):
        lab.guess("+" if lab.game.log_likelihood_ratio >= 0 else "-").new_round()
    read = lab.readout()
    probability = read["best_probability"]
    error = (probability * (1 - probability) / 200) ** 0.5
    assert read["right"] / 200 == pytest.approx(probability, abs=3.3 * error)


def test_bins_hold_all_points_of_the_line(lab):
    (_, x, y), drawn = lab.game.sample, by_name(lab.sample)
    assert drawn["fractions"].x[:2] == pytest.approx([0, 0.05])
    assert drawn["fractions"].y[0] == pytest.approx(y[x < 0.05].mean())
    assert drawn["count"].texts == (f"{1000 - len(x):,}",)
    near = by_name(lab.glass)["fractions"]
    inside = abs((x - 0.5) * lab.game.worlds.inverse_radius + 3 - 1 / 6) < 1 / 6
    assert near.y[0] == pytest.approx(y[inside].mean())


def test_buttons_play_the_game(faced):
    actions = page(faced).state["controls"]["actions"]
    assert [text for text, *_ in actions] == ["It is P+", "It is P-", "New round", "Reset"]
    world = faced.game.sample.world
    page(faced).step("act", "It is P-")
    assert f"It is {WORLDS[world]}: your guess was {faced.game.verdict}." in page(faced).message
    page(faced).step("act", "It is P+")
    assert "this round has been guessed" in page(faced).message
    page(faced).step("act", "New round")
    assert page(faced).drawn == faced.values == faced.start | {"seed": 1}
    assert "your guess" not in page(faced).message


def test_a_guess_runs_what_tells_it_once_and_no_other(lab):
    _ = lab.picture
    before = Counter(lab.runs())
    _ = lab.guess("+").picture
    state = {
        "game.guesses",
        "game.guessed_right",
        "game.log_likelihood_ratio",
        "stake.drawn",
        "score.drawn",
        "sample.drawn",
    }
    assert Counter(lab.runs()) - before == Counter(state | {"numbers", "alt", "picture"})


@pytest.mark.parametrize("preset", TwoWorldsLab.presets, ids=lambda preset: preset.name)
def test_more_points_help_the_best_guess_little(preset):
    read = TwoWorldsLab(seed=3).show_preset(preset.name).guess("+").readout()
    assert (read["rounds"], 0.5 < read["best_probability"] < 0.75) == (1, True)
