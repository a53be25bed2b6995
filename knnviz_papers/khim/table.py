"""Table 1: how far the confusion entries of a sample are from those of the weighted Bayes rule."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from tqdm import tqdm

from knnviz import checks, metrics
from knnviz.lessons.stored import published
from knnviz.metrics import TIE_TOL
from knnviz.problems import Sample, waves
from knnviz.profiles.vote_profiles import OwnWindowProfile, WindowProfile
from knnviz.rules import leaders
from knnviz.windows import Windows
from knnviz_papers.khim.pieces import RESOLUTION, Q, entries
from knnviz_papers.simulate import Row, Tables, means_and_errors, over_samples

#: n, and the k of the paper: 5 n^(1/3) without its decimals, where a double a little below 50 gives 49.
SIZES = ((50, 18), (100, 23), (1000, 49))

#: The entries, in the order of the paper.
ENTRIES = ("tn", "tp", "fn", "fp")

#: Whose labels are compared with what their neighbors vote.
POINTS = ("own point counted", "own point left out", "fresh sample")

#: How scores tie: beyond doubt, or as their doubles compare.
TIES = {"exact": TIE_TOL, "float": 0.0}


def khim_table_1(
    sizes: Sequence[tuple[int, int]] = SIZES, repeats: int = 1000, seed: int = 0, progress: bool = False
) -> Tables:
    """Mean absolute errors of the confusion entries of class 0 for weights (0.5, 0.3, 0.2), beside the printed ones.

    ``sizes`` are pairs of n and k, which is below n. The paper counts each training point among its own neighbors;
    beside that are votes without it, and a fresh sample as large as the first. Equal scores are common, so that it
    matters whether rounding may break ties.

    Tables: "errors", a row for each n, kind of points and of ties; "ties", a row for each n: the fraction of
    training points with equal best scores, and of those that their doubles decide otherwise; "beside", a row for each n
    that the paper has and each entry: what it prints and what comes out.

    Source: Khim et al., Table 1.
    """
    problem = waves()
    population = entries(metrics.confusion_bayes(problem.eta(problem.grid(RESOLUTION).points), Q), ENTRIES)
    errors, ties = [], []
    for n, k in tqdm(sizes, "khim_table_1", disable=not progress):
        n = checks.check_int("n", n, 2)
        k = checks.check_int("k", k, 1, n - 1)
        work = partial(entry_errors, n=n, k=k, population=population)
        found = over_samples(work, problem, 2 * n, repeats, seed)
        keys = [{"n": n, "k": k, "points": points, "ties": each} for points in POINTS for each in TIES]
        apart = abs(found[:, :-2].reshape(len(found), len(keys), len(ENTRIES)))
        errors += [key | means_and_errors(each, ENTRIES) for key, each in zip(keys, apart.swapaxes(0, 1), strict=True)]
        ties.append({"n": n, "k": k} | means_and_errors(found[:, -2:], ("tied", "decided_otherwise")))
    return {"errors": errors, "ties": ties, "beside": _printed_entries(errors)}


def entry_errors(sample: Sample, n: int, k: int, population: np.ndarray) -> list[float]:
    """Errors of the entries on one sample of 2 n points on a line: n to learn from, and n fresh ones.

    ``population`` holds the entries of the weighted Bayes rule. Gives 26 numbers: signed errors in the order of
    ``POINTS``, ``TIES`` and ``ENTRIES``; the fraction of the training points with equal best scores; the fraction where
    doubles decide otherwise.
    """
    X, y, classes = sample.X[:n], sample.y[:n], len(Q)
    windows = Windows.of(X)
    own = OwnWindowProfile.count(windows, y, classes)
    new = WindowProfile.count(windows, y, classes).at(k)[windows.starts(sample.X[n:, 0], k)]
    # Each point is the first of its own neighbors: the k others are those of k + 1 without it.
    votes = own.at(k), own.at(k + 1) - np.eye(classes, dtype=int)[y], new
    found = [
        entries(metrics.confusion_hat(counts / k, labels, Q, tie_tol=tie_tol), ENTRIES) - population
        for counts, labels in zip(votes, (y, y, sample.y[n:]), strict=True)
        for tie_tol in TIES.values()
    ]
    leading = [leaders(votes[0].T / k, np.array(Q), tie_tol) for tie_tol in TIES.values()]
    tied = np.mean(leading[0].sum(axis=0) > 1)
    otherwise = np.mean(leading[0].argmax(axis=0) != leading[1].argmax(axis=0))
    return [*np.concatenate(found), tied, otherwise]


def _printed_entries(errors: list[Row]) -> list[Row]:
    """The printed entries beside ours with own points counted, as in the paper, and both kinds of ties."""
    rows = []
    for printed in published("khim")["table_1"]:
        key = {"n": printed["n"], "k": printed["k"]}
        own = [row for row in errors if key.items() <= row.items() and row["points"] == POINTS[0]]
        for entry in ENTRIES if own else ():
            row = key | {"entry": entry, "printed": printed[entry]}
            for kind in own:
                row |= {kind["ties"]: kind[entry], f"{kind['ties']}_se": kind[f"{entry}_se"]}
            rows.append(row)
    return rows
