"""TwoWorldsLab: guess which of two worlds a sample is from; the true negatives (TN) of their Bayes
rules differ much.

On the line [0, 1], eta is a little above 1/2 in the world P+ and as much below in P-, most in a
narrow bump around the middle. The line has mass p, and a far point x' beside it the rest.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.special import expit

from knnviz import checks
from knnviz.bounds import khim
from knnviz.bounds.khim import TwoWorlds
from knnviz.labs.engine import (
    Cell,
    Count,
    Float,
    Lab,
    LogInt,
    Memo,
    Panel,
    Preset,
    Seed,
    Shown,
    Values,
    columns,
    rows,
)
from knnviz.labs.parts.data import next_seed
from knnviz.views import line as line_view
from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Lines

#: Position of the far point x' beside the line, and heights of the points of class 0 and class 1.
FAR = 1.12
ROWS = (-0.09, 1.09)

#: Numbers of bins on the line and around the bump, and of points at which eta is drawn.
BINS = 20
FINE_BINS = 18
STEPS = 401

#: Distance shown to either side of the middle, in radii of the bump.
REACH = 3.0

#: Possible distances from 1/2 to the ends of the y axis around the bump: few, so that it seldom
#: changes.
HALF_HEIGHTS = (0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.55)

N_TIP = "Number of points; with more points the bump is smaller"
MASS_TIP = "Probability that a point is on the line; all others lie at x' and are of class 1"
SMOOTHNESS_TIP = "Hoelder exponent of eta: the height of a bump of radius r is of order r^alpha"

PARAMETERS = (
    "Worlds",
    LogInt("n", 1000, 20, 1_000_000, "sample size *n*", N_TIP),
    Float("mass", 0.5, 0.05, 1, "mass of the line *p*", MASS_TIP, step=0.05),
    Float("smoothness", 1.0, 0.25, 1, "smoothness *alpha*", SMOOTHNESS_TIP, step=0.05),
    "Round",
    Seed("Another seed draws another world and another sample"),
)


@dataclass(frozen=True)
class Guesses:
    """Each round that was guessed, with whether that was right."""

    rounds: tuple[tuple[tuple[int, ...], bool], ...] = ()


class WorldSample(NamedTuple):
    """Points (m,) on the line with their classes (m,)."""

    x: np.ndarray
    y: np.ndarray


def recipe(p: Values, memo: Memo) -> Shown:
    worlds = memo(khim.proposition_2, p.n, p.mass, holder_exponent=p.smoothness)
    this = round_of(p)
    guessed = dict(p.state.rounds)
    sample = memo(draw, this, worlds)
    best = memo(khim.best_probability, worlds)
    world = true_world(this) if this in guessed else None

    # What is told after the guess.
    outcome: dict[str, Any] = {}
    told = None
    if this in guessed:
        told = best
        outcome["true world"] = f"P{world}"
        outcome["your guess was"] = "right" if guessed[this] else "wrong"
        outcome["probability of P+ by the sample"] = memo(belief, worlds, sample)
    plus, minus = worlds.true_negatives
    numbers = {
        "rounds": len(guessed),
        "right": sum(guessed.values()),
        "points on the line": len(sample.x),
        "class 1 in the bump": memo(count_in_bump, worlds, sample),
        **outcome,
        "P(best guess is right)": best,
        "TN of P+": plus,
        "TN of P-": minus,
    }

    right = tuple(guessed.values())
    most = p.display.max_points // 2
    panels = {
        "sample": lambda: memo(sample_panel, memo, worlds, sample, world, most),
        "glass": lambda: memo(bump_panel, worlds, sample),
        "score": lambda: memo(score_panel, right, told),
    }
    return Shown(panels, numbers)


def round_of(p: Any) -> tuple[int, ...]:
    """Key of the round, which seeds the random generator: each choice of the parameters has a world
    of its own.

    Values of p and alpha that agree to three decimals belong to the same round.
    """
    return p.seed, p.n, round(1000 * p.mass), round(1000 * p.smoothness)


def true_world(this: tuple[int, ...]) -> str:
    rng = np.random.default_rng(this)
    return "+" if rng.random() < 0.5 else "-"


def draw(this: tuple[int, ...], worlds: TwoWorlds) -> WorldSample:
    """A sample from the true world, of which x' is left out; all of a small one may be there."""
    rng = np.random.default_rng(this)
    world = 0 if rng.random() < 0.5 else 1
    on_line = rng.binomial(worlds.n, worlds.mass)
    x = rng.random(on_line)
    if not on_line:
        return WorldSample(x, np.zeros(0, int))
    eta = worlds.eta(x[:, None])[world]
    y = rng.random(len(x)) < eta
    return WorldSample(x, y.astype(int))


def count_in_bump(worlds: TwoWorlds, sample: WorldSample) -> Count:
    """How many of the points in the bump are of class 1."""
    inside = abs(sample.x - 0.5) * worlds.inverse_radius < 1
    ones = sample.y[inside].sum()
    return Count(int(ones), int(inside.sum()))


def belief(worlds: TwoWorlds, sample: WorldSample) -> float:
    """Bayes' rule for worlds that are equally likely before the sample, and without one."""
    if not len(sample.x):
        return 0.5
    ratio = khim.log_likelihood_ratio(worlds, sample.x[:, None], sample.y)
    return float(expit(ratio))


def sample_panel(
    memo: Memo, worlds: TwoWorlds, sample: WorldSample, world: str | None, most: int
) -> Panel:
    """The sample along the line, and eta of both worlds."""
    title = "Sample" if world is None else f"Sample: it is from P{world}"
    yticks = (0.0, 0.25, 0.5, 0.75, 1.0)
    xlim = (-0.02, 1.2)
    axes = Axes(
        "sample",
        title,
        "x",
        "fraction of class 1",
        xlim,
        (-0.34, 1.18),
        xticks=(*yticks, FAR),
        yticks=yticks,
        xnames=("0", "0.25", "0.5", "0.75", "1", "x'"),
    )

    x = sample.x[:most]
    y = sample.y[:most]
    heights = np.array(ROWS)[y]
    labels = ("class 0", "class 1")
    points = marks.of_classes("points", x, heights, y, labels=labels, **line_view.ticks(2))
    far = worlds.n - len(sample.x)
    far_points = None
    if far:
        far_points = marks.dot(FAR, ROWS[1], "far", color=style.class_color(1), marker=1)
    count = Annotations("count", FAR, 0.82, (f"{far:,}",), align="center")
    on_line = f"{len(sample.x)} points on the line"
    corner = marks.drawn_of(most, len(sample.x), "points on the line", axes)
    along = memo(along_line, worlds, sample)
    layers = [points, far_points, count, corner, *along]
    says = f"{sample.y.sum()} of {on_line} are of class 1, and {far} of {far} at x'."
    return Panel(axes, layers, says=says)


def along_line(worlds: TwoWorlds, sample: WorldSample) -> list[Lines]:
    even = np.linspace(0, 1, STEPS)
    x = np.unique(np.concatenate([even, around_middle(worlds)]))
    of_worlds = curves(x, worlds.margin(x[:, None]))
    ends = np.linspace(0, 1, BINS + 1)
    label = f"fraction in {BINS} bins, ± 1 s.e."
    bins = fractions(sample.x, sample.y, ends, label)
    return [*of_worlds, *bins]


def bump_panel(worlds: TwoWorlds, sample: WorldSample) -> Panel:
    """The sample and eta around the bump, in its radii."""
    per_bin = worlds.n * worlds.mass * 2 * REACH / FINE_BINS / worlds.inverse_radius
    # Room for ``epsilon``, the largest distance of eta from 1/2, and three standard errors of a
    # bin.
    needed = worlds.epsilon + 3 * 0.5 / max(per_bin, 1) ** 0.5
    half = next((half for half in HALF_HEIGHTS if half >= needed), HALF_HEIGHTS[-1])
    ylim = (0.5 - half, 0.5 + half)
    xlabel = "distance from the middle, in radii of the bump"
    axes = Axes("glass", "Around the bump", xlabel, "fraction of class 1", (-REACH, REACH), ylim)

    x = around_middle(worlds)
    distances = (x - 0.5) * worlds.inverse_radius
    of_worlds = curves(distances, worlds.margin(x[:, None]))
    ends = np.linspace(-REACH, REACH, FINE_BINS + 1)
    distances = (sample.x - 0.5) * worlds.inverse_radius
    bins = fractions(distances, sample.y, ends, "fraction, ± 1 s.e.")
    # The legend of the sample explains them.
    layers = [replace(each, at="in words") for each in (*of_worlds, *bins)]
    return Panel(axes, layers)


def around_middle(worlds: TwoWorlds) -> np.ndarray:
    distances = np.linspace(-REACH, REACH, STEPS) / worlds.inverse_radius
    return (0.5 + distances).clip(0, 1)


def curves(x: np.ndarray, margin: np.ndarray) -> list[Lines]:
    """eta of both worlds over x (J,): 1/2 plus and minus a ``margin`` (J,)."""
    plus = marks.curve("eta+", "eta of P+", x, 0.5 + margin, "#009E73")
    minus = marks.curve("eta-", "eta of P-", x, 0.5 - margin, "#CC79A7", (7, 3))
    return [plus, minus]


def fractions(x: np.ndarray, y: np.ndarray, ends: np.ndarray, label: str) -> tuple[Lines, Lines]:
    """Fractions of class 1 in bins between ends (b + 1,), and their standard errors; empty bins
    have neither.
    """
    ones, _ = np.histogram(x[y == 1], ends)
    totals, _ = np.histogram(x, ends)
    unknown = np.full(len(totals), np.nan)
    fraction = np.divide(ones, totals, out=unknown, where=totals > 0)
    error = 0.5 / np.sqrt(np.maximum(totals, 1))
    middles = (ends[:-1] + ends[1:]) / 2
    x = marks.segments(middles, middles)
    y = marks.segments(fraction - error, fraction + error)
    errors = Lines("spread", x, y, width=1.5)
    x = marks.segments(ends[:-1], ends[1:])
    y = marks.segments(fraction, fraction)
    bars = Lines("fractions", x, y, label=label, width=3.0)
    return errors, bars


def score_panel(right: tuple[bool, ...], best: float | None) -> Panel:
    """The fraction of right guesses after each round, beside a coin's, and that of the best guess
    if it is told.
    """
    # At least ten rounds wide.
    xlim = (0, max(10, len(right)) + 0.5)
    rounds = np.arange(1, len(right) + 1)
    fraction = np.cumsum(right) / rounds
    best_guess = None
    if best is not None:
        best_guess = Lines("best", xlim, best, label="best guess", dash=(7, 3))
    layers = (
        marks.curve("coin", "coin", xlim, 0.5, style.MUTED, (2, 3), width=2.0),
        Lines("fraction", rounds, fraction, width=1.5),
        marks.dot(rounds, fraction, "rounds", "you", marker=0, size=7.0),
        best_guess,
    )
    axes = Axes("score", "Right so far", "rounds", "", xlim, (-0.05, 1.05))
    return Panel(axes, layers)


#: Numbers with three decimals.
THIRDS = {"P(best guess is right)": 3}


class TwoWorldsLab(Lab):
    """A sample from one of the worlds P+ and P-, buttons to guess which, and the score of all
    rounds.

    Source: Khim et al., Proposition 2.

    Examples
    --------
    >>> from knnviz.labs import TwoWorldsLab
    >>> lab = TwoWorldsLab(n=100, seed=0)
    >>> lab.readout()["P(best guess is right)"]
    0.67226
    >>> lab.guess("+").readout()["your guess was"]
    'right'
    """

    title = "Two worlds"
    table = PARAMETERS
    recipe = recipe
    state = Guesses()
    decimals = THIRDS
    layout = rows(
        ("sample", 0.26),
        columns(Cell("glass", height=200), Cell("score", height=200), ratios=(13, 7)),
    )
    presets = (
        Preset("A million points", "Khim et al., Proposition 2", {"n": 1_000_000}),
        Preset("All points on the line", "Khim et al., Proposition 2", {"mass": 1.0}),
        Preset("A rough bump", "Khim et al., Proposition 2", {"smoothness": 0.25, "n": 10_000}),
    )

    def guess(self, world: str) -> Self:
        """Guess that the sample is from the world "+" or "-"; ValueError for anything else, and for
        a second guess.
        """
        if world not in ("+", "-"):
            raise ValueError(f"a guess must be '+' or '-', got {checks.shown(world)}")
        with self.lock:
            this = round_of(self)
            rounds = self.state.rounds
            if this in dict(rounds):
                raise ValueError("this round has been guessed: ask for a new round")
            truth = true_world(this)
            self.message = f"It is P{truth}."
            guess = (this, world == truth)
            return self.set_state(Guesses((*rounds, guess)))

    buttons = (
        ("It is P+", "Guess that the sample is from P+", lambda lab: lab.guess("+")),
        ("It is P-", "Guess that the sample is from P-", lambda lab: lab.guess("-")),
        ("New round", "Draw another world and a sample, by the next seed", next_seed),
    )
