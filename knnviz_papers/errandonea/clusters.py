"""How many clusters stay aligned as bag noise grows: by the formula, and among drawn processes."""

from collections.abc import Sequence
from typing import get_args

import numpy as np
from tqdm import tqdm

from knnviz import checks
from knnviz.bounds.errandonea import aligned_fraction, largest_noise
from knnviz.corruption import BagProcess
from knnviz.corruption.bag_process import Kind
from knnviz_papers.simulate import Tables, mean_and_error


def errandonea_clusters(
    levels: Sequence[float] = (0.0, 0.1, 0.3, 0.6, 0.7, 0.72, 0.8, 0.9, 0.95, 1.0),
    classes: Sequence[int] = (3, 10),
    largest: float = 0.8,
    clusters: int = 20_000,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Fraction of clusters where bags of every label hold it more often than any other, by level of noise.

    In a cluster every other label joins the bag of a label with one probability, uniform on [0, ``largest``], at most
    1. The same ``clusters``, at least 2, are used for every kind of noise and each of the ``levels`` nu in [0, 1];
    ``classes`` are numbers of classes C, at least 2.

    Tables: "aligned", a row for each kind of noise, C and nu: the fraction of clusters by the formula and among the
    drawn ones; "limits", for each kind and C: nu*, below which every cluster is aligned, and the mean size of a bag
    without noise.

    Source: Errandonea et al., section 4.1, with the generator of the experiments.
    """
    aligned, limits = [], []
    for n_classes in tqdm(classes, "errandonea_clusters", disable=not progress):
        inclusion = draw_inclusions(clusters, n_classes, largest, seed)
        centers = np.arange(clusters)[:, None]
        for kind in get_args(Kind):
            key, size = {"kind": kind, "classes": n_classes}, 1 + (n_classes - 1) * largest / 2
            limits.append(key | {"largest_noise": largest_noise(n_classes, largest, kind), "bag_size": size})
            for nu in levels:
                row = key | {"nu": nu, "exact": aligned_fraction(n_classes, nu, largest, kind)}
                aligned_clusters = BagProcess(inclusion, nu, kind, centers).aligned()
                aligned.append(row | mean_and_error("fraction", aligned_clusters.astype(float)))
    return {"aligned": aligned, "limits": limits}


def draw_inclusions(clusters: int, n_classes: int, largest: float, seed: int) -> np.ndarray:
    """Inclusions (clusters, C, C): [cluster, i, l] is the probability, equal for all l, that l joins the bag of i."""
    checks.check_int("n_classes", n_classes, 2)
    largest = checks.check_real("largest inclusion", largest, 0, 1)
    probabilities = largest * np.random.default_rng([seed, n_classes]).random((clusters, n_classes, 1))
    return np.repeat(probabilities, n_classes, axis=2)
