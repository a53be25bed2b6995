"""Tables 2 to 4 of Gao et al. on data sets of scikit-learn."""

import warnings
from collections.abc import Sequence
from itertools import product

import numpy as np
from tqdm import tqdm

from knnviz.problems import bundled
from knnviz_papers.gao.protocol import (
    FLIP_RATES,
    FOLDS,
    POSITIVE,
    Runs,
    Scoring,
    binary,
    neighbor_table,
    run_trial,
)
from knnviz_papers.gao.rivals import RIVALS, Column, columns
from knnviz_papers.paired_tests import bayesian_mark, mark, probability_better, wins_ties_losses
from knnviz_papers.simulate import Row, Tables, grouped

#: The bundled sets.
SETS = ("breast_cancer", "digits", "iris", "wine")

#: Columns that only RkNN fills; kNN fills k as well.
PICKED = ("k", "k_noise", "p1_hat", "p0_hat")


def gao_tables(
    names: Sequence[str] = SETS, trials: int = 10, seed: int = 0, progress: bool = False
) -> Tables:
    """Tables 2 to 4 on the sets that scikit-learn ships, by the protocol of the paper, section 6.2.

    None of the sets is among the paper's: breast_cancer has 569 rows of 30 features, the paper's
    cancer set 683 of 10; digits has 1797 of 64, the paper's optdigits 1143 of 42. Class 1 of the
    tumors is benign here. Folds are scored on noisy and on clean labels; only noisy ones, which a
    learner can have, run the rivals.

    Tables: "sets", what became class 1; "rules" (Table 2), a row for each set, scoring, setting of
    noise and rule: mean accuracy with its deviation over the runs, "mark" w where RkNN is better
    than it by a paired t-test, l where worse, "better" the posterior probability that RkNN is
    better; "rates" (Table 4), the means of RkNN's estimates and of its k and k'; "counts" (Table
    3), how often RkNN won, tied and lost.
    """
    sets = []
    described = []
    for name in names:
        table = bundled(name, "pca").table
        data = binary(table, seed, POSITIVE.get(name, ()))
        sets.append(data)
        n, d = data.X.shape
        described.append({"data": data.name, "n": n, "d": d, "ones": data.ones})

    scorings: dict[Scoring, tuple[str, ...]] = {"noisy": tuple(RIVALS), "clean": ()}
    rows: list[Row] = []
    total = len(scorings) * len(sets) * trials
    bar = tqdm(total=total, desc="gao_tables", disable=not progress)
    # Rivals warn where they predict one class, and where they do not converge.
    with bar, warnings.catch_warnings(action="ignore", category=UserWarning):
        for (scoring, rivals), data in product(scorings.items(), sets):
            nearest = neighbor_table(data)
            runs = []
            for trial in range(trials):
                run = run_trial(data, nearest, trial, scoring=scoring, rivals=rivals, seed=seed)
                runs.append(run)
                bar.update()
            key = {"data": data.name, "scoring": scoring}
            together = Runs.together(runs)
            rows += [key | row for row in rows_of(together, rivals)]

    rules = [{name: row[name] for name in row if name not in PICKED} for row in rows]
    rate_columns = ("data", "scoring", "p1", "p0", *PICKED)
    of_rknn = [row for row in rows if row["rule"] == "RkNN"]
    rates = [{name: row[name] for name in rate_columns} for row in of_rknn]
    counted: list[Row] = []
    for (labels,), scored in grouped(rows, "scoring").items():
        counted += [{"scoring": labels} | row for row in counts(scored)]
    return {"sets": described, "rules": rules, "rates": rates, "counts": counted}


def rows_of(
    runs: Runs, rivals: Sequence[str], flip_rates: Sequence[tuple[float, float]] = FLIP_RATES
) -> list[Row]:
    """A row for each setting of noise and rule; what a rule does not have is None."""
    rows = []
    for (p0, p1), accuracy, rates, picked in zip(flip_rates, *runs, strict=True):
        p0_hat, p1_hat = rates.mean(axis=0)
        knn_k, k, k_noise = picked.mean(axis=0)
        robust = {"k": k, "k_noise": k_noise, "p1_hat": p1_hat, "p0_hat": p0_hat}
        chosen = {"RkNN": robust, "kNN": {"k": knn_k}}
        rknn = accuracy[:, 0]
        for column, values in zip(columns(rivals), accuracy.T, strict=True):
            row: Row = {"p1": p1, "p0": p0}
            row |= column._asdict()
            row["accuracy"] = values.mean()
            row["sd"] = values.std(ddof=1)
            row |= _against(values, rknn, column)
            row |= dict.fromkeys(PICKED)
            row |= chosen.get(column.rule, {})
            rows.append(row)
    return rows


def _against(values: np.ndarray, rknn: np.ndarray, column: Column) -> Row:
    if column.rule == "RkNN":
        return {"mark": None, "better": None}
    better = probability_better(values, rknn, 1 / FOLDS)
    return {"mark": mark(values, rknn), "better": better}


def counts(rows: Sequence[Row]) -> list[Row]:
    """How often RkNN won, tied and lost against each rule, by the t-test and the Bayesian one."""
    found = []
    others = [row for row in rows if row["rule"] != "RkNN"]
    for (rule, rates), of_rule in grouped(others, "rule", "rates").items():
        key = {"rule": rule, "rates": rates}
        marks = [row["mark"] for row in of_rule]
        bayesian_marks = [bayesian_mark(row["better"]) for row in of_rule]
        found.append(key | {"test": "t"} | wins_ties_losses(marks))
        found.append(key | {"test": "Bayesian t"} | wins_ties_losses(bayesian_marks))
    return found
