"""Corollary 1 measured: how fast passive and active learners approach the Bayes rule, each at both
theorems' k.
"""

from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np
from tqdm import tqdm

from knnviz.active import LEARNERS, VOTERS, Scheme
from knnviz.active.sampling import draw_labeled
from knnviz.bounds.chaudhuri_dasgupta import passive_exponents, passive_neighbors
from knnviz.bounds.rittler import active_exponents, active_neighbors, condition_ratio
from knnviz.neighbors import Windows
from knnviz.problems import Problem, power
from knnviz.problems.named import line_problem
from knnviz.profiles import WindowProfile
from knnviz.risk import on_line
from knnviz.rules import Vote
from knnviz_papers.rittler.rounds_on_line import FirstRoundOnLine, two_rounds
from knnviz_papers.simulate import (
    Line,
    Tables,
    fitted_exponent,
    grouped,
    means_and_errors,
    over_streams,
    title,
)

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
    """Disagreement with the Bayes rule over n, m = n, on the power family, beside both promised
    exponents.

    ``shapes`` are pairs of kappa and left, see ``leaning``: there alpha = 1, beta = 1 / kappa and L
    = kappa. All learners have 2 n labels. Each votes by the k of the passive rate and by that of
    Corollary 1, rounded, with one of ``constants`` before it; the hard region has the same k, as in
    the corollary. ``passive_fraction`` is pi. Disagreements are exact, see ``rounds_on_line``.

    Tables: "disagreement", a row for each shape, constant, prescription ("rule") and n, with the
    ratio that the corollary requires to be 1 at least; "slopes", the exponents fitted to them by
    learner, beside the theorem's for that k. Exponents are None for a single size.

    Source: Rittler & Chaudhuri, Corollary 1; Chaudhuri & Dasgupta 2014, Theorem 7(a).
    """
    lines = [(kappa, Line.of(leaning(kappa, left))) for kappa, left in shapes]
    kappas = {title(line.problem): kappa for kappa, line in lines}
    rows = []
    slopes = []
    for (kappa, line), n in tqdm(
        list(product(lines, sizes)), "rittler_rates", disable=not progress
    ):
        cases = [
            (c, rule, prescribed(n, kappa, delta, c, rule))
            for c, rule in product(constants, PRESCRIPTIONS)
        ]
        schemes = [Scheme(k, passive_fraction, delta) for *_, k in cases]
        runs = np.array(over_streams(partial(_one_sample, line, n, schemes), n, repeats, seed))
        for (constant, rule, k), found in zip(cases, runs.swapaxes(0, 1), strict=True):
            row = {
                "problem": title(line.problem),
                "constant": constant,
                "rule": rule,
                "n": n,
                "k": k,
            }
            row["ratio"] = condition_ratio(n, k, 1, delta, 1.0, kappa)
            rows.append(row | means_and_errors(found, MEASURED))
    for (problem, constant, rule), curve in grouped(rows, "problem", "constant", "rule").items():
        exponents = passive_exponents if rule == PRESCRIPTIONS[0] else active_exponents
        promised = exponents(1.0, 1 / kappas[problem]).disagreement
        for learner in LEARNERS:
            points = (
                np.array([row[name] for row in curve]) for name in ("n", learner, f"{learner}_se")
            )
            row = {"problem": problem, "constant": constant, "rule": rule, "learner": learner}
            slopes.append(row | fitted_exponent("exponent", *points) | {"promised": promised})
    return {"disagreement": rows, "slopes": slopes}


def leaning(kappa: float, left: float) -> Problem:
    """power(kappa), with eta_1 - 1/2 times ``left`` below 1/2: alpha and beta are the same, but eta
    is not odd.

    kappa is at least 1, left in (0, 1]; 1 is power(kappa) itself.
    """

    def eta_1(x: np.ndarray, kappa: float, left: float) -> np.ndarray:
        rise = abs(2 * x - 1) ** kappa / 2
        return 0.5 + np.where(x < 0.5, -left * rise, rise)

    return power(kappa) if left == 1 else line_problem("leaning", eta_1, kappa=kappa, left=left)


def prescribed(n: int, kappa: float, delta: float, constant: float, rule: str) -> int:
    """The k of one of ``PRESCRIPTIONS`` for power(kappa), rounded."""
    if rule == PRESCRIPTIONS[0]:
        return round(passive_neighbors(n, 1.0, delta, constant))
    return round(active_neighbors(n, 1.0, 1 / kappa, delta, constant))


def _one_sample(
    line: Line, n: int, schemes: Sequence[Scheme], rng: np.random.Generator
) -> list[list[float]]:
    """What ``MEASURED`` names, for each scheme, which votes by its own k; all have the same first
    round.
    """
    (X, y) = draw_labeled(line.problem, 2 * n, rng)
    one_round = draw_labeled(line.problem, n, rng)
    passive = WindowProfile.count(Windows.from_points(X), y, 2)
    found = []
    for scheme in schemes:
        first = FirstRoundOnLine.of(*one_round, scheme)
        k = scheme.k_hard
        sample = two_rounds(line.problem, first, n, scheme, rng)
        passive_error = on_line(passive.windows, Vote().predict(passive, k), k, line.bayes)
        found.append(
            [passive_error, *(sample.risk(kind, k, line.bayes) for kind in VOTERS), *first.masses]
        )
    return found
