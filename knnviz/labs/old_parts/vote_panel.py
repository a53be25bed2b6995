"""The vote curve: the fraction of each class among the k nearest neighbors of x, over k."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from knnviz.labs.old_engine import Input, Panel
from knnviz.labs.old_parts.neighborhoods import QueryPoint
from knnviz.labs.old_parts.training_data import TrainingData
from knnviz.noise import LabelNoise
from knnviz.profiles import BallProfile, VoteProfile
from knnviz.views import vote_curve
from knnviz.views.layers import Axes, Layer, Lines


class VotePanel(Panel):
    """The fraction of each class among the k nearest neighbors of the query point over k, and thresholds."""

    data: TrainingData = Input()
    query: QueryPoint = Input()
    k: int = Input()
    #: The largest k on the x axis.
    k_axis_end: int = Input()
    #: Name of the class that the rule predicts at the query point.
    decision: str = Input()
    thresholds: tuple[vote_curve.ThresholdLine, ...] = Input(())
    #: Label noise, which the true frequencies include.
    noise: LabelNoise | None = Input(None)
    #: Layout of the text with the votes at k; by default that of the display scale.
    votes_text: vote_curve.TextLayout | None = Input(None)
    #: The one class whose curve is drawn; by default all.
    only_class: int | None = Input(None)

    def axes(self) -> Axes:
        axes = vote_curve.axes(self.k_axis_end)
        return axes if self.only_class is None else replace(axes, legend_columns=1)

    def layers(self) -> Iterator[Layer | Iterable[Layer]]:
        draw, counts = self.draw, self.query.votes.counts[0]
        yield from self.curves()
        yield [draw(vote_curve.threshold_line, threshold, (0, self.k_axis_end + 1)) for threshold in self.thresholds]
        yield draw(vote_curve.at_k, self.k)
        layout = self.votes_text or self.lab.display_scale.votes_text
        yield vote_curve.vote_text(counts, self.k, self.decision, self.k_axis_end, layout, self.thresholds)

    def curves(self) -> Iterator[Layer]:
        """Fractions of the classes in the true distribution and in the sample."""
        problem = self.data.chosen_problem
        if problem.eta is not None:
            yield from self.draw(true_frequencies, self.query.balls, self.noise, self.data.n, self.only_class)
        yield from self.draw(sample_frequencies, self.query.votes, problem.class_names, self.only_class)

    def alt_text(self) -> str:
        votes, names = self.query.votes.counts[0, self.k - 1], self.data.chosen_problem.class_names
        return vote_curve.describe(self.query.x, votes, self.k, names, self.decision)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return self.lab.nearest_step("k", x)


def sample_frequencies(votes: VoteProfile, class_names: tuple[str, ...], only_class: int | None = None) -> list[Lines]:
    """The fraction of each class, or of one class, among the k nearest neighbors over k."""
    curves = vote_curve.curves(votes.counts[0], class_names)
    return curves if only_class is None else [curves[only_class]]


def true_frequencies(
    balls: BallProfile, noise: LabelNoise | None, n: int, only_class: int | None = None
) -> list[Lines]:
    """The probability of each class, or of one class, in the ball around x of mass k / n, after label noise if any."""
    probabilities = balls.frequency[:, :, 0].astype(float)
    curves = vote_curve.population(balls.masses, probabilities if noise is None else noise.corrupt(probabilities), n)
    # Only the first of all curves has an entry in the legend.
    return curves if only_class is None else [replace(curves[only_class], label=curves[0].label)]
