"""The line of RatesLab: eta in one of three shapes, label noise, and what kNN and robust kNN make of a sample."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from knnviz import risk
from knnviz.bounds import reeve_kaban
from knnviz.labs.old_engine import DECIMALS, Choice, Component, Float, Input, stage
from knnviz.labs.old_parts.line_sample import LineSample, log_spaced
from knnviz.labs.old_parts.robust_rules import COLORS, three_thresholds
from knnviz.labs.old_parts.training_data import RATE_STEP, LabelFlips
from knnviz.neighbors import Windows
from knnviz.noise import extremes_on_line, misled_points
from knnviz.problems import Problem, Sample, levels, plateau_level, ramp, terrace
from knnviz.problems.base import FINE_GRID, draw_classes
from knnviz.profiles import BallProfile, WindowProfile
from knnviz.risk import Antiderivative, Limits
from knnviz.rules import Robust, Vote
from knnviz.views.vote_curve import ThresholdLine

PLATEAU, RAMP, _ = SHAPES = ("plateau", "ramp", "two levels")

#: Largest flip rate with which there is a plateau.
PLATEAU_RATE = 0.49

#: Cells of the line that is drawn, and those over which true frequencies in balls around x are integrated.
CELLS, MEASURE_CELLS = 1000, 1000

#: At how many k the extremes of e are computed; with more than ``LARGE_SAMPLE`` points first at a few.
MANY_KS, FEW_KS, LARGE_SAMPLE = 30, 6, 20_000

#: At how many k the votes around x are drawn, and at how many ball masses the true frequencies.
CURVE_KS, MASSES = 120, 40


class RisingLine(Component):
    """eta on [0, 1], and the classes of a sample, whose points and uniform draws are the same for every eta."""

    points: LineSample = Input()
    p0: float = Input()
    p1: float = Input()

    shape = Choice(PLATEAU, SHAPES).tag(label="shape", group="Data", tip="How eta rises over [0, 1]")
    low = Float(0.0, min=0, max=0.49).tag(label="lowest eta", symbol="a", tip="Where eta begins")
    high = Float(1.0, min=0.51, max=1).tag(label="highest eta", symbol="b", tip="Where eta ends")

    def slider_range(self, name: str, feasible: tuple[Any, ...], values: Mapping[str, Any]) -> tuple[Any, ...]:
        if values["shape"] != PLATEAU:
            return feasible
        end = rounded_to_step(rounded_level(values), down=name == "low")
        return (feasible[0], min(feasible[1], end)) if name == "low" else (max(feasible[0], end), feasible[1])

    def validate(self, values: Mapping[str, Any]) -> None:
        if values["shape"] != PLATEAU:
            return
        m, worst = rounded_level(values), max(values["p0"], values["p1"])
        if worst > PLATEAU_RATE:
            raise ValueError(f"the plateau needs flip rates of at most {PLATEAU_RATE}, got {worst:.2f}")
        if not values["low"] <= m <= values["high"]:
            raise ValueError(
                f"the plateau at m = {m:.4f} must lie in the range of eta, got {values['low']:g} to {values['high']:g}"
            )

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """When the shape becomes a plateau, flip rates and the range of eta make room for it."""
        if values["shape"] != PLATEAU or self.lab.values["shape"] == PLATEAU:
            return []
        notes = []
        for name in ("p0", "p1", "low", "high"):
            before = values[name]
            if name not in changes:
                values[name] = with_room(name, values)
            if values[name] != before:
                title = self.lab.parameters[name].title
                notes.append(f"{title} moved from {before:g} to {values[name]:g}, to make room for a plateau.")
        return notes

    @stage(compare_values=True)
    def m(self) -> float | None:
        """Height of the plateau; None for other shapes."""
        return rounded_level({"p0": self.p0, "p1": self.p1}) if self.shape == PLATEAU else None

    @stage
    def chosen_problem(self) -> Problem:
        if self.m is not None:
            return terrace(self.m, self.low, self.high)
        return ramp(self.low, self.high) if self.shape == RAMP else levels(self.low, self.high)

    @stage
    def cells(self) -> np.ndarray:
        return self.points.chosen_problem.grid(CELLS).points[:, 0]

    @stage
    def eta(self) -> np.ndarray:
        return self.chosen_problem.eta(self.cells[:, None])

    @stage
    def antiderivative(self) -> Antiderivative:
        """That of density times eta, from which risks on windows follow."""
        return Antiderivative.from_problem(self.chosen_problem)

    @stage
    def sample(self) -> Sample:
        drawn = self.points.sample
        return Sample(drawn.X, draw_classes(self.chosen_problem.eta(drawn.X), drawn.u), drawn.u, drawn.v)


class LineNoise(LabelFlips):
    """Flip rates, for which the plateau stays in the range of eta; where they mislead kNN, and the limits of risks."""

    data: RisingLine = Input()

    def slider_range(self, name: str, feasible: tuple[Any, ...], values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The sum of both flip rates stays below 1, and the plateau in the range of eta."""
        low, high = feasible
        value, other = values[name], values["p1" if name == "p0" else "p0"]
        high = min(high, round(1 - other - RATE_STEP, DECIMALS))
        if values["shape"] == PLATEAU:
            # The plateau at m = 1/2 + (p1 - p0) / (4 contrast) falls as p0 grows, down to the lowest eta, and rises as
            # p1 grows, up to the highest: solved for the rate that moves while the other one stays.
            below, above = 4 * (0.5 - values["low"]), 4 * (values["high"] - 0.5)
            ahead, behind = (below, above) if name == "p0" else (above, below)
            high = min(PLATEAU_RATE, rounded_to_step((other + ahead * (1 - other)) / (1 + ahead), down=True))
            if behind < 1:
                low = max(low, rounded_to_step((other * (1 + behind) - behind) / (1 - behind)))
        return min(low, value), max(high, value)

    @stage
    def eta_corr(self) -> np.ndarray:
        return self.model.corrupt(self.data.eta)

    @stage
    def misled(self) -> np.ndarray:
        """Cells (m,) bool of misled points."""
        return misled_points(self.data.eta, self.eta_corr)

    @stage
    def risk_limits(self) -> Limits:
        measure, eta = self.data.chosen_problem.cells(FINE_GRID[1])
        return Limits.from_eta(eta, measure.weights)

    @stage
    def known_risks(self) -> dict[str, float]:
        """Bayes risk and limits of kNN and of robust kNN, whose threshold tends to the midrange of eta_corr."""
        line, limits = self.data, self.risk_limits
        midrange = self.p0 + self.model.contrast * (line.low + line.high) / 2
        plain, robust = limits.vote(self.model), limits.vote(self.model, midrange)
        # The Bayes classifier has the least risk of all thresholds on eta.
        return {"bayes_risk": float(limits.risks.min()), "limit": plain, "robust_limit": robust}

    @stage(compare_values=True)
    def least_excess(self) -> float:
        """The least excess risk in the limit of any learner that is consistent on noisy labels (after Theorem 5.1)."""
        return reeve_kaban.theorem_5_1(self.data.chosen_problem, self.model)

    @stage(compare_values=True)
    def bayes_risk(self) -> float:
        return self.known_risks["bayes_risk"]


class LineRules(Component):
    """kNN, and robust kNN with known or estimated flip rates, in every window of k points."""

    line: RisingLine = Input()
    noise: LineNoise = Input()
    windows: Windows = Input()
    votes: WindowProfile = Input()
    k: int = Input()

    @property
    def is_preview(self) -> bool:
        return len(self.extremes[0]) <= FEW_KS

    @stage
    def known(self) -> Robust:
        return Robust((self.noise.p0, self.noise.p1))

    @stage
    def estimated(self) -> Robust:
        """Algorithm 2 of Reeve & Kaban: votes in "order" are those of the first k by (distance, index)."""
        return Robust(votes="order").fit(self.windows, self.noise.labels, self.k, 2)

    @stage
    def window_decisions(self) -> np.ndarray:
        return self.estimated.predict(self.votes, self.k)

    @stage
    def risks(self) -> dict[str, float]:
        labels = {"plain_risk": Vote().predict(self.votes, self.k), "robust_risk": self.window_decisions}
        antiderivative = self.line.antiderivative
        return {name: risk.on_line(self.windows, each, self.k, antiderivative) for name, each in labels.items()}

    @stage
    def window_of_cell(self) -> np.ndarray:
        """The window (m,) of the k nearest neighbors of each cell."""
        return self.windows.starts(self.line.cells, self.k)

    @stage
    def decisions(self) -> np.ndarray:
        return self.window_decisions[self.window_of_cell]

    @stage
    def fractions(self) -> np.ndarray:
        """Fractions (m, 2) of the classes among the k nearest neighbors of each cell."""
        return self.votes.at(self.k)[self.window_of_cell] / self.k

    @stage(background=True)
    def more_extremes(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Extremes in a large sample: at a few k first, since each of them takes a while."""
        windows, labels = self.windows, self.noise.labels
        for count in (FEW_KS, MANY_KS):
            yield extremes(windows, labels, count)

    @stage
    def extremes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Some k (J,), and the smallest and the largest e (J,) at a training point."""
        is_large = self.windows.n > LARGE_SAMPLE
        return self.more_extremes if is_large else extremes(self.windows, self.noise.labels, MANY_KS)

    @stage
    def thresholds(self) -> tuple[ThresholdLine, ...]:
        return three_thresholds(self.known.threshold, self.estimated.threshold)

    @stage
    def range_of_e(self) -> tuple[ThresholdLine, ThresholdLine]:
        """The smallest and the largest e at a training point, halfway between which the estimated threshold lies."""
        rates, color, dash = self.estimated.noise_rates, COLORS["estimated"], (2, 3)
        lowest = ThresholdLine(float(rates.p0), "lowest", "min, max fraction", color, dash)
        return lowest, ThresholdLine(float(1 - rates.p1), "highest", None, color, dash)


class LineQuery(Component):
    """The query point x, and the votes around it as the ball grows."""

    rules: LineRules = Input()

    x1 = Float(0.55, min=0, max=1, text_box=True).tag(
        label="point", symbol="x", group="Query: click the line, or type", tip="The query point x"
    )

    def votes_around(self, ks: np.ndarray) -> np.ndarray:
        """Votes (J, 2) of the ks (J,) nearest neighbors of x."""
        return self.rules.votes.votes_in(self.rules.windows.starts_for_ks(self.x1, ks), ks)

    @stage
    def votes_over_k(self) -> tuple[np.ndarray, np.ndarray]:
        """Some k (J,), and the fraction (J,) of class 1 among the k nearest."""
        ks = log_spaced(1, self.rules.windows.n, CURVE_KS)
        return ks, self.votes_around(ks)[:, 1] / ks

    def errors_at(self, ks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Error (J,) of e at x, and the largest difference (J,) of eta_corr between x and one of its ks nearest."""
        x, starts = self.rules.windows.x, self.rules.windows.starts_for_ks(self.x1, ks)
        # eta rises, so eta_corr differs most at one of the two ends of a window.
        ends, true = self.eta_corr(x[[starts, starts + ks - 1]]), self.eta_corr(np.array([self.x1]))
        return abs(self.votes_around(ks)[:, 1] / ks - true), abs(ends - true).max(axis=0)

    def eta_corr(self, x: np.ndarray) -> np.ndarray:
        """eta_corr of class 1 at positions of any shape."""
        eta = self.rules.line.chosen_problem.eta(x.reshape(-1, 1))
        return self.rules.noise.model.corrupt(eta)[:, 1].reshape(x.shape)

    @stage
    def errors(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Some k (J,), and ``errors_at`` them."""
        ks, _ = self.votes_over_k
        return ks, *self.errors_at(ks)

    @stage
    def votes(self) -> np.ndarray:
        return self.votes_around(np.array([self.rules.k]))[0]

    @stage
    def decision(self) -> str:
        predicted = int(self.votes[1] >= self.rules.estimated.threshold * self.rules.k)
        return self.rules.line.chosen_problem.class_names[predicted]

    @stage
    def radius(self) -> float:
        windows, k = self.rules.windows, self.rules.k
        start = windows.starts_for_ks(self.x1, np.array([k]))[0]
        return float(abs(windows.x[[start, start + k - 1]] - self.x1).max())

    @stage
    def true_frequencies(self) -> tuple[np.ndarray, np.ndarray]:
        """Masses (J,) of balls around x, from 1 / n to 1, and the true frequencies (J, 2) of noisy labels there."""
        measure, eta = self.rules.line.chosen_problem.cells(MEASURE_CELLS)
        masses = np.geomspace(1 / self.rules.windows.n, 1, MASSES).tolist()
        ball = BallProfile.integrate(measure, eta, np.array([[self.x1]]), masses)
        # The first mass is 0, which a logarithmic axis cannot show.
        return ball.masses[1:], self.rules.noise.model.corrupt(ball.frequency[1:, :, 0].astype(float))


def extremes(windows: Windows, labels: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """At most ``count`` values of k (J,), and the smallest and the largest e (J,) at a training point."""
    ks = log_spaced(1, windows.n, count)
    return ks, *(extremes_on_line(windows, labels, ks) / ks[:, None]).T


def rounded_level(values: Mapping[str, Any]) -> float:
    """The height m of the plateau for two flip rates: 1/2 if they are equal."""
    return round(plateau_level(values["p0"], values["p1"]), DECIMALS)


def with_room(name: str, values: Mapping[str, Any]) -> float:
    """The nearest value of a flip rate or of an end of eta with which there is a plateau."""
    if name in ("p0", "p1"):
        return min(values[name], PLATEAU_RATE)
    end = rounded_to_step(rounded_level(values), down=name == "low")
    return min(values[name], end) if name == "low" else max(values[name], end)


def rounded_to_step(value: float, down: bool = False) -> float:
    """A value rounded up, or ``down``, to a step of its slider."""
    steps = round(value / RATE_STEP, 9)
    return round((math.floor(steps) if down else math.ceil(steps)) * RATE_STEP, DECIMALS)
