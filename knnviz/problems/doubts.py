"""What speaks against the last column of a table as its label: a sentence that names the columns, or none."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from knnviz.problems.columns import NUMERIC

#: What a column of labels is called.
NAMES = ("label", "class", "target", "y")

#: Different labels at most; and there are at least so many rows for each, on average.
MOST, ROWS = 30, 2


def refuse(frame: Any, header: Sequence[str]) -> None:
    """Raise ValueError, in one sentence, where the last column of a table may not be its label, or others are text.

    ``header`` are the names of the columns, empty where there are none. The last column is accepted if it holds labels,
    no other column holds text or is called a label, and the first could not be the label, unless the last is called so.
    """
    names = [repr(name) if name else f"column {i + 1}" for i, name in enumerate(header or [""] * frame.shape[1])]
    called = [i for i, name in enumerate(header) if name.lower() in NAMES]
    last = frame.shape[1] - 1
    taken = f"the last column is taken for the label, here {names[last]}"
    for i in range(last):
        if frame[i].dtype.kind not in NUMERIC:
            raise ValueError(f"{names[i]} holds text, but {taken}; put the label last, and only numbers before it")
        if i in called:
            raise ValueError(f"{names[i]} is called a label, but {taken}; put the label last")
    refuse_labels(frame[last], f"{names[last]}, the last column,")
    if last not in called and frame[last].dtype.kind in NUMERIC and _doubt(frame[0]) is None:
        raise ValueError(f"{names[0]} could be the label, but {taken}; call that column 'label' in a header")


def refuse_labels(y: Any, name: str) -> None:
    """Raise ValueError where values (n,) are not the labels of a few classes; ``name`` names them in the sentence."""
    why = _doubt(y)
    if why is not None:
        raise ValueError(f"{name} does not hold the labels of a few classes, but {why}")


def _doubt(y: Any) -> str | None:
    values = np.asarray(y)
    if values.dtype.kind == "f":
        broken = values[np.isfinite(values) & (values % 1 != 0)]
        if len(broken):
            return f"numbers such as {broken[0]:g}"
    count = len(set(values.tolist()))
    return f"{count} different values in {len(y)} rows" if count > MOST or ROWS * count > len(y) else None
