"""Two classes, one of them rare: the threshold on eta that is best for F1, and kNN with it."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from knnviz.problems import Problem, Sample, one_against_rest, rare, waves
from knnviz.risk import Antiderivative
from knnviz.weights import Thresholds
from knnviz_papers.khim.example import CLASS, RESOLUTION
from knnviz_papers.simulate import Row, Tables, means_and_errors, over_samples, window_votes

#: Sample size and number of neighbors.
SIZE = 2000
NEIGHBORS = 60

#: What is measured on a sample.
SCORES = ("f1", "recall", "precision")


def khim_thresholds(repeats: int = 1000, seed: int = 0, progress: bool = False) -> Tables:
    """The best F1 over thresholds on eta is reached at half of itself; and what that threshold does
    for kNN.

    On class 0 of the example against the rest, and on a class that is never the likely one.

    Tables: "best", a row for each problem: the prior of the class, F1 at 1/2, the best threshold
    and its F1, and half of that; "knn", a row for each threshold on the rare class: F1, recall and
    precision of kNN, integrated, and the F1 of eta itself. Without a positive decision precision is
    0.

    Source: Khim et al., Appendix C, which does not count F1 among the scores that a threshold
    maximizes.
    """
    of_example = _best(one_against_rest(waves(), CLASS))
    of_rare = _best(rare())
    choices = {"1/2": 0.5}
    choices["half of the best F1"] = of_rare["half_of_best"]
    choices["prior"] = of_rare["prior"]

    thresholds = list(choices.values())
    eta_up_to = Antiderivative.build(rare(), RESOLUTION)
    work = partial(scores, k=NEIGHBORS, thresholds=thresholds, eta_up_to=eta_up_to)
    found = over_samples(work, rare(), SIZE, repeats, seed, progress)
    f1_of_eta = _thresholds(rare()).at(np.array(thresholds)).f1

    rows = []
    for index, (choice, threshold) in enumerate(choices.items()):
        row: Row = {"choice": choice, "threshold": threshold}
        row |= {"n": SIZE, "k": NEIGHBORS, "eta_f1": f1_of_eta[index]}
        row |= means_and_errors(found[:, index], SCORES)
        rows.append(row)
    return {"best": [of_example, of_rare], "knn": rows}


def scores(
    sample: Sample, k: int, thresholds: Sequence[float], eta_up_to: Antiderivative
) -> np.ndarray:
    """F1, recall and precision (thresholds, 3) of kNN for class 1, with thresholds on the fraction
    of its votes.

    ``sample`` has two classes on a line; ``eta_up_to`` integrates their eta.
    """
    votes = window_votes(sample, 2)
    breakpoints = votes.windows.breakpoints(k)
    ends = np.concatenate([[-np.inf], breakpoints, [np.inf]])
    masses = np.diff(eta_up_to(ends), axis=0)
    total = masses.sum(axis=1)
    eta = np.zeros(len(total))
    np.divide(masses[:, 1], total, out=eta, where=total > 0)

    positive_votes = votes.at(k)[:, 1]
    by_threshold = Thresholds.from_votes(eta, positive_votes, k, weights=total)
    found = by_threshold.at(np.asarray(thresholds))
    return np.stack([getattr(found, name) for name in SCORES], axis=1)


def _thresholds(problem: Problem) -> Thresholds:
    _, eta = problem.cells(RESOLUTION)
    return Thresholds.from_fractions(eta[:, 1], eta[:, 1])


def _best(problem: Problem) -> Row:
    known = _thresholds(problem)
    f1, _, threshold = known.best()
    row: Row = {"problem": problem.name, "prior": known.prevalence}
    row["f1_at_half"] = known.at(0.5).f1
    return row | {"best_threshold": threshold, "best_f1": f1, "half_of_best": f1 / 2}
