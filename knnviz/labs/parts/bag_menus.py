"""Menus of labs on bags: kinds of bag noise, predictions at T, and data with bags, those of
scikit-learn, whose bags are simulated, or a reader's own.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np

from knnviz.bags import Kind
from knnviz.labs.parts import sources
from knnviz.problems import BagTable, bundled, from_bags

#: Kinds of bag noise: the true label becomes one of all labels, becomes another one, or leaves its
#: bag.
KINDS: dict[str, Kind] = {"confusion": "confusion", "another label": "other", "removal": "removal"}

#: How a rule predicts if several labels are not eliminated after T, the largest number of
#: neighbors.
FALLBACKS: dict[str, Literal["lead", "majority"]] = {"largest lead": "lead", "majority": "majority"}

#: Data of scikit-learn, by their names in menus.
DATA = ("digits", "wine", "breast cancer")

#: The reader's own bags, by their names in menus.
OWN: dict[str, BagTable] = {}


class BagData(NamedTuple):
    """Points X (n, d), true classes y (n,), and bags S (n, C), None if they are simulated."""

    X: np.ndarray
    y: np.ndarray
    S: np.ndarray | None
    n_classes: int


@cache
def named(name: str) -> BagData | BagTable:
    """Data by their name in the menu."""
    if name in OWN:
        return OWN[name]
    # Only principal components need, and keep, the table of all columns.
    whole = bundled(name.replace(" ", "_"), "pca").table
    return BagData(whole.X, whole.y, None, len(whole.class_names))


def table(data: Any) -> BagTable:
    """A reader's own bags, from a table or from X, S and y; ValueError for anything else."""
    if isinstance(data, BagTable):
        return data
    if not isinstance(data, Sequence) or isinstance(data, str) or len(data) != 3:
        raise ValueError(
            "data must be a BagTable, or points X, bags S and true classes y, got "
            f"{type(data).__name__}"
        )
    return from_bags(*data)


def add(data: Any) -> str:
    """Put the reader's own bags into menus; return their name there."""
    own = table(data)
    return sources.register(own, len(own.y), OWN, DATA)


def of_scene(spec: Mapping[str, Any], data: Any) -> BagTable:
    """The reader's own bags, if ``spec`` describes them; ValueError without them, or for others."""
    if data is None:
        raise ValueError(f"{spec['name']!r} is data of your own: give it to from_scene as data")
    return sources.as_described(table(data), spec)
