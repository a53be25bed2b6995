"""Tables 2 and 4 of Gao et al., columns of RkNN and kNN, on data sets of scikit-learn."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy.stats import ttest_rel
from tqdm import tqdm

from knnviz import checks
from knnviz.neighbors import NeighborTable
from knnviz.problems import bundled
from knnviz.reproduce.gao.draws import Variant
from knnviz.reproduce.gao.protocol import NEIGHBORS, SETTINGS, Binary, Runs, Scoring, binary, compare, search
from knnviz.reproduce.registry import Row, Tables, reproduction

#: Level at which a paired t-test tells two methods apart.
LEVEL = 0.05


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
    tables = [search(data, neighbors) for data in sets]
    plan = [(*pair, scoring) for scoring in scorings for pair in zip(sets, tables, strict=True)]
    options = {"test_folds": test_folds, "neighbors": neighbors, "variant": variant, "seed": seed}
    accuracy, rates = [], []
    with tqdm(total=len(plan) * trials, desc="gao_tables", disable=not progress) as bar:
        for data, table, scoring in plan:
            runs = _trials(data, table, trials, bar, scoring=scoring, **options)
            for row, estimates in rows_of(runs):
                accuracy.append({"data": data.name, "scoring": scoring} | row)
                rates.append({"data": data.name, "scoring": scoring} | estimates)
    described = [{"data": data.name, "n": len(data.X), "d": data.X.shape[1], "ones": data.ones} for data in sets]
    counted = [{"scoring": each} | marks([row for row in accuracy if row["scoring"] == each]) for each in scorings]
    return {"sets": described, "accuracy": accuracy, "rates": rates, "marks": counted}


def _trials(data: Binary, table: NeighborTable, trials: int, bar: tqdm, **options: Any) -> Runs:
    parts = []
    for trial in range(checks.check_int("trials", trials, 2)):
        parts.append(compare(data, table, trial, **options))
        bar.update()
    return Runs(*(np.concatenate(each, axis=1) for each in zip(*parts, strict=True)))


def rows_of(runs: Runs) -> Iterator[tuple[Row, Row]]:
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


def marks(rows: list[Row]) -> Row:
    """How often RkNN won, tied and lost."""
    found = [row["mark"] for row in rows]
    return {name: found.count(sign) for name, sign in (("wins", "w"), ("ties", "-"), ("losses", "l"))}
