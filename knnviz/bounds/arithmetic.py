"""Powers beyond doubles, and the smallest whole number of a kind."""

from collections.abc import Callable
from math import inf


def power(base: float, exponent: float) -> float:
    """base^exponent, infinite beyond what doubles hold."""
    try:
        return base**exponent
    except (OverflowError, ZeroDivisionError):
        return inf


def least_int(holds: Callable[[int], bool], start: int = 1, most: float = inf, refusal: str = "") -> int:
    """Smallest int from ``start`` on that holds, where all larger ones do; ValueError if doubling exceeds ``most``."""
    low, high = start - 1, start
    while not holds(high):
        low, high = high, 2 * high
        if high > most:
            raise ValueError(refusal)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
