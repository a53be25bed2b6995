"""Table 2 cannot be run again here; what scoring positions against labels that begin at 1 does to a score can."""

from collections.abc import Callable

import numpy as np
from sklearn.metrics import f1_score
from tqdm import tqdm

from knnviz import checks
from knnviz.neighbors import NeighborTable
from knnviz.problems import bundled
from knnviz.profiles import VoteProfile
from knnviz.reproduce.registry import Row, Tables, published, records, reproduction
from knnviz.reproduce.simulate import columns
from knnviz.rules import Vote
from knnviz.weights import neighbors_rule

#: Blobs: as many as Table 2 has classes, points to learn from and to be scored, and how far apart their centers are.
BLOBS, POINTS, APART = 7, 2000, 2.0

#: What is scored: kNN against the right labels and against shifted ones, and two guesses.
SCORED = ("right", "shifted", "guess", "constant")

#: Training and test points and their classes.
Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@reproduction
def khim_label_shift(repeats: int = 50, seed: int = 0, progress: bool = False) -> Tables:
    """What happens to macro F1 if positions 0 to C - 1 are compared with labels 1 to C; Table 2 beside it, as printed.

    In Table 2 unweighted kNN scores less than a uniform guess among seven classes of equal size would, and positions
    compared with labels that begin at 1 do that. The table itself is not run again: its data are not at hand.
    ``repeats``, at least 2, are draws of the blobs and splits of the digits.

    Tables: "scores", a row for each data: macro F1 of kNN on test points against the right labels and against shifted
    ones, of a uniform guess, and of the most frequent class for every point; "printed", Table 2 as the paper has it,
    with what both guesses are expected to score on seven classes of equal size.

    Source: Khim et al., Table 2, for what is printed.
    """
    runs, rows = checks.check_int("repeats", repeats, 2), []
    for name, (split, number) in {"seven blobs": (blobs, BLOBS), "digits": (digits, 10)}.items():
        found = [scores(split, number, seed, run) for run in tqdm(range(runs), name, disable=not progress)]
        rows.append({"data": name, "classes": number} | columns(np.array(found), SCORED))
    return {"scores": rows, "printed": _printed()}


def blobs(seed: int, run: int) -> Split:
    """Seven round normal distributions in the plane, equally likely, around centers that are drawn as well."""
    rng = np.random.default_rng([seed, run])
    centers, y = APART * rng.standard_normal((BLOBS, 2)), rng.integers(0, BLOBS, 2 * POINTS)
    X = centers[y] + rng.standard_normal((len(y), 2))
    return X[:POINTS], y[:POINTS], X[POINTS:], y[POINTS:]


def digits(seed: int, run: int) -> Split:
    """The digits that scikit-learn ships, by two principal components; three in ten are tested."""
    data = bundled("digits", seed=int(np.random.default_rng([seed, run]).integers(2**31)))
    return data.X_train, data.y_train, data.X_test, data.y_test


def scores(split: Callable[[int, int], Split], n_classes: int, seed: int, run: int) -> list[float]:
    """Macro F1 over the classes that the labels can be, in the order of ``SCORED``."""
    X, y, X_test, y_test = split(seed, run)
    k = neighbors_rule(len(X))
    votes = VoteProfile.count(NeighborTable.build(X, X_test, k), y, n_classes)
    said = Vote().predict(votes, k).astype(int)
    guess = np.random.default_rng([seed, run, n_classes]).integers(0, n_classes, len(y_test))
    constant = np.full(len(y_test), np.bincount(y).argmax())
    labels = np.arange(n_classes)
    plain = [
        f1_score(y_test, each, labels=labels, average="macro", zero_division=0) for each in (said, guess, constant)
    ]
    shifted = f1_score(y_test + 1, said, labels=labels + 1, average="macro", zero_division=0)
    return [plain[0], shifted, *plain[1:]]


def _printed() -> list[Row]:
    rows: list[Row] = [{"source": "printed"} | row for row in records(published("khim")["table_2"])]
    guesses = {"uniform guess": 1 / BLOBS, "constant guess": 2 / (BLOBS * (BLOBS + 1))}
    for name, score in guesses.items():
        row = dict.fromkeys(rows[0]) | {"source": "expected", "rule": name, "f1_dev": score, "f1_test": None}
        rows.append(row)
    return rows
