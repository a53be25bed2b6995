"""TwoWorldsLab: guess which of two worlds a sample is from; the true negatives (TN) of their Bayes rules differ much.

On the line [0, 1], eta is a little above 1/2 in the world P+ and as much below in P-, most in a narrow bump around the
middle. The line has mass p, and a far point x' beside it the rest.
"""

from collections.abc import Mapping
from typing import Any, Self

from scipy.special import expit

from knnviz.labs.old_engine import Cell, Lab, Preset, columns, rows, stage
from knnviz.labs.worlds.game import WORLDS, Game
from knnviz.labs.worlds.layers import BumpPanel, SamplePanel, ScorePanel, TrueNegativesPanel

PROPOSITION = "Khim et al., Proposition 2"

#: Numbers that are hidden until the guess.
SECRETS = ("tn_plus", "tn_minus", "best_probability", "world", "verdict", "belief")


class TwoWorldsLab(Lab):
    """A sample from one of the worlds P+ and P-, buttons to guess which, and the score of all rounds.

    Source: Khim et al., Proposition 2.

    Examples
    --------
    >>> from knnviz.labs import TwoWorldsLab
    >>> lab = TwoWorldsLab(n=100, seed=0)
    >>> lab.readout()["best_probability"]
    0.67226
    >>> lab.guess("+").readout()["verdict"]
    'right'
    """

    title = "two worlds"
    number_names: Mapping[str, str] = {
        "rounds": "rounds",
        "right": "right",
        "on_line": "points on the line",
        "in_bump": "class 1 in the bump",
        "world": "true world",
        "verdict": "your guess was",
        "belief": "probability of P+ by the sample",
        "best_probability": "P(best guess is right)",
        "tn_plus": "TN of P+",
        "tn_minus": "TN of P-",
    }

    layout = rows(
        ("sample", 0.26),
        columns(Cell("glass", height=180), Cell("stake", height=180), Cell("score", height=180), ratios=(13, 5, 7)),
    )

    presets = (
        Preset("A hundred points", PROPOSITION, {"n": 100}),
        Preset("Ten thousand points", PROPOSITION, {"n": 10_000}),
        Preset("A million points", PROPOSITION, {"n": 1_000_000}),
        Preset("All points on the line", PROPOSITION, {"mass": 1.0}),
        Preset("Few points on the line", PROPOSITION, {"mass": 0.1}),
        Preset("A rough bump", PROPOSITION, {"smoothness": 0.25, "n": 10_000}),
    )

    game = Game()
    sample = SamplePanel(game=game)
    glass = BumpPanel(game=game)
    stake = TrueNegativesPanel(game=game)
    score = ScorePanel(game=game)

    def new_round(self) -> Self:
        """Draw another world and a sample from it: the next seed."""
        return self.set(seed=self.seed + 1)

    def guess(self, world: str) -> Self:
        """Guess that the sample is from the world "+" or "-"; ValueError for anything else, and for a second guess."""
        if world not in WORLDS:
            raise ValueError(f"a guess must be '+' or '-', got {world!r}")
        with self.lock:
            game = self.game
            if game.guessed_right is not None:
                raise ValueError("this round has been guessed: ask for a new round")
            game.set_guesses({**game.stored_guesses, game.round: world == game.sample.world})
            self.show_message(f"It is {WORLDS[game.sample.world]}: your guess was {game.verdict}.")
            self.show()
        return self

    def reset(self) -> Self:
        """Go back to the state in which the lab began, without a score."""
        with self.lock:
            self.game.set_guesses({})
        return super().reset()

    @stage
    def numbers(self) -> dict[str, Any]:
        game, (ones, inside), (plus, minus) = self.game, self.game.in_bump, self.game.worlds.true_negatives
        numbers = {"rounds": len(game.guesses), "right": sum(game.guesses.values())}
        numbers |= {"on_line": len(game.sample.x), "in_bump": f"{ones} of {inside}"}
        numbers |= {"tn_plus": plus, "tn_minus": minus, "best_probability": game.best_probability}
        if game.known_world is None:
            return numbers
        # Bayes' rule for worlds that are equally likely before the sample.
        belief = float(expit(game.log_likelihood_ratio))
        return numbers | {"world": WORLDS[game.known_world], "verdict": game.verdict, "belief": belief}

    def shown_numbers(self) -> dict[str, str]:
        hidden = {self.number_names[name] for name in SECRETS if self.game.known_world is None}
        return {name: text for name, text in super().shown_numbers().items() if name not in hidden}
