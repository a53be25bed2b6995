"""Both rates, the neighbors they prescribe and their condition over the labels n, on powers of ten; p and Delta.

Heights are logarithms to the base 10.
"""

from dataclasses import replace
from math import floor, log10

import numpy as np

from knnviz.bounds.rittler import RateCurves
from knnviz.problems import Measure, Problem
from knnviz.views import line, style
from knnviz.views import sets as set_view
from knnviz.views.layers import Annotations, Axes, Band, Fill, Layer, Lines, single
from knnviz.views.marks import GRIP, dot

#: Ends of the axis of n, and of its panels, with room for a handle.
SIZES, SIZE_ENDS = (1e2, 1e16), (10**1.8, 10**16.2)

#: Where the axis of rates may end; the ends of the other two.
FLOORS, NEIGHBORS, RATIOS = (-4, -8, -16), (-1.0, 17.0), (-6.5, 3.5)

#: Colours of the passive and of the active rate, of where a condition fails, and of a ball.
PASSIVE, ACTIVE, FAILS, SPAN = style.INK, style.CLASS_COLORS[2], "#C1121F", "#6A3D9A"
OPAQUE = 0.13

#: How much of a power of ten is left above the rates.
ROOM = 0.4

#: The dash of a rate where (*) fails, and where no k exists.
FAILING, IMPOSSIBLE = (9, 4), (2, 4)

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
    digits, power = f"{n:.1e}".split("e")
    first, power = digits.removesuffix(".0"), int(power)
    return style.raised(power) if first == "1" else f"{first}·{style.raised(power)}"


def lowest(rates: np.ndarray) -> int:
    return next((end for end in FLOORS if 10.0**end <= rates.min()), FLOORS[-1])


def log_axes(name: str, title: str, ylabel: str, ends: tuple[float, float], step: int) -> Axes:
    """Axes over n and powers of ten, of which every so many are named."""
    ticks = tuple(range(-step * int(-ends[0] // step), floor(ends[1]) + 1, step))
    look = {"yticks": tuple(map(float, ticks)), "ynames": tuple(style.raised(tick) if tick else "1" for tick in ticks)}
    return Axes(name, title, "labels n", ylabel, SIZE_ENDS, ends, log=True, **look)


def rate_axes(low: int) -> Axes:
    name = "shape only,\nunknown constant"
    return log_axes("rates", "Rates of disagreement", name, (low, ROOM), max(-low // 4, 1))


def shade(x: np.ndarray, where: np.ndarray, ends: tuple[float, float], name: str, label: str | None) -> Band:
    low, high = (np.where(where, end, np.nan).astype(np.float32) for end in ends)
    look = {"color": FAILS, "opacity": OPAQUE}
    return Band(name=name, label=label, x=x.astype(np.float32), lower=low, upper=high, **look)


def curve(x: np.ndarray, values: np.ndarray, name: str, label: str | None, color: str, **look: object) -> Lines:
    look = {"width": 3.0} | look
    y = np.log10(values).astype(np.float32)
    return Lines(name=name, label=label, x=x.astype(np.float32), y=y, color=color, **look)


def rates(given: RateCurves, low: int) -> list[Layer]:
    """Both rates: solid where they are guaranteed, dashed and on red where (*) fails, dotted where no such k exists."""
    x, passive, active, holds, possible = given.sizes, given.passive, given.active, given.holds, given.possible
    passive_possible = (given.passive_neighbors >= 1) & (given.passive_neighbors <= x)

    def part(values: np.ndarray, where: np.ndarray, name: str, label: str | None, color: str, **look: object) -> Lines:
        return curve(x, np.where(where, values, np.nan), name, label, color, **look)

    return [
        shade(x, ~holds, (low, ROOM), "fails", None),
        part(passive, passive_possible, "passive", "passive", PASSIVE),
        part(passive, ~passive_possible, "passive_impossible", None, PASSIVE, dash=IMPOSSIBLE),
        part(active, possible & ~holds, "active_fails", "active, (*) fails", FAILS, dash=FAILING),
        part(active, ~possible, "active_impossible", "no such k", style.INK, dash=IMPOSSIBLE),
        part(active, possible & holds, "active", "active, (*) holds", ACTIVE, width=4.0),
    ]


def neighbors(x: np.ndarray, passive: np.ndarray, active: np.ndarray) -> list[Layer]:
    edge = np.log10(x).astype(np.float32)
    look = {"lower": edge, "upper": np.full_like(edge, NEIGHBORS[1]), "color": FAILS, "opacity": OPAQUE}
    return [
        Band(name="beyond", label="more than n", x=x.astype(np.float32), **look),
        curve(x, x, "all", "k = n", style.INK, dash=(7, 4), width=2.0),
        curve(x, passive, "passive", "passive k", PASSIVE),
        curve(x, active, "active", "active k", ACTIVE),
    ]


def condition(x: np.ndarray, passive: np.ndarray, active: np.ndarray) -> list[Layer]:
    ends = np.array(SIZE_ENDS)
    below = shade(ends, np.ones(2, bool), (RATIOS[0], 0.0), "fails", "(*) fails: below 1")
    return [
        below,
        curve(ends, np.ones(2), "one", None, style.INK, dash=(7, 4), width=2.0),
        curve(x, passive, "passive", "at the passive k", PASSIVE),
        curve(x, active, "active", "at the active k", ACTIVE),
    ]


def at(n: float, ends: tuple[float, float], values: tuple[float, float]) -> list[Layer]:
    x, y = np.full(2, n, np.float32), np.array(ends, np.float32)
    line = Lines(name="at_n", x=x, y=y, width=1.5)
    shown = zip(("passive_here", "active_here"), values, (PASSIVE, ACTIVE), (0, 3), strict=True)
    inside = [(name, value, *look) for name, value, *look in shown if ends[0] <= log10(value) <= ends[1]]
    return [line, *(dot(n, log10(value), name, None, color, marker) for name, value, color, marker in inside)]


def handle(n: float, low: int) -> Annotations:
    look = {"cross": 14, "handles": ("n",), "spoken": (f"n = {written(n)}",)}
    align = "left" if n < (SIZES[0] * SIZES[1]) ** 0.5 else "right"
    return Annotations(
        name="n_grip", x=single(n), y=single(GRIP * low), texts=(f"n = {written(n)}",), align=align, **look
    )


def line_axes(problem: Problem) -> Axes:
    return replace(line.axes(problem), title="Theorem 3 on a line", ylim=HEIGHTS, yticks=(0.0, 0.5, 1.0))


def boundary(problem: Problem, inside: np.ndarray) -> Fill:
    """The effective boundary at cells or atoms (m,) bool; around atoms what is near them."""
    if problem.atoms is not None:
        across = abs(problem.grid(AROUND).points - problem.atoms.points.T)
        inside = (across[:, inside] < NEAR).any(axis=1)
    return set_view.region(problem, inside, "boundary", "effective boundary")


def eta(problem: Problem, measure: Measure, frequency: np.ndarray) -> list[Layer]:
    x = measure.points[:, 0]
    return line.eta_curves(x, frequency) if problem.atoms is None else atoms(x, frequency[:, 1], measure.weights)


def margin_band(margin: float) -> Band:
    ends = np.array([0, 1], np.float32)
    low, high = (np.full(2, 0.5 + side * margin, np.float32) for side in (-1, 1))
    return Band(name="margin", label="1/2 ± Δ", x=ends, lower=low, upper=high, color="#E69F00", opacity=0.3)


def ball(mass: float) -> Lines:
    """An interval of length p in the middle, as far as it fits, with its two ends; nothing for NaN."""
    half = min(mass, 1) / 2
    low, high = 0.5 - half, 0.5 + half
    across = np.array([low, high, np.nan, low, low, np.nan, high, high], np.float32)
    up = np.array([0, 0, np.nan, -TIP, TIP, np.nan, -TIP, TIP], np.float32) + np.float32(BALL)
    return Lines(name="ball", label="ball of mass p", x=across, y=up, color=SPAN, width=3.5)


def value_label(margin: float, mass: float | None, boundary_mass: float | None, bound: float | None) -> Annotations:
    p = "no p" if mass is None else f"p = {mass:.3f}"
    fraction = "" if boundary_mass is None else f"mass {boundary_mass:.3f}, "
    texts = f"{fraction}bound {'vacuous' if bound is None else f'{bound:.3f}'}", f"Δ = {margin:.3f}", p
    x, y = np.zeros(3, np.float32), np.array([TEXT, 0.5, BALL], np.float32)
    return Annotations(name="value_label", x=x, y=y, texts=texts)


def atoms(x: np.ndarray, eta: np.ndarray, weights: np.ndarray) -> list[Layer]:
    """Points x (m,) that have a mass, at the height of their eta (m,)."""
    texts = tuple(f"mass {weight:g}" for weight in weights)
    at = x.astype(np.float32), eta.astype(np.float32)
    named = Annotations(name="masses", x=at[0], y=at[1] + np.float32(0.08) * (1 - 2 * at[1]), texts=texts)
    return [dot(x, eta, "atoms", "eta at an atom", style.INK, 0, 14.0), named]


def describe(n: float, rate: tuple[float, float], ks: tuple[float, float], ratio: float, window: str) -> str:
    passive, active = (written(value) for value in rate)
    k, more = (written(value) for value in ks)
    return (
        f"Rates over n from 10² to 10¹⁶, shape only: at n = {written(n)} the passive one is {passive} with k = {k}, "
        f"the active one {active} with k = {more}; both sides of (*) have the ratio {written(ratio)}, which must reach "
        f"1. Sizes at which Corollary 1 may be used: {window}."
    )


def describe_line(problem: str, mass: float | None, margin: float, inside: np.ndarray) -> str:
    p = "no p" if mass is None else f"p = {mass:.4f}"
    return f"The line of {problem}: with {p} and Delta = {margin:.4f}, {inside.mean():.1%} of it is shaded."
