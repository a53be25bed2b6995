"""Menus of labs on bags: kinds of bag noise, predictions at T, and data with bags, those of
scikit-learn, whose bags are simulated, or a reader's own.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np

from knnviz.labs.engine import Float
from knnviz.labs.parts.sources import OwnSources, checked_rows
from knnviz.problems import BagTable, bundled, from_bags

#: Kinds of bag noise: the true label becomes one of all labels, or leaves its bag.
KINDS = ("confusion", "removal")

#: How a rule predicts if several labels are not eliminated after T, the largest number of
#: neighbors.
FALLBACKS: dict[str, Literal["lead", "majority"]] = {"largest lead": "lead", "majority": "majority"}

#: The slider of c1.
BAND_TIP = "The band is c1 sqrt(log n + log(C / delta)) / sqrt(k)"
C1 = Float("c1", 0.5, 0.05, 3, "band factor *c1*", BAND_TIP, step=0.05)

#: Data of scikit-learn, by their names in menus.
DATA = ("digits", "wine", "breast cancer")


class BagData(NamedTuple):
    """Points X (n, d), true classes y (n,), and bags S (n, C), None if they are simulated."""

    X: np.ndarray
    y: np.ndarray
    S: np.ndarray | None
    n_classes: int


def table(data: Any) -> BagTable:
    """A reader's own bags, from a table or from X, S and y; ValueError for anything else, and for
    too many rows.
    """
    if isinstance(data, BagTable):
        checked_rows(len(data.y))
        return data
    if not isinstance(data, Sequence) or isinstance(data, str) or len(data) != 3:
        raise ValueError(
            "data must be a BagTable, or points X, bags S and true classes y, got "
            f"{type(data).__name__}"
        )
    return table(from_bags(*data))


#: The reader's own bags.
OWN = OwnSources(table, DATA)


@cache
def named(name: str) -> BagData | BagTable:
    """Data by their name in the menu."""
    if name in OWN.known:
        return OWN.known[name]
    # Only principal components need, and keep, the table of all columns.
    whole = bundled(name.replace(" ", "_"), "pca").table
    return BagData(whole.X, whole.y, None, len(whole.class_names))
