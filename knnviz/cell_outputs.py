"""What a notebook cell shows: live views, still pictures, and texts as HTML."""

import re
from html import escape
from typing import Any

from IPython.display import publish_display_data

#: The output of a live view.
LIVE_OUTPUT = (
    ".jp-OutputArea:has(.knnviz-live) > .jp-OutputArea-child > "
    ".jp-OutputArea-output.jupyter-widgets"
)

#: On a saved page JupyterLab shows an error in place of a live view; this shows what to do instead.
#: It drops the style, and shows what the element says, in a notebook that it does not trust: after
#: a reload, unless all cells were run.
HINT = (
    """<style>
style + .knnviz-live {{ display: none; }}
OUTPUT {{ font-size: 0; }}
OUTPUT::after {{
  font: bold 15px sans-serif;
  content: "To use this live, run the cell again. If that does not help, reload the page.";
}}
</style><strong class="knnviz-live">{}</strong>"""
).replace("OUTPUT", LIVE_OUTPUT)

#: Environment variable, set while a book is made: folder of the recordings that its pages show for
#: live views.
RECORDINGS = "KNNVIZ_RECORDINGS"

#: What a lab draws, in a step: a label, or a label and other words. Not between asterisks, where
#: the name of a control may have braces.
DRAWN = re.compile(r"(\*.+?\*)|\{(?:([^{}]*)\|)?([^{}|]*)\}")

#: Media type of a widget in an output.
VIEW = "application/vnd.jupyter.widget-view+json"


def publish_still(
    data: dict[str, Any], metadata: dict[str, Any] | None = None, hint: str = ""
) -> None:
    """Put the still picture of a live view into the running cell's output, ahead of
    ``publish_live``.

    Above it a ``hint`` says what to do on a page that cannot show the view.
    """
    publish_display_data({"text/html": HINT.format(hint)})
    publish_display_data(data, metadata)


def publish_live(model_id: str, text: str) -> None:
    """Put a live view into the running cell's output, with text for pages that cannot show it."""
    view = {"version_major": 2, "version_minor": 0, "model_id": model_id}
    publish_display_data({VIEW: view, "text/plain": text})


def emphasized(text: str) -> str:
    """Plain text as HTML, with *emphasis* and **strong words** between asterisks."""
    strong = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text))
    # Not the star of a symbol, as in R*.
    return re.sub(r"(?<!\w)\*(.+?)\*", r"<em>\1</em>", strong)


def plain(text: str) -> str:
    """A text of a step without what marks the words for drawn things."""
    return DRAWN.sub(r"\1\3", text)
