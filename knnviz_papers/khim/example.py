"""What runs on the paper's example share: its weights, its Bayes rule, and the uniform error."""

from collections.abc import Sequence

import numpy as np

from knnviz.problems import Problem, Sample
from knnviz.risk import Antiderivative
from knnviz.rules import Weighted
from knnviz.weights import Confusion, uniform_error
from knnviz_papers.simulate import window_votes

#: Class weights of the paper's Figures 1 and 2 and its Table 1, and equal ones on the same scale.
Q = (0.5, 0.3, 0.2)
EQUAL = (1 / 3, 1 / 3, 1 / 3)

#: The pair of Figure 2 that covers them for class 0: more weight on it, and less.
MORE = (0.52, 0.29, 0.19)
LESS = (0.48, 0.31, 0.21)

#: The class that Table 1 and Figure 2 are about, class 1 in the paper.
CLASS = 0

#: Failure probabilities: of Theorem 1, and of Theorem 3, half as large, as Theorem 5 requires of
#: the uniform error.
DELTA = 0.05
UNIFORM_DELTA = 0.025

#: Cells of [0, 1] that entries are integrated over, and the weighted Bayes rule.
RESOLUTION = 400_000
CELLS = 200_000


def entries(confusion: Confusion, names: Sequence[str]) -> np.ndarray:
    """Entries of class 0, such as "tn", in the order of their names."""
    return np.array([getattr(confusion, name)[CLASS] for name in names])


def weighted_bayes(problem: Problem, q: tuple[float, ...]) -> Antiderivative:
    """The weighted Bayes rule in place of eta: a risk there is how often a rule differs from it."""

    def decide(X: np.ndarray) -> np.ndarray:
        return Weighted(q).decide(problem.eta(X))

    return Antiderivative.build(problem, CELLS, decide)


def error_on_line(sample: Sample, problem: Problem, k: int) -> float:
    """The largest abs(eta-hat - eta) of a sample on a line, at both ends of each piece."""
    votes = window_votes(sample, problem.n_classes)
    low, high = problem.box[0]
    breakpoints = votes.windows.breakpoints(k)
    ends = np.concatenate([[low], breakpoints, [high]])
    eta = problem.eta(ends[:, None])
    fractions = votes.at(k) / k
    at_left = uniform_error(eta[:-1], fractions)
    at_right = uniform_error(eta[1:], fractions)
    return max(at_left, at_right)
