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
    sets = [binary(bundled(name, "pca").table, seed, POSITIVE.get(name, ())) for name in names]
    scorings: dict[Scoring, tuple[str, ...]] = {"noisy": tuple(RIVALS), "clean": ()}
    rows: list[Row] = []
    # Rivals warn where they predict one class, and where they do not converge.
    with (
        tqdm(total=2 * len(sets) * trials, desc="gao_tables", disable=not progress) as bar,
        warnings.catch_warnings(action="ignore", category=UserWarning),
    ):
        for (scoring, rivals), data in product(scorings.items(), sets):
            table = neighbor_table(data)
            runs = []
            for trial in range(trials):
                runs.append(
                    run_trial(data, table, trial, scoring=scoring, rivals=rivals, seed=seed)
                )
                bar.update()
            together = Runs(*(np.concatenate(each, axis=1) for each in zip(*runs, strict=True)))
            rows += [
                {"data": data.name, "scoring": scoring} | row for row in rows_of(together, rivals)
            ]
    described = [
        {"data": data.name, "n": len(data.X), "d": data.X.shape[1], "ones": data.ones}
        for data in sets
    ]
    by_scoring = grouped(rows, "scoring")
    counted = [
        {"scoring": scoring} | row
        for (scoring,), each in by_scoring.items()
        for row in counts(each)
    ]
    rules = [{name: row[name] for name in row if name not in PICKED} for row in rows]
    columns_of_rates = ("data", "scoring", "p1", "p0", *PICKED)
    rates = [
        {name: row[name] for name in columns_of_rates} for row in rows if row["rule"] == "RkNN"
    ]
    return {"sets": described, "rules": rules, "rates": rates, "counts": counted}


def rows_of(
    runs: Runs, rivals: Sequence[str], flip_rates: Sequence[tuple[float, float]] = FLIP_RATES
) -> list[Row]:
    """A row for each setting of noise and rule; what a rule does not have is None."""
    rows = []
    for (p0, p1), accuracy, rates, picked in zip(flip_rates, *runs, strict=True):
        (p0_hat, p1_hat) = rates.mean(axis=0)
        (knn_k, k, k_noise) = picked.mean(axis=0)
        robust = dict(zip(PICKED, (k, k_noise, p1_hat, p0_hat), strict=True))
        chosen = {"RkNN": robust, "kNN": {"k": knn_k}}
        for column, values in zip(columns(rivals), accuracy.T, strict=True):
            row = {"p1": p1, "p0": p0} | column._asdict()
            row |= {"accuracy": values.mean(), "sd": values.std(ddof=1)} | _against(
                values, accuracy[:, 0], column
            )
            rows.append(row | dict.fromkeys(PICKED) | chosen.get(column.rule, {}))
    return rows


def _against(values: np.ndarray, rknn: np.ndarray, column: Column) -> Row:
    if column.rule == "RkNN":
        return {"mark": None, "better": None}
    return {"mark": mark(values, rknn), "better": probability_better(values, rknn, 1 / FOLDS)}


def counts(rows: Sequence[Row]) -> list[Row]:
    """How often RkNN won, tied and lost against each rule, by the t-test and by the Bayesian
    one.
    """
    found = []
    for (rule, rates), mine in grouped(
        [row for row in rows if row["rule"] != "RkNN"], "rule", "rates"
    ).items():
        marks = {
            "t": [row["mark"] for row in mine],
            "Bayesian t": [bayesian_mark(row["better"]) for row in mine],
        }
        found += [
            {"rule": rule, "rates": rates, "test": test} | wins_ties_losses(each)
            for test, each in marks.items()
        ]
    return found
