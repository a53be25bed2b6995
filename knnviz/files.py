"""Files that another process may read while they are written."""

from pathlib import Path


def write_atomic(path: Path, text: str) -> None:
    """Replace a file at once, so that a reader finds the old text or the new one; OSError if that fails."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
