"""Trials: scores of weights that several methods find, as means over fresh samples."""

from collections.abc import Iterable, Mapping

import numpy as np

from knnviz.labs.tuning.layers import COLORS, DASH, STYLES
from knnviz.labs.tuning.layers import limits as limits_around
from knnviz.views import risk, style
from knnviz.views.layers import Annotations, Axes, Layer, Lines
from knnviz.weights import Trials

#: Labels of the x axis by parameter.
LABELS = {"n": "sample size n, k = 5 n^(1/3)", "k": "neighbors k"}


def axes(curve: str, over: str, xlim: tuple[float, float], ylim: tuple[float, float], ylabel: str) -> Axes:
    return Axes("trials", f"Trials: {curve}", LABELS[over], ylabel, xlim, ylim, log=True, legend_columns=3)


def no_curve(xlim: tuple[float, float], ylim: tuple[float, float], why: str) -> Annotations:
    """A text in the middle of the panel: why there is no curve."""
    x, y = np.sqrt(np.prod(xlim)), np.mean(ylim)
    return Annotations(name="nothing", x=x, y=y, texts=(why,), color=style.MUTED, align="center")


def limits(curves: Iterable[Layer]) -> tuple[float, float]:
    heights = [getattr(layer, name) for layer in curves for name in ("y", "lower", "upper") if hasattr(layer, name)]
    return limits_around(np.concatenate([*heights, [np.nan]]))


def scores(results: Trials, average: str) -> tuple[Layer, ...]:
    """Mean scores of each method: the searched one, dashed, and F1 on new points, macro or micro by ``average``."""
    searched, mean, error = results.mean("searched"), results.mean(average), results.standard_error(average)
    drawn: list[Layer] = []
    for i, (method, (title, color, _)) in enumerate(STYLES.items()):
        known = ~np.isnan(searched[i])
        x, y, label = results.values[known], searched[i, known], None if i else "searched score"
        # Only means on new points have a band, so that bands can be told apart.
        drawn.append(Lines(name=f"{method}_searched", label=label, x=x, y=y, color=color, dash=DASH))
        drawn += risk.curve(results.values, mean[i], error[i], title, method, color)
    return risk.label_one_band(drawn)


def differences(results: Trials, xlim: tuple[float, float]) -> tuple[Layer, ...]:
    drawn: list[Layer] = [Lines(name="zero", x=xlim, y=0, dash=(2, 3))]
    for average, color in zip(("macro", "micro"), COLORS[1:], strict=True):
        drawn += risk.curve(results.values, *results.difference(average), f"{average} F1", average, color)
    return risk.label_one_band(drawn)


def distances(results: Trials) -> tuple[Layer, ...]:
    return risk.curve(results.values, *results.distance(), "grid to greedy", "distance", style.INK)


def describe(results: Trials, means: Mapping[str, np.ndarray]) -> str:
    done = f"Trials over {results.over}, {results.done} of {results.pieces} done."
    curves = [risk.describe(results.over, results.values, mean, name) for name, mean in means.items()]
    return " ".join([done, *curves]) if results.done else done
