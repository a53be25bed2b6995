"""A reader's own bags of candidate labels: points, a table of 0 and 1, and the true classes."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from knnviz import checks
from knnviz.problems.columns import columns_of, numbers

#: Fewest rows of a table of bags, since a fifth of them is held out.
MIN_ROWS = 5


@dataclass(frozen=True, eq=False)
class BagTable:
    """Points X (n, d), their bags S (n, C) bool, and true classes y (n,) int; made by ``from_bags``."""

    name: str
    X: np.ndarray
    S: np.ndarray
    y: np.ndarray

    @property
    def n_classes(self) -> int:
        return self.S.shape[1]

    @property
    def checksum(self) -> str:
        """Sixteen digits of the SHA-256 of the numbers of this table."""
        return sha256(self.X.tobytes() + self.S.tobytes() + self.y.astype("<i8").tobytes()).hexdigest()[:16]

    def spec(self) -> dict[str, Any]:
        """Name, shapes and checksum, as JSON can hold them."""
        return {"name": self.name, "parameters": {"n": len(self.y), "C": self.n_classes}, "checksum": self.checksum}


def from_bags(X: Any, S: Any, y: Any, *, name: str = "bags") -> BagTable:
    """Points X (n, d) with bags S (n, C) of truth values or 0 and 1, and true classes y (n,) from 0 to C - 1.

    X and S are arrays or data frames, S also a sparse matrix. A bag may be empty, and need not hold the true class.
    Raises ValueError for columns of X that hold text or miss values, for classes that seem to be counted from 1, fewer
    than 5 rows, and fewer than 2 or more than 255 classes.

    Examples
    --------
    >>> from knnviz import from_bags
    >>> X, S = [[0], [1], [2], [3], [4]], [[1, 0], [1, 1], [0, 1], [0, 1], [1, 1]]
    >>> from_bags(X, S, y=[0, 0, 1, 1, 1]).n_classes
    2
    """
    points = numbers(columns_of(X))
    bags = checks.check_bags("S", numbers(columns_of(S.toarray() if hasattr(S, "toarray") else S)), len(points))
    if len(points) < MIN_ROWS:
        raise ValueError(f"there must be at least {MIN_ROWS} rows, since a fifth is held out, got {len(points)}")
    n_classes = checks.check_int("the number of classes, the columns of S,", bags.shape[1], 2, 255)
    codes = checks.check_codes("y", y, len(points), n_classes).astype(int)
    rows = np.arange(len(codes))
    if codes.min() > 0 and bags[rows, codes].mean() < 0.5 < bags[rows, codes - 1].mean():
        raise ValueError("y must count classes from 0, but most bags hold the class of y - 1 and lack that of y")
    return BagTable(name, points, bags, codes)
