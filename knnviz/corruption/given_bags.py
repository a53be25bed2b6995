"""Bags that come with the data, and what noise does to them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from knnviz import checks
from knnviz.corruption.bag_process import BagDraws, Kind, check_kind, replaced


@dataclass(frozen=True, eq=False)
class GivenBags:
    """Bags (n, C) that come with n points, from which noise removes the true label, or replaces it.

    It has ``n_classes``, ``parts`` and ``draw``, as a ``BagProcess`` has. Raises ValueError for values out of the
    ranges below.

    Source: Errandonea et al., section 4.1, whose experiments on real data remove labels; replacement is ours.

    Parameters
    ----------
    bags : array (n, C)
        Truth values, or 0 and 1. A bag may be empty, and need not hold the true label.
    bag_noise : float
        nu in [0, 1], the probability that noise removes or replaces the true label of a bag that holds it.
    kind : "removal", "confusion" or "other"
        "removal": the true label is not replaced, and the bag may end up empty. "confusion": a label drawn uniformly
        from all C replaces it; "other": one of the C - 1 others. A bag that already holds the other label shrinks.

    Examples
    --------
    >>> from knnviz import BagDraws
    >>> from knnviz.corruption import GivenBags
    >>> import numpy as np
    >>> given = GivenBags([[1, 0], [1, 1]], bag_noise=1.0)
    >>> given.draw(np.zeros((2, 1)), np.array([0, 0]), BagDraws.of(2, 2, seed=0)).tolist()
    [[False, False], [False, True]]
    """

    bags: Any
    bag_noise: float = 0.0
    kind: Kind = "removal"

    def __post_init__(self) -> None:
        bags = checks.check_bags("bags", self.bags)
        checks.check_int("the number of classes, the columns of bags,", bags.shape[1], 2, 255)
        checks.check_real("bag noise nu", self.bag_noise, 0, 1)
        check_kind(self.kind)
        object.__setattr__(self, "bags", bags)

    @property
    def n_classes(self) -> int:
        return self.bags.shape[1]

    def parts(self, X: np.ndarray) -> np.ndarray:
        """The one part (m,) that all points X (m, d) belong to."""
        return np.zeros(len(X), int)

    def draw(self, X: np.ndarray, y: np.ndarray, draws: BagDraws, parts: np.ndarray | None = None) -> np.ndarray:
        """The bags (n, C) bool with noise, for true classes y (n,), by the numbers of ``draws``.

        ``X`` and ``parts`` are not read. Raises ValueError for classes and draws of different numbers.
        """
        if draws.joins.shape != self.bags.shape:
            raise ValueError(f"draws must be for bags of shape {self.bags.shape}, got {draws.joins.shape}")
        y, bags = checks.check_codes("y", y, len(self.bags), self.n_classes).astype(int), self.bags.copy()
        rows = np.flatnonzero((draws.noise < self.bag_noise) & bags[np.arange(len(y)), y])
        bags[rows, y[rows]] = False
        if self.kind != "removal":
            bags[rows, replaced(y, draws.replacement, self.kind, self.n_classes)[rows]] = True
        return bags
