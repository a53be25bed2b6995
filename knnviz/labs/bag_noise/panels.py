"""Panels of BagNoiseLab: curves over the bag noise nu."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from knnviz.labs.bag_noise import layers
from knnviz.labs.bag_noise.data import Splits
from knnviz.labs.bag_noise.rivals import RIVAL_OPTIONS, RivalRun
from knnviz.labs.bag_noise.splits import LARGEST_NU, VOTE_K, Run
from knnviz.labs.engine import Choice, Input, Panel, stage, within
from knnviz.metrics.nan_means import nan_mean, nan_standard_error
from knnviz.views import risk as risk_view
from knnviz.views.layers import Axes, Layer

#: Means (J,) and their standard errors (J,) by rule.
MeansAndStandardErrors = dict[str, tuple[np.ndarray, np.ndarray]]


class NoisePanel(Panel):
    """Means (J,) over nu by rule, on an axis up to ``end``, with their values at the chosen nu."""

    data: Splits = Input()
    title: str = Input()
    ylabel: str = Input()
    means: Mapping[str, np.ndarray] = Input()
    end: float = Input()

    #: Whether the legend has the curves.
    has_legend = False

    def axes(self) -> Axes:
        return layers.axes(self.name, self.title, self.ylabel, self.end * (1 + layers.ROOM))

    def layers(self) -> Iterator[Layer]:
        yield self.draw(layers.curves, self.means, self.has_legend)
        yield self.draw(layers.nu_star, self.data.largest_noise, self.end)
        yield self.draw(layers.at_noise, self.data.bag_noise, self.end, self.means)

    def alt_text(self) -> str:
        return layers.describe(self.means, self.title)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"bag_noise": round(within(x, (0, LARGEST_NU)), 1)}


class ErrorPanel(NoisePanel):
    """Mean errors with their bands, and how much is computed."""

    run: Run = Input()
    rival_run: RivalRun | None = Input()

    rivals = Choice("none", RIVAL_OPTIONS).tag(
        label="rivals",
        group="Linear scores",
        tip="Learned from the bags on columns with mean 0 and variance 1; on the digits each takes seconds for a split",
    )

    title, ylabel, has_legend = "Error on points held out", "error", True

    @stage
    def errors(self) -> MeansAndStandardErrors:
        comparison = self.run.comparison
        values = {name: comparison.errors[:, :, i] for i, name in enumerate(comparison.names)}
        values |= {"vote": comparison.vote(VOTE_K), "best": comparison.best_vote()}
        return {name: (nan_mean(values[name]), nan_standard_error(values[name])) for name in layers.NEIGHBOR_STYLES}

    @stage
    def rival_errors(self) -> MeansAndStandardErrors:
        run = self.rival_run
        values = {} if run is None else dict(zip(run.methods, np.moveaxis(run.errors, 2, 0), strict=True))
        return {name: (nan_mean(each), nan_standard_error(each)) for name, each in values.items()}

    @stage
    def means(self) -> dict[str, np.ndarray]:
        return {name: mean for name, (mean, _) in (self.errors | self.rival_errors).items()}

    @stage(compare_values=True)
    def end(self) -> float:
        return layers.top(self.means.values())

    @stage
    def with_bands(self) -> MeansAndStandardErrors:
        """The curves that have a band: all rules on neighbors, and a rival that is alone."""
        return self.errors | (self.rival_errors if len(self.rival_errors) == 1 else {})

    def axes(self) -> Axes:
        axes = layers.axes(self.name, self.title, self.ylabel, self.end)
        return layers.with_legend(axes, len(layers.NEIGHBOR_STYLES) + len(RIVAL_OPTIONS[self.rivals]))

    def layers(self) -> Iterator[Layer]:
        draw, end = self.draw, self.end
        runs = [run for run in (self.run, self.rival_run) if run is not None]
        yield draw(layers.bands, self.with_bands)
        yield from super().layers()
        done, total = sum(run.done for run in runs), sum(run.total for run in runs)
        yield draw(risk_view.progress, done, total, (LARGEST_NU, 0.03 * end))
        yield draw(layers.nu_star_name, self.data.largest_noise, end)
        yield draw(layers.handle, self.data.bag_noise, end)

    def alt_text(self) -> str:
        text = f"Rules on bags of {self.data.in_words}, means over {self.run.progress} splits."
        if self.rival_run is not None:
            text += f" Linear rivals, {self.rival_run.progress} curves of a split done."
        return f"{text} {layers.describe(self.means, 'Error')}"
