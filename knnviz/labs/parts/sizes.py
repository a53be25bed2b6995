"""How fine labs compute: cells a side of maps by dimension, the largest k, and the ball masses that are kept."""

#: Cells a side of the map, and of the coarse one that comes first.
FULL = {1: 1000, 2: 200}
COARSE = {1: 1000, 2: 32}

#: Cells a side for the population curve at a single point.
POPULATION = {1: 2000, 2: 60}

#: Cells a side for the Bayes risk and the Bayes boundary at first; ``problems.base.FINE`` follows.
ROUGH = {1: 2000, 2: 60}

#: Largest k.
MOST_NEIGHBORS = 200

#: Largest ball mass, and the steps between the masses that are kept; a few smaller ones come before them.
LARGEST_MASS, MASS_STEP, SMALL_MASSES = 0.25, 0.005, (0.0005, 0.001, 0.002)
