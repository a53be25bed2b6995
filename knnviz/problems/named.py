"""The papers' example distributions, by name."""

import numpy as np

from knnviz import checks
from knnviz.problems.base import Problem, two_classes


def checkerboard() -> Problem:
    """Four smooth cells on the unit square, eta_1 = (1 - sin(2 pi x1) sin(2 pi x2)) / 2 (Gao et al., section 6.1)."""

    def eta(X: np.ndarray) -> np.ndarray:
        return two_classes((1 - np.sin(2 * np.pi * X[:, 0]) * np.sin(2 * np.pi * X[:, 1])) / 2)

    return Problem("checkerboard", eta)


def wave2d(amplitude: float = 0.12, waves: float = 2.0, high: float = 0.98) -> Problem:
    """A jump across the curve x2 = 1/2 + amplitude * sin(2 pi waves x1) on the unit square.

    eta_1 is ``high`` above the curve and 1 - high below, so that the Bayes risk is 1 - high. ``amplitude`` lies in
    [0, 0.5], ``waves`` in [0, 20], ``high`` in [0.5, 1]; ValueError otherwise. It goes with the two-round scheme of
    Rittler & Chaudhuri.
    """
    amplitude = checks.real("amplitude", amplitude, 0, 0.5)
    waves = checks.real("waves", waves, 0, 20)
    high = checks.real("high", high, 0.5, 1)

    def eta(X: np.ndarray) -> np.ndarray:
        above = X[:, 1] > 0.5 + amplitude * np.sin(2 * np.pi * waves * X[:, 0])
        return two_classes(np.where(above, high, 1 - high))

    return Problem("wave2d", eta, parameters={"amplitude": amplitude, "waves": waves, "high": high})
