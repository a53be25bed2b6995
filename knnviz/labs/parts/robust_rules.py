"""How labs draw kNN, and robust kNN with known or estimated flip rates: colors, risks, thresholds.

Robust kNN moves the threshold on the fraction of noisy labels from 1/2 to theta, which its flip rates determine.
"""

from fractions import Fraction

from knnviz.labs.parts.risk_panel import CurrentRisk, CurveStyle
from knnviz.views import extremes as extremes_view
from knnviz.views import style
from knnviz.views.vote_curve import ThresholdLine

#: The color of each rule and its threshold.
COLORS = {"plain": style.INK, "known": "#009E73", "estimated": "#6A3D9A"}

#: Labels and colors of their risk curves.
STYLES = {
    "plain": CurveStyle("kNN", COLORS["plain"]),
    "known": CurveStyle("robust, known", COLORS["known"]),
    "estimated": CurveStyle("robust, estimated", COLORS["estimated"]),
}


def this_sample(plain: float, robust: float, rates: str = "estimated") -> tuple[CurrentRisk, CurrentRisk]:
    """Markers at the risks of kNN and of robust kNN on the current sample; ``rates`` are "known" or "estimated"."""
    return (
        CurrentRisk(plain, "kNN, this sample", "here_plain", COLORS["plain"]),
        CurrentRisk(robust, "robust, this sample", "here_robust", COLORS[rates]),
    )


def three_thresholds(known: Fraction, estimated: Fraction) -> tuple[ThresholdLine, ...]:
    """The threshold of kNN, and theta from the true and from the estimated flip rates."""
    return (
        ThresholdLine(0.5, name="half", label="1/2, kNN"),
        ThresholdLine(float(known), "theta", "θ, known", color=COLORS["known"], dash=(7, 3)),
        # theta is the midrange of the smoothed labels.
        ThresholdLine(
            float(estimated),
            "theta_hat",
            "θ, estimated",
            color=COLORS["estimated"],
            dash=extremes_view.MIDRANGE_DASH,
        ),
    )
