"""Vote profiles: the votes of each class among the k nearest neighbors of a query, as k grows."""

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol, Self

import numpy as np

from knnviz import checks, kernels
from knnviz.corruption import as_bags
from knnviz.neighbors import NeighborTable
from knnviz.windows import Windows

#: Largest count of votes in 16 bits.
LARGEST_COUNT = 2**16 - 1


class Votes(Protocol):
    """Votes (rows, C) from which a rule predicts: a row for each query, or for each window; a column for each class.

    ``from_bags`` is whether bags vote: then the votes of all classes need not sum to k.

    Examples
    --------
    >>> from knnviz import NeighborTable, VoteProfile
    >>> import numpy as np
    >>> table = NeighborTable.build(np.array([[0.0], [1.0], [1.0]]), np.array([[0.2]]), 3)
    >>> votes = VoteProfile.count(table, np.array([0, 1, 1]), n_classes=2)
    >>> votes.at(2).tolist(), votes.closed(2).tolist()
    ([[1, 1]], [[1, 2]])
    """

    @property
    def n_classes(self) -> int: ...

    @property
    def from_bags(self) -> bool: ...

    def at(self, k: int) -> np.ndarray:
        """Votes (rows, C) of each class among the k nearest."""

    def closed(self, k: int) -> np.ndarray:
        """Votes (rows, C) of each class in the closed ball out to the k-th nearest: more than k where distances tie."""


class VoteProfile:
    """Votes of each class among the k nearest neighbors of each query, at any k.

    The first k is counted alone; a second k counts all k at once and keeps the counts, ``counts`` (m, k_max, C). The
    ``ks`` of ``count`` are counted in one pass over the neighbors. Counts are read-only.

    Examples
    --------
    >>> from knnviz import NeighborTable, VoteProfile
    >>> import numpy as np
    >>> table = NeighborTable.build(np.array([[0.0], [1.0], [3.0]]), np.array([[0.2], [2.9]]), 3)
    >>> votes = VoteProfile.count(table, np.array([0, 1, 1]), n_classes=2)
    >>> votes.at(1).tolist(), votes.at(3).tolist()
    ([[1, 0], [0, 1]], [[1, 2], [1, 2]])
    """

    def __init__(self, table: NeighborTable, labels: np.ndarray, n_classes: int, ks: Sequence[int] = ()) -> None:
        self.table, self.labels, self.n_classes, self.ks = table, labels, n_classes, ks
        self._single: tuple[int, np.ndarray] | None = None
        self._closed: tuple[int, np.ndarray] | None = None

    @classmethod
    def count(cls, table: NeighborTable, labels: np.ndarray, n_classes: int, ks: Sequence[int] | None = None) -> Self:
        """Profile of observed class codes (n,), or bags (n, C) bool, over a table of neighbors.

        ``ks``, in any order, are counted together at the first use of one of them. Raises ValueError if labels and
        table do not fit each other.
        """
        n_classes = checks.check_int("n_classes", n_classes, 2, 255)
        if table.k_max > LARGEST_COUNT:
            raise ValueError(f"a vote profile counts at most {LARGEST_COUNT} neighbors, got {table.k_max}")
        ks = sorted({checks.check_int("each of ks", k, 1, table.k_max) for k in ks or ()})
        if np.ndim(labels) == 1:
            return cls(table, checks.check_codes("labels", labels, table.n, n_classes), n_classes, ks)
        return cls(table, np.ascontiguousarray(as_bags(labels, table.n, n_classes)).view(np.uint8), n_classes, ks)

    @property
    def from_bags(self) -> bool:
        return self.labels.ndim == 2

    @property
    def k_max(self) -> int:
        return self.table.k_max

    def __len__(self) -> int:
        return len(self.table)

    @property
    def dtype(self) -> np.dtype:
        """Smallest unsigned integer type that holds k_max."""
        return np.dtype(np.uint8 if self.k_max <= 255 else np.uint16)

    @cached_property
    def _at_every_k(self) -> np.ndarray:
        """Votes (C, k_max, m): those of all queries at one k are contiguous in memory."""
        votes = np.empty((self.n_classes, self.k_max, len(self)), self.dtype)
        cumulate = kernels.cumulate_bags if self.from_bags else kernels.cumulate_votes
        cumulate(self.table.indices, self.labels, votes)
        votes.flags.writeable = False
        return votes

    @property
    def counts(self) -> np.ndarray:
        """Votes (m, k_max, C): those at k are ``counts[:, k - 1]``."""
        return self._at_every_k.transpose(2, 1, 0)

    def at(self, k: int) -> np.ndarray:
        """Votes (m, C) of each class among the k nearest; ValueError if k exceeds k_max."""
        k = checks.check_int("k", k, 1)
        if k > self.k_max:
            raise ValueError(f"k must not exceed the {self.k_max} neighbors of this profile, got {k}")
        if "_at_every_k" in self.__dict__:
            return self._at_every_k[:, k - 1].T
        if k in self.ks:
            return self._at_ks[k].T
        if self._single is None:
            self._single = k, self._count([k])[0]
        return self._single[1].T if self._single[0] == k else self._at_every_k[:, k - 1].T

    def closed(self, k: int) -> np.ndarray:
        """Votes (m, C) of each class in the closed ball out to the k-th nearest: more than k where distances tie.

        Raises ValueError as ``at`` does, and for a table that ``NeighborTable.build`` did not make.
        """
        nearest, cached = self.at(k), self._closed
        if cached is not None and cached[0] == k:
            return cached[1]
        votes = nearest.astype(np.int32)
        # Pairs: a row whose ball holds more than k points, and a point in it.
        rows, points = self.table.closed(k)
        votes[rows] = 0
        if self.from_bags:
            np.add.at(votes, rows, self.labels[points])
        else:
            np.add.at(votes, (rows, self.labels[points]), 1)
        votes.flags.writeable = False
        self._closed = k, votes
        return votes

    @cached_property
    def _at_ks(self) -> dict[int, np.ndarray]:
        """Votes (C, m) at each of ``ks``."""
        return dict(zip(self.ks, self._count(self.ks), strict=True))

    def _count(self, ks: Sequence[int]) -> np.ndarray:
        """Votes (len(ks), C, m) at several k, ascending."""
        votes = np.empty((len(ks), self.n_classes, len(self)), self.dtype)
        count = kernels.count_bags_at if self.from_bags else kernels.count_votes_at
        count(self.table.indices, self.labels, np.array(ks), votes)
        votes.flags.writeable = False
        return votes


class WindowProfile:
    """Votes of each class in each window of k consecutive points on a line, at any k.

    They are differences of cumulative counts, so that time and memory do not grow with k.

    Examples
    --------
    >>> from knnviz.profiles import WindowProfile
    >>> from knnviz.windows import Windows
    >>> import numpy as np
    >>> windows = Windows.of(np.array([[0.0], [1.0], [3.0]]))
    >>> WindowProfile.count(windows, np.array([0, 1, 1]), n_classes=2).at(2).tolist()
    [[1, 1], [0, 2]]
    """

    from_bags = False

    def __init__(self, windows: Windows, cumulative: np.ndarray) -> None:
        self.windows, self.n_classes = windows, len(cumulative)
        # (C, n + 1): how many of the first i sorted points have each class, at [class, i].
        self._cumulative = cumulative

    @classmethod
    def count(cls, windows: Windows, labels: np.ndarray, n_classes: int) -> Self:
        """Profile of observed class codes (n,), in the order of the training points; ValueError if they do not fit."""
        n_classes = checks.check_int("n_classes", n_classes, 2, 255)
        labels = checks.check_codes("labels", labels, windows.n, n_classes)[windows.order]
        cumulative = np.zeros((n_classes, windows.n + 1), np.int32)
        for c, counts in enumerate(cumulative):
            np.cumsum(labels == c, out=counts[1:])
        return cls(windows, cumulative)

    def at(self, k: int) -> np.ndarray:
        """Votes (n - k + 1, C) of each class in every window of k points; ValueError if k exceeds n."""
        k = checks.check_k(k, self.windows.n)
        return (self._cumulative[:, k:] - self._cumulative[:, : self.windows.n - k + 1]).T

    def closed(self, k: int) -> np.ndarray:
        """The same votes: a closed ball holds more than k points only if the query is on a breakpoint."""
        return self.at(k)

    def votes_in(self, starts: np.ndarray, ks: np.ndarray) -> np.ndarray:
        """Votes (J, C) in windows of ks (J,) points that begin at ``starts`` (J,); ValueError beyond the points."""
        starts, ks = np.asarray(starts), np.asarray(ks)
        if (starts < 0).any() or (ks < 1).any() or (starts + ks > self.windows.n).any():
            raise ValueError(f"windows must lie within the {self.windows.n} points")
        return (self._cumulative[:, starts + ks] - self._cumulative[:, starts]).T


class OwnWindowProfile(WindowProfile):
    """Votes among the k nearest of each training point on a line, itself included.

    Of two neighbors at the same distance, the left one comes first, whatever their indices.

    Examples
    --------
    >>> from knnviz.profiles import OwnWindowProfile
    >>> from knnviz.windows import Windows
    >>> import numpy as np
    >>> windows = Windows.of(np.array([[0.0], [1.0], [3.0]]))
    >>> OwnWindowProfile.count(windows, np.array([0, 1, 1]), n_classes=2).at(2).tolist()
    [[1, 1], [1, 1], [0, 2]]
    """

    def at(self, k: int) -> np.ndarray:
        """Votes (n, C) among the k nearest of each training point, in their order; ValueError if k exceeds n."""
        votes = np.empty((self.windows.n, self.n_classes), np.int32)
        votes[self.windows.order] = super().at(k)[self.windows.starts(self.windows.x, k)]
        return votes

    def closed(self, k: int) -> np.ndarray:
        """Votes (n, C) in the closed ball out to the k-th nearest of each training point; ValueError as for at."""
        x, votes = self.windows.x, np.empty((self.windows.n, self.n_classes), np.int32)
        sizes = k + np.isin(x, self.windows.breakpoints(k))
        votes[self.windows.order] = self.votes_in(self.windows.starts(x, k), sizes)
        return votes

    def extremes(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Fewest and most votes (C,) of each class among the k nearest of any training point; ValueError as for at."""
        k = checks.check_k(k, self.windows.n)
        extremes = np.empty((self.n_classes, 2), np.int32)
        # The votes of two classes sum to k, so those of class 1 are enough.
        counted = slice(1, None) if self.n_classes == 2 else slice(None)
        for counts, fewest_and_most in zip(self._cumulative[counted], extremes[counted], strict=True):
            kernels.window_extremes(self.windows.x, counts, k, fewest_and_most)
        if self.n_classes == 2:
            extremes[0] = k - extremes[1, ::-1]
        return extremes[:, 0], extremes[:, 1]


#: The neighbors of each training point, itself included, or votes counted over them.
NeighborSource = NeighborTable | Windows | VoteProfile


def training_votes(train: NeighborSource, observed: np.ndarray, n_classes: int) -> Votes:
    """Votes among the neighbors of each training point, from which rules estimate flip rates in ``fit``.

    A profile is returned unchanged, so that rules share its counts; ValueError if it is not one of these labels.

    Examples
    --------
    >>> from knnviz import NeighborTable
    >>> from knnviz.profiles import training_votes
    >>> import numpy as np
    >>> train = NeighborTable.build(np.array([[0.0], [1.0], [3.0]]), None, 2)
    >>> training_votes(train, np.array([0, 1, 1]), n_classes=2).at(2).tolist()
    [[1, 1], [1, 1], [0, 2]]
    """
    if isinstance(train, VoteProfile):
        if train.n_classes != n_classes or not np.array_equal(train.labels, observed):
            raise ValueError("the votes at the training points are those of other labels")
        return train
    if isinstance(train, Windows):
        return OwnWindowProfile.count(train, observed, n_classes)
    return VoteProfile.count(train, observed, n_classes)
