"""How many clusters stay aligned as bag noise grows: by the formula, and among drawn processes."""

from collections.abc import Sequence
from itertools import product
from typing import get_args

import numpy as np
from tqdm import tqdm

from knnviz.bags import BagProcess, Kind
from knnviz.bounds.errandonea import aligned_fraction
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
