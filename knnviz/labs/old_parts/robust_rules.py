"""How labs draw kNN, and robust kNN with known or estimated flip rates: colors, risks, thresholds.

Robust kNN moves the threshold on the fraction of noisy labels from 1/2 to theta, which its flip rates determine. They
are estimated by the extremes of smoothed labels: means of the label of a training point and of its k' nearest others.
"""

from fractions import Fraction

from knnviz.labs.old_parts.risk_panel import CurrentRisk, RiskCurveStyle
from knnviz.views import extremes as extremes_view
from knnviz.views import style
from knnviz.views.vote_curve import ThresholdLine

#: The color of each rule and its threshold.
COLORS = {"plain": style.INK, "known": "#009E73", "estimated": "#6A3D9A"}

#: The note on flip rates that cannot be estimated.
DEGENERATE = "all smoothed labels are equal, so the estimated threshold stays at 1/2"

#: Labels and colors of their risk curves.
STYLES = {
    "plain": RiskCurveStyle("kNN", COLORS["plain"]),
    "known": RiskCurveStyle("robust, known", COLORS["known"]),
    "estimated": RiskCurveStyle("robust, estimated", COLORS["estimated"]),
}


def risk_markers(plain: float, robust: float, rates: str = "estimated") -> tuple[CurrentRisk, CurrentRisk]:
    """Markers at the risks of kNN and of robust kNN on the current sample; ``rates`` are "known" or "estimated"."""
    return (
        CurrentRisk(plain, "kNN, this sample", name="here_plain", color=COLORS["plain"]),
        CurrentRisk(robust, "robust, this sample", name="here_robust", color=COLORS[rates]),
    )


def three_thresholds(known: Fraction, estimated: Fraction) -> tuple[ThresholdLine, ...]:
    """The threshold of kNN, and theta from the true and from the estimated flip rates."""
    return (
        ThresholdLine(0.5, name="half", label="1/2, kNN"),
        ThresholdLine(float(known), name="theta", label="θ, known", color=COLORS["known"], dash=(7, 3)),
        # theta is the midrange of the smoothed labels.
        ThresholdLine(
            float(estimated),
            name="theta_hat",
            label="θ, estimated",
            color=COLORS["estimated"],
            dash=extremes_view.MIDRANGE_DASH,
        ),
    )
