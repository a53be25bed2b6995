"""A reader's own bags of candidate labels: points, a table of 0 and 1, and the true classes."""

from dataclasses import dataclass
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np

from knnviz import checks
from knnviz.problems.files import read_arrays

#: Fewest rows of a table of bags, since a fifth of them is held out.
MIN_ROWS = 5


@dataclass(frozen=True, eq=False)
class BagTable:
    """Points X (n, d), their bags S (n, C) bool, true classes y (n,) int, and notes on what was read.

    Examples
    --------
    >>> from knnviz.problems import BagTable
    >>> X, S = [[0], [1], [2], [3], [4]], [[1, 0], [1, 1], [0, 1], [0, 1], [1, 1]]
    >>> BagTable.of(X, S, y=[0, 0, 1, 1, 1]).notes
    ('bags: 1.40 labels in the mean, the true one in 100.0%, 0 empty',)
    """

    name: str
    X: np.ndarray
    S: np.ndarray
    y: np.ndarray
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, X: Any, S: Any, y: Any, name: str = "bags") -> Self:
        """Points (n, d) with bags (n, C), truth values or 0 and 1, and true classes (n,) from 0 to C - 1.

        A bag may be empty, and need not hold the true class. Raises ValueError for other arrays, missing values, fewer
        than 5 rows, and fewer than 2 or more than 255 classes.
        """
        X = checks.check_points("X", X)
        bags = checks.check_bags("S", S, len(X))
        if len(X) < MIN_ROWS:
            raise ValueError(f"there must be at least {MIN_ROWS} rows, since a fifth is held out, got {len(X)}")
        n_classes = checks.check_int("the number of classes, the columns of S,", bags.shape[1], 2, 255)
        codes = checks.check_codes("y", y, len(X), n_classes).astype(int)
        return cls(name, X, bags, codes, (_note(bags, codes),))

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


def read_bag_table(path: str | PathLike[str]) -> BagTable:
    """Points, bags and true classes from a NumPy archive (.npz) of arrays X (n, d), S (n, C) and y (n,).

    Raises ValueError, in a sentence that names the file, for a file that is no such archive, holds Python objects, or
    lacks an array, and for arrays that ``BagTable.of`` refuses; FileNotFoundError if there is no file.

    Examples
    --------
    >>> from knnviz import read_bag_table
    >>> import tempfile
    >>> import numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(f"{folder}/bags.npz", X=np.eye(5, 2), S=np.eye(5, 3) == 1, y=[0, 1, 2, 0, 1])
    ...     read_bag_table(f"{folder}/bags.npz").n_classes
    3
    """
    path = Path(path)
    found = read_arrays(path, ("X", "S", "y"))
    try:
        return BagTable.of(found["X"], found["S"], found["y"], path.stem)
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def _note(bags: np.ndarray, y: np.ndarray) -> str:
    with_true, empty = bags[np.arange(len(y)), y].mean(), int((~bags.any(axis=1)).sum())
    return f"bags: {bags.sum(axis=1).mean():.2f} labels in the mean, the true one in {with_true:.1%}, {empty} empty"
