"""Real data: tables and bags of a reader, data sets that come with scikit-learn, and sources made
from their specs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal, Self

import numpy as np

from knnviz.checks import (
    MOST_CLASSES,
    check_bags,
    check_choice,
    check_codes,
    check_int,
    check_real,
    require,
    shown,
)
from knnviz.problems import columns, named
from knnviz.problems.base import Box, Grid, Problem, Sample
from knnviz.problems.columns import Features, Names

Scale = Literal["standard"] | None
Projection = Literal["pca"] | None

#: Fraction of the range by which the drawn box exceeds the data on each side.
BOX_MARGIN = 0.04

#: Data sets of scikit-learn: the end of its loader's name, default features, and the classes used,
#: in the order of their codes (None: all). Malignant tumors are class 1, the positive one;
#: scikit-learn has them as class 0.
BUNDLED: dict[str, tuple[str, Features, Sequence[int] | None]] = {
    "breast_cancer": ("breast_cancer", ("mean radius", "mean texture"), (1, 0)),
    "digits": ("digits", "pca", None),
    "digits 0 to 4": ("digits", "pca", range(5)),
    "digits 3 against 8": ("digits", "pca", (3, 8)),
    "iris": ("iris", ("petal length (cm)", "petal width (cm)"), None),
    "wine": ("wine", ("flavanoids", "color_intensity"), None),
}


#: The scans of a rare digit: name in menus and specs, and by digit how many are drawn.
RARE_DIGITS = "scans of 3, 5 and 9"
DRAWN = {3: 80, 5: 8, 9: 8}


def checksum(*arrays: np.ndarray) -> str:
    """Sixteen digits of the SHA-256 of arrays, integers as little-endian ones of 8 bytes."""
    digest = sha256()
    for each in arrays:
        if each.dtype.kind == "i":
            each = each.astype("<i8")
        digest.update(each.tobytes())
    return digest.hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class LabeledTable:
    """Columns X (n, columns) of a table, class codes y (n,) int, and names of both."""

    name: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...]

    @classmethod
    def from_columns(
        cls, name: str, X: Mapping[str, np.ndarray], y: Any, class_names: Names | None = None
    ) -> Self:
        """Columns by name and labels, as ``columns.features_and_labels`` gives them, as numbers and
        class codes.
        """
        n = len(next(iter(X.values())))
        classes, codes = columns.encoded(y, n, class_names)
        return cls(name, columns.as_numbers(X), codes, tuple(X), classes)

    @property
    def checksum(self) -> str:
        return checksum(self.X, self.y)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Real data of two features, split by ``seed`` and scaled on the training part; made by
    ``from_data``.

    It has the methods of a ``Problem`` that do not need the distribution; ``eta`` is None.
    ``X_train`` (n, 2) and ``y_train`` (n,) are shuffled, ``X_test`` and ``y_test`` are held out,
    all scaled and, if ``projection`` is "pca", projected to two principal components of the
    training part. Points that are held out count alike without ``test_weights`` (m,).

    Examples
    --------
    >>> from knnviz import bundled
    >>> data = bundled("wine", test_size=0.5)
    >>> data.sample(20).X.shape, data.X_test.shape, data.n_classes
    ((20, 2), (89, 2), 3)
    """

    table: LabeledTable
    projection: Projection
    scale: Scale
    test_size: float
    seed: int
    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    test_weights: Any = None

    eta = None
    dimension = 2

    @classmethod
    def build(
        cls, table: LabeledTable, projection: Projection, scale: Scale, test_size: float, seed: int
    ) -> Self:
        """Shuffle a table, hold a part of it out, and scale and project both parts as fitted on the
        training part.
        """
        from sklearn.decomposition import PCA
        from sklearn.model_selection import train_test_split
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        rows = np.arange(len(table.y))
        train, test = train_test_split(rows, test_size=test_size, random_state=seed)
        y_train = table.y[train]
        y_test = table.y[test]
        if (y_train == y_train[0]).all():
            raise ValueError(f"the training part of {len(train)} rows holds a single class")

        rescale = StandardScaler() if scale else "passthrough"
        # The full decomposition is the same on every run; the faster ones draw random numbers, or
        # square the errors.
        project = PCA(n_components=2, svd_solver="full") if projection else "passthrough"
        steps = make_pipeline(rescale, project).fit(table.X[train])
        X_train = np.ascontiguousarray(steps.transform(table.X[train]))
        X_test = np.ascontiguousarray(steps.transform(table.X[test]))
        return cls(table, projection, scale, test_size, seed, X_train, y_train, X_test, y_test)

    @property
    def name(self) -> str:
        return self.table.name

    @property
    def feature_names(self) -> tuple[str, ...]:
        if self.projection:
            return "component 1", "component 2"
        return self.table.feature_names

    @property
    def class_names(self) -> tuple[str, ...]:
        return self.table.class_names

    @property
    def n_classes(self) -> int:
        return len(self.class_names)

    @property
    def max_size(self) -> int:
        return len(self.y_train)

    @property
    def least_size(self) -> int:
        """How many points labs draw at least: half of a small training part, but two."""
        return min(50, max(2, self.max_size // 2))

    @cached_property
    def box(self) -> Box:
        """A box around all points, with sides of equal length so that a ball looks round."""
        everything = np.concatenate([self.X_train, self.X_test])
        low = everything.min(axis=0)
        high = everything.max(axis=0)
        half = (high - low).max() * (0.5 + BOX_MARGIN) or 0.5
        centers = (low + high) / 2
        return tuple((float(c - half), float(c + half)) for c in centers)

    def with_seed(self, seed: int) -> Self:
        """The same table, split by another seed."""
        if seed == self.seed:
            return self
        return type(self).build(self.table, self.projection, self.scale, self.test_size, seed)

    def sample(self, n: int) -> Sample:
        """The first n rows of the training part, with uniform numbers for label noise; those of
        another split by ``with_seed``.
        """
        n = check_int("n", n, 1, self.max_size)
        v = np.random.default_rng(self.seed).random(self.max_size)
        return Sample(self.X_train[:n], self.y_train[:n], None, v[:n])

    def grid(self, n_cells: int = 200) -> Grid:
        return Grid.from_box(self.box, n_cells)

    def spec(self) -> dict[str, Any]:
        """Name, parameters and the checksum of the table, as JSON can hold them."""
        parameters = {
            "features": self.projection or list(self.feature_names),
            "scale": self.scale,
            "test_size": self.test_size,
            "seed": self.seed,
        }
        return {"name": self.name, "parameters": parameters, "checksum": self.table.checksum}


class RareDigits(Dataset):
    """Scans (n, 64) of three digits, the first of them common: a draw by ``seed``, and all others
    of these digits as new ones, with weights that give them the same class fractions; made by
    ``rare_digits``.
    """

    dimension = 64
    class_names = tuple(map(str, DRAWN))
    least_size = Dataset.max_size

    @classmethod
    def build(
        cls, table: LabeledTable, projection: Projection, scale: Scale, test_size: float, seed: int
    ) -> Self:
        """Draw the scans; ``test_size`` follows from their numbers."""
        order = np.random.default_rng(seed).permutation(len(table.y))
        train: list[int] = []
        test: list[int] = []
        for digit, m in DRAWN.items():
            of_digit = order[table.y[order] == digit]
            train += of_digit[:m].tolist()
            test += of_digit[m:].tolist()
        digits = list(DRAWN)
        y = np.searchsorted(digits, table.y[train])
        y_test = np.searchsorted(digits, table.y[test])
        of_class = np.bincount(y) / np.bincount(y_test)
        test_weights = of_class[y_test] / len(y)
        parts = table.X[train], y, table.X[test], y_test, test_weights
        return cls(table, None, None, test_size, seed, *parts)

    def spec(self) -> dict[str, Any]:
        return super().spec() | {"parameters": {"seed": self.seed}}


def from_data(
    X: Any,
    y: Any,
    features: Features | None = None,
    scale: Scale = "standard",
    test_size: float = 0.3,
    seed: int = 0,
    *,
    name: str = "data",
    class_names: Names | None = None,
) -> Dataset:
    """Two features of a table X (n, columns) with labels y (n,) as a data set, from which samples
    are drawn.

    X is an array, or a data frame of pandas, polars or another library; ``y`` may be the name or
    position of one of its columns, which then is not a feature. ``features`` are two columns by
    position, or by name if X is a data frame; or "pca", two principal components of all columns (at
    least two). By default they are the first two. Columns of ids, which are named so or hold unique
    whole numbers, are features only by name or position, or if fewer than two others are there.
    ``scale`` is applied before and fitted on the training part: "standard" by mean and standard
    deviation, None not at all. ``test_size`` is the fraction held out, by a split that ``seed``
    draws. Labels may be text, whole numbers, truth values or bytes; classes are coded in sorted
    order (of their text, if they do not compare), shown as text, and renamed by ``class_names``.
    Raises ValueError for chosen features that hold text or miss values, for labels that are missing
    or have decimals, a single class, and too few rows.

    Examples
    --------
    >>> from knnviz import from_data
    >>> X, y = [[1, 5], [2, 6], [3, 7], [4, 8], [5, 9]], ["no", "yes", "no", "yes", "no"]
    >>> data = from_data(X, y, scale=None, test_size=0.4)
    >>> data.class_names, data.X_train.shape, data.X_test.shape
    (('no', 'yes'), (3, 2), (2, 2))
    """
    check_choice("scale", scale, ("standard", None))
    test_size = float(check_real("test_size", test_size, 0.01, 0.99))
    seed = check_int("seed", seed, 0, 2**32 - 1)
    found, labels, names = columns.features_and_labels(X, y)
    projection: Projection = None
    if isinstance(features, str) and features == "pca":
        projection = "pca"
    if projection or features is None:
        found = columns.without_ids(found)
    if len(found) < 2:
        got = columns.listed(list(found))
        raise ValueError(f"there must be two columns or more, got {got}")

    if projection is None:
        if features is None:
            features = list(found)[:2]
        is_pair = isinstance(features, list | tuple | np.ndarray) and len(features) == 2
        got = shown(features)
        require(is_pair, f"features must be two columns or 'pca', got {got}")
        chosen = [columns.column_name(each, names) for each in features]
        for each in chosen:
            require(each in found, f"features must not be the labels, got column {each!r}")
        found = columns.distinct_columns(chosen, [found[each] for each in chosen])
    table = LabeledTable.from_columns(name, found, labels, class_names)
    return Dataset.build(table, projection, scale, test_size, seed)


def bundled(
    name: str,
    features: Features | None = None,
    scale: Scale = "standard",
    test_size: float = 0.3,
    seed: int = 0,
) -> Dataset:
    """A data set that comes with scikit-learn, by a name in ``BUNDLED``: breast_cancer, digits,
    iris, wine and others.

    ``features`` are by default two informative ones, for digits two principal components; other
    parameters are as in ``from_data``. Raises ValueError for another name.

    Examples
    --------
    >>> from knnviz import bundled
    >>> data = bundled("iris")
    >>> data.feature_names, data.class_names
    (('petal length (cm)', 'petal width (cm)'), ('setosa', 'versicolor', 'virginica'))
    """
    from sklearn import datasets

    known = f"there are {', '.join(BUNDLED)}"
    require(name in list(BUNDLED), f"there is no bundled set {name!r}; {known}")
    loader, usual, classes = BUNDLED[name]
    bunch = getattr(datasets, f"load_{loader}")(as_frame=True)
    used = np.arange(len(bunch.target_names))
    if classes is not None:
        used = np.array(classes)
    if features is None:
        features = usual
    rows = np.isin(bunch.target, used)
    y = (bunch.target.to_numpy()[rows, None] == used).argmax(axis=1)
    names = bunch.target_names[used]
    X = bunch.data[rows]
    return from_data(X, y, features, scale, test_size, seed, name=name, class_names=names)


def rare_digits(seed: int = 0) -> RareDigits:
    """80 scans of threes, 8 of fives and 8 of nines from scikit-learn's digits; the other scans of
    these digits are the new points.

    Examples
    --------
    >>> from knnviz.problems import rare_digits
    >>> data = rare_digits()
    >>> data.X_train.shape, data.X_test.shape, data.class_names
    ((96, 64), (449, 64), ('3', '5', '9'))
    """
    from sklearn.datasets import load_digits

    seed = check_int("seed", seed, 0, 2**32 - 1)
    bunch = load_digits()
    names = tuple(map(str, bunch.target_names))
    table = LabeledTable(RARE_DIGITS, bunch.data, bunch.target, tuple(bunch.feature_names), names)
    return RareDigits.build(table, None, None, 0.5, seed)


def breast_cancer(features: Features | None = None, seed: int = 0) -> Dataset:
    """Wisconsin breast cancer data: 569 rows, by default by mean radius and mean texture; malignant
    is class 1.

    Examples
    --------
    >>> from knnviz import breast_cancer
    >>> data = breast_cancer()
    >>> data.class_names, len(data.y_train), len(data.y_test)
    (('benign', 'malignant'), 398, 171)
    """
    return bundled("breast_cancer", features, seed=seed)


@dataclass(frozen=True, eq=False)
class BagTable:
    """Points X (n, d), their bags S (n, C) bool, and true classes y (n,) int; made by
    ``from_bags``.
    """

    name: str
    X: np.ndarray
    S: np.ndarray
    y: np.ndarray

    @property
    def n_classes(self) -> int:
        return self.S.shape[1]

    def spec(self) -> dict[str, Any]:
        """Name, shapes and checksum of the numbers, as JSON can hold them."""
        parameters = {"n": len(self.y), "C": self.n_classes}
        digits = checksum(self.X, self.S, self.y)
        return {"name": self.name, "parameters": parameters, "checksum": digits}


def from_bags(X: Any, S: Any, y: Any, *, name: str = "bags") -> BagTable:
    """Points X (n, d) with bags S (n, C) of truth values or 0 and 1, and true classes y (n,) from 0
    to C - 1.

    X and S are arrays or data frames, S also a sparse matrix. A bag may be empty, and need not hold
    the true class. Raises ValueError for columns that hold text or miss values, for classes that
    seem to be counted from 1, and for fewer than 2 or more than 255 classes.

    Examples
    --------
    >>> from knnviz import from_bags
    >>> X, S = [[0], [1], [2], [3], [4]], [[1, 0], [1, 1], [0, 1], [0, 1], [1, 1]]
    >>> from_bags(X, S, y=[0, 0, 1, 1, 1]).n_classes
    2
    """
    points = columns.as_numbers(columns.columns_of(X))
    rows = np.arange(len(points))
    if hasattr(S, "toarray"):
        S = S.toarray()
    table = columns.columns_of(S, "S")
    bags = check_bags("S", columns.as_numbers(table, "S"), len(rows))
    n_classes = check_int(
        "the number of classes, the columns of S,", bags.shape[1], 2, MOST_CLASSES
    )
    codes = check_codes("y", y, len(rows), n_classes).astype(int)
    of_class = bags[rows, codes].mean()
    of_class_before = bags[rows, codes - 1].mean()
    shifted = codes.min() > 0 and of_class < of_class_before
    got = f"{of_class_before:.0%} of the bags hold the class of y - 1, and {of_class:.0%} that of y"
    require(not shifted, f"y must count classes from 0, but {got}")
    return BagTable(name, points, bags, codes)


def from_spec(spec: Mapping[str, Any]) -> Problem | Dataset:
    """The problem or bundled data set of a spec, as ``source.spec()`` gives it or JSON keeps it.

    Raises ValueError for an unknown name, for parameters that do not fit, and for a spec of a
    reader's own data.
    """
    given: dict[str, Any] = {"name": None, "parameters": {}}
    if isinstance(spec, Mapping):
        given |= spec
    name = given["name"]
    parameters = given["parameters"]
    valid = isinstance(name, str) and isinstance(parameters, Mapping)
    require(valid, f"a spec must hold a name and parameters, got {shown(spec)}")
    digits = given.get("checksum")
    own = f"{name!r} is data of your own (checksum {digits}), which a spec does not hold"
    try:
        if "checksum" in given:
            require(name in (*BUNDLED, RARE_DIGITS), own)
            if name == RARE_DIGITS:
                dataset: Dataset = rare_digits(**parameters)
            else:
                dataset = bundled(name, **parameters)
            require(dataset.table.checksum == digits, own)
            return dataset
        if "points" in parameters:
            return Problem.from_atoms(**parameters, name=name)
        if name not in named.RANGES:
            raise ValueError(f"there is no problem {name!r}; there are {', '.join(named.RANGES)}")
        inner = {key: from_spec(each) for key, each in parameters.items() if key == "problem"}
        return getattr(named, name)(**parameters | inner)
    except (AttributeError, TypeError) as error:
        raise ValueError(f"the parameters of {name!r} do not fit: {error}") from None
