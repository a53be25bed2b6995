"""What labs share that search for weights on sample after sample: means over trials, as far as they are done."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.labs.engine.parameters import Choice, Int
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.sources import known
from knnviz.labs.risks import OFF, StreamLab
from knnviz.labs.searching import JUDGED, SearchLab
from knnviz.views import risk as risk_view
from knnviz.views import trials as trial_view
from knnviz.views.layers import Axes, Layer, Place
from knnviz.views.tuning import LOOKS
from knnviz.weights import Trials, neighbors_rule, trials, voters

#: Curves over fresh samples, all but the last over n.
CURVES = (OFF, "F1 over n", "grid minus greedy", "distance of weights", "F1 over k")
OVER_K = CURVES[4]

#: Sample sizes and neighbors of the curves.
SIZES = (50, 100, 200, 500, 1000, 1500, 2000, 2500)
KS = (1, 2, 5, 10, 20, 35, 50, 75, 100, 150, 200)


class TrialLab(SearchLab, StreamLab):
    """Searches for weights on one sample, and curves of their means over fresh samples."""

    curve = Choice(OFF, CURVES).tag(
        label="trials", group="Fresh samples", tip="Means over fresh samples; over n with k = 5 n^(1/3)"
    )
    repeats = Int(50, min=2, max=100).tag(label="samples", tip="Fresh samples for each point of a curve")

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """Trials where there are data only."""
        hidden = super().hidden(values)
        if known(values["problem"]).eta is None:
            return hidden | {"curve", "repeats"}
        return hidden | ({"repeats"} if values["curve"] == OFF else set())

    @stage(compare_values=True)
    def over(self) -> str | None:
        """What trials run over, "n" or "k": all curves over n are of the same ones."""
        return None if self.curve == OFF else "k" if self.curve == OVER_K else "n"

    @stage(streaming=True)
    def run(self) -> Iterator[Trials | None]:
        """Searches on fresh samples, as far as they are done."""
        over, problem = self.over, self.plane
        if over is None:
            yield None
            return
        settings: dict[str, Any] = {"repeats": self.repeats, "seed": self.seed}
        searches = replace(self.searches, n_steps=self.n_steps)
        if over == "k":
            n, most = self.n, voters(self.n, searches.validation)
            settings |= {"over": {"k": [k for k in KS if k <= most]}, "n": n}
        else:
            settings |= {"over": {"n": SIZES}, "k": neighbors_rule}
        yield None
        yield from trials(problem, searches, **settings)

    @stage(compare_values=True)
    def trial_ends(self) -> tuple[float, float]:
        """Where the axis of the trials ends."""
        values = KS if self.over == "k" else SIZES
        return values[0] / 1.15, values[-1] * 1.15

    @stage(compare_values=True)
    def trial_range(self) -> tuple[float, float]:
        """Limits of what is drawn over it."""
        return trial_view.limits(self.trial_curves)

    @stage
    def trial_curves(self) -> tuple[Layer, ...]:
        """The curves so far."""
        run = self.run
        if run is None:
            return ()
        if self.curve == CURVES[2]:
            return trial_view.differences(run, self.trial_ends)
        if self.curve == CURVES[3]:
            return trial_view.distances(run)
        return trial_view.scores(run, self._judged)

    @stage
    def trial_layers(self) -> tuple[Layer, ...]:
        """The same, and how much is done."""
        run = self.run
        if run is None:
            why = "data have no fresh samples" if self.plane.eta is None else "choose a curve"
            return (trial_view.nothing(self.trial_ends, self.trial_range, why),)
        corner = self.trial_ends[1] * 0.94, np.dot(self.trial_range, (0.1, 0.9))
        return *self.trial_curves, risk_view.progress(run.done, run.pieces, corner)

    def trial_axes(self, place: Place) -> Axes:
        """The frame of the curves."""
        name = {CURVES[2]: "difference", CURVES[3]: "distance"}.get(self.curve)
        title = self.curve if name else self.curve.replace("F1", self.judged)
        frame = self.over or "n", self.trial_ends, self.trial_range, name or "score", place
        return trial_view.axes(title, *frame)

    @stage
    def trial_means(self) -> dict[str, np.ndarray]:
        """The curves (J,) on show by what they are called in words."""
        run, new = self.run, "F1 on new points"
        if self.curve == CURVES[2]:
            return {f"{self.curve}, mean {each} {new}": run.difference(each)[0] for each in ("macro", "micro")}
        if self.curve == CURVES[3]:
            return {"distance of mean weights, grid to greedy": run.distance()[0]}
        means = run.mean(self._judged)
        looks = zip(LOOKS.values(), means, strict=True)
        return {f"{look.label}, mean {self._judged} {new}": mean for look, mean in looks}

    @property
    def _judged(self) -> str:
        """The score on new points, as trials call it."""
        return ("macro", "micro")[JUDGED.index(self.judged)]

    @stage
    def trial_words(self) -> str:
        """The curves in words and numbers."""
        return "" if self.run is None else trial_view.describe(self.run, self.trial_means)
