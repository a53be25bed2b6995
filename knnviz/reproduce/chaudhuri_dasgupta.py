"""What Chaudhuri & Dasgupta 2014 prove, and what happens: the bound, its looseness, the rate, and Cover & Hart's limit.

The paper has no experiments; these are ours. The passive rate is that of its Theorem 7(a).
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
from tqdm import tqdm

from knnviz import risk
from knnviz.bounds import cover_hart
from knnviz.bounds.chaudhuri_dasgupta import passive_exponents, passive_neighbors
from knnviz.bounds.rittler import BoundaryBound, theorem_3
from knnviz.problems import Problem, bump, checkerboard, jump, linear, power
from knnviz.problems.base import FINE_GRID, draw_classes
from knnviz.reproduce.registry import Row, Tables, reproduction
from knnviz.reproduce.simulate import Line, labeled_by, mean_and_error, title, vote_errors, with_error
from knnviz.rules import Vote

#: Factor of the k of the passive rate; the theorem names none.
CONSTANT = 1.0


@reproduction
def theorem_3_bump(
    runs: int = 1000,
    n: int = 1000,
    k: int = 60,
    delta: float = 0.1,
    resolution: int = 400,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """The bound of Theorem 3 on the disagreement with the Bayes rule, for the bump, beside samples.

    Samples come one after the other from a single stream, points before the uniforms of their classes. ``k`` neighbors
    vote: above 4 log(2 / delta), at most n.

    Tables: "bound", one row.

    Source: Rittler & Chaudhuri, Theorem 3, after Chaudhuri & Dasgupta 2014.
    """
    problem, rng = bump(), np.random.default_rng(seed)
    bound = theorem_3(problem, n, k, delta, resolution=resolution)
    cells = problem.measure(resolution).points
    best_labels = labeled_by(problem, problem.bayes).eta(cells)
    found = []
    for _ in tqdm(range(runs), "theorem_3_bump", disable=not progress):
        X = rng.random((n, 1))
        y = draw_classes(problem.eta(X), rng.random(n))
        found.append(risk.sweep(X, cells, best_labels, [(y, [Vote()])], [k])[0, 0, 0])
    return {"bound": [_bound_row(problem, bound, np.array(found))]}


@reproduction
def looseness(
    sizes: Sequence[int] = (250, 1000, 4000, 16_000, 64_000),
    runs: int = 1000,
    delta: float = 0.1,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """The bound of Theorem 3 beside the disagreement on samples, as n grows with the k of the passive rate.

    On the bump, where eta jumps, and on the line eta = x; k is that for smoothness 1 with constant 1. An n that is too
    small for its k is refused.

    Tables: "bounds", a row for each problem and n.

    Source: Rittler & Chaudhuri, Theorem 3; Chaudhuri & Dasgupta 2014, Theorem 7(a).
    """
    lines = [Line.of(problem) for problem in (bump(), linear(1.0))]
    rows = []
    for line, n in tqdm(list(product(lines, sizes)), "looseness", disable=not progress):
        k = passive_neighbors(n, 1, delta, CONSTANT)
        bound = theorem_3(line.problem, n, k, delta, resolution=FINE_GRID[1])
        rows.append(_bound_row(line.problem, bound, vote_errors(line, n, k, runs, seed)[:, 0]))
    return {"bounds": rows}


def _bound_row(problem: Problem, bound: BoundaryBound, disagreement: np.ndarray) -> Row:
    row = {"problem": title(problem), "n": bound.n, "k": bound.k, "mass": bound.mass, "margin": bound.margin}
    row |= {"boundary_mass": bound.boundary_mass, "bound": bound.value, "vacuous": bound.vacuous}
    row |= mean_and_error("disagreement", disagreement) | {"largest_disagreement": disagreement.max()}
    return row | {"share_above": np.mean(disagreement > bound.value)}


@reproduction
def rates(
    kappas: Sequence[float] = (0.5, 1.0, 2.0, 4.0),
    sizes: Sequence[int] = (1000, 4000, 16_000, 64_000, 250_000, 1_000_000),
    runs: int = 400,
    delta: float = 0.1,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Disagreement and excess risk against n beside the exponent of the passive rate, for eta of ``power(kappa)``.

    There alpha = min(kappa, 1) and beta = 1 / kappa; k is that of the passive rate with constant 1. ``kappas`` are in
    [0.1, 20], and at least two sizes differ. An n that is too small for its k is refused.

    Tables: "risks", a row for each kappa and n, and "slopes", one for each kappa: least squares of the logarithms.

    Source: Chaudhuri & Dasgupta 2014, Theorem 7(a).
    """
    if len(set(sizes)) < 2:
        raise ValueError(f"a slope needs at least two different sizes, got {list(sizes)}")
    lines = [Line.of(power(kappa)) for kappa in kappas]
    cases = tqdm(list(product(lines, sizes)), "rates", disable=not progress)
    risks = [_risks(line, n, delta, runs, seed) for line, n in cases]
    of_line = (risks[i : i + len(sizes)] for i in range(0, len(risks), len(sizes)))
    slopes = [_slope(line.problem, rows) for line, rows in zip(lines, of_line, strict=True)]
    return {"risks": risks, "slopes": slopes}


def _exponents(problem: Problem) -> tuple[float, float]:
    """Smoothness alpha and margin exponent beta of ``power(kappa)``."""
    kappa = problem.parameters["kappa"]
    return min(kappa, 1.0), 1 / kappa


def _risks(line: Line, n: int, delta: float, runs: int, seed: int) -> Row:
    k = passive_neighbors(n, _exponents(line.problem)[0], delta, CONSTANT)
    disagreement, excess = vote_errors(line, n, k, runs, seed).T
    row = {"problem": title(line.problem), "n": n, "k": k}
    return row | mean_and_error("disagreement", disagreement) | mean_and_error("excess_risk", excess)


def _slope(problem: Problem, rows: list[Row]) -> Row:
    """Least-squares slope of log disagreement over log n, with the error that those of the means propagate to it."""
    n, means, errors = (np.array([row[name] for row in rows]) for name in ("n", "disagreement", "disagreement_se"))
    centered = np.log(n) - np.log(n).mean()
    weights = centered / (centered**2).sum()
    alpha, beta = _exponents(problem)
    row = {"problem": title(problem), "smoothness": alpha, "margin_exponent": beta}
    error = float(np.sqrt(((weights * errors / means) ** 2).sum()))
    row |= {"from_n": int(n[0]), "to_n": int(n[-1])} | with_error("slope", float(weights @ np.log(means)), error)
    return row | {"theorem": -passive_exponents(alpha, beta).disagreement}


@reproduction
def one_nn(
    sizes: Sequence[int] = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000),
    repeats: int = 400,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """The risk of 1-NN against n beside its limit and Cover & Hart's R* and 2 R* (1 - R*).

    On a jump without noise, on one with the same noise everywhere (there 2 R* (1 - R*) is the limit), on the default
    line, and on the checkerboard.

    Tables: "risks", a row for each problem and n.

    Source: Cover & Hart 1967, Theorem 2.
    """
    rows = []
    for problem in tqdm([jump(0.5), jump(0.3), linear(), checkerboard()], "one_nn", disable=not progress):
        curve = risk.curve(
            problem, Vote(), over={"n": sizes}, k=1, repeats=repeats, seed=seed, n_jobs=-1, progress=False
        )
        bayes, upper = cover_hart.interval(problem.bayes_risk())
        ends = {"limit": risk.one_nn_limit(problem), "bayes_risk": bayes, "upper": upper}
        for n, mean, error in zip(sizes, curve.mean[0], curve.standard_error[0], strict=True):
            rows.append({"problem": title(problem), "n": n} | with_error("risk", mean, error) | ends)
    return {"risks": rows}
