"""Robust kNN in pictures: colors, curves, risks and thresholds of the three rules."""

from fractions import Fraction

from knnviz.labs.parts.risk_panel import CurveStyle, Here
from knnviz.views import extremes as extremes_view
from knnviz.views import style
from knnviz.views.vote_curve import ThresholdLine

#: One color for each rule and its threshold.
COLORS = {"plain": style.INK, "known": "#009E73", "estimated": "#6A3D9A"}

#: Their risk curves.
STYLES = {
    "plain": CurveStyle("kNN", COLORS["plain"]),
    "known": CurveStyle("robust, known", COLORS["known"]),
    "estimated": CurveStyle("robust, estimated", COLORS["estimated"]),
}


def this_sample(plain: float, robust: float, rates: str = "estimated") -> tuple[Here, Here]:
    """The risks of kNN and of robust kNN on the current sample, by ``rates`` that are known or estimated."""
    return (
        Here(plain, "kNN, this sample", "here_plain", COLORS["plain"]),
        Here(robust, "robust, this sample", "here_robust", COLORS[rates]),
    )


def three_thresholds(known: Fraction, estimated: Fraction) -> tuple[ThresholdLine, ...]:
    """The threshold of kNN, and theta by the true and by the estimated rates."""
    return (
        ThresholdLine(0.5, "half", "1/2, kNN"),
        ThresholdLine(float(known), "theta", "θ, known", COLORS["known"], (7, 3)),
        ThresholdLine(float(estimated), "theta_hat", "θ, estimated", COLORS["estimated"], extremes_view.DASH),
    )
