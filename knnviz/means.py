"""Ratios; and means and standard errors over repeats, of which NaN marks one that is not done."""

import numpy as np


def nan_mean(values: np.ndarray) -> np.ndarray:
    """Mean (...) over repeats of values (repeats, ...), without NaN; NaN where all are."""
    return np.ma.masked_invalid(values).mean(axis=0).filled(np.nan)


def nan_standard_error(values: np.ndarray) -> np.ndarray:
    """Standard error (...) of that mean; NaN for fewer than two values."""
    known = np.ma.masked_invalid(values)
    errors = known.std(axis=0, ddof=1) / np.sqrt(known.count(axis=0))
    return errors.filled(np.nan)


def ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """The ratio, 0 where the denominator is 0."""
    quotients = np.zeros(np.shape(denominator))
    is_positive = np.asarray(denominator) > 0
    return np.divide(numerator, denominator, out=quotients, where=is_positive)
