"""Accuracies of robust kNN (RkNN) and kNN: a row of panels for each figure of the paper, a column
for each data set.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from matplotlib.figure import Figure
from pandas import DataFrame

from knnviz.views import marks, risk, static, style
from knnviz.views.layers import Axes, Band, Layer, Panel, Picture
from knnviz.views.ticks import round_numbers

#: What each figure varies, and the label of its x axis.
LABELS = {"k": "neighbors k", "k_noise": "neighbors for the noise k'", "n": "training rows n"}

#: The sheet; width and height of axes, the first corner, and the distances to the next ones.
SIZE = (1240, 858)
WIDTH = 250
HEIGHT = 190
LEFT = 70
TOP = 40
COLUMN_STEP = 300
ROW_STEP = 270

#: Limits of the y axis; 1/2 is the accuracy of a coin.
LIMITS = (0.5, 1.0)


def plot_accuracies(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Figure:
    """Plot the accuracies of Figures 2 to 4, from rows of their runs by "k", "k_noise" and "n".

    A color is a pair of flip rates; RkNN is a solid line with a band of two standard errors to each
    side, kNN a dashed one. Accuracies are drawn from 1/2 to 1.

    Examples
    --------
    >>> from knnviz.lessons import load
    >>> from knnviz_papers.gao.accuracies import plot_accuracies
    >>> runs = {"k": "gao_figure_2", "k_noise": "gao_figure_3", "n": "gao_figure_4"}
    >>> rows = {over: load(run).results["accuracy"] for over, run in runs.items()}
    >>> len(plot_accuracies(rows).axes)
    12
    """
    return static.figure(picture(rows))


def picture(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Picture:
    """The picture of ``plot_accuracies``, described by the ends and the highest point of each curve
    of RkNN.
    """
    panels = []
    words = []
    for down, (over, measured) in enumerate(rows.items()):
        sets = DataFrame(measured).groupby("data", sort=False)
        for across, (name, of_set) in enumerate(sets):
            layers: list[Layer] = []
            by_rates = of_set.groupby(["p1", "p0"], sort=False)
            for code, ((p1, p0), curve) in enumerate(by_rates):
                rates = f"p1 = {p1:g}, p0 = {p0:g}"
                layers += _layers(over, code, rates, curve)
                words.append(f"{name}, {rates}: {_described(over, curve)}")

            # One legend is enough: that of the panel in the lower left corner.
            # Lines stand side by side in the legend.
            lines_first = sorted(layers, key=lambda layer: isinstance(layer, Band))
            shown = risk.label_one_band(lines_first)
            if across or down < len(rows) - 1:
                shown = tuple([replace(layer, label=None) for layer in shown])
            end = 1.04 * float(of_set[over].max())
            axes = Axes(
                f"{over}_{name}",
                "" if down else name.replace("_", " "),
                LABELS[over],
                "" if across else "accuracy",
                (0, end),
                LIMITS,
                (LEFT + COLUMN_STEP * across, TOP + ROW_STEP * down, WIDTH, HEIGHT),
                legend_columns=len(sets),
                xticks=round_numbers(0, end, 5),
            )
            panels.append(Panel(axes, shown))
    return Picture(tuple(panels), SIZE, " ".join(words))


def _layers(over: str, code: int, rates: str, curve: DataFrame) -> list[Layer]:
    x, robust, error, plain = curve[[over, "rknn", "rknn_se", "knn"]].to_numpy(float).T
    color = style.class_color(code)
    of_robust = risk.curve(x, robust, error, f"RkNN, {rates}", f"rknn_{code}", color)
    of_plain = marks.curve(f"knn_{code}", f"kNN, {rates}", x, plain, color, (4, 3), 1.5)
    return [*of_robust, of_plain]


def _described(over: str, curve: DataFrame) -> str:
    best = curve.loc[curve["rknn"].idxmax()]
    first = f"{curve['rknn'].iloc[0]:.3f} at {over} = {curve[over].iloc[0]}"
    last = f"{curve['rknn'].iloc[-1]:.3f} at {over} = {curve[over].iloc[-1]}"
    return f"RkNN {first} to {last}; highest {best['rknn']:.3f} at {best[over]}."
