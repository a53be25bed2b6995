"""Checks of arguments: they raise ValueError in one sentence, and most return the valid data."""

import math
from collections.abc import Hashable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from numbers import Real
from textwrap import shorten
from typing import Any, TypeVar

import numpy as np

#: Largest coordinate whose squared distances stay finite.
LARGEST_COORDINATE = 1e150

#: How far rounding may move sums of probabilities from 1, in single precision too.
SUM_TOL = 1e-6

#: Probabilities, or scores divided by the largest weight, that differ by less are tied: decimals
#: such as 0.1 are not exact in floating point.
TIE_TOL = 1e-12

#: A margin of a ball that is below a limit by less than this, by rounding in single precision,
#: counts as reaching it.
MARGIN_TOL = 1e-6

#: Most classes: codes are stored in 8 bits.
MOST_CLASSES = 255

#: Largest number that counts something.
LARGEST_COUNT = 10**15

Weights = Sequence[float] | np.ndarray

#: What ``check_seed`` takes.
Seed = int | np.random.Generator | np.random.SeedSequence

Number = TypeVar("Number", float, Fraction, float | Fraction)


def require(condition: Any, sentence: str) -> None:
    """Raise ValueError with a sentence, which names the value, unless a condition holds."""
    if not condition:
        raise ValueError(sentence)


def shown(value: Any) -> str:
    """A value as a sentence shows it: on one line, and not to its end if it is long."""
    return shorten(repr(value), 80, placeholder=" ...")


def check_int(name: str, value: Any, low: float, high: int | None = None) -> int:
    """Return ``value`` as an int between ``low`` and ``high``, or raise ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} must be a whole number, got {shown(value)}")
    if high is None and value < low:
        raise ValueError(f"{name} must be at least {low}, got {value}")
    most = LARGEST_COUNT if high is None else high
    if not low <= value <= most:
        raise ValueError(f"{name} must be between {low} and {most}, got {value}")
    return int(value)


def check_real(name: str, value: Number, low: float, high: float) -> Number:
    """Return ``value`` between ``low`` and ``high``, as a float unless it is a Fraction, or raise
    ValueError.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{name} must be a number, got {shown(value)}")
    try:
        # A number in single precision is the decimal that was typed; one in double is a float.
        is_single = isinstance(value, np.floating) and not isinstance(value, float)
        exact: Any = str(value) if is_single else value
        number: Any = exact if isinstance(exact, Fraction) else float(exact)
    except OverflowError:
        number = math.inf if value > 0 else -math.inf
    if not low <= number <= high:
        limits = "a number" if math.isnan(number) else f"between {low:g} and {high:g}"
        raise ValueError(f"{name} must be {limits}, got {float(number):g}")
    return number


def check_seed(seed: Any) -> np.random.Generator:
    """Return a generator as it is, or that of a seed; ValueError unless that is an int from 0."""
    if not isinstance(seed, np.random.Generator | np.random.SeedSequence):
        seed = check_int("seed", seed, 0)
    return np.random.default_rng(seed)


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> Any:
    """Return ``value``, one of two or more ``choices``, or raise ValueError."""
    if not isinstance(value, Hashable) or value not in choices:
        *first, last = map(repr, choices)
        raise ValueError(f"{name} must be {', '.join(first)} or {last}, got {shown(value)}")
    return value


def check_failure_probability(delta: Any) -> float:
    """Return a failure probability strictly between 0 and 1, or raise ValueError."""
    delta = float(check_real("failure probability delta", delta, 0, 1))
    if not 0 < delta < 1:
        raise ValueError(
            f"failure probability delta must lie strictly between 0 and 1, got {delta:g}"
        )
    return delta


def check_k(k: Any, n: int, of: str = "points", name: str = "k") -> int:
    """Return k as an int from 1 to n, or raise ValueError; ``of`` names what n counts."""
    k = check_int(name, k, 1)
    got = f"got {name} = {k} with n = {n}"
    require(k <= n, f"{name} must not exceed the number of {of}, {got}")
    return k


def check_n_classes(n_classes: Any) -> int:
    """Return a number of classes as an int, or raise ValueError."""
    return check_int("n_classes", n_classes, 2, MOST_CLASSES)


def check_flip_rates(p0: Number, p1: Number) -> tuple[Number, Number]:
    """Return flip rates of class 0 and 1, each in [0, 1) and together below 1, or raise
    ValueError.
    """
    p0 = check_real("flip rate p0", p0, 0, 1)
    p1 = check_real("flip rate p1", p1, 0, 1)
    if round(float(p0 + p1), 12) >= 1:
        raise ValueError(
            f"flip rates must satisfy p0 + p1 < 1, got {float(p0):.2f} + {float(p1):.2f}"
        )
    return p0, p1


def check_points(name: str, X: Any, dimension: int | None = None) -> np.ndarray:
    """Return X as a finite (n, d) float64 array, or raise ValueError, which names rows."""
    X = check_numbers(name, X)
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(
            f"{name} must be a table of shape (n, d) with at least one row and column, got "
            f"{X.shape}"
        )
    if dimension is not None and X.shape[1] != dimension:
        raise ValueError(f"{name} must have {dimension} columns, got {X.shape[1]}")
    if not -LARGEST_COORDINATE <= X.min() <= X.max() <= LARGEST_COORDINATE:
        finite = np.isfinite(X).all(axis=1)
        if not finite.all():
            bad = rows_text(np.flatnonzero(~finite))
            raise ValueError(f"{name} has missing or infinite values in {bad}")
        beyond = abs(X).max(axis=1) > LARGEST_COORDINATE
        far = rows_text(np.flatnonzero(beyond))
        raise ValueError(
            f"{name} has values beyond {LARGEST_COORDINATE:g} in {far}, too large to measure "
            "distances"
        )
    return np.ascontiguousarray(X)


def check_numbers(name: str, values: Any) -> np.ndarray:
    """Return values as a float64 array; ValueError for text and boolean arrays, sparse and masked
    ones.
    """
    if hasattr(values, "toarray"):
        # The message of scikit-learn.
        raise ValueError(
            f"Sparse data was passed for {name}, but dense data is required. "
            "Use '.toarray()' to convert to a dense numpy array."
        )
    array = as_array(name, values)
    try:
        if array.dtype.kind not in "iufO":
            raise TypeError
        # Text in an array of objects would count as the number that it spells.
        if array.dtype.kind == "O" and not _all_are(Real | Decimal, array):
            raise TypeError
        return array.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must hold real numbers in rows of equal length") from None


def _all_are(kinds: Any, array: np.ndarray) -> bool:
    return all(isinstance(each, kinds) for each in array.flat)


def as_array(name: str, values: Any) -> np.ndarray:
    """Return values as an array; ValueError for rows of different lengths and masked values."""
    require(not np.ma.is_masked(values), f"{name} has masked values")
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must hold real numbers in rows of equal length") from None


def check_whole_numbers(name: str, values: Any) -> np.ndarray:
    """Return values as an array of whole numbers or truth values, or raise ValueError for others
    and masked ones.
    """
    array = as_array(name, values)
    if array.dtype.kind == "O" and _all_are(int | np.integer, array):
        array = np.array(array.tolist())
    if array.dtype.kind not in "iub":
        raise ValueError(f"{name} must hold whole numbers, got values of type {array.dtype}")
    return array


def check_range(name: str, values: np.ndarray, low: float, high: float, tol: float = 0.0) -> None:
    """Raise ValueError unless numbers lie between ``low`` and ``high``, up to ``tol``."""
    least = values.min()
    most = values.max()
    if not (least >= low - tol and most <= high + tol):
        got = f"got values from {least:g} to {most:g}"
        raise ValueError(f"{name} must lie between {low:g} and {high:g}, {got}")


def check_fractions(name: str, values: Any) -> np.ndarray:
    """Return fractions (m, C) in [0, 1], up to rounding, of two or more classes at any points, or
    raise ValueError.
    """
    values = check_numbers(name, values)
    if values.ndim != 2 or len(values) == 0 or values.shape[1] < 2:
        raise ValueError(
            f"{name} must have a row for each point and a column for each class, got shape "
            f"{values.shape}"
        )
    check_range(name, values, 0, 1, SUM_TOL)
    return values


def check_probabilities(name: str, values: Any) -> np.ndarray:
    """Return the probability (m, C) of each class at each point, which sum to 1 there, or raise
    ValueError.
    """
    values = check_fractions(name, values)
    sums = reduce(np.add, values.T)
    off = abs(sums - 1)
    if not off.max() <= SUM_TOL:
        got = sums[off.argmax()]
        raise ValueError(f"{name} must sum to 1 at every point, got a sum of {got:.10g}")
    return values


def check_weights(weights: Any, m: int, name: str = "weights") -> np.ndarray:
    """Return m probabilities (m,) that sum to 1, equal ones for None, or raise ValueError."""
    if weights is None:
        return np.full(m, 1 / m)
    weights = check_numbers(name, weights)
    valid = weights.shape == (m,) and (weights >= 0).all()
    if not valid or abs(weights.sum() - 1) > SUM_TOL:
        raise ValueError(f"{name} must be {m} numbers that are not negative and sum to 1")
    return weights


def check_class_weights(
    q: Weights | None, n_classes: int | None = None, name: str = "q"
) -> np.ndarray:
    """Return class weights (C,) float64, finite, none negative, not all 0, or raise ValueError.

    ``n_classes`` is C, by default that of the weights, at least 2. Without weights they are 1 / C
    each.
    """
    if n_classes is None:
        if q is None or as_array(name, q).ndim != 1 or len(q) < 2:
            raise ValueError(f"{name} must hold weights of two or more classes, got {shown(q)}")
        n_classes = len(q)
    if q is None:
        return np.full(n_classes, 1 / n_classes)
    weights = check_numbers(name, q)
    valid = (np.isfinite(weights) & (weights >= 0)).all() and weights.any()
    if weights.shape != (n_classes,) or not valid:
        raise ValueError(
            f"{name} must hold {n_classes} weights that are finite, not negative and not all 0, "
            f"got {shown(q)}"
        )
    return weights


def rescaled(q: np.ndarray) -> np.ndarray:
    """Weights (C,) divided by a power of two, so that the largest is near 1 and digits stay."""
    return np.ldexp(q, -np.frexp(q.max())[1])


def check_codes(
    name: str, labels: Any, n: int, n_classes: int, dtype: type = np.uint8
) -> np.ndarray:
    """Return class codes 0..n_classes-1 as a new (n,) array of a type that holds them, or raise
    ValueError.
    """
    most = np.iinfo(dtype).max + 1
    n_classes = check_int("the number of classes", n_classes, 1, most)
    labels = check_whole_numbers(name, labels)
    if labels.shape != (n,):
        raise ValueError(
            f"{name} must hold one class for each of {n} points, got shape {labels.shape}"
        )
    if n and (labels.min() < 0 or labels.max() >= n_classes):
        raise ValueError(
            f"{name} must be class codes 0 to {n_classes - 1}, got {labels.min()} to {labels.max()}"
        )
    return labels.astype(dtype)


def check_ints(name: str, values: Any, low: int, high: int | None = None) -> list[int]:
    """Return one or more whole numbers as ints from ``low`` to ``high``, or raise ValueError."""
    if as_array(name, values).ndim != 1 or not len(values):
        raise ValueError(f"{name} must be a sequence of whole numbers, got {shown(values)}")
    return [check_int(f"each of {name}", value, low, high) for value in values]


def check_interval(name: str, ends: Any) -> tuple[float, float]:
    """Return the ends (low, high) of an interval that is not empty, or raise ValueError."""
    found = check_numbers(name, ends)
    is_pair = found.shape == (2,) and np.isfinite(found).all()
    if not is_pair or found[0] >= found[1]:
        raise ValueError(f"{name} must be two numbers, the lower one first, got {shown(ends)}")
    return float(found[0]), float(found[1])


def check_row(name: str, values: Any, finite: bool = True) -> np.ndarray:
    """Return numbers (m,), none missing, as float64, or raise ValueError; unless ``finite`` they
    may be infinite.
    """
    found = check_numbers(name, values)
    bad = ~np.isfinite(found) if finite else np.isnan(found)
    if found.ndim != 1 or bad.any():
        kind = "finite numbers" if finite else "numbers"
        raise ValueError(f"{name} must be {kind} in a row, none missing, got shape {found.shape}")
    return found


def check_ascending(name: str, values: Any) -> np.ndarray:
    """Return finite numbers (J,) of which none is below the one before, or raise ValueError."""
    found = check_numbers(name, values)
    is_row = found.ndim == 1 and np.isfinite(found).all()
    if not is_row or (found[1:] < found[:-1]).any():
        raise ValueError(f"{name} must be finite numbers that ascend, got {shown(values)}")
    return found


def check_truth(name: str, values: Any, m: int, n_classes: int) -> np.ndarray:
    """Return the probability (m, C) of each class, 1 and 0 for class codes (m,), or raise
    ValueError.
    """
    if as_array(name, values).ndim != 2:
        codes = check_codes(name, values, m, n_classes)
        return (codes == np.arange(n_classes)[:, None]).T
    values = check_probabilities(name, values)
    wanted = (m, n_classes)
    require(values.shape == wanted, f"{name} must have the shape {wanted}, got {values.shape}")
    return values


def check_bags(name: str, values: Any, n: int | None = None) -> np.ndarray:
    """Return a table of truth values, or of 0 and 1, as a new (n, C) bool array, or raise
    ValueError.
    """
    table = as_array(name, values)
    if table.dtype.kind == "O":
        table = check_whole_numbers(name, table)
    if n is not None and (table.ndim != 2 or len(table) != n):
        raise ValueError(f"{name} must have a row for each of {n} points, got shape {table.shape}")
    is_table = table.ndim == 2 and table.dtype.kind in "biuf"
    if not is_table or not (table.dtype == bool or np.isin(table, (0, 1)).all()):
        raise ValueError(f"{name} must hold truth values, or 0 and 1")
    return table.astype(bool, order="C")


def column_names(name: str, table: Any) -> list[Any] | None:
    """Names of the columns of a data frame, None for another table; ValueError for a frame without
    columns by name.
    """
    if not hasattr(table, "columns"):
        return None
    names = list(table.columns)
    try:
        table[names[0]]
    except (IndexError, TypeError):
        got = f"got {type(table).__name__}"
        raise ValueError(
            f"{name} must be an array or a data frame, such as pandas and polars make, {got}"
        ) from None
    return names


def rows_text(indices: np.ndarray) -> str:
    """Text that names the first five of some rows by their positions."""
    named = ", ".join(map(str, indices[:5]))
    if len(indices) > 5:
        return f"rows {named} and {len(indices) - 5} more"
    if len(indices) > 1:
        return f"rows {named}"
    return f"row {named}"


def check_labels(y: Any) -> None:
    """Raise ValueError for labels that are masked or complex, or of which some are rows."""
    labels = as_array("y", y)
    # Scikit-learn's words, which its own checks expect.
    require(labels.dtype.kind != "c", "Complex data not supported: y must hold classes")


def read_points(estimator: Any, X: Any, *y: Any, **options: Any) -> Any:
    """What scikit-learn's ``validate_data`` gives of X as floats, or ValueError, also for text,
    dates and masks.
    """
    from sklearn.utils.validation import validate_data

    if not hasattr(X, "toarray"):
        table = as_array("X", X)
        got = f"got shape {table.shape}"
        require(table.ndim == 2, f"X must be a table of shape (n, d), {got}. Reshape your data")
        kind = table.dtype.kind
        has_text = kind == "O" and any(isinstance(each, str | bytes) for each in table.flat)
        if has_text or kind in "USMm":
            raise ValueError(f"X must hold real numbers, got {table.dtype}")
    for labels in y:
        check_labels(labels)
    try:
        return validate_data(estimator, X, *y, dtype=np.float64, **options)
    except ValueError as error:
        # The lines after the first one are advice on scikit-learn.
        raise ValueError(str(error).partition("\n")[0]) from None
