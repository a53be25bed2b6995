"""Table 1: how far the confusion entries of a sample are from those of the weighted Bayes rule."""

from functools import partial
from itertools import product

import numpy as np
from tqdm import tqdm

from knnviz.checks import TIE_TOL
from knnviz.lessons.stored import published
from knnviz.neighbors import Windows
from knnviz.problems import Sample, waves
from knnviz.profiles import WindowProfile
from knnviz.weights import confusion, leaders
from knnviz_papers.khim.example import RESOLUTION, Q, entries
from knnviz_papers.simulate import Row, Tables, means_and_errors, over_samples, with_error

#: The entries, in the order of the paper.
ENTRIES = ("tn", "tp", "fn", "fp")

#: Whose labels are compared with what their neighbors vote.
POINTS = ("own point counted", "own point left out", "fresh sample")

#: How scores tie: beyond doubt, or as their doubles compare.
TIES = {"exact": TIE_TOL, "float": 0.0}


def khim_table_1(repeats: int = 1000, seed: int = 0, progress: bool = False) -> Tables:
    """Mean absolute errors of the confusion entries of class 0 for weights (0.5, 0.3, 0.2), beside
    the printed ones.

    n and k are those of the paper; k is 5 n^(1/3) without its decimals, where a double a little
    below 50 gives 49. The paper counts each training point among its own neighbors; beside that are
    votes without it, and a fresh sample as large as the first. Equal scores are common, so that it
    matters whether rounding may break ties.

    Tables: "errors", a row for each n, kind of points and of ties; "ties", a row for each n: the
    fraction of training points with equal best scores, and of those that their doubles decide
    otherwise; "beside", a row for each n and entry: what the paper prints and what comes out.

    Source: Khim et al., Table 1.
    """
    problem = waves()
    _, eta = problem.cells(RESOLUTION)
    truth = entries(confusion(eta, eta, Q), ENTRIES)
    kinds = list(product(POINTS, TIES))
    tables: Tables = {"errors": [], "ties": [], "beside": []}
    table_1 = published("khim")["table_1"]
    for printed in tqdm(table_1, "khim_table_1", disable=not progress):
        key = {"n": printed["n"], "k": printed["k"]}
        work = partial(entry_errors, truth=truth, **key)
        found = over_samples(work, problem, 2 * printed["n"], repeats, seed)

        distances = abs(found[:, :-2])
        apart = np.split(distances, len(kinds), axis=1)
        errors: list[Row] = []
        for (points, ties), each in zip(kinds, apart, strict=True):
            row = key | {"points": points, "ties": ties}
            errors.append(row | means_and_errors(each, ENTRIES))
        tables["errors"] += errors

        tied = means_and_errors(found[:, -2:], ("tied", "decided_otherwise"))
        tables["ties"].append(key | tied)

        for entry in ENTRIES:
            row = key | {"entry": entry, "printed": printed[entry]}
            for ours in errors[: len(TIES)]:
                row |= with_error(ours["ties"], ours[entry], ours[f"{entry}_se"])
            tables["beside"].append(row)
    return tables


def entry_errors(sample: Sample, k: int, n: int, truth: np.ndarray) -> list[float]:
    """Errors of the entries on one sample of 2 n points on a line: n to learn from, and n fresh
    ones.

    ``truth`` holds the entries of the weighted Bayes rule. Gives 26 numbers: signed errors in the
    order of ``POINTS``, ``TIES`` and ``ENTRIES``; the fraction of the training points with equal
    best scores; the fraction where doubles decide otherwise.
    """
    x = sample.X[:, 0]
    y = sample.y[:n]
    windows = Windows.from_points(sample.X[:n])
    profile = WindowProfile.build(windows, y, len(Q))
    own = profile.at_points(x[:n], k)
    # Each point is the first of its own neighbors: the k others are those of k + 1 without it.
    own_labels = np.eye(len(Q), dtype=int)[y]
    without = profile.at_points(x[:n], k + 1) - own_labels
    new = profile.at_points(x[n:], k)

    errors = list[float]()
    votes = (own, y), (without, y), (new, sample.y[n:])
    for counts, labels in votes:
        for tie_tol in TIES.values():
            found = confusion(labels, counts / k, Q, tie_tol=tie_tol)
            errors += (entries(found, ENTRIES) - truth).tolist()

    fractions = own / k
    exact, as_doubles = (leaders(fractions, np.array(Q), tie_tol) for tie_tol in TIES.values())
    tied = exact.sum(axis=1) > 1
    otherwise = exact.argmax(axis=1) != as_doubles.argmax(axis=1)
    return [*errors, float(np.mean(tied)), float(np.mean(otherwise))]
