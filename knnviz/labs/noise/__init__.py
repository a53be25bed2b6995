"""NoiseLab: how flipped labels mislead the vote, and how moving its threshold repairs that.

The smoothed label of a training point is the fraction of class 1 among its own label and those of its k' nearest
neighbors. Their smallest value estimates p0, their largest 1 - p1, and their midrange the threshold of robust kNN.
Points are misled where noisy eta is on the wrong side of the rule's threshold, so that more neighbors do not help; hard
points are these, and points where noisy eta is within a margin of the threshold.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from knnviz import risk
from knnviz.labs.noise.misled_points import MISLED, PLAIN, REGIONS_ONLY, PointSet
from knnviz.labs.noise.risks import GROWING_K, OVER_K, OVER_K_NOISE, OVER_N, X_AXES, NoiseRiskPanel
from knnviz.labs.noise.rules import FROM_K, KNOWN, RobustRules
from knnviz.labs.old_engine import Cell, Choice, Input, Lab, Panel, Preset, columns, rows, stage
from knnviz.labs.old_parts.map_panel import MapPanel
from knnviz.labs.old_parts.neighborhoods import Cells, QueryPoint, Votes
from knnviz.labs.old_parts.risk_panel import CurrentRisk, RiskLevel
from knnviz.labs.old_parts.robust_rules import COLORS, DEGENERATE, STYLES, risk_markers
from knnviz.labs.old_parts.sources import TWO_CLASSES
from knnviz.labs.old_parts.training_data import LabelFlips, TrainingData
from knnviz.labs.old_parts.vote_panel import VotePanel
from knnviz.noise import LabelNoise
from knnviz.rules import Vote
from knnviz.views import extremes as extremes_view
from knnviz.views import style, vote_curve
from knnviz.views.layers import Axes, Layer

FIGURE_1 = {"n": 8000, "k": 101, "k_noise": 100, "curve": OVER_K}


class ExtremesPanel(Panel):
    """The histogram of smoothed labels, their smallest and largest value, and the midrange."""

    rules: RobustRules = Input()

    def axes(self) -> Axes:
        return extremes_view.axes()

    def layers(self) -> Iterator[Layer]:
        smoothed, color = self.rules.smoothed, COLORS["estimated"]
        midrange = float(smoothed.min() + smoothed.max()) / 2
        line = vote_curve.ThresholdLine(
            midrange, name="midrange", label="midrange", color=color, dash=extremes_view.MIDRANGE_DASH
        )
        yield self.draw(extremes_view.histogram, smoothed)
        yield self.draw(extremes_view.ends, smoothed, color)
        yield self.draw(vote_curve.threshold_line, line, (0, extremes_view.END))

    def alt_text(self) -> str:
        return extremes_view.describe(self.rules.smoothed, self.rules.k_noise_in_use)


class NoiseLab(Lab):
    """Map (or Line), Vote curve, Extremes and Risk of kNN and robust kNN on labels that were flipped.

    Source: Gao et al., section 6.

    Examples
    --------
    >>> from knnviz.labs import NoiseLab
    >>> found = NoiseLab(problem="two levels", n=500, p0=0.0, p1=0.4).readout()
    >>> found["limit"], found["plain_risk"], found["robust_risk"], found["bayes_risk"]
    (0.5, 0.4677, 0.34292, 0.33)
    """

    title = "label noise"
    number_names: Mapping[str, str] = {
        "plain_risk": "risk of kNN",
        "robust_risk": "risk of robust kNN",
        "held_out_plain_risk": "held-out risk of kNN",
        "held_out_robust_risk": "held-out risk of robust kNN",
        "bayes_risk": "Bayes risk",
        "limit": "limit of kNN",
        "one_nn_limit": "limit of 1-NN",
        "p0_hat": "estimated p0",
        "p1_hat": "estimated p1",
        "threshold": "threshold",
        "differ": "rules differ on",
        "misled_mass": "misled mass",
        "hard_mass": "hard mass",
        "votes": "votes at x",
        "decision": "decision at x",
        "flipped": "labels flipped",
        "note": "note",
    }

    layout = columns(
        ("map", 1.0),
        rows(columns(Cell("votes", height=190), Cell("extremes", height=190), ratios=(58, 42)), ("risk", 0.42)),
        ratios=(44, 47),
    )

    presets = (
        Preset("kNN, asymmetric noise", "Gao et al., Figure 1(a)", FIGURE_1 | {"shown": PLAIN, "overlay": MISLED}),
        Preset(
            "kNN, symmetric noise",
            "Gao et al., Figure 1(b)",
            FIGURE_1 | {"p0": 0.2, "p1": 0.2, "shown": PLAIN, "overlay": MISLED},
        ),
        Preset(
            "One neighbor and more data",
            "Gao et al., Figure 1(c)",
            {"p0": 0.2, "p1": 0.2, "n": 8000, "k": 1, "shown": PLAIN, "overlay": REGIONS_ONLY, "curve": OVER_N},
        ),
        Preset("Robust kNN, asymmetric noise", "Gao et al., Figure 1(d)", FIGURE_1),
        Preset(
            "More votes do not repair it",
            "Gao et al., Figure 1(a)",
            FIGURE_1 | {"p1": 0.4, "k": 799, "shown": PLAIN, "overlay": MISLED},
        ),
        Preset(
            "Collapse: p1 above 1/2",
            "Gao et al., section 3",
            FIGURE_1 | {"p0": 0.0, "p1": 0.6, "shown": PLAIN, "overlay": MISLED},
        ),
        Preset("k' = 5 sees no noise", "Gao et al., Figure 3", FIGURE_1 | {"k_noise": 5}),
        Preset("Risk over k", "Gao et al., Figure 2", {"n": 4000, "k": 101, "curve": OVER_K}),
        Preset("Risk over k'", "Gao et al., Figure 3", {"n": 8000, "k": 200, "curve": OVER_K_NOISE}),
        Preset(
            "Risk over n",
            "Gao et al., Figure 4, with k' = k - 1",
            {"n": 8000, "k": 100, "rates": FROM_K, "curve": GROWING_K},
        ),
    )

    data = TrainingData(problem=Choice("checkerboard", TWO_CLASSES), n=4000)
    noise = LabelFlips(data=data, p0=0.1, p1=0.3)
    rules = RobustRules(data=data, noise=noise)
    query = QueryPoint(data=data, labels=noise.labels, k_max=rules.k_max)
    cells = Cells(data=data, labels=noise.labels, k_max=rules.k_max, half_resolution=rules.has_large_k)
    held_out = Votes(data=data, labels=noise.labels, k_max=rules.k_max, queries=lambda data: data.source.X_test)
    point_set = PointSet(data=data, noise=noise, rules=rules, cells=cells)

    @stage
    def decision(self) -> str:
        return self.data.chosen_problem.class_names[self.point_set.rule.predict(self.query.votes, self.k)[0]]

    @stage
    def noisy_eta(self) -> np.ndarray | None:
        is_drawn = self.data.chosen_problem.dimension == 1 and self.noise.model != LabelNoise()
        return self.point_set.noisy_eta if is_drawn else None

    @stage
    def risks(self) -> dict[str, float]:
        cells = self.cells.field
        if cells.eta is None:
            y, votes = self.data.source.y_test, self.held_out.profile
            return {
                "held_out_plain_risk": risk.held_out(Vote().predict(votes, self.k), y),
                "held_out_robust_risk": risk.held_out(self.rules.robust.predict(votes, self.k), y),
            }
        return {
            "plain_risk": risk.exact(self.point_set.plain, cells.eta, cells.measure.weights),
            "robust_risk": risk.exact(self.point_set.robust, cells.eta, cells.measure.weights),
        }

    @stage
    def known_risks(self) -> dict[str, float]:
        """The Bayes risk, and the limits of the risks of kNN and 1-NN as n grows; empty for a data set."""
        if self.data.bayes_risk is None:
            return {}
        limits, model = self.noise.risk_limits, self.noise.model
        return {"bayes_risk": self.data.bayes_risk, "limit": limits.vote(model), "one_nn_limit": limits.one_nn(model)}

    @stage
    def numbers(self) -> dict[str, Any]:
        estimated, threshold = self.rules.estimated_rates, self.rules.robust.threshold
        rates = {"p0_hat": float(estimated.p0), "p1_hat": float(estimated.p1), "threshold": float(threshold)}
        votes = tuple(int(count) for count in self.query.votes.counts[0, self.k - 1])
        at_x = {"votes": votes, "decision": self.decision, "flipped": self.noise.flipped}
        # Degenerate estimates carry no information: all smoothed labels are equal.
        note = {"note": DEGENERATE} if estimated.degenerate else {}
        return {**self.risks, **self.known_risks, **rates, **self.point_set.numbers, **at_x, **note}

    @property
    def levels(self) -> tuple[RiskLevel, ...]:
        if not (known := self.known_risks):
            return ()
        one_nn = RiskLevel(
            known["one_nn_limit"], name="one_nn", label="limit of 1-NN", dash=(9, 3, 2, 3), color=style.MUTED
        )
        return RiskLevel(known["limit"], name="limit", label="limit of kNN", dash=(2, 3)), one_nn

    @property
    def current_risks(self) -> tuple[CurrentRisk, ...]:
        """The risks of the current sample, unless the curve is computed for another k."""
        if self.curve == GROWING_K and self.k != risk.growing_neighbors(self.n):
            return ()
        plain, robust = self.risks.values()
        return risk_markers(plain, robust, "known" if self.rates == KNOWN else "estimated")

    @property
    def current_x(self) -> dict[str, int]:
        return {"k": self.k, "k'": self.rules.k_noise_in_use, "n": self.n}

    @stage(compare_values=True)
    def x_limits(self) -> dict[str, tuple[float, float]]:
        least = self.data.limits("n", {"problem": self.problem})[0]
        return {"k": (0.9, 900), "k'": (0.9, 450), "n": (0.8 * least, 9500)}

    map = MapPanel(
        data=data,
        labels=noise.labels,
        cells=cells,
        query=query,
        k=rules.k,
        decisions=point_set.decisions,
        thresholds=rules.thresholds,
        noisy_eta=noisy_eta,
        set_on_map=point_set,
    )
    votes = VotePanel(
        data=data,
        query=query,
        k=rules.k,
        k_axis_end=rules.k_axis_end,
        decision=decision,
        thresholds=rules.thresholds,
        noise=noise.model,
        votes_text=vote_curve.TWO_LINES,
        only_class=1,
    )
    extremes = ExtremesPanel(rules=rules)
    risk = NoiseRiskPanel(
        bayes_risk=data.bayes_risk,
        levels=levels,
        current_risks=current_risks,
        current_x=current_x,
        styles=STYLES,
        x_limits=x_limits,
        x_axes=X_AXES,
        log=True,
    )

    order = (
        *("problem", "n", "seed", "p0", "p1", "k", "rates", "k_noise", "variant"),
        *("shown", "overlay", "margin", "curve", "x1", "x2"),
    )
