"""A lab in the book of web pages that notebooks become: an HTML element, and a file with its recording."""

import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from IPython import get_ipython
from IPython.display import publish_display_data

from knnviz.files import write_atomic
from knnviz.labs.engine.recording import record_on_page

#: Environment variable, set while the book is made: the text around each cell, by the cell's source, as JSON.
TEXTS = "KNNVIZ_TEXTS"

LIBRARY = Path(__file__).parents[2]


def publish_recorded(lab: Any, folder: Path) -> None:
    """Show the recording of a lab in the output of the running cell; one that ``folder`` has is not made again."""
    text = text_around()
    key = recording_key(lab, text)
    path = folder / f"{key}.js"
    if not path.exists():
        write_atomic(path, record_on_page(lab, text).script(key))
    publish_display_data({"text/html": f'<div data-recording="{key}" data-source="recordings/{path.name}"></div>'})


def text_around() -> str:
    """The text around the running cell."""
    source = get_ipython().history_manager.input_hist_raw[-1]
    return str(json.loads(os.environ[TEXTS])[source])


def recording_key(lab: Any, text: str) -> str:
    """A file name that changes with the values of a lab, what it opens on, the text, and the library."""
    inputs = (lab.scene(), lab.first_controls, lab.drawn_panels, lab.first_numbers, text, library_digest())
    return f"{type(lab).__name__}-{hashlib.sha256(repr(inputs).encode()).hexdigest()[:12]}"


@cache
def library_digest() -> str:
    """A hash of all of the library's Python code."""
    files = sorted(LIBRARY.rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
