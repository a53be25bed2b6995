"""NeighborLab: the vote of the k nearest neighbors, its decision regions, and its risk."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from knnviz import regions, risk
from knnviz.labs.engine import Choice, Component, Float, Input, Int, Lab, Preset, columns, rows, stage
from knnviz.labs.parts.map_panel import MapPanel
from knnviz.labs.parts.neighborhoods import Cells, QueryPoint, Votes
from knnviz.labs.parts.risk_panel import CurrentRisk, RiskCurveStyle, RiskLevel, RiskPanel
from knnviz.labs.parts.set_on_map import SetOnMap
from knnviz.labs.parts.sizes import LARGEST_MASS, LARGEST_SLIDER_K, MASS_STEP
from knnviz.labs.parts.sources import field, problem_named
from knnviz.labs.parts.training_data import LabelFlips, TrainingData
from knnviz.labs.parts.vote_panel import VotePanel
from knnviz.noise import LabelNoise, decimal_fraction, misled_points
from knnviz.rules import Rule, Threshold, Vote
from knnviz.views import sets as set_view
from knnviz.views.layers import Layer
from knnviz.views.vote_curve import ThresholdLine

#: Sets of points that the map shows.
SETS = ("regions only", "effective boundary", "advantage", "misled points")
REGIONS_ONLY, BOUNDARY, ADVANTAGE, MISLED = SETS

#: How many samples a risk curve averages, and the k and n at which it is evaluated.
REPEATS = 20
KS = tuple(sorted({*range(1, 10, 2), *np.geomspace(11, 200, 16).round().astype(int).tolist()}))
SIZES = (50, 100, 200, 400, 800, 1500, 3000, 5500, 8000)

X_LIMITS = {"k": (0, 1.03 * LARGEST_SLIDER_K), "n": (40, 9_500)}
THEOREM_3 = "Chaudhuri & Dasgupta, in Rittler & Chaudhuri's Theorem 3"


class WeightedVote(Component):
    """The vote of k neighbors; class weights, for two classes, move its threshold."""

    data: TrainingData = Input()

    k = Int(25, min=1, max=LARGEST_SLIDER_K).tag(
        label="neighbors", symbol="k", group="Rule", tip="Number of neighbors that vote", at_most="n"
    )
    q1 = Float(0.5, min=0.05, max=0.95).tag(
        label="weight of class 1",
        symbol="q1",
        group="Rule",
        tip="Its votes count q1, those of class 0 count 1 - q1",
        neutral=0.5,
    )

    @stage(compare_values=True)
    def k_max(self) -> int:
        return min(LARGEST_SLIDER_K, self.data.n)

    @stage
    def threshold(self) -> Fraction:
        """The fraction of votes for class 1 from which on the rule predicts it: q0 / (q0 + q1)."""
        return 1 - decimal_fraction(self.q1)

    @stage
    def thresholds(self) -> tuple[ThresholdLine, ...]:
        return (ThresholdLine(float(self.threshold)),) if self.data.chosen_problem.n_classes == 2 else ()

    @stage
    def rule(self) -> Rule:
        return Threshold(self.threshold) if self.data.chosen_problem.n_classes == 2 else Vote()


class Decisions(Component):
    """The rule's predictions at the cells and at x, and its risk."""

    data: TrainingData = Input()
    noise: LabelFlips = Input()
    vote: WeightedVote = Input()
    cells: Cells = Input()
    query: QueryPoint = Input()
    held_out: Votes = Input()

    @stage
    def on_map(self) -> np.ndarray:
        return self.vote.rule.predict(self.cells.votes, self.vote.k)

    @stage
    def at_x(self) -> str:
        return self.data.chosen_problem.class_names[self.vote.rule.predict(self.query.votes, self.vote.k)[0]]

    @stage
    def limit(self) -> float | None:
        """The limit of the risk as k grows and k / n vanishes: the vote then decides by eta after label noise."""
        model = self.noise.model
        if model is None or self.data.bayes_risk is None:
            return self.data.bayes_risk
        return self.noise.risk_limits.vote(model, float(self.vote.threshold))

    @stage
    def risks(self) -> dict[str, float]:
        cells = self.cells.field
        if cells.eta is None:
            labels = self.vote.rule.predict(self.held_out.profile, self.vote.k)
            return {"held_out_risk": risk.held_out(labels, self.data.source.y_test)}
        exact_risk = risk.exact(self.on_map, cells.eta, cells.measure.weights)
        return {"risk": exact_risk, "bayes_risk": self.data.bayes_risk, "limit": self.limit}

    @property
    def current_risks(self) -> tuple[CurrentRisk, ...]:
        return (CurrentRisk(next(iter(self.risks.values())), "this sample"),)

    @property
    def levels(self) -> tuple[RiskLevel, ...]:
        limit = self.limit
        return () if limit is None else (RiskLevel(limit, name="limit", label="limit of the vote", dash=(2, 3)),)


class PointSet(SetOnMap):
    """The chosen set of points, its probability mass, and the advantage at x."""

    fallback_set, ball_sets = REGIONS_ONLY, (BOUNDARY, ADVANTAGE)

    noise: LabelFlips = Input()
    query: QueryPoint = Input()
    vote: WeightedVote = Input()

    overlay = Choice(REGIONS_ONLY, SETS).tag(label="show", group="Sets and curves", tip="A set that the map shows")
    mass = Float(0.05, min=MASS_STEP, max=LARGEST_MASS, step=MASS_STEP, digits=3).tag(
        label="ball mass",
        symbol="p",
        tip="Balls up to this probability mass are considered",
        when={"overlay": (BOUNDARY,)},
    )
    margin = Float(0.1, min=0, max=0.5).tag(
        label="margin",
        symbol="Delta",
        tip="How far a ball's frequency must be from the threshold",
        when={"overlay": (BOUNDARY,)},
    )
    mass_cap = Float(0.25, min=MASS_STEP, max=LARGEST_MASS, step=MASS_STEP, digits=3).tag(
        label="largest mass",
        symbol="A",
        tip="Largest ball mass that the advantage considers",
        when={"overlay": (ADVANTAGE,)},
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        return set(self.parameters) if problem_named(values["problem"]).eta is None else set()

    def refusal(self, values: Mapping[str, Any]) -> str | None:
        source, overlay = problem_named(values["problem"]), values["overlay"]
        if overlay != REGIONS_ONLY and source.eta is None:
            return f"{overlay} needs a known distribution, but {source.name} is data"
        if overlay == MISLED and source.n_classes > 2:
            return f"misled points need two classes, got {source.n_classes}"
        return None

    @stage
    def boundary(self) -> np.ndarray:
        q = (1 - self.vote.q1, self.vote.q1) if self.data.chosen_problem.n_classes == 2 else None
        balls, noise = self.cells.balls[1], self.noise.model
        return regions.effective_boundary(balls, self.mass, self.margin, q, noise=noise)

    @stage
    def advantages(self) -> np.ndarray:
        return regions.advantage(self.cells.balls[1], self.mass_cap, noise=self.noise.model)

    @stage
    def noisy_eta(self) -> np.ndarray:
        eta, model = self.cells.field.eta, self.noise.model
        return eta if model is None else model.corrupt(eta)

    @property
    def noisy_curve(self) -> np.ndarray | None:
        """eta after label noise at the cells; None without label noise or for a data set."""
        no_curve = self.noise.model in (None, LabelNoise()) or self.data.chosen_problem.eta is None
        return None if no_curve else self.noisy_eta

    @stage
    def misled(self) -> np.ndarray:
        return misled_points(self.cells.field.eta, self.noisy_eta, float(self.vote.threshold))

    @stage
    def numbers(self) -> dict[str, float]:
        if self.overlay == BOUNDARY:
            measure = field(self.data.problem, self.cells.balls[0]).measure
            return {"boundary_mass": float(measure.weights[self.boundary].sum())}
        if self.overlay == ADVANTAGE:
            return {"advantage": float(self.advantages[self.cell_of_x])}
        if self.overlay == MISLED:
            return {"misled_mass": float(self.cells.field.measure.weights[self.misled].sum())}
        return {}

    @property
    def cell_of_x(self) -> int:
        """The index of the cell around x, counted along the first coordinate first."""
        resolution, box = self.cells.balls[0], self.data.chosen_problem.box
        fractions = [(at - low) / (high - low) for at, (low, high) in zip(self.query.x, box, strict=True)]
        return sum(int(min(each * resolution, resolution - 1)) * resolution**i for i, each in enumerate(fractions))

    @stage
    def layers(self) -> tuple[Layer, ...]:
        problem = self.data.chosen_problem
        if self.overlay == BOUNDARY:
            return (set_view.region(problem, self.boundary, "boundary", "effective boundary"),)
        if self.overlay == MISLED:
            return (set_view.region(problem, self.misled, "misled", "misled points", hatch="\\"),)
        return ()

    @stage
    def regions(self) -> Layer | None:
        return set_view.advantage(self.data.chosen_problem, self.advantages) if self.overlay == ADVANTAGE else None


class Risks(RiskPanel):
    """Mean risk over fresh samples, over k or over n."""

    data: TrainingData = Input()
    noise: LabelFlips = Input()
    vote: WeightedVote = Input()

    def stream(self) -> Iterator[risk.RiskCurve | None]:
        problem, noise = self.data.chosen_problem, self.noise.model or LabelNoise()
        if self.over == "n":
            largest, k = problem.max_size or SIZES[-1], self.vote.k
            sizes = sorted({*SIZES, min(largest, SIZES[-1])})
            settings: dict[str, Any] = {"over": {"n": [size for size in sizes if k <= size <= largest]}, "k": k}
        else:
            settings = {"over": {"k": [k for k in KS if k <= self.data.n]}, "n": self.data.n}
        rules = {"kNN": self.vote.rule}
        yield None
        yield from risk.stream(problem, rules, repeats=REPEATS, noise=noise, **settings)


class NeighborLab(Lab):
    """Map (or Line), Vote curve and Risk of k nearest neighbors; labels may be noisy, classes weighted.

    Examples
    --------
    >>> from knnviz.labs import NeighborLab
    >>> found = NeighborLab(problem="linear", n=500, k=25).readout()
    >>> found["bayes_risk"], found["risk"]
    (0.3, 0.311227)
    """

    title = "k nearest neighbors"
    number_names: Mapping[str, str] = {
        "risk": "risk",
        "bayes_risk": "Bayes risk",
        "limit": "limit of the vote",
        "held_out_risk": "held-out risk",
        "votes": "votes at x",
        "decision": "decision at x",
        "flipped": "labels flipped",
        "boundary_mass": "boundary mass",
        "advantage": "advantage at x",
        "misled_mass": "misled mass",
    }
    layout = columns(("map", 1.0), rows(("votes", 0.55), ("risk", 0.42)), ratios=(7, 6))

    presets = (
        Preset("Jump: boundary", THEOREM_3, {"problem": "jump", "overlay": BOUNDARY, "mass": 0.2, "margin": 0.1}),
        Preset("Slope: boundary", THEOREM_3, {"problem": "linear", "overlay": BOUNDARY, "mass": 0.1, "margin": 0.1}),
        Preset(
            "Bump: the bound at work",
            THEOREM_3,
            {"problem": "bump", "n": 1000, "k": 60, "overlay": BOUNDARY, "mass": 0.108479, "margin": 0.223448},
        ),
        Preset("Jump: advantage", "Balsubramani et al.", {"problem": "jump", "overlay": ADVANTAGE, "mass_cap": 0.1}),
        Preset("Wave: boundary", THEOREM_3, {"problem": "wave2d", "overlay": BOUNDARY, "mass": 0.05, "margin": 0.2}),
        Preset("Wave: advantage", "Balsubramani et al.", {"problem": "wave2d", "overlay": ADVANTAGE}),
        Preset("One neighbor never learns", "Cover & Hart", {"k": 1, "n": 8000, "curve": "over n"}),
        Preset("Symmetric noise, many votes", "Gao et al., Figure 1(b)", {"p0": 0.2, "p1": 0.2, "k": 200, "n": 8000}),
        Preset(
            "Asymmetric noise misleads",
            "Gao et al., Figure 1(a)",
            {"p0": 0.1, "p1": 0.4, "k": 200, "n": 8000, "overlay": MISLED},
        ),
        Preset("Three classes", "Khim et al., section 5", {"problem": "waves", "n": 1000, "k": 50}),
    )

    @stage
    def masses(self) -> tuple[float, float]:
        return self.mass, self.mass_cap

    @stage
    def numbers(self) -> dict[str, Any]:
        votes = tuple(self.query.votes.at(self.k)[0].tolist())
        found = {"votes": votes, "decision": self.decisions.at_x, "flipped": self.noise.flipped}
        return {**self.decisions.risks, **found, **self.point_set.numbers}

    data = TrainingData()
    noise = LabelFlips(data=data)
    vote = WeightedVote(data=data)
    query = QueryPoint(data=data, labels=noise.labels, k_max=vote.k_max)
    cells = Cells(data=data, labels=noise.labels, k_max=vote.k_max, masses=masses)
    held_out = Votes(data=data, labels=noise.labels, k_max=vote.k_max, queries=lambda data: data.source.X_test)
    decisions = Decisions(data=data, noise=noise, vote=vote, cells=cells, query=query, held_out=held_out)
    point_set = PointSet(data=data, noise=noise, cells=cells, query=query, vote=vote)

    map = MapPanel(
        data=data,
        labels=noise.labels,
        cells=cells,
        query=query,
        k=vote.k,
        decisions=decisions.on_map,
        thresholds=vote.thresholds,
        noisy_eta=point_set.noisy_curve,
        set_on_map=point_set,
    )
    votes = VotePanel(
        data=data,
        query=query,
        k=vote.k,
        k_axis_end=LARGEST_SLIDER_K,
        decision=decisions.at_x,
        thresholds=vote.thresholds,
        noise=noise.model,
    )

    @property
    def current_x(self) -> dict[str, int]:
        return {"k": self.vote.k, "n": self.data.n}

    risk = Risks(
        data=data,
        noise=noise,
        vote=vote,
        current_risks=decisions.current_risks,
        levels=decisions.levels,
        current_x=current_x,
        bayes_risk=data.bayes_risk,
        styles={"kNN": RiskCurveStyle(f"mean, {REPEATS} samples")},
        x_limits=X_LIMITS,
    )

    order = (
        *("problem", "n", "seed", "p0", "p1", "k", "q1"),
        *("overlay", "mass", "margin", "mass_cap", "curve", "x1", "x2"),
    )
