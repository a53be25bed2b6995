"""Class weights searched on a reader's own tables, by the protocol of Khim et al."""

from collections.abc import Iterator, Sequence

import numpy as np

from knnviz.lessons.stored import published
from knnviz.problems.data import LabeledTable
from knnviz_papers.khim.table_2 import Fitted, Split, check_classes, neighbors_of, rows_of
from knnviz_papers.runs import table as as_text
from knnviz_papers.simulate import Row, grouped

#: Features and classes of Covertype, for which the paper has a table.
COVERTYPE = 54, 7


def compare_weights(
    table: LabeledTable, trials: int = 10, seed: int = 0, neighbors: int | None = None
) -> Iterator[list[Row]]:
    """Search class weights for a high macro F1, as Table 2 of Khim et al. does.

    Rows are split at random into training, development and test rows: 11,340, 3,780 and the rest as
    in the paper, or 60, 20 and 20 % of fewer than 18,900 rows. Weights are searched on the
    development rows: none, a greedy search in either order of the classes, and a grid where it is
    small. Beside them stands logistic regression by stochastic gradient descent, without and with
    balanced classes. Scores are means and standard errors over trials. k is by default 160 for the
    rows of the paper, and less with n^(1/3).

    A table with the features and classes of Covertype stands beside the published values. Without
    files the command makes the run of this name, on digits of scikit-learn.

    Source: Khim et al., section 6.3.2 and Table 2.
    """
    check_classes(table.y, table.class_names)
    k = neighbors_of(len(table.y), neighbors)
    found = list[dict[str, list[float]]]()
    settings: Row = {"data": table.name, "rows": len(table.y)}
    settings["features"] = table.X.shape[1]
    settings["classes"] = len(table.class_names)
    settings |= {"k": k, "seed": seed}
    for number in range(trials):
        split = Split.draw(table.X, table.y, seed, number)
        found.append(Fitted.fit(split, k, seed).scores())
        rows = rows_of(found, table.class_names) if number else []
        yield [settings | {"trials": len(found)} | row for row in rows]


def weights_text(rows: Sequence[Row]) -> str:
    """Table 2 of one data set: scores by rule, and weights by class."""
    first = rows[0]
    title = "{data}: {rows} rows, {features} features, {classes} classes; k = {k}".format(**first)

    paper: dict[str, Row] = {}
    is_covertype = (first["features"], first["classes"]) == COVERTYPE
    if is_covertype:
        paper = {row["rule"]: row for row in published("khim")["table_2"]}
    scores = []
    for row in rows:
        line = _scores(row)
        if is_covertype:
            line |= _printed(paper.get(row["rule"], {}))
        scores.append(line)

    by_class = []
    for name in first:
        if name.startswith("q_") and f"{name}_se" in first:
            weights = {row["rule"]: f"{row[name]:.3f}" for row in rows if row[name] is not None}
            by_class.append({"class": name.removeprefix("q_")} | weights)
    return f"{title}\n\nTable 2, macro F1\n{as_text(scores)}\n\nMean weights\n{as_text(by_class)}"


def gains_text(rows: Sequence[Row]) -> str:
    """By how much each rule is better than unweighted kNN on test rows, over all data sets."""
    unweighted = {row["data"]: row["f1_test"] for row in rows if row["rule"] == "unweighted"}
    lines = [
        "Macro F1 on test rows above that of unweighted kNN, mean over data sets, and on how many "
        "it is above"
    ]
    searched = [row for row in rows if row["rule"] != "unweighted"]
    for (rule,), of_rule in grouped(searched, "rule").items():
        gains = np.array([row["f1_test"] - unweighted[row["data"]] for row in of_rule])
        better = f"{np.sum(gains > 0)} of {len(gains)}"
        lines.append(f"  {rule:<18}{gains.mean():+.3f}  {better}")
    return "\n".join(lines)


def _scores(row: Row) -> Row:
    scores: Row = {"rule": row["rule"]}
    for part in ("dev", "test"):
        name = f"f1_{part}"
        scores[part] = f"{row[name]:.3f} ± {row[f'{name}_se']:.3f}"
    return scores


def _printed(paper: Row) -> Row:
    return {f"paper, {part}": paper.get(f"f1_{part}", "") for part in ("dev", "test")}
