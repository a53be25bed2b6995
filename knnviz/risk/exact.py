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

    Examples
    --------
    >>> from knnviz.risk import exact
    >>> import numpy as np
    >>> exact(np.array([0, 1]), eta=np.array([[0.9, 0.1], [0.4, 0.6]]))
    0.25
    """
    if np.ndim(eta) != 2:
        raise ValueError(f"eta must have a row for each cell and a column for each class, got shape {np.shape(eta)}")
    labels = checks.check_codes("labels", labels, *eta.shape)
    weights = np.full(len(eta), 1 / len(eta)) if weights is None else checks.check_numbers("weights", weights)
    if weights.shape != labels.shape:
        raise ValueError(f"weights must hold one number for each of {len(eta)} cells, got shape {weights.shape}")
    return float(kernels.expected_error(labels, eta, weights))


def held_out(labels: np.ndarray, y: np.ndarray) -> float:
    """Fraction of labels (m,) that differ from the true classes y (m,) of held-out points; ValueError for other shapes.

    Examples
    --------
    >>> from knnviz.risk import held_out
    >>> import numpy as np
    >>> held_out(np.array([0, 1, 1, 0]), y=np.array([0, 1, 0, 0]))
    0.25
    """
    labels, y = np.asarray(labels), np.asarray(y)
    if labels.shape != y.shape:
        raise ValueError(f"labels and y must have the same shape, got {labels.shape} and {y.shape}")
    return float(np.mean(labels != y))


@dataclass(frozen=True, eq=False)
class Antiderivative:
    """G_c(x) = P(X <= x, Y = c) on a line, the antiderivative of density times eta_c.

    ``values`` (cells + 1, C) are G at the ``edges`` (cells + 1,) of the cells of a fine grid. Between them G is linear:
    density and eta are taken as constant on a cell, as at its center. Left of the box G is 0, right of it P(Y = c).

    Examples
    --------
    >>> from knnviz.problems import linear
    >>> from knnviz.risk import Antiderivative
    >>> import numpy as np
    >>> Antiderivative.of(linear(1.0))(np.array([0.5, 1.0])).round(4).tolist()
    [[0.375, 0.125], [0.5, 0.5]]
    """

    edges: np.ndarray
    values: np.ndarray

    @classmethod
    def of(cls, problem: Problem, n_cells: int | None = None) -> Self:
        """Integrate density times eta of a problem on a line over ``n_cells`` cells, 20,000 by default.

        Raises ValueError for a problem on a plane, and for one whose points are finitely many.
        """
        n_cells = FINE_GRID[1] if n_cells is None else n_cells
        if not has_density(problem):
            raise ValueError(f"an antiderivative needs a density on a line, which {problem.name} does not have")
        measure = problem.measure(n_cells)
        masses = measure.weights[:, None] * problem.eta(measure.points)
        values = np.concatenate([np.zeros((1, problem.n_classes)), np.cumsum(masses, axis=0)])
        return cls(np.linspace(*problem.box[0], n_cells + 1), values)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """G (m, C) at x (m,)."""
        return np.stack([np.interp(x, self.edges, values) for values in self.values.T], axis=1)


def has_density(problem: Problem) -> bool:
    """Whether a problem has a density on a line: its mass is not on single points."""
    return problem.dimension == 1 and problem.atoms is None


def on_line(windows: Windows, labels: np.ndarray, k: int, antiderivative: Antiderivative) -> float:
    """Risk of a rule that predicts one label in each window, labels (n - k + 1,), integrated between breakpoints.

    A window is a run of k sorted points, the k nearest of every query between two breakpoints. The only error is that
    of the antiderivative's grid; nothing depends on where the points fall in its cells. Raises ValueError for labels
    that do not fit the windows.

    Examples
    --------
    >>> from knnviz import problems, risk, windows
    >>> import numpy as np
    >>> line, both = problems.linear(1.0), windows.Windows.from_points(np.array([[0.25], [0.75]]))
    >>> found = risk.on_line(both, labels=np.array([0, 1]), k=1, antiderivative=risk.Antiderivative.of(line))
    >>> round(found, 4), round(line.bayes_risk(), 4)
    (0.25, 0.25)
    """
    return on_pieces(windows.breakpoints(k), labels, antiderivative)


def on_pieces(breaks: np.ndarray, labels: np.ndarray, antiderivative: Antiderivative) -> float:
    """Risk of a rule on a line that predicts labels (J + 1,) between ascending breaks (J,).

    The only error is that of the antiderivative's grid. ValueError for labels that do not fit.

    Examples
    --------
    >>> from knnviz.problems import linear
    >>> from knnviz.risk import Antiderivative, on_pieces
    >>> import numpy as np
    >>> round(on_pieces(np.array([0.5]), np.array([0, 1]), Antiderivative.of(linear(1.0))), 4)
    0.25
    """
    labels = checks.check_codes("labels", labels, len(breaks) + 1, antiderivative.values.shape[1])
    # The integral needs only the breaks at which the label changes, which are far fewer.
    changes = np.flatnonzero(labels[1:] != labels[:-1])
    cumulative = antiderivative(np.concatenate([[-np.inf], breaks[changes], [np.inf]]))
    runs = labels[np.append(changes, len(breaks))]
    return float(1 - np.take_along_axis(np.diff(cumulative, axis=0), runs[:, None].astype(int), axis=1).sum())
