"""Ticks of axes: where they stand and what they say, alike with matplotlib and in the browser."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, floor, log10
from typing import NamedTuple

from matplotlib.ticker import MaxNLocator, ScalarFormatter

from knnviz.views import style
from knnviz.views.layers import Axes

#: Most intervals between ticks, and the least height of one in CSS pixels.
MAX_INTERVALS = 4
INTERVAL_HEIGHT = 30

#: CSS pixels between two names of an axis that do not touch.
NAME_HEIGHT = 12

#: Powers of ten are written in full where none is higher than this one.
LAST_IN_FULL = 7

#: Distances of ticks, times a power of ten.
STEPS = (1, 2, 2.5, 5, 10)


class Ticks(NamedTuple):
    """Places in data coordinates, what stands there, and places of small ticks without a text."""

    places: tuple[float, ...]
    texts: tuple[str, ...]
    small: tuple[float, ...] = ()


@lru_cache(200)
def ticks(axes: Axes) -> tuple[Ticks, Ticks]:
    """The ticks of x and of y within the limits, those that the axes name or else round ones; bare
    axes have none.
    """
    if axes.bare:
        return Ticks((), ()), Ticks((), ())
    if axes.log and not axes.xticks:
        x = _logarithmic(*axes.xlim)
    else:
        x = _linear(axes.xlim, MAX_INTERVALS, axes.xticks, axes.xnames)
    height = axes.rectangle[3]
    intervals = min(MAX_INTERVALS, height // INTERVAL_HEIGHT)
    room = 0.0
    if height:
        room = NAME_HEIGHT * (axes.ylim[1] - axes.ylim[0]) / height
    return x, _linear(axes.ylim, intervals, axes.yticks, axes.ynames, room)


def round_numbers(
    low: float,
    high: float,
    intervals: int,
    fewest: int = 2,
    steps: Sequence[float] = (1, 2, 5, 10),
) -> tuple[float, ...]:
    """Round numbers over an interval, at most so many apart, and ``fewest`` of them within it; they
    differ by one of ``steps`` times a power of ten.
    """
    locator = MaxNLocator(intervals, steps=steps, min_n_ticks=fewest)
    return tuple(map(float, locator.tick_values(low, high)))


def _linear(
    limits: tuple[float, float],
    intervals: int,
    places: Sequence[float],
    names: Sequence[str],
    room: float = 0.0,
) -> Ticks:
    """Ticks at places, or else names at 0, 1, 2, ..., or round numbers; but no numbers that are
    nearer to a name than a ``room``.
    """
    low, high = limits
    if not places:
        places = range(len(names)) or round_numbers(low, high, intervals, steps=STEPS)
    numbers = ScalarFormatter(useOffset=False)
    numbers.set_scientific(False)
    texts = names or numbers.format_ticks([*places])
    rounding = 1e-9 * (high - low)
    both = zip(places, texts, strict=True)
    within = {at: text for at, text in both if low - rounding <= at <= high + rounding}
    named = {at for at, text in within.items() if not text.replace(".", "").isdigit()}
    near = {at for at in within for name in named if abs(at - name) < room}
    shown = {at: text for at, text in within.items() if at not in near - named}
    return Ticks(tuple(shown), tuple(shown.values()))


def _logarithmic(low: float, high: float) -> Ticks:
    """Powers of ten, not more than there is room for, and their multiples."""
    first = ceil(log10(low) - 1e-9)
    last = floor(log10(high) + 1e-9)
    stride = ceil((last - first + 1) / MAX_INTERVALS)
    powers = range(first + -first % stride, last + 1, stride)

    def text(power: int) -> str:
        if power <= 3:
            return f"{10.0**power:g}"
        return f"{10**power:,}" if last <= LAST_IN_FULL else style.power_of_ten(power)

    every = [m * 10.0**power for power in range(first - 1, last + 1) for m in range(2, 10)]
    small = [each for each in every if stride == 1 and low <= each <= high]
    return Ticks(tuple(10.0**power for power in powers), tuple(map(text, powers)), tuple(small))
