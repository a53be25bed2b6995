"""Tables 2 and 4 of Gao et al., columns of RkNN and kNN: on data sets of scikit-learn, and on a reader's own files."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import ttest_rel
from tqdm import tqdm

from knnviz import checks
from knnviz.problems import bundled, from_csv, from_npz
from knnviz.problems.data import Table
from knnviz.reproduce.gao.draws import Variant
from knnviz.reproduce.gao.protocol import NEIGHBORS, SETTINGS, Binary, Runs, Scoring, binary, compare
from knnviz.reproduce.registry import Row, Tables, published, records, reproduction, table

#: Level at which a paired t-test tells two methods apart.
LEVEL = 0.05

LOADERS: dict[str, Callable[..., Any]] = {".npz": from_npz, ".csv": from_csv}


@reproduction
def gao_tables(
    names: Sequence[str] = ("breast_cancer", "digits", "iris", "wine"),
    trials: int = 10,
    test_folds: int = 1,
    scorings: Sequence[Scoring] = ("noisy", "clean"),
    neighbors: Sequence[int] = NEIGHBORS,
    variant: Variant = "gao",
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Tables 2 and 4 on the sets that scikit-learn ships, all columns of each, by the protocol of the paper.

    ``names`` are bundled sets. None of them is among the paper's: breast_cancer has 569 rows of 30 features, its cancer
    683 of 10; digits has 1797 of 64, its optdigits 1143 of 42. ``trials`` are random splits with their own flips, at
    least 2; ``scorings`` and the other settings are those of ``protocol.compare``.

    Tables: "sets", what became class 1; "accuracy" (Table 2), means with their deviations over the runs, "mark" w where
    RkNN is better by a paired t-test, l where worse, and the means of what was picked; "rates" (Table 4), averages of
    the estimates; "marks", how often RkNN won, tied and lost.

    Source: Gao et al., section 6.2.
    """
    sets = [binary(bundled(name, "pca").table, seed) for name in names]
    plan = [(data, scoring) for scoring in scorings for data in sets]
    options = {"test_folds": test_folds, "neighbors": neighbors, "variant": variant, "seed": seed}
    accuracy, rates = [], []
    with tqdm(total=len(plan) * trials, desc="gao_tables", disable=not progress) as bar:
        for data, scoring in plan:
            runs = _trials(data, trials, bar, scoring=scoring, **options)
            for row, estimates in _rows(data, runs):
                accuracy.append({"data": data.name, "scoring": scoring} | row)
                rates.append({"data": data.name, "scoring": scoring} | estimates)
    described = [{"data": data.name, "n": len(data.X), "d": data.X.shape[1], "ones": data.ones} for data in sets]
    marks = [{"scoring": each} | _marks([row for row in accuracy if row["scoring"] == each]) for each in scorings]
    return {"sets": described, "accuracy": accuracy, "rates": rates, "marks": marks}


def _trials(data: Binary, trials: int, bar: tqdm, **options: Any) -> Runs:
    parts = []
    for trial in range(checks.check_int("trials", trials, 2)):
        parts.append(compare(data, trial, **options))
        bar.update()
    return Runs(*(np.concatenate(each, axis=1) for each in zip(*parts, strict=True)))


def _rows(data: Binary, runs: Runs) -> Iterator[tuple[Row, Row]]:
    """A row of Table 2 and one of Table 4 for each setting of noise."""
    for (p0, p1), accuracy, rates, picked in zip(SETTINGS, *runs, strict=True):
        (knn, rknn), (knn_sd, rknn_sd) = accuracy.mean(axis=0), accuracy.std(axis=0, ddof=1)
        place = {"p1": p1, "p0": p0}
        row = place | {"rknn": rknn, "rknn_sd": rknn_sd, "knn": knn, "knn_sd": knn_sd, "mark": mark(*accuracy.T)}
        picks = dict(zip(("knn_k", "rknn_k", "rknn_k_noise"), picked.mean(axis=0), strict=True))
        p0_hat, p1_hat = rates.mean(axis=0)
        yield row | picks, place | {"p1_hat": p1_hat, "p0_hat": p0_hat}


def mark(knn: np.ndarray, rknn: np.ndarray) -> str:
    """Paired t-test at 95 % on the same test folds: "w" where RkNN is better than kNN, "l" where worse, else "-"."""
    gap = rknn - knn
    if not np.ptp(gap):
        return "-" if gap[0] == 0 else "w" if gap[0] > 0 else "l"
    return "-" if ttest_rel(rknn, knn).pvalue >= LEVEL else "w" if gap.mean() > 0 else "l"


def _marks(rows: list[Row]) -> Row:
    found = [row["mark"] for row in rows]
    return {name: found.count(sign) for name, sign in (("wins", "w"), ("ties", "-"), ("losses", "l"))}


def tables_of(folder: str | Path) -> list[Table]:
    """The tables in a folder by file name, all columns of numbers of each.

    Files are .npz (arrays X and y) and .csv (the label in the last column, only numbers before it); others are passed
    over. Raises ValueError if there is no such folder or file, and for a file that cannot be read as a table or whose
    label is in doubt.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"there is no folder {str(folder)!r}")
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in LOADERS)
    if not paths:
        raise ValueError(f"the folder {str(folder)!r} holds no .npz and no .csv file")
    return [_whole(path) for path in paths]


def _whole(path: Path) -> Table:
    """A file as a whole table, named without its ending."""
    try:
        return LOADERS[path.suffix.lower()](path, features="pca", name=path.stem, certain=True).table
    except ValueError as error:
        said = str(error)
        raise ValueError(said if path.name in said else f"{path.name}: {said}") from None


def on_files(
    folder: str | Path, *, trials: int = 10, scoring: Scoring = "noisy", seed: int = 0, progress: bool = False
) -> str:
    """Tables 2 and 4 for the files of a folder, with published values beside those that bear a name of the paper's.

    ``folder`` is as ``tables_of`` takes it; ``trials`` random splits, at least 2, test one fold of four each. The text
    has what was read, and the two tables, accuracies in percent; columns that end in "paper" are published values.
    Raises ValueError as ``tables_of`` does, and for files with too few rows.

    Source: Gao et al., Tables 2 and 4.
    """
    sets, known = [binary(each, seed) for each in tables_of(folder)], _published()
    second, fourth = [], []
    with tqdm(total=len(sets) * trials, desc="trials", disable=not progress) as bar:
        for data in sets:
            runs = _trials(data, trials, bar, scoring=scoring, seed=seed)
            for row, estimates in _rows(data, runs):
                paper = known.get((data.name, row["p1"], row["p0"]), {})
                second.append({"data": data.name} | _accuracies(row, paper))
                fourth.append({"data": data.name} | _estimates(estimates, paper))
    lines = [
        f"Gao et al., Tables 2 and 4: {trials} trials, k and k' picked on {scoring} labels",
        *(_described(data, known) for data in sets),
        f"\nTable 2, accuracy in percent\n{table(second)}",
        "RkNN against kNN: {wins} wins, {ties} ties, {losses} losses".format(**_marks(second)),
        f"\nTable 4, estimated rates\n{table(fourth)}",
    ]
    return "\n".join(lines)


def _published() -> dict[tuple[str, float, float], Row]:
    rows = records(published("gao_tables")["tables_1_2_4"])
    return {(row["data"], row["p1"], row["p0"]): row for row in rows}


def _accuracies(row: Row, paper: Row) -> Row:
    shown = {"p1": row["p1"], "p0": row["p0"]}
    for name in ("rknn", "knn"):
        for title, values in ((name, row), (f"{name} paper", paper)):
            shown[title] = f"{100 * values[name]:.2f} ± {100 * values[f'{name}_sd']:.2f}" if values else None
    return shown | {"mark": row["mark"], "mark paper": paper.get("mark")}


def _estimates(row: Row, paper: Row) -> Row:
    shown = {"p1": row["p1"], "p0": row["p0"]}
    for name in ("p1_hat", "p0_hat"):
        shown |= {name: f"{row[name]:.3f}", f"{name} paper": f"{paper[name]:.3f}" if paper else None}
    return shown


def _described(data: Binary, known: dict[tuple[str, float, float], Row]) -> str:
    """What was read, and how it differs from the set of that name in the paper."""
    n, d = data.X.shape
    text = f"{data.name}: {n} rows, {d} features, class 1 is {data.ones}"
    papers = {(row["n"], row["d"]) for (name, *_), row in known.items() if name == data.name}
    return text + "".join(f" (in the paper {rows} rows, {features} features)" for rows, features in papers - {(n, d)})
