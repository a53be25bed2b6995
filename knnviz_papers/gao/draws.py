"""The setting of Figure 1: one training set on the checkerboard, whose labels are flipped again and again."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from knnviz import checks, risk
from knnviz.corruption import LabelNoise
from knnviz.lessons.stored import published
from knnviz.problems import checkerboard
from knnviz.problems.base import draw_classes
from knnviz.rules import Rule
from knnviz_papers.simulate import Row, mean_and_error

Variant = Literal["threshold", "gao"]

#: Flip rates (p0, p1); the paper does not name those of its curves.
ASYMMETRIC = ((0.2, 0.1), (0.1, 0.3), (0.1, 0.4), (0.0, 0.4))
SYMMETRIC = ((0.0, 0.0), (0.1, 0.1), (0.2, 0.2), (0.3, 0.3), (0.4, 0.4))

#: Flip rates in the substitutes for Figures 3 and 4, and in the validation.
P0, P1 = 0.1, 0.3

#: Neighbors that vote, neighbors that estimate, and training points.
KS = (1, 5, 10, 20, 50, 100, 200, 400, 800)
NOISE_NEIGHBORS = (5, 20, 50, 100, 200, 400)
SIZES = (250, 500, 1000, 2000, 4000, 8000)


class Figure1Data(NamedTuple):
    """A training set X (n, 2) with classes y (n,), uniforms v (flips, n) that flip them, and test points with eta."""

    X: np.ndarray
    y: np.ndarray
    v: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    eta: np.ndarray

    def flipped(self, p0: float, p1: float) -> list[np.ndarray]:
        """Observed labels (n,) of the training points, for each draw of flips."""
        return [LabelNoise(p0, p1).flip(self.y, v) for v in self.v]


def draw_figure_1(n: int = 8000, m: int = 7000, flips: int = 20, seed: int = 0) -> Figure1Data:
    """Draw from the checkerboard, in the order X, classes, test points, their classes, flips.

    ``flips`` is at least 2; a smaller number gives the first draws of a larger one.

    Source: Gao et al., section 6.1.
    """
    n, m, flips = checks.check_int("n", n, 1), checks.check_int("m", m, 1), checks.check_int("flips", flips, 2)
    rng, problem = np.random.default_rng(seed), checkerboard()
    X, u, X_test, u_test = rng.random((n, 2)), rng.random(n), rng.random((m, 2)), rng.random(m)
    v, eta = rng.random((flips, n)), problem.eta(X_test)
    return Figure1Data(X, draw_classes(problem.eta(X), u), v, X_test, draw_classes(eta, u_test), eta)


def risks(
    data: Figure1Data,
    settings: Sequence[tuple[float, float]],
    rules: Sequence[Sequence[Rule]],
    ks: Sequence[int],
    n: int | None = None,
) -> np.ndarray:
    """Risks (settings, flips, rules, ks), exact at the test points, for each setting (p0, p1) and draw of flips.

    ``rules`` are those of each setting; ``n`` takes only the first training points.
    """
    n = checks.check_int("n", len(data.X) if n is None else n, 1, len(data.X))
    each = zip(settings, rules, strict=True)
    draws = [(labels[:n], rules_there) for rates, rules_there in each for labels in data.flipped(*rates)]
    found = risk.sweep(data.X[:n], data.X_test, data.eta, draws, ks)
    return found.reshape(len(settings), len(data.v), -1, len(ks))


def reference(curve: str, *key: float, over: str = "k") -> dict[int, float]:
    """Values of a curve by the second program, in plain NumPy, at the full settings, by k, k' or n; empty without any.

    ``key`` is p0 and p1, and k' where rates are estimated from it; ``over`` is "k", "k_noise" or "n".
    """
    values = published("gao_figures")
    return dict(zip(values[over], values[curve].get(",".join(map(str, key)), ()), strict=False))


def rows_over_k(found: np.ndarray, ks: Sequence[int], references: dict[int, float], **key: float) -> list[Row]:
    """Rows of a curve (flips, ks) over k: ``key``, mean risk and its error over the flips, and the reference."""
    return [
        key | {"k": k} | mean_and_error("risk", values) | {"reference": references.get(k)}
        for k, values in zip(ks, found.T, strict=True)
    ]
