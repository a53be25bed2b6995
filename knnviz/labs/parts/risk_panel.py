"""The risk panel: mean risks over fresh samples, known levels, and the risks of the current sample."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from knnviz import risk
from knnviz.labs.engine.components import Input
from knnviz.labs.engine.panels import Panel
from knnviz.labs.engine.parameters import Choice
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.buttons import Button, stop
from knnviz.views import risk as risk_view
from knnviz.views import style
from knnviz.views.layers import Axes, Layer

#: No risk curve.
OFF = "off"

#: What a risk curve can run over, and along which axis.
X_AXES = {OFF: None, "over k": "k", "over n": "n"}
CURVES = tuple(X_AXES)


class CurveStyle(NamedTuple):
    """The label of a curve in the legend, and its color."""

    label: str
    color: str = style.INK


class RiskLevel(NamedTuple):
    """A horizontal line at a risk that is known, besides the Bayes risk."""

    risk: float
    name: str
    label: str
    dash: tuple[float, ...]
    color: str = style.INK


class CurrentRisk(NamedTuple):
    """A marker at a risk of the current sample."""

    risk: float
    label: str
    name: str = "here"
    color: str = style.CLASS_COLORS[3]


class RiskPanel(Panel):
    """Risks over k, n or another axis of ``x_axes``, by curves that a subclass computes.

    ``positions`` are those of the current sample on each axis; ``room`` is how far above the Bayes risk the axis of
    risks reaches at least.
    """

    bayes_risk: float | None = Input()
    levels: tuple[RiskLevel, ...] = Input(())
    here: tuple[CurrentRisk, ...] = Input()
    positions: Mapping[str, int] = Input()
    styles: Mapping[str, CurveStyle] = Input()
    ends: Mapping[str, tuple[float, float]] = Input()
    x_axes: Mapping[str, str | None] = Input(X_AXES)
    log: bool | None = Input(None)
    room: float = Input(risk_view.ROOM)

    curve = Choice(OFF, CURVES).tag(label="risk curve", tip="Mean risk over twenty fresh samples")

    def actions(self) -> list[Button]:
        return [stop(self.lab)]

    @stage(streaming=True)
    def means(self) -> Iterator[risk.RiskCurve | None]:
        """The curves so far; None before the first sample."""
        if self.curve == OFF:
            yield None
        else:
            yield from self.stream()

    def stream(self) -> Iterator[risk.RiskCurve | None]:
        """The curves as they come; all that they depend on is read before the first one, which is None."""
        raise NotImplementedError

    @property
    def over(self) -> str:
        """The parameter on the x axis: without a curve, the first one of ``x_axes``."""
        return self.x_axes[self.curve] or next(filter(None, self.x_axes.values()))

    @stage(compare_values=True)
    def heights(self) -> tuple[float, float]:
        """Ends of the axis of risks: all that is drawn lies between them."""
        curve = self.means
        finished = [] if curve is None or not curve.done else [float(np.nanmax(curve.mean))]
        drawn = [*(each.risk for each in self.here), *(each.risk for each in self.levels)]
        return risk_view.limits(self.bayes_risk, max([*drawn, *finished, 0.0]), self.room)

    def axes(self) -> Axes:
        return risk_view.axes(self.over, self.ends[self.over], self.heights, log=self.log)

    def layers(self) -> Iterator[Layer | Iterable[Layer]]:
        draw, ends = self.draw, self.ends[self.over]
        if self.bayes_risk is not None:
            yield draw(risk_view.bayes, self.bayes_risk, ends)
        yield [draw(risk_view.level, value, ends, *style) for value, *style in self.levels]
        if self.curve != OFF:
            yield draw(means, self.means, tuple(self.styles.items()), ends, self.heights)
        yield [draw(risk_view.here, self.positions[self.over], *each) for each in self.here]

    def alt_text(self) -> str:
        return "" if self.means is None else description(self.means, self.over, self.styles)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return self.lab.nearest_step(self.over, x)


def description(curve: risk.RiskCurve, over: str, styles: Mapping[str, CurveStyle]) -> str:
    """Mean risks so far, in words and numbers."""
    done = f"Mean risk, {curve.done} of {curve.pieces} pieces done"
    if len(curve.names) == 1:
        return risk_view.describe(over, curve.values, curve.mean[0], done)
    labels = (styles[name].label for name in curve.names)
    each = (risk_view.describe(over, curve.values, mean, label) for label, mean in zip(labels, curve.mean, strict=True))
    return f"{done}. {' '.join(each)}"


def means(
    curve: risk.RiskCurve | None,
    styles: tuple[tuple[str, CurveStyle], ...],
    ends: tuple[float, float],
    heights: tuple[float, float],
) -> tuple[Layer, ...]:
    """Mean risks with bands of one standard error, and how much is done."""
    none = np.empty((len(styles), 0))
    values, mean, error = (none[0], none, none) if curve is None else (curve.values, curve.mean, curve.standard_error)
    drawn = [
        risk_view.curve(values, height, reach, look.label, f"mean {name}", look.color)
        for height, reach, (name, look) in zip(mean, error, styles, strict=True)
    ]
    error_bands, lines = zip(*drawn, strict=True)
    done = (0, 0) if curve is None else (curve.done, curve.pieces)
    corner = ends[1] * 0.98, np.dot(heights, (0.1, 0.9))
    return *risk_view.one_band(error_bands), *lines, risk_view.progress(*done, corner)
