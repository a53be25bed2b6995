"""How much slower this machine is than the reference machine, of whose milliseconds absolute bars
are: a fixed piece of NumPy and numba work, and for the browser an empty round trip.
"""

import time
from functools import cache

import numba
import numpy as np

#: Milliseconds that the work takes on the reference machine: a virtual one with two cores of an AMD
#: EPYC, on 29 November 2026.
REFERENCE = 10.8

#: Milliseconds in the browser from a key press through a kernel that has nothing to do to a pixel,
#: on that machine: the median of nine medians of 48 presses, which lie between 27.6 and 30.2.
EMPTY = 29.0

#: Most that bars grow by on a slower machine.
MOST = 1.5

#: Seconds in which the work is done again and again; the fastest time counts, since what else runs
#: only adds to it.
SECONDS = 1.0


@numba.njit(cache=True)
def walk(steps):
    """The sum of a random walk over an array that fits no first cache."""
    places = np.arange(1 << 16)
    at = 1
    total = 0
    for _ in range(steps):
        at = (at * 1103515245 + 12345) & 0xFFFF
        total += places[at]
        places[at] = total & 0xFFFF
    return total


def work():
    """Sort, sum and multiply with NumPy, and walk with numba."""
    numbers = np.random.default_rng(0).random(400_000)
    np.sort(numbers)
    np.cumsum(np.exp(numbers))
    square = numbers[:160_000].reshape(400, 400)
    for _ in range(4):
        square = square @ square
        square /= square.max()
    walk(2_000_000)


def milliseconds():
    """What the work takes on this machine."""
    work()
    end = time.perf_counter() + SECONDS
    times = []
    while not times or time.perf_counter() < end:
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return 1000 * min(times)


@cache
def slowness():
    """How many times longer than on the reference machine work takes here, at most ``MOST``."""
    return min(milliseconds() / REFERENCE, MOST)


def slowness_of_browser(empty):
    """The same of a browser with this empty round trip, in milliseconds; at least 1, since displays
    are equally fast.
    """
    return min(max(empty / EMPTY, 1), MOST)


if __name__ == "__main__":
    print(slowness())
