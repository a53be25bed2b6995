"""The risk of labels that a rule predicts: exact where eta is known, held out where it is not."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from knnviz import checks, kernels
from knnviz.neighbors import Windows
from knnviz.problems import Problem
from knnviz.problems.base import FINE_GRID


def exact(labels: np.ndarray, eta: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Probability that labels (m,) of cells with eta (m, C) are wrong; ``weights`` (m,) are 1 / m each by default.

    Raises ValueError unless eta holds probabilities that sum to 1 in each cell, and so do the weights over the cells.

    Examples
    --------
    >>> from knnviz.risk import exact
    >>> import numpy as np
    >>> exact(np.array([0, 1]), eta=np.array([[0.9, 0.1], [0.4, 0.6]]))
    0.25
    """
    eta = checks.check_probabilities("eta", eta)
    labels = checks.check_codes("labels", labels, *eta.shape)
    return float(kernels.expected_error(labels, eta, checks.check_weights(weights, len(eta))))


def held_out(labels: np.ndarray, y: np.ndarray) -> float:
    """Fraction of labels (m,) that differ from the true classes y (m,) of held-out points."""
    return float(np.mean(labels != y))


@dataclass(frozen=True, eq=False)
class Antiderivative:
    """G_c(x) = P(X <= x, Y = c) on a line, the antiderivative of density times eta_c.

    ``values`` (cells + 1, C) are G at the ``edges`` (cells + 1,) of the cells of a fine grid. Between them G is linear:
    density and eta are taken as constant on a cell, as at its center. Left of the box G is 0, right of it P(Y = c).
    """

    edges: np.ndarray
    values: np.ndarray

    @classmethod
    def from_problem(cls, problem: Problem, n_cells: int = FINE_GRID[1]) -> Self:
        """Integrate density times eta over ``n_cells`` cells; the problem has a density on a line, and no atoms."""
        measure = problem.measure(n_cells)
        masses = measure.weights[:, None] * problem.eta(measure.points)
        values = np.concatenate([np.zeros((1, problem.n_classes)), np.cumsum(masses, axis=0)])
        return cls(np.linspace(*problem.box[0], n_cells + 1), values)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """G (m, C) at x (m,)."""
        return np.stack([np.interp(x, self.edges, values) for values in self.values.T], axis=1)


def on_line(windows: Windows, labels: np.ndarray, k: int, antiderivative: Antiderivative) -> float:
    """Risk of a rule that predicts one label in each window, labels (n - k + 1,), integrated between breakpoints.

    A window is a run of k sorted points, the k nearest of every query between two breakpoints. The only error is that
    of the antiderivative's grid; nothing depends on where the points fall in its cells.
    """
    return on_pieces(windows.breakpoints(k), labels, antiderivative)


def on_pieces(breaks: np.ndarray, labels: np.ndarray, antiderivative: Antiderivative) -> float:
    """Risk of a rule on a line that predicts labels (J + 1,) between ascending breaks (J,), as in ``on_line``."""
    # The integral needs only the breaks at which the label changes, which are far fewer.
    changes = np.flatnonzero(labels[1:] != labels[:-1])
    cumulative = antiderivative(np.concatenate([[-np.inf], breaks[changes], [np.inf]]))
    runs = labels[np.append(changes, len(breaks))]
    return float(1 - np.take_along_axis(np.diff(cumulative, axis=0), runs[:, None].astype(int), axis=1).sum())
