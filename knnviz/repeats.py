"""Means and standard errors over repeats; NaN marks a repeat that is not done yet."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from knnviz.checks import as_array, check_int, require, shown


def nan_mean(values: np.ndarray) -> np.ndarray:
    """Mean (...) over repeats of values (repeats, ...), without NaN; NaN where all are."""
    counts = (~np.isnan(values)).sum(axis=0)
    divisors = np.where(counts > 0, counts, np.nan)
    return np.nansum(values, axis=0) / divisors


def nan_standard_error(values: np.ndarray) -> np.ndarray:
    """Standard error (...) of that mean; NaN for fewer than two values."""
    counts = (~np.isnan(values)).sum(axis=0)
    squares = np.nansum((values - nan_mean(values)) ** 2, axis=0)
    divisors = np.where(counts > 1, (counts - 1) * counts, np.nan)
    return np.sqrt(squares / divisors)


def check_sweep(over: Any, k: Any, n: Any) -> tuple[Literal["k", "n"], list[int]]:
    """Return what a sweep runs over, k or n, and its values, all different; or raise ValueError."""
    is_one = isinstance(over, Mapping) and list(over) in (["k"], ["n"])
    require(is_one, f"over must be {{'k': values}} or {{'n': values}}, got {shown(over)}")
    ((name, values),) = over.items()

    described = f"values of {name}"
    if as_array(described, values).ndim != 1 or not len(values):
        raise ValueError(f"{described} must be a sequence of whole numbers, got {shown(values)}")
    values = [check_int(f"each value of {name}", value, 1) for value in values]
    if len(set(values)) < len(values):
        raise ValueError(f"{described} must differ from each other, got {values}")

    fixed = k if name == "k" else n
    require(fixed is None, f"{name} is what the curve runs over, so it cannot be given as well")
    require(name == "n" or n is not None, "a curve over k needs a sample size n")
    return name, values
