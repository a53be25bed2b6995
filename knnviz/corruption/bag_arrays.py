"""Bags as arrays (n, C) bool: from lists of sets, data frames and sparse matrices."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import issparse

from knnviz import checks


def as_bags(observed: Any, n: int, n_classes: int) -> np.ndarray:
    """Bags (n, C) bool, from a table of truth values, or from class codes (n,), each a bag of one label.

    A bag may be empty. Raises ValueError for another shape, and for values that are neither.

    Examples
    --------
    >>> from knnviz.corruption import as_bags
    >>> as_bags([2, 0], n=2, n_classes=3).tolist()
    [[False, False, True], [True, False, False]]
    """
    observed = np.asarray(observed)
    if observed.ndim == 1:
        codes = checks.check_codes("labels", observed, n, n_classes)
        return codes[:, None] == np.arange(n_classes)
    if observed.shape != (n, n_classes) or observed.dtype != bool:
        raise ValueError(
            f"bags must be truth values of shape ({n}, {n_classes}), got {observed.dtype} of shape {observed.shape}"
        )
    return observed


def read_bags(bags: Any, classes: Sequence[Any] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Bags (n, C) bool and their classes (C,), from a table of n rows and C columns, or n sets or lists of labels.

    A table is an array, sparse matrix or data frame of truth values or of 0 and 1. A bag may be empty. ``classes`` are
    the labels, all different and two or more, in the order of the columns: by default the columns of a data frame, the
    numbers 0 to C - 1 for another table, and the labels that occur, sorted, for sets. Raises ValueError for labels that
    are not among the classes, other values in a table, lists of truth values, and fewer than two classes.

    Examples
    --------
    >>> from knnviz.corruption import read_bags
    >>> bags, classes = read_bags([{"tea"}, {"milk", "tea"}])
    >>> classes.tolist(), bags.tolist()
    (['milk', 'tea'], [[False, True], [True, True]])
    """
    if issparse(bags):
        bags = bags.toarray()
    columns = getattr(bags, "columns", None)
    if columns is None and not (isinstance(bags, np.ndarray) and bags.ndim == 2):
        return _from_sets(bags, classes)
    # Columns of a frame of pandas may be of several types, and nullable: as numbers they are all alike.
    if hasattr(bags, "iloc") and all(dtype.kind in "biuf" for dtype in bags.dtypes):
        bags = bags.to_numpy(float, na_value=np.nan)
    table = checks.check_bags("a table of bags", np.asarray(bags))
    names = range(table.shape[1]) if columns is None else columns
    return table, _check_classes(names if classes is None else classes, table.shape[1])


def _from_sets(bags: Any, classes: Sequence[Any] | None) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.preprocessing import MultiLabelBinarizer

    sets = _check_sets(bags)
    try:
        labels = {label for bag in sets for label in bag}
        names = _check_classes(sorted(labels) if classes is None else classes)
    except TypeError:
        raise ValueError("labels in bags must be of one kind, all text or all numbers") from None
    unknown = sorted(map(str, labels - set(names.tolist())))
    if unknown:
        raise ValueError(f"bags hold labels that are not among the classes: {', '.join(unknown[:5])}")
    return MultiLabelBinarizer(classes=names.tolist()).fit_transform(sets).astype(bool), names


def _check_sets(bags: Any) -> list[Any]:
    if isinstance(bags, str) or not hasattr(bags, "__iter__"):
        raise ValueError(f"bags must be a list of sets of labels, or a table, got {bags!r}")
    sets = list(bags)
    for row, bag in enumerate(sets):
        if isinstance(bag, str) or not hasattr(bag, "__iter__"):
            raise ValueError(f"a bag must be a set or list of labels, got {bag!r} in row {row}")
        # Taken for labels, True and False would be the two classes.
        if not isinstance(bag, set | frozenset) and any(isinstance(label, bool | np.bool_) for label in bag):
            raise ValueError(f"a table of truth values must be an array, got a list of them in row {row}")
    return sets


def _check_classes(classes: Sequence[Any], count: int | None = None) -> np.ndarray:
    names = np.asarray(classes)
    if names.ndim != 1 or len(set(names.tolist())) < len(names):
        raise ValueError(f"classes must be a row of different labels, got {classes!r}")
    if len(names) < 2:
        raise ValueError(f"there must be two or more classes, got {len(names)}")
    if count is not None and len(names) != count:
        raise ValueError(f"there must be {count} classes, one for each column, got {len(names)}")
    return names
