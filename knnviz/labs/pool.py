"""PoolLab: what it gains to buy labels of tumors where a first vote was close, in twenty splits.

Of each split the pool has the tumors whose labels can be bought, the others are held out. Both
learners have 100 labels at random; then the passive learner buys m more at random, and the active
one those of tumors whose first vote was close. The gain is by how many held-out tumors fewer the
active learner errs. The splits share their tumors, so they are no independent repeats.
"""

from functools import cache
from typing import Any

import numpy as np

from knnviz.labs.engine import Click, Count, Int, Lab, Memo, Panel, Shown, Values, rows
from knnviz.lessons.openings.active_learning import N_SECOND, purchase
from knnviz.problems import Dataset, breast_cancer
from knnviz.views import marks, style
from knnviz.views.layers import Axes, Lines, Place, Points

SPLITS = 20

#: Ends of the axis of gains, and room for dots on top of each other and for names.
MOST_GAIN = 11
HEIGHT = 9

#: Colors of dots where the passive learner is ahead, neither, or the active learner.
COLORS = (style.INK, style.tint(style.MUTED, 0.7), style.CLASS_COLORS[2])

SPLIT_TIP = "Which tumors are the pool, and which are held out: click a dot"

PARAMETERS = (
    "Labels",
    Int("m", N_SECOND, 10, N_SECOND, "second round *m*", "Labels of the second round", step=10),
    Int("split", 0, 0, SPLITS - 1, "split", SPLIT_TIP, play=800),
)


def recipe(p: Values, memo: Memo) -> Shown:
    errors = memo(errors_of, p.m)
    held_out = len(pools()[0].y_test)
    _, passive, active = errors[p.split].tolist()
    first, *means = errors.mean(axis=0).tolist()
    gains = memo(gains_of, errors)
    numbers: dict[str, Any] = {
        "errors of the passive learner": Count(passive, held_out),
        "errors of the active learner": Count(active, held_out),
        "mean gain": float(gains.mean()),
        "active learner ahead": Count(int((gains > 0).sum()), SPLITS),
        "passive learner ahead": Count(int((gains < 0).sum()), SPLITS),
        "mean errors with 100 labels": first,
        "mean errors of the passive learner": means[0],
        "mean errors of the active learner": means[1],
    }
    return Shown({"gains": lambda: memo(gain_panel, gains, p.split, held_out)}, numbers)


@cache
def pools() -> list[Dataset]:
    return [breast_cancer(seed=split) for split in range(SPLITS)]


def errors_of(m: int) -> np.ndarray:
    """Errors on held-out tumors (splits, 3) with the first round alone, and with m more labels of
    the passive or the active learner.
    """
    found = []
    for split, pool in enumerate(pools()):
        fractions = purchase(pool, split, m).errors(pool)
        found.append(np.round(np.multiply(fractions, len(pool.y_test))))
    return np.array(found, int)


def gains_of(errors: np.ndarray) -> np.ndarray:
    """By how many errors (s, 3) fewer the active learner makes, (s,)."""
    return errors[:, 1] - errors[:, 2]


def gain_panel(gains: np.ndarray, split: int, held_out: int) -> Panel:
    """A dot for each of some gains (s,), the one of the split ringed, and their mean."""
    up = marks.ranks_within(gains) + 1
    codes = np.sign(gains) + 1
    markers = style.markers(1) * len(COLORS)
    dotted: Any = {"palette": COLORS, "markers": markers, "size": 22.0, "ring_width": 3.0}
    ringed = np.arange(len(gains)) == split
    dotted |= {"ringed": ringed, "ring_labels": ("this split",)}
    dots = Points("dots", gains, up, codes=codes.astype(np.uint8), **dotted)

    top = HEIGHT - 1.5
    mean = gains.mean()
    level = Lines("mean", mean, (0, top), label="mean", at=Place(mean, top, "left"), dash=(4, 3))
    names = [
        marks.naming(
            "behind", Place(-MOST_GAIN, HEIGHT, "left"), "passive learner ahead", COLORS[0]
        ),
        marks.naming("ahead", Place(MOST_GAIN, HEIGHT, "right"), "active learner ahead", COLORS[2]),
    ]

    def click(where: Click) -> dict[str, int]:
        return {"split": int(np.hypot(gains - where.x, up - where.y).argmin())}

    xlim = (-MOST_GAIN, MOST_GAIN)
    ticks = tuple(map(float, range(-10, 11, 5)))
    xlabel = f"gain in tumors, of {held_out} held out"
    title = f"Gains in {len(gains)} splits"
    look: Any = {"xticks": ticks, "yticks": (0.0,), "ynames": ("",)}
    axes = Axes("gains", title, xlabel, "", xlim, (0, HEIGHT), **look)
    zero = Lines("zero", 0, (0, HEIGHT), width=1.0)
    return Panel(axes, [zero, level, dots, *names], click, f"Gains: {sorted(gains.tolist())}.")


class PoolLab(Lab):
    """Twenty splits of tumors: labels bought at random beside labels bought where votes were close.

    Source: the opening of lesson 06.

    Examples
    --------
    >>> from knnviz.labs import PoolLab
    >>> found = PoolLab(split=11).readout()
    >>> found["errors of the passive learner"], found["errors of the active learner"]
    (Count(part=27, whole=171), Count(part=21, whole=171))
    >>> found["mean gain"]
    0.35
    """

    title = "Labels of tumors"
    table = PARAMETERS
    recipe = recipe
    layout = rows(("gains", 0.45))
