"""ActiveLab: labels bought in two rounds, step by step, and what they are worth beside as many plain ones."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import regions
from knnviz.labs.contests import CURVES, LEARNERS, ContestLab
from knnviz.labs.engine.parameters import within
from knnviz.labs.engine.scenes import Preset
from knnviz.labs.engine.stages import stage
from knnviz.labs.schemes import BEFORE
from knnviz.labs.sheets import Sheet
from knnviz.views import active as view
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import risk as risk_view
from knnviz.views import sets as set_view
from knnviz.views.layers import Axes, Layer, Panel

SCREEN = Sheet(
    (960, 806),
    map=(66, 68, 396, 396),
    side=(546, 68, 396, 396),
    risk=(76, 620, 330, 104),
    more={
        "story": (66, 4, 880, 28),
        "line": (110, 68, 836, 156),
        "rows": (110, 320, 836, 190),
        "draws": (480, 620, 180, 120),
        "flags": (700, 620, 250, 140),
    },
    legend={"legend_left": 8},
    most_points=600,
)
PROJECTOR = Sheet(
    (667, 668),
    map=(58, 60, 250, 250),
    side=(396, 60, 250, 250),
    risk=(58, 508, 190, 86),
    more={
        "story": (10, 4, 640, 26),
        "line": (110, 60, 536, 96),
        "rows": (110, 232, 536, 176),
        "draws": (282, 508, 150, 110),
        "flags": (446, 508, 216, 130),
    },
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 40},
    most_points=300,
)

#: Letters of the caption, and of counts and conditions.
CAPTION, TOLD = 16.0, 13.0

#: Where the axis of errors may end.
TOPS = np.array([0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0])

NOTE = "Rittler & Chaudhuri"
NARROW = {"width": 0.022, "height": 0.98, "low": 0.02}


class ActiveLab(ContestLab):
    """The first vote and where it is contentious, labels as they land, both learners, and what the theory asks."""

    title = "two rounds of labels"
    sheets = (SCREEN, PROJECTOR)
    number_names: Mapping[str, str] = {
        "passive_disagreement": "passive errs on",
        "active_disagreement": "active errs on",
        "labels": "labels bought",
        "draws": "points drawn in round two",
        "hard_mass": "mass of H",
        "augmented_mass": "mass of H+",
        "width": "2 Delta + Delta~ at k_hard",
        "k_plus": "k+",
        "plain_share_realised": "plain share of round two",
        "plain_share_expected": "plain share, expected",
        "region_voters": "voters in H",
        "mass": "ball mass p",
        "margin": "Delta at k_vote",
        "boundary_mass": "boundary mass",
    }

    presets = (
        Preset("A: narrow bump", NOTE, {}),
        Preset("A2: one coin per label", NOTE, {"coin": "per sample"}),
        Preset("B: noise everywhere", NOTE, {"problem": "jump", "a": 0.05}),
        Preset("C: c0 = 1", NOTE, {"c0": 1.0}),
        Preset("D: plain share .9", NOTE, {"plain_share": 0.9}),
        Preset("E: first round of 250", NOTE, {"n": 250, "m": 1750, "step": BEFORE + 1750}),
        Preset("E2: c_plus = 1", NOTE, {"c_plus": 1.0}),
        Preset("E3: c_plus = 4", NOTE, {"c_plus": 4.0}),
        Preset(
            "F: noisy bump",
            NOTE,
            {"width": 0.1, "height": 0.8, "low": 0.2, "n": 3000, "m": 3000, "k_hard": 300, "k_vote": 300}
            | {"step": BEFORE + 3000},
        ),
        Preset("G: wave in the square", NOTE, {"problem": "wave2d", "n": 2000, "m": 2000, "step": BEFORE + 2000}),
        Preset("A slope of power 2", "margin exponent 1/2", {"problem": "power", "kappa": 2.0}),
        Preset(
            "A real pool",
            "Breast Cancer Wisconsin, mean radius and mean texture",
            {"problem": "breast cancer", "n": 119, "m": 119, "k_hard": 59, "k_vote": 29, "step": BEFORE + 119},
        ),
    )

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the picture is the center of a ball; one on the curve is so many labels."""
        if panel == "risk":
            return {"step": BEFORE + int(within(round(x - self.values["n"]), (0, self.values["m"])))}
        box = self._source(self.values).box
        names = ("x1", "x2")[: len(box)] if panel in ("line", "rows", "map", "errors") else ()
        return {name: within(round(at, 3), side) for name, at, side in zip(names, (x, y), box, strict=False)}

    def pace(self, value: int) -> tuple[int, bool]:
        """Milliseconds that Play stays at a step, and whether it may pass over the next ones."""
        return (1500, False) if value <= BEFORE else (100, True)

    @property
    def is_preview(self) -> bool:
        """Whether the curve of this sample is still missing."""
        return self.curve == CURVES[0] and not self.own_curve.done

    @property
    def planar(self) -> bool:
        """Whether the picture is a map."""
        return self.plane.dimension == 2

    def after(self, step: int, inside: np.ndarray) -> np.ndarray:
        """A set (m,) bool once a step is reached; nothing before."""
        return inside if self.reached[step] else np.zeros(len(inside), bool)

    @stage(compare_values=True)
    def reached(self) -> tuple[bool, ...]:
        """Which of the first steps have been taken, and whether the second round has begun, or is over before."""
        return tuple(self.step >= min(at, BEFORE + self.m) for at in range(BEFORE + 2))

    @stage
    def x(self) -> np.ndarray:
        """The center (d,) of the ball on show."""
        return np.array([self.x1, self.x2][: self.plane.dimension])

    @stage
    def ball(self) -> float | None:
        """How far the ball of k+ neighbors around x reaches; None if x is not hard, or not known to be yet."""
        first = self.bought.first
        nearest = int(((self.shown.points - self.x) ** 2).sum(axis=1).argmin())
        if not self.reached[BEFORE] or not self.shown.hard[nearest]:
            return None
        return float(regions.reaches(first.X, self.x[None], first.k_plus)[0])

    @stage
    def rejects(self) -> np.ndarray:
        """Points (r, d) drawn so far whose labels nobody bought."""
        second = self.part.second
        taken = np.zeros(len(second), bool)
        taken[second.accepted] = True
        return second.points[~taken]

    @stage
    def counts(self) -> tuple[int, int, int, int]:
        """Labels of the first round, plain and targeted ones of the second, and draws rejected."""
        first = self.n if self.reached[1] else 0
        return first, *np.bincount(self.part.stage, minlength=3)[1:].tolist(), len(self.rejects)

    @stage
    def said(self) -> str:
        """What happened at this step."""
        first, sample = self.bought.first, self.part
        if self.step <= BEFORE:
            return (
                "Nothing is labeled yet.",
                f"Round one: {self.n} plain labels.",
                f"Their votes among k = {self.k_hard}: contentious within {first.width:.3f} of 1/2.",
                f"H is where they are: mass {first.hard_mass:.3f}.",
                f"Balls of k+ = {first.k_plus} neighbors fatten it: H+ has mass {first.augmented_mass:.3f}.",
            )[self.step]
        if self.bought.fallback:
            return f"Label {self.second} of {self.m}: nothing is hard, so all of them are plain."
        row, before = sample.second.accepted[-1], sample.second.accepted[-2] if self.second > 1 else -1
        kind = "plain" if sample.second.plain[row] else "targeted"
        return f"Label {self.second} of {self.m}: {row - before - 1} draws rejected, then a {kind} one bought."

    @stage
    def eta_layers(self) -> tuple[Layer, ...]:
        """eta on the line."""
        points = self.shown.points
        return tuple(line_view.eta_curves(points[:, 0], self.plane.eta(points)))

    @stage
    def first_vote(self) -> tuple[Layer, ...]:
        """The vote of the first round on the line, and its band."""
        points, shares = self.shown.points[:, 0], self.first_shares
        width = self.bought.first.width if self.reached[2] else None
        shown = shares if self.reached[2] else np.full(shares.shape, np.nan)
        return view.band(self.plane.box[0], width), *line_view.vote_curves(points, shown, "vote of round one")

    @stage
    def set_layers(self) -> tuple[Layer, ...]:
        """H+, H and the effective boundary: strips on a line, sets on the map."""
        hard, augmented = self.after(3, self.shown.hard), self.after(4, self.augmented)
        if self.planar:
            return (
                replace(set_view.region(self.plane, augmented, "augmented", "H+", "\\"), color=view.SETS["H+"]),
                replace(set_view.region(self.plane, hard, "hard", "H"), color=view.SETS["H"], opacity=0.25),
            )
        boundary = self.boundary[2]
        sets = {"H": hard, "H+": augmented}
        sets |= {} if boundary is None else {"boundary": boundary}
        return tuple(view.strip(self.plane, inside, name, view.SETS[name]) for name, inside in sets.items())

    @stage
    def label_layers(self) -> tuple[Layer, ...]:
        """The labels bought so far, the last one ringed."""
        part, most = self.part, self.sheet.most_points
        if not self.reached[1]:
            part = replace(part, X=part.X[:0], y=part.y[:0], stage=part.stage[:0])
        last = len(part.y) - 1 if self.second else None
        if self.planar:
            classes = view.class_markers(self.plane)
            return view.map_points(part.X, part.y, part.stage, last, most), classes
        rows = []
        for kind, name in enumerate(("round one", "plain", "targeted")):
            mine = np.flatnonzero(part.stage == kind)
            own = len(mine) - 1 if last is not None and len(mine) and mine[-1] == last else None
            rows.append(view.row_points(self.plane, part.X[mine], part.y[mine], name, own, most, named=not kind))
        return *rows, view.rejected(self.rejects, most)

    @stage
    def wrong(self) -> tuple[np.ndarray, np.ndarray]:
        """Cells on which the passive and the active learner err; of data, on which they say class 1."""
        best = self.shown.best
        return self.passive_decisions != best, self.active_decisions != best

    @stage
    def error_layers(self) -> tuple[Layer, ...]:
        """Who errs where, from the first label of the second round on."""
        passive, active = (self.after(BEFORE + 1, each) for each in self.wrong)
        if self.planar:
            return (view.errors(self.plane, passive, active, not self.on_data),)
        looks = view.LEARNERS
        return tuple(
            view.strip(self.plane, cells, f"{name} errs", looks[name], "\\")
            for name, cells in (("passive", passive), ("active", active))
        )

    @stage
    def story_layers(self) -> tuple[Layer, ...]:
        """What happened, as a line of text."""
        return (view.caption(self.said, CAPTION),)

    @stage
    def ball_layers(self) -> tuple[Layer, ...]:
        """The ball around x that fattens H, and its center."""
        if self.planar:
            circle = replace(map_view.ball(self.x, self.ball or np.nan), label="ball of k+")
            return circle, map_view.query(self.x)
        return (view.reach(self.x1, self.ball),)

    @stage
    def truth_layers(self) -> tuple[Layer, ...]:
        """The Bayes boundary on the map."""
        return (map_view.bayes_boundary(self.plane, 100),) if self.planar and not self.on_data else ()

    @stage
    def draw_panel(self) -> tuple[Axes, tuple[Layer, ...]]:
        """What was drawn."""
        return view.draws(self.counts, self.sheet.more["draws"], TOLD)

    @stage(compare_values=True)
    def label_limits(self) -> tuple[float, float]:
        """Ends of the axis of labels."""
        room = 0.03 * max(self.m, 10)
        return self.n - room, self.n + self.m + room

    @stage(compare_values=True)
    def error_limits(self) -> tuple[float, float]:
        """Ends of the axis of errors: what the passive learner needs, and both at the step in hand and at the end."""
        rates = self.drawn_curve.rates
        means = rates[: max(self.drawn_curve.done, 1)].mean(axis=0)[self.on_show]
        drawn = np.append(means[0], [means[1, -1], *self.disagreements])
        highest = float(np.nanmax(drawn))
        return 0.0, float(TOPS[np.searchsorted(TOPS, min(1.05 * highest, 1.0))])

    @property
    def on_show(self) -> list[int]:
        """Which learners the curve shows."""
        return [0, LEARNERS.index(self.voters)]

    @stage
    def curve_layers(self) -> tuple[Layer, ...]:
        """Both learners over labels: of this sample as far as they have been bought."""
        curve, limits = self.drawn_curve, self.error_limits
        done, size = curve.done, len(curve.rates)
        rates = curve.rates[:, self.on_show]
        if self.curve == CURVES[0]:
            rates = np.where(curve.labels <= (len(self.part) if self.reached[1] else 0), rates, np.nan)
        drawn = []
        for i, (name, color) in enumerate(view.LEARNERS.items()):
            mine = rates[:, i]
            mean = mine[:done].mean(axis=0) if done else mine[0]
            error = mine[:done].std(axis=0, ddof=1) / np.sqrt(done) if done > 1 else np.full(len(mean), np.nan)
            drawn.append(risk_view.curve(curve.labels, mean, error, name, name, color))
        bands, lines = zip(*drawn, strict=True)
        bands = risk_view.one_band(bands) if self.curve != CURVES[0] else ()
        corner = self.label_limits[1], np.dot(limits, (0.12, 0.88))
        return *bands, *lines, risk_view.progress(done if self.curve != CURVES[0] else size, size, corner)

    @stage
    def here_layers(self) -> tuple[Layer, ...]:
        """Both learners at this step."""
        at = len(self.part) if self.reached[1] else np.nan
        return tuple(
            risk_view.here(at, value, None, f"here_{name}", view.LEARNERS[name])
            for name, value in zip(view.LEARNERS, self.disagreements, strict=True)
        )

    @stage
    def flag_panel(self) -> tuple[Axes, tuple[Layer, ...]]:
        """What the theory asks."""
        return view.flags(self.conditions, self.sheet.more["flags"], TOLD)

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """First the vote and the labels, then errors, draws and conditions."""
        risks = *self.curve_layers, *self.here_layers
        stacks = self.story_layers, *self.upper_layers, risks, self.draw_panel[1], self.flag_panel[1]
        return tuple(map(Panel, self.axes, stacks))

    @stage
    def upper_layers(self) -> tuple[tuple[Layer, ...], tuple[Layer, ...]]:
        """Line and rows, or the two maps."""
        if self.planar:
            unnamed = (replace(layer, label=None) for layer in self.truth_layers)
            labels = *self.set_layers, *self.label_layers, *unnamed, *self.ball_layers
            return labels, (*self.error_layers, *self.truth_layers)
        over = *self.label_layers, *self.error_layers, *self.ball_layers
        return (*self.first_vote, *self.eta_layers), (*self.set_layers, *over)

    @stage
    def axes(self) -> tuple[Axes, ...]:
        """The frames of the panels."""
        sheet, more = self.sheet, self.sheet.more
        if self.planar:
            title = "Map: where labels are bought"
            upper = (
                replace(map_view.axes(self.plane, sheet.map), title=title, columns=3),
                view.errors_axes(self.plane, sheet.side, not self.on_data),
            )
        else:
            upper = (
                view.line_axes(self.plane, more["line"]),
                view.rows_axes(self.plane, more["rows"], sheet.most_points),
            )
        what = "held-out error" if self.on_data else "disagreement"
        risk = Axes("risk", what.capitalize(), "labels bought", "", self.label_limits, self.error_limits, sheet.risk)
        risk = replace(risk, columns=3, xticks=tuple(sorted({self.n, self.n + self.m // 2, self.n + self.m})))
        story = view.story_axes(more["story"])
        return sheet.framed((story, *upper, risk, self.draw_panel[0], self.flag_panel[0]))

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        plain, targeted, rejected = self.counts[1:]
        kinds = f"{self.counts[0]} labels of round one, {plain} plain and {targeted} targeted ones of round two"
        told = "; ".join(f"{name}: {value}" for name, value in self.numbers["flags"].items())
        ball = "" if self.ball is None else f" The ball of k+ around {self.x.tolist()} reaches {self.ball:.4f}."
        drawn = f"{self.said} {kinds}, {rejected} draws rejected.{ball}"
        return f"{drawn} {told}. {self.numbers_text()}. {self.curve_words}"

    @stage
    def curve_words(self) -> str:
        """Both learners over labels, in words and numbers."""
        curve, size = self.drawn_curve, len(self.drawn_curve.rates)
        rates = curve.rates[: max(curve.done, 1), self.on_show].mean(axis=0)
        means = (
            risk_view.describe("labels", curve.labels, mean, name)
            for name, mean in zip(view.LEARNERS, rates, strict=True)
        )
        done = "" if self.curve == CURVES[0] else f", {curve.done} of {size} samples done"
        return f"Curve of {self.curve}{done}. {' '.join(means)}"
