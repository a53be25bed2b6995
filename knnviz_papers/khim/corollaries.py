"""Corollaries 1, 2 and 4, Remark 1 and Proposition 1 on the example, beside its samples."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, Self

import numpy as np
from tqdm import tqdm

from knnviz.bounds import khim
from knnviz.problems import Problem, Sample, waves
from knnviz.risk import Antiderivative, on_line
from knnviz.rules import Weighted
from knnviz_papers.khim.assumptions import (
    least_conditional_margin_constants,
    least_margin_constant,
    least_smoothness_constants,
)
from knnviz_papers.khim.example import CELLS, DELTA, UNIFORM_DELTA, Q, error_on_line, weighted_bayes
from knnviz_papers.simulate import (
    Row,
    Tables,
    maxima,
    mean_and_error,
    means_and_errors,
    over_samples,
    window_votes,
)

#: Sample sizes that are drawn, and larger ones at which there are bounds alone.
SIZES = (10_000, 100_000, 1_000_000)
LARGER = (10**7, 10**8, 10**9, 10**10)

#: Class weights by name; on the scale of ones the weighted risk is the usual one.
WEIGHTS = {"weighted": Q, "equal": (1.0, 1.0, 1.0)}

#: Numbers of neighbors, as multiples of the k of Remark 1.
TIMES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)

#: Dimensions that the curve of Corollary 4 winds through: even ones, and 1 for the line itself.
AMBIENT = (1, 10, 100)

#: Exponents alpha and beta of the example.
ALPHA = 1
BETA = 1

#: What is measured on a sample.
MEASURED = ("disagreement", "excess")

#: Steps of the curve between which the largest slope is searched.
STEPS = 4000


class Constants(NamedTuple):
    """Constants of a problem for weights q (C,), and the integrals that its risks come from.

    ``smoothness_constant`` is L, ``margin_constant`` M and ``conditional_constant`` M given the
    class. ``prior`` (C,) are the class probabilities, ``gaps`` (m,) are Delta_q at cells of equal
    mass. ``bayes`` integrates the weighted Bayes rule, ``gains`` the weighted probabilities q_c
    eta_c, of which that rule collects ``bayes_gain``.
    """

    q: tuple[float, ...]
    smoothness_constant: float
    margin_constant: float
    conditional_constant: float
    prior: np.ndarray
    gaps: np.ndarray
    bayes: Antiderivative
    gains: Antiderivative
    bayes_gain: float

    @classmethod
    def build(cls, problem: Problem, q: tuple[float, ...]) -> Self:
        smoothness = least_smoothness_constants(problem, ALPHA)
        margin = least_margin_constant(problem, BETA, q)
        conditional = least_conditional_margin_constants(problem, BETA, q)
        constants = float(smoothness.max()), margin, float(conditional.max())

        measure, eta = problem.cells(CELLS)
        prior = measure.weights @ eta
        scores = np.sort(eta * q, axis=1)
        best = scores[:, -1]
        gaps = best - scores[:, -2]

        bayes = weighted_bayes(problem, q)
        plain = Antiderivative.build(problem, CELLS)
        gains = Antiderivative(plain.edges, plain.values * q)
        bayes_gain = float(measure.weights @ best)
        return cls(q, *constants, prior, gaps, bayes, gains, bayes_gain)

    @property
    def smooth(self) -> Row:
        return {"smoothness": ALPHA, "smoothness_constant": self.smoothness_constant}

    def remark_1(self, n: int) -> khim.Best:
        return khim.remark_1(n, DELTA, self.q, **self.smooth)

    def corollary_1(self, k: int, n: int) -> Row:
        """Its width w, P(Delta_q <= w), and the bound."""
        width = khim.corollary_1(k, n, DELTA, self.q, **self.smooth)
        close = float(np.mean(self.gaps <= width))
        return {"width": width, "close": close, "corollary_1": min(1.0, DELTA + close)}

    def width(self, k: int, n: int) -> float:
        """w of Corollary 1, also at a k that is too small for it."""
        steepness = 2 * max(self.q) * self.smoothness_constant
        bias = steepness * (2 * k / n) ** ALPHA
        return khim.theorem_1(k, n, DELTA, self.q).margin + bias

    def excess(self, k: int, n: int) -> float:
        """Proposition 1; where weights are equal the second part of Corollary 2."""
        known = self.smooth | {"margin_exponent": BETA}
        if len(set(self.q)) == 1:
            known["margin_constant"] = self.margin_constant
            return khim.corollary_2_excess(k, n, len(self.q), **known)
        known["margin_constant"] = self.conditional_constant
        prior = self.prior.tolist()
        return khim.proposition_1(k, n, self.q, prior, **known)


def khim_corollaries(
    sizes: Sequence[int] = SIZES, repeats: int = 50, seed: int = 0, progress: bool = False
) -> Tables:
    """Bounds on the disagreement, the excess risk and the uniform error for the example, beside
    what samples show.

    All constants are known there: alpha = beta = 1, and L and M are measured. k is that of Remark
    1, which depends on n and the constants alone, and for Corollary 4 the best of Theorem 3.

    Tables: "constants", a row for weights (0.5, 0.3, 0.2) and one for equal ones; "bounds", a row
    for each weights and n: Corollaries 1 and 2 on the disagreement, and the bound on the excess
    risk, by Proposition 1 for unequal weights, with the risk ``scale`` of a rule that is always
    wrong; "observed", the same on samples, with the largest; "choice", other k beside that of
    Remark 1; "curve", Corollary 4 on a curve that winds through some dimensions.

    Source: Khim et al., Corollaries 1, 2 and 4, Remark 1, Proposition 1.
    """
    problem = waves()
    constants = {name: Constants.build(problem, q) for name, q in WEIGHTS.items()}
    tables: Tables = {"constants": [], "bounds": []}
    tables |= {"observed": [], "choice": [], "curve": []}
    for name, each in constants.items():
        tables["constants"].append({"weights": name} | _measured_constants(each))
        for n in (*sizes, *LARGER):
            key = {"weights": name, "n": n}
            tables["bounds"].append(key | _bounds(each, n))

    plain = TIMES.index(1.0)
    for n in tqdm(sizes, "khim_corollaries", disable=not progress):
        for name, each in constants.items():
            key = {"weights": name, "n": n}
            best_k = each.remark_1(n).k
            ks = [round(times * best_k) for times in TIMES]
            work = partial(measured, problem=problem, constants=each, ks=ks)
            found = over_samples(work, problem, n, repeats, seed)

            chosen = found[:, plain]
            row: Row = key | {"k": ks[plain]}
            row |= means_and_errors(chosen, MEASURED)
            row |= maxima(chosen, MEASURED)
            tables["observed"].append(row)

            for j, k in enumerate(ks):
                row = key | {"times": TIMES[j], "k": k}
                row["width"] = each.width(k, n)
                row |= mean_and_error("disagreement", found[:, j, 0])
                tables["choice"].append(row)
        tables["curve"] += _on_curve(problem, n, repeats, seed)
    return tables


def measured(
    sample: Sample, problem: Problem, constants: Constants, ks: Sequence[int]
) -> list[tuple[float, float]]:
    """How often weighted kNN differs from the weighted Bayes rule, and its excess, at each k."""
    votes = window_votes(sample, problem.n_classes)
    found = []
    for k in ks:
        labels = Weighted(constants.q).predict(votes, k)
        breaks = votes.windows.breakpoints(k)
        differs = on_line(constants.bayes, breaks, labels)
        gained = 1 - on_line(constants.gains, breaks, labels)
        found.append((differs, constants.bayes_gain - gained))
    return found


def winding_curve(z: np.ndarray, ambient: int) -> np.ndarray:
    """Points z (m,) of [0, 1] on a curve (m, D) that stretches no distance; D is 1 or even.

    Pairs of coordinates turn around circles, each by half a turn at most. So distances of points
    grow with those of z, and neighbors stay the same.
    """
    if ambient == 1:
        return z[:, None]
    circles = ambient // 2
    speeds = np.pi * np.arange(1, circles + 1) / circles
    angles = z[:, None] * speeds
    turns = np.column_stack([np.cos(angles), np.sin(angles)])
    return turns / np.tile(speeds, 2) / np.sqrt(circles)


def steepest_slope(problem: Problem, ambient: int) -> float:
    """The largest abs(eta_c(x) - eta_c(x')) over the distance of x and x' on the curve."""
    z = np.linspace(0, 1, STEPS + 1)
    eta = problem.eta(z[:, None])
    points = winding_curve(z, ambient)
    slopes = []
    for j in range(1, STEPS + 1):
        rises = abs(eta[j:] - eta[:-j])
        # The distance of two points of the curve depends on the difference of their z alone.
        distance = np.linalg.norm(points[j] - points[0])
        slopes.append(rises.max() / distance)
    return float(max(slopes))


def _measured_constants(constants: Constants) -> Row:
    return {
        "smoothness_constant": constants.smoothness_constant,
        "margin_constant": constants.margin_constant,
        "conditional_margin_constant": constants.conditional_constant,
    }


def _bounds(constants: Constants, n: int) -> Row:
    k = round(constants.remark_1(n).k)
    row: Row = {"k": k}
    row |= constants.corollary_1(k, n)

    margin: Row = {"margin_exponent": BETA, "margin_constant": constants.margin_constant}
    second = khim.corollary_2(n, DELTA, constants.q, **constants.smooth, **margin)
    row["corollary_2"] = min(1.0, second)

    row["excess"] = constants.excess(k, n)
    # With equal weights these are ones, for which a rule that is always wrong has the risk 1.
    row["scale"] = float(np.dot(constants.q, constants.prior))
    return row


def _on_curve(problem: Problem, n: int, repeats: int, seed: int) -> list[Row]:
    """Corollary 4 beside the uniform error, that on the line: the neighbors are the same."""
    slopes = {ambient: steepest_slope(problem, ambient) for ambient in AMBIENT}
    holder: Row = {"holder_exponent": ALPHA, "holder_constant": slopes[1]}
    k = round(khim.least_error(n, UNIFORM_DELTA, **holder).k)
    work = partial(error_on_line, problem=problem, k=k)
    found = over_samples(work, problem, n, repeats, seed)

    rows = []
    for ambient, slope in slopes.items():
        holder["holder_constant"] = slope
        bound = khim.corollary_4(k, n, UNIFORM_DELTA, ambient=ambient, **holder)
        row: Row = {"n": n, "k": k, "dimensions": ambient}
        row |= {"bias": bound.bias, "vote": bound.vote, "union": bound.union}
        row["bound"] = bound.value
        row["vacuous"] = max(bound.value, bound.failure) >= 1
        row |= mean_and_error("uniform_error", found)
        row["largest_uniform_error"] = float(found.max())
        rows.append(row)
    return rows
