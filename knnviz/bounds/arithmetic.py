"""Powers that may overflow, and the smallest integer with a property."""

from collections.abc import Callable
from math import inf


def power(base: float, exponent: float) -> float:
    """base^exponent, infinite beyond what doubles hold."""
    try:
        return base**exponent
    except (OverflowError, ZeroDivisionError):
        return inf


def least_int(holds: Callable[[int], bool], start: int = 1) -> int:
    """Smallest int n from ``start`` on with ``holds(n)``, which must be true of some n and of all larger ones."""
    low, high = start - 1, start
    while not holds(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
