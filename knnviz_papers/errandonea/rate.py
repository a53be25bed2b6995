"""The rate of PL A-kNN where bags are smooth and have a margin: Theorem B.1 beside samples."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from tqdm import tqdm

from knnviz.bags import BagProcess
from knnviz.bounds import errandonea as bounds
from knnviz.neighbors import NeighborTable
from knnviz.problems.base import Problem
from knnviz.problems.named import line_problem
from knnviz.rules import PartialAdaptive
from knnviz_papers.errandonea.line import uniform_bags
from knnviz_papers.simulate import Row, Tables, fitted_exponent, means_and_errors, over_streams

#: Slopes of eta_1 to the left and to the right of 1/2, and how often the wrong label joins a bag.
SLOPES = (2.0, 4.0)
INCLUSION = 0.4

#: alpha and L of the bags, and beta and C2 of their margin. L and C2 are the smallest that hold: a
#: ball around 0 with the mass 15 / 16 is off by 1 / 2, and everywhere the lead is at most 1, each
#: times 1 - ``INCLUSION``.
ALPHA = 1.0
L = 8 / 15 * (1 - INCLUSION)
BETA = 1.0
C2 = 1 / (1 - INCLUSION)

#: A = T / n.
MASS_CAP = 0.25

#: What is measured on a sample.
MEASURED = ("disagrees", "excess", "undecided")


def kinked() -> Problem:
    """Two classes: eta_1 rises through 1/2, twice as steeply to the right, until it is 0 or 1."""
    low, high = SLOPES

    def eta_1(x: np.ndarray) -> np.ndarray:
        slope = np.where(x < 0.5, low, high)
        return np.clip(0.5 + slope * (x - 0.5), 0, 1)

    return line_problem("kinked", eta_1)


def errandonea_rate(
    sizes: Sequence[int] = (1000, 4000, 16_000, 64_000),
    constants: Sequence[float] = (0.5, 1.0),
    delta: float = 0.1,
    n_cells: int = 1000,
    repeats: int = 60,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """The excess risk of PL A-kNN with T = n / 4 on smooth bags with a margin, beside the bound of
    Theorem B.1.

    On a line with a kink at the boundary alpha = 1 and beta = 1. Large balls lean to the steeper
    side there, so that only small ones help. ``constants`` are values of c1; all use the same
    sample.

    Tables: "risk", for each c1 and n: how much of the line is decided otherwise than by the Bayes
    rule, the excess risk, what is undecided at T, and the bound with C' = 1, our choice; "slopes",
    for each c1: the powers of 1 / n fitted to the first two, and that of the theorem, none where
    fewer than two sizes are clearly above 0.

    Source: Errandonea et al., Theorem B.1; the line is ours.
    """
    found = []
    for n in tqdm(sizes, "errandonea_rate", disable=not progress):
        work = partial(measured, n, constants, delta, n_cells)
        found.append(np.array(over_streams(work, n, repeats, seed)))

    tables: Tables = {"risk": [], "slopes": []}
    for index, c1 in enumerate(constants):
        rows = [means_and_errors(each[:, index], MEASURED) for each in found]
        for n, row in zip(sizes, rows, strict=True):
            key = {"c1": c1, "n": n, "bound": bound(n, delta)}
            tables["risk"].append(key | row)

        slopes: Row = {"c1": c1}
        for name in MEASURED[:2]:
            means = np.array([row[name] for row in rows])
            errors = np.array([row[f"{name}_se"] for row in rows])
            slopes |= fitted_exponent(name, np.array(sizes), means, errors)
        slopes["theorem"] = ALPHA * BETA / (2 * ALPHA + 1)
        tables["slopes"].append(slopes)
    return tables


def measured(
    n: int, constants: Sequence[float], delta: float, n_cells: int, rng: np.random.Generator
) -> list:
    """What ``MEASURED`` names on one sample, for each c1."""
    problem = kinked()
    process = BagProcess.from_inclusion(2, INCLUSION)
    X, bags = uniform_bags(problem, process, n, rng)

    measure, eta = problem.cells(n_cells)
    best = eta.argmax(axis=1)
    gap = abs(eta[:, 1] - eta[:, 0])
    most = int(n * MASS_CAP)
    table = NeighborTable.build(X, measure.points, most)
    found = []
    for c1 in constants:
        scan = PartialAdaptive(c1, delta, most).scan(table, bags, 2)
        wrong = scan.labels != best
        excess = wrong * gap
        undecided = 1 - scan.decided.mean()
        found.append([wrong.mean(), excess.mean(), undecided])
    return found


def bound(n: int, delta: float) -> float:
    """Theorem B.1 for these bags; C' = 1 is an illustration."""
    constants = bounds.rate_constants(
        smoothness=ALPHA,
        smoothness_constant=L,
        margin_exponent=BETA,
        margin_constant=C2,
        mass_cap=MASS_CAP,
    )
    return bounds.theorem_b_1(n, 2, delta, ALPHA, BETA, constants.c3)
