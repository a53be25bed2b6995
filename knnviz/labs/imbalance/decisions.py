"""Normal classes on a line, what the Bayes classifier or kNN predicts there under class weights, and how it scores."""

from collections.abc import Callable

import numpy as np

from knnviz import problems
from knnviz.labs.engine import Component, Float, Input, Int, stage
from knnviz.labs.parts.line_sample import WindowVotes
from knnviz.metrics import SCORES, WeightScorer
from knnviz.problems import Problem
from knnviz.rules import Threshold, Weighted
from knnviz.weights import greedy_search

#: Cells of the line over which densities are integrated; every ``THIN``-th of them is drawn.
CELLS, THIN = 20_000, 20

#: Exponents a of the weights prior^-a at which scores are computed.
EXPONENTS = np.arange(101) / 100

#: Keys of the scores in the readout, by their names in ``metrics.SCORES``.
SHOWN = {"accuracy": "accuracy", "balanced_accuracy": "balanced_accuracy", "f1_macro": "macro_f1"}

#: The probabilities (J, C) of predicting each class, and those of doing so rightly, by class weights (J, C).
Counts = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


class NormalClasses(Component):
    """Normal classes side by side on a line, whose prior probabilities fall off by Zipf's distribution."""

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
        """Prior probabilities (C,), before the axis cuts off a little of each class."""
        return np.array(problems.zipf(self.classes, self.exponent))

    @stage
    def centers(self) -> np.ndarray:
        """Means (C,) of the classes."""
        return (np.arange(self.classes) + 0.5) / self.classes

    @stage
    def chosen_problem(self) -> Problem:
        return problems.gaussians(self.classes, self.prior, self.scale)

    @stage
    def points(self) -> np.ndarray:
        """Centers (m,) of the cells of the line, ascending."""
        return self.chosen_problem.grid(CELLS).points[:, 0]

    @stage
    def joint(self) -> np.ndarray:
        """Probabilities (m, C) of cell and class."""
        joint = self.prior * np.exp(-(((self.points[:, None] - self.centers) / self.scale) ** 2) / 2)
        return joint / joint.sum()

    @stage
    def masses(self) -> np.ndarray:
        """Probabilities (C,) of the classes on the axis."""
        return self.joint.sum(axis=0)

    @stage
    def below(self) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities of all that lies to the left of each cell (m + 1,), and of each class there (m + 1, C)."""
        below = np.zeros((len(self.points) + 1, self.classes))
        np.cumsum(self.joint, axis=0, out=below[1:])
        return below.sum(axis=1), below

    def counts(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        begins, ends = np.searchsorted(self.points, intervals(self.prior, self.centers, self.scale, q))
        ends, classes, (below, below_by_class) = np.maximum(begins, ends), np.arange(self.classes), self.below
        return below[ends] - below[begins], below_by_class[ends, classes] - below_by_class[begins, classes]

    @property
    def drawn(self) -> slice:
        return slice(THIN // 2, None, THIN)

    @stage
    def x(self) -> np.ndarray:
        return self.points[self.drawn]

    @stage
    def heights(self) -> np.ndarray:
        """Prior times density (r, C) at the drawn cells, relative to the maximum of class 0."""
        joint = self.joint[self.drawn]
        return joint / joint[:, 0].max()


class Decisions(Component):
    """Predictions under class weights q, by the Bayes classifier, or by kNN if ``sampled``; and their scores."""

    world: NormalClasses = Input()
    votes: WindowVotes = Input()
    sampled: bool = Input()
    a: float = Input()
    k: int = Input()

    @stage
    def q(self) -> np.ndarray:
        weights = self.world.prior**-self.a
        return weights / weights.sum()

    @stage
    def window_of_cell(self) -> np.ndarray:
        """The window (m,) of the k nearest neighbors of each cell."""
        return self.votes.data.windows.starts(self.world.points, self.k)

    @stage
    def counts(self) -> Counts:
        if not self.sampled:
            return self.world.counts
        return voted_counts(self.votes.profile.at(self.k) / self.k, self.window_of_cell, self.world.joint)

    @stage
    def best(self) -> np.ndarray:
        return (self.q * self.world.heights).argmax(axis=1)

    @stage
    def voted(self) -> np.ndarray:
        rule = Threshold.from_weights(self.q) if len(self.q) == 2 else Weighted(self.q)
        return rule.predict(self.votes.profile, self.k)[self.window_of_cell[self.world.drawn]]

    @stage
    def voted_heights(self) -> np.ndarray:
        """Fractions of the votes (r, C) at the drawn cells, times the density of all classes."""
        fractions = self.votes.profile.at(self.k)[self.window_of_cell[self.world.drawn]] / self.k
        return fractions * self.world.heights.sum(axis=1)[:, None]

    @stage
    def predicted(self) -> np.ndarray:
        return self.counts(self.q[None])[0][0]

    def scores(self, q: np.ndarray) -> dict[str, np.ndarray]:
        predicted, right = self.counts(q)
        return {name: SCORES[name](predicted, right, self.world.masses) for name in SHOWN}

    @stage
    def here(self) -> dict[str, float]:
        return {name: float(score[0]) for name, score in self.scores(self.q[None]).items()}

    @stage
    def curves(self) -> dict[str, np.ndarray]:
        return self.scores(self.world.prior ** -EXPONENTS[:, None])

    @stage
    def greedy(self) -> tuple[float, float]:
        """Macro F1 that greedy steps reach from equal and from balanced weights."""
        prior = self.world.prior
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


def voted_counts(fractions: np.ndarray, window_of_cell: np.ndarray, joint: np.ndarray) -> Counts:
    """Counts on cells of joint probabilities (m, C), from the votes (w, C) in windows and the window of each cell."""
    used, first = np.unique(window_of_cell, return_index=True)
    # Of two classes class 1 wins a tie, as everywhere; ``WeightScorer`` gives it to the first class.
    order = slice(None, None, -1 if joint.shape[1] == 2 else 1)
    by_window = np.add.reduceat(joint, first)[:, order]
    masses = by_window.sum(axis=1)
    scorer = WeightScorer.of(fractions[used][:, order], by_window / masses[:, None], weights=masses)

    def counts(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        predicted, right = scorer.counts(q[:, order])
        return predicted[:, order], right[:, order]

    return counts
