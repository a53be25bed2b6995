"""Measured values over the sample size, beside bounds of a theorem."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from knnviz.views import marks, risk, static, style
from knnviz.views.layers import Axes, Layer, Panel, Picture
from knnviz.views.margins import sheet_size

#: The rectangle of the axes, and the margin to their right.
RECTANGLE = (84, 40, 430, 260)
RIGHT = 24

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
    as a bound, is dashed. The axis of n is logarithmic. Raises ValueError without curves, and for
    one that is not as long as ``sizes``.

    Examples
    --------
    >>> from knnviz import views
    >>> curves = {"risk": ([0.4, 0.3], [0.01, 0.01]), "bound": ([0.9, 0.5], None)}
    >>> figure = views.plot_over_n(
    ...     "Risk and bound", [100, 1000], curves, ylabel="risk", ylim=(0, 1)
    ... )
    >>> len(figure.axes), figure.axes[0].get_ylabel()
    (1, 'risk')
    """
    return static.figure(picture(title, sizes, curves, ylabel, ylim), max_colors=32)


def picture(
    title: str,
    sizes: Sequence[int],
    curves: Mapping[str, Curve],
    ylabel: str,
    ylim: tuple[float, float],
) -> Picture:
    """The picture of ``plot_over_n``, described by the ends and the lowest point of each curve."""
    if not curves:
        raise ValueError("there are no curves to draw")
    n = np.array(sizes)
    words = [f"{title}."]
    layers: list[Layer] = []
    for code, (label, (values, errors)) in enumerate(curves.items()):
        mean = np.array(values, float)
        if mean.shape != n.shape:
            need = f"{label} must have a value for each of {len(n)} sizes"
            raise ValueError(f"{need}, got shape {mean.shape}")
        color = style.class_color(code)
        if errors is None:
            name = f"line_{code}"
            layers.append(marks.curve(name, label, n, mean, color, dash=(5, 3), width=2))
        else:
            error = np.array(errors, float)
            layers += risk.curve(n, mean, error, label, f"curve_{code}", color)
        words.append(risk.describe("n", n, mean, label))

    xlim = (0.8 * float(n.min()), 1.25 * float(n.max()))
    axes = Axes("sizes", title, risk.LABELS["n"], ylabel, xlim, ylim, RECTANGLE, log=True)
    panels = (Panel(axes, risk.label_one_band(layers)),)
    return Picture(panels, sheet_size(panels, RIGHT), " ".join(words))
