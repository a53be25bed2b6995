"""Which column of a table is the label: the one that is named, or else the only plausible one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from knnviz.problems.columns import NUMERIC, listed, names_of, position

#: Names of columns that hold labels.
LABEL_NAMES = ("label", "class", "target", "y")

#: Most different labels in a column of numbers, and how often each must occur, on average.
MAX_LABELS, MIN_REPEATS = 30, 2

#: What a reader can do, as the end of a message.
HELP = "give label, the column's name or number"


def label_column(
    frame: Any, header: Sequence[str], label: int | str | None = None, targets: Sequence[str] = ()
) -> tuple[int, str]:
    """Position of the label among the columns of a data frame, and a note on which column it is, and why.

    ``header`` are the names of the columns, empty if there are none. ``label`` is a name or a number from 0, from the
    end if it is negative. Without it, the label is the one column in ``targets``, the names that the source of the
    table marks as labels; else the one that is called label, class, target or y and has few values; else the one column
    of text; else the last, if it holds whole numbers of few values. Raises ValueError if there is no such column, if
    there are two, and for a column of numbers with more values than classes can have.
    """
    names, in_header = names_of(header, frame.shape[1]), set(header)
    columns = [repr(name) if name in in_header else name for name in names]
    at, why = (_given(names, label), "as given") if label is not None else _found(frame, header, columns, targets)
    refuse_many_values(frame.iloc[:, at], f"the label, {columns[at]},")
    return at, f"label: {columns[at]}, {why}, {frame.iloc[:, at].nunique()} classes"


def _given(names: list[str], label: int | str) -> int:
    at = label + len(names) if isinstance(label, int) and -len(names) <= label < 0 else label
    return position(at, names, "label")


def _found(frame: Any, header: Sequence[str], columns: list[str], targets: Sequence[str]) -> tuple[int, str]:
    in_targets = [i for i, name in enumerate(header) if name in targets]
    by_name = [i for i, name in enumerate(header) if name.lower() in LABEL_NAMES and _doubt(frame.iloc[:, i]) is None]
    texts = [i for i in range(len(columns)) if frame.iloc[:, i].dtype.kind not in NUMERIC]
    for found, why in ((in_targets, "the target"), (by_name, "by its name"), (texts, "the one column of text")):
        if len(found) > 1:
            could_be = listed([columns[i] for i in found])
            raise ValueError(f"the label is in doubt, since {could_be} could be it; {HELP}")
        if found:
            return found[0], why
    last = frame.iloc[:, -1]
    if (doubt := _doubt(last)) is not None:
        raise ValueError(f"the label is in doubt, since the last column, {columns[-1]}, holds {doubt}; {HELP}")
    likely = [i for i in range(len(columns)) if _doubt(frame.iloc[:, i]) is None]
    if likely == [0, len(columns) - 1]:
        raise ValueError(f"the label is in doubt, since {columns[0]}, {columns[-1]} could be it; {HELP}")
    return len(columns) - 1, "the last column"


def refuse_many_values(y: Any, name: str) -> None:
    """Raise ValueError, in a sentence with ``name``, for numbers (n,) with more values than classes can have."""
    values = np.asarray(y)
    if values.dtype.kind in NUMERIC and (count := len(np.unique(values))) > MAX_LABELS:
        raise ValueError(f"{name} holds {count} different numbers in {len(values)} rows, which are no classes")


def _doubt(y: Any) -> str | None:
    """Why a column of numbers may not be labels, as text for a message; None if it may be, or is text."""
    values = np.asarray(y)
    if values.dtype.kind not in NUMERIC:
        return None
    finite = values[np.isfinite(values)]
    fractional = finite[finite % 1 != 0]
    if len(fractional):
        return f"numbers such as {fractional[0]}"
    count = len(np.unique(values))
    return f"{count} different values in {len(y)} rows" if count > MAX_LABELS or MIN_REPEATS * count > len(y) else None
