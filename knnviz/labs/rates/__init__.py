"""RatesLab: how fast the risk of robust kNN approaches the Bayes risk on a line, and what a theorem guarantees.

eta_corr is the regression function of the noisy labels, and e its estimate: the fraction of class 1 among the noisy
labels of the k nearest neighbors. The smallest and the largest e at a training point estimate p0 and 1 - p1, and their
midrange the threshold of robust kNN. Points are misled where the majority of noisy labels differs from the Bayes
classifier. The bounds have two terms: the vote term bounds the random error of e, and the smoothness term the
difference of eta_corr between a point and its neighbors. k_n makes both decrease at the same rate in n.
"""

from collections.abc import Mapping
from typing import Any

from knnviz.labs.old_engine import Choice, Float, Lab, Preset, Seed, columns, rows, stage
from knnviz.labs.old_parts.line_sample import LineSample, WindowVotes
from knnviz.labs.old_parts.risk_panel import OFF, CurrentRisk, RiskLevel
from knnviz.labs.old_parts.robust_rules import COLORS, DEGENERATE, STYLES, risk_markers
from knnviz.labs.rates.layers import CURVES, REPEATS, BoundPanel, LinePanel, RatesPanel, VotesPanel
from knnviz.labs.rates.line import LineNoise, LineQuery, LineRules, RisingLine
from knnviz.labs.rates.theorem import MOST, TOLERANCE, Theorem
from knnviz.problems import ramp

FIGURE_1 = {"n": 1000, "neighbors": "k_n"}


class RatesLab(Lab):
    """Line, Votes around x with the Extremes over k, Risk over n, and the Bound, for kNN and robust kNN.

    Source: Reeve & Kaban, sections 4 and 5.

    Examples
    --------
    >>> from knnviz.labs import RatesLab
    >>> found = RatesLab(p0=0.1, p1=0.3, n=1000).readout()
    >>> found["limit"], found["robust_limit"], found["bayes_risk"]
    (0.379637, 0.305556, 0.305556)
    """

    title = "fast rates"
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
        "threshold": "estimated threshold",
        "misled_mass": "misled mass",
        "consistent": "any learner consistent on noisy labels",
        "bound": "bound on excess",
        "tight_bound": "its tight form",
        "promised_rate": "promised rate",
        "fitted_rate": "fitted rate",
        "votes": "votes at x",
        "decision": "decision at x",
        "note": "note",
    }

    layout = columns(rows(("map", 0.6), ("bound", 0.45)), rows(("votes", 0.6), ("risk", 0.39)))

    order = ("shape", "low", "high", "n", "seed", "p0", "p1", "neighbors", "k", "curve", "bound_over")

    presets = (
        Preset("Figure 1", "Reeve & Kaban, Figure 1", FIGURE_1),
        Preset("Figure 1, mirrored", "Reeve & Kaban, section 5", FIGURE_1 | {"p0": 0.3, "p1": 0.1, "x1": 0.45}),
        Preset("A million points", "Reeve & Kaban, Theorem 5.1", {"n": MOST, "curve": "over n"}),
        Preset(
            "How fast the excess falls",
            "Reeve & Kaban, Theorem 4.3",
            {"n": 64_000, "curve": "excess over n", "margin_exponent": 1.0, "margin_constant": 5.333333},
        ),
        Preset(
            "When the bound wakes up",
            "Reeve & Kaban, Theorem 4.3",
            {"n": MOST, "delta": 0.01, "smoothness_constant": 1.5, "bound_over": "over n"},
        ),
        Preset(
            "One point",
            "Reeve & Kaban, Theorem 4.1",
            {"n": 2000, "x1": 0.0, "smoothness_constant": 1.5, "bound_over": "at x, over k"},
        ),
        Preset("k for the noise", "Reeve & Kaban, Theorem 4.2", {"n": 2000, "neighbors": "k as set", "k": 100}),
        Preset(
            "Range assumption broken",
            "Reeve & Kaban, Assumption 2",
            {"shape": "ramp", "low": 0.2, "high": 1.0, "n": 64_000, "curve": "over n", "x1": 0.45},
        ),
        Preset(
            "Two levels",
            "Reeve & Kaban, section 5",
            {"shape": "two levels", "low": 0.3, "high": 0.7, "n": 64_000, "curve": "over n", "x1": 0.7},
        ),
    )

    n, p0, p1 = Theorem.n, Float(0.1, min=0, max=0.95), Float(0.3, min=0, max=0.95)
    seed = Seed().tag(tip="Another seed draws another sample")

    points = LineSample(chosen_problem=ramp(), n=n, seed=seed)
    line = RisingLine(points=points, p0=p0, p1=p1)
    noise = LineNoise(data=line, p0=p0, p1=p1)
    theorem = Theorem(line=line, noise=noise.model)
    counts = WindowVotes(data=points, labels=noise.labels)
    rules = LineRules(line=line, noise=noise, windows=points.windows, votes=counts.profile, k=theorem.k_in_use)
    query = LineQuery(rules=rules)

    @property
    def levels(self) -> tuple[RiskLevel, ...]:
        known = self.noise.known_risks
        plain = RiskLevel(known["limit"], name="limit", label="limit of kNN", dash=(2, 3))
        robust = RiskLevel(
            known["robust_limit"],
            name="robust",
            label="limit of robust kNN",
            dash=(9, 3, 2, 3),
            color=COLORS["estimated"],
        )
        return (plain, robust) if robust.risk > known["bayes_risk"] + TOLERANCE else (plain,)

    @property
    def current_risks(self) -> tuple[CurrentRisk, ...]:
        return risk_markers(self.rules.risks["plain_risk"], self.rules.risks["robust_risk"])

    @property
    def current_x(self) -> dict[str, int]:
        return {"n": self.n}

    @property
    def consistent(self) -> str:
        """What consistency on noisy labels costs: Theorem 5.1 with our amount, in words."""
        least = self.noise.bayes_risk + self.noise.least_excess
        return f"has a limit risk on true labels of at least {least:.4f} (after Theorem 5.1)"

    @stage
    def numbers(self) -> dict[str, Any]:
        rates, fitted, unmet = self.rules.estimated.noise_rates, self.risk.rate, self.theorem.unmet_assumptions
        if rates.degenerate:
            unmet = [DEGENERATE, *unmet]
        return {
            **self.rules.risks,
            **self.noise.known_risks,
            "k": self.theorem.k_in_use,
            "misled_mass": self.noise.risk_limits.misled(self.noise.model),
            **({"consistent": self.consistent} if self.noise.least_excess > TOLERANCE else {}),
            **({} if self.line.m is None else {"m": self.line.m}),
            "p0_hat": float(rates.p0),
            "p1_hat": float(rates.p1),
            "threshold": float(self.rules.estimated.threshold),
            **self.theorem.numbers,
            **({} if fitted is None else {"fitted_rate": fitted.exponent}),
            "votes": tuple(int(count) for count in self.query.votes),
            "decision": self.query.decision,
            **({"note": "; ".join(unmet)} if unmet else {}),
        }

    map = LinePanel(query=query)
    votes = VotesPanel(theorem=theorem, query=query)
    bound = BoundPanel(theorem=theorem, query=query)
    risk = RatesPanel(
        bayes_risk=noise.bayes_risk,
        levels=levels,
        current_risks=current_risks,
        current_x=current_x,
        styles=STYLES,
        x_limits={"n": (80, 1_500_000)},
        x_axes=dict(zip(CURVES, (None, "n", "n"), strict=True)),
        headroom=0.15,
        exponent=theorem.exponent,
        curve=Choice(OFF, CURVES).tag(group="Curves", tip=f"Mean risk over {REPEATS} fresh samples of each size"),
    )
