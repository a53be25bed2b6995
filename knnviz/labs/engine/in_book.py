"""A lab in a book: the place where a page shows its recording, which is a file beside the pages."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from IPython.display import publish_display_data

LIBRARY = Path(__file__).parents[2]


def publish_recorded(lab: Any, folder: Path) -> None:
    """Show the recording of a lab under the running cell; one that the folder holds is not made again."""
    key = recording_key(lab)
    path = folder / f"{key}.js"
    if not path.exists():
        # A file that is there is whole.
        written = path.with_suffix(".part")
        written.write_text(lab.record().script(key))
        written.rename(path)
    publish_display_data({"text/html": f'<div data-recording="{key}" data-source="recordings/{path.name}"></div>'})


def recording_key(lab: Any) -> str:
    """A name that changes with the lab, with what it shows, and with the library."""
    shown = (lab.scene(), lab.first_controls, lab.drawn_panels, lab.first_numbers, library_digest())
    return f"{type(lab).__name__}-{hashlib.sha256(repr(shown).encode()).hexdigest()[:12]}"


@cache
def library_digest() -> str:
    """What all of the library's code comes down to."""
    files = sorted(LIBRARY.rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
