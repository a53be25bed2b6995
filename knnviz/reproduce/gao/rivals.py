"""The rivals of RkNN in section 6.2 of Gao et al.: what each is told, and what it picks by cross-validation.

The paper tells IR-KSVM, IR-LLog, LD-KSVM and UE-LLog the true flip rates; each of them also runs with the rates that
RkNN has estimated. It states the folds, but neither what is picked from nor the default parameters of the code that it
took. Here, UE-LLog and NHERD pick C, and AROW 1 / r, from ``STRENGTHS``. The two IR rules have scikit-learn's defaults,
with probabilities from kernel logistic regression. LD-KSVM has C = 1 and the width from ``WIDTHS`` that serves a plain
SVM best on noise-free labels; with estimated rates, where noise-free labels would be a hint too, on those with noise.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from knnviz.estimators import (
    AROWClassifier,
    ImportanceReweightedClassifier,
    LabelDependentCostsClassifier,
    NHERDClassifier,
    UnbiasedLogisticRegression,
)
from knnviz.threads import parallel_map

Given = Literal["true", "estimated", "none"]

#: What C of UE-LLog and NHERD, and 1 / r of AROW, are picked from.
STRENGTHS = tuple(10.0**i for i in range(-3, 2))

#: What gamma of a Gaussian kernel is picked from.
WIDTHS = tuple(2.0**i for i in range(-9, 4, 2))

#: The rivals in the order of the paper, and the flip rates that each is given in turn.
RIVALS: dict[str, tuple[Given, ...]] = {
    "IR-KSVM": ("true", "estimated"),
    "IR-LLog": ("true", "estimated"),
    "LD-KSVM": ("true", "estimated"),
    "UE-LLog": ("true", "estimated"),
    "AROW": ("none",),
    "NHERD": ("none",),
}


class Column(NamedTuple):
    """A rule, and which flip rates it is given."""

    rule: str
    rates: Given


class Setting(NamedTuple):
    """A training part under one setting of noise: points (n, d), observed labels (n,), and those of its folds' scores.

    ``true`` are the flip rates (p0, p1), ``estimated`` those that RkNN reads off the labels.
    """

    X: np.ndarray
    observed: np.ndarray
    scored: np.ndarray
    true: tuple[float, float]
    estimated: tuple[float, float]


def columns(rivals: Sequence[str]) -> list[Column]:
    """RkNN, kNN and the rivals, of which some stand twice."""
    beside = [Column(name, rates) for name in rivals for rates in RIVALS[name]]
    return [Column("RkNN", "estimated"), Column("kNN", "none"), *beside]


def check_rivals(rivals: Sequence[str]) -> None:
    """Raise ValueError for a name that is none of RIVALS."""
    for name in rivals:
        if name not in RIVALS:
            raise ValueError(f"rivals are {', '.join(RIVALS)}, got {name!r}")


def accuracies(
    rivals: Sequence[str],
    settings: Sequence[Setting],
    clean: np.ndarray,
    X_test: np.ndarray,
    y_test: np.ndarray,
    folds: int,
) -> np.ndarray:
    """Accuracies (settings, columns) of the rivals at test points (m, d) of known classes (m,).

    ``clean`` (n,) are the true classes of the training points, which only the width of LD-KSVM may see. Parameters are
    picked on so many ``folds``.
    """
    beside = columns(rivals)[2:]
    found, width = np.empty((len(settings), len(beside))), 0.0

    def measure(place: tuple[int, int]) -> None:
        setting, column = settings[place[0]], beside[place[1]]
        rival = _rival(column, setting, width, folds)
        found[place] = np.mean(_predicted(rival, setting.X, setting.observed, X_test) == y_test)

    # Threads of BLAS would wait for each other: the problems are small, and there is one for each processor.
    with threadpool_limits(1, "blas"):
        if "LD-KSVM" in rivals:
            width = _width(settings[0]._replace(observed=clean, scored=clean), folds)
        parallel_map(measure, np.ndindex(found.shape))
    return found


def _rival(column: Column, setting: Setting, width: float, folds: int) -> Any:
    """The classifier of a column, unfitted, with the parameters that cross-validation picks."""
    told = column.rates == "true"
    rates = setting.true if told else setting.estimated
    match column.rule:
        case "IR-KSVM":
            return ImportanceReweightedClassifier(SVC(), noise_rates=rates)
        case "IR-LLog":
            return ImportanceReweightedClassifier(LogisticRegression(), noise_rates=rates)
        case "LD-KSVM":
            gamma = width if told else _width(setting, folds)
            return LabelDependentCostsClassifier(SVC(gamma=gamma), noise_rates=rates)
        case "UE-LLog":
            return _best([UnbiasedLogisticRegression(C=C, noise_rates=rates) for C in STRENGTHS], setting, folds)
        case "AROW":
            return _best([AROWClassifier(r=1 / C) for C in STRENGTHS], setting, folds)
    return _best([NHERDClassifier(C=C) for C in STRENGTHS], setting, folds)


def _width(setting: Setting, folds: int) -> float:
    return _best([SVC(gamma=gamma) for gamma in WIDTHS], setting, folds).gamma


def _best(candidates: Sequence[Any], setting: Setting, folds: int) -> Any:
    """The first of the classifiers with the highest accuracy, averaged over folds."""
    held = np.array_split(np.arange(len(setting.X)), folds)

    def accuracy(candidate: Any) -> float:
        right = []
        for fold in held:
            X, y = np.delete(setting.X, fold, axis=0), np.delete(setting.observed, fold)
            right.append(np.mean(_predicted(candidate, X, y, setting.X[fold]) == setting.scored[fold]))
        # Rounded, since sums of the same accuracies may differ in their last digit.
        return round(float(np.mean(right)), 9)

    return max(candidates, key=accuracy)


def _predicted(classifier: Any, X: np.ndarray, y: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """Predictions of a classifier after a fit; the most frequent label where it refuses labels or weights of one class.

    That can happen to a fold of few rows; the points themselves have been checked.
    """
    try:
        return classifier.fit(X, y).predict(queries)
    except ValueError:
        return np.full(len(queries), np.bincount(y).argmax())
