"""ActiveRatesLab: where the guarantee of active learning holds.

A rate is the order, up to constants, of a bound on the disagreement: the probability that a vote
does not predict as the Bayes classifier does. The passive rate is that of Chaudhuri & Dasgupta for
n random labels, the active rate that of Corollary 1 for the two rounds of ``knnviz.active``. Each
prescribes a k. The active one assumes condition (C): Delta, which bounds how far a vote is from its
expectation, is at least three times the bias at this k. alpha and L are the smoothness exponent and
its constant, beta is the margin exponent.
"""

from math import ceil, floor, log10
from typing import Any, NamedTuple

import numpy as np

from knnviz.bounds import chaudhuri_dasgupta, rittler
from knnviz.bounds.arithmetic import log_over
from knnviz.labs.engine import (
    Cell,
    Float,
    Int,
    Lab,
    LogInt,
    Memo,
    Panel,
    Shown,
    Values,
    rows,
)
from knnviz.views import marks, style
from knnviz.views.layers import Axes, Band, Layer, Lines, Place, runs

#: Limits of n, and of the axis of n, which leaves room for a handle; the n at which curves are
#: computed.
SIZE_LIMITS = (100, 10**16)
SIZE_AXIS = (10**1.8, 10**16.2)
SIZES = np.geomspace(1e2, 1e16, 561)

#: Limits of the axis of chance and bias, in log10.
ERROR_LIMITS = (-6.5, 1.0)

#: Where condition (C) fails.
FAILS = "#C1121F"

#: Both sides of (C), and their colors.
SIDES = {"chance": style.CLASS_COLORS[7], "3 × bias": style.CLASS_COLORS[6]}

SMOOTH_TIP = "eta changes by at most L times the mass in between, to the power alpha"
MARGIN_TIP = "eta is within t of one half on a mass of order t^beta"
DIMENSION_TIP = "Only (C) depends on it, through the VC dimension of balls, which is one larger"
CONSTANT_TIP = "The theorems leave a constant in k open; 0 stands for 1, -3 for 0.001"

PARAMETERS = (
    "Assumptions",
    Float("smoothness", 1.0, 0.1, 1, "smoothness *alpha*", SMOOTH_TIP, step=0.05),
    Float("smoothness_constant", 1.0, 0.1, 10, "its constant *L*", SMOOTH_TIP, step=0.1),
    Float("margin_exponent", 0.9, 0.1, 1.95, "margin exponent *beta*", MARGIN_TIP, step=0.05),
    Int("dimension", 1, 1, 10, "dimension of points", DIMENSION_TIP),
    Float(
        "delta",
        0.1,
        0.01,
        0.5,
        "failure probability *delta*",
        "The guarantees hold except with this probability",
    ),
    "Rules",
    Float(
        "constant_power", 0.0, -6, 3, "unknown constant, log10", CONSTANT_TIP, step=0.5, digits=1
    ),
    LogInt(
        "n",
        SIZE_LIMITS[1],
        *SIZE_LIMITS,
        "labels *n*",
        "Condition (C) is drawn up to this many labels",
    ),
)


def recipe(p: Values, memo: Memo) -> Shown:
    alpha = p.smoothness
    beta = p.margin_exponent
    n = float(p.n)
    given = (alpha, beta, p.smoothness_constant, p.dimension, p.delta, p.constant_power)
    curves = memo(at_sizes, SIZES, *given)
    here = memo(at_sizes, n, *given)

    numbers: dict[str, Any] = {
        "(C) holds": bool(here.holds),
        "(C) holds for n": memo(usable, curves, *given),
        "chance": short_number(here.chance),
        "3 × bias": short_number(here.bias3),
        "passive exponent": chaudhuri_dasgupta.passive_exponents(alpha, beta).disagreement,
        "active exponent": rittler.active_exponents(alpha, beta).disagreement,
    }
    notes = rittler.unmet_conditions("corollary_1", smoothness=alpha, margin_exponent=beta)
    if not here.possible:
        notes.append(f"the active k would be {short_number(here.k)}, not from 1 to n")
    if notes:
        numbers["on the rates"] = "; ".join(notes)
    return Shown({"condition": lambda: memo(condition_panel, memo, curves, n, here)}, numbers)


class Condition(NamedTuple):
    """The k of the active rate at sizes n, one or (J,), whether it is from 1 to n, and both sides
    of (C) for it: chance, which is Delta, and three times the bias. k is not rounded.
    """

    k: Any
    possible: Any
    chance: Any
    bias3: Any

    @property
    def holds(self) -> Any:
        """Whether (C) holds."""
        return self.chance >= self.bias3


def at_sizes(
    n: Any, alpha: float, beta: float, L: float, dimension: int, delta: float, power: float
) -> Condition:
    k = rittler.active_neighbors(n, alpha, beta, delta, 10**power)
    possible = (k >= 1) & (k <= n)
    chance = np.minimum(0.5, np.sqrt(log_over(2, delta) / k))
    ratio = rittler.condition_ratio(k, n, dimension, delta, alpha, L)
    return Condition(k, possible, chance, chance / ratio)


def usable(active: Condition, *given: Any) -> str:
    """The n at which Corollary 1 may be used, in words; ``given`` are those of ``at_sizes``."""
    good = active.holds & active.possible
    intervals = []
    for _, start, stop in runs(good[None]):
        low = SIZES[start]
        high = SIZES[stop - 1]
        if start:
            low = last_usable(ceil(low), floor(SIZES[start - 1]), *given)
        if stop < len(SIZES):
            high = last_usable(floor(high), ceil(SIZES[stop]), *given)
        intervals.append(f"{short_number(low)} to {short_number(high)}")

    if not intervals:
        return "none"
    text = ", ".join(intervals)
    if good[-1]:
        return f"{text} or more"
    return text


def last_usable(n: int, beyond: int, *given: Any) -> int:
    """The last whole number on the way from an n at which Corollary 1 may be used to one
    ``beyond``, where not.
    """
    while abs(beyond - n) > 1:
        middle = (n + beyond) // 2
        here = at_sizes(float(middle), *given)
        if here.holds and here.possible:
            n = middle
        else:
            beyond = middle
    return n


def short_number(n: float) -> str:
    """A positive number to three digits, or to two and a power of ten."""
    if 0.01 <= n < 999.5:
        return f"{n:.3g}"
    digits, exponent = f"{n:.1e}".split("e")
    factor = digits.removesuffix(".0")
    power = style.power_of_ten(int(exponent))
    if factor == "1":
        return power
    return f"{factor}·{power}"


def condition_panel(memo: Memo, curves: Condition, n: float, here: Condition) -> Panel:
    """Both sides of condition (C) up to n, at the k of the active rate."""
    low, high = ERROR_LIMITS
    powers = range(round(low) + 1, round(high), 2)
    names = "Condition (C): chance against bias", "labels n", "error of a vote"
    axes = Axes(
        "condition",
        *names,
        SIZE_AXIS,
        ERROR_LIMITS,
        yticks=tuple(map(float, powers)),
        log=True,
        ynames=tuple(style.power_of_ten(power) if power else "1" for power in powers),
    )

    fails, lines = memo(sides, curves, np.searchsorted(SIZES, n, "right"))
    at_n = Lines("at_n", n, ERROR_LIMITS, width=1.5)
    layers: list[Layer] = [fails, *[marks.named_along(line, 1, "left") for line in lines], at_n]
    for name, value in zip(SIDES, (here.chance, here.bias3), strict=True):
        layers.append(marks.dot(n, log10(value), f"{name}_here", None, SIDES[name]))
    layers.append(marks.grip(n, axes))
    return Panel(axes, layers, lambda at: {"n": at.x}, "Heights are powers of ten.")


def sides(condition: Condition, stop: int) -> tuple[Band, list[Lines]]:
    """Red where (C) fails, and chance and three times the bias, at the first sizes."""
    low, high = ERROR_LIMITS
    sizes = SIZES[:stop]
    lower = np.where(condition.holds, np.nan, low)[:stop]
    fails = Band(
        "fails",
        sizes,
        lower,
        lower + high - low,
        label="(C) fails",
        at=Place(SIZES[condition.holds.argmin()], high, "left"),
        color=FAILS,
        opacity=0.13,
    )
    lines = []
    for name, values in zip(SIDES, (condition.chance, condition.bias3), strict=True):
        heights = np.log10(values[:stop])
        lines.append(marks.curve(name, name, sizes, heights, SIDES[name]))
    return fails, lines


class ActiveRatesLab(Lab):
    """Condition (C) of active learning over n, and the exponents of both rates.

    Source: Rittler & Chaudhuri, Corollary 1.

    Examples
    --------
    >>> from knnviz.labs import ActiveRatesLab
    >>> found = ActiveRatesLab(smoothness=1.0, margin_exponent=0.9).readout()
    >>> found["passive exponent"], found["active exponent"]
    (0.3, 0.428571)
    """

    title = "Guarantees of active learning"
    table = PARAMETERS
    recipe = recipe
    layout = rows(Cell("condition", height=300))
