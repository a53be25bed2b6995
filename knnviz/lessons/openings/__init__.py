"""The opening pictures of the lessons: each shows real data, and is drawn by a file of its own."""

from importlib import import_module

import numpy as np
from IPython.display import publish_display_data
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from knnviz.views import static

#: Pixels of the page for an inch of a picture: it fills the first screen of a notebook.
SCALE = 120


def opening(name: str) -> None:
    """Show the opening picture of a lesson, such as "label_noise", which a file of this name draws.

    Examples
    --------
    >>> from knnviz.lessons import opening
    >>> opening("no_lesson")
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: No module named 'knnviz.lessons.openings.no_lesson'
    """
    with static.house_style():
        figure, words = import_module(f"knnviz.lessons.openings.{name}").draw()
    width, height = (figure.get_size_inches() * SCALE).round().astype(int).tolist()
    data = {"image/png": static.figure_png(figure, 2 * SCALE / figure.dpi, max_colors=64), "text/plain": words}
    publish_display_data(data, {"image/png": {"width": width, "height": height, "alt": words}})


def draw_scan(figure: Figure, box: tuple[float, float, float, float], pixels: np.ndarray) -> Axes:
    """Draw a scan (64,) of 8 x 8 pixels into a box of a figure."""
    ax = figure.add_axes(box)
    ax.imshow(pixels.reshape(8, 8), cmap="gray_r")
    ax.set(xticks=[], yticks=[])
    return ax
