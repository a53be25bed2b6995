"""What Reeve & Kaban show, and what happens: fast rates for kNN under label noise whose rates nobody tells.

The paper has no experiments; these are ours. ``risks`` compares rules as n grows, ``extremes`` looks at the estimates
of the noise, ``limits`` at distributions and labels on which another rule wins, ``learners`` at rules other than kNN,
``pointwise`` at votes at one point.
"""

from knnviz.reproduce.reeve_kaban import extremes, learners, limits, pointwise, risks

__all__ = ["extremes", "learners", "limits", "pointwise", "risks"]
