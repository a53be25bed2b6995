"""Robust kNN in pictures: the colors of the three rules, and their cuts."""

from fractions import Fraction

from knnviz.views import extremes as extremes_view
from knnviz.views import style
from knnviz.views.votes import Cut

#: One color for each rule and its cut.
COLORS = {"plain": style.INK, "known": "#009E73", "estimated": "#6A3D9A"}


def three_cuts(known: Fraction, estimated: Fraction) -> tuple[Cut, ...]:
    """That of kNN, and theta by the true and by the estimated rates."""
    return (
        Cut(0.5, "half", "cut 1/2, kNN"),
        Cut(float(known), "theta", "cut θ, known", COLORS["known"], (7, 3)),
        Cut(float(estimated), "theta_hat", "cut θ, estimated", COLORS["estimated"], extremes_view.DASH),
    )
