"""What labs with a risk curve share: the curve so far, and an end to the work."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from knnviz import risk
from knnviz.labs.engine.stages import stage
from knnviz.labs.sheets import SheetLab
from knnviz.views import risk as risk_view
from knnviz.views import style
from knnviz.views.layers import Layer

#: The first kind of risk curve, which is none.
OFF = "off"


class Look(NamedTuple):
    """A curve in a legend, and its colour."""

    label: str
    color: str = style.INK


class StreamLab(SheetLab):
    """A lab on a sheet with a curve that fills in, and can be stopped."""

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Buttons: a new sample, an end to a running curve, and back to the start."""
        sample, *others = super().actions()
        return [
            sample,
            ("Stop", "Stop a curve that fills in, or Play; keep what there is", self.stop),
            *others,
        ]


class RiskLab(StreamLab):
    """A lab on a sheet with mean risks over fresh samples in one of its panels."""

    #: What each kind of curve runs over, "k", "k'" or "n"; None where there is none.
    overs: Mapping[str, str | None]

    #: The kind of curve, mean risks so far, how the curve of each rule looks, and the ends of the axes.
    curve: str
    risk_curve: risk.RiskCurve | None
    curve_looks: Mapping[str, Look]
    risk_limits: tuple[float, float]
    risk_range: tuple[float, float]

    @stage
    def over(self) -> str:
        """What the risk is drawn over: without a curve, what the first of them runs over."""
        return self.overs[self.curve] or next(over for over in self.overs.values() if over)

    @stage
    def means(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What the curves go over (J,), their means and standard errors (rules, J): nothing yet at the start."""
        curve, none = self.risk_curve, np.empty((len(self.curve_looks), 0))
        return (none[0], none, none) if curve is None else (curve.values, curve.mean, curve.standard_error)

    @stage
    def mean_layers(self) -> tuple[Layer, ...]:
        """The risk curves so far."""
        curve, looks = self.risk_curve, self.curve_looks
        if self.curve == OFF:
            return ()
        values, mean, error = self.means
        done, pieces = (0, 0) if curve is None else (curve.done, curve.pieces)
        corner = self.risk_limits[1] * 0.98, np.dot(self.risk_range, (0.1, 0.9))
        drawn = [
            risk_view.curve(values, *each, look.label, f"mean {name}", look.color)
            for *each, (name, look) in zip(mean, error, looks.items(), strict=True)
        ]
        bands, lines = zip(*drawn, strict=True)
        return *risk_view.one_band(bands), *lines, risk_view.progress(done, pieces, corner)

    @stage
    def curve_words(self) -> str:
        """The risk curve in words."""
        curve = self.risk_curve
        if curve is None:
            return ""
        done = f"Mean risk, {curve.done} of {curve.pieces} pieces done"
        if len(curve.names) == 1:
            return risk_view.describe(self.over, curve.values, curve.mean[0], done) + " "
        each = (
            risk_view.describe(self.over, curve.values, mean, self.curve_looks[name].label)
            for name, mean in zip(curve.names, curve.mean, strict=True)
        )
        return f"{done}. {' '.join(each)} "
