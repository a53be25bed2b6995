"""Table 2: class weights searched on a part of a real table, and their worth on the rest."""

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
from knnviz_papers.simulate import Row, Tables, means_and_errors, with_error

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
    rows = np.concatenate([_thinned(y, c) for c in range(CLASSES)])
    neighbors = neighbors_of(len(rows))
    right = []
    shifted = []
    for number in tqdm(range(splits), "khim_table_2", disable=not progress):
        split = Split.draw(X[rows], y[rows], seed, number)
        fitted = Fitted.fit(split, neighbors, seed)
        right.append(fitted.scores())
        shifted.append(fitted.scores(shift=True))
    names = list(map(str, range(CLASSES)))
    return {"right": rows_of(right, names), "shifted": rows_of(shifted, names)}


def _thinned(y: np.ndarray, c: int) -> np.ndarray:
    """The rows of class c that are kept."""
    of_class = np.flatnonzero(y == c)
    return of_class[: round(len(of_class) * THINNED**c)]


class Split(NamedTuple):
    """Training, development and test rows."""

    train: Part
    dev: Part
    test: Part

    @classmethod
    def draw(cls, X: np.ndarray, y: np.ndarray, seed: int, number: int) -> Self:
        """One of the random splits, with the classes in proportion; columns are standardized by the
        training rows.
        """
        train_size, dev_size = sizes(len(y))
        rng = np.random.default_rng([seed, number])
        first, second = rng.integers(2**31, size=2).tolist()
        known, test = train_test_split(
            np.arange(len(y)), train_size=train_size + dev_size, random_state=first, stratify=y
        )
        train, dev = train_test_split(
            known, train_size=train_size, random_state=second, stratify=y[known]
        )
        X = StandardScaler().fit(X[train]).transform(X)
        parts = ((X[rows], y[rows]) for rows in (train, dev, test))
        return cls(*parts)


def sizes(n: int) -> tuple[int, int]:
    """Numbers of training and development rows: 11,340 and 3,780 as in the paper, 60 % and 20 % of
    a smaller table.
    """
    dev = min(DEV, n // ROWS_PER_DEV)
    return TRAIN_PER_DEV * dev, dev


def check_classes(y: np.ndarray, names: Sequence[str]) -> None:
    """ValueError if a class of codes y (n,) has too few rows for one in each part."""
    counts = np.bincount(y, minlength=len(names))
    _, dev = sizes(len(y))
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
        relative_size = train / (TRAIN_PER_DEV * DEV)
        return min(train, round(NEIGHBORS * relative_size ** (1 / 3)))
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
    def fit(cls, split: Split, neighbors: int, seed: int) -> Self:
        X, y = split.train
        n_classes = int(y.max()) + 1
        fractions = []
        for queries, _ in (split.dev, split.test):
            table = NeighborTable.build(X, queries, neighbors)
            votes = VoteProfile.build(table, y, n_classes)
            fractions.append(votes.at(neighbors) / neighbors)
        scores = {rule: linear_scores(split, seed, balance) for rule, balance in LINEAR.items()}
        return cls(fractions, [split.dev[1], split.test[1]], scores)

    def scores(self, *, shift: bool = False) -> dict[str, list[float]]:
        """F1 on development and test rows, then the weights (C,), by rule; linear rules have no
        weights.

        ``shift`` scores votes as if positions 0 to C - 1 were compared with labels 1 to C; the
        linear rules predict labels, which are right in either case.
        """
        scored = zip(self.y, self.fractions, strict=True)
        dev, test = (scoring(*part, shift) for part in scored)
        n_classes = self.fractions[0].shape[1]
        found: dict[str, list[float]] = {}
        for rule, q in _searched(dev, n_classes).items():
            scores = [np.squeeze(score(q[None])) for score in (dev, test)]
            found[rule] = [*map(float, scores), *q]
        return found | self.linear


def _searched(score: Score, n_classes: int) -> dict[str, np.ndarray]:
    """Weights (C,) with a high score, by the way to find them."""
    equal = np.full(n_classes, 1 / n_classes)
    weights = {"unweighted": equal}
    weights["greedy"] = greedy_search(score, equal, step=GAMMA, n_steps=STEPS).q

    def backwards(q: np.ndarray) -> np.ndarray | float:
        return score(q[:, ::-1])

    # Equal candidates are common, and the last of them wins: it is another one where classes are
    # taken backwards.
    reverse = greedy_search(backwards, equal, step=GAMMA, n_steps=STEPS).q
    weights["greedy, backwards"] = reverse[::-1]

    grid_size = comb(GRID_STEPS + n_classes - 1, n_classes - 1)
    if grid_size <= LARGEST_GRID:
        weights["grid"] = grid_search(score, simplex_grid(n_classes, GRID_STEPS)).q
    return weights


def scoring(y: np.ndarray, fractions: np.ndarray, shift: bool) -> Score:
    """Macro F1 (J,) of weights (J, C) over the C classes that labels can be."""
    if not shift:
        return WeightScorer.from_fractions(y, fractions)
    # A class more: no label is position 0, and no position is label C.
    a_column_more = ((0, 0), (0, 1))
    n_classes = fractions.shape[1]
    wider = WeightScorer.from_fractions(y + 1, np.pad(fractions, a_column_more))
    return lambda q: wider(np.pad(q, a_column_more)) * (n_classes + 1) / n_classes


def linear_scores(split: Split, seed: int, class_weight: str | None) -> list[float]:
    """Macro F1 on development and test rows of logistic regression by stochastic descent."""
    rule = SGDClassifier(
        loss="log_loss", penalty=None, class_weight=class_weight, random_state=seed
    )
    rule.fit(*split.train)
    scores = []
    for X, y in (split.dev, split.test):
        score = f1_score(y, rule.predict(X), average="macro", zero_division=0)
        scores.append(float(score))
    return scores


def rows_of(trials: Sequence[Mapping[str, Sequence[float]]], names: Sequence[str]) -> list[Row]:
    """A row for each rule: means and standard errors of both scores and of each weight."""
    columns = ("f1_dev", "f1_test", *(f"q_{name}" for name in names))
    rows = list[Row]()
    for rule in trials[0]:
        found = np.array([each[rule] for each in trials])
        known = found.shape[1]
        row: Row = {"rule": rule}
        row |= means_and_errors(found, columns[:known])
        for name in columns[known:]:
            row |= with_error(name, None, None)
        rows.append(row)
    return rows
