"""Names of classes and features of a reader's own data, shortened to fit into a picture."""

#: Largest number of letters of a class in the legend, and of a feature at its axis.
CLASS_LETTERS, FEATURE_LETTERS = 16, 40


def class_name(value: object) -> str:
    """A class as a legend shows it."""
    return _fitting(value, CLASS_LETTERS)


def feature_name(value: object) -> str:
    """A feature as an axis shows it."""
    return _fitting(value, FEATURE_LETTERS)


def _fitting(value: object, max_letters: int) -> str:
    """A value in one line; a long one loses its middle."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in str(value)).split())
    if len(text) > max_letters:
        text = f"{text[: max_letters - 8]}…{text[-7:]}"
    # matplotlib leaves labels that begin with "_" out of a legend.
    return f" {text}" if text.startswith("_") else text
