"""How fine labs compute: cells along each side of a problem's box, by its dimension; the largest k; ball masses."""

#: Cells of the full map, and of the coarse map that is shown first.
MAP_CELLS = {1: 1000, 2: 200}
COARSE_MAP_CELLS = {1: 1000, 2: 32}

#: Cells for the balls around the query point.
QUERY_CELLS = {1: 2000, 2: 60}

#: Cells for a preview of the Bayes risk and Bayes boundary; the final ones need ``FINE_GRID`` of ``problems.base``.
TRUTH_PREVIEW = {1: 2000, 2: 60}

#: Largest k on the slider of most labs.
LARGEST_SLIDER_K = 200

#: Balls are computed for masses from ``MASS_STEP`` to ``LARGEST_MASS`` in equal steps, and for a few smaller masses.
LARGEST_MASS, MASS_STEP, SMALL_MASSES = 0.25, 0.005, (0.0005, 0.001, 0.002)
