"""Bags at the door of an estimator: tables of truth values, with the labels that their columns stand for."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import issparse

from knnviz.corruption import read_bags


def holds_bags(y: Any) -> bool:
    """Whether y is a table of bags: sparse, or with two columns or more. ValueError for sets or lists of labels."""
    if issparse(y):
        return True
    try:
        held = y if hasattr(y, "shape") and hasattr(y, "dtype") else np.asarray(y)
    except ValueError:  # lists of different lengths
        held = None
    shape = () if held is None else held.shape
    if held is None or (
        len(shape) == 1 and held.dtype == object and any(isinstance(each, set | frozenset | list) for each in held)
    ):
        raise ValueError("sets of labels must be made a table of truth values first, by knnviz.corruption.read_bags")
    return len(shape) == 2 and shape[1] > 1


def refuse_bags(y: Any) -> None:
    """Raise ValueError if y, the labels of a score, are bags."""
    if holds_bags(y):
        raise ValueError("a score needs the true labels of the points, got bags of candidate labels")


def table_of_bags(y: Any, classes: Sequence[Any] | None) -> tuple[np.ndarray, np.ndarray]:
    """Bags (n, C) bool and their classes (C,); ``classes`` put the columns of a data frame in order, and name others.

    A class that a data frame lacks is in no bag; ValueError for a column that is none of the classes.
    """
    if classes is not None and hasattr(y, "columns"):
        names = named(classes).tolist()
        refuse_unknown([column for column in y.columns if column not in names])
        y = y.reindex(columns=names, fill_value=False)
    return read_bags(y if issparse(y) or hasattr(y, "columns") else np.asarray(y), classes)


def named(classes: Sequence[Any]) -> np.ndarray:
    """Classes (C,) in the order in which they are named, all different; ValueError otherwise."""
    names = np.asarray(classes)
    if names.ndim != 1 or len(names) < 2 or len(set(names.tolist())) < len(names):
        raise ValueError(f"classes must be None or two or more different labels, got {classes!r}")
    return names


def placed(labels: np.ndarray, codes: np.ndarray, classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The classes, and in their order the codes (n,) of what were codes of labels; ValueError for labels they lack."""
    places = {label: place for place, label in enumerate(classes.tolist())}
    refuse_unknown([label for label in labels.tolist() if label not in places])
    return classes, np.array([places[label] for label in labels.tolist()])[codes]


def refuse_unknown(labels: list[Any]) -> None:
    """Raise ValueError if there are labels that are not among the classes."""
    if labels:
        raise ValueError(f"y holds labels that are not among the classes: {', '.join(map(repr, labels[:5]))}")
