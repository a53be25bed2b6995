"""What labs on robust kNN share: flip rates known or estimated, three rules side by side, and their pictures."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import noise, risk
from knnviz.labs.engine.parameters import Choice, Float, Int
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.robust_rules import COLORS, three_cuts
from knnviz.labs.parts.sizes import MOST_NEIGHBORS
from knnviz.labs.parts.sources import known
from knnviz.labs.parts.training_data import RATE_STEP
from knnviz.labs.pictures import PictureLab
from knnviz.labs.risks import OFF, Look
from knnviz.labs.sheets import Sheet
from knnviz.neighbors import NeighborTable
from knnviz.noise import Rates
from knnviz.profiles import VoteProfile
from knnviz.rules import Robust, Vote
from knnviz.views import extremes as extremes_view
from knnviz.views import risk as risk_view
from knnviz.views import style
from knnviz.views import votes as votes_view
from knnviz.views.layers import Axes, Layer, Panel

#: Where the flip rates that move the cut come from.
RATES = ("estimated from k'", "estimated from k - 1", "known")

#: Largest k, and largest k'.
FARTHEST, FARTHEST_NOISE = 800, 400

#: Neighbors of training points that are looked up: enough for every k', or for every k.
REACHES = (FARTHEST_NOISE + 1, FARTHEST + 1)

SCREEN = Sheet(
    (920, 708),
    map=(66, 40, 380, 380),
    votes=(520, 40, 214, 190),
    risk=(520, 404, 386, 160),
    side=(796, 40, 110, 190),
    legend={"legend_left": 8},
    reading=votes_view.TWO_LINES,
)
PROJECTOR = Sheet(
    (667, 560),
    map=(64, 36, 256, 256),
    votes=(384, 36, 138, 130),
    risk=(384, 322, 272, 108),
    side=(566, 36, 90, 130),
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 56},
    reading=votes_view.TWO_LINES,
    most_points=300,
)

#: What the risk curve can run over, and along which axis.
OVERS = {OFF: None, "over k": "k", "over k'": "k'", "over n": "n", "over n, k grows": "n"}
CURVES = tuple(OVERS)


class RobustLab(PictureLab):
    """Map (or Line), Vote curve, Extremes and Risk of kNN and of robust kNN, for two classes."""

    sheets = (SCREEN, PROJECTOR)
    overs = OVERS
    curve_looks: Mapping[str, Look] = {
        "plain": Look("kNN", COLORS["plain"]),
        "known": Look("robust, known", COLORS["known"]),
        "estimated": Look("robust, estimated", COLORS["estimated"]),
    }

    p0 = Float(0.1, min=0, max=0.95).tag(
        label="flip rate of class 0", symbol="p0", group="Label noise", tip="Chance that a label of class 0 flips"
    )
    p1 = Float(0.3, min=0, max=0.95).tag(
        label="flip rate of class 1", symbol="p1", tip="Chance that a label of class 1 flips"
    )
    k = Int(51, min=1, max=FARTHEST).tag(
        label="neighbors", symbol="k", group="Rules", tip="Number of neighbors that vote"
    )
    rates = Choice(RATES[0], RATES).tag(label="flip rates", tip="What robust kNN moves its cut by")
    k_noise = Int(100, min=1, max=FARTHEST_NOISE).tag(
        label="neighbors for the noise", symbol="k'", tip="Number of other neighbors that smooth a training label"
    )
    variant = Choice("threshold", ("threshold", "gao")).tag(
        label="variant", tip="Decide by the moved cut, or by the printed correction; they differ on ties only"
    )

    def validate(self, values: Mapping[str, Any]) -> None:
        """Two classes, and k' below n; besides what the ground asks for."""
        source = known(values["problem"])
        if source.n_classes != 2:
            raise ValueError(f"label noise needs two classes, but {source.name} has {source.n_classes}")
        super().validate(values)
        if smoothing(values) >= values["n"]:
            raise ValueError(
                f"neighbors for the noise k' must be below sample size n, got {smoothing(values)} and {values['n']}"
            )

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """When a lab begins and when its problem changes, k and k' follow an n that is too small for them."""
        notes = super().coerce(values, given)
        begins = not self.start
        if begins and "k" not in given:
            notes += self._nearest("k", values)
        if (begins or values["problem"] != self.values["problem"]) and "k_noise" not in given:
            notes += self._quartered(values)
        return notes

    def _quartered(self, values: dict[str, Any]) -> list[str]:
        """Bring k' from n or beyond to n / 4: with nearly all points as neighbors every smoothed label is the same."""
        before, n = values["k_noise"], values["n"]
        if before < n:
            return []
        values["k_noise"] = max(n // 4, 1)
        return [f"{self.parameters()['k_noise'].title} moved from {before} to {values['k_noise']}, a quarter of n."]

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """What does nothing: k' where it follows k."""
        return super().hidden(values) | ({"k_noise"} if values["rates"] == RATES[1] else set())

    def feasible_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """As for every lab, and k' below n."""
        low, high = super().feasible_range(name, values)
        if name == "k_noise":
            return low, min(high, values["n"] - 1)
        return (max(low, smoothing(values) + 1), high) if name == "n" else (low, high)

    def slider_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """As ``feasible_range``; the slider of k is short until k is large, and a flip rate ends before the other."""
        low, high = super().slider_range(name, values)
        if name in ("p0", "p1"):
            other = values["p1" if name == "p0" else "p0"]
            return low, max(values[name], min(high, round(1 - other - RATE_STEP, 12)))
        return (low, min(high, MOST_NEIGHBORS)) if name == "k" and values["k"] <= MOST_NEIGHBORS else (low, high)

    @stage(compare_values=True)
    def k_max(self) -> int:
        """Neighbors that are looked up: more of them once k asks for more."""
        return min(self.k_limit, self.n)

    @stage(compare_values=True)
    def k_limit(self) -> int:
        """Where the axis of the vote curve ends."""
        return MOST_NEIGHBORS if self.k <= MOST_NEIGHBORS else FARTHEST

    @stage(compare_values=True)
    def finest(self) -> int:
        """Cells a side of the full map: fewer on the plane where k is large, and regions are smooth."""
        full = super().finest
        return full // 2 if self.plane.dimension == 2 and self.k_limit > MOST_NEIGHBORS else full

    @stage(compare_values=True)
    def smoothed_over(self) -> int:
        """k', how many other neighbors smooth a training label."""
        return smoothing({"rates": self.rates, "k": self.k, "k_noise": self.k_noise})

    @stage(compare_values=True)
    def reach(self) -> int:
        """Neighbors of training points that are looked up."""
        return min(next(reach for reach in REACHES if reach > self.smoothed_over), self.n)

    @stage(background=True)
    def trained(self) -> Iterator[NeighborTable]:
        """Training points among themselves: as many neighbors as k' asks for at once, soon enough for any k'."""
        places, reach = self.places, self.reach
        # Read past the record of this stage: the first table need not follow k', since the second one holds them all.
        least = min(smoothing(self.values) + 1, reach)
        for each in sorted({least, reach}):
            yield NeighborTable.build(places, None, each)

    @stage
    def train(self) -> NeighborTable:
        """Training points among themselves, with enough neighbors for k' in any case."""
        return NeighborTable.build(self.places, None, self.smoothed_over + 1) if self.short else self.trained

    @stage(compare_values=True)
    def short(self) -> bool:
        """Whether k' has moved beyond the first table before the second one is there."""
        return self.trained.k_max <= self.smoothed_over

    @stage
    def train_votes(self) -> VoteProfile:
        """Votes at the training points."""
        return VoteProfile.count(self.train, self.observed, 2)

    @stage
    def ones(self) -> np.ndarray:
        """Labels of class 1 among k' + 1 at the training points."""
        return noise.smoothed(self.train_votes, self.observed, self.smoothed_over)

    @stage(compare_values=True)
    def estimated(self) -> Rates:
        """Estimated flip rates."""
        return Rates.read(self.ones, self.smoothed_over)

    @stage
    def shares(self) -> np.ndarray:
        """Smoothed training labels."""
        return self.ones / (self.smoothed_over + 1)

    @stage
    def known_rule(self) -> Robust:
        """Robust kNN that knows the flip rates."""
        return Robust((self.p0, self.p1), variant=self.variant)

    @stage
    def estimated_rule(self) -> Robust:
        """Robust kNN that estimates them."""
        return Robust(self.estimated, variant=self.variant)

    @stage
    def robust(self) -> Robust:
        """Robust kNN with the rates of choice."""
        return self.known_rule if self.rates == RATES[2] else self.estimated_rule

    @stage
    def plain_labels(self) -> np.ndarray:
        """Decisions of kNN at the cells."""
        return Vote().predict(self.cell_votes, self.k)

    @stage
    def robust_labels(self) -> np.ndarray:
        """Decisions of robust kNN at the cells."""
        return self.robust.predict(self.cell_votes, self.k)

    @stage
    def cuts(self) -> tuple[votes_view.Cut, ...]:
        """1/2, and the moved cuts."""
        return three_cuts(self.known_rule.cut, self.estimated.cut)

    @stage
    def noisy(self) -> np.ndarray:
        """eta_corr at the cells."""
        return self.noise.corrupt(self.field.eta)

    @stage
    def limit(self) -> float:
        """Risk of kNN for ever more neighbors in ever smaller balls."""
        return self.limits_of_risks.vote(self.noise)

    @stage
    def one_nn_limit(self) -> float:
        """Risk of one neighbor in ever smaller balls."""
        return self.limits_of_risks.one_nn(self.noise)

    @property
    def levels(self) -> tuple[float, ...]:
        """Risks that are drawn as levels, besides the Bayes risk."""
        return () if self.plane.eta is None else (self.limit, self.one_nn_limit)

    @stage
    def risks(self) -> dict[str, float]:
        """Exact risks where eta is known, else those on points held out."""
        if self.plane.eta is None:
            y, votes = self.source.y_test, self.test_votes
            return {
                "held_out_plain_risk": risk.held_out(Vote().predict(votes, self.k), y),
                "held_out_robust_risk": risk.held_out(self.robust.predict(votes, self.k), y),
            }
        eta, weights = self.field.eta, self.field.measure.weights
        return {
            "plain_risk": risk.exact(self.plain_labels, eta, weights),
            "robust_risk": risk.exact(self.robust_labels, eta, weights),
        }

    @stage
    def limits_known(self) -> dict[str, float]:
        """What risks tend to, where eta is known."""
        if self.plane.eta is None:
            return {}
        return {"bayes_risk": self.bayes_risk, "limit": self.limit, "one_nn_limit": self.one_nn_limit}

    @stage
    def population_layers(self) -> tuple[Layer, ...]:
        """What the share of class 1 would be in the true distribution."""
        return tuple(replace(line, label="true frequency") for line in super().population_layers[1:])

    @stage
    def curve_layers(self) -> tuple[Layer, ...]:
        """The share of class 1, and the cuts through it."""
        name = f"share of {self.plane.class_names[1]}"
        share = votes_view.curve(self.x_votes.counts[0], 1, name)
        return share, *(votes_view.threshold(cut, (0, self.k_limit + 1)) for cut in self.cuts)

    @stage
    def extreme_layers(self) -> tuple[Layer, ...]:
        """How the smoothed labels spread, their ends, and the midrange."""
        color = COLORS["estimated"]
        middle = float(self.shares.min() + self.shares.max()) / 2
        midrange = votes_view.Cut(middle, "midrange", "midrange", color, self.cuts[2].dash)
        bars, ends = extremes_view.histogram(self.shares), extremes_view.ends(self.shares, color)
        return bars, ends, votes_view.threshold(midrange, (0, extremes_view.END))

    @property
    def here(self) -> int:
        """Where on the axis of risks the sample in hand is."""
        return self.smoothed_over if self.over == "k'" else super().here

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """As in every lab with pictures; where k' follows k, a place over k' is a k."""
        picked = super().pick(panel, x, y, mark, index)
        if "k_noise" in picked and self.values["rates"] == RATES[1]:
            return {"k": min(picked["k_noise"] + 1, self.values["n"])}
        return picked

    @stage
    def risk_limits(self) -> tuple[float, float]:
        """Ends of the axis of the risk curve."""
        least = self.limits("n", {"problem": self.problem})[0]
        return {"k": (0.9, 900), "k'": (0.9, 450), "n": (0.8 * least, 9500)}[self.over]

    @stage
    def level_layers(self) -> tuple[Layer, ...]:
        """Bayes risk, and the limits of kNN and of 1-NN, where they are known."""
        if self.plane.eta is None:
            return ()
        ends = self.risk_limits
        limit = risk_view.level(self.limit, ends, "limit", "limit of kNN", (2, 3))
        one = risk_view.level(self.one_nn_limit, ends, "one_nn", "limit of 1-NN", (9, 3, 2, 3), style.MUTED)
        return risk_view.bayes(self.bayes_risk, ends), limit, one

    @stage
    def here_layers(self) -> tuple[Layer, ...]:
        """The risks of the sample in hand."""
        plain, robust = list(self.risks.values())
        color = COLORS["known" if self.rates == RATES[2] else "estimated"]
        return (
            risk_view.here(self.here, plain, "kNN, this sample", "here_plain", COLORS["plain"]),
            risk_view.here(self.here, robust, "robust, this sample", "here_robust", color),
        )

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """Map or Line, Vote curve and Risk as ever, and the Extremes beside the votes."""
        return *super().panels, Panel(self.axes[3], self.extreme_layers)

    @stage
    def axes(self) -> tuple[Axes, ...]:
        """The frames of the panels."""
        sheet = self.sheet
        line, votes, _ = super().axes
        over = risk_view.axes(self.over, self.risk_limits, self.risk_range, sheet.risk, log=True)
        frames = (replace(votes, columns=1), over, extremes_view.axes(sheet.side))
        return line, *sheet.framed(frames)

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        return f"{super().alt} {extremes_view.describe(self.shares, self.smoothed_over)}"


def smoothing(values: Mapping[str, Any]) -> int:
    """k' for the values of a lab."""
    return max(values["k"] - 1, 1) if values["rates"] == RATES[1] else values["k_noise"]
