"""WeightLab: what class weights do to the decisions of k nearest neighbors among three classes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import regions
from knnviz.bounds import khim
from knnviz.labs.counted import COUNTED, TIES, EntriesLab
from knnviz.labs.engine.parameters import Choice, Float
from knnviz.labs.engine.scenes import Preset
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.sizes import LARGEST_MASS, MASS_STEP
from knnviz.labs.parts.sources import field, known
from knnviz.labs.sheets import Sheet
from knnviz.profiles import BallProfile
from knnviz.views import entries as entry_view
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import sets as set_view
from knnviz.views import triangle as triangle_view
from knnviz.views import votes as votes_view
from knnviz.views.layers import Axes, Layer, Panel

#: What the map can show besides the rule's regions.
SETS = ("disagreement", "effective boundary", "lower-bound set", "regions only")

#: Where the mass and the margin of the effective boundary come from.
BOUNDARIES = ("Theorem 1", "p and Delta as set")

#: What stands over the line.
LINE = "Line, and the Bayes rule above"

#: Ball masses that are kept on the line: those of its cells.
LINE_MASSES = tuple((np.arange(1, 1001) / 1000).tolist())

SCREEN = Sheet(
    (960, 680),
    map=(66, 40, 400, 292),
    votes=(66, 508, 400, 118),
    more={
        "plane": (66, 40, 292, 292),
        "triangle": (594, 36, 318, 262),
        "entries": (560, 378, 386, 104),
        "scores": (560, 568, 386, 80),
    },
    legend={"legend_left": 8},
)
PROJECTOR = Sheet(
    (667, 640),
    map=(64, 36, 250, 216),
    votes=(64, 456, 250, 128),
    more={
        "plane": (64, 36, 216, 216),
        "triangle": (384, 32, 262, 216),
        "entries": (372, 322, 282, 90),
        "scores": (372, 504, 282, 84),
    },
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 48},
    reading=votes_view.TWO_LINES,
    most_points=200,
)

EQUAL = {"q0": round(1 / 3, 12), "q1": round(1 / 3, 12), "q2": round(1 / 3, 12)}
FIGURE_1 = {"problem": "waves", "n": 1000, "k": 50}

#: A sample on which it shows who is positive on a tie.
FIFTY = {"n": 50, "k": 18, "seed": 2, "counted": COUNTED[1], "ties": TIES[1]}


class WeightLab(EntriesLab):
    """Line (or Map), Triangle of weights, weighted votes around x, confusion entries and scores, for three classes."""

    title = "class weights"
    sheets = (SCREEN, PROJECTOR)
    number_names: Mapping[str, str] = {
        "weights": "weights q",
        "disagreement": "disagreement",
        "ball_mass": "ball mass p",
        "ball_margin": "margin Delta",
        "boundary_mass": "boundary mass",
        "bound": "bound of Theorem 1",
        "lower_mass": "mass of the set",
        "weighted_risk": "weighted risk",
        "weighted_bayes_risk": "weighted Bayes risk",
        "training_macro_f1": "macro F1, training points",
        "new_macro_f1": "macro F1, new points",
        "held_out_macro_f1": "macro F1, new points held out",
        "bayes_macro_f1": "macro F1, Bayes rule",
        "new_micro_f1": "micro F1, new points",
        "held_out_micro_f1": "micro F1, new points held out",
        "votes": "votes at x",
        "decision": "decision at x",
        "note": "note",
    }

    overlay = Choice(SETS[0], SETS).tag(label="show", group="Sets", tip="What the map shows besides regions")
    boundary = Choice(BOUNDARIES[0], BOUNDARIES).tag(
        label="boundary", tip="Ball mass p and margin Delta as the theorem has them, or of one's own"
    )
    mass = Float(0.1, min=MASS_STEP, max=LARGEST_MASS, step=MASS_STEP, digits=3).tag(
        label="ball mass", symbol="p", tip="Balls up to this probability mass are looked at"
    )
    margin = Float(0.05, min=0, max=0.5).tag(
        label="margin", symbol="Delta", tip="By how much the best weighted class must lead in every ball"
    )
    delta = Float(0.05, min=0.01, max=0.5).tag(
        label="failure probability", symbol="delta", tip="The theorem holds but for this probability"
    )
    order = (
        "q0",
        "q1",
        "q2",
        "problem",
        "n",
        "seed",
        "k",
        "overlay",
        "boundary",
        "mass",
        "margin",
        "delta",
        "counted",
        "ties",
        "x1",
        "x2",
    )

    presets = (
        Preset("Figure 1, left", "Khim et al., Figure 1", FIGURE_1 | EQUAL),
        Preset("Figure 1, right", "Khim et al., Figure 1", FIGURE_1),
        Preset("Figure 2: q'", "Khim et al., Figure 2", FIGURE_1 | {"q0": 0.52, "q1": 0.29, "q2": 0.19}),
        Preset("Theorem 1", "Khim et al., Theorem 1", {"n": 8000, "k": 200, "overlay": SETS[1]}),
        Preset("Theorem 2", "Khim et al., Theorem 2", FIGURE_1 | {"overlay": SETS[2]}),
        Preset("Fifty points", "Khim et al., Table 1", FIFTY),
        Preset(
            "One class dominates",
            "gaussians with Zipf's prior",
            {"problem": "zipf on a line", "n": 4000, "k": 100} | EQUAL,
        ),
        Preset("Three clouds", "gaussians in the plane", {"problem": "three gaussians", "n": 2000, "k": 25}),
        Preset("Iris", "scikit-learn's iris data", {"problem": "iris", "k": 15, "overlay": SETS[3]} | EQUAL),
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """What does nothing: p and Delta where the theorem gives them, sets without eta."""
        hidden, overlay = super().hidden(values), values["overlay"]
        hidden |= {"boundary", "mass", "margin", "delta"} if overlay != SETS[1] else set()
        hidden |= {"mass", "margin"} if values["boundary"] == BOUNDARIES[0] else {"delta"}
        return hidden | ({"overlay"} if known(values["problem"]).eta is None else set())

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """Data whose distribution is not known show regions only."""
        notes = super().coerce(values, given)
        source = known(values["problem"])
        if "overlay" not in given and source.eta is None and values["overlay"] != SETS[3]:
            notes.append(f"{source.name} shows {SETS[3]}.")
            values["overlay"] = SETS[3]
        return notes

    def validate(self, values: Mapping[str, Any]) -> None:
        """Sets need a known distribution; besides what every weighted vote asks for."""
        super().validate(values)
        source = known(values["problem"])
        if values["overlay"] != SETS[3] and source.eta is None:
            raise ValueError(f"{values['overlay']} needs a known distribution, but {source.name} is data")

    @stage(compare_values=True)
    def ball_masses(self) -> tuple[float, ...]:
        """Masses that the balls are kept at: all there are on the line."""
        return LINE_MASSES if self.plane.dimension == 1 else super().ball_masses

    @property
    def asked_masses(self) -> tuple[float, ...]:
        """The ball mass p, if it is set."""
        return (self.mass,) if self.overlay == SETS[1] and self.boundary == BOUNDARIES[1] else ()

    @stage
    def ball(self) -> BallProfile:
        """The balls around the cells."""
        return self.balls[1]

    @stage
    def theorem(self) -> khim.BoundaryBound:
        """What Theorem 1 says of this n and k."""
        return khim.theorem_1(self.n, self.k, self.delta, self.q)

    @stage
    def asked(self) -> tuple[float, float]:
        """Ball mass p and margin Delta of the boundary on show."""
        if self.boundary == BOUNDARIES[1]:
            return self.mass, self.margin
        return self.theorem.mass, self.theorem.margin

    @stage
    def in_set(self) -> np.ndarray | None:
        """The set on show, on the cells of the map or of the balls; None where balls are too small to tell."""
        if self.overlay == SETS[0]:
            return self.disagreeing
        largest = self.ball.masses[-1]
        if self.overlay == SETS[2]:
            reach = min((self.k + np.sqrt(self.k) + 1) / self.n, 1)
            return regions.lower_bound_set(self.ball, self.n, self.k, self.q) if reach <= largest else None
        mass, margin = self.asked
        # No class leads by more than the largest weight.
        if margin > max(self.q) or mass > 1:
            return np.ones(len(self.ball), bool)
        return regions.effective_boundary(self.ball, mass, margin, self.q) if mass <= largest else None

    @stage
    def set_mass(self) -> float | None:
        """The probability of the set on show."""
        if self.in_set is None:
            return None
        # Weights that sum to 1 may do so up to rounding.
        return float(min(field(self.problem, self.balls[0]).measure.weights[self.in_set].sum(), 1.0))

    @stage
    def set_numbers(self) -> dict[str, Any]:
        """The mass of the set on show, and the bound that it gives; a note where it cannot be told."""
        if self.overlay in (SETS[0], SETS[3]):
            return {}
        if self.set_mass is None:
            return {"note": f"balls reach beyond mass {self.ball.masses[-1]:g}, the largest that is kept"}
        if self.overlay == SETS[2]:
            return {"lower_mass": self.set_mass}
        return {"boundary_mass": self.set_mass} | self._promise()

    def _promise(self) -> dict[str, Any]:
        """The bound of Theorem 1, if the set on show is the theorem's, and why it says nothing, if so."""
        if self.boundary == BOUNDARIES[1]:
            return {}
        theorem = self.theorem
        bound = theorem.disagreement(self.set_mass)
        words = {"ball_mass": theorem.mass, "ball_margin": theorem.margin, "bound": bound}
        if not theorem.proved:
            return words | {"note": "k is too small for the theorem"}
        return words | ({"note": "the bound says nothing"} if bound == 1 else {})

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out."""
        new, votes = self.new_entries, tuple(int(count) for count in self.x_votes.counts[0, self.k - 1])
        found: dict[str, Any] = {
            "weights": self.q,
            **self.set_numbers,
            "training_macro_f1": self.sample_entries.macro_f1,
        }
        where = "held_out" if self.bayes_entries is None else "new"
        found |= {f"{where}_macro_f1": new.macro_f1, f"{where}_micro_f1": new.micro_f1}
        if self.bayes_entries is not None:
            found |= self.known_numbers
        shown = self.entries
        scores = {name: tuple(getattr(shown, name).round(6).tolist()) for name in ("precision", "recall", "f1")}
        return found | scores | {"votes": votes, "decision": self.decision}

    @stage
    def known_numbers(self) -> dict[str, float]:
        """Numbers that need the distribution."""
        bayes = self.bayes_entries
        return {
            "disagreement": self.disagreement,
            "bayes_macro_f1": bayes.macro_f1,
            "bayes_micro_f1": bayes.micro_f1,
            "weighted_risk": self.decided.weighted_risk(self.q),
            "weighted_bayes_risk": self.bayes_decided.weighted_risk(self.q),
        }

    @stage
    def set_layers(self) -> tuple[Layer, ...]:
        """The set on show, and on the line what the weighted Bayes rule decides."""
        strip = (
            () if self.best is None or self.plane.dimension == 2 else (line_view.strip(self.plane, self.best, "best"),)
        )
        if self.overlay == SETS[3] or self.in_set is None:
            return strip
        return set_view.region(self.plane, self.in_set, "set", self.overlay), *strip

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """Map or Line and Votes to the left, Triangle, Entries and Scores to the right."""
        over = (*self.share_layers, *self.query_layers)
        stack = self.region_layer, *self.set_layers, self.point_layer, self.voter_layer, *self.truth_layers, *over
        votes = *self.population_layers, *self.curve_layers, *self.reading_layers
        return tuple(map(Panel, self.axes, (stack, votes, self.triangle_layers, self.entry_layers, self.score_layers)))

    @stage
    def axes(self) -> tuple[Axes, ...]:
        """The frames of the panels."""
        sheet, plane = self.sheet, self.plane
        place = sheet.more["plane"] if plane.dimension == 2 else sheet.map
        frame = self.view.axes(plane, place)
        votes = replace(votes_view.axes(self.k_limit, sheet.votes), title="Weighted votes around x", ylabel="q share")
        frames = (
            frame if plane.dimension == 2 else replace(frame, title=LINE, ylabel="q probability"),
            votes,
            triangle_view.axes(sheet.more["triangle"]),
            entry_view.axes(self.class_names, sheet.more["entries"]),
            entry_view.score_axes(sheet.more["scores"]),
        )
        return sheet.framed(frames)

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        counts = self.x_votes.counts[0]
        votes = votes_view.describe(self.x, counts[self.k - 1], self.k, self.class_names, self.decision)
        drawn = map_view.describe(self.plane, self.labels, self.observed, self.sheet.most_points)
        where = "points held out" if self.bayes_entries is None and self.counted == COUNTED[0] else self.counted
        scores = entry_view.describe(self.entries, self.class_names, f"Scores on {where}")
        hatched = "" if self.overlay == SETS[3] else f" Hatched is the {self.overlay}."
        return f"{drawn}{hatched} {votes} {scores} {self.numbers_text()}."
