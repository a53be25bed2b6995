"""Two rounds of labels: the problem, the parameters of the sampling scheme, and the labels that are bought."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from knnviz import problems
from knnviz.active import Scheme, TwoStageSample, passive_sample, two_stage_sample
from knnviz.labs.old_engine import Choice, Component, Float, Int, Seed, default_limits, stage
from knnviz.labs.old_parts.buttons import Button, new_sample
from knnviz.labs.old_parts.sources import Source, problem_named

#: The data set whose points are a pool, from which both rounds draw.
POOL = "breast cancer"

#: Problems by name: their parameters, and the function of these that makes them.
PROBLEMS: Mapping[str, tuple[tuple[str, ...], Callable[..., Source]]] = {
    "bump": (("width", "height", "low"), problems.bump),
    "jump": (("a",), problems.jump),
    "power": (("kappa",), problems.power),
    "linear": (("slope",), problems.linear),
    "wave2d": (("amplitude", "waves", "high"), problems.wave2d),
    POOL: ((), lambda: problem_named(POOL)),
}

#: Steps before the second round: the labels of the first round, its votes, H, H+. At step 0 nothing is labeled.
ROUND_ONE = 4

COINS: Mapping[str, Literal["per_draw", "per_sample"]] = {"per draw": "per_draw", "per sample": "per_sample"}

#: When the data become a pool, each of these numbers falls to at most POOL_FRACTION * (size of the pool) / divisor.
POOL_FRACTION, DIVISORS = 0.6, {"n": 2, "m": 2, "k_hard": 4, "k_vote": 8}


def pool_size(values: Mapping[str, Any]) -> int | None:
    return problem_named(POOL).max_size if values["problem"] == POOL else None


class Rounds(Component):
    """A problem of two classes, the labels of both rounds bought so far, and those of the passive learner."""

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
        label="first round", symbol="n", tip="Labels of the first round, all of them passive"
    )
    m = Int(1000, min=0, max=6000, step=10).tag(label="second round", symbol="m", tip="Labels of the second round")
    seed = Seed().tag(tip="Another seed draws everything anew")
    k_hard = Int(100, min=1, max=400).tag(
        label="k for H", symbol="k_hard", group="Scheme", tip="Neighbors whose vote decides what is hard", at_most="n"
    )
    delta = Float(0.1, min=0.01, max=0.5).tag(
        label="failure", symbol="delta", tip="Failure probability of the statements about H"
    )
    c0 = Float(0.0, min=0, max=1).tag(
        label="band", symbol="c0", tip="Constant of Delta~, unnamed in the paper: it widens the band"
    )
    c_plus = Float(0.25, min=0, max=4, step=0.05).tag(
        label="balls", symbol="c_plus", tip="Constant of k+, the neighbors in the balls that fatten H; theory has 4"
    )
    passive_fraction = Float(0.1, min=0, max=1).tag(
        label="passive fraction", symbol="pi", tip="Probability of a passive draw, by the coin"
    )
    coin = Choice("per draw", COINS).tag(
        label="coin", tip="Flipped anew after a rejection, as printed, or once for each label"
    )
    k_vote = Int(100, min=1, max=400).tag(
        label="neighbors", symbol="k_vote", group="Vote", tip="Neighbors that vote, of both learners"
    )
    step = Int(ROUND_ONE + 1000, min=0, max=ROUND_ONE + 6000).tag(
        label="step",
        group="Play",
        tip="First round, votes, H, H+, then one label of the second round at each step",
        play="pace",
    )

    def actions(self) -> list[Button]:
        return [new_sample(self.lab)]

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        low, *_, high = ends = default_limits(self.parameters[name])
        if name == "step":
            return low, ROUND_ONE + values["m"]
        size = pool_size(values) if name in ("n", "m") else None
        return (low, min(high, size - (name == "n"))) if size else ends

    def feasible_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        low, *_, high = ends = self.limits(name, values)
        if name == "k_vote":
            return low, min(high, values["n"] + values["m"])
        if name not in ("n", "m"):
            return ends
        other, size = values["m" if name == "n" else "n"], pool_size(values)
        return max(low, values["k_vote"] - other), min(high, size - other) if size else high

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        before, notes = self.lab.values, []
        size = 0 if values["problem"] == before["problem"] else pool_size(values) or 0
        for name, divisor in DIVISORS.items() if size else ():
            most = int(POOL_FRACTION * size) // divisor
            if name not in changes and values[name] > most:
                notes.append(f"{self.lab.parameters[name].title} moved from {values[name]} to {most}.")
                values[name] = most
        if "step" not in changes:
            at_end, last = before["step"] == ROUND_ONE + before["m"], ROUND_ONE + values["m"]
            values["step"] = last if at_end else min(values["step"], last)
        return notes

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        return {name for names, _ in PROBLEMS.values() for name in names} - {*PROBLEMS[values["problem"]][0]}

    def validate(self, values: Mapping[str, Any]) -> None:
        n, m, size = values["n"], values["m"], pool_size(values)
        if size and n + m > size:
            raise ValueError(f"a pool of {size} points cannot sell {n} + {m} labels")
        if values["k_vote"] > n + m:
            raise ValueError(f"neighbors that vote must not exceed the {n + m} labels, got {values['k_vote']}")

    @property
    def on_data(self) -> bool:
        return self.problem == POOL

    @property
    def dimension(self) -> int:
        return problem_named(self.problem).dimension

    @stage
    def chosen_problem(self) -> Source:
        names, make = PROBLEMS[self.problem]
        return make(*[getattr(self, name) for name in names]).with_seed(self.seed if self.on_data else 0)

    @stage
    def scheme(self) -> Scheme:
        return Scheme(self.k_hard, self.passive_fraction, self.delta, self.c0, self.c_plus, COINS[self.coin])

    @stage
    def bought(self) -> TwoStageSample:
        return two_stage_sample(self.chosen_problem, self.n, self.m, self.scheme, np.random.SeedSequence(self.seed))

    @stage
    def passive_sample(self) -> tuple[np.ndarray, np.ndarray]:
        return passive_sample(self.chosen_problem, self.n + self.m, np.random.SeedSequence(self.seed))

    @stage(compare_values=True)
    def round_two_count(self) -> int:
        """Labels of the second round so far."""
        return max(self.step - ROUND_ONE, 0)

    @stage
    def bought_so_far(self) -> TwoStageSample:
        return self.bought.head(self.round_two_count)

    @stage(compare_values=True)
    def reached(self) -> tuple[bool, ...]:
        """Whether each step up to the first label of the second round is reached; the last step reaches all."""
        return tuple([self.step >= min(step, ROUND_ONE + self.m) for step in range(ROUND_ONE + 2)])

    @stage(compare_values=True)
    def label_count(self) -> int:
        return self.n + self.round_two_count if self.reached[1] else 0

    @property
    def last_bought(self) -> int:
        """Index of the label of the second round that was bought last; -1 if there is none."""
        return self.label_count - 1 if self.round_two_count else -1

    @stage(compare_values=True)
    def counts(self) -> tuple[int, int, int, int]:
        """Labels of the first round, passive and targeted labels of the second, and rejected draws."""
        bought, first = self.bought_so_far, self.n if self.reached[1] else 0
        return first, *np.bincount(bought.stage, minlength=3)[1:].tolist(), bought.n_draws - self.round_two_count

    @stage(compare_values=True)
    def status(self) -> str:
        """What happened at this step, in words."""
        first, count, m = self.bought.first, self.round_two_count, self.m
        if not count:
            return (
                "Nothing is labeled yet.",
                f"Round one: {self.n} passive labels.",
                f"Their votes among k = {self.k_hard}: contentious within {first.width:.3f} of 1/2.",
                f"H is where they are: mass {first.hard_mass:.3f}.",
                f"Balls of k+ = {first.k_plus} neighbors fatten it: H+ has mass {first.augmented_mass:.3f}.",
            )[self.step]
        if self.bought.first.fallback:
            return f"Label {count} of {m}: nothing is hard, so all of them are passive."
        draws = self.bought_so_far.second
        row, before = draws.accepted[-1], draws.accepted[-2] if count > 1 else -1
        kind = "passive" if draws.passive[row] else "targeted"
        return f"Label {count} of {m}: {row - before - 1} draws rejected, then a {kind} one bought."
