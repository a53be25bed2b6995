"""Table 2: class weights searched on a part of a real table, and what they are worth on the
rest.
"""

from collections.abc import Mapping, Sequence
from math import ceil, comb
from typing import NamedTuple, Self

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from tqdm import tqdm

from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.weights import WeightScorer, greedy_search, grid_search, simplex_grid
from knnviz.weights.search import Score
from knnviz_papers.simulate import Row, Tables, means_and_errors

#: k of the paper.
NEIGHBORS = 160

#: gamma and T of the greedy search.
GAMMA = 0.02
STEPS = 25

#: Weights of the grid are multiples of one part in so many; it is left out where it has more than
#: so many weights.
GRID_STEPS = 12
LARGEST_GRID = 1_000_000

#: Development rows of the paper, or one in so many rows of a smaller table; training rows are three
#: times as many.
DEV = 3_780
ROWS_PER_DEV = 5
TRAIN_PER_DEV = 3

#: Rows X (n, d) of a table, and their class codes y (n,).
Part = tuple[np.ndarray, np.ndarray]

#: Linear rivals by name, with the class weights of their losses.
LINEAR = {"linear": None, "linear, balanced": "balanced"}

#: The imbalanced digits: as many classes as Covertype has, each with so many times the rows of the
#: one before.
CLASSES = 7
THINNED = 0.7


def khim_table_2(splits: int = 20, seed: int = 0, progress: bool = False) -> Tables:
    """Macro F1 of kNN without and with class weights, searched on a part of a table, beside a
    linear rule.

    The table is that of the digits 0 to 6 of scikit-learn, each class with 0.7 times the rows of
    the one before. The greedy search takes 25 steps of gamma = 0.02 from equal weights, and does so
    again with the classes in reverse order; the grid has the multiples of 1 / 12. Columns are
    standardized; the paper does not say.

    Tables: "right", a row for each rule: F1 on development and test rows, and the mean weights;
    "shifted", the same where positions 0 to C - 1 of votes are compared with labels 1 to C.

    Source: Khim et al., section 6 and Table 2.
    """
    X, y = load_digits(return_X_y=True)
    rows = np.concatenate(
        [np.flatnonzero(y == c)[: round(np.sum(y == c) * THINNED**c)] for c in range(CLASSES)]
    )
    found: dict[str, list[dict[str, list[float]]]] = {"right": [], "shifted": []}
    for number in tqdm(range(splits), "khim_table_2", disable=not progress):
        fitted = Fitted.of(Split.of(X[rows], y[rows], seed, number), neighbors_of(len(rows)), seed)
        for name, trials in found.items():
            trials.append(fitted.scores(shift=name == "shifted"))
    return {name: rows_of(trials, list(map(str, range(CLASSES)))) for name, trials in found.items()}


class Split(NamedTuple):
    """Training, development and test rows."""

    train: Part
    dev: Part
    test: Part

    @classmethod
    def of(cls, X: np.ndarray, y: np.ndarray, seed: int, number: int) -> Self:
        """One of the random splits, with the classes in proportion; columns are standardized by the
        training rows.
        """
        train, dev = sizes(len(y))
        first, second = np.random.default_rng([seed, number]).integers(2**31, size=2).tolist()
        known, test = train_test_split(
            np.arange(len(y)), train_size=train + dev, random_state=first, stratify=y
        )
        training, development = train_test_split(
            known, train_size=train, random_state=second, stratify=y[known]
        )
        X = StandardScaler().fit(X[training]).transform(X)
        return cls(*((X[rows], y[rows]) for rows in (training, development, test)))


def sizes(n: int) -> tuple[int, int]:
    """Numbers of training and development rows: 11,340 and 3,780 as in the paper, 60 % and 20 % of
    a smaller table.
    """
    dev = min(DEV, n // ROWS_PER_DEV)
    return TRAIN_PER_DEV * dev, dev


def check_classes(y: np.ndarray, names: Sequence[str]) -> None:
    """ValueError if a class of codes y (n,) has too few rows for one in each part."""
    counts = np.bincount(y, minlength=len(names))
    (_, dev) = sizes(len(y))
    needed = ceil(len(y) / max(dev, 1))
    rarest = int(counts.argmin())
    if counts[rarest] < needed:
        raise ValueError(
            f"each class needs {needed} of the {len(y)} rows, for one in each part; "
            f"{names[rarest]} has {counts[rarest]}"
        )


def neighbors_of(n: int, neighbors: int | None = None) -> int:
    """k for a table of n rows: as given, else the k of the paper where n is as large, and less by
    n^(1/3).

    ValueError for more neighbors than training rows.
    """
    train, _ = sizes(n)
    if neighbors is None:
        return min(train, round(NEIGHBORS * (train / (TRAIN_PER_DEV * DEV)) ** (1 / 3)))
    if neighbors > train:
        raise ValueError(f"neighbors must be at most {train}, the training rows, got {neighbors}")
    return neighbors


class Fitted(NamedTuple):
    """Votes and linear rules fitted to the training rows of a split.

    ``fractions`` are those of the votes (m, C) at the development rows and at the test rows, ``y``
    their classes (m,), and ``linear`` the scores of the linear rules by name.
    """

    fractions: list[np.ndarray]
    y: list[np.ndarray]
    linear: dict[str, list[float]]

    @classmethod
    def of(cls, split: Split, neighbors: int, seed: int) -> Self:
        (X, y) = split.train
        scored = split[1:]
        tables = [NeighborTable.build(X, queries, neighbors) for queries, _ in scored]
        votes = [VoteProfile.count(table, y, int(y.max()) + 1).at(neighbors) for table in tables]
        scores = {rule: linear_scores(split, seed, balance) for rule, balance in LINEAR.items()}
        return cls(
            [counts / neighbors for counts in votes], [classes for _, classes in scored], scores
        )

    def scores(self, *, shift: bool = False) -> dict[str, list[float]]:
        """F1 on development and test rows, then the weights (C,), by rule; linear rules have no
        weights.

        ``shift`` scores votes as if positions 0 to C - 1 were compared with labels 1 to C; the
        linear rules predict labels, which are right in either case.
        """
        dev, test = (scoring(*each, shift) for each in zip(self.fractions, self.y, strict=True))
        n_classes = self.fractions[0].shape[1]
        equal = np.full(n_classes, 1 / n_classes)
        weights = {
            "unweighted": equal,
            "greedy": greedy_search(dev, equal, step=GAMMA, n_steps=STEPS).q,
        }
        # Equal candidates are common, and the last of them wins: it is another one where classes
        # are taken backwards.
        backwards = greedy_search(lambda q: dev(q[:, ::-1]), equal, step=GAMMA, n_steps=STEPS)
        weights["greedy, backwards"] = backwards.q[::-1]
        if comb(GRID_STEPS + n_classes - 1, n_classes - 1) <= LARGEST_GRID:
            weights["grid"] = grid_search(dev, simplex_grid(n_classes, GRID_STEPS)).q
        found = {
            rule: [*(float(np.squeeze(each(q[None]))) for each in (dev, test)), *q]
            for rule, q in weights.items()
        }
        return found | self.linear


def scoring(fractions: np.ndarray, y: np.ndarray, shift: bool) -> Score:
    """Macro F1 (J,) of weights (J, C) over the C classes that labels can be."""
    if not shift:
        return WeightScorer.from_fractions(fractions, y)
    # A class more: no label is position 0, and no position is label C.
    n_classes = fractions.shape[1]
    wider = WeightScorer.from_fractions(np.pad(fractions, ((0, 0), (0, 1))), y + 1)
    return lambda q: wider(np.pad(q, ((0, 0), (0, 1)))) * (n_classes + 1) / n_classes


def linear_scores(split: Split, seed: int, class_weight: str | None) -> list[float]:
    """Macro F1 on development and test rows of logistic regression by stochastic gradient
    descent.
    """
    rule = SGDClassifier(
        loss="log_loss", penalty=None, class_weight=class_weight, random_state=seed
    ).fit(*split.train)
    return [
        float(f1_score(y, rule.predict(X), average="macro", zero_division=0)) for X, y in split[1:]
    ]


def rows_of(trials: Sequence[Mapping[str, Sequence[float]]], names: Sequence[str]) -> list[Row]:
    """A row for each rule: means and standard errors over trials of both scores, and of the weight
    of each class.
    """
    columns = ("f1_dev", "f1_test", *(f"q_{name}" for name in names))
    rows = list[Row]()
    for rule in trials[0]:
        found = np.array([each[rule] for each in trials])
        missing = {
            each: None for name in columns[found.shape[1] :] for each in (name, f"{name}_se")
        }
        rows.append({"rule": rule} | means_and_errors(found, columns[: found.shape[1]]) | missing)
    return rows
