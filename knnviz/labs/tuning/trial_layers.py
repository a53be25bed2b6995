"""Trials: what weights of several ways score, as means over fresh samples."""

from collections.abc import Iterable, Mapping

import numpy as np

from knnviz.labs.tuning.layers import COLORS, DASH, STYLES, ends
from knnviz.views import risk, style
from knnviz.views.layers import Annotations, Axes, Layer, Lines
from knnviz.weights import Trials

OVER = {"n": "sample size n, k = 5 n^(1/3)", "k": "neighbors k"}


def axes(curve: str, over: str, limit: tuple[float, float], heights: tuple[float, float], name: str) -> Axes:
    return Axes("trials", f"Trials: {curve}", OVER[over], name, limit, heights, log=True, legend_columns=3)


def nothing(limit: tuple[float, float], heights: tuple[float, float], why: str) -> Annotations:
    x, y = np.sqrt(np.prod(limit)), np.mean(heights)
    return Annotations(name="nothing", x=x, y=y, texts=(why,), color=style.MUTED, align="center")


def limits(curves: Iterable[Layer]) -> tuple[float, float]:
    found = [getattr(layer, name) for layer in curves for name in ("y", "lower", "upper") if hasattr(layer, name)]
    return ends(np.concatenate([*found, [np.nan]]))


def scores(run: Trials, judged: str) -> tuple[Layer, ...]:
    """Means of what is searched for, dashed, and of the score on new points that judges it, by way."""
    searched, mean, error = run.mean("searched"), run.mean(judged), run.standard_error(judged)
    drawn: list[Layer] = []
    for i, (way, look) in enumerate(STYLES.items()):
        known = ~np.isnan(searched[i])
        x, y, label = run.values[known], searched[i, known], None if i else "searched score"
        # Only a mean on new points has a band, so that bands can be told apart.
        drawn.append(Lines(name=f"{way}_searched", label=label, x=x, y=y, color=look.color, dash=DASH))
        drawn += risk.curve(run.values, mean[i], error[i], look.label, way, look.color)
    return risk.label_one_band(drawn)


def differences(run: Trials, limit: tuple[float, float]) -> tuple[Layer, ...]:
    drawn: list[Layer] = [Lines(name="zero", x=limit, y=0, dash=(2, 3))]
    for scored, color in zip(("macro", "micro"), COLORS[1:], strict=True):
        drawn += risk.curve(run.values, *run.difference(scored), f"{scored} F1", scored, color)
    return risk.label_one_band(drawn)


def distances(run: Trials) -> tuple[Layer, ...]:
    return risk.curve(run.values, *run.distance(), "grid to greedy", "distance", style.INK)


def describe(run: Trials, means: Mapping[str, np.ndarray]) -> str:
    done = f"Trials over {run.over}, {run.done} of {run.pieces} done."
    curves = [risk.describe(run.over, run.values, mean, name) for name, mean in means.items()]
    return " ".join([done, *curves]) if run.done else done
