"""Limits of risks as samples grow, by quadrature on a grid, a fine one by default."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from knnviz.checks import TIE_TOL, check_probabilities, check_real, check_weights, require, shown
from knnviz.noise import LabelNoise
from knnviz.problems import Dataset, Problem
from knnviz.problems.base import FINE_GRID

#: No label noise.
CLEAN = LabelNoise()


def one_nn_limit(problem: Problem, noise: LabelNoise = CLEAN, n_cells: int | None = None) -> float:
    """Limit of the risk of 1-NN: E[1 - sum_c eta_c e_c], with e = eta_corr; bounds are in Gao et
    al., Theorem 3.

    Raises ValueError for real data, and for noise on more than two classes.

    Examples
    --------
    >>> from knnviz.problems import linear
    >>> from knnviz.risk import one_nn_limit
    >>> round(one_nn_limit(linear(1.0)), 4)
    0.3333
    """
    eta, weights = _cells(problem, noise, n_cells)
    observed = eta if noise == CLEAN else noise.corrupt(eta)
    return float(weights @ (1 - (eta * observed).sum(axis=1)))


def vote_limit(problem: Problem, noise: LabelNoise = CLEAN, n_cells: int | None = None) -> float:
    """Limit of the risk of the majority vote as k grows and k / n falls.

    For two classes it is R* + ``E[|2 eta_1 - 1|; A_0]``: the expectation counts the misled points
    A_0 alone, where eta_1 and eta_corr of class 1 lie on opposite sides of 1/2 (Gao et al., section
    3). Without noise it is the Bayes risk. With two classes, where eta_corr is 1/2 each, the limit
    vote is a fair coin; of more classes the smallest of a tie is predicted. Errors as in
    ``one_nn_limit``.
    """
    eta, weights = _cells(problem, noise, n_cells)
    if problem.n_classes == 2:
        return Limits.from_eta(eta, weights).vote(noise)
    return float(weights @ (1 - eta.max(axis=1)))


def vote_labels(observed: np.ndarray, threshold: float = 0.5) -> np.ndarray:
    """Predictions (m,) uint8 of the vote in the limit, from probabilities of observed labels (m,
    C).

    With two classes 1 iff its probability reaches the threshold, in [0, 1], up to rounding; else
    the most probable class, the smallest of a tie. Raises ValueError for numbers that are no
    probabilities, and for a threshold of more than two classes.

    Examples
    --------
    >>> from knnviz.risk import vote_labels
    >>> import numpy as np
    >>> vote_labels(np.array([[0.6, 0.4], [0.5, 0.5]])).tolist()
    [0, 1]
    """
    observed = check_probabilities("observed", observed)
    threshold = float(check_real("threshold", threshold, 0, 1))
    lowest = threshold - TIE_TOL
    n_classes = observed.shape[1]
    require(
        n_classes == 2 or threshold == 0.5,
        f"threshold is for two classes, got {threshold} of {n_classes}",
    )
    best = observed[:, 1] >= lowest if n_classes == 2 else observed.argmax(axis=1)
    return best.astype(np.uint8)


@dataclass(frozen=True, eq=False)
class Limits:
    """Limits of risks under any label noise between two classes, from eta_1 sorted once.

    ``levels`` (m,) are the values of eta_1 in the cells, ascending. ``risks[j]`` is the risk of
    predicting class 1 on all but the j lowest cells, ``masses[j]`` the probability of those j, for
    j from 0 to m. ``moments`` are E[eta_1] and E[eta_1^2]. Source: Gao et al., section 3.
    """

    levels: np.ndarray
    risks: np.ndarray
    masses: np.ndarray
    moments: tuple[float, float]

    @classmethod
    def from_eta(cls, eta: np.ndarray, weights: np.ndarray) -> Self:
        """Sort eta (m, 2) of cells with weights (m,) that sum to 1."""
        eta = check_probabilities("eta", eta)
        require(eta.shape[1] == 2, f"label noise needs two classes, got {eta.shape[1]}")
        weights = check_weights(weights, len(eta))
        order = np.argsort(eta[:, 1], kind="stable")
        levels = eta[order, 1]
        weights = weights[order]
        ones = np.concatenate([[0.0], np.cumsum(weights * levels)])
        zeros = np.concatenate([np.cumsum((weights * (1 - levels))[::-1])[::-1], [0.0]])
        masses = np.concatenate([[0.0], np.cumsum(weights)])
        # Summed without BLAS, whose threads take longer to wake than the sum takes.
        return cls(
            levels, ones + zeros, masses, (float(ones[-1]), float((weights * levels**2).sum()))
        )

    def vote(self, noise: LabelNoise, threshold: float = 0.5, *, on_noisy: bool = False) -> float:
        """Limit of kNN with a threshold in [0, 1]: class 1 where its eta_corr exceeds it, a
        fair coin on a tie.

        ``on_noisy`` labels it is counted how often it differs from these: that is contrast * risk
        + p0 P(class 0 is predicted) + p1 P(class 1 is predicted), which is least at 1/2.
        """
        threshold = float(check_real("threshold", threshold, 0, 1))
        ends = (np.array([threshold - TIE_TOL, threshold + TIE_TOL]) - noise.p0) / noise.contrast
        found = np.searchsorted(self.levels, ends)
        limit = float(self.risks[found].mean())
        if not on_noisy:
            return limit
        below = float(self.masses[found].mean())
        return noise.contrast * limit + noise.p0 * below + noise.p1 * (1 - below)

    def misled(self, noise: LabelNoise) -> float:
        """P(A_0): eta_corr of class 1 is not beyond 1/2 on the side on which eta_1 is."""
        beyond = (np.array([0.5 + TIE_TOL, 0.5 - TIE_TOL]) - noise.p0) / noise.contrast
        starts = np.searchsorted(self.levels, [beyond[0], 0.5 + TIE_TOL], side="right")
        ends = np.searchsorted(self.levels, [0.5 - TIE_TOL, beyond[1]], side="left")
        return float(np.maximum(self.masses[ends] - self.masses[starts], 0).sum())

    def one_nn(self, noise: LabelNoise) -> float:
        """Limit of 1-NN: E[eta_1 (1 - e) + (1 - eta_1) e] with e = p0 + (1 - p0 - p1) eta_1."""
        first, second = self.moments
        observed = noise.p0 + noise.contrast * first
        return first + observed - 2 * (noise.p0 * first + noise.contrast * second)


def _cells(
    problem: Problem, noise: LabelNoise, n_cells: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """eta (m, C) on the cells of a grid, and the weights (m,) of the cells, for noise that its
    classes can have.
    """
    require(
        not isinstance(problem, Dataset),
        f"a limit needs a known distribution, but {problem.name} is data",
    )
    check_noise(noise, problem.n_classes)
    measure, eta = problem.cells(FINE_GRID[problem.dimension] if n_cells is None else n_cells)
    return eta, measure.weights


def check_noise(noise: LabelNoise, n_classes: int) -> None:
    """Raise ValueError for noise that these classes cannot have."""
    require(isinstance(noise, LabelNoise), f"noise must be a LabelNoise, got {shown(noise)}")
    require(
        n_classes == 2 or noise == CLEAN, f"label noise flips between two classes, not {n_classes}"
    )
