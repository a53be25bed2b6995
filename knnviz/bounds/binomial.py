"""Tails of binomial counts, in doubles and without the weight of a statistics package."""

import numpy as np
from scipy.special import betainc, betaincc


def at_least(k: int, n: int, p: np.ndarray | float) -> np.ndarray | float:
    """P(Bin(n, p) >= k) for k from 1 to n, which is P(Beta(k, n - k + 1) <= p)."""
    return betainc(k, n - k + 1, p)


def fewer(k: int, n: int, p: np.ndarray | float) -> np.ndarray | float:
    """P(Bin(n, p) < k) for k from 1 to n: that of n uniforms fewer than k are at most p."""
    return betaincc(k, n - k + 1, p)
