"""The risk panel: mean risks over fresh samples, known risks, and the risks of the current sample."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from knnviz import risk
from knnviz.labs.old_engine import Choice, Input, Panel, stage
from knnviz.labs.old_parts.buttons import Button, stop
from knnviz.views import risk as risk_view
from knnviz.views import style
from knnviz.views.layers import Axes, Layer

#: The option without a curve.
OFF = "off"

#: Options of the menu of curves, with the parameter on the x axis of each.
X_AXES = {OFF: None, "over k": "k", "over n": "n"}


class RiskCurveStyle(NamedTuple):
    """The label of a curve in the legend, and its color."""

    label: str
    color: str = style.INK


class RiskLevel(NamedTuple):
    """A horizontal line at a known risk, such as a limit. ``name`` is that of its layer."""

    risk: float
    name: str
    label: str
    dash: tuple[float, ...]
    color: str = style.INK


class CurrentRisk(NamedTuple):
    """A marker at a risk of the current sample. ``name`` is that of its layer."""

    risk: float
    label: str
    name: str = "here"
    color: str = style.CLASS_COLORS[3]


class RiskPanel(Panel):
    """Risks over k, n or another parameter; a subclass computes the curves."""

    bayes_risk: float | None = Input()
    levels: tuple[RiskLevel, ...] = Input(())
    current_risks: tuple[CurrentRisk, ...] = Input()
    #: The current value of each parameter that the x axis can have: the x of ``current_risks``.
    current_x: Mapping[str, int] = Input()
    #: Limits of the x axis, by parameter.
    x_limits: Mapping[str, tuple[float, float]] = Input()
    #: The parameter on the x axis, by option of ``curve``.
    x_axes: Mapping[str, str | None] = Input(X_AXES)
    #: Whether the x axis is logarithmic; by default only over n.
    log: bool | None = Input(None)
    #: The y axis ends at least this far above the Bayes risk, which is rounded down to a multiple of 0.05.
    headroom: float = Input(risk_view.HEADROOM)
    #: Styles of the curves, by the names of their rules.
    styles: Mapping[str, RiskCurveStyle] = Input()

    curve = Choice(OFF, X_AXES).tag(label="risk curve", tip="Mean risk over twenty fresh samples")

    def actions(self) -> list[Button]:
        return [stop(self.lab)]

    @stage(streaming=True)
    def means(self) -> Iterator[risk.RiskCurve | None]:
        """The curves so far; they are computed in pieces, one per sample or, over n, one per n of each sample."""
        if self.curve == OFF:
            yield None
        else:
            yield from self.stream()

    def stream(self) -> Iterator[risk.RiskCurve | None]:
        """Yield None once all inputs are read, then the curves after each piece."""
        raise NotImplementedError

    @property
    def over(self) -> str:
        """The parameter on the x axis; without a curve the first one."""
        return self.x_axes[self.curve] or next(filter(None, self.x_axes.values()))

    @stage(compare_values=True)
    def y_limits(self) -> tuple[float, float]:
        """Limits that include mean risks, levels and markers; the band of an error may be cut off."""
        curve = self.means
        highest_mean = float(np.nanmax(curve.mean)) if curve is not None and curve.done else 0.0
        drawn = [*(each.risk for each in self.current_risks), *(each.risk for each in self.levels)]
        return risk_view.limits(self.bayes_risk, max([*drawn, highest_mean]), self.headroom)

    def axes(self) -> Axes:
        return risk_view.axes(self.over, self.x_limits[self.over], self.y_limits, log=self.log)

    def layers(self) -> Iterator[Layer | Iterable[Layer]]:
        draw, x_limits = self.draw, self.x_limits[self.over]
        if self.bayes_risk is not None:
            yield draw(risk_view.bayes, self.bayes_risk, x_limits)
        for level in self.levels:
            yield draw(risk_view.level, level.risk, x_limits, level.name, level.label, level.dash, level.color)
        if self.curve != OFF:
            yield draw(mean_curves, self.means, tuple(self.styles.items()), x_limits, self.y_limits)
        for marker in self.current_risks:
            x = self.current_x[self.over]
            yield draw(risk_view.current_point, x, marker.risk, marker.label, marker.name, marker.color)

    def alt_text(self) -> str:
        return "" if self.means is None else description(self.means, self.over, self.styles)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return self.lab.nearest_step(self.over, x)


def description(curve: risk.RiskCurve, over: str, styles: Mapping[str, RiskCurveStyle]) -> str:
    """The mean risks so far as alternative text."""
    done = f"Mean risk, {curve.done} of {curve.pieces} pieces done"
    if len(curve.names) == 1:
        return risk_view.describe(over, curve.values, curve.mean[0], done)
    means = zip((styles[name].label for name in curve.names), curve.mean, strict=True)
    texts = [risk_view.describe(over, curve.values, mean, label) for label, mean in means]
    return f"{done}. {' '.join(texts)}"


def mean_curves(
    curve: risk.RiskCurve | None,
    styles: tuple[tuple[str, RiskCurveStyle], ...],
    x_limits: tuple[float, float],
    y_limits: tuple[float, float],
) -> tuple[Layer, ...]:
    """Mean risks with bands of two standard errors, and how many pieces are done; without a curve all are empty."""
    none = np.empty((len(styles), 0))
    values, mean, error = (none[0], none, none) if curve is None else (curve.values, curve.mean, curve.standard_error)
    bands_and_lines = [
        risk_view.curve(values, risks, errors, curve_style.label, f"mean {name}", curve_style.color)
        for risks, errors, (name, curve_style) in zip(mean, error, styles, strict=True)
    ]
    error_bands, lines = zip(*bands_and_lines, strict=True)
    done, pieces = (0, 0) if curve is None else (curve.done, curve.pieces)
    top_right = x_limits[1] * 0.98, np.dot(y_limits, (0.1, 0.9))
    return *risk_view.label_one_band(error_bands), *lines, risk_view.progress(done, pieces, top_right)
