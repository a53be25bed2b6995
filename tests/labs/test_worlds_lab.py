"""TwoWorldsLab without a front end: hidden worlds, guesses and their score, what is told when."""

from collections import Counter

import numpy as np
import pytest

from knnviz.bounds import khim
from knnviz.labs import TwoWorldsLab
from knnviz.labs.worlds import ROUND, SECRETS, WORLDS


@pytest.fixture
def lab():
    return TwoWorldsLab()


def test_a_guess_is_counted_and_tells_the_truth(lab):
    read = lab.readout()
    assert (read["rounds"], read["right"]) == (0, 0)
    assert "world" not in read
    world = lab.drawn.world
    read = lab.guess(world).readout()
    assert (read["rounds"], read["right"], read["verdict"], read["world"]) == (1, 1, "right", WORLDS[world])
    assert "world" not in lab.new_round().readout()
    read = lab.guess("-" if lab.drawn.world == "+" else "+").readout()
    assert (read["rounds"], read["right"], read["verdict"]) == (2, 1, "wrong")
    read = lab.reset().readout()
    assert (read["rounds"], read["right"], lab.seed) == (0, 0, 0)
    assert "world" not in read


def test_nothing_is_told_on_screen_before_the_guess(lab):
    secret = {lab.number_names[name] for name in SECRETS}
    assert not secret & set(lab.shown_numbers())
    assert "P+" not in lab.alt
    assert "P-" not in lab.alt
    stake, mark = lab.stake_layers
    assert (len(stake.heights), mark.texts) == (0, ("?",))
    assert lab.axes[0].title == "Sample"
    assert "best" not in {layer.name for layer in lab.score_layers}
    world = WORLDS[lab.drawn.world]
    lab.guess("+")
    assert secret <= set(lab.shown_numbers())
    assert f"the world {world}" in lab.alt
    assert lab.stake_layers[1].texts == ("true",)
    assert lab.axes[0].title == f"Sample: it is from {world}"
    assert "best" in {layer.name for layer in lab.score_layers}


def test_worlds_look_alike_before_the_guess():
    """Layers and words of a round show the sample alone: no color, order or name goes with the world."""
    seen = {}
    for seed in range(20):
        lab = TwoWorldsLab(n=100, seed=seed)
        names = tuple((panel.axes.title, tuple(layer.entries for layer in panel.layers)) for panel in lab.panels)
        seen.setdefault(lab.drawn.world, names)
        assert names == seen[lab.drawn.world]
    assert seen["+"] == seen["-"]


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
    assert again.values == lab.values
    assert again.readout()["rounds"] == 0, "a scene has no score"


def test_whatever_moves_is_another_round():
    """The same world with more and more points would give itself away."""
    steps = np.arange(40)
    changes = {"seed": steps, "n": 100 + steps, "mass": 0.2 + steps / 100, "smoothness": 0.5 + steps / 100}
    assert set(changes) == set(ROUND)
    for name, values in changes.items():
        worlds = [TwoWorldsLab(**{"n": 100, name: value}) for value in values.round(2).tolist()]
        plus = sum(lab.drawn.world == "+" for lab in worlds)
        assert 8 < plus < 32, name


def test_the_worlds_are_those_of_the_proposition(lab):
    read, worlds = lab.set(mass=0.7).readout(), khim.proposition_2(1000, 0.7)
    assert (read["tn_plus"], read["tn_minus"]) == (0, round(worlds.true_negatives[1], 6))
    assert read["tn_minus"] > 0.35
    assert read["best_chance"] == pytest.approx(khim.best_chance(worlds), abs=1e-6)
    assert read["on_line"] == len(lab.drawn.x)


def test_the_sample_is_from_its_world():
    for seed in range(6):
        world, x, y = TwoWorldsLab(n=1_000_000, mass=1.0, smoothness=0.25, seed=seed).drawn
        worlds = khim.proposition_2(1_000_000, 1.0, holder_exponent=0.25)
        shift = worlds.shift(x[:, None])
        expected = shift.sum() * (1 if world == "+" else -1)
        assert y.sum() - len(y) / 2 == pytest.approx(expected, abs=4 * len(y) ** 0.5 / 2)
        assert len(x) == 1_000_000


def test_the_best_guess_is_about_as_good_as_promised():
    """200 rounds guessed by the likelihood: a score this far off has a chance of about 1 in 1000."""
    lab = TwoWorldsLab(n=1000, mass=1.0)
    for _ in range(200):
        lab.guess("+" if lab.ratio >= 0 else "-").new_round()
    read = lab.readout()
    chance = read["best_chance"]
    assert read["rounds"] == 200
    assert read["right"] / 200 == pytest.approx(chance, abs=3.3 * (chance * (1 - chance) / 200) ** 0.5)


def test_more_points_help_the_best_guess_little():
    chances = [TwoWorldsLab(n=n).readout()["best_chance"] for n in (100, 1000, 10_000, 100_000, 1_000_000)]
    assert max(chances) < 0.7
    assert max(chances) - min(chances) < 0.05


def test_few_points_on_the_line_say_nothing():
    lab = TwoWorldsLab(n=20, mass=0.05, seed=0)
    assert (len(lab.drawn.x), lab.ratio) == (0, 0)
    read = lab.guess("+").readout()
    assert (read["belief"], read["in_bump"]) == (0.5, "0 of 0")


def test_the_belief_is_that_of_bayes(lab):
    world, x, y = lab.drawn
    plus, minus = lab.worlds.eta(x[:, None])
    chance = [np.log(np.where(y == 1, eta, 1 - eta)).sum() for eta in (plus, minus)]
    read = lab.guess(world).readout()
    assert read["belief"] == pytest.approx(1 / (1 + np.exp(chance[1] - chance[0])), abs=1e-6)


def test_bins_hold_all_points_of_the_line(lab):
    _, x, y = lab.drawn
    drawn = {layer.name: layer for layer in lab.sample_layers}
    steps = drawn["shares"]
    first = x < 0.05
    assert steps.y[0] == pytest.approx(y[first].mean())
    assert steps.x[:2] == pytest.approx([0, 0.05])
    assert drawn["count"].texts == (f"{1000 - len(x):,}",)


def test_the_glass_shows_the_same_whatever_n():
    """In radii of the bump and in standard errors nothing grows."""
    labs = [TwoWorldsLab(n=n) for n in (1000, 1_000_000)]
    few, many = (lab.worlds.height / np.diff(lab.axes[1].ylim) for lab in labs)
    assert few == pytest.approx(many, rel=0.1)


def test_buttons_play_the_game(faced):
    buttons = {text: action for text, _, action in faced.actions()}
    assert list(buttons) == ["It is P+", "It is P-", "New round", "Reset"]
    world = faced.drawn.world
    faced.face._act(buttons["It is P-"])
    verdict = "right" if world == "-" else "wrong"
    assert f"It is {WORLDS[world]}: your guess was {verdict}." in faced.face.message.value
    faced.face._act(buttons["It is P+"])
    assert "this round has been guessed" in faced.face.message.value
    faced.face._act(buttons["New round"])
    assert faced.seed == 1
    assert faced.face.canvas.frame["state"] == faced.values
    assert "your guess" not in faced.face.message.value


def test_a_guess_runs_what_tells_it_once_and_no_other(lab):
    _ = lab.picture
    before = Counter(lab.runs())
    _ = lab.guess("+").picture
    told = {"guesses", "told", "ratio", "stake_layers", "score_layers", "numbers", "axes", "panels", "alt", "picture"}
    assert Counter(lab.runs()) - before == Counter(told)


@pytest.mark.parametrize("preset", TwoWorldsLab.presets, ids=lambda preset: preset.name)
def test_presets_are_rounds_to_guess(preset):
    lab = TwoWorldsLab(seed=3).show_preset(preset.name)
    read = lab.guess("+").readout()
    assert read["rounds"] == 1
    assert read["tn_minus"] > lab.mass / 2
    assert 0.5 < read["best_chance"] < 0.75
