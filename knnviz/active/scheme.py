"""Parameters of the two-round scheme, and what follows from them."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from knnviz import checks
from knnviz.bounds import rittler

#: Where a label comes from: the first round, a passive draw of the second, or one that was kept for lying in H+.
ROUND1, FROM_P, FROM_R = range(3)

Coin = Literal["per_draw", "per_sample"]


def tags(stage: Any, n: int) -> np.ndarray:
    """Where each of n labels comes from, (n,) uint8; None is round one for all. ValueError for anything else."""
    if stage is None:
        return np.full(n, ROUND1, np.uint8)
    held = np.asarray(stage)
    if held.shape != (n,):
        raise ValueError(f"stage must hold one tag for each of {n} points, got shape {held.shape}")
    text = "stage must hold tags ROUND1 = 0, FROM_P = 1 and FROM_R = 2"
    if held.dtype.kind not in "iu":
        raise ValueError(f"{text}, got values of type {held.dtype}")
    odd = np.flatnonzero(~np.isin(held, (ROUND1, FROM_P, FROM_R)))
    if len(odd):
        raise ValueError(f"{text}, got {held[odd[0]]}")
    return held.astype(np.uint8)


@dataclass(frozen=True)
class Scheme:
    """Where labels are bought, from a distribution or from a pool.

    Parameters
    ----------
    k_hard : int
        Neighbors whose vote decides what is hard.
    passive_fraction : float
        pi in [0, 1]: probability that the coin asks for a passive draw.
    delta : float
        Failure probability, strictly between 0 and 1.
    c0, c_plus : float
        At least 0: they widen the band and the balls; the paper gives no values.
    coin : "per_draw" or "per_sample"
        Whether the coin is flipped anew after a rejection, as printed, or for the next label only.
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
            checks.check_real(name, getattr(self, name), 0, rittler.LARGEST_CONSTANT)
        rittler.per_draw(self.coin)

    def width(self, n: int, dimension: int) -> float:
        """2 Delta + Delta~ for n labels in a first round; ValueError if k_hard exceeds n."""
        return rittler.hard_width(n, self.k_hard, dimension, self.delta, self.c0)

    def k_plus(self, n: int, dimension: int) -> int:
        """Neighbors in the balls that fatten H."""
        return rittler.fattening_neighbors(n, dimension, self.delta, self.c_plus)
