"""Outputs of a notebook cell (live views, still pictures), of a command, atomic file writes, and
freed memory.
"""

import ctypes
import gc
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from secrets import token_hex
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


def write_atomic(path: Path, text: str) -> None:
    """Replace a file at once, so that a reader finds the old text or the new one; OSError if that
    fails.
    """
    # Of its own, also where two write at a time.
    part = path.with_name(f".{path.name}.{token_hex(4)}.part")
    try:
        part.write_text(text, "utf-8")
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def print_utf_8() -> None:
    """Have a command print UTF-8 whatever the code page, and what no encoding holds of a file's
    name as an escape.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def release() -> None:
    """Return freed memory to the operating system; glibc does so only on request."""
    gc.collect()
    if sys.platform == "linux":
        with suppress(AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
