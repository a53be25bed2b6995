"""Columns of a table as numbers, and labels as class codes."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from knnviz import checks

#: Two columns, by name or by position; or two principal components of all columns of numbers.
Features = Sequence[int | str] | Literal["pca"]

#: NumPy's letters for types that hold numbers; and for complex numbers, times and records, which are refused.
NUMERIC, REFUSED = "iufb", "cmMV"

#: Names of columns or classes.
Names = Sequence[str] | np.ndarray

#: Most column names that a message lists.
MAX_NAMES = 12


def split_label(X: Any, y: Any) -> tuple[Any, Any]:
    """X and y unchanged; or, if y names a column of the data frame X, the other columns and that one."""
    if not isinstance(y, str):
        return X, y
    if not hasattr(X, "iloc"):
        raise ValueError(f"y may be a column's name only if X is a data frame, got {y!r}")
    at = position(y, [str(name) for name in X.columns], "column")
    return X.iloc[:, [i for i in range(X.shape[1]) if i != at]], X.iloc[:, at]


def chosen(X: Any, features: Features, feature_names: Names | None = None) -> tuple[np.ndarray, tuple[str, ...]]:
    """The chosen columns (n, columns) as numbers, and their names: two, or for "pca" all that hold numbers."""
    columns = _columns(X)
    names = getattr(X, "columns", None) if feature_names is None else feature_names
    known = [f"feature {i}" for i in range(len(columns))] if names is None else [str(name) for name in names]
    if len(known) != len(columns):
        raise ValueError(f"feature_names must name {len(columns)} columns, got {len(known)}")
    if is_pca(features):
        positions = [i for i, column in enumerate(columns) if _holds_numbers(column)]
        if len(positions) < 2:
            raise ValueError(f"principal components need at least two columns of numbers, got {len(positions)}")
    else:
        positions = [position(feature, known) for feature in features]
    return np.stack([_to_floats(columns[i], known[i]) for i in positions], axis=1), tuple(known[i] for i in positions)


def is_pca(features: Features) -> bool:
    """Whether the features are principal components; ValueError if they are not two columns either."""
    if isinstance(features, str) and features == "pca":
        return True
    if isinstance(features, str) or not isinstance(features, Sequence) or len(features) != 2:
        raise ValueError(f"features must name two columns, got {features!r}")
    return False


def _columns(X: Any) -> list[Any]:
    if hasattr(X, "iloc") and np.ndim(X) == 2:
        columns, n = [X.iloc[:, i] for i in range(X.shape[1])], len(X)
    else:
        table = _table(X)
        columns, n = list(table.T), len(table)
    if n < 4:
        raise ValueError(f"a training and a test part need at least 4 rows, got {n}")
    return columns


def _table(X: Any) -> np.ndarray:
    checks.check_dense("X", X)
    try:
        table = np.ma.filled(X.astype(float), np.nan) if np.ma.isMaskedArray(X) else np.asarray(X)
    except ValueError:
        raise ValueError("X must be a table with rows of equal length") from None
    if table.ndim != 2:
        raise ValueError(f"X must be a table of shape (n, columns), got shape {table.shape}")
    return table


def names_of(header: Sequence[str], width: int) -> list[str]:
    """Names of a file's columns, "column i" where there is none; ``header`` is empty if the file has none."""
    return [name or f"column {i}" for i, name in enumerate(header or [""] * width)]


def listed(names: Sequence[Any], most: int = 4) -> str:
    """A text of the first names, and of how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(str, names[:most])) + more


def quoted(names: Sequence[str]) -> str:
    """As ``listed``, each name in quotes."""
    return listed([repr(name) for name in names])


def position(name: int | str, known: Sequence[str], kind: str = "feature") -> int:
    """Position of a column among the known names; ValueError if it is not there, or its name is there twice."""
    if not isinstance(name, str):
        return checks.check_int(f"a {kind}'s position", name, 0, len(known) - 1)
    if name not in known:
        raise ValueError(f"there is no {kind} {name!r}; the table has {listed(known, MAX_NAMES)}")
    if known.count(name) > 1:
        raise ValueError(f"{known.count(name)} columns are named {name!r}; choose one by its position")
    return known.index(name)


def _holds_numbers(column: Any) -> bool:
    """Whether a column holds numbers: all of it, or at least one value among text."""
    if _is_category(column) or column.dtype.kind in REFUSED:
        return False
    if column.dtype.kind in NUMERIC:
        return True
    return any(number is not None and number == number for number in map(_to_float, column))


def _is_category(column: Any) -> bool:
    return str(column.dtype) == "category"


def _to_float(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _to_floats(column: Any, name: str) -> np.ndarray:
    if _is_category(column) or column.dtype.kind in REFUSED:
        raise ValueError(f"{name} must hold numbers, got values of type {column.dtype}")
    index = getattr(column, "index", None)
    if hasattr(column, "to_numpy"):
        kind = np.float64 if column.dtype.kind in NUMERIC else object
        column = column.to_numpy(dtype=kind, na_value=np.nan)
    try:
        return column.astype(np.float64)
    except (TypeError, ValueError):
        for row, value in enumerate(column):
            if _to_float(value) is None:
                text = checks.rows_text([row], index=index)
                raise ValueError(f"{name} must hold numbers, got {value!r} in {text}") from None
        raise


def encode_labels(
    y: Any, n: int, index: Sequence[Any] | None = None, class_names: Names | None = None
) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the sorted classes, by default their text, and each row's code (n,); errors name rows by ``index``."""
    y = np.asarray(y)
    if y.shape != (n,):
        raise ValueError(f"y must hold one label for each of {n} rows, got shape {y.shape}")
    missing = _missing(y)
    if len(missing):
        raise ValueError(f"y has missing labels in {checks.rows_text(missing, index=index)}")
    try:
        values, coded = np.unique(y, return_inverse=True)
    except TypeError:
        # Labels of different types have no order, but their texts have.
        values, coded = np.unique([label_text(label) for label in y.tolist()], return_inverse=True)
    if len(values) < 2:
        raise ValueError(f"y must hold at least two classes, got only {values.tolist()[0]!r}")
    if len(values) > 255:
        raise ValueError(f"y must hold at most 255 classes, got {len(values)}")
    if class_names is not None and len(class_names) != len(values):
        raise ValueError(f"class_names must name {len(values)} classes, got {len(class_names)}")
    return tuple(map(label_text, values.tolist()) if class_names is None else map(str, class_names)), coded


def _missing(y: np.ndarray) -> np.ndarray:
    if y.dtype.kind in "iubU":
        return np.empty(0, int)
    from pandas import isna

    return np.flatnonzero(isna(y))


def label_text(label: Any) -> str:
    """A label as text; whole numbers without a decimal point."""
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)
