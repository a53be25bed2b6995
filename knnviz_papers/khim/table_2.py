"""Table 2: class weights searched on a part of a real table, and what they are worth on the rest."""

from collections.abc import Mapping, Sequence
from math import ceil, comb
from typing import NamedTuple, Self

import numpy as np
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from tqdm import tqdm

from knnviz import checks
from knnviz.lessons.stored import published
from knnviz.metrics import WeightScorer
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.weights import greedy_search, grid_search, simplex_grid
from knnviz.weights.search import Score
from knnviz_papers.simulate import Row, Tables, means_and_errors

#: k of the paper.
NEIGHBORS = 160

#: gamma and T of the greedy search.
GAMMA, STEPS = 0.02, 25

#: Weights of the grid are multiples of one part in so many; it is left out where it has more than so many weights.
GRID_STEPS, LARGEST_GRID = 12, 1_000_000

#: Development rows of the paper, or one in so many rows of a smaller table; training rows are three times as many.
DEV, ROWS_PER_DEV, TRAIN_PER_DEV = 3_780, 5, 3

#: Linear rivals by name, with the class weights of their losses.
LINEAR = {"linear": None, "linear, balanced": "balanced"}

#: The imbalanced digits: as many classes as Covertype has, each with so many times the rows of the one before.
CLASSES, THINNED = 7, 0.7

#: What is scored.
SCORED = ("f1_dev", "f1_test")


class Split(NamedTuple):
    """Training, development and test rows; class codes are int (n,)."""

    X_train: np.ndarray
    y_train: np.ndarray
    X_dev: np.ndarray
    y_dev: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, y: np.ndarray, seed: int, number: int, *, raw: bool = False) -> Self:
        """One of the random splits of rows X (n, d) of classes y (n,), with the classes in proportion.

        ``sizes`` says how many rows each part has. Columns are standardized by the training rows, unless they are to
        stay ``raw``.
        """
        train, dev = sizes(len(y))
        first, second = np.random.default_rng([seed, number]).integers(2**31, size=2).tolist()
        known, test = train_test_split(np.arange(len(y)), train_size=train + dev, random_state=first, stratify=y)
        training, development = train_test_split(known, train_size=train, random_state=second, stratify=y[known])
        if not raw:
            X = StandardScaler().fit(X[training]).transform(X)
        return cls(*(part for rows in (training, development, test) for part in (X[rows], y[rows])))


def sizes(n: int) -> tuple[int, int]:
    """Numbers of training and development rows: 11,340 and 3,780 as in the paper, 60 % and 20 % of a smaller table."""
    dev = min(DEV, n // ROWS_PER_DEV)
    return TRAIN_PER_DEV * dev, dev


def check_classes(y: np.ndarray, names: Sequence[str]) -> None:
    """ValueError if a class of codes y (n,) has too few rows for one in each part."""
    counts, (_, dev) = np.bincount(y, minlength=len(names)), sizes(len(y))
    needed, rarest = ceil(len(y) / max(dev, 1)), int(counts.argmin())
    if counts[rarest] < needed:
        raise ValueError(
            f"each class needs {needed} of the {len(y)} rows, for one in each part; "
            f"{names[rarest]} has {counts[rarest]}"
        )


def neighbors_of(n: int, neighbors: int | None) -> int:
    """k for a table of n rows: as given, else the k of the paper where n is as large, and less by n^(1/3).

    ValueError for more neighbors than training rows.
    """
    train, _ = sizes(n)
    if neighbors is None:
        return min(train, round(NEIGHBORS * (train / (TRAIN_PER_DEV * DEV)) ** (1 / 3)))
    if checks.check_int("neighbors", neighbors, 1) > train:
        raise ValueError(f"neighbors must be at most {train}, the training rows, got {neighbors}")
    return neighbors


def has_grid(n_classes: int) -> bool:
    return comb(GRID_STEPS + n_classes - 1, n_classes - 1) <= LARGEST_GRID


class Fitted(NamedTuple):
    """Votes and linear rules fitted to the training rows of a split.

    ``fractions`` are those of the votes (m, C) at the development rows and at the test rows, ``y`` their classes (m,),
    and ``linear`` the scores of the linear rules by name.
    """

    fractions: tuple[np.ndarray, np.ndarray]
    y: tuple[np.ndarray, np.ndarray]
    linear: dict[str, list[float]]

    @classmethod
    def of(cls, split: Split, neighbors: int, seed: int) -> Self:
        n_classes = int(split.y_train.max()) + 1
        dev, test = (vote_fractions(split, X, neighbors, n_classes) for X in (split.X_dev, split.X_test))
        scores = {rule: linear_scores(split, n_classes, seed, balance) for rule, balance in LINEAR.items()}
        return cls((dev, test), (split.y_dev, split.y_test), scores)

    def scores(self, *, shift: bool = False) -> dict[str, list[float]]:
        """F1 on development and test rows, then the weights (C,), by rule; linear rules have no weights.

        ``shift`` scores votes as if positions 0 to C - 1 were compared with labels 1 to C; the linear rules predict
        labels, which are right in either case.
        """
        dev, test = (scoring(*each, shift) for each in zip(self.fractions, self.y, strict=True))
        n_classes = self.fractions[0].shape[1]
        equal = np.full(n_classes, 1 / n_classes)
        weights = {"unweighted": equal, "greedy": greedy_search(dev, equal, step=GAMMA, n_steps=STEPS).q}
        # Equal candidates are common, and the last of them wins: it is another one where classes are taken backwards.
        backwards = greedy_search(lambda q: dev(q[:, ::-1]), equal, step=GAMMA, n_steps=STEPS)
        weights["greedy, backwards"] = backwards.q[::-1]
        if has_grid(n_classes):
            weights["grid"] = grid_search(dev, simplex_grid(n_classes, GRID_STEPS)).q
        found = {rule: [*(float(np.squeeze(each(q[None]))) for each in (dev, test)), *q] for rule, q in weights.items()}
        return found | self.linear


def vote_fractions(split: Split, queries: np.ndarray, neighbors: int, n_classes: int) -> np.ndarray:
    """Fractions (m, C) of the classes among the nearest training rows."""
    table = NeighborTable.build(split.X_train, queries, neighbors)
    return VoteProfile.count(table, split.y_train, n_classes).at(neighbors) / neighbors


def scoring(fractions: np.ndarray, y: np.ndarray, shift: bool) -> Score:
    """Macro F1 (J,) of weights (J, C) over the C classes that labels can be."""
    if not shift:
        return WeightScorer.of(fractions, y)
    # A class more: no label is position 0, and no position is label C.
    n_classes = fractions.shape[1]
    wider = WeightScorer.of(np.pad(fractions, ((0, 0), (0, 1))), y + 1)
    return lambda q: wider(np.pad(q, ((0, 0), (0, 1)))) * (n_classes + 1) / n_classes


def linear_scores(split: Split, n_classes: int, seed: int, class_weight: str | None) -> list[float]:
    """Macro F1 on development and test rows of logistic regression by stochastic gradient descent."""
    rule = SGDClassifier(loss="log_loss", penalty=None, class_weight=class_weight, random_state=seed)
    rule.fit(split.X_train, split.y_train)
    scored = ((split.X_dev, split.y_dev), (split.X_test, split.y_test))
    options = {"labels": range(n_classes), "average": "macro", "zero_division": 0}
    return [float(f1_score(y, rule.predict(X), **options)) for X, y in scored]


def rows_of(trials: Sequence[Mapping[str, Sequence[float]]], names: Sequence[str]) -> list[Row]:
    """A row for each rule: means and standard errors over trials of both scores, and of the weight of each class."""
    measured, rows = (*SCORED, *(f"q_{name}" for name in names)), list[Row]()
    for rule in trials[0]:
        found = np.array([each[rule] for each in trials])
        known = means_and_errors(found, measured[: found.shape[1]])
        missing = {each: None for name in measured[found.shape[1] :] for each in (name, f"{name}_se")}
        rows.append({"rule": rule} | known | missing)
    return rows


def khim_table_2(
    X: np.ndarray | None = None,
    y: np.ndarray | None = None,
    splits: int = 20,
    neighbors: int | None = None,
    raw: bool = False,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Macro F1 of kNN without and with class weights, searched on a part of a table, beside a linear rule.

    X (n, d) and class codes y (n,) are any table; without them, the digits 0 to 6 of scikit-learn, each class with 0.7
    times the rows of the one before. Splits are random, with 11,340 training and 3,780 development rows as in the
    paper, of a smaller table 60 % and 20 %. k is ``neighbors``, by default 160 for 11,340 rows, and less with n^(1/3).
    The greedy search takes 25 steps of gamma = 0.02 from equal weights, and does so again with the classes in reverse
    order; the grid has the multiples of 1 / 12. ``raw`` columns are not standardized; the paper does not say.

    Tables: "right", a row for each rule: F1 on development and test rows, and the mean weights; "shifted", the same
    where positions 0 to C - 1 of votes are compared with labels 1 to C; "covertype", what the paper prints, and what
    both ways of scoring gave on 20,000 rows of Covertype, a file that is no part of the project.

    Source: Khim et al., section 6 and Table 2.
    """
    if (X is None) != (y is None):
        raise ValueError("X and y must be given together")
    X, y = thinned_digits() if X is None or y is None else (checks.check_points("X", X), y)
    y = checks.check_codes("y", y, len(X), 255)
    names = [str(c) for c in range(y.max() + 1)]
    check_classes(y, names)
    k, seed = neighbors_of(len(y), neighbors), checks.check_int("seed", seed, 0)
    found: dict[str, list[dict[str, list[float]]]] = {"right": [], "shifted": []}
    for number in tqdm(range(splits), "khim_table_2", disable=not progress):
        fitted = Fitted.of(Split.of(X, y, seed, number, raw=raw), k, seed)
        for name, trials in found.items():
            trials.append(fitted.scores(shift=name == "shifted"))
    covertype = [{"source": "printed"} | row for row in published("khim")["table_2"]]
    covertype += published("khim_comparison")["rows"]
    return {**{name: rows_of(trials, names) for name, trials in found.items()}, "covertype": covertype}


def thinned_digits() -> tuple[np.ndarray, np.ndarray]:
    """Digits (n, 64) and their classes 0 to 6 (n,), each rarer than the one before."""
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    kept = [np.flatnonzero(y == c)[: round(np.sum(y == c) * THINNED**c)] for c in range(CLASSES)]
    rows = np.concatenate(kept)
    return X[rows], y[rows]
