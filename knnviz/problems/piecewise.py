"""Problems on a line with piecewise constant class probabilities; parameters outside their ranges raise ValueError."""

from collections.abc import Callable, Sequence

import numpy as np

from knnviz import checks
from knnviz.problems.base import Problem
from knnviz.problems.named import UNIT_BOX


def segments(n_classes: int = 3, top: float = 5 / 7) -> Problem:
    """C equal pieces of [0, 1]: on piece c class c has probability ``top``, and all others are equally likely.

    ``top`` lies in [1 / C, 1].

    Examples
    --------
    >>> from knnviz.problems import segments
    >>> round(segments(n_classes=3, top=0.7).bayes_risk(), 4)
    0.3
    """
    n_classes = checks.check_int("n_classes", n_classes, 2, 255)
    top = checks.check_real("top", top, 1 / n_classes, 1)
    parameters = {"n_classes": n_classes, "top": top}
    return Problem("segments", _pieces(n_classes, top), UNIT_BOX, n_classes, None, parameters)


def contested(width: float = 0.3, fractions: Sequence[float] = (0.5, 0.4, 0.1), top: float = 5 / 7) -> Problem:
    """The pieces of ``segments``, but on [0, ``width``) the classes have these ``fractions`` instead.

    ``width`` lies in [0, 1] and ``top`` in [1 / C, 1]; the fractions, one for each class, sum to 1.

    Examples
    --------
    >>> from knnviz.problems import contested
    >>> import numpy as np
    >>> problem = contested(width=0.3, fractions=(0.5, 0.4, 0.1), top=0.8)
    >>> problem.eta(np.array([[0.2], [0.5]])).round(4).tolist()
    [[0.5, 0.4, 0.1], [0.1, 0.8, 0.1]]
    """
    width, eta = checks.check_real("width", width, 0, 1), _check_fractions(fractions)
    pieces = _pieces(len(eta), checks.check_real("top", top, 1 / len(eta), 1))
    parameters = {"width": width, "fractions": eta.tolist(), "top": top}
    return Problem("contested", lambda X: np.where(width > X, eta, pieces(X)), UNIT_BOX, len(eta), None, parameters)


def constant(fractions: Sequence[float] = (0.5, 0.49, 0.01)) -> Problem:
    """The same class probabilities ``fractions`` (C,), which sum to 1, everywhere on [0, 1].

    Examples
    --------
    >>> from knnviz.problems import constant
    >>> round(constant((0.5, 0.3, 0.2)).bayes_risk(), 4)
    0.5
    """
    eta = _check_fractions(fractions)
    parameters = {"fractions": eta.tolist()}
    return Problem("constant", lambda X: np.tile(eta, (len(X), 1)), UNIT_BOX, len(eta), None, parameters)


def _pieces(n_classes: int, top: float) -> Callable[[np.ndarray], np.ndarray]:
    other = (1 - top) / (n_classes - 1)

    def eta(X: np.ndarray) -> np.ndarray:
        piece = np.minimum((X * n_classes).astype(int), n_classes - 1)
        return np.where(piece == np.arange(n_classes), top, other)

    return eta


def _check_fractions(fractions: Sequence[float]) -> np.ndarray:
    return checks.check_probabilities("fractions", np.atleast_2d(checks.check_numbers("fractions", fractions)))[0]
