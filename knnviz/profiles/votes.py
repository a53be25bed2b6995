"""Vote profiles: how often each class occurs as a ball grows around a query point."""

from functools import cached_property
from typing import Self

import numpy as np

from knnviz import checks, kernels
from knnviz.neighbors import NeighborTable

#: Most neighbors whose votes fit the counts.
MOST_NEIGHBORS = 2**16 - 1


class VoteProfile:
    """After the j nearest neighbors of query i, how many carry label c?

    The count at one k is computed at once; when a second k is asked for, all of them are counted and kept. Counts are
    read-only.
    """

    def __init__(self, table: NeighborTable, labels: np.ndarray, n_classes: int) -> None:
        self.table, self.labels, self.n_classes = table, labels, n_classes
        self._single: tuple[int, np.ndarray] | None = None

    @classmethod
    def count(cls, table: NeighborTable, labels: np.ndarray, n_classes: int) -> Self:
        """Profile of observed class codes (n,) over a table of neighbors; ValueError if they do not fit each other."""
        n_classes = checks.whole("n_classes", n_classes, 2, 255)
        if table.k_max > MOST_NEIGHBORS:
            raise ValueError(f"a vote profile counts at most {MOST_NEIGHBORS} neighbors, got {table.k_max}")
        return cls(table, checks.codes("labels", labels, table.n, n_classes), n_classes)

    @property
    def k_max(self) -> int:
        """Largest k that can be read."""
        return self.table.k_max

    def __len__(self) -> int:
        return len(self.table)

    @property
    def dtype(self) -> np.dtype:
        """Smallest unsigned type that holds a count of k_max votes."""
        return np.dtype(np.uint8 if self.k_max <= 255 else np.uint16)

    @cached_property
    def _cumulated(self) -> np.ndarray:
        """Counts (C, k_max, m): all queries at one k lie side by side."""
        votes = np.empty((self.n_classes, self.k_max, len(self)), self.dtype)
        kernels.cumulate_votes(self.table.indices, self.labels, votes)
        votes.flags.writeable = False
        return votes

    @property
    def counts(self) -> np.ndarray:
        """Votes (m, k_max, C) of each class among the j + 1 nearest neighbors."""
        return self._cumulated.transpose(2, 1, 0)

    def at(self, k: int) -> np.ndarray:
        """Votes (m, C) of each class among the k nearest; ValueError if k exceeds k_max."""
        k = checks.whole("k", k, 1)
        if k > self.k_max:
            raise ValueError(f"k must not exceed the {self.k_max} neighbors of this profile, got {k}")
        if "_cumulated" not in self.__dict__:
            if self._single is None:
                self._single = k, self._at_once(k)
            if self._single[0] == k:
                return self._single[1].T
        return self._cumulated[:, k - 1].T

    def _at_once(self, k: int) -> np.ndarray:
        """Votes (C, m) at a single k."""
        votes = np.zeros((self.n_classes, len(self)), self.dtype)
        if self.n_classes == 2:
            kernels.count_ones(self.table.indices, self.labels, k, votes[1])
            np.subtract(k, votes[1], out=votes[0], casting="unsafe")
        else:
            kernels.count_votes(self.table.indices, self.labels, k, votes)
        votes.flags.writeable = False
        return votes
