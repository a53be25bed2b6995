"""A reader's table with all its features: which columns are used, and what is refused."""

from collections.abc import Collection, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from knnviz import checks
from knnviz.problems import columns
from knnviz.problems.columns import NUMERIC, Names, quoted
from knnviz.problems.data import Table
from knnviz.problems.files import read_archive, read_frame, refuse_header
from knnviz.problems.label_column import label_column, refuse_many_values

#: Usual names of a column that numbers the rows.
ID_NAMES = ("id", "index", "row", "unnamed: 0")


def read_table(
    path: str | PathLike[str],
    label: int | str | None = None,
    *,
    drop: Collection[str] = (),
    keep: Collection[str] = (),
    one_hot: bool = False,
) -> Table:
    r"""All features and the label of a table in a file; ``notes`` of the result say which columns were used.

    A file that ends in .npz holds arrays X (n, columns) and y (n,), as ``from_npz`` reads them; any other is text, as
    ``from_csv`` reads it. ``label`` is a column by name or number. By default it is the one column of few values called
    label, class, target or y, else the one of text, else the last if it holds whole numbers of few values. ``drop`` are
    names of columns to leave out. A column that numbers the rows is refused, unless it is named in ``drop`` or
    ``keep``; so are columns of text, unless ``one_hot`` turns each of their values into a column of 0 and 1.

    Raises ValueError, in a sentence that names the file, for such columns, if the label is in doubt, for missing
    values, for a label with more numbers than classes can have, and for a file that is no table; FileNotFoundError if
    there is no file.

    Examples
    --------
    >>> from knnviz import read_table
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, open(f"{folder}/tea.csv", "w") as file:
    ...     print("leaf,heat,kind\n1,70,green\n3,90,black\n5,75,green\n4,95,black", file=file, flush=True)
    ...     read_table(file.name).notes
    ("label: 'kind', the one column of text, 2 classes",)
    """
    path = Path(path)
    try:
        return as_table(path.stem, *_read(path, label), drop=drop, keep=keep, one_hot=one_hot)
    except ValueError as error:
        text = str(error)
        raise ValueError(text if path.name in text else f"{path.name}: {text}") from None


def as_table(
    name: str,
    frame: Any,
    y: Any,
    class_names: Names | None,
    notes: Sequence[str],
    *,
    drop: Collection[str],
    keep: Collection[str],
    one_hot: bool,
) -> Table:
    """The features in a data frame (n, columns) and the labels y (n,) as a table called ``name``.

    ``class_names`` are those of the sorted labels, by default the labels; ``notes`` come before those on features.
    Other parameters and errors are as in ``read_table``.
    """
    for option, names in (("drop", drop), ("keep", keep)):
        if isinstance(names, str):
            raise ValueError(f"{option} must be a list of names, got {names!r}")
    classes, codes = columns.encode_labels(y, len(frame), frame.index, class_names)
    for feature in (*drop, *keep):
        columns.position(feature, list(frame.columns), "feature")
    frame = frame.drop(columns=list(drop))
    _refuse_ids(frame, keep)
    frame = _as_numbers(frame, one_hot)
    X = checks.check_points("X", frame.to_numpy(np.float64), index=frame.index)
    varies = np.ptp(X, axis=0) > 0
    if not varies.any():
        raise ValueError("no feature varies")
    constant = frame.columns[~varies].tolist()
    notes = (*notes, *([f"without effect, as it does not vary: {quoted(constant)}"] if constant else []))
    return Table(name, X, codes, tuple(frame.columns), classes, notes)


def _read(path: Path, label: int | str | None) -> tuple[Any, Any, Names | None, list[str]]:
    """Features as a data frame with names, labels, names of classes if there are any, and a note on the label."""
    import pandas as pd

    if path.suffix.lower() == ".npz":
        X, y, names, class_names = read_archive(path)
        if X.ndim != 2:
            raise ValueError(f"X must be a table of shape (n, columns), got shape {X.shape}")
        refuse_many_values(y, "the label, 'y',")
        named = [f"feature {i}" for i in range(X.shape[1])] if names is None else [str(name) for name in names]
        return pd.DataFrame(X, columns=named), y, class_names, [f"label: the array 'y', {len(np.unique(y))} classes"]
    frame, header = read_frame(path)
    at, note = label_column(frame, header, label)
    frame.columns = columns.names_of(header, frame.shape[1])
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise ValueError(f"two columns are called {twice!r}")
    y = frame.pop(frame.columns[at])
    refuse_header(path, header, y)
    return frame, y.str.strip() if y.dtype.kind not in NUMERIC else y, None, [note]


def _refuse_ids(frame: Any, keep: Collection[str]) -> None:
    ids = [name for name in frame if name not in keep and _is_row_number(name, frame[name])]
    if ids:
        raise ValueError(f"{quoted(ids)} only numbers the rows; leave it out (drop), or keep it as a feature (keep)")


def _is_row_number(name: str, column: Any) -> bool:
    """Whether a column numbers the rows: no value occurs twice, and its name is in ``ID_NAMES`` or it steps by 1."""
    if column.dtype.kind not in NUMERIC or not column.is_unique:
        return False
    return name.lower() in ID_NAMES or bool((abs(np.diff(column.to_numpy(np.float64))) == 1).all())


def _as_numbers(frame: Any, one_hot: bool) -> Any:
    import pandas as pd

    texts = [name for name in frame if frame[name].dtype.kind not in NUMERIC]
    if not texts:
        return frame
    if not one_hot:
        raise ValueError(f"{quoted(texts)} holds text; leave it out (drop), or give each value a column (one_hot)")
    if frame[texts].isna().any(axis=None):
        missing = np.flatnonzero(frame[texts].isna().any(axis=1))
        raise ValueError(f"X has missing values in {checks.rows_text(missing, index=frame.index)}")
    return pd.get_dummies(frame, columns=texts, dtype=float)
