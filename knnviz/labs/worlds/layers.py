"""The panels of TwoWorldsLab: a sample, the bump magnified, the true negatives of both worlds, and the score."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from knnviz.bounds.khim import TwoWorlds
from knnviz.labs.old_engine import Input, Panel
from knnviz.labs.worlds.game import WORLDS, Game, WorldSample
from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Bars, Layer, Lines, Points

COLORS = {"+": "#009E73", "-": "#CC79A7"}
DASHES: dict[str, tuple[float, ...]] = {"+": (), "-": (7, 3)}

#: Position of the far point x' beside the line, and heights of the points of class 0 and class 1.
FAR, ROWS = 1.12, (-0.09, 1.09)

#: Numbers of bins on the line and around the bump, and of points at which eta is drawn.
BINS, FINE_BINS, STEPS = 20, 18, 401

#: Distance shown to either side of the middle, in radii of the bump; room above and below, in standard errors of a bin.
REACH, ERRORS = 3.0, 3.0

#: Possible distances from 1/2 to the ends of the y axis around the bump: few, so that it seldom changes.
HALF_HEIGHTS = (0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.55)

#: Least number of rounds on the axis of rounds.
ROUNDS = 10


class SamplePanel(Panel):
    """The sample along the line, and eta of both worlds."""

    game: Game = Input()

    def axes(self) -> Axes:
        world, ticks = self.game.known_world, (0.0, 0.25, 0.5, 0.75, 1.0)
        title = "Sample" if world is None else f"Sample: it is from {WORLDS[world]}"
        axes = Axes("sample", title, "x", "fraction of class 1", (-0.02, 1.2), (-0.18, 1.18), legend_columns=3)
        return replace(axes, xticks=(*ticks, FAR), xnames=("0", "0.25", "0.5", "0.75", "1", "x'"), yticks=ticks)

    def layers(self) -> Iterator[Layer]:
        draw, game = self.draw, self.game
        yield draw(points, game.sample, self.lab.display_scale.max_points // 2)
        yield draw(far, game.n - len(game.sample.x))
        yield draw(along_line, game.worlds, game.sample)

    def alt_text(self) -> str:
        (_, x, y), n, (ones, inside) = self.game.sample, self.game.n, self.game.in_bump
        return (
            f"Sample of {n} points, {len(x)} of them on the line, {y.sum()} of class 1 there. Within the bump "
            f"{ones} of {inside} are of class 1. The other {n - len(x)} lie at x' and are of class 1."
        )


class BumpPanel(Panel):
    """The sample and eta around the bump, in its radii."""

    game: Game = Input()

    def axes(self) -> Axes:
        worlds = self.game.worlds
        per_bin = self.game.n * self.game.mass * 2 * REACH / FINE_BINS / worlds.inverse_radius
        # ``epsilon`` is the largest distance of eta from 1/2.
        needed = worlds.epsilon + ERRORS * 0.5 / max(per_bin, 1) ** 0.5
        half = next((half for half in HALF_HEIGHTS if half >= needed), HALF_HEIGHTS[-1])
        xlabel, limits = "distance from the middle, in radii of the bump", ((-REACH, REACH), (0.5 - half, 0.5 + half))
        return Axes("glass", "Around the bump", xlabel, "fraction of class 1", *limits)

    def layers(self) -> Iterator[Layer]:
        yield self.draw(around_bump, self.game.worlds, self.game.sample)


class TrueNegativesPanel(Panel):
    """True negatives of both worlds, after the guess."""

    game: Game = Input()

    def axes(self) -> Axes:
        names = tuple(WORLDS.values())
        return Axes(
            "stake", "TN at 1/2", "", "", (-0.6, 1.6), (0, 0.6), xticks=(0.0, 1.0), xnames=names, legend_columns=1
        )

    def layers(self) -> Iterator[Layer]:
        yield self.draw(true_negatives, self.game.worlds, self.game.known_world)


class ScorePanel(Panel):
    """The fraction of right guesses so far."""

    game: Game = Input()

    def axes(self) -> Axes:
        xlim = (0, max(ROUNDS, len(self.game.guesses)) + 0.5)
        return Axes("score", "Right so far", "rounds", "", xlim, (-0.05, 1.05), legend_columns=2)

    def layers(self) -> Iterator[Layer]:
        game = self.game
        best = None if game.known_world is None else game.best_probability
        yield self.draw(score, tuple(game.guesses.values()), best, self.axes().xlim)


def points(sample: WorldSample, most: int) -> Points:
    x, y, labels = sample.x[:most], sample.y[:most], ("class 0", "class 1")
    palette, markers = style.palette(2), style.markers(2)
    return Points(
        name="points",
        x=x,
        y=np.array(ROWS)[y],
        codes=y.astype(np.uint8),
        palette=palette,
        markers=markers,
        size=6.0,
        labels=labels,
    )


def far(count: int) -> tuple[Points, Annotations]:
    """The points at x', all of class 1, and how many there are."""
    point = marks.dot(FAR, ROWS[1], "far", color=style.class_color(1), marker=1)
    return point, Annotations(name="count", x=FAR, y=0.82, texts=(f"{count:,}",), align="center")


def curves(x: np.ndarray, margin: np.ndarray) -> list[Lines]:
    """eta of both worlds over x (J,): 1/2 plus and minus a ``margin`` (J,)."""
    return [
        Lines(name=f"eta{sign}", label=f"eta of {name}", x=x, y=eta, color=COLORS[sign], width=2.5, dash=DASHES[sign])
        for (sign, name), eta in zip(WORLDS.items(), (0.5 + margin, 0.5 - margin), strict=True)
    ]


def around_middle(worlds: TwoWorlds) -> np.ndarray:
    return 0.5 + np.linspace(-REACH, REACH, STEPS) / worlds.inverse_radius


def along_line(worlds: TwoWorlds, sample: WorldSample) -> list[Lines]:
    x = np.unique(np.concatenate([np.linspace(0, 1, STEPS), around_middle(worlds)]).clip(0, 1))
    bins = fractions(sample.x, sample.y, np.linspace(0, 1, BINS + 1), f"fraction in {BINS} bins, ± 1 s.e.")
    return [*curves(x, worlds.margin(x[:, None])), *bins]


def around_bump(worlds: TwoWorlds, sample: WorldSample) -> list[Lines]:
    x, ends = around_middle(worlds).clip(0, 1), np.linspace(-REACH, REACH, FINE_BINS + 1)
    bins = fractions((sample.x - 0.5) * worlds.inverse_radius, sample.y, ends, "fraction, ± 1 s.e.")
    return [*curves((x - 0.5) * worlds.inverse_radius, worlds.margin(x[:, None])), *bins]


def fractions(x: np.ndarray, y: np.ndarray, ends: np.ndarray, label: str) -> tuple[Lines, Lines]:
    """Fractions of class 1 in bins between ends (b + 1,), and their standard errors; empty bins have neither."""
    ones, totals = (np.histogram(values, ends)[0] for values in (x[y == 1], x))
    fraction = np.divide(ones, totals, out=np.full(len(totals), np.nan), where=totals > 0)
    error, middles = 0.5 / np.sqrt(np.maximum(totals, 1)), (ends[:-1] + ends[1:]) / 2
    x, y = marks.segments(middles, middles), marks.segments(fraction - error, fraction + error)
    errors = Lines(name="spread", x=x, y=y, width=1.5)
    x, y = marks.segments(ends[:-1], ends[1:]), marks.segments(fraction, fraction)
    return errors, Lines(name="fractions", label=label, x=x, y=y, width=3.0)


def true_negatives(worlds: TwoWorlds, true_world: str | None) -> tuple[Layer, ...]:
    """True negatives of both worlds, and which is the true one; a question mark instead before the guess."""
    codes = np.arange(0 if true_world is None else 2, dtype=np.uint8)
    heights = np.array(worlds.true_negatives)[codes]
    bars = Bars(name="entries", x=codes, heights=heights, codes=codes, palette=tuple(COLORS.values()))
    if true_world is None:
        return bars, Annotations(name="true", x=0.5, y=0.27, texts=("?",), size=26, align="center")
    at = list(WORLDS).index(true_world)
    return bars, Annotations(name="true", x=at, y=heights[at] + 0.01, texts=("true",), align="center")


def score(right: tuple[bool, ...], best: float | None, ends: tuple[float, float]) -> tuple[Layer, ...]:
    """The fraction of right guesses after each round, beside a coin's, and that of the best guess if known."""
    rounds = np.arange(1, len(right) + 1)
    fraction = np.cumsum(right) / rounds
    drawn = (
        Lines(name="coin", label="coin", x=ends, y=0.5, color=style.MUTED, dash=(2, 3)),
        Lines(name="fraction", x=rounds, y=fraction, width=1.5),
        marks.dot(rounds, fraction, "rounds", "you", marker=0, size=7.0),
    )
    return drawn if best is None else (*drawn, Lines(name="best", label="best guess", x=ends, y=best, dash=(7, 3)))
