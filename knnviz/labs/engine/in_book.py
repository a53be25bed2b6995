"""A lab in a book: the place where a page shows its recording, which is a file beside the pages."""

import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from IPython import get_ipython
from IPython.display import publish_display_data

from knnviz.files import write_whole
from knnviz.labs.engine.recording import record_on_page

#: In the environment while a book is made: the text around each cell, by its source, as JSON.
TEXTS = "KNNVIZ_TEXTS"

LIBRARY = Path(__file__).parents[2]


def publish_recorded(lab: Any, folder: Path) -> None:
    """Show the recording of a lab under the running cell; one that the folder holds is not made again."""
    text = text_around()
    key = recording_key(lab, text)
    path = folder / f"{key}.js"
    if not path.exists():
        write_whole(path, record_on_page(lab, text).script(key))
    publish_display_data({"text/html": f'<div data-recording="{key}" data-source="recordings/{path.name}"></div>'})


def text_around() -> str:
    """The text around the running cell."""
    source = get_ipython().history_manager.input_hist_raw[-1]
    return str(json.loads(os.environ[TEXTS])[source])


def recording_key(lab: Any, text: str) -> str:
    """A name that changes with the lab, with what it shows, with the text around it, and with the library."""
    shown = (lab.scene(), lab.first_controls, lab.drawn_panels, lab.first_numbers, text, library_digest())
    return f"{type(lab).__name__}-{hashlib.sha256(repr(shown).encode()).hexdigest()[:12]}"


@cache
def library_digest() -> str:
    """What all of the library's code comes down to."""
    files = sorted(LIBRARY.rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
