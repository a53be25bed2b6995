"""Confusion entries of class-weighted decisions, scores from them, weighted risk, and the uniform error of eta-hat.

The same weights q have three F1 scores, which differ much on small samples (Khim et al., sections 2 and 6):
``confusion_hat`` decides by eta-hat and counts the sample, ``confusion_bayes`` decides by eta and integrates over the
distribution, and ``confusion_fitted`` decides by eta-hat and integrates.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import reduce
from typing import Literal

import numpy as np

from knnviz import checks, kernels
from knnviz.checks import TIE_TOL, check_class_weights
from knnviz.profiles import rescaled

#: Which classes are positive on a tie for the largest score: every tied class, or the smallest alone.
TieRule = Literal["geq", "argmax"]


@dataclass(frozen=True, eq=False)
class Entries:
    """Confusion entries of one class under each of several decisions, as probabilities or as fractions of a sample.

    ``tn``, ``fn``, ``fp`` and ``tp`` are arrays of one shape. Scores take 0 / 0 as 0.

    Source: Khim et al., sections 2 and 4 (where precision is printed with FN, it has FP here, as in appendix C).

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.weights import Entries
    >>> entries = Entries(tn=np.array([5]), fn=np.array([1]), fp=np.array([1]), tp=np.array([3]))
    >>> entries.precision.tolist(), entries.recall.tolist(), entries.f1.tolist()
    ([0.75], [0.75], [0.75])
    """

    tn: np.ndarray
    fn: np.ndarray
    fp: np.ndarray
    tp: np.ndarray

    @property
    def precision(self) -> np.ndarray:
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> np.ndarray:
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> np.ndarray:
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)


@dataclass(frozen=True, eq=False)
class Confusion(Entries):
    """Confusion entries of each of C classes against the others, as probabilities or as fractions of a sample.

    ``tn``, ``fn``, ``fp`` and ``tp`` are (C,) in [0, 1], and sum to 1 for each class. Precision, recall and F1 are
    (C,), too; means are over all C classes, also those that never occur. Source: as that of ``Entries``.

    Examples
    --------
    >>> from knnviz.weights import Confusion
    >>> scores = Confusion(tn=[0.25, 0.5], fn=[0.0, 0.25], fp=[0.25, 0.0], tp=[0.5, 0.25])
    >>> scores.f1.round(4).tolist(), round(scores.macro_f1, 4)
    ([0.8, 0.6667], 0.7333)
    >>> scores.accuracy, scores.balanced_accuracy, scores.weighted_risk([0.5, 0.5])
    (0.75, 0.75, 0.125)
    """

    def __post_init__(self) -> None:
        entries = [checks.check_numbers(field.name, getattr(self, field.name)) for field in fields(self)]
        if entries[0].ndim != 1 or len({entry.shape for entry in entries}) != 1:
            raise ValueError(f"confusion entries need one number for each class, got {[e.shape for e in entries]}")
        total = np.sum(entries, axis=0)
        if not (np.min(entries, axis=0) >= -checks.SUM_TOL).all() or not (abs(total - 1) <= checks.SUM_TOL).all():
            raise ValueError(f"confusion entries must not be negative and sum to 1 at each class, got sums {total}")
        for field, entry in zip(fields(self), entries, strict=True):
            object.__setattr__(self, field.name, entry)

    @property
    def n_classes(self) -> int:
        return len(self.tp)

    @property
    def macro_f1(self) -> float:
        return float(self.f1.mean())

    @property
    def micro_f1(self) -> float:
        """The F1 score of the entries summed over the classes: under ``rule="argmax"`` the accuracy."""
        twice_tp = 2 * self.tp.sum()
        return float(_ratio(twice_tp, twice_tp + self.fp.sum() + self.fn.sum()))

    @property
    def accuracy(self) -> float:
        """The sum of TP: under ``rule="argmax"`` how often the decision is right; under "geq" ties count twice."""
        return float(self.tp.sum())

    @property
    def balanced_accuracy(self) -> float:
        return float(self.recall.mean())

    @property
    def class_risk(self) -> np.ndarray:
        """R_c = P(f(X) != c given Y = c) (C,), which is 1 - recall; 1 for a class that never occurs."""
        return 1 - self.recall

    def weighted_risk(self, q: Sequence[float] | None = None) -> float:
        """R_q, the sum of q_c P(Y = c) R_c or of q_c FN_c, on the scale of ``q`` (C,), 1 / C each by default.

        ``q`` need not be the weights of the decision.
        """
        return float(check_class_weights(q, self.n_classes) @ self.fn)


def confusion(
    fractions: np.ndarray,
    truth: np.ndarray,
    q: Sequence[float] | None = None,
    *,
    weights: np.ndarray | None = None,
    rule: TieRule = "geq",
    tie_tol: float = TIE_TOL,
) -> Confusion:
    """Confusion entries of the decision that weighs class fractions with q.

    Source: Khim et al., section 2.2.3.

    Parameters
    ----------
    fractions : array (m, C)
        Eta-hat or eta at each of m points, by which the rule decides: in [0, 1], for C >= 2 classes.
    truth : array (m,) or (m, C)
        Class codes, which are counted, or the probabilities eta, whose rows sum to 1.
    q : sequence (C,), optional
        Class weights, not negative and not all 0, 1 / C each by default; only their ratios matter.
    weights : array (m,), optional
        Probabilities of the points, 1 / m each by default.
    rule : "geq" or "argmax"
        "geq": class c is positive where q_c fractions_c reaches the largest of the others, so a tie is positive for
        both classes. "argmax": of a tie only the smallest class is positive, with two classes too.
    tie_tol : float
        In [0, 1]: weighted fractions that differ by no more than this times the largest weight are tied.

    Examples
    --------
    >>> from knnviz.weights import confusion
    >>> fractions, truth = [[0.8, 0.2], [0.6, 0.4], [0.4, 0.6], [0.3, 0.7]], [0, 1, 1, 1]
    >>> confusion(fractions, truth).tp.tolist()
    [0.25, 0.5]
    >>> confusion(fractions, truth, q=[0.3, 0.7]).tp.tolist()
    [0.25, 0.75]
    """
    fractions = checks.check_fractions("fractions", fractions)
    truth = _truth(truth, *fractions.shape)
    positive = _positive(fractions, check_class_weights(q, fractions.shape[1]), rule, tie_tol)
    point_weights = np.ones(len(fractions)) if weights is None else checks.check_weights(weights, len(fractions))
    entries = np.empty((4, len(positive)))
    kernels.sum_entries(positive, truth, point_weights, entries)
    # Counts stay whole numbers until they are divided, so that equal decisions have equal scores.
    return Confusion(*(entries / len(fractions) if weights is None else entries))


def confusion_hat(
    fractions: np.ndarray,
    labels: np.ndarray,
    q: Sequence[float] | None = None,
    *,
    rule: TieRule = "geq",
    tie_tol: float = TIE_TOL,
) -> Confusion:
    """Empirical entries: decisions by eta-hat (n, C) against class codes (n,). A search for weights maximizes their F1.

    If each point is its own neighbor, the entries are better than on new points, and with one neighbor perfect.
    Source: Khim et al., section 2.2.3.

    Examples
    --------
    >>> from knnviz.weights import confusion_hat
    >>> scores = confusion_hat([[0.8, 0.2], [0.6, 0.4], [0.3, 0.7]], labels=[0, 1, 1])
    >>> scores.f1.round(4).tolist(), round(scores.macro_f1, 4)
    ([0.6667, 0.6667], 0.6667)
    """
    if np.ndim(labels) != 1:
        raise ValueError(f"labels must hold one class code for each point, got shape {np.shape(labels)}")
    return confusion(fractions, labels, q, rule=rule, tie_tol=tie_tol)


def confusion_bayes(
    eta: np.ndarray,
    q: Sequence[float] | None = None,
    *,
    weights: np.ndarray | None = None,
    rule: TieRule = "geq",
    tie_tol: float = TIE_TOL,
) -> Confusion:
    """Population entries of the weighted Bayes rule at q: eta (m, C) on a grid decides, and is integrated.

    Source: Khim et al., section 2.2.3.

    Examples
    --------
    >>> from knnviz.weights import confusion_bayes
    >>> bayes = confusion_bayes([[0.9, 0.1], [0.3, 0.7]])
    >>> round(1 - bayes.accuracy, 4)
    0.2
    """
    return confusion(eta, _eta(eta), q, weights=weights, rule=rule, tie_tol=tie_tol)


def confusion_fitted(
    fractions: np.ndarray,
    eta: np.ndarray,
    q: Sequence[float] | None = None,
    *,
    weights: np.ndarray | None = None,
    rule: TieRule = "geq",
    tie_tol: float = TIE_TOL,
) -> Confusion:
    """Entries of a fitted rule on new points: eta-hat (m, C) on a grid decides, eta (m, C) there is integrated.

    Source: Khim et al., section 6, where its F1 is called the population F1.

    Examples
    --------
    >>> from knnviz.weights import confusion_fitted
    >>> fitted = confusion_fitted(fractions=[[0.4, 0.6], [0.2, 0.8]], eta=[[0.9, 0.1], [0.3, 0.7]])
    >>> round(1 - fitted.accuracy, 4)
    0.6
    """
    return confusion(fractions, _eta(eta), q, weights=weights, rule=rule, tie_tol=tie_tol)


def excess_weighted_risk(
    fractions: np.ndarray,
    eta: np.ndarray,
    q: Sequence[float] | None = None,
    *,
    weights: np.ndarray | None = None,
    tie_tol: float = TIE_TOL,
) -> float:
    """R_q(f) - R_q(f*_q) = E[q_f* eta_f* - q_f eta_f] >= 0, on the scale of q, the weighted risk above its smallest.

    f is the argmax of q_c fractions_c, f*_q that of q_c eta_c. Arguments are those of ``confusion``. Source: Khim et
    al., section 2 (whose display for the excess risk without weights has P(f != f*), an upper bound; the proof of Lemma
    6 has it as here).

    Examples
    --------
    >>> from knnviz.weights import excess_weighted_risk
    >>> excess = excess_weighted_risk(fractions=[[0.4, 0.6], [0.2, 0.8]], eta=[[0.9, 0.1], [0.3, 0.7]], q=[1, 1])
    >>> round(excess, 4)
    0.4
    """
    fractions = checks.check_fractions("fractions", fractions)
    class_weights = check_class_weights(q, fractions.shape[1])
    truth = _truth(_eta(eta), *fractions.shape)
    # An array for each class: a large block of memory would cost more than the arithmetic.
    scores = [column * weight for column, weight in zip(truth.T, class_weights, strict=True)]
    predicted = _positive(fractions, class_weights, "argmax", tie_tol)
    lost = reduce(np.maximum, scores) - sum(score * chosen for score, chosen in zip(scores, predicted, strict=True))
    # Unlike a matrix product it runs in one thread, which is faster here.
    return float(np.einsum("m,m->", checks.check_weights(weights, len(lost)), lost))


def uniform_error(fractions: np.ndarray, eta: np.ndarray) -> float:
    """U = the largest abs(eta-hat - eta) over m points and C classes, both (m, C) in [0, 1].

    On a grid it is a lower estimate of the supremum over all x. Source: Khim et al., section 2.2.2.

    Examples
    --------
    >>> from knnviz.weights import uniform_error
    >>> uniform_error(fractions=[[0.5, 0.5], [0.25, 0.75]], eta=[[0.75, 0.25], [0.25, 0.75]])
    0.25
    """
    fractions, eta = checks.check_fractions("fractions", fractions), checks.check_fractions("eta", eta)
    if fractions.shape != eta.shape:
        raise ValueError(f"fractions and eta must have the same shape, got {fractions.shape} and {eta.shape}")
    return float(abs(fractions - eta).max())


def leaders(fractions: Iterable[np.ndarray], q: np.ndarray, tie_tol: float) -> np.ndarray:
    """Which classes have the largest weighted fraction q_c * fraction_c, (C, m) bool, ties included.

    ``fractions`` holds an array (m,) for each class, ``q`` (C,) the class weights. Weighted fractions below the largest
    by at most ``tie_tol`` times the largest weight tie with it. Source: Khim, Xu & Singh, section 2.

    Examples
    --------
    >>> from knnviz.weights import leaders
    >>> import numpy as np
    >>> fractions = np.array([[0.5, 0.6], [0.5, 0.4]])
    >>> leaders(fractions, q=np.array([1.0, 1.0]), tie_tol=1e-12).tolist()
    [[True, True], [True, False]]
    """
    q = rescaled(q)
    # An array for each class: a large block of memory would cost more than the arithmetic.
    scores = [fraction * weight for fraction, weight in zip(fractions, q, strict=True)]
    least = reduce(np.maximum, scores) - float(tie_tol) * q.max()
    return np.array([score >= least for score in scores])


def _ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """The ratio, 0 where the denominator is 0."""
    return np.divide(numerator, denominator, out=np.zeros(np.shape(denominator)), where=np.asarray(denominator) > 0)


def _positive(fractions: np.ndarray, q: np.ndarray, rule: str, tie_tol: float) -> np.ndarray:
    """Whether each class is positive (C, m): its score reaches the largest, up to the ties of ``rules.leaders``.

    By "argmax" only the smallest of these classes is, as ``rules.Weighted`` decides.
    """
    checks.check_choice("rule", rule, ("geq", "argmax"))
    positive = leaders(fractions.T, q, checks.check_real("tie_tol", tie_tol, 0, 1))
    if rule == "argmax":
        smaller_is_positive = positive[0].copy()
        for c in range(1, len(q)):
            positive[c] &= ~smaller_is_positive
            smaller_is_positive |= positive[c]
    return positive


def _eta(eta: np.ndarray) -> np.ndarray:
    if np.ndim(eta) != 2:
        raise ValueError(f"eta must have a row for each point and a column for each class, got shape {np.shape(eta)}")
    return eta


def _truth(truth: np.ndarray, m: int, n_classes: int) -> np.ndarray:
    """The probability of each class at each point (m, C), 1 and 0 for class codes (m,), or ValueError."""
    if np.ndim(truth) != 2:
        return (checks.check_codes("truth", truth, m, n_classes) == np.arange(n_classes)[:, None]).T
    eta = checks.check_probabilities("eta", truth)
    if eta.shape != (m, n_classes):
        raise ValueError(f"fractions and eta must have the same shape, got {(m, n_classes)} and {eta.shape}")
    return eta
