"""What a lab on the two-round scheme is told, and the labels that are bought."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from knnviz import problems
from knnviz.active import (
    LEARNERS,
    Scheme,
    TwoStageSample,
    active_sample,
    passive_sample,
)
from knnviz.labs.engine.parameters import Choice, Float, Int
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.sources import Source, known
from knnviz.labs.risks import StreamLab
from knnviz.problems import Dataset

#: Problems by name, with the parameters that each is made of.
PROBLEMS: dict[str, tuple[str, ...]] = {
    "bump": ("width", "height", "low"),
    "jump": ("a",),
    "power": ("kappa",),
    "linear": ("slope",),
    "wave2d": ("amplitude", "waves", "high"),
    "breast cancer": (),
}
MADE: dict[str, Callable[..., Source]] = {
    "bump": problems.bump,
    "jump": problems.jump,
    "power": problems.power,
    "linear": problems.linear,
    "wave2d": problems.wave2d,
    "breast cancer": lambda: known("breast cancer"),
}

#: Steps before the first label of the second round: nothing, the first round, its votes, H, H+.
BEFORE = 4

#: How coins and voters are called on screen.
COINS = {"per draw": "per_draw", "per sample": "per_sample"}

#: Most of a pool that both rounds may buy together at the start.
POOL_SHARE = 0.6


class SchemeLab(StreamLab):
    """Two rounds of labels from a distribution or from a pool, and the passive learner beside it."""

    problem = Choice("bump", PROBLEMS).tag(label="problem", group="Data", tip="Where the points come from")
    width = Float(0.022, min=0.002, max=0.5, step=0.002, digits=3).tag(
        label="bump width", tip="How wide the stretch of class 1 around 1/2 is"
    )
    height = Float(0.98, min=0, max=1).tag(label="eta inside", tip="Probability of class 1 on the bump")
    low = Float(0.02, min=0, max=1).tag(label="eta outside", tip="Probability of class 1 beside it")
    a = Float(0.3, min=0, max=0.5).tag(label="jump", symbol="a", tip="eta jumps from 1/2 - a to 1/2 + a")
    kappa = Float(2.0, min=0.1, max=6, step=0.1, digits=1).tag(
        label="power", symbol="kappa", tip="eta leaves 1/2 like |2u|^kappa: margin exponent beta = 1 / kappa"
    )
    slope = Float(0.8, min=0, max=1).tag(label="slope", symbol="s", tip="Slope of eta")
    amplitude = Float(0.12, min=0, max=0.4).tag(label="amplitude", tip="How far the boundary swings")
    waves = Float(2.0, min=0, max=6, step=0.5, digits=1).tag(label="waves", tip="How often it does")
    high = Float(0.98, min=0.5, max=1).tag(label="eta above", tip="Probability of class 1 above the boundary")
    n = Int(1000, min=50, max=6000, step=10).tag(
        label="first round", symbol="n", tip="Labels of the first round, all of them plain"
    )
    m = Int(1000, min=0, max=6000, step=10).tag(label="second round", symbol="m", tip="Labels of the second round")
    seed = Int(0, min=0, max=2**32 - 1, typed=True).tag(label="seed", tip="Another seed draws everything anew")
    k_hard = Int(100, min=1, max=400).tag(
        label="k for H", symbol="k_hard", group="Scheme", tip="Neighbors whose vote says what is hard"
    )
    delta = Float(0.1, min=0.01, max=0.5).tag(
        label="failure", symbol="delta", tip="Failure probability of the statements about H"
    )
    c0 = Float(0.0, min=0, max=1).tag(
        label="band", symbol="c0", tip="Constant of Delta~, which the paper does not name: it widens the band"
    )
    c_plus = Float(0.25, min=0, max=4, step=0.05).tag(
        label="balls", symbol="c_plus", tip="Constant of k+, the neighbors in the balls that fatten H; theory has 4"
    )
    plain_share = Float(0.1, min=0, max=1).tag(
        label="plain share", symbol="pi", tip="Chance that the coin asks for a plain draw"
    )
    coin = Choice("per draw", COINS).tag(
        label="coin", tip="Flipped anew after a rejection, as printed, or once for each label"
    )
    k_vote = Int(100, min=1, max=400).tag(
        label="neighbors", symbol="k_vote", group="Vote", tip="Neighbors that vote, of both learners"
    )
    voters = Choice("strict", LEARNERS[1:]).tag(
        label="voters in H", tip="Targeted draws only, or every labeled point that lies in H+"
    )
    step = Int(BEFORE + 1000, min=0, max=BEFORE + 6000).tag(
        label="step",
        group="Play",
        tip="First round, votes, H, H+, then one label of the second round at each step",
        play="pace",
    )
    x1 = Float(0.5, min=0, max=1, typed=True).tag(
        label="center", symbol="x1", group="Ball: click, or type", tip="Where the ball stands that is shown"
    )
    x2 = Float(0.5, min=0, max=1, typed=True).tag(label="center", symbol="x2", tip="Its second coordinate")

    #: Play comes first, beside the top of the picture, and then who votes.
    order = ("step", "k_vote", "voters")

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The last step follows m, the center its box, and a pool cannot sell more than it has."""
        low, *_, high = ends = super().limits(name, values)
        source, size = self._source(values), self._pool(values)
        if name == "step":
            return low, BEFORE + values["m"]
        if name in ("x1", "x2"):
            return source.box[min(int(name[1]), source.dimension) - 1]
        if name == "n" and size:
            return low, size - 1
        return (low, min(high, size)) if name == "m" and size else ends

    def feasible_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """As ``limits``, and within what the other values leave."""
        low, *_, high = ends = self.limits(name, values)
        size = self._pool(values)
        if name in ("n", "m") and size:
            high = min(high, size - values["m" if name == "n" else "n"])
        if name == "n":
            low = max(low, values["k_hard"], values["k_vote"] - values["m"])
        elif name == "m":
            low = max(low, values["k_vote"] - values["n"])
        elif name == "k_hard":
            high = min(high, values["n"])
        elif name == "k_vote":
            high = min(high, values["n"] + values["m"])
        else:
            return ends
        return low, high

    def slider_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """As ``feasible_range``; n and m begin and end on their steps."""
        low, *_, high = ends = self.feasible_range(name, values)
        if name not in ("n", "m"):
            return ends
        step, least = self.parameters()[name].step, self.parameters()[name].min
        return min(least + step * -(-(low - least) // step), values[name]), high

    def _source(self, values: Mapping[str, Any]) -> Source:
        """The problem that values name, with parameters as the class has them: its box and size."""
        return known("breast cancer") if values["problem"] == "breast cancer" else BOXES[values["problem"]]

    def _pool(self, values: Mapping[str, Any]) -> int | None:
        """Points of the pool; None for a distribution."""
        return self._source(values).max_size

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """Parameters of other problems, a second coordinate on a line."""
        hidden = {name for names in PROBLEMS.values() for name in names} - set(PROBLEMS[values["problem"]])
        return hidden | ({"x2"} if self._source(values).dimension == 1 else set())

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """A lab at its last step stays there; a pool moves n, m and k into what it has, and the center into its box."""
        notes = self._to_pool(values, given) if values["problem"] != self.values["problem"] else []
        if "step" not in given:
            last = self.values["step"] == BEFORE + self.values["m"]
            values["step"] = BEFORE + values["m"] if last else min(values["step"], BEFORE + values["m"])
        return notes

    def _to_pool(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """After a change of problem: the center in the middle, n, m and both k within a pool, and said so."""
        for name in {"x1", "x2"} - given.keys():
            values[name] = round(sum(self.limits(name, values)) / 2, 3)
        size, notes = self._pool(values), []
        if size is None:
            return notes
        most = int(POOL_SHARE * size)
        for name, best in (("n", most // 2), ("m", most // 2), ("k_hard", most // 4), ("k_vote", most // 8)):
            if name not in given and values[name] > best:
                notes.append(f"{self.parameters()[name].title} moved from {values[name]} to {best}.")
                values[name] = best
        return notes

    def validate(self, values: Mapping[str, Any]) -> None:
        """k_hard is at most n, k_vote at most n + m, and a pool has as many points as are bought."""
        super().validate(values)
        n, m, size = values["n"], values["m"], self._pool(values)
        if size and n + m > size:
            raise ValueError(f"a pool of {size} points cannot sell {n} + {m} labels")
        if values["k_hard"] > n:
            raise ValueError(f"k for H must not exceed the {n} labels of the first round, got {values['k_hard']}")
        if values["k_vote"] > n + m:
            raise ValueError(f"neighbors that vote must not exceed the {n + m} labels, got {values['k_vote']}")

    @stage
    def plane(self) -> Source:
        """The distribution, or the data split by the seed."""
        made = MADE[self.problem](*(getattr(self, name) for name in PROBLEMS[self.problem]))
        return made.with_seed(self.seed) if isinstance(made, Dataset) else made

    @stage(compare_values=True)
    def on_data(self) -> bool:
        """Whether labels are bought from a pool."""
        return isinstance(self.plane, Dataset)

    @stage
    def scheme(self) -> Scheme:
        """Where the second round buys."""
        return Scheme(self.k_hard, self.plain_share, self.delta, self.c0, self.c_plus, COINS[self.coin])

    @stage
    def bought(self) -> TwoStageSample:
        """All labels of both rounds."""
        return active_sample(self.plane, self.n, self.m, self.scheme, np.random.SeedSequence(self.seed))

    @stage
    def plainly(self) -> tuple[np.ndarray, np.ndarray]:
        """As many labels of the passive learner."""
        return passive_sample(self.plane, self.n + self.m, np.random.SeedSequence(self.seed))

    @stage(compare_values=True)
    def second(self) -> int:
        """Labels of the second round that have been bought so far."""
        return max(self.step - BEFORE, 0)

    @stage
    def part(self) -> TwoStageSample:
        """Labels that have been bought so far."""
        return self.bought.head(self.second)


#: The problems as they stand by default: their boxes do not move with their parameters.
BOXES = {name: made() for name, made in MADE.items() if name != "breast cancer"}
