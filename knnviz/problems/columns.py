"""A reader's table: its columns by name, as numbers, and its labels as class codes."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal

import numpy as np

from knnviz import checks

#: Two columns, by name or by position; or two principal components of all columns.
Features = Sequence[int | str] | Literal["pca"]

#: Names of columns or classes.
Names = Sequence[str] | np.ndarray

#: Most column names that a message lists.
MAX_NAMES = 12


def columns_of(X: Any, title: str = "X") -> dict[str, np.ndarray]:
    """Columns (n,) by name: of an array, or of a data frame of pandas or another library."""
    if (names := checks.column_names(title, X)) is not None:
        return by_name(list(map(str, names)), [np.asarray(X[name]) for name in names])
    table = checks.check_numbers(title, X) if np.ma.isMaskedArray(X) else checks.as_array(title, X)
    got = f"{type(X).__name__} of shape {table.shape}"
    checks.require(table.ndim == 2, f"{title} must be a dense table of shape (n, columns), got {got}")
    return {f"feature {i}": column for i, column in enumerate(table.T)}


def features_and_labels(X: Any, y: Any) -> tuple[dict[str, np.ndarray], Any]:
    """The columns of X by name, and y; or, if y names one of them, the others and that one."""
    columns = columns_of(X)
    return (columns, columns.pop(column_name(y, list(columns)))) if isinstance(y, str) else (columns, y)


def by_name(names: Sequence[str], columns: Collection[np.ndarray]) -> dict[str, np.ndarray]:
    """Columns by names, which must be as many, and different."""
    checks.require(len(names) == len(columns), f"there must be {len(columns)} feature_names, got {len(names)}")
    for name in names:
        checks.require(names.count(name) == 1, f"columns must have different names, got {name!r} twice")
    return dict(zip(names, columns, strict=True))


def column_name(column: int | str, known: Sequence[str]) -> str:
    """The name of a column by its name or position."""
    if not isinstance(column, str):
        return known[checks.check_int("a column's position", column, 0, len(known) - 1)]
    checks.require(column in known, f"there is no column {column!r}; the table has {listed(known)}")
    return column


def listed(names: Sequence[str]) -> str:
    """A text of the first names, and of how many more there are."""
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return ", ".join(map(repr, names[:MAX_NAMES])) + more


def as_numbers(columns: Mapping[str, np.ndarray], title: str = "X") -> np.ndarray:
    """Columns as a table (n, columns); ValueError that names those that do not hold a number in every row."""
    found = {name: _floats(column) for name, column in columns.items()}
    bad = [name for name, column in found.items() if not np.isfinite(column).all()]
    got = f"got text, missing or other values in {listed(bad)}"
    checks.require(not bad, f"columns of {title} must hold finite numbers, {got}")
    return checks.check_points(title, np.stack(list(found.values()), axis=1))


def _floats(column: np.ndarray) -> np.ndarray:
    """Numbers and truth values as floats, NaN where they are missing; all NaN if a column holds anything else."""
    if column.dtype.kind in "iufb":
        return column.astype(np.float64)
    if column.dtype == object and not any(isinstance(value, str | bytes) for value in column):
        from pandas import isna

        with suppress(TypeError, ValueError):
            return np.where(isna(column), np.nan, column).astype(np.float64)
    return np.full(len(column), np.nan)


def encoded(y: Any, n: int, class_names: Names | None = None) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the sorted classes, by default their text, and each row's code (n,)."""
    y = np.where(np.ma.getmaskarray(y), None, y) if np.ma.is_masked(y) else np.asarray(checks.as_array("y", y))
    checks.require(y.shape == (n,), f"y must hold one label for each of {n} rows, got shape {y.shape}")
    if y.dtype.kind not in "iubUS":
        from pandas import isna

        missing = np.flatnonzero(isna(y))
        checks.require(not missing.size, f"y has missing labels in {checks.rows_text(missing)}")
    continuous = y.dtype.kind == "f" and (y != np.floor(y)).any()
    checks.require(not continuous, "y must hold classes, got numbers with decimals: text or whole numbers are classes")
    try:
        values, codes = np.unique(y, return_inverse=True)
    except TypeError:
        # Labels of different types have no order, but their texts have.
        values, codes = np.unique([label_text(label) for label in y.tolist()], return_inverse=True)
    classes = tuple(map(label_text, values.tolist()) if class_names is None else map(str, class_names))
    checks.require(2 <= len(values) <= 255, f"y must hold 2 to 255 classes, got {len(values)}")
    checks.require(len(classes) == len(values), f"class_names must name {len(values)} classes, got {len(classes)}")
    checks.require(len(set(classes)) == len(classes), f"classes must have different names, got {listed(classes)}")
    return classes, codes


def label_text(label: Any) -> str:
    """A label as text; whole numbers without a decimal point."""
    if isinstance(label, bytes):
        return label.decode(errors="replace")
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)
