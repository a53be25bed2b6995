"""The opening pictures of the lessons: each shows real data, and is drawn by a file of its own."""

from importlib import import_module
from pathlib import Path

from IPython.display import publish_display_data

#: Pixels of the page for an inch of a picture: it fills the first screen of a notebook.
SCALE = 120

#: The page of a lesson tells which cells wait for their turn: this runs in the first one.
WAITS_FILE = Path(__file__).parents[1] / "waits.js"
WAITS = f"<script>{WAITS_FILE.read_text(encoding='utf-8')}</script>"


def opening(name: str) -> None:
    """Show the opening picture of a lesson, such as "label_noise", which a file of this name
    draws.
    """
    publish_display_data({"text/html": WAITS})
    # This imports matplotlib, which takes a while.
    from knnviz.views import static

    lesson = import_module(f"knnviz.lessons.openings.{name}")
    with static.house_style():
        figure, words = lesson.draw()
    png = static.figure_png(figure, 2 * SCALE / figure.dpi, max_colors=64)
    width, height = (figure.get_size_inches() * SCALE).round().astype(int).tolist()
    about = {"width": width, "height": height, "alt": words}
    publish_display_data({"image/png": png, "text/plain": words}, {"image/png": about})
