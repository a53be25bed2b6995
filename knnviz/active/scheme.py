"""What the two-round scheme is told, and what follows from it."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from knnviz import checks
from knnviz.bounds import rittler

#: Where a label comes from: the first round, a plain draw of the second, or one that was kept for lying in H+.
ROUND1, FROM_P, FROM_R = range(3)

Coin = Literal["per_draw", "per_sample"]


def tags(stage: Any, n: int) -> np.ndarray:
    """Where each of n labels comes from, (n,) uint8; None is round one for all. ValueError for anything else."""
    if stage is None:
        return np.full(n, ROUND1, np.uint8)
    held = np.asarray(stage)
    if held.shape != (n,):
        raise ValueError(f"stage must hold one tag for each of {n} points, got shape {held.shape}")
    wanted = "stage must hold tags ROUND1 = 0, FROM_P = 1 and FROM_R = 2"
    if held.dtype.kind not in "iu":
        raise ValueError(f"{wanted}, got values of type {held.dtype}")
    odd = np.flatnonzero(~np.isin(held, (ROUND1, FROM_P, FROM_R)))
    if len(odd):
        raise ValueError(f"{wanted}, got {held[odd[0]]}")
    return held.astype(np.uint8)


@dataclass(frozen=True)
class Scheme:
    """What decides where labels are bought: checked once, for distributions and for pools.

    ``k_hard`` neighbors say what is hard, ``passive_fraction`` pi in [0, 1] of the coins ask for plain draws, ``delta``
    is the failure probability, ``c0`` >= 0 widens the band and ``c_plus`` >= 0 the balls, ``coin`` is flipped anew
    after a rejection ("per_draw", as printed) or for the next label only ("per_sample"). Raises ValueError for anything
    else.
    """

    k_hard: int
    passive_fraction: float
    delta: float = 0.1
    c0: float = 0.0
    c_plus: float = 0.25
    coin: Coin = "per_draw"

    def __post_init__(self) -> None:
        checks.check_int("k_hard", self.k_hard, 1)
        checks.check_real("passive_fraction", self.passive_fraction, 0, 1)
        checks.check_failure_probability(self.delta)
        for name in ("c0", "c_plus"):
            checks.check_real(name, getattr(self, name), 0, rittler.LARGEST)
        rittler.per_draw(self.coin)

    def width(self, n: int, dimension: int) -> float:
        """2 Delta + Delta~ for n labels in a first round; ValueError if k_hard exceeds n."""
        return rittler.hard_width(n, self.k_hard, dimension, self.delta, self.c0)

    def k_plus(self, n: int, dimension: int) -> int:
        """Neighbors in the balls that fatten H."""
        return rittler.fattening_neighbors(n, dimension, self.delta, self.c_plus)
