"""A reader's table: its columns by name, as numbers, and its labels as class codes."""

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

import numpy as np

from knnviz.checks import (
    MOST_CLASSES,
    as_array,
    check_int,
    check_numbers,
    check_points,
    column_names,
    require,
    rows_text,
    shown,
)

#: Two columns, by name or by position; or two principal components of all columns.
Features = Sequence[int | str] | Literal["pca"]

#: Names of columns or classes.
Names = Sequence[str] | np.ndarray

#: Most column names that a message lists.
MAX_NAMES = 12

#: A number with a decimal comma.
DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+")

#: Names of columns that number the rows, and how such names end.
ID = re.compile(r"(id|index|unnamed: 0)|.*([ _.-]id|[a-z]I[dD])", re.DOTALL)


def columns_of(X: Any, title: str = "X") -> dict[str, np.ndarray]:
    """Columns (n,) by name: of an array, or of a data frame of pandas or another library."""
    names = column_names(title, X)
    if names is not None:
        columns = [np.asarray(X[name]) for name in names]
        return distinct_columns(list(map(str, names)), columns)
    if np.ma.isMaskedArray(X):
        X = np.ma.filled(X.astype(float), np.nan)
    table = as_array(title, X)
    got = f"{type(X).__name__} of shape {table.shape}"
    require(table.ndim == 2, f"{title} must be a dense table of shape (n, columns), got {got}")
    return {f"feature {i}": column for i, column in enumerate(table.T)}


class FeaturesAndLabels(NamedTuple):
    """Columns (n,) of features by name, labels (n,), and the names of all columns of the table, in
    its order.
    """

    features: dict[str, np.ndarray]
    labels: Any
    names: list[str]


def features_and_labels(X: Any, y: Any) -> FeaturesAndLabels:
    """The columns of X and labels y, or that column whose name or position y is."""
    features = columns_of(X)
    labels = y
    names = list(features)
    if isinstance(y, str | int | np.integer):
        labels = features.pop(column_name(y, names))
    return FeaturesAndLabels(features, labels, names)


def without_ids(columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The columns that do not number the rows, or all if fewer than two do not."""
    features = {name: column for name, column in columns.items() if not _is_id(name, column)}
    if len(features) < 2:
        return dict(columns)
    return features


def _is_id(name: str, column: np.ndarray) -> bool:
    """Whether a column is named as an id is, or holds unique whole numbers."""
    if ID.fullmatch(name) or ID.fullmatch(name.lower()):
        return True
    if column.dtype.kind not in "iuf":
        return False
    whole = column.dtype.kind in "iu" or (column == np.floor(column)).all()
    return bool(whole) and len(np.unique(column)) == len(column)


def distinct_columns(
    names: Sequence[str], columns: Collection[np.ndarray]
) -> dict[str, np.ndarray]:
    """Columns by names, which must be different."""
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"columns must have different names, got {name!r} twice")
    return dict(zip(names, columns, strict=True))


def column_name(column: Any, known: Sequence[str]) -> str:
    """The name of a column by its name or position."""
    if not isinstance(column, str):
        return known[check_int("a column's position", column, 0, len(known) - 1)]
    hint = ""
    if len(known) == 1 and ";" in known[0]:
        hint = ": pandas.read_csv(..., sep=';') separates columns at semicolons"
    require(column in known, f"there is no column {column!r}; the table has {listed(known)}{hint}")
    return column


def listed(names: Sequence[str]) -> str:
    """A text of the first names, and of how many more there are."""
    first = ", ".join(map(repr, names[:MAX_NAMES]))
    if len(names) <= MAX_NAMES:
        return first
    return f"{first} and {len(names) - MAX_NAMES} more"


def as_numbers(columns: Mapping[str, np.ndarray], title: str = "X") -> np.ndarray:
    """Columns as a table (n, columns); ValueError that names those that do not hold a number in
    every row.
    """
    found = {name: _floats(column) for name, column in columns.items()}
    bad = [name for name, column in found.items() if not np.isfinite(column).all()]
    if bad:
        hint = _hint(columns[bad[0]])
        got = f"got text, missing or other values in {listed(bad)}{hint}"
        raise ValueError(f"columns of {title} must hold finite numbers, {got}")
    table = np.stack(list(found.values()), axis=1)
    return check_points(title, table)


def _hint(column: np.ndarray) -> str:
    """What a column's first text that spells no number may be, or what it misses, and what a reader
    can do.
    """
    from pandas import Series, isna, to_numeric

    if column.dtype.kind not in "OUf":
        return ""
    missing = isna(column)
    spelled = to_numeric(Series(column), errors="coerce")
    others = np.flatnonzero(isna(spelled) & ~missing)
    if not others.size:
        if not missing.any():
            return ""
        rows = rows_text(np.flatnonzero(missing))
        return f": sklearn.impute.SimpleImputer fills what is missing in {rows}"
    text = str(column[others[0]])
    value = f"{shown(text)} in row {others[0]}"
    if DECIMAL_COMMA.fullmatch(text.strip()):
        return f": pandas.read_csv(..., decimal=',') reads decimal commas, as in {value}"
    if 2 * len(others) < len(column):
        return f": pandas.read_csv(..., na_values={shown(text)}) reads {value} as a missing value"
    return f": pandas.get_dummies makes numbers of text, as of {value}"


def _floats(column: np.ndarray) -> np.ndarray:
    """Numbers and truth values as floats; all NaN if a column holds or misses anything else."""
    if column.dtype.kind == "b":
        return column.astype(np.float64)
    with suppress(ValueError):
        return check_numbers("a column", column)
    return np.full(len(column), np.nan)


def encoded(y: Any, n: int, class_names: Names | None = None) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the sorted classes, by default their text, and each row's code (n,)."""
    values, codes = _classes_and_codes(y, n)
    if class_names is None:
        classes = tuple(map(label_text, values.tolist()))
    else:
        classes = tuple(map(str, class_names))
    if not 2 <= len(values) <= MOST_CLASSES:
        raise ValueError(f"y must hold 2 to {MOST_CLASSES} classes, got {len(values)}")
    if len(classes) != len(values):
        raise ValueError(f"class_names must name {len(values)} classes, got {len(classes)}")
    if len(set(classes)) < len(classes):
        raise ValueError(f"classes must have different names, got {listed(classes)}")
    return classes, codes


def pair_and_codes(y: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The labels of two classes, in sorted order and of the type of y, and the code of each row
    (n,).

    Numbers 0 and 1, and truth values, are codes also where one of them does not occur.
    """
    numbers = y
    if y.dtype.kind == "O" and y.size:
        numbers = np.array(y.tolist())
    has_numbers = numbers.dtype.kind in "iufb" and y.shape == (n,)
    if has_numbers and n and np.isin(numbers, (0, 1)).all():
        classes = np.array([0, 1]).astype(numbers.dtype).astype(y.dtype)
        return classes, numbers.astype(np.intp)
    values, codes = _classes_and_codes(y, n)
    got = listed([label_text(value) for value in values.tolist()])
    require(len(values) == 2, f"label noise needs two classes, got {got or 'none'}")
    return values, codes


def _classes_and_codes(y: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The sorted classes of labels (n,), of their type, and each row's code (n,)."""
    y = as_array("y", y)
    if y.shape != (n,):
        raise ValueError(f"y must hold one label for each of {n} rows, got shape {y.shape}")
    if y.dtype.kind not in "iubUS":
        from pandas import isna

        missing = np.flatnonzero(isna(y))
        require(not missing.size, f"y has missing labels in {rows_text(missing)}")
    if y.dtype.kind == "f" and (y != np.floor(y)).any():
        raise ValueError(
            "y must hold classes, got numbers with decimals: text or whole numbers are classes"
        )
    try:
        return np.unique(y, return_inverse=True)
    except TypeError:
        # Labels of different types have no order, but their texts have.
        texts = [label_text(label) for label in y.tolist()]
        return np.unique(texts, return_inverse=True)


def label_text(label: Any) -> str:
    """A label as text; whole numbers without a decimal point."""
    if isinstance(label, bytes):
        return label.decode(errors="replace")
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    return str(label)
