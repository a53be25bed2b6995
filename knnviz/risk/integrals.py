"""The risk of labels that a rule predicts, exact where eta is known."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from knnviz import kernels
from knnviz.checks import (
    check_ascending,
    check_codes,
    check_probabilities,
    check_row,
    check_weights,
)
from knnviz.problems import Problem
from knnviz.problems.base import FINE_GRID, check_line_density

#: A change of eta between the centers of two cells from which on a jump is looked for there.
LEAST_JUMP = 1e-3

#: How often the way between two centers is halved: what is left has hardly any length.
HALVINGS = 50


def exact(eta: np.ndarray, labels: np.ndarray, *, weights: np.ndarray | None = None) -> float:
    """Probability that labels (m,) of cells with eta (m, C) are wrong; ``weights`` (m,) are 1 / m
    each by default.

    Raises ValueError unless eta holds probabilities that sum to 1 in each cell, and so do the
    weights over the cells.

    Examples
    --------
    >>> from knnviz.risk import exact
    >>> import numpy as np
    >>> exact(np.array([[0.9, 0.1], [0.4, 0.6]]), labels=np.array([0, 1]))
    0.25
    """
    eta = check_probabilities("eta", eta)
    labels = check_codes("labels", labels, *eta.shape)
    weights = check_weights(weights, len(eta))
    return float(kernels.expected_error(eta, labels, weights))


@dataclass(frozen=True, eq=False)
class Antiderivative:
    """G_c(x) = P(X <= x, Y = c) on a line, the antiderivative of density times eta_c.

    ``values`` (cells + 1, C) are G at the ``edges`` (cells + 1,) of the cells of a fine grid.
    Between them G is linear: density and eta are taken as constant on a cell, as at its center.
    Where eta jumps between two centers, the edge between their cells is at the jump, so that G of a
    step function is exact. Left of the box G is 0, right of it P(Y = c).
    """

    edges: np.ndarray
    values: np.ndarray

    @classmethod
    def build(
        cls,
        problem: Problem,
        n_cells: int = FINE_GRID[1],
        rule: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> Self:
        """Integrate density times eta over ``n_cells`` cells; the problem has a density on a line,
        and no atoms.

        With a ``rule``, which maps points (m, 1) to labels (m,), Y is its label: a risk is then the
        probability that labels differ from those of the rule.
        """

        def eta(X: np.ndarray) -> np.ndarray:
            if rule is None:
                return problem.eta(X)
            labels = check_codes("labels of the rule", rule(X), len(X), problem.n_classes)
            return np.eye(problem.n_classes)[labels]

        check_line_density(problem)
        measure = problem.measure(n_cells)
        at_centers = eta(measure.points)
        edges = np.linspace(*problem.box[0], n_cells + 1)
        moved = _with_jumps(edges, measure.points[:, 0], eta, at_centers)
        widths = np.diff(moved) / np.diff(edges)
        masses = measure.weights * widths
        joint = masses[:, None] / masses.sum() * at_centers
        at_start = np.zeros((1, problem.n_classes))
        return cls(moved, np.concatenate([at_start, np.cumsum(joint, axis=0)]))

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """G (m, C) at x (m,), which may be infinite."""
        x = check_row("x", x, finite=False)
        of_classes = [np.interp(x, self.edges, values) for values in self.values.T]
        return np.stack(of_classes, axis=1)

    def pieces(self, breaks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The pieces between ascending ``breaks`` (J,): eta (J + 1, C) averaged over each, and its
        mass (J + 1,).

        A piece without mass has equal probabilities.
        """
        joint = self._joint(check_ascending("breaks", breaks))
        masses = joint.sum(axis=1)
        eta = np.full(joint.shape, 1 / joint.shape[1])
        whole = masses[:, None]
        np.divide(joint, whole, out=eta, where=whole > 0)
        return eta, masses

    def _joint(self, breaks: np.ndarray) -> np.ndarray:
        """Joint probabilities (J + 1, C) of the pieces between ascending breaks and the classes."""
        ends = np.concatenate([[-np.inf], breaks, [np.inf]])
        return np.diff(self(ends), axis=0)


def _with_jumps(
    edges: np.ndarray,
    centers: np.ndarray,
    eta: Callable[[np.ndarray], np.ndarray],
    at_centers: np.ndarray,
) -> np.ndarray:
    """Edges (cells + 1,), those between two centers (cells,) where eta jumps moved to the jump."""
    change = abs(np.diff(at_centers, axis=0)).max(axis=1)
    (before,) = np.nonzero(change > LEAST_JUMP)
    if not len(before):
        return edges
    low = centers[before]
    high = centers[before + 1]
    at_low = at_centers[before]
    at_high = at_centers[before + 1]

    # Of each way the half on which eta changes more: from end to end a slope changes ever less, a
    # jump stays.
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        at_middle = eta(middle[:, None])
        change_left = abs(at_middle - at_low).max(axis=1)
        change_right = abs(at_high - at_middle).max(axis=1)
        is_left = change_left > change_right
        low = np.where(is_left, low, middle)
        high = np.where(is_left, middle, high)
        at_low = np.where(is_left[:, None], at_low, at_middle)
        at_high = np.where(is_left[:, None], at_middle, at_high)

    jumps = abs(at_high - at_low).max(axis=1) > change[before] / 2
    moved = edges.copy()
    moved[before[jumps] + 1] = high[jumps]
    return moved


def on_line(antiderivative: Antiderivative, breaks: np.ndarray, labels: np.ndarray) -> float:
    """Risk of a rule that predicts labels (J + 1,) between ascending breaks (J,) on a line.

    Between the breakpoints of windows (``Windows.breakpoints``) a rule that reads the k nearest
    predicts one label. The only error is that of the antiderivative's grid; nothing depends on
    where the points fall in its cells.
    """
    n_classes = antiderivative.values.shape[1]
    labels = check_codes("labels", labels, len(breaks) + 1, n_classes)
    breaks, runs = at_changes(breaks, labels)
    joint = antiderivative._joint(breaks)
    right = joint[np.arange(len(runs)), runs]
    return float(1 - right.sum())


def at_changes(breaks: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of ascending breaks (J,) the far fewer at which labels (J + 1,) change; and these labels."""
    changes = np.flatnonzero(labels[1:] != labels[:-1])
    ends_of_runs = np.append(changes, len(breaks))
    return breaks[changes], labels[ends_of_runs]
