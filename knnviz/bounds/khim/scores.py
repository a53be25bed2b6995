"""Errors of precision, recall and F1 from those of the confusion entries: Corollaries 5 to 9."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from knnviz.bounds.khim.entries import EntryErrors
from knnviz.metrics import Confusion, Entries


@dataclass(frozen=True, eq=False)
class ScoreErrors:
    """Where the bounds of the entries hold, scores of a sample are within these of the population ones; each (C,).

    Infinite where the denominator of the formula is not positive. Made by ``score_errors``.
    """

    precision: np.ndarray
    recall: np.ndarray
    f1: np.ndarray

    @property
    def macro_f1(self) -> float:
        return float(self.f1.mean())

    @property
    def vacuous(self) -> np.ndarray:
        """Whether the bound on the F1 of each class (C,) is trivial: it reaches 1."""
        return self.f1 >= 1


class Intervals(NamedTuple):
    """Ends (C,) of an interval for each class; made by ``f1_intervals``."""

    low: np.ndarray
    high: np.ndarray


def score_errors(confusion: Entries, errors: EntryErrors) -> ScoreErrors:
    """Errors of precision, recall and F1, from population entries and how far the empirical ones are off.

    E_prec = 3 (E_TP + E_FP) / (TP + FP - E_TP - E_FP), E_rec with FN in place of FP, and E_F1 = 9 (E_prec + E_rec) /
    (prec + rec - E_prec - E_rec). The factors 3 and 9 are losses of the proof: ``f1_intervals`` has none.

    ValueError where errors are for another number of classes, or of thresholds.

    Source: Khim et al., Corollaries 5 and 6, and for two classes Corollaries 7 to 9.

    Parameters
    ----------
    confusion : Confusion or Entries
        Population entries (C,), as of ``metrics.confusion_bayes`` by ``rule="geq"``: ties are of all tied classes; for
        two classes at one threshold or several, those of class 1, as of ``metrics.Thresholds.at``.
    errors : EntryErrors
        Of ``theorem_5``, or for two classes of ``proposition_3``.

    Examples
    --------
    >>> from knnviz.bounds.khim import proposition_3, score_errors
    >>> from knnviz.metrics import Thresholds
    >>> perfect = Thresholds.of([0, 1], [0, 1]).at([0.5])
    >>> scores = score_errors(perfect, proposition_3(n=1_000_000, delta=0.05, cover_size=1, tne=0, fne=0))
    >>> scores.precision.round(4).tolist(), scores.f1.round(4).tolist()
    ([0.0682], [0.659])
    """
    _check(confusion, errors)
    precision = _ratio(3, errors.tp + errors.fp, confusion.tp + confusion.fp)
    recall = _ratio(3, errors.tp + errors.fn, confusion.tp + confusion.fn)
    f1 = _ratio(9, precision + recall, confusion.precision + confusion.recall)
    return ScoreErrors(precision, recall, f1)


def f1_intervals(confusion: Entries, errors: EntryErrors) -> Intervals:
    """Interval (C,) in which the empirical F1 lies, from the least and largest value of each entry.

    2 TP / (2 TP + FP + FN) rises with TP and falls with FP and FN, and no entry is below 0 or above 1. It holds
    whenever ``score_errors`` does, and is narrower. Where TP, FP and FN may all be 0, it is from 0 to 1.

    Source: in place of Corollary 6 of Khim et al.

    Examples
    --------
    >>> from knnviz.bounds.khim import f1_intervals, proposition_3
    >>> from knnviz.metrics import Thresholds
    >>> perfect = Thresholds.of([0, 1], [0, 1]).at([0.5])
    >>> ends = f1_intervals(perfect, proposition_3(n=1_000_000, delta=0.05, cover_size=1, tne=0, fne=0))
    >>> [each.round(4).tolist() for each in ends]
    [[0.9889], [1.0]]
    """
    _check(confusion, errors)
    worst = np.minimum(confusion.fp + errors.fp, 1) + np.minimum(confusion.fn + errors.fn, 1)
    best = np.maximum(confusion.fp - errors.fp, 0) + np.maximum(confusion.fn - errors.fn, 0)
    least, most = np.maximum(confusion.tp - errors.tp, 0), np.minimum(confusion.tp + errors.tp, 1)
    return Intervals(_f1(least, worst, 0.0), _f1(most, best, 1.0))


def _check(confusion: Entries, errors: EntryErrors) -> None:
    """Raise ValueError unless errors are for the classes or thresholds of the entries, or one for all."""
    shape = np.shape(confusion.tn)
    if len(shape) > 1:
        raise ValueError(f"entries must be a row, one for each class or threshold, got shape {shape}")
    number, unit = np.size(confusion.tn), "classes" if isinstance(confusion, Confusion) else "thresholds"
    for bounds in (errors.tn, errors.fn):
        if len(bounds) not in (1, number):
            raise ValueError(f"errors must be for {number} {unit} as the entries are, got {len(bounds)}")


def _ratio(factor: int, error: np.ndarray, total: np.ndarray) -> np.ndarray:
    """factor error / (total - error), infinite where that is not positive."""
    denominator = total - error
    infinite = np.full(np.shape(denominator), np.inf)
    return np.divide(factor * error, denominator, out=infinite, where=denominator > 0)


def _f1(tp: np.ndarray, wrong: np.ndarray, otherwise: float) -> np.ndarray:
    """2 TP / (2 TP + FP + FN), and ``otherwise`` for 0 / 0."""
    denominator = 2 * tp + wrong
    return np.divide(2 * tp, denominator, out=np.full(np.shape(denominator), otherwise), where=denominator > 0)
