"""PoolLab: what it gains to buy labels of tumors where a first vote was close, in twenty splits.

Of each split the pool has the tumors whose labels can be bought, the others are held out. Both
learners have 100 labels at random; then the passive learner buys m more at random, and the active
one those of tumors whose first vote, of 15 labels, was close. In the end k labels vote. The gain is
how many held-out tumors fewer the active learner gets wrong. The splits share their tumors, so they
are no independent repeats.
"""

from functools import cache
from typing import Any, Literal

import numpy as np

from knnviz.active.pool import N_SECOND, K, Purchase, purchase
from knnviz.labs.engine import Click, Count, Int, Lab, Memo, Panel, Shown, Values, rows
from knnviz.problems import Dataset, breast_cancer
from knnviz.views import marks, style
from knnviz.views.layers import Axes, Lines, Place, Points

SPLITS = 20

#: Ends of the axis of gains, and room for dots on top of each other and for names.
MOST_GAIN = 14
HEIGHT = 9

#: Colors of dots where the passive learner is ahead, neither, or the active learner.
COLORS = (style.INK, style.tint(style.MUTED, 0.7), style.CLASS_COLORS[2])

SPLIT_TIP = "Which tumors are the pool, and which are held out: click a dot"

PARAMETERS = (
    Int("k", K, 5, 45, "neighbors *k*", "How many neighbors vote at the end", step=2),
    "Labels",
    Int("m", N_SECOND, 10, N_SECOND, "second round *m*", "Labels of the second round", step=10),
    Int("split", 0, 0, SPLITS - 1, "split", SPLIT_TIP, play=800),
)


def recipe(p: Values, memo: Memo) -> Shown:
    held_out = len(pools()[0][0].y_test)
    first = memo(errors_of, "random", 0, p.k)
    passive = memo(errors_of, "random", p.m, p.k)
    active = memo(errors_of, "close", p.m, p.k)
    gains = memo(np.subtract, passive, active)
    numbers: dict[str, Any] = {
        "passive errors": Count(int(passive[p.split]), held_out),
        "active errors": Count(int(active[p.split]), held_out),
        "mean gain": float(gains.mean()),
        "active ahead": Count(int((gains > 0).sum()), SPLITS),
        "passive ahead": Count(int((gains < 0).sum()), SPLITS),
        "mean errors with 100 labels": float(first.mean()),
        "mean passive errors": float(passive.mean()),
        "mean active errors": float(active.mean()),
    }
    return Shown({"gains": lambda: memo(gain_panel, gains, p.split, held_out)}, numbers)


@cache
def pools() -> list[tuple[Dataset, Purchase]]:
    """The splits, with the labels that are bought in each."""
    splits = [breast_cancer(seed=split) for split in range(SPLITS)]
    return [(pool, purchase(pool, split)) for split, pool in enumerate(splits)]


def errors_of(kind: Literal["random", "close"], m: int, k: int) -> np.ndarray:
    """Errors on held-out tumors (splits,) by votes of k, with m labels of a second round."""
    found = [bought.errors(pool, getattr(bought, kind)[:m], k) for pool, bought in pools()]
    return np.array(found)


def gain_panel(gains: np.ndarray, split: int, held_out: int) -> Panel:
    """A dot for each of some gains (s,), the one of the split ringed, and their mean."""
    up = marks.ranks_within(gains) + 1
    codes = np.sign(gains) + 1
    markers = style.markers(1) * len(COLORS)
    ringed = np.arange(len(gains)) == split
    dots = Points(
        "dots",
        gains,
        up,
        codes=codes.astype(np.uint8),
        ringed=ringed,
        palette=COLORS,
        markers=markers,
        size=18.0,
        ring_width=3.0,
    )

    top = HEIGHT - 1.5
    mean = gains.mean()
    level = Lines("mean", mean, (0, top), label="mean", at=Place(mean, top, "left"), dash=(4, 3))
    names = [
        marks.naming("behind", Place(-MOST_GAIN, HEIGHT, "left"), "passive ahead", COLORS[0]),
        marks.naming("ahead", Place(MOST_GAIN, HEIGHT, "right"), "active ahead", COLORS[2]),
    ]

    def click(where: Click) -> dict[str, int]:
        return {"split": int(np.hypot(gains - where.x, up - where.y).argmin())}

    xlim = (-MOST_GAIN, MOST_GAIN)
    ticks = tuple(map(float, range(-10, 11, 5)))
    xlabel = f"gain in tumors, of {held_out} held out"
    title = f"Gains in {len(gains)} splits, split {split} in a ring"
    axes = Axes(
        "gains",
        title,
        xlabel,
        "splits",
        xlim,
        (0, HEIGHT),
        xticks=ticks,
        yticks=(1.0, 3.0, 5.0, 7.0),
    )
    zero = Lines("zero", 0, (0, HEIGHT), width=1.0)
    return Panel(axes, [zero, level, dots, *names], click, f"Gains: {sorted(gains.tolist())}.")


class PoolLab(Lab):
    """Twenty splits of tumors: labels bought at random beside labels bought where votes were close.

    Source: the opening of lesson 06.

    Examples
    --------
    >>> from knnviz.labs import PoolLab
    >>> found = PoolLab(split=11).readout()
    >>> found["passive errors"], found["active errors"]
    (Count(part=27, whole=171), Count(part=21, whole=171))
    >>> found["mean gain"]
    0.35
    """

    title = "Labels of tumors"
    table = PARAMETERS
    recipe = recipe
    layout = rows(("gains", 0.45))
