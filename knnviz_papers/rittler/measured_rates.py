"""Corollary 1 measured: how fast passive and active learners approach the Bayes rule, each at both theorems' k."""

from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np
from tqdm import tqdm

from knnviz import checks
from knnviz.active import LEARNERS, VOTERS, Scheme
from knnviz.bounds.chaudhuri_dasgupta import passive_exponents, passive_neighbors
from knnviz.bounds.rittler import active_exponents, active_neighbors, condition_ratio
from knnviz.problems import Problem, power
from knnviz.problems.named import line_problem
from knnviz_papers.rittler.rounds_on_line import FirstRoundOnLine, Voters, draw_labeled, two_rounds
from knnviz_papers.simulate import Line, Row, Tables, fitted_exponent, grouped, means_and_errors, over_streams, title

#: Which theorem prescribes k: that of the passive rate, or Corollary 1.
PRESCRIPTIONS = ("passive", "active")

#: What is measured on a sample at one k.
MEASURED = (*LEARNERS, "hard_mass", "augmented_mass")


def rittler_rates(
    shapes: Sequence[tuple[float, float]] = ((1.25, 1.0), (2.0, 1.0), (1.25, 0.2)),
    sizes: Sequence[int] = (4000, 16_000, 64_000, 256_000),
    constants: Sequence[float] = (1.0, 0.1, 0.005),
    passive_fraction: float = 0.1,
    delta: float = 0.1,
    repeats: int = 100,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Disagreement with the Bayes rule over n, m = n, on the power family, beside both promised exponents.

    ``shapes`` are pairs of kappa and left, see ``leaning``: there alpha = 1, beta = 1 / kappa and L = kappa. All
    learners have 2 n labels. Each votes by the k of the passive rate and by that of Corollary 1, rounded, with one of
    ``constants`` before it; the hard region has the same k, as in the corollary. ``passive_fraction`` is pi. A k that
    is not from 1 to n is refused. Disagreements are exact, see ``rounds_on_line``.

    Tables: "disagreement", a row for each shape, constant, prescription ("rule") and n, with the ratio that the
    corollary requires to be 1 at least; "slopes", the exponents fitted to them by learner, beside the theorem's for
    that k and that of k^(-beta / 2), the order of Delta^beta. Exponents are None for a single size.

    Source: Rittler & Chaudhuri, Corollary 1; Chaudhuri & Dasgupta 2014, Theorem 7(a).
    """
    lines = [(kappa, Line.of(leaning(kappa, left))) for kappa, left in shapes]
    rows: list[Row] = []
    for (kappa, line), n in tqdm(list(product(lines, sizes)), "rittler_rates", disable=not progress):
        cases = [(c, rule, prescribed(n, kappa, delta, c, rule)) for c, rule in product(constants, PRESCRIPTIONS)]
        schemes = [Scheme(k, passive_fraction, delta) for *_, k in cases]
        runs = np.array(over_streams(partial(_one_sample, line, n, schemes), n, repeats, seed))
        for (constant, rule, k), found in zip(cases, runs.swapaxes(0, 1), strict=True):
            row = {"problem": title(line.problem), "constant": constant, "rule": rule, "n": n, "k": k}
            row["ratio"] = condition_ratio(n, k, 1, delta, 1.0, kappa)
            rows.append(row | means_and_errors(found, MEASURED))
    return {"disagreement": rows, "slopes": _slopes(rows, {title(line.problem): kappa for kappa, line in lines})}


def leaning(kappa: float, left: float) -> Problem:
    """power(kappa), with eta_1 - 1/2 times ``left`` below 1/2: alpha and beta are the same, but eta is not odd.

    kappa lies in [1, 20], left in (0, 1]; 1 is power(kappa) itself.
    """
    kappa, left = checks.check_real("kappa", kappa, 1, 20), checks.check_positive("left", left, 1)
    if left == 1:
        return power(kappa)

    def eta_1(x: np.ndarray) -> np.ndarray:
        rise = abs(2 * x - 1) ** kappa / 2
        return 0.5 + np.where(x < 0.5, -left * rise, rise)

    return line_problem("leaning", eta_1, kappa=kappa, left=left)


def prescribed(n: int, kappa: float, delta: float, constant: float, rule: str) -> int:
    """The k of one of ``PRESCRIPTIONS`` for power(kappa), rounded; ValueError unless it is from 1 to n."""
    if rule == PRESCRIPTIONS[0]:
        return passive_neighbors(n, 1.0, delta, constant)
    return checks.check_int("k of Corollary 1", round(active_neighbors(n, 1.0, 1 / kappa, delta, constant)), 1, n)


def _one_sample(line: Line, n: int, schemes: Sequence[Scheme], rng: np.random.Generator) -> list[list[float]]:
    """What ``MEASURED`` names, for each scheme, which votes by its own k; all have the same first round."""
    passive, (x, y) = Voters.of(*draw_labeled(line.problem, 2 * n, rng)), draw_labeled(line.problem, n, rng)
    found = []
    for scheme in schemes:
        first, k = FirstRoundOnLine.of(x, y, scheme), scheme.k_hard
        sample = two_rounds(line.problem, first, n, scheme, rng)
        rules = [passive.majority(k), *(sample.classifier(kind, k) for kind in VOTERS)]
        found.append([*(rule.risk(line.bayes) for rule in rules), *first.masses])
    return found


def _slopes(rows: list[Row], kappas: dict[str, float]) -> list[Row]:
    """For each curve of the rows its exponent, by the kappa of each problem."""
    curves = grouped(rows, "problem", "constant", "rule")
    return [
        _slope(curve, {"problem": problem, "constant": constant, "rule": rule}, learner, kappas[problem])
        for (problem, constant, rule), curve in curves.items()
        for learner in LEARNERS
    ]


def _slope(rows: list[Row], key: Row, learner: str, kappa: float) -> Row:
    """The exponent fitted to the rows of one curve, the promised one, and that of k^(-beta / 2)."""
    n, k, mean, error = (np.array([row[name] for row in rows], float) for name in ("n", "k", learner, f"{learner}_se"))
    exponents = passive_exponents if key["rule"] == PRESCRIPTIONS[0] else active_exponents
    row = key | {"learner": learner} | fitted_exponent("exponent", n, mean, error)
    of_k = None
    if row["exponent"] is not None:
        of_k = float(np.polyfit(np.log(n), np.log(k), 1)[0]) / (2 * kappa)
    return row | {"promised": exponents(1.0, 1 / kappa).disagreement, "of_k": of_k}
