"""Theorems 1 and 2 on the example, beside what happens: decisions that differ."""

from collections.abc import Sequence
from functools import partial
from math import sqrt

import numpy as np
from tqdm import tqdm

from knnviz import regions
from knnviz.bounds import khim
from knnviz.problems import Problem, Sample, waves
from knnviz.profiles import BallProfile
from knnviz.risk import Antiderivative, on_line
from knnviz.rules import Weighted
from knnviz_papers.khim.example import DELTA, EQUAL, Q, weighted_bayes
from knnviz_papers.simulate import Row, Tables, mean_and_error, over_samples, window_votes

#: n and k; samples are drawn up to n = LARGEST_DRAWN.
SIZES = ((1000, 50), (10_000, 500), (100_000, 2000), (1_000_000, 10_000), (10_000_000, 50_000))
LARGEST_DRAWN = 1_000_000

#: Weights by name, n and k for the set of Theorem 2, where kNN must sometimes differ from the
#: weighted Bayes rule.
THEOREM_2_CASES = (
    ("weighted", Q, 1000, 50),
    ("equal", EQUAL, 1000, 50),
    ("weighted", Q, 100_000, 2000),
)

#: Cells that balls grow over.
BALL_CELLS = 10_000


def khim_bounds(
    sizes: Sequence[tuple[int, int]] = SIZES,
    repeats: int = 100,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Theorem 1 on the example for weights (0.5, 0.3, 0.2), what happens on samples, and the sets
    of Theorem 2.

    ``sizes`` are pairs of n and k, of which n up to a million are drawn; where Theorem 1 is vacuous
    for every problem, the mass of the effective boundary is given as 1.

    Tables: "theorem_1", a row for each n: p, Delta, the mass of the effective boundary and the
    bound at delta = 0.05; "observed", on samples: how often kNN differs from the weighted Bayes
    rule; "theorem_2", masses of its set.

    Source: Khim et al., Theorems 1 and 2.
    """
    problem = waves()
    bayes = weighted_bayes(problem, Q)
    theorem_1 = [_theorem_1(problem, k, n, Q) for n, k in sizes]

    drawn = [(n, k) for n, k in sizes if n <= LARGEST_DRAWN]
    observed = []
    for n, k in tqdm(drawn, "khim_bounds", disable=not progress):
        work = partial(disagreement, k=k, bayes=bayes)
        found = over_samples(work, problem, n, repeats, seed)
        row: Row = {"n": n, "k": k}
        row |= mean_and_error("disagreement", found)
        row["largest_disagreement"] = float(found.max())
        observed.append(row)

    theorem_2 = []
    for name, q, n, k in THEOREM_2_CASES:
        row = {"weights": name, "n": n, "k": k}
        row["set"] = lower_bound_mass(problem, k, n, q)
        theorem_2.append(row)
    return {"theorem_1": theorem_1, "observed": observed, "theorem_2": theorem_2}


def disagreement(sample: Sample, k: int, bayes: Antiderivative) -> float:
    """How often weighted kNN differs from the weighted Bayes rule on one sample, integrated."""
    votes = window_votes(sample, len(Q))
    labels = Weighted(Q).predict(votes, k)
    return on_line(bayes, votes.windows.breakpoints(k), labels)


def _theorem_1(problem: Problem, k: int, n: int, q: Sequence[float]) -> Row:
    bound = khim.theorem_1(k, n, DELTA, q)
    boundary = 1.0
    # With a larger p or Delta everything is in the boundary.
    if bound.mass <= 1 and bound.margin <= max(q):
        boundary = boundary_mass(problem, bound.mass, bound.margin, q)
    row: Row = {"n": n, "k": k}
    row |= {"mass": bound.mass, "margin": bound.margin}
    return row | {"boundary": boundary, "bound": min(1.0, DELTA + boundary)}


def boundary_mass(problem: Problem, mass: float, margin: float, q: Sequence[float]) -> float:
    """The mass of the effective boundary, X being uniform."""
    measure, eta = problem.cells(BALL_CELLS)
    ball = BallProfile.build(measure, eta, masses=[mass], q=q)
    boundary = regions.effective_boundary(ball, mass, margin, q)
    return float(np.mean(boundary))


def lower_bound_mass(problem: Problem, k: int, n: int, q: Sequence[float]) -> float:
    """The mass of the set of Theorem 2, from balls of twenty masses."""
    measure, eta = problem.cells(BALL_CELLS)
    largest = (k + sqrt(k) + 1) / n
    masses = np.linspace(k / n, largest, 20).tolist()
    ball = BallProfile.build(measure, eta, masses=masses, q=q)
    return float(np.mean(regions.lower_bound_set(ball, k, n)))
