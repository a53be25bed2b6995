"""Theorem 7: the risk of the modified classifier as the second round grows, for several pi."""

from collections.abc import Sequence
from functools import partial
from math import log

import numpy as np
from tqdm import tqdm

from knnviz.active import FROM_R, VOTERS, Scheme
from knnviz.active.sampling import draw_labeled
from knnviz.problems import jump
from knnviz_papers.rittler.rounds_on_line import FirstRoundOnLine, two_rounds
from knnviz_papers.simulate import Line, Row, Tables, means_and_errors, over_runs, title

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
    line = Line.build(jump(0.45))
    growth = []
    for m in budgets:
        k = round((n + m) ** (2 / 3))
        growth.append((m, k))
    rows = []

    def one_run(scheme: Scheme, run: int) -> list[list[float]]:
        """What ``MEASURED`` names, for each m with its k, after the same first round."""
        rng = np.random.default_rng([seed, run, 1])
        X, y = draw_labeled(line.problem, n, rng)
        first = FirstRoundOnLine.build(X, y, scheme)
        hard_mass, _ = first.masses
        found = []
        for m, k in growth:
            rng = np.random.default_rng([seed, run, 2])
            sample = two_rounds(line.problem, first, m, scheme, rng)
            strict = int(np.sum(sample.stage == FROM_R))
            outside = n + m - strict
            risks = [sample.risk(kind, k, line.eta) for kind in VOTERS]
            found.append([outside, strict, hard_mass, *risks])
        return found

    for pi in tqdm(fractions, "rittler_consistency", disable=not progress):
        work = partial(one_run, Scheme(k_hard, pi))
        found = np.array(over_runs(work, range(repeats)))
        for j, (m, k) in enumerate(growth):
            row: Row = {"problem": title(line.problem), "n": n}
            row |= {"k_hard": k_hard, "pi": pi, "m": m, "k": k}
            labels = n + m
            row |= {"k_over_log": k / log(labels), "k_over_labels": k / labels}
            row |= means_and_errors(found[:, j], MEASURED)
            row["bayes_risk"] = line.bayes_risk
            rows.append(row)
    return {"risks": rows}
