"""What Reeve & Kaban show, and what happens: fast rates for kNN under label noise of unknown rates.

The paper has no experiments; these are ours. ``risks`` compares rules as n grows, ``extremes`` is about the
estimates of the noise, ``limits`` about distributions and labels on which another rule wins, ``learners`` about rules
other than kNN, ``pointwise`` about votes at one point.
"""

from knnviz.reproduce.reeve_kaban import extremes, learners, limits, pointwise, risks

__all__ = ["extremes", "learners", "limits", "pointwise", "risks"]
