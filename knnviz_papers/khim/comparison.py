"""Class weights searched on a reader's own tables, by the protocol of Khim et al."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from knnviz import checks
from knnviz.lessons.stored import published
from knnviz.problems.data import Table
from knnviz.problems.tables import read_table
from knnviz_papers.khim.table_2 import Fitted, Split, check_classes, has_grid, neighbors_of, rows_of, sizes
from knnviz_papers.simulate import Row

#: Features and classes of Covertype, for which the paper has a table.
COVERTYPE = 54, 7


@dataclass(frozen=True)
class KhimComparison:
    """Table 2 for any table, with the published values beside one that has the features and classes of Covertype.

    ``neighbors`` and ``raw`` are as in ``khim_table_2``, ``shift`` as in ``Fitted.scores``; ``seed`` is that of the
    splits. Raises ValueError for values out of range.

    Source: Khim et al., section 6.3.2 and Table 2.
    """

    neighbors: int | None = None
    raw: bool = False
    shift: bool = False
    seed: int = 0

    open = staticmethod(read_table)

    def __post_init__(self) -> None:
        checks.check_int("seed", self.seed, 0)
        if self.neighbors is not None:
            checks.check_int("neighbors", self.neighbors, 1)

    def heading(self) -> str:
        """What the columns of the tables are."""
        scored = (
            "\nScores of kNN compare positions from 0 with labels from 1, which is a mistake." if self.shift else ""
        )
        return (
            "Macro F1 on the development rows, where weights are searched, and on test rows; mean and standard error\n"
            f"over trials.{scored}"
        )

    def read(self, table: Table) -> Table:
        """The table itself; ValueError if a class has too few rows, or k exceeds the training rows."""
        try:
            check_classes(table.y, table.class_names)
            neighbors_of(len(table.y), self.neighbors)
        except ValueError as error:
            raise ValueError(f"{table.name}: {error}") from None
        return table

    def describe(self, data: Table) -> str:
        n, d = data.X.shape
        train, dev = sizes(n)
        grid = "" if has_grid(len(data.class_names)) else "; no grid, which has too many weights for so many classes"
        return (
            f"{n} rows, {d} features, {len(data.class_names)} classes; {train} training, {dev} development and "
            f"{n - train - dev} test rows; k = {neighbors_of(n, self.neighbors)}{grid}"
        )

    def prepare(self, data: Table, progress: bool) -> None:
        """Nothing: each trial has neighbors of its own."""

    def trial(self, data: Table, prepared: None, number: int) -> Row:
        """One random split: scores and weights by rule, as JSON holds them."""
        split = Split.of(data.X, data.y, self.seed, number, raw=self.raw)
        return Fitted.of(split, neighbors_of(len(data.y), self.neighbors), self.seed).scores(shift=self.shift)

    def rows(self, data: Table, trials: Sequence[Row]) -> list[Row]:
        """A row for each rule, from two trials or more."""
        settings = {"data": data.name, "features": data.X.shape[1], "k": neighbors_of(len(data.y), self.neighbors)}
        settings |= {"raw": self.raw, "shift": self.shift, "seed": self.seed, "trials": len(trials)}
        return [settings | row for row in rows_of(trials, data.class_names)]

    def tables(self, rows: Sequence[Row]) -> dict[str, list[Row]]:
        """Table 2 of one data set as text: scores by rule, and weights by class."""
        weights = [name for name in rows[0] if name.startswith("q_") and f"{name}_se" in rows[0]]
        paper = {row["rule"]: row for row in published("khim")["table_2"]}
        is_covertype = (rows[0]["features"], len(weights)) == COVERTYPE
        scores = [_scores(row) | (_printed(paper.get(row["rule"], {})) if is_covertype else {}) for row in rows]
        weighted = [row for row in rows if row[weights[0]] is not None]
        by_class = [
            {"class": name.removeprefix("q_")} | {row["rule"]: f"{row[name]:.3f}" for row in weighted}
            for name in weights
        ]
        return {"Table 2, macro F1": scores, "Mean weights": by_class}

    def summary(self, rows: Sequence[Row]) -> str:
        """By how much each rule is better than unweighted kNN on test rows, over all data sets."""
        unweighted = {row["data"]: row["f1_test"] for row in rows if row["rule"] == "unweighted"}
        lines = ["Macro F1 on test rows above that of unweighted kNN, mean over data sets, and on how many it is above"]
        for rule in dict.fromkeys(row["rule"] for row in rows if row["rule"] != "unweighted"):
            gains = np.array([row["f1_test"] - unweighted[row["data"]] for row in rows if row["rule"] == rule])
            lines.append(f"  {rule:<18}{gains.mean():+.3f}  {np.sum(gains > 0)} of {len(gains)}")
        return "\n".join(lines)


def _scores(row: Row) -> Row:
    parts = {part: f"{row[f'f1_{part}']:.3f} ± {row[f'f1_{part}_se']:.3f}" for part in ("dev", "test")}
    return {"rule": row["rule"]} | parts


def _printed(paper: Row) -> Row:
    return {f"paper, {part}": paper.get(f"f1_{part}", "") for part in ("dev", "test")}
