"""Both rates, the neighbors they prescribe and their condition over the labels n, on powers of ten; p and Delta.

Heights are logarithms to the base 10.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import floor, log10
from typing import Any

import numpy as np

from knnviz.bounds.rittler import RateCurves
from knnviz.problems import Measure, Problem
from knnviz.views import line, marks, style
from knnviz.views import sets as set_view
from knnviz.views.layers import Annotations, Axes, Band, Fill, Layer, Lines
from knnviz.views.marks import dot

#: Ends of the axis of n, and of its panels, with room for a handle.
SIZES, SIZE_ENDS = (1e2, 1e16), (10**1.8, 10**16.2)

#: Where the axis of rates may end; the ends of the other two.
FLOORS, NEIGHBORS, RATIOS = (-4, -8, -16), (-1.0, 17.0), (-6.5, 3.5)

#: Colours of the passive and of the active rate, and of where a condition fails.
PASSIVE, ACTIVE, FAILS = style.INK, style.CLASS_COLORS[2], "#C1121F"
OPACITY = 0.13

#: How much of a power of ten is left above the rates.
ROOM = 0.4

#: The dash of a rate where no k exists.
IMPOSSIBLE = (2, 4)

#: Ends of the axis of the Line, with room above and below.
HEIGHTS = (-0.35, 1.32)

#: Where the bound is written on the Line, where an interval of length p is drawn, and its ends.
TEXT, BALL, TIP = 1.22, -0.21, 0.04

#: Cells of a line with atoms, and how far around each of them is shaded.
AROUND, NEAR = 1000, 0.05


def written(n: float) -> str:
    """A positive number: to three digits, or to two times a power of ten."""
    if 0.01 <= n < 999.5:
        return f"{n:.3g}"
    digits, exponent = f"{n:.1e}".split("e")
    factor, power = digits.removesuffix(".0"), style.raised(int(exponent))
    return power if factor == "1" else f"{factor}·{power}"


def lowest(rates: np.ndarray) -> int:
    return next((end for end in FLOORS if 10.0**end <= rates.min()), FLOORS[-1])


def log_axes(name: str, title: str, ylabel: str, ends: tuple[float, float], step: int) -> Axes:
    """Axes over n and powers of ten, of which every so many are named."""
    ticks = tuple(range(-step * int(-ends[0] // step), floor(ends[1]) + 1, step))
    names = tuple(style.raised(tick) if tick else "1" for tick in ticks)
    yticks = tuple(map(float, ticks))
    return Axes(name, title, "labels n", ylabel, SIZE_ENDS, ends, log=True, yticks=yticks, ynames=names)


def rate_axes(low: int) -> Axes:
    name = "shape only,\nunknown constant"
    return log_axes("rates", "Rates of disagreement", name, (low, ROOM), max(-low // 4, 1))


def shade(x: np.ndarray, where: np.ndarray, ends: tuple[float, float], name: str, label: str | None) -> Band:
    low, high = (np.where(where, end, np.nan) for end in ends)
    return Band(name=name, label=label, x=x, lower=low, upper=high, color=FAILS, opacity=OPACITY)


def curve(x: np.ndarray, values: np.ndarray, name: str, label: str | None, color: str, **look: Any) -> Lines:
    return Lines(name=name, label=label, x=x, y=np.log10(values), color=color, **{"width": 3.0} | look)


def rates(given: RateCurves, low: int) -> list[Layer]:
    """Both rates: solid where they are guaranteed, dashed and on red where (*) fails, dotted where no such k exists."""
    x, passive, active, holds, possible = given.sizes, given.passive, given.active, given.holds, given.possible
    passive_possible = (given.passive_neighbors >= 1) & (given.passive_neighbors <= x)

    def part(values: np.ndarray, where: np.ndarray, name: str, label: str | None, color: str, **look: Any) -> Lines:
        return curve(x, np.where(where, values, np.nan), name, label, color, **look)

    return [
        shade(x, ~holds, (low, ROOM), "fails", None),
        part(passive, passive_possible, "passive", "passive", PASSIVE),
        part(passive, ~passive_possible, "passive_impossible", None, PASSIVE, dash=IMPOSSIBLE),
        part(active, possible & ~holds, "active_fails", "active, (*) fails", FAILS, dash=(9, 4)),
        part(active, ~possible, "active_impossible", "no such k", style.INK, dash=IMPOSSIBLE),
        part(active, possible & holds, "active", "active, (*) holds", ACTIVE, width=4.0),
    ]


def neighbors(x: np.ndarray, passive: np.ndarray, active: np.ndarray) -> list[Layer]:
    edges = {"lower": np.log10(x), "upper": NEIGHBORS[1]}
    return [
        Band(name="beyond", label="more than n", x=x, **edges, color=FAILS, opacity=OPACITY),
        curve(x, x, "all", "k = n", style.INK, dash=(7, 4), width=2.0),
        curve(x, passive, "passive", "passive k", PASSIVE),
        curve(x, active, "active", "active k", ACTIVE),
    ]


def condition(x: np.ndarray, passive: np.ndarray, active: np.ndarray) -> list[Layer]:
    ends = np.array(SIZE_ENDS)
    return [
        shade(ends, np.ones(2, bool), (RATIOS[0], 0.0), "fails", "(*) fails: below 1"),
        curve(ends, np.ones(2), "one", None, style.INK, dash=(7, 4), width=2.0),
        curve(x, passive, "passive", "at the passive k", PASSIVE),
        curve(x, active, "active", "at the active k", ACTIVE),
    ]


def at(n: float, ends: tuple[float, float], values: tuple[float, float]) -> list[Layer]:
    passive, active = (log10(value) for value in values)
    dots = [
        dot(n, height, name, None, color, marker)
        for name, height, color, marker in (("passive_here", passive, PASSIVE, 0), ("active_here", active, ACTIVE, 3))
        if ends[0] <= height <= ends[1]
    ]
    return [Lines(name="at_n", x=n, y=ends, width=1.5), *dots]


def handle(n: float, low: int) -> Annotations:
    text = f"n = {written(n)}"
    _, grip = marks.handle(n, SIZES, low, "n", text)
    return replace(grip, texts=(text,))


def line_axes(problem: Problem) -> Axes:
    return replace(line.axes(problem), title="Theorem 3 on a line", ylim=HEIGHTS, yticks=(0.0, 0.5, 1.0))


def boundary(problem: Problem, inside: np.ndarray) -> Fill:
    """The effective boundary at cells or atoms (m,) bool; around atoms what is near them."""
    if problem.atoms is not None:
        across = abs(problem.grid(AROUND).points - problem.atoms.points.T)
        inside = (across[:, inside] < NEAR).any(axis=1)
    return set_view.region(problem, inside, "boundary", "effective boundary")


def eta(problem: Problem, measure: Measure, frequency: np.ndarray) -> Sequence[Layer]:
    x = measure.points[:, 0]
    return line.eta_curves(x, frequency) if problem.atoms is None else atoms(x, frequency[:, 1], measure.weights)


def margin_band(margin: float) -> Band:
    low, high = 0.5 - margin, 0.5 + margin
    return Band(name="margin", label="1/2 ± Δ", x=(0, 1), lower=low, upper=high, color="#E69F00", opacity=0.3)


def ball(mass: float) -> Lines:
    """An interval of length p in the middle, as far as it fits, with its two ends; nothing for NaN."""
    half = min(mass, 1) / 2
    low, high = 0.5 - half, 0.5 + half
    across = low, high, np.nan, low, low, np.nan, high, high
    up = BALL + np.array([0, 0, np.nan, -TIP, TIP, np.nan, -TIP, TIP])
    return Lines(name="ball", label="ball of mass p", x=across, y=up, color="#6A3D9A", width=3.5)


def value_label(margin: float, mass: float | None, boundary_mass: float | None, bound: float | None) -> Annotations:
    p = "no p" if mass is None else f"p = {mass:.3f}"
    fraction = "" if boundary_mass is None else f"mass {boundary_mass:.3f}, "
    texts = f"{fraction}bound {'vacuous' if bound is None else f'{bound:.3f}'}", f"Δ = {margin:.3f}", p
    return Annotations(name="value_label", x=0, y=(TEXT, 0.5, BALL), texts=texts)


def atoms(x: np.ndarray, eta: np.ndarray, weights: np.ndarray) -> list[Layer]:
    """Points x (m,) that have a mass, at the height of their eta (m,)."""
    texts = tuple(f"mass {weight:g}" for weight in weights)
    masses = Annotations(name="masses", x=x, y=eta + 0.08 * (1 - 2 * eta), texts=texts)
    return [dot(x, eta, "atoms", "eta at an atom", style.INK, 0, 14.0), masses]


def describe(n: float, rate: tuple[float, float], ks: tuple[float, float], ratio: float, window: str) -> str:
    passive, active = (written(value) for value in rate)
    passive_k, active_k = (written(k) for k in ks)
    return (
        f"Rates over n from 10² to 10¹⁶, shape only: at n = {written(n)} the passive one is {passive} with "
        f"k = {passive_k}, the active one {active} with k = {active_k}; both sides of (*) have the ratio "
        f"{written(ratio)}, which must reach 1. Sizes at which Corollary 1 may be used: {window}."
    )


def describe_line(problem: str, mass: float | None, margin: float, inside: np.ndarray) -> str:
    p = "no p" if mass is None else f"p = {mass:.4f}"
    return f"The line of {problem}: with {p} and Delta = {margin:.4f}, {inside.mean():.1%} of it is shaded."
