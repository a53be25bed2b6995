"""Tests of whether a rule is better than another on the same folds; a mark is their outcome."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.stats import t, ttest_rel

from knnviz_papers.simulate import Row

#: Level of the paired t-test.
LEVEL = 0.05

#: A rule with at least this posterior probability to be better is called better.
CERTAIN = 0.95


def mark(other: np.ndarray, own: np.ndarray) -> str:
    """Paired t-test at 95 % on the same test folds: "w" where a rule is better than another, "l"
    where worse, else "-".

    Accuracies are (runs,), of two runs at least. Source: Gao et al., Table 2.
    """
    gap = own - other
    if not np.ptp(gap):
        return _mark_of(gap[0])
    if ttest_rel(own, other).pvalue >= LEVEL:
        return "-"
    return _mark_of(gap.mean())


def probability_better(other: np.ndarray, own: np.ndarray, tested: float) -> float:
    """Posterior probability that the mean of a rule's accuracies is above another's: Bayesian
    correlated t-test.

    The posterior of the mean gap is a t distribution with runs - 1 degrees of freedom around the
    gap observed, of variance s^2 (1 / runs + r / (1 - r)). Runs are correlated, since they train on
    much the same rows: r is the fraction ``tested`` of the rows, in [0, 1). Where all gaps are
    equal it is 0, 1/2 or 1.

    Source: Corani & Benavoli (2015); Gao et al. cite Wang & Liu (2016) for their Table 3 and give
    no formula.
    """
    gap = own - other
    if not np.ptp(gap):
        return float(np.sign(gap[0]) + 1) / 2
    runs = len(gap)
    inflation = 1 / runs + tested / (1 - tested)
    scale = gap.std(ddof=1) * math.sqrt(inflation)
    return float(t.cdf(gap.mean() / scale, runs - 1))


def bayesian_mark(probability: float) -> str:
    """ "w" where a rule is better with at least the probability CERTAIN, "l" where the other is,
    else "-".
    """
    if probability >= CERTAIN:
        return "w"
    if probability <= 1 - CERTAIN:
        return "l"
    return "-"


def _mark_of(gap: float) -> str:
    if gap > 0:
        return "w"
    if gap < 0:
        return "l"
    return "-"


def wins_ties_losses(marks: Sequence[str]) -> Row:
    """How often a rule won, tied and lost, from its marks."""
    return {"wins": marks.count("w"), "ties": marks.count("-"), "losses": marks.count("l")}
