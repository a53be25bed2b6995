"""RatesLab: how fast robust kNN comes down to the Bayes risk on a line, and what a theorem promises of it."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from knnviz import risk
from knnviz.labs.engine.parameters import Choice
from knnviz.labs.engine.scenes import Preset
from knnviz.labs.engine.stages import stage
from knnviz.labs.lines import SHAPES
from knnviz.labs.parts.robust_rules import COLORS
from knnviz.labs.promises import BOUNDS, NEIGHBORS, TOLERANCE, PromiseLab, neighbors
from knnviz.labs.promises import SIZES as BOUND_SIZES
from knnviz.labs.risks import OFF, Look
from knnviz.labs.sheets import Sheet
from knnviz.risk import Rate
from knnviz.rules import Robust, Rule, Vote
from knnviz.views import bound as bound_view
from knnviz.views import extremes as extremes_view
from knnviz.views import risk as risk_view
from knnviz.views import style
from knnviz.views import votes as votes_view
from knnviz.views.layers import Axes, Layer, Panel

#: What the risk curve shows: risks, or the logarithm of what exceeds the Bayes risk.
CURVES = (OFF, "over n", "excess over n")

#: Sample sizes of the risk curve, in how many samples, and the size from which a rate is fitted.
SIZES = (250, 1000, 4000, 16_000, 64_000, 256_000, 1_024_000)
REPEATS = 10
SETTLED = 1000

#: Ends of the axis of n.
RISK_SIZES = (80, 1_500_000)

#: How far above the Bayes risk the axis of risks reaches at least.
ROOM = 0.15

#: Powers of ten on which an excess is shown.
POWERS = (-5.0, 0.0)

#: How many k the extremes are found at: at once, and soon after.
FEW, MANY = 6, 30

SCREEN = Sheet(
    (920, 744),
    map=(66, 40, 384, 230),
    votes=(524, 40, 382, 230),
    risk=(524, 442, 382, 150),
    legend={"legend_left": 8},
    side=(66, 456, 384, 172),
)
PROJECTOR = Sheet(
    (667, 600),
    map=(64, 36, 262, 160),
    votes=(392, 36, 262, 160),
    risk=(392, 344, 262, 104),
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 48},
    reading=votes_view.TWO_LINES,
    most_points=200,
    side=(64, 358, 262, 122),
)

FIGURE_1 = {"n": 1000, "neighbors": NEIGHBORS[0]}
MILLION = 1_000_000


class RatesLab(PromiseLab):
    """Line, Votes around x with the Extremes over k, Risk over n, and the Bound, for kNN and robust kNN."""

    title = "fast rates"
    sheets = (SCREEN, PROJECTOR)
    overs: Mapping[str, str | None] = dict(zip(CURVES, (None, "n", "n"), strict=True))
    curve_looks: Mapping[str, Look] = {
        "plain": Look("kNN", COLORS["plain"]),
        "known": Look("robust, known", COLORS["known"]),
        "estimated": Look("robust, estimated", COLORS["estimated"]),
    }
    number_names: Mapping[str, str] = {
        "plain_risk": "risk of kNN",
        "robust_risk": "risk of robust kNN",
        "bayes_risk": "Bayes risk",
        "limit": "limit of kNN",
        "robust_limit": "limit of robust kNN",
        "k": "k",
        "m": "level m",
        "p0_hat": "estimated p0",
        "p1_hat": "estimated p1",
        "cut": "estimated cut",
        "misled_mass": "misled mass",
        "bound": "bound on excess",
        "tight_bound": "its tight form",
        "promised_rate": "promised rate",
        "fitted_rate": "fitted rate",
        "votes": "votes at x",
        "decision": "decision at x",
        "note": "note",
    }

    curve = Choice(CURVES[0], CURVES).tag(
        label="risk curve", group="Curves", tip=f"Mean risk over {REPEATS} fresh samples of each size"
    )

    order = (
        "shape",
        "low",
        "high",
        "n",
        "seed",
        "p0",
        "p1",
        "neighbors",
        "k",
        "curve",
        "bound_over",
        "delta",
        "smoothness",
        "smoothness_constant",
        "margin_exponent",
        "margin_constant",
        "x1",
    )

    presets = (
        Preset("Figure 1", "Reeve & Kaban, Figure 1", FIGURE_1),
        Preset("Figure 1, mirrored", "Reeve & Kaban, section 5", FIGURE_1 | {"p0": 0.3, "p1": 0.1, "x1": 0.45}),
        Preset(
            "A million points",
            "Reeve & Kaban, section 5",
            {"n": MILLION, "curve": CURVES[1]},
        ),
        Preset(
            "How fast the excess falls",
            "Reeve & Kaban, Theorem 4.3",
            {"n": 64_000, "curve": CURVES[2], "margin_exponent": 1.0, "margin_constant": 5.333333},
        ),
        Preset(
            "When the bound wakes up",
            "Reeve & Kaban, Theorem 4.3",
            {"n": MILLION, "delta": 0.01, "smoothness_constant": 1.5, "bound_over": BOUNDS[1]},
        ),
        Preset(
            "k for the noise",
            "Reeve & Kaban, Theorem 4.2",
            {"n": 2000, "neighbors": NEIGHBORS[1], "k": 100},
        ),
        Preset(
            "Range assumption broken",
            "Reeve & Kaban, Assumption 2",
            {"shape": SHAPES[1], "low": 0.2, "high": 1.0, "n": 64_000, "curve": CURVES[1], "x1": 0.45},
        ),
        Preset(
            "Two levels",
            "Reeve & Kaban, section 5",
            {"shape": SHAPES[2], "low": 0.3, "high": 0.7, "n": 64_000, "curve": CURVES[1], "x1": 0.7},
        ),
    )

    @property
    def is_preview(self) -> bool:
        """Whether the extremes are still known at a few k only."""
        return len(self.extremes[0]) <= FEW

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the line is x, one on the votes or the terms of the bound a k, one on the risks an n."""
        over_k = panel == "votes" or (panel == "bound" and self.values["bound_over"] == BOUNDS[0])
        if not over_k:
            return self.placed(panel, x)
        return {"k": self.parameters()["k"].nearest(x, 1, self.values["n"]), "neighbors": NEIGHBORS[1]}

    @stage(background=True)
    def extremes(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Some k, and the smallest and the largest e at training points there: at a few k first."""
        own, n = self.own_votes, self.n
        for places in (FEW, MANY):
            ks = np.unique(np.geomspace(1, n, places).round().astype(int))
            found = np.array([[side[1] for side in own.extremes(each)] for each in ks.tolist()])
            yield ks, *(found / ks[:, None]).T

    @stage(streaming=True)
    def risk_curve(self) -> Iterator[risk.RiskCurve | None]:
        """Mean risks over fresh samples, as far as they are known."""
        if self.curve == OFF:
            yield None
            return
        rules: dict[str, Rule] = {"plain": Vote(), "known": self.known_rule, "estimated": Robust(votes="order")}
        own = self.neighbors == NEIGHBORS[1]
        values = {"neighbors": self.neighbors} | ({"k": self.k} if own else {"delta": self.delta} | self.smooth)
        plane, noise = self.plane, self.noise
        yield None
        ks = {n: neighbors(values | {"n": n}) for n in SIZES}
        sizes = [n for n in SIZES if ks[n] <= n]
        yield from risk.stream(plane, rules, over={"n": sizes}, k=ks.get, noise=noise, repeats=REPEATS)

    @stage
    def rate(self) -> Rate | None:
        """The rate at which robust kNN comes down, as far as it is known."""
        curve = self.risk_curve
        return None if curve is None else risk.fitted_rate(curve, "estimated", SETTLED)

    @stage
    def means(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mean risks, or the powers of ten of what exceeds the Bayes risk."""
        values, mean, error = super().means
        if self.curve != CURVES[2] or self.risk_curve is None:
            return values, mean, error
        excess = np.where(mean > self.floor, mean - self.floor, np.nan)
        return values, np.log10(excess), error / (excess * np.log(10))

    @stage(compare_values=True)
    def floor(self) -> float:
        """The Bayes risk."""
        return self.limits_known["bayes_risk"]

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out."""
        rates = self.robust.noise_rates
        estimates = {"p0_hat": float(rates.p0), "p1_hat": float(rates.p1), "cut": float(self.robust.cut)}
        sets = {"k": self.voters, "misled_mass": self.limits_of_risks.misled(self.noise)}
        level = {} if self.m is None else {"m": self.m}
        fitted = {} if self.rate is None else {"fitted_rate": self.rate.exponent}
        here = {"votes": tuple(int(count) for count in self.x_votes), "decision": self.decision}
        notes = {"note": self.warning} if self.warning else {}
        promised = self.promised | ({} if self.exponent is None else {"promised_rate": self.exponent})
        return {**self.risks, **self.limits_known, **sets, **level, **estimates, **promised, **fitted, **here, **notes}

    @stage
    def extreme_layers(self) -> tuple[Layer, ...]:
        """What lies between the extremes of e over k, and what they should be."""
        (ks, low, high), ends = self.extremes, self.k_ends
        between, middle = extremes_view.over_k(ks, low, high, COLORS["estimated"])
        true = self.p0, 1 - self.p1
        levels = [
            votes_view.threshold(votes_view.Cut(share, f"p{c}", label, style.MUTED, (2, 3)), ends)
            for c, (share, label) in enumerate(zip(true, ("p0 and 1 - p1", None), strict=True))
        ]
        theta = votes_view.threshold(self.cuts[1]._replace(label="cut θ, known"), ends)
        half = votes_view.threshold(self.cuts[0], ends)
        return between, *levels, half, theta, middle

    @stage
    def level_layers(self) -> tuple[Layer, ...]:
        """Bayes risk and limits, and the fitted rate beside the promised one."""
        limits, ends, excess = self.limits_known, RISK_SIZES, self.curve == CURVES[2]
        apart = [(limits["limit"], "limit", "limit of kNN", (2, 3), style.INK)]
        if limits["robust_limit"] > limits["bayes_risk"] + TOLERANCE:
            apart.append((limits["robust_limit"], "robust", "limit of robust kNN", (9, 3, 2, 3), COLORS["estimated"]))
        drawn = [
            risk_view.level(self.height(value), ends, *look)
            for value, *look in apart
            if not excess or value > self.floor + TOLERANCE
        ]
        return (*([] if excess else [risk_view.bayes(self.floor, ends)]), *drawn, *self.rate_layers)

    @stage
    def rate_layers(self) -> tuple[Layer, ...]:
        """The fitted rate, and the promised one, if there is one, from where the fit begins."""
        if self.rate is None:
            return ()
        sizes = np.geomspace(SETTLED, RISK_SIZES[1], 40)
        fitted = self.rate(sizes)
        found = risk_view.trend(
            sizes, self.height(self.floor + fitted), "fitted", "fitted rate", (9, 3), COLORS["estimated"]
        )
        if self.exponent is None:
            return (found,)
        promised = self.floor + fitted[0] * (sizes / sizes[0]) ** -self.exponent
        return found, risk_view.trend(sizes, self.height(promised), "promised", "promised rate", (9, 3, 2, 3))

    def height(self, value: Any) -> Any:
        """Where a risk stands on the axis of risks."""
        return np.log10(value - self.floor) if self.curve == CURVES[2] else value

    @stage
    def here_layers(self) -> tuple[Layer, ...]:
        """The risks of the sample in hand."""
        looks = (("kNN", "here_plain", "plain"), ("robust", "here_robust", "estimated"))
        values = zip(looks, self.risks.values(), strict=True)
        return tuple(
            risk_view.here(self.n, self.height(value), f"{label}, this sample", name, COLORS[color])
            for (label, name, color), value in values
            if self.curve != CURVES[2] or value > self.floor
        )

    @stage(compare_values=True)
    def risk_limits(self) -> tuple[float, float]:
        """Ends of the axis of the risk curve."""
        return RISK_SIZES

    @stage(compare_values=True)
    def risk_range(self) -> tuple[float, float]:
        """Ends of the axis of risks."""
        if self.curve == CURVES[2]:
            return POWERS
        curve = self.risk_curve
        known = [] if curve is None or not curve.done else [float(np.nanmax(curve.mean))]
        return risk_view.limits(self.floor, max(*self.risks.values(), *self.limits_known.values(), *known), ROOM)

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """Line and Bound to the left, Votes with Extremes and Risk to the right."""
        votes = *self.extreme_layers, self.population_layer, *self.curve_layers
        risks = *self.level_layers, *self.mean_layers, *self.here_layers
        return tuple(map(Panel, self.axes, (self.line_layers, votes, risks, self.bound_layers)))

    @stage
    def axes(self) -> tuple[Axes, ...]:
        """The frames of the panels."""
        sheet, over = self.sheet, self.bound_over == BOUNDS[0]
        name = "log₁₀ of excess" if self.curve == CURVES[2] else "risk"
        frames = (
            self.line_axes,
            votes_view.axes(self.n, sheet.votes, log=True),
            risk_view.axes("n", self.risk_limits, self.risk_range, sheet.risk, name=name),
            bound_view.axes("k" if over else "n", self.k_ends if over else BOUND_SIZES, sheet.side),
        )
        return sheet.framed(frames)

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        ks, low, high = self.extremes
        votes = votes_view.describe(
            np.array([self.x1]), self.x_votes, self.voters, self.plane.class_names, self.decision
        )
        scale = "Risks are drawn as powers of ten of what exceeds the Bayes risk. " if self.curve == CURVES[2] else ""
        seen = f"{self.line_words} {votes} {extremes_view.describe_over_k(ks, low, high)} {self.bound_words}"
        return f"{seen} {scale}{self.curve_words}{self.numbers_text()}."
