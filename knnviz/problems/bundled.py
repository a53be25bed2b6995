"""Data sets that come with scikit-learn, by name."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from knnviz.problems.columns import Features
from knnviz.problems.data import Dataset, Scale, from_data

if TYPE_CHECKING:
    from sklearn.utils import Bunch


@dataclass(frozen=True)
class Source:
    """A data set of scikit-learn, its default features, and the classes kept (None: all)."""

    name: str
    features: Features
    kept: tuple[int, ...] | None = None

    def load(self) -> "Bunch":
        from sklearn import datasets

        return getattr(datasets, f"load_{self.name}")()


BUNDLED = {
    "breast_cancer": Source("breast_cancer", ("mean radius", "mean texture")),
    "digits": Source("digits", "pca"),
    "digits 0 to 4": Source("digits", "pca", (0, 1, 2, 3, 4)),
    "digits 3 against 8": Source("digits", "pca", (3, 8)),
    "iris": Source("iris", ("petal length (cm)", "petal width (cm)")),
    "wine": Source("wine", ("flavanoids", "color_intensity")),
}


def bundled(
    name: str, features: Features | None = None, scale: Scale = "standard", test_size: float = 0.3, seed: int = 0
) -> Dataset:
    """A data set that comes with scikit-learn, by a name in ``BUNDLED``: breast_cancer, digits, iris, wine and others.

    ``features`` are by default two informative ones, for digits two principal components; other parameters are as in
    ``from_data``. Raises ValueError for another name.

    Examples
    --------
    >>> from knnviz import bundled
    >>> data = bundled("iris")
    >>> data.feature_names, data.class_names
    (('petal length (cm)', 'petal width (cm)'), ('setosa', 'versicolor', 'virginica'))
    """
    if name not in BUNDLED:
        raise ValueError(f"there is no bundled set {name!r}; there are {', '.join(BUNDLED)}")
    source = BUNDLED[name]
    bunch = source.load()
    rows = slice(None) if source.kept is None else np.isin(bunch.target, source.kept)
    X, y = bunch.data[rows], bunch.target[rows]
    names = {"feature_names": bunch.feature_names, "class_names": bunch.target_names[np.unique(y)]}
    features = source.features if features is None else features
    return from_data(X, y, features, scale, test_size, seed, name=name, **names)


def breast_cancer(
    features: Features = ("mean radius", "mean texture"),
    scale: Scale = "standard",
    test_size: float = 0.3,
    seed: int = 0,
) -> Dataset:
    """Wisconsin breast cancer data by two of its thirty features, as scikit-learn ships it (569 rows).

    Examples
    --------
    >>> from knnviz import breast_cancer
    >>> data = breast_cancer()
    >>> data.class_names, len(data.y_train), len(data.y_test)
    (('malignant', 'benign'), 398, 171)
    """
    return bundled("breast_cancer", features, scale, test_size, seed)
