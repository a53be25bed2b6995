"""RkNN beside kNN on a reader's own tables, by the protocol of Gao et al."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from knnviz.neighbors import NeighborTable
from knnviz.problems.data import Table
from knnviz.reproduce.gao.protocol import NEIGHBORS, Binary, Runs, Scoring, binary, check_size, compare, search
from knnviz.reproduce.gao.tables import marks, rows_of
from knnviz.reproduce.registry import Row, published, records

#: Published rows by data set and rates (p1, p0).
Published = Mapping[tuple[str, float, float], Row]


@dataclass(frozen=True)
class GaoComparison:
    """Tables 2 and 4 for any table, with published values beside a set that bears a name of the paper's.

    ``scoring`` names the labels that pick k and k': "noisy", as a learner must, or "clean". ``positive`` are the
    classes that become class 1; by default half of them, drawn by ``seed``, of two the second.

    Source: Gao et al., section 6.2, Tables 2 and 4.
    """

    scoring: Scoring = "noisy"
    seed: int = 0
    positive: Collection[str] = ()

    def read(self, table: Table) -> Binary:
        """The table as the protocol reads it; ValueError if it has too few rows, or not the positive classes."""
        data = binary(table, self.seed, self.positive)
        check_size(data)
        return data

    def describe(self, data: Binary) -> str:
        """What is compared, and how it differs from the set of that name in the paper."""
        n, d = data.X.shape
        text = f"{n} rows, {d} features; class 1: {data.ones}; class 0: {data.zeros}"
        papers = {(row["n"], row["d"]) for (name, *_), row in _published().items() if name == data.name}
        return text + "".join(
            f" (in the paper {rows} rows, {features} features)" for rows, features in papers - {(n, d)}
        )

    def prepare(self, data: Binary, progress: bool) -> NeighborTable:
        """What all trials have in common: the neighbors."""
        return search(data, progress=progress)

    def trial(self, data: Binary, prepared: NeighborTable, number: int) -> Row:
        """One of the trials, as JSON holds it."""
        runs = compare(data, prepared, number, scoring=self.scoring, seed=self.seed)
        return {name: each.tolist() for name, each in zip(Runs._fields, runs, strict=True)}

    def heading(self) -> str:
        """What the columns of the tables are."""
        return (
            "A label of class 1 flips with probability p1, one of class 0 with p0. Accuracies are those on clean\n"
            "test labels, mean and standard deviation over trials. k and k' (neighbors for the noise) are picked\n"
            f"from {NEIGHBORS[0]} to {NEIGHBORS[-1]} by cross-validation on {self.scoring} labels. Mark w: RkNN beats\n"
            "kNN by a paired t-test at 95 %, l: it loses. Estimated rates are RkNN's, too low where k' is small."
        )

    def rows(self, data: Binary, trials: Sequence[Row]) -> list[Row]:
        """A row for each setting of noise, of numbers, from two trials or more."""
        runs = Runs(*(np.concatenate([each[name] for each in trials], axis=1) for name in Runs._fields))
        settings = {"data": data.name, "scoring": self.scoring, "seed": self.seed, "trials": len(trials)}
        return [settings | row | estimates for row, estimates in rows_of(runs)]

    def tables(self, rows: Sequence[Row]) -> dict[str, list[Row]]:
        """Tables 2 and 4 of one data set as text; columns that end in "paper" are published values, if any."""
        known, second, fourth = _published(), [], []
        for row in rows:
            paper = known.get((row["data"], row["p1"], row["p0"]), {})
            second.append(_without_gaps({"data": row["data"]} | _accuracies(row, paper)))
            fourth.append(_without_gaps({"data": row["data"]} | _estimates(row, paper)))
        return {"Table 2, accuracy in percent": second, "Table 4, estimated rates": fourth}

    def summary(self, rows: Sequence[Row]) -> str:
        """How often RkNN won, tied and lost against kNN, over all data sets."""
        return "RkNN against kNN: wins {wins}, ties {ties}, losses {losses}".format(**marks(list(rows)))


def _without_gaps(row: Row) -> Row:
    return {name: value for name, value in row.items() if value is not None}


def _published() -> Published:
    rows = records(published("gao_tables")["tables_1_2_4"])
    return {(row["data"], row["p1"], row["p0"]): row for row in rows}


def _accuracies(row: Row, paper: Row) -> Row:
    shown: dict[str, Any] = {"p1": row["p1"], "p0": row["p0"]}
    for name in ("rknn", "knn"):
        for title, values in ((name, row), (f"{name} paper", paper)):
            shown[title] = f"{100 * values[name]:.2f} ± {100 * values[f'{name}_sd']:.2f}" if values else None
    return shown | {"mark": row["mark"], "mark paper": paper.get("mark")}


def _estimates(row: Row, paper: Row) -> Row:
    shown: dict[str, Any] = {"p1": row["p1"], "p0": row["p0"]}
    for name in ("p1_hat", "p0_hat"):
        shown |= {name: f"{row[name]:.3f}", f"{name} paper": f"{paper[name]:.3f}" if paper else None}
    return shown
