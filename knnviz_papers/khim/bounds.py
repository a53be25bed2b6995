"""Theorems 1 to 3 on the example, beside what happens: decisions that differ, and the uniform error."""

from collections.abc import Sequence
from functools import partial
from math import sqrt

import numpy as np
from tqdm import tqdm

from knnviz import metrics, regions
from knnviz.bounds import khim
from knnviz.problems import Problem, Sample, waves
from knnviz.profiles import BallProfile, WindowProfile
from knnviz.risk import Antiderivative, on_line
from knnviz.rules import Weighted
from knnviz_papers.khim.pieces import EQUAL, Q, weighted_bayes
from knnviz_papers.simulate import Row, Tables, labeled_by, maxima, means_and_errors, over_samples, window_votes

#: n and k; samples are drawn up to n = LARGEST_DRAWN.
SIZES = ((1000, 50), (10_000, 500), (100_000, 2000), (1_000_000, 10_000), (10_000_000, 50_000))
LARGEST_DRAWN = 1_000_000

#: Failure probabilities: of Theorem 1, and of Theorem 3, half as large, as Theorem 5 requires of the uniform error.
DELTA, UNIFORM_DELTA = 0.05, 0.025

#: Masses p and margins Delta, these on the scale on which equal weights are (1, 1, 1).
PAIRS = ((0.1, 0.05), (0.1, 0.0), (0.02, 0.05), (0.02, 0.02), (0.001, 0.01))

#: n, k and weights for the set of Theorem 2, where kNN must sometimes differ from the weighted Bayes rule.
THEOREM_2_CASES = ((1000, 50, "weighted"), (1000, 50, "equal"), (100_000, 2000, "weighted"))

#: Weights by name.
WEIGHTS = {"weighted": Q, "equal": EQUAL}

#: Cells that balls grow over, and that the weighted Bayes rule is integrated over.
BALL_CELLS, CELLS = 10_000, 200_000

#: Numbers of classes that bounds are compared at.
CLASSES = (3, 10, 100, 1000)

#: Uniform errors to find a sample size for.
EPSILONS = (0.5, 0.2, 0.1, 0.05)

#: What is measured on a sample.
MEASURED = ("disagreement", "uniform_error")


def khim_bounds(
    sizes: Sequence[tuple[int, int]] = SIZES, repeats: int = 100, seed: int = 0, progress: bool = False
) -> Tables:
    """Theorems 1 to 3 on the example for weights (0.5, 0.3, 0.2), and what happens on samples.

    ``sizes`` are pairs of n and k, of which n up to a million are drawn; where Theorem 1 is vacuous for every problem,
    the mass of the effective boundary is given as 1.

    Tables: "theorem_1", a row for each n: p, Delta, the mass of the effective boundary and the bound at delta = 0.05;
    "theorem_3", its three terms and their sum at delta = 0.025; "observed", on samples: how often kNN differs from the
    weighted Bayes rule, and the uniform error of eta-hat, bounded from below; "least", Theorem 3 at the best k;
    "needed", the n for which that is at most epsilon; "boundaries", masses at other p and Delta; "theorem_2", masses of
    its set; "scale", Theorem 1 for weights ten times as large; "classes", Theorems 1 and 3 for more classes and weights
    of 1.

    Source: Khim et al., Theorems 1, 2 and 3, Corollary 3.
    """
    problem, drawn = waves(), [(n, k) for n, k in sizes if n <= LARGEST_DRAWN]
    smooth: Row = {"holder_exponent": 1.0, "holder_constant": float(khim.least_lipschitz_constants(problem).max())}
    tables = {"observed": _observed(problem, drawn, repeats, seed, progress)}
    tables["theorem_1"] = [_theorem_1(problem, n, k, Q) for n, k in sizes]
    tables["theorem_3"] = [_theorem_3(n, k, smooth) for n, k in sizes]
    best = {n: khim.least_error(n, UNIFORM_DELTA, **smooth) for n in (10**power for power in range(3, 11))}
    tables["least"] = [{"n": n, "best_k": each.k, "bound": each.value} for n, each in best.items()]
    tables["needed"] = [
        {"epsilon": epsilon, "n": khim.least_n(epsilon, UNIFORM_DELTA, **smooth)} for epsilon in EPSILONS
    ]
    tables["boundaries"] = _boundaries(problem)
    tables["theorem_2"] = [_theorem_2(problem, *each) for each in THEOREM_2_CASES]
    large = tuple(10 * weight for weight in Q)
    tables["scale"] = [{"times": 10} | _theorem_1(problem, n, k, large) for n, k in sizes]
    tables["classes"] = [_classes_row(number, smooth) for number in CLASSES]
    return tables


def measured(problem: Problem, sample: Sample, k: int, bayes: Antiderivative) -> tuple[float, float]:
    """How often weighted kNN differs from the weighted Bayes rule on one sample, integrated, and its uniform error.

    ``bayes`` is that of ``weighted_bayes_integral``. The uniform error is the largest abs(eta-hat - eta) at both ends
    of the piece that each window of k points covers.
    """
    votes = window_votes(sample, problem.n_classes)
    disagreement = on_line(votes.windows, Weighted(Q).predict(votes, k), k, bayes)
    return disagreement, uniform_error(problem, votes, k)


def uniform_error(problem: Problem, votes: WindowProfile, k: int) -> float:
    """Uniform error of a sample on a line, from the votes of its windows of k points."""
    low, high = problem.box[0]
    ends = np.concatenate([[low], votes.windows.breakpoints(k), [high]])
    eta, fractions = problem.eta(ends[:, None]), votes.at(k) / k
    return max(metrics.uniform_error(fractions, at_end) for at_end in (eta[:-1], eta[1:]))


def weighted_bayes_integral(problem: Problem, q: tuple[float, ...] = Q) -> Antiderivative:
    """The weighted Bayes rule in place of eta: a risk there is how often a rule differs from it."""
    return Antiderivative.of(labeled_by(problem, weighted_bayes(q, problem)), CELLS)


def _observed(problem: Problem, sizes: list[tuple[int, int]], repeats: int, seed: int, progress: bool) -> list[Row]:
    bayes, rows = weighted_bayes_integral(problem), []
    for n, k in tqdm(sizes, "khim_bounds", disable=not progress):
        found = over_samples(partial(measured, problem, k=k, bayes=bayes), problem, n, repeats, seed)
        rows.append({"n": n, "k": k} | means_and_errors(found, MEASURED) | maxima(found, MEASURED))
    return rows


def _theorem_1(problem: Problem, n: int, k: int, q: Sequence[float]) -> Row:
    bound = khim.theorem_1(n, k, DELTA, q)
    # With such a p or Delta everything is in the boundary.
    vacuous = bound.mass > 1 or bound.margin > max(q)
    (boundary,) = (1.0,) if vacuous else _masses(problem, [(bound.mass, bound.margin)], q)
    row = {"n": n, "k": k, "mass": bound.mass, "margin": bound.margin, "boundary": boundary}
    value = min(1.0, DELTA + boundary)
    return row | {"bound": value, "vacuous": value >= 1}


def _masses(problem: Problem, pairs: Sequence[tuple[float, float]], q: Sequence[float]) -> list[float]:
    """Masses of effective boundaries at pairs of p and Delta, X being uniform."""
    measure, eta = problem.cells(BALL_CELLS)
    ball = BallProfile.integrate(measure, eta, masses=sorted({mass for mass, _ in pairs}), q=q)
    return [float(np.mean(regions.effective_boundary(ball, *pair, q))) for pair in pairs]


def _boundaries(problem: Problem) -> list[Row]:
    """Delta is on two scales: that of weights on the simplex, and that on which equal weights are (1, 1, 1)."""
    rows = []
    for name, q, scale in (("weighted", Q, 1), ("equal", EQUAL, len(EQUAL))):
        pairs = [(mass, margin / scale) for mass, margin in PAIRS]
        masses = _masses(problem, pairs, q)
        for pair, ((mass, margin), boundary) in enumerate(zip(pairs, masses, strict=True)):
            key = {"weights": name, "pair": pair, "mass": mass, "margin": margin, "margin_of_ones": margin * scale}
            rows.append(key | {"boundary": boundary})
    return rows


def _theorem_2(problem: Problem, n: int, k: int, name: str) -> Row:
    """The mass of the theorem's set, from balls of twenty masses."""
    measure, eta = problem.cells(BALL_CELLS)
    masses = np.linspace(k / n, (k + sqrt(k) + 1) / n, 20).tolist()
    ball = BallProfile.integrate(measure, eta, masses=masses, q=WEIGHTS[name])
    return {"weights": name, "n": n, "k": k, "set": float(np.mean(regions.lower_bound_set(ball, n, k)))}


def _theorem_3(n: int, k: int, smooth: Row) -> Row:
    found = khim.theorem_3(n, k, UNIFORM_DELTA, **smooth)
    row = {"n": n, "k": k, "bias": found.bias, "vote": found.vote, "union": found.union}
    return row | {"bound": found.value, "vacuous": max(found.value, found.failure) >= 1}


def _classes_row(number: int, smooth: Row) -> Row:
    """Theorems 1 and 3 for a number of classes, at the first size, for weights of 1."""
    n, k = SIZES[0]
    row = {"classes": number, "n": n, "k": k, "margin": khim.theorem_1(n, k, DELTA, (1.0,) * number).margin}
    return row | {"theorem_3": khim.theorem_3(n, k, UNIFORM_DELTA, **smooth).value}
