"""Bounds and rates of the papers, one paper a file or folder, and closed forms: pure functions.

mu is the distribution of the points X, and the mass of a set its probability under mu. eta(x) is the regression
function, P(Y = 1 | X = x). The margin of a point is ``|eta - 1/2|``. The disagreement of a rule is the probability that
it differs from the Bayes rule, the excess risk its risk minus the Bayes risk R*. Noise turns eta into eta_corr = p0 +
(1 - p0 - p1) eta; the misled points, A_0, are those where eta and eta_corr are on opposite sides of 1/2.

The effective boundary of p and Delta (``regions.effective_boundary``) holds all points except the clear ones. At these,
in each ball of mass up to p around the point, the average of eta is Delta or more beyond 1/2, on the side of the Bayes
class.

Many functions have the name of their theorem, lemma or corollary, and many results the flag ``vacuous``: the bound
holds trivially. Some have the flag ``proved``: the arguments meet the conditions of the proof. Logarithms are
natural. Every function raises ValueError for arguments outside their ranges. These are the following, unless the
function, its module or its paper names others.

Symbols
-------
n : int
    Sample size, at least 1.
k : int
    Neighbors that vote, from 1 to n; at least 1 where there is no n.
delta : float
    Failure probability, strictly between 0 and 1.
n_classes : int
    Number of classes C, at least 2.
q : sequence (C,)
    Weights of two or more classes, finite, not negative and not all 0.
noise : LabelNoise
    Flip rates p0 and p1 of class 0 and 1, together below 1; the contrast is 1 - p0 - p1.
smoothness, smoothness_constant : float
    alpha and L of a function f: |f(x) - f(x')| <= L mu(B(x, |x - x'|))^alpha, with B(x, r) the ball of radius r around
    x. Both are above 0, alpha at most 100 and L at most 1e100.
margin_exponent, margin_constant : float
    beta in [0, 100] and M: the margin is at most t on a mass of at most M t^beta, for all t > 0.
lipschitz, dimension : float, int
    L of eta in the Euclidean distance, finite and above 0, and the number of coordinates d, at least 1.
bayes_risk : float
    R* of two classes, in [0, 1/2].
mass_cap : float
    Largest mass A of the balls that an advantage (``regions.advantage``) considers, above 0 and at most 1.
weights : (m,) array, optional
    Probabilities of m points, equal by default.
resolution : int, optional
    Cells along each coordinate, at least 1.
"""

from knnviz.bounds import chaudhuri_dasgupta, closed_forms, cover_hart, errandonea, gao, khim, reeve_kaban, rittler

__all__ = ["chaudhuri_dasgupta", "closed_forms", "cover_hart", "errandonea", "gao", "khim", "reeve_kaban", "rittler"]
