"""Confusion entries of class-weighted decisions, scores from them, weighted risk, and the uniform
error of eta-hat.

The same weights q have three F1 scores, which differ much on small samples (Khim et al., sections 2
and 6). With eta-hat and the labels of the sample, ``confusion`` counts the sample. With eta on a
grid it integrates over the distribution: the decisions by eta-hat, those of a fitted rule, or by
eta, those of the weighted Bayes rule.
"""

from dataclasses import dataclass
from functools import reduce
from typing import Literal, get_args

import numpy as np

from knnviz.checks import (
    TIE_TOL,
    Weights,
    check_choice,
    check_class_weights,
    check_fractions,
    check_probabilities,
    check_real,
    check_truth,
    check_weights,
    rescaled,
)
from knnviz.means import ratio

#: Which classes are positive on a tie for the largest score: every tied class, or the smallest
#: alone.
TieRule = Literal["geq", "argmax"]


@dataclass(frozen=True, eq=False)
class Entries:
    """Confusion entries as arrays of one shape: of one class at several thresholds, or of each
    class (``Confusion``).

    They are probabilities or fractions of a sample. Scores take 0 / 0 as 0.

    Source: Khim et al., sections 2 and 4 (where precision is printed with FN, it has FP here, as in
    appendix C).
    """

    tn: np.ndarray
    fn: np.ndarray
    fp: np.ndarray
    tp: np.ndarray

    @property
    def precision(self) -> np.ndarray:
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> np.ndarray:
        return ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> np.ndarray:
        return ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)


@dataclass(frozen=True, eq=False)
class Confusion(Entries):
    """Confusion entries of each of C classes against the others, as probabilities or as fractions
    of a sample.

    ``tn``, ``fn``, ``fp`` and ``tp`` are (C,) in [0, 1], and sum to 1 for each class. Precision,
    recall and F1 are (C,), too; means are over all C classes, also those that never occur. Source:
    as that of ``Entries``.
    """

    @property
    def n_classes(self) -> int:
        return len(self.tp)

    @property
    def macro_f1(self) -> float:
        return float(self.f1.mean())

    @property
    def micro_f1(self) -> float:
        """F1 of the entries summed over the classes: under ``rule="argmax"`` the accuracy."""
        twice_tp = 2 * self.tp.sum()
        denominator = twice_tp + self.fp.sum() + self.fn.sum()
        return float(ratio(twice_tp, denominator))

    @property
    def accuracy(self) -> float:
        """The sum of TP: under ``rule="argmax"`` the accuracy; under "geq" larger: every tied class
        counts as right.
        """
        return float(self.tp.sum())

    @property
    def balanced_accuracy(self) -> float:
        return float(self.recall.mean())

    @property
    def class_risk(self) -> np.ndarray:
        """R_c = P(f(X) != c given Y = c) (C,), 1 - recall; 1 for a class that never occurs."""
        return 1 - self.recall

    def weighted_risk(self, q: Weights | None = None) -> float:
        """R_q, the sum of q_c P(Y = c) R_c or of q_c FN_c, on the scale of ``q`` (C,), 1 / C each
        by default.

        ``q`` need not be the weights of the decision.
        """
        class_weights = check_class_weights(q, self.n_classes)
        return float(class_weights @ self.fn)


def confusion(
    truth: np.ndarray,
    fractions: np.ndarray,
    q: Weights | None = None,
    *,
    weights: np.ndarray | None = None,
    rule: TieRule = "geq",
    tie_tol: float = TIE_TOL,
) -> Confusion:
    """Confusion entries of the decision that weighs class fractions with q.

    A search for weights maximizes the F1 of those on its sample. If each point is its own neighbor,
    they are better than on new points, and with one neighbor perfect. Source: Khim et al., sections
    2.2.3 and 6, where the F1 of eta-hat on a grid is called the population F1.

    Parameters
    ----------
    truth : array (m,) or (m, C)
        Class codes, which are counted, or the probabilities eta.
    fractions : array (m, C)
        Eta-hat or eta at each of m points, by which the rule decides.
    q : sequence (C,), optional
        Class weights, not negative and not all 0, 1 / C each by default; only their ratios matter.
    weights : array (m,), optional
        Probabilities of the points, 1 / m each by default.
    rule : "geq" or "argmax"
        "geq": class c is positive where q_c fractions_c reaches the largest of the others, so a tie
        is positive for both classes. "argmax": of a tie only the smallest class is positive, with
        two classes too.
    tie_tol : float
        In [0, 1]: weighted fractions that differ by no more than this times the largest weight are
        tied.

    Examples
    --------
    >>> from knnviz.weights import confusion
    >>> scores = confusion([0, 1, 1], fractions=[[0.8, 0.2], [0.6, 0.4], [0.3, 0.7]])
    >>> scores.f1.round(4).tolist(), round(scores.macro_f1, 4)
    ([0.6667, 0.6667], 0.6667)
    """
    check_choice("rule", rule, get_args(TieRule))
    positive = leaders(fractions, q, tie_tol).T
    n_classes, m = positive.shape
    truth = check_truth("truth", truth, m, n_classes)
    if rule == "argmax":
        taken = np.zeros(m, dtype=bool)
        for row in positive:
            np.greater(row, taken, out=row)
            taken |= row

    point_weights = np.ones(m) if weights is None else check_weights(weights, m)
    of_class = truth.T * point_weights
    of_others = point_weights - of_class
    masses = of_others * ~positive, of_class * ~positive, of_others * positive, of_class * positive
    entries = np.array([mass.sum(axis=1) for mass in masses])
    # Counts stay whole numbers until they are divided, so that equal decisions have equal scores.
    if weights is None:
        entries /= m
    return Confusion(*entries)


def excess_weighted_risk(
    eta: np.ndarray,
    fractions: np.ndarray,
    q: Weights | None = None,
) -> float:
    """R_q(f) - R_q(f*_q) = E[q_f* eta_f* - q_f eta_f] >= 0, on the scale of q, the weighted risk
    above its smallest.

    f is the argmax of q_c fractions_c, f*_q that of q_c eta_c. Arguments are those of
    ``confusion``. Source: Khim et al., section 2 (whose display for the excess risk without weights
    has P(f != f*), an upper bound; the proof of Lemma 6 has it as here).
    """
    eta = check_probabilities("eta", eta)
    risks = []
    for decides in (fractions, eta):
        entries = confusion(eta, decides, q, rule="argmax")
        risks.append(entries.weighted_risk(q))
    # Rounding may carry the difference of equal risks below 0.
    return max(risks[0] - risks[1], 0.0)


def uniform_error(eta: np.ndarray, fractions: np.ndarray) -> float:
    """U = the largest abs(eta-hat - eta) over m points and C classes, both (m, C).

    On a grid it is a lower estimate of the supremum over all x. Source: Khim et al., section 2.2.2.
    """
    fractions = check_fractions("fractions", fractions)
    eta = check_probabilities("eta", eta)
    shape = fractions.shape
    if eta.shape != shape:
        raise ValueError(f"eta must have the shape {shape} of fractions, got {eta.shape}")
    return float(abs(fractions - eta).max())


def leaders(fractions: np.ndarray, q: Weights | None, tie_tol: float) -> np.ndarray:
    """Which classes have the largest weighted fraction q_c fraction_c, ties included, (m, C) bool.

    ``fractions`` (m, C) are those at m points, ``q`` (C,) the class weights, 1 / C each for None.
    Weighted fractions below the largest by at most ``tie_tol`` times the largest weight tie with
    it. Source: Khim, Xu & Singh, section 2.
    """
    fractions = check_fractions("fractions", fractions)
    q = rescaled(check_class_weights(q, fractions.shape[1]))
    tie_tol = float(check_real("tie_tol", tie_tol, 0, 1))
    # An array for each class: a large block of memory would cost more than the arithmetic.
    scores = [fraction * weight for fraction, weight in zip(fractions.T, q, strict=True)]
    least = reduce(np.maximum, scores) - tie_tol * q.max()
    return np.array([score >= least for score in scores]).T
