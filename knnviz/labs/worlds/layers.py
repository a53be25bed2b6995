"""The panels of TwoWorldsLab: a sample, the same under a glass, what is at stake, and the score."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from knnviz.bounds.khim import TwoWorlds
from knnviz.labs.engine import Input, Panel
from knnviz.labs.worlds.game import WORLDS, Drawn, Game
from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Bars, Layer, Lines, Points

COLORS = {"+": "#009E73", "-": "#CC79A7"}
DASHES: dict[str, tuple[float, ...]] = {"+": (), "-": (7, 3)}

#: Where the far point x' is beside the line, and rows of points below and above the fractions.
FAR, ROWS = 1.12, (-0.09, 1.09)

BINS, FINE_BINS, STEPS = 20, 18, 401

#: How far the glass reaches, in radii of the bump, and what it shows more than the bump, in standard errors.
REACH, ERRORS = 3.0, 3.0

#: How far from 1/2 the glass may reach: in steps, since a frame that stays need not be drawn again.
ROOMS = (0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.55)

#: Rounds that the score has room for at least.
ROUNDS = 10


class SamplePanel(Panel):
    """The sample along the line, and eta of both worlds."""

    game: Game = Input()

    def axes(self) -> Axes:
        right, ticks = self.game.guessed_right, (0.0, 0.25, 0.5, 0.75, 1.0)
        title = "Sample" if right is None else f"Sample: it is from {WORLDS[self.game.drawn.world]}"
        names, limits = ("0", "0.25", "0.5", "0.75", "1", "x'"), ((-0.02, 1.2), (-0.18, 1.18))
        look: dict[str, Any] = {"xticks": (*ticks, FAR), "xnames": names, "yticks": ticks, "legend_columns": 3}
        return Axes("sample", title, "x", "fraction of class 1", *limits, **look)

    def layers(self) -> Iterator[Layer]:
        draw, game = self.draw, self.game
        yield draw(points, game.drawn, self.lab.display_scale.most_points // 2)
        yield draw(far, game.n - len(game.drawn.x))
        yield draw(along_line, game.worlds, game.drawn)

    def alt_text(self) -> str:
        (_, x, y), n, (ones, inside) = self.game.drawn, self.game.n, self.game.in_bump
        return (
            f"Sample of {n} points, {len(x)} of them on the line, {y.sum()} of class 1 there. Within the bump "
            f"{ones} of {inside} are of class 1. The other {n - len(x)} lie at x' and are of class 1."
        )


class GlassPanel(Panel):
    """The same around the bump, in its radii."""

    game: Game = Input()

    def axes(self) -> Axes:
        worlds, per_bin = self.game.worlds, self.game.n * self.game.mass * 2 * REACH / FINE_BINS
        error = 0.5 / max(per_bin / worlds.cells, 1) ** 0.5
        room = next((step for step in ROOMS if step >= worlds.epsilon + ERRORS * error), ROOMS[-1])
        names = "Around the bump", "distance from the middle, in radii of the bump", "fraction of class 1"
        return Axes("glass", *names, (-REACH, REACH), (0.5 - room, 0.5 + room))

    def layers(self) -> Iterator[Layer]:
        yield self.draw(around_bump, self.game.worlds, self.game.drawn)


class StakePanel(Panel):
    """True negatives of both worlds, after the guess."""

    game: Game = Input()

    def axes(self) -> Axes:
        names = tuple(WORLDS.values())
        return Axes(
            "stake", "TN at 1/2", "", "", (-0.6, 1.6), (0, 0.6), xticks=(0.0, 1.0), xnames=names, legend_columns=1
        )

    def layers(self) -> Iterator[Layer]:
        game = self.game
        yield self.draw(stake, game.worlds, None if game.guessed_right is None else game.drawn.world)


class ScorePanel(Panel):
    """The fraction of right guesses so far."""

    game: Game = Input()

    def axes(self) -> Axes:
        return Axes("score", "Right so far", "rounds", "", self.ends, (-0.05, 1.05), legend_columns=2)

    @property
    def ends(self) -> tuple[float, float]:
        return 0, max(ROUNDS, len(self.game.guesses)) + 0.5

    def layers(self) -> Iterator[Layer]:
        game = self.game
        best = None if game.guessed_right is None else game.best_probability
        yield self.draw(score, tuple(game.guesses.values()), best, self.ends)


def points(drawn: Drawn, most: int) -> Points:
    x, y = drawn.x[:most], drawn.y[:most]
    look: dict[str, Any] = {"palette": style.palette(2), "markers": style.markers(2), "labels": ("class 0", "class 1")}
    return Points(name="points", x=x, y=np.array(ROWS)[y], codes=y.astype(np.uint8), size=6.0, **look)


def far(count: int) -> tuple[Points, Annotations]:
    point = marks.dot(FAR, ROWS[1], "far", color=style.class_color(1), marker=1)
    return point, Annotations(name="count", x=FAR, y=0.82, texts=(f"{count:,}",), align="center")


def curves(x: np.ndarray, shift: np.ndarray) -> list[Lines]:
    return [
        Lines(name=f"eta{sign}", label=f"eta of {name}", x=x, y=eta, color=COLORS[sign], width=2.5, dash=DASHES[sign])
        for (sign, name), eta in zip(WORLDS.items(), (0.5 + shift, 0.5 - shift), strict=True)
    ]


def near(worlds: TwoWorlds) -> np.ndarray:
    return 0.5 + np.linspace(-REACH, REACH, STEPS) / worlds.cells


def along_line(worlds: TwoWorlds, drawn: Drawn) -> list[Lines]:
    x = np.unique(np.concatenate([np.linspace(0, 1, STEPS), near(worlds)]).clip(0, 1))
    bins = fractions(drawn.x, drawn.y, np.linspace(0, 1, BINS + 1), f"fraction in {BINS} bins, ± 1 s.e.")
    return [*curves(x, worlds.margin(x[:, None])), *bins]


def around_bump(worlds: TwoWorlds, drawn: Drawn) -> list[Lines]:
    x, ends = near(worlds).clip(0, 1), np.linspace(-REACH, REACH, FINE_BINS + 1)
    bins = fractions((drawn.x - 0.5) * worlds.cells, drawn.y, ends, "fraction, ± 1 s.e.")
    return [*curves((x - 0.5) * worlds.cells, worlds.margin(x[:, None])), *bins]


def fractions(x: np.ndarray, y: np.ndarray, ends: np.ndarray, label: str) -> tuple[Lines, Lines]:
    """Fractions of class 1 in bins between ends (b + 1,), as steps, with a standard error; empty bins have neither."""
    ones, totals = (np.histogram(each, ends)[0] for each in (x[y == 1], x))
    fraction = np.divide(ones, totals, out=np.full(len(totals), np.nan), where=totals > 0)
    error, gap = 0.5 / np.sqrt(np.maximum(totals, 1)), np.full(len(totals), np.nan)
    middle = (ends[:-1] + ends[1:]) / 2
    across, up, at, spread = (
        np.stack([*pair, gap], axis=1).ravel()
        for pair in (
            (ends[:-1], ends[1:]),
            (fraction, fraction),
            (middle, middle),
            (fraction - error, fraction + error),
        )
    )
    steps = Lines(name="fractions", label=label, x=across, y=up, width=3.0)
    return Lines(name="spread", x=at, y=spread, width=1.5), steps


def stake(worlds: TwoWorlds, true: str | None) -> tuple[Layer, ...]:
    """True negatives of both worlds, and which is the true one; a question mark before the guess."""
    codes = np.arange(0 if true is None else 2, dtype=np.uint8)
    heights = np.array(worlds.true_negatives)[codes]
    bars = Bars(name="entries", x=codes, heights=heights, codes=codes, palette=tuple(COLORS.values()))
    if true is None:
        return bars, Annotations(name="true", x=0.5, y=0.27, texts=("?",), size=26, align="center")
    at = list(WORLDS).index(true)
    return bars, Annotations(name="true", x=at, y=heights[at] + 0.01, texts=("true",), align="center")


def score(right: tuple[bool, ...], best: float | None, ends: tuple[float, float]) -> tuple[Layer, ...]:
    rounds = np.arange(1, len(right) + 1)
    fraction = np.cumsum(right) / rounds
    drawn = (
        Lines(name="coin", label="coin", x=ends, y=0.5, color=style.MUTED, dash=(2, 3)),
        Lines(name="fraction", x=rounds, y=fraction, width=1.5),
        marks.dot(rounds, fraction, "rounds", "you", marker=0, size=7.0),
    )
    return drawn if best is None else (*drawn, Lines(name="best", label="best guess", x=ends, y=best, dash=(7, 3)))
