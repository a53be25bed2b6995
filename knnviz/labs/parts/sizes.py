"""How fine labs compute: cells along each side of a box by its dimension, the largest k, and the ball masses."""

#: The map, and the coarse one that comes first.
FULL = {1: 1000, 2: 200}
COARSE = {1: 1000, 2: 32}

#: The balls around the query point in the true distribution.
AROUND_X = {1: 2000, 2: 60}

#: The preview of the Bayes risk and of the Bayes boundary, before ``FINE_GRID`` of ``knnviz.problems.base``.
TRUTH_PREVIEW = {1: 2000, 2: 60}

#: Largest k.
MOST_NEIGHBORS = 200

#: Largest ball mass, and the steps between the masses that are kept; a few smaller ones come before them.
LARGEST_MASS, MASS_STEP, SMALL_MASSES = 0.25, 0.005, (0.0005, 0.001, 0.002)
