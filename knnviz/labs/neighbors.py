"""NeighborLab: the vote of the k nearest neighbors, what it can and cannot see, and its risk."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from knnviz import regions, risk
from knnviz.corruption import LabelNoise
from knnviz.labs.engine.lab import Preset
from knnviz.labs.engine.parameters import Choice, Float
from knnviz.labs.engine.stages import stage
from knnviz.labs.ground import FULL, LARGEST_MASS, MASS_STEP
from knnviz.labs.pictures import CURVES, PictureLab
from knnviz.labs.risks import Look
from knnviz.labs.sources import field, known
from knnviz.rules import Rule, Threshold, Vote, exact
from knnviz.views import sets as set_view
from knnviz.views.layers import Layer
from knnviz.views.votes import Cut

#: What the map can show besides the rule's regions.
SETS = ("regions only", "effective boundary", "advantage", "misled points")

#: In how many samples a risk curve is taken, and where it is measured.
REPEATS = 20
KS = tuple(sorted({*range(1, 10, 2), *np.geomspace(11, 200, 16).round().astype(int).tolist()}))
SIZES = (50, 100, 200, 400, 800, 1500, 3000, 5500, 8000)

THEOREM_3 = "Chaudhuri & Dasgupta, in Rittler & Chaudhuri's Theorem 3"


class NeighborLab(PictureLab):
    """Map (or Line), Vote curve and Risk of k nearest neighbors; labels may be noisy, classes weighted."""

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
    for_two_classes: Mapping[str, Any] = {"p0": 0.0, "p1": 0.0, "q1": 0.5}
    curve_looks: Mapping[str, Look] = {"kNN": Look(f"mean, {REPEATS} samples")}

    q1 = Float(0.5, min=0.05, max=0.95).tag(
        label="weight of class 1", symbol="q1", group="Rule", tip="Its votes count q1, those of class 0 count 1 - q1"
    )
    overlay = Choice(SETS[0], SETS).tag(label="show", group="Sets and curves", tip="What the map shows besides regions")
    mass = Float(0.05, min=MASS_STEP, max=LARGEST_MASS, step=MASS_STEP, digits=3).tag(
        label="ball mass", symbol="p", tip="Balls up to this probability mass are looked at"
    )
    margin = Float(0.1, min=0, max=0.5).tag(
        label="margin", symbol="Delta", tip="How far a ball's frequency must be from the cut"
    )
    mass_cap = Float(0.25, min=MASS_STEP, max=LARGEST_MASS, step=MASS_STEP, digits=3).tag(
        label="largest mass", symbol="A", tip="Largest ball mass that the advantage considers"
    )

    order = (
        "problem",
        "n",
        "seed",
        "p0",
        "p1",
        "k",
        "q1",
        "overlay",
        "mass",
        "margin",
        "mass_cap",
        "curve",
        "x1",
        "x2",
    )

    presets = (
        Preset("Jump: boundary", THEOREM_3, {"problem": "jump", "overlay": SETS[1], "mass": 0.2, "margin": 0.1}),
        Preset("Slope: boundary", THEOREM_3, {"problem": "linear", "overlay": SETS[1], "mass": 0.1, "margin": 0.1}),
        Preset(
            "Bump: the bound at work",
            THEOREM_3,
            {"problem": "bump", "n": 1000, "k": 60, "overlay": SETS[1], "mass": 0.108479, "margin": 0.223448},
        ),
        Preset("Jump: advantage", "Balsubramani et al.", {"problem": "jump", "overlay": SETS[2], "mass_cap": 0.1}),
        Preset("Wave: boundary", THEOREM_3, {"problem": "wave2d", "overlay": SETS[1], "mass": 0.05, "margin": 0.2}),
        Preset("Wave: advantage", "Balsubramani et al.", {"problem": "wave2d", "overlay": SETS[2]}),
        Preset("One neighbor never learns", "Cover & Hart", {"k": 1, "n": 8000, "curve": CURVES[2]}),
        Preset("Even noise, many votes", "Gao et al., Figure 1(b)", {"p0": 0.2, "p1": 0.2, "k": 200, "n": 8000}),
        Preset(
            "Uneven noise misleads",
            "Gao et al., Figure 1(a)",
            {"p0": 0.1, "p1": 0.4, "k": 200, "n": 8000, "overlay": SETS[3]},
        ),
        Preset("Three classes", "Khim et al., section 5", {"problem": "waves", "n": 1000, "k": 50}),
    )

    @property
    def is_preview(self) -> bool:
        """Whether the map, or the set on it, is still the coarse one."""
        read_off_balls = self.overlay in SETS[1:3]
        return super().is_preview or (read_off_balls and self.balls[0] < FULL[self.plane.dimension])

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """What does nothing: p and Delta without effective boundary, A without advantage, sets without eta."""
        hidden = super().hidden(values)
        hidden |= {"mass", "margin"} if values["overlay"] != SETS[1] else set()
        hidden |= {"mass_cap"} if values["overlay"] != SETS[2] else set()
        return hidden | ({"overlay", "mass", "margin", "mass_cap"} if known(values["problem"]).eta is None else set())

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """Data whose distribution is not known show regions only."""
        notes = super().coerce(values, given)
        source = known(values["problem"])
        if "overlay" not in given and (source.eta is None or (source.n_classes > 2 and values["overlay"] == SETS[3])):
            notes += [] if values["overlay"] == SETS[0] else [f"{source.name} shows {SETS[0]}."]
            values["overlay"] = SETS[0]
        return notes

    def validate(self, values: Mapping[str, Any]) -> None:
        """Sets need a distribution that is known, misled points two classes; besides what the ground asks for."""
        super().validate(values)
        source = known(values["problem"])
        if values["overlay"] != SETS[0] and source.eta is None:
            raise ValueError(f"{values['overlay']} needs a known distribution, but {source.name} is data")
        if values["overlay"] == SETS[3] and source.n_classes > 2:
            raise ValueError(f"misled points need two classes, got {source.n_classes}")

    @property
    def asked_masses(self) -> tuple[float, ...]:
        """The ball masses p and A."""
        return self.mass, self.mass_cap

    @stage
    def cut(self) -> Fraction:
        """Share of class 1 that the rule asks for: q0 / (q0 + q1)."""
        return 1 - exact(self.q1)

    @stage
    def cuts(self) -> tuple[Cut, ...]:
        """The cut as it is drawn, between two classes."""
        return (Cut(float(self.cut)),) if self.plane.n_classes == 2 else ()

    @stage
    def rule(self) -> Rule:
        """The vote; with weights, a moved cut."""
        return Threshold(self.cut) if self.plane.n_classes == 2 else Vote()

    @stage
    def labels(self) -> np.ndarray:
        """Decisions at the cells."""
        return self.rule.predict(self.cell_votes, self.k)

    @stage
    def decision(self) -> str:
        """Decision at the query point, by name."""
        return self.plane.class_names[self.rule.predict(self.x_votes, self.k)[0]]

    @stage
    def noisy(self) -> np.ndarray:
        """eta_corr at the cells."""
        return self.noise.corrupt(self.field.eta) if self.plane.n_classes == 2 else self.field.eta

    @stage
    def limit(self) -> float:
        """Risk of the vote of ever more neighbors in ever smaller balls: it decides by eta_corr."""
        return self.limits_of_risks.vote(self.noise, float(self.cut)) if self.plane.n_classes == 2 else self.bayes_risk

    @stage
    def risks(self) -> dict[str, float]:
        """Exact risk beside the Bayes risk where eta is known, else the risk on points held out."""
        if self.plane.eta is None:
            return {"held_out_risk": risk.held_out(self.rule.predict(self.test_votes, self.k), self.source.y_test)}
        exactly = risk.exact(self.labels, self.field.eta, self.field.measure.weights)
        return {"risk": exactly, "bayes_risk": self.bayes_risk, "limit": self.limit}

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out."""
        votes = tuple(int(count) for count in self.x_votes.counts[0, self.k - 1])
        flipped = int(np.sum(self.observed != self.sample.y))
        return {**self.risks, "votes": votes, "decision": self.decision, "flipped": flipped, **self.set_numbers}

    @stage
    def q(self) -> tuple[float, ...] | None:
        """Class weights on the simplex."""
        return (1 - self.q1, self.q1) if self.plane.n_classes == 2 else None

    @stage
    def noise_seen(self) -> LabelNoise | None:
        """Noise that the balls are read through."""
        return self.noise if self.plane.n_classes == 2 else None

    @stage
    def boundary(self) -> np.ndarray:
        """The effective boundary on the cells of the balls."""
        return regions.effective_boundary(self.balls[1], self.mass, self.margin, self.q, noise=self.noise_seen)

    @stage
    def advantages(self) -> np.ndarray:
        """The advantage of the cells of the balls."""
        return regions.advantage(self.balls[1], self.mass_cap, noise=self.noise_seen)

    @stage
    def misled(self) -> np.ndarray:
        """The totally misled cells."""
        return regions.disagreement(self.field.eta, self.noisy, float(self.cut))

    @stage
    def set_numbers(self) -> dict[str, float]:
        """The mass of the set on show, or the advantage at x."""
        if self.overlay == SETS[1]:
            weights = field(self.problem, self.balls[0]).measure.weights
            return {"boundary_mass": float(weights[self.boundary].sum())}
        if self.overlay == SETS[2]:
            resolution = self.balls[0]
            steps = [(at - low) / (high - low) for at, (low, high) in zip(self.x, self.plane.box, strict=True)]
            column, *row = (int(min(step * resolution, resolution - 1)) for step in steps)
            return {"advantage": float(self.advantages[column + resolution * sum(row)])}
        return {"misled_mass": float(self.field.measure.weights[self.misled].sum())} if self.overlay == SETS[3] else {}

    @stage
    def set_layers(self) -> tuple[Layer, ...]:
        """The set on show."""
        if self.overlay == SETS[1]:
            return (set_view.region(self.plane, self.boundary, "boundary", "effective boundary"),)
        if self.overlay == SETS[3]:
            return (set_view.region(self.plane, self.misled, "misled", "misled points", hatch="\\"),)
        return ()

    @stage
    def region_layer(self) -> Layer:
        """What the map is coloured by."""
        if self.overlay == SETS[2]:
            return set_view.advantage(self.plane, self.advantages)
        return self.view.regions(self.plane, self.labels)

    @stage(streaming=True)
    def risk_curve(self) -> Iterator[risk.RiskCurve | None]:
        """Mean risk over fresh samples, as far as it is known."""
        if self.curve == CURVES[0]:
            yield None
            return
        settings = {"repeats": REPEATS, "noise": self.noise}
        if self.curve == CURVES[1]:
            settings |= {"over": {"k": [k for k in KS if k <= self.n]}, "n": self.n}
        else:
            most = self.plane.max_size or SIZES[-1]
            sizes = sorted({*(size for size in SIZES if size <= most), min(most, SIZES[-1])})
            settings |= {"over": {"n": [size for size in sizes if size >= self.k]}, "k": self.k}
        plane, rule = self.plane, self.rule
        yield None
        yield from risk.stream(plane, {"kNN": rule}, **settings)
