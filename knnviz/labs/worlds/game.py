"""The game of TwoWorldsLab: a hidden world and a sample from it each round, and the guesses."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from knnviz.bounds import khim
from knnviz.labs.old_engine import Component, Float, LogInt, Seed, stage
from knnviz.labs.old_parts.buttons import Button

WORLDS = {"+": "P+", "-": "P-"}

#: Values of p and alpha that are equal when rounded to 1 / PARTS belong to the same round.
PARTS = 1000


class WorldSample(NamedTuple):
    """The sign of the world that a sample is from, and its points (m,) on the line with their classes (m,)."""

    world: str
    x: np.ndarray
    y: np.ndarray


class Game(Component):
    """Rounds: each choice of the parameters is a round, with a hidden world of its own."""

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

    #: Whether the guess was right, by round; stages read it as ``guesses``.
    stored_guesses: Mapping[tuple, bool] = {}
    cache: dict[Any, Any]

    def actions(self) -> list[Button]:
        lab = self.lab
        guesses = [
            (f"It is {name}", f"Guess that the sample is from {name}", lambda sign=sign: lab.guess(sign))
            for sign, name in WORLDS.items()
        ]
        return [
            *guesses,
            ("New round", "Draw another world and a sample from it, by the next seed", lab.new_round),
            ("Reset", "Go back to the state in which the lab began, without a score", lab.reset),
        ]

    def set_guesses(self, guesses: Mapping[tuple, bool]) -> None:
        """Replace the guesses; stages that read them are computed again."""
        self.stored_guesses = guesses
        if Game.guesses in self.cache:
            self.cache[Game.guesses].discard()

    @stage(compare_values=True)
    def guesses(self) -> Mapping[tuple, bool]:
        return self.stored_guesses

    @stage(compare_values=True)
    def round(self) -> tuple:
        """Key of the round."""
        return self.seed, self.n, round(PARTS * self.mass), round(PARTS * self.smoothness)

    @stage(compare_values=True)
    def guessed_right(self) -> bool | None:
        return self.guesses.get(self.round)

    @property
    def verdict(self) -> str:
        return "right" if self.guessed_right else "wrong"

    @property
    def known_world(self) -> str | None:
        """The sign of the true world; None before the guess."""
        return None if self.guessed_right is None else self.sample.world

    @stage
    def worlds(self) -> khim.TwoWorlds:
        return khim.proposition_2(self.n, self.mass, holder_exponent=self.smoothness)

    @stage
    def sample(self) -> WorldSample:
        """The hidden world and a sample from it, of which x' is left out; the round seeds the random generator."""
        rng, worlds = np.random.default_rng(self.round), self.worlds
        plus = rng.random() < 0.5
        x = rng.random(rng.binomial(self.n, self.mass))
        eta = worlds.eta(x[:, None])[0 if plus else 1]
        return WorldSample("+" if plus else "-", x, (rng.random(len(x)) < eta).astype(int))

    @stage
    def log_likelihood_ratio(self) -> float:
        """Logarithm of the likelihood of P+ over that of P-."""
        _, x, y = self.sample
        return khim.log_likelihood_ratio(self.worlds, x[:, None], y)

    @stage
    def best_probability(self) -> float:
        return khim.best_probability(self.worlds)

    @stage
    def in_bump(self) -> tuple[int, int]:
        """How many points in the bump, of radius 1 / ``inverse_radius``, are of class 1, and how many there are."""
        _, x, y = self.sample
        inside = abs(x - 0.5) * self.worlds.inverse_radius < 1
        return int(y[inside].sum()), int(inside.sum())
