"""TwoWorldsLab: guess from a sample which of two worlds it is from, when their true negatives are far apart."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from knnviz.bounds import khim
from knnviz.labs.engine.parameters import Float, Int, LogInt
from knnviz.labs.engine.scenes import Preset
from knnviz.labs.engine.stages import stage
from knnviz.labs.sheets import Sheet, SheetLab
from knnviz.views import worlds as world_view
from knnviz.views.layers import Axes, Layer, Panel

#: The worlds by sign.
WORLDS = world_view.NAMES

#: Bins along the line and under the glass, and places along the curves.
BINS, FINE_BINS, PLACES = 20, 18, 401

#: Parts of 1 to which p and alpha are told apart where a round begins.
PARTS = 1000

SCREEN = Sheet(
    (920, 690),
    more={
        "sample": (66, 40, 840, 220),
        "glass": (66, 404, 400, 180),
        "stake": (540, 404, 110, 180),
        "score": (714, 404, 192, 180),
    },
    legend={"legend_left": 8},
    most_points=300,
)
PROJECTOR = Sheet(
    (667, 560),
    more={
        "sample": (64, 36, 590, 150),
        "glass": (64, 318, 280, 140),
        "stake": (398, 318, 84, 140),
        "score": (534, 318, 120, 140),
    },
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 48},
    most_points=150,
)

PROPOSITION = "Khim et al., Proposition 2"

#: What is told on screen once the guess is made.
SECRETS = ("tn_plus", "tn_minus", "best_chance", "world", "verdict", "belief")

#: What tells rounds apart.
ROUND = ("seed", "n", "mass", "smoothness")


class Drawn(NamedTuple):
    """The world that a sample is from, by sign, and its points (m,) of the line with their classes (m,)."""

    world: str
    x: np.ndarray
    y: np.ndarray


class TwoWorldsLab(SheetLab):
    """A sample from one of the worlds P+ and P-, buttons to guess which, and the score of all rounds."""

    title = "two worlds"
    sheets = (SCREEN, PROJECTOR)
    number_names: Mapping[str, str] = {
        "rounds": "rounds",
        "right": "right",
        "on_line": "points on the line",
        "in_bump": "class 1 in the bump",
        "world": "the world",
        "verdict": "your guess was",
        "belief": "chance of P+ by the sample",
        "best_chance": "best guess is right with",
        "tn_plus": "TN of P+",
        "tn_minus": "TN of P-",
    }

    n = LogInt(1000, min=20, max=1_000_000).tag(
        label="sample size", symbol="n", group="Worlds", tip="Number of points; the bump shrinks as it grows"
    )
    mass = Float(0.5, min=0.05, max=1, step=0.05).tag(
        label="mass of the line", symbol="p", tip="The rest of the points lie at x', all of class 1"
    )
    smoothness = Float(1.0, min=0.25, max=1, step=0.05).tag(
        label="smoothness", symbol="alpha", tip="Hoelder exponent of eta: the bump has radius 1 / M and height M^-alpha"
    )
    seed = Int(0, min=0, max=2**32 - 1, typed=True).tag(
        label="seed", group="Round", tip="Another seed draws another world and another sample"
    )

    presets = (
        Preset("A hundred points", PROPOSITION, {"n": 100}),
        Preset("Ten thousand points", PROPOSITION, {"n": 10_000}),
        Preset("A million points", PROPOSITION, {"n": 1_000_000}),
        Preset("All points on the line", PROPOSITION, {"mass": 1.0}),
        Preset("Few points on the line", PROPOSITION, {"mass": 0.1}),
        Preset("A rough bump", PROPOSITION, {"smoothness": 0.25, "n": 10_000}),
    )

    _guesses: Mapping[tuple, tuple[str, bool]] = {}

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Buttons: both guesses, the next round, and back to the start."""
        guesses = [
            (f"It is {name}", f"Guess that the sample is from {name}", lambda sign=sign: self.guess(sign))
            for sign, name in WORLDS.items()
        ]
        following = ("New round", "Draw another world and a sample from it, by the next seed", self.new_round)
        reset = ("Reset", "Go back to the state in which the lab began, without a score", self.reset)
        return [*guesses, following, reset]

    def new_round(self) -> Self:
        """Draw another world and a sample from it: the next seed."""
        return self.new_sample()

    def guess(self, world: str) -> Self:
        """Guess that the sample is from the world "+" or "-"; ValueError for anything else, and for a second guess."""
        if world not in WORLDS:
            raise ValueError(f"a guess must be '+' or '-', got {world!r}")
        with self.updates.lock():
            if self.told is not None:
                raise ValueError("this round has been guessed: ask for a new round")
            true = self.drawn.world
            self._keep({**self._guesses, self.round: (world, world == true)})
            self._say(f"It is {WORLDS[true]}: your guess was {self.verdict}.")
            self.show()
        return self

    def reset(self) -> Self:
        """Go back to the state in which the lab began, without a score."""
        with self.updates.lock():
            self._keep({})
        return super().reset()

    def _keep(self, guesses: Mapping[tuple, tuple[str, bool]]) -> None:
        """Take guesses over; what reads them is computed anew."""
        self._guesses = guesses
        self.discard(TwoWorldsLab.guesses)

    @stage(compare_values=True)
    def guesses(self) -> Mapping[tuple, tuple[str, bool]]:
        """What was guessed in each round, and whether it was right."""
        return self._guesses

    @stage(compare_values=True)
    def round(self) -> tuple:
        """What tells this round from others: whatever moves begins another."""
        return tuple(getattr(self, name) for name in ROUND)

    @stage(compare_values=True)
    def told(self) -> tuple[str, bool] | None:
        """The guess of this round and whether it was right; None before it."""
        return self.guesses.get(self.round)

    @property
    def verdict(self) -> str:
        """How the guess of this round was."""
        return "right" if self.told[1] else "wrong"

    @stage
    def worlds(self) -> khim.TwoWorlds:
        """Both worlds."""
        return khim.proposition_2(self.n, self.mass, holder_exponent=self.smoothness)

    @stage
    def drawn(self) -> Drawn:
        """The hidden world and the points of the line; what moves draws both anew, so that no two rounds are one."""
        whole = self.seed, self.n, round(PARTS * self.mass), round(PARTS * self.smoothness)
        rng, worlds = np.random.default_rng(whole), self.worlds
        plus = rng.random() < 0.5
        x = rng.random(rng.binomial(self.n, self.mass))
        eta = worlds.eta(x[:, None])[0 if plus else 1] if len(x) else x
        return Drawn("+" if plus else "-", x, (rng.random(len(x)) < eta).astype(int))

    @stage
    def ratio(self) -> float:
        """Log-likelihood of P+ over P-."""
        _, x, y = self.drawn
        return khim.log_likelihood_ratio(self.worlds, x[:, None], y) if len(x) else 0.0

    @stage
    def best_chance(self) -> float:
        """The chance of the best guess."""
        return khim.best_chance(self.worlds)

    @stage
    def in_bump(self) -> tuple[int, int]:
        """Points of class 1 within the bump, and all points there."""
        _, x, y = self.drawn
        inside = abs(x - 0.5) * self.worlds.cells < 1
        return int(y[inside].sum()), int(inside.sum())

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out; the true world only after the guess."""
        plus, minus = self.worlds.true_negatives
        right = [good for _, good in self.guesses.values()]
        ones, inside = self.in_bump
        played = {"rounds": len(right), "right": sum(right), "on_line": len(self.drawn.x)}
        seen = {"in_bump": f"{ones} of {inside}"}
        known = {"tn_plus": plus, "tn_minus": minus, "best_chance": self.best_chance}
        if self.told is None:
            return played | seen | known
        truth = {"world": WORLDS[self.drawn.world], "verdict": self.verdict, "belief": khim.belief(self.ratio)}
        return played | seen | truth | known

    def shown_numbers(self) -> dict[str, str]:
        """The numbers on screen: what the guess is about is told after it."""
        hidden = set() if self.told is not None else {self.number_names[name] for name in SECRETS}
        return {name: text for name, text in super().shown_numbers().items() if name not in hidden}

    @stage
    def sample_layers(self) -> tuple[Layer, ...]:
        """The first points, shares of class 1 in bins, and both eta."""
        _, x, y = self.drawn
        few, ends = slice(0, self.sheet.most_points), np.linspace(0, 1, BINS + 1)
        along = np.unique(np.concatenate([np.linspace(0, 1, PLACES), 0.5 + self.near]).clip(0, 1))
        drawn = world_view.points(x[few], y[few], ("class 0", "class 1"))
        curves = world_view.curves(along, self.worlds.shift(along[:, None]))
        counted = world_view.shares(ends, *counts(x, y, ends), f"share in {BINS} bins, ± 1 s.e.")
        return drawn, *world_view.far(self.n - len(x)), *curves, *counted

    @stage
    def near(self) -> np.ndarray:
        """Places around the middle that the glass shows."""
        return np.linspace(-world_view.REACH, world_view.REACH, PLACES) / self.worlds.cells

    @stage
    def glass_layers(self) -> tuple[Layer, ...]:
        """The same around the bump, in its radii."""
        _, x, y = self.drawn
        cells, ends = self.worlds.cells, np.linspace(-world_view.REACH, world_view.REACH, FINE_BINS + 1)
        within = (0.5 + self.near).clip(0, 1)
        curves = world_view.curves((within - 0.5) * cells, self.worlds.shift(within[:, None]))
        counted = counts((x - 0.5) * cells, y, ends)
        return *curves, *world_view.shares(ends, *counted, "share, ± 1 s.e.")

    @stage
    def stake_layers(self) -> tuple[Layer, ...]:
        """True negatives of both worlds, after the guess."""
        known = self.told is not None
        return world_view.stake(self.worlds.true_negatives, self.drawn.world if known else None)

    @stage
    def score_layers(self) -> tuple[Layer, ...]:
        """The share of right guesses so far."""
        right = np.array([good for _, good in self.guesses.values()], float)
        return world_view.score(right, None if self.told is None else self.best_chance)

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """The sample above; the glass, what is at stake and the score below."""
        layers = self.sample_layers, self.glass_layers, self.stake_layers, self.score_layers
        return tuple(map(Panel, self.axes, layers))

    @stage
    def axes(self) -> tuple[Axes, ...]:
        """The frames of the panels."""
        sheet, worlds = self.sheet, self.worlds
        expected = max(self.n * self.mass * 2 * world_view.REACH / worlds.cells / FINE_BINS, 1)
        title = "Sample" if self.told is None else f"Sample: it is from {WORLDS[self.drawn.world]}"
        frames = (
            world_view.sample_axes(sheet.more["sample"], title),
            world_view.glass_axes(sheet.more["glass"], worlds.epsilon, 0.5 / expected**0.5),
            world_view.stake_axes(sheet.more["stake"]),
            world_view.score_axes(sheet.more["score"], len(self.guesses)),
        )
        return sheet.framed(frames)

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        _, x, y = self.drawn
        words = world_view.describe(self.n, len(x), int(y.sum()), self.in_bump)
        return f"{words} {self.numbers_text()}."


def counts(x: np.ndarray, y: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points of class 1 (b,) and all points (b,) between ends (b + 1,), of points x (m,) with classes y (m,)."""
    bins = np.searchsorted(ends, x, side="right") - 1
    within = (bins >= 0) & (bins < len(ends) - 1)
    ones, totals = (np.bincount(bins[within], part, len(ends) - 1) for part in (y[within], None))
    return ones, totals
