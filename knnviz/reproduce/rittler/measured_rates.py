"""Corollary 1 measured: how fast passive and active learners approach the Bayes rule, each at both prescribed k."""

from collections.abc import Sequence

import numpy as np
from tqdm import tqdm

from knnviz import checks
from knnviz.active import LEARNERS, VOTERS, Scheme
from knnviz.bounds.chaudhuri_dasgupta import passive_exponents, passive_neighbors
from knnviz.bounds.rittler import active_exponents, active_neighbors, condition
from knnviz.problems import power
from knnviz.reproduce.registry import Row, Tables, reproduction
from knnviz.reproduce.rittler.rounds_on_line import FirstRound, Voters, drawn, two_rounds
from knnviz.reproduce.simulate import Line, columns, over_runs, title
from knnviz.risk import Rate

#: Which theorem prescribes k: that of the passive rate, or Corollary 1.
RULES = ("passive", "active")

#: What is measured on a sample at one k.
MEASURED = (*LEARNERS, "hard_mass", "augmented_mass")


@reproduction
def rittler_rates(
    kappas: Sequence[float] = (1.25, 2.0),
    sizes: Sequence[int] = (4000, 16_000, 64_000, 256_000),
    constants: Sequence[float] = (1.0, 0.1, 0.005),
    passive_fraction: float = 0.1,
    delta: float = 0.1,
    repeats: int = 100,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Disagreement with the Bayes rule over n, m = n, for eta of ``power(kappa)``, beside both promised exponents.

    There alpha = 1, beta = 1 / kappa and L = kappa, for ``kappas`` from 1 to 20. All learners have 2 n labels. Each
    votes by the k of the passive rate and by that of Corollary 1, rounded, with one of ``constants`` before it; the
    hard region has the same k, as in the corollary. ``passive_fraction`` is pi. A k that is not from 1 to n is refused.
    Disagreements are exact, see ``rounds_on_line``.

    Tables: "disagreement", a row for each kappa, constant, prescription ("rule") and n, with the ratio that condition
    (*) wants to be 1 at least; "slopes", the exponents fitted to them by learner, beside the promised one of that k and
    that of k^(-beta / 2), the order of Delta^beta. Exponents are None for a single size.

    Source: Rittler & Chaudhuri, Corollary 1; Chaudhuri & Dasgupta 2014, Theorem 7(a).
    """
    runs = range(checks.check_int("repeats", repeats, 2))
    places = [(kappa, n) for kappa in kappas for n in sizes]
    rows: list[Row] = []
    for kappa, n in tqdm(places, "rittler_rates", disable=not progress):
        line = Line.of(power(checks.check_real("kappa", kappa, 1, 20)))
        cases = [(c, rule, prescribed(n, kappa, delta, c, rule)) for c in constants for rule in RULES]
        schemes = [Scheme(k, passive_fraction, delta) for *_, k in cases]

        def one(run: int, line: Line = line, n: int = n, schemes: list[Scheme] = schemes) -> list[list[float]]:
            return _compared(line, n, schemes, np.random.default_rng([seed, n, run]))

        found = np.array(over_runs(one, runs)).swapaxes(0, 1)
        for (constant, rule, k), each in zip(cases, found, strict=True):
            row = {"problem": title(line.problem), "constant": constant, "rule": rule, "n": n, "k": k}
            row["ratio"] = condition(n, k, 1, delta, 1.0, kappa).ratio
            rows.append(row | columns(each, MEASURED))
    return {"disagreement": rows, "slopes": _slopes(rows, kappas, constants)}


def prescribed(n: int, kappa: float, delta: float, constant: float, rule: str) -> int:
    """The k of one of ``RULES`` for power(kappa), rounded; ValueError unless it is from 1 to n."""
    if rule == RULES[0]:
        return passive_neighbors(n, 1.0, delta, constant)
    return checks.check_int("k of Corollary 1", round(active_neighbors(n, 1.0, 1 / kappa, delta, constant)), 1, n)


def _compared(line: Line, n: int, schemes: Sequence[Scheme], rng: np.random.Generator) -> list[list[float]]:
    """What ``MEASURED`` names, for each scheme, which votes by its own k; all have the same first round."""
    passive, (x, y) = Voters.of(*drawn(line.problem, 2 * n, rng)), drawn(line.problem, n, rng)
    found = []
    for scheme in schemes:
        first, k = FirstRound.of(x, y, scheme), scheme.k_hard
        bought = two_rounds(line.problem, first, n, scheme, rng)
        rules = [passive.majority(k), *(bought.classifier(kind, k) for kind in VOTERS)]
        found.append([*(rule.risk(line.bayes) for rule in rules), *first.masses])
    return found


def _slopes(rows: list[Row], kappas: Sequence[float], constants: Sequence[float]) -> list[Row]:
    return [
        _slope([row for row in rows if place.items() <= row.items()], place, learner, kappa)
        for kappa in kappas
        for constant in constants
        for rule in RULES
        for place in [{"problem": title(power(kappa)), "constant": constant, "rule": rule}]
        for learner in LEARNERS
    ]


def _slope(rows: list[Row], place: Row, learner: str, kappa: float) -> Row:
    """The exponent fitted to the rows of a place, the promised one, and that of k^(-beta / 2)."""
    n, k, mean, error = (np.array([row[name] for row in rows], float) for name in ("n", "k", learner, f"{learner}_se"))
    exponents = passive_exponents if place["rule"] == RULES[0] else active_exponents
    rate, of_k = Rate.fit(n, mean, error), None
    if rate:
        of_k = float(np.polyfit(np.log(n), np.log(k), 1)[0]) / (2 * kappa)
    row = place | {"learner": learner, "exponent": rate and rate.exponent, "exponent_se": rate and rate.error}
    return row | {"promised": exponents(1.0, 1 / kappa).disagreement, "of_k": of_k}
