"""Names of classes and features of a reader's own data, shortened to fit into a picture."""


def class_name(value: object) -> str:
    """A class as a legend shows it, in at most 16 letters."""
    return _fitting(value, 16)


def feature_name(value: object) -> str:
    """A feature as an axis shows it, in at most 40 letters."""
    return _fitting(value, 40)


def _fitting(value: object, max_letters: int) -> str:
    """A value in one line; a long one loses its middle."""
    letters = [letter if letter.isprintable() else " " for letter in str(value)]
    text = " ".join("".join(letters).split())
    if len(text) > max_letters:
        text = f"{text[: max_letters - 8]}…{text[-7:]}"
    # matplotlib leaves labels that begin with "_" out of a legend.
    return f" {text}" if text.startswith("_") else text
