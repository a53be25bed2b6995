"""Figure 1 of Gao et al., risk under asymmetric and symmetric noise, and the flip rates that RkNN
estimates there.

The figure is printed without numbers, and the text names neither noise levels nor k nor k': these
are ours. One training set on the checkerboard has its labels flipped again and again; risks are
exact at the test points.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from knnviz import noise, risk
from knnviz.lessons.stored import published
from knnviz.neighbors import NeighborTable
from knnviz.noise import LabelNoise
from knnviz.problems import checkerboard
from knnviz.problems.base import draw_classes
from knnviz.profiles import VoteProfile
from knnviz.rules import Robust, Rule, Vote
from knnviz_papers.simulate import Row, Tables, mean_and_error, means_and_errors, with_error

#: Flip rates (p0, p1).
ASYMMETRIC = ((0.2, 0.1), (0.1, 0.3), (0.1, 0.4), (0.0, 0.4))
SYMMETRIC = ((0.0, 0.0), (0.1, 0.1), (0.2, 0.2), (0.3, 0.3), (0.4, 0.4))

#: Neighbors that vote, neighbors that estimate, and training points of 1-NN.
KS = (1, 5, 10, 20, 50, 100, 200, 400, 800)
NOISE_NEIGHBORS = (5, 20, 50, 100, 200, 400)
SIZES = (250, 500, 1000, 2000, 4000, 8000)


class Figure1Data(NamedTuple):
    """A training set X (n, 2) with classes y (n,), uniforms v (flips, n) that flip them, and test
    points with eta.
    """

    X: np.ndarray
    y: np.ndarray
    v: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    eta: np.ndarray

    def flipped(self, p0: float, p1: float) -> list[np.ndarray]:
        """Observed labels (n,) of the training points, for each draw of flips."""
        return [LabelNoise(p0, p1).flip(self.y, v) for v in self.v]


def draw_figure_1(flips: int = 20, seed: int = 0) -> Figure1Data:
    """8000 training and 7000 test points, drawn in the order X, classes, test points, their
    classes, flips.

    Fewer flips are the first ones of more.
    """
    n = 8000
    m = 7000
    rng = np.random.default_rng(seed)
    problem = checkerboard()
    X = rng.random((n, 2))
    u = rng.random(n)
    X_test = rng.random((m, 2))
    u_test = rng.random(m)
    v = rng.random((flips, n))
    eta = problem.eta(X_test)
    return Figure1Data(
        X, draw_classes(problem.eta(X), u), v, X_test, draw_classes(eta, u_test), eta
    )


def risks(
    data: Figure1Data,
    settings: Sequence[tuple[float, float]],
    rules: Sequence[Sequence[Rule]],
    ks: Sequence[int],
) -> np.ndarray:
    """Risks (settings, flips, rules, ks) for each setting (p0, p1), with rules of its own, and draw
    of flips.
    """
    each = zip(settings, rules, strict=True)
    draws = [
        (labels, rules_there) for rates, rules_there in each for labels in data.flipped(*rates)
    ]
    found = risk.sweep(data.X, data.X_test, data.eta, draws, ks)
    return found.reshape(len(settings), len(data.v), -1, len(ks))


def gao_figure_1(
    flips: int = 20,
    ks: Sequence[int] = KS,
    noise_neighbors: Sequence[int] = NOISE_NEIGHBORS,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Figure 1(a), (b), (d): risk against k of kNN under noise, and of RkNN with known and with
    estimated rates.

    RkNN is the printed correction, the variant "gao". Where the rates are equal and known it is
    kNN: symmetric noise has the plain vote only.

    Tables: "bayes": the Bayes risk of the distribution, at the test points and on their labels;
    "vote" (a, b), "known" and "estimated" (d): risks with their errors over the flips, beside the
    curves of a second program.
    """
    data = draw_figure_1(flips, seed)
    problem = checkerboard()
    best = {
        "population": problem.bayes_risk(),
        "test points": data.eta.min(axis=1).mean(),
        "test labels": risk.held_out(problem.bayes(data.X_test), data.y_test),
    }
    references = published("gao_figures")["bayes"]
    tables: Tables = {"vote": [], "known": [], "estimated": []}
    estimating = [Robust(k_noise=each, variant="gao") for each in noise_neighbors]
    rules: list[list[Rule]] = [
        [Vote(), Robust(rates, variant="gao"), *estimating] for rates in ASYMMETRIC
    ]
    for rates, found in zip(ASYMMETRIC, risks(data, ASYMMETRIC, rules, ks), strict=True):
        tables["vote"] += _curve("vote", rates, found[:, 0], ks)
        tables["known"] += _curve("gao", rates, found[:, 1], ks)
        for i, k_noise in enumerate(noise_neighbors, 2):
            tables["estimated"] += _curve("estimated", (*rates, k_noise), found[:, i], ks)
    for rates, found in zip(
        SYMMETRIC, risks(data, SYMMETRIC, [[Vote()]] * len(SYMMETRIC), ks), strict=True
    ):
        tables["vote"] += _curve("vote", rates, found[:, 0], ks)
    rows = [
        {"over": over, "risk": value, "reference": references[over]} for over, value in best.items()
    ]
    return {"bayes": rows} | tables


def gao_figure_1_threshold(
    flips: int = 20, ks: Sequence[int] = KS, seed: int = 0, progress: bool = False
) -> Tables:
    """Figure 1(d) on the same draws with the variant "threshold", Algorithm 2 of Reeve & Kaban with
    known rates.

    The variants differ where votes fall on 1/2 or on the threshold. Table: "known", as in
    ``gao_figure_1``.
    """
    found = risks(
        draw_figure_1(flips, seed), ASYMMETRIC, [[Robust(rates)] for rates in ASYMMETRIC], ks
    )
    curves = zip(ASYMMETRIC, found, strict=True)
    return {
        "known": [
            row for rates, each in curves for row in _curve("threshold", rates, each[:, 0], ks)
        ]
    }


def _curve(name: str, key: Sequence[float], found: np.ndarray, ks: Sequence[int]) -> list[Row]:
    """Rows of risks (flips, ks), beside the values of the curve of that name and key (p0, p1, k')
    by a second program.

    They are those of the full settings.
    """
    values = published("gao_figures")
    references = dict(zip(values["k"], values[name].get(",".join(map(str, key)), ()), strict=False))
    return [
        dict(zip(("p0", "p1", "k_noise"), key, strict=False))
        | {"k": k}
        | mean_and_error("risk", at_k)
        | {"reference": references.get(k)}
        for k, at_k in zip(ks, found.T, strict=True)
    ]


def gao_figure_1_one_nn(
    sizes: Sequence[int] = SIZES, repeats: int = 60, seed: int = 0, progress: bool = False
) -> Tables:
    """Figure 1(c): the risk of 1-NN against n under symmetric noise, exact on cells of the square;
    also Theorem 3.

    The paper's training set is one; over fresh ones the curves are flat at their limits.

    Table: "fresh": a row for each noise level tau = p0 = p1 and each size, with the limit.
    """
    rows: list[Row] = []
    for tau, _ in tqdm(SYMMETRIC, "gao_figure_1_one_nn", disable=not progress):
        each = LabelNoise(tau, tau)
        setting: Row = {"k": 1, "noise": each, "repeats": repeats, "seed": seed, "n_jobs": -1}
        curve = risk.curve(checkerboard(), Vote(), over={"n": sizes}, **setting, progress=False)
        limit = {"limit": risk.one_nn_limit(checkerboard(), each)}
        for n, mean, error in zip(sizes, curve.mean[0], curve.standard_error[0], strict=True):
            rows.append({"tau": tau, "n": n} | with_error("risk", mean, error) | limit)
    return {"fresh": rows}


def gao_rates(
    noise_neighbors: Sequence[int] = NOISE_NEIGHBORS,
    flips: int = 20,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """The flip rates that RkNN estimates against k', on the draws of Figure 1 (Algorithm 1,
    equation 5).

    Table: "rates": a row for each setting of noise and k', with the threshold that the estimates
    give.
    """
    data = draw_figure_1(flips, seed)
    rows = []
    widths = [each + 1 for each in noise_neighbors]
    table = NeighborTable.build(data.X, None, max(widths))
    for p0, p1 in tqdm(ASYMMETRIC + SYMMETRIC, "gao_rates", disable=not progress):
        counted = [VoteProfile.count(table, labels, 2, widths) for labels in data.flipped(p0, p1)]
        for k_noise in noise_neighbors:
            found = [noise.estimate(votes, votes.labels, k_noise) for votes in counted]
            rates = np.array([[*each, each.threshold] for each in found], float)
            names = ("p0_hat", "p1_hat", "threshold")
            rows.append({"p0": p0, "p1": p1, "k_noise": k_noise} | means_and_errors(rates, names))
    return {"rates": rows}
