"""Confusion entries in WeightLab, of each class against the others."""

from typing import Any

from knnviz.labs.old_engine import Choice, Component, Input, stage
from knnviz.labs.old_parts.neighborhoods import Votes
from knnviz.labs.old_parts.weighted_map import ThreeClassData, WeightedVotes
from knnviz.weights import Confusion, confusion, confusion_bayes, confusion_fitted, confusion_hat
from knnviz.weights.entries import TieRule

#: The points on which decisions are counted; each training point is its own neighbor.
NEW_POINTS, TRAINING_POINTS = COUNTED = ("new points", "training points")

#: Which classes are predicted on a tie: the smallest ("argmax"), or all of them ("geq", greater or equal).
TIES: tuple[TieRule, ...] = ("argmax", "geq")
ARGMAX, GEQ = TIES


class Confusions(Component):
    """Confusion entries of the weighted vote and of the weighted Bayes rule."""

    data: ThreeClassData = Input()
    vote: WeightedVotes = Input()
    training: Votes = Input()
    held_out: Votes = Input()
    q: tuple[float, ...] = Input()

    counted = Choice(NEW_POINTS, COUNTED).tag(
        label="counted on", group="Entries and scores", tip="Training points are their own first neighbors"
    )
    ties: Any = Choice(ARGMAX, TIES).tag(
        label="ties", tip="Positive on a tie: the smallest class alone, or every tied class"
    )

    @stage
    def on_training(self) -> Confusion:
        """Empirical entries: eta-hat at the training points, with their own labels."""
        fractions = self.training.profile.at(self.data.k) / self.data.k
        return confusion_hat(fractions, self.data.labels, self.q, rule=self.ties)

    @stage
    def on_new(self) -> Confusion:
        return self.counted_on_new(self.ties)

    def counted_on_new(self, ties: TieRule) -> Confusion:
        """Entries of the fitted rule: over the true distribution, or for data at the points held out."""
        if self.data.chosen_problem.eta is None:
            fractions = self.held_out.profile.at(self.data.k) / self.data.k
            return confusion(fractions, self.data.source.y_test, self.q, rule=ties)
        cells, fractions = self.vote.new_points, self.vote.new_fractions
        return confusion_fitted(fractions, cells.eta, self.q, weights=cells.measure.weights, rule=ties)

    @stage
    def of_bayes(self) -> Confusion | None:
        return None if self.data.chosen_problem.eta is None else self.counted_for_bayes(self.ties)

    def counted_for_bayes(self, ties: TieRule) -> Confusion:
        cells = self.vote.new_points
        return confusion_bayes(cells.eta, self.q, weights=cells.measure.weights, rule=ties)

    @stage
    def risks(self) -> dict[str, float]:
        """Weighted risks of the vote and of the Bayes rule; on a tie both predict the smallest class."""
        vote, bayes = self.on_new, self.of_bayes
        if self.ties != ARGMAX:
            vote, bayes = self.counted_on_new(ARGMAX), self.counted_for_bayes(ARGMAX)
        return {"weighted_risk": vote.weighted_risk(self.q), "weighted_bayes_risk": bayes.weighted_risk(self.q)}

    @property
    def shown(self) -> Confusion:
        return self.on_new if self.counted == NEW_POINTS else self.on_training

    @property
    def where(self) -> str:
        return "points held out" if self.of_bayes is None and self.counted == NEW_POINTS else self.counted

    @stage
    def numbers(self) -> dict[str, Any]:
        new, bayes, shown = self.on_new, self.of_bayes, self.shown
        where = "held_out" if bayes is None else "new"
        numbers: dict[str, Any] = {"training_macro_f1": self.on_training.macro_f1}
        numbers |= {f"{where}_macro_f1": new.macro_f1, f"{where}_micro_f1": new.micro_f1}
        if bayes is not None:
            numbers |= {"disagreement": self.disagreement, "bayes_macro_f1": bayes.macro_f1}
            numbers |= {"bayes_micro_f1": bayes.micro_f1, **self.risks}
        return numbers | {name: tuple(getattr(shown, name).round(6).tolist()) for name in ("precision", "recall", "f1")}

    @stage
    def disagreement(self) -> float:
        """Probability that the vote and the Bayes rule differ at a new point."""
        vote, cells = self.vote, self.vote.new_points
        if self.data.chosen_problem.dimension == 2:
            return float(cells.measure.weights[vote.decisions != vote.bayes_decisions].sum())
        differ = vote.rule.predict(vote.new_votes, self.data.k) != vote.rule.decide(cells.eta)
        return float(cells.measure.weights[differ].sum())
