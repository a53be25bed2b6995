"""Names of readers' data, as pictures have room for them."""

#: Letters of a class in the legend, and of a feature at its axis, at most.
CLASS_LETTERS, FEATURE_LETTERS = 16, 40


def class_name(value: object) -> str:
    """A class as a legend shows it."""
    return _fitting(value, CLASS_LETTERS)


def feature_name(value: object) -> str:
    """A feature as an axis shows it."""
    return _fitting(value, FEATURE_LETTERS)


def _fitting(value: object, most: int) -> str:
    """A value in one line, without the middle if it is long, and not left out of a legend for its "_"."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in str(value)).split())
    text = text if len(text) <= most else f"{text[: most - 8]}…{text[-7:]}"
    return f" {text}" if text.startswith("_") else text
