"""The rivals of RkNN in section 6.2 of Gao et al.: which flip rates each uses, and what
cross-validation picks.

In the paper IR-KSVM, IR-LLog, LD-KSVM and UE-LLog use the true flip rates; here each also runs with
the rates that RkNN has estimated. The paper states the folds, but neither what is picked from nor
the default parameters of the code that it took. Here UE-LLog and NHERD pick C, and AROW 1 / r, from
``C_GRID``. The two IR rules have scikit-learn's defaults, with probabilities from kernel logistic
regression. LD-KSVM has C = 1, and of ``GAMMAS`` the one that is best for a plain SVM: on clean
labels with true flip rates, as in the paper, on noisy labels with estimated ones. All picking but
that on clean labels is scored on the labels that ``scoring`` names.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from knnviz.threads import parallel_map
from knnviz_papers.gao.linear_rivals import (
    AROWClassifier,
    NHERDClassifier,
    UnbiasedLogisticRegression,
)
from knnviz_papers.gao.reweighting import (
    ImportanceReweightedClassifier,
    LabelDependentCostsClassifier,
)

RatesGiven = Literal["true", "estimated", "none"]

#: Candidate values of C (UE-LLog, NHERD) and of 1 / r (AROW).
C_GRID = tuple(10.0**i for i in range(-3, 2))

#: Candidate values of gamma, of a Gaussian kernel.
GAMMAS = tuple(2.0**i for i in range(-9, 4, 2))

#: The rivals in the order of the paper, and the flip rates that each is given in turn.
RIVALS: dict[str, tuple[RatesGiven, ...]] = {
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
    rates: RatesGiven


class TrainingPart(NamedTuple):
    """Points (n, d) to train on, observed labels (n,) under one setting of noise, and scored labels
    (n,) of folds.

    ``true_rates`` are (p0, p1), ``estimated_rates`` RkNN's estimates of them, (0, 0) where it has
    none.
    """

    X: np.ndarray
    observed: np.ndarray
    scored: np.ndarray
    true_rates: tuple[float, float]
    estimated_rates: tuple[float, float]


def columns(rivals: Sequence[str]) -> list[Column]:
    """RkNN, kNN and the rivals; one that uses flip rates has two columns."""
    of_rivals = [Column(name, rates) for name in rivals for rates in RIVALS[name]]
    return [Column("RkNN", "estimated"), Column("kNN", "none"), *of_rivals]


def accuracies(
    rivals: Sequence[str],
    parts: Sequence[TrainingPart],
    clean: np.ndarray,
    X_test: np.ndarray,
    y_test: np.ndarray,
    folds: int,
) -> np.ndarray:
    """Accuracies (settings, columns) of the rivals at test points (m, d) of known classes (m,).

    ``clean`` (n,) are the true classes of the training points, which only gamma of LD-KSVM with
    true rates may see. Parameters are picked on so many ``folds``.
    """
    of_rivals = columns(rivals)[2:]
    found = np.empty((len(parts), len(of_rivals)))
    clean_gamma = 0.0

    def measure(index: tuple[int, int]) -> None:
        setting, rival = index
        part = parts[setting]
        rule, given = of_rivals[rival]
        rates = part.estimated_rates
        gamma = None
        if given == "true":
            rates = part.true_rates
            gamma = clean_gamma
        elif rule == "LD-KSVM":
            gamma = _best_gamma(part, folds)
        best = _best(_candidates(rule, rates, gamma), part, folds)
        predicted = _predicted(best, part.X, part.observed, X_test)
        found[index] = np.mean(predicted == y_test)

    # Threads of BLAS would wait for each other: the problems are small, and there is one for each
    # processor.
    with threadpool_limits(1, "blas"):
        if "LD-KSVM" in rivals:
            clean_part = parts[0]._replace(observed=clean, scored=clean)
            clean_gamma = _best_gamma(clean_part, folds)
        parallel_map(measure, np.ndindex(found.shape))
    return found


def _candidates(rule: str, rates: tuple[float, float], gamma: float | None) -> list[Any]:
    """The unfitted classifiers among which cross-validation picks."""
    match rule:
        case "IR-KSVM":
            return [ImportanceReweightedClassifier(SVC(), noise_rates=rates)]
        case "IR-LLog":
            return [ImportanceReweightedClassifier(LogisticRegression(), noise_rates=rates)]
        case "LD-KSVM":
            return [LabelDependentCostsClassifier(SVC(gamma=gamma), noise_rates=rates)]
        case "UE-LLog":
            return [UnbiasedLogisticRegression(C=C, noise_rates=rates) for C in C_GRID]
        case "AROW":
            return [AROWClassifier(r=1 / C) for C in C_GRID]
    return [NHERDClassifier(C=C) for C in C_GRID]


def _best_gamma(part: TrainingPart, folds: int) -> float:
    candidates = [SVC(gamma=gamma) for gamma in GAMMAS]
    return _best(candidates, part, folds).gamma


def _best(candidates: Sequence[Any], part: TrainingPart, folds: int) -> Any:
    """The first of the classifiers with the highest accuracy, averaged over folds."""
    held_out = np.array_split(np.arange(len(part.X)), folds)

    def accuracy(candidate: Any) -> float:
        right = []
        for fold in held_out:
            X = np.delete(part.X, fold, axis=0)
            y = np.delete(part.observed, fold)
            predicted = _predicted(candidate, X, y, part.X[fold])
            right.append(np.mean(predicted == part.scored[fold]))
        # Rounded, since sums of the same accuracies may differ in their last digit.
        return round(float(np.mean(right)), 9)

    if len(candidates) == 1:
        return candidates[0]
    return max(candidates, key=accuracy)


def _predicted(classifier: Any, X: np.ndarray, y: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """Predictions of a classifier after a fit; the most frequent label where it refuses labels or
    weights of one class.

    That can happen to a fold of few rows; the points themselves have been checked.
    """
    try:
        return classifier.fit(X, y).predict(queries)
    except ValueError:
        return np.full(len(queries), np.bincount(y).argmax())
