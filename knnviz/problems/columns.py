"""Columns of a reader's table as numbers, and labels as class codes."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from knnviz import checks

#: Two columns, by name or by position; or two principal components of all columns.
Features = Sequence[int | str] | Literal["pca"]

#: Names of columns or classes.
Names = Sequence[str] | np.ndarray

#: Most column names that a message lists.
MAX_NAMES = 12


def columns_of(X: Any) -> dict[str, np.ndarray]:
    """Columns (n,) by name: of an array, or of a data frame of pandas or another library."""
    if not hasattr(X, "columns"):
        return {f"feature {i}": column for i, column in enumerate(_table(X).T)}
    check_different(list(map(str, X.columns)))
    return {str(name): np.asarray(X[name]) for name in X.columns}


def features_and_labels(X: Any, y: Any) -> tuple[dict[str, np.ndarray], Any]:
    """The columns of X by name, and y; or, if y names one of them, the others and that one."""
    columns = columns_of(X)
    if not isinstance(y, str):
        return columns, y
    return columns, columns.pop(_name(y, list(columns)))


def chosen(columns: Mapping[str, np.ndarray], features: Sequence[int | str]) -> dict[str, np.ndarray]:
    """The columns with these names or positions; ValueError if one of them is not there."""
    known = list(columns)
    names = [_name(each, known) for each in features]
    check_different(names)
    return {name: columns[name] for name in names}


def renamed(columns: Mapping[str, np.ndarray], names: Sequence[str]) -> dict[str, np.ndarray]:
    """The same columns under other names, which must be different and as many."""
    if len(names) != len(columns):
        raise ValueError(f"feature_names must name {len(columns)} columns, got {len(names)}")
    check_different(names)
    return dict(zip(names, columns.values(), strict=True))


def check_different(names: Sequence[str]) -> None:
    """ValueError if two columns have the same name."""
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"columns must have different names, got {twice!r} twice")


def _table(X: Any) -> np.ndarray:
    checks.check_dense("X", X)
    try:
        table = np.ma.filled(X.astype(float), np.nan) if np.ma.isMaskedArray(X) else np.asarray(X)
    except ValueError:
        raise ValueError("X must be a table with rows of equal length") from None
    if table.ndim != 2:
        raise ValueError(f"X must be a table of shape (n, columns), got shape {table.shape}")
    return table


def _name(column: int | str, known: Sequence[str]) -> str:
    if not isinstance(column, str):
        return known[checks.check_int("a column's position", column, 0, len(known) - 1)]
    if column not in known:
        raise ValueError(f"there is no column {column!r}; the table has {listed(known)}")
    return column


def listed(names: Sequence[str]) -> str:
    """A text of the first names, and of how many more there are."""
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return ", ".join(map(repr, names[:MAX_NAMES])) + more


def numbers(columns: Mapping[str, np.ndarray]) -> np.ndarray:
    """Columns by name as a table (n, columns); ValueError that names those of text and those with missing values."""
    found = {name: _floats(column) for name, column in columns.items()}
    if others := [name for name, each in found.items() if each is None]:
        raise ValueError(f"columns must hold numbers, got text or other values in {listed(others)}")
    table = np.stack([each for each in found.values() if each is not None], axis=1)
    if not np.isfinite(table).all():
        missing = [name for name, finite in zip(found, np.isfinite(table).all(axis=0), strict=True) if not finite]
        raise ValueError(f"columns must have no missing or infinite values, got some in {listed(missing)}")
    return checks.check_points("X", table)


def _floats(column: np.ndarray) -> np.ndarray | None:
    """A column (n,) of numbers or truth values with NaN where they are missing; None if it holds anything else."""
    if column.dtype.kind in "iufb":
        return column.astype(np.float64)
    if column.dtype != object or any(isinstance(value, str | bytes) for value in column):
        return None
    try:
        return np.where(_missing(column), np.nan, column).astype(np.float64)
    except (TypeError, ValueError):
        return None


def _missing(values: np.ndarray) -> np.ndarray:
    from pandas import isna

    return isna(values)


def encode_labels(y: Any, n: int, class_names: Names | None = None) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the sorted classes, by default their text, and each row's code (n,)."""
    y = np.asarray(y)
    if y.shape != (n,):
        raise ValueError(f"y must hold one label for each of {n} rows, got shape {y.shape}")
    if y.dtype.kind not in "iubUS" and (missing := np.flatnonzero(_missing(y))).size:
        raise ValueError(f"y has missing labels in {checks.rows_text(missing)}")
    try:
        values, coded = np.unique(y, return_inverse=True)
    except TypeError:
        # Labels of different types have no order, but their texts have.
        values, coded = np.unique([label_text(label) for label in y.tolist()], return_inverse=True)
    if not 2 <= len(values) <= 255:
        raise ValueError(f"y must hold 2 to 255 classes, got {len(values)}")
    if class_names is not None and len(class_names) != len(values):
        raise ValueError(f"class_names must name {len(values)} classes, got {len(class_names)}")
    return tuple(map(label_text, values.tolist()) if class_names is None else map(str, class_names)), coded


def label_text(label: Any) -> str:
    """A label as text; whole numbers without a decimal point."""
    if isinstance(label, bytes):
        return label.decode(errors="replace")
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)
