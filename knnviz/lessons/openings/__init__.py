"""The opening pictures of the lessons: each shows real data, and is drawn by a file of its own."""

from importlib import import_module

from IPython.display import publish_display_data

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
