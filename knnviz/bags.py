"""Bags, the candidate label sets of learning from partial labels: processes that draw them, and
noise on given ones.

n and m are numbers of points, d is their dimension, C the number of classes, coded 0 to C - 1. eta
are the class probabilities P(Y = c | x). The bag of a point is a set of classes that should hold
the true one; it may be empty.

Bag noise affects a point with probability nu, ``bag_noise``. It removes the true label from its bag
("removal"), or puts another label in its place: one of all C, drawn uniformly ("confusion"), or one
of the C - 1 others ("other"). Source: Errandonea et al., section 4.1, where the experiments on real
data remove labels; "other" is ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import cdist

from knnviz.checks import (
    Seed,
    as_array,
    check_bags,
    check_choice,
    check_codes,
    check_fractions,
    check_int,
    check_n_classes,
    check_numbers,
    check_points,
    check_range,
    check_real,
    check_seed,
    column_names,
    require,
    shown,
)
from knnviz.threads import native_pools

#: What bag noise does to the true label.
Kind = Literal["confusion", "other", "removal"]

#: Clusters of points that each have a process of their own.
N_CLUSTERS = 5


def as_bags(observed: Any, n: int, n_classes: int) -> np.ndarray:
    """Bags (n, C) bool, from a table of truth values, or from class codes (n,), each a bag of one
    label.

    Raises ValueError for another shape, and for values that are neither.
    """
    if as_array("labels", observed).ndim < 2:
        codes = check_codes("labels", observed, n, n_classes, np.intp)
        return codes[:, None] == np.arange(n_classes)
    bags = check_bags("bags", observed, n)
    if bags.shape[1] != n_classes:
        raise ValueError(
            f"bags must have a column for each of {n_classes} classes, got {bags.shape}"
        )
    return bags


def read_bags(bags: Any, classes: Sequence[Any] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Bags (n, C) bool and their classes (C,), from a table of n rows and C columns, or n sets or
    lists of labels.

    A table is an array, sparse matrix or data frame of truth values or of 0 and 1. ``classes`` are
    the labels, all different and two or more, in the order of the columns: by default the columns
    of a data frame, the numbers 0 to C - 1 for another table, and the labels that occur, sorted,
    for sets. Nested lists are bags, never a table. Raises ValueError for labels that are not among
    the classes, or twice in a bag, for other values in a table, lists of truth values, and fewer
    than two classes.

    Examples
    --------
    >>> from knnviz.bags import read_bags
    >>> bags, classes = read_bags([{"tea"}, {"milk", "tea"}])
    >>> classes.tolist(), bags.tolist()
    (['milk', 'tea'], [[False, True], [True, True]])
    """
    if issparse(bags):
        bags = bags.toarray()
    columns = column_names("a table of bags", bags)
    if columns is None and not (isinstance(bags, np.ndarray) and bags.ndim > 1):
        return _from_sets(list(bags), classes)
    # Columns of a frame of pandas may be of several types, and nullable: as numbers they are all
    # alike.
    if hasattr(bags, "iloc") and all(dtype.kind in "biuf" for dtype in bags.dtypes):
        bags = bags.to_numpy(float, na_value=np.nan)
    if np.ndim(bags) != 2:
        raise ValueError(f"a table of bags must be of shape (n, C), got {np.shape(bags)}")
    table = check_bags("a table of bags", bags)
    n_columns = table.shape[1]
    if classes is None:
        classes = range(n_columns) if columns is None else columns
    names = check_classes(classes)
    if len(names) != n_columns:
        raise ValueError(
            f"there must be {n_columns} classes, one for each column, got {len(names)}"
        )
    return table, names


def _from_sets(sets: list[Any], classes: Sequence[Any] | None) -> tuple[np.ndarray, np.ndarray]:
    try:
        for row, bag in enumerate(sets):
            if not hasattr(bag, "__iter__") or isinstance(bag, str | bytes):
                got = f"got {shown(bag)} in row {row}"
                raise ValueError(f"a bag must be a set or list of labels, {got}")
            # Taken for labels, the entries 0 and 1 or False and True of a row would be the two
            # classes.
            repeats = len(set(bag)) < len(bag)
            is_row = repeats or {bool, np.bool_} & set(map(type, bag))
            if is_row and not isinstance(bag, set | frozenset):
                got = f"got {shown(bag)} in row {row}"
                raise ValueError(
                    f"labels of a bag must differ, and a table must be an array, {got}"
                )
        labels = set[Any]().union(*sets)
        names = check_classes(sorted(labels) if classes is None else classes)
    except TypeError:
        raise ValueError("labels in bags must be of one kind, all text or all numbers") from None
    in_order = names.tolist()
    unknown = sorted(map(str, labels - set(in_order)))
    if unknown:
        first = ", ".join(unknown[:5])
        raise ValueError(f"bags hold labels that are not among the classes: {first}")
    table = [[name in bag for name in in_order] for bag in sets]
    return np.array(table, bool).reshape(len(sets), len(names)), names


def check_classes(classes: Sequence[Any]) -> np.ndarray:
    """Return two or more different labels (C,), or raise ValueError."""
    names = as_array("classes", classes)
    if names.ndim != 1 or len(set(names.tolist())) < len(names):
        got = shown(classes)
        raise ValueError(f"classes must be a row of different labels, got {got}")
    require(len(names) > 1, f"there must be two or more classes, got {len(names)}")
    return names


@dataclass(frozen=True, eq=False)
class BagDraws:
    """Uniform numbers in [0, 1) from which n bags are drawn.

    With the same numbers, more noise or inclusion changes a superset of the bags. Noise affects the
    bags whose ``noise`` (n,) is below ``bag_noise``; ``replacement`` (n,) draws the label that
    replaces the true one. A label joins a bag if ``joins`` (n, C) is below its inclusion
    probability.

    Examples
    --------
    >>> from knnviz import BagDraws
    >>> draws = BagDraws.draw(n=5, n_classes=3, seed=0)
    >>> draws.noise.shape, draws.replacement.shape, draws.joins.shape
    ((5,), (5,), (5, 3))
    """

    noise: np.ndarray
    replacement: np.ndarray
    joins: np.ndarray

    @classmethod
    def draw(cls, n: int, n_classes: int, seed: Seed = 0) -> Self:
        """Draw noise, replacement and joins, in this order, for n points of C classes."""
        n = check_int("n", n, 1)
        n_classes = check_n_classes(n_classes)
        rng = check_seed(seed)
        noise = rng.random(n)
        replacement = rng.random(n)
        joins = rng.random((n, n_classes))
        return cls(noise, replacement, joins)

    def _replaced(self, y: np.ndarray, kind: Kind) -> np.ndarray:
        """The labels (n,) that replace y (n,) under noise of a kind "confusion" or "other"."""
        n_classes = self.joins.shape[1]
        if kind == "confusion":
            return (self.replacement * n_classes).astype(int)
        steps = 1 + (self.replacement * (n_classes - 1)).astype(int)
        return (y + steps) % n_classes


def _check_noise(process: Any) -> None:
    """Make the noise of a process a float; ValueError outside [0, 1], and for another kind."""
    bag_noise = check_real("bag noise nu", process.bag_noise, 0, 1)
    object.__setattr__(process, "bag_noise", float(bag_noise))
    check_choice("kind", process.kind, get_args(Kind))


def _check_drawn(n: int, y: np.ndarray, draws: BagDraws, n_classes: int) -> np.ndarray:
    """Return the classes y (n,) of points; ValueError for others, and draws of another number."""
    got = draws.joins.shape
    if got != (n, n_classes):
        raise ValueError(f"draws must be for {n} points of {n_classes} classes, got {got}")
    return check_codes("y", y, n, n_classes, np.intp)


@dataclass(frozen=True, eq=False)
class BagProcess:
    """A distribution of bags: the true label, which noise may replace or remove, and others that
    join independently.

    Raises ValueError for values out of the ranges below, and for shapes that do not fit each other.

    Source: Errandonea et al., section 4.1, where one probability holds for all wrong labels of a
    label and cluster.

    Parameters
    ----------
    inclusion : array (C, C) or (parts, C, C)
        At [i, l] or [part, i, l] the probability that label l joins the bag of i, which is the true
        label or what replaces it; the diagonal counts as 1. The parts divide the space, each with
        its own probabilities.
    bag_noise : float
        nu in [0, 1], the probability that the true label is replaced or removed.
    kind : "confusion", "other" or "removal"
        What noise does to the true label: one of all C replaces it, or one of the C - 1 others; or
        it leaves its bag, which may end up empty.
    centers : array (parts, d), optional
        A point belongs to the part whose center is nearest, the first on a tie; a single part needs
        none.

    Examples
    --------
    >>> from knnviz import BagProcess
    >>> process = BagProcess.from_inclusion(3, inclusion=0.4, bag_noise=0.3)
    >>> process.cooccurrence()[0].round(4).tolist()
    [[0.88, 0.46, 0.46], [0.46, 0.88, 0.46], [0.46, 0.46, 0.88]]
    >>> process.true_label_leads().tolist()
    [True]
    """

    inclusion: Any
    bag_noise: float = 0.0
    kind: Kind = "confusion"
    centers: Any = None

    def __post_init__(self) -> None:
        inclusion = check_numbers("inclusion", self.inclusion).copy()
        if inclusion.ndim == 2:
            inclusion = inclusion[None]
        shape = inclusion.shape
        if len(shape) != 3 or shape[0] == 0 or shape[1] != shape[2]:
            got = np.shape(self.inclusion)
            raise ValueError(f"inclusion must be of shape (C, C) or (parts, C, C), got {got}")
        labels = np.arange(check_n_classes(shape[1]))
        check_range("inclusion", inclusion, 0, 1)
        inclusion[:, labels, labels] = 1
        _check_noise(self)

        centers = None
        n_parts = 1
        if self.centers is not None:
            centers = check_points("centers", self.centers)
            n_parts = len(centers)
        if len(inclusion) != n_parts:
            raise ValueError(f"{len(inclusion)} parts need as many centers, got {n_parts}")
        object.__setattr__(self, "inclusion", inclusion)
        object.__setattr__(self, "centers", centers)

    @classmethod
    def from_inclusion(cls, n_classes: int, inclusion: float, bag_noise: float = 0.0) -> Self:
        """Every wrong label joins every bag with the same probability, ``inclusion``."""
        n_classes = check_n_classes(n_classes)
        inclusion = float(check_real("inclusion", inclusion, 0, 1))
        return cls(np.full((n_classes, n_classes), inclusion), bag_noise)

    @classmethod
    def from_clusters(
        cls,
        X: np.ndarray,
        n_classes: int,
        seed: Seed = 0,
        *,
        largest: float = 0.8,
    ) -> Self:
        """A process whose parts are five k-means clusters of points X (n, d).

        Fewer points are as many clusters. Each label and cluster has one probability, uniform on
        [0, ``largest``], with which each wrong label joins. With the same seed, these scale with
        ``largest``, which is at most 1. Source: Errandonea et al., section 4.1, which does not
        state how clusters are found.
        """
        from sklearn.cluster import KMeans

        X = check_points("X", X)
        n_classes = check_n_classes(n_classes)
        largest = float(check_real("largest", largest, 0, 1))
        rng = check_seed(seed)
        n_clusters = min(N_CLUSTERS, len(X))
        k_means = KMeans(n_clusters, n_init=1, random_state=int(rng.integers(2**31)))
        # Several threads on a busy processor take twenty times as long, and add up in another
        # order.
        with native_pools("openmp").limit(limits=1):
            clusters = k_means.fit(X)
        probabilities = largest * rng.random((n_clusters, n_classes, 1))
        inclusion = np.repeat(probabilities, n_classes, axis=2)
        return cls(inclusion, centers=clusters.cluster_centers_)

    @property
    def n_classes(self) -> int:
        return self.inclusion.shape[1]

    def parts(self, X: np.ndarray) -> np.ndarray:
        """The part (m,) that each of the points X (m, d) belongs to."""
        if self.centers is None:
            return np.zeros(len(check_points("X", X)), int)
        X = check_points("X", X, self.centers.shape[1])
        return cdist(X, self.centers, "sqeuclidean").argmin(axis=1)

    def draw(self, X: np.ndarray, y: np.ndarray, draws: BagDraws) -> np.ndarray:
        """Bags (n, C) bool of points X (n, d) with true classes y (n,), by the numbers of
        ``draws``.

        Raises ValueError for points, classes and draws of different numbers.
        """
        parts = self.parts(X)
        y = _check_drawn(len(parts), y, draws, self.n_classes)

        affected = draws.noise < self.bag_noise
        label = y
        if self.kind != "removal":
            label = np.where(affected, draws._replaced(y, self.kind), y)
        bags = draws.joins < self.inclusion[parts, label]
        bags[np.arange(len(y)), label] = True
        if self.kind == "removal":
            bags[affected, y[affected]] = False
        return bags

    def cooccurrence(self) -> np.ndarray:
        """P(S_y | i, x) (parts, C, C) at [part, y, i]: the probability that a bag holds y if the
        true label is i.
        """
        without_noise = self.inclusion.transpose(0, 2, 1)
        diagonal = np.eye(self.n_classes, dtype=bool)
        if self.kind == "removal":
            return np.where(diagonal, 1 - self.bag_noise, without_noise)
        with_noise = (1 - self.bag_noise) * diagonal + self.bag_noise * self.replacements
        return without_noise @ with_noise

    @property
    def replacements(self) -> np.ndarray:
        """Distribution (C, C) of the label that replaces a true label: at [y, i] the probability
        that y replaces i.
        """
        if self.kind == "other":
            return ~np.eye(self.n_classes, dtype=bool) / (self.n_classes - 1)
        return np.full((self.n_classes, self.n_classes), 1 / self.n_classes)

    def true_label_leads(self) -> np.ndarray:
        """Whether each true label is in more bags than any other label: (parts,) bool."""
        cooccurrence = self.cooccurrence()
        diagonal = np.eye(self.n_classes, dtype=bool)
        others = np.where(diagonal, -1, cooccurrence).max(axis=1)
        return (cooccurrence[:, diagonal] > others).all(axis=1)

    def frequency(self, X: np.ndarray, eta: np.ndarray) -> np.ndarray:
        """P(S_y | x) (m, C), the probability that a bag at x holds y, for eta (m, C) at X (m, d).

        It is ``cooccurrence`` of the part of x times eta(x).
        """
        parts = self.parts(X)
        eta = check_fractions("eta", eta)
        wanted = len(parts), self.n_classes
        if eta.shape != wanted:
            raise ValueError(f"eta must be of shape {wanted}, got {eta.shape}")
        return np.einsum("myi,mi->my", self.cooccurrence()[parts], eta)


@dataclass(frozen=True, eq=False)
class GivenBags:
    """Bags (n, C) bool that come with n points, and noise on them.

    Noise removes or replaces the true label of a bag that holds it, with probability ``bag_noise``;
    a bag that already holds the other label shrinks. It has ``n_classes`` and ``draw``, as a
    ``BagProcess`` has.

    Source: Errandonea et al., section 4.1, whose experiments on real data remove labels;
    replacement is ours.
    """

    bags: np.ndarray
    bag_noise: float = 0.0
    kind: Kind = "removal"

    def __post_init__(self) -> None:
        _check_noise(self)

    @property
    def n_classes(self) -> int:
        return self.bags.shape[1]

    def draw(self, X: np.ndarray, y: np.ndarray, draws: BagDraws) -> np.ndarray:
        """The bags (n, C) bool with noise, for true classes y (n,); ``X`` is not read."""
        y = _check_drawn(len(self.bags), y, draws, self.n_classes)
        bags = self.bags.copy()
        holds_true = bags[np.arange(len(y)), y]
        rows = np.flatnonzero((draws.noise < self.bag_noise) & holds_true)
        bags[rows, y[rows]] = False
        if self.kind != "removal":
            bags[rows, draws._replaced(y, self.kind)[rows]] = True
        return bags
