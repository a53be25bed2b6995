"""The line of RatesLab: eta in one of three shapes, label noise, and what kNN and robust kNN make of a sample."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from knnviz import regions, risk
from knnviz.bounds import reeve_kaban
from knnviz.labs.engine import DECIMALS, Choice, Component, Float, Input, stage
from knnviz.labs.parts.line_sample import LineSample, log_spaced
from knnviz.labs.parts.robust_rules import COLORS, three_thresholds
from knnviz.labs.parts.training_data import RATE_STEP, LabelFlips
from knnviz.problems import Problem, Sample, levels, plateau_level, ramp, terrace
from knnviz.problems.base import FINE_GRID, draw_classes
from knnviz.profiles import BallProfile, OwnWindowProfile, WindowProfile
from knnviz.risk import Antiderivative, Limits
from knnviz.rules import Robust, Vote
from knnviz.views.vote_curve import ThresholdLine
from knnviz.windows import Windows

SHAPES = ("plateau", "ramp", "two levels")

#: Largest flip rate for which the plateau is defined.
PLATEAU_RATE = 0.49

CELLS = 1000

#: At how many k the extremes of e are found; in larger samples first at a few of them.
MANY, FEW, LARGE = 30, 6, 20_000

#: Points on the axis of k, cells for the true frequencies around x, and masses of the balls they are found in.
STEPS, POPULATION, MASSES = 120, 1000, 40


class RisingLine(Component):
    """eta on [0, 1], and the classes of a sample whose points and uniforms are the same for every eta."""

    points: LineSample = Input()
    p0: float = Input()
    p1: float = Input()

    shape = Choice(SHAPES[0], SHAPES).tag(label="shape", group="Data", tip="How eta rises over [0, 1]")
    low = Float(0.0, min=0, max=0.49).tag(label="lowest eta", symbol="a", tip="Where eta begins")
    high = Float(1.0, min=0.51, max=1).tag(label="highest eta", symbol="b", tip="Where eta ends")

    def slider_range(self, name: str, feasible: tuple[Any, ...], values: Mapping[str, Any]) -> tuple[Any, ...]:
        if values["shape"] != SHAPES[0]:
            return feasible
        end = beside(level(values), below=name == "low")
        return (feasible[0], min(feasible[1], end)) if name == "low" else (max(feasible[0], end), feasible[1])

    def validate(self, values: Mapping[str, Any]) -> None:
        if values["shape"] != SHAPES[0]:
            return
        m, worst = level(values), max(values["p0"], values["p1"])
        if worst > PLATEAU_RATE:
            raise ValueError(f"the plateau needs flip rates of at most {PLATEAU_RATE}, got {worst:.2f}")
        if not values["low"] <= m <= values["high"]:
            raise ValueError(
                f"the plateau at m = {m:.4f} must lie in the range of eta, got {values['low']:g} to {values['high']:g}"
            )

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """When the shape becomes a plateau, flip rates and the range of eta make room for it."""
        if values["shape"] != SHAPES[0] or self.lab.values["shape"] == SHAPES[0]:
            return []
        notes = []
        for name in ("p0", "p1", "low", "high"):
            before, to = values[name], values[name] if name in changes else with_room(name, values)
            if before != to:
                values[name], title = to, self.lab.parameters()[name].title
                notes.append(f"{title} moved from {before:g} to {to:g}, to make room for a plateau.")
        return notes

    @stage(compare_values=True)
    def m(self) -> float | None:
        return level({"p0": self.p0, "p1": self.p1}) if self.shape == SHAPES[0] else None

    @stage
    def chosen_problem(self) -> Problem:
        if self.m is not None:
            return terrace(self.m, self.low, self.high)
        return {SHAPES[1]: ramp, SHAPES[2]: levels}[self.shape](self.low, self.high)

    @stage
    def cells(self) -> np.ndarray:
        return self.points.chosen_problem.grid(CELLS).points[:, 0]

    @stage
    def eta(self) -> np.ndarray:
        return self.chosen_problem.eta(self.cells[:, None])

    @stage
    def antiderivative(self) -> Antiderivative:
        return Antiderivative.of(self.chosen_problem)

    @stage
    def limits_of_risks(self) -> Limits:
        measure, eta = self.chosen_problem.cells(FINE_GRID[1])
        return Limits.of(eta, measure.weights)

    @stage
    def sample(self) -> Sample:
        drawn = self.points.sample
        return Sample(drawn.X, draw_classes(self.chosen_problem.eta(drawn.X), drawn.u), drawn.u, drawn.v)


class LineNoise(LabelFlips):
    """Flip rates, which leave the plateau in the range of eta; where they mislead, and what risks tend to."""

    data: RisingLine = Input()

    p0 = Float(0.1, min=0, max=0.95).tag(
        label="flip rate of class 0", symbol="p0", group="Label noise", tip="Probability that a label of class 0 flips"
    )
    p1 = Float(0.3, min=0, max=0.95).tag(
        label="flip rate of class 1", symbol="p1", tip="Probability that a label of class 1 flips"
    )

    def slider_range(self, name: str, feasible: tuple[Any, ...], values: Mapping[str, Any]) -> tuple[Any, ...]:
        """A flip rate ends before the other leaves it no room, or the plateau does."""
        low, (value, other) = feasible[0], (values[each] for each in (name, "p1" if name == "p0" else "p0"))
        high = min(feasible[1], round(1 - other - RATE_STEP, DECIMALS))
        if values["shape"] == SHAPES[0]:
            # m = 1/2 + (p1 - p0) / (4 contrast) stays above the range's low end by p0, and below its high end by p1.
            room, against = 4 * (0.5 - values["low"]), 4 * (values["high"] - 0.5)
            room, against = (room, against) if name == "p0" else (against, room)
            high = min(PLATEAU_RATE, beside((other + room * (1 - other)) / (1 + room), below=True))
            low = max(low, beside((other * (1 + against) - against) / (1 - against))) if against < 1 else low
        return min(low, value), max(high, value)

    @stage
    def noisy_eta(self) -> np.ndarray:
        return self.model.corrupt(self.data.eta)

    @stage
    def misled(self) -> np.ndarray:
        return regions.disagreement(self.data.eta, self.noisy_eta)

    @stage
    def limit_risks(self) -> dict[str, float]:
        """Bayes risk and limits of kNN and of robust kNN, whose threshold tends to the midrange of eta_corr."""
        line, limits = self.data, self.data.limits_of_risks
        middle = self.p0 + self.model.contrast * (line.low + line.high) / 2
        bayes_risk, robust = float(limits.risks.min()), limits.vote(self.model, middle)
        return {"bayes_risk": bayes_risk, "limit": limits.vote(self.model), "robust_limit": robust}

    @stage(compare_values=True)
    def least_excess(self) -> float:
        """The least excess risk to which a learner tends that is consistent on noisy labels."""
        return reeve_kaban.theorem_5_1(self.data.chosen_problem, self.model)

    @stage(compare_values=True)
    def bayes_risk(self) -> float:
        return self.limit_risks["bayes_risk"]


class RobustRules(Component):
    """kNN, and robust kNN with known or estimated flip rates, in every window of k points."""

    line: RisingLine = Input()
    noise: LineNoise = Input()
    windows: Windows = Input()
    votes: WindowProfile = Input()
    k: int = Input()

    @property
    def is_preview(self) -> bool:
        return len(self.extremes[0]) <= FEW

    @stage
    def own_votes(self) -> OwnWindowProfile:
        return OwnWindowProfile.count(self.windows, self.noise.labels, 2)

    @stage
    def known(self) -> Robust:
        return Robust((self.noise.p0, self.noise.p1))

    @stage
    def fitted(self) -> Robust:
        return Robust(votes="order").fit(self.windows, self.noise.labels, self.k, 2)

    @stage
    def labels(self) -> np.ndarray:
        return self.fitted.predict(self.votes, self.k)

    @stage
    def risks(self) -> dict[str, float]:
        labels = {"plain_risk": Vote().predict(self.votes, self.k), "robust_risk": self.labels}
        given = self.k, self.line.antiderivative
        return {name: risk.on_line(self.windows, each, *given) for name, each in labels.items()}

    @stage
    def serving(self) -> np.ndarray:
        return self.windows.starts(self.line.cells, self.k)

    @stage
    def decisions(self) -> np.ndarray:
        return self.labels[self.serving]

    @stage
    def fractions(self) -> np.ndarray:
        return self.votes.at(self.k)[self.serving] / self.k

    @stage(background=True)
    def more_extremes(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Extremes in a large sample: at a few k first, since each of them takes a while."""
        votes = self.own_votes
        for steps in (FEW, MANY):
            yield extremes(votes, steps)

    @stage
    def extremes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Some k (J,), and the smallest and the largest e (J,) at training points there."""
        return self.more_extremes if self.windows.n > LARGE else extremes(self.own_votes, MANY)

    @stage
    def thresholds(self) -> tuple[ThresholdLine, ...]:
        return three_thresholds(self.known.threshold, self.fitted.threshold)

    @stage
    def ends(self) -> tuple[ThresholdLine, ThresholdLine]:
        """The smallest and the largest e at a training point, halfway between which the estimated threshold lies."""
        rates, look = self.fitted.noise_rates, (COLORS["estimated"], (2, 3))
        lowest = ThresholdLine(float(rates.p0), "lowest", "min, max fraction", *look)
        return lowest, ThresholdLine(float(1 - rates.p1), "highest", None, *look)


class LineQuery(Component):
    """The query point x, and the votes around it as the ball grows."""

    rules: RobustRules = Input()

    x1 = Float(0.55, min=0, max=1, text_box=True).tag(
        label="point", symbol="x", group="Query: click the line, or type", tip="The query point x"
    )

    def around(self, ks: np.ndarray) -> np.ndarray:
        return self.rules.votes.votes_in(self.rules.windows.around(self.x1, ks), ks)

    @stage
    def curve(self) -> tuple[np.ndarray, np.ndarray]:
        """Some k (J,), and the fraction (J,) of class 1 among the k nearest."""
        ks = log_spaced(1, self.rules.windows.n, STEPS)
        return ks, self.around(ks)[:, 1] / ks

    def off(self, ks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Error (J,) of e at x, and the largest difference (J,) of eta_corr between x and one of its ks nearest."""
        x, starts = self.rules.windows.x, self.rules.windows.around(self.x1, ks)
        # eta rises, so that the farthest of a window is one of its ends.
        ends, true = self.truth(x[[starts, starts + ks - 1]]), self.truth(np.array([self.x1]))
        return abs(self.around(ks)[:, 1] / ks - true), abs(ends - true).max(axis=0)

    def truth(self, x: np.ndarray) -> np.ndarray:
        """eta_corr of class 1 at positions of any shape."""
        eta = self.rules.line.chosen_problem.eta(x.reshape(-1, 1))
        return self.rules.noise.model.corrupt(eta)[:, 1].reshape(x.shape)

    @stage
    def errors(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Some k (J,), and what ``off`` gives for them."""
        ks, _ = self.curve
        return ks, *self.off(ks)

    @stage
    def votes(self) -> np.ndarray:
        return self.around(np.array([self.rules.k]))[0]

    @stage
    def decision(self) -> str:
        reached = self.votes[1] >= self.rules.fitted.threshold * self.rules.k
        return self.rules.line.chosen_problem.class_names[int(reached)]

    @stage
    def radius(self) -> float:
        windows, k = self.rules.windows, self.rules.k
        start = windows.around(self.x1, np.array([k]))[0]
        return float(abs(windows.x[[start, start + k - 1]] - self.x1).max())

    @stage
    def population(self) -> tuple[np.ndarray, np.ndarray]:
        """Masses (J,) of balls around x, from 1 / n to 1, and the true frequencies (J, 2) of noisy labels there."""
        measure, eta = self.rules.line.chosen_problem.cells(POPULATION)
        masses = np.geomspace(1 / self.rules.windows.n, 1, MASSES).tolist()
        ball = BallProfile.integrate(measure, eta, np.array([[self.x1]]), masses)
        # The first mass is 0, which an axis of powers cannot show.
        return ball.masses[1:], self.rules.noise.model.corrupt(ball.frequency[1:, :, 0].astype(float))


def extremes(votes: OwnWindowProfile, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Some k (J,), and the smallest and the largest fraction (J,) of class 1 at training points there."""
    ks = log_spaced(1, votes.windows.n, steps)
    found = np.array([[side[1] for side in votes.extremes(k)] for k in ks.tolist()])
    return ks, *(found / ks[:, None]).T


def level(values: Mapping[str, Any]) -> float:
    """The level of the plateau at flip rates, one half where they are equal."""
    return round(plateau_level(values["p0"], values["p1"]), DECIMALS)


def with_room(name: str, values: Mapping[str, Any]) -> float:
    """The nearest value of a flip rate or of an end of eta with which there is a plateau."""
    if name in ("p0", "p1"):
        return min(values[name], PLATEAU_RATE)
    end = beside(level(values), below=name == "low")
    return min(values[name], end) if name == "low" else max(values[name], end)


def beside(value: float, below: bool = False) -> float:
    """The nearest step of a slider that is not below a value, or not above it."""
    steps = round(value / RATE_STEP, 9)
    return round((math.floor(steps) if below else math.ceil(steps)) * RATE_STEP, DECIMALS)
