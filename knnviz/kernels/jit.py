"""How a kernel is compiled."""

from numba import njit

kernel = njit(nogil=True, cache=True)
