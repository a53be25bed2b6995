"""What Reeve & Kaban show, and what happens: fast rates for kNN under label noise of unknown rates.

Algorithm 2 is kNN at a threshold that it estimates: the smallest and the largest fraction of noisy votes estimate p0
and 1 - p1. Algorithm 1 is the same around any learner. eta_corr is the regression function of the noisy labels, theta
the threshold on it that corresponds to 1/2, and the three rules are plain kNN, Algorithm 2 and kNN at the true theta.

The paper has no experiments; these are ours. ``risks`` compares rules as n grows, ``extremes`` is about the
estimates of the noise, ``limits`` about distributions and labels on which another rule wins, ``learners`` about rules
other than kNN, ``pointwise`` about votes at one point.
"""

from knnviz.reproduce.reeve_kaban import extremes, learners, limits, pointwise, risks

__all__ = ["extremes", "learners", "limits", "pointwise", "risks"]
