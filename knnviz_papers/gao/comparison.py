"""RkNN beside kNN and its rivals on a reader's own tables, by the protocol of Gao et al."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from knnviz.lessons.stored import published
from knnviz.problems.data import LabeledTable
from knnviz_papers.gao.protocol import FLIP_RATES, Runs, Scoring, binary, neighbor_table, run_trial
from knnviz_papers.gao.rivals import RIVALS
from knnviz_papers.gao.tables import counts, rows_of
from knnviz_papers.runs import table as as_text
from knnviz_papers.simulate import Row, grouped

TITLE = (
    "Table 2, accuracy at flip rates p1, p0; w: RkNN is better than the rule by a paired t-test at "
    "95 %, l: worse"
)


def compare_rivals(
    table: LabeledTable,
    trials: int = 10,
    seed: int = 0,
    scoring: Scoring = "noisy",
    positive: Collection[str] = (),
    rivals: Sequence[str] = tuple(RIVALS),
    flip_rates: Sequence[tuple[float, float]] = FLIP_RATES,
) -> Iterator[list[Row]]:
    """Compare robust kNN (RkNN) with kNN and six rivals under label noise, as Tables 2 to 4 of Gao
    et al. do.

    Features are scaled to [-1, 1]. Of more than two classes half become class 1, drawn by the seed.
    A label of class 1 flips with probability p1, one of class 0 with p0, by default at the three
    settings of the paper. Each trial tests on a random quarter of the rows, with clean labels. On
    the other rows, four folds choose k and k' (neighbors for the noise) from 5 to 100, and the
    parameters of the rivals. Accuracies are means and standard deviations over trials. Rates are
    "true" where a rule gets p1 and p0, as in the paper, and "estimated" where it gets RkNN's
    estimates, which are too low where k' is small.

    A set with the name of one in the paper (heart.csv) stands beside its published values.

    Source: Gao et al., section 6.2 and Tables 2 to 4.
    """
    data = binary(table, seed, positive)
    runs = list[Runs]()
    neighbors = neighbor_table(data)
    options: dict[str, Any] = {"scoring": scoring, "rivals": rivals}
    options |= {"flip_rates": flip_rates, "seed": seed}

    n, d = data.X.shape
    settings: Row = {"data": data.name, "rows": n, "features": d}
    settings |= {"ones": data.ones, "zeros": data.zeros}
    settings |= {"scoring": scoring, "seed": seed}
    for number in range(trials):
        runs.append(run_trial(data, neighbors, number, **options))
        rows = rows_of(Runs.together(runs), rivals, flip_rates) if number else []
        yield [settings | {"trials": len(runs)} | row for row in rows]


def accuracy_text(rows: Sequence[Row]) -> str:
    """Tables 2 and 4 of one data set, with published values of a set with a name of the paper's."""
    first = rows[0]
    size = "{data}: {rows} rows, {features} features".format(**first)
    text = size + "; class 1: {ones}; class 0: {zeros}".format(**first)
    own_size = first["rows"], first["features"]
    printed = _published_rows("tables_1_and_4", first["data"])
    for n, d in grouped(printed, "n", "d").keys() - {own_size}:
        text += f" (in the paper {n} rows, {d} features)"

    accuracies = as_text(_table_2(rows))
    of_rknn = [row for row in rows if row["rule"] == "RkNN"]
    rates = as_text([_estimates(row) for row in of_rknn])
    text += f"\n\n{TITLE}\n{accuracies}"
    return text + f"\n\nTable 4, RkNN's estimates of the rates\n{rates}"


def wins_text(rows: Sequence[Row]) -> str:
    """Table 3: how often RkNN won, tied and lost against each rule, over all data sets."""
    lines = [
        "RkNN against each rule, wins/ties/losses by the t-test, and by the Bayesian correlated "
        "t-test"
    ]
    by_rule = grouped(counts(rows), "rule", "rates")
    for (rule, rates), tests in by_rule.items():
        name = rule
        if rates != "none":
            name += f", {rates} rates"
        outcomes = ["{wins}/{ties}/{losses}".format(**test) for test in tests]
        columns = "  ".join(f"{outcome:>9}" for outcome in outcomes)
        lines.append(f"  {name:<26}{columns}")
    return "\n".join(lines)


def _table_2(rows: Sequence[Row]) -> list[Row]:
    """A row for each rule; a column for each setting of noise, and one for what is published."""
    printed = _published_rows("table_2", rows[0]["data"])
    paper = grouped(printed, "rule", "p1", "p0")
    lines = []
    for (rule, rates), of_rule in grouped(rows, "rule", "rates").items():
        line: Row = {"rule": rule, "rates": rates}
        # The paper gives its rivals the true rates.
        is_told = rule == "RkNN" or rates != "estimated"
        for row in of_rule:
            p1 = row["p1"]
            p0 = row["p0"]
            setting = f"{p1:g}, {p0:g}".replace("0.", ".")
            line[setting] = _accuracy_cell(row)
            for in_paper in paper.get((rule, p1, p0), []):
                line[f"paper {setting}"] = _accuracy_cell(in_paper) if is_told else ""
        lines.append(line)
    return lines


def _accuracy_cell(row: Row) -> str:
    """Numbers without the 0 before the point, as the paper prints them."""
    accuracy, deviation = (f"{row[name]:.4f}".removeprefix("0") for name in ("accuracy", "sd"))
    return f"{accuracy} ± {deviation} {row['mark'] or ' '}"


def _estimates(row: Row) -> Row:
    rates = row["p1"], row["p0"]
    printed = grouped(_published_rows("tables_1_and_4", row["data"]), "p1", "p0")
    shown: Row = {"p1": row["p1"], "p0": row["p0"]}
    for name in ("p1_hat", "p0_hat"):
        shown[name] = f"{row[name]:.3f}"
        if printed:
            shown[f"{name} paper"] = ""
        # A setting of the reader's is in no table of the paper.
        for paper in printed.get(rates, []):
            shown[f"{name} paper"] = f"{paper[name]:.3f}"
    return shown


def _published_rows(name: str, data: str) -> list[Row]:
    """Rows of a table of the paper on a data set."""
    return [row for row in published("gao_tables")[name] if row["data"] == data]
