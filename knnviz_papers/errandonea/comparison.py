"""PL A-kNN and its rivals on a reader's own bags or images, as Errandonea et al. compare them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from knnviz.bags import Kind
from knnviz.learnability.comparison import BagComparison, best_votes, compare_rules, n_train
from knnviz.problems import BagTable
from knnviz.problems.data import LabeledTable
from knnviz.rules import Adaptive, PartialAdaptive
from knnviz_papers.errandonea.digits import MOST, NOISES
from knnviz_papers.errandonea.linear_rivals import LINEAR_LOSSES, linear_rival
from knnviz_papers.paired_tests import mark, wins_ties_losses
from knnviz_papers.runs import table as as_text
from knnviz_papers.simulate import Row, grouped, mean_and_error

#: Constants of the paper: c1 and delta of the band, and the k of the plain vote.
C1 = 0.5
DELTA = 0.1
PLAIN_K = 10

#: The adaptive rules, the first of which all others are compared with; then votes at a fixed k and
#: at the best k.
PL_A_KNN = "PL A-kNN"
A_KNN = "A-kNN"
ADAPTIVE = (PL_A_KNN, A_KNN)
PLAIN_VOTE = f"{PLAIN_K}-NN"
BEST_VOTE = "best k"

#: T, the largest k of a ball: on bags, and on images, where it is also the largest k of a vote.
MOST_ON_BAGS = 50
MOST_ON_IMAGES = 400

#: Principal components of images that are kept.
COMPONENTS = 50

ERRORS = (
    "Error on points held out; w: PL A-kNN errs less than the rule by a paired t-test at 95 %, l: "
    "it errs more"
)
STOPS = (
    "Mean k at which the ball stops, and the fraction of points where it does by itself; the best k"
)


def compare_on_bags(
    table: BagTable,
    trials: int = 10,
    seed: int = 0,
    kind: Kind = "removal",
    noises: Sequence[float] = NOISES,
    rivals: Sequence[str] = tuple(LINEAR_LOSSES),
) -> Iterator[list[Row]]:
    """Compare PL A-kNN with A-kNN, votes and linear rivals on candidate label sets (bags) that grow
    noisier.

    A file is an archive of NumPy (.npz) with points X (n, d), bags S (n, C) of 0 and 1, and true
    classes y (n,) from 0. With probability nu, noise of the kind "removal" takes the true label out
    of its bag, as in the paper; "confusion" puts a label drawn from all in its place, "other"
    another one. Each trial tests on a random fifth of the points, by their true labels. Balls grow
    to T = 50 neighbors, c1 is 0.5 and delta 0.1. The best k up to 100 is chosen with the true
    labels at each nu: a reference, not a method.

    Neighbors are found after the paper's preprocessing of tables; linear rivals see columns of mean
    0 and variance 1. The paper tunes the rivals as their own papers do; here nothing is tuned.

    Source: Errandonea et al., section 4 and appendix D.2, which do not state the noises and the
    largest k of a vote.
    """
    steps = split_by_split(table.X, table.y, noises, trials, seed, kind, rivals, bags=table.S)
    settings: Row = {"data": table.name, "rows": len(table.y)}
    settings |= {"features": table.X.shape[1], "classes": table.n_classes}
    settings |= {"kind": kind, "seed": seed}
    for found in steps:
        yield rows_of_rules(found, settings)


def compare_on_images(
    table: LabeledTable,
    trials: int = 10,
    seed: int = 0,
    noises: Sequence[float] = NOISES,
    rivals: Sequence[str] = tuple(LINEAR_LOSSES),
) -> Iterator[list[Row]]:
    """Compare the same rules as ``errandonea_bags`` on images, or any table, whose labels become
    noisy bags.

    Bags are drawn by cluster; with probability nu the true label is first confused. More than 50
    columns become 50 principal components of all rows, and neighbors are found after the paper's
    preprocessing of images. Balls grow to T = 400 neighbors, and the best k of a vote is sought as
    far. A trial on 10,000 rows takes a few seconds, and each rival one second more for each noise;
    time grows with the square of the rows.

    Source: Errandonea et al., section 4, Figures 1 to 4, and appendix D.2. The paper has components
    of features by GoogLeNet, does not say of which rows, and averages 100 runs.
    """
    from sklearn.decomposition import PCA

    X = table.X
    features = X.shape[1]
    if features > COMPONENTS:
        # The full decomposition is the same on every run.
        X = PCA(n_components=COMPONENTS, svd_solver="full").fit_transform(X)
    steps = split_by_split(
        X, table.y, noises, trials, seed, "confusion", rivals, MOST_ON_IMAGES, MOST_ON_IMAGES
    )

    settings: Row = {"data": table.name, "rows": len(X)}
    settings |= {"features": features, "classes": len(table.class_names)}
    settings |= {"kind": "confusion", "seed": seed}
    for found in steps:
        yield rows_of_rules(found, settings)


def split_by_split(
    X: np.ndarray,
    y: np.ndarray,
    noises: Sequence[float],
    splits: int,
    seed: int,
    kind: Kind,
    rivals: Sequence[str],
    most: int = MOST_ON_BAGS,
    k_max: int = MOST,
    bags: np.ndarray | None = None,
) -> Iterator[BagComparison]:
    """The adaptive rules, votes up to ``k_max`` and the rivals, after each split."""
    known = n_train(len(y))
    if known <= k_max:
        needed = f"{known} to train on cannot have {k_max} neighbors each"
        raise ValueError(f"there are too few rows: {needed}")
    band = C1, DELTA, most
    rules: dict[str, Any] = {PL_A_KNN: PartialAdaptive(*band)}
    rules[A_KNN] = Adaptive(*band)
    rules |= {name: linear_rival(LINEAR_LOSSES[name]) for name in rivals}

    options: dict[str, Any] = {"splits": splits, "seed": seed, "k_max": k_max}
    options |= {"kind": kind, "bags": bags}
    options["preparation"] = "vision" if bags is None else "tabular"
    return compare_rules(X, y, rules, noises, **options)


def rows_of_rules(found: BagComparison, settings: Row) -> list[Row]:
    """A row for each noise and rule, from two splits or more."""
    trials = len(found.errors)
    if trials < 2:
        return []
    tested = found.labels.shape[-1]
    errors = {name: found.errors[:, :, i] for i, name in enumerate(found.names)}
    best_k, errors[BEST_VOTE] = best_votes(found.vote_errors)
    errors[PLAIN_VOTE] = found.vote_errors[:, :, PLAIN_K - 1]
    rivals = [name for name in found.names if name not in ADAPTIVE]
    order = [*ADAPTIVE, PLAIN_VOTE, BEST_VOTE, *rivals]
    rows = []
    for j, nu in enumerate(found.noises):
        for rule in order:
            row = settings | {"trials": trials, "nu": nu, "rule": rule}
            own = errors[rule][:, j]
            first = errors[PL_A_KNN][:, j]
            row |= mean_and_error("error", own)
            row |= {"k": None, "decided": None}
            if rule in ADAPTIVE:
                at = found.names.index(rule)
                row["k"] = float(found.stop_k[:, j, at].mean())
                row["decided"] = float(found.decided[:, j, at].mean())
            elif rule == PLAIN_VOTE:
                row["k"] = PLAIN_K
            elif rule == BEST_VOTE:
                row["k"] = int(best_k[j])

            row |= mean_and_error("above", own - first)
            row["mark"] = ""
            if rule != PL_A_KNN:
                # In whole numbers of points, whose differences are exact.
                right = (-np.rint(tested * each) for each in (own, first))
                row["mark"] = mark(*right)
            rows.append(row)
    return rows


def errors_text(rows: Sequence[Row]) -> str:
    """Errors of one data set with their marks, and how far balls grow: a column for each nu."""
    first = rows[0]
    text = "{data}: {rows} rows, {features} features".format(**first)
    text += ", {classes} classes; noise: {kind}".format(**first)
    errors = as_text(by_noise(rows, _error_cell))
    chosen = [row for row in rows if row["rule"] != PLAIN_VOTE]
    with_k = [row for row in chosen if row["k"] is not None]
    stops = as_text(by_noise(with_k, _stops_cell))
    return f"{text}\n\n{ERRORS}\n{errors}\n\n{STOPS}\n{stops}"


def by_noise(rows: Sequence[Row], cell: Callable[[Row], str]) -> list[Row]:
    """A row for each rule, with a column for each nu."""
    lines: dict[str, Row] = {}
    for row in rows:
        line = lines.setdefault(row["rule"], {"rule": row["rule"]})
        line[f"nu={row['nu']:g}"] = cell(row)
    return list(lines.values())


def _error_cell(row: Row) -> str:
    return f"{row['error']:.3f} {row['mark'] or ' '}"


def _stops_cell(row: Row) -> str:
    k = f"{row['k']:.1f}"
    if row["decided"] is None:
        return k
    return f"{k} {row['decided']:.2f}"


def marks_text(rows: Sequence[Row]) -> str:
    """How often PL A-kNN errs less, as much and more than each rule, over data sets and noises."""
    lines = [
        f"{PL_A_KNN} against each rule, wins/ties/losses by the t-test, over all data sets and "
        "noises"
    ]
    others = [row for row in rows if row["rule"] != PL_A_KNN]
    for (rule,), of_rule in grouped(others, "rule").items():
        found = wins_ties_losses([row["mark"] for row in of_rule])
        outcome = "{wins}/{ties}/{losses}".format(**found)
        lines.append(f"  {rule:<14}{outcome:>9}")
    return "\n".join(lines)
