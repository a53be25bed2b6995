"""RkNN beside kNN and its rivals on a reader's own tables, by the protocol of Gao et al."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from knnviz.lessons.stored import published
from knnviz.neighbors import NeighborTable
from knnviz.problems.data import Table
from knnviz.problems.tables import read_table
from knnviz_papers.gao.protocol import (
    NEIGHBORS,
    Binary,
    Runs,
    Scoring,
    binary,
    check_size,
    neighbor_table,
    run_trial,
)
from knnviz_papers.gao.rivals import RIVALS, check_rivals
from knnviz_papers.gao.tables import counts, rows_of
from knnviz_papers.simulate import Row

#: Published rows by data set, flip rates (p1, p0) and, in Table 2, rule.
PublishedRows = Mapping[tuple, Row]


@dataclass(frozen=True)
class GaoComparison:
    """A ``PaperProtocol`` of ``knnviz.compare``: Tables 2 to 4 for any table, published values for sets of the paper.

    ``scoring`` names the labels that pick parameters: "noisy", as a learner must, or "clean". ``positive`` are the
    classes that become class 1; by default half of them, drawn by ``seed``, of two the second. ``rivals`` are names
    of ``rivals.RIVALS``; without any, RkNN and kNN run alone. Raises ValueError for other names.

    Source: Gao et al., section 6.2, Tables 2 to 4.
    """

    scoring: Scoring = "noisy"
    seed: int = 0
    positive: Collection[str] = ()
    rivals: Sequence[str] = tuple(RIVALS)

    open = staticmethod(read_table)

    def __post_init__(self) -> None:
        check_rivals(self.rivals)

    def read(self, table: Table) -> Binary:
        """The table as the protocol reads it; ValueError if it has too few rows, or not the positive classes."""
        data = binary(table, self.seed, self.positive)
        check_size(data)
        return data

    def describe(self, data: Binary) -> str:
        """What is compared, and how it differs from the set of that name in the paper."""
        n, d = data.X.shape
        text = f"{n} rows, {d} features; class 1: {data.ones}; class 0: {data.zeros}"
        papers = {(row["n"], row["d"]) for (name, *_), row in _published_rates().items() if name == data.name}
        return text + "".join(
            f" (in the paper {rows} rows, {features} features)" for rows, features in papers - {(n, d)}
        )

    def prepare(self, data: Binary, progress: bool) -> NeighborTable:
        """What all trials have in common: the neighbors."""
        return neighbor_table(data, progress=progress)

    def trial(self, data: Binary, prepared: NeighborTable, number: int) -> Row:
        """One of the trials, as JSON holds it."""
        runs = run_trial(data, prepared, number, scoring=self.scoring, rivals=self.rivals, seed=self.seed)
        return {name: each.tolist() for name, each in zip(Runs._fields, runs, strict=True)}

    def heading(self) -> str:
        """What the columns of the tables are."""
        rates = "Rates: true where a rule is told p1 and p0, as in the paper; estimated where it gets RkNN's estimates."
        return (
            "A label of class 1 flips with probability p1, one of class 0 with p0. Accuracies are those on clean test\n"
            "labels, mean and standard deviation over trials. k and k' (neighbors for the noise) are picked from\n"
            f"{NEIGHBORS[0]} to {NEIGHBORS[-1]} by cross-validation on {self.scoring} labels. Mark w: RkNN beats the "
            "rule by a paired t-test at\n95 %, l: it loses. Estimated rates are too low where k' is small."
            + (f"\n{rates}" if self.rivals else "")
        )

    def rows(self, data: Binary, trials: Sequence[Row]) -> list[Row]:
        """A row for each setting of noise and rule, of numbers, from two trials or more."""
        runs = Runs(*(np.concatenate([each[name] for each in trials], axis=1) for name in Runs._fields))
        settings = {"data": data.name, "scoring": self.scoring, "seed": self.seed, "trials": len(trials)}
        return [settings | row for row in rows_of(runs, self.rivals)]

    def tables(self, rows: Sequence[Row]) -> dict[str, list[Row]]:
        """Tables 2 and 4 of one data set as text, with published values of a set with a name of the paper's."""
        rates = [_estimates(row) for row in rows if row["rule"] == "RkNN"]
        return {"Table 2, accuracy at flip rates p1, p0": _table_2(rows), "Table 4, estimated rates": rates}

    def summary(self, rows: Sequence[Row]) -> str:
        """Table 3: how often RkNN won, tied and lost against each rule, over all data sets."""
        lines = ["RkNN against each rule, wins/ties/losses by the t-test, and by the Bayesian correlated t-test"]
        found = counts(rows)
        for frequentist, bayesian in zip(found[::2], found[1::2], strict=True):
            name = frequentist["rule"] + (f", {frequentist['rates']} rates" if frequentist["rates"] != "none" else "")
            tests = ("{wins}/{ties}/{losses}".format(**each) for each in (frequentist, bayesian))
            lines.append(f"  {name:<26}" + "  ".join(f"{each:>9}" for each in tests))
        return "\n".join(lines)


def _table_2(rows: Sequence[Row]) -> list[Row]:
    """A row for each rule; a column for each setting of noise, and one for what is published of it, if anything is."""
    shown: dict[tuple[str, str], Row] = {}
    in_paper = any(name == rows[0]["data"] for name, *_ in _published_accuracies())
    for row in rows:
        line = shown.setdefault((row["rule"], row["rates"]), {"rule": row["rule"], "rates": row["rates"]})
        setting = f"{_short(row['p1'], 1)}, {_short(row['p0'], 1)}"
        line[setting] = _accuracy_cell(row)
        if in_paper:
            as_in_paper = row["rule"] == "RkNN" or row["rates"] != "estimated"
            paper = _published_accuracies()[row["data"], row["p1"], row["p0"], row["rule"]]
            line[f"paper {setting}"] = _accuracy_cell(paper) if as_in_paper else ""
    return list(shown.values())


def _accuracy_cell(row: Row) -> str:
    return f"{_short(row['accuracy'], 4)} ± {_short(row['sd'], 4)} {row['mark'] or ' '}"


def _short(number: float, digits: int) -> str:
    """Digits without the 0 before the point, as the paper prints them."""
    return f"{number:.{digits}f}".removeprefix("0")


def _estimates(row: Row) -> Row:
    paper = _published_rates().get((row["data"], row["p1"], row["p0"]), {})
    shown = {"p1": row["p1"], "p0": row["p0"]}
    for name in ("p1_hat", "p0_hat"):
        shown |= {name: f"{row[name]:.3f}"} | ({f"{name} paper": f"{paper[name]:.3f}"} if paper else {})
    return shown


@cache
def _published_accuracies() -> PublishedRows:
    rows = published("gao_tables")["table_2"]
    return {(row["data"], row["p1"], row["p0"], row["rule"]): row for row in rows}


@cache
def _published_rates() -> PublishedRows:
    rows = published("gao_tables")["tables_1_and_4"]
    return {(row["data"], row["p1"], row["p0"]): row for row in rows}
