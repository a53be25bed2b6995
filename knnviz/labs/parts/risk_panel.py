"""The risk panel: mean risks over fresh samples, known levels, and the risks of the current sample."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from knnviz import risk
from knnviz.labs.engine import Choice, Input, Panel, stage
from knnviz.labs.parts.buttons import Button, stop
from knnviz.views import risk as risk_view
from knnviz.views import style
from knnviz.views.layers import Axes, Layer

#: The choice of no curve.
OFF = "off"

#: The parameter on the x axis by the choice of a curve.
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
    """Risks over k, n or another parameter, by curves that a subclass computes."""

    bayes_risk: float | None = Input()
    levels: tuple[RiskLevel, ...] = Input(())
    current_risks: tuple[CurrentRisk, ...] = Input()
    #: The value of the current sample, and the limits of the x axis, for each parameter that can stand there.
    current_x: Mapping[str, int] = Input()
    x_limits: Mapping[str, tuple[float, float]] = Input()
    x_axes: Mapping[str, str | None] = Input(X_AXES)
    #: Whether the x axis is logarithmic; None if over n alone.
    log: bool | None = Input(None)
    #: How far above the Bayes risk the y axis reaches at least.
    headroom: float = Input(risk_view.ROOM)
    #: By the name of a rule.
    styles: Mapping[str, CurveStyle] = Input()

    curve = Choice(OFF, CURVES).tag(label="risk curve", tip="Mean risk over twenty fresh samples")

    def actions(self) -> list[Button]:
        return [stop(self.lab)]

    @stage(streaming=True)
    def means(self) -> Iterator[risk.RiskCurve | None]:
        """The curves as far as they are done, in pieces: one for each sample, or for each of its n; None before any."""
        if self.curve == OFF:
            yield None
        else:
            yield from self.stream()

    def stream(self) -> Iterator[risk.RiskCurve | None]:
        """The curves as they come; all that they depend on is read before the first one, which is None."""
        raise NotImplementedError

    @property
    def over(self) -> str:
        """The parameter on the x axis; without a curve, the first of all."""
        return self.x_axes[self.curve] or next(filter(None, self.x_axes.values()))

    @stage(compare_values=True)
    def y_limits(self) -> tuple[float, float]:
        """All that is drawn lies between them."""
        curve = self.means
        finished = [] if curve is None or not curve.done else [float(np.nanmax(curve.mean))]
        drawn = [*(each.risk for each in self.current_risks), *(each.risk for each in self.levels)]
        return risk_view.limits(self.bayes_risk, max([*drawn, *finished, 0.0]), self.headroom)

    def axes(self) -> Axes:
        return risk_view.axes(self.over, self.x_limits[self.over], self.y_limits, log=self.log)

    def layers(self) -> Iterator[Layer | Iterable[Layer]]:
        draw, x_limits = self.draw, self.x_limits[self.over]
        if self.bayes_risk is not None:
            yield draw(risk_view.bayes, self.bayes_risk, x_limits)
        for known in self.levels:
            yield draw(risk_view.level, known.risk, x_limits, known.name, known.label, known.dash, known.color)
        if self.curve != OFF:
            yield draw(mean_curves, self.means, tuple(self.styles.items()), x_limits, self.y_limits)
        for now in self.current_risks:
            yield draw(risk_view.here, self.current_x[self.over], now.risk, now.label, now.name, now.color)

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


def mean_curves(
    curve: risk.RiskCurve | None,
    styles: tuple[tuple[str, CurveStyle], ...],
    x_limits: tuple[float, float],
    y_limits: tuple[float, float],
) -> tuple[Layer, ...]:
    """Mean risks with bands of two standard errors, and how much is done."""
    none = np.empty((len(styles), 0))
    values, mean, error = (none[0], none, none) if curve is None else (curve.values, curve.mean, curve.standard_error)
    drawn = [
        risk_view.curve(values, risks, errors, look.label, f"mean {name}", look.color)
        for risks, errors, (name, look) in zip(mean, error, styles, strict=True)
    ]
    error_bands, lines = zip(*drawn, strict=True)
    done = (0, 0) if curve is None else (curve.done, curve.pieces)
    corner = x_limits[1] * 0.98, np.dot(y_limits, (0.1, 0.9))
    return *risk_view.label_one_band(error_bands), *lines, risk_view.progress(*done, corner)
