"""Bags of candidate labels: PL A-kNN on the cells of a map, neighbors cached."""

import numpy as np
from rows import Row, median_ms, must_agree

from knnviz import BagDraws, BagProcess, NeighborTable
from knnviz.problems import gaussians
from knnviz.rules import PartialAdaptive

#: The map: 40,000 cells, 8000 points of five classes, up to 400 neighbors.
PROBLEM = gaussians(5, dimension=2)
N = 8000
MOST = 400
RESOLUTION = 200
#: One cell in so many is looked at by the peer, whose time is projected from them.
EVERY = 100


def rows(quick: bool) -> list[Row]:
    """All cells, with other bags each time, as a slider of the bag noise brings them."""
    sample = PROBLEM.sample(N, 0)
    cells = PROBLEM.grid(RESOLUTION).points
    table = NeighborTable.build(sample.X, cells, MOST)
    inclusion = BagProcess.from_inclusion(5, 0.4).inclusion
    draws = BagDraws.draw(N, 5, 1)
    noises = np.linspace(0, 0.5, 8 if quick else 30)
    drawn = [BagProcess(inclusion, nu).draw(sample.X, sample.y, draws) for nu in noises]
    rule = PartialAdaptive(max_neighbors=MOST)
    some = table.indices[::EVERY]

    def peer(bags: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return by_hand(some, bags, rule.band_constant(N, 5))

    for bags in (drawn[0], drawn[-1]):
        scan = rule.scan(table, bags, 5)
        labels, stops = peer(bags)
        must_agree(np.array_equal(scan.labels[::EVERY], labels), "labels", "NumPy")
        must_agree(np.array_equal(scan.stop_k[::EVERY], stops), "stops", "NumPy")

    ours = median_ms(lambda bags: rule.scan(table, bags, 5), drawn)
    theirs = median_ms(peer, drawn[:: len(drawn) // 4])
    projected = theirs * len(table) / len(some)
    what = "PL A-kNN on 40,000 points, n = 8000, five classes, T = 400, neighbors cached"
    return [Row(what, ours, "ms", 60, projected, "NumPy step by step, projected")]


def by_hand(
    indices: np.ndarray, bags: np.ndarray, threshold: float
) -> tuple[np.ndarray, np.ndarray]:
    """Labels (m,) and the k (m,) at which balls stop, all of them grown together by one neighbor at
    a time.
    """
    m = len(indices)
    n_classes = bags.shape[1]
    alive = np.ones((m, n_classes), bool)
    tau = np.zeros((m, n_classes), int)
    stops = np.zeros(m, int)
    leads = np.full((m, n_classes), -np.inf)
    since = np.zeros((m, n_classes), int)
    rows = np.arange(m)
    for k in range(1, indices.shape[1] + 1):
        tau[rows] += bags[indices[rows, k - 1]]
        votes = np.where(alive[rows], tau[rows], -1)
        first, second = np.sort(votes, axis=1)[:, :-3:-1].T

        ahead = votes - second[:, None]
        lead = np.where(alive[rows], ahead * abs(ahead) / k, -np.inf)
        more = lead > leads[rows]
        leads[rows] = np.where(more, lead, leads[rows])
        since[rows] = np.where(more, k, since[rows])

        alive[rows] &= first[:, None] - votes < threshold * np.sqrt(k)
        stops[rows] = k
        rows = rows[alive[rows].sum(axis=1) > 1]

    # The largest lead, then the smallest k, then the smallest class.
    last = np.where(alive, leads, -np.inf)
    largest = last == last.max(axis=1, keepdims=True)
    return np.where(largest, since, indices.shape[1] + 1).argmin(axis=1), stops
