"""RatesLab: how fast robust kNN comes down to the Bayes risk on a line, and what the theorem promises of it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import risk
from knnviz.bounds import reeve_kaban
from knnviz.labs.lab import Preset
from knnviz.labs.lines import SHAPES, LineLab
from knnviz.labs.parameters import Choice, Float, Ladder
from knnviz.labs.risks import OFF, Look, Sheet
from knnviz.labs.robust import COLORS
from knnviz.labs.stages import stage
from knnviz.risk import Rate
from knnviz.rules import Robust, Rule, Vote
from knnviz.views import bound as bound_view
from knnviz.views import extremes as extremes_view
from knnviz.views import risk as risk_view
from knnviz.views import style
from knnviz.views import votes as votes_view
from knnviz.views.layers import Axes, Layer, Panel

#: Where k comes from.
NEIGHBORS = ("k_n", "k as set")

#: What the risk curve shows: risks, or the logarithm of what exceeds the Bayes risk.
CURVES = (OFF, "over n", "excess over n")

#: What the bound is drawn over.
BOUNDS = ("over k", "over n")

#: Sample sizes of the risk curve, in how many samples, and the size from which a rate is fitted.
SIZES = (250, 1000, 4000, 16_000, 64_000, 256_000, 1_024_000)
REPEATS = 10
SETTLED = 1000

#: Ends of the axes of n, for risks and for the bound.
RISK_SIZES, BOUND_SIZES = (80, 1_500_000), (100, 1e12)

#: How close numbers on a grid come to those of a formula.
TOLERANCE = 1e-3

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
    side=(66, 442, 384, 186),
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
    side=(64, 344, 262, 136),
)

FIGURE_1 = {"n": 1000, "neighbors": NEIGHBORS[0]}
MILLION = 1_000_000


class RatesLab(LineLab):
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
        "tight_bound": "tighter bound",
        "promised_rate": "promised rate",
        "fitted_rate": "fitted rate",
        "votes": "votes at x",
        "decision": "decision at x",
        "note": "note",
    }

    neighbors = Choice(NEIGHBORS[0], NEIGHBORS).tag(
        label="neighbors", group="Rule", tip="k_n lets both terms of the bound fall at one rate; or a k of one's own"
    )
    k = Ladder(100, min=1, max=MILLION).tag(label="neighbors", symbol="k", tip="Number of neighbors that vote")
    delta = Float(0.05, min=0.01, max=0.5).tag(
        label="failure probability", symbol="delta", group="Theorem", tip="The bound holds but for this probability"
    )
    smoothness = Float(1.0, min=0.1, max=1, step=0.05).tag(
        label="smoothness", symbol="alpha", tip="eta changes at most by L times the mass between, to the power alpha"
    )
    smoothness_constant = Float(3.0, min=0.5, max=10, step=0.1).tag(
        label="its constant", symbol="L", tip="eta changes at most by L times the mass between, to the power alpha"
    )
    margin_exponent = Float(0.0, min=0, max=3, step=0.1).tag(
        label="margin exponent", symbol="beta", tip="eta is within t of one half on a mass of at most M t^beta"
    )
    margin_constant = Float(1.0, min=1, max=20, step=0.1).tag(
        label="its constant", symbol="M", tip="eta is within t of one half on a mass of at most M t^beta"
    )
    curve = Choice(CURVES[0], CURVES).tag(
        label="risk curve", group="Curves", tip=f"Mean risk over {REPEATS} fresh samples of each size"
    )
    bound_over = Choice(BOUNDS[0], BOUNDS).tag(label="bound", tip="Over k its two terms, over n all of it along k_n")

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
            "A million points do not help kNN",
            "Reeve & Kaban, section 5",
            {"n": MILLION, "curve": CURVES[1]},
        ),
        Preset(
            "How fast the excess falls",
            "Reeve & Kaban, Theorem 4.3",
            {"n": 64_000, "curve": CURVES[2], "margin_exponent": 1.0, "margin_constant": 5.333333},
        ),
        Preset(
            "The bound wakes up at n = 10^8",
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
            "Two levels, kNN is consistent",
            "Reeve & Kaban, section 5",
            {"shape": SHAPES[2], "low": 0.33, "high": 0.67, "n": 64_000, "curve": CURVES[1], "x1": 0.7},
        ),
    )

    @property
    def rough(self) -> bool:
        """Whether the extremes are still known at a few k only."""
        return len(self.extremes[0]) <= FEW

    def validate(self, values: Mapping[str, Any]) -> None:
        """k, set or found, is at most n; besides what every lab on a line asks for."""
        super().validate(values)
        k, n = neighbors(values), values["n"]
        if k > n:
            raise ValueError(f"neighbors k must not exceed sample size n, got {k} and {n}")

    def adapt(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """A k that was hidden comes back within n; besides what every lab on a line moves."""
        notes, (k, n) = super().adapt(values, given), (values["k"], values["n"])
        comes = values["neighbors"] == NEIGHBORS[1] != self.values["neighbors"]
        if not comes or "k" in given or k <= n:
            return notes
        values["k"] = n
        return [*notes, f"{self.parameters()['k'].title} moved from {k} to {n}, the sample size."]

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """What does nothing: k where it follows n."""
        return super().hidden(values) | ({"k"} if values["neighbors"] == NEIGHBORS[0] else set())

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the line is x, one on the votes or the terms of the bound a k, one on the risks an n."""
        over_k = panel == "votes" or (panel == "bound" and self.values["bound_over"] == BOUNDS[0])
        if not over_k:
            return self.placed(panel, x)
        return {"k": self.parameters()["k"].nearest(x, 1, self.values["n"]), "neighbors": NEIGHBORS[1]}

    def ends(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """k goes up to n, and n down to a k that is set."""
        low, *_, high = ends = super().ends(name, values)
        if name == "k":
            return low, values["n"]
        return (max(low, values["k"]), high) if name == "n" and values["neighbors"] == NEIGHBORS[1] else ends

    @stage(steady=True)
    def voters(self) -> int:
        """How many neighbors vote."""
        names = "n", "neighbors", "k", "delta", "smoothness", "smoothness_constant"
        return neighbors({name: getattr(self, name) for name in names})

    @stage
    def smooth(self) -> dict[str, float]:
        """How smooth eta is said to be."""
        return {"smoothness": self.smoothness, "smoothness_constant": self.smoothness_constant}

    @stage
    def assumed(self) -> dict[str, float]:
        """All that the theorem is told of eta."""
        return self.smooth | {"margin_exponent": self.margin_exponent, "margin_constant": self.margin_constant}

    @stage(background=True)
    def extremes(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Some k, and the smallest and the largest e at training points there: at a few k first."""
        own, n = self.own_votes, self.n
        for places in (FEW, MANY):
            ks = np.unique(np.geomspace(1, n, places).round().astype(int))
            found = np.array([[side[1] for side in own.extremes(each)] for each in ks.tolist()])
            yield ks, *(found / ks[:, None]).T

    @stage
    def promise(self) -> reeve_kaban.ExcessBound:
        """What the theorem says of this n and k."""
        return reeve_kaban.theorem_4_3(self.n, self.voters, self.delta, self.noise, **self.assumed)

    @stage(steady=True)
    def exponent(self) -> float | None:
        """The exponent of n in the theorem, which promises it of k_n; None for a k of one's own."""
        if self.neighbors == NEIGHBORS[1]:
            return None
        return reeve_kaban.exponent(self.smoothness, self.margin_exponent)

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

    @stage(steady=True)
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
    def promised(self) -> dict[str, float]:
        """Bounds on the excess risk of this sample."""
        return {"bound": self.promise.excess, "tight_bound": self.tight_promise.excess}

    @stage
    def tight_promise(self) -> reeve_kaban.ExcessBound:
        """The same with the sharper step of the proof."""
        return reeve_kaban.theorem_4_3(self.n, self.voters, self.delta, self.noise, tight=True, **self.assumed)

    @stage
    def warning(self) -> str:
        """What does not hold of the theorem's assumptions, or of the estimates."""
        ends = self.low > 0 or self.high < 1
        proved, least = reeve_kaban.k_range(self.n, self.delta), self.needed
        said = [
            ("all smoothed labels are equal, so the estimated cut stays at 1/2", self.robust.noise_rates.degenerate),
            ("eta does not reach 0 and 1", ends),
            (f"the proof asks for k from {proved.least} to {proved.most}", not self.promise.proved),
            (at_least("L", least[0]), self.smoothness_constant < least[0] - TOLERANCE),
            (at_least("M", least[1]), self.margin_constant < least[1] - TOLERANCE),
        ]
        return "; ".join(text for text, is_so in said if is_so)

    @stage
    def needed(self) -> tuple[float, float]:
        """The least L and M for which the assumptions hold."""
        least = reeve_kaban.least_smoothness_constant(self.plane, self.smoothness)
        return least, reeve_kaban.least_margin_constant(self.plane, self.margin_exponent)

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
    def k_ends(self) -> tuple[float, float]:
        """Ends of the axis of k."""
        return votes_view.axes(self.n, self.sheet.votes, log=True).xlim

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
        found = risk_view.trend(sizes, self.height(self.floor + fitted), "fitted", "fitted rate", (9, 3))
        if self.exponent is None:
            return (found,)
        promised = self.floor + fitted[0] * (sizes / sizes[0]) ** -self.exponent
        return found, risk_view.trend(sizes, self.height(promised), "promised", "promised rate", (3, 3))

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

    @stage(steady=True)
    def risk_limits(self) -> tuple[float, float]:
        """Ends of the axis of the risk curve."""
        return RISK_SIZES

    @stage(steady=True)
    def risk_range(self) -> tuple[float, float]:
        """Ends of the axis of risks."""
        if self.curve == CURVES[2]:
            return POWERS
        curve = self.risk_curve
        known = [] if curve is None or not curve.done else [float(np.nanmax(curve.mean))]
        return risk_view.limits(self.floor, max(*self.risks.values(), *self.limits_known.values(), *known), ROOM)

    @stage
    def bound_layers(self) -> tuple[Layer, ...]:
        """The two terms of the bound over k, or the whole bound over n."""
        return self.term_layers if self.bound_over == BOUNDS[0] else self.whole_layers

    @stage
    def term_layers(self) -> tuple[Layer, ...]:
        """Both terms, k_n, the k in hand, and the height from which the bound says something."""
        ks = np.unique(np.geomspace(1, self.n, 80).round().astype(int))
        at = [reeve_kaban.theorem_4_3(self.n, k, self.delta, self.noise, **self.assumed) for k in ks.tolist()]
        vote, smooth = (np.array([getattr(each, name) for each in at]) for name in ("vote", "smooth"))
        followed = reeve_kaban.k_n(self.n, self.delta, **self.smooth)
        return (
            *bound_view.terms(ks, vote, smooth),
            bound_view.below(self.useful, self.k_ends, "says something below"),
            bound_view.at(followed, "k_n", "k_n", COLORS["known"], (7, 3)),
            bound_view.at(self.voters, "at_k", "k"),
        )

    @stage
    def useful(self) -> float:
        """The sum of both terms at which the bound on the excess is 1, where it begins to say something."""
        share = (1 - self.delta) / self.margin_constant
        return self.noise.contrast / 8 * share ** (1 / (self.margin_exponent + 1))

    @stage
    def whole_layers(self) -> tuple[Layer, ...]:
        """The bound along k_n, as printed and with the sharper step, and the n in hand."""
        sizes = np.unique(np.geomspace(*BOUND_SIZES, 81).round().astype(np.int64))
        names = ("printed", "bound", ()), ("tighter", "sharper proof", (7, 3))
        drawn = []
        for tight, look in enumerate(names):
            at = [self._along(n, bool(tight)) for n in sizes.tolist()]
            drawn.append(bound_view.whole(sizes, np.array(at), *look))
        return *drawn, bound_view.below(1, BOUND_SIZES, "says something below"), bound_view.at(self.n, "at_n", "n")

    @stage
    def bound_words(self) -> str:
        """The Bound in words and numbers."""
        if self.bound_over == BOUNDS[0]:
            return bound_view.describe_terms(self.voters, self.promise.vote, self.promise.smooth, self.useful)
        printed = self.whole_layers[0]
        return bound_view.describe_whole(printed.x, printed.y)

    def _along(self, n: int, tight: bool) -> float:
        """The bound at k_n."""
        k = min(reeve_kaban.k_n(n, self.delta, **self.smooth), n)
        return reeve_kaban.theorem_4_3(n, k, self.delta, self.noise, tight=tight, **self.assumed).excess

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
        return tuple(replace(each, **sheet.legend) for each in frames)

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        read = "; ".join(f"{name} {text}" for name, text in self.shown_numbers().items())
        ks, low, high = self.extremes
        votes = votes_view.describe(
            np.array([self.x1]), self.x_votes, self.voters, self.plane.class_names, self.decision
        )
        scale = "Risks are drawn as powers of ten of what exceeds the Bayes risk. " if self.curve == CURVES[2] else ""
        seen = f"{self.line_words} {votes} {extremes_view.describe_over_k(ks, low, high)} {self.bound_words}"
        return f"{seen} {scale}{self.curve_words}{read}."


def at_least(constant: str, least: float) -> str:
    """What a constant must be for the assumptions to hold."""
    if np.isinf(least):
        return f"no {constant} is large enough"
    # Rounded up: the number that is asked for must be enough.
    return f"{constant} must be at least {np.ceil(100 * (least - TOLERANCE)) / 100:.2f}"


def neighbors(values: Mapping[str, Any]) -> int:
    """k for the values of a lab: as set, or k_n."""
    if values["neighbors"] == NEIGHBORS[1]:
        return values["k"]
    return reeve_kaban.k_n(values["n"], values["delta"], values["smoothness"], values["smoothness_constant"])
