"""What labs on balls that stop by themselves share: PL A-kNN beside A-kNN's extension and a plain vote."""

import numpy as np

from knnviz import risk
from knnviz.bounds.errandonea import least_c1
from knnviz.labs.bagged import BagLab
from knnviz.labs.engine.parameters import Choice, Float, LogInt
from knnviz.labs.engine.stages import stage
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.rules import Adaptive, PartialAdaptive, Scan, Vote

#: Where c1 comes from, and who wins if several labels are left.
CONSTANTS = ("as set", "of the proof")
FALLBACKS = {"largest lead": "lead", "majority": "majority"}

#: Neighbors of the plain vote beside it.
VOTERS = 10

#: Largest T by dimension, and the numbers of neighbors that are looked up for one.
LARGEST = {1: 5000, 2: 400}
LOOKED_UP = (100, 200, 400, 1000, 5000)


class StoppingLab(BagLab):
    """Three rules on one sample of bags, what they decide on the map, and how often they err.

    What one of them decides is a stage of its own, so that a plain vote is not taken anew for another band.
    """

    c1 = Float(0.5, min=0.05, max=3, step=0.05).tag(
        label="band constant", symbol="c1", group="PL A-kNN", tip="Constant of the band Delta(k) = A / sqrt(k)"
    )
    max_neighbors = LogInt(100, min=5, max=LARGEST[1]).tag(
        label="largest k", symbol="T", tip="After so many neighbors the ball stops in any case"
    )
    delta = Float(0.1, min=0.01, max=0.5).tag(
        label="failure probability", symbol="delta", tip="Failure probability: the band grows with log(C / delta)"
    )
    constants = Choice(CONSTANTS[0], CONSTANTS).tag(label="constants", tip="c1 as it is set, or as the proof needs it")
    fallback = Choice("largest lead", FALLBACKS).tag(
        label="at T", tip="Who wins if several labels are left: the largest lead ever held, or most bags"
    )

    @stage(compare_values=True)
    def most(self) -> int:
        """T, at most n."""
        return min(self.max_neighbors, self.n)

    @stage(compare_values=True)
    def k_max(self) -> int:
        """Neighbors that are looked up: as few as T allows, in steps."""
        return min(next(count for count in LOOKED_UP if count >= self.max_neighbors), self.n)

    @stage(compare_values=True)
    def constant(self) -> float:
        """c1, as set or as the proof needs it."""
        return self.c1 if self.constants == CONSTANTS[0] else least_c1()

    @stage
    def rule(self) -> PartialAdaptive:
        """PL A-kNN."""
        return PartialAdaptive(self.constant, self.delta, self.max_neighbors, FALLBACKS[self.fallback])

    @stage
    def other(self) -> Adaptive:
        """A-kNN's extension to bags."""
        return Adaptive(self.constant, self.delta, self.max_neighbors)

    @stage
    def scan(self) -> Scan:
        """Where the balls around the cells stop."""
        return self._scan(self.rule, self.mapped[1])

    def _scan(self, rule: Adaptive | PartialAdaptive, table: NeighborTable) -> Scan:
        return rule.scan(table, self.bags, self.plane.n_classes)

    def _vote(self, table: NeighborTable) -> np.ndarray:
        """The plain vote of the nearest bags."""
        votes = VoteProfile.count(table, self.bags, self.plane.n_classes)
        return Vote().predict(votes, min(VOTERS, self.n))

    @stage
    def judged(self) -> NeighborTable:
        """Neighbors of where decisions are judged: of the cells where eta is known, else of the points held out."""
        return self.test_table if self.plane.eta is None else self.mapped[1]

    @stage
    def own_risk(self) -> float:
        """Risk of PL A-kNN."""
        known = self.plane.eta is not None
        return self._risk((self.scan if known else self._scan(self.rule, self.judged)).labels)

    @stage
    def other_risk(self) -> float:
        """Risk of A-kNN."""
        return self._risk(self._scan(self.other, self.judged).labels)

    @stage
    def vote_risk(self) -> float:
        """Risk of the plain vote."""
        return self._risk(self._vote(self.judged))

    def _risk(self, labels: np.ndarray) -> float:
        """Exact risk of labels where eta is known, else that on points held out."""
        if self.plane.eta is None:
            return risk.held_out(labels, self.source.y_test)
        return risk.exact(labels, self.field.eta, self.field.measure.weights)

    @stage
    def limits_of_risks(self) -> dict[str, float]:
        """What ever more points lead to, the best there is, and how much is misaligned; nothing for data."""
        if self.plane.eta is None:
            return {}
        cells = self.field
        in_most = self.frequency.argmax(axis=1)
        excess = cells.eta.max(axis=1) - cells.eta[np.arange(len(in_most)), in_most]
        mass = float(cells.measure.weights[self.misaligned].sum())
        limit = self.bayes_risk + float(cells.measure.weights @ excess)
        return {"limit": limit, "bayes_risk": self.bayes_risk, "misaligned_mass": mass}
