"""Ticks of axes: where they stand and what they say, alike with matplotlib and in the browser."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, floor, log10
from typing import NamedTuple

from matplotlib.ticker import MaxNLocator

from knnviz.views import style
from knnviz.views.layers import Axes

#: Most intervals between ticks, the least height of one in CSS pixels, and distances of ticks up to
#: powers of ten.
MAX_INTERVALS = 8
INTERVAL_HEIGHT = 18
TICK_STEPS = (1, 2, 5, 10)


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
    x = (
        _logarithmic(*axes.xlim)
        if axes.log
        else _linear(axes.xlim, MAX_INTERVALS, axes.xticks, axes.xnames)
    )
    height = axes.rectangle[3]
    return x, _linear(
        axes.ylim, min(MAX_INTERVALS, height // INTERVAL_HEIGHT), axes.yticks, axes.ynames
    )


def round_places(low: float, high: float, intervals: int) -> tuple[float, ...]:
    """Round numbers from about one end to about the other, at most this many intervals apart."""
    return tuple(map(float, MaxNLocator(intervals, steps=TICK_STEPS).tick_values(low, high)))


def _linear(
    limits: tuple[float, float], intervals: int, places: Sequence[float], names: Sequence[str]
) -> Ticks:
    (low, high) = limits
    rounding = 1e-9 * (limits[1] - limits[0])
    at = places or round_places(low, high, intervals)
    both = zip(at, names or _texts(at), strict=True)
    shown = {place: text for place, text in both if low - rounding <= place <= high + rounding}
    return Ticks(tuple(shown), tuple(shown.values()))


def _texts(places: Sequence[float]) -> list[str]:
    """Numbers with as many decimals as all of them need."""
    decimals = next(
        d
        for d in range(13)
        if d == 12 or all(abs(each - round(each, d)) < 1e-12 for each in places)
    )
    return [f"{each + 0.0:.{decimals}f}".replace("-", "−") for each in places]


def _logarithmic(low: float, high: float) -> Ticks:
    """Powers of ten, not more than there is room for, and their multiples."""
    first = ceil(log10(low) - 1e-9)
    last = floor(log10(high) + 1e-9)
    stride = ceil((last - first + 1) / MAX_INTERVALS)
    powers = [power for power in range(first, last + 1) if power % stride == 0]
    places = {
        10.0**power: style.power_of_ten(power) if power > 3 else f"{10.0**power:g}"
        for power in powers
    }
    multiples = (
        [m * 10.0**power for power in range(first - 1, last + 1) for m in range(2, 10)]
        if stride == 1
        else []
    )
    return Ticks(
        tuple(places),
        tuple(places.values()),
        tuple([each for each in multiples if low <= each <= high]),
    )
