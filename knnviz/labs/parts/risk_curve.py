"""The risk panel: mean risks over fresh samples, known risks, and the risks of the current
sample.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from knnviz.labs.engine import Panel
from knnviz.risk import RiskCurve
from knnviz.views import marks, style
from knnviz.views import risk as risk_view
from knnviz.views.layers import Layer, Lines, Place
from knnviz.views.marks import Level

#: The option without a curve.
OFF = "off"

#: What is drawn: nobody knows the risk on data, so that points held out stand in for it.
RISK = "risk"
HELD_OUT_ERROR = "held-out error"

#: Dash of the Bayes risk.
BAYES_DASH = (7, 4)

STOP_TIP = "Stop computing a curve, or stop Play; what is done stays"
BUTTONS = (("Stop", STOP_TIP, lambda lab: lab.stop()),)


class Current(NamedTuple):
    """A marker at a risk of the current sample."""

    value: float
    label: str
    name: str = "here"
    color: str = style.CLASS_COLORS[3]


def mean_title(drawn: str) -> str:
    """The title of a panel with a curve."""
    return f"Mean {drawn} ± {risk_view.STANDARD_ERRORS} s.e."


def mean_curves(
    means: Any,
    styles: Mapping[str, tuple[str, str]],
    xlim: tuple[float, float],
    ylim: tuple[float, float],
) -> list[Layer]:
    """Mean risks of a curve, or what is made of them, with bands of two standard errors, which the
    title names, and how many pieces are done.
    """
    bands: list[Layer] = []
    lines: list[Layer] = []
    both = zip(styles.items(), means.mean, means.standard_error, strict=True)
    for (name, (label, color)), risks, errors in both:
        band, line = risk_view.curve(means.values, risks, errors, label, f"mean {name}", color)
        bands.append(replace(band, label=None))
        # Names stand at the two ends, off those of limits.
        lines.append(marks.named_along(line, 1, "below") if lines else marks.named_along(line, 0))
    top_right = 0.98 * xlim[1], float(np.dot(ylim, (0.1, 0.9)))
    return [*bands, *lines, risk_view.progress(means.done, means.pieces, top_right)]


def lowest(values: np.ndarray, mean: np.ndarray, foot: float) -> list[Layer]:
    """A line from the ``foot`` of the axes up to the least of mean risks (J,), with its k, unless
    the curve still falls at its end.
    """
    i = int(mean.argmin())
    if i in (0, len(mean) - 1):
        return []
    ends = np.array([foot, mean[i]])
    # Half of a logarithmic axis.
    align = "left" if values[i] ** 2 < values[0] * values[-1] else "right"
    at = Place(float(values[i]), float(ends @ (0.7, 0.3)), align)
    return [Lines("lowest", values[i], ends, label=f"lowest: k = {values[i]}", at=at)]


def risk_panel(
    over: str,
    at: float,
    means: RiskCurve | None,
    bayes_risk: float | None,
    levels: Sequence[Level],
    current: Sequence[Current],
    styles: Mapping[str, tuple[str, str]] | None,
    xlim: tuple[float, float],
    filled: bool = False,
) -> Panel:
    """Mean risks ``over`` k or n, if there are ``styles``, the least of a single one over k that is
    whole, or what is below it ``filled``, and the risks of the current sample ``at`` its k or n.
    """
    risks = [each.value for each in levels] + [each.value for each in current]
    if means is not None and means.done:
        risks.append(float(np.nanmax(means.mean)))
    # The band of an error may be cut off.
    ylim = risk_view.limits(None if filled else bayes_risk, max(risks, default=0))
    known = [*levels]
    if bayes_risk is not None:
        known[:0] = [Level(bayes_risk, "bayes", "Bayes risk", BAYES_DASH, align="below")]
    # Few neighbors or points leave the risk high: there names of limits cover neither it nor grips.
    layers: list[Layer] = [marks.level_line(each, xlim, 0) for each in known]
    if means is not None and styles is not None:
        layers += mean_curves(means, styles, xlim, ylim)
    for risk, label, name, color in current:
        layers += [marks.dot(at, risk, name, label, color, size=13.0)]
    drawn = HELD_OUT_ERROR if bayes_risk is None else RISK
    # The axis says on which points.
    title = drawn.capitalize() if styles is None else mean_title(drawn.split()[-1])
    axes = replace(risk_view.axes(over, xlim, ylim, drawn), title=title)
    layers += [marks.grip(at, axes, first.value) for first in current[:1]]
    says = ""
    if means is not None:
        is_whole = means.done == means.pieces
        if filled and is_whole:
            layers[:0] = risk_view.areas(means.values, bayes_risk, means.mean[0])
        # Beside a limit it would be one mark too many.
        elif over == "k" and is_whole and len(means.names) == 1 and not levels:
            layers += lowest(means.values, means.mean[0], ylim[0])
        says = f"Mean {drawn}, {means.done} of {means.pieces} pieces done."
    return Panel(axes, layers, lambda clicked: {over: clicked.x}, says)
