"""Normal classes on a line, what the Bayes classifier or kNN predicts there under class weights, and how it scores."""

from collections.abc import Callable

import numpy as np

from knnviz import problems
from knnviz.labs.old_engine import Component, Float, Input, Int, stage
from knnviz.labs.old_parts.line_sample import WindowVotes
from knnviz.problems import Problem
from knnviz.rules import Threshold, Weighted
from knnviz.weights import SCORES, WeightScorer, greedy_search

#: Cells of the line over which densities are integrated; every ``THIN``-th of them is a drawn cell.
CELLS, THIN = 20_000, 20

#: Exponents a of the weights prior^-a at which scores are computed.
A_VALUES = np.arange(101) / 100

#: Keys of the scores in the readout, by their names in ``weights.SCORES``.
READOUT_KEYS = {"accuracy": "accuracy", "balanced_accuracy": "balanced_accuracy", "f1_macro": "macro_f1"}

#: Takes class weights (J, C); returns the probabilities (J, C) of predicting each class, and of doing so correctly.
PredictedAndRight = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


class NormalClasses(Component):
    """Normal classes side by side on a line, whose prior probabilities follow Zipf's distribution."""

    classes = Int(8, min=2, max=12).tag(
        label="classes", symbol="C", group="Classes", tip="Their centers are (c + 1/2) / C, from left to right"
    )
    exponent = Float(2.0, min=0, max=3, step=0.1, digits=1).tag(
        label="Zipf exponent", symbol="s", tip="The prior of class c is proportional to (c + 1)^-s"
    )
    scale = Float(0.2, min=0.05, max=0.4).tag(
        label="deviation", symbol="sigma", tip="Standard deviation of each class; what lies beyond the axis is cut off"
    )

    @stage
    def prior(self) -> np.ndarray:
        """Prior probabilities (C,) of the classes before they are cut off at the ends of the axis."""
        return np.array(problems.zipf(self.classes, self.exponent))

    @stage
    def centers(self) -> np.ndarray:
        """Means (C,) of the classes."""
        return (np.arange(self.classes) + 0.5) / self.classes

    @stage
    def chosen_problem(self) -> Problem:
        return problems.gaussians(self.classes, self.prior, self.scale)

    @stage
    def cells(self) -> np.ndarray:
        """Centers (m,) of the cells of the line, ascending."""
        return self.chosen_problem.grid(CELLS).points[:, 0]

    @stage
    def joint(self) -> np.ndarray:
        """Probabilities (m, C) of cell and class."""
        joint = self.prior * np.exp(-(((self.cells[:, None] - self.centers) / self.scale) ** 2) / 2)
        return joint / joint.sum()

    @stage
    def class_probabilities(self) -> np.ndarray:
        """Probabilities (C,) of the classes after they are cut off."""
        return self.joint.sum(axis=0)

    @stage
    def cumulative(self) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities to the left of each end of a cell, of all classes (m + 1,) and of each (m + 1, C)."""
        below = np.zeros((len(self.cells) + 1, self.classes))
        np.cumsum(self.joint, axis=0, out=below[1:])
        return below.sum(axis=1), below

    def predicted_and_right(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        begins, ends = np.searchsorted(self.cells, intervals(self.prior, self.centers, self.scale, q))
        ends, classes, (total, by_class) = np.maximum(begins, ends), np.arange(self.classes), self.cumulative
        return total[ends] - total[begins], by_class[ends, classes] - by_class[begins, classes]

    @property
    def drawn_cells(self) -> slice:
        return slice(THIN // 2, None, THIN)

    @stage
    def drawn_x(self) -> np.ndarray:
        """Centers (r,) of the drawn cells."""
        return self.cells[self.drawn_cells]

    @stage
    def heights(self) -> np.ndarray:
        """Prior times density (r, C) of each class at the drawn cells, relative to the maximum of class 0."""
        joint = self.joint[self.drawn_cells]
        return joint / joint[:, 0].max()


class Decisions(Component):
    """Predictions under class weights q, by the Bayes classifier, or by kNN if ``sampled``; and their scores."""

    classes_on_line: NormalClasses = Input()
    votes: WindowVotes = Input()
    sampled: bool = Input()
    a: float = Input()
    k: int = Input()

    @stage
    def q(self) -> np.ndarray:
        weights = self.classes_on_line.prior**-self.a
        return weights / weights.sum()

    @stage
    def window_of_cell(self) -> np.ndarray:
        """The window (m,) of the k nearest neighbors of each cell."""
        return self.votes.data.windows.starts(self.classes_on_line.cells, self.k)

    @stage
    def predicted_and_right(self) -> PredictedAndRight:
        if not self.sampled:
            return self.classes_on_line.predicted_and_right
        return from_votes(self.votes.profile.at(self.k) / self.k, self.window_of_cell, self.classes_on_line.joint)

    @stage
    def bayes_decisions(self) -> np.ndarray:
        """Classes (r,) that the Bayes classifier predicts at the drawn cells."""
        return (self.q * self.classes_on_line.heights).argmax(axis=1)

    @stage
    def knn_decisions(self) -> np.ndarray:
        """Classes (r,) that kNN predicts at the drawn cells."""
        rule = Threshold.from_weights(self.q) if len(self.q) == 2 else Weighted(self.q)
        return rule.predict(self.votes.profile, self.k)[self.window_of_cell[self.classes_on_line.drawn_cells]]

    @stage
    def knn_heights(self) -> np.ndarray:
        """Fractions of the votes (r, C) at the drawn cells, times the density of all classes."""
        fractions = self.votes.profile.at(self.k)[self.window_of_cell[self.classes_on_line.drawn_cells]] / self.k
        return fractions * self.classes_on_line.heights.sum(axis=1)[:, None]

    @stage
    def predicted_fractions(self) -> np.ndarray:
        """Probabilities (C,) of predicting each class."""
        return self.predicted_and_right(self.q[None])[0][0]

    def scores(self, q: np.ndarray) -> dict[str, np.ndarray]:
        predicted, right = self.predicted_and_right(q)
        return {name: SCORES[name](predicted, right, self.classes_on_line.class_probabilities) for name in READOUT_KEYS}

    @stage
    def scores_at_a(self) -> dict[str, float]:
        return {name: float(score[0]) for name, score in self.scores(self.q[None]).items()}

    @stage
    def scores_over_a(self) -> dict[str, np.ndarray]:
        """Each score at ``A_VALUES``."""
        return self.scores(self.classes_on_line.prior ** -A_VALUES[:, None])

    @stage
    def greedy_scores(self) -> tuple[float, float]:
        """Macro F1 that a greedy search reaches from equal weights, and from weights 1 / prior."""
        prior = self.classes_on_line.prior
        starts = [1.0] * len(prior), (1 / prior).tolist()
        equal, balanced = (greedy_search(lambda q: self.scores(q)["f1_macro"], start).score for start in starts)
        return equal, balanced


def intervals(prior: np.ndarray, centers: np.ndarray, scale: float, q: np.ndarray) -> np.ndarray:
    """Ends (2, J, C) of the interval on which the Bayes classifier of weights q (J, C) predicts each class.

    Classes are normal with one standard deviation, and their ``centers`` ascend. So a class is predicted from the last
    point at which it ties with a class to its left up to the first at which it ties with one to its right.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs, gaps = np.log(q * prior), np.subtract.outer(centers, centers) / scale**2
        ties = (logs[:, None, :] - logs[:, :, None]) / gaps + np.add.outer(centers, centers) / 2
    to_left = np.tri(len(centers), k=-1, dtype=bool)
    begins = np.fmax.reduce(np.where(to_left, ties, -np.inf), axis=2)
    return np.stack([begins, np.fmin.reduce(np.where(to_left.T, ties, np.inf), axis=2)])


def from_votes(fractions: np.ndarray, window_of_cell: np.ndarray, joint: np.ndarray) -> PredictedAndRight:
    """The function of kNN, from fractions of votes (w, C), the window (m,) of each cell, and ``joint`` (m, C)."""
    used, first = np.unique(window_of_cell, return_index=True)
    # Of two classes class 1 wins a tie, as everywhere; ``WeightScorer`` gives it to the first class.
    order = slice(None, None, -1 if joint.shape[1] == 2 else 1)
    by_window = np.add.reduceat(joint, first)[:, order]
    masses = by_window.sum(axis=1)
    scorer = WeightScorer.from_fractions(fractions[used][:, order], by_window / masses[:, None], weights=masses)

    def predicted_and_right(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        predicted, right = scorer.counts(q[:, order])
        return predicted[:, order], right[:, order]

    return predicted_and_right
