"""Files that are written at once."""

from pathlib import Path
from secrets import token_hex


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
