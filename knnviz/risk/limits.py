"""What risks tend to as samples grow."""

import numpy as np

from knnviz.corruption import LabelNoise
from knnviz.problems import Dataset, Problem
from knnviz.problems.base import FINE
from knnviz.profiles.balls import TIE
from knnviz.risk.exact import exact

#: Labels as they are.
CLEAN = LabelNoise()


def one_nn_limit(problem: Problem, noise: LabelNoise = CLEAN, resolution: int | None = None) -> float:
    """Limit of the risk of 1-NN: E[1 - sum_c eta_c e_c], with e the probabilities of the observed labels.

    Without noise it is Cover & Hart's, E[1 - sum_c eta_c^2]; with noise Gao et al., Theorem 3. By quadrature on the
    grid, a fine one by default. Raises ValueError for real data, and for noise on more than two classes.
    """
    eta, observed, weights = _probabilities(problem, noise, resolution)
    return float(weights @ (1 - (eta * observed).sum(axis=1)))


def vote_limit(problem: Problem, noise: LabelNoise = CLEAN, resolution: int | None = None) -> float:
    """Limit of the risk of the plain vote as k grows and k / n falls: R* + E[|2 eta - 1|; A_0] (Gao et al., section 2).

    The risk of the rule that gives class 1 iff its observed frequency reaches 1/2; without noise the Bayes risk. By
    quadrature on the grid, a fine one by default. Raises ValueError for real data, and for noise on more than two
    classes.
    """
    eta, observed, weights = _probabilities(problem, noise, resolution)
    return exact(vote_labels(observed), eta, weights)


def vote_labels(observed: np.ndarray, cut: float = 0.5) -> np.ndarray:
    """What the vote of ever more neighbors in ever smaller balls decides, (m,) uint8, for observed frequencies (m, C).

    With two classes 1 iff the frequency reaches the cut, also where rounding keeps it below; else the first best class.
    """
    best = observed[:, 1] >= cut - TIE if observed.shape[1] == 2 else observed.argmax(axis=1)
    return best.astype(np.uint8)


def _probabilities(
    problem: Problem, noise: LabelNoise, resolution: int | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """True and observed probabilities (m, C) on the cells of a grid, and the weights (m,) of these."""
    if isinstance(problem, Dataset):
        raise ValueError(f"a limit needs a known distribution, but {problem.name} is data")
    check_noise(noise, problem.n_classes)
    measure, eta = problem.cells(FINE[problem.dimension] if resolution is None else resolution)
    return eta, eta if noise == CLEAN else noise.corrupt(eta), measure.weights


def check_noise(noise: LabelNoise, n_classes: int) -> None:
    """Raise ValueError for noise that these classes cannot have."""
    if not isinstance(noise, LabelNoise):
        raise ValueError(f"noise must be a LabelNoise, got {noise!r}")
    if n_classes > 2 and noise != CLEAN:
        raise ValueError(f"label noise flips between two classes, but the problem has {n_classes}")
