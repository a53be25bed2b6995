"""Layers of ActiveRatesLab: rates, neighbors and condition over n, in log10; and p and Delta on a line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor, log10
from typing import Any

import numpy as np

from knnviz.problems import Measure, Problem
from knnviz.views import line, marks, style
from knnviz.views import sets as set_view
from knnviz.views.layers import Annotations, Axes, Band, Fill, Layer, Lines

#: Limits of n, and of the axis of n, which leaves room for a handle.
SIZE_LIMITS, SIZE_AXIS = (1e2, 1e16), (10**1.8, 10**16.2)

#: Possible lower ends of the axis of rates, and its upper end.
FLOORS, TOP = (-4, -8, -16), 0.4

#: Limits of the axes of neighbors and of ratios.
NEIGHBOR_LIMITS, RATIO_LIMITS = (-1.0, 17.0), (-6.5, 3.5)

#: Colors of the passive and of the active rate, and of where condition (*) fails.
PASSIVE, ACTIVE, FAILS = style.INK, style.CLASS_COLORS[2], "#C1121F"
OPACITY = 0.13

#: The dash of a rate whose k is not from 1 to n, and of the lines k = n and ratio 1.
IMPOSSIBLE, REFERENCE = (2, 4), (7, 4)

#: Limits of the axis of probabilities, with room above and below.
HEIGHTS = (-0.35, 1.32)

#: Heights of the text on the bound and of an interval of length p, and half the height of the ticks at its ends.
TEXT_HEIGHT, BALL_HEIGHT, TIP = 1.22, -0.21, 0.04

#: The distance up to which the line near an atom of the boundary is shaded.
NEAR = 0.05


@dataclass(frozen=True, eq=False)
class RateCurves:
    """Both rates over sizes n (J,), the k that they prescribe, and for these both sides of (*), left over right: (J,).

    Rates are orders of bounds on the disagreement, with 1 for every unknown constant; k are not rounded.
    """

    sizes: np.ndarray
    passive: np.ndarray
    active: np.ndarray
    passive_neighbors: np.ndarray
    active_neighbors: np.ndarray
    passive_ratio: np.ndarray
    active_ratio: np.ndarray

    @property
    def holds(self) -> np.ndarray:
        """Where (*) holds for the active k (J,) bool."""
        return self.active_ratio >= 1

    @property
    def possible(self) -> np.ndarray:
        """Where the active k is possible, from 1 to n (J,) bool."""
        return (self.active_neighbors >= 1) & (self.active_neighbors <= self.sizes)


def short_number(n: float) -> str:
    """A positive number to three digits, or to two and a power of ten."""
    if 0.01 <= n < 999.5:
        return f"{n:.3g}"
    digits, exponent = f"{n:.1e}".split("e")
    factor, power = digits.removesuffix(".0"), style.power_of_ten(int(exponent))
    return power if factor == "1" else f"{factor}·{power}"


def floor_of(rates: np.ndarray) -> int:
    """The lower end, in log10, of the axis of rates (J,)."""
    return next((low for low in FLOORS if 10.0**low <= rates.min()), FLOORS[-1])


def log_axes(name: str, title: str, ylabel: str, limits: tuple[float, float], step: int) -> Axes:
    """Axes over n and over log10 of a value, with a tick at every ``step``-th power of ten."""
    ticks = tuple(range(-step * int(-limits[0] // step), floor(limits[1]) + 1, step))
    names = tuple(style.power_of_ten(tick) if tick else "1" for tick in ticks)
    yticks = tuple(map(float, ticks))
    return Axes(name, title, "labels n", ylabel, SIZE_AXIS, limits, log=True, yticks=yticks, ynames=names)


def rate_axes(low: int) -> Axes:
    ylabel = "shape only,\nunknown constant"
    return log_axes("rates", "Rates of disagreement", ylabel, (low, TOP), max(-low // 4, 1))


def shade(x: np.ndarray, where: np.ndarray, limits: tuple[float, float], name: str, label: str | None) -> Band:
    """The height of a panel, in red, over those x (J,) at which ``where`` (J,) is true."""
    low, high = (np.where(where, end, np.nan) for end in limits)
    return Band(name=name, label=label, x=x, lower=low, upper=high, color=FAILS, opacity=OPACITY)


def curve(
    x: Any, values: Any, name: str, label: str | None, color: str, dash: tuple[float, ...] = (), width: float = 3.0
) -> Lines:
    return Lines(name=name, label=label, x=x, y=np.log10(values), color=color, dash=dash, width=width)


def rates(curves: RateCurves, low: int) -> list[Layer]:
    """Both rates: solid where guaranteed, dashed and on red where (*) fails, dotted where k is not from 1 to n."""
    x, passive, active, holds, possible = curves.sizes, curves.passive, curves.active, curves.holds, curves.possible
    passive_possible = (curves.passive_neighbors >= 1) & (curves.passive_neighbors <= x)
    return [
        shade(x, ~holds, (low, TOP), "fails", None),
        curve(x, np.where(passive_possible, passive, np.nan), "passive", "passive", PASSIVE),
        curve(x, np.where(~passive_possible, passive, np.nan), "passive_impossible", None, PASSIVE, dash=IMPOSSIBLE),
        curve(x, np.where(possible & ~holds, active, np.nan), "active_fails", "active, (*) fails", FAILS, dash=(9, 4)),
        curve(x, np.where(~possible, active, np.nan), "active_impossible", "no such k", style.INK, dash=IMPOSSIBLE),
        curve(x, np.where(possible & holds, active, np.nan), "active", "active, (*) holds", ACTIVE, width=4.0),
    ]


def neighbors(x: np.ndarray, passive: np.ndarray, active: np.ndarray) -> list[Layer]:
    """The k (J,) of the passive and of the active rate at n = x (J,)."""
    log_n, top = np.log10(x), NEIGHBOR_LIMITS[1]
    return [
        Band(name="beyond", label="more than n", x=x, lower=log_n, upper=top, color=FAILS, opacity=OPACITY),
        curve(x, x, "all", "k = n", style.INK, REFERENCE, width=2.0),
        curve(x, passive, "passive", "passive k", PASSIVE),
        curve(x, active, "active", "active k", ACTIVE),
    ]


def condition(x: np.ndarray, passive: np.ndarray, active: np.ndarray) -> list[Layer]:
    """The ratio (J,) of both sides of (*) at the k of the passive and of the active rate, at n = x (J,)."""
    ends = np.array(SIZE_AXIS)
    return [
        shade(ends, np.ones(2, bool), (RATIO_LIMITS[0], 0.0), "fails", "(*) fails: below 1"),
        curve(ends, np.ones(2), "one", None, style.INK, REFERENCE, width=2.0),
        curve(x, passive, "passive", "at the passive k", PASSIVE),
        curve(x, active, "active", "at the active k", ACTIVE),
    ]


def at_n(n: float, limits: tuple[float, float], passive: float, active: float) -> list[Layer]:
    """A line at n, and dots at a value for the passive and one for the active rate, unless outside the panel."""
    drawn: list[Layer] = [Lines(name="at_n", x=n, y=limits, width=1.5)]
    for name, value, color, marker in (("passive_here", passive, PASSIVE, 0), ("active_here", active, ACTIVE, 3)):
        if limits[0] <= log10(value) <= limits[1]:
            drawn.append(marks.dot(n, log10(value), name, None, color, marker))
    return drawn


def handle(n: float, low: int) -> Annotations:
    text = f"n = {short_number(n)}"
    _, cross = marks.handle(n, SIZE_LIMITS, low, "n", text)
    return replace(cross, texts=(text,))


def line_axes(problem: Problem) -> Axes:
    return replace(line.axes(problem), title="Theorem 3 on a line", ylim=HEIGHTS, yticks=(0.0, 0.5, 1.0))


def boundary(problem: Problem, inside: np.ndarray) -> Fill:
    """The effective boundary at cells or atoms (m,) bool; of atoms the cells near them."""
    if problem.atoms is not None:
        distances = abs(problem.grid(1000).points - problem.atoms.points.T)
        inside = (distances[:, inside] < NEAR).any(axis=1)
    return set_view.region(problem, inside, "boundary", "effective boundary")


def eta(problem: Problem, measure: Measure, frequency: np.ndarray) -> Sequence[Layer]:
    x = measure.points[:, 0]
    return line.eta_curves(x, frequency) if problem.atoms is None else atoms(x, frequency[:, 1], measure.weights)


def margin_band(margin: float) -> Band:
    low, high = 0.5 - margin, 0.5 + margin
    return Band(name="margin", label="1/2 ± Δ", x=(0, 1), lower=low, upper=high, color="#E69F00", opacity=0.3)


def ball(mass: float) -> Lines:
    """An interval of length p, at most 1, in the middle of the line, with its two ends; nothing for NaN."""
    half = min(mass, 1) / 2
    low, high = 0.5 - half, 0.5 + half
    x = low, high, np.nan, low, low, np.nan, high, high
    y = BALL_HEIGHT + np.array([0, 0, np.nan, -TIP, TIP, np.nan, -TIP, TIP])
    return Lines(name="ball", label="ball of mass p", x=x, y=y, color="#6A3D9A", width=3.5)


def value_label(margin: float, mass: float | None, boundary_mass: float | None, bound: float | None) -> Annotations:
    p = "no p" if mass is None else f"p = {mass:.3f}"
    of_boundary = "" if boundary_mass is None else f"mass {boundary_mass:.3f}, "
    texts = f"{of_boundary}bound {'vacuous' if bound is None else f'{bound:.3f}'}", f"Δ = {margin:.3f}", p
    return Annotations(name="value_label", x=0, y=(TEXT_HEIGHT, 0.5, BALL_HEIGHT), texts=texts)


def atoms(x: np.ndarray, eta: np.ndarray, weights: np.ndarray) -> list[Layer]:
    """Atoms at x (m,), at the height of their eta (m,), and their masses (m,)."""
    texts = tuple(f"mass {weight:g}" for weight in weights)
    masses = Annotations(name="masses", x=x, y=eta + 0.08 * (1 - 2 * eta), texts=texts)
    return [marks.dot(x, eta, "atoms", "eta at an atom", style.INK, 0, 14.0), masses]


def describe(n: float, numbers: Mapping[str, Any]) -> str:
    """Both rates at n in words, from the numbers of the readout."""
    names = ("passive_rate", "passive_k", "active_rate", "active_k", "ratio")
    passive, passive_k, active, active_k, ratio = (short_number(numbers[name]) for name in names)
    return (
        f"Rates over n from 10² to 10¹⁶, shape only: at n = {short_number(n)} the passive one is {passive} with "
        f"k = {passive_k}, the active one {active} with k = {active_k}; both sides of (*) have the ratio "
        f"{ratio}, which must reach 1. Sizes at which Corollary 1 may be used: {numbers['usable']}."
    )


def describe_line(problem: str, mass: float | None, margin: float, boundary_mass: float | None) -> str:
    p = "no p" if mass is None else f"p = {mass:.4f}"
    shaded = "nothing is shaded" if boundary_mass is None else f"the shaded boundary has mass {boundary_mass:.3f}"
    return f"The line of {problem}: with {p} and Delta = {margin:.4f}, {shaded}."
