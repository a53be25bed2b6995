"""Figure 1 of Gao et al., risk under asymmetric and symmetric noise, and the flip rates that RkNN
estimates there.

The figure is printed without numbers, and the text names neither noise levels nor k nor k': these
are ours. One training set on the checkerboard has its labels flipped again and again; risks are
exact at the test points.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from knnviz import noise, risk
from knnviz.lessons.stored import published
from knnviz.neighbors import NeighborTable
from knnviz.noise import LabelNoise
from knnviz.problems import checkerboard
from knnviz.problems.base import draw_classes
from knnviz.profiles import VoteProfile
from knnviz.risk.sweeps import sweep
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
    y = draw_classes(problem.eta(X), u)
    eta = problem.eta(X_test)
    return Figure1Data(X, y, v, X_test, draw_classes(eta, u_test), eta)


def risks(
    data: Figure1Data,
    settings: Sequence[tuple[float, float]],
    rules: Sequence[Sequence[Rule]],
    ks: Sequence[int],
) -> np.ndarray:
    """Risks (settings, flips, rules, ks), with rules of its own for each setting (p0, p1)."""
    draws: list[tuple[np.ndarray, Sequence[Rule]]] = []
    for rates, rules_there in zip(settings, rules, strict=True):
        draws += [(labels, rules_there) for labels in data.flipped(*rates)]
    found = sweep(data.X, data.X_test, data.eta, draws, ks)
    flips = len(data.v)
    return found.reshape(len(settings), flips, -1, len(ks))


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
    tables: Tables = {"bayes": _bayes_rows(data)}
    tables |= {"vote": [], "known": [], "estimated": []}

    estimating = [Robust(k_noise=each, variant="gao") for each in noise_neighbors]
    rules: list[list[Rule]] = []
    for rates in ASYMMETRIC:
        known = Robust(rates, variant="gao")
        rules.append([Vote(), known, *estimating])
    found = risks(data, ASYMMETRIC, rules, ks)
    for j, rates in enumerate(ASYMMETRIC):
        of_vote, of_known, *of_estimated = found[j].swapaxes(0, 1)
        tables["vote"] += _curve("vote", rates, of_vote, ks)
        tables["known"] += _curve("gao", rates, of_known, ks)
        for k_noise, curve in zip(noise_neighbors, of_estimated, strict=True):
            tables["estimated"] += _curve("estimated", (*rates, k_noise), curve, ks)

    votes = [[Vote()]] * len(SYMMETRIC)
    found = risks(data, SYMMETRIC, votes, ks)
    for j, rates in enumerate(SYMMETRIC):
        tables["vote"] += _curve("vote", rates, found[j, :, 0], ks)
    return tables


def _bayes_rows(data: Figure1Data) -> list[Row]:
    """The Bayes risk of the distribution, at the test points and on their labels."""
    problem = checkerboard()
    bayes = {"population": problem.bayes_risk()}
    bayes["test points"] = data.eta.min(axis=1).mean()
    predicted = problem.bayes(data.X_test)
    bayes["test labels"] = float(np.mean(predicted != data.y_test))
    references = published("gao_figures")["bayes"]
    rows = []
    for over, value in bayes.items():
        rows.append({"over": over, "risk": value, "reference": references[over]})
    return rows


def gao_figure_1_threshold(
    flips: int = 20, ks: Sequence[int] = KS, seed: int = 0, progress: bool = False
) -> Tables:
    """Figure 1(d) on the same draws with the variant "threshold", Algorithm 2 of Reeve & Kaban with
    known rates.

    The variants differ where votes fall on 1/2 or on the threshold. Table: "known", as in
    ``gao_figure_1``.
    """
    data = draw_figure_1(flips, seed)
    rules = [[Robust(rates)] for rates in ASYMMETRIC]
    found = risks(data, ASYMMETRIC, rules, ks)
    rows: list[Row] = []
    for j, rates in enumerate(ASYMMETRIC):
        rows += _curve("threshold", rates, found[j, :, 0], ks)
    return {"known": rows}


def _curve(name: str, key: Sequence[float], found: np.ndarray, ks: Sequence[int]) -> list[Row]:
    """Rows of risks (flips, ks), beside the values of the curve of that name and key (p0, p1, k')
    by a second program.

    They are those of the full settings.
    """
    values = published("gao_figures")
    key_text = ",".join(map(str, key))
    curve = values[name].get(key_text, ())
    references = dict(zip(values["k"], curve, strict=False))
    names = ("p0", "p1", "k_noise")
    rows = []
    for k, at_k in zip(ks, found.T, strict=True):
        row: Row = dict(zip(names, key, strict=False))
        row["k"] = k
        row |= mean_and_error("risk", at_k)
        row["reference"] = references.get(k)
        rows.append(row)
    return rows


def gao_figure_1_one_nn(
    sizes: Sequence[int] = SIZES, repeats: int = 60, seed: int = 0, progress: bool = False
) -> Tables:
    """Figure 1(c): the risk of 1-NN against n under symmetric noise, exact on cells of the square;
    also Theorem 3.

    The paper's training set is one; over fresh ones the curves are flat at their limits.

    Table: "fresh": a row for each noise level tau = p0 = p1 and each size, with the limit.
    """
    problem = checkerboard()
    options: dict[str, Any] = {"k": 1, "over": {"n": sizes}}
    options |= {"repeats": repeats, "seed": seed}
    options |= {"n_jobs": -1, "progress": False}
    rows: list[Row] = []
    for tau, _ in tqdm(SYMMETRIC, "gao_figure_1_one_nn", disable=not progress):
        flips = LabelNoise(tau, tau)
        curve = risk.curve(problem, Vote(), noise=flips, **options)
        limit = risk.one_nn_limit(problem, flips)
        for j, n in enumerate(sizes):
            row: Row = {"tau": tau, "n": n}
            row |= with_error("risk", curve.mean[0, j], curve.standard_error[0, j])
            rows.append(row | {"limit": limit})
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
    widths = [each + 1 for each in noise_neighbors]
    table = NeighborTable.build(data.X, None, max(widths))
    names = ("p0_hat", "p1_hat", "threshold")
    rows = []
    for p0, p1 in tqdm(ASYMMETRIC + SYMMETRIC, "gao_rates", disable=not progress):
        flipped = data.flipped(p0, p1)
        counted = [VoteProfile.build(table, labels, 2, widths) for labels in flipped]
        for k_noise in noise_neighbors:
            found = [noise.estimate(votes, votes.labels, k_noise) for votes in counted]
            rates = [[*each, each.threshold] for each in found]
            row: Row = {"p0": p0, "p1": p1, "k_noise": k_noise}
            rows.append(row | means_and_errors(np.array(rates, float), names))
    return {"rates": rows}
