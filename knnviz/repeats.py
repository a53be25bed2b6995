"""Means and standard errors over repeats; NaN marks a repeat that is not done yet."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from knnviz.checks import as_array, check_int, require, shown


def nan_mean(values: np.ndarray) -> np.ndarray:
    """Mean (...) over repeats of values (repeats, ...), without NaN; NaN where all are."""
    counts = (~np.isnan(values)).sum(axis=0)
    return np.nansum(values, axis=0) / np.where(counts > 0, counts, np.nan)


def nan_standard_error(values: np.ndarray) -> np.ndarray:
    """Standard error (...) of that mean; NaN for fewer than two values."""
    counts = (~np.isnan(values)).sum(axis=0)
    squares = np.nansum((values - nan_mean(values)) ** 2, axis=0)
    return np.sqrt(squares / np.where(counts > 1, (counts - 1) * counts, np.nan))


def check_sweep(over: Any, k: Any, n: Any) -> tuple[Literal["k", "n"], list[int]]:
    """A sweep computes a curve over k or over n: return which, and its values, all different; or
    raise ValueError.
    """
    one = isinstance(over, Mapping) and list(over) in (["k"], ["n"])
    require(one, f"over must be {{'k': values}} or {{'n': values}}, got {shown(over)}")
    ((name, values),) = over.items()
    require(
        as_array(f"values of {name}", values).ndim == 1 and len(values),
        f"values of {name} must be a sequence of whole numbers, got {shown(values)}",
    )
    values = [check_int(f"each value of {name}", value, 1) for value in values]
    require(
        len(set(values)) == len(values),
        f"values of {name} must differ from each other, got {values}",
    )
    require(
        (k if name == "k" else n) is None,
        f"{name} is what the curve runs over, so it cannot be given as well",
    )
    require(name == "n" or n is not None, "a curve over k needs a sample size n")
    return name, values
