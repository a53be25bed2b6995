"""Panels of BagNoiseLab: curves over the bag noise nu."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from knnviz.labs.bag_noise import layers
from knnviz.labs.bag_noise.data import Splits
from knnviz.labs.bag_noise.splits import LARGEST_NU, VOTE_K, Run
from knnviz.labs.old_engine import Input, Panel, stage, within
from knnviz.repeats import nan_mean, nan_standard_error
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

    title, ylabel, has_legend = "Error on points held out", "error", True

    @stage
    def errors(self) -> MeansAndStandardErrors:
        comparison = self.run.comparison
        values = {name: comparison.errors[:, :, i] for i, name in enumerate(comparison.names)}
        values |= {"vote": comparison.vote(VOTE_K), "best": comparison.best_vote()}
        return {name: (nan_mean(values[name]), nan_standard_error(values[name])) for name in layers.STYLES}

    @stage
    def means(self) -> dict[str, np.ndarray]:
        return {name: mean for name, (mean, _) in self.errors.items()}

    @stage(compare_values=True)
    def end(self) -> float:
        return layers.top(self.means.values())

    def axes(self) -> Axes:
        return layers.axes(self.name, self.title, self.ylabel, self.end)

    def layers(self) -> Iterator[Layer]:
        draw, end = self.draw, self.end
        yield draw(layers.bands, self.errors)
        yield from super().layers()
        yield draw(risk_view.progress, self.run.done, self.run.total, (LARGEST_NU, 0.03 * end))
        yield draw(layers.nu_star_name, self.data.largest_noise, end)
        yield draw(layers.handle, self.data.bag_noise, end)

    def alt_text(self) -> str:
        text = f"Rules on bags of {self.data.in_words}, means over {self.run.progress} splits."
        return f"{text} {layers.describe(self.means, 'Error')}"
