"""Real data: two features of a table, split into a training and a test part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import ceil
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from knnviz import checks
from knnviz.problems import columns
from knnviz.problems.atoms import Box
from knnviz.problems.base import Grid, Sample
from knnviz.problems.columns import Features, Names

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

Scale = Literal["standard", "minmax"] | None
Projection = Literal["pca"] | None

#: Fraction of the range by which the drawn box exceeds the data on each side.
BOX_MARGIN = 0.04


@dataclass(frozen=True, eq=False)
class Table:
    """Columns X (n, columns) of a table, class codes y (n,) int, and names of both."""

    name: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...]

    @classmethod
    def of(cls, name: str, features: Mapping[str, np.ndarray], y: Any, class_names: Names | None = None) -> Self:
        """Features by name and labels, as ``columns.features_and_labels`` gives them, as numbers and class codes."""
        X = columns.numbers(features)
        classes, codes = columns.encode_labels(y, len(X), class_names)
        return cls(name, X, codes, tuple(features), classes)

    @property
    def checksum(self) -> str:
        """Sixteen digits of the SHA-256 of the numbers of this table."""
        return sha256(self.X.tobytes() + self.y.astype("<i8").tobytes()).hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Real data of two features, split by ``seed`` and scaled on the training part; made by ``from_data``.

    It has the methods of a ``Problem`` that do not need the distribution; ``eta`` is None. ``X_train`` (n, 2) and
    ``y_train`` (n,) are shuffled, ``X_test`` and ``y_test`` are held out, all scaled and, if ``projection`` is "pca",
    projected to two principal components of the training part.

    Examples
    --------
    >>> from knnviz import bundled
    >>> data = bundled("wine", test_size=0.5)
    >>> data.sample(20).X.shape, data.X_test.shape, data.n_classes
    ((20, 2), (89, 2), 3)
    """

    table: Table
    projection: Projection
    scale: Scale
    test_size: float
    seed: int
    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray

    eta = None

    @classmethod
    def split(cls, table: Table, projection: Projection, scale: Scale, test_size: float, seed: int) -> Self:
        """Shuffle a table, hold a part of it out, and scale and project both parts as fitted on the training part."""
        from sklearn.model_selection import train_test_split

        n_train = len(table.y) - ceil(test_size * len(table.y))
        if n_train < 2:
            raise ValueError(f"a test_size of {test_size:g} leaves {n_train} of {len(table.y)} rows to train on")
        train, test = train_test_split(np.arange(len(table.y)), test_size=test_size, random_state=seed)
        if len(np.unique(table.y[train])) < 2:
            raise ValueError(f"the training part of {len(train)} rows holds a single class")
        if projection and np.ptp(table.X[train], axis=0).astype(bool).sum() < 2:
            raise ValueError("principal components need at least two columns that vary in the training part")
        steps = _pipeline(projection, scale).fit(table.X[train])
        X_train, X_test = (np.ascontiguousarray(steps.transform(table.X[part])) for part in (train, test))
        return cls(table, projection, scale, test_size, seed, X_train, table.y[train], X_test, table.y[test])

    @property
    def name(self) -> str:
        return self.table.name

    @property
    def feature_names(self) -> tuple[str, ...]:
        return ("component 1", "component 2") if self.projection else self.table.feature_names

    @property
    def class_names(self) -> tuple[str, ...]:
        return self.table.class_names

    @property
    def dimension(self) -> int:
        return self.X_train.shape[1]

    @property
    def n_classes(self) -> int:
        return len(self.class_names)

    @property
    def max_size(self) -> int:
        return len(self.y_train)

    @property
    def box(self) -> Box:
        """A box around all points, with sides of equal length so that a ball looks round."""
        everything = np.concatenate([self.X_train, self.X_test])
        low, high = everything.min(axis=0), everything.max(axis=0)
        half = (high - low).max() * (0.5 + BOX_MARGIN) or 0.5
        return tuple((float(c - half), float(c + half)) for c in (low + high) / 2)

    def with_seed(self, seed: int) -> Self:
        """The same table, split by another seed."""
        if seed == self.seed:
            return self
        return type(self).split(self.table, self.projection, self.scale, self.test_size, seed)

    def sample(self, n: int, seed: int | None = None) -> Sample:
        """The first n rows of the training part shuffled by ``seed``, with uniform numbers for label noise."""
        split = self if seed is None else self.with_seed(seed)
        n = checks.check_int("n", n, 1, split.max_size)
        v = np.random.default_rng(split.seed).random(split.max_size)
        return Sample(split.X_train[:n], split.y_train[:n], None, v[:n])

    def grid(self, n_cells: int = 200) -> Grid:
        return Grid.over(self.box, n_cells)

    def spec(self) -> dict[str, Any]:
        """Name, parameters and the checksum of the table, as JSON can hold them."""
        features = self.projection or list(self.feature_names)
        parameters = {"features": features, "scale": self.scale, "test_size": self.test_size, "seed": self.seed}
        return {"name": self.name, "parameters": parameters, "checksum": self.table.checksum}


def _projection_of(features: Features) -> Projection:
    if isinstance(features, str) and features == "pca":
        return "pca"
    if isinstance(features, str) or not isinstance(features, Sequence) or len(features) != 2:
        raise ValueError(f"features must name two columns, got {features!r}")
    return None


def _pipeline(projection: Projection, scale: Scale) -> "Pipeline":
    from sklearn.decomposition import PCA
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import MinMaxScaler, StandardScaler

    scaler = {"standard": StandardScaler(), "minmax": MinMaxScaler(), None: "passthrough"}[scale]
    # The full decomposition is the same on every run; the faster ones draw random numbers, or square the errors.
    project = "passthrough" if projection is None else PCA(n_components=2, svd_solver="full")
    return Pipeline([("scale", scaler), ("project", project)])


def from_data(
    X: Any,
    y: Any,
    features: Features = (0, 1),
    scale: Scale = "standard",
    test_size: float = 0.3,
    seed: int = 0,
    *,
    name: str = "data",
    feature_names: Names | None = None,
    class_names: Names | None = None,
) -> Dataset:
    """Two features of a table X (n, columns) with labels y (n,) as a data set, from which samples are drawn.

    X is an array, or a data frame of pandas, polars or another library; ``y`` may name one of the frame's columns,
    which then is not a feature. ``features`` are two columns by position, or by name if X is a data frame or
    ``feature_names`` names them; or "pca", two principal components of all columns (at least two). ``scale`` is applied
    before and fitted on the training part: "standard" by mean and standard deviation, "minmax" to [0, 1] (the test part
    may exceed it), None not at all. ``test_size`` is the fraction held out, by a split that ``seed`` draws.
    Labels may be text, numbers, truth values or bytes; classes are coded in sorted order (of their text, if they do not
    compare), shown as text, and renamed by ``class_names``.
    Raises ValueError for chosen features that hold text or miss values, for missing labels, a single class, and too few
    rows.

    Examples
    --------
    >>> from knnviz import from_data
    >>> X, y = [[1, 5], [2, 6], [3, 7], [4, 8], [5, 9]], ["no", "yes", "no", "yes", "no"]
    >>> data = from_data(X, y, scale=None, test_size=0.4)
    >>> data.class_names, data.X_train.shape, data.X_test.shape
    (('no', 'yes'), (3, 2), (2, 2))
    """
    checks.check_choice("scale", scale, ("standard", "minmax", None))
    test_size = float(checks.check_real("test_size", test_size, 0.01, 0.99))
    seed = checks.check_int("seed", seed, 0, 2**32 - 1)
    projection = _projection_of(features)
    found, labels = columns.features_and_labels(X, y)
    if feature_names is not None:
        found = columns.renamed(found, list(map(str, feature_names)))
    if not projection:
        found = columns.chosen(found, features)
    return Dataset.split(Table.of(name, found, labels, class_names), projection, scale, test_size, seed)
