"""The trials of TuningLab: searches for weights on fresh samples, and mean scores over those that are done."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.labs.old_engine import Choice, Input, Int, Panel, stage
from knnviz.labs.old_parts.buttons import Button, stop
from knnviz.labs.old_parts.risk_panel import OFF
from knnviz.labs.old_parts.sources import problem_named
from knnviz.labs.tuning import trial_layers
from knnviz.labs.tuning.layers import STYLES
from knnviz.labs.tuning.search import Searches, TuningData
from knnviz.views import risk as risk_view
from knnviz.views.layers import Axes, Layer
from knnviz.weights import Trials, largest_k, neighbors_rule, trials

#: Curves over fresh samples, all but the last over n.
CURVES = (OFF, "F1 over n", "grid minus greedy", "distance of weights", "F1 over k")
_, F1_OVER_N, DIFFERENCE, DISTANCE, OVER_K = CURVES

SIZES = (50, 100, 200, 500, 1000, 1500, 2000, 2500)
KS = (1, 2, 5, 10, 20, 35, 50, 75, 100, 150, 200)


class TrialPanel(Panel):
    """Mean scores over fresh samples of the weights that each method finds."""

    data: TuningData = Input()
    searches: Searches = Input()
    judged: str = Input()

    curve = Choice(OFF, CURVES).tag(
        label="trials", group="Fresh samples", tip="Means over fresh samples; over n with k = 5 n^(1/3)"
    )
    repeats = Int(50, min=2, max=100).tag(
        label="samples", tip="Fresh samples for each point of a curve", when={"curve": CURVES[1:]}
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        return {"curve", "repeats"} if problem_named(values["problem"]).eta is None else set()

    def actions(self) -> list[Button]:
        return [stop(self.lab)]

    @stage(compare_values=True)
    def over(self) -> str | None:
        """The parameter on the x axis: all curves over n show the same trials."""
        return None if self.curve == OFF else "k" if self.curve == OVER_K else "n"

    @stage(streaming=True)
    def results(self) -> Iterator[Trials | None]:
        over, problem = self.over, self.data.chosen_problem
        if over is None:
            yield None
            return
        arguments: dict[str, Any] = {"repeats": self.repeats, "seed": self.data.seed}
        searches = replace(self.searches.options, n_steps=self.searches.n_steps)
        if over == "k":
            n, most = self.data.n, largest_k(self.data.n, searches.validation)
            arguments |= {"over": {"k": [k for k in KS if k <= most]}, "n": n}
        else:
            arguments |= {"over": {"n": SIZES}, "k": neighbors_rule}
        yield None
        yield from trials(problem, searches, **arguments)

    @property
    def x_limits(self) -> tuple[float, float]:
        values = KS if self.over == "k" else SIZES
        return values[0] / 1.15, values[-1] * 1.15

    @property
    def average(self) -> str:
        """Which F1 judges weights on new points, "macro" or "micro"."""
        return self.judged.split()[0]

    @stage
    def curves(self) -> tuple[Layer, ...]:
        if self.results is None:
            return ()
        if self.curve == DIFFERENCE:
            return trial_layers.differences(self.results, self.x_limits)
        if self.curve == DISTANCE:
            return trial_layers.distances(self.results)
        return trial_layers.scores(self.results, self.average)

    @stage(compare_values=True)
    def y_limits(self) -> tuple[float, float]:
        return trial_layers.limits(self.curves)

    def axes(self) -> Axes:
        title = self.curve.replace("F1", self.judged)
        ylabel = {DIFFERENCE: "difference", DISTANCE: "distance"}.get(self.curve, "score")
        return trial_layers.axes(title, self.over or "n", self.x_limits, self.y_limits, ylabel)

    def layers(self) -> Iterator[Layer | tuple[Layer, ...]]:
        results = self.results
        if results is None:
            why = "data have no fresh samples" if self.data.chosen_problem.eta is None else "choose a curve"
            yield self.draw(trial_layers.no_curve, self.x_limits, self.y_limits, why)
            return
        yield self.curves
        top_right = self.x_limits[1] * 0.94, np.dot(self.y_limits, (0.1, 0.9))
        yield risk_view.progress(results.done, results.pieces, top_right)

    def alt_text(self) -> str:
        results, on_new = self.results, "F1 on new points"
        if results is None:
            return ""
        if self.curve == DIFFERENCE:
            means = {f"{self.curve}, mean {name} {on_new}": results.difference(name)[0] for name in ("macro", "micro")}
        elif self.curve == DISTANCE:
            means = {"distance of mean weights, grid to greedy": results.distance()[0]}
        else:
            by_method = zip(STYLES.values(), results.mean(self.average), strict=True)
            means = {f"{style.label}, mean {self.average} {on_new}": mean for style, mean in by_method}
        return trial_layers.describe(results, means)
