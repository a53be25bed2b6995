"""The rate of Corollary 1, and where its condition holds."""

from collections.abc import Sequence

from knnviz.bounds.chaudhuri_dasgupta import passive_exponents
from knnviz.bounds.rittler import active_exponents, active_neighbors, condition_ratio
from knnviz_papers.simulate import Row, Tables

#: alpha, beta and delta at which the condition is evaluated, with L = 1 on a line.
ALPHA = 1.0
BETA = 0.9
DELTA = 0.1

#: Exponents alpha and beta to compare rates at.
EXPONENTS = ((1.0, 0.5), (1.0, 0.9), (1.0, 1.0), (0.5, 1.0), (0.5, 1.9))


def rittler_condition(
    constants: Sequence[float] = (1.0, 0.1, 0.01, 0.001),
    powers: Sequence[int] = (3, 4, 6, 8, 10, 12, 15, 16),
    progress: bool = False,
) -> Tables:
    """Corollary 1's condition at the k that it prescribes, up to an unnamed constant, and at that
    of the passive rate.

    ``constants`` multiply both k; n is 10 to each of ``powers``. Tables: "condition", a row for
    each constant and n: k of the corollary and of the passive rate, not rounded, and Delta at each
    over what the condition requires, which is to be 1 at least; "exponents", for several alpha and
    beta: those of the disagreement and of k, the largest one of k that the condition allows, and
    whether k stays below n.

    Source: Rittler & Chaudhuri, Corollary 1; Chaudhuri & Dasgupta 2014, Theorem 7(a).
    """
    rows = []
    for constant in constants:
        for power in powers:
            n = 10.0**power
            k = active_neighbors(n, ALPHA, BETA, DELTA, constant)
            # beta = 0 gives the k of the passive rate.
            passive_k = active_neighbors(n, ALPHA, 0.0, DELTA, constant)
            row: Row = {"constant": constant, "power": power, "k": k, "passive_k": passive_k}
            row["ratio"] = condition_ratio(k, n, 1, DELTA)
            row["passive_ratio"] = condition_ratio(passive_k, n, 1, DELTA)
            rows.append(row)
    return {"condition": rows, "exponents": [_exponents(*pair) for pair in EXPONENTS]}


def _exponents(alpha: float, beta: float) -> Row:
    passive = passive_exponents(alpha, beta)
    active = active_exponents(alpha, beta)
    row: Row = {"alpha": alpha, "beta": beta}
    row |= {"passive": passive.disagreement, "active": active.disagreement}
    row |= {"passive_k": passive.neighbors, "k": active.neighbors}
    # The condition: Delta ~ k^(-1/2) is at least of the order of (k / n)^alpha, and of n^(-alpha /
    # 2).
    row["borne_k"] = min(passive.neighbors, alpha)
    row["k_below_n"] = active.neighbors < 1
    return row
