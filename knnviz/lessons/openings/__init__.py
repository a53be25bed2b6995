"""The opening pictures of the lessons: each shows real data, and is drawn by a file of its own."""

from base64 import b64encode
from html import escape
from importlib import import_module
from pathlib import Path

from IPython.display import publish_display_data

#: The page of a lesson tells which cells wait for their turn: this runs in the first one.
WAITS = f"<script>{Path(__file__).parents[1].joinpath('waits.js').read_text('utf-8')}</script>"


#: A picture under a cover with a question, from a part of its width on. Where a page has no styles
#: the picture simply shows, as it does on paper.
COVERED = """<style>
.knnviz-cover {{ position: absolute; inset: 0; }}
.knnviz-cover summary {{ display: grid; place-content: center; justify-items: center; gap: 20px;
  height: 100%; padding: 20px; box-sizing: border-box; background: #f7fafd; color: #1a1a1a;
  border: 1px solid #b7c4d4; font: 24px sans-serif; text-align: center; cursor: pointer; }}
.knnviz-cover b {{ padding: 5px 14px; border: 1px solid; border-radius: 4px; color: #0072b2; }}
.knnviz-cover[open] summary {{ display: none; }}
@media print {{ .knnviz-cover {{ display: none; }} }}
</style><div style="position: relative; max-width: {width}px">
<img src="data:image/png;base64,{source}" alt="{question}" style="display: block; width: 100%">
<details class="knnviz-cover" style="left: {start:.0%}">
<summary>{question} <b>Show the picture</b></summary>
<span role="img" aria-label="{words}"></span></details></div>"""


def opening(name: str, cover: bool = False) -> None:
    """Show the opening picture of a lesson, such as "label_noise", which a file of this name
    draws; with a ``cover``, what a class is asked about it is hidden until a click.
    """
    publish_display_data({"text/html": WAITS})
    # This imports matplotlib, which takes a while.
    from knnviz.views import static

    lesson = import_module(f"knnviz.lessons.openings.{name}")
    with static.house_style():
        page, page.alt = lesson.draw()
    data, about = page._repr_mimebundle_()
    data["text/plain"] = page.alt
    if cover:
        start, question = lesson.COVER
        data["text/html"] = COVERED.format(
            start=start,
            question=question,
            width=about["image/png"]["width"],
            words=escape(page.alt),
            source=b64encode(data["image/png"]).decode(),
        )
    publish_display_data(data, about)
