"""The game of TwoWorldsLab: hidden worlds, samples from them, guesses, and their score."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from knnviz.bounds import khim
from knnviz.labs.engine import Component, Float, LogInt, Seed, stage
from knnviz.labs.parts.buttons import Button

WORLDS = {"+": "P+", "-": "P-"}

#: Parts of 1 to which p and alpha are told apart where a round begins.
PARTS = 1000


class Drawn(NamedTuple):
    """The world that a sample is from, by sign, and its points (m,) of the line with their classes (m,)."""

    world: str
    x: np.ndarray
    y: np.ndarray


class Game(Component):
    """Rounds: any other values of the parameters begin another one, with a hidden world of its own."""

    n = LogInt(1000, min=20, max=1_000_000).tag(
        label="sample size", symbol="n", group="Worlds", tip="Number of points; the bump shrinks as it grows"
    )
    mass = Float(0.5, min=0.05, max=1, step=0.05).tag(
        label="mass of the line", symbol="p", tip="The rest of the points lie at x', all of class 1"
    )
    smoothness = Float(1.0, min=0.25, max=1, step=0.05).tag(
        label="smoothness", symbol="alpha", tip="Hoelder exponent of eta: the bump has radius 1 / M and height M^-alpha"
    )
    seed = Seed().tag(group="Round", tip="Another seed draws another world and another sample")

    #: Whether the guess was right, by round.
    score: Mapping[tuple, bool] = {}
    cache: dict[Any, Any]

    def actions(self) -> list[Button]:
        lab = self.lab
        guesses = [
            (f"It is {name}", f"Guess that the sample is from {name}", lambda sign=sign: lab.guess(sign))
            for sign, name in WORLDS.items()
        ]
        following = ("New round", "Draw another world and a sample from it, by the next seed", lab.new_round)
        reset = ("Reset", "Go back to the state in which the lab began, without a score", lab.reset)
        return [*guesses, following, reset]

    def keep(self, score: Mapping[tuple, bool]) -> None:
        """Take a score over; what reads it is computed again."""
        self.score = score
        if Game.guesses in self.cache:
            self.cache[Game.guesses].discard()

    @stage(compare_values=True)
    def guesses(self) -> Mapping[tuple, bool]:
        return self.score

    @stage(compare_values=True)
    def round(self) -> tuple:
        return self.seed, self.n, round(PARTS * self.mass), round(PARTS * self.smoothness)

    @stage(compare_values=True)
    def guessed_right(self) -> bool | None:
        return self.guesses.get(self.round)

    @property
    def verdict(self) -> str:
        return "right" if self.guessed_right else "wrong"

    @stage
    def worlds(self) -> khim.TwoWorlds:
        return khim.proposition_2(self.n, self.mass, holder_exponent=self.smoothness)

    @stage
    def drawn(self) -> Drawn:
        """The hidden world and the points of the line; each round draws both anew, so that no two are alike."""
        rng, worlds = np.random.default_rng(self.round), self.worlds
        plus = rng.random() < 0.5
        x = rng.random(rng.binomial(self.n, self.mass))
        eta = worlds.eta(x[:, None])[0 if plus else 1] if len(x) else x
        return Drawn("+" if plus else "-", x, (rng.random(len(x)) < eta).astype(int))

    @stage
    def ratio(self) -> float:
        _, x, y = self.drawn
        return khim.log_likelihood_ratio(self.worlds, x[:, None], y) if len(x) else 0.0

    @stage
    def best_probability(self) -> float:
        return khim.best_probability(self.worlds)

    @stage
    def in_bump(self) -> tuple[int, int]:
        _, x, y = self.drawn
        inside = abs(x - 0.5) * self.worlds.cells < 1
        return int(y[inside].sum()), int(inside.sum())
