"""One class of a problem against all others, as a problem of two classes."""

import numpy as np

from knnviz import checks
from knnviz.problems.base import Problem, two_classes


def one_against_rest(problem: Problem, c: int = 0) -> Problem:
    """Class c of a problem as class 1, and all its other classes as class 0.

    The points of a sample stay as they are. ``c`` is a code from 0 to C - 1; ValueError otherwise. The confusion
    entries of class c are those of class 1 (Khim et al., section 4).

    Examples
    --------
    >>> from knnviz.problems import constant, one_against_rest
    >>> import numpy as np
    >>> one_against_rest(constant((0.5, 0.3, 0.2)), c=1).eta(np.array([[0.1]])).round(4).tolist()
    [[0.7, 0.3]]
    """
    c = checks.check_int("c", c, 0, problem.n_classes - 1)

    def eta(X: np.ndarray) -> np.ndarray:
        return two_classes(problem.eta(X)[:, c])

    parameters = {"problem": problem.spec(), "c": c}
    return Problem("one_against_rest", eta, problem.box, 2, problem.density, parameters, problem.atoms)
