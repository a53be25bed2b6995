"""The protocol for real data on digits whose bags are drawn once, and then lose true labels."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from sklearn.datasets import load_digits
from tqdm import tqdm

from knnviz.bags import BagDraws, BagProcess
from knnviz.problems import BagTable, from_bags
from knnviz_papers.errandonea.comparison import (
    BEST_VOTE,
    PL_A_KNN,
    PLAIN_VOTE,
    rows_of_rules,
    split_by_split,
)
from knnviz_papers.errandonea.linear_rivals import LINEAR_LOSSES
from knnviz_papers.simulate import Row, Tables, grouped, mean_and_error

#: Rivals that lose much under high noise, according to the paper.
LOSING = ("PRODEN", "LWS, beta 1", "LWS, beta 2")

#: Difference of errors up to which a rule is comparable to the best k.
COMPARABLE = 0.02

#: Columns of the protocol's rows in the table "errors".
ERROR_COLUMNS = ("nu", "rule", "error", "error_se", "above", "above_se")

#: The paper's claims about PL A-kNN, as functions of the rows of the protocol at one noise, by
#: rule.
AT_EACH_NOISE: dict[str, Callable[[Mapping[str, Row]], bool]] = {
    "no linear rival errs less than PL A-kNN": lambda rows: all(
        rows[name]["mark"] != "l" for name in LINEAR_LOSSES
    ),
    "PL A-kNN errs less than 10-NN": lambda rows: rows[PLAIN_VOTE]["mark"] == "w",
    "PL A-kNN errs less than A-kNN": lambda rows: rows["A-kNN"]["mark"] == "w",
    "PL A-kNN is comparable to the best k": lambda rows: rows[BEST_VOTE]["above"] > -COMPARABLE,
}


def errandonea_removal(
    inclusions: Sequence[float] = (0.8, 0.3),
    noises: Sequence[float] = (0.0, 0.2, 0.4, 0.6),
    splits: int = 10,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Test errors on digits with given bags, as the true label is taken out of more of them.

    Bags are drawn once, by the paper's generator without noise: for each true label in each of five
    clusters all wrong labels join with one probability, up to each of ``inclusions``. Below nu = 1
    minus that number, a bag is more likely to hold the true label than any other. All else is as in
    ``comparison.compare_on_bags``.

    Tables: "errors", a row for each inclusion, nu and rule: the mean error, and how far it is above
    that of PL A-kNN, split by split; "balls", the fraction of points where the ball of PL A-kNN
    stops by itself; "claims", what the paper says of its figures: at how many noises, or of how
    many rivals, it holds here, and where it fails. There a rule errs less by a paired t-test at 95
    %, and comparable is within 0.02; what noise costs, and what is said of CLPL, is read off the
    means.

    Source: Errandonea et al., section 4, Figures 1 to 4 (b) and (c), which have MSRCv2 and
    MirFlickr. The paper prints no numbers; the digits, their bags and the noises are ours.
    """
    tables = Tables(errors=[], balls=[], claims=[])
    for largest in inclusions:
        data = digits_in_bags(largest)
        rivals = tuple(LINEAR_LOSSES)
        steps = split_by_split(data.X, data.y, noises, splits, seed, "removal", rivals, bags=data.S)
        *_, found = tqdm(steps, "errandonea_removal", splits, disable=not progress)

        key = {"bags": f"inclusion up to {largest:g}"}
        rows = rows_of_rules(found, {})
        for row in rows:
            tables["errors"].append(key | {name: row[name] for name in ERROR_COLUMNS})
        tables["claims"] += [key | claim for claim in claims(rows)]

        decided = found.decided[:, :, found.names.index(PL_A_KNN)]
        for j, nu in enumerate(noises):
            stops = mean_and_error("decided", decided[:, j])
            tables["balls"].append(key | {"nu": nu} | stops)
    return tables


def digits_in_bags(largest: float) -> BagTable:
    """The digits in bags with their true labels; a larger ``largest`` only adds wrong ones."""
    X, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    process = BagProcess.from_clusters(X, 10, rng, largest=largest)
    draws = BagDraws.draw(len(y), 10, rng)
    bags = process.draw(X, y, draws)
    return from_bags(X, bags, y, name="digits")


def claims(rows: Sequence[Row]) -> list[Row]:
    """The paper's claims about its figures, and for how many noises or rivals they hold."""
    found = []
    for at_noise in grouped(rows, "nu").values():
        found.append({row["rule"]: row for row in at_noise})

    outcomes: dict[str, dict[str, bool]] = {}
    for claim, holds in AT_EACH_NOISE.items():
        cases = {f"nu={each[PL_A_KNN]['nu']:g}": bool(holds(each)) for each in found}
        outcomes[claim] = cases

    first = {name: row["error"] for name, row in found[0].items()}
    last = {name: row["error"] for name, row in found[-1].items()}
    lost = {name: last[name] - first[name] for name in first}
    costs_more = {name: lost[name] > lost[PL_A_KNN] for name in LOSING}
    outcomes["noise costs PRODEN and LWS more than PL A-kNN"] = costs_more

    worst = max(LINEAR_LOSSES, key=first.__getitem__)
    outcomes["CLPL is the worst linear rival at the first noise"] = {worst: worst == "CLPL"}
    better = sorted(LINEAR_LOSSES, key=last.__getitem__)[:3]
    is_better = {", ".join(better): "CLPL" in better}
    outcomes["CLPL is among the better three at the last noise"] = is_better

    found_claims = []
    for claim, cases in outcomes.items():
        fails = ", ".join(case for case in cases if not cases[case])
        row: Row = {"claim": claim, "holds": sum(cases.values())}
        row |= {"of": len(cases), "fails": fails or "nowhere"}
        found_claims.append(row)
    return found_claims
