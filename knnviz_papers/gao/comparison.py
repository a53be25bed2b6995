"""RkNN beside kNN and its rivals on a reader's own tables, by the protocol of Gao et al."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from knnviz.lessons.stored import published
from knnviz.problems.data import LabeledTable
from knnviz_papers.gao.protocol import FLIP_RATES, Runs, Scoring, binary, neighbor_table, run_trial
from knnviz_papers.gao.rivals import RIVALS
from knnviz_papers.gao.tables import counts, rows_of
from knnviz_papers.runs import table as as_text
from knnviz_papers.simulate import Row

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
    settings: Row = {
        "data": data.name,
        "rows": len(data.X),
        "features": data.X.shape[1],
        "ones": data.ones,
    }
    settings |= {"zeros": data.zeros, "scoring": scoring, "seed": seed}
    for number in range(trials):
        runs.append(
            run_trial(
                data,
                neighbors,
                number,
                scoring=scoring,
                rivals=rivals,
                flip_rates=flip_rates,
                seed=seed,
            )
        )
        found = Runs(*(np.concatenate(each, axis=1) for each in zip(*runs, strict=True)))
        yield (
            [settings | {"trials": len(runs)} | row for row in rows_of(found, rivals, flip_rates)]
            if number
            else []
        )


def accuracy_text(rows: Sequence[Row]) -> str:
    """Tables 2 and 4 of one data set, with published values of a set with a name of the paper's."""
    first = rows[0]
    papers = {(row["n"], row["d"]) for row in _published_rows("tables_1_and_4", first["data"])}
    text = "{data}: {rows} rows, {features} features; class 1: {ones}; class 0: {zeros}".format(
        **first
    )
    text += "".join(
        f" (in the paper {n} rows, {d} features)"
        for n, d in papers - {(first["rows"], first["features"])}
    )
    rates = as_text([_estimates(row) for row in rows if row["rule"] == "RkNN"])
    return (
        f"{text}\n\n{TITLE}\n{as_text(_table_2(rows))}\n\nTable 4, RkNN's estimates of the "
        f"rates\n{rates}"
    )


def wins_text(rows: Sequence[Row]) -> str:
    """Table 3: how often RkNN won, tied and lost against each rule, over all data sets."""
    lines = [
        "RkNN against each rule, wins/ties/losses by the t-test, and by the Bayesian correlated "
        "t-test"
    ]
    found = counts(rows)
    for frequentist, bayesian in zip(found[::2], found[1::2], strict=True):
        name = frequentist["rule"] + (
            f", {frequentist['rates']} rates" if frequentist["rates"] != "none" else ""
        )
        tests = ("{wins}/{ties}/{losses}".format(**each) for each in (frequentist, bayesian))
        lines.append(f"  {name:<26}" + "  ".join(f"{each:>9}" for each in tests))
    return "\n".join(lines)


def _table_2(rows: Sequence[Row]) -> list[Row]:
    """A row for each rule; a column for each setting of noise, and one for what is published of it,
    if anything is.
    """
    shown: dict[tuple[str, str], Row] = {}
    paper = {
        (row["p1"], row["p0"], row["rule"]): row
        for row in _published_rows("table_2", rows[0]["data"])
    }
    for row in rows:
        line = shown.setdefault(
            (row["rule"], row["rates"]), {"rule": row["rule"], "rates": row["rates"]}
        )
        setting = ", ".join(f"{row[rate]:g}".replace("0.", ".") for rate in ("p1", "p0"))
        line[setting] = _accuracy_cell(row)
        if printed := paper.get((row["p1"], row["p0"], row["rule"])):
            # The paper gives its rivals the true rates.
            told = row["rule"] == "RkNN" or row["rates"] != "estimated"
            line[f"paper {setting}"] = _accuracy_cell(printed) if told else ""
    return list(shown.values())


def _accuracy_cell(row: Row) -> str:
    """Numbers without the 0 before the point, as the paper prints them."""
    accuracy, deviation = (f"{row[name]:.4f}".removeprefix("0") for name in ("accuracy", "sd"))
    return f"{accuracy} ± {deviation} {row['mark'] or ' '}"


def _estimates(row: Row) -> Row:
    printed = _published_rows("tables_1_and_4", row["data"])
    (paper,) = [each for each in printed if (each["p1"], each["p0"]) == (row["p1"], row["p0"])] or [
        {}
    ]
    shown = {"p1": row["p1"], "p0": row["p0"]}
    for name in ("p1_hat", "p0_hat"):
        # A setting of the reader's is in no table of the paper.
        in_paper = {f"{name} paper": f"{paper[name]:.3f}" if paper else ""} if printed else {}
        shown |= {name: f"{row[name]:.3f}"} | in_paper
    return shown


def _published_rows(name: str, data: str) -> list[Row]:
    """Rows of a table of the paper on a data set."""
    return [row for row in published("gao_tables")[name] if row["data"] == data]
