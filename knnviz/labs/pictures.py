"""The picture of a lab on a sample: Vote curve and Risk curve beside Map or Line, each layer a stage of its own."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz import risk
from knnviz.corruption import LabelNoise
from knnviz.labs.engine.parameters import Choice
from knnviz.labs.engine.stages import stage
from knnviz.labs.risks import OFF, RiskLab
from knnviz.labs.sheets import Sheet
from knnviz.labs.votes import VoteLab
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import risk as risk_view
from knnviz.views import votes as votes_view
from knnviz.views.layers import Axes, Layer, Panel

SCREEN = Sheet(
    (900, 640),
    map=(66, 40, 420, 420),
    votes=(560, 40, 326, 180),
    risk=(560, 372, 326, 150),
    legend={"legend_left": 8},
)

#: A smaller sheet, magnified: letters, markers and lines take more of it.
PROJECTOR = Sheet(
    (667, 490),
    map=(64, 36, 286, 286),
    votes=(424, 36, 228, 120),
    risk=(424, 270, 228, 110),
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 48},
    reading=votes_view.TWO_LINES,
    most_points=300,
)

#: What the risk curve can run over.
CURVES = (OFF, "over k", "over n")


class PictureLab(RiskLab, VoteLab):
    """Three linked views of a rule that a subclass gives: what it decides, at what cut, and at what risk."""

    curve = Choice(CURVES[0], CURVES).tag(label="risk curve", tip="Mean risk over twenty fresh samples")

    sheets: tuple[Sheet, Sheet] = (SCREEN, PROJECTOR)
    overs: Mapping[str, str | None] = dict(zip(CURVES, (None, "k", "n"), strict=True))

    #: eta of noisy labels at the cells, the risk of the vote of ever more neighbors, and the risks in hand.
    noisy: np.ndarray
    limit: float
    risks: Mapping[str, float]

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the risk curve is a number of neighbors or of points."""
        return self.nearest_step(self.over_parameter, x) if panel == "risk" else super().pick(panel, x, y, mark, index)

    @property
    def over_parameter(self) -> str:
        """The parameter that the axis of risks stands for."""
        return "k_noise" if self.over == "k'" else self.over

    @stage
    def noisy_layers(self) -> tuple[Layer, ...]:
        """eta of noisy labels on the line, if there is noise."""
        if self.plane.dimension == 2 or self.noise == LabelNoise():
            return ()
        return tuple(line_view.noisy_curves(self.field.grid.points[:, 0], self.noisy))

    @stage
    def risk_limits(self) -> tuple[float, float]:
        """Ends of the axis of the risk curve."""
        return (0, 1.03 * self.k_limit) if self.over == "k" else (40, 9_500)

    @stage(compare_values=True)
    def risk_range(self) -> tuple[float, float]:
        """Ends of the axis of risks: all that is drawn lies between them."""
        curve = self.risk_curve
        known = [] if curve is None or not curve.done else [float(np.nanmax(curve.mean))]
        return risk_view.limits(self.bayes_risk, max(*self.risks.values(), *self.levels, *known, 0.0))

    @stage
    def limits_of_risks(self) -> risk.Limits:
        """What risks tend to under any label noise, between two classes."""
        return risk.Limits.of(self.truth.eta, self.truth.measure.weights)

    @property
    def levels(self) -> tuple[float, ...]:
        """Risks that are drawn as levels, besides the Bayes risk."""
        return () if self.plane.eta is None else (self.limit,)

    @stage
    def level_layers(self) -> tuple[Layer, ...]:
        """Bayes risk, and the limit of the vote, where they are known."""
        if self.plane.eta is None:
            return ()
        ends = self.risk_limits
        limit = risk_view.level(self.limit, ends, "limit", "limit of the vote", (2, 3))
        return risk_view.bayes(self.bayes_risk, ends), limit

    @stage
    def here_layers(self) -> tuple[Layer, ...]:
        """The risk of the sample in hand."""
        return (risk_view.here(self.here, next(iter(self.risks.values())), "this sample"),)

    @property
    def here(self) -> int:
        """Where on the axis of risks the sample in hand is."""
        return getattr(self, self.over_parameter)

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """Map or Line to the left, Vote curve and Risk to the right."""
        over = (*self.noisy_layers, *self.cut_layers, *self.share_layers, *self.query_layers)
        stack = self.region_layer, *self.set_layers, self.point_layer, self.voter_layer, *self.truth_layers, *over
        votes = *self.population_layers, *self.curve_layers, *self.reading_layers
        risks = *self.level_layers, *self.mean_layers, *self.here_layers
        return tuple(map(Panel, self.axes, (stack, votes, risks)))

    @stage
    def axes(self) -> tuple[Axes, ...]:
        """The frames of the panels."""
        sheet = self.sheet
        frames = (
            self.view.axes(self.plane, sheet.map),
            votes_view.axes(self.k_limit, sheet.votes),
            risk_view.axes(self.over, self.risk_limits, self.risk_range, sheet.risk),
        )
        return sheet.framed(frames)

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        counts = self.x_votes.counts[0]
        votes = votes_view.describe(self.x, counts[self.k - 1], self.k, self.plane.class_names, self.decision)
        drawn = map_view.describe(self.plane, self.labels, self.observed, self.sheet.most_points)
        return f"{drawn} {votes} {self.curve_words}{self.numbers_text()}."
