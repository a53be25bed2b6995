"""Corollaries 1, 2 and 4, Remark 1 and Proposition 1 on the example, beside what happens on
samples.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, Self

import numpy as np
from tqdm import tqdm

from knnviz.bounds import khim
from knnviz.problems import Problem, Sample, waves
from knnviz.risk import Antiderivative, on_line
from knnviz.rules import Weighted
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
ALPHA = BETA = 1

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
    def of(cls, problem: Problem, q: tuple[float, ...]) -> Self:
        measure, eta = problem.cells(CELLS)
        scores = np.sort(eta * q, axis=1)
        plain = Antiderivative.from_problem(problem, CELLS)
        return cls(
            q,
            float(khim.least_smoothness_constants(problem, ALPHA).max()),
            khim.least_margin_constant(problem, BETA, q),
            float(khim.least_conditional_margin_constants(problem, BETA, q).max()),
            measure.weights @ eta,
            scores[:, -1] - scores[:, -2],
            weighted_bayes(problem, q),
            Antiderivative(plain.edges, plain.values * q),
            float(measure.weights @ scores[:, -1]),
        )

    @property
    def smooth(self) -> Row:
        return {"smoothness": ALPHA, "smoothness_constant": self.smoothness_constant}

    def remark_1(self, n: int) -> khim.BestNeighbors:
        return khim.remark_1(n, DELTA, self.q, **self.smooth)

    def corollary_1(self, n: int, k: int) -> Row:
        """Its width w, P(Delta_q <= w), and the bound."""
        width = khim.corollary_1(n, k, DELTA, self.q, **self.smooth)
        close = float(np.mean(self.gaps <= width))
        return {"width": width, "close": close, "corollary_1": min(1.0, DELTA + close)}

    def width(self, n: int, k: int) -> float:
        """w of Corollary 1, also at a k that is too small for it."""
        bias = 2 * max(self.q) * self.smoothness_constant * (2 * k / n) ** ALPHA
        return khim.theorem_1(n, k, DELTA, self.q).margin + bias

    def excess(self, n: int, k: int) -> float:
        """Proposition 1; where weights are equal the second part of Corollary 2."""
        margin = {**self.smooth, "margin_exponent": BETA, "margin_constant": self.margin_constant}
        if len(set(self.q)) == 1:
            return khim.corollary_2_excess(n, k, len(self.q), **margin)
        margin["margin_constant"] = self.conditional_constant
        return khim.proposition_1(n, k, self.q, self.prior.tolist(), **margin)


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
    constants = {name: Constants.of(problem, q) for name, q in WEIGHTS.items()}
    tables: Tables = {"constants": [], "bounds": [], "observed": [], "choice": [], "curve": []}
    for name, each in constants.items():
        row = {
            "weights": name,
            "smoothness_constant": each.smoothness_constant,
            "margin_constant": each.margin_constant,
        }
        tables["constants"].append(row | {"conditional_margin_constant": each.conditional_constant})
        tables["bounds"] += [
            {"weights": name, "n": n} | _bounds(each, n) for n in (*sizes, *LARGER)
        ]
    for n in tqdm(sizes, "khim_corollaries", disable=not progress):
        for name, each in constants.items():
            ks = [round(times * each.remark_1(n).k) for times in TIMES]
            found = over_samples(
                partial(measured, problem=problem, constants=each, ks=ks), problem, n, repeats, seed
            )
            chosen = found[:, TIMES.index(1.0)]
            row = {"weights": name, "n": n, "k": ks[TIMES.index(1.0)]}
            tables["observed"].append(
                row | means_and_errors(chosen, MEASURED) | maxima(chosen, MEASURED)
            )
            for times, k, disagreement in zip(TIMES, ks, found[:, :, 0].T, strict=True):
                row = {"weights": name, "n": n, "times": times, "k": k, "width": each.width(n, k)}
                tables["choice"].append(row | mean_and_error("disagreement", disagreement))
        tables["curve"] += _on_curve(problem, n, repeats, seed)
    return tables


def measured(
    sample: Sample, problem: Problem, constants: Constants, ks: Sequence[int]
) -> list[tuple[float, float]]:
    """How often weighted kNN differs from the weighted Bayes rule, and its excess weighted risk, at
    each of ks.
    """
    votes = window_votes(sample, problem.n_classes)
    found = []
    for k in ks:
        labels = Weighted(constants.q).predict(votes, k)
        gained = 1 - on_line(votes.windows, labels, k, constants.gains)
        found.append(
            (on_line(votes.windows, labels, k, constants.bayes), constants.bayes_gain - gained)
        )
    return found


def winding_curve(z: np.ndarray, ambient: int) -> np.ndarray:
    """Points z (m,) of [0, 1] on a curve (m, D) that stretches no distance; D is 1 or even.

    Pairs of coordinates turn around circles, each by half a turn at most. So distances of points
    grow with those of z, and neighbors stay the same.
    """
    if ambient == 1:
        return z[:, None]
    speeds = np.pi * np.arange(1, ambient // 2 + 1) / (ambient // 2)
    angles = z[:, None] * speeds
    return (
        np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
        / np.tile(speeds, 2)
        / np.sqrt(len(speeds))
    )


def steepest_slope(problem: Problem, ambient: int) -> float:
    """The largest abs(eta_c(x) - eta_c(x')) over the distance of x and x' on the curve in D
    dimensions.
    """
    z = np.linspace(0, 1, STEPS + 1)
    # The distance of two points of the curve depends on the difference of their z alone.
    eta = problem.eta(z[:, None])
    points = winding_curve(z, ambient)
    rises = (
        abs(eta[j:] - eta[:-j]).max() / np.linalg.norm(points[j] - points[0])
        for j in range(1, STEPS + 1)
    )
    return float(max(rises))


def _bounds(constants: Constants, n: int) -> Row:
    k = round(constants.remark_1(n).k)
    margin: Row = {"margin_exponent": BETA, "margin_constant": constants.margin_constant}
    second = khim.corollary_2(n, DELTA, constants.q, **constants.smooth, **margin)
    # With equal weights these are ones, for which a rule that is always wrong has the risk 1.
    scale = float(np.dot(constants.q, constants.prior))
    row = {"k": k} | constants.corollary_1(n, k) | {"corollary_2": min(1.0, second)}
    return row | {"excess": constants.excess(n, k), "scale": scale}


def _on_curve(problem: Problem, n: int, repeats: int, seed: int) -> list[Row]:
    """Corollary 4 beside the uniform error, which is that on the line, since the neighbors are the
    same.
    """
    slopes = {ambient: steepest_slope(problem, ambient) for ambient in AMBIENT}
    k = round(
        khim.least_error(n, UNIFORM_DELTA, holder_exponent=ALPHA, holder_constant=slopes[1]).k
    )
    found = over_samples(partial(error_on_line, problem=problem, k=k), problem, n, repeats, seed)
    rows = []
    for ambient, slope in slopes.items():
        bound = khim.corollary_4(
            n, k, UNIFORM_DELTA, ambient=ambient, holder_exponent=ALPHA, holder_constant=slope
        )
        row = {
            "n": n,
            "k": k,
            "dimensions": ambient,
            "bias": bound.bias,
            "vote": bound.vote,
            "union": bound.union,
        }
        row |= {"bound": bound.value, "vacuous": max(bound.value, bound.failure) >= 1}
        row |= mean_and_error("uniform_error", found)
        rows.append(row | {"largest_uniform_error": float(found.max())})
    return rows
