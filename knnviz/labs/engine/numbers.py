"""Numbers as a reader sees them."""

from typing import Any

#: From where on a number is shown to five digits, not to four after the point.
PLAIN = 100


def format_number(value: Any) -> str:
    """A number, a few numbers, a word, yes or no, or none, as a reader sees it."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, float):
        return f"{value:.4f}" if abs(round(value, 4)) < PLAIN else f"{value:.5g}"
    return " : ".join(format_number(each) for each in value) if isinstance(value, tuple) else str(value)
