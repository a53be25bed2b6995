"""Two worlds: a sample that is from one of them, its shares under a glass, what is at stake, and the score."""

import numpy as np

from knnviz.views import marks, style
from knnviz.views.layers import Axes, Bars, Layer, Lines, Marks, Place, Points, single

#: The worlds by sign, their names and their colours.
NAMES = {"+": "P+", "-": "P-"}
COLORS = {"+": "#009E73", "-": "#CC79A7"}
DASHES: dict[str, tuple[float, ...]] = {"+": (), "-": (7, 3)}

#: Where the far point x' stands beside the line, and rows of points below and above the shares.
FAR, ROWS = 1.12, (-0.09, 1.09)

#: How far the glass reaches, in radii of the bump, and what it shows more than the bump, in standard errors.
REACH, ERRORS = 3.0, 3.0

#: How far from 1/2 the glass may reach: in steps, since a frame that stands need not be drawn again.
ROOMS = (0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.55)

#: Rounds that the score has room for at least.
ROUNDS = 10


def sample_axes(rectangle: Place, title: str) -> Axes:
    """Axes over the line with the far point beside it, and shares of class 1."""
    ticks = (0.0, 0.25, 0.5, 0.75, 1.0, FAR)
    names = ("0", "0.25", "0.5", "0.75", "1", "x'")
    look = {"xticks": ticks, "xnames": names, "yticks": (0.0, 0.25, 0.5, 0.75, 1.0), "columns": 3}
    return Axes("sample", title, "x", "share of class 1", (-0.02, 1.2), (-0.18, 1.18), rectangle, **look)


def points(x: np.ndarray, y: np.ndarray, class_names: tuple[str, ...]) -> Points:
    """Points x (m,) of the line in rows by class (m,)."""
    look = {"palette": style.palette(2), "markers": style.markers(2), "labels": class_names, "size": 6.0}
    places = {"x": x.astype(np.float32), "y": np.array(ROWS, np.float32)[y]}
    return Points(name="points", codes=y.astype(np.uint8), ringed=np.zeros(len(x), bool), **places, **look)


def far(count: int) -> tuple[Points, Marks]:
    """The far point, all of class 1, and how many of the sample are there."""
    point = marks.dot(FAR, ROWS[1], "far", color=style.class_color(1), marker=1)
    return point, Marks(name="count", x=single(FAR), y=single(0.82), texts=(f"{count:,}",), align="center")


def curves(x: np.ndarray, shift: np.ndarray) -> list[Lines]:
    """eta (m,) of both worlds over x (m,), 1/2 + shift and 1/2 - shift."""
    both = zip(NAMES.items(), (0.5 + shift, 0.5 - shift), strict=True)
    return [
        Lines(
            name=f"eta{sign}",
            label=f"eta of {name}",
            x=x.astype(np.float32),
            y=eta.astype(np.float32),
            color=COLORS[sign],
            width=2.5,
            dash=DASHES[sign],
        )
        for (sign, name), eta in both
    ]


def shares(ends: np.ndarray, ones: np.ndarray, totals: np.ndarray, label: str) -> tuple[Lines, Lines]:
    """Shares of class 1 in bins between ends (b + 1,), as steps, with a standard error to each side; none if empty."""
    known = totals > 0
    share = np.divide(ones, totals, out=np.full(len(totals), np.nan), where=known)
    error = 0.5 / np.sqrt(np.maximum(totals, 1))
    middle, gap = (ends[:-1] + ends[1:]) / 2, np.full(len(totals), np.nan)
    across = np.stack([ends[:-1], ends[1:], gap], axis=1).ravel()
    up = np.stack([share, share, gap], axis=1).ravel()
    bars = np.stack([middle, middle, gap], axis=1).ravel()
    heights = np.stack([share - error, share + error, gap], axis=1).ravel()
    x, y, at, spread = (each.astype(np.float32) for each in (across, up, bars, heights))
    return Lines(name="spread", x=at, y=spread, width=1.5), Lines(name="shares", label=label, x=x, y=y, width=3.0)


def glass_axes(rectangle: Place, height: float, error: float) -> Axes:
    """Axes over the distance from the middle in radii of the bump, and shares around 1/2."""
    room = next((step for step in ROOMS if step >= height + ERRORS * error), ROOMS[-1])
    limits = (-REACH, REACH), (0.5 - room, 0.5 + room)
    names = "Around the bump", "distance from the middle, in radii of the bump", "share of class 1"
    return Axes("glass", *names, *limits, rectangle)


def stake_axes(rectangle: Place) -> Axes:
    """Axes over the two worlds and their true negatives."""
    look = {"xticks": (0.0, 1.0), "xnames": tuple(NAMES.values()), "columns": 1}
    return Axes("stake", "TN at 1/2", "", "", (-0.6, 1.6), (0, 0.6), rectangle, **look)


def stake(entries: tuple[float, float], true: str | None) -> tuple[Layer, ...]:
    """True negatives of both worlds, and which is the true one; a question mark before the guess."""
    if true is None:
        empty = np.zeros(0, np.float32)
        bars = Bars(name="entries", x=empty, heights=empty, codes=np.zeros(0, np.uint8), palette=tuple(COLORS.values()))
        return bars, Marks(name="true", x=single(0.5), y=single(0.27), texts=("?",), size=26, align="center")
    x, heights = np.array([0, 1], np.float32), np.array(entries, np.float32)
    bars = Bars(
        name="entries", x=x, heights=heights, codes=np.arange(2, dtype=np.uint8), palette=tuple(COLORS.values())
    )
    at = list(NAMES).index(true)
    return bars, Marks(name="true", x=single(at), y=single(heights[at] + 0.01), texts=("true",), align="center")


def score_axes(rectangle: Place, rounds: int) -> Axes:
    """Axes over the rounds and the share of guesses that were right."""
    limits = (0, max(ROUNDS, rounds) + 0.5), (-0.05, 1.05)
    return Axes("score", "Right so far", "rounds", "", *limits, rectangle, columns=2)


def score(right: np.ndarray, best: float | None) -> tuple[Layer, ...]:
    """The share of right guesses (r,) after each round, beside a coin and the best guess, if that is told."""
    rounds = np.arange(1, len(right) + 1)
    ends = np.array([0, max(ROUNDS, len(right)) + 0.5], np.float32)
    share = (np.cumsum(right) / rounds).astype(np.float32)
    dots = {"palette": (style.INK,), "markers": (style.MARKERS[0],), "labels": ("you",) * (len(right) > 0), "size": 7.0}
    blank = {"codes": np.zeros(len(right), np.uint8), "ringed": np.zeros(len(right), bool)}
    coin = Lines(name="coin", label="coin", x=ends, y=np.full(2, 0.5, np.float32), color=style.MUTED, dash=(2, 3))
    line = Lines(name="share", x=rounds.astype(np.float32), y=share, width=1.5)
    drawn = coin, line, Points(name="rounds", x=rounds.astype(np.float32), y=share, **blank, **dots)
    if best is None:
        return drawn
    return *drawn, Lines(name="best", label="best guess", x=ends, y=np.full(2, best, np.float32), dash=(7, 3))


def describe(n: int, on_line: int, ones: int, inside: tuple[int, int]) -> str:
    """A sample in words and numbers: points on the line, those of class 1, and the same within the bump."""
    return (
        f"Sample of {n} points, {on_line} of them on the line, {ones} of class 1 there. Within the bump "
        f"{inside[0]} of {inside[1]} are of class 1. The other {n - on_line} lie at x' and are of class 1."
    )
