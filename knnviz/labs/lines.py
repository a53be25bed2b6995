"""What a lab on up to a million points of a line shares: eta by shape, label noise, windows, kNN and robust kNN."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import regions, risk
from knnviz.corruption import LabelNoise
from knnviz.labs.engine.parameters import Choice, Float, Int, LogInt, within
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.robust_rules import COLORS, three_cuts
from knnviz.labs.parts.training_data import RATE_STEP
from knnviz.labs.risks import RiskLab
from knnviz.labs.windows import WindowLab
from knnviz.problems import Problem, Sample, levels, plateau_level, ramp, terrace
from knnviz.problems.base import FINE, draw_classes
from knnviz.profiles import BallProfile, OwnWindowProfile
from knnviz.risk import Antiderivative, Limits
from knnviz.rules import Robust, Vote
from knnviz.views import line as line_view
from knnviz.views import sets as set_view
from knnviz.views import votes as votes_view
from knnviz.views.layers import Axes, Layer

#: How eta rises.
SHAPES = ("plateau", "ramp", "two levels")

#: Largest flip rate for which the plateau is defined.
PLATEAU_RATE = 0.49

#: Cells of the Line, and points on the axis of k.
CELLS, PLACES = 1000, 120

#: Cells for the true frequencies around x, and masses of the balls they are found in.
POPULATION, MASSES = 1000, 40


class LineLab(WindowLab, RiskLab):
    """A sample on [0, 1] whose labels are flipped, and what kNN and robust kNN make of it."""

    shape = Choice(SHAPES[0], SHAPES).tag(label="shape", group="Data", tip="How eta rises over [0, 1]")
    low = Float(0.0, min=0, max=0.49).tag(label="lowest eta", symbol="a", tip="Where eta begins")
    high = Float(1.0, min=0.51, max=1).tag(label="highest eta", symbol="b", tip="Where eta ends")
    n = LogInt(10_000, min=100, max=1_000_000).tag(label="sample size", symbol="n", tip="Number of training points")
    seed = Int(0, min=0, max=2**32 - 1, typed=True).tag(label="seed", tip="Another seed draws another sample")
    p0 = Float(0.1, min=0, max=0.95).tag(
        label="flip rate of class 0", symbol="p0", group="Label noise", tip="Chance that a label of class 0 flips"
    )
    p1 = Float(0.3, min=0, max=0.95).tag(
        label="flip rate of class 1", symbol="p1", tip="Chance that a label of class 1 flips"
    )
    x1 = Float(0.55, min=0, max=1, typed=True).tag(
        label="point", symbol="x", group="Query: click the line, or type", tip="The query point x"
    )

    #: How many neighbors vote; a subclass says so.
    voters: int

    def validate(self, values: Mapping[str, Any]) -> None:
        """Flip rates stay together below 1, and the plateau is there and within the range of eta."""
        LabelNoise(values["p0"], values["p1"])
        if values["shape"] != SHAPES[0]:
            return
        worst = max(values["p0"], values["p1"])
        if worst > PLATEAU_RATE:
            raise ValueError(f"the plateau needs flip rates of at most {PLATEAU_RATE}, got {worst:.2f}")
        m = resting_place(values)
        if not values["low"] <= m <= values["high"]:
            raise ValueError(
                f"the plateau at m = {m:.4f} must lie in the range of eta, got {values['low']:g} to {values['high']:g}"
            )

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """Flip rates and the range of eta make room for a plateau when it comes."""
        if values["shape"] != SHAPES[0] or self.values["shape"] == SHAPES[0]:
            return []
        notes = []
        for name in ("p0", "p1", "low", "high"):
            if name not in given:
                notes += self._make_room(name, values)
        return notes

    def _make_room(self, name: str, values: dict[str, Any]) -> list[str]:
        """Move a value to the nearest with which there is a plateau, and say so."""
        before = values[name]
        if name in ("p0", "p1"):
            values[name] = min(before, PLATEAU_RATE)
        else:
            m = resting_place(values)
            values[name] = min(before, inward(m, down=True)) if name == "low" else max(before, inward(m))
        if before == values[name]:
            return []
        return [
            f"{self.parameters()[name].title} moved from {before:g} to {values[name]:g}, to make room for a plateau."
        ]

    def slider_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """Flip rates end where the other would be refused, or the plateau; the range of eta ends at the plateau."""
        ends = super().slider_range(name, values)
        if name in ("p0", "p1"):
            return rate_ends(name, values, *ends)
        if values["shape"] != SHAPES[0] or name not in ("low", "high"):
            return ends
        m = resting_place(values)
        return (ends[0], min(ends[1], inward(m, down=True))) if name == "low" else (max(ends[0], inward(m)), ends[1])

    @stage(compare_values=True)
    def m(self) -> float | None:
        """The level of the plateau, which follows the flip rates; None without one."""
        return resting_place({"p0": self.p0, "p1": self.p1}) if self.shape == SHAPES[0] else None

    @stage
    def plane(self) -> Problem:
        """The distribution."""
        if self.m is not None:
            return terrace(self.m, self.low, self.high)
        return {SHAPES[1]: ramp, SHAPES[2]: levels}[self.shape](self.low, self.high)

    @stage
    def drawn(self) -> Sample:
        """Points and uniforms, which are those of every eta: only the classes change with it."""
        return ramp().sample(self.n, self.seed)

    @stage
    def sample(self) -> Sample:
        """The training points."""
        X, u, v = self.drawn.X, self.drawn.u, self.drawn.v
        return Sample(X, draw_classes(self.plane.eta(X), u), u, v)

    @stage
    def noise(self) -> LabelNoise:
        """What happens to their labels."""
        return LabelNoise(self.p0, self.p1)

    @stage
    def observed(self) -> np.ndarray:
        """Labels as a learner sees them."""
        return self.noise.flip(self.sample.y, self.sample.v)

    @stage
    def own_votes(self) -> OwnWindowProfile:
        """Votes at the training points."""
        return OwnWindowProfile.count(self.windows, self.observed, 2)

    @stage
    def robust(self) -> Robust:
        """Algorithm 2: one k for the vote and for the noise."""
        return Robust(votes="order").fit(self.windows, self.observed, self.voters, 2)

    @stage
    def known_rule(self) -> Robust:
        """Robust kNN that knows the flip rates."""
        return Robust((self.p0, self.p1))

    @stage
    def plain_labels(self) -> np.ndarray:
        """Decisions of kNN in every window."""
        return Vote().predict(self.votes, self.voters)

    @stage
    def robust_labels(self) -> np.ndarray:
        """Decisions of robust kNN in every window."""
        return self.robust.predict(self.votes, self.voters)

    @stage
    def cells(self) -> np.ndarray:
        """Centres (CELLS, 1) of the cells of the Line."""
        return self.plane.grid(CELLS).points

    @stage
    def serving(self) -> np.ndarray:
        """Which window serves each cell."""
        return self.windows.serving(self.cells[:, 0], self.voters)

    @stage
    def shares(self) -> np.ndarray:
        """e at the cells, a column for each class."""
        return self.votes.at(self.voters)[self.serving] / self.voters

    @stage
    def eta(self) -> np.ndarray:
        """eta at the cells."""
        return self.plane.eta(self.cells)

    @stage
    def noisy(self) -> np.ndarray:
        """eta_corr at the cells."""
        return self.noise.corrupt(self.eta)

    @stage
    def antiderivative(self) -> Antiderivative:
        """Integrals of eta, by which risks are exact."""
        return Antiderivative.of(self.plane)

    @stage
    def risks(self) -> dict[str, float]:
        """Exact risks of kNN and of robust kNN on this sample."""
        labels = {"plain_risk": self.plain_labels, "robust_risk": self.robust_labels}
        windows, k, eta = self.windows, self.voters, self.antiderivative
        return {name: risk.on_line(windows, each, k, eta) for name, each in labels.items()}

    @stage
    def limits_of_risks(self) -> Limits:
        """What risks tend to under any label noise."""
        measure, eta = self.plane.cells(FINE[1])
        return Limits.of(eta, measure.weights)

    @stage
    def limits_known(self) -> dict[str, float]:
        """The Bayes risk, and the limits of kNN and of robust kNN, whose cut tends to the midrange of eta_corr."""
        limits, middle = self.limits_of_risks, self.p0 + self.noise.contrast * (self.low + self.high) / 2
        return {
            "bayes_risk": float(limits.risks.min()),
            "limit": limits.vote(self.noise),
            "robust_limit": limits.vote(self.noise, middle),
        }

    @stage
    def ks(self) -> np.ndarray:
        """Places on the axis of k."""
        return np.unique(np.geomspace(1, self.n, PLACES).round().astype(int))

    @stage
    def x_shares(self) -> np.ndarray:
        """Share of class 1 among the k nearest of x, at each of ks."""
        return self.votes_around(self.ks)[:, 1] / self.ks

    @stage
    def x_votes(self) -> np.ndarray:
        """Votes (2,) of the k nearest of x."""
        return self.votes_around(np.array([self.voters]))[0]

    def votes_around(self, ks: np.ndarray) -> np.ndarray:
        """Votes (J, 2) of the k nearest of x, at each of ks (J,)."""
        return self.votes.of(self.windows.around(self.x1, ks), ks)

    @stage
    def decision(self) -> str:
        """What robust kNN decides at x, by name."""
        reached = self.x_votes[1] >= self.robust.cut * self.voters
        return self.plane.class_names[int(reached)]

    @stage
    def cuts(self) -> tuple[votes_view.Cut, ...]:
        """1/2, and the cut moved by the true and by the estimated rates."""
        return three_cuts(self.known_rule.cut, self.robust.cut)

    @stage
    def region_layer(self) -> Layer:
        """What robust kNN decides."""
        return line_view.regions(self.plane, self.robust_labels[self.serving])

    @stage
    def misled(self) -> np.ndarray:
        """Cells on which eta and eta_corr lie on different sides of 1/2."""
        return regions.disagreement(self.eta, self.noisy)

    @stage
    def set_layer(self) -> Layer:
        """The misled points."""
        return set_view.region(self.plane, self.misled, "set", "misled points", hatch="\\")

    @stage
    def point_layer(self) -> Layer:
        """Some of the points."""
        return line_view.points(self.plane, self.sample, self.observed, self.sheet.most_points)

    @stage
    def truth_layers(self) -> tuple[Layer, ...]:
        """eta and eta_corr."""
        x = self.cells[:, 0]
        return *line_view.eta_curves(x, self.eta), *line_view.noisy_curves(x, self.noisy)

    @stage
    def extreme_cuts(self) -> tuple[votes_view.Cut, ...]:
        """The smallest and the largest e at a training point, halfway between which the estimated cut lies."""
        rates, look = self.robust.noise_rates, (COLORS["estimated"], (2, 3))
        lowest = votes_view.Cut(float(rates.p0), "lowest", "min, max of e", *look)
        return lowest, votes_view.Cut(float(1 - rates.p1), "highest", None, *look)

    @stage
    def share_layers(self) -> tuple[Layer, ...]:
        """e, its extremes, and the cuts through it."""
        cuts = *(cut._replace(label=None) for cut in self.cuts), *self.extreme_cuts
        levels = (votes_view.threshold(cut, self.plane.box[0]) for cut in cuts)
        return *levels, *line_view.vote_curves(self.cells[:, 0], self.shares)

    @stage
    def query_layers(self) -> tuple[Layer, ...]:
        """The query point, and the ball around it that reaches its k-th neighbor."""
        start = self.windows.around(self.x1, np.array([self.voters]))[0]
        ends = self.windows.x[[start, start + self.voters - 1]]
        return line_view.ball(self.x1, float(abs(ends - self.x1).max())), line_view.query(self.x1)

    @stage
    def line_layers(self) -> tuple[Layer, ...]:
        """All of the Line, lowest first."""
        over = *self.truth_layers, *self.share_layers, *self.query_layers
        return self.region_layer, self.set_layer, self.point_layer, *over

    @stage
    def population_layer(self) -> Layer:
        """What the share of class 1 would be in the true distribution, from k = 1 to n."""
        measure, eta = self.plane.cells(POPULATION)
        ball = BallProfile.integrate(measure, eta, np.array([[self.x1]]), np.geomspace(1 / self.n, 1, MASSES))
        # The first mass is 0, which has no place on an axis of powers.
        shares = self.noise.corrupt(ball.frequency[1:, :, 0].astype(float))
        return replace(votes_view.population(ball.masses[1:], shares, self.n)[1], label="true frequency")

    @stage
    def curve_layers(self) -> tuple[Layer, ...]:
        """The share of class 1 as the ball grows, k and what it reads there."""
        k, share = self.voters, self.x_shares
        curve = votes_view.curve_at(self.ks, share, 1, f"share of {self.plane.class_names[1]}")
        left = k**2 <= self.n
        beside = share[self.ks >= k] if left else share[self.ks <= k]
        taken = np.append(beside, [cut.share for cut in self.cuts])
        at, align = (1.15 * k, "left") if left else (k / 1.15, "right")
        reading = votes_view.words(self.x_votes, self.decision, at, align, taken, self.sheet.reading)
        return curve, votes_view.at_k(k), reading

    @stage
    def line_axes(self) -> Axes:
        """The frame of the Line."""
        return replace(line_view.axes(self.plane, self.sheet.map), title="Line: robust kNN decides")

    @stage
    def line_words(self) -> str:
        """The Line in words and numbers."""
        ones = float(np.mean(self.robust_labels[self.serving]))
        rest = "" if self.m is None else f", resting at {self.m:.4f}"
        flipped = int(np.sum(self.observed != self.sample.y))
        return (
            f"Line with {self.n} points of two classes, {flipped} labels flipped. eta rises from {self.low:g} to "
            f"{self.high:g}{rest}. Robust kNN decides for class 1 on {ones:.1%} of the line; misled points, on "
            f"{float(np.mean(self.misled)):.1%} of it, are hatched."
        )

    def placed(self, panel: str, x: float) -> dict[str, Any]:
        """What a place picked in a panel says of x or n."""
        if panel == "map":
            return {"x1": within(round(x, 3), self.plane.box[0])}
        return {"n": self.parameters()["n"].nearest(x, *self.slider_range("n", self.values))} if panel == "risk" else {}


def rate_ends(name: str, values: Mapping[str, Any], low: float, high: float) -> tuple[float, float]:
    """Between what a flip rate may move while the other stays: the plateau keeps to the range of eta."""
    other = values["p1" if name == "p0" else "p0"]
    high = min(high, round(1 - other - RATE_STEP, 12))
    if values["shape"] == SHAPES[0]:
        # m = 1/2 + (p1 - p0) / (4 contrast) stays above the range's low end by p0, and below its high end by p1.
        room, against = 4 * (0.5 - values["low"]), 4 * (values["high"] - 0.5)
        room, against = (room, against) if name == "p0" else (against, room)
        high = min(PLATEAU_RATE, inward((other + room * (1 - other)) / (1 + room), down=True))
        low = max(low, inward((other * (1 + against) - against) / (1 - against))) if against < 1 else low
    return min(low, values[name]), max(high, values[name])


def inward(value: float, down: bool = False) -> float:
    """The nearest step of a slider that is not below a value, or not above it."""
    steps = round(value / RATE_STEP, 9)
    return round((math.floor(steps) if down else math.ceil(steps)) * RATE_STEP, 12)


def resting_place(values: Mapping[str, Any]) -> float:
    """The level of the plateau at flip rates, one half where they are equal."""
    return round(plateau_level(values["p0"], values["p1"]), 12)
