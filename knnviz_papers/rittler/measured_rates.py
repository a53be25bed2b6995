"""Corollary 1 measured: how fast learners approach the Bayes rule, each at both theorems' k."""

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
    Row,
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
    lines = [(kappa, Line.build(leaning(kappa, left))) for kappa, left in shapes]
    prescriptions = list(product(constants, PRESCRIPTIONS))
    cases = list(product(lines, sizes))
    rows = []
    for (kappa, line), n in tqdm(cases, "rittler_rates", disable=not progress):
        ks = [prescribed(n, kappa, delta, *each) for each in prescriptions]
        schemes = [Scheme(k, passive_fraction, delta) for k in ks]
        work = partial(_one_sample, line, n, schemes)
        found = np.array(over_streams(work, n, repeats, seed))
        for j, (constant, rule) in enumerate(prescriptions):
            row: Row = {"problem": title(line.problem), "constant": constant}
            row |= {"rule": rule, "n": n, "k": ks[j]}
            row["ratio"] = condition_ratio(ks[j], n, 1, delta, 1.0, kappa)
            row |= means_and_errors(found[:, j], MEASURED)
            rows.append(row)

    kappas = {title(line.problem): kappa for kappa, line in lines}
    slopes = []
    curves = grouped(rows, "problem", "constant", "rule")
    for (problem, constant, rule), curve in curves.items():
        exponents = passive_exponents if rule == PRESCRIPTIONS[0] else active_exponents
        promised = exponents(1.0, 1 / kappas[problem]).disagreement
        n_values = np.array([row["n"] for row in curve])
        for learner in LEARNERS:
            means = np.array([row[learner] for row in curve])
            errors = np.array([row[f"{learner}_se"] for row in curve])
            row = {"problem": problem, "constant": constant}
            row |= {"rule": rule, "learner": learner}
            row |= fitted_exponent("exponent", n_values, means, errors)
            slopes.append(row | {"promised": promised})
    return {"disagreement": rows, "slopes": slopes}


def leaning(kappa: float, left: float) -> Problem:
    """power(kappa), with eta_1 - 1/2 times ``left`` below 1/2: alpha and beta are the same, but eta
    is not odd.

    kappa is at least 1, left in (0, 1]; 1 is power(kappa) itself.
    """

    def eta_1(x: np.ndarray, kappa: float, left: float) -> np.ndarray:
        rise = abs(2 * x - 1) ** kappa / 2
        return 0.5 + np.where(x < 0.5, -left * rise, rise)

    if left == 1:
        return power(kappa)
    return line_problem("leaning", eta_1, kappa=kappa, left=left)


def prescribed(n: int, kappa: float, delta: float, constant: float, rule: str) -> int:
    """The k of one of ``PRESCRIPTIONS`` for power(kappa), rounded."""
    if rule == PRESCRIPTIONS[0]:
        return round(passive_neighbors(n, 1.0, delta, constant))
    return round(active_neighbors(n, 1.0, 1 / kappa, delta, constant))


def _one_sample(
    line: Line, n: int, schemes: Sequence[Scheme], rng: np.random.Generator
) -> list[list[float]]:
    """What ``MEASURED`` names, for each scheme with its own k, after the same first round."""
    X, y = draw_labeled(line.problem, 2 * n, rng)
    one_round = draw_labeled(line.problem, n, rng)
    passive = WindowProfile.build(Windows.from_points(X), y, 2)
    found = []
    for scheme in schemes:
        k = scheme.k_hard
        labels = Vote().predict(passive, k)
        passive_error = on_line(line.bayes, passive.windows.breakpoints(k), labels)

        first = FirstRoundOnLine.build(*one_round, scheme)
        sample = two_rounds(line.problem, first, n, scheme, rng)
        active_errors = [sample.risk(kind, k, line.bayes) for kind in VOTERS]
        found.append([passive_error, *active_errors, *first.masses])
    return found
