"""NoiseLab: what flipped labels do to the vote, and what moving its cut repairs."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import regions, risk
from knnviz.labs.engine.lab import Preset
from knnviz.labs.engine.parameters import Choice, Float, Int
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.sources import TWO_CLASSES, known
from knnviz.labs.robust import CURVES, RATES, RobustLab
from knnviz.rules import Robust, Rule, Vote
from knnviz.views import sets as set_view
from knnviz.views.layers import Layer

#: Whose regions the map shows, and what it shows besides.
RULES = ("robust kNN", "kNN")
SETS = ("where the rules differ", "misled points", "hard points", "regions only")

#: The number that tells the mass of each set.
MASSES = {SETS[0]: "differ", SETS[1]: "misled_mass", SETS[2]: "hard_mass"}

#: In how many samples a risk curve is taken, and where it is measured.
REPEATS = 10
CELLS = 64
KS = tuple(sorted({2 * round(k / 2 - 0.5) + 1 for k in np.geomspace(1, 799, 16)}))
K_NOISES = (1, 2, 5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 400)
SIZES = (60, 120, 250, 500, 1000, 2000, 4000, 8000)

#: What is said where estimates tell nothing.
DEGENERATE = "all smoothed labels are equal, so the estimated cut stays at 1/2"

FIGURE_1 = {"n": 8000, "k": 101, "k_noise": 100, "curve": CURVES[1]}


class NoiseLab(RobustLab):
    """Map (or Line), Vote curve, Extremes and Risk of kNN and robust kNN on labels that were flipped."""

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
        "cut": "cut",
        "differ": "rules differ on",
        "misled_mass": "misled mass",
        "hard_mass": "hard mass",
        "votes": "votes at x",
        "decision": "decision at x",
        "flipped": "labels flipped",
        "note": "note",
    }

    problem = Choice("checkerboard", TWO_CLASSES).tag(label="problem", group="Data", tip="Where the points come from")
    n = Int(4000, min=50, max=8000, step=50).tag(label="sample size", symbol="n", tip="Number of training points")
    shown = Choice(RULES[0], RULES).tag(label="map of", group="Sets and curves", tip="Whose regions the map shows")
    overlay = Choice(SETS[0], SETS).tag(label="show", tip="What the map shows besides regions")
    margin = Float(0.05, min=0, max=0.5).tag(
        label="margin", symbol="Delta", tip="Hard points do not clear the cut by this much"
    )
    curve = Choice(CURVES[0], CURVES).tag(label="risk curve", tip=f"Mean risk over {REPEATS} fresh samples")

    order = (
        "problem",
        "n",
        "seed",
        "p0",
        "p1",
        "k",
        "rates",
        "k_noise",
        "variant",
        "shown",
        "overlay",
        "margin",
        "curve",
        "x1",
        "x2",
    )

    presets = (
        Preset("kNN, uneven noise", "Gao et al., Figure 1(a)", FIGURE_1 | {"shown": RULES[1], "overlay": SETS[1]}),
        Preset(
            "kNN, even noise",
            "Gao et al., Figure 1(b)",
            FIGURE_1 | {"p0": 0.2, "p1": 0.2, "shown": RULES[1], "overlay": SETS[1]},
        ),
        Preset(
            "One neighbor and more data",
            "Gao et al., Figure 1(c)",
            {"p0": 0.2, "p1": 0.2, "n": 8000, "k": 1, "shown": RULES[1], "overlay": SETS[3], "curve": CURVES[3]},
        ),
        Preset("Robust kNN, uneven noise", "Gao et al., Figure 1(d)", FIGURE_1),
        Preset(
            "More votes do not repair it",
            "Gao et al., Figure 1(a)",
            FIGURE_1 | {"p1": 0.4, "k": 799, "shown": RULES[1], "overlay": SETS[1]},
        ),
        Preset(
            "Collapse: p1 above 1/2",
            "Gao et al., section 3",
            FIGURE_1 | {"p0": 0.0, "p1": 0.6, "shown": RULES[1], "overlay": SETS[1]},
        ),
        Preset("k' = 5 sees no noise", "Gao et al., Figure 3", FIGURE_1 | {"k_noise": 5}),
        Preset("Risk over k", "Gao et al., Figure 2", {"n": 4000, "k": 101, "curve": CURVES[1]}),
        Preset("Risk over k'", "Gao et al., Figure 3", {"n": 8000, "k": 200, "curve": CURVES[2]}),
        Preset(
            "Risk over n",
            "Gao et al., Figure 4, with k' = k - 1",
            {"n": 8000, "k": 100, "rates": RATES[1], "curve": CURVES[4]},
        ),
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """What does nothing: Delta without hard points, besides what every lab on robust kNN hides."""
        return super().hidden(values) | ({"margin"} if values["overlay"] != SETS[2] else set())

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """Data whose distribution is not known show no set that needs it."""
        notes = super().coerce(values, given)
        source = known(values["problem"])
        if "overlay" not in given and source.eta is None and values["overlay"] in SETS[1:3]:
            notes.append(f"{values['overlay']} need a known distribution: the map shows {SETS[0]}.")
            values["overlay"] = SETS[0]
        return notes

    def validate(self, values: Mapping[str, Any]) -> None:
        """Sets that need eta have it; besides what every lab on robust kNN asks for."""
        super().validate(values)
        source = known(values["problem"])
        if values["overlay"] in SETS[1:3] and source.eta is None:
            raise ValueError(f"{values['overlay']} need a known distribution, but {source.name} is data")

    @stage
    def rule(self) -> Rule:
        """The rule on the map."""
        return self.robust if self.shown == RULES[0] else Vote()

    @property
    def labels(self) -> np.ndarray:
        """Decisions at the cells of the rule on the map."""
        return self.robust_labels if self.shown == RULES[0] else self.plain_labels

    @stage
    def decision(self) -> str:
        """Its decision at the query point, by name."""
        return self.plane.class_names[self.rule.predict(self.x_votes, self.k)[0]]

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out."""
        rates = {"p0_hat": float(self.estimated.p0), "p1_hat": float(self.estimated.p1), "cut": float(self.robust.cut)}
        votes = tuple(int(count) for count in self.x_votes.counts[0, self.k - 1])
        here = {"votes": votes, "decision": self.decision, "flipped": int(np.sum(self.observed != self.sample.y))}
        note = {"note": DEGENERATE} if self.estimated.degenerate else {}
        return {**self.risks, **self.limits_known, **rates, **self.set_numbers, **here, **note}

    @stage
    def differ(self) -> np.ndarray:
        """Cells that the two rules decide differently."""
        return self.plain_labels != self.robust_labels

    @stage
    def hard(self) -> np.ndarray:
        """Cells whose eta_corr does not clear the cut of the rule on the map: misled ones, or all that fall short."""
        return regions.disagreement(self.field.eta, self.noisy, self.held_against, self.short_by)

    @stage(compare_values=True)
    def short_by(self) -> float:
        """Delta for hard points; misled ones are those on the wrong side of the cut."""
        return self.margin if self.overlay == SETS[2] else 0.0

    @stage(compare_values=True)
    def held_against(self) -> float:
        """The cut of the rule on the map."""
        return float(self.robust.cut) if self.shown == RULES[0] else 0.5

    @stage
    def set_numbers(self) -> dict[str, float]:
        """Mass of the set on show, or its share of the area where masses are not known."""
        if self.overlay not in MASSES:
            return {}
        number = MASSES[self.overlay]
        if self.overlay != SETS[0]:
            return {number: self.limits_of_risks.misled(self.noise, self.held_against, self.short_by)}
        inside, measure = self.differ, self.field.measure
        return {number: float(inside.mean() if measure is None else measure.weights[inside].sum())}

    @stage
    def set_layers(self) -> tuple[Layer, ...]:
        """The set on show."""
        if self.overlay not in MASSES:
            return ()
        inside = self.differ if self.overlay == SETS[0] else self.hard
        return (set_view.region(self.plane, inside, "set", self.overlay, hatch="\\"),)

    @stage(compare_values=True)
    def competitors(self) -> dict[str, Rule]:
        """The rules of the risk curve, by name."""
        k_noise = None if self.over == "k'" or self.rates == RATES[1] else self.k_noise
        estimated = Robust(k_noise=k_noise, variant=self.variant)
        return {"plain": Vote(), "known": self.known_rule, "estimated": estimated}

    @stage(compare_values=True)
    def course(self) -> dict[str, Any]:
        """What the risk curve runs over, as ``risk.stream`` takes it."""
        if self.over == "k'":
            return {"over": {"k": [self.k]}, "n": self.n}
        if self.over == "k":
            return {"over": {"k": [k for k in KS if k <= self.n]}, "n": self.n}
        grows, most = self.curve == CURVES[4], self.plane.max_size or SIZES[-1]
        least = max(1 if grows else self.k, (self.competitors["estimated"].k_noise or 0) + 1)
        sizes = [size for size in sorted({*SIZES, min(most, SIZES[-1])}) if least <= size <= most]
        return {"over": {"n": sizes}, "k": risk.growing_neighbors if grows else self.k}

    @stage
    def here_layers(self) -> tuple[Layer, ...]:
        """The risks of the sample in hand, unless the curve is one of another k."""
        apart = self.curve == CURVES[4] and self.k != risk.growing_neighbors(self.n)
        return () if apart else super().here_layers

    @stage(streaming=True)
    def risk_curve(self) -> Iterator[risk.RiskCurve | None]:
        """Mean risks over fresh samples, as far as they are known."""
        if self.curve == CURVES[0]:
            yield None
            return
        plane, rules, settings = self.plane, self.competitors, self.course | {"repeats": REPEATS, "noise": self.noise}
        settings["resolution"] = CELLS if plane.dimension == 2 and plane.eta is not None else None
        k_noises = [k_noise for k_noise in K_NOISES if k_noise < self.n] if self.over == "k'" else []
        yield None
        curves = risk.stream(plane, spread(rules, k_noises) if k_noises else rules, **settings)
        yield from (turned(each, k_noises) if k_noises else each for each in curves)


def spread(rules: Mapping[str, Rule], k_noises: list[int]) -> dict[str, Rule]:
    """The rules by name, the last of them once for each k'."""
    *others, estimated = rules
    each = {f"{estimated} {k_noise}": replace(rules[estimated], k_noise=k_noise) for k_noise in k_noises}
    return {name: rules[name] for name in others} | each


def turned(curve: risk.RiskCurve, k_noises: list[int]) -> risk.RiskCurve:
    """A curve at one k whose last rules differ in k' as a curve over k', on which the others are level."""
    risks = curve.risks[..., 0]
    others = risks.shape[2] - len(k_noises)
    level = np.repeat(risks[:, :, :others, None], len(k_noises), axis=3)
    over = np.concatenate([level, risks[:, :, None, others:]], axis=2)
    names = (*curve.names[:others], "estimated")
    return replace(curve, over="k_noise", values=np.array(k_noises), names=names, risks=over)
