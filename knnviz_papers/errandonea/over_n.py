"""Measured values over the sample size, beside bounds of a theorem."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from knnviz.views import marks, risk, static, style
from knnviz.views.layers import Axes, Layer, Panel, Picture

#: The sheet, and the rectangle of the axes on it.
SIZE = (538, 405)
RECTANGLE = (84, 40, 430, 260)

#: Values at each n, and their standard errors, None for what is not measured.
Curve = tuple[Sequence[float], Sequence[float] | None]


def plot_over_n(
    title: str,
    sizes: Sequence[int],
    curves: Mapping[str, Curve],
    ylabel: str,
    ylim: tuple[float, float],
) -> Figure:
    """Plot curves, by their labels, over sample sizes (J,).

    A curve with standard errors is solid, in a band of two of them to each side; one without, such
    as a bound, is dashed. The axis of n is logarithmic.

    Examples
    --------
    >>> from knnviz_papers.errandonea.over_n import plot_over_n
    >>> curves = {"risk": ([0.4, 0.3], [0.01, 0.01]), "bound": ([0.9, 0.5], None)}
    >>> figure = plot_over_n("Risk and bound", [100, 1000], curves, ylabel="risk", ylim=(0, 1))
    >>> len(figure.axes), figure.axes[0].get_ylabel()
    (1, 'risk')
    """
    n = np.array(sizes)
    words = [f"{title}."]
    layers: list[Layer] = []
    for code, (label, (values, errors)) in enumerate(curves.items()):
        mean = np.array(values, float)
        color = style.class_color(code)
        if errors is None:
            layers.append(marks.curve(f"line_{code}", label, n, mean, color, (5, 3), 2))
        else:
            error = np.array(errors, float)
            layers += risk.curve(n, mean, error, label, f"curve_{code}", color)
        words.append(_described(n, mean, label))

    xlim = (0.8 * float(n.min()), 1.25 * float(n.max()))
    axes = Axes("sizes", title, risk.LABELS["n"], ylabel, xlim, ylim, RECTANGLE, log=True)
    panel = Panel(axes, risk.label_one_band(layers))
    return static.figure(Picture((panel,), SIZE, " ".join(words)))


def _described(n: np.ndarray, mean: np.ndarray, label: str) -> str:
    """The ends and the lowest point of a curve in words."""

    def at(i: Any) -> str:
        return f"{mean[i]:.4f} at n = {n[i]}"

    return f"{label}: {at(0)}, {at(-1)}; lowest {at(mean.argmin())}."
