"""Theorem 7: the risk of the modified classifier as the second round grows, for several passive
fractions pi.
"""

from collections.abc import Sequence
from functools import partial
from math import log

import numpy as np
from tqdm import tqdm

from knnviz.active import FROM_R, VOTERS, Scheme
from knnviz.active.sampling import draw_labeled
from knnviz.problems import jump
from knnviz_papers.rittler.rounds_on_line import FirstRoundOnLine, two_rounds
from knnviz_papers.simulate import Line, Tables, means_and_errors, over_runs, title

#: What is measured on a sample: voters outside H and strict ones in it, mu(H), and risks by the
#: kind of voters in H.
MEASURED = ("outside_voters", "strict_voters", "hard_mass", *VOTERS)


def rittler_consistency(
    fractions: Sequence[float] = (0.0, 0.1, 0.5, 1.0),
    budgets: Sequence[int] = (1000, 4000, 16_000, 64_000, 256_000),
    n: int = 300,
    k_hard: int = 100,
    repeats: int = 100,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """The risk after a first round of ``n`` labels and more and more of the second, beside the
    Bayes risk.

    ``fractions`` are passive fractions pi in [0, 1], ``budgets`` labels m of the second round;
    within a run the labels of a smaller m are the first of a larger one. eta jumps from 0.05 to
    0.95. ``k_hard`` stays the same. The k that votes is (n + m)^(2/3), rounded, which meets both
    conditions of the theorem. Risks are exact, see ``rounds_on_line``.

    Tables: "risks", a row for each pi and m: k, k / log(n + m) and k / (n + m), the mean voters,
    and the risk with strict and with inclusive voters in H.

    Source: Rittler & Chaudhuri, Theorem 7.
    """
    line = Line.of(jump(0.45))
    growth = [(m, round((n + m) ** (2 / 3))) for m in budgets]
    rows = []

    def one_run(scheme: Scheme, run: int) -> list[list[float]]:
        """What ``MEASURED`` names, for each m with its k, after the same first round."""
        first = FirstRoundOnLine.of(
            *draw_labeled(line.problem, n, np.random.default_rng([seed, run, 1])), scheme
        )
        found = []
        for m, k in growth:
            sample = two_rounds(
                line.problem, first, m, scheme, np.random.default_rng([seed, run, 2])
            )
            strict = int(np.sum(sample.stage == FROM_R))
            risks = [sample.risk(kind, k, line.eta) for kind in VOTERS]
            found.append([n + m - strict, strict, first.masses[0], *risks])
        return found

    for pi in tqdm(fractions, "rittler_consistency", disable=not progress):
        key = {"problem": title(line.problem), "n": n, "k_hard": k_hard, "pi": pi}
        runs = np.array(over_runs(partial(one_run, Scheme(k_hard, pi)), range(repeats)))
        for (m, k), found in zip(growth, runs.swapaxes(0, 1), strict=True):
            row = key | {"m": m, "k": k, "k_over_log": k / log(n + m), "k_over_labels": k / (n + m)}
            rows.append(row | means_and_errors(found, MEASURED) | {"bayes_risk": line.bayes_risk})
    return {"risks": rows}
