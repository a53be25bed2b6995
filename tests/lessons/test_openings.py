"""Opening pictures: their words can be read."""

from importlib import import_module
from itertools import combinations
from pathlib import Path

import pytest
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from knnviz.lessons import openings
from knnviz.views import static

FOLDER = Path(openings.__file__).parent
NAMES = [path.stem for path in FOLDER.glob("[a-z]*.py") if path.stem != "drawing"]


@pytest.mark.parametrize("name", NAMES)
def test_words_are_on_the_page_and_apart(name):
    with static.house_style():
        page, _ = import_module(f"knnviz.lessons.openings.{name}").draw()
        page.draw_without_rendering()
        written = [text for text in page.findobj(Text) if text.get_text()]
        boxes = [(text.get_text(), text.get_window_extent()) for text in written]
    # Of ticks beyond the axes nothing is written.
    boxes = [(text, box) for text, box in boxes if box.width > 1]
    assert len(boxes) > 2
    for text, box in boxes:
        assert page.bbox.x0 < box.x0 < box.x1 < page.bbox.x1, text
        assert page.bbox.y0 < box.y0 < box.y1 < page.bbox.y1, text
    for (text, box), (other, other_box) in combinations(boxes, 2):
        assert not Bbox.intersection(box, other_box), (text, other)
