"""Real data: two features of a table, split into a training and a test part."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import ceil
from typing import Any, Literal, Self

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from knnviz import checks
from knnviz.problems.base import Grid, Sample

Scale = Literal["standard"] | None

#: Share of the range by which the drawn box exceeds the data on each side.
BOX_MARGIN = 0.04


@dataclass(frozen=True, eq=False)
class Table:
    """A whole table: two features X (n, 2), class codes y (n,) int, and the names of all."""

    name: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...]

    @property
    def checksum(self) -> str:
        """What tells this table from another: sixteen digits of the SHA-256 of its numbers."""
        return sha256(self.X.tobytes() + self.y.astype("<i8").tobytes()).hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Real data of two features, split by ``seed`` and scaled on the training part; made by ``from_data``.

    It offers what a ``Problem`` offers, save what needs the distribution: ``eta`` is None. ``X_train`` (n, 2) and
    ``y_train`` (n,) are shuffled, ``X_test`` and ``y_test`` are held out, all scaled.
    """

    table: Table
    scale: Scale
    test_size: float
    seed: int
    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray

    eta = None

    @classmethod
    def split(cls, table: Table, scale: Scale, test_size: float, seed: int) -> Self:
        """Shuffle a table, hold a part of it out, and scale both parts by what the training part shows."""
        left = len(table.y) - ceil(test_size * len(table.y))
        if left < 2:
            raise ValueError(f"a test_size of {test_size:g} leaves {left} of {len(table.y)} rows to train on")
        train, test = train_test_split(np.arange(len(table.y)), test_size=test_size, random_state=seed)
        if len(np.unique(table.y[train])) < 2:
            raise ValueError(f"the training part of {len(train)} rows holds a single class")
        X_train, X_test = scaled(table.X[train], table.X[test], scale)
        return cls(table, scale, test_size, seed, X_train, table.y[train], X_test, table.y[test])

    @property
    def name(self) -> str:
        """Name of the table."""
        return self.table.name

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the two features."""
        return self.table.feature_names

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes, in code order."""
        return self.table.class_names

    @property
    def dimension(self) -> int:
        """Number of features."""
        return self.X_train.shape[1]

    @property
    def n_classes(self) -> int:
        """Number of classes in the whole table."""
        return len(self.class_names)

    @property
    def max_size(self) -> int:
        """Rows of the training part."""
        return len(self.y_train)

    @property
    def box(self) -> tuple[tuple[float, float], ...]:
        """A box around all points, with sides of equal length so that a ball looks round."""
        everything = np.concatenate([self.X_train, self.X_test])
        low, high = everything.min(axis=0), everything.max(axis=0)
        half = (high - low).max() * (0.5 + BOX_MARGIN) or 0.5
        return tuple((float(c - half), float(c + half)) for c in (low + high) / 2)

    def with_seed(self, seed: int) -> Self:
        """The same table, split by another seed."""
        return self if seed == self.seed else type(self).split(self.table, self.scale, self.test_size, seed)

    def sample(self, n: int, seed: int | None = None) -> Sample:
        """The first n rows of the training part shuffled by ``seed``, with the uniforms that noise will read."""
        split = self if seed is None else self.with_seed(seed)
        n = checks.whole("n", n, 1, split.max_size)
        v = np.random.default_rng(split.seed).random(split.max_size)
        return Sample(split.X_train[:n], split.y_train[:n], None, v[:n])

    def grid(self, resolution: int = 200) -> Grid:
        """Cell centres of the box, ``resolution`` along each feature."""
        return Grid.over(self.box, resolution)

    def spec(self) -> dict[str, Any]:
        """Name, parameters and the checksum of the table, as JSON can hold them."""
        parameters = {"features": list(self.feature_names), "scale": self.scale, "test_size": self.test_size}
        return {"name": self.name, "parameters": parameters | {"seed": self.seed}, "checksum": self.table.checksum}


def scaled(train: np.ndarray, test: np.ndarray, scale: Scale) -> tuple[np.ndarray, np.ndarray]:
    """Both parts, standardised by mean and deviation of the training part, or as they are."""
    if scale is None:
        return train, test
    scaler = StandardScaler().fit(train)
    return scaler.transform(train), scaler.transform(test)


def from_data(
    X: Any,
    y: Any,
    features: Sequence[int | str] = (0, 1),
    scale: Scale = "standard",
    test_size: float = 0.3,
    seed: int = 0,
    *,
    name: str = "data",
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
) -> Dataset:
    """Two features of a table X (n, columns) with labels y (n,) as a source of samples.

    Parameters: ``features`` by position, or by name if X is a data frame or ``feature_names`` names its columns;
    ``scale`` "standard" fits mean and standard deviation on the training part, None leaves the numbers alone;
    ``test_size`` is the share held out; ``seed`` is the split. Labels may be numbers or text; classes are coded in
    sorted order, and ``class_names`` renames them.
    Raises ValueError for missing values, text in a feature, a single class, or too few rows.
    """
    if scale not in ("standard", None):
        raise ValueError(f"scale must be 'standard' or None, got {scale!r}")
    test_size = checks.real("test_size", test_size, 0.01, 0.99)
    seed = checks.whole("seed", seed, 0, 2**32 - 1)
    columns, names = _columns(X, features, feature_names)
    values, coded = _labels(y, len(columns))
    if class_names is not None and len(class_names) != len(values):
        raise ValueError(f"class_names must name {len(values)} classes, got {len(class_names)}")
    shown = tuple(str(value) for value in (values if class_names is None else class_names))
    return Dataset.split(Table(name, checks.points("X", columns), coded, names, shown), scale, test_size, seed)


def breast_cancer(
    features: Sequence[int | str] = ("mean radius", "mean texture"),
    scale: Scale = "standard",
    test_size: float = 0.3,
    seed: int = 0,
) -> Dataset:
    """Wisconsin breast cancer data by two of its thirty features, as scikit-learn ships it (569 rows)."""
    bunch = load_breast_cancer()
    names = {"feature_names": bunch.feature_names, "class_names": bunch.target_names}
    return from_data(bunch.data, bunch.target, features, scale, test_size, seed, name="breast_cancer", **names)


def _columns(
    X: Any, features: Sequence[int | str], feature_names: Sequence[str] | None
) -> tuple[np.ndarray, tuple[str, ...]]:
    """The chosen columns (n, 2) as numbers, and their names."""
    if isinstance(features, str) or not isinstance(features, Sequence) or len(features) != 2:
        raise ValueError(f"features must name two columns, got {features!r}")
    given = getattr(X, "columns", None) if feature_names is None else feature_names
    table = _table(X)
    known = [f"feature {i}" for i in range(table.shape[1])] if given is None else [str(name) for name in given]
    if len(known) != table.shape[1]:
        raise ValueError(f"feature_names must name {table.shape[1]} columns, got {len(known)}")
    positions = [_position(feature, known) for feature in features]
    numbers = [_numbers(table[:, i], known[i]) for i in positions]
    return np.stack(numbers, axis=1), tuple(known[i] for i in positions)


def _table(X: Any) -> np.ndarray:
    """X as an array of rows and columns, masked values as NaN."""
    try:
        table = X.astype(float).filled(np.nan) if np.ma.isMaskedArray(X) else np.asarray(X)
    except ValueError:
        raise ValueError("X must be a table with rows of equal length") from None
    if table.ndim != 2:
        raise ValueError(f"X must be a table of shape (n, columns), got shape {table.shape}")
    if len(table) < 4:
        raise ValueError(f"a training and a test part need at least 4 rows, got {len(table)}")
    return table


def _position(feature: int | str, known: list[str]) -> int:
    """Where a feature stands among the columns."""
    if not isinstance(feature, str):
        return checks.whole("a feature's position", feature, 0, len(known) - 1)
    if feature not in known:
        raise ValueError(f"there is no feature {feature!r}; the table has {', '.join(known)}")
    return known.index(feature)


def _numbers(column: np.ndarray, name: str) -> np.ndarray:
    """A column as float64, or a sentence that shows the first value that is no number."""
    try:
        return column.astype(np.float64)
    except (TypeError, ValueError):
        for row, value in enumerate(column):
            try:
                float(value)
            except (TypeError, ValueError):
                raise ValueError(f"{name} must hold numbers, got {value!r} in row {row}") from None
        raise


def _labels(y: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Distinct labels in sorted order, and the code of each row's."""
    y = np.asarray(y)
    if y.shape != (n,):
        raise ValueError(f"y must hold one label for each of {n} rows, got shape {y.shape}")
    missing = [row for row, label in enumerate(y.tolist()) if label is None or label != label]
    if missing:
        raise ValueError(f"y has missing labels in {checks.rows(missing)}")
    try:
        values, coded = np.unique(y, return_inverse=True)
    except TypeError:
        # Labels of different types have no order of their own.
        values, coded = np.unique(y.astype(str), return_inverse=True)
    if len(values) < 2:
        raise ValueError(f"y must hold at least two classes, got only {values.tolist()[0]!r}")
    if len(values) > 255:
        raise ValueError(f"y must hold at most 255 classes, got {len(values)}")
    return values, coded
