"""ActiveRatesLab: what theory guarantees for passive and active learning, and where it contradicts
itself.

A rate is the order, up to constants, of a bound on the disagreement: the probability that a vote
does not predict as the Bayes classifier does. The passive rate is that of Chaudhuri & Dasgupta for
n random labels, the active rate that of Corollary 1 for the two rounds of ``knnviz.active``. Each
prescribes a k. The active one assumes condition (C): Delta, which bounds how far a vote is from its
expectation, is large enough at this k. alpha and L are the smoothness exponent and its constant,
beta is the margin exponent.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import ceil, floor, log10
from typing import Any, NamedTuple

import numpy as np

from knnviz.bounds import chaudhuri_dasgupta, rittler
from knnviz.bounds.arithmetic import log_over
from knnviz.labs.engine import (
    Cell,
    Choice,
    Float,
    Int,
    Lab,
    LogInt,
    Memo,
    Panel,
    Shown,
    Values,
    columns,
)
from knnviz.views import marks, style
from knnviz.views.layers import Axes, Band, Layer, Lines, runs

#: Limits of n, and of the axis of n, which leaves room for a handle; the n at which curves are
#: computed.
SIZE_LIMITS = (100, 10**16)
SIZE_AXIS = (10**1.8, 10**16.2)
SIZES = np.geomspace(1e2, 1e16, 561)

#: Possible lower ends of the axis of rates, and its upper end, in log10; where a cross stands on
#: it, above the curves; limits of the axis of chance and bias.
FLOORS = (-4, -8, -16)
TOP = 0.4
CROSS_HEIGHT = 0.05
ERROR_LIMITS = (-6.5, 1.0)

#: The rates that are drawn, by the options of the menu.
RULES = {"passive and active": ("passive", "active"), "passive": ("passive",)}

#: Colors of the passive and of the active rate, and of where condition (C) fails.
COLORS = {"passive": style.INK, "active": style.CLASS_COLORS[2]}
FAILS = "#C1121F"

#: Both sides of (C), and their colors.
SIDES = {"chance": style.CLASS_COLORS[7], "3 × bias": style.CLASS_COLORS[6]}

#: The dash of a rate whose k is not from 1 to n.
IMPOSSIBLE = (2, 4)

SMOOTH_TIP = "eta changes at most by L times the mass between, to the power alpha"
MARGIN_TIP = "eta is within t of one half on a mass of order t^beta"
DIMENSION_TIP = "Enters condition (C) alone, which has the VC dimension of balls: one more"
CONSTANT_TIP = "The theorems leave a constant in k unnamed: 0 stands for 1, -3 for 0.001"

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
    Choice("rules", RULES, "rules", "The learners whose rates are drawn"),
    Float(
        "constant_power", 0.0, -6, 3, "unknown constant, log10", CONSTANT_TIP, step=0.5, digits=1
    ),
    LogInt(
        "n",
        1_000_000,
        *SIZE_LIMITS,
        "labels *n*",
        "Number of labels at which rates, k and condition are shown",
    ),
)


def recipe(p: Values, memo: Memo) -> Shown:
    alpha = p.smoothness
    beta = p.margin_exponent
    n = float(p.n)
    given = (alpha, beta, p.smoothness_constant, p.dimension, p.delta, p.constant_power)
    curves = memo(rates_at, SIZES, *given)
    low = floor_of(curves["active"].value)
    here = memo(rates_at, n, *given)
    active = here["active"]
    promised = curves["active"]
    drawn = RULES[p.rules]
    curves = {name: curves[name] for name in drawn}
    here = {name: here[name] for name in drawn}
    notes = rittler.unmet_conditions("corollary_1", smoothness=alpha, margin_exponent=beta)

    exponents = chaudhuri_dasgupta.passive_exponents(alpha, beta)
    numbers: dict[str, Any] = {"passive exponent": exponents.disagreement}
    if "active" in drawn:
        numbers["active exponent"] = rittler.active_exponents(alpha, beta).disagreement
    if not active.possible:
        notes.append(f"the active k would be {short_number(active.k)}, not from 1 to n")
    numbers["(C) holds"] = bool(active.holds)
    numbers["usable for n"] = memo(usable, promised, *given)
    if notes:
        numbers["on the rates"] = "; ".join(notes)

    panels = {
        "rates": lambda: memo(rates_panel, memo, curves, n, here, low),
        "condition": lambda: memo(condition_panel, memo, promised, n, active),
    }
    return Shown(panels, numbers)


class Rate(NamedTuple):
    """A rate at sizes n, one or (J,), the k that it prescribes, whether that is from 1 to n, and
    both sides of (C) for it: chance, which is Delta, and three times the bias.

    A rate is the order of a bound on the disagreement, with 1 for every unknown constant; k is not
    rounded.
    """

    value: Any
    k: Any
    possible: Any
    chance: Any
    bias3: Any

    @property
    def holds(self) -> Any:
        """Whether (C) holds."""
        return self.chance >= self.bias3


#: The passive and the active rate, or those of them that are drawn.
Rates = dict[str, Rate]


def rates_at(
    n: Any, alpha: float, beta: float, L: float, dimension: int, delta: float, power: float
) -> Rates:
    exponent = chaudhuri_dasgupta.passive_exponents(alpha, beta).disagreement
    values = {
        "passive": (log_over(1, delta) / n) ** exponent,
        "active": rittler.corollary_1(n, alpha, beta, delta),
    }
    # beta = 0 gives the k of the passive rate.
    betas = {"passive": 0.0, "active": beta}
    rates = {}
    for name, value in values.items():
        k = rittler.active_neighbors(n, alpha, betas[name], delta, 10**power)
        possible = (k >= 1) & (k <= n)
        chance = np.minimum(0.5, np.sqrt(log_over(2, delta) / k))
        ratio = rittler.condition_ratio(k, n, dimension, delta, alpha, L)
        rates[name] = Rate(value, k, possible, chance, chance / ratio)
    return rates


def usable(active: Rate, *given: Any) -> str:
    """The n at which Corollary 1 may be used, in words; ``given`` are those of ``rates_at``."""
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
        here = rates_at(float(middle), *given)["active"]
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


def rates_panel(memo: Memo, curves: Rates, n: float, here: Rates, low: int) -> Panel:
    """The rates that are drawn over n."""
    limits = (low, TOP)
    step = max(-low // 4, 1)
    axes = log_axes("rates", "Rates of disagreement", "bound, up to\na constant", limits, step)

    values = {name: rate.value for name, rate in here.items()}
    layers = [*memo(rate_curves, curves, low)]
    layers += at_n(n, limits, values)
    text = f"n = {short_number(n)}"
    align = "left" if n * n < SIZE_LIMITS[0] * SIZE_LIMITS[1] else "right"
    grip = marks.draggable("n_grip", n, CROSS_HEIGHT * low, text, "n", text, align, cross=14)
    layers.append(grip)

    rates = [f"the {name} rate is {short_number(value)}" for name, value in values.items()]
    said = f"But for constants, {', '.join(rates)} at {text}."
    says = f"{said} Heights of curves are powers of ten."
    return Panel(axes, layers, lambda at: {"n": at.x}, says)


def floor_of(rates: np.ndarray) -> int:
    """The lower end, in log10, of the axis of rates (J,)."""
    lowest = rates.min()
    return next((low for low in FLOORS if 10.0**low <= lowest), FLOORS[-1])


def rate_curves(curves: Rates, low: int) -> list[Layer]:
    """Rates: solid where guaranteed, dashed and on red where (C) fails, dotted where k is not from
    1 to n.
    """
    color = COLORS["passive"]
    rate, _, possible, *_ = curves["passive"]
    passive = curve("passive", "passive", where(possible, rate), color)
    impossible = where(~possible, rate)
    layers: list[Layer] = [marks.named_along(passive, 0.9)]
    layers.append(curve("passive_impossible", None, impossible, color, IMPOSSIBLE))
    if "active" in curves:
        rate, _, possible, *_ = curves["active"]
        holds = curves["active"].holds
        failing = where(possible & ~holds, rate)
        holding = where(possible & holds, rate)
        label = "k below 1 or over n"
        layers.insert(0, shade(SIZES, where(~holds, low), where(~holds, TOP)))
        fails = curve("active_fails", "active, (C) fails", failing, FAILS, (9, 4))
        layers.append(marks.named_along(fails, 1, "below"))
        impossible = where(~possible, rate)
        layers.append(curve("active_impossible", label, impossible, style.INK, IMPOSSIBLE))
        color = COLORS["active"]
        active = curve("active", "active, (C) holds", holding, color, width=4.0)
        layers.append(marks.named_along(active, 0.5, "below"))
    return layers


def condition_panel(memo: Memo, curves: Rate, n: float, here: Rate) -> Panel:
    """Both sides of condition (C) over n, at the k of the active rate."""
    title = "Condition (C): chance against bias"
    axes = log_axes("condition", title, "", ERROR_LIMITS, 2)
    values = dict(zip(SIDES, (here.chance, here.bias3), strict=True))
    layers = [*memo(sides, curves), *at_n(n, ERROR_LIMITS, values)]
    layers.append(marks.grip(n, axes))
    said = ", ".join(f"{name} is {short_number(value)}" for name, value in values.items())
    says = f"At n = {short_number(n)} {said}. Heights of curves are powers of ten."
    return Panel(axes, layers, lambda at: {"n": at.x}, says)


def sides(rate: Rate) -> list[Layer]:
    """Chance and three times the bias, on red where (C) fails."""
    low, high = ERROR_LIMITS
    fails = shade(SIZES, where(~rate.holds, low), where(~rate.holds, high))
    layers: list[Layer] = [replace(fails, label="(C) fails", at="in words")]
    both = zip(SIDES.items(), (rate.chance, rate.bias3), ("below", "center"), strict=True)
    for (name, color), values, align in both:
        layers.append(marks.named_along(curve(name, name, values, color), 0.9, align))
    return layers


def log_axes(name: str, title: str, ylabel: str, limits: tuple[float, float], step: int) -> Axes:
    """Axes over n and over log10 of a value, with a tick at every ``step``-th power of ten."""
    low, high = limits
    first = -step * int(-low // step)
    ticks = range(first, floor(high) + 1, step)
    axes = Axes(name, title, "labels n", ylabel, SIZE_AXIS, limits, log=True)
    ynames = tuple(style.power_of_ten(tick) if tick else "1" for tick in ticks)
    return replace(axes, yticks=tuple(map(float, ticks)), ynames=ynames)


def where(holds: np.ndarray, values: Any) -> np.ndarray:
    """Values (J,) where ``holds`` (J,), and NaN elsewhere."""
    return np.where(holds, values, np.nan)


def shade(x: Any, lower: Any, upper: Any) -> Band:
    """Where (C) fails, in red."""
    return Band("fails", x, lower, upper, color=FAILS, opacity=0.13)


def curve(
    name: str,
    label: str | None,
    values: np.ndarray,
    color: str,
    dash: tuple[float, ...] = (),
    width: float = 3.0,
) -> Lines:
    y = np.log10(values)
    return Lines(name, SIZES, y, label=label, color=color, dash=dash, width=width)


def at_n(n: float, limits: tuple[float, float], values: Mapping[str, float]) -> Iterator[Layer]:
    """A line at n, and dots at the values of the rates that are drawn, unless outside the panel."""
    yield Lines("at_n", n, limits, width=1.5)
    low, high = limits
    for name, value in values.items():
        height = log10(value)
        if low <= height <= high:
            marker = 3 if name == "active" else 0
            yield marks.dot(n, height, f"{name}_here", None, (COLORS | SIDES)[name], marker)


class ActiveRatesLab(Lab):
    """Rates of passive and active learning over n, and condition (C) of the active one.

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
    layout = columns(Cell("condition", height=250), Cell("rates", height=250))
