"""Two classes, of which one is rare: the threshold on eta that is best for F1, and what kNN makes of it."""

from collections.abc import Callable, Sequence

import numpy as np
from tqdm import tqdm

from knnviz.metrics import Confusion
from knnviz.problems import Problem, Sample, rare, waves
from knnviz.problems.named import line
from knnviz.profiles import WindowProfile
from knnviz.reproduce.khim.ground import CLASS, RESOLUTION
from knnviz.reproduce.registry import Row, Tables, reproduction
from knnviz.reproduce.simulate import columns, over_samples
from knnviz.risk import Antiderivative
from knnviz.rules import Threshold
from knnviz.windows import Windows

#: What is measured on a sample.
SCORES = ("f1", "recall", "precision")


@reproduction
def khim_thresholds(n: int = 2000, k: int = 60, repeats: int = 1000, seed: int = 0, progress: bool = False) -> Tables:
    """The best F1 over thresholds on eta is reached at half of itself; and what that threshold does for kNN.

    On class 0 of the example against the rest, and on a class that is never the likely one.

    Parameters
    ----------
    n, k : int
        Sample size, and neighbors that vote.
    repeats : int
        Samples, at least 2.
    seed : int
        Seed of the samples.
    progress : bool
        Whether a bar shows how far it is.

    Returns
    -------
    tables : dict of lists of dict
        "best", a row for each problem: the prior of the class, F1 at 1/2, the best threshold and its F1, and half of
        that; "knn", a row for each threshold on the rare class: F1, recall and precision of kNN, integrated, and the F1
        of eta itself. Without a positive decision precision is 0.

    Raises
    ------
    ValueError
        For numbers out of range.

    Source: Khim et al., Appendix C, where F1 is said to be no aim that a threshold is best for.
    """
    best = [_best(problem) for problem in (against_the_rest(), rare())]
    cuts = {"1/2": 0.5, "half of the best F1": best[-1]["half_of_best"], "prior": best[-1]["prior"]}
    law = Antiderivative.of(rare(), RESOLUTION)
    with tqdm(total=1, desc="khim_thresholds", disable=not progress) as bar:
        found = over_samples(lambda sample: scores(sample, k, list(cuts.values()), law), rare(), n, repeats, seed)
        bar.update()
    eta = _eta(rare())
    rows = [
        {"threshold": name, "cut": cut, "n": n, "k": k, "eta_f1": f1_of_eta(eta, cut)} | columns(each, SCORES)
        for (name, cut), each in zip(cuts.items(), found.swapaxes(0, 1), strict=True)
    ]
    return {"best": best, "knn": rows}


def against_the_rest() -> Problem:
    """Class 0 of the example as class 1, against the others as class 0.

    Returns
    -------
    problem : Problem
        With two classes, on [0, 1].
    """
    return line("class 0 of waves", lambda x: waves().eta(x[:, None])[:, CLASS])


def f1_of_eta(eta: np.ndarray, cut: float) -> float:
    """F1 of the decision for class 1 where eta_1 reaches a threshold.

    Parameters
    ----------
    eta : (m,) array
        Of class 1, at points that weigh the same.
    cut : float
        The threshold.

    Returns
    -------
    f1 : float
    """
    positive = eta >= cut
    return float(2 * eta[positive].sum() / (positive.sum() + eta.sum()))


def scores(
    sample: Sample, k: int, cuts: Sequence[float], law: Callable[[np.ndarray], np.ndarray]
) -> list[tuple[float, ...]]:
    """F1, recall and precision of kNN with thresholds, for class 1.

    Parameters
    ----------
    sample : Sample
        Of distinct points on a line, two classes.
    k : int
        Neighbors that vote.
    cuts : sequence of float
        Thresholds on the share of class 1.
    law : callable
        Maps x (m,) to the probabilities (m, 2) of points up to x of either class: an ``Antiderivative``.

    Returns
    -------
    scores : list of tuples of 3 floats
        For each threshold.

    Raises
    ------
    ValueError
        For points that coincide, and for k out of range.
    """
    windows = Windows.of(sample.X)
    votes = WindowProfile.count(windows, sample.y, 2)
    masses = np.diff(law(np.concatenate([[-np.inf], windows.breaks(k), [np.inf]])), axis=0)
    found = []
    for cut in cuts:
        positive = Threshold(cut).predict(votes, k).astype(bool)
        hit, miss = masses[positive].sum(axis=0), masses[~positive].sum(axis=0)
        entries = Confusion(tn=[hit[1], miss[0]], fn=[hit[0], miss[1]], fp=[miss[1], hit[0]], tp=[miss[0], hit[1]])
        found.append(tuple(float(getattr(entries, name)[1]) for name in SCORES))
    return found


def _eta(problem: Problem) -> np.ndarray:
    return problem.eta(problem.grid(RESOLUTION).points)[:, 1]


def _best(problem: Problem) -> Row:
    """The best of all cuts of eta, by sorting it."""
    eta = np.sort(_eta(problem))[::-1]
    hits = np.cumsum(eta)
    f1 = 2 * hits / (np.arange(1, len(eta) + 1) + hits[-1])
    best = f1.argmax()
    row = {"problem": problem.name, "prior": hits[-1] / len(eta), "f1_at_half": f1_of_eta(eta, 0.5)}
    return row | {"best_cut": eta[best], "best_f1": f1[best], "half_of_best": f1[best] / 2}
