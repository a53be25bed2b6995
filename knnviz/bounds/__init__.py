"""Formulas of the papers, a file a paper and a function a numbered statement.

Numbers go in, a number comes out, or a small named tuple. A bound is infinite where a condition of
its statement fails; ``unmet_conditions`` of a paper names these in words. Arguments that no
statement allows raise ValueError (``arguments``), and the caller compares a bound with the trivial
value. Where a printed formula differs from what its proof gives, the docstring says how. Logarithms
are natural.

A new bound is a pure function in the file of its paper, with the decorator ``formula``, which
checks arguments by their names: a new name gets a range in the table of ``arguments``, and a call
in ``tests/doors/formulas.py``. Its values are rows of ``tests/reference/bounds.json``, and
properties that its proof uses are tests in ``tests/bounds/``. Samples beside it are a run: a
function in ``knnviz_papers/``, named in ``knnviz_papers/runs.py`` with its smaller form; ``python
-m knnviz_papers NAME`` makes it and stores its result. What a paper prints stands in
``knnviz_papers/published/``, each file with where it is from.

mu is the distribution of the points X, and the mass of a set its probability under mu. eta(x) is
the regression function, P(Y = 1 | X = x). The margin of a point is ``|eta - 1/2|``. The
disagreement of a rule is the probability that it differs from the Bayes rule, the excess risk its
risk minus the Bayes risk R*. Noise turns eta into eta_corr = p0 + (1 - p0 - p1) eta; the misled
points, A_0, are those where eta and eta_corr are on opposite sides of 1/2.

The effective boundary of p and Delta (``regions.effective_boundary``) holds all points except the
clear ones. At these, in each ball of mass up to p around the point, the average of eta is Delta or
more beyond 1/2, on the side of the Bayes class.

Symbols, unless a paper names others
------------------------------------
k, n
    neighbors that vote, from 1 to n, and sample size, at least 1.
delta
    failure probability, strictly between 0 and 1.
n_classes
    number of classes C, at least 2.
q
    weights (C,) of two or more classes, not negative and not all 0.
noise
    ``LabelNoise``, flip rates p0 and p1 of class 0 and 1, together below 1; the contrast is
    1 - p0 - p1.
smoothness, smoothness_constant
    alpha, above 0, and L, not negative, of a function f: abs(f(x) - f(x')) <= L mu(B(x, abs(x -
    x')))^alpha, with B(x, r) the ball of radius r around x.
margin_exponent, margin_constant
    beta and M, not negative: the margin is at most t on a mass of at most M t^beta, for all t > 0.
lipschitz, dimension
    L of eta in the Euclidean distance, and the number of coordinates d.
bayes_risk
    R*.
mass_cap
    largest mass A of the balls that an advantage (``regions.advantage``) considers, above 0 and at
    most 1.
weights
    probabilities (m,) of points, equal by default.
n_cells
    cells along each coordinate.
"""
