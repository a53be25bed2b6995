"""Measured values over the sample size, beside what a theorem has."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from knnviz.views import risk, static, style
from knnviz.views.layers import Axes, Layer, Lines, Panel, Picture
from knnviz.views.room import room

#: Where the axes stand, and what the sheet needs on the right.
PLACE, RIGHT = (84, 40, 430, 260), 24

#: Colors of the picture that a notebook keeps.
COLORS = 32

#: Values at each n, and their standard errors, None for what is not measured.
Curve = tuple[Sequence[float], Sequence[float] | None]


def plot_over_n(
    title: str, sizes: Sequence[int], curves: Mapping[str, Curve], ylabel: str, ylim: tuple[float, float]
) -> Figure:
    """Curves by their label over sample sizes (J,): what is measured solid with a band of two standard errors.

    What has no errors, such as a bound, is dashed. The axis of n is logarithmic. Raises ValueError without curves, and
    for one whose length is not that of ``sizes``.

    Examples
    --------
    >>> from knnviz import views
    >>> curves = {"risk": ([0.4, 0.3], [0.01, 0.01]), "bound": ([0.9, 0.5], None)}
    >>> figure = views.plot_over_n("Risk and bound", [100, 1000], curves, ylabel="risk", ylim=(0, 1))
    >>> len(figure.axes), figure.axes[0].get_ylabel()
    (1, 'risk')
    """
    return static.figure(picture(title, sizes, curves, ylabel, ylim), colors=COLORS)


def picture(
    title: str, sizes: Sequence[int], curves: Mapping[str, Curve], ylabel: str, ylim: tuple[float, float]
) -> Picture:
    """The same as layers, with the ends and the lowest point of each curve in words."""
    if not curves:
        raise ValueError("there are no curves to draw")
    n, words, layers = np.array(sizes), list[str](), list[Layer]()
    for code, (label, (values, errors)) in enumerate(curves.items()):
        mean = np.array(values, float)
        if mean.shape != n.shape:
            raise ValueError(f"{label} must have a value for each of {len(n)} sizes, got shape {mean.shape}")
        color = style.class_color(code)
        if errors is None:
            layers.append(Lines(name=f"line_{code}", label=label, x=n, y=mean, color=color, width=2, dash=(5, 3)))
        else:
            layers += risk.curve(n, mean, np.array(errors, float), label, f"curve_{code}", color)
        words.append(risk.describe("n", n, mean, label))
    limits = (0.8 * float(n.min()), 1.25 * float(n.max()))
    axes = Axes("sizes", title, risk.LABELS["n"], ylabel, limits, ylim, PLACE, log=True, legend_columns=2)
    panel = Panel(axes, risk.label_one_band(layers))
    left, top, width, height = PLACE
    return Picture((panel,), (left + width + RIGHT, top + height + room(panel).bottom), " ".join([f"{title}.", *words]))
