"""Bags of candidate labels: PL A-kNN on the cells of a map, neighbors cached."""

import numpy as np
from rows import Row, median_ms

from knnviz import BagDraws, BagProcess, NeighborTable
from knnviz.problems import gaussians
from knnviz.rules import PartialAdaptive

#: The map: 40,000 cells, 8000 points of five classes, up to 400 neighbors.
PROBLEM = gaussians(5, dimension=2)
N = 8000
MOST = 400
RESOLUTION = 200


def rows(quick):
    """All cells, with other bags each time, as a slider of the bag noise brings them."""
    sample = PROBLEM.sample(N, 0)
    cells = PROBLEM.grid(RESOLUTION).points
    table = NeighborTable.build(sample.X, cells, MOST)
    inclusion = BagProcess.from_inclusion(5, 0.4).inclusion
    draws = BagDraws.draw(N, 5, 1)
    noises = np.linspace(0, 0.5, 8 if quick else 30)
    drawn = [BagProcess(inclusion, nu).draw(sample.X, sample.y, draws) for nu in noises]
    rule = PartialAdaptive(max_neighbors=MOST)
    took = median_ms(lambda bags: rule.scan(table, bags, 5), drawn)
    what = "PL A-kNN on 40,000 points, n = 8000, five classes, T = 400, neighbors cached"
    return [Row(what, took, "ms", 60)]
