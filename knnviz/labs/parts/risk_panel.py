"""The Risk: mean risks over fresh samples as they come, known levels, and the risk of the sample in hand."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from knnviz import risk
from knnviz.labs.engine.components import Input
from knnviz.labs.engine.panels import Panel
from knnviz.labs.engine.parameters import Choice
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.training_data import TrainingData
from knnviz.views import risk as risk_view
from knnviz.views import style
from knnviz.views.layers import Axes, Layer

#: What a risk curve can run over.
CURVES = ("off", "over k", "over n")


class CurveStyle(NamedTuple):
    """A curve in a legend, and its colour."""

    label: str
    color: str = style.INK


class RiskPanel(Panel):
    """Risk over k or n."""

    data: TrainingData = Input()
    risks: Mapping[str, float] = Input()
    limit: float | None = Input()
    stream: Callable[[Any, str], Iterator[risk.RiskCurve | None]] = Input()
    styles: Mapping[str, CurveStyle] = Input()
    ends: Mapping[str, tuple[float, float]] = Input()

    curve = Choice(CURVES[0], CURVES).tag(label="risk curve", tip="Mean risk over twenty fresh samples")

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """A button that stops a curve."""
        return [("Stop", "Stop a curve that fills in, or Play; keep what there is", self.lab.stop)]

    @stage(streaming=True)
    def means(self) -> Iterator[risk.RiskCurve | None]:
        """The curve so far; None before the first sample."""
        yield from self.stream(self.lab, self.curve)

    @property
    def over(self) -> str:
        """What the axis is: without a curve, k."""
        return "n" if self.curve == CURVES[2] else "k"

    @stage(compare_values=True)
    def heights(self) -> tuple[float, float]:
        """Ends of the axis of risks: all that is drawn lies between them."""
        known = [float(np.nanmax(self.means.mean))] if self.means is not None and self.means.done else []
        return risk_view.limits(self.data.bayes_risk, max(*self.risks.values(), self.limit or 0.0, *known, 0.0))

    def axes(self) -> Axes:
        """k or n, and risks."""
        return risk_view.axes(self.over, self.ends[self.over], self.heights)

    def layers(self) -> Iterator[Layer]:
        """Levels, means, this sample."""
        draw, ends = self.draw, self.ends[self.over]
        if self.data.chosen_problem.eta is not None:
            yield draw(risk_view.bayes, self.data.bayes_risk, ends)
            yield draw(risk_view.level, self.limit, ends, "limit", "limit of the vote", (2, 3))
        if self.curve != CURVES[0]:
            yield draw(means, self.means, tuple(self.styles.items()), ends, self.heights)
        yield draw(risk_view.here, getattr(self.lab, self.over), next(iter(self.risks.values())), "this sample")

    def words(self) -> str:
        """The curve."""
        curve = self.means
        if curve is None:
            return ""
        return risk_view.describe(self.over, curve.values, curve.mean[0], f"Mean risk, {progress(curve)}")

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        """A place is a number of neighbors or of points."""
        return self.lab.nearest_step(self.over, x)


def progress(curve: risk.RiskCurve) -> str:
    """How much of a curve is done."""
    return f"{curve.done} of {curve.pieces} pieces done"


def means(
    curve: risk.RiskCurve | None,
    styles: tuple[tuple[str, CurveStyle], ...],
    ends: tuple[float, float],
    heights: tuple[float, float],
) -> tuple[Layer, ...]:
    """Mean risks with their bands, and how much is done."""
    none = np.empty((len(styles), 0))
    values, mean, error = (none[0], none, none) if curve is None else (curve.values, curve.mean, curve.standard_error)
    drawn = [
        risk_view.curve(values, *each, look.label, f"mean {name}", look.color)
        for *each, (name, look) in zip(mean, error, styles, strict=True)
    ]
    bands, lines = zip(*drawn, strict=True)
    done = (0, 0) if curve is None else (curve.done, curve.pieces)
    corner = ends[1] * 0.98, np.dot(heights, (0.1, 0.9))
    return *risk_view.one_band(bands), *lines, risk_view.progress(*done, corner)
