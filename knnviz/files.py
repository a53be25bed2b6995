"""Files that others read while they are written."""

from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader finds it whole, as it was before or as it is now; OSError if that fails."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
