"""How many clusters stay aligned as bag noise grows: by the formula, and among drawn processes."""

from collections.abc import Sequence
from itertools import product
from math import inf
from typing import get_args

import numpy as np
from tqdm import tqdm

from knnviz.bags import BagProcess, Kind
from knnviz_papers.simulate import Row, Tables, mean_and_error


def errandonea_clusters(
    levels: Sequence[float] = (0.0, 0.1, 0.3, 0.6, 0.7, 0.72, 0.8, 0.9, 0.95, 1.0),
    classes: Sequence[int] = (3, 10),
    largest: float = 0.8,
    clusters: int = 20_000,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Fraction of clusters where bags of every label hold it more often than any other, by level of
    noise.

    In a cluster every other label joins the bag of a label with one probability, uniform on [0,
    ``largest``]. The same clusters are used for every kind of noise and each of the ``levels`` nu.

    Table: "aligned", a row for each kind of noise, number of classes C and nu: the fraction of
    clusters by the formula and among the drawn ones.

    Source: Errandonea et al., section 4.1, with the generator of the experiments.
    """
    rows = []
    centers = np.arange(clusters)[:, None]
    for n_classes in tqdm(classes, "errandonea_clusters", disable=not progress):
        rng = np.random.default_rng([seed, n_classes])
        # The probability that a label joins the bag of another is the same for all that join it.
        joins = largest * rng.random((clusters, n_classes, 1))
        inclusion = np.repeat(joins, n_classes, axis=2)
        for kind, nu in product(get_args(Kind), levels):
            row: Row = {"kind": kind, "classes": n_classes, "nu": nu}
            row["exact"] = aligned_fraction(n_classes, nu, largest, kind)
            aligned = BagProcess(inclusion, nu, kind, centers).true_label_leads()
            row |= mean_and_error("fraction", aligned.astype(float))
            rows.append(row)
    return {"aligned": rows}


def aligned_fraction(
    n_classes: int, bag_noise: float, largest_inclusion: float, kind: Kind = "confusion"
) -> float:
    """Probability that C inclusions, uniform on [0, a], leave each true label in more bags than any
    other.

    Ours: all labels are aligned iff the largest inclusion M and the smallest, m, have M < s + r m.
    s is (1 - nu) / (1 - nu + nu / C) for "confusion", 1 - nu / ((C - 1) (1 - nu)) for "other", and
    r = 1 - s; for "removal" s is 1 - nu and r = 0. M and m are the ends of C uniform draws. 1 up to
    ``largest_noise``.
    """
    C = n_classes
    a = largest_inclusion
    clean = 1 - bag_noise
    if kind == "confusion":
        s = clean / (clean + bag_noise / C)
    elif kind == "removal":
        s = clean
    elif clean:
        s = 1 - bag_noise / ((C - 1) * clean)
    else:
        s = -inf
    if s <= 0 or s >= a:
        return float(s > 0)
    if kind == "removal":
        return (s / a) ** C
    # On the scale of a: the others lie between the smallest, w, and the smaller of 1 and s / a + (1
    # - s) w.
    unlimited_from = (1 - s / a) / (1 - s)
    unlimited = (1 - unlimited_from) ** C
    return unlimited + ((s / a) ** C - unlimited) / s
